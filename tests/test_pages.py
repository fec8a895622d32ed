"""The pages: commands run, bots play, examples hold, and each figure is the measured one."""

import ast
import doctest
import importlib
import io
import os
import random
import re
import shutil
import sys
import tempfile
import unittest
from collections.abc import Iterator
from contextlib import chdir
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent
from typing import Any, Final
from unittest import mock

import traffic_lights as tl
from tests.kit.external_bots import command_of
from tests.kit.samples import PATIENCE_S, PROJECT, FolderTestCase, outcome, slow, syntax_trees
from tests.make.figures import TABLES, place_of
from traffic_lights.board.baselines import BASELINES, MYOPIC
from traffic_lights.board.games import PolicyBot, play_game
from traffic_lights.board.rules import parse_board
from traffic_lights.judging.evaluation import Row
from traffic_lights.judging.reports import COLUMNS, as_json
from traffic_lights.players.external import ExternalBot, Program
from traffic_lights.players.roster import Roster

PACKAGE: Final = PROJECT / "traffic_lights"
CONTRIBUTING: Final = PROJECT / ".github" / "CONTRIBUTING.md"
PAGES: Final = (PROJECT / "README.md", CONTRIBUTING, *sorted(PACKAGE.glob("*/*.md")))
TAKES_LONG: Final = ("train", "--plan", "--proof", "--history")
ELSEWHERE: Final = ("--bot", "traffic_lights.engine", "tests.", "unittest")
"""Commands with these are tested with their modules, where nothing is left behind."""
FACTS: Final = {"50 %", "95 %"}
"""What is true of the game, and of the kind of interval that is shown."""
QUICK: Final = ("measured", "levels", "replay")
"""The tables of figures that take less than a minute to measure."""


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


TEXT: Final = "\n".join(map(text_of, PAGES))
"""All pages, one after the other."""


@cache
def commands() -> tuple[str, ...]:
    """Return each command of the pages that starts with ``python -m``."""
    inline = (" ".join(found.split()) for found in re.findall(r"`(python3 -m [^`]+)`", TEXT))
    blocks = (found.strip() for found in re.findall(r"^ {4,}(python3 -m .*?)(?:  |$)", TEXT, re.M))
    return tuple(sorted({*inline, *blocks}))


def command_in(module: str) -> Any:
    named = f"{module}.__main__" if module == "traffic_lights" else module
    return importlib.import_module(named).main


class CommandTests(FolderTestCase):
    def setUp(self) -> None:
        self.table = self.folder / "table.json"
        shutil.copyfile(PROJECT / "qtables" / "complete.json", self.table)

    def test_every_module_exists_and_knows_the_options(self) -> None:
        self.assertGreater(len(commands()), 20)
        for module in {command.split()[2] for command in commands()}:
            self.assertIsNotNone(find_spec(module), module)
            texts = [text for text in commands() if text.split()[2] == module]
            options = re.findall(r"--[a-z-]+", " ".join(texts))
            if options and module.startswith("traffic_lights"):
                status, help_text, _ = outcome(command_in(module), "--help")
                self.assertEqual(status, 0, module)
                self.assertEqual([one for one in options if one not in help_text], [], module)

    def test_the_commands_run(self) -> None:
        for command in commands():
            is_window = command == "python3 -m traffic_lights"
            is_long = any(words in command for words in TAKES_LONG) and "--games" not in command
            if is_window or is_long or any(w in command for w in ELSEWHERE):
                continue
            with self.subTest(command=command):
                self.assertTrue(self.output(*self.harmless(command)).strip())

    def test_a_command_that_is_shown_with_its_output_prints_that(self) -> None:
        shown = re.findall(r"^```\n\$ python3 (.*)\n((?:.*\n)*?)```$", TEXT, re.MULTILINE)
        self.assertTrue(shown)
        for command, output in shown:
            self.assertEqual(self.output(*command.split()).strip(), output.strip(), command)

    def harmless(self, command: str) -> list[str]:
        """Return the words after ``python3``, with files in a folder of its own and fewer games."""
        changed = {"FILE": str(self.table), "2000": "40", "20000": "200"}
        words = [changed.get(word, word) for word in command.replace(" --dir D", "").split()[1:]]
        if ".evaluate" in command and "--games" not in command and "--history" not in command:
            words += ["--games", "4", "--budget", "0"]
        if ".train" in command:
            words += ["--fresh", "--dir", str(self.folder / "run")]
        return words

    def output(self, *words: str) -> str:
        """Return what Python prints with *words*; it must end well, with the input at its end."""
        _, module, *options = words
        with (
            chdir(PROJECT),
            mock.patch.dict(os.environ, TRAFFIC_LIGHTS_HOME=str(self.folder)),
            mock.patch.object(sys, "stdin", io.StringIO()),
        ):
            status, out, err = outcome(command_in(module), *options)
        self.assertEqual(status, 0, err)
        return out


