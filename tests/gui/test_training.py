"""Training in the Workshop: the form, a run, what comes of it, and the bot as it was."""

import re
import tkinter as tk
from typing import Any

from tests.kit.eye import faults
from tests.kit.person import click_at
from tests.kit.workshop import WorkshopTestCase
from traffic_lights.gui.workshop.form import RARE
from traffic_lights.storage.files import lock_file
from traffic_lights.training.folder import LOCK
from traffic_lights.training.own_bots import Bots
from traffic_lights.training.run import Training
from traffic_lights.training.settings import SETTINGS


class FormTests(WorkshopTestCase):
    names = ("One",)

    def setUp(self) -> None:
        super().setUp()
        self.press("New bot")

    def test_a_mistake_is_explained_cannot_be_started_and_cuts_no_label_in_large_text(self) -> None:
        self.app.context.change(size=200)
        self.press("Advanced")
        self.app.root.update()
        least, _ = self.front.wm_minsize()
        self.assertLessEqual(least, 1200, "the columns of the list and the form are too wide")
        for width in (1200, 1270):
            self.resize(width, 760)
            self.fill("Games in total", "many")
            self.see("Games in total must be")
            self.assertTrue(self.is_grey("Start"))
            form: Any = self.find("Games in total must be").widget.master
            self.assertEqual(faults(form), [], width)
            self.fill("Games in total", "200")
            self.see_not("Games in total must be")
            self.assertFalse(self.is_grey("Start"))

    def test_the_rarer_settings_unfold_and_each_rule_says_what_it_does(self) -> None:
        self.see_not("α (learning rate)")
        self.press("Advanced")
        for name, setting in SETTINGS.items():
            if name not in ("plan", "games", "practice"):
                self.see(setting.label)
        met = set()
        for rule in ("Proofs and estimates", "One-step Q-learning", "Monte Carlo"):
            self.fill("Update rule", rule)
            met.add(self.text)
        self.assertEqual(len(met), 3)
        self.field("Seed").focus_force()
        self.see("seed make the same bot")
        self.press("Advanced")
        self.see_not("α (learning rate)", "seed make the same bot")

    def test_a_click_moves_nothing_and_the_keyboard_scrolls_to_what_it_reaches(self) -> None:
        self.press("Advanced")
        button: Any = self.find("Compare Rules").widget
        page = button
        while not isinstance(page, tk.Canvas):
            page = page.master
        (body,) = page.winfo_children()
        seen = 0
        for high in range(560, 700, 6):  # until the lower edge goes through the button
            self.resize(1000, high)
            top = button.winfo_rooty() - body.winfo_rooty()
            page.yview_moveto((top + 10 - page.winfo_height()) / body.winfo_height())
            self.app.root.update()
            seen = page.winfo_rooty() + page.winfo_height() - button.winfo_rooty()
            if 4 < seen < button.winfo_height():
                break
        place = button.winfo_rooty()
        self.press("Compare Rules")
        self.see("Update Rules")
        self.key("Escape")
        self.assertEqual(button.winfo_rooty(), place)
        for label in RARE.values():
            self.field(label).focus_force()
            self.app.root.update()
            self.assertEqual(button.winfo_rooty(), place, f"the help of {label} has a third line")
        self.key("Tab")
        self.assertLess(button.winfo_rooty(), place)

    def test_games_stay_during_a_look_at_another_tab_and_a_plan_that_proves_has_none(self) -> None:
        self.press("One")
        self.fill("Games in total", "12,345")
        self.press("Strength", "Learning")
        games = self.field("Games in total")
        self.assertEqual(games.get(), "12,345")
        self.press("New bot")
        for opponent, has_games in (("Solve backwards", False), ("Myopic", True)):
            self.fill("Opponent", opponent)
            self.assertEqual(bool(games.get()), has_games)


class CommandTests(WorkshopTestCase):
    def prepare(self) -> None:
        for name in ("One", "Two"):
            folder = Bots(self.data).create(name).folder
            with Training(folder, {"plan": "myopic", "games": 2000}) as training:
                list(training.play())

    def test_a_bot_of_the_command_has_its_curve_as_soon_as_it_is_chosen(self) -> None:
        for name in ("One", "Two"):
            self.press(name)
            self.see("Has trained for 2,000 games.", "Slider: the bot as it was", "1.5 k")


