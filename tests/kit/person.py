"""A person at the windows, who reads what stands there, and clicks and types on what has words.

The person knows no widget of the program: buttons, rows, entries of menus and cells go by their
words. So a test says what a player sees and does, and a window may be built in another way.
"""

import _tkinter
import multiprocessing
import time
import tkinter as tk
import unittest
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache, partial
from itertools import count
from tkinter import filedialog, ttk
from typing import Any, Final, NamedTuple
from unittest import mock

from tests.kit.samples import PATIENCE_S, FolderTestCase
from tests.kit.windows import HAS_DISPLAY, KEPT, loop_until, new_root
from traffic_lights.board.tablebase import shared_tablebase
from traffic_lights.gui import app
from traffic_lights.gui.kit import jobs, lamps, theme
from traffic_lights.gui.main import bot_turns, context, explain
from traffic_lights.gui.workshop import inside_tab, learning_tab
from traffic_lights.play.userdata import UserData

GAME: Final = "b2 b2 a3 c1 b2 d2 c1 c2 c1 d2 c2 d3 b1 d1 d3 b1"
"""The moves of a game that Player 2 wins, with mistakes of both."""
FIELDS: Final = (ttk.Entry, tk.Entry)
"""Fields that can be filled: a Combobox and a Spinbox are kinds of them."""
PAUSES: Final = (
    (jobs, "POLL_MS", 10), (app, "LOOK_EVERY_MS", 20),
    (explain, "STEP_MS", 50), (explain, "END_MS", 200), (inside_tab, "STEP_MS", 50),
    (inside_tab, "LOOK_EVERY_MS", 100), (learning_tab, "JUST_ENDED_S", 0.0),
    (bot_turns, "PAUSES_MS", {"slow": 300, "normal": 15, "quick": 15, "instant": 0}),
)  # fmt: skip
"""What is only a pause for the eye, and how long it is here."""
_CANVAS_BOARD: Final = frozenset("abcd123")
_CLICKS_MS: Final = count(step=1000)


def _start_quickly() -> None:
    """Keep, for the whole run, what hundreds of programs that look alike would make again.

    Their processes have the program from the start; those of tests/training import it.
    """
    for module, name in (
        (lamps, "lamp_picture"), (lamps, "stroke_picture"), (theme, "system_prefers_dark"),
        (theme, "_xft_dpi"),
    ):  # fmt: skip
        setattr(module, name, lru_cache(999)(getattr(module, name)))
    if "forkserver" in multiprocessing.get_all_start_methods():
        multiprocessing.set_forkserver_preload(["tests.kit.ready"])
        server = multiprocessing.get_context("forkserver")
        multiprocessing.get_context = lambda _: server  # type: ignore[assignment]


_start_quickly()


