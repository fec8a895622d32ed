"""Where each system keeps things, and its colours."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests.kit.samples import PROJECT
from traffic_lights.storage import folders
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.folders import (
    data_folder,
    documents_folder,
    home_folder,
    parse_path,
    shipped_tables,
    training_folder,
)
from traffic_lights.system.desktop import (
    system_prefers_dark,
)

ROOT = Path(os.sep).resolve()


class FolderTests(unittest.TestCase):
    def test_each_system_has_its_place_for_data(self) -> None:
        home, data = str(ROOT / "home" / "ann"), str(ROOT / "data")
        usual = "home/ann/.local/share/traffic-lights"
        for environment, platform, place in (
            ({"HOME": home}, "linux", usual),
            ({"HOME": home, "XDG_DATA_HOME": data}, "linux", "data/traffic-lights"),
            ({"HOME": home, "XDG_DATA_HOME": "data"}, "linux", usual),
            ({"HOME": home, "TRAFFIC_LIGHTS_HOME": ""}, "freebsd14", usual),
            ({"HOME": home}, "darwin", "home/ann/Library/Application Support/TrafficLights"),
            ({"APPDATA": data, "HOME": home}, "win32", "data/TrafficLights"),
            ({"USERPROFILE": home}, "win32", "home/ann/AppData/Roaming/TrafficLights"),
            *(({"TRAFFIC_LIGHTS_HOME": "own", "HOME": home, "APPDATA": data}, platform,
               str(Path.cwd() / "own")) for platform in ("linux", "darwin", "win32")),
        ):  # fmt: skip
            with self.subTest(platform=platform, **environment):
                self.assertEqual(data_folder(environment, platform), ROOT / place)

    def test_documents_are_where_the_desktop_says_or_in_the_usual_folder_or_at_home(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            home = Path(name)
            environ = {"HOME": name}
            self.assertEqual(documents_folder(environ), home)
            (home / "Documents").mkdir()
            self.assertEqual(documents_folder(environ), home / "Documents")
            (home / ".config").mkdir()
            (home / ".config" / "user-dirs.dirs").write_text(
                '# comment\nXDG_DOCUMENTS_DIR="$HOME/Dokumente"\n', "utf-8"
            )
            self.assertEqual(documents_folder(environ), home / "Documents")
            (home / "Dokumente").mkdir()
            self.assertEqual(documents_folder(environ), home / "Dokumente")
            for chosen in (home / "elsewhere", "relative"):
                found = documents_folder({**environ, "XDG_CONFIG_HOME": str(chosen)})
                usual = chosen == "relative"
                self.assertEqual(found, home / ("Dokumente" if usual else "Documents"))

    def test_a_checkout_trains_in_itself_and_an_installed_program_in_the_data_folder(self) -> None:
        self.assertEqual(Path(str(shipped_tables())), PROJECT / "qtables")
        self.assertEqual(training_folder(), PROJECT / "qtables")
        with mock.patch.object(folders, "CHECKOUT_TABLES", None):
            self.assertEqual(training_folder(), data_folder() / "qtables")
            self.assertEqual(shipped_tables().name, "qtables")

    def test_a_typed_path_may_begin_with_a_home(self) -> None:
        home = str(ROOT / "home" / "ann")
        with mock.patch.dict(os.environ, HOME=home, USERPROFILE=home):
            self.assertEqual(parse_path("~/bots"), ROOT / "home" / "ann" / "bots")
        self.assertEqual(parse_path("bots"), Path("bots"))
        for text, words in (
            ("", "'' is not the name of a file or folder"),
            ("a\0b", "'a\\\\x00b' is not the name of a file or folder"),
            ("~nobody-has-this-name/x", "~nobody-has-this-name/x: no such user"),
        ):
            with self.assertRaisesRegex(StorageError, f"^{words}"):
                parse_path(text)

    def test_a_home_is_an_absolute_path_or_a_sentence(self) -> None:
        home = str(ROOT / "home" / "ann")
        for name in ("relative", "./x"):
            with (
                mock.patch.dict(os.environ, HOME=name, USERPROFILE=name),
                self.assertRaisesRegex(StorageError, "HOME"),
            ):
                home_folder(os.environ)
            self.assertEqual(home_folder({"HOME": name, "USERPROFILE": home}), Path(home))
        self.assertFalse(Path("relative").exists())

    @unittest.skipIf(sys.platform == "win32", "Windows has no such list of its users")
    def test_with_an_empty_home_nothing_is_put_under_the_root_folder(self) -> None:
        account = mock.Mock(pw_dir="/home/ann")
        with mock.patch.dict(os.environ, HOME="", USERPROFILE=""):
            with mock.patch("pwd.getpwuid", return_value=account):
                self.assertEqual(home_folder(os.environ), Path("/home/ann"))
                self.assertEqual(parse_path("~/bots"), Path("/home/ann/bots"))
            for path in ("~", "~/bots"):
                with (
                    mock.patch("pwd.getpwuid", side_effect=KeyError),
                    self.assertRaisesRegex(StorageError, "^the home folder is not known"),
                ):
                    parse_path(path)


class DesktopTestCase(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.environ = {"HOME": str(self.folder), "APPDATA": str(self.folder), "X": "kept"}


class ColourTests(DesktopTestCase):
    def test_dark_is_found_where_desktops_write_it(self) -> None:
        for name, text in (
            ("gtk-3.0/settings.ini", b"[Settings]\ngtk-application-prefer-dark-theme = 1\n"),
            ("gtk-4.0/settings.ini", b"[Settings]\ngtk-application-prefer-dark-theme=true\n"),
            ("kdeglobals", b"\xff\xfe[General]\nColorScheme=BreezeDark\n"),
        ):
            with self.subTest(file=name):
                self.assertFalse(system_prefers_dark("linux", self.environ))
                path = self.folder / ".config" / name
                path.parent.mkdir(exist_ok=True, parents=True)
                path.write_bytes(text)
                self.assertTrue(system_prefers_dark("linux", self.environ))
                path.unlink()
        self.assertTrue(system_prefers_dark("linux", {"GTK_THEME": "Adwaita:dark"}))
        self.assertFalse(system_prefers_dark("linux", {"GTK_THEME": "Adwaita", **self.environ}))

    @unittest.skipIf(sys.platform == "win32", "needs a shell")
    def test_gnome_is_dark_if_its_settings_say_so_whatever_else_they_print(self) -> None:
        program = self.folder / "gsettings"
        environ = {**self.environ, "PATH": str(self.folder)}
        self.assertFalse(system_prefers_dark("linux", environ), "there is no gsettings")
        for does, is_dark in (
            ("echo \"'prefer-dark'\"", True), ("echo \"'default'\"", False),
            ("echo \"'prefer-light'\"", False), ("echo 'No such schema' >&2; exit 1", False),
            ("printf '\\377\\000prefer-dark'", False), ("exec /bin/sleep 60", False),
        ):  # fmt: skip
            program.write_text(f"#!/bin/sh\n{does}\n", "utf-8")
            program.chmod(0o755)
            with self.subTest(does=does):
                self.assertEqual(system_prefers_dark("linux", environ), is_dark)

    def test_a_mac_is_dark_if_its_defaults_say_so(self) -> None:
        for shown, is_dark in ((b"Dark\n", True), (b"", False), (b"Darker", False)):
            done = subprocess.CompletedProcess([], 0, shown, b"")
            with mock.patch.object(subprocess, "run", return_value=done) as run:
                self.assertEqual(system_prefers_dark("darwin", self.environ), is_dark)
            command = ["/usr/bin/defaults", "read", "-g", "AppleInterfaceStyle"]
            self.assertEqual(run.call_args.args, (command,))
        for error in (FileNotFoundError(2, ""), subprocess.TimeoutExpired("defaults", 0.5)):
            with mock.patch.object(subprocess, "run", side_effect=error):
                self.assertFalse(system_prefers_dark("darwin", self.environ))
