"""The panel's list of moves and what it says about them; the buttons of each phase."""

import random
import unittest

from tests.kit.sessions import BOT, OTHER_BOT, do, new_session, why_not
from tests.kit.windows import WindowTestCase, load_moves
from traffic_lights.board.baselines import RANDOM
from traffic_lights.board.games import PolicyBot
from traffic_lights.board.rules import is_terminal, mover
from traffic_lights.board.tablebase import shared_tablebase
from traffic_lights.gui.main.graph import bars_of
from traffic_lights.gui.main.panel import (
    BACK,
    CURRENT,
    ListedMove,
    listed_moves,
    texts_at,
)
from traffic_lights.play import texts
from traffic_lights.play.game import HUMAN, Game, Player, parse_moves
from traffic_lights.play.lessons import LESSONS
from traffic_lights.play.modes.lesson import LessonMode
from traffic_lights.play.modes.looking_back import go_to
from traffic_lights.play.modes.puzzles import PuzzleMode, begin_puzzle, begin_todays_puzzle
from traffic_lights.play.modes.review import Review
from traffic_lights.play.modes.set_up import SetUp
from traffic_lights.play.session import Session
from traffic_lights.play.solving import Attempt
from traffic_lights.play.verdicts import BEST_PLAY, MISTAKES, NOTHING, judge

FINISHED = "1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1"
GAME = parse_moves(FINISHED)


def session_after(
    actions: tuple[int, ...], players: tuple[Player, Player] = (HUMAN, BOT)
) -> Session:
    session = new_session()
    session.restore(Game(actions=actions, players=players))
    return session


def judged(moves: list[ListedMove]) -> list[int]:
    return [move.number for move in moves if move.verdict]


class ListedMovesTests(unittest.TestCase):
    def test_a_player_sees_their_mistakes_or_all_verdicts_or_nothing_as_they_chose(self) -> None:
        bot = PolicyBot(RANDOM, random.Random(5))
        met = set()
        for _ in range(4):
            actions: tuple[int, ...] = ()
            session = session_after(actions)
            while not session.game.is_over:
                actions = (*actions, bot.choose(session.state))
                session = session_after(actions)
                every = list(range(1, len(actions) + 1))
                wanted = [index + 1 for index in session.mistakes()]
                met.add(bool(wanted))
                if session.game.is_over:
                    wanted = every
                for show, numbers in ((MISTAKES, wanted), (NOTHING, []), (BEST_PLAY, every)):
                    session.wanted_values = lambda show=show: show  # type: ignore[misc]
                    moves = listed_moves(session)
                    self.assertEqual(judged(moves), numbers, show)
                    marked = [move.number for move in moves if set(move.text) & set("!?#")]
                    self.assertLessEqual(set(marked), set(numbers), show)
                    self.assertTrue(numbers or not texts_at(moves, session), show)
        self.assertEqual(met, {True, False})

    def test_with_nothing_shown_a_mistake_stays_unsaid_in_the_message_too(self) -> None:
        for actions in (GAME[:6], GAME):
            session = session_after(actions)
            go_to(session, 5)
            self.assertIsNotNone(session.mode.mistake)
            session.wanted_values = lambda: NOTHING
            self.assertIsNone(session.mode.mistake)
            go_to(session, len(actions))
            self.assertNotIn("missed", session.mode.detail())
            self.assertIsNone(session.mode.mistake)
            self.assertEqual(not why_not("review", session), session.game.is_over)

    def test_of_two_people_the_mistake_that_waits_for_an_answer_is_not_marked(self) -> None:
        session = session_after(GAME[:5], (HUMAN, HUMAN))
        mistakes = [index + 1 for index in session.mistakes()]
        self.assertEqual(mistakes[-1], 5)
        self.assertEqual(judged(listed_moves(session)), mistakes[:-1])
        session = session_after(GAME[:6], (HUMAN, HUMAN))
        self.assertEqual(judged(listed_moves(session))[-1], 5)

    def test_the_mistakes_of_two_bots_are_marked_as_they_are_made(self) -> None:
        session = session_after(GAME[:5], (BOT, OTHER_BOT))
        self.assertEqual(judged(listed_moves(session))[-1], 5)

    def test_a_review_spoils_nothing_and_moves_taken_back_stay_in_the_list(self) -> None:
        session = session_after(GAME)
        session.begin(Review(session))
        self.assertEqual(judged(listed_moves(session)), [])
        session.leave()
        session.mode.undo()
        moves = listed_moves(session)
        self.assertEqual([move.number for move in moves], [*range(1, 17)])
        kinds = [move.kind for move in moves]
        self.assertEqual(kinds.count(CURRENT), 1)
        self.assertEqual(kinds.index(BACK), kinds.index(CURRENT) + 1)
        session.begin(SetUp(session))
        self.assertEqual(listed_moves(session), [])

    def test_the_text_is_about_the_move_on_the_board_and_the_one_it_answers(
        self,
    ) -> None:
        session = session_after(GAME)
        moves = listed_moves(session)
        go_to(session, 3)
        self.assertEqual(texts_at(moves, session), moves[2].verdict)
        go_to(session, 4)
        both = f"You: {moves[2].verdict}\nMyopic: {moves[3].verdict}"
        self.assertEqual(texts_at(moves, session), both)
        go_to(session, 0)
        self.assertEqual(texts_at(moves, session), "")

    def test_a_player_does_not_read_of_a_mistake_twice(self) -> None:
        session = session_after(GAME[:6])
        session.wanted_values = lambda: BEST_PLAY
        moves = listed_moves(session)
        self.assertTrue(session.mode.mistake, "the message over the board names it")
        self.assertEqual(texts_at(moves, session), f"Myopic: {moves[5].verdict}")


