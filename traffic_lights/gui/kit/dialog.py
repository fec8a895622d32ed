"""What the small windows share: their frame, their buttons and their keys.

None of them locks the others. Each exists once: opening it again brings it to the front. Escape
closes it and gives the keyboard focus back.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from contextlib import suppress
from tkinter import ttk

from traffic_lights.gui.kit.geometry import Placement, whole_screen
from traffic_lights.gui.kit.keys import last_focused
from traffic_lights.gui.kit.scroll import ScrollFrame
from traffic_lights.gui.kit.theme import Theme


class Dialog(tk.Toplevel):
    """A small window over *parent* with a body and a row of buttons."""

    def __init__(
        self,
        parent: tk.Tk | tk.Toplevel,
        theme: Theme,
        title: str,
        on_close: Callable[[], None] = lambda: None,
        resizable: bool = False,
    ) -> None:
        super().__init__(parent)
        self.withdraw()
        self.theme = theme
        self._parent = parent
        self._on_close = on_close
        self._was_closed = False
        self.title(title)
        self.transient(parent)
        self.resizable(resizable, resizable)
        with suppress(tk.TclError):  # X11 alone: no buttons to minimise and to maximise
            self.wm_attributes("-type", "dialog")
        space = theme.px(5)
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        self.body = ttk.Frame(self, padding=(space, space, space, theme.px(2)))
        self.body.grid(row=0, column=0, sticky="nsew")
        self.body.columnconfigure(0, weight=1)
        self.buttons = ttk.Frame(self, padding=(space, theme.px(3), space, space))
        self.buttons.grid(row=1, column=0, sticky="ew")
        self.bind("<Escape>", lambda _: self.close())
        self.protocol("WM_DELETE_WINDOW", self.close)

    def add_button(
        self, text: str, command: Callable[[], object], is_default: bool = False
    ) -> ttk.Button:
        """Add a button, left to right; the default one answers Return."""

        def answer(event: tk.Event[tk.Misc]) -> None:
            if not isinstance(event.widget, tk.Text):  # it has a use for Return
                button.invoke()

        style = "Accent.TButton" if is_default else "TButton"
        button = ttk.Button(self.buttons, text=text, command=command, style=style)
        gap = self.theme.px(2)
        button.pack(side=tk.LEFT, padx=(0 if len(self.buttons.winfo_children()) == 1 else gap, 0))
        if is_default:
            self.bind("<Return>", answer)
        return button

    def add_page(self) -> ttk.Frame:
        """Add a page of text, which scrolls where the screen is too small; return it."""
        page = ScrollFrame(self.body, self.theme, across=True)
        page.grid(row=0, column=0, sticky="nsew")
        self.body.rowconfigure(0, weight=1)
        page.inside.bind("<Configure>", lambda _: page.ask_for_all())
        # The buttons have the focus, not the text.
        self.bind("<Prior>", lambda _: page.canvas.yview_scroll(-1, "pages"))
        self.bind("<Next>", lambda _: page.canvas.yview_scroll(1, "pages"))
        return page.inside

    def appear_with_close(self) -> None:
        """Show the dialog with the button Close, which has the focus."""
        self.appear(self.add_button("Close", self.close, is_default=True))

    def appear(self, focus: tk.Misc | None = None) -> None:
        """Show the dialog over the middle of its parent, wholly on the screen."""
        self.update_idletasks()
        # A list in it may be wider than the screen, and scrolls then.
        width = min(self.winfo_reqwidth(), self.winfo_screenwidth())
        height = min(self.winfo_reqheight(), self.winfo_screenheight() - 40)
        self.wm_maxsize(self.winfo_screenwidth(), self.winfo_screenheight() - 40)
        parent = self._parent
        x = parent.winfo_rootx() + (parent.winfo_width() - width) // 2
        y = parent.winfo_rooty() + (parent.winfo_height() - height) // 3
        left, top, whole, high = whole_screen(self)
        placed = Placement(width, height, x, y).on_screen(left, top, whole, high - 40)
        self.wm_geometry(f"+{placed.x}+{placed.y}")
        self.deiconify()
        self.lift()
        (focus or self).focus_set()

    def close(self) -> None:
        """Close the dialog and give the keyboard focus back."""
        if not self._was_closed:
            self._was_closed = True
            if f"{self.tk.call('focus')}.".startswith(f"{self}."):
                # A window manager may not do this. It comes before the end of the window, because
                # Tk 8.6 reads freed memory when it moves the focus away from a destroyed one.
                last_focused(self._parent).focus_force()
            self.destroy()
            self._on_close()


class Dialogs:
    """The dialogs that are open, one of each kind."""

    def __init__(self) -> None:
        self._open: dict[str, Dialog] = {}

    def show(self, kind: str, make: Callable[[], Dialog]) -> Dialog:
        """Return the dialog of *kind*, in front: the open one, or a new one."""
        dialog = self._open.get(kind)
        if dialog is not None and dialog.winfo_exists():
            dialog.deiconify()
            dialog.lift()
            dialog.focus_set()
            return dialog
        self._open[kind] = made = make()
        return made

    def close(self, kind: str) -> None:
        """Close the dialog of *kind*, if it is open."""
        dialog = self._open.pop(kind, None)
        if dialog is not None and dialog.winfo_exists():
            dialog.close()

    def close_all(self) -> None:
        """Close all that are open."""
        for kind in list(self._open):
            self.close(kind)


def confirm(
    parent: tk.Tk | tk.Toplevel,
    theme: Theme,
    title: str,
    text: str,
    answers: Mapping[str, Callable[[], object]],
) -> Dialog:
    """Ask one question with a button for each of *answers*; the first is the default."""
    dialog = Dialog(parent, theme, title)
    label = ttk.Label(dialog.body, text=text, wraplength=theme.px(95), justify=tk.LEFT)
    label.grid(sticky="w")

    def answer(act: Callable[[], object]) -> None:
        dialog.close()
        act()

    default: ttk.Button | None = None
    for words, act in answers.items():
        button = dialog.add_button(words, lambda a=act: answer(a), default is None)  # type: ignore[misc]
        default = default or button
    dialog.appear(default)
    return dialog
