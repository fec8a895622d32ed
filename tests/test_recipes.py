"""The recipes of CONTRIBUTING, followed to the letter in a copy of the program.

Each recipe changes the files that the page names, and no others. A process then uses what was added
in the command line, the menu of the trainer, the windows, the text mode and the library.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar, Final

from tests.kit.samples import PROJECT
from traffic_lights.storage.files import StorageError
from traffic_lights.training.folder import PRUNED, TABLE
from traffic_lights.training.run import Training
from traffic_lights.version import __version__

PAGE: Final = (PROJECT / ".github" / "CONTRIBUTING.md").read_text("utf-8")
NEW: Final = ""
"""What a new file is made from."""
PATIENCE_S: Final = 120
HAS_TK: Final = find_spec("_tkinter") is not None

# --- what a developer writes ---

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

# --- what a process does with it ---

USE_BASELINE: Final = """
assert said(train, "--dir", "one", "--opponent", "stubborn", "--games", "200")
assert said(train, "--dir", "all", "--plan", "selfplay", "--games", "300",
            "--practice", "stubborn")
shown = said(train, "--menu", "--dir", "two", answers=())
number = next(line.split()[0] for line in shown.splitlines() if "Train against Stubborn" in line)
assert "after 100 games" in said(train, "--menu", "--dir", "two", answers=(number, "100"))
judged = json.loads(said(evaluate, "--games", "4", "--budget", "0", "--json"))
assert "stubborn" in [row["opponent"] for row in judged["results"]]
few = ("--games", "4", "--budget", "0")
assert "Stubborn" in said(evaluate, "--bot", "stubborn", "--opponent", "random", *few)
assert "Stubborn" in said(evaluate, "--table", "one/qtable.json", "--history", "--games", "2",
                          "--budget", "0", "--opponent", "stubborn")

assert "Stubborn. Advances lamps that are on." in typed("players")
assert "You play against Stubborn" in typed("new stubborn", "a1")

assert "stubborn" in tl.players()
assert tl.exact_score("perfect", "stubborn").total > 0.9
assert tl.train("stubborn", 100).moves("")

from traffic_lights.judging.proof import best_score
from traffic_lights.players.roster import Roster
entry = Roster().entry("stubborn")
assert entry.score is None and best_score(entry) is None
"""
FORM_WITH_BASELINE: Final = """
from traffic_lights.gui.workshop import model
assert model.CHOICES["plan"]["stubborn"] == "Stubborn"
wanted, problem, _ = model.read_form(model.form_texts(model.usual("stubborn")))
assert wanted["plan"] == "stubborn" and not problem
"""
WORKSHOP_WITH_BASELINE: Final = """
form = workshop.learning.form
choose(form.fields["plan"], "Stubborn")
assert "games against Stubborn" in form.help.cget("text")
fill(form.fields["games"], "200")
form.start.invoke()
wait(lambda: workshop.trainer.key)
wait(lambda: not workshop.trainer.key)
bot = roster.entry("bot:My QBot").own
assert bot.games == 200 and bot.score is not None
assert workshop.learning.chart.value.title == "Wins against Stubborn"
slider = workshop.learning.slider
slider._drag()
wait(lambda: slider._worker is None)
first = slider._points[0]
assert "stubborn" in (first.opponent, *(one.opponent for one in first.others))

strength = workshop.strength
workshop.list.choose("stubborn")
workshop._select("strength")
workshop.update()
assert strength.ticked["bots"] == {"stubborn"} and "stubborn" in strength.ticked["opponents"]
strength.ticked["opponents"] = {"random"}
fill(strength.fields["Games"], "20")
strength.run()
wait(lambda: not strength.is_running)
assert strength.rows["stubborn", "random"].is_complete

app.context.play_against("stubborn")
assert app.session.players[1].name == "Stubborn"
"""
USE_SETTING: Final = """
assert "--seats {both,first}" in said(train, "--help")
words = ("--opponent", "random", "--games", "300", "--seed", "4")
assert said(train, "--dir", "both", *words)
assert said(train, "--dir", "first", *words, "--seats", "first")
refused = said(train, "--dir", "third", *words, "--seats", "third", status=2)
assert "seats is 'third'; it must be one of both, first" in refused
refused = said(train, "--dir", "third", "--seats", "first", status=2)
assert "seats makes no difference with plan reverse" in refused
meta = json.loads(open("first/qtable.json").readline() + open("first/qtable.json").readlines()[1]
                  .rstrip(",\\n") + "}")["meta"]
assert meta["runs"][0]["settings"]["seats"] == "first"
assert meta["runs"][0]["command"].endswith("--seed 4 --seats first")
assert said(evaluate, "--table", "first/qtable.json", "--history", "--games", "2",
            "--budget", "0", "--opponent", "random")
