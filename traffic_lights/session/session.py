"""One interactive game without a window: whose turn it is, and what each command does.

A session never calls a bot or a window, and has no clock of its own. A window or
the text mode

- reads in `phase` how it should handle a click, and calls `play` for every click on a cell;
- asks `request_bot` after each change. If that returns a request, it lets the bot
  choose and calls `answer_bot`, or `fail_bot` if the bot cannot. Any change in
  between makes the request stale, and a stale answer is dropped;
- sets `tablebase` when the game is solved. Until then values, hints and verdicts
  are None or empty, never guesses;
- reads facts here and words from `texts`.

A mistake of the player raises no exception: each command returns its outcome.

>>> session = Session(now=lambda: 0.0)
>>> session.new_game((HUMAN, Player("myopic", "Myopic")))
>>> session.play(5), session.phase
(<Outcome.PLAYED: 'played'>, <Phase.BOT_TURN: 'bot turn'>)
>>> request = session.request_bot()
>>> session.undo(), session.answer_bot(request.token, 0), session.state
(True, False, 0)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from itertools import count, pairwise
from typing import Any, Final, TypeAlias

from traffic_lights.board.rules import (
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
from traffic_lights.board.solver import Tablebase
from traffic_lights.board.threats import myopic_actions
from traffic_lights.players.game import HUMAN as HUMAN
from traffic_lights.players.game import Game as Game
from traffic_lights.players.game import Player as Player
from traffic_lights.players.game import today
from traffic_lights.session.history import UndoHistory, lines_of, snapshots_of
from traffic_lights.session.review import Mistake, Review, find_mistakes
from traffic_lights.session.verdicts import (
    HINT_STEPS,
    Hint,
    RankedMove,
    Verdict,
    hint,
    judge,
    ranked_moves,
)

Players: TypeAlias = tuple[Player, Player]

MOST_LINES: Final = 50
"""So many lines of earlier and of later games are saved; those furthest away are forgotten."""


class Phase(Enum):
    """What the session waits for; every handler checks it first."""

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
    BOT_MOVES_HERE = "refused: it is the bot's turn in the position looked back at"
    OVER = "refused: the game is over"
    SOLVED = "review: right"
    TRY_AGAIN = "review: not winning"
    SETUP_CHANGED = "set-up: the cell has its next colour"


@dataclass(frozen=True, slots=True)
class BotRequest:
    """The request to the bot *player* to choose an action in *state*."""

    token: int
    state: State
    player: Player


@dataclass(frozen=True, slots=True)
class Playing:
    """The last position of the game is on the board."""

    stand_in: Player | None = None
    """The bot that chooses this one move for the human."""
    is_stepping: bool = False
    """Whether two paused bots make one move."""
    failure: str = ""
    """Why the bot to move could not choose: the game waits for a decision of the player."""


@dataclass(frozen=True, slots=True)
class LookingBack:
    """An earlier position of the game is on the board."""

    index: int
    """How many moves led to it; fewer than the game has."""


@dataclass(frozen=True, slots=True)
class SettingUp:
    """A position is set up by hand; undo and redo go through its changes."""

    positions: UndoHistory[State]


Mode: TypeAlias = Playing | LookingBack | Review | SettingUp


class Session:
    """A game with its history, and everything that is known about the position on the board."""

    def __init__(self, now: Callable[[], float]) -> None:
        """Begin a game of two persons; *now* returns seconds since 1970."""
        self.tablebase: Tablebase | None = None
        """The exact solution; None while it is computed."""
        self._now = now
        self._identities = count(1)
        self._mode: Mode = Playing()
        self._is_paused = False
        self._generation = 0
        self._history = UndoHistory(self._fresh_game((HUMAN, HUMAN), EMPTY_BOARD))

    # Facts

    @property
    def phase(self) -> Phase:
        """Return what the session waits for."""
        match self._mode:
            case SettingUp():
                return Phase.SETUP
            case Review():
                return Phase.REVIEW
            case LookingBack():
                return Phase.LOOKING_BACK
            case Playing():
                if self.game.is_over:
                    return Phase.OVER
                return Phase.YOUR_TURN if self.choosing is None else Phase.BOT_TURN

    @property
    def game(self) -> Game:
        """Return the game under way, even if another position is on the board."""
        return self._history.present

    @property
    def state(self) -> State:
        """Return the state on the board: the one looked at, reviewed or being set up."""
        if isinstance(self._mode, SettingUp):
            return self._mode.positions.present
        return self.game.state_at(self.index)

    @property
    def index(self) -> int:
        """Return how many moves of the game led to the state on the board."""
        if isinstance(self._mode, Review | LookingBack):
            return self._mode.index
        return len(self.game.actions)

    @property
    def last_action(self) -> Action | None:
        """Return the move that led to the state on the board; None at the start and in set-up."""
        if isinstance(self._mode, SettingUp) or not self.index:
            return None
        return self.game.actions[self.index - 1]

    @property
    def players(self) -> Players:
        return self.game.players

    @property
    def mover(self) -> int:
        return mover(self.state)

    @property
    def mover_is_human(self) -> bool:
        return self.players[self.mover].is_human

    @property
    def only_human(self) -> int | None:
        """Return the seat of the only human, whom texts call "you"; None if there is not one."""
        one, other = self.players
        return None if one.is_human == other.is_human else int(other.is_human)

    @property
    def has_person(self) -> bool:
        return self.game.has_person

    @property
    def is_paused(self) -> bool:
        """Return whether two bots wait for `resume_bots` or `step_bots`."""
        return self._is_paused and not self.has_person

    @property
    def choosing(self) -> Player | None:
        """Return the bot that has to choose, also in place of the human."""
        if not isinstance(self._mode, Playing) or self.game.is_over:
            return None
        player = self._mode.stand_in or self.players[self.game.mover]
        return None if player.is_human else player

    @property
    def failure(self) -> str:
        """Return why the bot to move could not choose; empty if it did not fail."""
        return self._mode.failure if isinstance(self._mode, Playing) else ""

    # Moves

    def play(self, cell: Action) -> Outcome:
        """Do what a click on *cell*, from 0 to 11, means in this phase."""
        match self._mode:
            case SettingUp():
                return self.cycle_setup(cell)
            case Review() as review:
                if not is_legal(self.state, cell):
                    return Outcome.RED_CELL
                self._generation += 1
                return Outcome.SOLVED if review.attempt(cell) else Outcome.TRY_AGAIN
        phase = self.phase
        if phase is Phase.OVER:
            return Outcome.OVER
        if phase is Phase.BOT_TURN:
            return Outcome.BOT_CHOOSING
        if not is_legal(self.state, cell):
            return Outcome.RED_CELL
        if not self.mover_is_human:
            return Outcome.BOT_MOVES_HERE
        if phase is Phase.LOOKING_BACK:
            if self.game.actions[self.index] == cell:
                self.step(1)
                return Outcome.PLAYED
            self._return_to(self.index)
        leaves_line = self.taken_back[:1] not in ((), (cell,))
        self._history.add(self.game.played(cell))
        self._changed()
        return Outcome.PLAYED_ON if leaves_line else Outcome.PLAYED

    def _changed(self, mode: Mode | None = None) -> None:
        """Enter *mode*, or play on; every request before is stale."""
        self._generation += 1
        self._mode = mode or Playing()

    # Bots

    def request_bot(self) -> BotRequest | None:
        """Return the request to the bot that has to choose, if any; earlier requests are stale."""
        player, mode = self.choosing, self._mode
        if player is None or not isinstance(mode, Playing) or mode.failure:
            return None
        if self.is_paused and not mode.is_stepping:
            return None
        self._generation += 1
        return BotRequest(self._generation, self.state, player)

    def is_current(self, token: int) -> bool:
        """Return whether an answer to the request of *token* would still be played."""
        return token == self._generation and self.choosing is not None

    def answer_bot(self, token: int, action: Action) -> bool:
        """Play the bot's *action*; return False, and do nothing, if the request is stale.

        A bot that moves for a human may not overlook a win or a threat, so another action is
        played in that case. Raise IllegalActionError if the bot chose an illegal one.
        """
        if not self.is_current(token):
            return False
        if not is_legal(self.state, action):
            raise IllegalActionError(f"a bot chose action {action!r}, which is not legal")
        if not self.mover_is_human:
            self._history.add(self.game.played(action))
        else:
            self._note(bot_moves=self.game.bot_moves + 1)
            careful = myopic_actions(self.state)
            self._history.add(self.game.played(action if action in careful else careful[0]))
        self._changed()
        return True

    def fail_bot(self, token: int, reason: str) -> bool:
        """Wait for a decision, because the bot asked cannot choose; return False if it is stale.

        Undo, another opponent or a new game are such decisions, and `resume_bots`
        asks the bot again. A bot that was to choose for the person leaves the move
        to the person.
        """
        if not self.is_current(token):
            return False
        self._changed(Playing() if self.mover_is_human else Playing(failure=reason))
        return True

    def play_for_me(self, bot: Player) -> bool:
        """Let *bot* choose this one move for the person; return False if there is none to make."""
        if self.phase is not Phase.YOUR_TURN or bot.is_human:
            return False
        self._changed(Playing(stand_in=bot))
        return True

    def pause_bots(self) -> None:
        """Let two bots wait: a bot that is choosing is dropped."""
        self._is_paused = not self.has_person
        self._generation += 1

    def resume_bots(self) -> None:
        """Let two bots play on from the position that stands, and a bot that failed try again."""
        self._is_paused = False
        self._changed()

    def step_bots(self) -> None:
        """Let two bots make one move and wait again."""
        self.pause_bots()
        self._changed(Playing(is_stepping=self.is_paused))

    # Games and seats

    def new_game(self, players: Players | None = None, start: State = EMPTY_BOARD) -> None:
        """Begin a new game from *start*, which must not be terminal; undo brings the old one back.

        Without *players* they are those of the old game. A new game is never paused.
        """
        self._begin(self._fresh_game(players or self.players, start))

    def open_game(self, game: Game) -> None:
        """Make *game*, from a record, the present one; undo brings the old one back.

        Its result does not count, because it may have been played elsewhere.
        """
        self._begin(replace(game, is_unrated=True, identity=next(self._identities)))

    def _fresh_game(self, players: Players, start: State) -> Game:
        day = today(self._now())
        return Game(start=start, players=players, day=day, identity=next(self._identities))

    def _begin(self, game: Game) -> None:
        self._put(game.until(0))
        for index in range(len(game.actions)):
            self._history.add(game.until(index + 1))
        self._is_paused = False
        self._changed()

    def _put(self, game: Game) -> None:
        """Make *game* the present one; an empty board before it is not worth a step of undo."""
        if not self.game.actions and self.game.start == EMPTY_BOARD:
            self._history.present = game
        else:
            self._history.add(game)

    def set_players(self, players: Players) -> None:
        """Change who sits where in the game under way; a bot that is choosing is dropped.

        After the first move, the result of such a game does not count.
        """
        game = self.game
        if players != game.players:
            is_unrated = game.is_unrated or bool(game.actions)
            self._put(replace(game, players=players, is_unrated=is_unrated))
        self._is_paused = self.is_paused
        self._changed(self._mode if isinstance(self._mode, SettingUp) else None)

    def play_against(self, opponent: Player) -> None:
        """Seat *opponent*, a bot or a second human, against a human player.

        The game continues with the new opponent. If it is over, a new one begins.
        """
        one, other = self.players
        if other.is_human and not one.is_human:
            players = (opponent, other)
        else:
            players = (one if one.is_human else HUMAN, opponent)
        if self.game.is_over and not isinstance(self._mode, SettingUp):
            self.new_game(players)
        else:
            self.set_players(players)

    # Undo, redo, looking back

    @property
    def taken_back(self) -> tuple[Action, ...]:
        """Return the moves of this game that redo would play again, in order."""
        game = self.game
        for later in reversed(self._history.future):
            if not later.continues(game) or len(later.actions) != len(game.actions) + 1:
                break
            game = later
        return game.actions[len(self.game.actions) :]

    def _steps_back(self) -> int:
        """Return how many snapshots one undo takes back: against a bot a full round."""
        if isinstance(self._mode, SettingUp):
            return min(len(self._mode.positions.past), 1)
        past = reversed(self._history.past)
        return next((n for n, game in enumerate(past, 1) if self._is_stop(game)), 0)

    def _steps_forward(self) -> int:
        """Return how many snapshots one redo brings back."""
        if isinstance(self._mode, Review):
            return 0
        if isinstance(self._mode, SettingUp):
            return min(len(self._mode.positions.future), 1)
        future = self._history.future[::-1]
        for steps, (game, after) in enumerate(pairwise(future), 1):
            if self._is_stop(game) or not after.continues(game):
                return steps
        return len(future)

    def _is_stop(self, game: Game) -> bool:
        """Return whether undo and redo stop at *game*: a choice of a human, or another game."""
        is_other = game.identity != self.game.identity or not game.has_person
        return is_other or game.is_over or game.players[game.mover].is_human

    @property
    def can_undo(self) -> bool:
        return isinstance(self._mode, Review) or self._steps_back() > 0

    @property
    def can_redo(self) -> bool:
        return self._steps_forward() > 0

    def undo(self) -> bool:
        """Take back one step, against a bot a full round; return whether anything changed.

        A step is a move, a new game, or a change of seats or of a set-up position. In a
        review, undo only leaves the review.
        """
        if not self.can_undo:
            return False
        match self._mode:
            case SettingUp(positions):
                positions.back()
                self._generation += 1
            case Review():
                self._changed()
            case _:
                left = self.game
                self._history.back(self._steps_back())
                self._took_back_from(left)
        return True

    def redo(self) -> bool:
        """Bring back what was taken back, and then the lines and games that were left."""
        if not self.can_redo:
            return False
        if isinstance(self._mode, SettingUp):
            self._mode.positions.forward()
            self._generation += 1
        else:
            self._history.forward(self._steps_forward())
            self._is_paused = not self.has_person
            self._changed()
        return True

    def _took_back_from(self, left: Game) -> None:
        """Count moves taken back as help; two bots would at once play over them, so they wait."""
        game = self.game
        is_shorter = len(game.actions) < len(left.actions)
        if game.has_person and game.identity == left.identity and is_shorter:
            self._note(takebacks=game.takebacks + 1)
        self._is_paused = not self.has_person
        self._changed()

    def _return_to(self, index: int) -> None:
        """Take back all but the first *index* moves; redo brings them again."""
        left, wanted = self.game, self.game.until(index)
        past = reversed(self._history.past)
        steps = next((n for n, game in enumerate(past, 1) if game == wanted), 0)
        if steps:
            self._history.back(steps)
        else:  # other players sat there, or the snapshot was not saved
            self._history.future.append(left)
            self._history.present = wanted
        self._took_back_from(left)

    def go_to(self, index: int) -> None:
        """Look at the position after *index* moves, limited to the moves of the game.

        Looking at the last position returns to the game. Leaves review and set-up.
        """
        index = min(max(index, 0), len(self.game.actions))
        self._changed(LookingBack(index) if index < len(self.game.actions) else None)

    def step(self, moves: int) -> None:
        """Look *moves* further on, or back if negative."""
        self.go_to(self.index + moves)

    def leave(self) -> bool:
        """Step out of set-up, review or looking back; return whether there was any."""
        if isinstance(self._mode, Playing):
            return False
        self._changed()
        return True

    # Set-up

    def begin_setup(self) -> None:
        """Start to set up a position, from the one on the board."""
        self._changed(SettingUp(UndoHistory(self.state)))

    def cycle_setup(self, cell: Action, back: bool = False) -> Outcome:
        """Give *cell* its next colour in set-up, or the one before: red comes before empty."""
        state = self.state
        colour = (colour_of(state, cell) + (-1 if back else 1)) % (RED + 1)
        self.set_setup(state & ~(RED << SHIFTS[cell]) | colour << SHIFTS[cell])
        return Outcome.SETUP_CHANGED

    def set_setup(self, state: State) -> None:
        """Show *state* in set-up; a line may be complete in it."""
        if isinstance(self._mode, SettingUp) and state != self.state:
            self._generation += 1
            self._mode.positions.add(state)

    def finish_setup(self) -> bool:
        """Play from the position set up, as a new game; return False if a line is complete."""
        if not isinstance(self._mode, SettingUp) or is_terminal(self.state):
            return False
        self.new_game(start=self.state)
        return True

    # Values, hints, verdicts

    @property
    def hides_truth(self) -> bool:
        """Return whether values and verdicts would spoil the mistake under review."""
        return isinstance(self._mode, Review) and not self._mode.is_solved

    def values(self) -> dict[Action, int]:
        """Return how many plies each move on the board is from the end: odd if its player wins.

        Empty while unknown, after the end of the game, in a set-up position with
        a line, and in review until the mistake is solved.
        """
        if self.tablebase is None or is_terminal(self.state) or self.hides_truth:
            return {}
        return self.tablebase.action_distances(self.state)

    def ranked_moves(self) -> tuple[RankedMove, ...]:
        """Return the moves on the board in the one order, best first; empty if `values` is."""
        if self.tablebase is None or not self.values():
            return ()
        return ranked_moves(self.tablebase, self.state)

    def note_values_seen(self) -> None:
        """Count it as help that values are shown while a human has to choose."""
        if self.phase is Phase.YOUR_TURN and not self.game.values_seen:
            self._note(values_seen=True)

    def hint(self) -> Hint | None:
        """Return the next of the three steps of help for the position on the board.

        Counted once for each position, and only while a human has to choose.
        None while the solution is unknown, and if there is nothing to choose.
        """
        if self.tablebase is None or self.phase is not Phase.YOUR_TURN:
            return None
        state = self.state
        steps = dict(self.game.hinted)
        steps[state] = min(steps.get(state, 0) + 1, HINT_STEPS)
        self._note(hinted=tuple(steps.items()))
        return hint(self.tablebase, state, steps[state])

    def _note(self, **help_taken: Any) -> None:
        """Record help in every snapshot of this game, so that undo hides none of it."""
        identity = self.game.identity

        def noted(game: Game) -> Game:
            return replace(game, **help_taken) if game.identity == identity else game

        self._history.change(noted)

    def verdict(self, index: int | None = None) -> Verdict | None:
        """Return the truth about the move that led to position *index*, by default the one shown.

        None while the solution is unknown, at the start, in set-up, and if it would
        spoil a review.
        """
        index = self.index if index is None else index
        if self.tablebase is None or isinstance(self._mode, SettingUp) or self.hides_truth:
            return None
        if not 0 < index <= len(self.game.actions):
            return None
        return judge(self.tablebase, self.game.state_at(index - 1), self.game.actions[index - 1])

    # The end of a game, review

    def take_result(self) -> Game | None:
        """Return a game that has just ended and counts, once; None otherwise.

        Taking the last move back and winning after all does not count again.
        """
        if not self.game.is_over or self.game.is_counted or self.game.is_unrated:
            return None
        self._note(is_counted=True)
        return self.game

    def mistakes(self) -> tuple[Mistake, ...]:
        """Return the mistakes of the persons in the game; of both bots if no person plays."""
        return () if self.tablebase is None else find_mistakes(self.game, self.tablebase)

    @property
    def review(self) -> Review | None:
        return self._mode if isinstance(self._mode, Review) else None

    def begin_review(self) -> bool:
        """Ask for better moves, mistake by mistake; return whether there is any mistake."""
        mistakes = self.mistakes()
        if self.tablebase is None or not mistakes:
            return False
        self._changed(Review(self.tablebase, mistakes))
        return True

    def step_review(self, steps: int) -> bool:
        """Go to the next mistake (1) or the previous one (-1); return whether there is one."""
        if not isinstance(self._mode, Review) or not self._mode.step(steps):
            return False
        self._generation += 1
        return True

    def reveal(self) -> bool:
        """Show the solution of the mistake under review; return whether there was one to show."""
        if not isinstance(self._mode, Review) or self._mode.is_solved:
            return False
        self._mode.reveal()
        self._generation += 1
        return True

    # Saving

    def saved(self) -> tuple[Game, tuple[Game, ...], tuple[Game, ...]]:
        """Return the present game, and lines of earlier and later ones, for `restore`.

        The next one to come is the last, as in a stack.
        """
        *earlier, game = lines_of([*self._history.past, self.game])
        later = lines_of(reversed(self._history.future))[:MOST_LINES]
        return game, tuple(earlier[-MOST_LINES:]), tuple(reversed(later))

    def restore(
        self, game: Game, earlier: tuple[Game, ...] = (), later: tuple[Game, ...] = ()
    ) -> None:
        """Continue a saved session with its undo and redo."""
        self._identities = count(1 + max(g.identity for g in (game, *earlier, *later)))
        *past, present = snapshots_of(self._identified((*earlier, game)))
        future = snapshots_of(self._identified(later[::-1]))
        self._history = UndoHistory(present, past, future[::-1])
        self._changed()
        # Two bots would at once play over moves that were taken back.
        self._is_paused = bool(self.taken_back) and not self.has_person

    def _identified(self, lines: tuple[Game, ...]) -> list[Game]:
        return [g if g.identity else replace(g, identity=next(self._identities)) for g in lines]
