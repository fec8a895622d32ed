"""The process that evaluates and proves for the window; it has the judge do it.

It may be ended at any time: it writes nothing.
"""

from __future__ import annotations

import random
import signal
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import active_children
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Final

from traffic_lights.board.exact import BUDGET
from traffic_lights.judging.evaluation import Row, evaluate
from traffic_lights.judging.expectation import table_strategy
from traffic_lights.judging.proof import Proof, Walked, prove
from traffic_lights.learning.tablefile import read_table
from traffic_lights.players.contestants import Contestant
from traffic_lights.players.external import Program
from traffic_lights.players.ladder import Ladder, LadderError
from traffic_lights.storage.files import StorageError
from traffic_lights.system.memory import NO_MEMORY
from traffic_lights.system.signals import end_with_parent

SHOW_EVERY_S: Final = 0.1
_LADDERS_TABLES: Final = "qbot"


@dataclass(frozen=True, slots=True)
class Contender:
    """Someone to be evaluated or played against, as the window lists them."""

    key: str
    label: str
    path: Path | None = None
    """The table of a person's own QBot; None for those of the ladder."""
    program: Program | None = None
    """The program of anybody's that plays; None for all others."""

    @property
    def has_table(self) -> bool:
        """Whether it plays by a Q-table, so that it can be proved."""
        return self.path is not None or self.key.startswith(_LADDERS_TABLES)


@dataclass(frozen=True, slots=True)
class EvaluationTask:
    """Every one of *bots* against every one of *opponents*."""

    bots: tuple[Contender, ...]
    opponents: tuple[Contender, ...]
    games: int
    """Games of each pairing."""
    seed: int


@dataclass(frozen=True, slots=True)
class ProofTask:
    """The proof of one QBot."""

    bot: Contender


@dataclass(frozen=True, slots=True)
class PairMeasured:
    """A pairing so far."""

    bot: str
    opponent: str
    """Both by their keys."""
    row: Row


@dataclass(frozen=True, slots=True)
class Over:
    """All is done."""


@dataclass(frozen=True, slots=True)
class Refused:
    """It cannot be done; *details* only if the program is wrong."""

    text: str
    details: str = ""


def seated(contenders: Sequence[Contender]) -> list[Contestant]:
    """Return who plays for each of *contenders*; raise StorageError or LadderError."""
    ladder = Ladder(random.Random(0))
    return [_seated(contender, ladder) for contender in contenders]


def _seated(contender: Contender, ladder: Ladder) -> Contestant:
    if contender.path is not None:
        return Contestant(contender.label, read_table(contender.path))
    if contender.program is not None:
        return Contestant(contender.label, program=contender.program)
    if contender.has_table:
        return Contestant(contender.label, ladder.table(contender.key))
    return Contestant(contender.key)


def evaluation_process(pipe: Connection, task: EvaluationTask | ProofTask) -> None:
    """Do *task* in this process, which was made for it, telling the window through *pipe*."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    end_with_parent()
    with suppress(EOFError, OSError):  # the window is gone
        pipe.send(_done(pipe, task))
    pipe.close()


def _done(pipe: Connection, task: EvaluationTask | ProofTask) -> Over | Refused:
    """Do *task*; return how it ended, when what it took of the memory is free again."""
    try:
        if isinstance(task, EvaluationTask):
            _evaluate(pipe, task)
        else:
            _prove(pipe, task)
    except (StorageError, LadderError) as error:
        return Refused(str(error))
    except (EOFError, OSError):
        raise
    except MemoryError:
        return Refused(NO_MEMORY)
    except Exception as error:
        return Refused(repr(error), traceback.format_exc())
    return Over()


def _evaluate(pipe: Connection, task: EvaluationTask) -> None:
    bots, opponents = seated(task.bots), seated(task.opponents)
    for contender, bot in zip(task.bots, bots, strict=True):
        keys = [opponent.key for opponent in task.opponents]
        pairing, shown_s = 0, 0.0
        for row in evaluate(bot, opponents, task.games, task.seed, budget=BUDGET):
            now_s = time.monotonic()
            if row.is_complete or now_s - shown_s >= SHOW_EVERY_S:
                shown_s = now_s
                pipe.send(PairMeasured(contender.key, keys[pairing], row))
            # Pairings come one after the other.
            pairing += row.is_complete


def _prove(pipe: Connection, task: ProofTask) -> None:
    table = seated([task.bot])[0].table
    assert table is not None, "only who has a table is proved"
    for step in prove(table_strategy(table)):
        assert isinstance(step, Walked | Proof)
        pipe.send(step)


def _leave(_number: int, _frame: FrameType | None) -> None:
    """End this process in good order, without waiting for the games that its helpers play."""
    for helper in active_children():
        helper.kill()
    raise SystemExit
