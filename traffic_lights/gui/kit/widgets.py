"""Helpers for widgets: their places in a grid, their texts and tips, and who has the focus."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from tkinter import ttk
from typing import Any, Final, TypeVar

from traffic_lights.gui.kit.theme import Theme

W = TypeVar("W", bound=tk.Widget)
TIP_WIDTH: Final = 120
"""The longest line of a tip, in steps of the grid."""
TIP_MS: Final = 500
"""How long the pointer rests on a widget before its tip appears."""


def put(widget: W, **where: Any) -> W:
    """Place *widget* in the grid of its parent; return it."""
    widget.grid(**where)
    return widget


def stretch(parent: tk.Misc, row: int = 0, column: int = 0) -> None:
    """Give *row* and *column* of the grid of *parent* all the room that is left."""
    parent.rowconfigure(row, weight=1)
    parent.columnconfigure(column, weight=1)


def wrapping(label: ttk.Label) -> ttk.Label:
    """Break the lines of *label* where its room ends; return it."""
    label.configure(width=1, anchor="nw", justify=tk.LEFT)
    # A label breaks its lines a few pixels too late.
    label.bind("<Configure>", lambda e: label.configure(wraplength=round(0.985 * e.width)))
    return label


def unbroken(text: str) -> str:
    """Return *text* so that no line of it ends between a number and its sign."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def add_tip(widget: tk.Widget, theme: Theme, text: str) -> None:
    """Explain *widget* by *text* below it, while the pointer or the keyboard rests on it."""
    tip: list[ttk.Label] = []
    timer = ""

    def show() -> None:
        label = ttk.Label(widget.winfo_toplevel(), text=text, style="Tip.TLabel")
        label.configure(wraplength=theme.px(TIP_WIDTH))
        most = widget.winfo_toplevel().winfo_width() - label.winfo_reqwidth()
        root = widget.winfo_toplevel()
        x = widget.winfo_rootx() - root.winfo_rootx()
        y = widget.winfo_rooty() - root.winfo_rooty() + widget.winfo_height() + theme.px(1)
        label.place(x=max(0, min(x, most)), y=y)
        label.lift()
        tip.append(label)

    def wait(_: object) -> None:
        nonlocal timer
        hide()
        timer = widget.after(TIP_MS, show)

    def hide(_: object = None) -> None:
        nonlocal timer
        if timer:
            widget.after_cancel(timer)
            timer = ""
        while tip:
            tip.pop().destroy()

    for event in ("<Enter>", "<FocusIn>"):
        widget.bind(event, wait, add="+")
    for event in ("<Leave>", "<FocusOut>", "<Button-1>", "<Key>", "<Destroy>"):
        widget.bind(event, hide, add="+")


def on_highlight(field: ttk.Combobox, act: Callable[[str], object]) -> None:
    """Have *act* get the choice that is highlighted in the open list of *field*.

    When the list closes, it gets the one in the field.
    """

    def tell(choices: str) -> None:
        for index in field.tk.splitlist(field.tk.call(choices, "curselection")):
            act(str(field.tk.call(choices, "get", index)))

    def opened() -> None:
        field.configure(postcommand="")
        choices = f"{field.tk.call('ttk::combobox::PopdownWindow', field)}.f.l"
        # The classes of the list move the highlight after these events.
        later = field.register(lambda: field.after_idle(lambda: tell(choices)))
        for event in ("<Motion>", "<Key>"):
            field.tk.call("bind", choices, event, later)
        field.tk.call("bind", choices, "<Unmap>", field.register(lambda: act(field.get())))

    field.configure(postcommand=opened)


def button_row(
    parent: tk.Misc, gap: int, acts: Mapping[str, Callable[[], object]]
) -> list[ttk.Button]:
    """Make a button for each of *acts*, by its words, from left to right with a *gap* between."""
    buttons = [ttk.Button(parent, text=words, command=act) for words, act in acts.items()]
    for button in buttons:
        button.pack(side=tk.LEFT, padx=(0, gap))
    return buttons


def take_away(widget: tk.Widget, heir: tk.Misc) -> None:
    """Take *widget* out of the grid for a while; *heir* gets the keyboard if that is in there."""
    if has_focus_inside(widget):
        heir.focus_set()
    widget.grid_remove()


def show_words(
    widget: ttk.Label | ttk.Button, text: str, heir: tk.Misc, where: Mapping[str, Any]
) -> None:
    """Show *text* in *widget*, *where* in the grid; without any, take it away as `take_away`."""
    if text:
        widget.configure(text=text)
        widget.grid(**where)
    else:
        take_away(widget, heir)


def focused_widget(near: tk.Misc) -> tk.Misc | None:
    """Return what has the focus; tkinter raises KeyError for what Tk made, such as a menu."""
    try:
        return near.focus_get()
    except KeyError:
        return None


def has_focus_inside(widget: tk.Misc) -> bool:
    """Return whether *widget* or one in it has the focus."""
    return f"{widget.tk.call('focus')}.".startswith(f"{widget}.")
