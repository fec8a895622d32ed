"""A second learner: the tests compare the one of the program with it.

Estimates and proofs are two dicts by canonical position, and nothing is there for speed.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from traffic_lights.board import rules
from traffic_lights.board.baselines import Policy
from traffic_lights.board.rules import EMPTY_BOARD, Action, State, is_terminal, legal_actions, mover
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.exploration import Explore, at_random, one_of
from traffic_lights.learning.update_rules import UPDATE_RULES, Move

WIN: Final = 10_000
"""The value of a win: values are whole numbers, so that a table holds them with four decimals."""
LOSS: Final = -WIN


@dataclass
class Learner:
    """Learns from its games against one *opponent*, or against itself if that is None.

    A value belongs to the position *after* a move, and to the player who made the move. A position
    is canonical: it stands for its mirror images too.
    """

    opponent: Policy | None
    rule: str
    alpha: float
    gamma: float
    explore: Explore = at_random
    visits: dict[State, int] = field(default_factory=dict)
    """How often each position was met; the program clears it before each batch of games."""
    estimates: dict[State, int] = field(default_factory=dict)
    """The values of the moves that were tried, between LOSS and WIN."""
    proofs: dict[State, int] = field(default_factory=dict)
    """WIN or LOSS, where the result is certain."""
    rows: set[State] = field(default_factory=set)
    """The positions in which a move was learned or proven: the rows of its table."""
    before: dict[State, set[State]] = field(default_factory=dict)
    """The rows with a move into each position."""

    def value(self, after: State) -> int:
        """Return what a move to the position *after* is worth; 0 if nothing is known of it."""
        proof = self.proofs.get(after)
        if proof == WIN:
            return WIN
        # A bot may fail to punish a losing move, so what it was worth so far still counts.
        return self.estimates.get(after, LOSS if proof == LOSS else 0)

    def highest_value(self, state: State) -> int:
        return max(self.value(after) for after in moves_of(state).values())

    def choose(self, state: State, epsilon: float, source: random.Random) -> Action:
        """Explore with the probability *epsilon*; otherwise return a move of highest value."""
        moves = moves_of(state)
        if epsilon and source.random() < epsilon:
            not_losing = [a for a, after in moves.items() if self.proofs.get(after) != LOSS]
            return self.explore(state, not_losing or list(moves), self.visits, source)
        highest = self.highest_value(state)
        best = [action for action, after in moves.items() if self.value(after) == highest]
        if highest == 0:
            # A move that was tried and is worth 0 is better than an unknown one.
            best = [action for action in best if moves[action] in self.estimates] or best
        return one_of(best, source)

    def play_game(self, number: int, epsilon: float, source: random.Random) -> None:
        """Play game *number*, whose parity decides the seat, and learn from it."""
        opponent = self.opponent
        seats = (0, 1) if opponent is None else (number % 2,)
        # Some bots tire: after so many of their moves they play any.
        tires_after = 0 if opponent is None else one_of_range(opponent.lasts, source)
        game: list[Move] = []
        state = EMPTY_BOARD
        while not self.is_over(state, seats):
            self.visits[state] = self.visits.get(state, 0) + 1
            if opponent is None or mover(state) in seats:
                action = self.choose(state, epsilon, source)
            elif len(game) // 2 < tires_after:
                action = one_of(opponent.actions(state), source)
            else:
                action = one_of(legal_actions(state), source)
            after = canonical(rules.play(state, action))
            game.append((state, action, after))
            state = after
        # If the empty board is proven, there is nothing to play.
        if game:
            last_mover_won = is_terminal(state) or self.proofs[state] == WIN
            self.learn(game, seats, WIN if last_mover_won else LOSS)

    def is_over(self, state: State, seats: Sequence[int]) -> bool:
        """Return whether a game ends in *state* for a learner that has the *seats*."""
        if is_terminal(state):
            return True
        proof = self.proofs.get(state)
        if self.opponent is None:
            return proof is not None
        # Only a proven win of the learner ends the game, because a bot may not find its own. The
        # proof belongs to the player who moved to the position.
        return proof == (LOSS if mover(state) in seats else WIN)

    def learn(self, game: Sequence[Move], seats: Sequence[int], result: int) -> None:
        """Learn from *game*; *result* is WIN or LOSS for the player who made the last move."""
        targets = UPDATE_RULES[self.rule].targets
        if targets is None:
            self.learn_to_the_start(game, seats, result)
            return
        for (state, _, after), target in targets(game, result, self.gamma, self):
            if mover(state) in seats:
                self.move_towards(state, after, target)

    def learn_to_the_start(self, game: Sequence[Move], seats: Sequence[int], result: int) -> None:
        """Learn by the rule *terminal*: from the last move to the first, with fresh targets."""
        last_state, _, end = game[-1]
        if is_terminal(end):
            self.prove(end, WIN)
        last_seat = mover(last_state)
        targets: dict[int, float] = {last_seat: result, 1 - last_seat: -result}
        winner = last_seat if result == WIN else 1 - last_seat
        for state, _, after in reversed(game):
            seat = mover(state)
            if seat in seats or seat == winner:
                self.move_towards(state, after, targets[seat])
                targets[seat] = self.highest_value(state)
            elif after in self.proofs:
                self.add_row(state)

    def move_towards(self, state: State, after: State, target: float) -> None:
        """Move the estimate of the move from *state* to *after* by alpha towards *target*."""
        self.add_row(state)  # first, because this may prove *state*
        proof = self.proofs.get(after)
        # A proven move needs no estimate, unless it loses against a bot that may not find the win.
        # Then it has one where all moves lose, or if it was tried before.
        is_lost_anyway = self.proofs.get(state) == WIN
        if proof == WIN or (proof == LOSS and self.opponent is None):
            return
        if proof == LOSS and after not in self.estimates and not is_lost_anyway:
            return
        old = self.estimates.get(after, 0)
        new = round(old + self.alpha * (target - old))
        self.estimates[after] = max(LOSS + 1, min(new, WIN - 1))

    def add_row(self, state: State) -> None:
        """Give *state* a row, and prove what follows from the positions after it."""
        if state not in self.rows:
            self.rows.add(state)
            for after in moves_of(state).values():
                self.before.setdefault(after, set()).add(state)
            self.decide(state)

    def decide(self, state: State) -> None:
        """Prove the result of *state*, if the positions after it prove one."""
        proofs = [self.proofs.get(after) for after in moves_of(state).values()]
        if WIN in proofs:
            self.prove(state, LOSS)
        elif all(proof == LOSS for proof in proofs):
            self.prove(state, WIN)

    def prove(self, after: State, proof: int) -> None:
        """Note that a move to the position *after* is certain to WIN or LOSS, and go back."""
        if after not in self.proofs:
            self.proofs[after] = proof
            if self.opponent is None:
                self.estimates.pop(after, None)
            for state in self.before.get(after, ()):
                self.decide(state)


def moves_of(state: State) -> dict[Action, State]:
    """Return the canonical position after each legal action in *state*."""
    return {action: canonical(rules.play(state, action)) for action in legal_actions(state)}


def one_of_range(bounds: tuple[int, int], source: random.Random) -> int:
    low, high = bounds
    return one_of(range(low, high + 1), source)
