"""What a replay shows: a row for each move, and the board, formula and reason of a row."""

from random import Random
from typing import Final

from traffic_lights.board.rules import (
    EMPTY_BOARD,
    format_cell,
    is_terminal,
    legal_actions,
)
from traffic_lights.gui.kit.board_view import MoveValue
from traffic_lights.gui.main.explain import learned_values
from traffic_lights.gui.workshop.formula import BLANK, formula
from traffic_lights.gui.workshop.position_values import Shown
from traffic_lights.learning.qtable import TableBot
from traffic_lights.learning.replay import GameReplay, ReplayStep
from traffic_lights.play.learned import learned_value, replayed_value

LATER: Final = "The bot is now proven to win, so the later moves teach nothing."


def rows(found: GameReplay) -> list[tuple[str, str, str]]:
    """Return the cells of each row: a move and its value before and after, the last move first."""
    return [*(_row(found, step) for step in found.steps), ("Afterwards", "", "")]


def _row(found: GameReplay, step: ReplayStep) -> tuple[str, str, str]:
    state = found.state(step.number)
    before = replayed_value(found.before, state, step.action, step.old)
    after = replayed_value(found.after, state, step.action, step.new)
    return f"{step.number + 1}. {format_cell(step.action)}", before, after


def shown_step(found: GameReplay, place: int, name: str, *, is_small: bool) -> Shown:
    """Return what the row in *place* shows of the bot *name*; a lamp that *is_small* has less."""
    if place == len(found.steps):
        return _afterwards(found, name)
    step = found.steps[place]
    known = learned_values(found.before, found.state(step.number))
    _, before, after = _row(found, step)
    number = after if is_small or before == after else f"{before} → {after}"
    return Shown(
        found.actions[: step.number],
        {**known, step.action: MoveValue(known[step.action].share, number, is_best=True)},
        notes={step.action: str(step.number + 1)},
        terms=formula(step, found.alpha) or BLANK,
        text=_reason(found, step),
    )


def _reason(found: GameReplay, step: ReplayStep) -> str:
    """Return why the value of *step* is what it is; the formula itself is shown above it."""
    alpha = found.alpha
    text = step.text(alpha)
    if formula(step, alpha):
        move = f"Move {step.number + 1}, {format_cell(step.action)}"
        way = f"{round(100 * alpha)} % of the way to the {step.target_name}"
        text = f"{move}: {way}. {text.partition('. ')[2]}"
    after = found.state(step.number + 1)
    if abs(step.new) == 1 and is_terminal(after):
        text += " It completes three."
    elif step.new == 1:
        text += " Every reply loses."
    elif step.new == -1:
        replies = (
            a for a in legal_actions(after) if learned_value(found.after, after, a).value == 1
        )
        text += f" The reply {', '.join(map(format_cell, replies))} wins."
    if step is found.steps[0] and len(found.steps) < len(found.actions):
        text += f" {LATER}"
    return text


def _afterwards(found: GameReplay, name: str) -> Shown:
    """Return what the bot would play after the replay."""
    number = 0
    plays = frozenset(TableBot(found.after, Random(0)).choices(EMPTY_BOARD))
    text = (
        f"{name} would play as before: one game moves an estimate by only {found.alpha:g} of the "
        "difference."
    )
    if found.change is not None:
        number, action = found.change
        plays = frozenset({action})
        before = format_cell(found.actions[number])
        text = f"{name} would now play {format_cell(action)} in move {number + 1}, not {before}."
    values = learned_values(found.after, found.state(number))
    return Shown(found.actions[:number], values, plays, terms=BLANK, text=text)
