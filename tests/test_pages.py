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
import unittest
from contextlib import chdir
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent
from typing import Final
from unittest import mock

import traffic_lights as tl
from tests.kit.samples import PATIENCE_S, PROJECT, FolderTestCase, outcome, slow, syntax_trees
from tests.make import figures
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
TAKES_LONG: Final = ("train", "--plan", "--proof")
ELSEWHERE: Final = ("--bot", "--history", "traffic_lights.engine", "tests.", "unittest")
"""Commands with these are tested with their modules, where nothing is left behind."""
FACTS: Final = {"50 %", "95 %"}
"""What is true of the game, and of the kind of interval that is shown."""
QUICK: Final = ("measured", "levels", "replay")
"""The tables of figures that take less than a minute to measure."""


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


TEXT: Final = "\n".join(map(text_of, PAGES))
"""All pages, one after the other."""


class CommandTests(FolderTestCase):
    def test_the_commands_run_and_those_that_take_long_have_their_options(self) -> None:
        shutil.copyfile(PROJECT / "qtables" / "complete.json", self.folder / "table.json")
        blocks = re.findall(r"^ {4,}(python3 -m .*?)(?:  |$)", TEXT, re.M)
        written = (*blocks, *re.findall(r"`(python3 -m [^`]+)`", TEXT))
        commands = sorted({" ".join(one.split()) for one in written})
        self.assertGreater(len(commands), 20)
        for command in commands:
            is_long = any(words in command for words in TAKES_LONG) and "--games" not in command
            with self.subTest(command=command):
                self.assertIsNotNone(find_spec(command.split()[2]))
                if is_long or any(words in command for words in ELSEWHERE):
                    options = re.findall(r" (--[a-z-]+)", command)
                    if options and "unittest" not in command:
                        known = self.output(*command.split()[1:3], "--help")
                        self.assertEqual([one for one in options if one not in known], [])
                elif command != "python3 -m traffic_lights":
                    self.assertTrue(self.output(*self.harmless(command)).strip())

    def test_a_command_that_is_shown_with_its_output_prints_that(self) -> None:
        shown = re.findall(r"^```\n\$ python3 (.*)\n((?:.*\n)*?)```$", TEXT, re.MULTILINE)
        self.assertTrue(shown)
        for command, output in shown:
            self.assertEqual(self.output(*command.split()).strip(), output.strip(), command)

    def harmless(self, command: str) -> list[str]:
        """Return the words after ``python3``, with files in a folder of its own and fewer games."""
        changed = {"FILE": str(self.folder / "table.json"), "2000": "40", "20000": "200"}
        words = [changed.get(word, word) for word in command.replace(" --dir D", "").split()[1:]]
        if ".evaluate" in command and "--games" not in command:
            words += ["--games", "4", "--budget", "0"]
        if ".train" in command:
            words += ["--fresh", "--dir", str(self.folder / "run")]
        return words

    def output(self, *words: str) -> str:
        """Return what Python prints with *words*; it must end well, with the input at its end."""
        _, module, *options = words
        name = f"{module}.__main__" if module == "traffic_lights" else module
        home = mock.patch.dict(os.environ, TRAFFIC_LIGHTS_HOME=str(self.folder))
        with chdir(PROJECT), home, mock.patch.object(sys, "stdin", io.StringIO()):
            status, out, err = outcome(importlib.import_module(name).main, *options)
        self.assertEqual(status, 0, err)
        return out


