"""What it costs to lose nothing: `python -m tests.bench.durability`.

Each programme is trained with everything on (records, checksums, one sync a
second, checkpoints) and with storage switched off, in turns and in one run,
because machines are noisy: what counts is the ratio of the best of each, and
on a busy machine that of the processor. Time runs from the first batch to the
last commit; writing the tables at the end is measured beside it.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from traffic_lights.training import committer as commitprocess
from traffic_lights.training.commits import Unsaved
from traffic_lights.training.events import Progressed, Saved
from traffic_lights.training.folder import RunFiles
from traffic_lights.training.old_run import OldTraining as Training

ROUNDS = 5
RUNS: tuple[dict[str, Any], ...] = (
    {"programme": "self", "games": 150_000},
    {"programme": "random", "games": 150_000},
    {"programme": "reverse"},
)


def switched_off() -> AbstractContextManager[ExitStack]:
    """Return a context in which training keeps, formats and saves no deltas."""

    def nothing(*_: object, **__: object) -> None:
        """Do nothing, and keep nothing, which a Mock would."""

    stack = ExitStack()
    stack.enter_context(mock.patch.object(Unsaved, "add", nothing))
    stack.enter_context(mock.patch.object(RunFiles, "commit", nothing))
    stack.enter_context(mock.patch.object(RunFiles, "receipt", nothing))
    stack.enter_context(mock.patch.object(commitprocess, "IS_POSSIBLE", new=False))
    return stack


@dataclass(frozen=True, slots=True)
class Times:
    """How long a run took: by the clock, and of the processor alone."""

    wall_s: float
    processor_s: float
    writing_s: float
    """Of writing the table at the end."""
    games: int


def timed(wanted: dict[str, Any]) -> Times:
    """Train with the settings *wanted* in a new folder and return how long it took."""
    with tempfile.TemporaryDirectory() as name, Training(Path(name), wanted) as run:
        started = last = (0.0, 0.0)
        games = 0
        for event in run.run():
            now = time.perf_counter(), time.process_time()
            if isinstance(event, Progressed | Saved):
                started, last = started if games else now, now
                games = event.games
        writing_s = time.perf_counter() - last[0]
        return Times(last[0] - started[0], last[1] - started[1], writing_s, games)


def main() -> None:
    """Print one line for each programme."""
    for wanted in RUNS:
        on: list[Times] = []
        off: list[Times] = []
        for _ in range(ROUNDS):
            on.append(timed(wanted))
            with switched_off():
                off.append(timed(wanted))
        wall = min(t.wall_s for t in on), min(t.wall_s for t in off)
        processor = min(t.processor_s for t in on), min(t.processor_s for t in off)
        print(
            f"{wanted['programme']:8} {on[0].games / wall[1]:11,.0f} games/s without storage, "
            f"{on[0].games / wall[0]:11,.0f} with: {wall[0] / wall[1] - 1:+.1%} by the clock, "
            f"{processor[0] / processor[1] - 1:+.1%} of the processor; "
            f"table written in {min(t.writing_s for t in on):.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
