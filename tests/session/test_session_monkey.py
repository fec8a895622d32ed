"""Thousands of random wishes: a session stays sound and a game can still be finished."""

import random
import unittest

from tests.kit.samples import tablebase
from tests.kit.sessions import BOT, OTHER_BOT, finish
from traffic_lights.board.rules import CELLS, is_legal, is_terminal, legal_actions, play
from traffic_lights.session.session import HUMAN, First, Phase, Player, Session


class Monkey:
    """Does thousands of random things to a session and checks that it stays sound."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.session = Session(self.rng, now=lambda: 0.0)
        self.tokens: list[int] = []

    def do_something(self) -> None:
        wishes = [name for name in dir(self) if name.startswith("wish_")]
        getattr(self, self.rng.choice(wishes))()

    def wish_click(self) -> None:
        self.session.play(self.rng.randrange(CELLS))

    wish_click_again = wish_click_once_more = wish_click

    def wish_ask(self) -> None:
        request = self.session.request_bot()
        if request is not None:
            self.tokens.append(request.token)

    def wish_answer(self) -> None:
        if self.tokens:
            token = self.rng.choice(self.tokens[-3:])
            before = self.session.game
            is_current = self.session.is_current(token)
            action = self.rng.choice(legal_actions(self.session.state) or (0,))
            assert self.session.answer_bot(token, action) == is_current
            assert is_current or self.session.game == before

    wish_answer_again = wish_answer

    def wish_undo(self) -> None:
        could = self.session.can_undo
        assert self.session.undo() == could

    def wish_redo(self) -> None:
        could = self.session.can_redo
        assert self.session.redo() == could

    def wish_new(self) -> None:
        players = self.rng.choice([None, *self.pairs()])
        self.session.new_game(players, self.rng.choice(list(First)))

    def wish_seats(self) -> None:
        self.session.set_players(self.rng.choice(self.pairs()))

    @staticmethod
    def pairs() -> list[tuple[Player, Player]]:
        return [(a, b) for a in (HUMAN, BOT) for b in (HUMAN, OTHER_BOT)]

    def wish_look(self) -> None:
        self.session.step(self.rng.choice((-40, -1, 1, 40)))

    def wish_here(self) -> None:
        self.session.play_on_from_here()

    def wish_setup(self) -> None:
        self.rng.choice((self.session.begin_setup, self.session.finish_setup))()

    def wish_leave(self) -> None:
        self.session.leave()

    def wish_review(self) -> None:
        self.session.begin_review()

    def wish_review_on(self) -> None:
        self.session.step_review(self.rng.choice((-1, 1)))

    def wish_reveal(self) -> None:
        self.session.reveal()

    def wish_help(self) -> None:
        self.session.hint()
        self.session.note_values_seen()
        self.session.play_for_me(self.rng.choice((BOT, HUMAN)))

    def wish_pause(self) -> None:
        self.session.resume_bots()

    def wish_solve(self) -> None:
        self.session.tablebase = tablebase()

    def wish_restore(self) -> None:
        game = self.session.game
        self.session.restore(*self.session.saved())
        assert self.session.game == game

    def check(self) -> None:
        """Raise AssertionError unless all that is always true of a session is true."""
        session, game = self.session, self.session.game
        state = game.start
        for action in game.actions:
            assert not is_terminal(state)
            assert is_legal(state, action)
            state = play(state, action)
        assert 0 <= game.present <= len(game.actions)
        assert 0 <= session.index <= len(game.actions)
        assert (session.choosing is not None) == (session.phase is Phase.BOT_TURN)
        if session.phase is Phase.YOUR_TURN:
            assert session.mover_is_human
            assert not is_terminal(session.state)
        if session.hides_truth:
            assert not session.values()
        steps = dict(game.hinted)
        assert len(steps) == len(game.hinted)
        assert set(steps.values()) <= {1, 2, 3}
        earlier, later = session.saved()[1:]
        assert max(len(earlier), len(later)) <= 50


class MonkeyTests(unittest.TestCase):
    def test_whatever_is_done_the_session_stays_sound_and_a_game_finishes(self) -> None:
        for seed in range(20):
            with self.subTest(seed=seed):
                monkey = Monkey(seed)
                for _ in range(400):
                    monkey.do_something()
                    monkey.check()
                finish(monkey.session, monkey.rng)
                monkey.check()


if __name__ == "__main__":
    unittest.main()
