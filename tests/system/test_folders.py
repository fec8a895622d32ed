import os
import unittest
from pathlib import Path
from unittest import mock

from tests.kit.samples import PROJECT
from traffic_lights.storage.files import StorageError
from traffic_lights.system import folders
from traffic_lights.system.folders import data_folder, is_checkout, shipped_tables, training_folder

ROOT = Path(os.sep).resolve()


class DataFolderTests(unittest.TestCase):
    def test_each_system_has_its_place(self) -> None:
        home, data = str(ROOT / "home" / "ann"), str(ROOT / "data")
        for environment, platform, place in (
            ({"HOME": home}, "linux", ROOT / "home/ann/.local/share/traffic-lights"),
            ({"HOME": home, "XDG_DATA_HOME": data}, "linux", ROOT / "data/traffic-lights"),
            ({"HOME": home, "XDG_DATA_HOME": "data"}, "linux",
             ROOT / "home/ann/.local/share/traffic-lights"),
            ({"HOME": home, "XDG_DATA_HOME": ""}, "freebsd14",
             ROOT / "home/ann/.local/share/traffic-lights"),
            ({"HOME": home}, "darwin", ROOT / "home/ann/Library/Application Support/TrafficLights"),
            ({"APPDATA": data, "HOME": home}, "win32", ROOT / "data/TrafficLights"),
            ({"USERPROFILE": home}, "win32", ROOT / "home/ann/AppData/Roaming/TrafficLights"),
        ):  # fmt: skip
            with self.subTest(platform=platform, **environment):
                self.assertEqual(data_folder(environment, platform), place)

    def test_a_chosen_folder_wins_and_is_absolute(self) -> None:
        home, own = str(ROOT / "home"), str(ROOT / "my" / "own")
        for platform in ("linux", "darwin", "win32"):
            chosen = {"TRAFFIC_LIGHTS_HOME": own, "HOME": home, "APPDATA": home}
            self.assertEqual(data_folder(chosen, platform), Path(own))
            relative = data_folder({"TRAFFIC_LIGHTS_HOME": "own"}, platform)
            self.assertEqual(relative, Path.cwd() / "own")
        empty = data_folder({"TRAFFIC_LIGHTS_HOME": "", "HOME": home}, "linux")
        self.assertEqual(empty, ROOT / "home/.local/share/traffic-lights")

    def test_a_chosen_folder_that_is_no_path_is_refused(self) -> None:
        if os.name == "posix":  # on Windows the homes of others are guessed, not looked up
            with self.assertRaisesRegex(StorageError, "no such user"):
                data_folder({"TRAFFIC_LIGHTS_HOME": "~nobody-of-this-name/x"}, "linux")

    def test_a_user_without_a_home_has_a_data_folder_at_the_root(self) -> None:
        with mock.patch.object(Path, "home", side_effect=RuntimeError):
            self.assertEqual(data_folder({}, "linux"), ROOT / ".local/share/traffic-lights")

    def test_without_any_variable_there_is_still_a_folder(self) -> None:
        self.assertTrue(data_folder({}, "linux").is_absolute())


class ProgramFolderTests(unittest.TestCase):
    def test_a_checkout_trains_and_finds_its_tables_in_itself(self) -> None:
        self.assertTrue(is_checkout())
        self.assertEqual(Path(str(shipped_tables())), PROJECT / "qtables")
        self.assertEqual(training_folder(), PROJECT / "qtables")

    def test_an_installed_program_trains_in_the_data_folder(self) -> None:
        with mock.patch.object(folders, "is_checkout", return_value=False):
            self.assertEqual(training_folder(), data_folder() / "qtables")
            self.assertEqual(shipped_tables().name, "qtables")
