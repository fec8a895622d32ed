import json
import tempfile
import unittest
from pathlib import Path

from traffic_lights.keeping.programs import FILE_NAME, KeptPrograms
from traffic_lights.players.programs import Program
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
