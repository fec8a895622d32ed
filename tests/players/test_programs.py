import os
import sys
import tempfile
import unittest
from pathlib import Path

from traffic_lights.players.programs import CommandTextError, file_name, located, split_command
from traffic_lights.system.names import fit_name


class CommandTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = Path(folder.name).resolve()
        (self.here / "bots").mkdir()
        self.script = self.here / "bots" / "first bot.py"
        self.script.touch()

    def test_words_are_split_at_spaces_but_for_quotes(self) -> None:
        self.assertEqual(split_command("a 'b c' \"d e\" -f"), ["a", "b c", "d e", "-f"])
        for command in ("", "  ", "a 'b", "a\0b", "''"):
            with self.assertRaises(CommandTextError):
                split_command(command)

    def test_a_script_is_started_in_its_folder_wherever_it_is_called_from(self) -> None:
        python = f'"{sys.executable}"'
        for script in ('"bots/first bot.py"', f'"{self.script}"'):
            words, folder = located(f"{python} -u {script} --deep", self.here)
            self.assertEqual((Path(words[2]), folder), (self.script, self.script.parent))
            self.assertEqual(words[3], "--deep")

    def test_without_a_file_of_its_own_it_is_started_here(self) -> None:
        command = f'"{sys.executable}" -m some.bot --table "{self.script}"'
        self.assertEqual(located(command, self.here)[1], self.here)

    @unittest.skipUnless(os.name == "posix", "files are executable by their names there")
    def test_a_program_without_arguments_is_started_in_its_folder(self) -> None:
        self.script.chmod(0o755)
        for command in ("'bots/first bot.py'", "'./bots/first bot.py' --deep"):
            words, folder = located(command, self.here)
            self.assertEqual((Path(words[0]), folder), (self.script, self.script.parent))

    def test_what_is_not_there_or_no_program_is_refused(self) -> None:
        for command in ("no-such-program-here", "./bots/none", "./bots"):
            with self.assertRaises(CommandTextError):
                located(command, self.here)

    def test_it_is_called_after_its_file(self) -> None:
        self.assertEqual(file_name(f'python3 "{self.script}" --deep'), "first bot")
        self.assertEqual(file_name("/usr/bin/deep.exe"), "deep")
        self.assertEqual(file_name("'"), "The program")

    def test_its_files_name_is_one_short_line(self) -> None:
        for stem in ("x" * 200, "a\tb", "\x1b[2J", "\u200b", "a\u202eb", "  ", "."):
            name = file_name(f"'/bots/{stem}'")
            self.assertTrue(name)
            self.assertTrue(name.isprintable(), ascii(name))
            self.assertEqual(fit_name(name), name)
