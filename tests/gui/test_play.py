"""Games played in the window with real events: by mouse, arrows and typed cells."""

from __future__ import annotations

import threading
import unittest
from dataclasses import replace
from functools import partial
from typing import ClassVar

from tests.kit.samples import tablebase
from tests.kit.windows import (
    WindowTestCase,
    add_bot,
    add_test_bot,
    load_moves,
    play_added,
    remove_bot,
)
from traffic_lights.board.rules import STEPS, format_cell, legal_actions, parse_cell
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.game import HUMAN
from traffic_lights.session import learned
from traffic_lights.session.notation import parse_moves
from traffic_lights.session.session import Phase
from traffic_lights.session.texts import GAME_AFTER, GAME_BEFORE, VALUES, value_badge
from traffic_lights.session.verdicts import best_moves

GAME = "1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1"
MOVES = parse_moves(GAME)


class WholeGameTests(WindowTestCase):
    def assert_won(self) -> None:
        window = self.app.window
        self.assertEqual(self.app.session.phase, Phase.OVER)
        self.assertEqual(window.board.picture.lines, ((1, 6, 11),))
        self.assertEqual(window.title_text, "Player 2 wins – three yellows, b1–d3")
        self.assertTrue(self.app.root.title().startswith("Player 2 wins"))
        self.assertEqual(self.app.root.focus_get(), window.buttons["play_again"])

    def test_a_game_by_mouse_ends_with_its_line_and_return_plays_again(self) -> None:
        for cell in MOVES:
            self.click(cell)
        self.assert_won()
        self.click(0)
        self.assertEqual(self.status, "The game is over. Start a new game, or undo a move.")
        button = self.app.window.buttons["play_again"]
        self.key("<Return>", widget=button)
        self.assertEqual((self.app.session.state, self.app.session.phase), (0, Phase.YOUR_TURN))
        self.assertEqual(self.app.root.focus_get(), self.app.window.board)

    def test_a_game_by_arrows_and_space(self) -> None:
        board = self.app.window.board
        for cell in MOVES:
            rows, columns = (b - a for a, b in zip(divmod(board.cursor_cell, 4), divmod(cell, 4),
                                                   strict=True))  # fmt: skip
            self.key(*["<Down>" if rows > 0 else "<Up>"] * abs(rows))
            self.key(*["<Right>" if columns > 0 else "<Left>"] * abs(columns))
            self.key("<space>")
        self.assert_won()

    def test_a_game_by_typed_cells(self) -> None:
        for cell in MOVES:
            self.key(*(f"<Key-{character}>" for character in format_cell(cell)))
        self.assert_won()

    def test_a_red_cell_is_refused_in_words(self) -> None:
        for _ in range(3):
            self.click(0)
        self.click(0)
        self.assertEqual(self.status, "a1 is red, and red lamps never change. Choose another lamp.")
        self.assertEqual(len(self.app.session.game.actions), 3)

    def test_undo_and_redo_walk_through_the_whole_game_and_back(self) -> None:
        states = [0]
        for cell in MOVES:
            self.click(cell)
            states.append(self.app.session.state)
        for state in reversed(states[:-1]):
            self.key("<Control-z>")
            self.assertEqual(self.app.session.state, state)
        for state in states[1:]:
            self.key("<Control-y>")
            self.assertEqual(self.app.session.state, state)
        self.assertEqual(self.app.session.phase, Phase.OVER)

    def test_a_game_that_counts_for_nobody_ends_on_the_same_button(self) -> None:
        load_moves(self.app, GAME.rsplit(maxsplit=1)[0])
        self.app.session.set_players((HUMAN, add_test_bot(self.app)))
        self.app.session.set_players((HUMAN, HUMAN))
        self.click(MOVES[-1])
        self.assert_won()
        self.app.window.board.focus_force()
        self.key("<Control-End>")
        self.assertEqual(self.app.root.focus_get(), self.app.window.board, "once for each end")

    def test_undo_at_the_end_gives_the_keyboard_back_to_the_board(self) -> None:
        for cell in MOVES:
            self.click(cell)
        self.assert_won()
        self.key("<Control-z>", widget=self.app.window.buttons["play_again"])
        self.assertEqual(self.app.root.focus_get(), self.app.window.board)

    def test_a_new_game_by_slip_is_undone(self) -> None:
        for cell in MOVES[:5]:
            self.click(cell)
        state = self.app.session.state
        self.key("<F2>")
        self.assertEqual(self.app.session.state, 0)
        self.key("<Key-u>")
        self.assertEqual(self.app.session.state, state)
        self.assertEqual(self.status, GAME_BEFORE)
        self.key("<Key-u>")
        self.assertNotEqual(self.status, GAME_BEFORE, "a move of the same game")
        self.key("<Key-r>")
        self.assertNotEqual(self.status, GAME_AFTER)
        self.key("<Key-r>")
        self.assertEqual((self.app.session.state, self.status), (0, GAME_AFTER))

    def test_looking_back_and_playing_on_keeps_the_old_line_for_redo(self) -> None:
        load_moves(self.app, "1. b2 b2 2. a3 c1")
        old = self.app.session.state
        self.key("<Prior>", "<Prior>")
        self.assertEqual(self.app.window.title_text, "Looking at move 2 of 4")
        self.click(parse_cell("d3"))
        self.assertEqual(len(self.app.session.game.actions), 3)
        self.key("<Control-z>", "<Control-y>", "<Control-z>")
        while self.app.session.can_redo and self.app.session.state != old:
            self.app.commands.redo()
        self.assertEqual(self.app.session.state, old)


