"""A session without a window: games, bots, tasks and set-up, by what a player does and sees."""

import random
import unittest

from tests.kit.samples import IS_SLOW_RUN
from tests.kit.sessions import BOT, OTHER_BOT, after, do, finish, new_session, play_all, why_not
from tests.play.test_commands import BEGIN
from traffic_lights.board.rules import CELLS, is_terminal, legal_actions, parse_board, play
from traffic_lights.play import session as sessions
from traffic_lights.play.commands import COMMANDS, paste
from traffic_lights.play.game import HUMAN, Game, Player
from traffic_lights.play.session import Now, Session
from traffic_lights.play.tasks import PuzzleRecord, PuzzleSource
from traffic_lights.play.view import PLACES, view


class UndoTests(unittest.TestCase):
    def test_undo_and_redo_move_a_full_round_and_looking_is_no_help(self) -> None:
        session = after("0 5 6 3 undo undo")
        self.assertEqual(why_not("undo", session), "There is nothing to undo.")
        do(session, "redo")
        self.assertEqual((session.now.at, session.now.game.takebacks), (2, 0))
        session.click(9)
        self.assertEqual((session.now.game.actions, session.now.game.takebacks), ((0, 5, 9), 1))
        # A game with two mistakes of the person, who looks back at the second.
        session = after("0 1 11 5 11 5 2 undo undo")
        self.assertEqual(why_not("hint", session), "")
        mistake = session.shown_verdict(3)
        self.assertEqual(mistake and mistake.mark, "??")

    def test_undo_after_new_game_brings_the_last_one_back_also_when_the_bot_began(self) -> None:
        for players, moves in (((HUMAN, BOT), ()), ((BOT, HUMAN), (7,))):
            session = after("0 5 6")
            before = session.now.game
            session.new_game(players)
            play_all(session, *moves)
            self.assertEqual(COMMANDS["undo"].act(session), sessions.GAME_BEFORE)
            self.assertEqual((session.now.game, session.now.is_end), (before, True))
            session.go_to(0)
            do(session, "next")
            self.assertEqual(session.now.game, before, "redo stays in the game")

    def test_another_move_keeps_the_old_line_and_says_so_but_not_after_one_round(self) -> None:
        finished = (0, 3, 1, 7, 2)
        for moves, back, counts, remark in (
            (finished, 2, True, sessions.LINE_KEPT),
            (finished, 1, False, sessions.LINE_WITHOUT_RESULT),
            ((0, 5, 6, 3), 1, True, ""),
            ((0, 5, 6, 3), 2, True, sessions.LINE_KEPT),
        ):
            with self.subTest(moves=moves, back=back):
                session = after()
                session.restore(Game(actions=moves, players=(HUMAN, BOT), counts=counts))
                do(session, *["undo"] * back)
                self.assertEqual(session.click(11), remark)
                self.assertEqual([one.actions for one in session.left], [moves] * bool(remark))

    def test_the_game_waits_as_it_was_behind_a_puzzle_or_a_set_up(self) -> None:
        for name in (*BEGIN.split(), "set_up"):
            for goes_back in ("undo", "previous"):
                with self.subTest(name=name, goes_back=goes_back):
                    session = after(f"0 5 6 3 {goes_back}")
                    was = session.now.at, session.now.looks_back, view(session).heading
                    do(session, name, "leave")
                    now = session.now
                    self.assertEqual((now.at, now.looks_back, view(session).heading), was)
        session = after("0 5 undo puzzle")
        paste(session, "1. b2 c2 2. a1")
        self.assertEqual((session.now.at, session.now.tasks), (3, ()), "a game is at its end")


class BotTests(unittest.TestCase):
    def test_bots_do_not_move_before_the_end_unless_told_so_and_the_line_is_kept(self) -> None:
        session = after("0 5 6 3 8 7")
        session.go_to(1)
        self.assertIsNone(session.request_bot())
        shown = view(session)
        self.assertEqual([shown.buttons[name] for name in ("pause", "leave")], ["Play", "Done"])
        self.assertEqual(shown.main, "pause")
        do(session, "pause")
        request = session.request_bot()
        assert request is not None
        self.assertEqual(session.answer_bot(request, 11), sessions.LINE_KEPT)
        self.assertEqual(session.now.game.actions, (0, 11))

    def test_another_bot_plays_a_new_game_a_name_changes_nothing_and_a_swap_does_not_count(
        self,
    ) -> None:
        session = after("0 5")
        self.assertEqual(COMMANDS["swap"].act(after("0 5")), sessions.NOT_COUNTED)
        self.assertEqual(session.set_players((Player(name="Anna"), BOT)), "")
        self.assertTrue(session.now.game.counts)
        self.assertEqual(session.set_players((HUMAN, OTHER_BOT)), sessions.GAME_KEPT)
        self.assertEqual(session.now.game.actions, ())
        session = after("000000000001 finish_setup 0 undo")
        session.set_players((HUMAN, OTHER_BOT))
        self.assertEqual((session.now.state, session.now.game.actions), (1, ()))


