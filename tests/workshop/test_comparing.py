"""The sentences that compare the players of an evaluation."""

import unittest
from dataclasses import replace

from traffic_lights.board.exact_score import ExactScore
from traffic_lights.judging.evaluation import Row, SeatScore
from traffic_lights.players.roster import Entry, Roster
from traffic_lights.workshop.comparing import (
    by_settings,
    compared,
    pair_result,
    side_by_side,
    verdict,
)

QBOT, RANDOM, MYOPIC, EXACT = map(Roster().entry, ("qbot", "random", "myopic", "exact"))
HALF = ExactScore(0.25, 0.75)


def row(bot: Entry, wins: int, exact: ExactScore | None = None) -> Row:
    """Return the row of *bot* against Myopic after as many *wins* in each seat, of 100 games."""
    return Row(bot, MYOPIC, 200, SeatScore(100, wins), SeatScore(100, wins), 180, exact=exact)


def named(key: str) -> Entry:
    return replace(QBOT, key=key, name=key)


class ComparingTests(unittest.TestCase):
    def test_a_student_reads_which_of_the_pair_is_better_and_how_sure_that_is(self) -> None:
        for wins, exact, words in (
            (60, None, "QBot is better than Myopic: it won 60.0 %, and the 95 % interval is"),
            (40, None, "QBot is worse than Myopic: it won 40.0 %, and the 95 % interval is"),
            (51, None, "Not sure whether QBot is better than Myopic: it won 51.0 %, and the 95 % "),
            (51, ExactScore(0.5, 0.6), "QBot is better than Myopic: its exact score is 55.00 %."),
            (51, ExactScore(0.3, 0.6), "QBot is worse than Myopic: its exact score is 45.00 %."),
            (51, HALF, "QBot and Myopic are equally strong"),
        ):  # fmt: skip
            text = verdict(row(QBOT, wins, exact))
            self.assertTrue(text.startswith(words), text)
        self.assertIn("plays against itself", verdict(row(MYOPIC, 60)))

    def test_a_student_reads_which_bot_wins_more_and_how_sure_that_is(self) -> None:
        far = row(EXACT, 0)
        for bot, other, exact, words in (
            (90, 60, None, "Against Myopic, QBot wins more than Random: 90.0 % to 60.0 %, and"),
            (60, 90, None, "Against Myopic, QBot wins less than Random: 60.0 % to 90.0 %, and"),
            (52, 50, None, "Not sure which wins more against Myopic, QBot or Random: 52.0 % to 50"),
            (52, 50, HALF, "Against Myopic, QBot wins as much as Random: 50.00 % to 50.00 %, both"),
        ):  # fmt: skip
            one = row(QBOT, bot, exact)
            text = compared(one, [far, one, row(RANDOM, other, exact)], QBOT.key)
            self.assertTrue(text.startswith(words), text)

    def test_a_bot_is_compared_with_the_one_looked_at_and_only_against_the_same_opponent(
        self,
    ) -> None:
        one, near, far = (row(named(key), wins) for key, wins in (("A", 50), ("B", 51), ("C", 90)))
        elsewhere = replace(near, opponent=RANDOM)
        itself = replace(row(MYOPIC, 50), bot=MYOPIC)
        self.assertIn("A or B", compared(one, [one, near, far], "A"))
        self.assertIn("than C", compared(one, [one, near, far], "C"))
        exact = replace(near, exact=ExactScore(0.5, 0.52))
        for other, words in (
            (near, "the 95 % intervals overlap."),
            (exact, "the 95 % interval has the exact score in it."),
            (far, "the 95 % intervals do not overlap."),
            (replace(far, exact=ExactScore(0.9, 0.9)), "does not have the exact score in it."),
        ):
            self.assertTrue(compared(one, [one, other], other.bot.key).endswith(words), words)
        self.assertIn("than C", compared(one, [one, elsewhere, itself, far], "A"))
        self.assertEqual(compared(one, [one, elsewhere, itself], "A"), "")
        self.assertEqual(compared(itself, [itself, one], "A"), "", "half says nothing")

    def test_a_student_sees_the_scores_of_all_bots_against_an_opponent_or_of_one_against_all(
        self,
    ) -> None:
        one, other = row(QBOT, 60), row(RANDOM, 50, HALF)
        elsewhere = replace(one, opponent=EXACT)
        unplayed = Row(QBOT, RANDOM, 200)
        several = side_by_side(one, [one, elsewhere, unplayed, other])
        self.assertEqual([(bar.name, bar.text) for bar in several.bars],
                         [("QBot", "≈ 60.0 %"), ("Random", "50.00 %")])  # fmt: skip
        self.assertEqual([bar.is_chosen for bar in several.bars], [True, False])
        self.assertEqual([bar.interval is None for bar in several.bars], [False, True])
        alone = side_by_side(one, [one, elsewhere, unplayed])
        self.assertEqual([bar.name for bar in alone.bars], ["Myopic", "Exact player"])

    def test_a_student_compares_rules_by_all_bots_that_differ_only_in_their_seeds(self) -> None:
        rows = [row(named(key), wins) for key, wins in (("a", 60), ("b", 70), ("c", 5), ("d", 90))]
        usual = ("500 games", "usual settings")
        settings = {"a": usual, "b": usual, "c": ("500 games", "One-step")}
        for one, found, text in (
            (rows[0], rows,
             "With its settings and any seed (usual settings): 2 bots won 60.0–70.0 %. "
             "With the best other settings (One-step): 1 bot won 5.0 %. No overlap."),
            (rows[0], rows[:2], "2 bots won 60.0–70.0 %: those here that differ only in seeds."),
            (rows[3], rows, ""),
            (rows[0], rows[:1], ""),
        ):  # fmt: skip
            self.assertEqual(by_settings(one, found, settings), text)
        better = {**settings, "d": ("500 games", "Monte Carlo")}
        text = by_settings(rows[2], rows, better)
        self.assertIn("With the best other settings (Monte Carlo): 1 bot won 90.0 %.", text)
        self.assertIn(" No overlap.", text, "all won more")
        mixed = {**settings, "d": settings["c"]}
        self.assertNotIn(" No overlap.", by_settings(rows[0], rows, mixed), "5 and 90 %")
        unknown = {"a": ("500 games", "usual", "α 0.2"), "b": ("500 games", "usual", "α 0.2"),
                   "c": ("500 games", "imported", "")}  # fmt: skip
        self.assertIn("(imported): 1 bot won 5.0 %.", by_settings(rows[0], rows[:3], unknown))

    def test_what_the_columns_do_not_say_is_a_sentence(self) -> None:
        sound = row(QBOT, 99)
        self.assertEqual(pair_result(sound), "")
        few = replace(sound, distinct=8)
        self.assertIn("Their 200 games are only 8 different games", pair_result(few))
        self.assertEqual(pair_result(Row(QBOT, MYOPIC, 6, SeatScore(6, 1), distinct=6)), "")
        self.assertIn("more than 50 %", pair_result(replace(sound, opponent=EXACT)))
        second = SeatScore(100, 100, opponent_forfeits=5)
        found = replace(sound, second=second, forfeit="Mine answered b2, but b2 is red in 0")
        self.assertIn("forfeited 5 of 200 games. The first time: Mine", pair_result(found))