class HelpTests(WindowTestCase):
    """Scenario 9: won, lost, win at once, only move: all as the solver has it."""

    POSITIONS: ClassVar[dict[str, str]] = {
        "won": "1. b2 b2 2. a3",
        "lost": "1. b2 d3",
        "win at once": "1. a1 d3 2. b1",
        "only move": "1. b2 b2 2. a3 c1 3. b2 d2 4. c1",
    }

    def test_badges_equal_the_solver(self) -> None:
        self.key("<F7>")
        for name, moves in self.POSITIONS.items():
            with self.subTest(position=name):
                load_moves(self.app, moves)
                expected = tablebase().action_distances(self.app.session.state)
                shown = {c: p.text for c, p in self.app.window.board.picture.pills.items()}
                self.assertEqual(shown, {c: value_badge(n) for c, n in expected.items()})
                best = {c for c, p in self.app.window.board.picture.pills.items() if p.best}
                state = self.app.session.state
                self.assertEqual(best, set(tablebase().optimal_actions(state)))
        self.assertTrue(self.app.session.game.values_seen)

    def test_three_hints_go_from_the_state_of_things_to_the_move(self) -> None:
        for name, moves in self.POSITIONS.items():
            with self.subTest(position=name):
                load_moves(self.app, moves)
                state = self.app.session.state
                base = tablebase()
                wins = base.winning_actions(state)
                self.key("<F3>")
                self.assertEqual(
                    self.status,
                    "You can win this." if wins else "Every move loses to perfect play.",
                )
                self.assertEqual(self.app.window.board.picture.hints, frozenset())
                self.key("<Key-h>")
                marked = self.app.window.board.picture.hints
                best = [move.action for move in best_moves(base, state)]
                self.assertEqual(marked, frozenset(wins or best))
                self.click_on(self.app.window.buttons["hint"])
                named = best[0]
                self.assertIn(format_cell(named), self.status)
                self.assertEqual(self.app.window.board.picture.hints, {named})

    def test_hints_go_away_with_the_position(self) -> None:
        load_moves(self.app, self.POSITIONS["won"])
        self.key("<F3>", "<F3>")
        self.assertTrue(self.app.window.board.picture.hints)
        self.click(parse_cell("d1"))
        self.assertFalse(self.app.window.board.picture.hints)
        self.app.commands.undo()
        self.assertFalse(self.app.window.board.picture.hints, "nobody has asked again")

    def test_what_values_mean_is_said_while_they_are_shown(self) -> None:
        before = self.status
        self.key("<F7>")
        self.assertEqual(self.status, VALUES)
        self.key("<F8>")
        self.key("<F7>")
        self.assertIn("learned", self.status, "of what is still shown")
        self.key("<F8>")
        self.assertEqual(self.status, before)

    def test_a_verdict_follows_each_move_if_wanted(self) -> None:
        self.app.appearance.variables["tell_me"].set(True)
        self.app.appearance.changed("tell_me")
        self.click(5)
        self.assertIn("Lost either way", self.status)

    def test_the_verdict_on_the_person_s_move_stays_while_the_bot_answers(self) -> None:
        self.app.appearance.variables["tell_me"].set(True)
        self.app.appearance.changed("tell_me")
        load_moves(self.app, "1. b2 b2 2. a3 c1", bot_seat=1)
        self.click(parse_cell("b2"))
        self.assertTrue(self.status.startswith("Your b2 – "), self.status)
        said = self.status
        self.wait(lambda: self.app.session.phase is Phase.YOUR_TURN)
        self.assertEqual(self.status, said)

    def test_an_opponent_chosen_after_the_end_begins_a_new_game(self) -> None:
        load_moves(self.app, GAME, bot_seat=1)
        over = self.app.session.game
        self.assertTrue(over.is_over)
        for steps_back in range(3):
            self.app.commands.step(-steps_back)
            self.app.opponent_menu.choose("myopic")
            self.assertEqual(len(self.app.session.game.actions), 0)
            self.assertEqual(self.app.session.players[1].bot, "myopic")
            self.key("<Control-z>")
            self.assertEqual(self.app.session.game.players, over.players, "as it was played")

    def test_return_on_a_finished_board_plays_again(self) -> None:
        load_moves(self.app, GAME)
        self.app.window.board.focus_set()
        self.key("<Return>")
        self.assertEqual((len(self.app.session.game.actions), self.app.session.phase),
                         (0, Phase.YOUR_TURN))  # fmt: skip

    def test_beliefs_are_those_of_the_opponent_and_unlike_the_unknown(self) -> None:
        table = QTable()
        table.set_value(0, 5, -1.0)
        table.set_value(0, 0, 0.25)
        table.set_value(canonical(STEPS[4]), 0, 1.0)
        play_added(
            self.app.desk,
            "A young QBot",
            "young",
            lambda state: legal_actions(state)[0],
            lambda: table,
        )
        self.key("<F8>")
        self.wait(lambda: self.app.window.board.picture.beliefs)
        shown = self.app.window.board.picture.beliefs
        self.assertEqual((shown[5].text, shown[5].unknown), ("loss", False))
        self.assertEqual((shown[0].text, shown[0].unknown), ("+0.25", False))
        self.assertEqual((shown[1].text, shown[1].unknown), ("?", True))
        self.assertEqual((shown[4].text, shown[4].unknown), ("(loss)", False))
        self.assertEqual(self.status, learned.legend("A young QBot", learned.IN_BRACKETS))
        table.set_value(canonical(STEPS[4]), 0, 0.0)
        self.app.desk.refresh()
        self.assertEqual(self.status, learned.legend("A young QBot"), "none is in brackets")
        self.key("<F8>")
        self.assertNotIn("has learned", self.status)
        self.key("<F8>")
        self.app.opponent_menu.choose("random")
        self.assertEqual((self.app.beliefs.owner, self.app.beliefs.table), (None, None))
        self.assertFalse(self.app.window.board.picture.beliefs)
        self.key("<F8>", "<F8>")
        self.assertIn("Random follows fixed rules", self.status)

    def test_beliefs_are_those_of_today_when_their_bot_has_trained_further(self) -> None:
        def learned(value: float) -> QTable:
            table = QTable()
            table.set_value(0, 5, value)
            return table

        desk = self.app.desk
        play_added(desk, "Young", "young", lambda _: 0, lambda: learned(0.25))
        self.addCleanup(remove_bot, desk, "young")
        self.key("<F8>")
        for value, text in ((0.25, "+0.25"), (0.5, "+0.50")):
            add_bot(desk, "Young", "young", lambda _: 0, partial(learned, value))
            self.wait(lambda: self.app.window.board.picture.beliefs)
            self.assertEqual(self.app.window.board.picture.beliefs[5].text, text)

    def test_no_beliefs_are_left_of_a_bot_that_is_offered_no_more(self) -> None:
        table = QTable()
        table.set_value(0, 5, 0.25)
        play_added(self.app.desk, "Young", "young", lambda _: 0, lambda: table)
        self.key("<F8>")
        self.wait(lambda: self.app.window.board.picture.beliefs)
        remove_bot(self.app.desk, "young")
        self.assertFalse(self.app.window.board.picture.beliefs)
        self.assertEqual((self.app.beliefs.owner, self.app.beliefs.table), (None, None))

    def test_beliefs_that_come_or_fail_when_their_bot_is_offered_no_more_are_dropped(self) -> None:
        def late(gate: threading.Event, outcome: QTable | PlayerError) -> QTable:
            gate.wait()
            if isinstance(outcome, PlayerError):
                raise outcome
            return outcome

        for outcome in (QTable(), PlayerError("gone")):
            gate = threading.Event()
            self.addCleanup(gate.set)
            read = partial(late, gate, outcome)
            play_added(self.app.desk, "Young", "young", lambda _: 0, read)
            self.app.desk.shown = replace(self.app.desk.shown, beliefs=True)
            self.app.desk.refresh()
            remove_bot(self.app.desk, "young")
            gate.set()
            self.wait(lambda: not self.app.desk.jobs.outstanding)
            self.assertIsNone(self.app.beliefs.table)
            self.assertNotIn("cannot be shown", self.status)

    def test_values_of_a_solver_not_ready_are_not_guessed(self) -> None:
        self.app.session.tablebase = None
        self.key("<F7>")
        self.assertEqual(dict(self.app.window.board.picture.pills), {})
        self.key("<F3>")
        self.assertIn("Still solving", self.status)


