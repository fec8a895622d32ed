"""A session without a window: games, bots, tasks and set-up, by what a player does and sees."""

import random
import unittest

from tests.kit.samples import IS_SLOW_RUN
from tests.kit.sessions import (
    BOT,
    OTHER_BOT,
    after,
    do,
    finish,
    new_session,
    play_all,
    why_not,
)
from tests.play.test_commands import BEGIN
from traffic_lights.board.rules import (
    CELLS,
    EMPTY_BOARD,
    is_terminal,
    legal_actions,
    parse_board,
    play,
)
from traffic_lights.play.commands import COMMANDS, paste
from traffic_lights.play.game import HUMAN, Game, Player
from traffic_lights.play.session import (
    GAME_BEFORE,
    GAME_KEPT,
    LINE_KEPT,
    LINE_WITHOUT_RESULT,
    NOT_COUNTED,
    BotRequest,
    Now,
    Session,
)
from traffic_lights.play.tasks import PuzzleRecord, PuzzleSource
from traffic_lights.play.view import PLACES, view

LOST = "0 1 11 5 11 5 2"
"""A game with two mistakes of the person, who moves first against a bot and wins."""
NEAR = parse_board("110000000000")
"""A position in which whoever is to move can win at once."""


class UndoTests(unittest.TestCase):
    def test_undo_and_redo_move_a_full_round_and_looking_is_no_help(self) -> None:
        session = after("0 5 6 3 undo undo")
        self.assertEqual(why_not("undo", session), "There is nothing to undo.")
        do(session, "redo")
        self.assertEqual((session.now.at, session.now.game.takebacks), (2, 0))
        session.click(9)
        self.assertEqual((session.now.game.actions, session.now.game.takebacks), ((0, 5, 9), 1))

    def test_undo_after_new_game_brings_the_last_one_back_also_when_the_bot_began(self) -> None:
        for players, moves in (((HUMAN, BOT), ()), ((BOT, HUMAN), (7,))):
            session = after("0 5 6")
            before = session.now.game
            session.new_game(players)
            play_all(session, *moves)
            self.assertEqual(COMMANDS["undo"].act(session), GAME_BEFORE)
            self.assertEqual((session.now.game, session.now.is_end), (before, True))
            session.go_to(0)
            do(session, "next")
            self.assertEqual(session.now.game, before, "redo stays in the game")

    def test_another_move_keeps_the_old_line_and_says_so_but_not_after_one_round(self) -> None:
        for moves, back, is_kept in (
            ((0, 3, 1, 7, 2), 2, True),  # a finished game
            ((0, 5, 6, 3), 1, False),
            ((0, 5, 6, 3), 2, True),
        ):
            with self.subTest(moves=moves, back=back):
                session = after()
                play_all(session, *moves)
                do(session, *["undo"] * back)
                self.assertEqual(session.click(11), LINE_KEPT if is_kept else "")
                self.assertEqual([game.actions for game in session.left], [moves] * is_kept)
        session.restore(Game(actions=(0, 3, 1, 7, 2), counts=False))
        do(session, "undo")
        self.assertEqual(session.click(11), LINE_WITHOUT_RESULT)

    def test_the_game_waits_as_it_was_behind_a_puzzle_or_a_set_up(self) -> None:
        for name in (*BEGIN.split(), "set_up"):
            for goes_back in ("undo", "previous"):
                with self.subTest(name=name, goes_back=goes_back):
                    session = after("0 5 6 3")
                    do(session, goes_back)
                    was = session.now.at, session.now.looks_back, view(session).heading
                    do(session, name, "leave")
                    now = session.now
                    self.assertEqual((now.at, now.looks_back, view(session).heading), was)

    def test_a_game_pasted_into_a_puzzle_is_at_its_end(self) -> None:
        session = after("0 5 undo puzzle")
        paste(session, "1. b2 c2 2. a1")
        self.assertEqual((session.now.at, session.now.tasks), (3, ()))

    def test_marks_and_hints_stay_where_one_looks_back(self) -> None:
        session = after(f"{LOST} undo undo")
        self.assertEqual(why_not("hint", session), "")
        mistake = session.shown_verdict(3)
        assert mistake is not None
        self.assertEqual(mistake.mark, "??")


