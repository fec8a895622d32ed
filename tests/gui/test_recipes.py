"""The recipes of CONTRIBUTING: what was added works in the windows."""

from typing import Final

from tests.kit.recipes import BASELINE, COLUMN, COMMAND, SETTING, RecipeTestCase
from tests.kit.windows import HAS_DISPLAY

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
strength.ticked["opponents"] = {"qbot"}
fill(strength.fields["Games"], "20")
strength.run()
wait(lambda: not strength.is_running)
assert strength.rows["stubborn", "qbot"].is_complete

app.context.play_against("stubborn")
assert app.session.players[1].name == "Stubborn"
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
WORKSHOP_WITH_COLUMN: Final = """
strength = workshop.strength
assert strength.facts.set("lost", "about") == "The games that the bot lost."
workshop.list.choose("random")
workshop._select("strength")
strength.ticked["opponents"] = {"qbot"}
fill(strength.fields["Games"], "20")
strength.run()
wait(lambda: not strength.is_running)
assert strength.facts.set("lost", "value").isdigit()
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
MAIN: Final = """
from tests.kit.quick import measure_quickly
measure_quickly()
if __name__ == '__main__':
"""
"""A process that plays or trains runs the beginning of the script again."""


class WindowRecipeTestCase(RecipeTestCase):
    def setUp(self) -> None:
        if not HAS_DISPLAY:
            self.skipTest("no display")
        super().setUp()

    def use_in_windows(self, script: str) -> None:
        """Run *script* with a window of the copy."""
        self.use(MAIN + "".join(f"    {line}\n" for line in (WINDOWS + script).splitlines()))


class BaselineTests(WindowRecipeTestCase):
    edits = BASELINE

    def test_the_workshop_trains_against_it_and_measures_it(self) -> None:
        self.use_in_windows(OPEN_WORKSHOP + WORKSHOP_WITH_BASELINE)


class SettingTests(WindowRecipeTestCase):
    edits = SETTING

    def test_the_form_offers_its_choices_and_trains_with_it(self) -> None:
        self.use_in_windows(OPEN_WORKSHOP + WORKSHOP_WITH_SETTING)


class ColumnTests(WindowRecipeTestCase):
    edits = COLUMN

    def test_the_strength_tab_shows_it(self) -> None:
        self.use_in_windows(OPEN_WORKSHOP + WORKSHOP_WITH_COLUMN)


class CommandTests(WindowRecipeTestCase):
    edits = COMMAND

    def test_its_menu_and_its_key_run_it(self) -> None:
        self.use_in_windows(WINDOW_WITH_COMMAND)
