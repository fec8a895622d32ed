"""What the exact solution shows about the moves of a position: order, verdicts and hints.

This module has the facts; `texts` has the words. Which moves are good is asked in four ways:

- `Verdict.best`: a fastest win; in a lost position, a move that lasts longest
- `recommended`, with rank 0: a fastest win; in a lost position, the move that is hardest to answer,
  which may lose earlier
- `solutions`: all that a player may look for: the winning moves, or both kinds of defence
- `Verdict.is_mistake`: what a player is blamed for; a move that is neither recommended nor the best
  is mostly no mistake

Distances are in plies from the state before the move, as `Tablebase.action_distances` gives them:
odd if the mover wins.

>>> from traffic_lights.board.rules import parse_board, parse_cell
>>> move = judge(parse_board("000001000000"), parse_cell("b2"))
>>> move.wins, move.distance > move.best_distance
(True, True)
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from traffic_lights.board.baselines import quiet_actions
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


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the exact solution shows about one move."""

    state: State
    """The state before the move."""
    action: Action
    rank: int
    """0 for the moves that are recommended; equally good moves have the same rank."""
    distance: int
    """The plies from *state* to the end once *action* is played: odd if its player wins."""
    best: Action
    """The fastest win or the longest defence: *action* if it is one, or else the lowest of them.

    In a lost position, another may be recommended: the move that is hardest to answer.
    """
    best_distance: int
    """The plies from *state* to the end with best play."""
    winning: int
    """How many moves of *state* win."""
    kept: Kept | None
    """How many of the opponent's safe replies keep its win; None if all do, or the move wins."""

    @property
    def replies(self) -> tuple[Action, ...]:
        """Return best play after the move, to the end: for a mistake, its refutation."""
        return shared_tablebase().principal_variation(self.state + STEPS[self.action])

    @property
    def wins(self) -> bool:
        """Whether its player can force a win after it."""
        return self.distance % 2 == 1

    @property
    def was_won(self) -> bool:
        """Whether its player could force a win before it."""
        return self.winning > 0

    @property
    def is_blunder(self) -> bool:
        """Whether the move turned a won position into a lost one."""
        return self.was_won and not self.wins

    @property
    def moves_too_early(self) -> int:
        """How many moves too early a move in a lost position loses; 0 in a won one."""
        return 0 if self.was_won else (self.best_distance - self.distance) // 2

    @property
    def is_mistake(self) -> bool:
        """Whether it threw a win away or overlooked one, or lost at once or too early.

        In a lost position, the move that is hardest to answer is none.
        """
        if self.was_won:
            return self.is_blunder or self.best_distance == 1 < self.distance
        early = self.moves_too_early if self.rank else 0
        return early >= MOVES_LOST_TOO_EARLY or (early > 0 and self.distance == 2)

    @property
    def mark(self) -> str:
        """Return the mark that players know from chess."""
        if self.distance == 1:
            return "#"
        if self.is_mistake:
            return "??" if self.was_won else "?!"
        if self.winning == 1:
            return "!!"
        return "!" if self.was_won and self.distance == self.best_distance else ""


@lru_cache(maxsize=256)
def ranked_moves(state: State) -> tuple[Verdict, ...]:
    """Return the moves of *state*, which must not be terminal, the recommended ones first.

    In a won position the winning moves come first, the fastest ahead, then those that lose, the
    longest ahead. In a lost position the first is the move after which the smallest share of the
    opponent's safe replies keeps its win, and among equals the one that lasts longest.
    """
    tablebase = shared_tablebase()
    distances = tablebase.action_distances(state)
    best_distance = tablebase.get_distance(state)
    winning = sum(distance % 2 for distance in distances.values())
    found = {} if winning else {action: kept_after(state, action) for action in distances}
    kept = {action: one for action, one in found.items() if one.winning < one.safe}

    def order(action: Action) -> tuple[float, int]:
        distance = distances[action]
        if distance % 2:
            return 0, distance
        share = kept[action].winning / kept[action].safe if action in kept else 1
        return share, -distance

    # Equally good actions have one place in the order, which is their rank.
    places = sorted({order(action) for action in distances})
    fastest = [action for action, distance in distances.items() if distance == best_distance]
    moves = [
        Verdict(
            state=state,
            action=action,
            rank=places.index(order(action)),
            distance=distance,
            best=action if action in fastest else min(fastest),
            best_distance=best_distance,
            winning=winning,
            kept=kept.get(action),
        )
        for action, distance in distances.items()
    ]
    return tuple(sorted(moves, key=lambda move: (move.rank, move.action)))


def recommended(state: State) -> Verdict:
    """Return the move that a hint or a solution names: a fastest win, or the hardest to answer."""
    return ranked_moves(state)[0]


def judge(state: State, action: Action) -> Verdict:
    """Return the verdict on one legal *action*; raise StopIteration for another."""
    return next(move for move in ranked_moves(state) if move.action == action)


def solutions(state: State) -> tuple[Action, ...]:
    """Return the winning moves, or the best defences of a lost position, ascending.

    If a move wins at once, only such moves count. A defence is best if it lasts longest, or if it
    is the hardest to answer.
    """
    moves = ranked_moves(state)
    good = [one for one in moves if one.wins or one.rank == 0 or one.distance == one.best_distance]
    return tuple(sorted(move.action for move in good if not move.is_mistake))


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
    is_for_win: bool = False
    """Whether it helps to find a win, of which the player has been told."""


def hint(state: State, step: int) -> Hint:
    """Return the hint of *step* 1 to 3 for the player to move in *state*."""
    move = recommended(state)
    return Hint(step, move, ((), solutions(state), (move.action,))[step - 1])


def puzzle_hint(state: State, step: int, refuted: tuple[Action, ...]) -> Hint:
    """Return the hint of *step* 1 to 3 for a player who looks for a winning move.

    Step 1 marks the moves that look safe and were not *refuted*, unless only one looks safe. Step 2
    marks those of them in the column of the best move, or in its row if the column rules nothing
    out or would give the move away, and step 3 that move.
    """
    move = recommended(state)
    safe = quiet_actions(state)
    names_safe = move.distance > 1 and len(safe) > 1
    left = [a for a in (safe if names_safe else legal_actions(state)) if a not in refuted]
    marked: tuple[Action, ...] = (move.action,)
    if step == 1:
        marked = tuple(left) if names_safe else ()
    elif step == 2:
        column = tuple(a for a in left if a % COLUMNS == move.action % COLUMNS)
        row = tuple(a for a in left if a // COLUMNS == move.action // COLUMNS)
        fewer = [some for some in (column, row) if 1 < len(some) < len(left)]
        marked = fewer[0] if fewer else min(column, row, key=len)
    return Hint(step, move, marked, is_for_win=True)
