"""Training plans: the games that a learner plays, their order, and when it is done.

A plan is a list of *stages*, played one after the other. A stage plays
one *batch* of games at a time, a fixed amount that depends on nothing but the
settings and how far the run is, so that a run can be continued from any batch
boundary as if it had never stopped.

    reverse     exploring starts over all canonical positions by descending ply
                (a reverse curriculum, Florensa et al. 2017): each is decided by
                self-play before any earlier one is tried
    selfplay    the empty board until it is proven lost, then, by ascending
                ply, what its own policy can still reach, in both seats
    baselines   Random, Alternate, itself, and Myopic at the end
    random, alternate, myopic, self      one opponent alone

The first two are followed by practice in the lost positions, by descending ply
(see `practice`).
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise
from typing import Final, Protocol

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.positions import (
    canonical_positions,
    intersection,
    live_positions,
    members,
)
from traffic_lights.board.rules import EMPTY_BOARD, LONGEST_GAME, STEPS, State, legal_actions, ply
from traffic_lights.learning.afterstates import AfterstateTable, without_estimates
from traffic_lights.learning.episodes import (
    Batch,
    Learner,
    self_play,
    sweep,
    until_decided,
)
from traffic_lights.learning.practice import MOST_GAMES, Practice
from traffic_lights.learning.qtable import LOST, EpsilonSchedule, QTable
from traffic_lights.learning.update_rules import TrainingGames
from traffic_lights.training.settings import OPPONENTS, PROVING, SHARERS, RunSettings
from traffic_lights.training.state import Progress

# Long enough that making its random source, 20 µs, costs nothing; short enough that a run stops
# within a tenth of a second when it is asked to.
GAMES_A_BATCH: Final = 1000
STARTS_A_BATCH: Final = 1000
_WORD_BITS: Final = 32


class Stage(Protocol):
    """One part of a plan."""

    @property
    def name(self) -> str:
        """What people read."""
        ...

    def play(self, at: Progress, budget: int, rng: random.Random) -> tuple[Batch, Progress] | None:
        """Play the batch at *at*, of *budget* games at most; None if the stage is over.

        The progress returned has the ply and index of the next batch; the
        caller counts batches and games.
        """
        ...


class _Lessons:
    """Games from the empty board against one baseline bot, or against itself."""

    def __init__(
        self,
        name: str,
        learner: Learner,
        settings: RunSettings,
        schedule: EpsilonSchedule,
        games: int,
    ) -> None:
        self.name = f"against {BASELINES[name].name if name in BASELINES else 'itself'}"
        self._games = games
        self._lessons = TrainingGames(
            learner,
            settings.update,
            settings.gamma,
            schedule,
            BASELINES.get(name),
            least_visited=settings.explore == "least-visited",
        )

    def play(self, at: Progress, budget: int, rng: random.Random) -> tuple[Batch, Progress] | None:
        # Batches begin at the same games whatever was interrupted, because each has its own
        # source.
        games = min(_games_left_in_batch(at), self._games - at.stage_games, budget)
        if games <= 0:
            return None
        # Seats alternate by the number of the game, whatever the batch and the resume.
        numbers = range(at.stage_games, at.stage_games + games)
        return self._lessons.play(numbers, at.epsilon, rng), at


class _FromTheStart:
    """Self-play from the empty board until it is proven lost."""

    name = "self-play from the empty board"

    def __init__(self, learner: Learner, settings: RunSettings, schedule: EpsilonSchedule) -> None:
        self._learner, self._schedule = learner, schedule
        self._least_visited = settings.explore == "least-visited"

    def play(self, at: Progress, budget: int, rng: random.Random) -> tuple[Batch, Progress] | None:
        starts = until_decided(self._learner, [EMPTY_BOARD])
        games = islice(starts, min(GAMES_A_BATCH, budget))
        batch = self_play(
            self._learner, games, self._schedule, at.epsilon, rng, least_visited=self._least_visited
        )
        return (batch, at) if batch.games else None


class _OwnReach:
    """Self-play from what the learner's greedy policy can reach and has not decided.

    Goes by ascending ply. Games from a ply change only rows of that ply and
    later ones, so which positions of it the policy reaches is settled before
    the first of them is played, and is the same after a resume.
    """

    name = "self-play from its own reach"

    def __init__(self, learner: Learner, settings: RunSettings, schedule: EpsilonSchedule) -> None:
        self._learner, self._schedule = learner, schedule
        self._least_visited = settings.explore == "least-visited"
        self._ply = -1
        self._reached: tuple[set[State], set[State]] = (set(), set())
        self._starts: list[State] = []

    def play(self, at: Progress, budget: int, rng: random.Random) -> tuple[Batch, Progress] | None:
        at = replace(at, ply=max(at.ply, 0))
        proofs = self._learner.table.proofs
        while at.ply <= LONGEST_GAME:
            starts = self._starts_of(at.ply)
            index = at.index
            # We do not save this index. It can be found again from the table.
            while index < len(starts) and proofs[starts[index]] >= LOST:
                index += 1
            if index < len(starts):
                again = until_decided(self._learner, islice(starts, index, None))
                games = islice(again, min(GAMES_A_BATCH, budget))
                batch = self_play(
                    self._learner,
                    games,
                    self._schedule,
                    at.epsilon,
                    rng,
                    least_visited=self._least_visited,
                )
                return batch, replace(at, index=index)
            at = replace(at, ply=at.ply + 1, index=0)
        return None

    def _starts_of(self, wanted: int) -> list[State]:
        """Return, ascending, the positions of ply *wanted* that the policy may have to move in."""
        if self._ply < 0:
            self._ply, self._reached = 0, ({EMPTY_BOARD}, {EMPTY_BOARD})
            self._starts = [EMPTY_BOARD]
        while self._ply < wanted:
            self._reached = (self._after(0), self._after(1))
            self._ply += 1
            self._starts = sorted(self._reached[self._ply % 2])
        return self._starts

    def _after(self, seat: int) -> set[State]:
        """Return what is reached one ply later when the policy plays *seat*."""
        # The policy is asked only in its own seat; whatever is legal may happen in the other.
        policy = self._learner.table.best_canonical_actions
        choose = policy if self._ply % 2 == seat else legal_actions
        return {
            image
            for state in self._reached[seat]
            for action in choose(state)
            if (image := self._learner.live_image(state + STEPS[action])) is not None
        }


class _ReverseCurriculum:
    """Exploring starts over every canonical position, by descending ply."""

    name = "reverse curriculum"

    def __init__(self, learner: Learner, schedule: EpsilonSchedule) -> None:
        self._learner, self._schedule = learner, schedule

    def play(self, at: Progress, budget: int, rng: random.Random) -> tuple[Batch, Progress] | None:
        if at.ply < 0 and at.index == 0 and at.stage_games == 0:
            at = replace(at, ply=LONGEST_GAME)
        while at.ply >= 0:
            starts = starting_positions()[at.ply][at.index : at.index + STARTS_A_BATCH]
            if starts:
                return self._decide(starts, at, budget, rng)
            at = replace(at, ply=at.ply - 1, index=0)
        return None

    def _decide(
        self, starts: Sequence[State], at: Progress, budget: int, rng: random.Random
    ) -> tuple[Batch, Progress]:
        """Decide *starts*, or as many as *budget* games do; only then the index stays."""
        learner = self._learner
        # No start takes more games than it has actions, so that many cannot overdraw.
        if budget >= len(starts) * len(STEPS):
            batch = sweep(learner, starts, rng)
            batch.epsilon = at.epsilon
            return batch, replace(at, index=at.index + len(starts))
        games = islice(until_decided(learner, starts), budget)
        batch = self_play(learner, games, self._schedule, 0.0, rng)
        batch.epsilon = at.epsilon
        done = batch.games < budget or learner.table.proofs[starts[-1]] >= LOST
        return batch, replace(at, index=at.index + len(starts)) if done else at


class PracticeStage:
    """Practice in every position that the table has proven lost, by descending ply."""

    def __init__(self, learner: Learner, opponent: str) -> None:
        self.name = f"practice against {opponent.capitalize()}"
        self._learner, self._opponent = learner, opponent
        self._practice: Practice | None = None
        self._lost: list[array[int]] = []
        self._ply = -1
        """The ply that was begun."""

    def play(self, at: Progress, budget: int, rng: random.Random) -> tuple[Batch, Progress] | None:
        """Practise in the next positions of the batch at *at*, as many as *budget* games allow."""
        practice = self._practice or self._prepared()
        if at.ply < 0 and at.stage_games == 0:
            at = replace(at, ply=LONGEST_GAME)
        while at.ply >= 0:
            lost = self._lost[at.ply]
            # A position is practised to the end or not at all, so that no resume has to know how
            # far one is; the last few games of a limit stay unplayed for it.
            most = min(STARTS_A_BATCH, budget // MOST_GAMES)
            states = lost[at.index : at.index + most]
            if states:
                if self._ply != at.ply:
                    self._ply = at.ply
                    practice.begin(lost[: at.index], self._lost[at.ply + 2])
                batch = practice.play(states, rng)
                batch.epsilon = at.epsilon
                return batch, replace(at, index=at.index + len(states))
            if at.index < len(lost):
                return None
            at = replace(at, ply=at.ply - 1, index=0)
        return None

    def _prepared(self) -> Practice:
        """Find the lost positions, which practice does not change."""
        table = self._learner.table
        # Two plies more than there are: practice of a ply reads what was learned two plies on.
        self._lost = [array("i") for _ in range(LONGEST_GAME + 3)]
        for state in table.lost_states():
            if table.is_lost(state):
                self._lost[ply(state)].append(state)
        is_complete = sum(self._learner.decided_by_ply) == sum(map(len, starting_positions()))
        self._practice = Practice(table, self._opponent, is_complete=is_complete)
        return self._practice

    def share(self, at: Progress) -> float:
        """Return how much of the practice is done at *at*, from 0 to 1."""
        done = at.index + sum(len(states) for states in self._lost[at.ply + 1 :])
        return done / max(1, sum(map(len, self._lost)))


@cache
def starting_positions() -> tuple[array[int], ...]:
    """Return the canonical live positions by ply, each ply in ascending order; 9 MB, made once."""
    by_ply = [array("i") for _ in range(LONGEST_GAME + 1)]
    # By half boards: two look-ups for each of two million positions, where ply would add up twelve
    # cells.
    plies = [ply(half) for half in range(4096)]
    for state in members(intersection(canonical_positions(), live_positions())):
        by_ply[plies[state >> 12] + plies[state & 4095]].append(state)
    return tuple(by_ply)


def make_stages(settings: RunSettings, learner: Learner) -> list[Stage]:
    """Return the stages of *settings*' plan for *learner*."""
    schedule = EpsilonSchedule(settings.epsilon_start, settings.epsilon_end, settings.epsilon_decay)
    practice = settings.checked().practice
    follows: list[Stage] = [PracticeStage(learner, practice)] if practice != "none" else []
    if settings.plan == "reverse":
        # Exploring starts take the place of ε (Sutton & Barto, §5.3): every position is started
        # from, and in it all that is open is equally good.
        return [_ReverseCurriculum(learner, EpsilonSchedule(0.0, 0.0, 1.0)), *follows]
    if settings.plan == "selfplay":
        return [
            _FromTheStart(learner, settings, schedule),
            _OwnReach(learner, settings, schedule),
            *follows,
        ]
    games = settings.games or 0
    if settings.plan == "baselines":
        parts = _divided(games, settings.shares)
        pairs = list(zip(SHARERS, parts, strict=True))
    else:
        pairs = [(settings.plan, games)]
    return [_Lessons(name, learner, settings, schedule, n) for name, n in pairs if n]


