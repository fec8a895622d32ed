"""The colours, judged by their constants: readable, and apart for every pair of eyes."""

import sys
import tkinter as tk
import unittest
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any
from unittest import mock

from tests.kit.colour_science import SIMULATED, contrast, difference
from tests.kit.windows import HAS_DISPLAY, shared_app
from traffic_lights.drawing.palette import DIM, LAMPS, THEMES, Lamps, mixed
from traffic_lights.gui.kit.lamps import FACE, HOUSING, RIM, Look, Tile, lamp_field, ramp
from traffic_lights.gui.kit.theme import RING, Theme
from traffic_lights.play.userdata import CHOICES, Settings

TEXT = 4.5
GRAPHICS = 3.0


def closest(lamps: Lamps, eyes: str) -> float:
    """Return the difference of the closest two of three lamps."""
    return min(difference(a, b, eyes) for a, b in combinations(lamps.faces, 2))


def colour_of(table: tuple[bytes, bytes, bytes], number: int) -> str:
    """Return the colour that a field's *number* has in *table*."""
    return "#" + bytes(channel[number] for channel in table).hex()


def rows_of(colour: int, side: int) -> list[bytes]:
    """Return the rows of the field of a lamp."""
    field = lamp_field(colour, side)
    return [field[at : at + side] for at in range(0, len(field), side)]


class ColourScienceTests(unittest.TestCase):
    def test_differences_run_from_0_to_100_and_contrast_from_1_to_21(self) -> None:
        for eyes in SIMULATED:
            self.assertAlmostEqual(difference("#000000", "#ffffff", eyes), 100, places=1)
            self.assertEqual(difference("#808080", "#808080", eyes), 0)
        # Red and green in OKLab are (0.628, 0.225, 0.126) and (0.866, -0.234, 0.179).
        self.assertAlmostEqual(difference("#ff0000", "#00ff00"), 52.0, places=1)
        self.assertAlmostEqual(contrast("#000000", "#ffffff"), 21, places=6)
        self.assertAlmostEqual(contrast("#808080", "#808080"), 1, places=6)


class ContrastTests(unittest.TestCase):
    def assert_contrast(self, wanted: float, *pairs: tuple[str, str]) -> None:
        for pair in pairs:
            self.assertGreaterEqual(contrast(*pair), wanted, pair)

    def test_the_default_lamps_stay_apart_for_every_pair_of_eyes_and_no_others_more(self) -> None:
        worst = {
            name: min(closest(lamps, eyes) for eyes in SIMULATED)
            for name, lamps in LAMPS.items()
            if name != "monochrome"
        }
        self.assertEqual(max(worst, key=lambda name: worst[name]), "signal")
        self.assertGreater(worst["signal"], 15)
        self.assertEqual(next(iter(LAMPS)), "signal")
        self.assertEqual(set(CHOICES["theme"]), {"system", *THEMES})
        self.assertEqual(set(CHOICES["lamps"]), set(LAMPS))

    def test_lamps_and_their_letters_are_seen_in_every_theme_lit_and_dim(self) -> None:
        for c, lamps in product(THEMES.values(), LAMPS.values()):
            for face, letter in zip(lamps.faces, lamps.letters, strict=True):
                # A red octagon has a white rim, so its face may be darker. Letters are large.
                rim = "#ffffff" if face == lamps.faces[2] else face
                dim = mixed(face, c.housing, DIM)
                self.assert_contrast(GRAPHICS, (rim, c.housing), (face, letter), (c.mark, dim))

    def test_text_controls_and_marks_stand_out_wherever_they_are(self) -> None:
        for c in THEMES.values():
            self.assert_contrast(
                TEXT,
                (c.text, c.window), (c.text, c.surface), (c.text, c.raised), (c.text, c.pressed),
                (c.muted, c.window), (c.muted, c.surface), (c.on_accent, c.accent),
                (c.coordinate, c.window), (c.warning, c.window), (c.warning, c.surface),
                (c.mark, c.housing),
            )  # fmt: skip
            self.assert_contrast(
                GRAPHICS,
                (c.border, c.window), (c.border, c.surface), (c.accent, c.window),
                (c.accent, c.surface), (c.hint, c.housing), (c.ring, c.housing),
                (c.ring, c.glass), (c.disabled, c.window), (c.housing_edge, c.window),
            )  # fmt: skip
            for step in range(-4, 5):
                table = ramp(Look(c, LAMPS["signal"]), Tile(0, wash=step), side=100)
                self.assert_contrast(GRAPHICS, (c.mark, colour_of(table, HOUSING)))


