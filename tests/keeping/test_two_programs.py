"""Two programs on one data folder: neither loses what the other keeps there."""

import errno
import json
import tempfile
import threading
import unittest
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from traffic_lights.keeping.keeper import Keeper
from traffic_lights.keeping.preferences import DataStore, Preferences, SavedGame
from traffic_lights.keeping.programs import KeptPrograms
from traffic_lights.keeping.tally import Tally
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.players.programs import Program
from traffic_lights.session.phases import Result
from traffic_lights.storage import lock as locks
from traffic_lights.storage.lock import FileLock

GAMES = 12


def won(key: str) -> Result:
    """Return a game that a person has won against the bot *key*."""
    return Result(Game(players=(HUMAN, Player(key, key.title()))), 0)


def wins(tally: Tally | None) -> dict[str, int]:
    """Return the games won by opponent."""
    assert tally is not None
    return {row.entry.opponent: row.wins for row in tally.rows()}


def at_the_same_time(work: Callable[..., object], arguments: Iterable[Any]) -> None:
    """Call *work* with each of the *arguments*, each in a thread, and wait for all."""
    threads = [threading.Thread(target=work, args=one) for one in arguments]
    with mock.patch("traffic_lights.storage.lock.PATIENCE_S", 600):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


class TwoProgramsTestCase(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory())) / "data"
        self.said: list[str] = []

    def store(self) -> DataStore:
        store = DataStore(self.folder, self.said.append)
        self.addCleanup(store.close)
        return store


class StatisticsTests(TwoProgramsTestCase):
    def test_games_counted_in_turns_are_all_counted_and_each_program_sees_them(self) -> None:
        one, other = self.store(), self.store()
        self.assertEqual(wins(one.add_results(won("random"))), {"random": 1})
        self.assertEqual(wins(other.add_results(won("myopic"))), {"random": 1, "myopic": 1})
        self.assertEqual(wins(one.add_results(won("random"))), {"random": 2, "myopic": 1})
        self.assertEqual((wins(self.store().load_statistics()), self.said),
                         ({"random": 2, "myopic": 1}, []))  # fmt: skip

    def test_games_counted_at_the_same_time_are_all_counted(self) -> None:
        def play(store: DataStore) -> None:
            for _ in range(GAMES):
                store.add_results(won("random"))

        at_the_same_time(play, [(self.store(),) for _ in range(3)])
        self.assertEqual(wins(self.store().load_statistics()), {"random": 3 * GAMES})

    def test_what_could_not_be_counted_is_counted_with_the_next(self) -> None:
        store = self.store()
        full = OSError(errno.ENOSPC, "full")
        with mock.patch("traffic_lights.storage.files.write_all", side_effect=full):
            self.assertIsNone(store.add_results(won("random")))
        self.assertEqual(wins(store.add_results(won("random"))), {"random": 2})

    def test_a_program_that_hangs_with_the_lock_keeps_nobody_from_counting(self) -> None:
        store = self.store()
        store.add_results(won("random"))
        with (
            mock.patch("traffic_lights.storage.lock.PATIENCE_S", 0),
            FileLock(self.folder / "statistics.lock"),
        ):
            self.assertEqual(wins(store.add_results(won("random"))), {"random": 2})

    def test_what_is_cleared_is_not_counted_again(self) -> None:
        one, other = Keeper(self.folder), Keeper(self.folder)
        one.count_result(won("random"))
        one.clear_statistics()
        one.finish()
        self.assertEqual(wins(one.tally), {})
        other.count_result(won("myopic"))
        other.finish()
        one.count_result(won("random"))
        one.finish()
        for keeper in (one, Keeper(self.folder)):
            self.assertEqual(wins(keeper.tally), {"random": 1, "myopic": 1})


