"""What Inside shows of a position: a row for each move, its values on the board, and a legend."""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Final, NamedTuple

from traffic_lights.board.rules import EMPTY_BOARD, Action, State, format_cell, is_terminal, play
from traffic_lights.gui.kit.board_view import MoveValues
from traffic_lights.gui.main.explain import exact_values, learned_values
from traffic_lights.gui.workshop.formula import Term
from traffic_lights.gui.workshop.shared import NEW_BOT, as_sentence
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.play import learned
from traffic_lights.play.texts import value_text
from traffic_lights.play.verdicts import ranked_moves
from traffic_lights.players.roster import Entry

LEGEND: Final = (
    "Values of {}: what it expects, −1 (loss) to +1 (win). {} "
    "White edge: {}. Best play: moves of the winner."
)
PLAYED: Final = "Ringed, ●: it plays this."
NOTHING: Final = f" “{learned.UNKNOWN}”: nothing learned."
STOP_FIRST: Final = " Stop the training to replay a game."
RATES: Final = " Percentages: lost to best play, but won so often in practice."


class Inspected(NamedTuple):
    """The player that is looked into."""

    entry: Entry = NEW_BOT
    note: str = ""
    """What is said of its values, if it has none."""
    bot: TableBot | None = None
    """By what it plays; None if it has no table, or while that is being read."""
    table: QTable | None = None
    """All that it has learned, which may be more than the table by which it plays."""
    is_training: bool = False
    """Whether the table has only what was asked for, of a bot in training."""


class Shown(NamedTuple):
    """What is shown of a position, or of a step of a replay."""

    moves: Sequence[Action]
    """The moves from the empty board to the position."""
    values: MoveValues
    plays: frozenset[Action] = frozenset()
    """What the bot would play there now."""
    notes: Mapping[Action, str] = {}
    terms: Sequence[Term] = ()
    text: str = ""


def position_after(moves: Sequence[Action]) -> State:
    """Return the position after *moves* from the empty board."""
    return reduce(play, moves, EMPTY_BOARD)


def shown_position(
    player: Inspected, played: Sequence[Action], *, is_solved: bool
) -> tuple[Shown, list[tuple[str, str, str]]]:
    """Return what is shown of *player* in the position after *played*, and a row for each move.

    Unless the game *is_solved*, there are no rows yet.
    """
    state = position_after(played)
    if is_terminal(state):
        return Shown(played, {}, text="The game is over."), []
    moves = list(ranked_moves(state)) if is_solved else []
    values = exact_values(moves)
    plays: frozenset[Action] = frozenset()
    note = player.note
    if player.bot is not None and player.table is not None:
        if player.bot.comes_to(state):
            plays = frozenset(player.bot.choices(state))
        known = learned_values(player.table, state)
        moves.sort(key=lambda move: (move.action not in plays, -known[move.action].share))
        best_cells = {cell for cell, value in values.items() if value.is_best}
        values = {cell: one._replace(is_best=cell in best_cells) for cell, one in known.items()}
        legend = LEGEND.format(
            player.entry.name,
            PLAYED if plays else as_sentence(learned.NEVER_HERE),
            "the best moves" if any(move.wins for move in moves) else "lasts longest",
        )
        texts = [value.text for value in known.values()]
        legend += NOTHING * (learned.UNKNOWN in texts)
        legend += RATES * any("%" in text for text in texts)
        legend += STOP_FIRST * player.is_training
        note = f"{legend} {learned.why_promising(player.table, state, moves)}"
    rows = []
    for move in moves:
        value = values[move.action].text if player.table is not None else "–"
        sign = " ●" * (move.action in plays)
        rows.append((f"{format_cell(move.action)}{sign}", value, value_text(move.distance)))
    return Shown(played, values, plays, text=note), rows
