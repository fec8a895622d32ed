"""The colours, judged by their constants: readable, and apart for every pair of eyes."""

from __future__ import annotations

import unittest
from itertools import combinations, product

from tests.kit.colour_science import SIMULATED, contrast, difference
from tests.kit.windows import HAS_DISPLAY, shared_app
from traffic_lights.gui.kit.lamps import (
    DIM_SHARE,
    FACE,
    HOUSING,
    RIM,
    Look,
    Tile,
    enlarged,
    field_rows,
    opened,
    pixels,
    ramp,
)
from traffic_lights.gui.kit.palette import LAMPS, THEMES, mixed, rgb
from traffic_lights.gui.kit.theme import RING
from traffic_lights.userdata.settings import CHOICES

TEXT = 4.5
GRAPHICS = 3.0


def closest(faces: tuple[str, str, str], eyes: str) -> float:
    """Return the difference of the closest two of three lamps."""
    return min(difference(a, b, eyes) for a, b in combinations(faces, 2))


class ColourScienceTests(unittest.TestCase):
    def test_differences_run_from_0_to_100_and_contrast_from_1_to_21(self) -> None:
        for eyes in SIMULATED:
            self.assertAlmostEqual(difference("#000000", "#ffffff", eyes), 100, places=1)
            self.assertEqual(difference("#808080", "#808080", eyes), 0)
        # Red and green in OKLab are (0.628, 0.225, 0.126) and (0.866, -0.234, 0.179).
        self.assertAlmostEqual(difference("#ff0000", "#00ff00"), 52.0, places=1)
        self.assertAlmostEqual(contrast("#000000", "#ffffff"), 21, places=6)
        self.assertAlmostEqual(contrast("#808080", "#808080"), 1, places=6)


class LampColourTests(unittest.TestCase):
    def test_signal_lamps_stay_apart_for_every_pair_of_eyes(self) -> None:
        for eyes in SIMULATED:
            self.assertGreater(closest(LAMPS["signal"].faces, eyes), 15, eyes)

    def test_no_other_palette_with_hues_is_better_for_its_worst_eyes_than_the_default(self) -> None:
        worst = {
            name: min(closest(lamps.faces, eyes) for eyes in SIMULATED)
            for name, lamps in LAMPS.items()
            if name != "monochrome"
        }
        self.assertEqual(max(worst, key=lambda name: worst[name]), "signal")
        self.assertEqual(next(iter(LAMPS)), "signal")

    def test_every_lamp_stands_out_from_its_housing_in_every_theme(self) -> None:
        for (theme, colours), (name, lamps) in (
            (t, p) for t in THEMES.items() for p in LAMPS.items()
        ):
            for face in lamps.faces:
                with self.subTest(theme=theme, lamps=name, face=face):
                    # A red octagon has a white rim, so its face may be darker.
                    rim = "#ffffff" if face == lamps.faces[2] else face
                    self.assertGreaterEqual(contrast(rim, colours.housing), GRAPHICS)

    def test_letters_are_readable_on_their_lamps(self) -> None:
        # Letters are bold and large, for which 3:1 is asked.
        for name, lamps in LAMPS.items():
            for face, letter in zip(lamps.faces, lamps.letters, strict=True):
                with self.subTest(lamps=name, face=face):
                    self.assertGreaterEqual(contrast(face, letter), GRAPHICS)


class ThemeColourTests(unittest.TestCase):
    def test_text_is_readable_wherever_it_stands(self) -> None:
        for name, c in THEMES.items():
            for text, behind in (
                (c.text, c.window), (c.text, c.surface), (c.text, c.raised), (c.text, c.pressed),
                (c.muted, c.window), (c.muted, c.surface), (c.on_accent, c.accent),
                (c.coordinate, c.window), (c.warning, c.window),
                (c.warning, c.surface), (c.mark, c.housing),
            ):  # fmt: skip
                with self.subTest(theme=name, text=text, behind=behind):
                    self.assertGreaterEqual(contrast(text, behind), TEXT)

    def test_controls_focus_and_marks_stand_out(self) -> None:
        for name, c in THEMES.items():
            for graphic, behind in (
                (c.border, c.window), (c.border, c.surface), (c.accent, c.window),
                (c.accent, c.surface), (c.hint, c.housing),
                (c.ring, c.housing), (c.ring, c.glass), (c.mark, c.housing),
                (c.disabled, c.window),
            ):  # fmt: skip
                with self.subTest(theme=name, graphic=graphic, behind=behind):
                    self.assertGreaterEqual(contrast(graphic, behind), GRAPHICS)

    def test_a_housing_is_seen_on_its_window(self) -> None:
        for name, c in THEMES.items():
            with self.subTest(theme=name):
                self.assertGreaterEqual(contrast(c.housing_edge, c.window), GRAPHICS)

    def test_settings_know_the_same_themes_and_lamps(self) -> None:
        self.assertEqual(set(CHOICES["theme"]), {"system", *THEMES})
        self.assertEqual(set(CHOICES["lamps"]), set(LAMPS))

    def test_every_colour_is_written_in_full(self) -> None:
        for name, c in THEMES.items():
            for slot in c.__slots__:
                value = getattr(c, slot)
                with self.subTest(theme=name, slot=slot):
                    self.assertEqual(mixed(value, "#000000", 0), value)


