"""What a window or the text mode shows of a session: a `View`, made from it by `view`."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from traffic_lights.board.rules import (
    CELLS,
    LONGEST_GAME,
    Action,
    complete_lines,
    format_cell,
    is_terminal,
    legal_actions,
    mover,
)
from traffic_lights.play import texts
from traffic_lights.play.game import Players
from traffic_lights.play.lessons import LESSONS
from traffic_lights.play.session import Session
from traffic_lights.play.tasks import CountsAs, PuzzleRecord, Task, puzzle_figures, tries_text
from traffic_lights.play.verdicts import NOTHING, Verdict, wins_in

SHORTEST_BAR: Final = 0.12
"""The length of the bar of a win that is furthest away, as a share of the longest bar."""
FINISHED: Final = "A line is already complete here. Change a lamp first."
Buttons: TypeAlias = Mapping[str, str]
"""The buttons: each command, and its words, in their places."""


_GAME: Final = {
    "new_game": "New Game", "undo": "Undo", "redo": "Redo", "hint": "Hint", "review": "Review"
}  # fmt: skip
_BACK: Final = {
    "new_game": "New Game", "undo": "Undo", "redo": "Redo", "hint": "Hint", "leave": "Done"
}  # fmt: skip
_BACK_TO_BOT: Final = {
    "new_game": "New Game", "undo": "Undo", "redo": "Redo", "pause": "Play", "leave": "Done"
}  # fmt: skip
_BOTS: Final = {
    "new_game": "New Game", "undo": "Undo", "pause": "Pause", "step": "Step", "speed": "Speed"
}  # fmt: skip
_SET_UP: Final = {
    "finish_setup": "Start", "undo": "Undo", "redo": "Redo", "clear_setup": "All Off",
    "leave": "Cancel",
}  # fmt: skip
_TASK: Final = {"reveal": "Solution", "hint": "Hint", "leave": "Done"}
PLACES: Final = len(_GAME)
"""Every row has as many buttons."""


class Sheet(NamedTuple):
    """What the panel shows in place of the moves."""

    title: str
    rows: tuple[str, ...]
    chosen: int | None = None
    """Which of the rows is on the board, if a click chooses another; None if it does nothing."""
    text: str = "Done returns to your game."
    """What stands under them."""


@dataclass(frozen=True, slots=True)
class View:
    """What is shown besides the moves of the game."""

    heading: str
    """Whose turn it is, who has won, or what the player looks for."""
    buttons: Buttons
    detail: str = ""
    """What there is to add."""
    title: str = ""
    """What the title of the window adds."""
    last: Action | None = None
    """The move that led to the position."""
    marks: frozenset[Action] = frozenset()
    """The cells that are marked on the board."""
    answering: Collection[Action] = ()
    """The cells where a click means something."""
    seat: int | None = None
    """The seat whose card is marked: who is to move in the game, or has won it."""
    main: str = ""
    """The command whose button stands out."""
    follows: str = ""
    """The command that follows when nothing is left to do here; empty before."""
    mistake: Verdict | None = None
    """The mistake on the board, which may be explained."""
    solution: Verdict | None = None
    """The winning move, if the board can play out what follows it."""
    sheet: Sheet | None = None
    """What the panel shows in place of the moves."""


def view(session: Session) -> View:
    """Return what is shown of *session*."""
    if session.now.setups:
        return _view_of_setup(session)
    task = session.now.task
    return _view_of_game(session) if task is None else _view_of_task(session, task)


def _view_of_setup(session: Session) -> View:
    now = session.now
    seat = now.mover
    detail = (
        f"Player {seat + 1} moves next, because the number of steps made is "
        f"{'odd' if seat else 'even'}. The other mouse button goes back a colour."
    )
    return View(
        heading="Set up a position",
        detail=FINISHED if is_terminal(now.state) else detail,
        answering=range(CELLS),
        buttons=_SET_UP,
        main="finish_setup",
    )


# --- the game ---


def _view_of_game(session: Session) -> View:
    now = session.now
    game = now.game
    is_for_bots = now.is_bots_turn and (now.waits or not game.has_person)
    buttons = _BACK if now.looks_back else _GAME
    if is_for_bots and now.looks_back and game.has_person:
        buttons = _BACK_TO_BOT
    elif is_for_bots:
        buttons = {**_BOTS, "pause": "Play"} if now.waits else _BOTS
    follows = "new_game" if now.is_over else ""
    return View(
        heading=_heading(session),
        detail=_detail(session),
        title="" if now.is_over or now.looks_back else f" – move {now.at + 1}",
        last=game.actions[now.at - 1] if now.at else None,
        answering=legal_actions(now.state) if now.is_your_turn else (),
        seat=game.winner if now.is_over else now.mover,
        buttons=buttons,
        main="pause" if is_for_bots and now.waits else follows,
        follows=follows,
        mistake=_mistake(session),
    )


def _heading(session: Session) -> str:
    now = session.now
    players = now.game.players
    if now.is_over:
        lines = texts.lines_text(now.state, complete_lines(now.state))
        return f"{texts.winner_text(players, 1 - now.mover)} – {lines}"
    name = texts.seat_name(players, now.mover)
    if now.looks_back:
        count = len(now.game.actions)
        return f"Looking at move {now.at} of {count}" if now.at else "Looking at the start"
    if now.is_your_turn:
        return _turn(session)
    if now.failure:
        return f"{name} cannot move"
    return f"Paused – {name} to move" if now.waits else f"{name} is choosing…"


def _turn(session: Session) -> str:
    now = session.now
    if now.is_your_turn and now.only_human is not None:
        return "Your turn"
    return f"{texts.seat_name(now.game.players, now.mover)} to move"


def _detail(session: Session) -> str:
    now = session.now
    game = now.game
    if now.failure:
        return f"{texts.sentence(now.failure)}. Choose another opponent, or undo a move."
    if not now.is_end:
        where = _turn(session) if now.looks_back else f"Move {now.at} of {len(game.actions)}"
        goes_on = "You can play" if now.is_your_turn else "Play goes"
        return f"{where}. {goes_on} on from here."
    if not game.is_over:
        return ""
    helped = texts.help_text(game)
    if session.wanted_values() == NOTHING or not session.is_solved:
        return helped
    return f"{texts.mistakes_text(session.mistakes(), game)} {helped}".strip()


def _mistake(session: Session) -> Verdict | None:
    now = session.now
    number = now.at
    if now.is_end and now.is_your_turn:
        # After a bot's reply this is the player's move before it. In a game of two people it would
        # help the one who has to answer.
        number = 0 if now.only_human is None else number - 1
    verdict = session.shown_verdict(number)
    return verdict if verdict is not None and verdict.is_mistake else None


# --- tasks ---


def _view_of_task(session: Session, task: Task) -> View:
    now = session.now
    is_done = task.is_over
    is_review = task.slip is not None
    follows = ""
    if is_done:
        follows = "leave" if task.then == "leave" else "next_task"
    heading, detail = _task_texts(task, now.game.players if is_review else None)
    last = task.moves[-1] if task.moves else None
    if is_review and last is None and now.at:
        last = now.game.actions[now.at - 1]
    return View(
        heading=heading,
        detail=detail,
        last=last,
        marks=frozenset(task.solutions if is_done and is_review else ()),
        answering=() if is_done else legal_actions(now.state),
        seat=mover(task.start) if is_review else None,
        buttons=_buttons_of_task(task),
        main=follows,
        follows=follows,
        mistake=_mistake_of_task(task),
        solution=_solution(task),
        sheet=_sheet(session.puzzle_record(), task),
    )


def _mistake_of_task(task: Task) -> Verdict | None:
    """Return the wrong move that was just tried, or after a review the mistake of the game."""
    if task.refuted:
        return task.tried
    return task.slip if task.is_over else None


def _solution(task: Task) -> Verdict | None:
    """Return the winning move of a puzzle that is solved, unless the game ends with it."""
    can_go_on = task.is_over and not is_terminal(task.state)
    return task.tried if can_go_on and task.slip is None else None


def _buttons_of_task(task: Task) -> Buttons:
    labels = {
        "todays_puzzle": "Today's Puzzle",
        "copy": "Copy Result" if task.is_over else "Copy Puzzle",
        "previous_task": "Back",
    }
    is_last_lesson = task.counts_as is CountsAs.LESSON and task.then == "puzzle"
    return {
        task.first: labels[task.first],
        "next_task": "Puzzle" if is_last_lesson else "Next",
        **_TASK,
    }


def _task_texts(task: Task, players: Players | None) -> tuple[str, str]:
    """Return the heading and what there is to add; *players* are those of a game under review."""
    tried = task.tried
    if tried is None:
        return task.title, task.text
    if task.refuted:
        return task.title, texts.refutation(tried, players)
    if task.slip is not None:
        return _texts_after_review(task, tried, players)
    if task.is_played_out:
        return task.title, _text_of_lesson(task, tried)
    heading = "Right at the first try" if task.is_clean else f"Solved – {tries_text(task)}"
    if task.is_shown:
        heading = f"The solution is {format_cell(task.moves[0])}"
    return heading, texts.why_it_wins(tried)


def _texts_after_review(task: Task, found: Verdict, players: Players | None) -> tuple[str, str]:
    if task.is_shown:
        return f"The solution: {texts.cells(task.solutions, 'or')}", ""
    return "Right", texts.judged_text(found, players)


def _text_of_lesson(task: Task, made: Verdict) -> str:
    if task.is_over:
        return task.learned
    found = f"The move is {format_cell(made.action)}." if task.is_last_shown else "Right."
    aim = "Complete the line." if wins_in(task.state) == 1 else "Find the next move."
    return f"{found} The opponent plays {format_cell(task.moves[-1])}. {aim}"


def _sheet(record: PuzzleRecord, task: Task) -> Sheet | None:
    if task.slip is not None:
        return None
    if task.counts_as is CountsAs.LESSON:
        done = ("", " ✓")
        rows = (one.title + done[number in record.lessons] for number, one in enumerate(LESSONS))
        return Sheet("How to Win", tuple(rows), task.number)
    return Sheet("Puzzles", puzzle_figures(record))


# --- the graph of the game ---


class Bar(NamedTuple):
    """One move in the graph."""

    height: float
    """From -1, the player of a bar down has won, to 1, the player of a bar up has."""
    is_mistake: bool


def bars_of(session: Session) -> list[Bar]:
    """Return a bar for each move made, if the verdict on every move is shown."""
    bars: list[Bar] = []
    for number in range(len(session.now.game.actions)):
        verdict = session.shown_verdict(number + 1)
        if verdict is None or not session.shows_all_verdicts:
            return []
        seat = mover(verdict.state)
        winner = seat if verdict.distance % 2 else 1 - seat
        length = 1 - (1 - SHORTEST_BAR) * (verdict.distance - 1) / LONGEST_GAME
        height = length if winner == session.now.up else -length
        bars.append(Bar(height, verdict.is_mistake))
    return bars
