"""A session does thousands of random things and equals a reference history all the time."""

import random
import unittest
from collections.abc import Callable
from dataclasses import replace

from tests.kit.samples import tablebase
from tests.kit.sessions import BOT, OTHER_BOT, finish
from traffic_lights.board.rules import CELLS, is_legal, is_terminal, legal_actions, play
from traffic_lights.players.game import HUMAN, Game
from traffic_lights.session.session import BotRequest, Phase, Players, Session

PAIRS = [(a, b) for a in (HUMAN, BOT) for b in (HUMAN, OTHER_BOT)]


class ReferenceHistory:
    """A plain list of games without help, and the index of the present one."""

    def __init__(self) -> None:
        self.games = [Game()]
        self.at = 0

    @property
    def present(self) -> Game:
        return self.games[self.at]

    def put(self, game: Game) -> None:
        if self.present.start == 0 and not self.present.actions:
            self.games[self.at] = game
        else:
            self.add(game)

    def add(self, game: Game) -> None:
        self.at += 1
        if self.games[self.at : self.at + 1] != [game]:
            self.games.insert(self.at, game)

    def new_game(self, game: Game) -> None:
        identity = 1 + max(game.identity for game in self.games)
        self.put(replace(game.until(0), identity=identity))
        for action in game.actions:
            self.add(self.present.played(action))

    def seat(self, players: Players) -> None:
        present = self.present
        if players != present.players:
            is_unrated = present.is_unrated or bool(present.actions)
            self.put(replace(present, players=players, is_unrated=is_unrated))

    def return_to(self, index: int) -> None:
        wanted = self.present.until(index)
        earlier = [n for n in range(self.at) if self.games[n] == wanted]
        if earlier:
            self.at = earlier[-1]
        else:
            self.games.insert(self.at, wanted)

    def is_stop(self, game: Game) -> bool:
        """Return whether undo and redo stop at *game*."""
        is_human = game.players[game.mover].is_human or not game.has_person
        return game.is_over or is_human or game.identity != self.present.identity

    def undo(self) -> bool:
        stops = [n for n in range(self.at) if self.is_stop(self.games[n])]
        self.at = stops[-1] if stops else self.at
        return bool(stops)

    def redo(self) -> bool:
        for index in range(self.at + 1, len(self.games)):
            here, *after = self.games[index : index + 2]
            if self.is_stop(here) or not after or not extends(after[0], here):
                self.at = index
                return True
        return False


def extends(later: Game, game: Game) -> bool:
    """Return whether *later* continues *game*."""
    is_longer = later.actions[: len(game.actions)] == game.actions
    return later.identity == game.identity and is_longer


class RandomSession:
    """A session and its reference, with everything that can be done to them at random."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.session = session = Session(lambda: 0.0)
        self.reference = ReferenceHistory()
        self.requests: list[BotRequest] = []
        self.played: set[tuple[int, tuple[int, ...]]] = set()
        self.commands: list[Callable[[], object]] = [
            self.click, self.click, self.click, self.ask, self.answer, self.answer, self.fail,
            self.undo, self.redo, self.new_game, self.open_game, self.seat, self.finish_setup,
            self.restart,
            session.begin_setup, session.leave, session.begin_review, session.reveal,
            session.hint, session.note_values_seen, session.resume_bots, session.pause_bots,
            lambda: session.resume_bots(is_step=True),
            lambda: session.go_to(session.index + rng.choice((-40, -1, 1, 40))),
            lambda: session.step_review(rng.choice((-1, 1))),
            lambda: session.play_for_me(BOT),
            lambda: setattr(session, "tablebase", tablebase()),
        ]  # fmt: skip

    def do_something(self) -> None:
        self.rng.choice(self.commands)()
        self.played.add((self.session.game.start, self.session.game.actions))

    def click(self) -> None:
        session, before = self.session, self.session.game
        cell = self.rng.randrange(CELLS)
        phase, index = session.phase, session.index
        session.play(cell)
        if session.game != before:
            if phase is Phase.LOOKING_BACK:
                self.reference.return_to(index)
            self.reference.add(self.reference.present.played(cell))

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
                played = self.session.game.actions[-1]
                self.reference.add(self.reference.present.played(played))

    def fail(self) -> None:
        if self.requests and self.rng.random() < 0.3:
            self.session.fail_bot(self.requests[-1], "it ended")

    def undo(self) -> None:
        could = self.session.can_undo
        in_game = self.session.phase not in (Phase.SETUP, Phase.REVIEW)
        assert self.session.undo() == could
        assert not in_game or self.reference.undo() == could

    def redo(self) -> None:
        could = self.session.can_redo
        in_game = self.session.phase not in (Phase.SETUP, Phase.REVIEW)
        assert self.session.redo() == could
        assert not in_game or self.reference.redo() == could

    def new_game(self) -> None:
        players = self.rng.choice([None, *PAIRS])
        self.reference.new_game(Game(players=players or self.session.players))
        self.session.new_game(players)
        assert not self.session.is_paused

    def open_game(self) -> None:
        game = Game(actions=(0, 5, 6), players=self.rng.choice(PAIRS))
        self.reference.new_game(replace(game, is_unrated=True))
        self.session.open_game(game)

    def seat(self) -> None:
        players = self.rng.choice(PAIRS)
        self.reference.seat(players)
        self.session.set_players(players)

    def finish_setup(self) -> None:
        players = self.session.players
        if self.session.finish_setup():
            self.reference.new_game(Game(start=self.session.game.start, players=players))

    def restart(self) -> None:
        saved = self.session.history.saved()
        self.session.restore(*saved)
        assert self.session.history.saved() == saved

    def check(self) -> None:
        """Raise AssertionError unless all that is always true of a session is true."""
        session, game, reference = self.session, self.session.game, self.reference.present
        assert (game.start, game.actions) == (reference.start, reference.actions)
        assert (game.players, game.is_unrated) == (reference.players, reference.is_unrated)
        state = game.start
        for action in game.actions:
            assert not is_terminal(state)
            assert is_legal(state, action)
            state = play(state, action)
        assert 0 <= session.index <= len(game.actions)
        assert session.phase is not Phase.BOT_TURN or not session.to_move.is_human
        assert not session.failure or session.request_bot() is None
        assert not (session.is_paused and game.has_person)
        if session.phase is Phase.YOUR_TURN:
            assert session.mover_is_human
            assert not is_terminal(session.state)
        assert not session.hides_truth or not session.ranked_moves()
        steps = dict(game.hinted)
        assert len(steps) == len(game.hinted)
        assert set(steps.values()) <= {1, 2, 3}

    def reachable(self) -> set[tuple[int, tuple[int, ...]]]:
        """Return every line of play that undo and redo alone still reach."""
        session = self.session
        session.leave()
        while session.undo():
            pass
        found: set[tuple[int, tuple[int, ...]]] = set()
        while True:
            game = session.game
            found |= {(game.start, game.actions[:n]) for n in range(len(game.actions) + 1)}
            if not session.redo():
                return found


class RandomSessionTests(unittest.TestCase):
    def test_a_session_equals_its_reference_and_loses_nothing(self) -> None:
        for seed in range(40):
            with self.subTest(seed=seed):
                tried = RandomSession(seed)
                for _ in range(250):
                    tried.do_something()
                    tried.check()
                lost = {line for line in tried.played if line[1]} - tried.reachable()
                self.assertEqual(lost, set())
                finish(tried.session, tried.rng)


if __name__ == "__main__":
    unittest.main()
