"""The learner in slow words: a dict of values, and games played by the text of the rules.

It shares with the fast loops only the rules, the mirrors, Myopic's choices and
the order in which chance is asked, so that equal seeds must give equal values
in equal order.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

from traffic_lights.board.policy import Policy
from traffic_lights.board.rules import EMPTY_BOARD, Action, State, is_terminal, legal_actions, play
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.qtable import EpsilonSchedule

Change = tuple[State, Action, float]


class SlowLearner:
    """Terminal-only Q-learning with concession, as plain as it can be said."""

    def __init__(self, alpha: float, schedule: EpsilonSchedule) -> None:
        self.alpha = alpha
        self.schedule = schedule
        self.epsilon = schedule.start
        self.q: dict[tuple[State, Action], float] = {}
        self.changes: list[Change] = []
        self.visits: dict[State, int] | None = None

    def value(self, state: State, action: Action) -> float:
        return self.q.get((state, action), 0.0)

    def is_conceded(self, state: State) -> bool:
        return all(self.value(state, action) < 0 for action in legal_actions(state))

    def is_decided(self, state: State) -> bool:
        return self.is_conceded(state) or any(
            self.value(state, action) > 0 for action in legal_actions(state)
        )

    def greedy(self, state: State) -> list[Action]:
        best = max(self.value(state, action) for action in legal_actions(state))
        return [action for action in legal_actions(state) if self.value(state, action) == best]

    def choose(self, state: State, rng: random.Random) -> Action:
        actions: Sequence[Action] = self.greedy(state)
        if self.epsilon and rng.random() < self.epsilon:
            actions = legal_actions(state)
            if self.visits is not None:
                return self._least_visited(actions, state, rng)
        return one_of(actions, rng)

    def _least_visited(self, actions: Sequence[Action], state: State, rng: random.Random) -> Action:
        assert self.visits is not None
        seen = {a: self.visits.get(canonical(play(state, a)), 0) for a in actions}
        fewest = [a for a in actions if seen[a] == min(seen.values())]
        return fewest[int(rng.random() * len(fewest))]

    def visit(self, state: State) -> None:
        if self.visits is not None:
            self.visits[state] = self.visits.get(state, 0) + 1

    def learn(self, state: State, action: Action, result: float) -> None:
        old = self.value(state, action)
        new = old + self.alpha * (result - old)
        if new != old:
            self.q[state, action] = new
            self.changes.append((state, action, new))

    def play_itself(self, start: State, rng: random.Random) -> None:
        moves: list[tuple[State, Action]] = []
        state = start
        while not is_terminal(state) and not self.is_conceded(state):
            action = self.choose(state, rng)
            moves.append((state, action))
            state = canonical(play(state, action))
            if not is_terminal(state):
                self.visit(state)
        if moves:
            self.learn(*moves[-1], +1.0)
        if len(moves) > 1:
            self.learn(*moves[-2], -1.0)
        self.epsilon = self.schedule.after(self.epsilon)

    def play_bot(self, is_first: bool, policy: Policy, rng: random.Random) -> None:
        low, high = policy.lasts
        left = low if low == high else low + int(rng.random() * (high - low + 1))
        state, own_move, is_own_turn = EMPTY_BOARD, None, is_first
        while True:
            if is_own_turn and self.is_conceded(state):
                has_won = False
                break
            if is_own_turn:
                action = self.choose(state, rng)
                own_move = state, action
            else:
                action = one_of((policy.actions if left > 0 else legal_actions)(state), rng)
                left -= 1
            state = canonical(play(state, action))
            if is_terminal(state):
                has_won = is_own_turn
                break
            self.visit(state)
            is_own_turn = not is_own_turn
        if own_move:
            self.learn(*own_move, +1.0 if has_won else -1.0)
        self.epsilon = self.schedule.after(self.epsilon)

    def until_decided(self, starts: Iterable[State]) -> Iterator[State]:
        for state in starts:
            while not self.is_decided(state):
                yield state


def one_of(actions: Sequence[Action], rng: random.Random) -> Action:
    """Return one of *actions*, asking chance only if there is a choice."""
    return actions[int(rng.random() * len(actions))] if len(actions) > 1 else actions[0]
