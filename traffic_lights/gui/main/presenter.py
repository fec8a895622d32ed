"""Turn the session's facts into what the main window shows: pictures, lists and texts, as values.

This module touches no widget, so all of it can be tested without a display.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from traffic_lights.board.rules import (
    LONGEST_GAME,
    State,
    complete_lines,
    format_cell,
    is_terminal,
    legal_actions,
    mover,
)
from traffic_lights.gui.kit.board_view import Picture
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.game import Player
from traffic_lights.players.roster import Group, Roster
from traffic_lights.session import learned, texts
from traffic_lights.session.session import Phase, Session
from traffic_lights.session.verdicts import Hint, RankedMove, Verdict, judge

NOTHING: Final = "nothing"
BEST_PLAY: Final = "best-play"
LEARNED: Final = "learned"
"""What the board can show of every move: the values of the setting "show"."""
BUTTONS: Final = {
    Phase.SETUP: (
        ("finish_setup", "Start"), ("undo", "Undo"), ("redo", "Redo"),
        ("clear_setup", "Empty"), ("leave", "Cancel"),
    ),
    Phase.REVIEW: (
        ("new_game", "New Game"), ("previous_mistake", "Back"), ("next_mistake", "Next"),
        ("reveal", "Show"), ("leave", "Done"),
    ),
    Phase.LOOKING_BACK: (
        ("new_game", "New Game"), ("previous", "Back"), ("next", "Next"), ("hint", "Hint"),
        ("leave", "Done"),
    ),
}  # fmt: skip
"""The buttons of a phase, the same kind in each place; the others have PLAYING."""
PLAYING: Final = (
    ("new_game", "New Game"), ("undo", "Undo"), ("redo", "Redo"), ("hint", "Hint"),
    ("review", "Review"),
)  # fmt: skip
FOR_BOTS: Final = (
    ("new_game", "New Game"), ("undo", "Undo"), ("pause", "Pause"), ("step", "Step"),
    ("speed", "Speed"),
)  # fmt: skip
"""The buttons while two bots play: a hint is of no use to them."""
FOR_PAUSED_BOTS: Final = (*FOR_BOTS[:2], ("pause", "Play"), *FOR_BOTS[3:])
PLACES: Final = tuple(
    {text for _, text in place}
    for place in zip(PLAYING, FOR_BOTS, FOR_PAUSED_BOTS, *BUTTONS.values(), strict=True)
)
"""The words that the button in each place under the board can have."""


@dataclass(frozen=True, slots=True)
class MoveEntry:
    """One move in the list."""

    seat: int
    text: str
    """The cell, with its mark where that may be shown."""
    is_taken_back: bool = False
    about: str = ""
    """The verdict on it in a sentence; empty where that may not be shown."""


@dataclass(frozen=True, slots=True)
class CardFace:
    """What a card shows."""

    name: str
    about: str
    score: str
    is_to_move: bool = False
    """Whether the player is to move, or has won."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button under the board as it is shown now."""

    name: str
    """The command that it runs."""
    text: str
    reason: str = ""
    """Why it is grey, in a sentence; empty if it can be pressed."""
    is_main: bool = False


def exact_values(moves: Sequence[RankedMove]) -> dict[str, Any]:
    """Return the values of *moves* by best play, for a `Picture`.

    The wash goes from -1, lost, to 1, won; a slow win, or a late loss, is paler.
    """
    return {
        "wash": {
            move.action: (1 if move.distance % 2 else -1) * (1 - 0.6 * move.distance / LONGEST_GAME)
            for move in moves
        },
        "numbers": {move.action: texts.value_badge(move.distance) for move in moves},
        "best": frozenset(move.action for move in moves if move.rank == 0),
    }


def learned_values(table: QTable, state: State) -> dict[str, Any]:
    """Return what *table* holds of the moves in *state*, for a `Picture`."""
    actions = () if is_terminal(state) else legal_actions(state)
    found = {action: learned.learned_value(table, state, action) for action in actions}
    return {
        "wash": {action: value.value for action, value in found.items()},
        "numbers": {action: value.text for action, value in found.items()},
    }


def values_of(session: Session, show: str, table: QTable | None) -> dict[str, Any]:
    """Return the values of the moves for a `Picture`, exact ones or those of *table*."""
    if show == BEST_PLAY:
        return exact_values(session.ranked_moves())
    if show != LEARNED or table is None or session.hides_truth:
        return {}
    return learned_values(table, session.state)


def picture_of(session: Session, show: str, hint: Hint | None, table: QTable | None) -> Picture:
    state, phase, review = session.state, session.phase, session.review
    hinted: tuple[int, ...] = ()
    if phase is Phase.YOUR_TURN and hint is not None and hint.move.state == state:
        hinted = tuple(hint.cells)
    elif review is not None and review.is_solved:
        hinted = tuple(review.solutions)
    has_turn = phase in (Phase.YOUR_TURN, Phase.LOOKING_BACK, Phase.REVIEW)
    return Picture(
        state=state,
        last=session.last_action,
        lines=complete_lines(state),
        hints=frozenset(hinted),
        inviting=phase is Phase.SETUP or (has_turn and not is_terminal(state)),
        allows_red=phase is Phase.SETUP,
        **values_of(session, show, table),
    )