class LampFieldTests(unittest.TestCase):
    def test_a_field_is_a_square_and_its_own_mirror_image(self) -> None:
        for colour in range(4):
            for side in (17, 40, 75):
                with self.subTest(colour=colour, side=side):
                    rows = list(field_rows(colour, side))
                    self.assertEqual({len(row) for row in rows} | {len(rows)}, {side})
                    self.assertTrue(all(row == row[::-1] for row in rows))

    def test_the_corner_is_outside_and_the_middle_is_the_lamps_own_colour(self) -> None:
        look = Look(THEMES["light"], LAMPS["signal"])
        for colour in (1, 2, 3):
            rows = list(field_rows(colour, 120))
            self.assertEqual(rows[0][0], 0)
            self.assertGreater(rows[60][60], RIM)
            table = ramp(look, Tile(colour), side=120)
            face = tuple(channel[FACE] for channel in table)
            self.assertEqual(bytes(face), rgb(look.lamps.faces[colour - 1]))
            self.assertEqual(bytes(c[0] for c in table), rgb(look.colours.window))
            self.assertEqual(bytes(c[HOUSING] for c in table), rgb(look.colours.housing))

    def test_letters_stay_readable_on_the_lit_face(self) -> None:
        for name, lamps in LAMPS.items():
            look = Look(THEMES["light"], lamps)
            for colour in (1, 2, 3):
                rows = list(field_rows(colour, 100))
                table = ramp(look, Tile(colour), side=100)
                middle = rows[54][50]
                behind = "#" + "".join(f"{channel[middle]:02x}" for channel in table)
                with self.subTest(lamps=name, colour=colour, behind=behind):
                    self.assertGreaterEqual(contrast(behind, lamps.letters[colour - 1]), GRAPHICS)

    def test_white_letters_are_readable_on_every_dimmed_lamp(self) -> None:
        for (theme, colours), (name, lamps) in product(THEMES.items(), LAMPS.items()):
            for face in lamps.faces:
                with self.subTest(theme=theme, lamps=name, face=face):
                    dim = mixed(face, colours.housing, DIM_SHARE)
                    self.assertGreaterEqual(contrast(colours.mark, dim), GRAPHICS)

    def test_a_picture_has_three_bytes_a_point(self) -> None:
        field = b"".join(field_rows(1, 20))
        look = Look(THEMES["dark"], LAMPS["signal"])
        self.assertEqual(len(pixels(field, ramp(look, Tile(1, True), side=20))), 3 * 400)

    def test_an_enlarged_field_has_the_middle_and_the_corners_of_the_smooth_one(self) -> None:
        field = b"".join(field_rows(2, 40))
        for side in (17, 40, 95):
            large = enlarged(field, 40, side)
            self.assertEqual(len(large), side * side)
            self.assertEqual((large[0], large[-1]), (0, 0))
            self.assertGreater(large[side // 2 * side + side // 2], RIM)

    def test_a_picture_opens_from_the_old_one_to_the_new_one(self) -> None:
        before, after = bytes(3 * 30 * 30), bytes([1]) * (3 * 30 * 30)
        new = [sum(opened(before, after, 30, share / 10)) for share in range(11)]
        self.assertEqual((new[0], new[-1]), (0, len(after)))
        self.assertEqual(new, sorted(new))

    def test_a_wash_leaves_marks_and_lamps_visible_in_every_theme(self) -> None:
        for name, c in THEMES.items():
            for step in range(-4, 5):
                table = ramp(Look(c, LAMPS["signal"]), Tile(0, wash=step), side=100)
                housing = "#" + "".join(f"{channel[HOUSING]:02x}" for channel in table)
                with self.subTest(theme=name, step=step):
                    self.assertGreaterEqual(contrast(c.mark, housing), GRAPHICS)


@unittest.skipUnless(HAS_DISPLAY, "no display")
class FocusRingTests(unittest.TestCase):
    """A ring marks the focus on every widget, and nothing moves when it appears."""

    def test_the_ring_stands_out_in_every_theme_and_size(self) -> None:
        theme = shared_app().context.theme
        self.addCleanup(theme.set, "light", "signal", 0)
        kinds = ("TButton", "TCheckbutton", "TRadiobutton", "TEntry", "TCombobox", "TNotebook.Tab")
        for (name, colours), zoom in product(THEMES.items(), (-3, 0, 8)):
            theme.set(name, "signal", zoom)
            for kind in (*kinds, "Accent.TButton"):
                with self.subTest(theme=name, zoom=zoom, kind=kind):
                    self.assertIn(RING, str(theme.style.layout(kind)))
                    looked_up = theme.style.lookup(kind, "highlightthickness", ("focus",))
                    self.assertGreaterEqual(int(looked_up), 2)
                    self.assertEqual(int(theme.style.lookup(kind, "highlightthickness")), 0)
                    ring = str(theme.style.lookup(kind, "highlightcolor"))
                    backs = (colours.accent,) if "Accent" in kind else (
                        colours.window, colours.surface, colours.raised)  # fmt: skip
                    for back in backs:
                        self.assertGreaterEqual(contrast(ring, back), GRAPHICS)
            edge = str(theme.style.lookup("Accent.TButton", "bordercolor", ("focus",)))
            self.assertGreaterEqual(contrast(edge, colours.window), GRAPHICS)


if __name__ == "__main__":
    unittest.main()
