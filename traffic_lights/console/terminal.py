"""The game in plain text: ``python -m traffic_lights --text``.

One line in, whole sentences out, which screen readers read well; `conversation`
has the conversation. At a terminal the game goes on where it was left, as in
the window. Fed by a pipe it starts a game of its own and leaves nothing
behind; the end of the input ends it.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from traffic_lights.board.solver import Tablebase
from traffic_lights.console.conversation import TextGame
from traffic_lights.console.shell import INTERRUPTED, SUCCESS, run, say
from traffic_lights.players.roster import Roster
from traffic_lights.session.notation import LONGEST_TEXT
from traffic_lights.session.session import Session
from traffic_lights.system.folders import data_folder, training_folder
from traffic_lights.userdata.settings import Settings
from traffic_lights.userdata.store import UserData


def read_lines(is_at_terminal: bool) -> Iterator[str]:
    """Yield the lines of the standard input, with a prompt at a terminal."""
    while True:
        if is_at_terminal:
            sys.stdout.write("> ")
            sys.stdout.flush()
        line = sys.stdin.readline(LONGEST_TEXT)
        if not line:
            return
        yield line


def main(arguments: Sequence[str] | None = None) -> int:
    """Play in the terminal and return the exit status: 0, also at the end of the input."""
    return run("traffic-lights", lambda _: play_in_terminal(), arguments)


def play_in_terminal() -> int:
    """Play with the standard input and output until either ends, or the person leaves."""
    is_at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    data = UserData(data_folder())
    settings = data.settings if is_at_terminal else Settings()
    session = Session(time.time)
    session.tablebase = Tablebase()
    roster = Roster(data.folder, rng=random.Random(), command_folder=training_folder())
    if settings.is_first_start:
        settings = replace(settings, opponent=roster.levels()[0].key)
    kept = data if is_at_terminal else None
    game = TextGame(session, roster, _say_plainly, kept, settings)
    try:
        game.begin()
        for line in read_lines(is_at_terminal):
            if not game.obey(line):
                break
    except KeyboardInterrupt:
        _say_plainly("\n" + _goodbye(data, is_at_terminal))
        return INTERRUPTED
    finally:
        data.finish()
        roster.close()
    if is_at_terminal:
        _say_plainly(_goodbye(data, is_at_terminal))
    return SUCCESS


def _goodbye(data: UserData, is_at_terminal: bool) -> str:
    data.finish()
    is_saved = is_at_terminal and not data.has_failed
    return "Goodbye. Your game is saved." if is_saved else "Goodbye."


def _say_plainly(text: str) -> None:
    """Say *text*; where the output cannot take dashes and ellipses, with ASCII ones."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("–", "-").replace("…", "...")
    say(text)
