"""What the session's facts look like: pictures, lists and button rows, as values.

No widget is touched here, so all of it can be tested without a display.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from traffic_lights.board.rules import (
    Action,
    State,
    complete_lines,
    format_cell,
    is_terminal,
    legal_actions,
    mover,
)
from traffic_lights.board.solver import Tablebase
from traffic_lights.gui.board.board_view import Picture
from traffic_lights.gui.board.overlays import Pill
from traffic_lights.gui.main.side_panel import AnalysisRow, MoveEntry
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.game import Game, Player
from traffic_lights.players.roster import Offer
from traffic_lights.session import learned, texts
from traffic_lights.session.session import Phase, Session
from traffic_lights.session.verdicts import Hint, judge


@dataclass(frozen=True, slots=True)
class Shown:
    """What a person has asked to see besides the position."""

    values: bool = False
    beliefs: bool = False
    marks: bool = False
    hint: Hint | None = None


def belief_pill(table: QTable, state: State, action: Action) -> Pill:
    """Return what *table* holds of *action*; never tried looks unlike believed lost."""
    belief = learned.learned_value(table, state, action)
    return Pill(belief.text, lost=belief.value < 0, unknown=not belief.value)


def value_pill(distance: int, best: int) -> Pill:
    """Return what a move that ends the game in *distance* plies is worth, the *best* one marked."""
    return Pill(texts.value_badge(distance), best=distance == best, lost=distance % 2 == 0)


def picture_of(session: Session, shown: Shown, table: QTable | None) -> Picture:
    """Return the board as the session has it."""
    state, phase = session.state, session.phase
    is_open = not is_terminal(state)
    values = session.values() if shown.values else {}
    wins = [n for n in values.values() if n % 2]
    best = min(wins) if wins else max(values.values(), default=0)
    believed = {}
    if shown.beliefs and table is not None and is_open and not session.hides_truth:
        believed = {a: belief_pill(table, state, a) for a in legal_actions(state)}
    hint = shown.hint if shown.hint is not None and shown.hint.state == state else None
    review = session.review
    solutions = frozenset(review.solutions if review is not None and review.is_solved else ())
    return Picture(
        state=state,
        last=session.last_action,
        lines=complete_lines(state),
        hints=_hinted(hint) if hint is not None and phase is Phase.YOUR_TURN else solutions,
        pills={a: value_pill(n, best) for a, n in values.items()},
        beliefs=believed,
        inviting=phase in (Phase.YOUR_TURN, Phase.LOOKING_BACK, Phase.REVIEW, Phase.SETUP)
        and (is_open or phase is Phase.SETUP),
        allows_red=phase is Phase.SETUP,
    )


def _hinted(hint: Hint) -> frozenset[Action]:
    """Return the cells that *hint* marks: the helpful ones, then the one that it names."""
    return frozenset(hint.cells if hint.move is None else (hint.move.action,))


def move_entries(
    game: Game, taken_back: tuple[Action, ...], tablebase: Tablebase | None, with_marks: bool
) -> list[MoveEntry]:
    """Return the moves of *game* and those taken back, with their marks if those may be told."""
    entries: list[MoveEntry] = []
    first = mover(game.start)
    for index, action in enumerate((*game.actions, *taken_back)):
        text, about = format_cell(action), ""
        is_back = index >= len(game.actions)
        if with_marks and tablebase is not None and not is_back:
            verdict = judge(tablebase, game.state_at(index), action)
            text += verdict.mark
            about = f"{text} – {texts.verdict_text(verdict, game.players)}"
        entries.append(MoveEntry((first + index) % 2, text, is_back, about))
    return entries


def badge_of(session: Session) -> str:
    """Return what the badge shows: the number of the player to move or of the winner, or a mark.

    In review the mark is "right" or "wrong", for the move tried last.
    """
    if session.review is not None and session.review.tried is not None:
        return "right" if session.review.is_right else "wrong"
    if session.phase is Phase.OVER:
        return str(2 - session.mover)
    return str(session.mover + 1) if session.phase in (Phase.YOUR_TURN, Phase.BOT_TURN) else ""


def analysis_of(session: Session, table: QTable | None) -> tuple[str, list[AnalysisRow]]:
    """Return one sentence on the position on the board, and its moves, best first."""
    if session.tablebase is None:
        return texts.STILL_SOLVING, []
    if session.hides_truth:
        return "Hidden until you have found the better move.", []
    if is_terminal(session.state):
        return "A line is complete here.", []
    distance = session.tablebase.probe_distance(session.state)
    who = f"Player {session.mover + 1}"
    summary = f"{who}, to move, {texts.value_text(distance)} with best play."
    if table is not None:
        summary = f"{summary} {learned.notes_text(table, session.state)}".rstrip()
    rows = [
        AnalysisRow(
            format_cell(move.action),
            texts.value_text(move.distance),
            learned.learned_value(table, session.state, move.action).label if table else "",
            move.rank == 0,
        )
        for move in session.ranked_moves()
    ]
    return summary, rows


def column_name(players: tuple[Player, Player], seat: int) -> str:
    """Return the heading over the moves of *seat*: "You", a bot's name or "Player 1"."""
    player = players[seat]
    if not player.is_human:
        return player.name
    return f"Player {seat + 1}" if players[1 - seat].is_human else "You"


