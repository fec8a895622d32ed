"""What is remembered: kept exactly, set aside when damaged, and never in the way of play."""

import errno
import json
import os
import tempfile
import unittest
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest import mock

from tests.kit.sessions import BOT, OTHER_BOT, new_session, play_all
from traffic_lights.keeping import preferences
from traffic_lights.keeping.keeper import Keeper
from traffic_lights.keeping.preferences import DataStore, Preferences, SavedGame
from traffic_lights.keeping.tally import Entry, History, Tally
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.session.phases import Result
from traffic_lights.storage.files import DamagedFileError, StorageError


class StoreCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "data"
        self.said: list[str] = []
        self.store = DataStore(self.folder, self.said.append)
        self.addCleanup(delattr, self, "store")  # an open lock file cannot be removed on Windows

    def write(self, name: str, data: bytes) -> Path:
        self.folder.mkdir(exist_ok=True)
        path = self.folder / name
        path.write_bytes(data)
        return path


class SettingsTests(StoreCase):
    def test_first_start_has_the_defaults_and_says_nothing(self) -> None:
        self.assertEqual(self.store.load_settings(), Preferences())
        self.assertIsNone(self.store.load_game())
        self.assertEqual(self.store.load_statistics().rows(), [])
        self.assertEqual((self.said, self.folder.exists()), ([], False))

    def test_settings_come_back(self) -> None:
        changed = replace(
            Preferences(), theme="dark", zoom=-2, geometry="900x640+-5+20", letters=False
        )
        self.assertTrue(self.store.save_settings(changed))
        self.assertEqual(DataStore(self.folder, self.said.append).load_settings(), changed)

    def test_a_value_that_cannot_be_is_its_default_and_the_others_stay(self) -> None:
        plain = Preferences().to_plain() | {
            "theme": "pink",
            "zoom": True,
            "geometry": "900x640; exec",
            "letters": 1,
            "speed": ["slow"],
            "opponent": "../../etc",
            "tell_me": True,
            "from_the_future": 7,
        }
        self.assertEqual(Preferences.from_plain(plain), replace(Preferences(), tell_me=True))
        self.assertEqual(Preferences.from_plain({"zoom": 99}), Preferences())


class SavedGameTests(StoreCase):
    def test_a_session_killed_and_started_again_goes_on(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 5, 6, 9)
        session.hint()
        session.new_game((BOT, HUMAN))
        play_all(session, 3, 7, 8, 4)
        session.undo()
        self.store.save_game(SavedGame(*session.saved()))
        self.store.close()
        saved = DataStore(self.folder, self.said.append).load_game()
        assert saved is not None
        self.assertEqual((saved.game, saved.earlier, saved.later), session.saved())
        self.assertEqual(saved.game.taken_back, (4,))
        self.assertEqual(saved.earlier[0].hints, 1)


class DamageTests(StoreCase):
    def test_a_damaged_file_is_set_aside_and_said_once(self) -> None:
        damages = {
            "settings.json": [b"", b"{", b"[]", b"\xff\xfe{}", b'{"format": "x"}', b"[" * 99_999],
            "game.json": [
                b"{}",
                b'{"format": "traffic-lights-saved-game", "version": 1}',
                json.dumps(
                    {
                        "format": "traffic-lights-saved-game",
                        "version": 1,
                        "game": {"record": "Traffic Lights 1\n\na1 a1 a1 a1"},
                    }
                ).encode(),
            ],
            "statistics.json": [
                b'{"format": "traffic-lights-statistics", "version": 1, "rows": [{"wins": -1}]}',
                b'{"format": "traffic-lights-statistics", "version": 1, "rows": {}}',
            ],
        }
        loads: dict[str, Callable[[DataStore], bool]] = {
            "settings.json": lambda store: store.load_settings() == Preferences(),
            "game.json": lambda store: store.load_game() is None,
            "statistics.json": lambda store: store.load_statistics().rows() == [],
        }
        for name, examples in damages.items():
            for data in examples:
                with self.subTest(name=name, data=data[:60]):
                    path = self.write(name, data)
                    self.said.clear()
                    store = DataStore(self.folder, self.said.append)
                    self.assertTrue(loads[name](store))
                    self.assertTrue(loads[name](store))
                    self.assertEqual(len(self.said), 1, self.said)
                    self.assertIn(name, self.said[0])
                    self.assertNotIn("\n", self.said[0])
                    self.assertFalse(path.exists())
            # Each of them: what was set aside before stays.
            aside = self.folder.glob(f"{name}.damaged*")
            self.assertEqual({path.read_bytes() for path in aside}, set(examples))

    def test_a_file_of_a_newer_program_is_left_alone(self) -> None:
        data = json.dumps(Preferences().to_plain() | {"version": 2}).encode()
        path = self.write("settings.json", data)
        self.assertEqual(self.store.load_settings(), Preferences())
        self.assertFalse(self.store.save_settings(Preferences()))
        self.assertEqual(path.read_bytes(), data)
        self.assertEqual(len(self.said), 1)

    def test_a_file_that_cannot_be_read_is_never_written_over(self) -> None:
        self.folder.mkdir()
        (self.folder / "game.json").mkdir()
        self.assertIsNone(self.store.load_game())
        self.assertFalse(self.store.save_game(SavedGame(Game())))
        self.assertEqual(len(self.said), 1)

    def test_a_game_whose_file_is_left_alone_is_not_saved(self) -> None:
        data = b'{"format": "traffic-lights-saved-game", "version": 2}'
        path = self.write("game.json", data)
        self.assertFalse(self.store.has_failed)
        self.assertIsNone(self.store.load_game())
        self.assertTrue(self.store.has_failed)
        self.assertFalse(self.store.save_game(SavedGame(Game())))
        self.assertTrue(self.store.save_settings(Preferences()))
        self.assertEqual((self.store.has_failed, path.read_bytes()), (True, data))

    def test_what_can_be_saved_again_has_not_failed_and_may_fail_again(self) -> None:
        for failures in (1, 2):
            with mock.patch.object(preferences, "write_json", side_effect=StorageError("full")):
                self.assertFalse(self.store.save_settings(Preferences()))
                self.assertFalse(self.store.clear_statistics())
            self.assertTrue(self.store.save_settings(Preferences()))
            self.assertTrue(self.store.has_failed)
            self.assertTrue(self.store.clear_statistics())
            self.assertFalse(self.store.has_failed)
            self.assertEqual(len(self.said), failures)

    def test_with_the_game_all_that_could_not_be_saved_is_tried_again(self) -> None:
        self.folder.write_text("a file where the folder should be")
        keeper = Keeper(self.folder)
        self.addCleanup(keeper.finish)
        keeper.change(theme="dark")
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 1, 2)
        result = session.take_result()
        assert result is not None
        keeper.count_result(result)
        keeper.save_session(session)
        keeper.finish()
        self.assertTrue(keeper.has_failed)
        self.folder.unlink()
        session.new_game()
        keeper.save_session(session)
        keeper.finish()
        self.assertFalse(keeper.has_failed)
        again = Keeper(self.folder)
        self.assertEqual((again.settings.theme, len(again.tally.rows())), ("dark", 1))

    def test_a_folder_that_cannot_be_written_is_said_once(self) -> None:
        self.folder.write_text("a file where the folder should be")
        for _ in range(3):
            self.assertFalse(self.store.save_settings(Preferences()))
            self.assertFalse(self.store.save_game(SavedGame(Game())))
        self.assertEqual(len(self.said), 1)
        self.assertIn("play on", self.said[0])
        self.assertEqual(self.store.load_settings(), Preferences())

    def test_a_read_only_disk_is_said_once(self) -> None:
        # Faked, because the user who runs the tests may be allowed everything.
        for code in (errno.EROFS, errno.EACCES):
            said: list[str] = []
            store = DataStore(self.folder, said.append)
            with mock.patch.object(os, "open", side_effect=OSError(code, "refused")):
                self.assertFalse(store.save_settings(Preferences()))
                self.assertFalse(store.save_settings(Preferences()))
            self.assertEqual(len(said), 1)