class PageTests(unittest.TestCase):
    def test_the_readme_is_short_and_names_every_page(self) -> None:
        readme = text_of(PROJECT / "README.md")
        self.assertLessEqual(len(readme), 8_000)
        for page in PAGES[1:]:
            self.assertIn(f"({page.relative_to(PROJECT).as_posix()})", readme)

    def test_every_file_link_and_chapter_that_is_named_exists(self) -> None:
        for page in PAGES:
            text = text_of(page)
            for name in re.findall(r"`([a-z_]+(?:/[a-z_]+)+\.py)`", text):
                found = any((root / name).is_file() for root in (PROJECT, PACKAGE))
                self.assertTrue(found, f"{page}: {name}")
            for link in re.findall(r"\]\(([^)#:]+)\)", text):
                self.assertTrue((page.parent / link).exists(), f"{page}: {link}")
        texts = [
            node.value
            for _, tree in syntax_trees().values()
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        named = re.findall(r"“([^”]+)” in (?:the )?(\S*README\.md)", "\n".join(texts))
        self.assertTrue(named)
        for chapter, page_name in named:
            self.assertRegex(text_of(PROJECT / page_name), f"(?m)^#+ {re.escape(chapter)}$")

    def test_the_maps_show_every_folder_and_module_and_where_to_begin(self) -> None:
        shown = re.findall(r"^    ([a-z]+) {4,}", text_of(CONTRIBUTING), re.M)
        folders = [path.parent.name for path in PACKAGE.glob("*/__init__.py")]
        self.assertEqual(sorted(shown), sorted(folders))
        for path in PACKAGE.rglob("*/__init__.py"):
            text, modules = text_of(path), {one.stem for one in path.parent.glob("[a-z]*.py")}
            self.assertLessEqual({*re.findall(r"Begin with (\w+)", text)}, modules, path)
            if "   " in text:  # it has a map
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
            ("library", "`{}`", facts),
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
        results = [doctest.testfile(str(page), False, encoding="utf-8") for page in PAGES]
        for path, (text, _) in syntax_trees().items():
            is_window = "gui" in path.parts and find_spec("_tkinter") is None
            if ">>>" in text and not is_window:
                name = ".".join(path.relative_to(PROJECT).with_suffix("").parts)
                module = importlib.import_module(name.removesuffix(".__init__"))
                results.append(doctest.testmod(module, optionflags=doctest.ELLIPSIS))
        self.assertEqual(sum(result.failed for result in results), 0)
        self.assertGreater(sum(result.attempted for result in results), 80)


class ProtocolTests(FolderTestCase):
    """The conversation and the two bots of the page about players."""

    def test_they_play(self) -> None:
        page = text_of(PACKAGE / "players" / "README.md")
        blocks = dict(re.findall(r"^```(.*)\n((?:.*\n)*?)```$", page, re.MULTILINE))
        engine = f'"{sys.executable}" -m traffic_lights.engine --player myopic'
        spoken: list[str] = []
        bot = ExternalBot(Program(engine), seed=7)
        self.addCleanup(bot.close)
        bot.on_line = spoken.append
        bot.choose(parse_board("110000000000"))
        bot.end_game(has_won=True)
        bot.close()
        self.assertEqual(spoken, blocks[""].splitlines())
        for language, name, start in (
            ("python", "Ten Lines", f'"{sys.executable}"'),
            ("sh", "First Lamp", "sh"),
        ):
            if not shutil.which(start.strip('"')):
                continue  # Windows may have no shell
            path = self.folder / language
            path.write_text(blocks[language], "utf-8", newline="\n")
            bot = ExternalBot(Program(f'{start} "{path}"', move_s=PATIENCE_S))
            self.addCleanup(bot.close)
            other = PolicyBot(MYOPIC, random.Random(7))
            for pair in ((bot, other), (other, bot)) * 3:
                self.assertEqual(play_game(*pair).forfeit, "")
            self.assertEqual(bot.name, name)


class FigureTests(unittest.TestCase):
    @slow
    def test_quick_tables_are_measured_again(self) -> None:
        for name in QUICK:
            self.assertEqual(figures.place_of(name)[1][1], figures.text_of(name), name)

    def test_no_measured_share_stands_outside_of_the_tables(self) -> None:
        tables = re.compile(r"(?s)<!-- figures: (\S+) -->.*?<!-- end -->")
        self.assertEqual(sorted(tables.findall(TEXT)), sorted(figures.TABLES))
        self.assertEqual({*re.findall(r"[\d.]+ %", tables.sub("", TEXT))} - FACTS, set())

    def test_each_level_beats_the_one_before_it_and_not_too_often(self) -> None:
        _, rows = figures.place_of("levels")
        shares = re.findall(r"([\d.]+) %", rows[1])
        self.assertEqual(len(shares), 5)
        self.assertTrue(all(60 <= float(share) <= 75 for share in shares), shares)
