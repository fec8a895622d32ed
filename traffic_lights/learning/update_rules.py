"""The update rules: which moves of a game a bot learns, and towards what.

A rule is written here. The learner uses its targets, the settings and the Workshop show its texts,
and a replay shows its numbers. Only what `terminal` does is written in the learner, because it
learns while it goes back.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from traffic_lights.board.rules import Action, State

Move: TypeAlias = tuple[State, Action, State]
"""A position, the action played in it, and the position after that."""
Targets: TypeAlias = Iterable[tuple[Move, float]]
"""The moves that a rule learns, in order, and what each is moved towards."""


class LearnedValues(Protocol):
    """What a learner knows at the moment, as whole numbers from LOSS to WIN."""

    def value(self, after: State) -> int:
        """Return what a move to the position *after* is worth."""

    def highest_value(self, state: State) -> int:
        """Return what the best move in *state* is worth."""


# --- the targets ---

# They all have the same parameters: the moves of both players, the result for the player who made
# the last move, γ, and the values. The learner passes over the moves that are not its own.


def last_action(game: Sequence[Move], result: int, _gamma: float, _: LearnedValues) -> Targets:
    """Only the last move of each player, towards the result."""
    yield game[-1], result
    if len(game) > 1:
        yield game[-2], -result


def q_learning(game: Sequence[Move], result: int, gamma: float, values: LearnedValues) -> Targets:
    """Every move, towards the highest value at its player's next turn, as it was in the game."""
    # No turn follows the last two moves, but the result. The list is made before anything is
    # learned.
    targets = [gamma * values.highest_value(state) for state, *_ in game[2:]]
    return list(zip(game, [*targets, -result, result][-len(game) :], strict=True))


def monte_carlo(game: Sequence[Move], result: int, gamma: float, _: LearnedValues) -> Targets:
    """Every move, from the last to the first, towards the discounted result."""
    for number, move in enumerate(reversed(game)):
        sign = 1 if number % 2 == 0 else -1
        yield move, sign * result * gamma ** (number // 2)


# --- the rules ---

RESULT: Final = "result of the game"
NEXT_TURN: Final = "best value of the next turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateRule:
    """By which rule estimates learn from a game."""

    label: str
    """What the form calls it."""
    about: str
    """What it does, in sentences; the form shows the first."""
    formula: str
    """How it changes the estimate of a move, as the page of the learner writes it."""
    targets: Callable[[Sequence[Move], int, float, LearnedValues], Targets] | None
    """What moves are moved towards; None for `terminal`: see `Learner.learn_to_the_start`."""
    target_name: str
    """What the target of a move is, if its player has a later turn."""
    uses_gamma: bool = False
    """Whether the target is discounted."""
    why_not_own: str = "it is not the bot's own move, and this update rule proves nothing"
    """Why a move of the opponent teaches nothing, in words that can follow a colon."""
    why_not_learned: str = ""
    """Why a move of the bot may teach nothing; empty if the rule learns all of them."""


UPDATE_RULES: Final[Mapping[str, UpdateRule]] = {
    "terminal": UpdateRule(
        label="Proofs and estimates",
        about="The bot's moves and the winner's learn from the best value of their player's next "
        "turn, last move first. So the result travels through the whole game. One winning move "
        "proves a position won; if all moves lose, it is proven lost.",
        formula="Q(s, a) ← Q(s, a) + α (max Q(s′, ·) − Q(s, a)). s′ is the position at the "
        "player's next turn, and learns before s. For the last move, the result ±1 replaces max Q. "
        "What is proven stays ±1.",
        targets=None,
        target_name=NEXT_TURN,
        why_not_own="estimates learn only from the bot and from who wins, and this is not proven",
    ),
    "last-action": UpdateRule(
        label="Last move only",
        about="After a game, only the bot's last move learns, from the result. If the bot plays "
        "itself, each side's last move does. Earlier moves learn nothing, and nothing is proven.",
        formula="Q(s, a) ← Q(s, a) + α (±1 − Q(s, a)), for the bot's last move",
        targets=last_action,
        target_name=RESULT,
        why_not_learned="this update rule learns only from the bot's last move",
    ),
    "q-learning": UpdateRule(
        label="One-step Q-learning",
        about="After a game, every move of the bot learns from the value that its next turn had "
        "during the game. So the result travels back only one turn a game. Nothing is proven.",
        formula="Q(s, a) ← Q(s, a) + α (γ max Q(s′, ·) − Q(s, a)). s′ is the position at the "
        "player's next turn, with max Q as it was in the game. For the last move, ±1 replaces "
        "γ max Q.",
        targets=q_learning,
        target_name=NEXT_TURN,
        uses_gamma=True,
    ),
    "monte-carlo": UpdateRule(
        label="Monte Carlo returns",
        about="After a game, every move of the bot learns from the result. A lost game lowers its "
        "good moves too. Myopic wins nearly every game at first, so all first moves soon look "
        "lost. Nothing is proven.",
        formula="Q(s, a) ← Q(s, a) + α (±γⁿ − Q(s, a)), n turns before the last move",
        targets=monte_carlo,
        target_name=RESULT,
        uses_gamma=True,
    ),
}
"""All rules, by the names on the command line, in the order of the form."""
