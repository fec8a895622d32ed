"""How the value of a move came about in a replay: the terms of a formula, or of a proof."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.rules import format_cell, is_terminal
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.replay import GameReplay, ReplayStep
from traffic_lights.play.texts import replayed_value
from traffic_lights.training.rerun import settings_of_last_run

LONGEST_CHAIN: Final = 4
"""The moves of a proof that the formula shows; it leaves out the middle of a longer one."""


class Term(NamedTuple):
    """A part of a formula, with the words under it."""

    text: str
    words: str = ""
    is_new: bool = False
    """Whether the step has found it."""


def learning_rate(replay: GameReplay) -> float:
    """Return how far a *replay* moves an estimate towards its target."""
    return settings_of_last_run(replay.before.meta).alpha


def both_can_expect_to_win(table: QTable) -> str:
    """Return why a move and its answer can both have values above 0; empty if they should not."""
    opponent = BASELINES.get(settings_of_last_run(table.meta).plan)
    if opponent is None:
        return ""
    return (
        "Both sides can expect to win, because the bot learned each value in its own games against "
        f"{opponent.name}."
    )


def shown_values(replay: GameReplay, step: ReplayStep) -> tuple[str, str]:
    """Return the value of the move of *step* before and after the *replay*, as badges show it."""
    state = replay.state(step.number)
    before = replayed_value(replay.before, state, step.action, step.old)
    if step.target is None and step.old == step.new and not step.no_value:
        # The badge may follow from moves after it, which the replay has changed.
        return before, before
    return before, replayed_value(replay.after, state, step.action, step.new)


def terms(replay: GameReplay, step: ReplayStep) -> list[Term]:
    """Return how the value of the move of *step* came about."""
    if step.is_proven:
        return proof(replay, step)
    if step.target is not None:
        return formula(step, learning_rate(replay))
    before, _ = shown_values(replay, step)
    return [Term(before, "nothing is\nlearned")]


def formula(step: ReplayStep, alpha: float) -> list[Term]:
    """Return how the estimate of *step* was moved by the learning rate *alpha*.

    >>> " ".join(term.text for term in formula(ReplayStep(4, 0, 0.25, 0.29, 0.46), 0.2))
    'Q ← 0.25 + 0.2 × ( 0.46 − 0.25 ) = 0.29'
    """
    assert step.target is not None
    places = step.decimals(alpha)
    old = _number(step.old, places)
    target = step.target_name.replace(" of ", " of\n")
    return [
        Term("Q"),
        Term("←"),
        Term(old, "old\nvalue"),
        Term("+"),
        Term(f"{alpha:g}", "learning\nrate"),
        Term("×"),
        Term("("),
        Term(_number(step.target, places), target),
        Term("−"),
        Term(f"({old})" if step.old < 0 else old, "old\nvalue"),
        Term(")"),
        Term("="),
        Term(_number(step.new, places), "new\nvalue", is_new=True),
    ]


def _number(value: float, places: int) -> str:
    return f"{value:.{places}f}".replace("-", "−")


def proof(replay: GameReplay, step: ReplayStep) -> list[Term]:
    """Return the moves that the proof of *step* follows from: the line first, the move last."""
    steps = {one.number: one for one in replay.steps}
    chain = [steps[number] for number in reversed(replay.chain(step.number))]
    terms: list[Term] = []
    for one in _shortened(chain):
        if terms:
            terms.append(Term("→"))
        terms.append(Term("…") if one is None else _proven(replay, one, is_new=one is step))
    return terms


def _shortened(chain: Sequence[ReplayStep]) -> Iterator[ReplayStep | None]:
    """Yield *chain*, with None instead of the middle of a long one."""
    if len(chain) <= LONGEST_CHAIN:
        yield from chain
        return
    yield chain[0]
    yield None
    yield from chain[2 - LONGEST_CHAIN :]


def _proven(replay: GameReplay, step: ReplayStep, *, is_new: bool) -> Term:
    """Return the move of *step*, with the reason why it is proven."""
    if step.new > 0:
        words = "wins: every\nreply loses"
        if is_terminal(replay.state(step.number + 1)):
            words = "wins: completes\nthree"
    else:
        words = "loses: a reply\nis known to win"
        if step.cause is not None:
            words = f"loses: allows\nmove {step.cause + 1}"
    return Term(f"{step.number + 1}. {format_cell(step.action)}", words, is_new)
