"""Judge a player by the exact solution: its moves, every line of play, the best that it allows.

Scores from games are forgiving, because an opponent that errs again makes up for a blunder. The
*share of winning moves found* is not. Greedy play that is tied between several actions counts by
its chance to pick a winning one.

`prove` finds the player's *blunders*: possible moves that turn a won position into a lost one. The
walk goes ply by ply through every canonical position that can arise if the opponent plays anything.

The best possible score against a player takes ten seconds to compute, so these scores come with the
program in a file.

>>> from traffic_lights.board.baselines import RANDOM
>>> next(prove(RANDOM))
Walked(seat=0, ply=0, positions=1, blunders=0)
"""

import random
from array import array
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias

from traffic_lights.board.baselines import BASELINES, Choices, Policy, winning_actions
from traffic_lights.board.games import PolicyBot, play_game
from traffic_lights.board.positions import POSITIONS, contains, finished, one_move_from_the_end
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    STEPS,
    Action,
    State,
    format_cell,
    legal_actions,
)
from traffic_lights.board.symmetry import canonical, map_action, to_canonical
from traffic_lights.board.tablebase import moves_of_winner, shared_tablebase
from traffic_lights.learning.qtable import QTable
from traffic_lights.players.roster import Entry, Group
from traffic_lights.players.tables import table_strategy
from traffic_lights.storage.folders import shipped_tables
from traffic_lights.storage.kinds import ByName, Number, Record
from traffic_lights.storage.records import read_record
from traffic_lights.storage.words import counted, exact_percent

SAMPLE_SIZE: Final = 4000
BEST_SCORES: Final = "best_scores.json"
_SCORE: Final = Record({"first": Number(0, 1)})
_BEST: Final = Record({"best": ByName(_SCORE)})

Finding: TypeAlias = tuple[dict[str, Any], str]
"""Facts for ``--json``, and the same in words."""
Question: TypeAlias = tuple[State, tuple[Action, ...]]
"""A canonical state with a winning and a losing action, and its winning actions."""


# --- moves and values of a table ---


@cache
def sample(baseline: str) -> tuple[Question, ...]:
    """Return questions met in games of *baseline* against itself, always from the same seed.

    A position that is met twice is there twice, so the sample weighs what play meets.
    """
    bot = PolicyBot(BASELINES[baseline], random.Random(f"2020/{baseline}"))
    questions: list[Question] = []
    while len(questions) < SAMPLE_SIZE:
        for image in map(canonical, play_game(bot, bot).states()):
            wins = shared_tablebase().winning_actions(image)
            if 0 < len(wins) < len(legal_actions(image)):
                questions.append((image, wins))
    return tuple(questions[:SAMPLE_SIZE])


def shares(table: QTable, questions: Sequence[Question]) -> tuple[float, float]:
    """Return what share of *questions* greedy play wins on average, and *table* has a row for."""
    choices = table_strategy(table).actions
    found = 0.0
    for state, wins in questions:
        chosen = choices(state)
        found += sum(action in wins for action in chosen) / len(chosen)
    known = sum(bool(table.canonical_row(state)) for state, _ in questions)
    return found / len(questions), known / len(questions)


def judge_moves(table: QTable) -> Finding:
    """Return how often greedy play by *table* finds a winning move where it also could lose.

    About a second; the questions are made by the first call.
    """
    found = {}
    known = {}
    lines = ["In positions with both winning and losing moves, QBot plays a winning one in"]
    for name in ("random", "myopic"):
        found[name], known[name] = shares(table, sample(name))
        lines.append(
            f"  {exact_percent(found[name])} of the positions from {name.capitalize()} games "
            f"(its table has a row for {exact_percent(known[name])} of them)"
        )
    if table.is_pruned:
        lines.append(
            "This table is pruned: it knows only the positions that its own games reach. In all "
            "others it plays the first legal move.\nThese shares say nothing about the moves "
            "in its games; --proof counts its blunders there."
        )
    return {"found": found, "known": known}, "\n".join(lines)


