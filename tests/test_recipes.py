"""The recipes of CONTRIBUTING: what was added works in commands, text mode and library."""

from importlib.util import find_spec
from typing import Final

from tests.kit.recipes import BASELINE, COLUMN, COMMAND, SETTING, RecipeTestCase
from traffic_lights.storage.files import StorageError
from traffic_lights.training.folder import PRUNED, TABLE
from traffic_lights.training.run import Training
from traffic_lights.version import __version__

HAS_TK: Final = find_spec("_tkinter") is not None

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
assert model.FORM_CHOICES["plan"]["stubborn"] == "Stubborn"
wanted, problem, _ = model.read_form(model.form_texts(model.usual("stubborn")))
assert wanted["plan"] == "stubborn" and not problem
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
USE_COMMAND: Final = """
assert "let a coin decide" in typed("help")
assert "Tails." in typed("new two", "coin")
assert "Heads." in typed("new two", "a1", "coin")
"""


class BaselineTests(RecipeTestCase):
    recipe = "A baseline bot"
    edits = BASELINE

    def test_everything_without_a_window_knows_it(self) -> None:
        self.assert_page_names_what_was_changed()
        self.use(PRELUDE + USE_BASELINE + (FORM_WITH_BASELINE if HAS_TK else ""))


class SettingTests(RecipeTestCase):
    recipe = "A training setting"
    edits = SETTING

    def test_everything_without_a_window_knows_it(self) -> None:
        self.assert_page_names_what_was_changed()
        wanted = {"plan": "random", "games": 300, "seed": 4}
        with Training(self.folder / "older", wanted) as training:
            list(training.play())
        self.use(PRELUDE + USE_SETTING + (FORM_WITH_SETTING if HAS_TK else ""))
        for name in (TABLE, PRUNED):
            older = (self.folder / "older" / name).read_bytes()
            self.assertEqual(
                (self.folder / "both" / name).read_bytes(), older, "not a byte differs"
            )
        with self.assertRaises(StorageError) as caught:
            Training(self.folder / "first", {})
        text = str(caught.exception)
        self.assertIn("its setting 'seats' is not known to version", text)
        self.assertIn(f"it was written by version {__version__}", text)


class ColumnTests(RecipeTestCase):
    recipe = "A column of the evaluation"
    edits = COLUMN

    def test_everything_without_a_window_knows_it(self) -> None:
        self.assert_page_names_what_was_changed()
        self.use(PRELUDE + USE_COLUMN)


class CommandTests(RecipeTestCase):
    recipe = "A command of the session"
    edits = COMMAND

    def test_everything_without_a_window_knows_it(self) -> None:
        self.assert_page_names_what_was_changed()
        self.use(PRELUDE + USE_COMMAND)
