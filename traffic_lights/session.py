"""One interactive game without a window: whose turn it is, and what each wish does.

A session never calls a bot, a clock of its own or a window. Whoever shows it

- asks `phase` what a click means, and calls `play` (every click on a cell);
- after each change asks `request_bot`; if that returns a request, has its bot
  choose and hands the choice to `answer_bot`. Any change in between makes the
  request stale, and a stale answer is dropped: a late bot can lock nothing;
- hands over the `Tablebase` when it is solved. Until then values, hints and
  verdicts are None or empty, never guesses;
- reads facts here and words from `texts`.

Nothing here raises because of what a person does: every wish returns what came
of it.

>>> session = Session(random.Random(7), now=lambda: 0.0)
>>> session.new_game((HUMAN, Player("myopic", "Myopic")))
>>> session.play(5), session.phase
(<Outcome.PLAYED: 'played'>, <Phase.BOT_TURN: 'bot turn'>)
>>> request = session.request_bot()
>>> session.undo(), session.answer_bot(request.token, 0), session.state
(True, False, 0)
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from itertools import count

from traffic_lights.game import HUMAN, Game, Player, today
from traffic_lights.review import Mistake, Review, find_mistakes
from traffic_lights.rules import (
    EMPTY_BOARD,
    RED,
    SHIFTS,
    Action,
    IllegalActionError,
    State,
    colour_of,
    is_legal,
    is_terminal,
    mover,
)
from traffic_lights.solver import Tablebase
from traffic_lights.timeline import Timeline
from traffic_lights.verdicts import HINT_STEPS, Hint, Verdict, hint, judge

Players = tuple[Player, Player]


class Phase(Enum):
    """What the session waits for; every handler asks it first."""

    YOUR_TURN = "your turn"
    BOT_TURN = "bot turn"
    LOOKING_BACK = "looking back"
    OVER = "over"
    REVIEW = "review"
    SETUP = "setup"


class Outcome(Enum):
    """What came of a click on a cell."""

    PLAYED = "played"
    PLAYED_ON = "played on from an earlier move; redo brings the old line back"
    RED_CELL = "refused: the cell is red"
    BOT_CHOOSING = "refused: the bot is choosing"
    BOT_MOVES_HERE = "refused: looking back at a position in which the bot moves"
    OVER = "refused: the game is over"
    SOLVED = "review: right"
    TRY_AGAIN = "review: not winning"
    SETUP_CHANGED = "set-up: the cell has its next colour"


class First(Enum):
    """Who starts a new game, seen from the players given."""

    FIRST = "first"
    SECOND = "second"
    RANDOM = "random"
    ALTERNATE = "alternate"


@dataclass(frozen=True, slots=True)
class BotRequest:
    """The question which action the bot of *level* plays in the live *state*."""

    token: int
    state: State
    level: str
    name: str


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a game, for the statistics."""

    game: Game
    winner: int
    """The seat, 0 or 1."""


