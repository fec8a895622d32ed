"""The ladder as a person climbs it: groups of like strength, and the rung above and below.

Everything follows from the scores that were measured; no level is named here.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import groupby
from typing import Final

from traffic_lights.players.ladder import OWN_KEY, Level, Score

HARDER_FROM: Final = 0.25
STRONG_FROM: Final = 0.51
"""The chances against Myopic from which a group begins; Myopic itself is just below the second."""


class Strength(Enum):
    """How strong the opponents of a group are, in words for lists."""

    BEGINNER = "For a beginner"
    HARDER = "Harder"
    STRONG = "Strong"
    PERFECT = "Perfect"
    UNMEASURED = "Not measured"
    OWN = "Yours"


def group_of(level: Level) -> Strength:
    """Return the group of *level*, by its measured score."""
    if level.key == OWN_KEY:
        return Strength.OWN
    if level.score is None:
        return Strength.UNMEASURED
    if never_lost_as_second(level.score):
        return Strength.PERFECT
    if level.score.rate < HARDER_FROM:
        return Strength.BEGINNER
    return Strength.HARDER if level.score.rate < STRONG_FROM else Strength.STRONG


def never_lost_as_second(score: Score) -> bool:
    """Return whether every game as the second player was won: who never slips wins them all."""
    return score.second == 1


def grouped(levels: Sequence[Level]) -> list[tuple[Strength, list[Level]]]:
    """Return *levels*, in their order, under the groups that have any; groups are in order too."""
    order = list(Strength)
    sorted_levels = sorted(levels, key=lambda level: order.index(group_of(level)))
    return [(group, list(members)) for group, members in groupby(sorted_levels, group_of)]


def rungs(levels: Sequence[Level]) -> list[Level]:
    """Return the levels that can be climbed, the weakest first: measured, and able to play."""
    ordered = [level for _, members in grouped(levels) for level in members]
    return [level for level in ordered if level.score is not None and not level.problem]


def first_rung(levels: Sequence[Level]) -> Level | None:
    """Return the opponent of a first game, whom a stranger beats; None if none can play."""
    return next(iter(rungs(levels)), None)


def neighbour(levels: Sequence[Level], key: str, steps: int) -> Level | None:
    """Return the level *steps* rungs above that of *key*, or below if negative; None beyond."""
    climbed = rungs(levels)
    place = next((n for n, level in enumerate(climbed) if level.key == key), None)
    if place is None or not 0 <= place + steps < len(climbed):
        return None
    return climbed[place + steps]
