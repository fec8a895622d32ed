"""The learner's games: three loops that play many episodes and learn from the end of each.

`self_play` plays the learner against itself, `play_against` against a
policy, and `sweep` against itself from positions whose successors are
all decided, where every game is over after three plies at most. All games are
played on canonical boards: after each move the board is turned to the smallest
of its images.

These loops are longer than they are beautiful, because they run millions of
times; the tests hold each equal to the same game in slow words.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from traffic_lights.board.policy import Policy
from traffic_lights.board.positions import byte_flags, finished_positions
from traffic_lights.board.rules import (
    ACTIONS_OF,
    ALL_CELLS,
    EMPTY_BOARD,
    LONGEST_GAME,
    STATE_CODES,
    STEPS,
    State,
    is_terminal,
    legal_actions,
    ply,
    red_cells,
)
from traffic_lights.board.symmetry import canonical, orbit
from traffic_lights.learning.qtable import (
    CONCEDED,
    WINS_SHIFT,
    EpsilonSchedule,
    QTable,
    SparseRows,
    updated,
)

_FINISHED: Final = -1
_UNKNOWN: Final = 0
_NO_MOVE: Final = -1


@dataclass(slots=True)
class Batch:
    """What a number of games changed, in order.

    A delta is ``state << 5 | action << 1 | (value > 0)``; its value is -1.0 or
    +1.0 unless *values* holds another at the same index.
    """

    games: int = 0
    epsilon: float = 0.0
    """ε of the next game."""
    deltas: list[int] = field(default_factory=list)
    values: list[float] | None = None


class Learner:
    """A Q-table in training, with the learning rate and the memory that makes it fast.

    ``images[s]`` is the canonical state of s, -1 if s is finished, 0 if it was
    not met yet: one look-up a ply serves the rules and the symmetry. A state
    whose image is there has its illegal actions marked in the table.
    """

    def __init__(self, table: QTable, alpha: float, *, proves: bool = True) -> None:
        """Train *table*; *proves* says that its signs are facts, and so decide positions."""
        self.table = table
        self.alpha = alpha
        self.decided_by_ply = [0] * (LONGEST_GAME + 1)
        """How many canonical positions are decided, by ply; always 0 of estimates."""
        self._proves = proves
        self._images: array[int] | SparseRows | None = None
        self._policy: Policy | None = None
        self._choices: array[int] | SparseRows = SparseRows()
        self._lost: bytearray | None = None

    def count_decided(self) -> None:
        """Count what the table has decided already; one that starts empty needs no count."""
        self.decided_by_ply[:] = [0] * len(self.decided_by_ply)
        for state in self.table.states() if self._proves else ():
            if self.table.signs[state] >= CONCEDED:
                self.decided_by_ply[ply(state)] += 1

    @property
    def is_exact(self) -> bool:
        """Whether every value is -1, 0 or +1, now and after any update."""
        return self.alpha == 1.0 and not self.table.graded

    @property
    def images(self) -> array[int] | SparseRows:
        """The canonical state by state: 64 MB beside a dense table, made when first needed."""
        if self._images is None:
            self._images = self._rows("i")
        return self._images

    def _rows(self, typecode: str) -> array[int] | SparseRows:
        """Return a zero for each state, in memory as dense as the table."""
        if isinstance(self.table.signs, dict):
            return SparseRows()
        return array(typecode, [0]) * STATE_CODES

    def choices(self, policy: Policy) -> array[int] | SparseRows:
        """Return the mask of what *policy* chooses among, by canonical state, 0 if not met yet.

        32 MB beside a dense table; the choices of one policy are kept at a time.
        """
        if self._policy is None or self._policy.actions is not policy.actions:
            self._policy, self._choices = policy, self._rows("H")
        return self._choices

    @property
    def lost(self) -> bytearray:
        """One byte a state, 1 if it is finished or conceded, whatever mirror image: 16 MB."""
        if self._lost is None:
            self._lost = bytearray().join(byte_flags(slab) for slab in finished_positions())
            for state in self.table.conceded_states() if any(self.decided_by_ply) else ():
                self.mark_lost(state)
        return self._lost

    def mark_lost(self, state: State) -> None:
        """Note that *state*, and so each of its images, is conceded."""
        for image in orbit(state):
            self.lost[image] = 1

    def meet(self, state: State) -> int:
        """Return what ``images[state]`` will be from now on; -1 if the state is finished."""
        if is_terminal(state):
            self.images[state] = _FINISHED
            return _FINISHED
        image = canonical(state)
        self.images[state] = image
        self.mark_illegal(image)
        return image

    def mark_illegal(self, state: State) -> None:
        """Close the illegal actions of the canonical *state*."""
        self.table.signs[state] |= red_cells(state)

    def meet_choices(self, policy: Policy, state: State) -> int:
        """Return the mask of what *policy* chooses among in *state*, and remember it."""
        mask = sum(1 << action for action in policy.actions(state))
        self.choices(policy)[state] = mask
        return mask

    def learn(self, move: int, target: float, batch: Batch) -> None:
        """Move the value of *move* (state << 4 | action) towards *target*, from -1 to +1.

        A value that does not change leaves no delta.
        """
        state, action = move >> 4, move & 15
        table = self.table
        row = table.signs[state]
        value = table.graded.get(move, (row >> WINS_SHIFT >> action & 1) - (row >> action & 1))
        new = updated(value, target, self.alpha)
        if new == value:
            return
        table.set_value(state, action, new)
        if row < CONCEDED <= table.signs[state] and self._proves:
            self.decided_by_ply[ply(state)] += 1
            if self._lost is not None and table.signs[state] == CONCEDED:
                self.mark_lost(state)
        batch.deltas.append(state << 5 | action << 1 | (new > 0))
        if batch.values is not None:
            batch.values.append(new)

    def new_batch(self, epsilon: float) -> Batch:
        """Return a batch without games, ready for this learner's values."""
        return Batch(epsilon=epsilon, values=None if self.is_exact else [])


