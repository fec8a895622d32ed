"""Policies, and the baseline bots, which look one move ahead at most.

To add a baseline, write its `Policy` here and name it below.

>>> MYOPIC.actions(0), RANDOM.actions(3 << 22)[:3]
((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), (1, 2, 3))
>>> winning_actions(0b0101 << 20), 2 in quiet_actions(0b01 << 22)
((2,), False)
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from traffic_lights.board.positions import contains, finished, one_move_from_the_end
from traffic_lights.board.rules import CELLS, STEPS, Action, State, legal_actions

Choices: TypeAlias = Callable[[State], tuple[Action, ...]]
"""The actions among which a player chooses in a live state, all equally likely."""

FOR_EVER: Final = (CELLS * 3, CELLS * 3)
"""More own moves than a game can have."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How a player chooses: it may tire after some moves and then plays any legal action."""

    actions: Choices
    """In ascending order, never empty; one that is there twice is twice as likely."""
    lasts: tuple[int, int] = FOR_EVER
    """It tires after a number of own moves, drawn for each game from this range."""
    is_symmetric: bool = True
    """Whether it treats mirror images alike, so that they can share their probability.

    Only a player of the user may not: training and proofs ask a player about one image for all.
    One that plays a single cell chooses it on the canonical board, with its `same_actions`.
    """
    completes_lines: bool = False
    """Whether it always completes a line if it can, unless it is tired; practice is then faster."""
    key: str = ""
    """What commands, settings and records call it: small letters, digits, hyphens."""
    name: str = ""
    """What sentences and lists call it."""
    about: str = ""
    """What it does, in one sentence for people."""
    chances: Callable[[State], Sequence[Action] | Mapping[Action, float]] | None = None
    """For exact scores, in place of *actions*; a mapping has the probability of each action."""

    @property
    def tires(self) -> bool:
        """Whether it may come to play any legal action."""
        return self.lasts != FOR_EVER


def winning_actions(state: State) -> tuple[Action, ...]:
    """Return the actions that complete a line, in ascending order."""
    # Most positions have no winning action, so one look-up saves up to twelve.
    if not contains(one_move_from_the_end(), state):
        return ()
    return _leading_into(finished(), 1, state)


def quiet_actions(state: State) -> tuple[Action, ...]:
    """Return the actions that complete no line, and after which none can be completed at once."""
    return _leading_into(one_move_from_the_end(), 0, state)


def _leading_into(packed: bytes, bit: int, state: State) -> tuple[Action, ...]:
    """Return the actions after which `contains` of *packed* is *bit*, written out for its speed."""
    found: list[Action] = []
    for action in legal_actions(state):
        after = state + STEPS[action]
        if packed[after >> 3] >> (after & 7) & 1 == bit:
            found.append(action)
    return tuple(found)


def myopic_actions(state: State) -> tuple[Action, ...]:
    """Return Myopic's choices: the winning actions, or else the quiet ones, or else all."""
    return winning_actions(state) or quiet_actions(state) or legal_actions(state)


RANDOM: Final = Policy(legal_actions, key="random", name="Random", about="Plays random moves.")
ALTERNATE: Final = Policy(
    myopic_actions,
    lasts=(10, 20),
    completes_lines=True,
    key="alternate",
    name="Alternate",
    about="Plays like Myopic for 10 to 20 of its moves, then at random.",
)
MYOPIC: Final = Policy(
    myopic_actions,
    completes_lines=True,
    key="myopic",
    name="Myopic",
    about="Wins if it can, blocks if it must, and otherwise plays at random.",
)

BASELINES: Final = {policy.key: policy for policy in (RANDOM, ALTERNATE, MYOPIC)}
"""The baselines by key, weakest first: opponents in training and practice, of curves and scores."""