class SettingsTests(TwoProgramsTestCase):
    def keeper(self) -> Keeper:
        keeper = Keeper(self.folder)
        self.addCleanup(keeper.finish)
        return keeper

    def test_what_each_program_has_changed_survives_the_other(self) -> None:
        one, other = self.keeper(), self.keeper()
        one.change(theme="dark", zoom=2)
        one.finish()
        other.change(opponent="myopic")
        other.finish()
        one.change(speed="quick")
        one.finish()
        expected = replace(Preferences(), theme="dark", zoom=2, opponent="myopic", speed="quick")
        self.assertEqual(self.keeper().settings, expected)

    def test_changes_that_wait_for_a_slow_disk_are_all_saved(self) -> None:
        self.store().save_settings(Preferences())
        keeper, gate = self.keeper(), threading.Event()
        keeper._saver.save("what is slow", gate.wait)
        keeper.change(theme="dark")
        keeper.change(zoom=1)
        gate.set()
        keeper.finish()
        self.assertEqual(self.keeper().settings, replace(Preferences(), theme="dark", zoom=1))

    def test_of_one_setting_the_last_change_counts(self) -> None:
        one, other = self.keeper(), self.keeper()
        one.change(theme="dark")
        one.finish()
        other.change(theme="light")
        other.finish()
        one.change(zoom=1)
        one.probe()
        one.finish()
        self.assertEqual(self.keeper().settings, replace(Preferences(), theme="light", zoom=1))

    def test_settings_changed_at_the_same_time_are_all_kept(self) -> None:
        def change(name: str, last: Any) -> None:
            store = self.store()
            settings = store.load_settings()
            for value in [getattr(settings, name), last] * GAMES:
                store.change_settings(settings, **{name: value})

        wanted: dict[str, Any] = {"zoom": 3, "theme": "dark", "letters": False, "speed": "quick"}
        at_the_same_time(change, wanted.items())
        self.assertEqual(self.store().load_settings(), replace(Preferences(), **wanted))

    def test_what_could_not_be_saved_is_saved_with_the_next(self) -> None:
        store, settings = self.store(), replace(Preferences(), theme="dark", zoom=1)
        self.store().save_settings(Preferences())
        full = OSError(errno.ENOSPC, "full")
        with mock.patch("traffic_lights.storage.files.write_all", side_effect=full):
            self.assertFalse(store.change_settings(settings, theme="dark"))
        self.assertTrue(store.change_settings(settings, zoom=1))
        self.assertEqual(self.store().load_settings(), settings)

    def test_a_file_that_was_taken_away_is_written_whole(self) -> None:
        keeper = self.keeper()
        keeper.change(theme="dark")
        keeper.finish()
        (self.folder / "settings.json").unlink()
        keeper.change(zoom=1)
        keeper.finish()
        self.assertEqual(self.keeper().settings, replace(Preferences(), theme="dark", zoom=1))

    def test_a_file_that_is_left_alone_is_said_once(self) -> None:
        self.folder.mkdir()
        plain = {**Preferences().to_plain(), "version": 2}
        (self.folder / "settings.json").write_text(json.dumps(plain))
        store = self.store()
        for _ in range(3):
            self.assertFalse(store.change_settings(store.load_settings(), zoom=1))
        self.assertEqual(len(self.said), 1)


class ProgramsTests(TwoProgramsTestCase):
    def test_programs_added_at_the_same_time_are_all_kept_under_keys_of_their_own(self) -> None:
        def add(first: int) -> None:
            for number in range(first, first + GAMES):
                KeptPrograms(self.folder).add(Program("x", f"Bot {number}"))

        at_the_same_time(add, [(n * GAMES,) for n in range(3)])
        kept = KeptPrograms(self.folder).all()
        self.assertEqual({one.program.name for one in kept},
                         {f"Bot {n}" for n in range(3 * GAMES)})  # fmt: skip
        self.assertEqual(len({one.key for one in kept}), 3 * GAMES)


class GameTests(TwoProgramsTestCase):
    def test_the_second_program_keeps_its_game_beside_the_first_and_says_so(self) -> None:
        one, other = self.store(), self.store()
        games = [SavedGame(Game(day=f"2026-01-0{day}")) for day in (1, 2, 3)]
        self.assertTrue(one.save_game(games[0]))
        self.assertIsNone(other.load_game())
        self.assertTrue(other.save_game(games[1]))
        self.assertTrue(one.save_game(games[2]))
        self.assertEqual(len(self.said), 1)
        self.assertIn("game-2.json", self.said[0])
        self.assertEqual((one.load_game(), other.load_game()), (games[2], games[1]))
        for store in (one, other):
            store.close()
        again, beside = self.store(), self.store()
        self.assertEqual((again.load_game(), beside.load_game()), (games[2], games[1]))

    def test_a_program_that_is_over_gives_its_game_to_the_next(self) -> None:
        game = SavedGame(Game(day="2026-01-01"))
        DataStore(self.folder, self.said.append).save_game(game)
        keeper = Keeper(self.folder)
        keeper.finish()
        self.assertEqual((self.store().load_game(), self.said), (game, []))

    def test_where_there_are_no_locks_the_game_is_kept_as_ever(self) -> None:
        store, game = self.store(), SavedGame(Game())
        with mock.patch.object(locks, "_try_lock", side_effect=OSError(errno.ENOLCK, "none")):
            self.assertTrue(store.save_game(game))
            self.assertIsNotNone(store.add_results(won("random")))
        self.assertEqual((store.load_game(), self.said), (game, []))
        self.assertTrue((self.folder / "game.json").exists())

    def test_the_second_program_has_not_failed_once_the_folder_can_be_written(self) -> None:
        self.folder.write_text("a file where the folder should be")
        store = self.store()
        self.assertFalse(store.save_game(SavedGame(Game())))
        self.assertTrue(store.has_failed)
        self.folder.unlink()
        self.assertTrue(self.store().save_game(SavedGame(Game())))
        self.assertTrue(store.save_game(SavedGame(Game())))
        self.assertEqual((store.saved_path.name, store.has_failed), ("game-2.json", False))

    def test_looking_for_a_game_makes_no_folder(self) -> None:
        self.assertIsNone(self.store().load_game())
        self.assertFalse(self.folder.exists())


if __name__ == "__main__":
    unittest.main()
