"""Measures the window: start, drawing a move, gaps while the solver loads, memory, timers.

    python3 -m tests.bench.window [--games N]

A program to be run by hand on a quiet machine with a display; nothing is asserted.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tkinter as tk
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from traffic_lights.gui.app import App
from traffic_lights.players.game import Game, Player
from traffic_lights.session.session import Phase
from traffic_lights.userdata.store import UserData

_ONE_START = """
import sys, time, tkinter as tk
from pathlib import Path
from traffic_lights.gui.app import App
from traffic_lights.userdata.store import UserData
root = tk.Tk(); root.withdraw()
app = App(root, UserData(Path(sys.argv[1]))); app.open()
while not root.winfo_viewable(): root.update()
root.update()
print(time.time())
"""


def memory_mb() -> float:
    """Return the resident memory now, in megabytes; where unknown, the most there ever was."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def start_times(count: int) -> list[float]:
    """Return the seconds from the start of Python to the first picture, *count* times."""
    times = []
    for _ in range(count):
        with tempfile.TemporaryDirectory() as folder:
            before = time.time()
            done = subprocess.run(
                [sys.executable, "-c", _ONE_START, folder], capture_output=True, text=True,
                check=True,
            )  # fmt: skip
            times.append(float(done.stdout) - before)
    return times


def gaps(app: App, is_over: Callable[[], bool]) -> list[float]:
    """Return the milliseconds between the beats of the loop until *is_over*."""
    beats: list[float] = []

    def beat() -> None:
        beats.append(time.perf_counter())
        if not is_over():
            app.root.after(1, beat)

    beat()
    while not is_over():
        app.root.dooneevent()
    return [1000 * (b - a) for a, b in pairwise(beats)]


def move_times(app: App) -> list[float]:
    """Return the milliseconds from a click to its picture."""
    board = app.window.board
    times = []
    for cell in (5, 5, 8, 2, 5, 7, 2, 6, 2, 7):
        x, y = (round(v) for v in board.cell_centre(cell))
        before = time.perf_counter()
        board.event_generate("<Button-1>", x=x, y=y)
        app.root.update_idletasks()
        times.append(1000 * (time.perf_counter() - before))
        app.root.update()
    return times


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=100)
    arguments = options.parse_args()
    starts = start_times(5)
    print(f"first picture      {min(starts):.2f} s best, {max(starts):.2f} s worst of 5")
    root = tk.Tk()
    root.withdraw()
    app = App(root, UserData(Path(tempfile.mkdtemp())))
    app.open()
    while not root.winfo_viewable():
        root.update()
    solving = gaps(app, lambda: app.session.tablebase is not None)
    print(f"loop while solving {max(solving):.1f} ms the longest gap of {len(solving)}")
    until = time.perf_counter() + 0.2
    idle = gaps(app, lambda: time.perf_counter() > until)
    print(f"loop with no work  {max(idle):.1f} ms the longest gap of {len(idle)}")
    app.session.restore(Game())
    app.context.changed()
    root.update()
    moves = move_times(app)
    print(f"a move drawn       {statistics.median(moves):.1f} ms median, {max(moves):.1f} ms worst")
    print(f"memory             {memory_mb():.0f} MB with the solver loaded")
    app.context.userdata.change(speed="instant")
    bot = Player("qbot", "QBot")
    waits: list[float] = []
    for number in range(arguments.games):
        app.session.new_game((bot, Player("myopic", "Myopic")))
        app.context.changed()
        before = time.perf_counter()
        while app.session.phase is not Phase.OVER:
            root.dooneevent()
        waits.append((time.perf_counter() - before) / len(app.session.game.actions))
        if number in (9, arguments.games - 1):
            gc.collect()
            timers = len(root.tk.splitlist(root.tk.call("after", "info")))
            print(
                f"after {number + 1:4} games   {memory_mb():.0f} MB, {timers} timers, "
                f"{app.context.jobs.outstanding} jobs, "
                f"{1000 * statistics.median(waits):.0f} ms a move"
            )
    before = time.perf_counter()
    app.context.roster.choose("qbot", 0)
    print(f"QBot's choice      {1000 * (time.perf_counter() - before):.2f} ms")
    app.close()


if __name__ == "__main__":
    main()
