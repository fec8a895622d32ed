"""Explain a position: show the values of all moves, and what follows a mistake."""

from collections.abc import Callable, Sequence
from typing import Final

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
from traffic_lights.gui.kit.board_view import MoveValues, Picture
from traffic_lights.gui.kit.jobs import run_job
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
    return MoveValues(
        wash={move.action: _shade(move.distance) for move in moves},
        numbers={move.action: texts.value_badge(move.distance) for move in moves},
        best=frozenset(
            move.action for move in moves if move.rank == 0 or move.distance == move.best_distance
        ),
    )


def _shade(distance: int) -> float:
    """Return the colour of a move to a win or a loss in *distance* plies, from -1 to 1."""
    strength = 1 - 0.6 * distance / LONGEST_GAME
    return strength if distance % 2 else -strength


def learned_values(table: QTable, state: State) -> MoveValues:
    """Return what *table* holds of the moves in *state*."""
    actions = () if is_terminal(state) else legal_actions(state)
    found = {action: learned.learned_value(table, state, action) for action in actions}
    return MoveValues(
        wash={action: value.value for action, value in found.items()},
        numbers={action: value.text for action, value in found.items()},
    )


class WantedValues:
    """The values that the player wants to see: exact ones, or what a bot at the board learned."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._tables: dict[Player, QTable] = {}
        """What was read of the bots at the board."""
        self._problem = ""
        """Why a table cannot be read, as a sentence; empty if all can."""
        self._wanted: frozenset[Player] | None = None
        """The bots of the latest request: the answer to an earlier one is dropped."""
        context.on_bots.append(self._forget)

    def shown(self) -> tuple[MoveValues, str]:
        """Return the values of the moves in the present position, and how to read them."""
        session = self._context.session
        show = session.wanted_values()
        is_learned = show == LEARNED and has_trained_bot(self._context)
        if not is_learned and show != BEST_PLAY:
            return MoveValues(), ""
        if is_terminal(session.now.state):
            return MoveValues(), ""
        if session.hides_values:
            return MoveValues(), texts.VALUES_HIDDEN
        if not is_learned:
            moves = session.ranked_moves()
            if moves:
                session.note_values_seen()
            legend = texts.VALUES_LEGEND if session.is_solved else STILL_SOLVING
            return exact_values(moves), legend
        self._need_tables()
        # Of two bots, the one to move comes first.
        bot = next((bot for bot in session.now.bots if bot in self._tables), None)
        if bot is None:
            return MoveValues(), self._problem
        session.note_values_seen()
        table = self._tables[bot]
        state = session.now.state
        why = learned.why_promising(table, state, session.ranked_moves())
        legend = learned.legend(bot.name, table)
        return learned_values(table, state), f"{legend} {why}".rstrip()

    def _need_tables(self) -> None:
        """Read the tables of the bots at the board, unless that is done or under way."""
        context = self._context
        roster = context.roster
        bots = frozenset(
            bot for bot in context.session.now.bots if roster.is_trained(bot.bot or "")
        )
        if self._wanted == bots:
            return
        self._problem = ""
        self._wanted = bots

        def read() -> dict[Player, QTable]:
            tables = {bot: roster.table(bot.bot or "") for bot in bots}
            return {bot: table for bot, table in tables.items() if table is not None}

        def show(tables: dict[Player, QTable], problem: str = "") -> None:
            if self._wanted is bots:
                self._tables = tables
                self._problem = problem
                context.window.draw()

        def failed(reason: str) -> None:
            show({}, f"{texts.sentence(reason)}.")

        run_job(context.root, read, show, failed)

    def _forget(self) -> None:
        self._wanted = None
        self._context.window.draw()


def play_out(context: Context, move: Verdict) -> None:
    """Show *move* and best play after it on the board, until that ends or another message."""
    session = context.session
    players = session.now.game.players if session.now.shows_moves else None
    text = texts.what_follows(move, players)
    if move.is_mistake and not move.is_blunder:
        text += f" {texts.verdict_text(move, players)}"
    heading = f"After {format_cell(move.action)}"
    moves = (move.action, *move.replies)
    _show_moves(context, (move.state, None), moves, text=text, heading=heading)


def show_try(context: Context, tried: Verdict) -> None:
    """Show what a try has changed: the move *tried*, a wrong one with its refutation."""
    shown = view(context.session)
    after = tried.state + STEPS[tried.action], tried.action
    if tried.is_blunder:
        _show_moves(context, after, tried.replies[:1], text=shown.detail, say=context.changed)
    elif shown.mistake is not None or not shown.invites:
        context.changed()
    else:  # in a lesson, the reply follows
        _show_moves(context, after, (), text="Right.", end_ms=STEP_MS, say=context.changed)


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

    def show(
        state: State, last: Action | None, left: Sequence[Action], say: Callable[[Message], None]
    ) -> None:
        picture = Picture(state, last, complete_lines(state), inviting=False)
        shown = Message(text, heading=heading, picture=picture)
        say(shown)

        def advance() -> None:
            if context.messages.shown is shown and left:
                show(state + STEPS[left[0]], left[0], left[1:], context.say)
            elif context.messages.shown is shown:
                context.say("")

        context.root.after(STEP_MS if left else end_ms, advance)

    show(*start, moves, say or context.say)
