"""Games without a window: a session is begun, played on, saved, or finished at random."""

import random
from pathlib import Path

from traffic_lights.board.rules import legal_actions, parse_board
from traffic_lights.play.commands import COMMANDS
from traffic_lights.play.game import HUMAN, Game, Player
from traffic_lights.play.session import Session
from traffic_lights.play.tasks import PuzzleSource, Task
from traffic_lights.play.userdata import UserData
from traffic_lights.play.view import view

BOT = Player("myopic", "Myopic")
OTHER_BOT = Player("random", "Random")


def new_session(one: Player = HUMAN, other: Player = HUMAN) -> Session:
    session = Session(clock=lambda: 86_400.0 * 365)
    session.source = PuzzleSource(1)
    session.new_game((one, other))
    session.is_solved = True
    return session


def why_not(name: str, session: Session) -> str:
    return COMMANDS[name].why_not(session)


def do(session: Session, *names: str) -> None:
    for name in names:
        COMMANDS[name].act(session)


def task_of(session: Session) -> Task:
    assert session.now.task is not None
    return session.now.task


def play_all(session: Session, *cells: int) -> None:
    """Play *cells*, persons and bots in turn."""
    for cell in cells:
        state, request = session.now.state, session.request_bot()
        if request is None:
            session.click(cell)
        else:
            session.answer_bot(request, cell)
        assert session.now.state != state, f"{cell} is no move in {view(session).heading}"


def after(words: str = "") -> Session:
    """Return where *words* lead in a game against a bot.

    They are cells that are played, a position, commands, and some that stand here.
    """
    session = new_session(HUMAN, BOT)
    session.is_solved = "unsolved" not in words
    for word in words.split():
        if word.isdigit() and len(word) < 12:
            play_all(session, int(word))
        elif word.isdigit():
            session.set_up(parse_board(word))
        elif word in ("people", "bots"):
            session.new_game((HUMAN, HUMAN) if word == "people" else (BOT, OTHER_BOT))
        elif word == "fails":
            request = session.request_bot()
            assert request is not None
            session.fail_bot(request, "it ended")
        elif word == "solve":
            while not task_of(session).is_over:
                do(session, "reveal")
        elif word != "unsolved":
            do(session, word)
    return session


def finish(session: Session, rng: random.Random) -> None:
    """Play at random to the end of the game, whatever the session was doing."""
    session.leave()
    session.resume_bots()
    while not session.now.is_over:
        play_all(session, rng.choice(legal_actions(session.now.state)))


def save_game(folder: Path, game: Game) -> None:
    """Leave *game* in the data *folder*, as a program that has ended does."""
    session = new_session()
    session.put(game=game, at=len(game.actions))
    data = UserData(folder)
    data.save_session(session)
    data.finish()


def saved_session(folder: Path) -> Session:
    """Return the session that the next program on the data *folder* continues."""
    session, data = new_session(), UserData(folder)
    is_restored = data.restore_session(session)
    assert is_restored, "no game was saved"
    data.finish()
    return session