def texts_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


class PageTests(unittest.TestCase):
    def test_the_readme_is_short_and_names_every_page(self) -> None:
        readme = text_of(PROJECT / "README.md")
        self.assertLessEqual(len(readme), 8_000)
        for page in PAGES[1:]:
            self.assertIn(f"({page.relative_to(PROJECT).as_posix()})", readme)

    def test_every_file_and_link_that_a_page_names_exists(self) -> None:
        for page in PAGES:
            text = text_of(page)
            for name in re.findall(r"`([a-z_]+(?:/[a-z_]+)+\.py)`", text):
                found = any((root / name).is_file() for root in (PROJECT, PACKAGE))
                self.assertTrue(found, f"{page}: {name}")
            for link in re.findall(r"\]\(([^)#:]+)\)", text):
                self.assertTrue((page.parent / link).exists(), f"{page}: {link}")

    def test_every_page_that_a_text_of_the_program_names_has_that_chapter(self) -> None:
        pointers = [
            (path, chapter, page.rstrip("."))
            for path, (source, tree) in syntax_trees().items()
            if "README" in source
            for text in texts_in(tree)
            for chapter, page in re.findall(r"“([^”]+)” in (?:the )?(\S*README\S*)", text)
        ]
        self.assertTrue(pointers)
        for path, chapter, page in pointers:
            with self.subTest(path=path, page=page):
                self.assertRegex(text_of(PROJECT / page), f"(?m)^#+ {re.escape(chapter)}$")

    def test_the_map_shows_every_folder(self) -> None:
        shown = re.findall(r"^    ([a-z]+) {4,}", text_of(CONTRIBUTING), re.M)
        folders = [path.parent.name for path in PACKAGE.glob("*/__init__.py")]
        self.assertEqual(sorted(shown), sorted(folders))

    def test_a_folder_says_where_to_begin_and_what_all_of_its_modules_are(self) -> None:
        for path in PACKAGE.rglob("__init__.py"):
            text, modules = text_of(path), {one.stem for one in path.parent.glob("[a-z]*.py")}
            self.assertLessEqual({*re.findall(r"Begin with (\w+)", text)}, modules, path)
            if "\n    " in text and path.parent != PACKAGE:  # it has a map
                self.assertLessEqual(modules, {*re.findall(r"\w+", text)}, path)

    def test_the_page_of_a_folder_has_every_name_that_it_offers(self) -> None:
        baselines = [policy.name for policy in BASELINES.values()]
        myopic, random_player = map(Roster().entry, ("myopic", "random"))
        facts = as_json(Row(myopic, random_player, 0))
        for folder, mark, names in (
            ("library", "`{}`", tl.__all__),
            ("players", "| {} |", baselines),
            ("training", "`{}`", BASELINES),
            ("judging", "{}", baselines),
            ("judging", "| {} |", [*COLUMNS][4:]),
            ("judging", "`{}`", facts),
        ):
            page = text_of(PACKAGE / folder / "README.md")
            self.assertEqual([one for one in names if mark.format(one) not in page], [], folder)

    def test_the_recipes_use_the_library_as_it_is(self) -> None:
        """The packages that they need are not installed here, so only the code is read."""
        page = text_of(PACKAGE / "library" / "README.md").partition("\n## Recipes")[2]
        blocks = re.findall(r"(?:^ {4}.*\n|^\n)+", page, re.M)
        codes = [dedent(block) for block in blocks if "import " in block]
        python = [code for code in codes if "const " not in code]
        self.assertEqual(len(python), 4)
        for code in python:
            compile(code, "recipe", "exec")
        for name in re.findall(r"\btl\.(\w+)", "".join(codes)):
            self.assertTrue(hasattr(tl, name), name)

    def test_the_examples_of_pages_and_docstrings_hold(self) -> None:
        attempted = 0
        for page in PAGES:
            text = text_of(page)
            test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
            self.assertEqual(doctest.DocTestRunner(verbose=False).run(test).failed, 0)
            attempted += len(test.examples)
        for path in sorted(PACKAGE.rglob("*.py")):
            is_window = "gui" in path.parts and find_spec("_tkinter") is None
            if ">>>" in text_of(path) and not is_window:
                name = ".".join(path.relative_to(PROJECT).with_suffix("").parts)
                module = importlib.import_module(name.removesuffix(".__init__"))
                result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
                self.assertEqual(result.failed, 0, name)
                attempted += result.attempted
        self.assertGreater(attempted, 80)