def check_table(table: QTable) -> Finding:
    """Compare every value of *table* with the exact solution; about 6 s for a complete one.

    Its estimates and win rates are counted and not judged.
    """
    is_won = shared_tablebase().is_won
    found = dict.fromkeys(("decided", "lost", "values", "wrong", "estimates", "win_rates"), 0)
    for state in table.states():
        found["decided"] += table.proven_result(state) != 0
        for action, value in table.canonical_row(state).items():
            if abs(value) < 1.0:
                found["estimates"] += 1
            else:
                found["values"] += 1
                found["wrong"] += (value > 0) == is_won(state + STEPS[action])
    for state in table.lost_states():
        found["lost"] += 1
        found["win_rates"] += len(table.win_rate_row(state))
    return {"check": {"positions": POSITIONS, **found}}, _check_text(found)


def _check_text(found: dict[str, int]) -> str:
    text = (
        f"{found['decided']:,} of {POSITIONS:,} canonical positions are solved, {found['lost']:,} "
        f"of them as lost. The exact solution contradicts {found['wrong']:,} of its "
        f"{found['values']:,} proofs."
    )
    others = {
        "estimates": found["estimates"],
        "win rates in lost positions": found["win_rates"],
    }
    kinds = [f"{number:,} {kind}" for kind, number in others.items() if number]
    return f"{text} The table also holds {' and '.join(kinds)}." if kinds else text


# --- every line of play ---


def successors(layer: Iterable[State], choices: Choices) -> Sequence[State]:
    """Return the canonical live states to which *choices* lead from *layer*, ascending."""
    is_over = finished()
    played = {state + STEPS[action] for state in layer for action in choices(state)}
    live = {canonical(state) for state in played if not is_over[state >> 3] >> (state & 7) & 1}
    return array("i", sorted(live))


@dataclass(frozen=True, slots=True)
class Walked:
    """How far the walk is: *seat* is examined in all positions up to *ply*."""

    seat: int
    ply: int
    positions: int
    """So far, canonical and with the player to move."""
    blunders: int
    """The possible moves in them that throw a win away; mirror images count once."""


@dataclass(frozen=True, slots=True)
class Proof:
    """How the walks as Player 1 and Player 2 ended."""

    first: Walked
    second: Walked
    counterexample: tuple[Action, ...] | None
    """The shortest game from the empty board that the player loses after a blunder."""

    @property
    def positions(self) -> int:
        """How many positions the player can meet, in both seats."""
        return self.first.positions + self.second.positions

    @property
    def blunders(self) -> int:
        """How many possible moves throw a win away, in both seats."""
        return self.first.blunders + self.second.blunders

    def as_json(self) -> dict[str, Any]:
        """Return the proof as a JSON object; its name for blunders is that of version 1.0."""
        first = self.first
        second = self.second
        return {
            "positions": self.positions,
            "slips": self.blunders,
            "first": {"positions": first.positions, "slips": first.blunders},
            "second": {"positions": second.positions, "slips": second.blunders},
            "counterexample": self.counterexample,
        }

    def text(self, name: str) -> str:
        """Return the proof in sentences, a line each; *name* is that of the player."""
        lines = []
        for number, seat in ((1, self.first), (2, self.second)):
            positions = counted(seat.positions, "position")
            blunders = "never blunders"
            if seat.blunders:
                blunders = f"can blunder with {counted(seat.blunders, 'move')}"
            lines.append(f"As Player {number} {name} can meet {positions}, and {blunders}.")
        if self.blunders > self.positions:
            lines.append(
                "It often chooses at random among several moves, and each blunder among them "
                "counts."
            )
        if not self.second.blunders:
            lines.append("No player can beat it as Player 2.")
        if self.counterexample is not None:
            moves = " ".join(map(format_cell, self.counterexample))
            beaten = f"as Player {len(self.counterexample) % 2 + 1}"
            lines.append(f"The shortest game that beats it after a blunder, {beaten}: {moves}.")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Loss:
    """The shortest game that a player loses after a blunder."""

    moves: tuple[Action, ...] | None
    """From the empty board; None if the player never blunders."""

    @property
    def seat(self) -> int:
        """The seat of the player, 0 or 1: the one that does not move last."""
        return len(self.moves or ()) % 2

    def text(self, name: str) -> str:
        """Return what was found in a sentence; *name* is that of the player."""
        if self.moves is None:
            return (
                f"{name} never blunders. No player can beat it as Player 2. As Player 1, it loses "
                "only to players that never blunder either."
            )
        moves = " ".join(map(format_cell, self.moves))
        count = counted(moves_of_winner(len(self.moves)), "move")
        return f"Found: as Player {self.seat + 1}, {name} loses in {count}: {moves}"


