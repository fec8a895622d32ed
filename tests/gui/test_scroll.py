"""Scrolling frames: they come to rest at every size, and everything in them can be reached."""

from __future__ import annotations

import tkinter as tk
import unittest
from collections.abc import Callable
from tkinter import ttk

from tests.kit.windows import HAS_DISPLAY, WindowTestCase, destroy, settle, shared_app
from traffic_lights.gui.kit.scroll import Column, ScrollFrame, ScrollList

HEIGHTS = range(40, 520, 8)


@unittest.skipUnless(HAS_DISPLAY, "no display")
class SettlingTests(unittest.TestCase):
    def setUp(self) -> None:
        self.theme = shared_app().context.theme
        self.top = tk.Toplevel(shared_app().root)
        self.addCleanup(destroy, self.top)
        self.top.columnconfigure(0, weight=1)

    def lay_out(self, add_row: Callable[[int], object], rows: range = range(17)) -> None:
        for row in rows:
            add_row(row)
            for height in HEIGHTS:
                self.top.wm_geometry(f"300x{height}+20+20")
                with self.subTest(rows=row, height=height):
                    settle(self.top)

    def test_a_list_over_a_frame_whose_content_grows_comes_to_rest(self) -> None:
        # The shape of the window that once laid itself out for ever.
        self.top.rowconfigure(0, weight=2)
        self.top.rowconfigure(1, weight=3)
        columns: list[Column] = [("a", "Bot", 30, "w"), ("b", "Score", 60, "e")]
        frame = ScrollList(self.top, self.theme, columns, 5)
        frame.grid(sticky="nsew")
        scroll = ScrollFrame(self.top, self.theme)
        scroll.grid(sticky="nsew")
        text = ttk.Label(scroll.inside, text="Words that wrap where the room is short. " * 6)
        text.grid(sticky="ew")
        scroll.inside.columnconfigure(0, weight=1)
        scroll.canvas.bind("<Configure>", lambda e: text.configure(wraplength=e.width), add=True)

        def add_row(row: int) -> None:
            frame.list.insert("", "end", values=(f"bot {row}", "99.8–100.0 %"))
            scroll.inside.rowconfigure(1, minsize=30 * row)

        self.lay_out(add_row)

    def test_frames_in_frames_come_to_rest_and_ask_for_nothing(self) -> None:
        self.top.rowconfigure(0, weight=1)
        outer = ScrollFrame(self.top, self.theme)
        outer.grid(sticky="nsew")
        inner = ScrollFrame(outer.inside, self.theme)
        inner.grid(row=0, column=0, sticky="nsew")
        outer.inside.rowconfigure(0, weight=1, minsize=120)
        outer.inside.columnconfigure(0, weight=1)
        self.lay_out(lambda row: ttk.Button(inner.inside, text=f"Button {row}").grid())
        self.assertEqual((outer.winfo_reqwidth(), outer.winfo_reqheight()), (2, 2))
        self.assertTrue(inner.canvas.yview() != (0.0, 1.0))


class ScrollListTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.window = tk.Toplevel(self.app.root)
        self.addCleanup(destroy, self.window)
        columns: list[Column] = [(name, name.upper(), 60, "w") for name in "abcdef"]
        frame = ScrollList(self.window, self.app.context.theme, columns, 4)
        frame.pack(fill="x")
        self.list = frame.list
        for number in range(3):
            self.list.insert("", "end", str(number), values=[number] * len(columns))
        self.window.geometry("300x200")
        self.window.update()

    def test_keys_reach_every_row_and_column(self) -> None:
        self.list.focus_force()
        self.wait(lambda: self.list.selection() == ("0",))
        self.list.event_generate("<Down>")
        self.window.update()
        self.assertEqual(self.list.selection(), ("1",))
        for _ in range(30):
            self.list.event_generate("<Right>")
            self.window.update()
        self.assertEqual(self.list.xview()[1], 1.0)
        for _ in range(30):
            self.list.event_generate("<Left>")
            self.window.update()
        self.assertEqual(self.list.xview()[0], 0.0)

    def test_a_row_that_was_chosen_stays_chosen(self) -> None:
        self.list.focus("2")
        self.list.selection_set("2")
        self.list.focus_force()
        self.window.update()
        self.assertEqual(self.list.selection(), ("2",))


if __name__ == "__main__":
    unittest.main()