class ProtocolTests(unittest.TestCase):
    """The conversation and the two bots of the page about players."""

    def block(self, language: str) -> str:
        """Return the code in *language* on that page, or the conversation, which has none."""
        page = text_of(PACKAGE / "players" / "README.md")
        blocks = re.findall(r"^```(.*)\n((?:.*\n)*?)```$", page, re.MULTILINE)
        (code,) = (code for name, code in blocks if name == language)
        return str(code)

    def test_the_program_speaks_word_by_word(self) -> None:
        engine = f'"{sys.executable}" -m traffic_lights.engine --player myopic'
        spoken: list[str] = []
        bot = ExternalBot(Program(engine), seed=7)
        bot.on_line = spoken.append
        try:
            bot.choose(parse_board("110000000000"))
            bot.end_game(has_won=True)
        finally:
            bot.close()
        self.assertEqual(spoken, self.block("").splitlines())

    def plays(self, file_name: str, language: str, command: str) -> str:
        """Have the bot of *language* play some games in both seats; return its name."""
        code = self.block(language)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            path = Path(folder) / file_name
            path.write_text(code, "utf-8", newline="\n")
            bot = ExternalBot(Program(command.format(path), move_s=PATIENCE_S))
            try:
                other = PolicyBot(MYOPIC, random.Random(7))
                for pair in ((bot, other), (other, bot)) * 3:
                    self.assertEqual(play_game(*pair).forfeit, "")
                return bot.name
            finally:
                bot.close()

    def test_the_bot_in_python_plays(self) -> None:
        self.assertEqual(self.plays("bot.py", "python", command_of(Path("{}"))), "Ten Lines")

    @unittest.skipUnless(shutil.which("sh"), "there is no shell")
    def test_the_bot_for_a_shell_plays(self) -> None:
        self.assertEqual(self.plays("bot.sh", "sh", 'sh "{}"'), "First Lamp")


class FigureTests(unittest.TestCase):
    def in_page(self, name: str) -> str:
        (found,) = place_of(name).finditer(text_of(TABLES[name].page))
        return found[2]

    @slow
    def test_quick_tables_are_measured_again(self) -> None:
        for name in QUICK:
            self.assertEqual(self.in_page(name), TABLES[name].text(), name)

    def test_no_measured_share_stands_outside_of_the_tables(self) -> None:
        marks = []
        for page in PAGES:
            text = text_of(page)
            for name in re.findall(r"<!-- figures: (\S+) -->", text):
                marks.append((name, page))
                text = place_of(name).sub("", text)
            self.assertEqual(set(re.findall(r"[\d.]+ %", text)) - FACTS, set(), page)
        self.assertEqual(sorted(marks), sorted((name, one.page) for name, one in TABLES.items()))

    def test_each_level_beats_the_one_before_it_and_not_too_often(self) -> None:
        shares = re.findall(r"([\d.]+) %", self.in_page("levels"))
        self.assertEqual(len(shares), 5)
        self.assertTrue(all(60 <= float(share) <= 75 for share in shares), shares)
