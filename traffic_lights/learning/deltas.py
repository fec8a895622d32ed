r"""The records of the delta log: one line for each value that changed, in order.

v is the value of the action, c its win rate in a lost position. Both are absolute, so a record can
be replayed any number of times.

>>> format_deltas([27 << 5 | 4 << 1 | 1], None)
b'{"s":"000000000123","a":4,"v":1.0}\n'

A loop that tries one position after the other joins the ends of its records by their common start:

>>> start = STARTS[0] + MIDDLES[27]
>>> start.join([b"", proof_end(4, 1.0), RATE_ENDS[5] + rate_texts()[9940]])
b'{"s":"000000000123","a":4,"v":1.0}\n{"s":"000000000123","a":5,"c":0.994}\n'
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from traffic_lights.board.positions import learnable, one_move_from_the_end
from traffic_lights.board.rules import (
    ALL_CELLS,
    CELLS,
    HALF_CODES,
    HALF_REDS,
    HALF_TEXTS,
    STEPS,
    Action,
)
from traffic_lights.learning.checks import fault_of
from traffic_lights.learning.qtable import LOST, RATE_STEPS, WINS_SHIFT, QTable
from traffic_lights.storage.files import DamagedFileError

# The length is bounded, so that a hostile file cannot make reading a number slow.
_ENDING: Final = re.compile(rb'","a":(\d{1,2}),"([vc])":(-?\d(?:\.\d{1,25})?(?:e[-+]?\d{1,3})?)\}')
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


def format_deltas(deltas: Sequence[int], values: Sequence[float] | None) -> bytes:
    """Return the records of *deltas* (see `episodes.Batch`), each about 0.4 µs."""
    if values is None:
        values = [1.0 if delta & 1 else -1.0 for delta in deltas]
    text = [
        f'{{"s":"{HALF_TEXTS[d >> 17]}{HALF_TEXTS[d >> 5 & 4095]}","a":{d >> 1 & 15},"v":{v!r}}}\n'
        for d, v in zip(deltas, values, strict=True)
    ]
    return "".join(text).encode("ascii")


def apply_records(table: QTable, records: bytes, source: str) -> None:
    """Set the values that *records* name in *table*.

    Raise DamagedFileError, naming *source*, at a line that is not a record of a legal action in a
    canonical live state with a value from -1 to 1 but not 0, or whose proof the rules contradict.
    """
    # Cutting at fixed places takes a third of the time of parsing each line as JSON.
    halves = HALF_CODES
    allowed = learnable()
    reds_high, reds_low = HALF_REDS
    proofs = table.proofs
    has_estimates = table.has_estimates
    decided_at_once = one_move_from_the_end()
    for line in records.splitlines():
        high = halves.get(line[6:12])
        low = halves.get(line[12:18])
        ending = _parse_ending(line[18:])
        if high is None or low is None or ending is None or line[:6] != b'{"s":"':
            raise _refusal(line, source)
        action, value, is_win_rate, proof = ending
        state = high << 12 | low
        red = reds_high[high] | reds_low[low]
        is_legal = allowed[state >> 3] >> (state & 7) & 1 and not red >> action & 1
        if not is_legal or (is_win_rate and proofs[state] != LOST):
            raise _refusal(line, source)
        if proof:
            # A proof can be wrong only if a move completes a line, or the next one does.
            row = proof | proofs[state] & ~red
            won = state + STEPS[action] if value > 0 else state
            if decided_at_once[won >> 3] >> (won & 7) & 1 or row & row >> WINS_SHIFT:
                fault = fault_of(state, ruled_out=row & ALL_CELLS, wins=row >> WINS_SHIFT)
                if fault:
                    raise _refusal(line, source, f"with {fault}")
        if is_win_rate:
            table.set_win_rate(state, action, value)
        # A proof replaces an estimate, so set it directly only in a table without any.
        elif proof and not has_estimates:
            proofs[state] |= red | proof
        else:
            table.set_value(state, action, value)
            has_estimates = table.has_estimates


# Proofs have 24 different endings, and estimates hardly ever repeat.
@lru_cache(maxsize=1024)
def _parse_ending(text: bytes) -> tuple[int, float, bool, int] | None:
    """Return what a record says after its board; None if it is not the end of one.

    That is the action, the value, whether it is a win rate, and the bit of a proof or 0.
    """
    match = _ENDING.fullmatch(text)
    if match is None or int(match[1]) >= CELLS:
        return None
    action = int(match[1])
    value = float(match[3])
    if match[2] == b"c":
        return (action, value, True, 0) if 0.0 <= value <= 1.0 else None
    if not -1.0 <= value <= 1.0 or value == 0.0:
        return None
    proofs = {-1.0: 1 << action, 1.0: 1 << action + WINS_SHIFT}
    return action, value, False, proofs.get(value, 0)


def _refusal(
    line: bytes, source: str, what: str = "that is not a record of a move"
) -> DamagedFileError:
    # Every byte is a letter of Latin-1, so showing a damaged line cannot fail.
    shown = ascii(line[:60].decode("latin-1"))
    return DamagedFileError(f"{source} holds a line {what}: {shown}")