def find_loss(strategy: Policy) -> Loss:
    """Return the shortest game that *strategy* loses after a blunder: that of its Proof.

    Much faster than `prove`, because the search ends at the first game that it finds in a seat.
    Less than a second for most players, and about ten for a perfect one that has many choices.
    """
    games = [_shortest_loss(strategy.actions, seat) for seat in (0, 1)]
    return Loss(min(filter(None, games), key=len, default=None))


def prove(strategy: Policy) -> Generator[Walked | Proof, None, None]:
    """Walk through all that *strategy* allows; yield the progress by ply, and last the Proof.

    About a second for a QBot of 60,000 rows, and at most two minutes. A strategy that
    tires is walked as it plays before. Closing the generator stops the walk.
    """
    actions = strategy.actions
    first = yield from _walk(actions, 0)
    second = yield from _walk(actions, 1)
    games = [_shortest_loss(actions, end.seat) for end in (first, second) if end.blunders]
    yield Proof(first, second, min(filter(None, games), key=len, default=None))


def _walk(choices: Choices, seat: int) -> Generator[Walked, None, Walked]:
    is_won = shared_tablebase().is_won
    layer: Sequence[State] = [EMPTY_BOARD]
    walked = Walked(seat, -1, 0, 0)
    while layer:
        number = walked.ply + 1
        positions = walked.positions
        blunders = walked.blunders
        is_own_turn = number % 2 == seat
        if is_own_turn:
            positions += len(layer)
            for state in filter(is_won, layer):
                after = {state + STEPS[action] for action in choices(state)}
                blunders += len(set(map(canonical, filter(is_won, after))))
        walked = Walked(seat, number, positions, blunders)
        yield walked
        layer = successors(layer, choices if is_own_turn else legal_actions)
    return walked


def _shortest_loss(choices: Choices, seat: int) -> tuple[Action, ...] | None:
    """Return the shortest game that the player in *seat* loses after a blunder.

    The search goes through layers of (canonical state, whether the player has blundered before),
    each with the moves of the first game that leads there, as the canonical boards have them.
    """
    is_over = finished()
    is_won = shared_tablebase().is_won
    layer: dict[tuple[State, bool], tuple[Action, ...]] = {(EMPTY_BOARD, False): ()}
    is_own_turn = seat == 0
    while layer:
        following: dict[tuple[State, bool], tuple[Action, ...]] = {}
        for (state, has_blundered), moves in layer.items():
            if has_blundered and not is_own_turn and contains(one_move_from_the_end(), state):
                return _finished_game(moves)
            can_blunder = is_own_turn and not has_blundered and is_won(state)
            for action in choices(state) if is_own_turn else legal_actions(state):
                after = state + STEPS[action]
                if not is_over[after >> 3] >> (after & 7) & 1:
                    key = canonical(after), has_blundered or (can_blunder and is_won(after))
                    if key not in following:
                        following[key] = (*moves, action)
        layer = following
        is_own_turn = not is_own_turn
    return None


def _finished_game(moves: Iterable[Action]) -> tuple[Action, ...]:
    """Return *moves* of canonical boards as those of one real board, and the move that wins."""
    board = EMPTY_BOARD
    real = list[Action]()
    for action in moves:
        _, mirror = to_canonical(board)
        played = map_action(action, mirror)
        real.append(played)
        board += STEPS[played]
    real.append(winning_actions(board)[0])
    return tuple(real)


# --- the best possible score ---


def best_score(opponent: Entry) -> float | None:
    """Return the best chance of Player 1 against *opponent*, from 0 to 1; None if not known.

    Player 2 can always win. The scores are shipped, so a new player has none.
    """
    if opponent.group not in (Group.LEVEL, Group.BASELINE, Group.LADDER):
        return None
    row = _stored().get(opponent.key)
    return None if row is None else row["first"]


@cache
def _stored() -> Any:
    return read_record(shipped_tables() / BEST_SCORES, _BEST)["best"]
