"""The fast loops against the same games in slow words, and what every learned sign must mean."""

import json
import random
import unittest
from collections.abc import Iterable, Iterator
from itertools import islice

from tests.kit.samples import all_starts
from traffic_lights.board.rules import (
    CELLS,
    EMPTY_BOARD,
    Action,
    State,
    is_terminal,
    legal_actions,
    parse_board,
    play,
)
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.batches import NO_EXPLORING, Batch, EpsilonSchedule, TrainingState
from traffic_lights.learning.deltas import Delta
from traffic_lights.learning.exploration import Explore, at_random, least_visited, one_of
from traffic_lights.learning.proving import ORDERS, Sweep, orders, self_play, until_decided
from traffic_lights.learning.rowtable import RowTable

NO_LIMIT = 1 << 60
SCHEDULE = EpsilonSchedule(0.3, 0.05, 0.99)
LATE = [canonical(parse_board(text)) for text in ("012312301230", "110220330112", "001122330012")]


class SlowProver:
    """The games that only prove, as plainly as they can be said: proofs by state and action."""

    def __init__(self, schedule: EpsilonSchedule) -> None:
        self.schedule = schedule
        self.epsilon = schedule.start
        self.q: dict[tuple[State, Action], float] = {}
        self.changes: list[Delta] = []
        self.visits: dict[State, int] | None = None

    def is_lost(self, state: State) -> bool:
        return all(self.q.get((state, action)) == -1 for action in legal_actions(state))

    def is_won(self, state: State) -> bool:
        return any(self.q.get((state, action)) == 1 for action in legal_actions(state))

    def open_actions(self, state: State) -> list[Action]:
        return [action for action in legal_actions(state) if self.q.get((state, action)) != -1]

    def wins(self, state: State, action: Action) -> bool:
        """Return whether *action* completes a line or leads into a proven loss."""
        after = canonical(play(state, action))
        return is_terminal(after) or self.is_lost(after)

    def choose(self, state: State, rng: random.Random) -> Action:
        actions = self.open_actions(state)
        if self.visits is None or rng.random() >= self.epsilon:
            return one_of(actions, rng)
        seen = [self.visits.get(canonical(play(state, action)), 0) for action in actions]
        least = [action for action, n in zip(actions, seen, strict=True) if n == min(seen)]
        return least[int(rng.random() * len(least))]

    def play_itself(self, start: State, rng: random.Random) -> None:
        moves: list[tuple[State, Action]] = []
        state = start
        while not (is_terminal(state) or self.is_won(state) or self.is_lost(state)):
            if moves and self.visits is not None:
                self.visits[state] = self.visits.get(state, 0) + 1
            moves.append((state, self.choose(state, rng)))
            state = canonical(play(*moves[-1]))
        for state, action in reversed(moves):
            wins = self.wins(state, action)
            if not wins and not self.is_won(canonical(play(state, action))):
                break
            self.q[state, action] = 1.0 if wins else -1.0
            self.changes.append((state, action, self.q[state, action]))
        self.epsilon = self.schedule.after(self.epsilon)

    def until_decided(self, starts: Iterable[State]) -> Iterator[State]:
        for state in starts:
            while not self.is_won(state) and not self.is_lost(state):
                yield state


def recorded(batch: Batch) -> list[Delta]:
    """Return the records of *batch* as (state, action, value)."""
    rows = map(json.loads, batch.records().splitlines())
    return [(parse_board(row["s"]), row["a"], row["v"]) for row in rows]


class LoopsEqualSlowWordsTests(unittest.TestCase):
    def check(self, schedule: EpsilonSchedule, explore: Explore) -> None:
        fast, slow = TrainingState(RowTable(dense=True)), SlowProver(schedule)
        epsilon = schedule.start
        for number, start in enumerate((EMPTY_BOARD, *LATE)):
            slow.changes, slow.visits = [], None if explore is at_random else {}
            games = 0
            rng = random.Random(number)
            for state in islice(slow.until_decided([start]), 250):
                slow.play_itself(state, rng)
                games += 1
            batch = self_play(fast, islice(until_decided(fast, [start]), 250), schedule, epsilon,
                              random.Random(number), explore=explore)  # fmt: skip
            epsilon = batch.epsilon
            self.assertEqual(batch.deltas, slow.changes)
            self.assertEqual((batch.games, batch.epsilon), (games, slow.epsilon))
        decided = {state for state, _ in slow.q if (slow.is_won(state) or slow.is_lost(state))}
        self.assertEqual(sum(fast.decided_by_ply), len(decided))

    def test_at_random_and_exploring_the_least_visited(self) -> None:
        for explore in (at_random, least_visited):
            self.check(SCHEDULE, explore)

    def test_the_sweep_plays_games_of_one_move_until_decided(self) -> None:
        fast, slow = TrainingState(RowTable(dense=True)), SlowProver(NO_EXPLORING)
        by_ply, sweep = all_starts(), Sweep(fast)
        known = random.Random(7)
        for ply in range(len(by_ply) - 1, 26, -1):
            starts = by_ply[ply]
            expected: list[Delta] = []
            for start, byte in zip(starts, random.Random(ply).randbytes(len(starts)), strict=True):
                open_actions = slow.open_actions(start)
                if len(open_actions) > 1 and known.random() < 0.2:  # something is known already
                    self.prove_a_loss(fast, slow, start)
                    open_actions = slow.open_actions(start)
                closed = sum(1 << cell for cell in range(CELLS) if cell not in open_actions)
                for action in orders(closed)[byte % ORDERS]:
                    wins = slow.wins(start, action)
                    slow.q[start, action] = 1.0 if wins else -1.0
                    expected.append((start, action, slow.q[start, action]))
                    if wins:
                        break
            batch = sweep.play(starts, NO_LIMIT, random.Random(ply))
            self.assertEqual(recorded(batch), expected, f"ply {ply}")
            self.assertEqual((batch.games, batch.changes), (len(expected), len(expected)))
            self.assertEqual(fast.decided_by_ply[ply], len(starts))
            for start in starts:
                row = {action: slow.q.get((start, action)) for action in legal_actions(start)}
                known_values = {action: value for action, value in row.items() if value}
                self.assertEqual(fast.table.canonical_row(start), known_values)

    def prove_a_loss(self, fast: TrainingState, slow: SlowProver, start: State) -> None:
        """Let both know of one action in *start* that it loses, if there is one to spare."""
        losing = [a for a in slow.open_actions(start) if not slow.wins(start, a)]
        if losing and losing != slow.open_actions(start):
            fast.table.set_value(start, losing[0], -1.0)
            slow.q[start, losing[0]] = -1.0


class LearnerTests(unittest.TestCase):
    def test_each_greedy_game_teaches_something_new(self) -> None:
        """Without exploration no game repeats what is known, so learning must come to an end."""
        learner = TrainingState(RowTable(dense=True))
        starts = until_decided(learner, [LATE[0]])
        while True:
            batch = self_play(learner, islice(starts, 1), NO_EXPLORING, 0.0, random.Random(3))
            if not batch.games:
                break
            self.assertTrue(batch.deltas)
        self.assertTrue(learner.table.is_proven(LATE[0]))
