"""The ladder: its measured order, its bots, and levels whose table cannot be read."""

import json
import random
import tempfile
import threading
import unittest
from itertools import pairwise
from pathlib import Path

from tests.kit.samples import live_states, tablebase
from traffic_lights.board.rules import EMPTY_BOARD, STEPS, legal_actions, parse_board
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.players.ladder import (
    OWN_KEY,
    Ladder,
    LadderError,
    Score,
    declared,
    read_scores,
    scores_from_plain,
    scores_to_plain,
)
from traffic_lights.session import texts
from traffic_lights.storage.files import DamagedFileError, write_json
from traffic_lights.system.folders import shipped_tables

WITHOUT_TABLE = tuple(level.key for level in declared() if not level.table)
SCORES = {
    "random": Score(0.0, 0.0, 0.5),
    "exact": Score(0.64, 1.0, 0.99),
    "qbot-1000": Score(0.0, 0.0, 0.8),
    "myopic": Score(0.4, 0.6, 0.99),
}


class LadderCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tables = Path(folder.name)
        self.own_table = self.tables / "own" / "qtable.json"

    def ladder(self) -> Ladder:
        return Ladder(random.Random(7), self.tables, self.own_table, tablebase())

    def write_table(self, path: Path, action: int) -> None:
        """Write a table that plays *action* on the empty board."""
        table = QTable()
        table.set_value(EMPTY_BOARD, action, 1.0)
        path.parent.mkdir(exist_ok=True)
        write_table(path, table)


class LevelTests(LadderCase):
    def test_the_order_is_the_measured_one_and_the_rest_follows_as_declared(self) -> None:
        write_json(self.tables / "ladder.json", scores_to_plain(SCORES))
        keys = [level.key for level in self.ladder().levels()]
        self.assertEqual(keys[:4], ["random", "qbot-1000", "myopic", "exact"])
        rest = [level.key for level in declared() if level.key not in SCORES]
        self.assertEqual(keys[4:], rest)
        self.assertEqual(self.ladder().level("exact").score, SCORES["exact"])

    def test_keys_and_names_differ_and_every_level_says_what_it_does(self) -> None:
        self.assertEqual(len({level.key for level in declared()}), len(declared()))
        self.assertEqual(len({level.name for level in declared()}), len(declared()))
        for level in declared():
            self.assertRegex(level.about, r"^[A-Z].*\.$")

    def test_every_number_in_a_name_is_that_of_the_key_and_told_in_words(self) -> None:
        for level in declared():
            with self.subTest(level.key):
                number = level.key.rpartition("-")[2] if level.key[-1].isdigit() else ""
                named = level.name.replace("k", "000").rpartition(" ")[2]
                self.assertEqual(named if named.isdigit() else "", number)
                self.assertIn(f"{int(number):,}" if number else "", level.about)

    def test_damaged_scores_leave_the_levels_unmeasured(self) -> None:
        for text in ("", "{", "[]", '{"format": "traffic-lights-ladder", "levels": {"a": 1}}'):
            (self.tables / "ladder.json").write_text(text)
            self.assertEqual(read_scores(self.tables), {})
        plain = json.loads(json.dumps(scores_to_plain(SCORES)))
        self.assertEqual(scores_from_plain(plain), SCORES)
        for wrong in (1.01, -0.1, float("nan"), 1, True, "0.5", None):
            plain["levels"]["random"]["first"] = wrong
            with self.assertRaises(DamagedFileError):
                scores_from_plain(plain)

    def test_every_level_without_a_table_plays_legally(self) -> None:
        ladder = self.ladder()
        for key in WITHOUT_TABLE:
            for state in live_states(random.Random(7), 20):
                self.assertIn(ladder.choose(key, state), legal_actions(state))

    def test_the_exact_level_never_throws_a_win_away(self) -> None:
        ladder = self.ladder()
        for state in live_states(random.Random(7), 200):
            wins = tablebase().winning_actions(state)
            self.assertIn(ladder.choose("exact", state), wins or legal_actions(state))

    def test_unknown_level(self) -> None:
        for ask in (self.ladder().level, self.ladder().player, self.ladder().bot):
            with self.assertRaisesRegex(LadderError, "no opponent 'nobody'"):
                ask("nobody")


