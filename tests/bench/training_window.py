"""Measures the training window: how late its timer is during a default run, and what it costs.

    python3 -m tests.bench.training_window [ROUNDS]

It needs a display. The command and the window train in turn, and what the
trainer's process took is compared by its processor time, which other work on
the machine does not lengthen.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
import tkinter as tk
from pathlib import Path

from tests.kit.samples import PROJECT
from traffic_lights.gui.app import App
from traffic_lights.userdata.store import UserData

BEAT_MS = 10


class Beat:
    """A timer that notes how late it is."""

    def __init__(self, root: tk.Misc) -> None:
        self._root = root
        self._due_s = 0.0
        self.late_ms: list[float] = []
        self._again()

    def _again(self) -> None:
        self._due_s = time.perf_counter() + BEAT_MS / 1000
        self._root.after(BEAT_MS, self._tick)

    def _tick(self) -> None:
        self.late_ms.append((time.perf_counter() - self._due_s) * 1000)
        self._again()

    def at(self, share: float) -> float:
        """Return the lateness that *share* of the beats do not exceed."""
        ordered = sorted(self.late_ms)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def children_s() -> float:
    """Return the processor seconds of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def command() -> tuple[float, float]:
    """Return processor and clock seconds of the default run of the command."""
    with tempfile.TemporaryDirectory() as folder:
        before_s, began_s = children_s(), time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "traffic_lights.train", "--dir", folder, "--quiet"],
            cwd=PROJECT, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        return children_s() - before_s, time.perf_counter() - began_s


def window(app: App) -> tuple[float, float, Beat]:
    """Return processor and clock seconds of the same run in the window, and its beat."""
    training = app.windows.train()
    app.root.update()
    before_s, began_s = children_s(), time.perf_counter()
    training.start()
    beat = Beat(app.root)
    control = training.control
    while control.model.is_active or control.pid is not None:
        app.root.update()
        time.sleep(0.001)
    return children_s() - before_s, time.perf_counter() - began_s, beat


def main() -> None:
    """Print what was measured."""
    os.environ["TRAFFIC_LIGHTS_HOME"] = tempfile.mkdtemp()
    root = tk.Tk()
    root.withdraw()
    app = App(root, UserData(Path(os.environ["TRAFFIC_LIGHTS_HOME"])))
    app.open()
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 1):
        cpu_s, clock_s = command()
        print(f"command  {cpu_s:6.2f} s of processor, {clock_s:6.2f} s")
        own_cpu_s, own_clock_s, beat = window(app)
        print(f"window   {own_cpu_s:6.2f} s of processor, {own_clock_s:6.2f} s: "
              f"{own_cpu_s / cpu_s - 1:+.1%}")  # fmt: skip
        late = ", ".join(f"{share:.0%} {beat.at(share):.1f} ms" for share in (0.5, 0.95, 0.99, 1))
        print(f"         {len(beat.late_ms):,} beats, late by at most: {late}")
    app.close()


if __name__ == "__main__":
    main()
