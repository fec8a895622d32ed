"""What it costs to lose nothing: `python -m tests.bench_durability`.

Each programme is trained with everything on (records, checksums, one sync a
second, checkpoints) and with storage switched off, in turns and in one run,
because machines are noisy: what counts is the ratio of the best of each. The
clock runs from the first batch to the last commit; writing the table at the
end is measured beside it.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any
from unittest import mock

from traffic_lights import training
from traffic_lights.runfiles import RunFiles
from traffic_lights.training import Progressed, Saved, Training

ROUNDS = 3
RUNS: tuple[dict[str, Any], ...] = (
    {"programme": "self", "games": 150_000},
    {"programme": "random", "games": 150_000},
    {"programme": "reverse", "games": 3_000_000},
)


def switched_off() -> AbstractContextManager[ExitStack]:
    """Return a context in which training formats and saves nothing."""
    stack = ExitStack()
    stack.enter_context(mock.patch.object(training, "format_deltas", return_value=b""))
    stack.enter_context(mock.patch.object(RunFiles, "commit"))
    stack.enter_context(mock.patch.object(RunFiles, "write_checkpoint"))
    return stack


def seconds(wanted: dict[str, Any]) -> tuple[float, float, int]:
    """Return (seconds of playing and saving, seconds of writing the table, games)."""
    with tempfile.TemporaryDirectory() as name, Training(Path(name), wanted) as run:
        started_s = last_s = 0.0
        games = 0
        for event in run.run():
            if isinstance(event, Progressed | Saved):
                last_s = time.perf_counter()
                games = event.games
            elif not started_s:
                started_s = time.perf_counter()
        return last_s - started_s, time.perf_counter() - last_s, games


def main() -> None:
    """Print one line for each programme."""
    for wanted in RUNS:
        on, off, writing = [], [], []
        for _ in range(ROUNDS):
            played_s, written_s, games = seconds(wanted)
            on.append(played_s)
            writing.append(written_s)
            with switched_off():
                off.append(seconds(wanted)[0])
        print(
            f"{wanted['programme']:10} {games / min(off):12,.0f} games/s without storage "
            f"{games / min(on):12,.0f} with it: {min(on) / min(off) - 1:+.1%} time; "
            f"{min(writing):.1f} s for the tables at the end",
            flush=True,
        )


if __name__ == "__main__":
    main()
