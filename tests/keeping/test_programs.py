import json
import tempfile
import unittest
from pathlib import Path

from traffic_lights.keeping.programs import FILE_NAME, KeptPrograms
from traffic_lights.players.external import Program
from traffic_lights.storage.files import StorageError


class KeptProgramsTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "data"
        self.kept = KeptPrograms(self.folder)

    def test_what_is_added_is_there_at_the_next_start(self) -> None:
        self.assertEqual(self.kept.all(), [])
        one, two = Program("./one --x", "One"), Program("'b c'", "Two", move_s=0.5)
        self.assertEqual([self.kept.add(p).key for p in (one, two)], ["program-1", "program-2"])
        self.assertEqual([k.program for k in KeptPrograms(self.folder).all()], [one, two])

    def test_a_program_takes_the_place_of_one_of_its_name(self) -> None:
        first = self.kept.add(Program("old", "Mine"))
        self.kept.add(Program("other", "Other"))
        self.assertEqual(self.kept.add(Program("new", "Mine")).key, first.key)
        self.assertEqual([k.program.command for k in self.kept.all()], ["other", "new"])

    def test_whatever_it_is_called_it_is_there_at_the_next_start(self) -> None:
        names = ["Bot [v2]", "x" * 41, "", " ", "\x1b", "a\nb", "\u2028", "\ud800", "\U0001f6a6"]
        stems = ["x" * 200, "y" * 41, "a b", "\x07", ""]
        programs = [Program("x", name) for name in names]
        programs += [Program(f"'/bots/{stem}'") for stem in stems]
        for program in programs:
            with self.subTest(program=program):
                added = self.kept.add(program)
                self.assertIn(added, KeptPrograms(self.folder).all())
                self.assertEqual(added.program.command, program.command)
                self.assertTrue(added.program.name.isprintable() and added.program.name)

    def test_a_name_that_was_written_too_long_is_cut_as_it_is_read(self) -> None:
        self.kept.add(Program("x", "One"))
        path = self.folder / FILE_NAME
        path.write_text(path.read_text().replace("One", "y" * 200))
        self.assertEqual([k.program for k in self.kept.all()], [Program("x", "y" * 40)])

    def test_a_command_that_could_not_be_read_is_not_written(self) -> None:
        one = self.kept.add(Program("x" * 4000, "One"))
        with self.assertRaises(StorageError):
            self.kept.add(Program("x" * 4001, "Two"))
        self.assertEqual(self.kept.all(), [one])

    def test_what_is_removed_is_gone_and_its_key_is_no_one_elses(self) -> None:
        one, two = (self.kept.add(Program("x", name)) for name in ("One", "Two"))
        self.kept.remove(one.key)
        self.assertEqual(self.kept.all(), [two])
        self.assertEqual(self.kept.add(Program("x", "Three")).key, "program-3")

    def test_a_file_that_is_no_list_of_programs_is_refused_and_left_alone(self) -> None:
        self.kept.add(Program("x", "One"))
        path = self.folder / FILE_NAME
        good = json.loads(path.read_text())
        (row,) = good["programs"]
        for programs in (
            None, [1], [{**row, "key": "../x"}], [{**row, "name": ""}], [{**row, "name": "\x1b"}],
            [{**row, "command": 5}], [{**row, "move_s": 0}], [{**row, "move_s": 1e9}],
            [{**row, "move_s": "5"}],
        ):  # fmt: skip
            path.write_text(json.dumps({**good, "programs": programs}))
            before = path.read_bytes()
            for act in (self.kept.all, lambda: self.kept.add(Program("y", "Two"))):
                with self.assertRaises(StorageError):
                    act()
            self.assertEqual(path.read_bytes(), before)
