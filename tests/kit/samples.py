"""What tests of all layers share: where the project is, how long to wait, positions."""

import ast
import contextlib
import io
import os
import random
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

from traffic_lights.board import positions
from traffic_lights.board.baselines import RANDOM
from traffic_lights.board.games import PolicyBot, play_game
from traffic_lights.board.rules import Action, State, is_terminal, legal_actions, play, ply
from traffic_lights.board.tablebase import shared_tablebase
from traffic_lights.training.gauge import Measured

T = TypeVar("T")
PROJECT: Final = Path(__file__).resolve().parents[2]
IS_SLOW_RUN: Final = os.environ.get("TRAFFIC_LIGHTS_SLOW", "") not in ("", "0")
"""Whether to do everything, where the normal run takes samples: ``TRAFFIC_LIGHTS_SLOW=1``."""

PATIENCE_S: Final = 180.0 if IS_SLOW_RUN else 20.0
"""More than anything that a test waits for takes."""


class FolderTestCase(unittest.TestCase):
    """A test that has an empty folder of its own as soon as it asks for one."""

    @cached_property
    def folder(self) -> Path:
        name = self.enterContext(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        return Path(name).resolve()


tablebase = shared_tablebase
"""Returns the one tablebase that all tests of a run share."""
slow = unittest.skipUnless(IS_SLOW_RUN, "only with TRAFFIC_LIGHTS_SLOW=1")
"""Decorates a test or a class that takes too long for the normal run."""


def outcome(command: Callable[[Sequence[str]], int], *words: str) -> tuple[int, str, str]:
    """Return (status, standard output, standard error) of *command*, run in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = command(words)
    return status, out.getvalue(), err.getvalue()


def start_python(*words: str, **options: Any) -> Any:
    """Start this Python with *words* in the project; return its Popen, which has what it says."""
    streams = {"stdout": subprocess.PIPE, "text": True, **options}
    return subprocess.Popen([sys.executable, *words], cwd=PROJECT, **streams)


def wait_until(look: Callable[[], T], what: str, update: Callable[[], object] = lambda: None) -> T:
    """Return the first true answer of *look*; raise AssertionError, with *what*, if none comes."""
    until = time.monotonic() + PATIENCE_S
    pause_s = 0.0005
    while not (answer := look()):
        assert time.monotonic() < until, f"waited in vain: {what}"
        update()
        time.sleep(pause_s)
        pause_s = min(2 * pause_s, 0.02)  # to look takes a while too
    return answer


def live_positions() -> positions.PositionSet:
    """Return the positions without a complete line."""
    return [positions.WHOLE_SLAB ^ slab for slab in positions.finished_positions()]


@cache
def syntax_trees() -> dict[Path, tuple[str, ast.Module]]:
    paths = sorted((PROJECT / "traffic_lights").rglob("*"))
    texts = {path: path.read_text("utf-8") for path in paths if path.suffix in (".py", ".pyw")}
    return {path: (text, ast.parse(text, str(path))) for path, text in texts.items()}


@cache
def live() -> bytes:
    return positions.pack(live_positions())


def played_states(rng: random.Random, count: int) -> list[State]:
    bot = PolicyBot(RANDOM, rng)
    states: list[State] = []
    while len(states) < count:
        states.extend(play_game(bot, bot).states())
    return states[:count]


def live_states(rng: random.Random, count: int) -> list[State]:
    """Return *count* live states, each of all 9,038,683 with equal chance."""
    states: list[State] = []
    while len(states) < count:
        state = rng.getrandbits(24)
        if positions.contains(live(), state):
            states.append(state)
    return states


def late_states(first_ply: int) -> Iterator[State]:
    """Yield every live state of *first_ply* plies and more."""
    by_ply = sorted(range(4096), key=ply)
    for high in by_ply:
        for low in reversed(by_ply):
            if ply(high) + ply(low) < first_ply:
                break
            if positions.contains(live(), high << 12 | low):
                yield high << 12 | low


def horizon_actions(state: State, depth: int) -> tuple[Action, ...]:
    """Return the actions of *state* that look best *depth* plies ahead, by a plain search."""

    @cache
    def score(state: State, left: int) -> int:
        """Return 0 if no end is seen, and more the sooner the side to move wins or later loses."""
        if is_terminal(state):
            return -(left + 1)
        afters = [play(state, action) for action in legal_actions(state)]
        return max(-score(after, left - 1) for after in afters) if left else 0

    scores = {action: -score(play(state, action), depth - 1) for action in legal_actions(state)}
    best = max(scores.values())
    return tuple(action for action, worth in scores.items() if worth == best)


def measured(games: int, score: float, opponent: str = "myopic", **counts: Any) -> Measured:
    """Return a point of a curve; the *score* is that of all games, more of them won first."""
    more = min(score, 1 - score) / 4
    return Measured(games, opponent, score + more, score - more, **{"decided": 0, **counts})
