"""A session does thousands of random things and equals a reference history all the time."""

import random
import unittest
from typing import NamedTuple

from tests.kit.samples import tablebase
from tests.kit.sessions import BOT, OTHER_BOT, finish
from traffic_lights.board.rules import CELLS, is_legal, is_terminal, legal_actions, mover, play
from traffic_lights.players.game import HUMAN, Player
from traffic_lights.session.session import Phase, Session

PAIRS = [(a, b) for a in (HUMAN, BOT) for b in (HUMAN, OTHER_BOT)]


class RunSnapshot(NamedTuple):
    """What the reference history remembers of a game."""

    number: int
    start: int
    actions: tuple[int, ...]
    players: tuple[Player, Player]
    is_unrated: bool = False

    @property
    def is_choice(self) -> bool:
        """Return whether undo and redo stop here within a game."""
        state = self.start
        for action in self.actions:
            state = play(state, action)
        people = [player.is_human for player in self.players]
        return is_terminal(state) or people[mover(state)] or not any(people)


class ReferenceHistory:
    """A plain list of snapshots, and the index of the present one."""

    def __init__(self, players: tuple[Player, Player]) -> None:
        self.games = 0
        self.snapshots = [RunSnapshot(0, 0, (), players)]
        self.at = 0

    @property
    def present(self) -> RunSnapshot:
        return self.snapshots[self.at]

    def put(self, snapshot: RunSnapshot) -> None:
        if self.present.start == 0 and not self.present.actions:
            self.snapshots[self.at] = snapshot
        else:
            self.add(snapshot)

    def add(self, snapshot: RunSnapshot) -> None:
        self.at += 1
        if self.snapshots[self.at : self.at + 1] != [snapshot]:
            self.snapshots.insert(self.at, snapshot)

    def move(self, action: int) -> None:
        self.add(self.present._replace(actions=(*self.present.actions, action)))

    def new_game(self, players: tuple[Player, Player], start: int = 0) -> None:
        self.games += 1
        self.put(RunSnapshot(self.games, start, (), players))

    def seat(self, players: tuple[Player, Player]) -> None:
        present = self.present
        if players != present.players:
            is_unrated = present.is_unrated or bool(present.actions)
            self.put(present._replace(players=players, is_unrated=is_unrated))

    def return_to(self, index: int) -> None:
        wanted = self.present._replace(actions=self.present.actions[:index])
        earlier = [n for n in range(self.at) if self.snapshots[n] == wanted]
        if earlier:
            self.at = earlier[-1]
        else:
            self.snapshots.insert(self.at, wanted)

    def undo(self) -> bool:
        number = self.present.number
        for index in range(self.at - 1, -1, -1):
            if self.snapshots[index].is_choice or self.snapshots[index].number != number:
                self.at = index
                return True
        return False

    def redo(self) -> bool:
        number = self.present.number
        for index in range(self.at + 1, len(self.snapshots)):
            here, *after = self.snapshots[index : index + 2]
            ends = not after or after[0].number != here.number
            if ends or here.is_choice or here.number != number or not extends(after[0], here):
                self.at = index
                return True
        return False


def extends(later: RunSnapshot, game: RunSnapshot) -> bool:
    """Return whether *later* continues *game*."""
    return later.actions[: len(game.actions)] == game.actions


class RandomSession:
    """A session and its reference, with everything that can be done to them at random."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.session = Session(lambda: 0.0)
        self.reference = ReferenceHistory((HUMAN, HUMAN))
        self.tokens: list[int] = []
        self.played: set[tuple[int, tuple[int, ...]]] = set()

    def do_something(self) -> None:
        getattr(self, self.rng.choice(COMMANDS))()
        self.played.add((self.session.game.start, self.session.game.actions))

    def do_click(self) -> None:
        session, before = self.session, self.session.game
        cell = self.rng.randrange(CELLS)
        phase, index = session.phase, session.index
        session.play(cell)
        if session.game != before:
            if phase is Phase.LOOKING_BACK:
                self.reference.return_to(index)
            self.reference.move(cell)

    do_click_again = do_click_once_more = do_click

    def do_ask(self) -> None:
        request = self.session.request_bot()
        if request is not None:
            self.tokens.append(request.token)

    def do_answer(self) -> None:
        if self.tokens:
            token = self.rng.choice(self.tokens[-3:])
            before = self.session.game
            is_current = self.session.is_current(token)
            action = self.rng.choice(legal_actions(self.session.state) or (0,))
            assert self.session.answer_bot(token, action) == is_current
            assert is_current or self.session.game == before
            if is_current:
                self.reference.move(self.session.game.actions[-1])

    do_answer_again = do_answer

    def do_fail(self) -> None:
        if self.tokens and self.rng.random() < 0.3:
            self.session.fail_bot(self.tokens[-1], "it ended")

    def do_undo(self) -> None:
        could = self.session.can_undo
        in_game = self.session.phase not in (Phase.SETUP, Phase.REVIEW)
        assert self.session.undo() == could
        if in_game:
            assert self.reference.undo() == could

    def do_redo(self) -> None:
        could = self.session.can_redo
        in_game = self.session.phase not in (Phase.SETUP, Phase.REVIEW)
        assert self.session.redo() == could
        if in_game:
            assert self.reference.redo() == could

    def do_new(self) -> None:
        players = self.rng.choice([None, *PAIRS])
        self.reference.new_game(players or self.session.players)
        self.session.new_game(players)
        assert not self.session.is_paused

    def do_seats(self) -> None:
        players = self.rng.choice(PAIRS)
        self.reference.seat(players)
        self.session.set_players(players)

    def do_look(self) -> None:
        self.session.step(self.rng.choice((-40, -1, 1, 40)))

    def do_set_up(self) -> None:
        self.session.begin_setup()

    def do_finish_setup(self) -> None:
        players = self.session.players
        if self.session.finish_setup():
            self.reference.new_game(players, self.session.game.start)

    def do_leave(self) -> None:
        self.session.leave()

    def do_review(self) -> None:
        self.session.begin_review()
        self.session.step_review(self.rng.choice((-1, 1)))

    def do_reveal(self) -> None:
        self.session.reveal()

    def do_help(self) -> None:
        self.session.hint()
        self.session.note_values_seen()
        self.session.play_for_me(self.rng.choice((BOT, HUMAN)))

    def do_pace(self) -> None:
        session = self.session
        self.rng.choice((session.resume_bots, session.pause_bots, session.step_bots))()

    def do_solve(self) -> None:
        self.session.tablebase = tablebase()

    def do_restart(self) -> None:
        saved = self.session.saved()
        self.session.restore(*saved)
        assert self.session.saved() == saved

    def check(self) -> None:
        """Raise AssertionError unless all that is always true of a session is true."""
        session, game = self.session, self.session.game
        reference = self.reference.present
        assert (game.start, game.actions, game.players, game.is_unrated) == reference[1:]
        state = game.start
        for action in game.actions:
            assert not is_terminal(state)
            assert is_legal(state, action)
            state = play(state, action)
        assert 0 <= session.index <= len(game.actions)
        assert session.phase is not Phase.BOT_TURN or not session.to_move.is_human
        assert not session.failure or session.request_bot() is None
        if session.phase is Phase.YOUR_TURN:
            assert session.mover_is_human
            assert not is_terminal(session.state)
        if session.hides_truth:
            assert not session.ranked_moves()
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


COMMANDS = [name for name in dir(RandomSession) if name[:3] == "do_" and name != "do_something"]


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