class Thing(NamedTuple):
    """Words on the screen, and what a click on them does: at their place in *widget*, or *act*."""

    words: str
    widget: Any
    part: Any = None
    """Which item, row, tab or index of *widget* they are, if not all of it."""
    act: Callable[[], object] | None = None
    cells: tuple[str, ...] = ()
    """The words of each column of a row."""
    is_grey: bool = False
    is_ticked: bool = False
    is_only_read: bool = False
    """Whether a click on it does nothing: a label, or the heads of a table."""

    def place(self) -> tuple[int, int] | None:
        """Bring it into sight; return where it is in its widget, or None if it has gone."""
        widget, part = self.widget, self.part
        if isinstance(widget, (ttk.Treeview, tk.Text)):
            if self.is_only_read:
                return None
            if isinstance(widget, tk.Text) or widget.exists(part):
                widget.see(part)
                widget.update()
            if isinstance(widget, ttk.Treeview) and not widget.exists(part):
                return None  # two bots have played on
            x, y, wide, high = widget.bbox(part) or (0, 0, 0, 0)
            return x + min(wide // 2, 150), y + high // 2
        if isinstance(widget, ttk.Notebook):
            tab_at = partial(widget.tk.call, str(widget), "identify", "tab")
            places = range(0, widget.winfo_width(), 4)
            return next(x for x in places if str(tab_at(x, 9)) == str(part)) + 4, 9
        if isinstance(widget, tk.Canvas):
            return _middle_of(widget, part)
        wide, high = _size(widget)
        return wide // 2, high // 2


def flat(words: object) -> str:
    return " ".join(str(words).split())


def _size(widget: tk.Misc) -> tuple[int, int]:
    return widget.winfo_width(), widget.winfo_height()


def _middle_of(canvas: tk.Canvas, item: int) -> tuple[int, int]:
    left, top, right, bottom = canvas.bbox(item)
    return (left + right) // 2, (top + bottom) // 2


def all_in(widget: tk.Misc) -> Iterator[Any]:
    """Yield the widgets in *widget* that are seen, windows of their own left out."""
    for child in tuple(widget.children.values()):
        if not isinstance(child, (tk.Toplevel, tk.Menu)) and child.winfo_viewable():
            yield child
            yield from all_in(child)


def things_in(window: tk.Misc) -> Iterator[Thing]:
    """Yield everything in *window* that can be read or filled, from the first to the last."""
    for widget in all_in(window):
        if isinstance(widget, FIELDS):
            grey = isinstance(widget, ttk.Entry) and widget.instate(["disabled"])
            yield Thing(flat(widget.get()), widget, is_grey=grey)
        elif isinstance(widget, ttk.Treeview):
            yield from _rows(widget)
        elif isinstance(widget, ttk.Notebook):
            for n in range(widget.index("end")):  # type: ignore[no-untyped-call]
                tab = widget.tab(n)  # type: ignore[no-untyped-call]
                yield Thing(flat(tab["text"]), widget, n, is_grey=str(tab["state"]) != "normal")
        elif isinstance(widget, tk.Text):
            for n in range(1, int(widget.index("end-1c").partition(".")[0]) + 1):
                for word in filter(str.strip, widget.get(f"{n}.0", f"{n}.end").split("\t")):
                    yield Thing(flat(word), widget, widget.search(word, f"{n}.0", f"{n}.end"))
        elif isinstance(widget, tk.Canvas):
            for item, words in texts_on(widget):
                yield Thing(flat(words), widget, item)
        else:
            with suppress(tk.TclError):  # it has no words
                words = flat(widget.cget("text"))
                if isinstance(widget, (ttk.Label, tk.Label, ttk.Labelframe)):
                    yield Thing(words, widget, is_only_read=True)
                else:
                    grey, ticked = widget.instate(["disabled"]), widget.instate(["selected"])
                    yield Thing(words, widget, is_grey=grey, is_ticked=ticked)


def texts_on(canvas: tk.Canvas) -> Iterator[tuple[int, str]]:
    """Yield the number and the words of each text on *canvas*."""
    call = partial(canvas.tk.call, str(canvas))
    for item in canvas.find_all():
        if call("type", item) == "text":
            yield item, str(call("itemcget", item, "-text"))


def columns_of(tree: ttk.Treeview) -> list[str]:
    """Return the names of the columns that *tree* shows after its first."""
    shown = [*map(str, tree.cget("displaycolumns"))]
    return [*map(str, tree.cget("columns"))] if shown == ["#all"] else shown


def _rows(tree: ttk.Treeview, parent: str = "") -> Iterator[Thing]:
    """Yield the heads of *tree* and its rows, those under closed ones left out."""
    if not parent and "headings" in str(tree.cget("show")):
        heads = [flat(tree.heading(column, "text")) for column in ("#0", *columns_of(tree))]
        yield Thing(" ".join(filter(None, heads)), tree, is_only_read=True)
    for row in tree.get_children(parent):
        cells = tree.item(row, "text"), *(tree.set(row, column) for column in columns_of(tree))
        flat_cells = tuple(map(flat, cells))
        words = " ".join(filter(None, flat_cells))
        yield Thing(words, tree, row, cells=flat_cells, is_ticked="☑" in words)
        if tree.item(row, "open"):
            yield from _rows(tree, row)


def click_at(widget: tk.Misc, x: int, y: int, button: int = 1, times: int = 1) -> None:
    """Click *times* in a row, long after the click before."""
    time_ms = next(_CLICKS_MS)
    widget.event_generate("<Enter>", x=x, y=y)
    for _ in range(times):
        for event in (f"<Button-{button}>", f"<ButtonRelease-{button}>"):
            if widget.winfo_exists():
                widget.event_generate(event, x=x, y=y, time=time_ms)


@unittest.skipUnless(HAS_DISPLAY, "no display")
class PersonTestCase(FolderTestCase):
    """A test by a person who starts the program on a new computer."""

    def setUp(self) -> None:
        self.data = self.folder / "data"
        self.file = self.folder / "chosen"
        """What the person answers when a file is asked for."""
        self.menu: tk.Menu | None = None
        """The menu that is open."""
        self.raised: Any = None
        """The window that the program has raised, until it is in front."""

        def lift(window: Any) -> None:
            window.tk.call("raise", str(window))
            self.raised = window

        for owner, name, value in (
            *PAUSES,
            # A bot that was trained in this clone stays as it is.
            (context, "training_folder", lambda: self.folder / "qtables"),
            (filedialog, "askopenfilename", lambda **_: str(self.file)),
            (filedialog, "asksaveasfilename", lambda **_: str(self.file)),
            (tk.Menu, "tk_popup", lambda menu, *_: self._open(menu)),
            (tk.Menu, "post", lambda menu, *_: self._open(menu)),
            (tk.Misc, "lift", lift),
        ):
            self.enterContext(mock.patch.object(owner, name, value))
        self.prepare()
        self.start(speed="instant")

    def prepare(self) -> None:
        """Put into the data folder what is there before the first start."""

    # --- the program ---

    def start(self, **settings: object) -> None:
        """Start the program, as it was left the last time."""
        data = UserData(self.data)
        if settings:
            data.change(**settings)
        root = new_root()
        root.withdraw()
        self.app = app.App(root, data)
        KEPT.append(self.app)
        shared_tablebase()
        self.app.session.is_solved = True
        self.app.open()
        self.addCleanup(self.quit)
        self.wait(root.winfo_viewable, "the window")

    def quit(self) -> None:
        """Close the window and wait for the end; the program must have met no error of its own."""
        root, self.menu = self.app.root, None
        # Tk would print the name of each timer that was due when its window went.
        root.tk.eval("proc ::bgerror args {}")
        with suppress(tk.TclError):  # it has ended before
            root.focus_force()  # Tk 8.6 can crash if what is destroyed has the keyboard
            root.update()
            root.tk.call(root.protocol("WM_DELETE_WINDOW"))
            until = time.monotonic() + PATIENCE_S
            while root.winfo_exists() and time.monotonic() < until:  # what trains is saved
                if not root.tk.dooneevent(_tkinter.DONT_WAIT):
                    time.sleep(0.002)
        for timer in root.tk.splitlist(root.tk.call("after", "info")):
            root.tk.call("after", "cancel", timer)
        for process in multiprocessing.active_children():  # a measurement ends with the program
            process.kill()
        log = self.data / "log.txt"
        self.assertNotIn("Traceback", log.read_text("utf-8") if log.exists() else "")

    def restart(self) -> None:
        self.quit()
        self.start()

    def wait(self, is_true: Callable[[], object], what: str = "it") -> None:
        try:
            loop_until(self.app.root, is_true)
        except AssertionError:
            self.fail(f"{what} never came; shown: {self.text}")

    # --- what is seen ---

    @property
    def windows(self) -> list[Any]:
        """The windows on the screen, the one in front first."""
        root = self.app.root
        order = root.tk.splitlist(root.tk.call("wm", "stackorder", "."))
        return [root.nametowidget(name) for name in reversed(order)]

    @property
    def front(self) -> Any:
        return self.windows[0]

    def things(self) -> list[Thing]:
        """Return what has words: the open menu, or otherwise all windows."""
        if self.menu is not None:
            return [*self._entries(self.menu)]
        return [thing for one in self.windows for thing in things_in(one) if thing.words]

    @property
    def text(self) -> str:
        """All words on the screen, the titles of the windows first."""
        titles = [window.wm_title() for window in self.windows]
        return " | ".join([*titles, *(thing.words for thing in self.things())])

    @property
    def drawn(self) -> list[str]:
        """The words on pictures: boards, graphs and curves, which have their names."""
        return [thing.words for thing in self.things() if isinstance(thing.widget, tk.Canvas)]

    def see(self, *words: str) -> None:
        for one in words:
            self.wait(lambda one=one: one in self.text, repr(one))  # type: ignore[misc]

    def see_not(self, *words: str) -> None:
        self.app.root.update()
        for one in words:
            self.assertNotIn(one, self.text)

    def find(self, words: str, *, is_label: bool = False) -> Thing:
        """Return what has *words*: whole or in a cell, as its beginning, or anywhere, in order.

        What is in front comes first, and a label last, because a click on it does nothing.
        """
        ranks: tuple[Callable[[Thing], bool], ...] = (
            lambda thing: words in (thing.words, *thing.cells),
            lambda thing: thing.words.startswith(words), lambda thing: words in thing.words,
        )  # fmt: skip
        windows = ([*things_in(one)] for one in self.windows)
        for group in windows if self.menu is None else [self.things()]:
            for only_read in (is_label, not is_label):
                for fits in ranks:
                    for thing in group:
                        if thing.is_only_read == only_read and fits(thing):
                            return thing
        raise AssertionError(f"{words!r} is nowhere; shown: {self.text}")

    def is_grey(self, words: str) -> bool:
        return self.find(words).is_grey

    def board(self) -> tuple[tk.Canvas, dict[str, tuple[int, int]]]:
        """Return the foremost board, and the middle of each cell: where letter and digit meet."""
        for one in self.windows:
            for canvas in all_in(one):
                texts = texts_on(canvas) if isinstance(canvas, tk.Canvas) else ()
                items = {words: item for item, words in reversed([*texts])}
                if items.keys() >= _CANVAS_BOARD:
                    at = {sign: _middle_of(canvas, items[sign]) for sign in _CANVAS_BOARD}
                    return canvas, {c + r: (at[c][0], at[r][1]) for c in "abcd" for r in "123"}
        raise AssertionError(f"no board; shown: {self.text}")

    @property
    def signs(self) -> dict[str, str]:
        """What is written in each cell of the board: letters of lamps, and values of moves."""
        canvas, cells = self.board()
        half = (cells["b1"][0] - cells["a1"][0]) / 2
        near: dict[str, list[str]] = {cell: [] for cell in cells}
        for item, words in texts_on(canvas):
            x, y = _middle_of(canvas, item)
            for cell, at in cells.items():
                if max(abs(at[0] - x), abs(at[1] - y)) < half:
                    near[cell].append(flat(words))
        return {cell: " ".join(words) for cell, words in near.items()}

    @property
    def lamps(self) -> str:
        """The board as it is drawn, as in ``0120/0000/0003``."""
        signs = self.signs
        rows = ("".join(str(" GYR".find(signs[c + r][:1] or " ")) for c in "abcd") for r in "123")
        return "/".join(rows).replace("-1", "0")

    # --- what is done ---

    def press(self, *words: str) -> None:
        """Click on what has the first *words*, then on what has the next in what opens."""
        for one in words:
            self.click_on(self.find(one))

    def click_on(self, thing: Thing, times: int = 1) -> None:
        self.menu = None
        if thing.act is None:
            if place := thing.place():
                click_at(thing.widget, *place, times=times)
        elif not thing.is_grey:
            thing.act()
        self._look_up()

    def _look_up(self) -> None:
        """See what has come of it; a window manager takes a moment to raise a window."""
        self.app.root.update()
        window, self.raised = self.raised, None
        until = time.monotonic() + 2
        while window and window.winfo_exists() and time.monotonic() < until:
            if self.front is window or not window.winfo_viewable():
                break
            self.app.root.update()

    def pick(self, *words: str) -> None:
        """Open the menu at the top of the window, and choose *words*, each in what opens."""
        root = self.app.root
        self._open(root.nametowidget(str(root.cget("menu"))))
        self.press(*words)

    def click(self, *cells: str, button: int = 1, times: int = 1) -> None:
        """Click on *cells* of the board in front, as ``b2 c1``, one after the other."""
        for cell in " ".join(cells).split():
            canvas, places = self.board()
            click_at(canvas, *places[cell], button, times)
            self.app.root.update()

    def key(self, *keys: str) -> None:
        """Press *keys*, as ``Control-z`` or ``b``, where the keyboard is."""
        for key in keys:
            if self.menu is not None and key == "Escape":
                self.menu = None
                continue
            target = self.front.focus_lastfor() or self.front
            target.focus_force()
            self.app.root.update()
            target.event_generate(f"<{key}>" if len(key) > 1 else f"<Key-{key}>")
            self._look_up()

    def resize(self, wide: int, high: int) -> None:
        """Give the window in front a size."""
        window = self.front
        window.wm_geometry(f"{wide}x{high}")
        with suppress(AssertionError):
            loop_until(self.app.root, lambda: _size(window) == (wide, high))
        self.assertEqual(_size(window), (wide, high), f"the window needs {window.wm_minsize()}")

    def paste(self, text: str) -> None:
        self.app.root.clipboard_clear()
        self.app.root.clipboard_append(text)
        self.key("Control-v")

    def field(self, label: str) -> Any:
        """Return the field beside or under *label*; with "", the only one there is."""
        fields = [t.widget for t in things_in(self.front) if isinstance(t.widget, FIELDS)]
        if not label:
            self.assertEqual(len(fields), 1, f"fields in front; shown: {self.text}")
            return fields[0]
        near: tk.Misc = self.find(label, is_label=True).widget
        x, y = near.winfo_rootx(), near.winfo_rooty()

        def away(field: tk.Misc) -> int:
            right = field.winfo_rootx() - x - near.winfo_width()
            down = field.winfo_rooty() - y - near.winfo_height()
            beside = abs(right) + 3 * abs(field.winfo_rooty() - y) + 9999 * (right < -9)
            under = abs(field.winfo_rootx() - x) + 3 * abs(down) + 9999 * (down < -9)
            return min(beside, under)

        return min(fields, key=away)

    def fill(self, label: str, text: str) -> None:
        """Type *text*, or choose it, in the field beside or under *label*."""
        field = self.field(label)
        field.focus_force()
        self.app.root.update()
        if isinstance(field, ttk.Combobox) and field.instate(["readonly"]):
            values = [*map(flat, field.cget("values"))]
            places = [n for n, one in enumerate(values) if one.startswith(text)]
            self.assertTrue(places, f"{text}: {values}")
            field.current(places[0])
            field.event_generate("<<ComboboxSelected>>")
        else:
            field.delete(0, tk.END)
            field.insert(0, text)
            field.event_generate("<KeyRelease>", keysym="Right")
        self.app.root.update()

    @property
    def slider(self) -> ttk.Scale:
        (slider,) = (one for one in all_in(self.front) if isinstance(one, ttk.Scale))
        return slider

    def _open(self, menu: tk.Menu) -> None:
        """Have *menu* open, as it is at that moment."""
        if command := str(menu.cget("postcommand")):
            menu.tk.call(command)
        self.menu = menu

    def _entries(self, menu: tk.Menu) -> Iterator[Thing]:
        end = menu.index("end")
        for n in range(0 if end is None else end + 1):
            if menu.type(n) in ("separator", "tearoff"):
                continue
            cells = tuple(flat(menu.entrycget(n, name)) for name in ("label", "accelerator"))
            act: Callable[[], object] = partial(menu.invoke, n)
            if menu.type(n) == "cascade":
                act = partial(self._open, menu.nametowidget(menu.entrycget(n, "menu")))
            ticked = False
            for option in ("onvalue", "value"):
                with suppress(tk.TclError):  # it is an entry of another kind, or not set yet
                    chosen = menu.getvar(menu.entrycget(n, "variable"))
                    ticked = str(chosen) == str(menu.entrycget(n, option))
            grey = menu.entrycget(n, "state") == "disabled"
            yield Thing(cells[0], menu, act=act, cells=cells, is_grey=grey, is_ticked=ticked)
