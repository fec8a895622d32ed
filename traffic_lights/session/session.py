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
from dataclasses import replace

from traffic_lights.board.rules import Action, is_terminal
from traffic_lights.board.solver import Tablebase
from traffic_lights.players.game import HUMAN as HUMAN
from traffic_lights.players.game import Game as Game
from traffic_lights.players.game import Player as Player
from traffic_lights.session.phases import BotRequest as BotRequest
from traffic_lights.session.phases import First as First
from traffic_lights.session.phases import Outcome as Outcome
from traffic_lights.session.phases import Phase as Phase
from traffic_lights.session.phases import Result as Result
from traffic_lights.session.review import Mistake, Review, find_mistakes
from traffic_lights.session.turns import Players as Players
from traffic_lights.session.turns import Turns
from traffic_lights.session.verdicts import HINT_STEPS, Hint, Verdict, hint, judge


class Session(Turns):
    """One game under way with everything that can truthfully be said about it."""

    def __init__(self, rng: random.Random, now: Callable[[], float]) -> None:
        """Begin a game of two persons; *rng* decides who starts, *now* is in seconds since 1970."""
        super().__init__(rng, now)
        self._tablebase: Tablebase | None = None

    # Truth: values, hints, verdicts

    @property
    def tablebase(self) -> Tablebase | None:
        """Return the exact solution, or None while it is being solved."""
        return self._tablebase

    @tablebase.setter
    def tablebase(self, tablebase: Tablebase | None) -> None:
        """Take the solution; what waited for it can be asked from now on."""
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
