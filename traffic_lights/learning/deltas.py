r"""The records of the delta log: one line for each value that a game or a try changed, in order.

v is the value of the action, c its measured win rate in a lost position. Both are absolute, so a
record can be replayed any number of times. An estimate is recorded once, for the position in which
it was learned. The other moves to the same position share it.

>>> format_records([(27, 4, 1.0)])
b'{"s":"000000000123","a":4,"v":1.0}\n'

A loop that tries one position after the other joins the ends of its records by their common start:

>>> start = STARTS[0] + MIDDLES[27]
>>> start.join([b"", proof_end(4, 1.0), RATE_ENDS[5] + rate_texts()[19880]])
b'{"s":"000000000123","a":4,"v":1.0}\n{"s":"000000000123","a":5,"c":0.994}\n'
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, TypeAlias

from traffic_lights.board.rules import (
    CELLS,
    HALF_CODES,
    HALF_REDS,
    HALF_TEXTS,
    Action,
    State,
)
from traffic_lights.learning.qtable import RATE_STEPS, QTable
from traffic_lights.learning.rowtable import WINS_SHIFT, RowTable

Delta: TypeAlias = tuple[State, Action, float]
"""A canonical state, an action in it, and its new value."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What a number of games, or of tries, changed."""

    games: int
    records: bytes
    """The records of the changes, in order."""
    epsilon: float = 0.0
    """ε of the next game, if they explore."""
    moved: float = 0.0
    """How far estimates were moved in all."""


STARTS: Final = tuple(f'{{"s":"{text}'.encode() for text in HALF_TEXTS)
"""The start of a record by the first half of its board."""
MIDDLES: Final = tuple(text.encode() for text in HALF_TEXTS)
"""What follows by the second half."""
RATE_ENDS: Final = tuple(f'","a":{action},"c":'.encode() for action in range(CELLS))
"""What follows in the record of a win rate by the action, before `rate_texts`."""


def proof_end(action: Action, value: float) -> bytes:
    """Return what follows the board in the record of a proven *value* of *action*."""
    return f'","a":{action},"v":{value!r}}}\n'.encode()


@cache
def rate_texts() -> tuple[bytes, ...]:
    """Return the end of a record by its win rate in RATE_STEPS."""
    return tuple(f"{steps / RATE_STEPS!r}}}\n".encode() for steps in range(RATE_STEPS + 1))


def format_records(deltas: Sequence[Delta]) -> bytes:
    """Return the records of *deltas*, each about 0.4 µs."""
    half = HALF_TEXTS
    text = [
        f'{{"s":"{half[state >> 12]}{half[state & 4095]}","a":{action},"v":{value!r}}}\n'
        for state, action, value in deltas
    ]
    return "".join(text).encode("ascii")


def apply_records(table: QTable, records: bytes) -> None:
    """Set the values that *records*, written by this module, name in *table*."""
    # Cutting at fixed places takes a third of the time of parsing each line as JSON.
    halves = HALF_CODES
    reds_high, reds_low = HALF_REDS
    proofs = table.proofs if isinstance(table, RowTable) and not table.estimates else None
    for line in records.splitlines():
        high = halves[line[6:12]]
        low = halves[line[12:18]]
        state = high << 12 | low
        action, value, is_win_rate, proof = _parse_ending(line[18:])
        if is_win_rate:
            table.set_win_rate(state, action, value)
        elif proof and proofs is not None:
            proofs[state] |= reds_high[high] | reds_low[low] | proof
        else:
            table.set_value(state, action, value)
            # A proof replaces an estimate, so it is set directly only in a table without any.
            if not proof:
                proofs = None


# Proofs have 24 different endings, and estimates hardly ever repeat.
@lru_cache(maxsize=1024)
def _parse_ending(text: bytes) -> tuple[int, float, bool, int]:
    """Return (action, value, whether that is a win rate, the bit of a proof or 0) of a record."""
    end: dict[str, float] = json.loads(b"{" + text[2:])
    action = int(end["a"])
    if "c" in end:
        return action, end["c"], True, 0
    value = end["v"]
    proofs = {-1.0: 1 << action, 1.0: 1 << action + WINS_SHIFT}
    return action, value, False, proofs.get(value, 0)