class ButtonTests(unittest.TestCase):
    """The buttons under the board, which the mode chooses."""

    def test_the_button_that_continues_the_game_stands_out_in_each_mode(self) -> None:
        sessions = {
            "": session_after(GAME[:3]),
            "new_game": session_after(GAME),
            "finish_setup": session_after(GAME[:3]),
            "pause": session_after(GAME[:3], (BOT, OTHER_BOT)),
            "next_task": session_after(GAME[:3]),
            "puzzle": session_after(GAME[:3]),
        }
        do(sessions["finish_setup"], "set_up")
        sessions["pause"].pause_bots()
        for name, lesson in (("next_task", 0), ("puzzle", len(LESSONS) - 1)):
            sessions[name].begin(LessonMode(sessions[name], lesson))
            self.assertEqual(sessions[name].mode.main_button, "", "it is not solved yet")
            while not sessions[name].mode.is_done:
                do(sessions[name], "reveal")
        for name, session in sessions.items():
            self.assertEqual(session.mode.main_button, name)
            self.assertTrue(not name or name in session.mode.buttons)

    def test_only_the_puzzle_of_the_day_can_be_copied_and_only_two_bots_have_a_speed(self) -> None:
        session = session_after(GAME[:3], (BOT, OTHER_BOT))
        self.assertIn("speed", session.mode.buttons)
        for players in ((HUMAN, HUMAN), (HUMAN, BOT), (BOT, HUMAN)):
            self.assertNotIn("speed", session_after(GAME[:3], players).mode.buttons)
        begin_puzzle(session)
        self.assertNotIn("copy", session.mode.buttons)
        begin_todays_puzzle(session)
        self.assertIn("copy", session.mode.buttons)
        session.begin(PuzzleMode(session, Attempt(LESSONS[3].start, day="2026-01-31")))
        self.assertIn("todays_puzzle", session.mode.buttons, "it is another day by now")


class GraphTests(unittest.TestCase):
    def test_bars_point_to_the_winner_and_grow_towards_the_end(self) -> None:
        session = session_after(GAME)
        bars = bars_of(session)
        self.assertEqual(len(bars), len(GAME))
        tablebase = shared_tablebase()
        for number, (bar, action) in enumerate(zip(bars, GAME, strict=True), 1):
            state = session.game.state_at(number)
            self.assertEqual(bar.is_mistake, "?" in bar.text)
            badge = texts.value_badge(judge(session.game.state_at(number - 1), action).distance)
            if is_terminal(state):
                self.assertEqual(bar.height, -1.0, "the second player has won")
                continue
            to_move = mover(state)
            winner = to_move if tablebase.is_won(state) else 1 - to_move
            self.assertEqual(bar.height > 0, winner == 0)
            self.assertTrue(bar.text.endswith(f"in {badge[2:]}"), "as on the board before the move")
        heights = {abs(bar.height): number for number, bar in enumerate(bars)}
        self.assertEqual(max(heights), 1.0)
        self.assertGreater(min(heights), 0.1)
        self.assertEqual(bars[4].text, "Move 5, b2??: Myopic wins in 9")
        self.assertEqual(bars[-1].text, "Move 16, b1#: Myopic wins now")

    def test_the_only_person_is_up_in_either_seat(self) -> None:
        lost = bars_of(session_after(GAME, (HUMAN, BOT)))
        won = bars_of(session_after(GAME, (BOT, HUMAN)))
        self.assertEqual((lost[-1].height, won[-1].height), (-1.0, 1.0))
        self.assertEqual(won[-1].text, "Move 16, b1#: you win now")

    def test_it_is_never_there_during_a_game_unless_values_are_shown(self) -> None:
        session = session_after(GAME[:-1])
        self.assertEqual(bars_of(session), [])
        session.wanted_values = lambda: BEST_PLAY
        self.assertEqual(len(bars_of(session)), len(GAME) - 1)
        session = session_after(GAME)
        session.wanted_values = lambda: NOTHING
        self.assertEqual(bars_of(session), [])
        session.wanted_values = lambda: BEST_PLAY
        session.begin(Review(session))
        self.assertEqual(bars_of(session), [], "a review spoils nothing")
        session.leave()
        session.begin(SetUp(session))
        self.assertEqual(bars_of(session), [])
        session = session_after(())
        session.wanted_values = lambda: BEST_PLAY
        self.assertEqual(bars_of(session), [])


