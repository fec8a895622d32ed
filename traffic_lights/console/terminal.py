"""The game in plain text: ``python -m traffic_lights --text``.

The whole sentences of `conversation` suit screen readers. At a terminal, the saved game
continues as in the window. With input from a pipe, the program starts a new game and
saves nothing.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from traffic_lights.board.solver import Tablebase
from traffic_lights.console.conversation import TextGame
from traffic_lights.console.shell import INTERRUPTED, SUCCESS, say
from traffic_lights.players.roster import Roster
from traffic_lights.session.notation import LONGEST_TEXT
from traffic_lights.session.session import Session
from traffic_lights.system.folders import data_folder, training_folder
from traffic_lights.userdata.settings import Settings
from traffic_lights.userdata.store import UserData

_PLAIN: Final = str.maketrans({"–": "-", "−": "-", "→": "->", "·": "|", "…": "..."})
"""For outputs that know only ASCII."""


def play_in_terminal() -> int:
    """Play with the standard input and output until either ends; return the exit status."""
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
    game = TextGame(session, roster, _write, data if is_at_terminal else None, settings)
    status = SUCCESS
    try:
        game.begin()
        for line in _lines(is_at_terminal):
            if not game.obey(line):
                break
    except KeyboardInterrupt:
        status = INTERRUPTED
        _write("")
    finally:
        data.finish()
        roster.close()
    if is_at_terminal and not data.has_failed:
        _write("Goodbye. Your game is saved.")
    elif is_at_terminal or status == INTERRUPTED:
        _write("Goodbye.")
    return status


def _lines(is_at_terminal: bool) -> Iterator[str]:
    """Yield the lines of the standard input, with a prompt at a terminal."""
    while True:
        if is_at_terminal:
            sys.stdout.write("> ")
            sys.stdout.flush()
        line = sys.stdin.readline(LONGEST_TEXT)
        if not line:
            return
        yield line


def _write(text: str) -> None:
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        text = text.translate(_PLAIN)
    say(text)
