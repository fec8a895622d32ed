"""The turns of one interactive game: whose they are, what a click does, undo, seats, set-up.

`session` adds what the exact solver knows; this half needs the rules only.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import TypeAlias

from traffic_lights.board.rules import (
    EMPTY_BOARD,
    Action,
    IllegalActionError,
    State,
    is_legal,
    is_terminal,
    mover,
)
from traffic_lights.players.game import HUMAN, Game, Player, today
from traffic_lights.players.prudence import prudent
from traffic_lights.session.phases import BotRequest, First, Outcome, Phase
from traffic_lights.session.review import Review
from traffic_lights.session.set_up import SetUp
from traffic_lights.session.timeline import Timeline, renumbered

Players: TypeAlias = tuple[Player, Player]


class Turns:
    """One game under way, its past and its possible futures.

    *rng* decides who starts where chance shall; *now* gives seconds since 1970.
    """

    def __init__(self, rng: random.Random, now: Callable[[], float]) -> None:
        self._rng = rng
        self._now = now
        self._identities = count(1)
        self._review: Review | None = None
        self._setup: SetUp | None = None
        self._view: int | None = None
        self._stand_in: Player | None = None
        self._is_paused = self._is_stepping = False
        self._generation = 0
        self._timeline = Timeline(self._fresh_game((HUMAN, HUMAN), EMPTY_BOARD))

    # What is

    @property
    def phase(self) -> Phase:
        """Return what the session waits for."""
        if self._setup is not None:
            return Phase.SETUP
        if self._review is not None:
            return Phase.REVIEW
        if self._view is not None:
            return Phase.LOOKING_BACK
        if self.game.is_over:
            return Phase.OVER
        if self._stand_in is not None or not self.mover_is_human:
            return Phase.BOT_TURN
        return Phase.YOUR_TURN

    @property
    def generation(self) -> int:
        """Return a number that every change increases: equal means nothing to redraw."""
        return self._generation

    @property
    def game(self) -> Game:
        """Return the game as it stands, whatever is looked at."""
        return self._timeline.game

    @property
    def state(self) -> State:
        """Return the state on the board: the one looked at, reviewed or being set up."""
        if self._setup is not None:
            return self._setup.state
        return self.game.state_at(self.index)

    @property
    def index(self) -> int:
        """Return how many moves of the game led to the state on the board."""
        if self._review is not None:
            return self._review.index
        return self.game.present if self._view is None else self._view

    @property
    def last_action(self) -> Action | None:
        """Return the move that led to the state on the board; None at the start and in set-up."""
        if self._setup is not None or not self.index:
            return None
        return self.game.actions[self.index - 1]

    @property
    def players(self) -> Players:
        """Return who sits in seat 0 and seat 1."""
        return self.game.players

    @property
    def mover(self) -> int:
        """Return the seat to move in the state on the board."""
        return mover(self.state)

    @property
    def mover_is_human(self) -> bool:
        """Return whether a person sits in the seat to move."""
        return self.players[self.mover].is_human

    @property
    def only_human(self) -> int | None:
        """Return the seat of the only person, who is then called "you"; else None."""
        humans = [seat for seat in (0, 1) if self.players[seat].is_human]
        return humans[0] if len(humans) == 1 else None

    @property
    def is_paused(self) -> bool:
        """Return whether two bots wait for `resume_bots` or `step_bots`, and for nothing else."""
        return self._is_paused and not self.has_person

    @property
    def has_person(self) -> bool:
        """Return whether a person plays, rather than two bots."""
        return any(player.is_human for player in self.players)

    @property
    def choosing(self) -> Player | None:
        """Return the bot whose choice is awaited, a stand-in too; else None."""
        if self.phase is not Phase.BOT_TURN:
            return None
        return self._stand_in or self.players[self.mover]

    # Playing

    def play(self, cell: Action) -> Outcome:
        """Do what a click on *cell*, from 0 to 11, means in this phase."""
        phase = self.phase
        if phase is Phase.SETUP:
            return self.cycle_setup(cell)
        if phase is Phase.REVIEW:
            return self._try_better(cell)
        if phase is Phase.OVER or is_terminal(self.state):
            return Outcome.OVER
        if phase is Phase.BOT_TURN:
            return Outcome.BOT_CHOOSING
        if not is_legal(self.state, cell):
            return Outcome.RED_CELL
        if not self.mover_is_human:
            return Outcome.BOT_MOVES_HERE
        if phase is Phase.LOOKING_BACK and self.game.actions[self.index] == cell:
            self.step(1)
            return Outcome.PLAYED
        has_left = self._timeline.play(cell, self.index)
        self._changed()
        return Outcome.PLAYED_ON if has_left else Outcome.PLAYED

    def _try_better(self, cell: Action) -> Outcome:
        """Answer a click in review."""
        if self._review is None or not is_legal(self.state, cell):
            return Outcome.RED_CELL
        self._generation += 1
        return Outcome.SOLVED if self._review.attempt(cell) else Outcome.TRY_AGAIN

    def request_bot(self) -> BotRequest | None:
        """Return the question to the bot whose turn it is; None if no bot has to choose.

        Each call makes the requests before it stale.
        """
        player = self.choosing
        if player is None or player.bot is None or (self.is_paused and not self._is_stepping):
            return None
        self._generation += 1
        return BotRequest(self._generation, self.state, player.bot, player.name)

    def answer_bot(self, token: int, action: Action) -> bool:
        """Play the bot's *action*; return False, and do nothing, if the request is stale.

        In a person's place a `prudent` action is played.
        Raise IllegalActionError if the bot chose one.
        """
        if token != self._generation or self.choosing is None:
            return False
        if not is_legal(self.state, action):
            raise IllegalActionError(f"a bot chose action {action!r}, which is not legal")
        is_stand_in = self._stand_in is not None
        self._timeline.play(prudent(self.state, action) if is_stand_in else action, self.index)
        if is_stand_in:
            self._timeline.game = replace(self.game, bot_moves=self.game.bot_moves + 1)
        self._changed()
        return True

    def is_current(self, token: int) -> bool:
        """Return whether an answer to the request of *token* would still be played."""
        return token == self._generation and self.choosing is not None

    def play_for_me(self, bot: Player) -> bool:
        """Let *bot* choose this one move of the person's; return False where none is to be made."""
        if self.phase is not Phase.YOUR_TURN or bot.bot is None:
            return False
        self._changed()
        self._stand_in = bot
        return True

    def pause_bots(self) -> None:
        """Have two bots wait: a bot that is choosing is dropped, and undo or a look back go on."""
        self._is_paused = not self.has_person
        self._is_stepping = False
        self._generation += 1

    def resume_bots(self) -> None:
        """Let two bots play on after a pause, from the position that stands."""
        self._is_paused = False
        self._changed()

    def step_bots(self) -> None:
        """Let two bots make one move, and wait again; a look back is left for it."""
        self._changed()
        self.pause_bots()
        self._is_stepping = self.is_paused

    # New games, seats

    def new_game(
        self,
        players: Players | None = None,
        first: First = First.FIRST,
        start: State = EMPTY_BOARD,
    ) -> None:
        """Begin a new game from the live *start*; undo brings the old one back.

        Of *players* the first sits in seat 0 unless *first* says otherwise.
        ALTERNATE swaps the old game's seats if the players are the same two.
        Not given, they are those of the old game, who keep their seats unless
        *first* is RANDOM or ALTERNATE.
        """
        one, other = players or self.players
        if first is First.ALTERNATE:
            swap = (one, other) == self.players
        elif first is First.RANDOM:
            swap = self._rng.random() < 0.5
        else:
            swap = first is First.SECOND and players is not None
        self._begin(self._fresh_game((other, one) if swap else (one, other), start))

    def set_players(self, players: Players) -> None:
        """Change who sits where in the game under way; a bot that is choosing is dropped.

        Once a move was made, the result of such a game counts for nobody.
        """
        self._timeline.seat(players)
        self._is_paused = self.is_paused
        self._changed()

    def open_game(self, game: Game) -> None:
        """Make *game*, from a record, the present one; undo brings the old one back.

        Its result does not count: it may have been played elsewhere.
        """
        game = replace(game, is_counted=True, is_unrated=True)
        self._begin(replace(game, identity=next(self._identities)))

    def _fresh_game(self, players: Players, start: State) -> Game:
        return Game(
            start=start, players=players, day=today(self._now()), identity=next(self._identities)
        )

    def _begin(self, game: Game) -> None:
        self._is_paused = self._is_paused and game.players == self.players
        self._timeline.begin(game)
        self._changed()

    def _changed(self) -> None:
        """Make every request stale and leave all that belongs to one position."""
        self._generation += 1
        self._view = self._review = self._setup = self._stand_in = None
        self._is_stepping = False

    # Undo, redo, looking back

    @property
    def _history(self) -> Timeline | SetUp:
        """What undo and redo go through now."""
        return self._timeline if self._setup is None else self._setup

    @property
    def can_undo(self) -> bool:
        """Return whether `undo` would do something."""
        return self._review is not None or self._history.can_undo

    @property
    def can_redo(self) -> bool:
        """Return whether `redo` would do something."""
        return self._review is None and self._history.can_redo

    def undo(self) -> bool:
        """Take back one move, against a bot a full round; return whether anything changed.

        At the start of a game the game before it comes back. In set-up it takes
        back one change of the position, and a review it leaves, nothing else.
        """
        if self._review is not None:
            self._changed()
            return True
        return self._settle(self._history.undo())

    def redo(self) -> bool:
        """Replay what was taken back, then bring back the line or game that was left."""
        if not self.can_redo:
            return False
        return self._settle(self._history.redo())

    def _settle(self, has_changed: bool) -> bool:
        if has_changed and self._setup is not None:
            self._generation += 1
        elif has_changed:
            self._changed()
            # Two bots would at once play over what was just taken back.
            self._is_paused = not self.has_person
        return has_changed

    def go_to(self, index: int) -> None:
        """Look at the position after *index* moves, clamped to the moves that stand.

        At the last of them the game goes on. Leaves review and set-up.
        """
        index = min(max(index, 0), self.game.present)
        self._changed()
        self._view = index if index < self.game.present else None

    def step(self, moves: int) -> None:
        """Look *moves* further on, or back if negative."""
        self.go_to(self.index + moves)

    def play_on_from_here(self) -> bool:
        """Let the game go on from the position looked at; redo brings the later moves back."""
        if self.phase is not Phase.LOOKING_BACK:
            return False
        self._timeline.stand_at(self.index)
        self._changed()
        return True

    # Set-up

    @property
    def set_up(self) -> SetUp | None:
        """Return the position that is being set up, with its changes; None outside set-up."""
        return self._setup

    def begin_setup(self, begun: SetUp | None = None) -> None:
        """Start to set up a position, from the one on the board, or go on with the one *begun*."""
        set_up = begun or SetUp(self.state)
        self._changed()
        self._setup = set_up

    def cycle_setup(self, cell: Action, back: bool = False) -> Outcome:
        """Give *cell* its next colour in set-up, or the one before: red comes before empty."""
        if self._setup is not None:
            self.set_setup(self._setup.cycled(cell, back))
        return Outcome.SETUP_CHANGED

    def set_setup(self, state: State) -> None:
        """Show *state* in set-up: an empty board, or one that was pasted."""
        if self._setup is not None:
            self._generation += 1
            self._setup.change(state)

    def finish_setup(self) -> bool:
        """Play from the position set up, as a new game; return False if a line is complete."""
        if self._setup is None or is_terminal(self._setup.state):
            return False
        self.new_game(start=self._setup.state)
        return True

    def leave(self) -> bool:
        """Step out of set-up, review or looking back; return whether there was any."""
        if self.phase not in (Phase.SETUP, Phase.REVIEW, Phase.LOOKING_BACK):
            return False
        self._changed()
        return True

    # Saving

    def saved(self) -> tuple[Game, tuple[Game, ...], tuple[Game, ...]]:
        """Return the present game, and the earlier and later ones, for `restore`."""
        return self.game, self._timeline.earlier, self._timeline.later

    def restore(
        self, game: Game, earlier: tuple[Game, ...] = (), later: tuple[Game, ...] = ()
    ) -> None:
        """Continue where a saved session stopped; undo and redo go on from there."""
        games = renumbered((game, *earlier, *later), self._identities)
        split = 1 + len(earlier)
        self._timeline = Timeline(games[0], games[1:split], games[split:])
        self._changed()
        # Two bots would at once play over moves that were taken back.
        self._is_paused = self._timeline.redo_target() is not None