class GraphInWindowTests(WindowTestCase):
    def test_a_click_or_a_key_goes_to_a_move(self) -> None:
        load_moves(self.app, FINISHED[: FINISHED.rindex(" ")])
        graph = self.app.window.panel.graph
        self.assertFalse(graph.winfo_manager(), "the game is not over")
        load_moves(self.app, FINISHED)
        self.assertTrue(graph.winfo_manager())
        self.app.root.update()
        drawn = len(graph.find_all())
        self.assertGreater(drawn, len(GAME))
        self.app.context.window.draw()
        self.assertEqual(len(graph.find_all()), drawn, "what was drawn before is gone")
        _, *bars = [item for item in graph.find_all() if str(graph.type(item)) == "rectangle"]
        x0, _, x1, _ = graph.coords(bars[4])
        graph.event_generate("<Button-1>", x=round((x0 + x1) / 2), y=20)
        self.assertEqual(self.app.session.mode.index, 5)
        self.key("<Right>", widget=graph)
        self.assertEqual(self.app.session.mode.index, 6)
        self.key("<Home>", widget=graph)
        self.assertEqual(self.app.session.mode.index, 0)
        self.key("<Left>", "<End>", widget=graph)
        self.assertEqual(self.app.session.mode.index, len(GAME))
        self.key("<F2>")
        self.assertFalse(graph.winfo_manager())
        self.app.context.change(shown="best-play")
        self.key("<Key-b>", "<Key-2>")
        self.assertTrue(graph.winfo_manager())

    def test_the_board_gets_the_keyboard_when_what_has_it_goes(self) -> None:
        load_moves(self.app, FINISHED)
        panel = self.app.window.panel
        for widget, key in ((panel.graph, "<F2>"), (panel.moves, "<F9>")):
            load_moves(self.app, FINISHED)
            self.key(key, widget=widget)
            self.assertFalse(widget.winfo_ismapped())
            self.assertIs(self.app.root.focus_get(), self.app.window.board)
        self.key("<F9>")


class ListInWindowTests(WindowTestCase):
    def test_the_arrows_go_through_the_game_in_the_list_of_moves(self) -> None:
        load_moves(self.app, FINISHED)
        last = len(GAME)
        for key, index in (
            ("<Up>", last - 1), ("<Left>", last - 2), ("<Down>", last - 1), ("<Right>", last),
        ):  # fmt: skip
            self.key(key, widget=self.app.window.panel.moves)
            self.assertEqual(self.app.session.mode.index, index, key)

    def test_the_arrows_choose_a_lesson_in_the_list_of_lessons(self) -> None:
        self.app.run("lessons")
        for key, number in (("<Up>", 1), ("<Down>", 2), ("<Right>", 3), ("<Left>", 2)):
            self.key(key, widget=self.app.window.panel.moves)
            self.assertTrue(self.heading.startswith(f"Lesson {number} of 5"), self.heading)

    def test_a_click_on_a_move_that_was_taken_back_says_how_it_comes_back(self) -> None:
        load_moves(self.app, FINISHED)
        self.key("<Control-z>", "<Control-z>")
        made = len(self.app.session.game.actions)
        moves = self.app.window.panel.moves
        moves.see(f"{made + 1}.first")
        left, top, _, height = moves.bbox(f"{made + 1}.first") or (0, 0, 0, 0)
        moves.event_generate("<Button-1>", x=left + 2, y=top + height // 2)
        self.assertEqual(self.status, "This move was taken back: Redo plays it again.")
        self.assertEqual(len(self.app.session.game.actions), made)