class Session:
    """One game under way, its past and its possible futures.

    *rng* decides who starts where chance shall; *now* gives seconds since 1970.
    """

    def __init__(self, rng: random.Random, now: Callable[[], float]) -> None:
        self._rng = rng
        self._now = now
        self._identities = count(1)
        self._tablebase: Tablebase | None = None
        self._review: Review | None = None
        self._setup: State | None = None
        self._view: int | None = None
        self._stand_in: Player | None = None
        self._is_paused = False
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
            return self._setup
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
        """Return whether two bots wait for `resume_bots`, after an undo or a look back."""
        return self._is_paused

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
            return self._try(cell)
        if phase is Phase.OVER or is_terminal(self.state):
            return Outcome.OVER
        if phase is Phase.BOT_TURN:
            return Outcome.BOT_CHOOSING
        if not is_legal(self.state, cell):
            return Outcome.RED_CELL
        if not self.mover_is_human:
            return Outcome.BOT_MOVES_HERE
        has_left = self._timeline.play(cell, self.index)
        self._changed()
        return Outcome.PLAYED_ON if has_left else Outcome.PLAYED

    def request_bot(self) -> BotRequest | None:
        """Return the question to the bot whose turn it is; None if no bot has to choose.

        Each call makes the requests before it stale.
        """
        player = self.choosing
        if player is None or player.bot is None or self._is_paused:
            return None
        self._generation += 1
        return BotRequest(self._generation, self.state, player.bot, player.name)

    def answer_bot(self, token: int, action: Action) -> bool:
        """Play the bot's *action*; return False, and do nothing, if the request is stale.

        Raise IllegalActionError if the bot chose one.
        """
        if token != self._generation or self.choosing is None:
            return False
        if not is_legal(self.state, action):
            raise IllegalActionError(f"a bot chose action {action!r}, which is not legal")
        self._timeline.play(action, self.index)
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

    def resume_bots(self) -> None:
        """Let two bots play on after a pause."""
        self._changed()

    def pause_bots(self) -> None:
        """Stop two bots until `resume_bots`; a person's game needs no pause."""
        if not any(player.is_human for player in self.players):
            self._changed()
            self._is_paused = True

    # New games, seats

    def new_game(
        self,
        players: Players | None = None,
        first: First = First.FIRST,
        start: State = EMPTY_BOARD,
    ) -> None:
        """Begin a new game from the live *start*; undo brings the old one back.

        *players* are those of the old game if not given, the first of them in
        seat 0 unless *first* says otherwise; ALTERNATE swaps the old game's
        seats if the players are the same two.
        """
        one, other = players or self.players
        if first is First.ALTERNATE:
            swap = (one, other) == self.players
        else:
            swap = first is First.SECOND or (first is First.RANDOM and self._rng.random() < 0.5)
        self._begin(self._fresh_game((other, one) if swap else (one, other), start))

    def set_players(self, players: Players) -> None:
        """Change who sits where in the game under way; a bot that is choosing is dropped."""
        self._timeline.game = replace(self.game, players=players)
        self._changed()

    def open_game(self, game: Game) -> None:
        """Make *game*, from a record, the present one; undo brings the old one back."""
        self._begin(replace(game, identity=next(self._identities)))

    def _fresh_game(self, players: Players, start: State) -> Game:
        return Game(
            start=start, players=players, day=today(self._now()), identity=next(self._identities)
        )

    def _begin(self, game: Game) -> None:
        self._timeline.begin(game)
        self._changed()

    def _changed(self) -> None:
        """Make every request stale and leave all that belongs to one position."""
        self._generation += 1
        self._view = self._review = self._setup = self._stand_in = None
        self._is_paused = False

    # Undo, redo, looking back

    @property
    def can_undo(self) -> bool:
        """Return whether `undo` would do something."""
        return self._setup is not None or self._review is not None or self._timeline.can_undo

    @property
    def can_redo(self) -> bool:
        """Return whether `redo` would do something."""
        return self.phase not in (Phase.SETUP, Phase.REVIEW) and self._timeline.can_redo

    def undo(self) -> bool:
        """Take back one move, against a bot a full round; return whether anything changed.

        At the start of a game the game before it comes back. In set-up and
        review it leaves them, nothing else.
        """
        if self._setup is not None or self._review is not None:
            self._changed()
            return True
        return self._settle(self._timeline.undo())

    def redo(self) -> bool:
        """Replay what was taken back, then bring back the line or game that was left."""
        if not self.can_redo:
            return False
        return self._settle(self._timeline.redo())

    def _settle(self, has_changed: bool) -> bool:
        if has_changed:
            self._changed()
            # Two bots would at once play over what was just taken back.
            self._is_paused = not any(player.is_human for player in self.players)
        return has_changed

    def go_to(self, index: int) -> None:
        """Look at the position after *index* moves, clamped to the moves that stand.

        At the last of them the game goes on. Leaves review and set-up.
        """
        index = min(max(index, 0), self.game.present)
        was_paused = self._is_paused
        self._changed()
        self._view = index if index < self.game.present else None
        self._is_paused = was_paused and self._view is None

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

    def begin_setup(self) -> None:
        """Start to set up a position, from the one on the board."""
        state = self.state
        self._changed()
        self._setup = state

    def cycle_setup(self, cell: Action, back: bool = False) -> Outcome:
        """Give *cell* its next colour in set-up, or the one before: red comes before empty."""
        if self._setup is not None:
            colour = (colour_of(self._setup, cell) + (-1 if back else 1)) % (RED + 1)
            self.set_setup(self._setup & ~(RED << SHIFTS[cell]) | colour << SHIFTS[cell])
        return Outcome.SETUP_CHANGED

    def set_setup(self, state: State) -> None:
        """Show *state* in set-up: an empty board, or one that was pasted."""
        self._generation += 1
        self._setup = state

    def finish_setup(self) -> bool:
        """Play from the position set up, as a new game; return False if a line is complete."""
        if self._setup is None or is_terminal(self._setup):
            return False
        self.new_game(start=self._setup)
        return True

    def leave(self) -> bool:
        """Step out of set-up, review or looking back; return whether there was any."""
        if self.phase not in (Phase.SETUP, Phase.REVIEW, Phase.LOOKING_BACK):
            return False
        self._changed()
        return True

    # Truth: values, hints, verdicts

    @property
    def tablebase(self) -> Tablebase | None:
        """Return the exact solution, or None while it is being solved."""
        return self._tablebase

    @tablebase.setter
    def tablebase(self, tablebase: Tablebase | None) -> None:
        self._tablebase = tablebase

    def values(self) -> dict[Action, int]:
        """Return, for each move on the board, the plies to the end: odd if its player wins.

        Empty while unknown, where the game is over, in a set-up position with
        a line, and in review until the mistake is solved.
        """
        if self._tablebase is None or is_terminal(self.state) or self.hides_truth:
            return {}
        return self._tablebase.action_distances(self.state)

    def note_values_seen(self) -> None:
        """Count it as help that values are shown while a person has to choose."""
        if self.phase is Phase.YOUR_TURN and not self.game.values_seen:
            self._timeline.game = replace(self.game, values_seen=True)

    @property
    def hides_truth(self) -> bool:
        """Return whether values and verdicts would spoil the mistake under review."""
        return self._review is not None and not self._review.is_solved

    def hint(self) -> Hint | None:
        """Return the next of the three steps of help for the position on the board.

        Counted once for each position, and only where a person has to choose.
        None while the solution is unknown, and where there is nothing to choose.
        """
        if self._tablebase is None or self.phase is not Phase.YOUR_TURN:
            return None
        state = self.state
        steps = dict(self.game.hinted)
        steps[state] = min(steps.get(state, 0) + 1, HINT_STEPS)
        self._timeline.game = replace(self.game, hinted=tuple(steps.items()))
        return hint(self._tablebase, state, steps[state])

    def verdict(self, index: int | None = None) -> Verdict | None:
        """Return the truth about the move that led to position *index*, by default the one shown.

        None while the solution is unknown, at the start, and where it would
        spoil a review.
        """
        index = self.index if index is None else index
        if self._tablebase is None or self._setup is not None or self.hides_truth:
            return None
        if not 0 < index <= len(self.game.actions):
            return None
        return judge(self._tablebase, self.game.state_at(index - 1), self.game.actions[index - 1])

    # The end of a game

    def take_result(self) -> Result | None:
        """Return the result of a game that has just ended, once for each game; else None.

        Taking the last move back and winning after all does not count again.
        """
        game = self.game
        winner = game.winner
        if winner is None or game.is_counted:
            return None
        self._timeline.game = replace(game, is_counted=True)
        return Result(game, winner)

    def mistakes(self) -> tuple[Mistake, ...]:
        """Return the mistakes of the persons in the standing moves; of the bots if none plays."""
        return () if self._tablebase is None else find_mistakes(self.game, self._tablebase)

    @property
    def review(self) -> Review | None:
        """Return the review under way, else None."""
        return self._review

    def begin_review(self) -> bool:
        """Ask for better moves, mistake by mistake; return False if there is none to better."""
        if self._tablebase is None:
            return False
        mistakes = find_mistakes(self.game, self._tablebase)
        if not mistakes:
            return False
        self._changed()
        self._review = Review(self._tablebase, mistakes)
        return True

    def step_review(self, steps: int) -> bool:
        """Go to the next mistake (1) or the previous one (-1); return whether there is one."""
        if self._review is None or not self._review.step(steps):
            return False
        self._generation += 1
        return True

    def reveal(self) -> bool:
        """Show the solution of the mistake under review; return whether there was one to show."""
        if self._review is None or self._review.is_solved:
            return False
        self._review.reveal()
        self._generation += 1
        return True

    def _try(self, cell: Action) -> Outcome:
        assert self._review is not None
        if not is_legal(self.state, cell):
            return Outcome.RED_CELL
        self._generation += 1
        return Outcome.SOLVED if self._review.attempt(cell) else Outcome.TRY_AGAIN

    # Saving

    def saved(self) -> tuple[Game, tuple[Game, ...], tuple[Game, ...]]:
        """Return the present game, and the earlier and later ones, for `restore`."""
        return self.game, self._timeline.earlier, self._timeline.later

    def restore(
        self, game: Game, earlier: tuple[Game, ...] = (), later: tuple[Game, ...] = ()
    ) -> None:
        """Continue where a saved session stopped; undo and redo go on from there."""
        games = [replace(g, identity=next(self._identities)) for g in (game, *earlier, *later)]
        split = 1 + len(earlier)
        self._timeline = Timeline(games[0], games[1:split], games[split:])
        self._changed()
