"""Widgets and keys that Tk lacks: frames that scroll, a canvas for drawings, keys by their names.

The mouse wheel, the page keys and the bars reach everything in a scrolling frame, and a widget that
gets the keyboard focus scrolls into sight. The bars always have their room: no layout depends on
whether one is needed, because then a bar could come and go for ever.
"""

from __future__ import annotations

import re
import sys
import tkinter as tk
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from string import ascii_uppercase
from tkinter import ttk
from typing import Any, Final, TypeVar

from traffic_lights.drawing.palette import roles
from traffic_lights.gui.kit.charts import Area, Room, Shape, Stroke
from traffic_lights.gui.kit.theme import Theme

W = TypeVar("W", bound=tk.Widget)
TIP_MS: Final = 500
"""How long the pointer rests on a widget before its tip appears."""
_OWN_PAGES: Final = ("Treeview", "Text", "Listbox")
"""The classes of widgets that handle the page keys and the mouse wheel themselves."""
_FIELDS: Final = ("TCombobox", "TSpinbox", "TScale", "TNotebook")
"""The classes of widgets whose value the mouse wheel changes in some version of Tk."""
_LINE: Final = 16
"""The pixels that a line scrolls."""
_PAGE: Final = 0.9
_NOTCH: Final = 0.2
"""The shares of the height that a page key and a notch of the mouse wheel scroll."""
_KEYSYMS: Final = {
    "PageUp": ("Prior", "KP_Prior"),
    "PageDown": ("Next", "KP_Next"),
    "+": ("plus", "KP_Add"),
    "=": ("equal",),
    "-": ("minus", "KP_Subtract"),
    # Tk takes a plain 1 for a button of the mouse.
    **{digit: (f"Key-{digit}", f"KP_{digit}") for digit in "0123"},
}
_ROWS: Final = {24: "qwertyuiop", 38: "asdfghjkl", 52: "zxcvbnm"}
"""The rows of letters of a keyboard, by X11's key code of the first."""
_LETTERS: Final = {code + n: key for code, row in _ROWS.items() for n, key in enumerate(row)}
_OTHER_ALPHABETS: Final = (
    range(0x400, 0x1000), range(0x1000370, 0x1001E00), range(0x1002C00, 0x1110000)
)  # fmt: skip
"""X11's keysyms of alphabets other than Latin: those with a name, and those of Unicode."""
_SHIFT: Final = 0x1
_CONTROL: Final = 0x4
_ALT: Final = 0x20000 if sys.platform == "win32" else 0x8
"""Bits in the state of an event; 0x8 is Num Lock on Windows."""
MODIFIERS: Final = _CONTROL | _ALT
"""The bits of Control, Alt and Command."""


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


def add_tip(widget: tk.Widget, theme: Theme, text: str) -> None:
    """Explain *widget* by *text* below it, while the pointer or the keyboard rests on it."""
    tip: list[ttk.Label] = []
    timer = ""

    def show() -> None:
        label = ttk.Label(widget.winfo_toplevel(), text=text, style="Tip.TLabel")
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


def button_row(
    parent: tk.Misc, gap: int, acts: Mapping[str, Callable[[], object]]
) -> list[ttk.Button]:
    """Make a button for each of *acts*, by its words, from left to right with a *gap* between."""
    buttons = [ttk.Button(parent, text=words, command=act) for words, act in acts.items()]
    for button in buttons:
        button.pack(side=tk.LEFT, padx=(0, gap))
    return buttons