# What the program without the setting has left unfinished goes on.
assert "already finished" in said(train, "--dir", "older", *words)

assert "seats: the seats in which the bot trains; one of both, first" in tl.train.__doc__
assert tl.train("random", 100, seats="first").values("") != tl.train("random", 100).values("")
"""
FORM_WITH_SETTING: Final = """
from traffic_lights.gui.workshop import model
texts = model.form_texts(model.usual("random"))
assert texts["seats"] == "both" and "seats" in model.used_settings(texts)
wanted, problem, _ = model.read_form({**texts, "seats": "first"})
assert wanted["seats"] == "first" and not problem
"""
WORKSHOP_WITH_SETTING: Final = """
form = workshop.learning.form
form.advanced.invoke()
field = form.fields["seats"]
assert field.cget("values") == ("In turn", "Always first") and field.get() == "In turn"
choose(field, "Always first")
fill(form.fields["games"], "200")
assert form.wanted["seats"] == "first"
form.start.invoke()
wait(lambda: workshop.trainer.key)
wait(lambda: not workshop.trainer.key)
"""
USE_COLUMN: Final = """
words = ("--bot", "myopic", "--opponent", "random", "--games", "40", "--budget", "0")
judged = json.loads(said(evaluate, *words, "--json"))["results"][0]
assert judged["lost"] == judged["games"] - judged["wins"]
text = said(evaluate, *words)
assert "Lost" in text.split()

from traffic_lights.judging import reports
from traffic_lights.judging.evaluation import evaluate as played
from traffic_lights.players.roster import Roster
entry = Roster().entry
*_, row = played(entry("myopic"), [entry("random")], games=40)
assert reports.to_csv([row]).startswith("bot,lost,")
assert "| Lost |" in reports.markdown(reports.table([row]))
"""
WORKSHOP_WITH_COLUMN: Final = """
strength = workshop.strength
assert strength.facts.set("lost", "about") == "The games that the bot lost."
workshop.list.choose("myopic")
workshop._select("strength")
strength.ticked["opponents"] = {"random"}
fill(strength.fields["Games"], "20")
strength.run()
wait(lambda: not strength.is_running)
assert strength.facts.set("lost", "value").isdigit()
"""
USE_COMMAND: Final = """
assert "let a coin decide" in typed("help")
assert "Tails." in typed("new two", "coin")
assert "Heads." in typed("new two", "a1", "coin")
"""
WINDOW_WITH_COMMAND: Final = """
import tkinter as tk
menu = app.root.nametowidget(app.root.cget("menu"))
game = menu.nametowidget(menu.entrycget("Game", "menu"))
labels = [game.entrycget(n, "label") for n in range(game.index("end") + 1)
          if game.type(n) == "command"]
assert "Toss a Coin" in labels
app.window.board.focus_force()
app.root.update()
app.window.board.event_generate("<Control-Key-F8>")
wait(lambda: "Tails." in words_in(app.root))
"""

PRELUDE: Final = """
import contextlib, io, json, sys
from unittest import mock
import traffic_lights as tl
from traffic_lights.train import main as train
from traffic_lights.evaluate import main as evaluate
from traffic_lights.__main__ import main as play


def said(command, *words, answers=None, status=0):
    '''Return what *command* prints; *answers* are typed.'''
    out = io.StringIO()
    typed = io.StringIO("".join(f"{answer}\\n" for answer in answers or ()))
    with (contextlib.redirect_stdout(out), contextlib.redirect_stderr(out),
          mock.patch.object(sys, "stdin", typed)):
        try:
            found = command(words)
        except SystemExit:
            found = None
    assert found == status, (found, out.getvalue())
    return out.getvalue()


def typed(*lines):
    '''Return what the text mode prints when *lines* are typed.'''
    return said(play, "--text", answers=lines)
"""
WINDOWS: Final = """
import tkinter as tk
from tests.kit.windows import fresh_app, wait_until, words_in
from traffic_lights.gui.workshop.window import open_workshop
app = fresh_app()
roster = app.context.roster


def wait(is_true):
    wait_until(app.root, is_true)


def choose(field, text):
    field.set(text)
    field.event_generate("<<ComboboxSelected>>")
    app.root.update()


def fill(field, text):
    field.delete(0, tk.END)
    field.insert(0, text)
    app.root.update()
