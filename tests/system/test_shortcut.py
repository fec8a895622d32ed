import os
import plistlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from tests.kit.samples import PROJECT
from traffic_lights.system.shortcut import ShortcutError, install_shortcut, starting_command

AWKWARD = '/home/a b/100%/it\'s "$HOME" `x` \\ é/play.pyw'


class FolderTestCase(unittest.TestCase):
    def setUp(self) -> None:
        self._temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self._temporary.cleanup)
        self.folder = Path(self._temporary.name)
        self.environ = {"HOME": self._temporary.name}


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


class DesktopEntryTests(FolderTestCase):
    def test_it_is_where_the_system_looks_and_starts_the_game(self) -> None:
        path = install_shortcut("linux", self.environ)
        expected = self.folder / ".local" / "share" / "applications" / "traffic-lights.desktop"
        self.assertEqual(path, expected)
        starter = str(PROJECT / "traffic_lights" / "play.pyw")
        self.assertEqual(exec_arguments(path.read_text("utf-8")), [sys.executable, starter])

    def test_a_data_home_of_one_s_own_is_respected(self) -> None:
        environ = {**self.environ, "XDG_DATA_HOME": str(self.folder / "data")}
        path = install_shortcut("linux", environ)
        self.assertEqual(path.parent, self.folder / "data" / "applications")
        relative = install_shortcut("linux", {**self.environ, "XDG_DATA_HOME": "data"})
        self.assertEqual(relative.parent, self.folder / ".local" / "share" / "applications")

    def test_awkward_paths_arrive_as_they_are(self) -> None:
        command = ["/usr/bin/python3", AWKWARD]
        path = install_shortcut("linux", self.environ, command)
        self.assertEqual(exec_arguments(path.read_text("utf-8")), command)

    def test_a_second_one_replaces_the_first(self) -> None:
        install_shortcut("linux", self.environ, ["/old"])
        path = install_shortcut("linux", self.environ, ["/new"])
        self.assertEqual(exec_arguments(path.read_text("utf-8")), ["/new"])
        self.assertEqual([*path.parent.iterdir()], [path])

    @unittest.skipIf(sys.platform in ("win32", "darwin"), "desktop entries are not of this system")
    def test_the_system_s_own_judge_finds_no_fault(self) -> None:
        judge = shutil.which("desktop-file-validate")
        if judge is None:
            self.skipTest("needs desktop-file-validate")
        for command in (None, ["/usr/bin/python3", AWKWARD]):
            path = install_shortcut("linux", self.environ, command)
            done = subprocess.run([judge, path], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


class ApplicationTests(FolderTestCase):
    def test_it_is_an_application_that_starts_the_game(self) -> None:
        path = install_shortcut("darwin", self.environ, ["/usr/bin/python3", AWKWARD])
        self.assertEqual(path, self.folder / "Applications" / "Traffic Lights.app")
        properties = plistlib.loads((path / "Contents" / "Info.plist").read_bytes())
        self.assertEqual(properties["CFBundlePackageType"], "APPL")
        self.assertEqual(properties["CFBundleName"], "Traffic Lights")
        self.assertEqual(properties["LSArchitecturePriority"][0], "arm64")
        starter = path / "Contents" / "MacOS" / properties["CFBundleExecutable"]
        self.assertTrue(starter.is_file())

    @unittest.skipIf(os.name == "nt", "a shell script")
    def test_its_script_passes_awkward_paths_on(self) -> None:
        show = [sys.executable, "-c", "import sys; print(sys.argv[1])", AWKWARD]
        path = install_shortcut("darwin", self.environ, show)
        starter = path / "Contents" / "MacOS" / "traffic-lights"
        self.assertEqual(stat.S_IMODE(starter.stat().st_mode), 0o755)
        done = subprocess.run(
            [starter], capture_output=True, encoding="utf-8", check=True,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )  # fmt: skip
        self.assertEqual(done.stdout, AWKWARD + "\n")


class LinkTests(FolderTestCase):
    def install(self, *command: str, fails: BaseException | int = 0) -> tuple[Path, Any]:
        calls: list[tuple[Any, Any]] = []

        def run(arguments: list[str], **options: Any) -> subprocess.CompletedProcess[Any]:
            calls.append((arguments, options))
            if isinstance(fails, BaseException):
                raise fails
            if not fails:
                Path(options["env"]["LINK_PATH"]).touch()
            return subprocess.CompletedProcess(arguments, max(0, fails))

        environ = {"APPDATA": str(self.folder), "USERPROFILE": "C:\\Users\\Ann", "X": "kept"}
        return install_shortcut("win32", environ, command, run), calls[0]

    def test_the_system_is_asked_for_a_link_in_the_start_menu(self) -> None:
        starter = "C:\\Program Files\\it's $x\\play.pyw"
        path, (arguments, options) = self.install("C:\\Python\\pythonw.exe", starter)
        self.assertEqual(path.name, "Traffic Lights.lnk")
        self.assertEqual(path.parent.parts[-4:], ("Microsoft", "Windows", "Start Menu", "Programs"))
        self.assertTrue(path.parent.is_dir())
        self.assertEqual(arguments[0], "powershell")
        # No value is in the script, so none can be taken for a part of it.
        self.assertNotIn("Python", arguments[-1])
        environment = options["env"]
        self.assertEqual(environment["LINK_PATH"], str(path))
        self.assertEqual(environment["LINK_TARGET"], "C:\\Python\\pythonw.exe")
        self.assertEqual(environment["LINK_ARGUMENTS"], f'"{starter}"')
        self.assertEqual(environment["X"], "kept")
        for name in environment:
            self.assertEqual(name.startswith("LINK_"), f"$env:{name}" in arguments[-1], name)

    def test_a_system_that_refuses_is_said(self) -> None:
        makes_nothing = -1
        for failure in (1, makes_nothing, FileNotFoundError(2, "no powershell"),
                        subprocess.TimeoutExpired("powershell", 30)):  # fmt: skip
            with self.subTest(failure=failure), self.assertRaisesRegex(ShortcutError, "not made"):
                self.install("python", "play.pyw", fails=failure)


class StartingCommandTests(FolderTestCase):
    def test_a_folder_starts_by_its_play_file_and_a_zip_by_itself(self) -> None:
        package = self.folder / "traffic_lights"
        package.mkdir()
        python = str(Path("/usr/bin/python3"))
        self.assertEqual(
            starting_command("linux", package, python), (python, str(package / "play.pyw"))
        )
        archive = self.folder / "game.pyzw"
        self.assertEqual(
            starting_command("linux", archive / "traffic_lights", python), (python, str(archive))
        )

    def test_windows_takes_the_interpreter_without_a_console_if_there_is_one(self) -> None:
        python = self.folder / "python.exe"
        self.assertEqual(starting_command("win32", self.folder, str(python))[0], str(python))
        silent = self.folder / "pythonw.exe"
        silent.touch()
        self.assertEqual(starting_command("win32", self.folder, str(python))[0], str(silent))

    def test_a_path_that_no_entry_can_hold_is_refused(self) -> None:
        for platform in ("linux", "darwin", "win32"):
            with self.assertRaisesRegex(ShortcutError, "control characters"):
                install_shortcut(platform, self.environ, ["python", "a\nExec=b"])

    def test_a_home_that_cannot_be_written_is_one_sentence(self) -> None:
        blocked = self.folder / "file"
        blocked.touch()
        for platform in ("linux", "darwin"):
            with self.assertRaisesRegex(ShortcutError, "^cannot write .* folder"):
                install_shortcut(platform, {"HOME": str(blocked)}, ["python"])