class BotTests(unittest.TestCase):
    def test_bots_do_not_move_before_the_end_unless_told_so(self) -> None:
        session = new_session(BOT, HUMAN)
        play_all(session, 0, 5, 6)
        session.go_to(0)
        self.assertIsNone(session.request_bot())
        self.assertEqual(view(session).main, "pause")
        do(session, "pause")
        play_all(session, 7)
        self.assertEqual(session.now.game.actions, (7,))

    def test_another_bot_plays_a_new_game_a_name_changes_nothing_and_a_swap_does_not_count(
        self,
    ) -> None:
        session = after("0 5")
        self.assertEqual(COMMANDS["swap"].act(after("0 5")), NOT_COUNTED)
        self.assertEqual(session.set_players((Player(name="Anna"), BOT)), "")
        self.assertTrue(session.now.game.counts)
        self.assertEqual(session.set_players((HUMAN, OTHER_BOT)), GAME_KEPT)
        self.assertEqual(session.now.game.actions, ())
        session = after("000000000001 finish_setup 0 undo")
        session.set_players((HUMAN, OTHER_BOT))
        self.assertEqual((session.now.state, session.now.game.actions), (1, ()))

    def test_where_a_bot_has_moved_one_returns_or_has_it_play_on_and_the_line_is_kept(self) -> None:
        session = after("0 5 6 3 8 7")
        session.go_to(1)
        buttons = view(session).buttons
        self.assertEqual([buttons[name] for name in ("pause", "leave")], ["Play", "Done"])
        do(session, "pause")
        request = session.request_bot()
        assert request is not None
        self.assertEqual(session.answer_bot(request, 11), LINE_KEPT)


class AnsweringTests(unittest.TestCase):
    def test_only_cells_where_a_click_means_something_answer(self) -> None:
        for words, count in (
            ("", 12), ("0", 0), ("0 1 11 2", 0), ("0 1 puzzle solve", 0), ("0 000000000333", 12),
            ("000000000033 finish_setup", 10),
        ):  # fmt: skip
            with self.subTest(words):
                self.assertEqual(len(view(after(words)).answering), count)
        session = after("puzzle")
        state = session.now.state
        self.assertEqual({*view(session).answering}, {*legal_actions(state)})


class HelpTests(unittest.TestCase):
    def test_neither_the_mark_nor_the_review_tells_two_people_what_to_answer(self) -> None:
        session = after("people 0 1 11")
        self.assertIsNone(session.shown_verdict(3))
        do(session, "review")
        self.assertEqual([task.number for task in session.now.tasks], [1])
        do(session, "leave")
        play_all(session, 5)
        self.assertIsNotNone(session.shown_verdict(3))
        do(session, "review")
        self.assertEqual([task.number for task in session.now.tasks], [1, 2])

    def test_who_loses_without_a_mistake_is_told_so(self) -> None:
        session = after()
        rng = random.Random(3)
        while not session.now.is_over:
            move = min(session.ranked_moves(), key=lambda one: (one.rank, rng.random()))
            play_all(session, move.action)
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
        session = new_session(*rng.choice(seats))
        session.source = PuzzleSource(seed)
        record = PuzzleRecord()
        session.puzzle_record = lambda: record
        finished: list[Game] = []
        late: list[BotRequest] = []
        for _ in range(150):
            before = session.now
            name = rng.choice([*COMMANDS, *["click"] * 20, *["bot"] * 8, "new", "seat", "paste"])
            if name == "click":
                session.click(rng.randrange(CELLS))
            elif name == "bot":
                if request := session.request_bot():
                    late.append(request)
                request = rng.choice(late) if late else None
                if request is not None:
                    action = rng.choice(legal_actions(request.state))
                    is_current = request is session.request
                    self.assertEqual(session.answer_bot(request, action) is not None, is_current)
                    self.assertTrue(is_current or session.now.game == before.game)
            elif name == "new":
                session.new_game(rng.choice([None, *seats]), rng.choice((EMPTY_BOARD, NEAR)))
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
        kept = [*session.left, session.now.game]
        if session.now.before is not None:
            kept.append(session.now.before)
        lines = [(one.start, one.actions) for one in kept]
        for one in finished:
            is_kept = any(
                start == one.start and actions[: len(one.actions)] == one.actions
                for start, actions in lines
            )
            self.assertTrue(is_kept, one)
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
            self.assertIn(action, legal_actions(state))
            self.assertFalse(is_terminal(state))
            state = play(state, action)
        self.assertTrue(0 <= now.at <= len(now.game.actions))
        shown = view(session)
        self.assertTrue(shown.heading)
        self.assertEqual(len(shown.buttons), PLACES)
        if session.request is not None:
            self.assertEqual(session.request.state, now.state)
        if now.is_your_turn:
            self.assertFalse(is_terminal(now.state))
        if session.hides_values:
            self.assertEqual(session.ranked_moves(), ())
