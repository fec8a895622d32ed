"""The fast loops against the same games in slow words, and what every learned sign must mean."""

import random
import unittest
from itertools import islice

from tests.kit.slow_learner import Change, SlowProver
from traffic_lights.board.rules import EMPTY_BOARD, parse_board
from traffic_lights.board.symmetry import canonical, orbit
from traffic_lights.learning.episodes import Batch, Learner, self_play, sweep, until_decided
from traffic_lights.learning.qtable import LOST, EpsilonSchedule, QTable
from traffic_lights.training.plans import starting_positions

SCHEDULE = EpsilonSchedule(0.3, 0.05, 0.99)
GREEDY = EpsilonSchedule(0.0, 0.0, 1.0)
LATE = [canonical(parse_board(text)) for text in ("012312301230", "110220330112", "001122330012")]


def changes(batch: Batch) -> list[Change]:
    """Return the deltas of *batch* as (state, action, value)."""
    values = batch.values or [1.0 if delta & 1 else -1.0 for delta in batch.deltas]
    return [(d >> 5, d >> 1 & 15, v) for d, v in zip(batch.deltas, values, strict=True)]


class LoopsEqualSlowWordsTests(unittest.TestCase):
    def check(self, schedule: EpsilonSchedule, least_visited: bool) -> None:
        fast, slow = Learner(QTable(dense=True)), SlowProver(schedule)
        epsilon = schedule.start
        for number, start in enumerate((EMPTY_BOARD, *LATE)):
            slow.changes, slow.visits = [], {} if least_visited else None
            games = 0
            rng = random.Random(number)
            for state in islice(slow.until_decided([start]), 250):
                slow.play_itself(state, rng)
                games += 1
            batch = self_play(fast, islice(until_decided(fast, [start]), 250), schedule, epsilon,
                              random.Random(number), least_visited=least_visited)  # fmt: skip
            epsilon = batch.epsilon
            self.assertEqual(changes(batch), slow.changes)
            self.assertEqual((batch.games, batch.epsilon), (games, slow.epsilon))
        decided = {state for state, _ in slow.q if (slow.is_won(state) or slow.is_lost(state))}
        self.assertEqual(sum(fast.decided_by_ply), len(decided))

    def test_at_random_and_exploring_the_least_visited(self) -> None:
        for least_visited in (False, True):
            self.check(SCHEDULE, least_visited)

    def test_the_sweep_is_self_play_until_decided(self) -> None:
        fast, slow = Learner(QTable(dense=True)), SlowProver(GREEDY)
        by_ply = starting_positions()
        for ply in range(len(by_ply) - 1, 27, -1):
            starts = by_ply[ply]
            batch = sweep(fast, starts, random.Random(ply))
            slow.changes = []
            rng, games = random.Random(ply), 0
            for start in slow.until_decided(starts):
                slow.play_itself(start, rng)
                games += 1
            self.assertEqual(changes(batch), slow.changes, f"ply {ply}")
            self.assertEqual(batch.games, games)
            self.assertEqual(fast.decided_by_ply[ply], len(starts))


class LearnerTests(unittest.TestCase):
    def test_what_is_conceded_is_marked_lost_in_every_image(self) -> None:
        learner = Learner(QTable(dense=True))
        by_ply = starting_positions()
        for ply in range(len(by_ply) - 1, 29, -1):
            sweep(learner, by_ply[ply], random.Random(1))
        marked = learner.lost
        fresh = Learner(learner.table)
        self.assertEqual(fresh.lost, marked)
        for ply in (30, 31):
            for state in by_ply[ply]:
                conceded = learner.table.proofs[state] == LOST
                self.assertTrue(all(marked[image] == conceded for image in orbit(state)))

    def test_each_greedy_game_teaches_something_new(self) -> None:
        """Without exploration no game repeats what is known, so learning must come to an end."""
        learner = Learner(QTable(dense=True))
        starts = until_decided(learner, [LATE[0]])
        while True:
            batch = self_play(learner, islice(starts, 1), GREEDY, 0.0, random.Random(3))
            if not batch.games:
                break
            self.assertTrue(batch.deltas)
        self.assertTrue(learner.table.is_proven(LATE[0]))
