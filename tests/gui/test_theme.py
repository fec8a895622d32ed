"""The colours, judged by their constants: readable, and apart also without their hues."""

import sys
import tkinter as tk
import unittest
from itertools import combinations, product
from operator import mul
from tkinter import ttk
from unittest import mock

from tests.kit.windows import WindowTestCase
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
    def test_the_default_lamps_stay_apart_for_eyes_without_colours_and_no_others_more(self) -> None:
        closest = {
            name: min(contrast(*pair) for pair in combinations(lamps.faces, 2))
            for name, lamps in LAMPS.items()
            if name != "monochrome"
        }
        self.assertEqual(max(closest, key=closest.__getitem__), next(iter(LAMPS)))
        self.assertGreater(closest[Settings().lamps], 1.8)
        self.assertEqual({*CHOICES["theme"]}, {"system", *THEMES})
        self.assertEqual({*CHOICES["lamps"]}, {*LAMPS})

    def test_lamps_letters_text_controls_and_marks_stand_out_wherever_they_are(self) -> None:
        for c, lamps in product(THEMES.values(), LAMPS.values()):
            both = c.window, c.surface
            pairs = [
                *((TEXT, c.text, ground) for ground in (*both, c.raised, c.pressed)),
                *((TEXT, *pair) for pair in product((c.muted, c.warning), both)),
                (TEXT, c.on_accent, c.accent), (TEXT, c.coordinate, c.window),
                (TEXT, c.mark, c.housing),
                *((GRAPHICS, *pair) for pair in product((c.border, c.accent), both)),
                *((GRAPHICS, one, c.housing) for one in (c.hint, c.ring)),
                (GRAPHICS, c.ring, c.glass), (GRAPHICS, c.disabled, c.window),
                (GRAPHICS, c.housing_edge, c.window),
            ]  # fmt: skip
            for face, letter in zip(lamps.faces, lamps.letters, strict=True):
                # A red octagon has a white rim, so its face may be darker. Letters are large.
                rim = "#ffffff" if face == lamps.faces[2] else face
                pairs += [(GRAPHICS, rim, c.housing), (GRAPHICS, face, letter)]
                pairs.append((GRAPHICS, c.mark, mixed(face, c.housing, DIM)))
            for least, *pair in pairs:
                self.assertGreaterEqual(contrast(*pair), least, pair)


@unittest.skipUnless(sys.platform == "linux", "needs X11")
class ScaleTests(WindowTestCase):
    def test_everything_has_twice_its_size_where_the_desktop_is_set_to_twice_the_dots(self) -> None:
        usual = self.root.tk.call("tk", "scaling")  # one for all windows of a process
        self.addCleanup(self.root.tk.call, "tk", "scaling", usual)
        for dpi in (96.0, 192.0):
            root = tk.Tk()
            self.addCleanup(root.destroy)
            root.withdraw()
            with mock.patch("traffic_lights.gui.kit.theme._xft_dpi", return_value=dpi):
                shown = Theme(root, **Settings(theme="light").look)
            self.assertAlmostEqual(shown.scale, dpi / 96, places=2)
            self.assertEqual(shown.body.cget("size"), -round(shown.scale * 40 / 3))


class LookTests(WindowTestCase):
    def show(self, theme: str, size: int = 100) -> None:
        self.theme.set(**Settings(theme=theme, size=size).look)
        apply_styles(self.root, self.theme)

    def test_the_list_of_files_of_tk_is_dark_and_readable_in_a_dark_theme(self) -> None:
        if self.root.tk.call("tk", "windowingsystem") != "x11":
            self.skipTest("the system has its own dialogs for files")
        self.show("dark")
        self.root.tk.eval("::tk::IconList .files; pack .files; update")
        canvas = ".files.cHull.canvas"
        surface = str(self.root.tk.call(canvas, "cget", "-background"))
        text = str(self.root.tk.call("option", "get", canvas, "foreground", "Foreground"))
        self.assertEqual(surface, self.theme.colours.surface)
        self.assertGreaterEqual(contrast(text, surface), TEXT)

    def test_an_edge_that_stands_out_marks_the_focus_in_every_theme_and_size(self) -> None:
        lookup = ttk.Style(self.root).lookup
        kinds = ("TButton", "TMenubutton", "TEntry", "TCombobox", "Treeview", "Toolbutton",
                 "Accent.TButton", "TNotebook.Tab", "Horizontal.TScale")  # fmt: skip
        for (name, c), size in product(THEMES.items(), (90, 200)):
            self.show(name, size)
            for kind in kinds:
                with self.subTest(theme=name, size=size, kind=kind):
                    states = ["selected"] if kind == "TNotebook.Tab" else []
                    edge = "background" if kind == "Horizontal.TScale" else "lightcolor"
                    focused = str(lookup(kind, edge, ["focus", *states]))
                    self.assertNotEqual(focused, str(lookup(kind, edge, states)))
                    ground = c.surface if kind == "Horizontal.TScale" else c.window
                    self.assertGreaterEqual(contrast(focused, ground), GRAPHICS)
