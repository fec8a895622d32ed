"""The small windows: Appearance, made from the descriptions of the settings."""

from __future__ import annotations

import unittest
from tkinter import ttk

from tests.kit.eye import faults
from tests.kit.windows import WindowTestCase
from traffic_lights.gui.dialogs import CHOSEN, SWITCHED, AppearanceSheet
from traffic_lights.gui.kit.palette import THEMES
from traffic_lights.userdata.settings import CHOICES, LABELS, LIMITS


class AppearanceTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.sheet = AppearanceSheet(self.app.context, self.app.view.change)
        self.addCleanup(self.sheet.close)

    def setting(self, name: str) -> object:
        return getattr(self.app.context.userdata.settings, name)

    def test_every_choice_applies_at_once_and_shows_its_label(self) -> None:
        for name in CHOSEN:
            box = self.sheet.boxes[name]
            for index, (value, text) in enumerate(CHOICES[name].items()):
                box.current(index)
                box.event_generate("<<ComboboxSelected>>")
                self.assertEqual((self.setting(name), box.get()), (value, text))
        for name in SWITCHED:
            before = self.setting(name)
            boxes = (w for w in self.sheet.body.winfo_children() if isinstance(w, ttk.Checkbutton))
            (box_of,) = (box for box in boxes if box.cget("text") == LABELS[name])
            self.key("<space>", widget=box_of)
            self.assertEqual(self.setting(name), not before)

    def test_the_size_stays_within_its_limits(self) -> None:
        minus, plus = (w for w in self.sheet.size_label.master.winfo_children() if w.winfo_class()
                       == "TButton")  # fmt: skip
        for button, end in ((plus, max(LIMITS["zoom"])), (minus, min(LIMITS["zoom"]))):
            for _ in range(len(LIMITS["zoom"]) + 2):
                self.key("<Return>", widget=button)
            self.assertEqual(self.setting("zoom"), end)

    def test_it_can_be_read_in_every_theme_and_size(self) -> None:
        theme = self.app.context.theme
        for name in THEMES:
            for zoom in (-3, 0, 8):
                theme.set(name, "signal", zoom)
                self.sheet.update()
                with self.subTest(theme=name, zoom=zoom):
                    self.assertEqual(faults(self.sheet), [])


if __name__ == "__main__":
    unittest.main()
