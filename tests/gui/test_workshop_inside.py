"""The Inside tab: what can be pressed, what is marked, and what the legend says of the marks."""

from collections.abc import Sequence
from dataclasses import replace
from unittest import mock

from tests.kit.workshop import ONE, SMALL, WorkshopRobot
from traffic_lights.board.rules import CELLS, STEPS, Action, format_cell
from traffic_lights.board.symmetry import canonical
from traffic_lights.gui.workshop import inside_tab
from traffic_lights.gui.workshop.inside_tab import LATER, NO_GAME, READING, READY, InsideTab
from traffic_lights.gui.workshop.replay_view import PROVEN_WIN
from traffic_lights.learning.prune import prune
from traffic_lights.learning.replay import GameReplay, replay
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.play.game import HUMAN, Game, Player, parse_moves
from traffic_lights.training.folder import PRUNED, TABLE
from traffic_lights.training.own_bots import playing_path
from traffic_lights.workshop.shared import NEW

WON = parse_moves("1. a1 d3 2. b1 d2 3. c1")


class InsideTabTests(WorkshopRobot):
    names = ("One",)

    def setUp(self) -> None:
        super().setUp()
        self.open("inside", "myopic")  # which has no table
        self.window.choose(ONE)
        self.wait(lambda: self.tab.note.cget("text") != READING)

    @property
    def tab(self) -> InsideTab:
        return self.window.inside

    @property
    def text_below(self) -> str:
        return str(self.tab.text.cget("text"))

    def learn_from(self, actions: Sequence[Action]) -> GameReplay:
        """Replay a game that the first bot played as Player 2; return it."""
        tab = self.tab
        before = tab.replay.shown
        game = Game(actions=tuple(actions), players=(HUMAN, Player(ONE, "One")))
        self.context.session.open_game(game)
        self.context.changed()
        self.press("Replay My Game")
        self.wait(lambda: tab.replay.shown not in (None, before))
        assert tab.replay.shown is not None
        return tab.replay.shown

    def go_to_step(self, number: int) -> None:
        """Choose a step of the replay in its list."""
        self.tab.replay.rows.selection_set(str(number))
        self.app.root.update()

    def able(self) -> set[str]:
        """Return the words of the buttons that can be pressed."""
        buttons = self.tab.buttons.values()
        return {str(button.cget("text")) for button in buttons if button.instate(["!disabled"])}

    def test_a_student_reads_when_the_values_of_a_bot_in_its_first_training_come(self) -> None:
        self.window.choose(NEW)
        self.begin()
        self.open("inside")
        self.wait(lambda: self.tab.note.cget("text") == LATER)

    def test_each_button_can_be_pressed_where_it_does_something(self) -> None:
        tab = self.tab
        self.assertEqual(self.able(), {"Replay My Game"})
        self.press("Replay My Game")
        self.assertEqual(self.text_below, NO_GAME)
        self.look_at(WON[:2])
        self.assertEqual(self.able(), {"Back", "Empty Board", "Replay My Game"})
        self.learn_from(WON)
        last = len(tab.replay.rows.get_children()) - 1
        both = {"Empty Board", "Replay My Game"}
        for number, able in (
            (0, {*both, "Step", "All Steps"}), (1, {*both, "Back", "Step", "All Steps"}),
            (last, {*both, "Back"}), (0, {*both, "Step", "All Steps"}),
        ):  # fmt: skip
            self.go_to_step(number)
            self.assertEqual((tab.replay.number, self.able()), (number, able))
        self.go_to_step(1)
        self.press("Back")
        self.assertEqual(tab.replay.number, 0)
        self.press("Empty Board")
        self.assertEqual((tab.replay.shown, tab.moves, self.text_below), (None, (), READY))
        tab.values.selection_set("5")
        self.key("<Return>", widget=tab.values)
        self.assertEqual(tab.moves, (5,))
        self.press("Back")
        self.assertEqual(tab.moves, ())
        self.window.choose("myopic")
        self.wait(lambda: "fixed rules" in str(tab.note.cget("text")))
        self.assertEqual((self.able(), self.text_below), (set(), ""))
        self.assertEqual(set(tab.board.picture.values.numbers.values()), {"L 13", "L 12"})

    def test_a_replay_has_its_own_list_and_formula_in_the_place_of_values_and_note(self) -> None:
        tab = self.tab
        of_position, of_replay = (tab.values, tab.note), (tab.replay.rows, tab.replay.formula)
        found = self.learn_from(WON)
        for shown, hidden in ((of_replay, of_position), (of_position, of_replay)):
            self.wait(lambda: all(w.winfo_ismapped() for w in shown))  # noqa: B023
            self.assertFalse([w for w in hidden if w.winfo_ismapped()])
            self.press("Empty Board")
        self.learn_from(WON)
        rows = [tab.replay.rows.item(row, "values") for row in tab.replay.rows.get_children()]
        moves = [f"{step.number + 1}. {format_cell(step.action)}" for step in found.steps]
        self.assertEqual([row[0] for row in rows], [*moves, "Afterwards"])
        self.assertEqual(tuple(rows[-1][1:]), ("", ""))
        self.assertEqual(tab.replay.rows.focus(), "0", "where the arrow keys continue")
        self.key("<Down>", widget=tab.replay.rows)
        self.assertEqual((tab.replay.number, tab.replay.rows.focus()), (1, "1"))

    def test_the_board_and_the_list_mark_what_the_bot_plays(self) -> None:
        tab = self.tab
        for moves in (WON[:1], WON[:2], ()):
            self.look_at(moves)
            rows = {row: tab.values.item(row) for row in tab.values.get_children()}
            marked = {int(row) for row, item in rows.items() if "●" in str(item["values"][0])}
            bold = {int(row) for row, item in rows.items() if "chosen" in item["tags"]}
            self.assertTrue(marked)
            self.assertEqual((marked, tab.board.framed), (bold, marked))
            self.assertLessEqual(len(marked), len(rows))
            for row, item in rows.items():
                self.assertEqual(str(item["values"][0]).rstrip(" ●"), format_cell(int(row)))
            self.assertEqual(tab.board.picture.last, moves[-1] if moves else None)
            self.assertTrue(tab.board.picture.inviting)
        font = str(tab.values.tag_configure("chosen", "font"))
        self.assertEqual(font, str(self.context.theme.strong))
        self.look_at(WON)
        self.assertEqual(str(tab.note.cget("text")), "The game is over.")
        self.assertEqual((tab.values.get_children(), tab.board.framed), ((), frozenset()))
        self.assertFalse(tab.board.picture.inviting)
        self.assertEqual(tab.board.picture.lines, ((0, 1, 2),))
        self.look_at((*WON, 5))
        self.assertEqual(tab.moves, WON, "no move follows the end")
        self.look_at((0, 0, 0, 0))
        self.assertEqual(tab.moves, (0, 0, 0), "a red lamp cannot be clicked")

    def look_at(self, moves: Sequence[Action]) -> tuple[set[str], str]:
        """Click on *moves* from the empty board; return the learned values, and the note."""
        self.press("Empty Board")
        for cell in moves:
            x, y = map(round, self.tab.board.cell_centre(cell))
            self.tab.board.event_generate("<Button-1>", x=x, y=y)
        self.app.root.update()
        values = self.tab.values
        learned = {str(values.set(row, "Learned")) for row in values.get_children()}
        return learned, str(self.tab.note.cget("text"))

    def test_a_pruned_bot_shows_all_it_has_learned_and_no_move_where_its_games_never_come(
        self,
    ) -> None:
        folder = self.own("One").folder
        whole = read_table(folder / TABLE)
        pruned = prune(whole, whole_up_to=0)
        write_table(folder / PRUNED, pruned)
        known = next(a for a in range(CELLS) if pruned.row(STEPS[a]))
        elsewhere = next(
            (a, b) for a in range(CELLS) for b in range(CELLS)
            if whole.row(STEPS[a] + STEPS[b]) and not pruned.row(STEPS[a] + STEPS[b])
        )  # fmt: skip
        image = canonical(STEPS[known])
        (played, *_) = pruned.best_canonical_actions(image)
        whole.set_value(image, played, 0.0)  # as if training had never tried it
        write_table(folder / TABLE, whole)
        for has_whole in (True, False):
            self.window.choose("myopic")
            self.window.choose(ONE)
            self.wait(lambda: "Values of One" in str(self.tab.note.cget("text")))
            _, note = self.look_at([known])
            self.assertIn("Framed", note)
            for action in self.tab.board.framed:
                value = str(self.tab.values.set(str(action), "Learned"))
                self.assertNotIn(value[0], "?(", "what it plays it for")
            learned, note = self.look_at(elsewhere)
            self.assertEqual(any(value[0] not in "?(" for value in learned), has_whole)
            self.assertIn("ts own games never come here", note)
            self.assertFalse(self.tab.board.framed)
            (folder / TABLE).unlink(missing_ok=True)

    def test_the_values_of_a_bot_that_come_late_do_not_stand_under_the_name_of_another(
        self,
    ) -> None:
        answers = []
        with mock.patch.object(inside_tab, "run_job", lambda *job: answers.append(job[2])):
            for key in (ONE, "myopic"):
                self.tab.show(key)
        roster = self.context.roster
        answers[1]((None, None))
        answers[0]((roster.bot(ONE), roster.whole_table(ONE)))
        self.assertIn("Myopic follows fixed rules", str(self.tab.note.cget("text")))

    def test_a_student_reads_why_a_move_and_its_answer_can_both_be_above_0(self) -> None:
        path = playing_path(self.own("One"))
        table = read_table(path)
        table.set_value(canonical(STEPS[5]), 0, 0.5)
        write_table(path, table)
        self.window.choose("myopic")
        self.window.choose(ONE)
        self.wait(lambda: "Values of One" in str(self.tab.note.cget("text")))
        for moves, is_told in (((), False), ((5,), True), ((5, 5), False)):
            _, note = self.look_at(moves)
            self.assertEqual("Both sides can expect to win" in note, is_told)
            first, *_ = self.tab.values.get_children()
            self.assertIn(int(first), self.tab.board.framed, "what it plays stands first")

    def test_a_student_reads_why_the_last_moves_of_a_game_are_not_replayed(self) -> None:
        found = self.learn_from(WON)  # after the third move, the bot could have completed a line
        self.assertIn(PROVEN_WIN, self.text_below)
        self.go_to_step(1)
        self.assertNotIn(PROVEN_WIN, self.text_below)
        whole = replace(found, actions=WON[: len(found.steps)])
        with mock.patch("traffic_lights.gui.workshop.inside_tab.replay", return_value=whole):
            self.learn_from(WON)
        self.assertNotIn(PROVEN_WIN, self.text_below)

    def test_a_student_reads_if_the_bot_did_not_play_the_game_that_it_learns_from(self) -> None:
        tab = self.tab
        guest = Player(ONE, "One")
        other = Player("beginner", "Beginner")
        for players, stands_in in (
            ((HUMAN, guest), ""), ((guest, HUMAN), ""), ((other, guest), ""),
            ((HUMAN, HUMAN), "Player 2"), ((other, HUMAN), "Beginner"),
        ):  # fmt: skip
            self.context.session.open_game(Game(actions=WON, players=players))
            self.context.session.open_game(Game(start=1 << 22, actions=WON))  # set up
            self.context.session.new_game()  # the last game is meant, also after that
            self.context.changed()
            self.press("Empty Board")
            self.press("Replay My Game")
            self.wait(lambda: tab.replay.shown)
            assert tab.replay.shown is not None
            told = "did not play this game: it learns in the place of "
            self.assertEqual(told + stands_in in self.text_below, stands_in != "")
            self.assertEqual(told in self.text_below, stands_in != "")
            seat = 1 if players[0].is_human or players[1] == guest else 0
            table = read_table(SMALL.with_name("myopic-1000.json"))
            expected = replay(table, WON, seat, "terminal", 0.2, 1.0)
            self.assertEqual(
                [s.number for s in tab.replay.shown.steps], [s.number for s in expected.steps]
            )

    def test_the_end_of_a_replay_says_what_the_bot_would_play_now(self) -> None:
        tab = self.tab
        found = self.learn_from(WON)
        unchanged = replace(found, steps=[replace(step, new=step.old) for step in found.steps])
        for shown, change, words in (
            (found, (2, 5), "One would now play b2 in move 3 instead of b1."),
            (found, None, "One would play as before: one game moves a value by only 0.2"),
            (unchanged, None, "proven already, so the bot learns nothing"),
        ):
            self.press("Empty Board")
            given = replace(shown, change=change)
            with mock.patch("traffic_lights.gui.workshop.inside_tab.replay", return_value=given):
                self.learn_from(WON)
                self.go_to_step(len(found.steps))
            self.assertIn(words, str(tab.text.cget("text")))
            terms = [term.text for term in tab.replay.formula.terms]
            if change is None:
                self.assertEqual((terms, tab.moves), (["It plays as before"], ()))
                self.assertNotEqual(tab.board.framed, frozenset({5}))
            else:
                self.assertEqual(terms, ["b1", "→", "b2"])
                self.assertEqual((tab.board.framed, tab.moves), (frozenset({5}), WON[:2]))
            self.assertTrue(tab.buttons["Step"].instate(["disabled"]))

    def test_play_shows_step_after_step_until_it_is_paused_or_at_the_end(self) -> None:
        tab = self.tab
        self.enterContext(mock.patch("traffic_lights.gui.workshop.replay_view.STEP_MS", 5))
        found = self.learn_from(WON)
        tab.buttons["All Steps"].invoke()
        self.assertEqual(
            (str(tab.buttons["All Steps"].cget("text")), tab.replay.number), ("Pause", 0)
        )
        tab.buttons["All Steps"].invoke()
        self.assertEqual(str(tab.buttons["All Steps"].cget("text")), "All Steps")
        tab.buttons["All Steps"].invoke()
        self.wait(lambda: tab.replay.number == len(found.steps))
        self.assertEqual(str(tab.buttons["All Steps"].cget("text")), "All Steps")

    def test_a_game_is_replayed_and_its_steps_runs_backwards(self) -> None:
        inside = self.tab
        found = self.learn_from(WON)
        shown = []
        while inside.buttons["Step"].instate(["!disabled"]):
            step = found.steps[inside.replay.number]
            self.assertEqual(inside.moves, WON[: step.number], "the position before the move")
            self.assertEqual(inside.board.framed, {step.action})
            badge = inside.board.picture.values.numbers[step.action]
            _, before, after = tuple(inside.replay.rows.item(str(inside.replay.number), "values"))
            self.assertEqual(badge, before if before == after else f"{before} → {after}")
            self.assertEqual(inside.replay.rows.selection(), (str(inside.replay.number),))
            shown.append(str(inside.text.cget("text")))
            inside.buttons["Step"].invoke()
        for text, step in zip(shown, found.steps, strict=True):
            self.assertTrue(text.startswith(step.text(0.2)), text)
        self.assertIn("would", str(inside.text.cget("text")))
        inside.buttons["Back"].invoke()
        self.assertEqual(inside.moves, ())
        inside.replay.rows.selection_set("1")
        self.app.root.update()
        self.assertEqual(inside.moves, WON[: found.steps[1].number])
        moves = tuple(inside.moves)
        x, y = (round(v) for v in inside.board.cell_centre(5))
        inside.board.event_generate("<Button-1>", x=x, y=y)
        self.app.root.update()
        self.assertIsNone(inside.replay.shown, "a move on the board leaves the replay")
        self.assertEqual(inside.moves, (*moves, 5))