class RunTests(WorkshopTestCase):
    def test_a_new_bot_trains_the_main_window_says_so_and_both_tabs_show_one_score(self) -> None:
        self.press("New bot", "Advanced")
        self.fill("α (learning rate)", "0.9")
        self.fill("Seed", "7")
        self.fill("Opponent", "Random")
        self.fill("Games in total", "2000")
        self.press("Start")
        self.key("Control-w")
        self.see("“My QBot” has finished its training.")
        self.key("Control-t")
        self.see("My QBot", "2,000 games", "It wins", "α 0.9, seed 7")
        self.assertIn("My QBot", self.drawn)
        self.key("Control-e")
        self.fill("Games", "8")
        self.press("Run")
        self.see("different ones", "My QBot against Random")
        self.press("Stop", "Learning")
        self.see("It wins")
        score = self.text.partition("It wins ")[2].partition(" (")[0]
        self.press("Strength")
        self.see(score)
        self.press("New bot")
        found = [self.field(label).get() for label in ("α (learning rate)", "Seed", "Opponent")]
        self.assertEqual(found, ["0.2", "1", "Myopic"], "the next one has the usual settings")
        self.press("My QBot", "Play")
        self.see("My QBot", "Your turn")
        self.restart()
        self.see("My QBot", "Your turn")

    def test_a_training_is_seen_everywhere_saved_by_return_or_quitting_and_goes_on(self) -> None:
        self.press("New bot")
        self.fill("Games in total", "999,999,999")
        self.key("Return")
        self.see("Stop", "In training", "games, ")
        self.wait(lambda: re.search(r"My QBot [^|]*\d %[^|]* ☐", self.text), "its percentage")
        self.press("Inside")
        self.see("Values of My QBot", "Stop the training to replay a game.")
        before = self.signs
        self.wait(lambda: self.signs != before, "a new value")
        self.assertTrue(self.is_grey("Replay My Game"))
        self.press("New bot")
        self.see("“My QBot” is training. One bot trains at a time.")
        self.assertTrue(self.is_grey("Start"))
        self.key("Control-w")
        self.press("Training My QBot")
        self.see("Stop", "In training.")
        self.restart()
        self.see("“My QBot” is still in training")
        self.pick("Bots", "Workshop")
        self.press("My QBot")
        self.see("Stopped after")
        self.press("Continue")
        self.see("Stop")
        self.field("Games in total").focus_force()
        self.key("Return")
        self.see("Continue", "Stopped after")

    def test_from_the_end_backwards_it_becomes_perfect(self) -> None:
        self.press("New bot")
        self.fill("Opponent", "Solve backwards")
        self.press("Start")
        self.see("Stop", "Positions solved: ")
        self.press("Stop")
        self.see("Continue", "Training continues")
        self.see_not("You can change the games")  # there is no number of them

    def test_the_slider_shows_and_plays_the_bot_as_it_was_after_a_failed_training_too(self) -> None:
        self.press("New bot")
        self.fill("Opponent", "Myopic")
        self.fill("Games in total", "1500")
        self.press("Start")
        self.see("It wins")
        self.see("Slider: the bot as it was", "first move", "Solved: ")
        tabs = self.find("Learning").widget
        on_it = " ".join(t.words for t in self.things() if str(t.widget).startswith(f"{tabs}."))
        self.assertLessEqual(len(re.findall(r"[^\W\d]{2,}", on_it)), 66, on_it)
        with lock_file(Bots(self.data).folder / "My QBot" / LOCK):
            self.press("Start")
            self.see("is in training already")
        self.resize(800, 560)  # the page scrolls to what explains the curve
        self.see("ε: the share of exploring moves", "How much one game changes")
        self.slider.focus_force()
        for key, words in (("Home", "Play It as It Was"), ("End", "is in training already")):
            self.key(key)
            self.see(words)
        self.key("Home")
        self.field("Games in total").focus_force()
        click_at(self.slider, round(0.97 * self.slider.winfo_width()), 9)
        self.see_not("Play It as It Was")
        self.key("Left")  # the click gave it the keyboard
        self.see("Play It as It Was")
        click_at(self.slider, round(0.01 * self.slider.winfo_width()), 9)
        self.see("After 1,000 games, it won")
        self.press("Inside")
        self.see("My QBot (1,000 games)", "Plays as it did after 1,000 games")
        self.press("Learning")
        self.see_not("Plays as it did")
        self.press("Play It as It Was")
        self.see("Your turn", "My QBot (")
        self.click("b2")
        self.see("move 3")