def status_of(
    session: Session, shown: Shown, offer: Offer | None = None, is_first_game: bool = False
) -> str:
    """Return the status line where nothing else has just been said.

    In a person's first game it says what a move is, until one was made.
    """
    match session.phase:
        case Phase.SETUP:
            return texts.setup_text(session.state)
        case Phase.REVIEW:
            return texts.review_text(session)
        case Phase.LOOKING_BACK:
            explains = session.shows_marks or shown.marks
            return (explains and texts.move_text(session)) or texts.looking_back_text(session)
        case Phase.OVER:
            said = [texts.result_text(session.game), texts.mistakes_text(session)]
            return " ".join(filter(None, [*said, offer.text if offer is not None else ""]))
        case Phase.YOUR_TURN if is_first_game and len(session.game.actions) < 2 and not shown.marks:
            return texts.FIRST_MOVE
        case _:
            return _last_verdict(session) if shown.marks else ""


def _last_verdict(session: Session) -> str:
    """Return the truth about the last move, against a bot about the person's last."""
    index = session.index
    against_bot = session.only_human is not None
    if against_bot and session.mover_is_human:
        index -= 1
    verdict = session.verdict(index) if index > 0 else None
    if verdict is None or (against_bot and mover(verdict.state) != session.only_human):
        return ""
    whose = "Your " if against_bot else ""
    text = texts.verdict_text(verdict, session.players)
    return f"{whose}{format_cell(verdict.action)} – {text}"


_MEANT_FOR: Final[Mapping[Phase, tuple[str, ...]]] = {
    Phase.SETUP: ("finish_setup", "undo", "redo", "clear_setup", "cancel_setup"),
    Phase.REVIEW: ("new_game", "previous_mistake", "next_mistake", "reveal", "leave"),
    Phase.LOOKING_BACK: ("new_game", "go_previous", "go_next", "hint", "leave"),
    Phase.OVER: ("play_again", "undo", "redo", "hint", "review"),
}
"""The buttons of each phase; each has its own place in the row, wherever it is shown."""
_AT_PLAY: Final = ("new_game", "undo", "redo", "hint", "review")
_OF_BOTS: Final = ("new_game", "undo", "redo", "step", "speed")


def buttons_of(session: Session, offer: Offer | None = None) -> tuple[str, ...]:
    """Return the buttons that are shown now, greyed ones too."""
    if session.has_person or session.phase not in (Phase.BOT_TURN, Phase.LOOKING_BACK):
        names = _MEANT_FOR.get(session.phase, _AT_PLAY)
    else:
        names = _OF_BOTS if session.phase is Phase.BOT_TURN else _MEANT_FOR[Phase.LOOKING_BACK]
        names += ("resume",) if session.is_paused else ("pause",)
    if session.phase is Phase.OVER and offer is not None:
        names += ("harder",) if offer.is_harder else ("easier",)
    return names


def greyed(session: Session, is_board_covered: bool) -> dict[str, str]:
    """Return the buttons that mean nothing now, each with the sentence that says why."""
    phase, review = session.phase, session.review
    can_hint = phase is Phase.YOUR_TURN and not is_board_covered
    reasons = {
        "undo": "" if session.can_undo else texts.NOTHING_TO_UNDO,
        "redo": "" if session.can_redo else texts.NOTHING_TO_REDO,
        "hint": "" if can_hint else texts.NO_HINT_HERE,
        "review": texts.no_review_text(session) if phase is Phase.OVER else texts.REVIEW_LATER,
        "go_previous": "" if session.index else texts.AT_THE_START,
        "finish_setup": texts.SETUP_FINISHED if is_terminal(session.state) else "",
    }
    if review is not None:
        reasons["previous_mistake"] = "" if review.number else texts.NO_EARLIER_MISTAKE
        reasons["next_mistake"] = texts.REVIEW_COMPLETE if review.is_last else ""
        solved = texts.SOLVED_THE_LAST if review.is_last else texts.SOLVED_ALREADY
        reasons["reveal"] = solved if review.is_solved else ""
    return {name: reason for name, reason in reasons.items() if reason}