class TableTests(LadderCase):
    def test_a_qbot_plays_its_table(self) -> None:
        self.write_table(self.tables / "complete.json", 5)
        ladder = self.ladder()
        self.assertEqual(ladder.level("qbot").problem, "")
        self.assertIn(ladder.choose("qbot", EMPTY_BOARD), (5, 6))
        table = ladder.table("qbot")
        assert table is not None
        self.assertEqual(table.value(EMPTY_BOARD, 5), 1.0)
        self.assertIsNone(ladder.table("random"))

    def test_a_missing_table_is_known_at_once_and_never_replaced(self) -> None:
        ladder = self.ladder()
        self.assertIn("complete.json is missing", ladder.level("qbot").problem)
        with self.assertRaisesRegex(LadderError, "QBot cannot play: .*complete.json"):
            ladder.choose("qbot", EMPTY_BOARD)

    def test_a_damaged_table_greys_its_level_once_it_was_checked(self) -> None:
        self.write_table(self.tables / "complete.json", 5)
        (self.tables / "myopic-1000.json").write_text("{}")
        ladder = self.ladder()
        self.assertEqual(ladder.level("qbot-1000").problem, "")
        problems = {level.key: level.problem for level in ladder.check()}
        self.assertIn("myopic-1000.json", problems["qbot-1000"])
        self.assertEqual((problems["qbot"], problems["random"]), ("", ""))
        with self.assertRaises(LadderError):
            ladder.bot("qbot-1000")

    def test_a_repaired_table_plays_again(self) -> None:
        (self.tables / "complete.json").write_text("{}")
        ladder = self.ladder()
        with self.assertRaises(LadderError):
            ladder.bot("qbot")
        self.assertTrue(ladder.level("qbot").problem)
        self.write_table(self.tables / "complete.json", 5)
        ladder.bot("qbot")
        self.assertEqual(ladder.level("qbot").problem, "")

    def test_own_training_is_a_level_while_its_table_exists(self) -> None:
        ladder = self.ladder()
        self.assertNotIn(OWN_KEY, [level.key for level in ladder.levels()])
        self.write_table(self.own_table, 0)
        self.assertIn(ladder.choose(OWN_KEY, EMPTY_BOARD), (0, 3, 8, 11))

    def test_a_cut_table_guesses_where_it_has_no_row_and_no_other_bot_does(self) -> None:
        ladder = Ladder(random.Random(7))
        set_up = parse_board("222000000000") - STEPS[0] + STEPS[3]
        for key in ("qbot", "qbot-1000", "random", "exact"):
            self.assertFalse(ladder.is_guessing(key, EMPTY_BOARD), key)
            self.assertEqual(ladder.is_guessing(key, set_up), key == "qbot", key)
        self.assertEqual(
            texts.guess_text("QBot"),
            "QBot has nothing stored for this position, so it is guessing.",
        )

    def test_many_threads_may_choose(self) -> None:
        self.write_table(self.tables / "complete.json", 5)
        ladder = self.ladder()
        chosen: list[int] = []
        threads = [
            threading.Thread(target=lambda: chosen.append(ladder.choose("qbot", EMPTY_BOARD)))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(chosen), 8)
        self.assertLessEqual(set(chosen), {5, 6})


class ShippedLadderTests(unittest.TestCase):
    def test_every_level_is_measured_and_can_play(self) -> None:
        levels = Ladder(random.Random(7), tablebase=tablebase()).check()
        self.assertEqual({level.key for level in levels}, {level.key for level in declared()})
        for level in levels:
            self.assertEqual(level.problem, "")
            self.assertIsNotNone(level.score)
        rates = [level.score.rate for level in levels if level.score is not None]
        self.assertEqual(rates, sorted(rates))
        # No step is too high for a person who climbs it.
        self.assertLessEqual(max(high - low for low, high in pairwise(rates)), 0.2)

    def test_the_complete_qbot_and_the_exact_player_never_lose_as_the_second_player(self) -> None:
        for key in ("qbot", "exact"):
            self.assertEqual(read_scores(shipped_tables())[key].second, 1)


if __name__ == "__main__":
    unittest.main()
