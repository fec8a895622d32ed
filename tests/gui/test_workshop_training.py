"""Training in the Workshop: the form, a run, its curve, and what comes of it."""

import csv
from dataclasses import replace
from tkinter import ttk
from unittest import mock

from tests.kit.quick import FakeJob
from tests.kit.samples import measured
from tests.kit.workshop import MY_QBOT, ONE, WorkshopRobot, inside, moment, value_of
from traffic_lights.board.exact_score import ExactScore
from traffic_lights.board.positions import POSITIONS_BY_PLY
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.gui.workshop import evaluator, learning_tab
from traffic_lights.gui.workshop.bot_acts import BotAct
from traffic_lights.gui.workshop.trainer import Activity
from traffic_lights.gui.workshop.window import WorkshopWindow
from traffic_lights.judging.evaluation import Row
from traffic_lights.learning.update_rules import UPDATE_RULES
from traffic_lights.system.processes import Ended
from traffic_lights.training import plans
from traffic_lights.training.bot_note import write_curve
from traffic_lights.training.settings import SETTINGS, RunSettings
from traffic_lights.workshop import form_values
from traffic_lights.workshop.form_values import GOES_ON, trained_of
from traffic_lights.workshop.shared import NEW


class TrainingTests(WorkshopRobot):
    is_real = True

    def setUp(self) -> None:
        super().setUp()
        self.enterContext(mock.patch.object(plans, "BATCH", 100))

    def start(self, **texts: str) -> None:
        self.fill(**texts)
        self.press("Start")
        self.wait(lambda: not self.trainer.key or self.has_played())

    def has_played(self, games: int = 0) -> bool:
        """Return whether the bot in training has played more than so many *games*."""
        return self.trainer.moment is not None and self.trainer.moment.games > games

    def test_a_new_bot_is_in_the_list_at_once_and_plays_when_it_has_trained(self) -> None:
        self.start(plan="myopic", games="200")
        self.assertEqual(self.window.list.chosen, MY_QBOT)
        self.wait(lambda: not self.trainer.key)
        bot = self.own("My QBot")
        self.assertEqual((bot.games, bot.is_training, bot.problem), (200, False, ""))
        self.assertIn("It wins", self.text)
        self.assertRegex(self.text, "others: Random .* %, Alternate .* %", "at the slider's end")
        self.assertEqual(len(value_of(self.window.learning.opening)), 12)
        self.assertRegex(str(self.window.learning.slider.text.cget("text")), "after 200|at 200")
        self.assertGreater(self.lines["My QBot"], 1)
        self.press("Play")
        self.wait(lambda: "My QBot" in str([p.name for p in self.app.session.players]))

    def test_a_student_reads_what_a_bot_was_trained_with_where_the_form_has_its_next_run(
        self,
    ) -> None:
        self.fill(plan="random")
        self.start(games="30", seed="5")
        self.wait(lambda: not self.trainer.key)
        last = "Last run: against Random, Proofs and estimates, seed 5."
        self.assertIn(last, str(self.window.about.cget("text")))
        self.assertEqual(self.window.learning.form.texts()["seed"], "6")

    def test_stop_saves_start_continues_quitting_saves_and_the_games_can_be_changed(self) -> None:
        self.start(plan="random", games="999,999,999,999")  # mistyped
        self.wait(lambda: self.lines.get("My QBot", 0) > 1)
        self.press("Stop")
        self.wait(lambda: not self.trainer.key)
        games, points = self.own("My QBot").games, self.lines["My QBot"]
        form = self.window.learning.form
        self.assertIn(f"Stopped after {games:,} games.", self.text)
        self.window.act(BotAct.SHRINK)
        self.assertEqual([*inside(self.window, Dialog)], [], "not in the middle of a run")
        self.assertEqual(str(form.help.cget("text")), GOES_ON)
        self.press("Continue")
        self.wait(lambda: self.has_played(games))
        self.assertGreaterEqual(self.lines["My QBot"], points - 1)
        with mock.patch.object(self.context, "close") as close:
            self.context.quit()
            close.assert_not_called()
            self.wait(lambda: close.called)
        bot = self.own("My QBot")
        self.assertTrue(bot.is_training and bot.games > games)
        games = bot.games
        self.assertTrue(form.fields["games"].instate(["!disabled"]))
        self.assertTrue(form.fields["plan"].instate(["disabled"]))
        self.fill(games=f"{games}")
        self.assertIn(f"must be above the {games:,} played", str(form.help.cget("text")))
        self.assertTrue(form.start.instate(["disabled"]))
        plan = form.texts()["plan"]
        self.fill(games=f"{games + 100}")
        self.press("Continue")
        self.assertEqual(form.texts()["plan"], plan, "only the games are others")
        self.wait(lambda: not self.trainer.key)
        bot = self.own("My QBot")
        self.assertEqual((bot.games, bot.is_training), (games + 100, False))
        form.more.invoke()
        self.assertEqual(
            form.texts()["games"], SETTINGS["games"].kind.show(games + 100 + 2 * form_values.MORE)
        )


