"""What the windows share: places on the screen, dialogs, and questions.

A dialog locks no other window, and each exists only once. Escape closes it and gives the keyboard
focus back.
"""

import re
import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from tkinter import ttk
from typing import Final, TypeAlias

from traffic_lights.gui.kit.scrolling import ScrollFrame
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import button_row, has_focus_inside, put, stretch
from traffic_lights.storage.files import StorageError, write_atomically
from traffic_lights.storage.folders import documents_folder

FileKinds = Sequence[tuple[str, str]]
"""Kinds of files that a file dialog offers: the name of each, and a pattern."""
ALL_FILES: Final = ("All files", "*")
TITLE_AND_BAR: Final = 40
"""The pixels of a screen that are left for the title of a window and the bar of the desktop."""
Place: TypeAlias = tuple[int, int, int, int]
"""The width, height, left and top of a window, in pixels."""
_PLACE: Final = re.compile(r"(\d{1,5})x(\d{1,5})\+(-?\d{1,5})\+(-?\d{1,5})")


class Dialog(tk.Toplevel):
    """A small window over *parent* with a row of buttons.

    Its `body` scrolls where the screen is too small. The dialog takes the place of one with the
    same title that is open.
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
        self.resizable(False, False)
        with suppress(tk.TclError):  # other systems than X11 need no type
            self.wm_attributes("-type", "dialog")
        space = theme.px(5)
        stretch(self)
        page = put(ScrollFrame(self), row=0, sticky="nsew")
        self.body = page.inside
        self.body.configure(padding=(space, space, theme.px(2), 0))
        self.body.columnconfigure(0, weight=1)
        self.body.bind("<Configure>", lambda _: page.ask_for_all())
        # The buttons have the focus, not the text.
        self.bind("<Prior>", lambda _: page.canvas.yview_scroll(-1, "pages"))
        self.bind("<Next>", lambda _: page.canvas.yview_scroll(1, "pages"))
        self.bind("<Left>", lambda _: page.canvas.xview_scroll(-1, "pages"))
        self.bind("<Right>", lambda _: page.canvas.xview_scroll(1, "pages"))
        buttons = ttk.Frame(self, padding=(space, theme.px(2), space, space))
        self.buttons = put(buttons, row=1, sticky="ew")
        self.bind("<Escape>", lambda _: self.close())
        self.protocol("WM_DELETE_WINDOW", self.close)

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
        self.update_idletasks()
        # A list in the dialog may be wider than the screen; then it scrolls.
        most = self.winfo_screenwidth(), self.winfo_screenheight() - TITLE_AND_BAR
        self.wm_maxsize(*most)
        width = min(self.winfo_reqwidth(), most[0])
        height = min(self.winfo_reqheight(), most[1])
        parent = self._parent
        x = parent.winfo_rootx() + (parent.winfo_width() - width) // 2
        y = parent.winfo_rooty() + (parent.winfo_height() - height) // 3
        *_, x, y = on_screen(self, TITLE_AND_BAR, (width, height, x, y))
        self.wm_geometry(f"+{x}+{y}")
        self.deiconify()
        self.lift()
        (focus or buttons[0]).focus_set()
        return buttons

    def close(self) -> None:
        if not self.winfo_exists():
            return
        if has_focus_inside(self):
            # A window manager may not do this. It comes before the end of the window, because
            # Tk 8.6 reads freed memory when it moves the focus away from a destroyed one.
            before = self.tk.call("focus", "-lastfor", self._parent)
            self.tk.call("focus", "-force", before)
        self.destroy()


def on_screen(window: tk.Misc, above: int, wanted: Place) -> Place:
    """Return the place that is *wanted* for *window*, moved and made smaller if need be.

    It stays on the monitors, on Windows on the first one. *above* are the pixels of the title and
    menu of *window*, which its height does not count.
    """
    width, height, x, y = wanted
    left = window.winfo_vrootx()
    top = window.winfo_vrooty()
    wide = max(window.winfo_vrootwidth(), window.winfo_screenwidth())
    high = max(window.winfo_vrootheight(), window.winfo_screenheight()) - above
    width = min(width, wide)
    height = min(height, high)
    x = min(x, left + wide - width)
    y = min(y, top + high - height)
    return width, height, max(left, x), max(top, y)


def place_window(
    window: tk.Tk | tk.Toplevel,
    remembered: str,
    size: tuple[int, int],
    least: tuple[int, int],
    above: int,
) -> None:
    """Give *window* its *remembered* place, or *size* in the middle; *above* as in `on_screen`."""
    x = (window.winfo_screenwidth() - size[0]) // 2
    y = max(0, (window.winfo_screenheight() - above - size[1]) // 2)
    wanted = *size, x, y
    match = _PLACE.fullmatch(remembered)
    if match and int(match[1]) >= least[0] and int(match[2]) >= least[1]:
        wanted = int(match[1]), int(match[2]), int(match[3]), int(match[4])
    width, height, x, y = on_screen(window, above, wanted)
    window.wm_minsize(*least)
    window.wm_geometry(f"{width}x{height}+{x}+{y}")


def is_maximized(window: tk.Tk | tk.Toplevel) -> bool:
    """Return whether *window* is maximized, which X11 calls otherwise than the other systems."""
    if window.tk.call("tk", "windowingsystem") == "x11":
        return bool(window.wm_attributes("-zoomed"))
    return window.wm_state() == "zoomed"


def show_maximized(window: tk.Tk | tk.Toplevel) -> None:
    """Show *window* maximized; it keeps its own place for later."""
    if window.tk.call("tk", "windowingsystem") == "x11":
        window.wm_attributes("-zoomed", True)
        window.wm_deiconify()
    else:
        window.wm_state("zoomed")


def confirm(
    parent: tk.Tk | tk.Toplevel,
    theme: Theme,
    title: str,
    text: str,
    answers: Mapping[str, Callable[[], object]],
) -> Dialog:
    """Ask one question with a button for each of *answers*; the first is the default."""
    dialog = Dialog(parent, theme, title)
    ttk.Label(dialog.body, text=text, wraplength=theme.px(95), justify=tk.LEFT).grid(sticky="w")

    def answer(act: Callable[[], object]) -> None:
        dialog.close()
        act()

    dialog.appear({words: partial(answer, act) for words, act in answers.items()})
    return dialog


def ask_to_save(parent: tk.Misc, title: str, name: str, kinds: FileKinds) -> Path | None:
    """Ask for a file in the user's documents, by default called *name*; None if there is none."""
    from tkinter import filedialog

    found = filedialog.asksaveasfilename(
        parent=parent, title=title, initialdir=documents_folder(), initialfile=name,
        filetypes=(*kinds, ALL_FILES), defaultextension=Path(name).suffix,
    )  # fmt: skip
    return Path(found) if found else None


def save_as(parent: tk.Misc, title: str, name: str, kinds: FileKinds, content: str) -> str:
    """Ask for a file and write *content* to it; return what to report about that."""
    path = ask_to_save(parent, title, name, kinds)
    return "" if path is None else write_reported(path, content.encode("utf-8"))


def write_reported(path: Path, content: bytes) -> str:
    """Write *content* to the file *path*; return what to report, a failure too."""
    try:
        write_atomically(path, [content])
    except StorageError as error:
        return f"{path.name} was not saved: {error}."
    return f"Saved as {path}."