def until_decided(learner: Learner, starts: Iterable[State]) -> Iterator[State]:
    """Yield each of *starts* again and again until it is decided, then the next."""
    signs = learner.table.signs
    for state in starts:
        learner.mark_illegal(state)
        while signs[state] < CONCEDED:
            yield state


def least_visited_action(state: State, visits: dict[State, int], rng: random.Random) -> int:
    """Return the legal action whose successor was visited least, ties at random."""
    actions = ACTIONS_OF[ALL_CELLS ^ red_cells(state)]
    counts = [visits.get(canonical(state + STEPS[action]), 0) for action in actions]
    fewest = min(counts)
    least = [a for a, n in zip(actions, counts, strict=True) if n == fewest]
    return least[int(rng.random() * len(least))]


def self_play(
    learner: Learner,
    starts: Iterable[State],
    schedule: EpsilonSchedule,
    epsilon: float,
    rng: random.Random,
    *,
    least_visited: bool = False,
) -> Batch:
    """Play one game of the learner against itself from each canonical live state of *starts*.

    In each state the mover concedes if every action is closed; else, with
    chance ε, it plays any legal action (or, *least_visited*, the one whose
    successor was visited least in this batch), else one of highest value. Ties
    are broken at random, and nothing is drawn where there is no choice.
    """
    batch = learner.new_batch(epsilon)
    signs, images, meet, learn = learner.table.signs, learner.images, learner.meet, learner.learn
    choose_among, steps, draw = ACTIONS_OF, STEPS, rng.random
    graded, best_of = learner.table.graded, learner.table.best_canonical_actions
    visits: dict[State, int] | None = {} if least_visited else None
    floor, decay = schedule.end, schedule.decay
    games = 0
    for state in starts:
        games += 1
        if not signs[state]:
            learner.mark_illegal(state)
        last = previous = _NO_MOVE
        while True:
            row = signs[state]
            if row < CONCEDED:
                actions = choose_among[row ^ CONCEDED]
            elif row == CONCEDED:
                break
            else:
                actions = best_of(state) if graded else choose_among[row >> WINS_SHIFT]
            if epsilon and draw() < epsilon:
                if visits is not None:
                    actions = (least_visited_action(state, visits, rng),)
                else:
                    actions = choose_among[ALL_CELLS ^ red_cells(state)]
            action = actions[int(draw() * len(actions))] if len(actions) > 1 else actions[0]
            previous, last = last, state << 4 | action
            played = state + steps[action]
            state = images[played]
            if state <= 0:
                if state == _UNKNOWN:
                    state = meet(played)
                if state == _FINISHED:
                    break
            if visits is not None:
                visits[state] = visits.get(state, 0) + 1
        if last != _NO_MOVE:
            learn(last, 1, batch)
            if previous != _NO_MOVE:
                learn(previous, -1, batch)
        if epsilon > floor:
            epsilon = max(floor, epsilon * decay)
    batch.games, batch.epsilon = games, epsilon
    return batch