class HelpTests(unittest.TestCase):
    def test_neither_the_mark_nor_the_review_tells_two_people_what_to_answer(self) -> None:
        session = after("people 0 1 11")
        for moves, mistakes in (((), [1]), ((5,), [1, 2])):
            play_all(session, *moves)
            self.assertEqual(session.shown_verdict(3) is not None, 2 in mistakes)
            do(session, "review")
            self.assertEqual([task.number for task in session.now.tasks], mistakes)
            do(session, "leave")

    def test_who_loses_without_a_mistake_is_told_so(self) -> None:
        session = after()
        while not session.now.is_over:
            play_all(session, session.ranked_moves()[0].action)
        expected = "You made no mistake: Player 1 cannot win against perfect play."
        self.assertIn(expected, view(session).detail)


class RandomTests(unittest.TestCase):
    """Thousands of random things, after each of which everything that is always true is true."""

    def test_a_session_stays_whole_and_no_finished_game_is_lost(self) -> None:
        for seed in range(1500 if IS_SLOW_RUN else 40):
            with self.subTest(seed=seed):
                self._check(seed)

    def _check(self, seed: int) -> None:
        rng = random.Random(seed)
        seats = [(a, b) for a in (HUMAN, BOT) for b in (HUMAN, OTHER_BOT)]
        near = parse_board("110000000000")  # whoever is to move can win at once
        session = new_session(*rng.choice(seats))
        session.source = PuzzleSource(seed)
        record = PuzzleRecord()
        session.puzzle_record = lambda: record
        finished: list[Game] = []
        late: list[sessions.BotRequest] = []
        for _ in range(150):
            before = session.now
            name = rng.choice([*COMMANDS, *["click"] * 20, *["bot"] * 8, "new", "seat", "paste"])
            if name == "click":
                session.click(rng.randrange(CELLS))
            elif name == "bot":
                if request := session.request_bot():
                    late.append(request)
                if late:
                    request = rng.choice(late)
                    action = rng.choice(legal_actions(request.state))
                    is_current = request is session.request
                    self.assertEqual(session.answer_bot(request, action) is not None, is_current)
                    self.assertTrue(is_current or session.now.game == before.game)
            elif name == "new":
                session.new_game(rng.choice([None, *seats]), rng.choice((0, near)))
            elif name == "seat":
                session.set_players(rng.choice(seats))
            elif name == "paste":
                session.open_game(Game(actions=(0, 5, 6), players=rng.choice(seats)))
            elif not why_not(name, session):
                COMMANDS[name].act(session)
            self._look_at_undo(session, before, name)
            if session.now.game.is_over:
                finished.append(session.now.game)
            self._look(session)
            for task in session.ended:
                record = record.counted(task)
            session.ended.clear()
        kept = [*session.left, session.now.game, session.now.before or session.now.game]
        lines = {(one.start, one.actions[:n]) for one in kept for n in range(CELLS * 3)}
        self.assertLessEqual({(one.start, one.actions) for one in finished}, lines)
        finish(session, rng)

    def _look_at_undo(self, session: Session, before: Now, name: str) -> None:
        """Check that undo and redo take each other back, and are no help."""
        now = session.now
        if name in ("undo", "redo") and now.game == before.game and now.is_game:
            self.assertEqual(now.game.takebacks, before.game.takebacks)
            if name == "undo" and now.at < before.at and not why_not("redo", session):
                while session.now.at < before.at:
                    do(session, "redo")
                # A position of a bot's turn, which was only looked at, is not stopped at.
                is_stop = before.is_end or before.is_your_turn or not before.game.has_person
                self.assertEqual(session.now.state == before.state, is_stop)
        if name in ("seat", "swap") and before.setups:
            self.assertEqual(now.setups, before.setups, "other players wait for the same position")
        if name == "click" and now.setups:
            do(session, "undo")
            self.assertEqual(session.now.state, before.state)
            do(session, "redo")
            self.assertEqual(session.now.state, now.state)

    def _look(self, session: Session) -> None:
        now = session.now
        state = now.game.start
        for action in now.game.actions:
            self.assertFalse(is_terminal(state))
            state = play(state, action)  # which refuses a red cell
        self.assertTrue(0 <= now.at <= len(now.game.actions))
        shown = view(session)
        self.assertTrue(shown.heading)
        self.assertEqual(len(shown.buttons), PLACES)
        if session.request is not None:
            self.assertEqual(session.request.state, now.state)
        if now.is_your_turn:
            self.assertFalse(is_terminal(now.state))
        is_asked = now.is_your_turn or (now.task is not None and not now.task.is_over)
        cells = range(CELLS) if now.setups else legal_actions(now.state) if is_asked else ()
        self.assertEqual({*shown.answering}, {*cells}, "where a click means something")
        if session.hides_values:
            self.assertEqual(session.ranked_moves(), ())
