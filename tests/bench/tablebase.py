"""How fast the solver and the judge are: ``python3 -m tests.bench.tablebase``.

The solver is compared with a plain loop, which goes from the last state to the first and
finds the distance of each from those of its successors, in a dictionary. That loop solves
the part of the game where the first two cells are red (a sixteenth of all codes, closed
under moves); the solver solves all of it. The times for one live position are compared.
Then the shipped complete bot plays, inside and through pipes, and is judged. Ratios carry
over from machine to machine, times do not.
"""

import shlex
import sys
import time
from collections.abc import Callable
from typing import Final, TypeVar

import traffic_lights as tl
from tests.kit.trained import judged_proofs, proof_of, shipped
from traffic_lights.board.rules import CELLS, RED, SHIFTS, STATE_CODES, STEPS, is_terminal
from traffic_lights.board.tablebase import Tablebase
from traffic_lights.judging.evaluation import evaluate
from traffic_lights.players.roster import Roster

T = TypeVar("T")
_FIRST_TWO_RED: Final = 0b1111 << 20
_GAMES: Final = 10_000


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


def timed(name: str, work: Callable[[], T]) -> tuple[T, float]:
    """Return what *work* returns and how long it took, and print that."""
    started_s = time.perf_counter()
    result = work()
    seconds = time.perf_counter() - started_s
    print(f"{name:44} {seconds:8.3f} s", flush=True)
    return result, seconds


def main() -> None:
    """Measure and print; each time is of one run on this machine."""
    tablebase, solver_s = timed("solver", Tablebase)
    plain, plain_s = timed("plain loop, a part of the game", lambda: solve_plainly(_FIRST_TWO_RED))
    for state, distance in plain.items():
        assert tablebase.get_distance(state) == distance, f"the two differ at {state:012b}"
    positions = tablebase.won + tablebase.lost
    print(f"ratio for a position {plain_s / len(plain) / (solver_s / positions):,.0f}\n")

    table, _ = timed("reading the complete table", lambda: shipped("complete"))
    roster = Roster()
    bots = roster.entry("qbot"), [roster.entry("myopic")]
    timed(f"{_GAMES:,} games against Myopic", lambda: list(evaluate(*bots, _GAMES)))
    engine = shlex.join([sys.executable, "-m", "traffic_lights.engine", "--player", "random"])
    for player in ("random", engine):
        name = f"1,000 games of Random, {'inside' if player == 'random' else 'through pipes'}"
        timed(name, lambda one=player: tl.evaluate(one, "random", 1000))  # type: ignore[misc]
    timed("proof of the complete bot", lambda: proof_of(table))
    timed("check of every proof", lambda: judged_proofs(table))


if __name__ == "__main__":
    main()