class ScrollFrame(ttk.Frame):
    """Shows `inside`, which fills the frame and scrolls if it needs more room.

    The frame itself requests almost no room; its parent decides its size.
    """

    def __init__(self, parent: tk.Misc) -> None:
        # Every window starts as 1×1, so Tk would not lay out again for a request of that size.
        super().__init__(parent, width=2, height=2)
        self.grid_propagate(False)
        self._held: tk.Misc | None = None
        """What stays in sight when the content grows, until the user scrolls."""
        canvas = tk.Canvas(self, highlightthickness=0, borderwidth=0, width=1, height=1)
        canvas.configure(xscrollincrement=1, yscrollincrement=1)
        self.canvas = put(canvas, row=0, column=0, sticky="nsew")
        stretch(self)
        down = ttk.Scrollbar(self, command=partial(self._drag, "yview"))
        across = ttk.Scrollbar(self, orient="horizontal", command=partial(self._drag, "xview"))
        put(down, row=0, column=1, sticky="ns")
        put(across, row=1, column=0, sticky="ew")
        canvas.configure(yscrollcommand=down.set, xscrollcommand=across.set)
        # The frame around the content is as large as the content or as the room, whichever is more.
        # So it gets an event when either changes.
        around = ttk.Frame(self.canvas)
        stretch(around)
        self.inside = put(ttk.Frame(around), sticky="nsew")
        self.canvas.create_window(0, 0, window=around, anchor="nw")

        def fit(event: tk.Event[tk.Misc]) -> None:
            around.columnconfigure(0, minsize=event.width)
            around.rowconfigure(0, minsize=event.height)

        around.bind("<Configure>", self._resized)
        self.canvas.bind("<Configure>", fit)

    def ask_for_all(self) -> None:
        """Ask the parent for all the room that the content needs now."""
        bar = max(child.winfo_reqwidth() for child in self.grid_slaves(column=1))
        width = self.inside.winfo_reqwidth()
        height = self.inside.winfo_reqheight()
        self.configure(width=width + bar, height=height + bar)

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        self.canvas.configure(scrollregion=(0, 0, event.width, event.height))
        self.after_idle(self._see_held)  # once what is inside has its place

    def _see_held(self) -> None:
        widget = self._held
        canvas = self.canvas
        if widget is None or not widget.winfo_exists():
            return
        x = widget.winfo_rootx() - canvas.winfo_rootx()
        width = widget.winfo_width()
        y = widget.winfo_rooty() - canvas.winfo_rooty()
        height = widget.winfo_height()
        canvas.xview_scroll(min(x, max(0, x + width - canvas.winfo_width())), "units")
        canvas.yview_scroll(min(y, max(0, y + height - canvas.winfo_height())), "units")

    def _drag(self, direction: str, *to: str) -> None:
        self._held = None
        self.tk.call(self.canvas, direction, *to)

    def scroll(self, share: float, pixels: int, *, is_across: bool) -> bool:
        """Scroll by a *share* of the size and *pixels*, down or right if positive.

        Return whether there was more to see.
        """
        canvas = self.canvas
        view = canvas.xview if is_across else canvas.yview
        size = canvas.winfo_width() if is_across else canvas.winfo_height()
        wanted = round(share * size) + pixels
        first, last = view()
        is_free = first > 0 if wanted < 0 else last < 1
        if is_free:
            self._held = None
            view("scroll", wanted, "units")
        return is_free

    def hold(self, widget: tk.Misc) -> None:
        """Keep *widget*, which is inside, in sight until the user scrolls."""
        self._held = widget
        self._see_held()


def bind_scrolling(root: tk.Misc) -> None:
    """Let the wheel, the page keys and the focus scroll every frame under *root*."""

    def focus_moved(event: tk.Event[tk.Misc]) -> None:
        if event.widget is not focused_widget(root):
            return  # Tk also sends the event to all that hold the widget
        for frame in _frames_over(event.widget):
            frame.hold(event.widget)

    root.bind_all("<FocusIn>", focus_moved, add="+")
    for sequence, share in (("<Prior>", -_PAGE), ("<Next>", _PAGE)):
        root.bind_all(sequence, partial(_scroll, share=share), add="+")
    is_mac = root.tk.call("tk", "windowingsystem") == "aqua"
    counts_lines = is_mac and tk.TkVersion < 8.7
    for name in ("Button-4", "Button-5", "MouseWheel"):
        for before, is_across in (("", False), ("Shift-", True)):
            turned = partial(_wheel, is_across=is_across, counts_lines=counts_lines)
            root.bind_all(f"<{before}{name}>", turned, add="+")
    with suppress(tk.TclError):  # Tk 8.6 reports two fingers as a wheel
        root.bind_all("<TouchpadScroll>", two_fingers, add="+")
    for kind in _FIELDS:
        for sequence in root.bind_class(kind):
            if any(word in sequence for word in ("Wheel", "Button-4", "Button-5", "Touchpad")):
                root.unbind_class(kind, sequence)


