"""What the exact solution shows about the moves of a position: order, verdicts and hints.

This module has the facts; `texts` has the words. Distances are in plies from the state before
the move, as `Tablebase.action_distances` gives them: odd if the mover wins.

>>> from traffic_lights.board.rules import parse_board, parse_cell
>>> judge(parse_board("000001000000"), parse_cell("b2")).kind.name
'SLOWER'
"""

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from traffic_lights.board.baselines import safe_actions
from traffic_lights.board.rules import COLUMNS, STEPS, Action, State, legal_actions
from traffic_lights.board.tablebase import moves_of_winner, shared_tablebase
from traffic_lights.board.traps import Kept, kept_after

NOTHING: Final = "nothing"
MISTAKES: Final = "mistakes"
BEST_PLAY: Final = "best-play"
LEARNED: Final = "learned"
"""What the player wants to see of the moves: the values of the setting "shown"."""

MOVES_LOST_TOO_EARLY: Final = 3
"""A move in a lost position that loses so many moves earlier than necessary is a mistake."""


class VerdictKind(Enum):
    """The nine cases of a move, each with the mark that players know from chess."""

    COMPLETES = "completes a line", "#"
    ONLY_WIN = "the only winning move", "!!"
    BEST = "keeps the win, shortest", "!"
    SLOWER = "keeps the win, slower", ""
    OVERLOOKED = "overlooks a win at once", "??"
    BLUNDER = "turns a win into a loss", "??"
    TRAP = "lost anyway, best chance", ""
    LONGEST = "lost anyway, longest", ""
    SHORTER = "lost anyway, shorter", "?!"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the exact solution shows about one move."""

    state: State
    """The state before the move."""
    action: Action
    kind: VerdictKind
    rank: int
    """0 for the best moves; equally good moves have the same rank."""
    distance: int
    """The plies from *state* to the end once *action* is played: odd if its player wins."""
    best: Action
    """The best move, the lowest of equal ones; *action* itself where it is one of the best."""
    best_distance: int
    """The plies from *state* to the end with best play."""
    kept: Kept | None
    """How many of the opponent's safe replies keep its win; None if all do, or the move wins."""
    hardest: Action | None = None
    """In a lost position, the move that is hardest to answer; None if none is, or it is this."""

    @property
    def replies(self) -> tuple[Action, ...]:
        """Return best play after the move, to the end: for a mistake, its refutation."""
        return shared_tablebase().principal_variation(self.state + STEPS[self.action])

    @property
    def mark(self) -> str:
        """Return the mark of its kind, but no question mark if review passes over the move."""
        mark = self.kind.value[1]
        return "" if "?" in mark and not self.is_mistake else mark

    @property
    def was_won(self) -> bool:
        """Whether its player could force a win before the move."""
        return self.best_distance % 2 == 1

    @property
    def is_blunder(self) -> bool:
        """Whether the move turned a won position into a lost one."""
        return self.was_won and self.distance % 2 == 0

    @property
    def moves_too_early(self) -> int:
        """How many moves too early a move in a lost position loses; 0 in a won one."""
        return 0 if self.was_won else (self.best_distance - self.distance) // 2

    @property
    def is_mistake(self) -> bool:
        """Return whether it threw a win away or overlooked one, or lost at once or too early."""
        if self.was_won or self.kind is VerdictKind.TRAP:
            return self.kind in (VerdictKind.BLUNDER, VerdictKind.OVERLOOKED)
        early = self.moves_too_early
        return early >= MOVES_LOST_TOO_EARLY or (early > 0 and self.distance == 2)


@lru_cache(maxsize=256)
def ranked_moves(state: State) -> tuple[Verdict, ...]:
    """Return the moves of *state*, which must not be terminal, best first.

    In a won position the winning moves come first, the fastest ahead, then those that lose, the
    longest ahead. In a lost position the first is the move after which the smallest share of the
    opponent's safe replies keeps its win, and among equals the one that lasts longest.
    """
    tablebase = shared_tablebase()
    distances = tablebase.action_distances(state)
    best_distance = tablebase.get_distance(state)
    is_lost = best_distance % 2 == 0
    kept: dict[Action, Kept] = {}
    if is_lost:
        for action in distances:
            found = kept_after(state, action)
            if found.winning < found.safe:
                kept[action] = found

    def order(action: Action) -> tuple[float, int]:
        distance = distances[action]
        if distance % 2:
            return 0, distance
        share = kept[action].winning / kept[action].safe if action in kept else 1
        return share, -distance

    # Equally good actions have one place in the order, which is their rank.
    places = sorted({order(action) for action in distances})
    ranks = {action: places.index(order(action)) for action in distances}
    traps = [action for action in kept if ranks[action] == 0]
    fastest = [action for action, distance in distances.items() if distance == best_distance]
    is_only_win = sum(distance % 2 for distance in distances.values()) == 1
    moves: list[Verdict] = []
    for action, distance in distances.items():
        kind = _kind(distance, best_distance, is_trap=action in traps, is_only_win=is_only_win)
        moves.append(
            Verdict(
                state=state,
                action=action,
                kind=kind,
                rank=ranks[action],
                distance=distance,
                best=action if action in fastest else min(fastest),
                best_distance=best_distance,
                kept=kept.get(action),
                hardest=None if action in traps else min(traps, default=None),
            )
        )
    return tuple(sorted(moves, key=lambda move: (move.rank, move.action)))