class TrainerTests(WorkshopRobot):
    def test_a_student_reads_the_exact_score_as_soon_as_strength_has_computed_it(self) -> None:
        self.add_bot("Sampled")
        bot = self.own("Sampled")
        write_curve(bot.folder, [replace(measured(bot.games, 0.71), sampled=2_000)])
        self.context.bots_changed()
        self.window.choose(bot.key)
        self.assertIn("about 71 %", self.text)
        one, myopic = map(self.context.roster.entry, (bot.key, "myopic"))
        row = Row(one, myopic, 100, exact=ExactScore(0.4, 1.0))
        self.open("strength", bot.key)
        with mock.patch.object(evaluator, "Worker", FakeJob):
            self.press("Run")
        self.report(row, Ended(""))
        self.open("learning", bot.key)
        self.assertIn("It wins 70.00 % of its games", self.text)
        self.context.bots_changed()
        self.assertIn("It wins 70.00 % of its games", self.text)

    def test_why_a_run_failed_is_shown_and_start_repairs_it(self) -> None:
        self.begin()
        self.assertFalse(self.job.started[-1])
        self.report(Ended("the log is damaged; with --repair the run resumes"))
        self.assertEqual(self.text, "The log is damaged; with Continue the run resumes.")
        self.press("Continue")
        self.assertTrue(self.job.started[-1])

    def test_a_quit_waits_until_the_bot_is_saved_and_a_second_one_does_not(self) -> None:
        for share, noted in ((0.5, "My QBot"), (1.0, "")):
            self.press("Start")
            with mock.patch.object(self.context, "close") as close:
                self.context.quit()
                close.assert_not_called()
                self.assertIs(self.trainer.activity, Activity.STOPPING)
                self.context.quit()
                close.assert_called_once()
                self.report(moment(100, share), Ended())
                self.assertEqual(close.call_count, 2)
            self.assertEqual(self.context.userdata.settings.training, noted, "for the next start")

    def test_points_that_are_played_again_take_the_place_of_the_old_ones(self) -> None:
        self.begin()
        self.report(*(measured(n, n / 1000) for n in (100, 200, 300)), measured(150, 0.9))
        points = self.window.curves.points[MY_QBOT]
        self.assertEqual([(one.games, one.score) for one in points], [(100, 0.1), (150, 0.9)])


