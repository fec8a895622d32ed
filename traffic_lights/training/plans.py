"""Training plans: the games that a learner plays, their order, and when it is done.

A plan is a list of *stages*, played one after the other in *batches* of games. The page of this
folder describes the plans.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, islice, pairwise
from typing import Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.positions import (
    POSITIONS,
    contains,
    finished,
    learnable_positions,
    members,
)
from traffic_lights.board.rules import EMPTY_BOARD, LONGEST_GAME, STEPS, State, legal_actions, ply
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.afterstates import AfterstateTable
from traffic_lights.learning.batches import Batch, EpsilonSchedule, TrainingState
from traffic_lights.learning.exploration import EXPLORATION_RULES
from traffic_lights.learning.learner import Learner
from traffic_lights.learning.practice import MOST_TRIES, Practice
from traffic_lights.learning.proving import Sweep, self_play, until_decided
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.rowtable import LOST, RowTable, copy_of
from traffic_lights.training.progress import Progress, Run
from traffic_lights.training.settings import CURRICULUM, OPPONENTS, PROVING, RunSettings

# A batch is long compared with the 20 µs for its random source. It is also so short that a run can
# stop within a tenth of a second.
BATCH: Final = 1000
"""The games of a batch, or the positions that it starts from."""
_NO_LIMIT: Final = 1 << 60
"""The budget of a run that ends by itself."""


class Stage:
    """One part of a plan.

    Each batch depends on nothing except the settings, the table, and how far the run is. So a run
    can be continued from any batch as if it had never stopped.
    """

    name = ""

    def __init__(self, training: TrainingState, settings: RunSettings) -> None:
        self._training = training
        self._settings = settings
        self._schedule = EpsilonSchedule(
            settings.epsilon_start, settings.epsilon_end, settings.epsilon_decay
        )
        self._explore = EXPLORATION_RULES[settings.explore].explore

    def play(self, at: Progress, budget: int, rng: random.Random) -> tuple[Batch, Progress] | None:
        """Play the batch at *at*, of *budget* games at most; None if the stage is over.

        The progress returned has the next ply, index and ε; the caller counts batches and games.
        The ply is -1 when the stage begins.
        """
        raise NotImplementedError

    def _self_play(
        self, starts: Iterable[State], at: Progress, budget: int, rng: random.Random
    ) -> Batch:
        games = islice(until_decided(self._training, starts), min(BATCH, budget))
        return self_play(
            self._training,
            games,
            self._schedule,
            at.epsilon,
            rng,
            explore=self._explore,
        )


class _OneOpponent(Stage):
    """Games from the empty board against one baseline bot, or against itself."""

    def __init__(
        self, training: TrainingState, settings: RunSettings, opponent: str, games: int
    ) -> None:
        super().__init__(training, settings)
        policy = BASELINES.get(opponent)
        self.name = f"against {policy.name if policy is not None else 'itself'}"
        self._games = games
        assert isinstance(training.table, AfterstateTable)
        self._learner = Learner(
            training.table,
            policy,
            settings.update,
            alpha=settings.alpha,
            gamma=settings.gamma,
            explore=self._explore,
        )

    def play(self, at: Progress, budget: int, rng: random.Random) -> tuple[Batch, Progress] | None:
        # A batch begins at the same games after a resume, because it has its own random source. If
        # it was divided by a pause, this is its rest.
        left_in_batch = BATCH - at.stage_games % BATCH
        games = min(left_in_batch, self._games - at.stage_games, budget)
        if games <= 0:
            return None
        # The number of a game decides the seat, so a resumed run continues alike.
        numbers = range(at.stage_games, at.stage_games + games)
        batch = self._learner.play(numbers, at.epsilon, self._schedule, rng)
        for state in batch.decided:
            self._training.decided_by_ply[ply(state)] += 1
        return batch, replace(at, epsilon=batch.epsilon)


class _FromTheStart(Stage):
    """Self-play from the empty board until it is proven lost."""

    name = "self-play from the empty board"

    def play(self, at: Progress, budget: int, rng: random.Random) -> tuple[Batch, Progress] | None:
        batch = self._self_play([EMPTY_BOARD], at, budget, rng)
        if not batch.games:
            return None
        return batch, replace(at, epsilon=batch.epsilon)


class _OwnReach(Stage):
    """Self-play from the undecided positions that the learner's greedy policy can reach.

    The stage goes by ascending ply. Games from a ply change only rows of that ply and later ones.
    So what the policy reaches at a ply does not change in its games, and a resume finds the same.
    """

    name = "self-play from positions that it can reach"

    def __init__(self, training: TrainingState, settings: RunSettings) -> None:
        super().__init__(training, settings)
        self._ply = 0
        self._reached: tuple[set[State], set[State]] = ({EMPTY_BOARD}, {EMPTY_BOARD})
        """What is reached at that ply when the policy plays each seat."""
        self._starts = [EMPTY_BOARD]
        """The positions of that ply that the policy may have to move in, ascending."""

    def play(self, at: Progress, budget: int, rng: random.Random) -> tuple[Batch, Progress] | None:
        at = replace(at, ply=max(at.ply, 0))
        proofs = self._training.proofs
        while at.ply <= LONGEST_GAME:
            while self._ply < at.ply:
                self._reached = (self._after(0), self._after(1))
                self._ply += 1
                self._starts = sorted(self._reached[self._ply % 2])
            rest = range(at.index, len(self._starts))
            # We do not save this index. It can be found again from the table.
            index = next((i for i in rest if proofs[self._starts[i]] < LOST), None)
            if index is not None:
                starts = islice(self._starts, index, None)
                batch = self._self_play(starts, at, budget, rng)
                return batch, replace(at, index=index, epsilon=batch.epsilon)
            at = replace(at, ply=at.ply + 1, index=0)
        return None

    def _after(self, seat: int) -> set[State]:
        """Return what is reached one ply later when the policy plays *seat*."""
        # The policy chooses only in its own seat; in the other seat any legal move may happen.
        policy = self._training.table.best_canonical_actions
        choose = policy if self._ply % 2 == seat else legal_actions
        after = {state + STEPS[a] for state in self._reached[seat] for a in choose(state)}
        return {canonical(state) for state in after if not contains(finished(), state)}


class _ReverseCurriculum(Stage):
    """Exploring starts over every canonical position, by descending ply.

    They take the place of ε (Sutton & Barto, §5.3): a game starts from every position, and all
    actions that are still open there are equally good.
    """

    name = "from the end of the game backwards"

    def __init__(self, training: TrainingState, settings: RunSettings) -> None:
        super().__init__(training, settings)
        self._starts: Sequence[array[int]] = ()
        """The positions by ply, as `starting_positions` has them; none before the first batch."""
        self._sweep: Sweep | None = None

    def play(self, at: Progress, budget: int, rng: random.Random) -> tuple[Batch, Progress] | None:
        if not self._starts:
            self._starts = starting_positions()
        place = _descended(at, self._starts)
        if place is None:
            # Practice, writing and pruning do not need these 45 MB.
            self._starts = ()
            self._sweep = None
            return None
        self._sweep = self._sweep or Sweep(self._training)
        starts = self._starts[place.ply][place.index : place.index + BATCH]
        batch = self._sweep.play(starts, budget, rng)
        return batch, replace(place, index=place.index + len(starts))


class PracticeStage(Stage):
    """Practice in every position that the table has proven lost, by descending ply."""

    def __init__(self, training: TrainingState, settings: RunSettings) -> None:
        super().__init__(training, settings)
        self.name = f"practice against {BASELINES[settings.practice].name}"
        self._practice: Practice | None = None
        # Practice of a ply reads what was learned two plies later, so there are two empty ones.
        self._lost = [array("i") for _ in range(LONGEST_GAME + 3)]
        self._ply = -1
        """The ply that was begun."""

    def play(self, at: Progress, budget: int, rng: random.Random) -> tuple[Batch, Progress] | None:
        if self._practice is None:
            self._practice = self._new_practice()
        place = _descended(at, self._lost)
        # A position is practised to the end or not at all, so that a resume need not know how far
        # one is. If the games are limited, the last few may therefore stay unplayed.
        most = min(BATCH, budget // MOST_TRIES)
        if place is None or not most:
            return None
        lost = self._lost[place.ply]
        if self._ply != place.ply:
            self._ply = place.ply
            self._practice.begin(lost[: place.index], self._lost[place.ply + 2])
        states = lost[place.index : place.index + most]
        batch = self._practice.play(states, rng)
        return batch, replace(place, index=place.index + len(states))

    def _new_practice(self) -> Practice:
        """List the lost positions, which practice does not change, and return their practice."""
        table = self._training.table
        assert isinstance(table, RowTable)
        is_complete = sum(self._training.decided_by_ply) == POSITIONS
        for state in table.lost_states():
            self._lost[ply(state)].append(state)
        return Practice(table, self._settings.practice, is_complete=is_complete)

    def share(self, at: Progress) -> float:
        """Return how much of the practice is done at *at*, from 0 to 1."""
        done = at.index + sum(map(len, self._lost[at.ply + 1 :]))
        return done / max(1, sum(map(len, self._lost)))


def _descended(at: Progress, by_ply: Sequence[Sequence[State]]) -> Progress | None:
    """Return *at*, or the beginning of the next lower ply that has states; None if none has."""
    if at.ply < 0:  # the stage begins
        at = replace(at, ply=LONGEST_GAME)
    while at.index >= len(by_ply[at.ply]):
        if at.ply == 0:
            return None
        at = replace(at, ply=at.ply - 1, index=0)
    return at


def starting_positions() -> tuple[array[int], ...]:
    """Return the canonical live positions by ply, each ply in ascending order: 9 MB, 0.4 s."""
    by_ply = [array("i") for _ in range(LONGEST_GAME + 1)]
    # Half boards need two look-ups for each of two million positions; ply adds up twelve cells.
    plies = [ply(half) for half in range(4096)]
    for state in members(learnable_positions()):
        by_ply[plies[state >> 12] + plies[state & 4095]].append(state)
    return tuple(by_ply)


def make_stages(settings: RunSettings, training: TrainingState) -> list[Stage]:
    """Return the stages of the plan of *settings*, in the order of play."""
    if settings.plan in PROVING:
        kinds: list[type[Stage]] = [_FromTheStart, _OwnReach]
        if settings.plan == "reverse":
            kinds = [_ReverseCurriculum]
        if settings.practice != "none":
            kinds.append(PracticeStage)
        return [kind(training, settings) for kind in kinds]
    games = settings.games or 0
    if settings.plan in OPPONENTS:
        return [_OneOpponent(training, settings, settings.plan, games)]
    return [_OneOpponent(training, settings, name, part) for name, part in _parts(settings) if part]


def _parts(settings: RunSettings) -> list[tuple[str, int]]:
    """Return the opponents of plan baselines, with the games against each."""
    games = settings.games or 0
    shares = settings.shares
    # Round the bounds and not the parts, so that the parts add up to all games.
    bounds = [games * passed // sum(shares) for passed in accumulate(shares, initial=0)]
    parts = [end - start for start, end in pairwise(bounds)]
    return list(zip(CURRICULUM, parts, strict=True))


def has_only_proofs(table: QTable) -> bool:
    """Return whether a plan of `PROVING` can train *table* itself."""
    return isinstance(table, RowTable) and table.proves and not table.estimates


def table_for(settings: RunSettings, table: QTable) -> QTable:
    """Return *table* as the plan of *settings* trains it.

    Plans that learn only proofs get a table without estimates, and all others an
    `AfterstateTable`. A table that fits is returned itself.
    """
    if settings.plan not in PROVING:
        trained = table if isinstance(table, AfterstateTable) else AfterstateTable.of(table)
        trained.keeps_estimates = not settings.is_against_itself
        return trained
    if has_only_proofs(table):
        return table
    only_proofs = copy_of(table) if table.proves else RowTable()
    only_proofs.meta = table.meta
    only_proofs.estimates.clear()
    return only_proofs


def played(
    run: Run, stages: Sequence[Stage], pauses: Sequence[int] = ()
) -> Iterator[tuple[Batch, Run]]:
    """Yield each batch with *run* as it is after it, from its progress on, until it is done.

    Games against an opponent also pause after the games *pauses* of the run, ascending. A pause
    divides a batch and changes nothing else, unless exploring counts visits.
    """
    settings = run.settings
    at = run.progress
    rng: random.Random | None = None
    while at.stage < len(stages):
        budget = _NO_LIMIT if settings.games is None else settings.games - at.games
        if budget <= 0:
            return
        if rng is None:
            # Seed each batch separately, so an interruption leaves no trace. random hashes a string
            # by SHA-512, so neighbouring batches get unrelated sources, whatever the salt of hash()
            # is. Without the number of the run, a second one of the same seed would play the same.
            rng = random.Random(f"{settings.seed}/{run.number}/{at.batch}")
        to_pause = next((games - at.games for games in pauses if games > at.games), budget)
        batch_and_end = stages[at.stage].play(at, min(budget, to_pause), rng)
        if batch_and_end is None:
            at = replace(at, stage=at.stage + 1, stage_games=0, ply=-1, index=0)
            continue
        batch, at = batch_and_end
        at = replace(
            at,
            games=at.games + batch.games,
            stage_games=at.stage_games + batch.games,
            changes=at.changes + batch.changes,
        )
        batch.is_divided = at.games in pauses and at.stage_games % BATCH != 0
        if not batch.is_divided:
            at = replace(at, batch=at.batch + 1)
            rng = None
        # A batch that a limit has shortened is never continued.
        yield batch, replace(run, progress=at, is_finished=at.games == settings.games)
