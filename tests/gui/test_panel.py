"""The panel's list of moves and what it says about them, without a window."""

import random
import unittest

import tests.kit.windows  # noqa: F401  it skips this file without Tk
from tests.kit.sessions import BOT, OTHER_BOT, new_session
from traffic_lights.board.baselines import RANDOM
from traffic_lights.gui.main.panel import BACK, CURRENT, ListedMove, listed_moves, texts_at
from traffic_lights.play.game import HUMAN, Game, Player, parse_moves
from traffic_lights.play.session import Session
from traffic_lights.players.policies import PolicyBot

GAME = parse_moves("1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1")


def session_after(
    actions: tuple[int, ...], players: tuple[Player, Player] = (HUMAN, BOT)
) -> Session:
    session = new_session()
    session.restore(Game(actions=actions, players=players))
    return session


def judged(moves: list[ListedMove]) -> list[int]:
    return [move.number for move in moves if move.verdict]


class ListedMovesTests(unittest.TestCase):
    def test_before_a_persons_first_mistake_nothing_is_said_unless_values_are_shown(self) -> None:
        bot = PolicyBot(RANDOM, random.Random(5))
        met = set()
        for _ in range(12):
            actions: tuple[int, ...] = ()
            session = session_after(actions)
            while not session.game.is_over:
                actions = (*actions, bot.choose(session.state))
                session = session_after(actions)
                moves = listed_moves(session, with_values=False)
                is_silent = not session.game.is_over and not session.mistakes()
                met.add(is_silent)
                if is_silent:
                    self.assertEqual(judged(moves), [])
                    self.assertEqual(texts_at(moves, session), "")
                    self.assertFalse(any(set(move.text) & set("!?#") for move in moves))
                every = list(range(1, len(actions) + 1))
                self.assertEqual(judged(listed_moves(session, with_values=True)), every)
        self.assertEqual(met, {True, False})

    def test_after_a_mistake_the_move_that_waits_for_an_answer_is_not_judged(self) -> None:
        session = session_after(GAME[:-2])
        self.assertTrue(session.mistakes())
        self.assertTrue(session.players[session.mover].is_human)
        self.assertEqual(judged(listed_moves(session, with_values=False)), [*range(1, 14)])

    def test_a_game_of_two_bots_is_judged_as_it_is_played(self) -> None:
        session = session_after(GAME[:1], (BOT, OTHER_BOT))
        self.assertEqual(judged(listed_moves(session, with_values=False)), [1])

    def test_a_review_spoils_nothing_and_moves_taken_back_stay_in_the_list(self) -> None:
        session = session_after(GAME)
        session.begin_review()
        self.assertEqual(judged(listed_moves(session, with_values=True)), [])
        session.leave()
        session.undo()
        moves = listed_moves(session, with_values=False)
        self.assertEqual([move.number for move in moves], [*range(1, 17)])
        kinds = [move.kind for move in moves]
        self.assertEqual(kinds.count(CURRENT), 1)
        self.assertEqual(kinds.index(BACK), kinds.index(CURRENT) + 1)
        session.begin_setup()
        self.assertEqual(listed_moves(session, with_values=True), [])

    def test_the_text_is_about_the_move_on_the_board_and_the_one_it_answers(
        self,
    ) -> None:
        session = session_after(GAME)
        moves = listed_moves(session, with_values=False)
        session.go_to(3)
        self.assertEqual(texts_at(moves, session), moves[2].verdict)
        session.go_to(4)
        self.assertEqual(texts_at(moves, session), f"{moves[2].verdict}\n{moves[3].verdict}")
        session.go_to(0)
        self.assertEqual(texts_at(moves, session), "")