class FormTests(WorkshopRobot):
    names = ("One", "Two")

    def setUp(self) -> None:
        super().setUp()
        self.form = self.window.learning.form
        self.window.choose(NEW)

    def shown(self) -> set[str]:
        self.app.root.update()
        return {name for name, field in self.form.fields.items() if field.winfo_ismapped()}

    def test_the_form_shows_exactly_what_the_plan_uses_and_its_games_until_they_are_typed(
        self,
    ) -> None:
        usual = {"name", "plan", "games"}
        self.assertEqual(self.shown(), usual)
        self.click_on(self.form.advanced)
        for plan, games, shown in (
            ("reverse", "", {"seed", "practice"}),
            ("baselines", "400,000", {"alpha", "update", "explore", "shares"}),
            ("random", "100,000", {"alpha"}),
        ):
            self.fill(plan=plan)
            self.assertEqual(self.form.texts()["games"], games)
            self.assertLessEqual(usual | shown, self.shown())
        self.assertNotIn("practice", self.shown())
        self.fill(games="77", plan="baselines")
        self.assertEqual(self.form.texts()["games"], "77")

    def test_a_player_that_does_not_train_shows_what_is_known_of_it(self) -> None:
        learning = self.window.learning
        self.tick(ONE)
        for key, words in (("beginner", "won as Player 1"), ("myopic", "won as Player 2")):
            self.window.choose(key)
            known = value_of(learning.pictures.scores)
            self.assertIn("Myopic", known.title)
            self.assertIn(words, [name for name, *_ in known.bars])
        self.assertEqual(self.lines, {"One": 10}, "the curve of another bot has its name")
        self.tick(ONE)
        self.window.choose("myopic")
        self.assertIsNone(learning.pictures.chart.value)
        self.window.choose(ONE)
        self.assertIsNone(learning.pictures.scores.value)
        self.assertEqual(self.lines, {"One": 10})

    def test_while_a_plan_only_proves_the_large_picture_is_what_is_solved(self) -> None:
        learning = self.window.learning
        self.fill(plan="reverse")
        self.begin()
        self.report(measured(10, 0.0), measured(20, 0.0))
        self.wait(learning.pictures.strip.winfo_ismapped)
        self.assertFalse(learning.pictures.chart.winfo_ismapped())
        self.report(measured(30, 0.4), measured(60, 0.5))
        self.wait(learning.pictures.chart.winfo_ismapped)
        self.assertGreater(
            learning.pictures.chart.winfo_height(), learning.pictures.strip.winfo_height()
        )

    def test_the_keys_read_the_points_of_a_picture_that_has_the_focus(self) -> None:
        learning = self.window.learning
        self.window.choose(ONE)
        chart = learning.pictures.chart

        def words() -> str:
            self.app.root.update()
            texts = [item for item in chart.find_all() if str(chart.type(item)) == "text"]
            found = (chart.itemcget(item, "text") for item in texts)  # type: ignore[no-untyped-call]
            return " ".join(map(str, found))

        for keys, read in (
            (("<Left>",), "1,000 games: One 90.9 %"),
            (("<Left>",), "900 games: One 81.8 %"),
            (("<Home>", "<Right>"), "200 games: One 18.2 %"),
            (("<End>",), "1,000 games: One 90.9 %"),
        ):
            self.key(*keys, widget=chart)
            self.assertIn(read, words())
        self.window.list.focus_force()
        self.wait(lambda: "90.9" not in words())

    def test_the_keyboard_stops_at_no_picture_that_is_empty(self) -> None:
        pictures = self.window.learning.pictures
        for key in (NEW, ONE, "myopic"):
            self.window.choose(key)
            for view in (pictures.scores, pictures.chart, pictures.small, pictures.strip):
                self.assertEqual(bool(view.winfo_manager()), bool(view.value), key)

    def test_what_was_solved_is_shown_after_a_restart_too(self) -> None:
        half = tuple(total // 2 for total in POSITIONS_BY_PLY)
        points = [measured(n, 0.0, decided=sum(half)) for n in (10, 20)]
        for solved, is_shown in ((half, True), ((9,), False), ([9] * 40, False)):
            write_curve(self.own("One").folder, points, solved)
            self.context.bots_changed()
            self.window.choose(ONE)
            self.app.root.update()
            self.assertEqual(self.window.learning.pictures.strip.winfo_ismapped(), is_shown)
            self.assertEqual(self.window.learning.pictures.chart.winfo_ismapped(), not is_shown)

    def test_a_mistake_is_marked_explained_and_cannot_be_started(self) -> None:
        self.fill(games="many")
        self.assertIn("Games in total must be", str(self.form.help.cget("text")))
        self.assertEqual(str(self.form.fields["games"].cget("style")), "Wrong.TEntry")
        self.key("<Return>", widget=self.form.fields["games"])
        self.assertEqual(self.trainer.key, "")
        self.fill(games="10", name=" ")
        self.assertTrue(self.form.start.instate(["disabled"]))
        self.fill(name="One")
        self.press("Start")
        self.assertIn("another bot called “One”", str(self.form.help.cget("text")))
        self.assertEqual(self.trainer.key, "")

    def test_a_field_with_the_keyboard_shows_what_it_means(self) -> None:
        form = self.form
        self.click_on(form.advanced)
        self.fill(plan="baselines")
        for name in ("games", "alpha", "seed", "plan", "name"):
            self.window.list.focus_force()
            self.app.root.update()
            form.fields[name].focus_force()
            self.app.root.update()
            label = form.meaning if name in ("alpha", "seed") else form.help
            self.assertEqual(str(label.cget("text")), form_values.help_text(name, form.texts()))
            self.assertEqual(str(form.help.cget("style")), "Muted.TLabel")
        self.fill(games="many")
        self.assertEqual(str(form.help.cget("style")), "Warning.TLabel")
        self.fill(games="200,000")
        self.assertEqual(str(form.fields["games"].cget("style")), "TEntry")
        self.assertEqual(str(form.help.cget("style")), "Muted.TLabel")

    def test_a_student_reads_what_each_update_rule_does_when_it_is_chosen(self) -> None:
        form = self.form
        self.click_on(form.advanced)
        places = set()
        for update, rule in UPDATE_RULES.items():
            self.fill(update=update)
            places.add(form.fields["update"].winfo_rooty())
            shown = [str(label.cget("text")) for label in (form.help, form.meaning)]
            self.assertEqual(shown, [rule.about, rule.formula])
            self.assertIn(rule.about[:-1], SETTINGS["update"].description)
            for name in ("alpha", "epsilon_end"):  # under the pointer
                form.fields[name].event_generate("<Motion>", x=5, y=5)
                self.assertEqual(
                    str(form.meaning.cget("text")), form_values.help_text(name, form.texts())
                )
        self.assertEqual(len(places), 1, "no text moves the field away from the pointer")
        self.fill(plan="reverse")
        self.assertEqual(form.meaning.cget("text"), "", "this plan only proves")

    def test_a_student_reads_all_update_rules_at_once_where_one_is_chosen(self) -> None:
        self.fill(plan="reverse")
        rules = self.window.learning.form.rules
        self.assertFalse(rules.winfo_manager(), "this plan has one rule")
        self.fill(plan="myopic")
        self.window.learning.form.advanced.invoke()
        rules.invoke()
        texts = {str(label.cget("text")) for label in inside(self.dialog(), ttk.Label)}
        for rule in UPDATE_RULES.values():
            self.assertLessEqual({rule.label, rule.about, rule.formula}, texts)

    def test_a_student_reads_what_a_rule_does_while_it_is_highlighted_in_the_open_list(
        self,
    ) -> None:
        form = self.form
        self.click_on(form.advanced)
        field = form.fields["update"]
        usual, _, third, *_ = UPDATE_RULES.values()
        self.click_on(field)
        popdown = field.tk.call("ttk::combobox::PopdownWindow", field)
        choices = f"{popdown}.f.l"
        self.wait(lambda: field.tk.call("winfo", "viewable", choices))
        x, y, _, height = field.tk.splitlist(field.tk.call(choices, "bbox", 2))
        at = ("-x", int(x) + 5, "-y", int(y) + int(height) // 2)
        field.tk.call("event", "generate", choices, "<Motion>", *at)
        self.wait(lambda: str(form.help.cget("text")) == third.about)
        self.assertEqual(str(form.meaning.cget("text")), third.formula)
        field.tk.call("event", "generate", choices, "<Escape>")
        self.wait(lambda: str(form.help.cget("text")) == usual.about)
        self.assertEqual(form.texts()["update"], "terminal")

    def test_a_student_who_compares_rules_finds_the_last_settings_again_with_another_seed(
        self,
    ) -> None:
        form = self.form
        self.click_on(form.advanced)
        self.fill(update="bootstrap", games="2,000", alpha="0.5")
        self.window.choose("myopic")
        self.window.choose(NEW)
        self.assertEqual(form.texts()["alpha"], "0.5", "what is typed is not lost by a look aside")
        self.key("<Return>", widget=form.fields["alpha"])
        self.assertEqual(self.trainer.key, "", "Return only ends what was typed there")
        self.begin()
        self.report(Ended(""))
        self.window.choose(NEW)
        texts = form.texts()
        found = [texts[name] for name in ("update", "alpha", "games", "seed")]
        self.assertEqual(found, ["bootstrap", "0.5", "2,000", "2"])
        self.click_on(form.advanced)
        shown = "Seed 2, Learning rate α 0.5, Update rule One-step Q-learning"
        self.assertEqual(form.meaning.cget("text"), f"Next run: {shown}", "also while it is folded")
        form.start.invoke()
        self.assertEqual(form.meaning.cget("text"), f"This run: {shown}")

    def test_a_name_that_was_only_proposed_is_another_one_when_a_bot_has_taken_it(self) -> None:
        self.fill(games="123")
        self.assertEqual(self.form.texts()["name"], "My QBot")
        self.add_bot("My QBot")
        self.context.bots_changed()
        self.assertEqual(self.form.texts()["name"], "My QBot 2")
        self.assertEqual(self.form.texts()["games"], "123", "what is typed stays")

    def test_the_button_beside_the_games_adds_to_a_number(self) -> None:
        for typed, shown in (("10", "100,010"), ("", ""), ("many", "many")):
            self.fill(games=typed)
            self.assertEqual(self.form.more.instate(["!disabled"]), typed == "10")
            self.form.more.invoke()
            self.assertEqual(self.form.texts()["games"], shown)
        self.window.choose("myopic")
        self.assertTrue(self.form.more.instate(["disabled"]))

    def test_return_in_a_field_starts_the_training(self) -> None:
        self.fill(name="Third", games="123")
        self.key("<Return>", widget=self.form.fields["games"])
        self.assertEqual(self.trainer.key, "bot:Third")
        _, wanted, _ = self.job.started
        self.assertEqual(wanted["games"], 123)
        self.assertEqual(str(self.form.start.cget("text")), "Stop")
        for field in self.form.fields.values():
            self.assertTrue(field.instate(["disabled"]))
        self.press("Stop")
        self.assertEqual(self.job.received, ["stop"])
        self.assertEqual(str(self.form.start.cget("text")), "Stopping…")
        self.assertTrue(self.form.start.instate(["disabled"]))
        self.report(Ended(""))
        self.assertEqual(str(self.form.start.cget("text")), "Start")

    def test_the_games_that_are_proposed_follow_the_bot_and_its_plan(self) -> None:
        self.window.choose(ONE)
        own = self.own("One")
        found = self.form.texts()
        self.assertEqual((found["name"], found["plan"]), ("One", "myopic"))
        self.assertEqual(found["games"], f"{own.games + 100_000:,}")
        self.assertTrue(self.form.fields["name"].instate(["disabled"]), "its folder has its name")
        self.assertTrue(self.form.fields["plan"].instate(["!disabled", "readonly"]))
        self.fill(plan="baselines")
        self.assertEqual(self.form.texts()["games"], f"{own.games + 400_000:,}")

    def test_a_student_takes_the_figures_of_a_curve_into_a_spreadsheet(self) -> None:
        point = replace(measured(2000, 0.5), sampled=200, epsilon=0.19, moved=0.25)
        write_curve(self.own("One").folder, [measured(1000, 0.25), point])
        self.context.bots_changed()
        self.window.choose(ONE)
        self.path = self.path.with_name("curve.csv")
        self.window.act(BotAct.SAVE_CURVE)
        one, other = csv.DictReader(self.path.read_text("utf-8").splitlines())
        self.assertEqual((one["bot"], one["wins"], one["low"]), ("One", "0.25", ""))
        self.assertEqual((other["epsilon"], other["change_per_game"]), ("0.19", "0.25"))
        self.assertLess(float(other["low"]), 0.5)
        self.assertLess(0.5, float(other["high"]))
        self.path = self.path.with_name("curve.png")
        self.window.act(BotAct.SAVE_CURVE)
        self.assertIn("must end in .svg or .csv", self.reported)
        self.assertFalse(self.path.exists())

    def test_a_student_sees_epsilon_and_the_updates_of_one_bot_where_they_have_room(self) -> None:
        point = replace(measured(2000, 0.5), epsilon=0.19, moved=0.25)
        write_curve(self.own("One").folder, [point])
        self.context.bots_changed()
        self.window.choose(ONE)
        self.window.wm_geometry("1060x720")
        learning = self.window.learning
        self.wait(lambda: learning.pictures.small.value)
        self.assertEqual(len(value_of(learning.pictures.small).curves), 2)
        pictures = (learning.pictures.chart, learning.pictures.small, learning.opening)
        focused = [int(str(picture.cget("takefocus"))) for picture in pictures]
        self.assertEqual(focused, [1, 0, 0], "Tab stops only where keys do something")
        self.window.choose("bot:Two")
        self.assertIsNone(learning.pictures.small.value, "nothing is known")
        self.tick(ONE)
        self.window.choose("bot:Two")
        self.assertIsNone(learning.pictures.small.value, "a comparison needs the room")
        self.tick(ONE)
        form = learning.form
        form.advanced.invoke()
        for height, is_shown in ((560, False), (720, True)):
            self.window.wm_geometry(f"1060x{height}")
            self.wait(lambda: self.window.winfo_height() == height)  # noqa: B023
            self.app.root.update()
            self.assertEqual(
                self.window.learning.pictures.small.value is not None, is_shown, height
            )
        form.advanced.invoke()

    def test_a_new_bot_after_a_restart_repeats_none_that_is_there(self) -> None:
        used = trained_of(self.own("One")).last
        assert used is not None
        self.assertEqual(used.seed, RunSettings("myopic").seed, "the usual one")
        self.addCleanup(setattr, self.context, "guard", self.context.guard)
        again = WorkshopWindow(self.context)
        self.addCleanup(again.destroy)
        self.addCleanup(self.context.on_bots.remove, again.refill)
        again.choose(NEW)
        self.assertEqual(again.learning.form.texts()["seed"], f"{used.seed + 1}")

    def test_one_bot_trains_at_a_time_and_what_is_typed_for_another_stays(self) -> None:
        self.begin()
        self.window.act(BotAct.DELETE)
        self.assertEqual(list(inside(self.window, Dialog)), [])
        self.window.choose(ONE)
        self.assertEqual(self.text, "“My QBot” is training. One bot trains at a time.")
        self.assertTrue(self.form.start.instate(["disabled"]))
        self.window.choose(NEW)
        self.fill(name="Next", games="123")
        self.report(Ended("the disk is full"))
        self.assertEqual((self.form.texts()["name"], self.form.texts()["games"]), ("Next", "123"))
        self.assertTrue(self.form.start.instate(["!disabled"]))
        self.fill(games="many")
        self.window.choose(MY_QBOT)
        self.assertEqual(self.text, "The disk is full.")
        self.window.choose(NEW)
        self.assertEqual((self.form.texts()["name"], self.form.texts()["games"]), ("Next", "many"))

    def test_a_key_that_was_meant_for_stop_starts_no_other_run(self) -> None:
        self.begin()
        self.enterContext(mock.patch.object(learning_tab, "JUST_ENDED_S", 60))
        self.report(Ended(""))
        self.window.choose(ONE)
        self.assertTrue(self.form.start.instate(["!disabled"]))
        self.form.start.invoke()
        self.assertEqual(self.trainer.key, "")

    def test_the_games_in_total_stay_what_was_typed_while_a_bot_trains_again(self) -> None:
        self.window.choose(ONE)
        played = self.own("One").games
        self.fill(plan="random", games=f"{played + 500}")
        self.press("Start")
        self.report(moment(10, 0.1))
        self.window.choose("myopic")
        self.window.choose(ONE)
        self.assertEqual(self.form.texts()["games"], SETTINGS["games"].kind.show(played + 500))

    def test_the_main_window_says_when_a_training_is_finished(self) -> None:
        self.begin()
        self.window.close()
        self.report(moment(100, 1.0), Ended())
        self.assertEqual(self.status, "“My QBot” has finished its training.")

    def test_closing_keeps_it_in_training_and_the_chip_reopens_the_window(self) -> None:
        self.begin()
        self.window.choose(NEW)
        self.key("<Escape>", widget=self.form.fields["name"])
        self.assertIs(self.window.focus_get(), self.window.list, "one step back")
        self.window.choose(MY_QBOT)
        self.key("<Escape>", widget=self.window.list)
        self.assertFalse(self.window.winfo_viewable())
        chip = self.app.window.foot.background
        self.wait(lambda: str(chip.cget("text")) == "Training My QBot: 10 %")
        chip.invoke()
        self.open()
        self.assertEqual(self.window.list.chosen, MY_QBOT)
        self.wait(lambda: not chip.winfo_ismapped())
        self.report(measured(20, 0.2), measured(30, 0.3))
        self.assertEqual(self.lines["My QBot"], 2)
        self.window.close()
        self.report(Ended())
        self.assertEqual(self.status, "“My QBot” is saved.", "it was stopped at 10 %")
        self.assertFalse(chip.winfo_ismapped())
        self.assertEqual(self.context.userdata.settings.training, "")
        self.open()
