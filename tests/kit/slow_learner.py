"""The reference learner: dicts of values, and games played by the text of the rules.

It is slow and short. It shares with the fast loops only the rules, the mirrors,
Myopic's choices and the order of random draws, so that equal seeds must give
equal values.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from traffic_lights.board.baselines import Policy
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    Action,
    State,
    is_terminal,
    legal_actions,
    mover,
    play,
)
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.episodes import EpsilonSchedule

Change = tuple[State, Action, float]
Moves = list[tuple[State, Action]]
Results = dict[int, int]
"""10,000 or -10,000 by seat."""


class SlowProver:
    """Self-play that learns proofs, as plain as it can be said."""

    def __init__(self, schedule: EpsilonSchedule) -> None:
        self.schedule = schedule
        self.epsilon = schedule.start
        self.q: dict[tuple[State, Action], float] = {}
        self.changes: list[Change] = []
        self.visits: dict[State, int] | None = None

    def is_lost(self, state: State) -> bool:
        return all(self.q.get((state, action)) == -1 for action in legal_actions(state))

    def is_won(self, state: State) -> bool:
        return any(self.q.get((state, action)) == 1 for action in legal_actions(state))

    def open_actions(self, state: State) -> list[Action]:
        return [action for action in legal_actions(state) if self.q.get((state, action)) != -1]

    def wins(self, state: State, action: Action) -> bool:
        """Return whether *action* completes a line or leads into a proven loss."""
        after = canonical(play(state, action))
        return is_terminal(after) or self.is_lost(after)

    def choose(self, state: State, rng: random.Random) -> Action:
        actions = self.open_actions(state)
        if self.visits is None or rng.random() >= self.epsilon:
            return one_of(actions, rng)
        seen = [self.visits.get(canonical(play(state, action)), 0) for action in actions]
        least = [action for action, n in zip(actions, seen, strict=True) if n == min(seen)]
        return least[int(rng.random() * len(least))]

    def play_itself(self, start: State, rng: random.Random) -> None:
        moves: Moves = []
        state = start
        while not (is_terminal(state) or self.is_won(state) or self.is_lost(state)):
            if moves and self.visits is not None:
                self.visits[state] = self.visits.get(state, 0) + 1
            moves.append((state, self.choose(state, rng)))
            state = canonical(play(*moves[-1]))
        for state, action in reversed(moves):
            wins = self.wins(state, action)
            if not wins and not self.is_won(canonical(play(state, action))):
                break
            self.q[state, action] = 1.0 if wins else -1.0
            self.changes.append((state, action, self.q[state, action]))
        self.epsilon = self.schedule.after(self.epsilon)

    def until_decided(self, starts: Iterable[State]) -> Iterator[State]:
        for state in starts:
            while not self.is_won(state) and not self.is_lost(state):
                yield state


class SlowPupil:
    """Games from the empty board with proofs and shared estimates, as plain as can be said."""

    def __init__(self, rule: str, alpha: float, gamma: float, schedule: EpsilonSchedule) -> None:
        self.rule, self.alpha, self.gamma = rule, alpha, gamma
        self.schedule = schedule
        self.epsilon = schedule.start
        self.after_value: dict[State, int] = {}
        """By canonical position after a move, in ten-thousandths."""
        self.estimate: dict[State, int] = {}
        """The estimates of positions that are proven to lose."""
        self.visited: set[State] = set()

    def row(self, state: State) -> dict[Action, float]:
        """Return the values of the canonical *state*."""
        if state not in self.visited:
            return {}
        values = {a: self.after_value.get(after, 0) for a, after in afterstates(state).items()}
        return {a: v / 10_000 for a, v in values.items() if v}

    def shown(self, state: State) -> dict[Action, float]:
        """Return the values of the canonical *state* with its hopes, as a table shows them."""
        row = self.row(state)
        return row if self.is_lost(state) else {a: self.value(state, a) / 10_000 for a in row}

    def value(self, state: State, action: Action) -> int:
        """Return what *action* is chosen by: its estimate; if it has none, its after_value."""
        after = canonical(play(state, action))
        return self.estimate.get(after) or self.after_value.get(after, 0)

    def is_won(self, state: State) -> bool:
        return 1.0 in self.row(state).values()

    def is_lost(self, state: State) -> bool:
        return list(self.row(state).values()) == [-1.0] * len(legal_actions(state))

    def open_actions(self, state: State) -> Sequence[Action]:
        """Return what is not a proven loss in the row of *state*, or all if everything is."""
        legal, row = legal_actions(state), self.row(state)
        return [action for action in legal if row.get(action) != -1] or legal

    def choose(self, state: State, rng: random.Random, plays_itself: bool) -> Action:
        if self.epsilon and rng.random() < self.epsilon:
            return one_of(self.open_actions(state), rng)
        values = self.values(state, plays_itself)
        return one_of([a for a in values if values[a] == max(values.values())], rng)

    def values(self, state: State, plays_itself: bool) -> dict[Action, int]:
        """Return what is hoped for of the actions that the learner considers in *state*."""
        actions = self.open_actions(state) if plays_itself else legal_actions(state)
        return {action: self.value(state, action) for action in actions}

    def is_over(self, state: State, seats: Sequence[int]) -> bool:
        """Return whether a game of a learner with *seats* ends in *state*."""
        if is_terminal(state) or len(seats) == 2:
            return is_terminal(state) or self.is_won(state) or self.is_lost(state)
        return self.is_won(state) if mover(state) in seats else self.is_lost(state)

    def play_game(self, seats: Sequence[int], policy: Policy | None, rng: random.Random) -> None:
        """Play one game where the learner has *seats*, and learn from it."""
        low, high = policy.lasts if policy else (0, 0)
        left = low if low == high else low + int(rng.random() * (high - low + 1))
        moves: Moves = []
        self.bests: list[int] = []
        state = EMPTY_BOARD
        while not self.is_over(state, seats):
            if mover(state) in seats:
                action = self.choose(state, rng, policy is None)
            else:
                assert policy is not None
                action = one_of((policy.actions if left > 0 else legal_actions)(state), rng)
                left -= 1
            moves.append((state, action))
            self.bests.append(max(self.values(state, policy is None).values()))
            state = canonical(play(state, action))
        wins = is_terminal(state) or self.is_lost(state)
        results = {mover(moves[-1][0]): 10_000 if wins else -10_000}
        results[1 - mover(moves[-1][0])] = -results[mover(moves[-1][0])]
        getattr(self, "learn_" + self.rule.replace("-", "_"))(moves, seats, results)
        self.epsilon = self.schedule.after(self.epsilon)

    def learn_terminal(self, moves: Moves, seats: Sequence[int], results: Results) -> None:
        goals = dict(results)
        last = canonical(play(*moves[-1]))
        if is_terminal(last):
            self.after_value[last] = 10_000
            self.propagate()
        for state, action in reversed(moves):
            seat, after = mover(state), canonical(play(state, action))
            is_known = abs(self.after_value.get(after, 0)) == 10_000
            if seat in seats and self.after_value.get(after) == -10_000:
                is_known = after not in self.estimate and not self.is_lost(state)
            if is_known:
                self.visited.add(state)
                self.propagate()
            elif seat in seats:
                self.move(state, action, goals[seat])
            if self.is_won(state):
                goals[seat] = 10_000
            elif self.is_lost(state) and len(seats) == 2:
                goals[seat] = -10_000
            else:
                goals[seat] = max(self.values(state, len(seats) == 2).values())

    def learn_last_action(self, moves: Moves, seats: Sequence[int], results: Results) -> None:
        for state, action in moves[:-3:-1]:
            if mover(state) in seats:
                self.move(state, action, results[mover(state)])

    def learn_bootstrap(self, moves: Moves, seats: Sequence[int], results: Results) -> None:
        for index, (state, action) in enumerate(moves):
            goal: float = results[mover(state)]
            if index + 2 < len(moves):
                goal = self.gamma * self.bests[index + 2]
            if mover(state) in seats:
                self.move(state, action, goal)

    def learn_monte_carlo(self, moves: Moves, seats: Sequence[int], results: Results) -> None:
        goals: dict[int, float] = dict(results)
        for state, action in reversed(moves):
            if mover(state) in seats:
                self.move(state, action, goals[mover(state)])
                goals[mover(state)] *= self.gamma

    def move(self, state: State, action: Action, goal: float) -> None:
        """Move the estimate of *action* towards *goal*, if there is one to be moved."""
        after = canonical(play(state, action))
        is_lost = self.after_value.get(after) == -10_000
        start = self.estimate.get(after, 0) if is_lost else self.after_value.get(after, 0)
        if start == 10_000 or (is_lost and self.rule != "terminal"):
            return
        steps = max(-9999, min(9999, round(start + self.alpha * (goal - start)))) or 1
        if is_lost:
            self.estimate[after] = even(steps)
        else:
            self.after_value[after] = steps
        self.visited.add(state)
        self.propagate()

    def propagate(self) -> None:
        """Prove all that follows from what is proven, over and over until nothing is new."""
        while True:
            won = {s: -10_000 for s in self.visited if self.is_won(s)}
            decided = won | {s: 10_000 for s in self.visited if self.is_lost(s)}
            if all(self.after_value.get(state) == steps for state, steps in decided.items()):
                return
            for state in won:
                if abs(estimate := self.after_value.get(state, 0)) < 10_000 and estimate:
                    self.estimate[state] = even(estimate)
            self.after_value |= decided


@cache
def afterstates(state: State) -> dict[Action, State]:
    """Return the canonical position after each action of *state*."""
    return {action: canonical(play(state, action)) for action in legal_actions(state)}


def even(steps: int) -> int:
    """Return *steps* as a estimate holds them: even, not 0, and no proof."""
    return max(-9998, steps - steps % 2) or 2


def one_of(actions: Sequence[Action], rng: random.Random) -> Action:
    """Return one of *actions*, asking rate only if there is a choice."""
    return actions[int(rng.random() * len(actions))] if len(actions) > 1 else actions[0]
