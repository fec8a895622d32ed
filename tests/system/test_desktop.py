"""Where each system keeps things, its colours, and the entry in its menu."""

import os
import plistlib
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any
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
from traffic_lights.system import desktop
from traffic_lights.system.desktop import (
    install_shortcut,
    remove_shortcut,
    starting_command,
    system_prefers_dark,
)

ROOT = Path(os.sep).resolve()
AWKWARD = '/home/a b/100%/it\'s "$HOME" `x` \\ é/play.pyw'
ESCAPED = r'''"/usr/bin/python3" "/home/a b/100%%/it's \\"\\$HOME\\" \\`x\\` \\\\ é/play.pyw"'''


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
                mock.patch.dict(os.environ, HOME=name, USERPROFILE=name, XDG_DATA_HOME=""),
                self.assertRaisesRegex(StorageError, "HOME"),
            ):
                install_shortcut("linux", os.environ)
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


class ShortcutTests(DesktopTestCase):
    def install(self, platform: str, *command: str) -> Path:
        """Install a shortcut that starts *command*."""
        with mock.patch.object(desktop, "starting_command", return_value=list(command)):
            return install_shortcut(platform, self.environ)

    def test_a_desktop_entry_is_where_the_system_looks_and_starts_the_game(self) -> None:
        path = install_shortcut("linux", self.environ)
        self.assertEqual(path.parent, self.folder / ".local" / "share" / "applications")
        self.assertRegex(path.read_text("utf-8"), r'\nExec=".*python.*" ".*play.pyw"\n')
        self.install("linux", "/usr/bin/python3", AWKWARD)
        heading, *lines = path.read_text("utf-8").splitlines()
        values = dict(line.split("=", 1) for line in lines)
        self.assertEqual((heading, values["Type"]), ("[Desktop Entry]", "Application"))
        self.assertTrue(values["Categories"].endswith(";"))
        # Quoted arguments escape four characters, and the value escapes the backslash once more.
        self.assertEqual(values["Exec"], ESCAPED)

    def test_what_a_shortcut_wrote_is_removed_again(self) -> None:
        for platform in ("linux", "darwin"):
            install_shortcut(platform, self.environ)
            self.assertTrue(remove_shortcut(platform, self.environ))
            self.assertEqual([p for p in self.folder.rglob("*") if p.is_file()], [])
            self.assertEqual(remove_shortcut(platform, self.environ), [])

    def test_on_macos_it_is_an_application_whose_script_starts_the_game(self) -> None:
        show = self.folder / "show it's.py"
        show.write_text("print('started')")
        path = self.install("darwin", sys.executable, str(show))
        self.assertEqual(path, self.folder / "Applications" / "Traffic Lights.app")
        properties = plistlib.loads((path / "Contents" / "Info.plist").read_bytes())
        self.assertEqual(properties["CFBundleName"], "Traffic Lights")
        starter = path / "Contents" / "MacOS" / properties["CFBundleExecutable"]
        if os.name == "posix":
            self.assertEqual(stat.S_IMODE(starter.stat().st_mode), 0o755)
            self.assertEqual(subprocess.check_output([starter]), b"started\n")

    def test_on_windows_powershell_makes_a_link_in_the_start_menu(self) -> None:
        command = "C:\\Python\\pythonw.exe", "C:\\Program Files\\it's $x\\play.pyw"
        with (
            mock.patch.object(subprocess, "run") as run,
            mock.patch.object(Path, "exists", return_value=True),
        ):
            path = self.install("win32", *command)
        self.assertEqual(path.name, "Traffic Lights.lnk")
        self.assertEqual(path.parent.parts[-4:], ("Microsoft", "Windows", "Start Menu", "Programs"))
        self.assertTrue(path.parent.is_dir())
        arguments: Any = run.call_args.args[0]
        environment = run.call_args.kwargs["env"]
        self.assertEqual(arguments[0], "powershell")
        self.assertNotIn("Python", arguments[-1], "no value is in the script")
        self.assertEqual(environment["LINK_PATH"], str(path))
        self.assertEqual(environment["LINK_TARGET"], command[0])
        self.assertEqual(environment["LINK_ARGUMENTS"], f'"{command[1]}"')
        self.assertEqual(environment["LINK_FOLDER"], str(self.folder))
        self.assertIn("board game", environment["LINK_COMMENT"])
        self.assertEqual(environment["X"], "kept")
        for name in environment:
            self.assertEqual(name.startswith("LINK_"), f"$env:{name}" in arguments[-1], name)

    def test_what_cannot_be_written_is_one_sentence(self) -> None:
        with (
            mock.patch.object(subprocess, "run"),
            self.assertRaisesRegex(StorageError, "did not write .*Lights.lnk"),
        ):
            install_shortcut("win32", self.environ)
        failed = subprocess.CalledProcessError(1, "powershell")
        with (
            mock.patch.object(subprocess, "run", side_effect=failed),
            self.assertRaisesRegex(StorageError, "cannot write .*Lights.lnk: PowerShell failed"),
        ):
            install_shortcut("win32", self.environ)
        (self.folder / "file").touch()
        self.environ["HOME"] = str(self.folder / "file")
        for platform in ("linux", "darwin"):
            with self.assertRaises(StorageError):
                install_shortcut(platform, self.environ)

    def test_a_zip_starts_by_itself_on_windows_without_a_console(self) -> None:
        archive, python = self.folder / "game.pyzw", self.folder / "pythonw.exe"
        python.touch()
        with (
            mock.patch.object(desktop, "PACKAGE_FOLDER", archive / "traffic_lights"),
            mock.patch.object(sys, "executable", str(self.folder / "python.exe")),
        ):
            self.assertEqual(starting_command("win32"), [str(python), str(archive)])
            self.assertEqual(starting_command("linux")[0], sys.executable)