class LampFieldTests(unittest.TestCase):
    def test_a_field_is_a_square_and_its_own_mirror_image(self) -> None:
        for colour, side in product(range(4), (17, 40, 75)):
            with self.subTest(colour=colour, side=side):
                rows = rows_of(colour, side)
                self.assertEqual({len(row) for row in rows} | {len(rows)}, {side})
                self.assertTrue(all(row == row[::-1] for row in rows))

    def test_the_corner_is_outside_and_the_middle_is_lit_under_a_readable_letter(self) -> None:
        for colour, lamps in product((1, 2, 3), LAMPS.values()):
            look = Look(THEMES["light"], lamps)
            rows, table = rows_of(colour, 100), ramp(look, Tile(colour), side=100)
            self.assertEqual(colour_of(table, rows[0][0]), look.colours.window)
            self.assertEqual(colour_of(table, HOUSING), look.colours.housing)
            self.assertEqual(colour_of(table, FACE), lamps.faces[colour - 1])
            self.assertGreater(rows[54][50], RIM)
            behind = colour_of(table, rows[54][50])
            self.assertGreaterEqual(contrast(behind, lamps.letters[colour - 1]), GRAPHICS)


BY_WIDGETS = {
    "background", "borderwidth", "expand", "focuscolor", "foreground", "indent", "insertcolor",
    "insertwidth", "rowheight", "selectbackground", "selectforeground", "tabmargins", "thickness",
}  # fmt: skip
"""The options of a style that a widget reads itself; all others are those of its elements."""
BY_OTHER_VERSIONS = {"arrowpadding", "darkcolor", "gripcount", "gripsize"}
"""Those that the elements of some versions of Tk read, and those of others do not."""
RELIEFS = {"flat", "raised", "solid"}


def elements(layout: Any) -> Iterator[str]:
    """Yield the names of the elements in a *layout*, at any depth."""
    for name, how in layout or ():
        yield name
        yield from elements(how.get("children"))


@unittest.skipUnless(HAS_DISPLAY, "no display")
class StyleTests(unittest.TestCase):
    def test_every_option_is_one_that_some_tk_reads(self) -> None:
        # Tk ignores an option that it does not know.
        others = BY_WIDGETS | BY_OTHER_VERSIONS
        theme = shared_app().context.theme
        styles = theme._styles()
        every: set[str] = set()
        known: dict[str, set[str]] = {".": every}
        for kind in styles.keys() - {"."}:
            parts = elements(theme.style.layout(kind))
            found = [option for part in parts for option in theme.style.element_options(part)]
            known[kind] = {str(option).removeprefix("-") for option in found}
            every |= known[kind]
        for kind, options in styles.items():
            self.assertLessEqual(options.keys(), known[kind] | others, kind)
            for option in options:
                usual = theme.style.lookup(kind, option)
                if option == "relief":
                    self.assertIn(str(usual), RELIEFS, kind)
                if option == "anchor":
                    self.assertEqual(str(usual), "center", kind)


@unittest.skipUnless(HAS_DISPLAY and sys.platform == "linux", "needs X11")
class ScaleTests(unittest.TestCase):
    def test_everything_has_twice_its_size_where_the_desktop_is_set_to_twice_the_dots(self) -> None:
        usual = shared_app().root.tk.call("tk", "scaling")  # one for all windows of a process
        self.addCleanup(shared_app().root.tk.call, "tk", "scaling", usual)
        for dpi in (96.0, 192.0):
            root = tk.Tk()
            self.addCleanup(root.destroy)
            root.withdraw()
            with mock.patch("traffic_lights.gui.kit.theme._xft_dpi", return_value=dpi):
                shown = Theme(root, Settings(theme="light"))
            self.assertAlmostEqual(shown.scale, dpi / 96, places=2)
            self.assertEqual(shown.body.cget("size"), -round(shown.scale * 40 / 3))


@unittest.skipUnless(HAS_DISPLAY, "no display")
class LineTests(unittest.TestCase):
    def test_lists_get_no_higher_by_a_font_with_much_room_over_and_under_its_letters(self) -> None:
        theme = shared_app().context.theme
        self.addCleanup(theme.set, Settings(theme="light"))
        with mock.patch.object(theme.body, "metrics", return_value=99):
            theme.set(Settings(theme="light"))
        high = theme.style.lookup("Facts.Treeview", "rowheight")
        self.assertLess(int(high), -1.5 * theme.body.cget("size"))


