"""The best possible score against each opponent: what even a perfect exploiter cannot beat.

Against an opponent that chooses at random from a known set of actions, the
best possible chance to win is an expectation that can be computed backwards
over the whole game (expectimax): the maximum over one's own actions, the mean
over the opponent's. As Player 2 it is 1 against anybody, because the empty
board is lost for the first player; as Player 1 it is 0 against the exact
player, and strictly between for a player that errs.

Alternate hides how long it plays as Myopic. Whoever plays it can only guess
that, so the mean of what could be scored with each length known is an upper
bound, marked as one.

Computing takes about ten seconds an opponent, so the results come with the
program; a slow test computes them again.

>>> best_score("exact").total
0.5
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.policy import Choices, Policy
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
from traffic_lights.board.traps import traps
from traffic_lights.players.contestants import EXACT, shared_tablebase
from traffic_lights.players.horizon import horizon_choices
from traffic_lights.storage.files import StorageError, read_json
from traffic_lights.system.folders import shipped_tables
from traffic_lights.training.programmes import starting_positions

FILE_NAME: Final = "best_scores.json"
_LARGEST_FILE: Final = 1 << 16
_FORMAT: Final = "traffic-lights-best-scores"
HORIZONS: Final = (1, 2, 3, 4, 5, 6, 7, 8)
"""The depths of the Horizons whose best scores come with the program."""


@dataclass(frozen=True, slots=True)
class BestScore:
    """The best chance to win against an opponent, from 0 to 1, by seat."""

    first: float | None
    """As Player 1; None if nobody computed it."""
    second: float = 1.0
    """As Player 2: the empty board is lost for the first player."""
    is_bound: bool = False
    """Whether *first* is only an upper bound."""

    @property
    def total(self) -> float | None:
        """The best score with seats swapped every game; None if not known."""
        return None if self.first is None else (self.first + self.second) / 2


_FIELDS: Final = {"first", "second", "is_bound"}


def best_score(opponent: str) -> BestScore:
    """Return the best possible score against the *opponent* of that name."""
    if opponent == EXACT:
        return BestScore(0.0)
    return _stored().get(opponent, BestScore(None))


@cache
def _stored() -> dict[str, BestScore]:
    """Return the scores that come with the program; none if their file is gone or damaged."""
    try:
        return from_json(read_json(shipped_tables() / FILE_NAME, _LARGEST_FILE))
    except (ValueError, StorageError):
        return {}


def from_json(value: object) -> dict[str, BestScore]:
    """Return the scores that `as_json` made *value* of; raise ValueError otherwise."""
    if not isinstance(value, dict) or value.get("format") != _FORMAT:
        raise ValueError(f"{str(value)[:60]!r} holds no best scores")
    scores = value.get("best")
    if not isinstance(scores, dict):
        raise ValueError("best scores are no object")
    return {name: _score(name, plain) for name, plain in scores.items()}


def _score(name: str, plain: object) -> BestScore:
    """Return what *plain* says of *name*; raise ValueError if that is no score."""
    score = BestScore(**plain) if isinstance(plain, dict) and set(plain) == _FIELDS else None
    if (
        score is None
        or not (score.first is None or _is_share(score.first))
        or not _is_share(score.second)
        or type(score.is_bound) is not bool
    ):
        raise ValueError(f"{name[:40]!r} has no score from 0 to 1")
    return score


def _is_share(value: float) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1


def as_json(scores: dict[str, BestScore]) -> dict[str, Any]:
    """Return *scores* as the value of the file that comes with the program."""
    return {
        "format": _FORMAT,
        "version": 1,
        "command": "python -m traffic_lights.evaluate --best-possible",
        "best": {
            name: {
                "first": None if score.first is None else round(score.first, 12),
                "second": score.second,
                "is_bound": score.is_bound,
            }
            for name, score in scores.items()
        },
    }


def compute_all() -> Iterator[tuple[str, BestScore]]:
    """Compute (opponent, best score) one after the other: about two minutes in all."""
    for policy in BASELINES.values():
        chance = _bound(policy) if policy.tires else best_chance(policy.actions)
        yield policy.key, BestScore(chance, is_bound=policy.tires)
    tablebase = shared_tablebase()
    for depth in HORIZONS:
        choices = horizon_choices(tablebase, depth)
        yield f"horizon-{depth}", BestScore(best_chance(choices))
    yield EXACT, BestScore(best_chance(traps(tablebase).best_actions))


def _bound(policy: Policy) -> float:
    """Return the mean of the best chances against *policy* if it is known when it tires."""
    fewest, most = policy.lasts
    # Player 2 makes at most this many moves, so a longer range is no different.
    moves = LONGEST_GAME // 2
    chances = {
        n: best_chance(_tiring(policy, min(n, moves))) for n in range(fewest, min(most, moves) + 1)
    }
    lengths = range(fewest, most + 1)
    return sum(chances[min(n, moves)] for n in lengths) / len(lengths)


def _tiring(policy: Policy, moves: int) -> Choices:
    """Return the choices of a player that follows *policy* for its first *moves* moves."""
    return lambda state: (policy.actions if ply(state) // 2 < moves else legal_actions)(state)


def best_chance(opponent: Choices, seat: int = 0) -> float:
    """Return the best chance to win from the empty board in *seat* against *opponent*.

    See `best_chances`.
    """
    return best_chances(opponent, seat)[EMPTY_BOARD]


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