def _kind(distance: int, best_distance: int, *, is_trap: bool, is_only_win: bool) -> VerdictKind:
    """Return the kind of a move that ends the game after *distance* plies.

    Otherwise it ends after *best_distance* with best play. *is_only_win* counts for a winning move.
    """
    is_best = distance == best_distance
    if distance == 1:
        return VerdictKind.COMPLETES
    if best_distance == 1:
        return VerdictKind.OVERLOOKED
    if is_trap:
        return VerdictKind.TRAP
    if best_distance % 2 == 0:
        return VerdictKind.LONGEST if is_best else VerdictKind.SHORTER
    if distance % 2 == 0:
        return VerdictKind.BLUNDER
    if is_only_win:
        return VerdictKind.ONLY_WIN
    return VerdictKind.BEST if is_best else VerdictKind.SLOWER


def judge(state: State, action: Action) -> Verdict:
    """Return the verdict on one legal *action*; raise StopIteration for another."""
    return next(move for move in ranked_moves(state) if move.action == action)


def good_moves(state: State) -> tuple[Action, ...]:
    """Return the moves of *state* that win, or in a lost position the best defences, ascending."""
    moves = ranked_moves(state)
    return tuple(sorted(move.action for move in moves if move.distance % 2 or move.rank == 0))


def solutions(state: State) -> tuple[Action, ...]:
    """Return the good moves without the mistakes; if there is a win at once, only those."""
    return tuple(action for action in good_moves(state) if not judge(state, action).is_mistake)


def wins_in(state: State) -> int:
    """Return how many moves the player to move needs to win; 0 if they cannot force a win."""
    distance = shared_tablebase().get_distance(state)
    return moves_of_winner(distance) if distance % 2 else 0


class Hint(NamedTuple):
    """One step of help in a position."""

    step: int
    """1: whether the position is won. 2: the cells as well. 3: one move, why, and the reply."""
    move: Verdict
    """The move of step 3, one of the best."""
    cells: tuple[Action, ...]
    """What to mark on the board: nothing in step 1, all good moves in 2, the one move in 3."""
    solutions: tuple[Action, ...] = ()
    """The moves that a puzzle looks for, which says that the position is won; empty in a game."""


def hint(state: State, step: int) -> Hint:
    """Return the hint of *step* 1 to 3 for the player to move in *state*."""
    move = ranked_moves(state)[0]
    if step == 1:
        return Hint(step, move, ())
    if step == 2:
        return Hint(step, move, good_moves(state))
    return Hint(step, move, (move.action,))


def puzzle_hint(
    state: State, step: int, solutions: tuple[Action, ...], refuted: tuple[Action, ...]
) -> Hint:
    """Return the hint of *step* 1 to 3 for a player who looks for *solutions* in a won *state*.

    Step 1 marks the moves that look safe and were not *refuted*, unless only one looks safe. Step 2
    marks those of them in the column of the best move, or in its row if the column rules nothing
    out or would give the move away, and step 3 that move.
    """
    move = ranked_moves(state)[0]
    safe = safe_actions(state)
    names_safe = move.distance > 1 and len(safe) > 1
    left = [a for a in (safe if names_safe else legal_actions(state)) if a not in refuted]
    marked: tuple[Action, ...] = (move.action,)
    if step == 1:
        marked = tuple(left) if names_safe else ()
    elif step == 2:
        column = tuple(a for a in left if a % COLUMNS == move.action % COLUMNS)
        row = tuple(a for a in left if a // COLUMNS == move.action // COLUMNS)
        fewer = [some for some in (column, row) if 1 < len(some) < len(left)]
        marked = (fewer or [min(column, row, key=len)])[0]
    return Hint(step, move, marked, solutions)
