"""The train command, killed at random moments and started again until it ends.

Whatever happens on the way, the files at the end are those of a run that nothing happened to, and
no command starts before a game that was saved.
"""

import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Final

from tests.kit.runs import digest
from tests.kit.samples import PROJECT
from traffic_lights.storage.files import StorageError, read_json
from traffic_lights.training.folder import CHECKPOINT

COMMANDS: Final = tuple(
    tuple(words.split())
    for words in (
        "--opponent random --games 6000",
        "--seed 2",
        "--opponent random --games 4000 --update monte-carlo --gamma 0.9",
        "--opponent alternate --games 6000 --update last-action",
        "--opponent self --games 6000 --update q-learning --gamma 0.9",
        "--opponent myopic --games 6000 --explore least-visited",
        "--opponent self --games 9000",
        "--opponent myopic --games 8000 --alpha 0.5 --epsilon-decay 0.999",
        "--opponent alternate --games 5000 --update q-learning --epsilon-end 0.05",
    )
)
"""Both plans and every update rule, in runs of a second or two; the plan *reverse* takes ten."""
EARLIER: Final = ("--opponent", "random", "--games", "1000", "--seed", "9")
"""A run that may come before, and whose tables must not stay."""
PATIENCE_S: Final = 600.0


@dataclass(slots=True)
class Course:
    """A run that nothing happened to, and what became of it when it was killed."""

    options: Sequence[str]
    start: Path
    """The folder where the run begins; it may have an earlier run."""
    expected: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    kills: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        after = " after another run" if any(self.start.iterdir()) else ""
        return " ".join(self.options) + after


def _saved_games(where: Path) -> int:
    """Return the games that the checkpoint in *where* reports, 0 if there is none yet."""
    try:
        return int(read_json(where / CHECKPOINT)["meta"]["games"])
    except StorageError:
        return 0


def _has_begun(where: Path, start: Path) -> bool:
    """Return whether the folder *where* has a run that was not in the folder *start*."""
    path, before = where / CHECKPOINT, start / CHECKPOINT
    return path.exists() and not (before.exists() and path.read_bytes() == before.read_bytes())


def _start(where: Path, options: Sequence[str]) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "traffic_lights.train", "--dir", str(where)]
    return subprocess.Popen(
        [*words, *options],
        cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def undisturbed(options: Sequence[str], start: Path) -> Course:
    """Return the course of a run with *options* from the files in *start*."""
    course = Course(options, start)
    with tempfile.TemporaryDirectory() as name:
        where = Path(name) / "run"
        shutil.copytree(start, where)
        started_s = time.monotonic()
        process = _start(where, options)
        _, said = process.communicate(timeout=PATIENCE_S)
        course.seconds = time.monotonic() - started_s
        assert process.returncode == 0, said
        course.expected = digest(where)
    return course


def kill_until_it_ends(course: Course, rng: random.Random) -> None:
    """Kill the run of *course* and start it again until it ends; note in it what came of that."""
    with tempfile.TemporaryDirectory() as name:
        where = Path(name) / "run"
        shutil.copytree(course.start, where)
        tries = 0
        while digest(where) != course.expected and not course.problems:
            # Kills come later and later, so one comes after the first save on a slow machine too.
            patience = 1.1**tries
            saved = _saved_games(where) - _saved_games(course.start)
            # A run that has begun also continues without its settings.
            is_bare = _has_begun(where, course.start) and rng.random() < 0.5
            process = _start(where, () if is_bare else course.options)
            with suppress(subprocess.TimeoutExpired):
                process.wait(rng.uniform(0, course.seconds * patience))
            process.kill()
            _, said = process.communicate(timeout=PATIENCE_S)
            tries += 1
            if process.returncode == -signal.SIGKILL:
                course.kills += 1
            elif process.returncode != 0:
                course.problems.append(f"{course.name}: refused: {said.strip()[-300:]}")
            elif digest(where) != course.expected:
                course.problems.append(f"{course.name}: other bytes than an undisturbed run")
            resumed = re.search(r"resuming .+ after ([\d,]+) games?(?: and ([\d,]+) tries)?", said)
            played = resumed.groups("0") if resumed else ()
            if played and sum(int(number.replace(",", "")) for number in played) < saved:
                course.problems.append(f"{course.name}: lost games: {saved} were saved, {said}")


def courses(folder: Path, commands: Sequence[Sequence[str]] = COMMANDS) -> list[Course]:
    """Return the courses of *commands*, every second one after an earlier run made in *folder*."""
    empty, earlier = folder / "empty", folder / "earlier"
    empty.mkdir(exist_ok=True)
    if len(commands) > 1:
        _start(earlier, EARLIER).communicate(timeout=PATIENCE_S)
    return [
        undisturbed(options, start)
        for options, start in zip(commands, cycle((empty, earlier)), strict=False)
    ]


def kill(wanted: int, known: Sequence[Course], rng: random.Random) -> Iterator[Course]:
    """Kill commands until there were as many kills as *wanted*.

    Yield the course after each run that was killed until it ended.
    """
    for course in cycle(known):
        if sum(one.kills for one in known) >= wanted:
            return
        kill_until_it_ends(course, rng)
        yield course
