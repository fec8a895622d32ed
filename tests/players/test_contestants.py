import contextlib
import pickle
import random
import tempfile
import unittest
from pathlib import Path

from tests.kit.trained import shipped
from traffic_lights.board.baselines import BASELINES
from traffic_lights.learning.qtable import QBot
from traffic_lights.learning.tablefile import write_table
from traffic_lights.players.bots import PolicyBot
from traffic_lights.players.contestants import (
    Contestant,
    ContestantNameError,
    horizon_depth,
    parse_contestant,
)
from traffic_lights.players.exact import ExactBot
from traffic_lights.players.horizon import HorizonBot
from traffic_lights.storage.files import StorageError


class ContestantTests(unittest.TestCase):
    def test_names_seat_their_bots(self) -> None:
        for name, kind in (("horizon-1", HorizonBot), ("horizon-32", HorizonBot),
                           ("exact", ExactBot)):  # fmt: skip
            self.assertIsInstance(parse_contestant(name).make_bot(random.Random(1)), kind)
        for name, policy in BASELINES.items():
            bot = parse_contestant(name).make_bot(random.Random(1))
            assert isinstance(bot, PolicyBot)
            self.assertIs(bot.policy, policy)

    def test_horizons_are_named_with_their_depth(self) -> None:
        self.assertEqual(horizon_depth("horizon-7"), 7)
        for name in ("horizon", "horizon-0", "horizon-33", "horizon-07", "horizon--3", "Horizon-3"):
            self.assertIsNone(horizon_depth(name), name)

    def test_other_names_are_refused_in_words(self) -> None:
        for name in ("nobody", "", "horizon-0", "horizon-99", "MYOPIC", "x" * 500):
            with self.assertRaisesRegex(ContestantNameError, "expected random, .*horizon-N") as it:
                parse_contestant(name)
            self.assertLess(len(str(it.exception)), 250)

    def test_a_table_file_is_a_contestant_too(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("mine.json", "mine"):
                path = Path(folder, name)
                write_table(path, shipped("selfplay-1000"))
                contestant = parse_contestant(str(path))
                self.assertEqual(contestant.name, name)
                self.assertIsInstance(contestant.make_bot(random.Random(1)), QBot)
            with self.assertRaisesRegex(StorageError, "no such file"):
                parse_contestant(str(Path(folder, "other.json")))

    def test_a_file_that_is_called_like_a_player_is_not_meant(self) -> None:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for name in ("random", "exact", "horizon-3"):
                Path(name).touch()
                self.assertIsNone(parse_contestant(name).table)
            write_table(Path("mine"), shipped("selfplay-1000"))
            self.assertIsNotNone(parse_contestant("mine").table)

    def test_a_contestant_plays_the_same_in_another_process(self) -> None:
        table = shipped("selfplay-10000")
        copy = pickle.loads(pickle.dumps(Contestant("it", table)))
        self.assertEqual(copy.table.proofs, table.proofs)
        bots = [c.make_bot(random.Random(1)) for c in (Contestant("it", table), copy)]
        self.assertEqual(*([bot.choose(s) for s in table.states()] for bot in bots))
