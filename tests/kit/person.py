"""A driver of the GUI: a virtual display, real events from another process, and pictures.

Needs Xvfb, xdotool and ImageMagick's ``import``; `MISSING` names what is not there.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.kit.samples import PROJECT

MISSING = [name for name in ("Xvfb", "xdotool", "import") if shutil.which(name) is None]
MISSING += ["Tk"] if find_spec("_tkinter") is None else []
HOUSING = bytes.fromhex("20242b")
PATIENCE_S = 120.0


def poll(is_true: Callable[[], Any], what: str, timeout_s: float = PATIENCE_S) -> Any:
    """Return the first true answer of *is_true*; raise AssertionError after *timeout_s*."""
    until = time.monotonic() + timeout_s
    while True:
        answer = is_true()
        if answer:
            return answer
        if time.monotonic() > until:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(0.01)


class Screen:
    """A virtual screen of its own."""

    def __init__(self, size: str = "1280x800", dpi: int = 96) -> None:
        reading, writing = os.pipe()
        self._process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size}x24", "-dpi", str(dpi),
             "-noreset", "-nolisten", "tcp"],  # while it resets, it refuses whoever comes
            pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(writing)
        with os.fdopen(reading) as answer:
            self.display = f":{answer.readline().strip()}"

    def do(self, *words: str) -> str:
        """Run xdotool with *words* and return what it says; empty if it fails."""
        done = subprocess.run(
            ["xdotool", *words], env={**os.environ, "DISPLAY": self.display},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.stdout.strip() if done.returncode == 0 else ""

    def close(self) -> None:
        """Switch the screen off."""
        self._process.terminate()
        self._process.wait()


class Program:
    """The game, started as a person would, on *screen*, with its data in *home*."""

    def __init__(
        self,
        screen: Screen,
        home: Path,
        command: list[str] | None = None,
        folder: Path = PROJECT,
        environ: Mapping[str, str] | None = None,
        **streams: Any,
    ) -> None:
        self.screen = screen
        self.home = home
        self.process = subprocess.Popen(
            command or [sys.executable, "-m", "traffic_lights"],
            cwd=folder,
            env={
                **os.environ, "DISPLAY": screen.display, "TRAFFIC_LIGHTS_HOME": str(home),
                "HOME": str(home.parent), "XDG_CONFIG_HOME": str(home), **(environ or {}),
            },
            **streams,
        )  # fmt: skip
        self._cells: list[tuple[int, int]] = []

    def window(self) -> str:
        """Return the number of the window, waiting for it."""
        found: str = poll(
            lambda: self.screen.do("search", "--onlyvisible", "--name", "Traffic Lights"),
            "the window",
        )
        return found.split()[0]

    def title(self) -> str:
        """Return the window's title."""
        return self.screen.do("getwindowname", self.window())

    def wait_for_title(self, words: str) -> None:
        """Return when the title contains *words*."""
        poll(lambda: words in self.title(), f"the title {words!r}, not {self.title()!r}")

    def saved(self) -> dict[str, Any]:
        """Return the saved game as plain values; empty while there is none."""
        try:
            game: dict[str, Any] = json.loads((self.home / "game.json").read_text("utf-8"))["game"]
        except FileNotFoundError:
            return {}
        return game

    def moves(self) -> str:
        """Return the moves of the saved game, without their numbers."""
        record: str = self.saved().get("record", "")
        text = record.partition("\n\n")[2].split()
        return " ".join(word for word in text if not word.endswith("."))

    def wait_for_moves(self, moves: str) -> None:
        """Return when exactly *moves* are saved."""
        poll(lambda: self.moves() == moves, f"the moves {moves!r}, not {self.moves()!r}")

    def see_cells(self) -> list[tuple[int, int]]:
        """Return the middles of the twelve cells, found by looking at the screen."""
        if not self._cells:
            self._cells = poll(self._look, "the board to be seen")
        return self._cells

    def _look(self) -> list[tuple[int, int]]:
        picture = subprocess.run(
            ["import", "-window", "root", "-depth", "8", "ppm:-"],
            env={**os.environ, "DISPLAY": self.screen.display}, capture_output=True, check=True,
        ).stdout  # fmt: skip
        header, pixels = picture.split(b"\n255\n", 1)
        width, height = map(int, header.split()[1:3])
        rows = [pixels[3 * width * y : 3 * width * (y + 1)].count(HOUSING) for y in range(height)]
        columns = [pixels[3 * x :: 3 * width].count(HOUSING[0]) for x in range(width)]
        lines, stacks = (
            [run for run in _runs([count > 60 for count in counts]) if run[1] - run[0] > 20]
            for counts in (rows, columns)
        )
        if (len(lines), len(stacks)) != (3, 4):
            return []
        return [((a + b) // 2, (c + d) // 2) for c, d in lines for a, b in stacks]

    def click(self, cell: int) -> None:
        """Click on *cell* with the mouse."""
        x, y = self.see_cells()[cell]
        self.screen.do("mousemove", str(x), str(y), "click", "1")

    def press(self, *keys: str) -> None:
        """Press *keys*, by xdotool's names."""
        self.screen.do("key", "--delay", "15", *keys)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def wait_for_end(self) -> int:
        """Return its exit status once it has ended by itself."""
        status: int = self.process.wait(PATIENCE_S)
        return status


def _runs(flags: list[bool]) -> list[tuple[int, int]]:
    """Return the first and last index of each run of true *flags*."""
    runs: list[tuple[int, int]] = []
    start: int | None = None
    for index, flag in enumerate([*flags, False]):
        if flag and start is None:
            start = index
        elif not flag and start is not None:
            runs.append((start, index - 1))
            start = None
    return runs
