"""What the tests of windows share: one program for the whole run, started afresh for each test."""

import os
import random
import sys
import tempfile
import time
import unittest
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import ClassVar
from unittest import mock

try:
    import _tkinter
    import tkinter as tk
    from tkinter import ttk
except ImportError as error:
    raise unittest.SkipTest("this Python has no Tk") from error

from tests.kit.samples import IS_SLOW_RUN, PATIENCE_S
from traffic_lights.board.baselines import Policy
from traffic_lights.board.rules import Action, State, legal_actions
from traffic_lights.gui.app import App
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.play.game import HUMAN, Game, Player, parse_moves
from traffic_lights.play.userdata import UserData
from traffic_lights.players.roster import Entry, Group, Roster

HAS_DISPLAY = not os.environ.get("TRAFFIC_LIGHTS_NO_DISPLAY") and (
    bool(os.environ.get("DISPLAY")) or sys.platform in ("win32", "darwin")
)
TEST_BOT = Player("test-bot", "Tester")
_CLICKS_MS = count(step=1000)


# Removed when the run ends: the shared program saves into the last of its folders until then.
_FOLDERS = tempfile.TemporaryDirectory(prefix="traffic-lights-", ignore_cleanup_errors=True)


def new_folder() -> Path:
    """Return a data folder that nothing was saved in yet."""
    return Path(tempfile.mkdtemp(dir=_FOLDERS.name))


class TestRoster(Roster):
    """The players, and one that a test adds."""

    added: tuple[Entry, ...] = ()

    def entries(self) -> Iterator[Entry]:
        yield from super().entries()
        yield from self.added


def open_app() -> App:
    """Return a program, its window shown."""
    root = tk.Tk(className="Traffic-lights")
    root.withdraw()
    app = App(root, UserData(new_folder()))
    app.session.is_solved = True
    app.open()
    loop_until(root, root.winfo_viewable)
    return app


@cache
def shared_app() -> App:
    """Return the one program of this run."""
    return open_app()


def open_dialogs(window: tk.Misc) -> list[Dialog]:
    """Return the dialogs of *window* that are open, the oldest first."""
    return [child for child in window.winfo_children() if isinstance(child, Dialog)]


def close_dialogs(app: App) -> None:
    """Close every dialog of the main window."""
    for dialog in open_dialogs(app.root):
        dialog.close()


def words_in(window: tk.Misc) -> str:
    """Return the text of all labels in *window*."""
    words = str(window.cget("text")) if isinstance(window, ttk.Label) else ""
    return " ".join([words, *map(words_in, window.winfo_children())])


def start_afresh(app: App, **settings: object) -> None:
    """Have *app* be as after a first start that is over, with *settings*."""
    context = app.context
    context.log.errors = 0
    close_dialogs(app)
    context.userdata.finish()
    context.userdata = UserData(new_folder())
    context.roster = TestRoster(context.userdata.folder, command_folder=new_folder())
    context.userdata.change(**{"opponent": "qbot", "speed": "instant", **settings})
    app.session.restore(Game())
    app.session.is_solved = True
    context.changed()
    app.root.wm_geometry("900x640+40+40")
    loop_until(app.root, lambda: abs(app.root.winfo_width() - 900) < 2)
    app.window.board.cursor_cell = 0
    app.window.board.focus_force()
    app.root.update()


def loop_until(root: tk.Misc, is_true: Callable[[], object], timeout_s: float = PATIENCE_S) -> None:
    """Run the Tk loop of *root* until *is_true*; raise AssertionError after *timeout_s*."""
    until = time.monotonic() + timeout_s
    while not is_true():
        if time.monotonic() > until:
            raise AssertionError("waited in vain")
        root.update()
        time.sleep(0.002)
    root.update()


def destroy(window: tk.Misc) -> None:
    """Destroy *window*; Tk 8.6 can crash if a destroyed window still has the focus."""
    if window.winfo_exists():
        window.nametowidget(".").focus_force()
        window.destroy()


def settle(window: tk.Misc) -> None:
    """Lay *window* out; raise AssertionError if this does not come to rest."""
    for _ in range(60):
        while window.tk.dooneevent(_tkinter.WINDOW_EVENTS | _tkinter.DONT_WAIT):
            pass
        if not window.tk.dooneevent(_tkinter.IDLE_EVENTS | _tkinter.DONT_WAIT):
            return
    raise AssertionError(f"{window} is laid out for ever")


