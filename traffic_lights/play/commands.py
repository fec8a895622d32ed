"""What a player can have a session do, each command described once.

A command has its name, its label in the windows, what it does, and why it may not apply. It also
has its keys, perhaps a menu, and what a player types for it in the text mode. Menus, buttons, keys,
the Keys page and the text mode are made from this table.

>>> session = Session(now=lambda: 0.0)
>>> why_not("undo", session)
'There is nothing to undo.'
>>> session.play(5), why_not("undo", session), COMMANDS["undo"].act(session), session.state
('', '', '', 0)
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from traffic_lights.board.rules import EMPTY_BOARD, LONGEST_GAME, is_terminal
from traffic_lights.play.session import Phase, Session
from traffic_lights.play.verdicts import MOVES_LOST_TOO_EARLY, Hint

STILL_SOLVING: Final = "Still solving the game – one moment…"
SETUP_FINISHED: Final = "A line is already complete here. Change a lamp first."
NO_MISTAKES: Final = (
    "No mistakes to review. A mistake throws a win away, or loses "
    f"{MOVES_LOST_TOO_EARLY} or more moves too early."
)


def _always(_: Session) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Command:
    """Something that a player can have a session do."""

    name: str
    label: str
    act: Callable[[Session], str | Hint | None]
    """Does it, and returns a remark for the player, mostly an empty one."""
    why_not: Callable[[Session], str] = _always
    """Returns why the command does not apply now, in a sentence; empty if it does."""
    keys: tuple[str, ...] = ()
    """``Ctrl+Shift+N`` or ``F2``; the menu shows the first."""
    letter: str = ""
    """A key that does the same while the board has the keyboard."""
    menu: str = ""
    """The menu that it ends, if the windows give it no other place."""
    is_begin: bool = False
    """Whether something new begins, so that the board gets the keyboard."""
    typed: str = ""
    """What a player types for it in the text mode; empty if that has another way."""
    short: str = ""
    """A shorter word for the same."""
    about: str = ""
    """What the help of the text mode says about it."""


# --- why a command does not apply ---


_NO_TASK: Final = "You can do this in a review, a puzzle or a lesson."
_LEAVE_FIRST: Final = "Leave the puzzle or the lesson first. Your game is waiting."
STILL_MAKING: Final = "The next puzzle is being made – one moment…"


def no_game_yet(session: Session) -> str:
    """Return why the position that is set up cannot be saved, or a game start from it."""
    is_over = session.setup is not None and is_terminal(session.state)
    return SETUP_FINISHED if is_over else ""


def no_two_bots(session: Session) -> str:
    """Return why a command for two bots does not apply; empty if it does."""
    return "You can do this in a game of two bots." if session.game.has_person else ""


def not_your_turn(session: Session) -> str:
    """Return why a command for the player to move does not apply; empty if it does."""
    return "" if session.phase is Phase.YOUR_TURN else "You can do this when it is your turn."


def _in_setup(session: Session) -> str:
    return "" if session.setup is None else "Finish the set-up first, or cancel it."


def in_puzzle(session: Session) -> str:
    """Return why a command of the game does not apply in a puzzle; empty if it does."""
    return "" if session.puzzle is None else _LEAVE_FIRST


def _not_in_game(session: Session) -> str:
    return _in_setup(session) or in_puzzle(session)


def _cannot_undo(session: Session) -> str:
    if session.puzzle is not None:
        return _LEAVE_FIRST
    timeline = session.undoable
    is_first = session.review is None and timeline.undo_place == timeline.at
    return "There is nothing to undo." if is_first else ""


def _cannot_redo(session: Session) -> str:
    if session.puzzle is not None:
        return _LEAVE_FIRST
    timeline = session.undoable
    is_last = session.review is not None or timeline.redo_place == timeline.at
    return "There is nothing to redo." if is_last else ""


def _cannot_pause(session: Session) -> str:
    return no_two_bots(session) or _not_in_game(session)


def _no_bot_waits(session: Session) -> str:
    is_waiting = session.is_paused or session.failure
    return in_puzzle(session) if is_waiting else "No bot is waiting here."


def _at_the_start(session: Session) -> str:
    return _not_in_game(session) or ("" if session.index else "This is the start of the game.")


def _at_the_end(session: Session) -> str:
    is_last = session.index == len(session.game.actions)
    return _not_in_game(session) or ("This is the last move." if is_last else "")


def _cannot_hint(session: Session) -> str:
    if session.puzzle is not None:
        return _cannot_reveal(session)
    if session.phase is not Phase.YOUR_TURN:
        return "You can ask for a hint when it is your turn."
    return "" if session.is_solved else STILL_SOLVING


def _cannot_review(session: Session) -> str:
    if session.setup is not None:
        return _in_setup(session)
    if not session.is_solved:
        return STILL_SOLVING
    if not session.game.actions:
        return "You can review a game after its first move."
    return "" if session.mistakes() else NO_MISTAKES


def _no_next_task(session: Session) -> str:
    if session.review is not None:
        return "This is the last mistake." if session.is_last_task else ""
    if session.puzzle is None:
        return _NO_TASK
    if session.puzzle.lesson is None:
        return _no_puzzle_yet(session)
    is_last = session.is_last_task
    return "This is the last lesson. The puzzles have more." if is_last else ""


def _no_previous_task(session: Session) -> str:
    if session.review is not None:
        return "" if session.review.number else "This is the first mistake."
    if session.puzzle is None or session.puzzle.lesson is None:
        return "You can do this in a review or a lesson."
    return "" if session.puzzle.lesson else "This is the first lesson."


def _cannot_reveal(session: Session) -> str:
    if session.puzzle is None and session.review is None:
        return _NO_TASK
    return session.task_done if session.is_task_done else ""


def _no_puzzle_yet(session: Session) -> str:
    if not session.is_solved:
        return STILL_SOLVING
    return STILL_MAKING if session.next_puzzle is None else ""


def _no_todays_puzzle(session: Session) -> str:
    if session.puzzle is not None and session.puzzle.day == session.today:
        return "This is today's puzzle."
    if not session.is_solved:
        return STILL_SOLVING
    return STILL_MAKING if session.todays_puzzle is None else ""


def _no_lesson_yet(session: Session) -> str:
    return "" if session.is_solved else STILL_SOLVING


def _no_setup(session: Session) -> str:
    return "You can do this while you set up a position." if session.setup is None else ""


def _cannot_finish_setup(session: Session) -> str:
    return _no_setup(session) or no_game_yet(session)


# --- what a command does, if the session has no method for it ---


def _pause_or_play(session: Session) -> None:
    if session.is_paused:
        session.resume_bots()
    else:
        session.pause_bots()


def _swap(session: Session) -> None:
    session.set_players(session.players[::-1])


def _leave(session: Session) -> None:
    session.leave()


_ALL: Final = (
    Command(
        "undo", "Undo", Session.undo, _cannot_undo, keys=("Ctrl+Z",), letter="u",
        typed="undo", short="u", about="take back your last move, and what a bot replied",
    ),
    Command(
        "redo", "Redo", Session.redo, _cannot_redo, keys=("Ctrl+Y", "Ctrl+Shift+Z"), letter="r",
        typed="redo", short="r", about="play again what was taken back",
    ),
    Command("set_up", "Set Up Position…", Session.begin_setup, is_begin=True),
    Command(
        "hint", "Hint", Session.hint, _cannot_hint, keys=("F3",), letter="h",
        typed="hint", short="h", about="help in three steps",
    ),
    Command(
        "review", "Review Mistakes", Session.begin_review, _cannot_review,
        keys=("F4",), is_begin=True,
        typed="review", about="go through your mistakes; a cell tries a better move",
    ),
    Command(
        "puzzle", "Puzzle", Session.begin_puzzle, _no_puzzle_yet,
        keys=("F12",), letter="p", is_begin=True,
        typed="puzzle", about="find the winning move; a cell tries one",
    ),
    Command(
        "todays_puzzle", "Today's Puzzle", Session.begin_todays_puzzle, _no_todays_puzzle,
        is_begin=True,
        typed="today", about="the puzzle of the day, the same for everyone",
    ),
    Command(
        "lessons", "How to Win", Session.begin_lesson, _no_lesson_yet, is_begin=True,
        typed="lesson", about="how to win, in five short lessons",
    ),
    Command(
        "reveal", "Show the Solution", Session.reveal, _cannot_reveal,
        typed="show", about="in a review, a puzzle or a lesson, show the solution",
    ),
    Command(
        "next_task", "Next Mistake, Puzzle or Lesson", lambda session: session.step_task(1),
        _no_next_task, keys=("F6",),
        typed="next", about="go to the next mistake, puzzle or lesson",
    ),
    Command(
        "previous_task", "Previous Mistake or Lesson", lambda session: session.step_task(-1),
        _no_previous_task, keys=("Shift+F6",),
        typed="previous", about="go to the previous mistake or lesson",
    ),
    Command("pause", "Pause", _pause_or_play, _cannot_pause, keys=("Ctrl+P",)),
    Command(
        "resume", "Play On", Session.resume_bots, _no_bot_waits,
        typed="play", about="resume a game of two bots; let a bot that failed try again",
    ),
    Command(
        "step", "Step", lambda session: session.resume_bots(is_step=True), _cannot_pause,
        keys=("F5",),
        typed="step", about="make one move of a paused game of two bots",
    ),
    Command("swap", "Swap Seats", _swap, in_puzzle, typed="swap", about="change seats"),
    Command(
        "first", "First Move", lambda session: session.go_to(0),
        _at_the_start, keys=("Ctrl+Home",),
    ),
    Command(
        "previous", "Previous Move", lambda session: session.go_to(session.index - 1),
        _at_the_start, keys=("PageUp",),
    ),
    Command(
        "next", "Next Move", lambda session: session.go_to(session.index + 1),
        _at_the_end, keys=("PageDown",),
    ),
    Command(
        "last", "Last Move", lambda session: session.go_to(LONGEST_GAME),
        _at_the_end, keys=("Ctrl+End",),
    ),
    Command(
        "finish_setup", "Start Here", Session.finish_setup, _cannot_finish_setup, is_begin=True
    ),
    Command(
        "clear_setup", "Switch All Off", lambda session: session.set_setup(EMPTY_BOARD), _no_setup
    ),
    Command(
        "leave", "Step Back", _leave, is_begin=True,
        typed="leave", about="return to the game from a review, a puzzle or an earlier move",
    ),
)  # fmt: skip

COMMANDS: Final = {command.name: command for command in _ALL}


def why_not(name: str, session: Session) -> str:
    """Return why the command *name* does not apply now, in a sentence; empty if it does."""
    return COMMANDS[name].why_not(session)
