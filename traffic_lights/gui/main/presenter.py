"""Turn the session's facts into what the main window shows: pictures, lists and texts, as values.

This module touches no widget, so all of it can be tested without a display.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from traffic_lights.board.rules import (
    LONGEST_GAME,
    Action,
    complete_lines,
    format_cell,
    is_terminal,
    legal_actions,
    mover,
)
from traffic_lights.gui.board.board_view import Picture
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.game import Player
from traffic_lights.players.roster import Group, Roster
from traffic_lights.session import learned as learned_values
from traffic_lights.session import texts
from traffic_lights.session.session import Phase, Session
from traffic_lights.session.verdicts import Hint, judge

PERSON: Final = "person"
"""The key of a human player in the list of players; a bot has that of the roster."""
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
FOR_BOTS: Final = (("pause", "Pause"), ("step", "Step"), ("speed", "Speed"))
"""The further buttons in a game of two bots."""
PLACES: Final = (
    *({text for _, text in place} for place in zip(PLAYING, *BUTTONS.values(), strict=True)),
    {"Pause", "Play"}, {"Step"}, {"Speed"},
)  # fmt: skip
"""The words that the button in each place under the board can have."""
_INVITING: Final = (Phase.YOUR_TURN, Phase.LOOKING_BACK, Phase.REVIEW)


class Show(Enum):
    """What the board shows of every move; the value is that of the setting."""

    NOTHING = "nothing"
    BEST_PLAY = "best-play"
    LEARNED = "learned"


@dataclass(frozen=True, slots=True)
class Shown:
    """What the player has asked to see besides the position."""

    values: Show = Show.NOTHING
    hint: Hint | None = None


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
class Option:
    """A player who can be chosen in the list of a card."""

    key: str
    name: str
    about: str
    strength: str = ""
    """A bar of dots; empty if nothing is known."""
    is_ready: bool = True
    is_more: bool = False
    """Whether it stands under "More"."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button under the board as it is shown now."""

    name: str
    """The command that it runs."""
    text: str
    reason: str = ""
    """Why it is grey, in a sentence; empty if it can be pressed."""
    is_main: bool = False


class Values(NamedTuple):
    """What is shown of the moves on the board."""

    wash: dict[Action, float]
    """From -1, lost, to 1, won; 0 if nothing is known."""
    numbers: dict[Action, str]
    best: frozenset[Action] = frozenset()


def best_play(session: Session) -> Values:
    """Return the exact values; a slow win, or a late loss, is paler."""
    moves = session.ranked_moves()
    wash = {
        move.action: (1 if move.distance % 2 else -1) * (1 - 0.6 * move.distance / LONGEST_GAME)
        for move in moves
    }
    numbers = {move.action: texts.value_badge(move.distance) for move in moves}
    return Values(wash, numbers, frozenset(move.action for move in moves if move.rank == 0))


def learned(session: Session, table: QTable | None) -> Values:
    """Return what *table* holds of the moves."""
    state = session.state
    if table is None or is_terminal(state) or session.hides_truth:
        return Values({}, {})
    found = {a: learned_values.learned_value(table, state, a) for a in legal_actions(state)}
    return Values({a: v.value for a, v in found.items()}, {a: v.text for a, v in found.items()})


def picture_of(session: Session, shown: Shown, table: QTable | None) -> Picture:
    """Return the board as the session has it."""
    state, phase, review = session.state, session.phase, session.review
    hint = shown.hint
    if hint is not None and hint.move.state == state and phase is Phase.YOUR_TURN:
        hinted = frozenset(hint.cells)
    else:
        hinted = frozenset(review.solutions if review is not None and review.is_solved else ())
    values = Values({}, {})
    if shown.values is Show.BEST_PLAY:
        values = best_play(session)
    elif shown.values is Show.LEARNED:
        values = learned(session, table)
    return Picture(
        state=state,
        last=session.last_action,
        lines=complete_lines(state),
        hints=hinted,
        wash=values.wash,
        numbers=values.numbers,
        best=values.best,
        inviting=phase is Phase.SETUP or (phase in _INVITING and not is_terminal(state)),
        allows_red=phase is Phase.SETUP,
    )


def move_entries(session: Session, shown: Shown) -> list[MoveEntry]:
    """Return the moves of the game and those taken back, with their marks where they may be shown.

    The mark of a move that the player has to answer would be a hint, so it comes with the answer.
    """
    if session.phase is Phase.SETUP:
        return []
    game, tablebase = session.game, session.tablebase
    entries: list[MoveEntry] = []
    first, made = mover(game.start), len(game.actions)
    is_asked = not game.is_over and game.players[game.mover].is_human
    answered = made - 1 if is_asked and shown.values is not Show.BEST_PLAY else made
    for index, action in enumerate((*game.actions, *session.taken_back)):
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


def legend_of(session: Session, shown: Shown, owner: Player | None, table: QTable | None) -> str:
    """Return how to read the values on the board; empty if none are shown."""
    if shown.values is Show.NOTHING:
        return ""
    if shown.values is Show.BEST_PLAY:
        return texts.VALUES if session.tablebase is not None else texts.STILL_SOLVING
    if owner is None:
        return learned_values.NOTHING_LEARNED
    return learned_values.legend(owner.name, table, session.state)


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
    try:
        group = roster.entry(key).group
    except PlayerError:
        return "Bot"
    return {Group.OWN: "My bot", Group.PROGRAM: "Program"}.get(group, "Bot")


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


def options_of(roster: Roster) -> list[Option]:
    """Return who can play: a human player, the levels, own bots, programs, then the others."""
    shown = (Group.LEVEL, Group.OWN, Group.PROGRAM)
    levels = [level.key for level in roster.levels()]
    options = [Option(PERSON, "A person", "Plays with the mouse or the keyboard")]
    for entry in sorted(
        roster.entries(), key=lambda e: shown.index(e.group) if e.group in shown else len(shown)
    ):
        rank = levels.index(entry.key) + 1 if entry.key in levels else 0
        options.append(
            Option(
                entry.key,
                entry.name,
                entry.problem or entry.about,
                "●" * rank + "○" * (len(levels) - rank) if rank else "",
                is_ready=not entry.problem,
                is_more=entry.group not in shown,
            )
        )
    return options


def buttons_of(session: Session, why_not: Callable[[str], str]) -> list[Button]:
    """Return the buttons under the board; *why_not* returns why a command does not apply now."""
    row = [*BUTTONS.get(session.phase, PLAYING)]
    if not session.game.has_person and session.phase in (Phase.BOT_TURN, Phase.LOOKING_BACK):
        row += FOR_BOTS
    main = "pause" if session.is_paused else "finish_setup"
    if session.phase is Phase.OVER:
        main = "new_game"
    if session.is_paused:
        row = [(name, "Play" if name == "pause" else text) for name, text in row]
    return [Button(name, text, why_not(name), name == main) for name, text in row]


def detail_of(
    session: Session, shown: Shown, is_first_game: bool, has_room_for: Callable[[str], bool]
) -> str:
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
        case _:
            return _blunder_of(session, shown)


def _blunder_of(session: Session, shown: Shown) -> str:
    """Return the verdict on the player's last move, if it was a mistake that may be shown."""
    index = session.index
    if session.only_human is not None and index and session.mover == session.only_human:
        index -= 1
    verdict = session.verdict(index) if index else None
    if verdict is None or not verdict.is_mistake:
        return ""
    return move_entries(session, shown)[index - 1].about