def _wheel(event: tk.Event[tk.Misc], is_across: bool, counts_lines: bool) -> None:
    """Scroll by what the wheel has turned; on X11 it is a button, 4 up or left.

    Before Tk 9, a Mac *counts_lines*, and two fingers on its touchpad send many events.
    """
    if counts_lines:
        _scroll(event, 0, -event.delta * _LINE, is_across=is_across)
    else:
        is_back = event.delta > 0 if event.delta else event.num == 4
        _scroll(event, -_NOTCH if is_back else _NOTCH, is_across=is_across)


def _scroll(
    event: tk.Event[tk.Misc], share: float, pixels: int = 0, *, is_across: bool = False
) -> None:
    """Scroll the inmost frame over the widget that can, by a *share* of its size and *pixels*."""
    widget = event.widget
    if not isinstance(widget, tk.Misc):
        return
    shows_all = getattr(widget, "xview" if is_across else "yview", tuple)() == (0.0, 1.0)
    if shows_all or widget.winfo_class() not in _OWN_PAGES:
        for frame in _frames_over(widget):
            if frame.scroll(share, pixels, is_across=is_across):
                break


def two_fingers(event: tk.Event[tk.Misc]) -> None:
    """Scroll by the pixels that two fingers have moved on a touchpad, under Tk 9.

    The low half of the event's delta is how far down, signed, the high half how far across.
    """
    for half, is_across in ((event.delta & 0xFFFF, False), (event.delta >> 16 & 0xFFFF, True)):
        moved = (half ^ 0x8000) - 0x8000
        if moved:
            _scroll(event, 0, -moved, is_across=is_across)


def _frames_over(widget: object) -> Iterator[ScrollFrame]:
    """Yield the scrolling frames that hold *widget*, the inmost first."""
    while isinstance(widget, tk.Misc):
        if isinstance(widget, ScrollFrame):
            yield widget
        widget = widget.master


