"""Training plans: the games that a learner plays, their order, and when it is done.

A plan is a generator of batches. Each batch depends on nothing except the settings, the table, and
how far the run is. So a run can be continued from any batch as if it had never stopped.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.positions import learnable_positions, members
from traffic_lights.board.rules import LONGEST_GAME, State, ply
from traffic_lights.learning.afterstates import AfterstateTable
from traffic_lights.learning.deltas import Batch
from traffic_lights.learning.exploration import EXPLORATION_RULES, EpsilonSchedule
from traffic_lights.learning.learner import Learner
from traffic_lights.learning.practice import Practice
from traffic_lights.learning.proving import Sweep
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.training.progress import Progress, Run
from traffic_lights.training.settings import REVERSE, RunSettings

BATCH: Final = 1000
"""The games of a batch, or the positions that it starts from.

A batch is long compared with the 20 µs for its random source. It is also so short that a run can
stop within a tenth of a second. Shorter ones would make other tables: each has a source and counts
of its own.
"""
_PRACTICE_SHARE: Final = 0.4
"""How much of the time of the plan *reverse* is practice."""

Step: TypeAlias = tuple[Batch, Progress, float]
"""A batch, how far the run is after it, and the share of the run that is done then."""
_Play: TypeAlias = Callable[[Sequence[State], random.Random], Batch]
"""Plays a batch of games that start from some positions."""


def played(run: Run, table: QTable) -> Iterator[Step]:
    """Yield each batch of *run* on *table*, from its progress on, until it is done."""
    if isinstance(table, AfterstateTable):
        return against(run, table)
    assert isinstance(table, RowTable)
    return reverse(run, table)


def _source(run: Run, at: Progress) -> random.Random:
    """Return the random source of the batch at *at*."""
    # Each batch has its own, so an interruption leaves no trace. random hashes a string by SHA-512,
    # so neighbouring batches get unrelated sources, whatever the salt of hash() is. Without the
    # number of the run, a second one of the same seed would play the same.
    return random.Random(f"{run.settings.seed}/{len(run.earlier)}/{at.batch}")


# --- against one opponent ---


def learner_for(settings: RunSettings, table: AfterstateTable) -> Learner:
    """Return the learner of a run with *settings*, in training or for the replay of a game."""
    return Learner(
        table,
        None if settings.is_against_itself else BASELINES[settings.plan],
        settings.update,
        alpha=settings.alpha,
        gamma=settings.gamma,
        explore=EXPLORATION_RULES[settings.explore].explore,
        schedule=EpsilonSchedule(settings.epsilon_end, settings.epsilon_decay),
    )


def against(run: Run, table: AfterstateTable) -> Iterator[Step]:
    """Play from the empty board against one baseline bot, or against itself."""
    settings = run.settings
    assert settings.games is not None
    learner = learner_for(settings, table)
    at = run.progress
    while at.games < settings.games:
        # The number of a game decides the seat, so a resumed run continues alike.
        end = min(at.games + BATCH, settings.games)
        batch = learner.play(range(at.games, end), at.epsilon, _source(run, at))
        at = replace(at, epsilon=batch.epsilon, batch=at.batch + 1, games=end, stage_games=end)
        yield batch, at, end / settings.games


# --- from the end backwards ---


def reverse(run: Run, table: RowTable) -> Iterator[Step]:
    """Decide every position, by descending ply, then practise in those that are lost.

    Exploring starts over all positions take the place of ε (Sutton & Barto, §5.3): a game starts
    from every position, and all actions that are still open there are equally good.
    """
    practises = run.settings.practice != "none"
    now = run.progress
    if now.stage == 0:
        share = 1 - _PRACTICE_SHARE if practises else 1.0
        sweep = Sweep(table)
        for batch, at, done in _by_ply(run, now, starting_positions(), sweep.play):
            yield batch, at, done * share
            now = at
        del sweep  # practice and pruning need its 36 MB
        now = replace(now, stage=1, stage_games=0, ply=-1, index=0)
    if practises:
        practice = Practice(table, run.settings.practice)
        lost = _grouped(table.lost_states())

        def begin(ply: int, index: int) -> None:
            practice.begin(lost[ply][:index], lost[ply + 2])

        for batch, at, done in _by_ply(run, now, lost, practice.play, begin):
            yield batch, at, 1 - _PRACTICE_SHARE * (1 - done)


def _by_ply(
    run: Run,
    at: Progress,
    by_ply: Sequence[Sequence[State]],
    play: _Play,
    begin: Callable[[int, int], object] = lambda _ply, _index: None,
) -> Iterator[Step]:
    """Have *play* start from all positions *by_ply* from *at* on, by descending ply.

    Before each ply, *begin* gets its number and how many of its positions are done.
    """
    total = max(1, sum(map(len, by_ply)))
    first = LONGEST_GAME if at.ply < 0 else at.ply
    for number in range(first, -1, -1):
        states = by_ply[number]
        later = sum(map(len, by_ply[number + 1 :]))
        done = at.index if number == at.ply else 0
        begin(number, done)
        for index in range(done, len(states), BATCH):
            batch = play(states[index : index + BATCH], _source(run, at))
            at = replace(
                at,
                batch=at.batch + 1,
                games=at.games + batch.games,
                stage_games=at.stage_games + batch.games,
                ply=number,
                index=min(index + BATCH, len(states)),
            )
            yield batch, at, (later + at.index) / total


def starting_positions() -> tuple[array[int], ...]:
    """Return the canonical live positions by ply, each ply in ascending order: 9 MB, 0.4 s."""
    return _grouped(members(learnable_positions()))


def _grouped(states: Iterable[State]) -> tuple[array[int], ...]:
    """Return *states* by ply, and two empty plies, which follow the last."""
    by_ply = [array("i") for _ in range(LONGEST_GAME + 3)]
    # Half boards need two look-ups for each of two million positions; ply adds up twelve cells.
    plies = [ply(half) for half in range(4096)]
    for state in states:
        by_ply[plies[state >> 12] + plies[state & 4095]].append(state)
    return tuple(by_ply)


# --- the table of a plan ---


def table_for(settings: RunSettings, table: QTable) -> QTable:
    """Return *table* as the plan of *settings* trains it; one that fits is returned itself.

    The plan *reverse* trains a dense table without estimates, all others an `AfterstateTable`.
    """
    if settings.plan != REVERSE:
        trained = table if isinstance(table, AfterstateTable) else AfterstateTable.of(table)
        # The learner sets the same, but the log is read before there is one.
        trained.opponent_may_fail = not settings.is_against_itself
        return trained
    assert isinstance(table, RowTable)
    table.estimates.clear()
    table.make_dense()
    return table