@unittest.skipUnless(HAS_DISPLAY, "no display")
class StateTests(unittest.TestCase):
    def test_each_state_has_its_colour_in_every_theme(self) -> None:
        theme = shared_app().context.theme
        self.addCleanup(theme.set, Settings(theme="light"))
        for name, c in THEMES.items():
            theme.set(Settings(theme=name))
            for kind, state, background, foreground in (
                ("TButton", "", c.raised, c.text),
                ("TButton", "active", c.pressed, c.text),
                ("TButton", "pressed", c.pressed, c.text),
                ("TButton", "disabled", c.window, c.disabled),
                ("TButton", "disabled active", c.window, c.disabled),
                ("Accent.TButton", "", c.accent, c.on_accent),
                ("Accent.TButton", "disabled", c.window, c.disabled),
                ("TLabel", "", c.window, c.text),
                ("TLabel", "disabled", c.window, c.disabled),
                ("Muted.TLabel", "", c.window, c.muted),
                ("Warning.TLabel", "", c.window, c.warning),
                ("Surface.TLabel", "", c.surface, c.text),
                ("SurfaceMuted.TLabel", "", c.surface, c.muted),
                ("Treeview", "", c.surface, c.text),
                ("Treeview", "selected", c.accent, c.on_accent),
                ("Treeview.Heading", "active", c.pressed, c.muted),
                ("Switch.Toolbutton", "", c.raised, c.text),
                ("Switch.Toolbutton", "active", c.pressed, c.text),
                ("Switch.Toolbutton", "selected active", c.accent, c.on_accent),
                ("TNotebook.Tab", "", c.window, c.muted),
                ("TNotebook.Tab", "selected", c.surface, c.text),
                ("TNotebook.Tab", "active", c.pressed, c.text),
                ("TNotebook.Tab", "disabled", c.window, c.disabled),
            ):
                with self.subTest(theme=name, kind=kind, state=state):
                    found = [str(theme.style.lookup(kind, part, state.split()))
                             for part in ("background", "foreground")]  # fmt: skip
                    self.assertEqual(found, [background, foreground])
            self.assertEqual(str(theme.style.lookup("TMenubutton", "arrowcolor")), c.text)
            for kind in ("TEntry", "TCombobox"):
                for state, field, text in (
                    ("", c.surface, c.text), ("readonly", c.surface, c.text),
                    ("disabled", c.window, c.disabled), ("disabled readonly", c.window, c.disabled),
                ):  # fmt: skip
                    found = [str(theme.style.lookup(kind, part, state.split()))
                             for part in ("fieldbackground", "foreground")]  # fmt: skip
                    self.assertEqual(found, [field, text], (name, kind, state))
                wrong = theme.style.lookup(f"Wrong.{kind}", "bordercolor")
                self.assertEqual(str(wrong), c.warning)


@unittest.skipUnless(HAS_DISPLAY, "no display")
class FocusRingTests(unittest.TestCase):
    def test_a_ring_that_stands_out_marks_the_focus_in_every_theme_and_size(self) -> None:
        theme = shared_app().context.theme
        self.addCleanup(theme.set, Settings(theme="light"))
        lookup = theme.style.lookup
        kinds = ("TButton", "TCheckbutton", "TEntry", "TCombobox", "TNotebook.Tab")
        for (name, c), zoom in product(THEMES.items(), (-3, 8)):
            theme.set(Settings(theme=name, zoom=zoom))
            for kind in (*kinds, "Accent.TButton", "Switch.Toolbutton"):
                with self.subTest(theme=name, zoom=zoom, kind=kind):
                    self.assertIn(RING, str(theme.style.layout(kind)))
                    self.assertGreaterEqual(int(lookup(kind, "highlightthickness", ["focus"])), 2)
                    self.assertEqual(int(lookup(kind, "highlightthickness")), 0)
                    ring = str(lookup(kind, "highlightcolor"))
                    backs = (c.accent,) if "Accent" in kind else (c.window, c.surface, c.raised)
                    for back in backs:
                        self.assertGreaterEqual(contrast(ring, back), GRAPHICS)
            chosen = str(lookup("Switch.Toolbutton", "highlightcolor", ["selected"]))
            self.assertGreaterEqual(contrast(chosen, c.accent), GRAPHICS)
            edge = str(lookup("Accent.TButton", "bordercolor", ["focus"]))
            self.assertGreaterEqual(contrast(edge, c.window), GRAPHICS)
            slider = str(lookup("Horizontal.TScale", "background", ["focus"]))
            self.assertGreaterEqual(contrast(slider, c.surface), GRAPHICS)
            self.assertNotEqual(slider, lookup("Horizontal.TScale", "background"))