def table_for(settings: RunSettings, table: QTable) -> QTable:
    """Return *table* as the plan of *settings* trains it.

    Estimates are shared; the plans that decide every position
    by proofs put estimates away. A table that fits is returned itself.
    """
    if settings.plan in PROVING:
        return (
            without_estimates(table)
            if table.has_estimates or table.meta.get("estimates")
            else table
        )
    return table if isinstance(table, AfterstateTable) else AfterstateTable.of(table)


def _divided(games: int, shares: Sequence[int]) -> list[int]:
    """Return *games* divided like *shares*, whole games, the same sum."""
    # The bounds are rounded, not the parts: so these add up to all games.
    bounds = [games * sum(shares[:i]) // sum(shares) for i in range(len(shares) + 1)]
    return [high - low for low, high in pairwise(bounds)]


def played(
    settings: RunSettings, stages: Sequence[Stage], at: Progress, run: int
) -> Iterator[tuple[Batch, Progress]]:
    """Yield each batch from *at* on with the progress after it, until the run is done.

    Everything random in a batch comes from (seed, number of the run on its
    table, number of the batch), so where a run was interrupted leaves no trace.
    Where its end cut a batch short, more games continue with the rest of the batch.
    """
    while at.stage < len(stages):
        budget = settings.games - at.games if settings.games is not None else 1 << 60
        if budget <= 0:
            return
        # Only a run against an opponent can get more games later, and then finishes the batch that
        # its end cuts short. Counting slows each draw, so no other batch is counted.
        is_cut = settings.plan in OPPONENTS and budget < _games_left_in_batch(at)
        kind = CountedSource if is_cut else random.Random
        # Seed each batch separately, so a resume need not replay the random draws of earlier
        # batches. random hashes a string by SHA-512, so neighbouring batches get unrelated sources,
        # whatever the salt of hash() is. Without the number of the run, a second run of the same
        # seed would play the games of the first again.
        rng = kind(f"{settings.seed}/{run}/{at.batch}")
        rng.getrandbits(_WORD_BITS * at.drawn)
        result = stages[at.stage].play(at, budget, rng)
        if result is None:
            at = replace(at, stage=at.stage + 1, stage_games=0, ply=-1, index=0)
            continue
        batch, at = result
        at = replace(
            at,
            batch=at.batch + (not is_cut),
            drawn=rng.words if isinstance(rng, CountedSource) else 0,
            games=at.games + batch.games,
            stage_games=at.stage_games + batch.games,
            changes=at.changes + len(batch.deltas),
            epsilon=batch.epsilon,
        )
        yield batch, at


def _games_left_in_batch(at: Progress) -> int:
    return GAMES_A_BATCH - at.stage_games % GAMES_A_BATCH


class CountedSource(random.Random):
    """A random source that counts what it gives.

    Every draw is made of words of 32 bits, so as many of them bring another
    source of the same seed to where this one is.
    """

    words = 0

    def random(self) -> float:
        """Return a number from 0 to below 1, made of two words."""
        self.words += 2
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        """Return an int of *k* random bits, made of as many words as hold them."""
        # All other methods draw by these two, as the library promises to subclasses.
        self.words += -(-k // _WORD_BITS)
        return super().getrandbits(k)
