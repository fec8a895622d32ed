"""One unit: every text for players counts in moves, and only the code in plies."""

from __future__ import annotations

import ast
import re
import unittest
from collections.abc import Iterator
from pathlib import Path

from tests.kit.samples import PROJECT

PACKAGE = PROJECT / "traffic_lights"
SPEAKING = ("gui", "console", "session", "userdata", "judging", "pictures", "players")
"""The packages with texts for players; the commands have some too."""
PLIES = re.compile(r"\b(ply|plies)\b", re.IGNORECASE)


def speaking_files() -> Iterator[Path]:
    """Yield the files with texts for players."""
    yield from PACKAGE.glob("*.py")
    for folder in SPEAKING:
        yield from (PACKAGE / folder).rglob("*.py")


def texts_of(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield the texts in *tree* that are not docstrings, also parts of f-strings."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node


class WordsTests(unittest.TestCase):
    def test_no_text_for_players_counts_in_plies(self) -> None:
        found = [
            f"{path.relative_to(PROJECT)}:{node.lineno}: {node.value!r}"
            for path in speaking_files()
            for node in texts_of(ast.parse(path.read_text("utf-8")))
            if PLIES.search(str(node.value))
        ]
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
