"""Measure the window: start, drawing a move, gaps while the solver loads, whole games, memory.

    python3 -m tests.bench.window

To be run on a quiet machine with a display; nothing is asserted.
"""

import statistics
import subprocess
import sys
import tempfile
import time

from tests.kit.windows import load_moves, open_app, start_afresh
from traffic_lights.gui.app import App
from traffic_lights.play.game import Player
from traffic_lights.train import peak_memory_mb

GAMES = 50
_ONE_START = """
import sys, time, tkinter as tk
from pathlib import Path
from traffic_lights.gui.app import App
from traffic_lights.play.userdata import UserData
root = tk.Tk(); root.withdraw()
app = App(root, UserData(Path(sys.argv[1]))); app.open()
while not root.winfo_viewable(): root.update()
root.update()
print(time.time())
before, longest = time.perf_counter(), 0.0
while not app.session.is_solved:
    root.after(1, lambda: None)
    root.dooneevent()
    before, longest = time.perf_counter(), max(longest, time.perf_counter() - before)
print(longest)
"""


def start_times(count: int) -> list[tuple[float, float]]:
    """Return the seconds to the first picture, and the longest gap while the solver loads."""
    times = []
    for _ in range(count):
        with tempfile.TemporaryDirectory() as folder:
            before_s = time.time()
            output = subprocess.check_output([sys.executable, "-c", _ONE_START, folder])
            shown_s, longest_s = map(float, output.split())
            times.append((shown_s - before_s, longest_s))
    return times


def move_times(app: App) -> list[float]:
    """Return the seconds from a click to its picture."""
    board = app.window.board
    times = []
    for cell in (5, 5, 8, 2, 5, 7, 2, 6, 2, 7):
        x, y = (round(v) for v in board.cell_centre(cell))
        before_s = time.perf_counter()
        board.event_generate("<Button-1>", x=x, y=y)
        app.root.update_idletasks()
        times.append(time.perf_counter() - before_s)
        app.root.update()
    return times


def puzzle_times(app: App) -> list[float]:
    """Return the seconds until a puzzle is made and shown."""
    times = []
    for _ in range(20):
        before_s = time.perf_counter()
        app.run("puzzle")
        app.root.update()  # the board is larger in a puzzle
        times.append(time.perf_counter() - before_s)
    return times


def game_time(app: App) -> float:
    """Return the seconds for a move in a game of two bots."""
    app.session.new_game((Player("qbot", "QBot"), Player("myopic", "Myopic")))
    app.context.changed()
    before_s = time.perf_counter()
    while not app.session.now.is_over:
        app.root.dooneevent()
    return (time.perf_counter() - before_s) / len(app.session.now.game.actions)


def main() -> None:
    """Measure and print."""
    starts, gaps = zip(*start_times(5), strict=True)
    print(f"first picture       {min(starts):.2f} s best, {max(starts):.2f} s worst of 5")
    print(f"loop while solving  {1000 * max(gaps):.1f} ms the longest gap")
    app = open_app()
    start_afresh(app)
    load_moves(app, "")
    for name, times in (
        ("a move drawn", move_times(app)),
        ("a puzzle shown", puzzle_times(app)),
        (f"a move of {GAMES} games", [game_time(app) for _ in range(GAMES)]),
    ):
        print(f"{name:<19} {1000 * statistics.median(times):.1f} ms median, "
              f"{1000 * max(times):.1f} ms worst")  # fmt: skip
    timers = len(app.root.tk.splitlist(app.root.tk.call("after", "info")))
    print(f"at the end          {timers} timers, peak memory {peak_memory_mb()} MB")


if __name__ == "__main__":
    main()