class TallyTests(StoreCase):
    def test_games_are_counted_by_opponent_seat_and_help(self) -> None:
        tally = Tally()
        session = new_session(HUMAN, BOT)
        for cells, helped in (((0, 1, 2), False), ((0, 1, 2), True), ((0, 1, 5, 2), False)):
            session.new_game((HUMAN, BOT))
            if helped:
                session.hint()
            play_all(session, *cells)
            result = session.take_result()
            assert result is not None
            self.assertTrue(tally.add_result(result))
            self.store.add_results(result)
        rows = [(row.entry, row.wins, row.losses) for row in tally.rows()]
        expected = [(Entry("myopic", 0, False), 1, 1), (Entry("myopic", 0, True), 1, 0)]
        self.assertEqual(rows, expected)
        again = DataStore(self.folder, self.said.append).load_statistics()
        self.assertEqual(again.rows(), tally.rows())

    def test_streaks_days_and_names_are_kept_by_opponent(self) -> None:
        tally = Tally()
        results = [
            Result(Game(players=(HUMAN, Player("myopic", name)), day=day), winner)
            for name, day, winner in (
            ("Myopic", "2026-01-02", 0), ("Myopic", "2026-01-03", 0), ("Myopic", "2026-01-03", 1),
            ("Short Sight", "2026-02-01", 1),
            )
        ]  # fmt: skip
        results.append(Result(Game(players=(OTHER_BOT, HUMAN), day="2026-01-09"), 1))
        for result in results:
            tally.add_result(result)
        myopic, random_ = tally.records()
        self.assertEqual((myopic.opponent, random_.opponent), ("myopic", "random"))
        self.assertEqual((myopic.wins, myopic.losses), (2, 2))
        self.assertEqual(myopic.history, History("Short Sight", -2, 2, "2026-01-02", "2026-02-01"))
        self.store.add_results(*results)
        again = DataStore(self.folder, self.said.append).load_statistics()
        self.assertEqual(again.records(), tally.records())

    def test_statistics_of_an_older_program_have_no_history(self) -> None:
        tally = Tally()
        tally.add(Entry("myopic", 0, False), won=True)
        plain = {k: v for k, v in tally.to_plain().items() if k != "histories"}
        record = Tally.from_plain(plain).records()[0]
        self.assertEqual((record.wins, record.losses, record.history), (1, 0, None))
        good = {"name": "A", "streak": 1, "longest": 1, "first_day": "", "last_day": "2026-01-01"}
        Tally.from_plain(plain | {"histories": {"a": good}})
        for bad in ({"name": 7}, {"streak": True}, {"longest": -1}, {"last_day": "soon"}):
            with self.subTest(bad), self.assertRaises(DamagedFileError):
                Tally.from_plain(plain | {"histories": {"a": good | bad}})

    def test_two_persons_two_bots_and_set_up_positions_do_not_count(self) -> None:
        tally = Tally()
        for session in (
            new_session(),
            new_session(BOT, BOT),
            new_session(HUMAN, BOT, start=0b01 << 6),
        ):
            play_all(session, 0, 1, 2)
            result = session.take_result()
            assert result is not None
            self.assertFalse(tally.add_result(result))
        self.assertEqual(tally.rows(), [])


if __name__ == "__main__":
    unittest.main()