def heights(first: int, last: int, turn: int = 0) -> range:
    """Return heights in steps of 8 pixels; the normal run takes every ninth, another by *turn*."""
    step = 24 if IS_SLOW_RUN else 72
    return range(first + 8 * turn % step, last, step)


def add_test_bot(
    app: App, choose: Callable[[State], Action] = lambda state: legal_actions(state)[0]
) -> Player:
    """Let a bot play whose choice a test decides; by default the lowest legal action."""
    policy = Policy(lambda state: (choose(state),), key="test-bot", name="Tester")
    assert isinstance(app.context.roster, TestRoster)
    app.context.roster.added = (Entry(policy.key, policy.name, "", Group.OWN, policy),)
    app.context.bots_changed()
    return TEST_BOT


def load_moves(app: App, moves: str, *, bot_seat: int | None = None) -> None:
    """Put the game of *moves* on the board, as if it had just been played."""
    actions = parse_moves(moves)
    if bot_seat is not None:
        add_test_bot(app)
    players = tuple(TEST_BOT if seat == bot_seat else HUMAN for seat in (0, 1))
    app.session.restore(Game(actions=actions, players=(players[0], players[1])))
    app.context.changed()
    app.root.update()


class WindowTestCase(unittest.TestCase):
    """A test of the shared window; skipped without a display."""

    settings: ClassVar[dict[str, object]] = {}

    def setUp(self) -> None:
        if not HAS_DISPLAY:
            self.skipTest("no display")
        self.app = shared_app()
        start_afresh(self.app, **self.settings)
        self.rng = random.Random(7)
        self.addCleanup(self._no_error_was_reported)

    def _no_error_was_reported(self) -> None:
        self.assertEqual(self.app.context.log.errors, 0, "an error was reported by a handler")

    def wait(self, is_true: Callable[[], object], timeout_s: float = PATIENCE_S) -> None:
        """Run the Tk loop until *is_true*."""
        loop_until(self.app.root, is_true, timeout_s)

    def hold(self, pause_ms: int) -> Callable[[], None]:
        """Have pauses of *pause_ms* last until the function that is returned is called."""
        waiting: list[Callable[[], object]] = []
        after: Callable[..., str] = self.app.root.after

        def wait(ms: int, act: Callable[..., object], *arguments: object) -> str:
            if ms != pause_ms:
                return after(ms, act, *arguments)
            waiting.append(partial(act, *arguments))
            return ""

        def pass_time() -> None:
            waiting.pop(0)()
            self.app.root.update()

        self.enterContext(mock.patch.object(self.app.root, "after", wait))
        return pass_time

    def key(self, *events: str, widget: tk.Misc | None = None) -> None:
        """Send key events, such as ``<Key-n>``, to *widget*: by default to the board."""
        target = widget or self.app.window.board
        for event in events:
            target.focus_force()
            self.app.root.update()
            target.event_generate(event)
            self.app.root.update()

    def click(self, cell: int, button: int = 1) -> None:
        """Click on *cell* of the board, long after the click before."""
        board = self.app.window.board
        x, y = (round(v) for v in board.cell_centre(cell))
        time_ms = next(_CLICKS_MS)
        board.event_generate(f"<Button-{button}>", x=x, y=y, time=time_ms)
        board.event_generate(f"<ButtonRelease-{button}>", x=x, y=y, time=time_ms)
        self.app.root.update()

    def click_on(self, widget: tk.Misc) -> None:
        """Click in the middle of *widget*."""
        x, y = widget.winfo_width() // 2, widget.winfo_height() // 2
        widget.event_generate("<Enter>", x=x, y=y)
        widget.event_generate("<Button-1>", x=x, y=y)
        widget.event_generate("<ButtonRelease-1>", x=x, y=y)
        self.app.root.update()

    def button(self, name: str) -> ttk.Button:
        """Return the button under the board that runs the command *name* now."""
        window = self.app.window
        return window.row.buttons[window.row.names.index(name)]

    @property
    def answers(self) -> list[ttk.Button]:
        """The buttons that answer the message."""
        return [button for button in self.app.window.message.answers if button.winfo_manager()]

    @property
    def status(self) -> str:
        """The text under the state of the game."""
        return str(self.app.window.message.detail.cget("text"))

    @property
    def heading(self) -> str:
        """The state of the game over the board."""
        return str(self.app.window.message.heading.cget("text"))
