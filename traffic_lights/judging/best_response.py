"""The best possible score against each opponent, which no player can exceed.

The best possible chance to win against a strategy is computed backwards over the whole
game (expectimax): the maximum over one's own moves, the mean over the opponent's. As
Player 2 it is 1 against every opponent, because the empty board is lost for Player 1.
As Player 1 it is 0 against the exact player, and between 0 and 1 against one that errs.

Alternate's hidden state is the length of its Myopic phase. An opponent cannot see it, so
the mean over all lengths, as if each were known, is only an upper bound, and is marked
as one.

Each opponent takes about ten seconds, so the results come with the program in a file.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.exact import Strategy
from traffic_lights.board.policy import FOR_EVER, Choices
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    LONGEST_GAME,
    STATE_CODES,
    STEPS,
    legal_actions,
    ply,
)
from traffic_lights.board.symmetry import orbit
from traffic_lights.board.threats import one_move_from_the_end
from traffic_lights.players.roster import EXACT, Entry, Group, Roster
from traffic_lights.storage.files import StorageError, read_json
from traffic_lights.system.folders import shipped_tables
from traffic_lights.training.plans import starting_positions

FILE_NAME: Final = "best_scores.json"
_LARGEST_FILE: Final = 1 << 16
OPPONENTS: Final = (*BASELINES, *(f"horizon-{depth}" for depth in range(1, 9)), EXACT)
"""The opponents whose best possible scores come with the program."""


@dataclass(frozen=True, slots=True)
class BestScore:
    """The best possible chance to win against an opponent, from 0 to 1, by seat."""

    first: float | None
    """As Player 1; None if it was not computed."""
    second: float = 1.0
    is_bound: bool = False
    """Whether *first* is only an upper bound."""

    @property
    def total(self) -> float | None:
        """The score when the seats are swapped after every game; None if it was not computed."""
        return None if self.first is None else (self.first + self.second) / 2


def best_score(opponent: Entry) -> BestScore:
    """Return the best possible score against *opponent*."""
    is_shipped = opponent.group in (Group.LEVEL, Group.BASELINE, Group.LADDER)
    return _stored().get(opponent.key if is_shipped else "", BestScore(None))


@cache
def _stored() -> dict[str, BestScore]:
    """Return the scores that come with the program; none if their file cannot be read."""
    try:
        plain = read_json(shipped_tables() / FILE_NAME, _LARGEST_FILE)
        return {key: BestScore(**score) for key, score in plain["best"].items()}
    except (StorageError, ValueError, TypeError, LookupError, AttributeError):
        return {}


def as_json(scores: dict[str, BestScore]) -> dict[str, Any]:
    """Return *scores* as the content of the file that comes with the program."""
    return {
        "format": "traffic-lights-best-scores",
        "version": 1,
        "command": "python -m traffic_lights.evaluate --best-possible",
        "best": {key: asdict(score) for key, score in scores.items()},
    }


def compute_all() -> Iterator[tuple[str, BestScore]]:
    """Compute (key, best score) of one opponent after the other: about two minutes in all."""
    roster = Roster()
    for key in OPPONENTS:
        strategy = roster.entry(key).strategy()
        assert strategy is not None
        is_bound = strategy.lasts != FOR_EVER
        chance = upper_bound(strategy) if is_bound else best_chances(strategy.actions)[EMPTY_BOARD]
        yield key, BestScore(round(chance, 12), is_bound=is_bound)


def upper_bound(strategy: Strategy) -> float:
    """Return the mean best chance of Player 1 if it knew when the opponent tires."""
    fewest, most = strategy.lasts
    # Player 2 makes at most this many moves, so longer phases make no difference.
    longest = LONGEST_GAME // 2
    chances = {
        n: best_chances(_tiring(strategy.actions, n))[EMPTY_BOARD]
        for n in range(fewest, min(most, longest) + 1)
    }
    return sum(chances[min(n, longest)] for n in range(fewest, most + 1)) / (most - fewest + 1)


def _tiring(actions: Choices, moves: int) -> Choices:
    """Return the choices of a player that follows *actions* for its first *moves* moves."""
    return lambda state: (actions if ply(state) // 2 < moves else legal_actions)(state)


def best_chances(opponent: Choices, seat: int = 0) -> array[float]:
    """Return the best chance to win of *seat* against *opponent*, by live state of either's turn.

    *opponent* must treat mirror images alike. Takes about 7 s and 140 MB.
    """
    chances = array("d", [0.0]) * STATE_CODES
    wins = one_move_from_the_end()
    for states in reversed(starting_positions()):
        for state in states:
            is_own_turn = ply(state) & 1 == seat
            if is_own_turn and wins[state >> 3] >> (state & 7) & 1:
                chance = 1.0
            elif is_own_turn:
                chance = max([chances[state + STEPS[a]] for a in legal_actions(state)])
            else:
                # A finished successor holds 0: the opponent has won.
                actions = opponent(state)
                chance = sum([chances[state + STEPS[a]] for a in actions]) / len(actions)
            if chance:
                for image in orbit(state):
                    chances[image] = chance
    return chances
