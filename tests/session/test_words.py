"""One unit: every text for players counts in moves, and only the code in plies."""

import ast
import unittest

from tests.kit.samples import PROJECT

SPEAKING = (".", "gui/**", "console", "session", "userdata", "judging", "pictures", "players")
"""The folders with texts for players; the commands have some too."""


class WordsTests(unittest.TestCase):
    def test_no_text_for_players_counts_in_plies(self) -> None:
        for folder in SPEAKING:
            for path in (PROJECT / "traffic_lights").glob(f"{folder}/*.py"):
                nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
                docstrings = [node.value for node in nodes if isinstance(node, ast.Expr)]
                for node in nodes:
                    if isinstance(node, ast.Constant) and node not in docstrings:
                        text = f"{path}:{node.lineno}: {node.value!r}"
                        self.assertNotRegex(text, r"(?i)\b(ply|plies)\b")


if __name__ == "__main__":
    unittest.main()
