"""Scrolling frames: they come to rest at every size, and everything in them can be reached."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from tests.kit.windows import WindowTestCase, destroy, settle
from traffic_lights.gui.kit.widgets import ScrollFrame


class ScrollTestCase(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.top = tk.Toplevel(self.app.root)
        self.addCleanup(destroy, self.top)
        self.top.columnconfigure(0, weight=1)


class SettlingTests(ScrollTestCase):
    def lay_out(self, add_row: Callable[[int], object]) -> None:
        for row in range(17):
            add_row(row)
            for height in range(40, 520, 8):
                self.top.wm_geometry(f"300x{height}+20+20")
                with self.subTest(rows=row, height=height):
                    settle(self.top)

    def test_a_list_over_a_frame_whose_content_grows_comes_to_rest(self) -> None:
        # The shape of the window that once laid itself out for ever.
        self.top.rowconfigure(0, weight=2)
        self.top.rowconfigure(1, weight=3)
        rows = ttk.Treeview(self.top, columns=("a", "b"), show="headings", height=5)
        rows.grid(sticky="nsew")
        scroll = ScrollFrame(self.top)
        scroll.grid(sticky="nsew")
        text = ttk.Label(scroll.inside, text="Words that wrap where the room is short. " * 6)
        text.grid(sticky="ew")
        scroll.canvas.bind("<Configure>", lambda e: text.configure(wraplength=e.width), add=True)

        def add_row(row: int) -> None:
            rows.insert("", "end", values=(f"bot {row}", "99.8–100.0 %"))
            scroll.inside.rowconfigure(1, minsize=40 * row)

        self.lay_out(add_row)

    def test_frames_in_frames_come_to_rest_and_ask_for_nothing(self) -> None:
        self.top.rowconfigure(0, weight=1)
        outer = ScrollFrame(self.top)
        outer.grid(sticky="nsew")
        inner = ScrollFrame(outer.inside)
        inner.grid(row=0, column=0, sticky="nsew")
        outer.inside.rowconfigure(0, weight=1, minsize=120)
        outer.inside.columnconfigure(0, weight=1)
        self.lay_out(lambda row: ttk.Button(inner.inside, text=f"Button {row}").grid())
        self.assertEqual((outer.winfo_reqwidth(), outer.winfo_reqheight()), (2, 2))
        self.top.wm_geometry("300x200")
        self.wait(lambda: inner.canvas.yview()[1] < 1)
