"""How much faster the solver is than the plain way: ``python -m tests.bench.solver``.

The plain way is the loop that one would write first: every state from the last
to the first, its distance from those of its successors, kept in a dictionary.
It solves the part of the game in which the first two cells are red (a sixteenth
of all codes, closed under moves); the solver solves all. What is compared is
the time for a live position. That part favours the plain way a little, since
two cells have no moves there. Ratios carry over from machine to machine, times
do not.
"""

from __future__ import annotations

import time
from typing import Final

from traffic_lights.board.positions import canonical_positions, count, intersection, live_positions
from traffic_lights.board.rules import CELLS, RED, SHIFTS, STATE_CODES, STEPS, is_terminal
from traffic_lights.board.solver import Tablebase

_FIRST_TWO_RED: Final = 0b1111 << 20
_ROUNDS: Final = 5


def solve_plainly(first_state: int) -> dict[int, int]:
    """Return the distance of every live state from *first_state* on."""
    distances: dict[int, int] = {}
    for state in range(STATE_CODES - 1, first_state - 1, -1):
        if is_terminal(state):
            continue
        # A finished successor has no entry: it is lost in 0 for the side to move.
        after = [
            distances.get(state + STEPS[cell], 0)
            for cell in range(CELLS)
            if state >> SHIFTS[cell] & 3 != RED
        ]
        lost = [distance for distance in after if not distance & 1]
        distances[state] = 1 + (min(lost) if lost else max(after))
    return distances


def main() -> None:
    """Print the measured times and their ratio."""
    rounds: list[float] = []
    for _ in range(_ROUNDS):
        started = time.perf_counter()
        tablebase = Tablebase()
        rounds.append(time.perf_counter() - started)
    positions = tablebase.won + tablebase.lost

    started = time.perf_counter()
    plain = solve_plainly(_FIRST_TWO_RED)
    plain_s = time.perf_counter() - started
    for state, distance in plain.items():
        if tablebase.get_distance(state) != distance:
            raise AssertionError(f"the two solutions differ at {state:012b}")

    started = time.perf_counter()
    canonical = count(intersection(live_positions(), canonical_positions()))
    canonical_s = time.perf_counter() - started

    ours_ns = min(rounds) / positions * 1e9
    plain_ns = plain_s / len(plain) * 1e9
    print(f"solver     {min(rounds):7.3f} s  {positions:>9,} positions  {ours_ns:8.1f} ns each")
    print(f"plain loop {plain_s:7.3f} s  {len(plain):>9,} positions  {plain_ns:8.1f} ns each")
    print(f"canonical  {canonical_s:7.3f} s  {canonical:>9,} counted")
    print(f"ratio      {plain_ns / ours_ns:7.0f}")


if __name__ == "__main__":
    main()
