import ast
import contextlib
import io
import sys
import unittest
from unittest import mock

from tests.kit.samples import PROJECT

Import = (ast.Import, ast.ImportFrom)
FIRST_FILE = PROJECT / "traffic_lights" / "__init__.py"


class OldPythonTests(unittest.TestCase):
    def outcome(self, version: tuple[object, ...]) -> tuple[int | None, str]:
        """Return (exit status, standard error) of importing the program on *version*."""
        err = io.StringIO()
        code = compile(FIRST_FILE.read_text("ascii"), str(FIRST_FILE), "exec")
        with contextlib.redirect_stderr(err), mock.patch.object(sys, "version_info", version):
            try:
                exec(code, {})
            except SystemExit as leaving:
                return int(str(leaving.code)), err.getvalue()
        return None, err.getvalue()

    def test_an_old_python_is_one_sentence_with_the_remedy_and_status_2(self) -> None:
        for version in ((2, 7, 18, "final", 0), (3, 6, 15, "final", 0), (3, 10, 13, "final", 0)):
            status, text = self.outcome(version)
            self.assertEqual((status, text.count("\n")), (2, 1))
            self.assertIn("this is Python " + ".".join(map(str, version[:3])), text)
            self.assertIn("needs 3.11 or newer", text)
            self.assertIn("https://www.python.org", text)

    def test_the_file_for_a_double_click_uses_only_what_every_python_has(self) -> None:
        tree = ast.parse((PROJECT / "traffic_lights" / "play.pyw").read_text("utf-8"))
        imports = [ast.unparse(node) for node in tree.body if isinstance(node, Import)]
        expected = ["import os.path", "import sys", "from traffic_lights.__main__ import main"]
        self.assertEqual(imports, expected)

    def test_newer_ones_are_welcome(self) -> None:
        for version in ((3, 11, 0, "final", 0), (3, 14, 1, "final", 0), (4, 0, 0, "alpha", 1)):
            self.assertEqual(self.outcome(version), (None, ""))
