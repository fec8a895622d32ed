"""The recipes of CONTRIBUTING, followed to the letter in a copy of the program.

Each recipe changes the files that the page names, and no others. Processes of the copy then use
what was added: those of `tests.test_recipes` without a window, those of `tests.gui.test_recipes`
with one.
"""

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import ClassVar, Final

from tests.kit.samples import PROJECT, slow

PAGE: Final = (PROJECT / ".github" / "CONTRIBUTING.md").read_text("utf-8")
NEW: Final = ""
"""What a new file is made from."""
PATIENCE_S: Final = 120

STUBBORN: Final = '''\
"""Stubborn: it goes on with the lamps that are on."""

from traffic_lights.board.rules import Action, State, colour_of, legal_actions


def stubborn_actions(state: State) -> tuple[Action, ...]:
    """Return the actions that advance a lamp which is on; if there are none, all."""
    actions = legal_actions(state)
    return tuple(action for action in actions if colour_of(state, action)) or actions
'''
BASELINE: Final = {
    "board/stubborn.py": ((NEW, STUBBORN),),
    "board/baselines.py": (
        ("from traffic_lights.board.rules import CELLS, STEPS, Action, State, legal_actions\n",
         "from traffic_lights.board.stubborn import stubborn_actions\n"),
        ('RANDOM: Final = Policy(legal_actions, key="random", name="Random", '
         'about="Plays random moves.")\n',
         "STUBBORN: Final = Policy(\n"
         '    stubborn_actions, key="stubborn", name="Stubborn", '
         'about="Advances lamps that are on."\n'
         ")\n"),
        ("policy in (RANDOM, ", "STUBBORN, "),
    ),
}  # fmt: skip
SETTING: Final = {
    "training/settings.py": (
        ('            if_absent="none",\n        )\n    )\n',
         """
    seats: str = _field(
        ChoiceSetting(
            default="both",
            label="Seats",
            help="the seats in which the bot trains",
            choices={"both": "In turn", "first": "Always first"},
            plans=_LEARNING,
            since="9.1",
        )
    )
"""),
    ),
    "training/plans.py": (
        ("        numbers = range(at.stage_games, at.stage_games + games)\n",
         '        if self._settings.seats == "first":\n'
         "            numbers = range(2 * numbers.start, 2 * numbers.stop, 2)\n"),
    ),
}  # fmt: skip
COLUMN: Final = {
    "judging/reports.py": (
        ('    ReportColumn("bot", lambda r: r.bot.key),\n',
         '    ReportColumn("lost", lambda r: r.games - r.both.wins, "Lost",\n'
         '                 "The games that the bot lost.", "{:,}".format),\n'),
    ),
}  # fmt: skip
COMMAND: Final = {
    "play/commands.py": (
        ("_ALL: Final = (\n",
         """    Command(
        "coin", "Toss a Coin", lambda session: "Heads." if session.game.actions else "Tails.",
        keys=("Ctrl+F8",), menu="Game", typed="coin", about="let a coin decide",
    ),
"""),
    ),
}  # fmt: skip


def files_named(recipe: str) -> set[str]:
    """Return the modules that the page names in the first paragraph of *recipe*."""
    start = PAGE.index(f"**{recipe}.**")
    paragraph = PAGE[start : PAGE.index("\n\n", start)]
    return set(re.findall(r"`(\w+/\w+\.py)`", paragraph))


@cache
def changed_copy() -> Path:
    """Return a copy of the program in which every recipe was followed, made once for all tests."""
    folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    copy = Path(folder.name).resolve() / "copy"
    shutil.copytree(PROJECT / "traffic_lights", copy / "traffic_lights")
    shutil.copy(PROJECT / "pyproject.toml", copy)
    shutil.copytree(PROJECT / "qtables", copy / "qtables")
    for edits in (BASELINE, SETTING, COLUMN, COMMAND):
        for name, additions in edits.items():
            path = copy / "traffic_lights" / name
            text = path.read_text("utf-8") if path.exists() else ""
            for known, addition in additions:
                assert not known or text.count(known) == 1, f"{name}: {known}"
                before, _, after = text.partition(known) if known else ("", "", text)
                text = before + known + addition + after
            path.write_text(text, "utf-8")
    return copy


@slow
class RecipeTestCase(unittest.TestCase):
    """Uses what a recipe added to a copy of the program."""

    recipe: ClassVar[str] = ""
    """Its title in CONTRIBUTING."""
    edits: ClassVar[Mapping[str, tuple[tuple[str, str], ...]]] = {}
    """For each file some of its text, and what is written after that."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()

    def use(self, script: str) -> None:
        """Run *script* in a process of the copy."""
        path = self.folder / "use.py"
        path.write_text(script, "utf-8")
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(changed_copy()), str(PROJECT)]),
            "PYTHONIOENCODING": "utf-8",
            "TRAFFIC_LIGHTS_HOME": str(self.folder / "home"),
        }
        done = subprocess.run(
            [sys.executable, str(path)],
            cwd=self.folder, env=environment, capture_output=True, encoding="utf-8",
            timeout=PATIENCE_S, check=False,
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def assert_page_names_what_was_changed(self) -> None:
        changed = {name for name, additions in self.edits.items() if additions[0][0] != NEW}
        self.assertEqual(files_named(self.recipe), changed)
