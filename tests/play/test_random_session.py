"""A session does thousands of random things, each with its effect, and loses nothing."""

import random
import unittest
from collections.abc import Callable
from dataclasses import replace

from tests.kit.sessions import BOT, OTHER_BOT, do, finish, why_not
from traffic_lights.board.rules import CELLS, is_terminal, legal_actions, play
from traffic_lights.play.commands import COMMANDS, MODES
from traffic_lights.play.game import HUMAN, Game
from traffic_lights.play.modes.looking_back import LookingBack, go_to
from traffic_lights.play.modes.playing import Playing
from traffic_lights.play.modes.review import Review
from traffic_lights.play.modes.set_up import SetUp
from traffic_lights.play.modes.tasks import Task
from traffic_lights.play.session import BotRequest, Session
from traffic_lights.play.solving import PuzzleRecord, PuzzleSource

PAIRS = [(a, b) for a in (HUMAN, BOT) for b in (HUMAN, OTHER_BOT)]


class RandomSession:
    """A session, with everything that can be done to it at random."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.session = session = Session(lambda: 0.0)
        session.puzzles = PuzzleSource(seed)
        self.record = PuzzleRecord()
        session.puzzle_record = lambda: self.record
        self.requests: list[BotRequest] = []
        self.left = session.game
        """The new game that undo left for the one before."""
        self.finished: list[tuple[int, tuple[int, ...]]] = []
        tasks = [mode for mode in MODES if issubclass(mode, Task)]
        begins = [command.name for task in tasks for command in task.commands if command.is_begin]
        self.commands: list[Callable[[], object]] = [
            self.click, self.click, self.click, self.ask, self.answer, self.answer, self.fail,
            self.new_game, self.open_game, self.seat, self.finish_setup, self.restart,
            lambda: session.begin(SetUp(session)), session.leave, session.note_values_seen,
            session.resume_bots, session.pause_bots,
            self.go("undo"), self.go("redo"),
            *map(self.ask_first, ("reveal", "hint", "next_task", "previous_task")),
            *map(self.ask_first, begins), self.count_puzzles,
            lambda: session.resume_bots(is_step=True),
            lambda: go_to(session, session.mode.index + rng.choice((-40, -1, 1, 40))),
            self.stand_in,
            lambda: setattr(session, "is_solved", True),
        ]  # fmt: skip

    def do_something(self) -> None:
        session, command = self.session, self.rng.choice(self.commands)
        was_paused = session.is_paused
        command()
        begins = self.new_game, self.open_game, self.seat, self.finish_setup
        may_end = session.game.has_person or command in (session.resume_bots, self.restart, *begins)
        assert session.is_paused or may_end or not was_paused, "a pause lasts"
        if self.session.game.is_over:
            self.finished.append((self.session.game.start, self.session.game.actions))

    def count_puzzles(self) -> None:
        for attempt in self.session.take_attempts():
            assert attempt.is_begun
            self.record = self.record.counted(attempt, self.session.today)

    def click(self) -> None:
        before, mode = self.session.game, self.session.mode
        index = mode.index
        cell = self.rng.randrange(CELLS)
        self.session.mode.click(cell)
        if self.session.game != before:
            assert isinstance(mode, Playing | LookingBack)
            assert before.players[before.until(index).mover].is_human
            self.expect(before.until(index).played(cell))

    def expect(self, game: Game) -> None:
        """Check the game under way, whatever help was counted."""
        found = self.session.game
        for name in ("start", "actions", "players", "is_unrated"):
            assert getattr(found, name) == getattr(game, name), name

    def ask(self) -> None:
        request = self.session.request_bot()
        if request is not None:
            self.requests.append(request)

    def answer(self) -> None:
        if self.requests:
            request = self.rng.choice(self.requests[-3:])
            before = self.session.game
            is_current = request is self.session.request
            action = self.rng.choice(legal_actions(self.session.state) or (0,))
            assert self.session.answer_bot(request, action) == is_current
            assert is_current or self.session.game == before
            if is_current:
                self.expect(before.played(self.session.game.actions[-1]))

    def fail(self) -> None:
        if self.requests and self.rng.random() < 0.3:
            self.session.fail_bot(self.requests[-1], "it ended")

    def ask_first(self, name: str) -> Callable[[], None]:
        """Return what runs the command *name* if it applies."""

        def change() -> None:
            if not why_not(name, self.session):
                COMMANDS[name].act(self.session)

        return change

    def stand_in(self) -> None:
        if self.session.is_your_turn:
            self.session.play_for_me(BOT)

    def go(self, name: str) -> Callable[[], None]:
        """Return what undoes or redoes: in a human's game it leads to a choice of the human."""
        session = self.session

        def change() -> None:
            before, mode, others = session.game, session.mode, session.history.others
            is_whole = not session.history.taken_back
            if why_not(name, session):
                return
            is_other = bool(COMMANDS[name].act(session))
            game, taken_back = session.game, session.history.taken_back
            if isinstance(mode, SetUp | Review):
                assert game == before
            elif is_other:
                assert name == "undo"
                movers = [before.until(n).mover for n in range(len(before.actions))]
                assert not any(before.players[seat].is_human for seat in movers)
                self.left = before
            elif name == "redo" and is_whole:
                assert game == self.left
            else:
                longer = before.actions if name == "undo" else game.actions
                shorter = game.actions if name == "undo" else before.actions
                assert longer[: len(shorter)] == shorter != longer
                assert session.history.others == others
                is_bots = session.is_bots_turn and game.has_person
                assert not is_bots or (name == "redo" and not taken_back)

        return change

    def new_game(self) -> None:
        players = self.rng.choice([None, *PAIRS])
        expected = Game(players=players or self.session.players)
        self.session.new_game(players)
        self.expect(expected)
        assert not self.session.is_paused

    def open_game(self) -> None:
        game = Game(actions=(0, 5, 6), players=self.rng.choice(PAIRS))
        self.session.open_game(game)
        self.expect(replace(game, is_unrated=True))

    def seat(self) -> None:
        players, game = self.rng.choice(PAIRS), self.session.game
        bots = [{player.bot for player in seats} for seats in (players, game.players)]
        is_begun = bool(game.actions) and not self.session.failure
        is_new = is_begun and (game.is_over or bots[0] != bots[1])
        self.session.set_players(players)
        if is_new:
            self.expect(Game(players=players))
            return
        is_unrated = game.is_unrated or (bool(game.actions) and players != game.players)
        self.expect(replace(game, players=players, is_unrated=is_unrated))

    def finish_setup(self) -> None:
        expected = Game(start=self.session.state, players=self.session.players)
        if not why_not("finish_setup", self.session):
            do(self.session, "finish_setup")
            self.expect(expected)

    def restart(self) -> None:
        saved = self.session.history.saved
        self.session.restore(*saved)
        assert self.session.history.saved == saved

    def check(self) -> None:
        """Raise AssertionError unless all that is always true of a session is true."""
        session, game = self.session, self.session.game
        state = game.start
        for action in game.actions:
            assert not is_terminal(state)
            assert action in legal_actions(state)
            state = play(state, action)
        assert 0 <= session.mode.index <= len(game.actions)
        assert not session.is_bots_turn or not session.to_move.is_human
        request = session.request  # an answer to any other request is dropped
        if request is not None:
            assert session.is_bots_turn
            assert (request.state, request.player) == (game.state, session.to_move)
        assert not session.failure or session.is_bots_turn
        assert not session.failure or session.request_bot() is None
        assert not (session.is_paused and game.has_person)
        mode = session.mode
        if isinstance(mode, Task):
            assert mode.is_done or mode.solutions
        if session.is_your_turn:
            assert session.mover_is_human
            assert not is_terminal(session.state)
        assert not session.mode.hides_values or not session.ranked_moves()
        steps = dict(game.hinted)
        assert len(steps) == len(game.hinted)
        assert set(steps.values()) <= {1, 2, 3}

    def reachable(self) -> set[tuple[int, tuple[int, ...]]]:
        """Return every line of play that undo, redo and the list of games still reach."""
        session = self.session
        whole = replace(session.game, actions=session.game.actions + session.history.taken_back)
        games = [whole, *session.history.games[:-1]]
        return {(g.start, g.actions[:n]) for g in games for n in range(len(g.actions) + 1)}


class RandomSessionTests(unittest.TestCase):
    def test_every_change_has_its_effect_and_no_finished_game_is_lost(self) -> None:
        for seed in range(20):
            with self.subTest(seed=seed):
                tried = RandomSession(seed)
                for _ in range(250):
                    tried.do_something()
                    tried.check()
                self.assertLessEqual(set(tried.finished), tried.reachable())
                finish(tried.session, tried.rng)
