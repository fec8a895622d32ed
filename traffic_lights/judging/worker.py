"""The process that plays and proves for the Strength tab of the Workshop.

It writes nothing, so it can be ended at any time.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import active_children
from multiprocessing.connection import Connection
from types import FrameType

from traffic_lights.board.exact import BUDGET
from traffic_lights.judging.evaluation import Row, evaluate
from traffic_lights.judging.proof import Proof, Walked, prove
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.roster import Entry
from traffic_lights.storage.files import StorageError
from traffic_lights.system.processes import end_with_parent, reported_end

_EVERY_S = 0.1
"""How long nothing is sent after a step that is not the last."""


@dataclass(frozen=True, slots=True)
class EvaluationTask:
    """Play every one of *pairs*, (bot, opponent), and send each Row as it grows."""

    pairs: tuple[tuple[Entry, Entry], ...]
    games: int
    """Games of each pair."""
    seed: int


@dataclass(frozen=True, slots=True)
class ProofTask:
    """Prove the bot, and send the progress and the Proof."""

    bot: Entry


def evaluation_process(pipe: Connection, task: EvaluationTask | ProofTask) -> None:
    """Do *task* in this process and send the results through *pipe*."""
    signal.signal(signal.SIGTERM, _leave)
    end_with_parent()
    sent_s = 0.0
    with reported_end(pipe, StorageError, PlayerError):
        for step in _steps(task):
            is_last = isinstance(step, Proof) or (isinstance(step, Row) and step.is_complete)
            if is_last or time.monotonic() - sent_s >= _EVERY_S:
                sent_s = time.monotonic()
                pipe.send(step)


def _steps(task: EvaluationTask | ProofTask) -> Iterator[Row | Walked | Proof]:
    """Yield what *task* finds, as it grows."""
    if isinstance(task, EvaluationTask):
        for bot, opponent in task.pairs:
            yield from evaluate(bot, [opponent], task.games, task.seed, budget=BUDGET)
        return
    strategy = task.bot.strategy()
    if strategy is None:
        raise PlayerError(f"the possible moves of {task.bot.name} are not known")
    yield from prove(strategy)


def _leave(_number: int, _frame: FrameType | None) -> None:
    """End this process without waiting for the games that its own processes play."""
    for helper in active_children():
        helper.kill()
    raise SystemExit