def play_against(
    learner: Learner,
    policy: Policy,
    game_numbers: Sequence[int],
    schedule: EpsilonSchedule,
    epsilon: float,
    rng: random.Random,
    *,
    least_visited: bool = False,
) -> Batch:
    """Play the learner from the empty board against *policy*, first in even games.

    The learner plays as in `self_play` and learns from its own last action.
    """
    batch = learner.new_batch(epsilon)
    signs, images, meet, learn = learner.table.signs, learner.images, learner.meet, learner.learn
    choose_among, steps, draw = ACTIONS_OF, STEPS, rng.random
    graded, best_of = learner.table.graded, learner.table.best_canonical_actions
    # Who chooses among all legal actions is tired from the start, and needs no memory.
    fewest, most = (0, 0) if policy.actions is legal_actions else policy.lasts
    choices: array[int] | SparseRows = learner.choices(policy) if most else SparseRows()
    visits: dict[State, int] | None = {} if least_visited else None
    floor, decay = schedule.end, schedule.decay
    learner.mark_illegal(EMPTY_BOARD)
    for number in game_numbers:
        is_learners_turn = number % 2 == 0
        foreseen = fewest if fewest == most else fewest + int(draw() * (most - fewest + 1))
        state = EMPTY_BOARD
        last = _NO_MOVE
        while True:
            if is_learners_turn:
                row = signs[state]
                if row < CONCEDED:
                    actions = choose_among[row ^ CONCEDED]
                elif row == CONCEDED:
                    is_learners_turn = False
                    break
                else:
                    actions = best_of(state) if graded else choose_among[row >> WINS_SHIFT]
                if epsilon and draw() < epsilon:
                    if visits is not None:
                        actions = (least_visited_action(state, visits, rng),)
                    else:
                        actions = choose_among[ALL_CELLS ^ red_cells(state)]
                action = actions[int(draw() * len(actions))] if len(actions) > 1 else actions[0]
                last = state << 4 | action
            else:
                if foreseen > 0:
                    foreseen -= 1
                    actions = choose_among[choices[state] or learner.meet_choices(policy, state)]
                else:
                    actions = choose_among[ALL_CELLS ^ red_cells(state)]
                action = actions[int(draw() * len(actions))] if len(actions) > 1 else actions[0]
            played = state + steps[action]
            state = images[played]
            if state <= 0:
                if state == _UNKNOWN:
                    state = meet(played)
                if state == _FINISHED:
                    break
            if visits is not None:
                visits[state] = visits.get(state, 0) + 1
            is_learners_turn = not is_learners_turn
        if last != _NO_MOVE:
            learn(last, 1 if is_learners_turn else -1, batch)
        if epsilon > floor:
            epsilon = max(floor, epsilon * decay)
    batch.games, batch.epsilon = len(game_numbers), epsilon
    return batch


def sweep(learner: Learner, starts: Iterable[State], rng: random.Random) -> Batch:
    """Decide the canonical live states of *starts*, of one ply, whose successors all are.

    Equal to `self_play` without exploration from each start until it is
    decided, with α = 1, but each game stops where its result is known: if the
    action completes a line or the opponent concedes, it wins; otherwise the
    opponent's answer is known to win and is not played out.
    """
    batch = learner.new_batch(0.0)
    signs, lost = learner.table.signs, learner.lost
    choose_among, steps, draw, append = ACTIONS_OF, STEPS, rng.random, batch.deltas.append
    state = decided = 0
    for state in starts:
        open_actions = ALL_CELLS ^ (signs[state] | red_cells(state)) & ALL_CELLS
        if signs[state] >= CONCEDED:
            continue
        decided += 1
        while True:
            actions = choose_among[open_actions]
            action = actions[int(draw() * len(actions))] if len(actions) > 1 else actions[0]
            if lost[state + steps[action]]:
                append(state << 5 | action << 1 | 1)
                signs[state] = open_actions ^ ALL_CELLS | 1 << WINS_SHIFT + action
                break
            append(state << 5 | action << 1)
            open_actions ^= 1 << action
            if not open_actions:
                signs[state] = CONCEDED
                learner.mark_lost(state)
                break
    batch.games = len(batch.deltas)
    learner.decided_by_ply[ply(state)] += decided
    return batch
