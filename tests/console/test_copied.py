import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests.kit.samples import PROJECT
from traffic_lights.console.copied import module_command, play_command, python, shell_word

PLAIN_C = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}


@unittest.skipUnless(os.name == "posix", "the words of a POSIX shell")
class ShellWordTests(unittest.TestCase):
    def written_by_the_shell(self, words: list[str]) -> list[bytes]:
        script = "".join(f"printf '%s\\0' {word}\n" for word in words)
        done = subprocess.run(["sh"], input=script.encode("ascii"), capture_output=True, check=True)
        return done.stdout.split(b"\0")[:-1]

    def test_whatever_a_name_holds_the_shell_reads_it_back(self) -> None:
        rng = random.Random(7)
        letters = [byte for byte in range(1, 256) if byte != ord("\n")]
        names = [bytes(rng.choices(letters, k=rng.randint(1, 30))) for _ in range(300)]
        names += [b"-n", b"%s", b"a'b", b"$HOME", b"`ls`", b"\\101", "café".encode(), b"caf\xe9"]
        words = [shell_word(os.fsdecode(name), "ascii") for name in names]
        self.assertEqual(self.written_by_the_shell(words), names)
        for word in words:
            self.assertTrue(word.isascii() and word.isprintable(), word)

    def test_a_name_that_the_screen_can_show_is_only_quoted(self) -> None:
        for name in ("runs", "my runs", "café", "x'y"):
            self.assertEqual(shell_word(name, "utf-8"), shlex.quote(name))

    def test_without_streams_names_are_quoted_as_ever(self) -> None:
        with mock.patch.object(sys, "stdout", None), mock.patch.object(sys, "stderr", None):
            self.assertEqual(shell_word("café"), "'café'")


class CommandTests(unittest.TestCase):
    def run_in_shell(self, command: str, folder: str | Path) -> str:
        done = subprocess.run(
            command, shell=True, cwd=folder, capture_output=True, text=True, check=True
        )
        return done.stdout

    def test_it_starts_this_python(self) -> None:
        program = "import sys; print(sys.base_prefix)"
        self.assertEqual(
            self.run_in_shell(f'{python()} -c "{program}"', PROJECT).strip(), sys.base_prefix
        )

    def test_the_name_of_another_python_is_not_taken_for_this_one(self) -> None:
        with mock.patch.object(shutil, "which", return_value=None):
            self.assertEqual(python(), shell_word(sys.executable))

    def test_a_module_runs_in_the_folder_of_the_program(self) -> None:
        self.assertIn("usage:", self.run_in_shell(module_command("solve", "--help"), PROJECT))

    def test_a_path_that_begins_like_an_option_is_not_taken_for_one(self) -> None:
        command = module_command("train", "--dir", Path("-dash"), "--cut")
        words = shlex.split(command)[-3:] if os.name != "nt" else command.split()[-3:]
        self.assertEqual(words, ["--dir", str(Path.cwd() / "-dash"), "--cut"])

    def test_the_game_is_started_from_any_folder(self) -> None:
        self.assertIn(" -m traffic_lights --version", play_command("--version"))
        with tempfile.TemporaryDirectory() as elsewhere:
            with mock.patch.object(Path, "cwd", return_value=Path(elsewhere)):
                command = play_command("--version")
            self.assertIn("Traffic Lights", self.run_in_shell(command, elsewhere))


@unittest.skipUnless(os.name == "posix", "the words of a POSIX shell")
class LocaleTests(unittest.TestCase):
    def test_in_the_c_locale_the_command_that_is_printed_works(self) -> None:
        options = ["--opponent", "random", "--games", "20", "--quiet"]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name, "caf\u00e9 100%").absolute()
            done = subprocess.run(
                [sys.executable, "-m", "traffic_lights.train", "--dir", str(folder), *options],
                env={**os.environ, **PLAIN_C}, cwd=PROJECT, capture_output=True, check=True,
            )  # fmt: skip
            _, _, command = done.stdout.decode("ascii").rpartition("What it is worth: ")
            _, _, word = command.strip().partition(" --table ")
            found = subprocess.run(["sh", "-c", f"ls {word}"], capture_output=True, check=True)
            self.assertEqual(found.stdout.strip(), os.fsencode(folder / "qtable.json"))
            self.assertIn(" -m traffic_lights.evaluate", command)
