"""Where the keyboard is, through all questions, and frames that scroll and come to rest."""

import tkinter as tk
from collections.abc import Callable
from functools import partial
from tkinter import ttk
from unittest import mock

from tests.kit.windows import WindowTestCase, destroy, heights, open_dialogs, settle, words_in
from traffic_lights.gui.kit import widgets
from traffic_lights.gui.kit.dialog import Dialog, confirm
from traffic_lights.gui.kit.scrolling import ScrollFrame, two_fingers
from traffic_lights.gui.kit.widgets import put


def is_scrolling(frame: ScrollFrame) -> bool:
    """Return whether there is more of the content, up or down, than can be seen."""
    return frame.canvas.yview() != (0.0, 1.0)


class FocusTests(WindowTestCase):
    def test_a_closed_question_gives_the_keyboard_back_to_what_had_it(self) -> None:
        dialog = Dialog(self.app.root, self.app.context.theme, "One")
        self.addCleanup(dialog.close)
        _, other = dialog.appear({"One": dialog.close, "Other": dialog.close})
        other.focus_force()
        self.app.root.update()
        question = confirm(dialog, dialog.theme, "Two", "Well?", {"Yes": lambda: None})
        self.wait(lambda: question.focus_get() in question.buttons.winfo_children())
        question.close()
        self.wait(lambda: self.app.root.focus_get() is other)

    def test_a_tip_explains_what_the_pointer_or_the_keyboard_rests_on(self) -> None:
        root, cards = self.app.root, self.app.window.cards
        self.enterContext(mock.patch.object(widgets, "TIP_MS", 20))
        for widget, words in (
            (cards.turns, "After each game"),
            (cards.swap, "Swap seats now: each player takes over"),
        ):
            widget.event_generate("<Leave>")  # a test before may have left the pointer there
            for come, go in (("<Enter>", "<Leave>"), ("<FocusIn>", "<FocusOut>")):
                self.assertNotIn(words, words_in(root))
                widget.event_generate(come)
                self.wait(lambda words=words: words in words_in(root))  # type: ignore[misc]
                widget.event_generate(go)
                self.assertNotIn(words, words_in(root))

    def test_return_presses_the_button_that_has_the_focus_not_the_main_one(self) -> None:
        pressed: list[str] = []
        dialog = Dialog(self.app.root, self.app.context.theme, "One")
        self.addCleanup(dialog.close)
        main, other = dialog.appear({name: partial(pressed.append, name) for name in "ab"})
        self.wait(lambda: self.app.root.focus_get() is main)
        self.assertEqual([str(one.cget("style")) for one in (main, other)], ["Accent.TButton", ""])
        self.key("<Return>", widget=other)
        self.key("<Return>", widget=dialog)
        self.assertEqual(pressed, ["b", "a"])

    def test_home_and_end_go_to_the_ends_of_an_open_list(self) -> None:
        window = tk.Toplevel(self.app.root)
        self.addCleanup(destroy, window)
        box = ttk.Combobox(window, values=list("abc"), state="readonly")
        box.pack()
        box.current(1)
        window.update()
        window.tk.call("ttk::combobox::Post", box)
        window.update()
        popdown = f"{window.tk.call('ttk::combobox::PopdownWindow', box)}.f.l"
        for key, place in (("End", 2), ("Home", 0)):
            window.tk.call("focus", "-force", popdown)
            window.update()
            window.tk.call("event", "generate", popdown, f"<{key}>")
            self.assertEqual(window.tk.call(popdown, "index", "active"), place)
        window.tk.call("ttk::combobox::Unpost", box)

    def scroll_frame(self) -> ScrollFrame:
        """Return a frame that scrolls, in a window of its own."""
        window = tk.Toplevel(self.app.root)
        self.addCleanup(destroy, window)
        window.geometry("300x300")
        scroll = ScrollFrame(window)
        scroll.pack(fill="both", expand=True)
        return scroll

    def test_what_was_scrolled_to_its_end_is_in_sight_when_it_becomes_short(self) -> None:
        scroll = self.scroll_frame()
        content = put(ttk.Frame(scroll.content, width=50, height=4000))
        self.wait(lambda: scroll.canvas.yview()[1] < 1)
        scroll.canvas.yview_moveto(1)
        self.app.root.update()
        content.configure(height=100)
        self.wait(lambda: scroll.canvas.yview() == (0, 1))
        self.assertLess(scroll.content.winfo_height(), 4000)

    def test_what_has_the_keyboard_stays_in_sight_when_the_content_grows(self) -> None:
        scroll = self.scroll_frame()
        button = put(ttk.Button(scroll.content, text="Here"), row=1)

        def grow(height: int) -> None:
            scroll.content.rowconfigure(0, minsize=height)
            self.wait(lambda: scroll.content.winfo_height() > height)

        def is_seen() -> bool:
            top = button.winfo_rooty() - scroll.canvas.winfo_rooty()
            return 0 <= top <= scroll.canvas.winfo_height() - button.winfo_height()

        grow(400)
        button.focus_force()
        self.wait(is_seen)
        grow(900)
        self.wait(is_seen)
        self.key("<Prior>", widget=button)
        grow(1400)
        self.assertFalse(is_seen(), "who scrolled away is left there")

    def test_a_click_in_a_field_that_is_in_sight_does_not_move_the_page_under_the_pointer(
        self,
    ) -> None:
        scroll = self.scroll_frame()
        form = put(ttk.Frame(scroll.content))
        form.rowconfigure(0, minsize=600)
        field = put(ttk.Entry(form), row=1)
        form.rowconfigure(2, minsize=100)
        self.wait(lambda: is_scrolling(scroll))
        scroll.canvas.focus_force()
        self.wait(lambda: self.app.root.focus_get() is scroll.canvas)
        scroll.scroll(1.0, 600, is_across=False)
        self.app.root.update()
        seen = scroll.canvas.yview()
        field.focus_set()
        self.app.root.update()
        self.assertIs(self.app.root.focus_get(), field)
        self.assertEqual(scroll.canvas.yview(), seen)

    def test_help_that_the_screen_has_no_room_for_is_read_by_keys(self) -> None:
        self.app.run("keys")
        (dialog,) = open_dialogs(self.app.root)
        (page,) = (w for w in dialog.winfo_children() if isinstance(w, ScrollFrame))
        dialog.wm_geometry("300x300")
        self.wait(lambda: is_scrolling(page))
        (close,) = dialog.buttons.winfo_children()
        for _ in range(9):
            self.key("<Next>", "<Right>", widget=close)
        self.assertEqual(page.canvas.yview()[1], 1.0)
        self.assertEqual(page.canvas.xview()[1], 1.0)
        for _ in range(9):
            self.key("<Prior>", "<Left>", widget=close)
        self.assertEqual((page.canvas.xview()[0], page.canvas.yview()[0]), (0.0, 0.0))
        dialog.close()

    def test_the_page_keys_scroll_what_does_not_fit_the_inmost_frame_first(self) -> None:
        outer = self.scroll_frame()
        inner = put(ScrollFrame(outer.content), sticky="nsew")
        outer.content.rowconfigure((0, 1), minsize=300)
        outer.content.columnconfigure(0, weight=1)
        button = put(ttk.Button(inner.content, text="Here"))
        inner.content.rowconfigure(1, minsize=400)
        self.wait(lambda: is_scrolling(outer) and is_scrolling(inner))
        button.focus_force()
        tops: list[tuple[float, float]] = []
        for _ in range(3):
            self.key("<Next>", widget=button)
            tops.append((inner.canvas.yview()[0], outer.canvas.yview()[0]))
        self.assertEqual(tops, sorted(tops))
        self.assertEqual(tops[0][1], 0.0, "the inmost first")
        self.assertGreater(tops[-1][1], 0.0)

    def test_the_bars_scroll_and_let_go_of_what_has_the_keyboard(self) -> None:
        scroll = self.scroll_frame()
        button = put(ttk.Button(scroll.content, text="Here"))
        ttk.Frame(scroll.content, width=900, height=900).grid()
        self.wait(lambda: is_scrolling(scroll))
        button.focus_force()
        self.app.root.update()
        bars = [w for w in scroll.winfo_children() if isinstance(w, ttk.Scrollbar)]
        for bar, view in zip(bars, (scroll.canvas.yview, scroll.canvas.xview), strict=True):
            scroll.tk.call(bar.cget("command"), "moveto", 1.0)
            self.app.root.update()
            self.assertEqual(view()[1], 1.0)
            self.assertEqual(tuple(bar.get()), view())
        ttk.Frame(scroll.content, height=300).grid()
        self.app.root.update()
        self.assertGreater(scroll.canvas.yview()[0], 0.0, "the button is not scrolled to")

    def test_the_wheel_over_a_list_that_shows_all_scrolls_what_is_around_it(self) -> None:
        scroll = self.scroll_frame()
        rows = put(ttk.Treeview(scroll.content, height=3))
        ttk.Frame(scroll.content, height=900).grid()
        self.wait(lambda: is_scrolling(scroll))
        rows.event_generate("<Button-5>")
        self.assertGreater(scroll.canvas.yview()[0], 0.0)

    def test_the_wheel_and_the_page_keys_scroll_down_and_back_up_by_their_share(self) -> None:
        scroll = self.scroll_frame()
        button = put(ttk.Button(scroll.content, text="Here"))
        ttk.Frame(scroll.content, height=2000).grid()
        self.wait(lambda: is_scrolling(scroll))
        height = scroll.canvas.winfo_height()
        for down, up, share in (("<Button-5>", "<Button-4>", 0.2), ("<Next>", "<Prior>", 0.9)):
            for event, top in ((down, share * height), (up, 0)):
                self.key(event, widget=button)
                self.assertLess(abs(scroll.canvas.canvasy(0) - top), 2, event)
        for delta, top in ((-120, 0.2 * height), (120, 0)):
            button.event_generate("<MouseWheel>", delta=delta)
            self.assertLess(abs(scroll.canvas.canvasy(0) - top), 2, delta)

    def test_the_wheel_scrolls_past_a_field_and_changes_nothing_in_it(self) -> None:
        scroll = self.scroll_frame()
        fields = (
            put(ttk.Combobox(scroll.content, values=["one", "two", "three"])),
            put(ttk.Spinbox(scroll.content, from_=0, to=9)),
            put(ttk.Scale(scroll.content, from_=0, to=9)),
        )
        ttk.Frame(scroll.content, height=2000).grid()
        self.wait(lambda: is_scrolling(scroll))
        for field in fields:
            field.set(1)
            scroll.canvas.yview_moveto(0)
            before = field.get()
            for wheel in ({"sequence": "<Button-5>"}, {"sequence": "<MouseWheel>", "delta": -120}):
                at = scroll.canvas.canvasy(0)
                field.event_generate(**wheel)
                self.assertGreater(scroll.canvas.canvasy(0), at, (str(field), wheel))
                self.assertEqual(field.get(), before, (str(field), wheel))

    def test_two_fingers_move_what_they_are_over_by_as_many_pixels(self) -> None:
        scroll = self.scroll_frame()
        ttk.Frame(scroll.content, width=900, height=900).grid()
        self.wait(lambda: is_scrolling(scroll))
        event: tk.Event[tk.Misc] = tk.Event()
        event.widget = scroll.content
        corners = []
        for across, down in ((0, -30), (-9, -1), (7, 11), (-7, 0), (500, 500)):
            event.delta = (across << 16) + (down & 0xFFFF)
            two_fingers(event)
            corners.append((scroll.canvas.canvasx(0), scroll.canvas.canvasy(0)))
        self.assertEqual(corners, [(0, 30), (9, 31), (2, 20), (9, 20), (0, 0)])

    def test_a_question_over_a_field_that_tk_made_for_itself_can_be_closed(self) -> None:
        window = tk.Toplevel(self.app.root)
        self.addCleanup(destroy, window)
        path = f"{window}.tks"  # as the list of a combobox is one
        window.tk.call("ttk::entry", path)
        window.tk.call("place", path, "-x", 0)
        window.update()
        window.tk.call("focus", "-force", path)
        self.wait(lambda: str(window.tk.call("focus")) == path)
        dialog = Dialog(window, self.app.context.theme, "One")
        (close,) = dialog.appear()
        self.wait(lambda: str(window.tk.call("focus")) == str(close))
        dialog.close()
        self.wait(lambda: str(window.tk.call("focus")) == path)


class SettlingTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.top = tk.Toplevel(self.app.root)
        self.addCleanup(destroy, self.top)
        self.top.columnconfigure(0, weight=1)

    def lay_out(self, add_row: Callable[[int], object]) -> None:
        for row in range(17):
            add_row(row)
            for height in heights(40, 520, row // 2) if row % 2 == 0 else ():
                self.top.wm_geometry(f"300x{height}+20+20")
                with self.subTest(rows=row, height=height):
                    settle(self.top)

    def test_a_list_over_a_frame_whose_content_grows_comes_to_rest(self) -> None:
        # The shape of the window that once laid itself out for ever.
        self.top.rowconfigure(0, weight=2)
        self.top.rowconfigure(1, weight=3)
        rows = ttk.Treeview(self.top, columns=("a", "b"), show="headings", height=5)
        put(rows, sticky="nsew")
        scroll = put(ScrollFrame(self.top), sticky="nsew")
        text = put(ttk.Label(scroll.content, text="Words that wrap. " * 20), sticky="ew")
        scroll.canvas.bind("<Configure>", lambda e: text.configure(wraplength=e.width), add=True)

        def add_row(row: int) -> None:
            rows.insert("", "end", values=(f"bot {row}", "99.8–100.0 %"))
            scroll.content.rowconfigure(1, minsize=40 * row)

        self.lay_out(add_row)
