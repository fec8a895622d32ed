"""What a player can do: every mode and every command, each described once.

Menus, buttons, keys, the Keys page and the text mode are made from this table. The commands of the
windows alone stand in `gui/app.py`.

>>> session = Session(now=lambda: 0.0)
>>> undo = COMMANDS["undo"]
>>> undo.why_not(session)
'There is nothing to undo.'
>>> session.mode.click(5), undo.why_not(session), undo.act(session), session.state
('', '', '', 0)
"""

from typing import Final

from traffic_lights.board.tablebase import shared_tablebase
from traffic_lights.play.game import Game, parse_pasted, parse_puzzle
from traffic_lights.play.mode import Command, Mode, not_solved
from traffic_lights.play.modes.lesson import LessonMode
from traffic_lights.play.modes.looking_back import LookingBack
from traffic_lights.play.modes.playing import Playing
from traffic_lights.play.modes.puzzles import PuzzleMode
from traffic_lights.play.modes.review import Review
from traffic_lights.play.modes.set_up import SetUp
from traffic_lights.play.modes.tasks import TASKS
from traffic_lights.play.session import Session
from traffic_lights.play.solving import Attempt

MODES: Final[tuple[type[Mode], ...]] = (
    Playing,
    LookingBack,
    Review,
    SetUp,
    PuzzleMode,
    LessonMode,
)
"""Every mode. The first command of a mode begins it."""


NOT_YOUR_TURN: Final = "You can do this when it is your turn."


def no_two_bots(session: Session) -> str:
    """Return why a command for two bots does not apply; empty if it does."""
    return "You can do this in a game of two bots." if session.game.has_person else ""


def no_other_game(session: Session) -> str:
    """Return that there is no other game to bring back; empty if there is one."""
    return "" if session.history.others else "There is no other game with a move yet."


def _no_bot_waits(session: Session) -> str:
    is_waiting = session.is_paused or session.failure
    return "" if is_waiting else "No bot is waiting here."


def _pause_or_play(session: Session) -> None:
    if session.is_paused:
        session.resume_bots()
    else:
        session.pause_bots()


_GENERAL: Final = (
    Command(
        "undo", "Undo", lambda session: session.mode.undo(), keys=("Ctrl+Z",), letter="u",
        typed="undo", short="u", about="take back your last move, and what a bot replied",
    ),
    Command(
        "redo", "Redo", lambda session: session.mode.redo(),
        keys=("Ctrl+Y", "Ctrl+Shift+Z"), letter="r",
        typed="redo", short="r", about="play again what was taken back",
    ),
    Command(
        "hint", "Hint", lambda session: session.mode.hint(),
        not_solved, keys=("F3",), letter="h",
        elsewhere="You can ask for a hint when it is your turn.",
        typed="hint", short="h", about="help in three steps",
    ),
    Command("pause", "Pause", _pause_or_play, no_two_bots, keys=("Ctrl+P",), is_of_game=True),
    Command(
        "resume", "Play On", lambda session: session.resume_bots(), _no_bot_waits, is_of_game=True,
        typed="play", about="resume a game of two bots; let a bot that failed try again",
    ),
    Command(
        "step", "Step", lambda session: session.resume_bots(is_step=True), no_two_bots,
        keys=("F5",), is_of_game=True,
        typed="step", about="make one move of a paused game of two bots",
    ),
    Command(
        "swap", "Swap Seats", lambda session: session.set_players(session.players[::-1]),
        typed="swap", about="change seats",
    ),
    Command(
        "leave", "Step Back", lambda session: session.leave(), is_begin=True,
        typed="leave", about="return to the game as it stands",
    ),
)  # fmt: skip

COMMANDS: Final = {
    command.name: command
    for commands in (_GENERAL, TASKS, *(mode.commands for mode in MODES))
    for command in commands
}


def paste(session: Session, text: str) -> None:
    """Continue with the game, position or puzzle in *text*; raise RulesError without any.

    A puzzle that is pasted again does not count again.
    """
    start = parse_puzzle(text)
    if start is not None and session.is_solved and shared_tablebase().is_won(start):
        session.begin(PuzzleMode(session, Attempt(start, is_counted=start in session.counted)))
        return
    found = parse_pasted(text)
    if isinstance(found, Game):
        session.open_game(found)
    else:
        session.mode.paste_position(found)
