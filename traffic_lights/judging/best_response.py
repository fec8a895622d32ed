"""The best possible score against each opponent, which no player can exceed.

It is computed backwards over the whole game (expectimax). An opponent that tires does not show
when, so the mean over all lengths, as if each were known, is only an upper bound. Each opponent
takes about ten seconds, so the results come with the program in a file.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cache
from statistics import fmean
from typing import Final

from traffic_lights.board.baselines import Choices, Policy
from traffic_lights.board.positions import contains, one_move_from_the_end
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    LONGEST_GAME,
    STEPS,
    State,
    legal_actions,
    ply,
)
from traffic_lights.board.symmetry import canonical
from traffic_lights.judging.proof import successors
from traffic_lights.players.roster import Entry, Group, Roster
from traffic_lights.storage.files import StorageError, read_json
from traffic_lights.system.folders import shipped_tables

FILE_NAME: Final = "best_scores.json"
HORIZONS: Final = range(1, 9)
"""The depths whose best possible scores come with the program, next to those of the roster."""


def best_score(opponent: Entry) -> float | None:
    """Return the best chance of Player 1 against *opponent*; None if it is not known.

    Player 2 can always win.
    """
    is_shipped = opponent.group in (Group.LEVEL, Group.BASELINE, Group.LADDER)
    return _stored().get(opponent.key) if is_shipped else None


@cache
def _stored() -> dict[str, float]:
    try:
        plain = read_json(shipped_tables() / FILE_NAME)
    except StorageError:
        return {}
    return {key: score["first"] for key, score in plain["best"].items()}


def compute_all() -> Iterator[tuple[str, dict[str, float | bool]]]:
    """Compute the row of each opponent for the file, which takes five minutes in all."""
    roster = Roster()
    keys = [*(entry.key for entry in roster.entries()), *(f"horizon-{n}" for n in HORIZONS)]
    for key in dict.fromkeys(keys):
        strategy = roster.entry(key).strategy()
        assert strategy is not None, f"{key} comes with the program"
        first = round(best_first(strategy), 12)
        yield key, {"first": first, "second": 1.0, "is_bound": strategy.tires}


def best_first(strategy: Policy) -> float:
    """Return the mean best chance of Player 1 if it knew when the opponent tires."""
    actions, (fewest, most) = strategy.actions, strategy.lasts

    @cache
    def chance(moves: int) -> float:
        return best_chance(
            lambda state: (actions if ply(state) // 2 < moves else legal_actions)(state)
        )

    # Player 2 makes at most LONGEST_GAME // 2 moves, so longer phases make no difference.
    return fmean(chance(min(n, LONGEST_GAME // 2)) for n in range(fewest, most + 1))


def best_chance(opponent: Choices, start: State = EMPTY_BOARD) -> float:
    """Return the best chance to win against *opponent* for the player to move in *start*.

    *opponent* must treat mirror images alike. From the empty board it takes about 10 s.
    """
    layers = [array("i", [canonical(start)])]
    while layers[-1]:
        layers.append(successors(layers[-1], legal_actions if len(layers) % 2 else opponent))
    wins = one_move_from_the_end()
    chances: dict[State, float] = {}
    """Of the positions of the layer after the one that is computed."""
    for number in range(len(layers) - 2, -1, -1):
        later, chances = chances, {}
        for state in layers[number]:
            if number % 2 == 0 and contains(wins, state):
                chances[state] = 1.0
            elif number % 2 == 0:
                after = [canonical(state + STEPS[action]) for action in legal_actions(state)]
                chances[state] = max([later[image] for image in after])
            else:
                # Finished positions are missing, because the opponent has won there.
                actions = opponent(state)
                after = [canonical(state + STEPS[action]) for action in actions]
                chances[state] = sum([later.get(image, 0.0) for image in after]) / len(actions)
    return chances[canonical(start)]
