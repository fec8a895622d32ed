"""The small windows: Appearance, made from the descriptions of the settings."""

from __future__ import annotations

import unittest
from dataclasses import replace
from tkinter import ttk
from typing import Any

from tests.kit.eye import faults
from tests.kit.windows import WindowTestCase
from traffic_lights.gui.dialogs.appearance import CHOSEN, SWITCHED, AppearanceSheet
from traffic_lights.gui.kit.palette import THEMES
from traffic_lights.userdata.settings import CHOICES, LABELS, LIMITS, Settings


class AppearanceTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.set = Settings()
        self.sheet = AppearanceSheet(
            self.app.root, self.app.context.theme, lambda: self.set, self.change
        )
        self.addCleanup(self.sheet.close)

    def change(self, name: str, value: Any) -> None:
        self.set = replace(self.set, **{name: value})

    def test_every_choice_applies_at_once_and_shows_its_label(self) -> None:
        for name in CHOSEN:
            box = self.sheet.boxes[name]
            for index, (value, text) in enumerate(CHOICES[name].items()):
                box.current(index)
                box.event_generate("<<ComboboxSelected>>")
                self.assertEqual((getattr(self.set, name), box.get()), (value, text))
        for name in SWITCHED:
            before = getattr(self.set, name)
            boxes = (w for w in self.sheet.body.winfo_children() if isinstance(w, ttk.Checkbutton))
            (box_of,) = (box for box in boxes if box.cget("text") == LABELS[name])
            self.key("<space>", widget=box_of)
            self.assertEqual(getattr(self.set, name), not before)

    def test_the_size_stays_within_its_limits(self) -> None:
        minus, plus = (w for w in self.sheet.size_label.master.winfo_children() if w.winfo_class()
                       == "TButton")  # fmt: skip
        for button, end in ((plus, max(LIMITS["zoom"])), (minus, min(LIMITS["zoom"]))):
            for _ in range(len(LIMITS["zoom"]) + 2):
                self.key("<Return>", widget=button)
            self.assertEqual(self.set.zoom, end)

    def test_it_can_be_read_in_every_theme_and_size(self) -> None:
        theme = self.app.context.theme
        self.addCleanup(theme.set, "light", "signal", 0)
        for name in THEMES:
            for zoom in (-3, 0, 8):
                theme.set(name, "signal", zoom)
                self.sheet.update()
                with self.subTest(theme=name, zoom=zoom):
                    self.assertEqual(faults(self.sheet), [])


if __name__ == "__main__":
    unittest.main()
