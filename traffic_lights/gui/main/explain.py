"""Explain a position: show the values of all moves, and what follows a mistake."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from traffic_lights.board.games import PlayerError
from traffic_lights.board.rules import (
    LONGEST_GAME,
    STEPS,
    Action,
    State,
    complete_lines,
    format_cell,
    is_terminal,
    legal_actions,
)
from traffic_lights.gui.kit.board_view import MoveValue, MoveValues, Picture
from traffic_lights.gui.kit.jobs import LatestJob
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.messages import Message
from traffic_lights.gui.main.seats import has_trained_bot
from traffic_lights.learning.qtable import QTable
from traffic_lights.play import learned, texts
from traffic_lights.play.commands import STILL_SOLVING
from traffic_lights.play.game import Player
from traffic_lights.play.verdicts import BEST_PLAY, LEARNED, Verdict
from traffic_lights.play.view import view

STEP_MS: Final = 700
END_MS: Final = 2500
"""How long the last picture of what follows a mistake stays."""


def exact_values(moves: Sequence[Verdict]) -> MoveValues:
    """Return the values of *moves* by best play; late wins and losses are pale."""
    values: dict[Action, MoveValue] = {}
    for move in moves:
        is_best = move.rank == 0 or move.distance == move.best_distance
        text = texts.value_badge(move.distance)
        values[move.action] = MoveValue(_shade(move.distance), text, is_best)
    return values


def _shade(distance: int) -> float:
    """Return the colour of a move to a win or a loss in *distance* plies, from -1 to 1."""
    strength = 1 - 0.6 * distance / LONGEST_GAME
    return strength if distance % 2 else -strength


def learned_values(table: QTable, state: State) -> MoveValues:
    """Return what *table* holds of the moves in *state*."""
    actions = () if is_terminal(state) else legal_actions(state)
    found = ((action, learned.learned_value(table, state, action)) for action in actions)
    return {action: MoveValue(value.value, value.text) for action, value in found}


class WantedValues:
    """The values that the player wants to see: exact ones, or what a bot at the board learned."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._reading = LatestJob(context.root)
        self._found: Mapping[Player, QTable | str | None] = {}
        """The tables of the bots at the board, as soon as they are wanted, or why one could not be
        read; None while it is being read, and for a bot without one."""
        context.on_bots.append(self._forget)

    def shown(self) -> tuple[MoveValues, str]:
        """Return the values of the moves in the present position, and how to read them."""
        session = self._context.session
        state = session.now.state
        if self._found.keys() != {*session.now.bots}:  # one may have changed when it comes back
            self._forget()
        show = session.wanted_values()
        is_learned = show == LEARNED and has_trained_bot(self._context)
        if is_terminal(state) or not (is_learned or show == BEST_PLAY):
            return {}, ""
        if session.hides_values:
            return {}, texts.VALUES_HIDDEN
        moves = session.ranked_moves()
        if not is_learned:
            if moves:
                session.note_values_seen()
            return exact_values(moves), texts.VALUES_LEGEND if session.is_solved else STILL_SOLVING
        # Of two bots, the one to move comes first.
        is_trained = self._context.roster.is_trained
        bot = next(bot for bot in session.now.bots if is_trained(bot.bot or ""))
        table = self._table(bot)
        if isinstance(table, str):
            return {}, table
        session.note_values_seen()
        why = learned.why_promising(table, state, moves)
        return learned_values(table, state), f"{learned.legend(bot.name, table)} {why}".rstrip()

    def _table(self, bot: Player) -> QTable | str:
        """Return the table of *bot*, or why it is not shown: "" while it is being read."""
        if not self._found:
            context = self._context
            bots = context.session.now.bots

            def keep(found: Mapping[Player, QTable | str | None]) -> None:
                self._found = found
                context.window.draw()

            self._found = dict.fromkeys(bots)
            self._reading.run(lambda: {bot: self._read(bot) for bot in bots}, keep, context.warn)
        return self._found.get(bot) or ""

    def _read(self, bot: Player) -> QTable | str | None:
        """Return the table of *bot*, if it has one, or why it cannot be read, in a sentence."""
        roster = self._context.roster
        try:
            return roster.table(bot.bot or "") if roster.is_trained(bot.bot or "") else None
        except PlayerError as error:
            return f"{texts.sentence(str(error))}."

    def _forget(self) -> None:
        self._reading.drop()
        self._found = {}


def play_out(context: Context, move: Verdict) -> None:
    """Show *move* and best play after it on the board, until that ends or another message."""
    session = context.session
    players = session.now.game.players if session.now.shows_moves else None
    text = texts.what_follows(move, players)
    if move.is_mistake and not move.is_blunder and not session.hides_values:
        text += f" {texts.verdict_text(move, players)}"
    heading = f"After {format_cell(move.action)}"
    moves = (move.action, *move.replies)
    _show_moves(context, (move.state, None), moves, text=text, heading=heading)


def show_try(context: Context, tried: Verdict) -> None:
    """Show what a try has changed: the move *tried*, a wrong one with the reply."""
    move = tried.state + STEPS[tried.action], tried.action
    task = context.session.now.task
    assert task is not None
    if task.refuted:  # the move was not made
        text = view(context.session).detail
        _show_moves(context, move, tried.replies[:1], text=text, say=context.changed)
    elif task.is_answered:  # the reply comes after a moment
        _show_moves(context, move, (), text="Right.", end_ms=STEP_MS, say=context.changed)
    else:
        context.changed()


def _show_moves(
    context: Context,
    start: tuple[State, Action | None],
    moves: Sequence[Action],
    *,
    text: str,
    heading: str = "",
    end_ms: int = END_MS,
    say: Callable[[Message], None] | None = None,
) -> None:
    """Show *start*, a position and the move before it, and then *moves*, on the board.

    The game comes back after *end_ms*, or when another message comes. *say* shows the start, if the
    session has changed before it.
    """
    state, last = start
    picture = Picture(state, last, complete_lines(state))
    shown = Message(text, heading=heading, picture=picture)

    def advance() -> None:
        if context.shown is shown and moves:
            after = state + STEPS[moves[0]], moves[0]
            _show_moves(context, after, moves[1:], text=text, heading=heading, end_ms=end_ms)
        elif context.shown is shown:
            context.say("")

    (say or context.say)(shown)
    context.root.after(STEP_MS if moves else end_ms, advance)