def move_entries(session: Session, show: str) -> list[MoveEntry]:
    """Return the moves of the game and those taken back, with their marks where they may be shown.

    The mark of a move that the player has to answer would be a hint, so it comes with the answer.
    """
    if session.phase is Phase.SETUP:
        return []
    game, tablebase = session.game, session.tablebase
    entries: list[MoveEntry] = []
    first, made = mover(game.start), len(game.actions)
    is_asked = not game.is_over and game.players[game.mover].is_human
    answered = made - 1 if is_asked and show != BEST_PLAY else made
    for index, action in enumerate((*game.actions, *session.history.taken_back)):
        text, about = format_cell(action), ""
        if tablebase is not None and session.review is None and index < answered:
            verdict = judge(tablebase, game.state_at(index), action)
            text += verdict.mark
            about = texts.judged_text(verdict, game.players)
        entries.append(MoveEntry((first + index) % 2, text, index >= made, about))
    return entries


def about_moves(session: Session, entries: list[MoveEntry]) -> str:
    """Return the verdict on the move on the board; after a bot's reply, on the move before too."""
    if not entries or not session.index:
        return ""
    start = session.index - 1
    if session.only_human is not None and entries[start].seat != session.only_human:
        start = max(0, start - 1)
    return "\n".join(filter(None, (entry.about for entry in entries[start : session.index])))


def legend_of(session: Session, show: str, owner: Player | None, table: QTable | None) -> str:
    """Return how to read the values on the board; empty if none are shown."""
    if show == NOTHING:
        return ""
    if show == BEST_PLAY:
        return texts.VALUES if session.tablebase is not None else texts.STILL_SOLVING
    if owner is None:
        return learned.NOTHING_LEARNED
    return learned.legend(owner.name, table, session.state)


def column_name(players: tuple[Player, Player], seat: int) -> str:
    """Return the name of the player of *seat* on a card or over a column."""
    player = players[seat]
    if player.name:
        return player.name
    return f"Player {seat + 1}" if players[1 - seat].is_human else "You"


def about_bot(roster: Roster, key: str) -> str:
    """Return in a few words which bot *key* is."""
    levels = [level.key for level in roster.levels()]
    if key in levels:
        return f"Level {levels.index(key) + 1} of {len(levels)}"
    groups = {entry.key: entry.group for entry in roster.entries()}
    return {Group.OWN: "My bot", Group.PROGRAM: "Program"}.get(groups.get(key, Group.TABLE), "Bot")


def face_of(session: Session, seat: int, about: str, score: tuple[int, int]) -> CardFace:
    """Return what the card of *seat* shows; *about* describes a bot."""
    if session.players[seat].is_human:
        about = "Moves first" if seat == 0 else "Moves second"
    if session.phase is Phase.OVER:
        is_marked = session.game.winner == seat
    else:
        is_marked = session.phase is not Phase.SETUP and session.mover == seat
    name = column_name(session.players, seat)
    return CardFace(name, about, str(score[seat]) if any(score) else "", is_marked)


def buttons_of(session: Session, why_not: Callable[[str], str]) -> list[Button]:
    """Return the buttons under the board; *why_not* returns why a command does not apply now."""
    row = BUTTONS.get(session.phase, PLAYING)
    if session.phase is Phase.BOT_TURN and not session.game.has_person:
        row = FOR_PAUSED_BOTS if session.is_paused else FOR_BOTS
    main = {Phase.OVER: "new_game", Phase.SETUP: "finish_setup"}.get(session.phase)
    if session.is_paused:
        main = "pause"
    return [Button(name, text, why_not(name), name == main) for name, text in row]


def mistake_on_board(session: Session) -> Verdict | None:
    """Return the mistake on the board that may be explained; None if there is none.

    After a bot's reply this is the player's move before it. In a game of two people it would help
    the one who has to answer.
    """
    review = session.review
    verdict: Verdict | None = None
    if review is not None:
        tried = review.tried
        if tried is not None and tried.is_mistake:
            return tried
        verdict = review.verdict if review.is_solved else None
    elif session.phase is not Phase.YOUR_TURN:
        verdict = session.verdict()
    elif session.only_human is not None:
        verdict = session.verdict(session.index - 1)
    return verdict if verdict is not None and verdict.is_mistake else None


def detail_of(session: Session, is_first_game: bool, has_room_for: Callable[[str], bool]) -> str:
    """Return the text under the state of the game, where nothing was just reported."""
    match session.phase:
        case Phase.SETUP:
            return texts.setup_text(session.state)
        case Phase.REVIEW:
            return texts.review_text(session)
        case Phase.LOOKING_BACK:
            return texts.looking_back_text(session)
        case Phase.OVER:
            mistakes = texts.mistakes_text(session)
            both = f"{texts.result_text(session.game)} {mistakes}".strip()
            return both if has_room_for(both) else mistakes
        case Phase.YOUR_TURN if is_first_game and len(session.game.actions) < 2:
            return texts.FIRST_MOVE
    mistake = mistake_on_board(session)
    return "" if mistake is None else texts.judged_text(mistake, session.players)
