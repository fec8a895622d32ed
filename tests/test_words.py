"""Plain words: each rule has a budget of exceptions, which may only shrink."""

import ast
import io
import re
import tokenize
import unittest
from collections.abc import Iterator
from functools import cache
from typing import Final

from tests.kit.samples import PROJECT

RULES: Final = {
    "a person or a stranger": r"\ba (?:person|stranger)\b|\bstrangers?\b",
    "a fact without its actor": r"\b(?:nobody|somebody|anybody|whoever)\b",
    "private words": r"\b(?:desk|keeper|tally|warden|witness|patience|vessels?|wing|hopes?|doubted"
    r"|conceded?s?|programmes?)\b",
    "old-fashioned words": r"\b(?:anew|beside|but for)\b|, else\b|\bsome \d",
    "is no X": r"\b(?:is|are|was|were) no (?!longer\b|more than\b|other\b)[a-z]+",
    "is said or told": r"\b(?:is|are|was|were) (?:said|told)\b",
    "of which, of whom": r"\b(?:of|in|from|into) (?:which|whom|whose)\b",
    "goes on": r"\bgo(?:es)? on\b",
}
BUDGETS: Final = {
    "a person or a stranger": 1,
    "a fact without its actor": 1,
    "private words": 4,
    "old-fashioned words": 0,
    "is no X": 2,
    "is said or told": 0,
    "of which, of whom": 2,
    "goes on": 1,
}
SPEAKING: Final = (
    ".", "gui/**", "console", "play", "judging", "players"
)  # fmt: skip
"""The folders with texts for players; the commands have some too."""
LONGEST_SENTENCE: Final = 32
LONG_SENTENCES: Final = 7


@cache
def texts() -> tuple[tuple[str, str], ...]:
    """Return each docstring, comment and longer string of the package and each page, by file."""
    return tuple(_texts())


def _texts() -> Iterator[tuple[str, str]]:
    for path in sorted((PROJECT / "traffic_lights").rglob("*.py")):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield path.name, node.value
        comments = [
            token.string.lstrip("# ")
            for token in tokenize.generate_tokens(io.StringIO(source).readline)
            if token.type == tokenize.COMMENT
        ]
        yield path.name, "\n".join(comments)
    for page in (PROJECT / "README.md", *(PROJECT / "traffic_lights").glob("*/*.md")):
        yield page.name, page.read_text("utf-8")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of the prose in *text*: no code, no tables, no lists."""
    prose = re.sub(r"(?m)^\s*>>>.*$|^ {4,}.*$|^\s*[|#-].*$|```[^`]*```", "", text)
    for paragraph in re.split(r"\n\s*\n", prose):
        yield from re.split(r"(?<=[.!?:])\s+", " ".join(paragraph.split()))


class WordTests(unittest.TestCase):
    def test_no_rule_is_broken_more_often_than_its_budget(self) -> None:
        for rule, pattern in RULES.items():
            hits = [
                f"{name}: {hit}"
                for name, text in texts()
                for hit in re.findall(pattern, text.lower())
            ]
            self.assertEqual(len(hits), BUDGETS[rule], f"{rule}: {hits}")

    def test_few_sentences_are_long(self) -> None:
        long = [
            f"{name}: {sentence}"
            for name, text in texts()
            for sentence in sentences(text)
            if len(sentence.split()) > LONGEST_SENTENCE
        ]
        self.assertLessEqual(len(long), LONG_SENTENCES, "\n".join(long))

    def test_no_text_for_players_counts_in_plies(self) -> None:
        for folder in SPEAKING:
            for path in (PROJECT / "traffic_lights").glob(f"{folder}/*.py"):
                nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
                docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
                for node in nodes:
                    if isinstance(node, ast.Constant) and node not in docstrings:
                        text = f"{path}:{node.lineno}: {node.value!r}"
                        self.assertNotRegex(text, r"(?i)\b(ply|plies)\b")