class ReviewTests(WindowTestCase):
    """Scenario 10."""

    def setUp(self) -> None:
        super().setUp()
        load_moves(self.app, GAME)
        self.key("<F4>")

    def test_it_asks_for_the_first_mistake_and_spoils_nothing(self) -> None:
        self.app.appearance.variables["values"].set(True)
        self.app.appearance.changed("values")
        self.assertEqual(self.app.session.phase, Phase.REVIEW)
        self.assertEqual(
            self.app.window.title_text, "Move 3: a3 lost 3 moves too early. Find a better defence."
        )
        picture = self.app.window.board.picture
        self.assertFalse(picture.pills or picture.hints or picture.beliefs)
        self.app.window.panel.select(analysis=True)
        self.app.root.update()
        self.assertEqual(self.app.window.panel.analysis.get_children(), ())

    def test_a_wrong_try_is_refuted_on_the_board_and_the_right_one_is_praised(self) -> None:
        review = self.app.session.review
        assert review is not None
        wrong = review.mistake.verdict.action
        state = self.app.session.state
        self.click(wrong)
        self.assertIn("Try again", self.status)
        self.assertEqual(self.app.window.badge, "wrong")
        self.click_on(self.app.window.buttons["why"])
        self.wait(lambda: self.app.window.board.picture.state != state)
        self.assertRegex(self.status, "^What would follow a3: .* lasts . moves longer")
        self.key("<Escape>")
        self.assertEqual(self.app.window.board.picture.state, state)
        self.click(review.solutions[0])
        self.assertIn("Right", self.status)
        self.assertEqual(self.app.window.badge, "right")
        self.assertTrue(self.app.window.buttons["why"].winfo_ismapped(), "of the move played")
        self.assertTrue(self.app.window.board.picture.hints)

    def test_what_would_follow_is_said_of_one_move_everywhere(self) -> None:
        window, review = self.app.window, self.app.session.review
        assert review is not None
        right, wrong = (
            format_cell(a) for a in (review.solutions[0], review.mistake.verdict.action)
        )
        self.click(review.solutions[0])
        window.panel.select(analysis=True)
        self.wait(window.panel.analysis.get_children)
        self.assertEqual(window.title_text, f"Right: {right}.")
        self.click_on(window.buttons["why"])
        self.assertEqual(window.title_text, f"What would follow {wrong}")
        self.assertTrue(self.status.startswith(f"{window.title_text}: "), self.status)
        self.assertFalse(window.panel.analysis.get_children(), "of the position before")
        self.key("<Escape>")
        self.assertEqual(window.title_text, f"Right: {right}.")
        self.assertTrue(window.panel.analysis.get_children())

    def test_show_is_grey_once_solved_and_sends_on_to_what_can_be_pressed(self) -> None:
        review, buttons = self.app.session.review, self.app.window.buttons
        assert review is not None
        for _ in review.mistakes:
            self.click_on(buttons["reveal"])
            self.click_on(buttons["reveal"])
            named = "Done" if review.is_last else "Next"
            self.assertIn(f": {named} ", self.status)
            pressed = buttons["leave" if review.is_last else "next_mistake"]
            self.assertTrue(pressed.instate(["!disabled"]))
            self.click_on(pressed)
        self.assertEqual(self.app.session.phase, Phase.OVER)

    def test_next_and_previous_walk_through_all_mistakes(self) -> None:
        review = self.app.session.review
        assert review is not None
        for _ in range(len(review.mistakes) - 1):
            self.key("<F6>")
        self.assertEqual(review.number, len(review.mistakes) - 1)
        self.key("<F6>")
        self.assertIn("no further mistake", self.status)
        self.key("<Shift-F6>")
        self.assertEqual(review.number, len(review.mistakes) - 2)
        self.key("<Escape>")
        self.assertEqual(self.app.session.phase, Phase.OVER)


if __name__ == "__main__":
    unittest.main()
