"""The entry in the system's menu starts the game, on each system."""

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
from traffic_lights.storage.files import StorageError
from traffic_lights.system.shortcut import install_shortcut, starting_command

AWKWARD = '/home/a b/100%/it\'s "$HOME" `x` \\ é/play.pyw'


class ShortcutTestCase(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.environ = {"HOME": str(self.folder)}


def exec_arguments(entry: str) -> list[str]:
    """Return the arguments of an entry's Exec key, read as the specification says."""
    (value,) = [line[5:] for line in entry.splitlines() if line.startswith("Exec=")]
    value = value.replace("\\\\", "\\")  # the escape of all values that can be in here
    arguments: list[str] = []
    characters = iter(value)
    for character in characters:
        if character == " ":
            continue
        assert character == '"', value
        argument = ""
        while (character := next(characters)) != '"':
            argument += next(characters) if character == "\\" else character
        arguments.append(argument.replace("%%", "%"))
    return arguments


class EntryTests(ShortcutTestCase):
    def test_a_desktop_entry_is_where_the_system_looks_and_starts_the_game(self) -> None:
        path = install_shortcut("linux", self.environ)
        self.assertEqual(
            path, self.folder / ".local" / "share" / "applications" / "traffic-lights.desktop"
        )
        starter = str(PROJECT / "traffic_lights" / "play.pyw")
        self.assertEqual(exec_arguments(path.read_text("utf-8")), [sys.executable, starter])
        path = install_shortcut("linux", self.environ, ["/usr/bin/python3", AWKWARD])
        heading, *lines = path.read_text("utf-8").splitlines()
        values = dict(line.split("=", 1) for line in lines)
        self.assertEqual((heading, values["Type"]), ("[Desktop Entry]", "Application"))
        self.assertTrue(values["Categories"].endswith(";"))
        self.assertTrue(all(values.values()))
        self.assertEqual(exec_arguments(path.read_text("utf-8")), ["/usr/bin/python3", AWKWARD])
        self.assertEqual([*path.parent.iterdir()], [path], "the second one replaces the first")

    def test_on_macos_it_is_an_application_whose_script_starts_the_game(self) -> None:
        show = [sys.executable, "-c", "import sys; print(sys.argv[1])", AWKWARD]
        path = install_shortcut("darwin", self.environ, show)
        self.assertEqual(path, self.folder / "Applications" / "Traffic Lights.app")
        properties = plistlib.loads((path / "Contents" / "Info.plist").read_bytes())
        self.assertEqual(properties["CFBundlePackageType"], "APPL")
        starter = path / "Contents" / "MacOS" / properties["CFBundleExecutable"]
        if os.name == "posix":
            self.assertEqual(stat.S_IMODE(starter.stat().st_mode), 0o755)
            environ = {**os.environ, "PYTHONIOENCODING": "utf-8"}
            said = subprocess.run([starter], stdout=subprocess.PIPE, check=True, env=environ)
            self.assertEqual(said.stdout.decode("utf-8"), AWKWARD + "\n")

    def test_on_windows_powershell_makes_a_link_in_the_start_menu(self) -> None:
        command = "C:\\Python\\pythonw.exe", "C:\\Program Files\\it's $x\\play.pyw"
        environ = {"APPDATA": str(self.folder), "USERPROFILE": "C:\\Users\\Ann", "X": "kept"}
        with mock.patch.object(subprocess, "run") as run:
            path = install_shortcut("win32", environ, command)
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
        self.assertEqual(environment["X"], "kept")
        for name in environment:
            self.assertEqual(name.startswith("LINK_"), f"$env:{name}" in arguments[-1], name)

    def test_what_cannot_be_written_is_one_sentence(self) -> None:
        environ = {"HOME": str(self.folder), "APPDATA": str(self.folder)}
        for error in (FileNotFoundError(2, "none"), subprocess.TimeoutExpired("powershell", 30),
                      subprocess.CalledProcessError(1, "powershell")):  # fmt: skip
            with (
                mock.patch.object(subprocess, "run", side_effect=error),
                self.assertRaisesRegex(StorageError, "PowerShell failed"),
            ):
                install_shortcut("win32", environ, ["python"])
        (self.folder / "file").touch()
        for platform in ("linux", "darwin"):
            with self.assertRaises(StorageError):
                install_shortcut(platform, {"HOME": str(self.folder / "file")}, ["python"])


class StartingCommandTests(ShortcutTestCase):
    def test_a_folder_starts_by_its_play_file_and_a_zip_by_itself(self) -> None:
        package, archive = self.folder / "traffic_lights", self.folder / "game.pyzw"
        package.mkdir()
        python = str(Path("/usr/bin/python3"))
        for where, started in (
            (package, package / "play.pyw"),
            (archive / "traffic_lights", archive),
        ):
            self.assertEqual(starting_command("linux", where, python), (python, str(started)))

    def test_windows_takes_the_interpreter_without_a_console_if_there_is_one(self) -> None:
        python = self.folder / "python.exe"
        self.assertEqual(starting_command("win32", self.folder, str(python))[0], str(python))
        silent = self.folder / "pythonw.exe"
        silent.touch()
        self.assertEqual(starting_command("win32", self.folder, str(python))[0], str(silent))


if __name__ == "__main__":
    unittest.main()
