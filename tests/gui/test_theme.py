"""The colours, judged by their constants: readable, and apart also without their hues."""

import sys
import tkinter as tk
import unittest
from itertools import combinations, product
from operator import mul
from tkinter import ttk
from unittest import mock

from tests.kit.person import HAS_DISPLAY
from tests.kit.windows import new_window
from traffic_lights.drawing.palette import DIM, LAMPS, THEMES, mixed, rgb
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widget_styles import apply_styles
from traffic_lights.play.settings import CHOICES, Settings

TEXT = 4.5
GRAPHICS = 3.0


def luminance(colour: str) -> float:
    """Return how light ``#rrggbb`` looks, from 0 to 1."""
    shares = (channel / 255 for channel in rgb(colour))
    light = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return sum(map(mul, (0.2126, 0.7152, 0.0722), light), 0.0)


def contrast(colour: str, other: str) -> float:
    """Return the contrast of two colours after WCAG 2, from 1 to 21."""
    low, high = sorted(map(luminance, (colour, other)))
    return (high + 0.05) / (low + 0.05)


class ContrastTests(unittest.TestCase):
    def assert_contrast(self, wanted: float, *pairs: tuple[str, str]) -> None:
        for pair in pairs:
            self.assertGreaterEqual(contrast(*pair), wanted, pair)

    def test_the_default_lamps_stay_apart_for_eyes_that_see_no_colours_and_no_others_more(
        self,
    ) -> None:
        closest = {
            name: min(contrast(*pair) for pair in combinations(lamps.faces, 2))
            for name, lamps in LAMPS.items()
            if name != "monochrome"
        }
        self.assertEqual(max(closest, key=lambda name: closest[name]), "signal")
        self.assertGreater(closest["signal"], 1.8)
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


@unittest.skipUnless(HAS_DISPLAY and sys.platform == "linux", "needs X11")
class ScaleTests(unittest.TestCase):
    def test_everything_has_twice_its_size_where_the_desktop_is_set_to_twice_the_dots(self) -> None:
        first, _ = new_window()
        self.addCleanup(first.destroy)
        usual = first.tk.call("tk", "scaling")  # one for all windows of a process
        self.addCleanup(first.tk.call, "tk", "scaling", usual)
        for dpi in (96.0, 192.0):
            root = tk.Tk()
            self.addCleanup(root.destroy)
            root.withdraw()
            with mock.patch("traffic_lights.gui.kit.theme._xft_dpi", return_value=dpi):
                shown = Theme(root, **Settings(theme="light").look)
            self.assertAlmostEqual(shown.scale, dpi / 96, places=2)
            self.assertEqual(shown.body.cget("size"), -round(shown.scale * 40 / 3))


@unittest.skipUnless(HAS_DISPLAY, "no display")
class LookTests(unittest.TestCase):
    def test_the_list_of_files_of_tk_is_dark_and_readable_in_a_dark_theme(self) -> None:
        root, theme = new_window()
        self.addCleanup(root.destroy)
        if root.tk.call("tk", "windowingsystem") != "x11":
            self.skipTest("the system has its own dialogs for files")
        theme.set(**Settings(theme="dark").look)
        apply_styles(root, theme)
        root.tk.eval("::tk::IconList .files; pack .files; update")
        canvas = ".files.cHull.canvas"
        surface = str(root.tk.call(canvas, "cget", "-background"))
        text = str(root.tk.call("option", "get", canvas, "foreground", "Foreground"))
        self.assertEqual(surface, theme.colours.surface)
        self.assertGreaterEqual(contrast(text, surface), TEXT)


@unittest.skipUnless(HAS_DISPLAY, "no display")
class FocusTests(unittest.TestCase):
    def test_an_edge_that_stands_out_marks_the_focus_in_every_theme_and_size(self) -> None:
        root, theme = new_window()
        self.addCleanup(root.destroy)
        lookup = ttk.Style(root).lookup

        def show(settings: Settings) -> None:
            theme.set(**settings.look)
            apply_styles(root, theme)

        usual = "TButton", "TMenubutton", "TEntry", "TCombobox", "Treeview", "Toolbutton"
        for (name, c), size in product(THEMES.items(), (90, 200)):
            show(Settings(theme=name, size=size))
            for kind in (*usual, "Accent.TButton", "TNotebook.Tab"):
                with self.subTest(theme=name, size=size, kind=kind):
                    states = ["selected"] if kind == "TNotebook.Tab" else []
                    focused = str(lookup(kind, "lightcolor", ["focus", *states]))
                    self.assertNotEqual(focused, str(lookup(kind, "lightcolor", states)))
                    self.assertGreaterEqual(contrast(focused, c.window), GRAPHICS)
            slider = str(lookup("Horizontal.TScale", "background", ["focus"]))
            self.assertGreaterEqual(contrast(slider, c.surface), GRAPHICS)
            self.assertNotEqual(slider, str(lookup("Horizontal.TScale", "background")))
