"""The ladder as it is climbed: its groups and its next rungs follow from the scores alone."""

import random
import unittest
from itertools import pairwise

from traffic_lights.players.ladder import OWN_LEVEL, Ladder, Level, Score
from traffic_lights.players.rungs import (
    Strength,
    first_rung,
    group_of,
    grouped,
    neighbour,
    never_lost_as_second,
    rungs,
)


def level(key: str, wins: int | None, first: int = 0, problem: str = "") -> Level:
    """Return a level that wins *wins* of 100 games against Myopic, *first* of them as Player 1."""
    score = None if wins is None else Score(first / 50, (wins - first) / 50, 0.5)
    return Level(key, key.title(), "Plays.", score=score, problem=problem)


LADDER = [
    level("feeble", 0), level("broken", 3, problem="its table is missing"), level("young", 20, 10),
    level("fair", 30, 10), level("good", 60, 20), level("flawless", 70, 20), level("new", None),
]  # fmt: skip


class GroupTests(unittest.TestCase):
    def test_groups_follow_the_scores(self) -> None:
        self.assertEqual(
            [(group, [member.key for member in members]) for group, members in grouped(LADDER)],
            [
                (Strength.BEGINNER, ["feeble", "broken", "young"]),
                (Strength.HARDER, ["fair"]),
                (Strength.STRONG, ["good"]),
                (Strength.PERFECT, ["flawless"]),
                (Strength.UNMEASURED, ["new"]),
            ],
        )
        self.assertEqual(group_of(OWN_LEVEL), Strength.OWN)

    def test_the_groups_part_every_level_and_keep_the_order(self) -> None:
        levels = Ladder(random.Random(7)).levels()
        found = grouped(levels)
        self.assertEqual({lv.key for _, lvs in found for lv in lvs}, {lv.key for lv in levels})
        groups = [group for group, _ in found]
        self.assertEqual(groups, [group for group in Strength if group in groups])
        for group, members in found:
            for member in members:
                assert member.score is not None
                self.assertEqual(group is Strength.PERFECT, never_lost_as_second(member.score))


class RungTests(unittest.TestCase):
    def test_a_first_game_is_against_the_weakest_that_can_play(self) -> None:
        for levels, key in ((LADDER, "feeble"), (LADDER[1:], "young")):
            first = first_rung(levels)
            assert first is not None
            self.assertEqual(first.key, key)
        self.assertIsNone(first_rung([level("new", None)]))

    def test_neighbours_skip_who_cannot_play_and_end_at_the_ends(self) -> None:
        climbed = [rung.key for rung in rungs(LADDER)]
        self.assertEqual(climbed, ["feeble", "young", "fair", "good", "flawless"])
        for lower, upper in pairwise(climbed):
            above, below = neighbour(LADDER, lower, 1), neighbour(LADDER, upper, -1)
            assert above is not None
            assert below is not None
            self.assertEqual((above.key, below.key), (upper, lower))
        for key, steps in (("feeble", -1), ("flawless", 1), ("new", 1), ("stranger", 1)):
            self.assertIsNone(neighbour(LADDER, key, steps), key)


if __name__ == "__main__":
    unittest.main()