"""
OPEN_WORKSHOP: Final = """
workshop = open_workshop(app.context)
app.root.update()
"""
MAIN: Final = "\nif __name__ == '__main__':\n"


def files_named(recipe: str) -> set[str]:
    """Return the modules that the page names in the first paragraph of *recipe*."""
    start = PAGE.index(f"**{recipe}.**")
    paragraph = PAGE[start : PAGE.index("\n\n", start)]
    return set(re.findall(r"`(\w+/\w+\.py)`", paragraph))


class RecipeTestCase(unittest.TestCase):
    """Follows a recipe in a copy of the program."""

    recipe: ClassVar[str] = ""
    """Its title in CONTRIBUTING."""
    edits: ClassVar[Mapping[str, tuple[tuple[str, str], ...]]] = {}
    """For each file some of its text, and what is written after that."""

    def setUp(self) -> None:
        self.copy = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve() / "copy"
        self.copy.mkdir()
        shutil.copytree(PROJECT / "traffic_lights", self.copy / "traffic_lights")
        shutil.copy(PROJECT / "pyproject.toml", self.copy)
        shutil.copytree(PROJECT / "qtables", self.copy / "qtables")
        for name, additions in self.edits.items():
            path = self.copy / "traffic_lights" / name
            text = path.read_text("utf-8") if path.exists() else ""
            for known, addition in additions:
                self.assertEqual(text.count(known) if known else 1, 1, f"{name}: {known}")
                before, _, after = text.partition(known) if known else ("", "", text)
                text = before + known + addition + after
            path.write_text(text, "utf-8")

    def use(self, script: str) -> None:
        """Run *script* in a process of the copy."""
        path = self.copy / "use.py"
        path.write_text(script, "utf-8")
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(self.copy), str(PROJECT)]),
            "PYTHONIOENCODING": "utf-8",
            "TRAFFIC_LIGHTS_HOME": str(self.copy / "home"),
        }
        done = subprocess.run(
            [sys.executable, str(path)],
            cwd=self.copy, env=environment, capture_output=True, encoding="utf-8",
            timeout=PATIENCE_S, check=False,
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def use_in_windows(self, script: str) -> None:
        """Run *script* with a window of the copy; skip without a display."""
        from tests.kit.windows import HAS_DISPLAY

        if not HAS_DISPLAY:
            self.skipTest("no display")
        # A process that plays or trains runs the beginning of this script again.
        body = "".join(f"    {line}\n" for line in (WINDOWS + script).splitlines())
        self.use(MAIN + body)

    def assert_page_names_what_was_changed(self) -> None:
        changed = {name for name, additions in self.edits.items() if additions[0][0] != NEW}
        self.assertEqual(files_named(self.recipe), changed)


class BaselineTests(RecipeTestCase):
    recipe = "A baseline bot"
    edits = BASELINE

    def test_everything_without_a_window_knows_it(self) -> None:
        self.assert_page_names_what_was_changed()
        self.use(PRELUDE + USE_BASELINE + (FORM_WITH_BASELINE if HAS_TK else ""))

    def test_the_windows_know_it(self) -> None:
        self.use_in_windows(OPEN_WORKSHOP + WORKSHOP_WITH_BASELINE)


class SettingTests(RecipeTestCase):
    recipe = "A training setting"
    edits = SETTING

    def test_everything_without_a_window_knows_it(self) -> None:
        self.assert_page_names_what_was_changed()
        wanted = {"plan": "random", "games": 300, "seed": 4}
        with Training(self.copy / "older", wanted) as training:
            list(training.play())
        self.use(PRELUDE + USE_SETTING + (FORM_WITH_SETTING if HAS_TK else ""))
        for name in (TABLE, PRUNED):
            older = (self.copy / "older" / name).read_bytes()
            self.assertEqual((self.copy / "both" / name).read_bytes(), older, "not a byte differs")
        with self.assertRaises(StorageError) as caught:
            Training(self.copy / "first", {})
        text = str(caught.exception)
        self.assertIn("its setting 'seats' is not known to version", text)
        self.assertIn(f"it was written by version {__version__}", text)

    def test_the_windows_know_it(self) -> None:
        self.use_in_windows(OPEN_WORKSHOP + WORKSHOP_WITH_SETTING)


class ColumnTests(RecipeTestCase):
    recipe = "A column of the evaluation"
    edits = COLUMN

    def test_everything_without_a_window_knows_it(self) -> None:
        self.assert_page_names_what_was_changed()
        self.use(PRELUDE + USE_COLUMN)

    def test_the_windows_know_it(self) -> None:
        self.use_in_windows(OPEN_WORKSHOP + WORKSHOP_WITH_COLUMN)


class CommandTests(RecipeTestCase):
    recipe = "A command of the session"
    edits = COMMAND

    def test_everything_without_a_window_knows_it(self) -> None:
        self.assert_page_names_what_was_changed()
        self.use(PRELUDE + USE_COMMAND)

    def test_the_windows_know_it(self) -> None:
        self.use_in_windows(WINDOW_WITH_COMMAND)
