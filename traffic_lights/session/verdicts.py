"""What the exact solver says of a move, and of the choice before it: verdicts and hints.

Facts only; `texts` has the words. Distances are in plies from the state before
the move, as `Tablebase.action_distances` gives them: odd if the mover wins.

>>> from traffic_lights.board.rules import parse_board, parse_cell
>>> tablebase = Tablebase()
>>> judge(tablebase, parse_board("000001000000"), parse_cell("b2")).kind.name
'SLOWER'
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from traffic_lights.board.rules import STEPS, Action, Line, State, winning_lines
from traffic_lights.board.solver import Tablebase
from traffic_lights.board.traps import Kept, Traps, traps


class Kind(Enum):
    """The nine cases of a move; the value is the mark that players know from chess."""

    COMPLETES = "completes a line", "#"
    ONLY_WIN = "the only winning move", "!!"
    BEST = "keeps the win, shortest", "!"
    SLOWER = "keeps the win, slower", ""
    OVERLOOKED = "overlooks a win at once", "??"
    SLIP = "turns a win into a loss", "??"
    TRAP = "lost anyway, best chance", ""
    LONGEST = "lost anyway, longest", ""
    SHORTER = "lost anyway, shorter", "?!"

    @property
    def mark(self) -> str:
        """Return the mark: ``#``, ``!!``, ``!``, ``??``, ``?!`` or nothing."""
        return self.value[1]

    @property
    def is_mistake(self) -> bool:
        """Return whether a win was thrown away or overlooked, whatever the rest of the game."""
        return self in (Kind.SLIP, Kind.OVERLOOKED)


CONCEDED: Final = 3
"""The moves of the winner that a move in a lost position gives up at least to be a mistake."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The truth about one move."""

    state: State
    """The state before the move."""
    action: Action
    kind: Kind
    distance: int
    """The plies from *state* to the end once *action* is played: odd if its player wins."""
    best: Action
    """The best move, the lowest of equal ones; *action* itself where it is one of the best."""
    best_distance: int
    """The plies from *state* to the end with best play."""
    replies: tuple[Action, ...]
    """Best play after the move, to the end of the game: for a mistake, its refutation."""
    lines: tuple[Line, ...]
    """The lines that the move completes."""
    kept: Kept | None
    """For a trap, the replies to it of an opponent who sees one move ahead; else None."""

    @property
    def mark(self) -> str:
        """Return the mark of its kind; none with a question mark where review asks nothing."""
        return "" if "?" in self.kind.mark and not self.is_mistake else self.kind.mark

    @property
    def is_slip(self) -> bool:
        """Return whether a position won for the mover became one lost for it."""
        return self.best_distance % 2 == 1 and self.distance % 2 == 0

    @property
    def conceded(self) -> int:
        """Return how many moves of the winner a move in a lost position gave up; else 0."""
        return 0 if self.best_distance % 2 else (self.best_distance - self.distance) // 2

    @property
    def loses_at_once(self) -> bool:
        """Return whether the opponent can now win with one move, and could have been kept from it.

        The position was lost already: in a won one it is a slip.
        """
        return self.distance == 2 and self.conceded > 0

    @property
    def is_mistake(self) -> bool:
        """Return whether review asks for a better move, in a lost position too."""
        if self.kind is Kind.TRAP:
            return False
        return self.kind.is_mistake or self.loses_at_once or self.conceded >= CONCEDED


@lru_cache(maxsize=1024)
def judge(tablebase: Tablebase, state: State, action: Action) -> Verdict:
    """Return the truth about *action*, which must be legal in the live *state*.

    About 0.2 ms, in a lost position 3; and nothing for the moves asked about lately.
    """
    distances = tablebase.action_distances(state)
    best_distance = tablebase.probe_distance(state)
    distance = distances[action]
    best = min(a for a, n in distances.items() if n == best_distance)
    trapper = traps(tablebase)
    is_trap = best_distance % 2 == 0 and action in best_traps(trapper, state)
    return Verdict(
        state=state,
        action=action,
        kind=Kind.TRAP if is_trap else _kind(distances, action, best_distance),
        distance=distance,
        best=action if distance == best_distance else best,
        best_distance=best_distance,
        replies=tablebase.principal_variation(state + STEPS[action]),
        lines=winning_lines(state + STEPS[action], action),
        kept=trapper.kept(state, action) if is_trap else None,
    )


def best_traps(trapper: Traps, state: State) -> tuple[Action, ...]:
    """Return the best actions of the lost *state*, if any opponent who errs may fall for them."""
    best = trapper.best_actions(state)
    return best if trapper.chance_after(state, best[0]) else ()


def _kind(distances: dict[Action, int], action: Action, best_distance: int) -> Kind:
    distance = distances[action]
    if distance == 1:
        return Kind.COMPLETES
    if best_distance == 1:
        return Kind.OVERLOOKED
    if best_distance % 2 == 0:
        return Kind.LONGEST if distance == best_distance else Kind.SHORTER
    if distance % 2 == 0:
        return Kind.SLIP
    if sum(n % 2 for n in distances.values()) == 1:
        return Kind.ONLY_WIN
    return Kind.BEST if distance == best_distance else Kind.SLOWER


HINT_STEPS: Final = 3


@dataclass(frozen=True, slots=True)
class Hint:
    """One dose of help in a state: how things are, the cells, the move and why."""

    state: State
    step: int
    """1: the state of things. 2: the cells as well. 3: one move, why, and the reply."""
    is_won: bool
    """Whether the player to move can force a win."""
    is_hard: bool
    """Whether some move of a lost state leaves an opponent a way to go wrong."""
    distance: int
    """The plies to the end with best play; to be shown from step 3 on."""
    cells: tuple[Action, ...]
    """Every winning move, or in a lost state the best traps or those that hold out longest.

    Empty in step 1.
    """
    move: Verdict | None
    """The move of step 3, with its lines and the expected replies; else None."""


def hint(tablebase: Tablebase, state: State, step: int) -> Hint:
    """Return step 1, 2 or 3 of the help in the live *state*."""
    distance = tablebase.probe_distance(state)
    best = traps(tablebase).best_actions(state)
    is_won = distance % 2 == 1
    helpful = tablebase.winning_actions(state) or best
    return Hint(
        state=state,
        step=step,
        is_won=is_won,
        is_hard=not is_won and bool(best_traps(traps(tablebase), state)),
        distance=distance,
        cells=helpful if step >= 2 else (),
        move=judge(tablebase, state, best[0]) if step >= HINT_STEPS else None,
    )
