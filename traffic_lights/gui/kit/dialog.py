"""Dialogs and questions.

A dialog locks no other window, and each exists only once. Escape closes it and gives the keyboard
focus back.
"""

import tkinter as tk
from collections.abc import Callable, Mapping
from functools import partial
from tkinter import ttk

from traffic_lights.gui.kit.places import TITLE_AND_BAR, on_screen
from traffic_lights.gui.kit.scrolling import ScrollFrame
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import button_row, has_focus_inside, put, stretch


class Dialog(tk.Toplevel):
    """A small window over *parent* with a row of buttons.

    The dialog takes the place of one with the same title that is open.
    """

    def __init__(self, parent: tk.Tk | tk.Toplevel, theme: Theme, title: str) -> None:
        for window in parent.winfo_children():
            if isinstance(window, Dialog) and window.title() == title:
                window.close()
        super().__init__(parent)
        self.withdraw()
        self.theme = theme
        self._parent = parent
        self.title(title)
        self.transient(parent)
        space = theme.px(5)
        stretch(self)
        self._scroll = put(ScrollFrame(self), sticky="nsew", padx=(space, 0), pady=(space, 0))
        self.body = self._scroll.body
        self.body.columnconfigure(0, weight=1)
        buttons = ttk.Frame(self, padding=(space, theme.px(2), space, space))
        self.buttons = put(buttons, row=1, sticky="ew")
        self.bind("<Escape>", lambda _: self.close())
        self.protocol("WM_DELETE_WINDOW", self.close)

    def say(self, text: str, style: str = "TLabel") -> ttk.Label:
        """Add a paragraph of *text*."""
        label = ttk.Label(self.body, text=text, style=style, wraplength=self.theme.px(112))
        return put(label, columnspan=3, sticky="w", pady=(0, self.theme.px(2)))

    def appear(
        self,
        answers: Mapping[str, Callable[[], object]] | None = None,
        focus: tk.Misc | None = None,
    ) -> list[ttk.Button]:
        """Show the dialog over the middle of its parent, with a button for each of *answers*.

        The first, by default Close, answers Return; it has the focus unless *focus* is given.
        """
        answers = answers or {"Close": self.close}
        buttons = button_row(self.buttons, self.theme.px(2), answers)
        buttons[0].configure(style="Accent.TButton")
        self.bind("<Return>", lambda _: buttons[0].invoke())
        self.fit()
        self.deiconify()
        self.lift()
        (focus or buttons[0]).focus_set()
        return buttons

    def fit(self) -> None:
        """Be as large as all that is in it, over the middle of the parent."""
        self.update_idletasks()
        wanted = self.body.winfo_reqwidth(), self.body.winfo_reqheight()
        self._scroll.view.configure(width=wanted[0], height=wanted[1])
        self.update_idletasks()
        parent = self._parent
        width = self.winfo_reqwidth()
        height = self.winfo_reqheight()
        x = parent.winfo_rootx() + (parent.winfo_width() - width) // 2
        y = parent.winfo_rooty() + (parent.winfo_height() - height) // 3
        width, height, x, y = on_screen(self, TITLE_AND_BAR, (width, height, x, y))
        self.wm_geometry(f"{width}x{height}+{x}+{y}")

    def close(self) -> None:
        if not self.winfo_exists():
            return
        if has_focus_inside(self):
            # A window manager may not do this. It comes before the end of the window, because
            # Tk 8.6 reads freed memory when it moves the focus away from a destroyed one.
            before = self.tk.call("focus", "-lastfor", self._parent)
            if not self.tk.call("winfo", "viewable", before):  # it went in the meantime
                before = self.tk.call("tk_focusNext", self._parent)
            self.tk.call("focus", "-force", before)
        self.destroy()


def ask_text(
    parent: tk.Tk | tk.Toplevel,
    theme: Theme,
    title: str,
    text: str,
    answer: str,
    accept: Callable[[str], str],
) -> None:
    """Ask for a line of text, at first *text*; *accept* gets it, and returns why it is refused."""
    dialog = Dialog(parent, theme, title)
    field = put(ttk.Entry(dialog.body, width=36, font=theme.body), sticky="ew")
    field.insert(0, text)
    field.select_range(0, tk.END)
    problem = dialog.say(" ", "Warning.TLabel")

    def take() -> None:
        reason = accept(field.get())
        if not reason:
            dialog.close()
            return
        problem.configure(text=reason)
        dialog.fit()

    dialog.appear({answer: take, "Cancel": dialog.close}, field)


def confirm(
    parent: tk.Tk | tk.Toplevel,
    theme: Theme,
    title: str,
    text: str,
    answers: Mapping[str, Callable[[], object]],
) -> Dialog:
    """Ask one question with a button for each of *answers*; the first is the default."""
    dialog = Dialog(parent, theme, title)
    dialog.say(text)

    def answer(act: Callable[[], object]) -> None:
        dialog.close()
        act()

    dialog.appear({words: partial(answer, act) for words, act in answers.items()})
    return dialog
