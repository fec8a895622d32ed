"""What a player can do besides a click on the board: every command, each described once.

Menus, buttons, keys, the Keys page and the text mode are made from this table. The commands of the
windows alone stand in `gui/app.py`.

>>> session = Session(clock=lambda: 0.0)
>>> undo = COMMANDS["undo"]
>>> undo.why_not(session)
'There is nothing to undo.'
>>> session.click(5), undo.why_not(session), undo.act(session), session.now.state
('', '', '', 0)
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from traffic_lights.board.rules import EMPTY_BOARD, is_terminal
from traffic_lights.board.tablebase import shared_tablebase
from traffic_lights.play import texts
from traffic_lights.play.game import Game, format_record, parse_pasted
from traffic_lights.play.session import Session
from traffic_lights.play.tasks import parse_puzzle, puzzle_task, puzzle_to_share
from traffic_lights.play.verdicts import NOTHING, Hint
from traffic_lights.play.view import FINISHED

STILL_SOLVING: Final = "Still solving the game – one moment…"
WAITING: Final = "Leave this first. Your game is waiting."
_NO_TASK: Final = "There is nothing to solve here."


@dataclass(frozen=True, slots=True)
class Command:
    """Something that a player can do, besides a click on the board."""

    name: str
    label: str
    act: Callable[[Session], str | Hint | None]
    """Does it, and returns a hint or a remark for the player, if there is one."""
    why_not: Callable[[Session], str] = lambda _: ""
    """Returns why it does not apply now, in a sentence; empty if it does."""
    keys: tuple[str, ...] = ()
    """``Ctrl+Shift+N`` or ``F2``; the menu shows the first."""
    letter: str = ""
    """A key that does the same while the board has the keyboard."""
    is_begin: bool = False
    """Whether something new begins, so that the board gets the keyboard."""
    is_on: Callable[[], bool] | None = None
    """Returns whether its menu entry has a tick; None if it never has one."""
    typed: str = ""
    """What a player types for it in the text mode; empty if that has another way."""
    about: str = ""
    """What the help of the text mode says about it."""


# --- why a command does not apply; empty if it does ---


def not_solved(session: Session) -> str:
    return "" if session.is_solved else STILL_SOLVING


def in_game(session: Session) -> str:
    return "" if session.now.shows_moves else WAITING


def no_two_bots(session: Session) -> str:
    if session.now.game.has_person:
        return "You can do this in a game of two bots."
    return in_game(session)


def at_the_start(session: Session) -> str:
    is_start = session.now.at == 0
    return in_game(session) or ("This is the start of the game." if is_start else "")


def at_the_end(session: Session) -> str:
    is_end = session.now.at == len(session.now.game.actions)
    return in_game(session) or ("This is the last move." if is_end else "")


def _no_undo(session: Session) -> str:
    now = session.now
    if now.is_game or now.setups:
        return "" if session.can_undo else "There is nothing to undo."
    return in_game(session)  # it leaves a review


def _no_redo(session: Session) -> str:
    now = session.now
    if now.is_game or now.setups:
        return "" if session.can_redo else "There is nothing to redo."
    return in_game(session) or "There is nothing to redo."


def _no_hint(session: Session) -> str:
    now = session.now
    if now.task is not None:
        return now.task.done_text
    return not_solved(session) if now.is_your_turn else "You can ask for a hint in your turn."


def _no_pause(session: Session) -> str:
    now = session.now
    return "" if now.is_bots_turn and (now.waits or now.failure) else no_two_bots(session)


def _no_review(session: Session) -> str:
    game = session.now.game
    if reason := not_solved(session):
        return reason
    if not session.now.shows_moves:
        return WAITING
    if session.wanted_values() == NOTHING and not game.is_over:
        return "While nothing is shown of the moves, the review comes after the end."
    return "" if session.mistakes() else texts.NO_MISTAKES


def _no_solution(session: Session) -> str:
    task = session.now.task
    return _NO_TASK if task is None else task.done_text


def _no_next(session: Session) -> str:
    task = session.now.task
    if task is None:
        return _NO_TASK
    return "This is the last mistake." if task.then == "leave" else ""


def not_set_up(session: Session) -> str:
    return "" if session.now.setups else "You can do this while you set up a position."


def no_start(session: Session) -> str:
    """Return why no game can start in a position that is set up."""
    is_finished = session.now.setups and is_terminal(session.now.state)
    return FINISHED if is_finished else ""


def _pause_or_play(session: Session) -> None:
    if session.now.waits or session.now.failure:
        session.resume_bots()
    else:
        session.pause_bots()


def _undo(session: Session) -> str:
    if session.now.tasks:
        session.leave()  # out of a review
        return ""
    return session.undo()


def _next_task(session: Session) -> None:
    task = session.now.task
    if task is not None and task.then != "next_task":
        COMMANDS[task.then].act(session)
    else:
        session.step(1)


_ALL: Final = (
    Command(
        "undo", "Undo", _undo, _no_undo, keys=("Ctrl+Z",), letter="u",
        typed="undo", about="take back your last move, and what a bot replied",
    ),
    Command(
        "redo", "Redo", Session.redo, _no_redo,
        keys=("Ctrl+Y", "Ctrl+Shift+Z"), letter="r",
    ),
    Command(
        "hint", "Hint", Session.hint, _no_hint, keys=("F3",), letter="h",
        typed="hint", about="help in three steps",
    ),
    Command(
        "pause", "Pause", _pause_or_play, _no_pause, keys=("Ctrl+P",),
    ),
    Command(
        "step", "Step", lambda session: session.resume_bots(is_step=True), no_two_bots,
        keys=("F5",),
    ),
    Command(
        "swap", "Swap Seats", lambda s: s.set_players(s.now.game.players[::-1]),
        lambda session: "" if session.now.has_players else WAITING,
    ),
    Command(
        "leave", "Step Back", Session.leave, is_begin=True,
        typed="leave", about="return to the game as it stands",
    ),
    Command(
        "first", "First Move", lambda session: session.go_to(0), at_the_start,
        keys=("Ctrl+Home",),
    ),
    Command(
        "previous", "Previous Move", lambda session: session.go_to(session.now.at - 1),
        at_the_start, keys=("PageUp",),
    ),
    Command(
        "next", "Next Move", lambda session: session.go_to(session.now.at + 1), at_the_end,
        keys=("PageDown",),
    ),
    Command(
        "last", "Last Move", Session.leave, at_the_end, keys=("Ctrl+End",)
    ),
    Command(
        "reveal", "Show the Solution", Session.reveal, _no_solution,
        typed="solution", about="show the move that you look for",
    ),
    Command(
        "next_task", "Next Mistake, Puzzle or Lesson", _next_task, _no_next,
        keys=("F6",), typed="next", about="go to the next mistake, puzzle or lesson",
    ),
    Command(
        "previous_task", "Previous Mistake or Lesson", lambda session: session.step(-1),
        lambda s: "" if s.now.number else "There is nothing to go back to here.",
        keys=("Shift+F6",),
    ),
    Command(
        "review", "Review Mistakes", Session.review, _no_review, keys=("F4",),
        is_begin=True, typed="review", about="go through your mistakes; a cell tries a better move",
    ),
    Command(
        "set_up", "Set Up Position…", lambda session: session.set_up(session.now.state),
        is_begin=True,
    ),
    Command(
        "finish_setup", "Start Here", lambda session: session.start_here(session.now.state),
        lambda session: not_set_up(session) or no_start(session), is_begin=True,
    ),
    Command(
        "clear_setup", "Switch All Off", lambda session: session.set_up(EMPTY_BOARD), not_set_up
    ),
    Command(
        "puzzle", "Puzzle", Session.next_puzzle, not_solved,
        keys=("F12",), letter="p", is_begin=True,
        typed="puzzle", about="find the winning move; a cell tries one",
    ),
    Command(
        "todays_puzzle", "Today's Puzzle", Session.todays_puzzle, not_solved,
        is_begin=True, typed="today", about="the puzzle of the day, the same for everyone",
    ),
    Command(
        "lessons", "How to Win", Session.lessons, not_solved, is_begin=True,
    ),
)  # fmt: skip
COMMANDS: Final = {command.name: command for command in _ALL}


def shown_game(session: Session) -> Game:
    """Return the game on the board, which may be one from a puzzle or a set-up."""
    now = session.now
    if now.shows_moves:
        return now.game
    task = now.task
    start, moves = (now.state, ()) if task is None else (task.start, task.moves)
    return Game(start, moves, now.game.players)


def to_copy(session: Session) -> tuple[str, str]:
    """Return the game on the board as text, or the puzzle for a friend, and what that is."""
    task = session.now.task
    if task is None or task.slip is not None:
        return format_record(shown_game(session)), "The game"
    return puzzle_to_share(task), "The result" if task.has_result else "The puzzle"


def paste(session: Session, text: str) -> None:
    """Continue with the game, position or puzzle in *text*; raise RulesError without any.

    A puzzle that is pasted does not count.
    """
    start = parse_puzzle(text)
    if start is not None and session.is_solved and shared_tablebase().is_won(start):
        session.begin_tasks((puzzle_task(start),))
        return
    found = parse_pasted(text)
    if isinstance(found, Game):
        session.open_game(found)
    elif session.now.setups:
        session.set_up(found)
    else:
        session.start_here(found)