class CanvasView(tk.Canvas):
    """Shows what *draw* makes of a value in a room; *draw* also gets where the mouse points.

    With *stops*, which returns x coordinates, it takes the focus: the keys Left, Right, Home and
    End then point from one stop to the next. It must lie in a grid, where it takes no room if the
    value is empty.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        draw: Callable[[Any, Room, float | None], Sequence[Shape]],
        stops: Callable[[Any, Room], Sequence[float]] | None = None,
    ) -> None:
        super().__init__(parent, width=1, height=1, highlightthickness=0, borderwidth=0)
        self._theme = theme
        self._draw = draw
        self._stops = stops
        self._is_due = False
        self.value: Any = None
        self._pointer: float | None = None
        """The x coordinate that the mouse or the keys point at."""
        self.bind("<Motion>", lambda event: self._point(event.x))
        self.bind("<Leave>", lambda _: self._point(None))
        self.bind("<Configure>", lambda _: self._refresh())
        self.bind("<<ThemeChanged>>", lambda _: self._refresh())
        if stops is not None:
            self.configure(takefocus=1)
            self.bind("<FocusIn>", lambda _: self._refresh())
            self.bind("<FocusOut>", lambda _: self._point(None))
            for key, step in (("Left", -1), ("Right", 1), ("Home", -(10**9)), ("End", 10**9)):
                self.bind(f"<{key}>", partial(self._go, step))

    @property
    def room(self) -> Room:
        """The size of the canvas and of its type now."""
        body = self._theme.body
        line = body.metrics("linespace")
        return Room(self.winfo_width(), self.winfo_height(), line, body.measure("0"))

    def show(self, value: object) -> None:
        if value != self.value:
            self.value = value
            self.grid() if value else self.grid_remove()
            self._refresh()

    def _refresh(self) -> None:
        """Paint again when the window is idle; several calls before that paint once."""
        if not self._is_due:
            self._is_due = True
            self.after_idle(self._paint)

    def _point(self, x: float | None) -> None:
        self._pointer = x
        self._refresh()

    def _go(self, steps: int, _: object) -> str:
        """Point so many stops further; the first time, at the last stop."""
        found = self._stops(self.value, self.room) if self._stops and self.value else ()
        if found:
            index = len(found) - 1
            pointer = self._pointer
            if pointer is not None:
                index = min(range(len(found)), key=lambda n: abs(found[n] - pointer)) + steps
            self._point(found[min(max(index, 0), len(found) - 1)])
        return "break"

    def _paint(self) -> None:
        self._is_due = False
        if not self.winfo_exists():
            return
        room = self.room
        self.delete("all")
        colours = roles(self._theme.name)
        self.configure(background=colours["surface"])
        if self.value and room.width > 1 and room.height > 1:
            for shape in self._draw(self.value, room, self._pointer):
                self._put(shape, colours[shape.role])
        if self._stops and focused_widget(self) is self:
            ring = self._theme.ring
            edge = ring / 2
            self.create_rectangle(
                edge, edge, room.width - edge, room.height - edge,
                outline=colours["accent"], width=ring,
            )  # fmt: skip

    def _put(self, shape: Shape, colour: str) -> None:
        if isinstance(shape, Stroke):
            width = shape.width * self._theme.scale
            dash = shape.dash or ""
            points = list(shape.points)
            self.create_line(points, fill=colour, width=width, dash=dash, joinstyle=tk.ROUND)
        elif isinstance(shape, Area):
            self.create_polygon(list(shape.points), fill=colour)
        else:
            font = self._theme.strong if shape.strong else self._theme.body
            self.create_text(
                shape.x, shape.y, text=shape.text, fill=colour, anchor=shape.anchor, font=font
            )


def sequences(key: str, platform: str = sys.platform) -> tuple[str, ...]:
    """Return the Tk events for a shown key such as ``Ctrl+Shift+N``, whatever Caps Lock says."""
    modifiers, _, name = key.rpartition("+")
    if not name:  # the key itself is the plus
        modifiers = key[:-2]
        name = "+"
    main = "Command" if platform == "darwin" else "Control"
    words = [main if word == "Ctrl" else word for word in modifiers.split("+") if word]
    if len(name) == 1 and name.isalpha():
        # Tk matches the more specific sequence first, so Shift has to be named. Without it, the
        # upper-case letter can only come from Caps Lock.
        names: tuple[str, ...] = (name.lower(), name.upper())
    else:
        names = _KEYSYMS.get(name, (name,))
    return tuple(f"<{'-'.join([*words, n])}>" for n in names)


def shown_key(key: str, platform: str = sys.platform) -> str:
    """Return *key* as the keyboards of this system name it."""
    return key.replace("Ctrl", "Command") if platform == "darwin" else key


def bind_sequence(
    widget: tk.Misc, sequence: str, act: Callable[[tk.Event[tk.Misc]], object]
) -> None:
    """Have the keys *sequence*, such as ``<Control-n>``, call *act*.

    They become a virtual event, which `bind_other_alphabets` can send when Tk does not know the
    letter.
    """
    widget.event_add(f"<{sequence}>", sequence)
    widget.bind(f"<{sequence}>", act)


def latin_key(event: tk.Event[tk.Misc]) -> str:
    """Return the Latin letter on the key of a letter of another alphabet, or the digit on it.

    The result is empty if the key types a Latin letter, or anything else that Tk knows.
    """
    if len(event.char) == 1 and event.char.isdecimal() and not event.char.isascii():
        return str(int(event.char))
    if sys.platform == "win32":
        letter = chr(event.keycode).lower() if chr(event.keycode) in ascii_uppercase else ""
        return letter if letter != event.keysym.lower() else ""
    if event.char in ("\u0644\u0627", "\u0644\u0622"):
        return "b"  # this key types two letters in Arabic, and then X11 reports no key code
    if any(event.keysym_num in alphabet for alphabet in _OTHER_ALPHABETS):
        return _LETTERS.get(event.keycode, "")
    return ""


def bind_other_alphabets(root: tk.Misc) -> None:
    """Let the keys of a Russian, Greek, Hebrew or Arabic layout do what their Latin letters do.

    Tk knows keys only by what they type. So a key that types another alphabet sends every virtual
    event of its Latin letter, ours and those with which Tk copies and pastes in fields.
    """
    if root.tk.call("tk", "windowingsystem") == "aqua":  # its menus know the keys
        return
    was_latin = True

    def key_came(event: tk.Event[tk.Misc]) -> None:
        nonlocal was_latin
        key = latin_key(event)
        state = int(event.state)
        # With Control, a Latin letter types a sign of its own, and only its name shows it.
        if key or event.char.isalpha() or re.fullmatch("[A-Za-z]", event.keysym):
            was_latin = not key
        elif not was_latin and state & _CONTROL:
            key = _LETTERS.get(event.keycode, "")  # Hebrew and Greek have signs on some keys
        if not key or state & _ALT:
            return
        words = ("Control", "Shift") if state & _SHIFT else ("Control",)
        sequence = "-".join([*(words if state & _CONTROL else ()), "Key", key])
        root.event_add("<<Latin>>", f"<{sequence}>")
        wanted = root.event_info("<<Latin>>")[0]  # as Tk writes it
        root.event_delete("<<Latin>>")
        for name in [name for name in root.event_info() if wanted in root.event_info(name)]:
            root.tk.call("event", "generate", event.widget, name)

    root.bind_all("<Key>", key_came, add="+")


def bind_class_keys(root: tk.Misc) -> None:
    """Let Return press a button, and Ctrl+A select all of a field, where Tk goes to the start.

    Home and End go to the ends of the open list of a field, where Tk does nothing.
    """

    def press(event: tk.Event[tk.Misc]) -> str:
        if isinstance(event.widget, (ttk.Button, ttk.Radiobutton)):
            event.widget.invoke()
        return "break"  # a dialog would press its default button

    def select_all(event: tk.Event[tk.Misc]) -> str:
        if isinstance(event.widget, ttk.Entry):
            event.widget.select_range(0, tk.END)
            event.widget.icursor(tk.END)
        return "break"

    for kind in ("TButton", "TRadiobutton"):
        root.bind_class(kind, "<Return>", press)
    keys = *sequences("Ctrl+A"), "<Control-Lock-A>"
    for virtual in ("<<LineStart>>", "<<SelectLineStart>>"):
        root.event_delete(virtual, *keys)
    root.event_add("<<SelectAll>>", *keys)
    for kind in ("TEntry", "TCombobox"):
        root.bind_class(kind, "<<SelectAll>>", select_all)
    for key, place in (("Home", "0"), ("End", "end")):
        # Tk makes these lists itself, so tkinter has no widget for them.
        root.tk.eval(
            f"bind ComboboxListbox <{key}> {{ %W selection clear 0 end; "
            f"%W selection set {place}; %W activate {place}; %W see {place}; break }}"
        )


def take_away(widget: tk.Widget, heir: tk.Misc) -> None:
    """Take *widget* out of the grid for a while; *heir* gets the keyboard if that is in there."""
    if str(focused_widget(widget)).startswith(str(widget)):
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
