"""The train command, killed at random moments and started again until it ends.

Whatever happens on the way, the files at the end are those of a run that nothing happened to, and
no command starts before a game that was saved.
"""

import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import Final

from tests.kit.runs import digest
from tests.kit.samples import PROJECT
from traffic_lights.storage.files import StorageError, read_json
from traffic_lights.training.folder import CHECKPOINT

COMMANDS: Final = (
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
"""Both plans and every update rule, in runs of a second or two; the plan *reverse* takes ten."""
PATIENCE_S: Final = 600.0


def problems_of_kills(folder: Path, wanted: int, rng: random.Random) -> list[str]:
    """Kill commands in *folder* until there were as many kills as *wanted*; return what is wrong.

    That is empty, or what the first run that lost something or ended otherwise has lost.
    """
    known: list[tuple[str, dict[str, str], float]] = []
    for options in COMMANDS:
        where, started_s = folder / str(len(known)), time.monotonic()
        said = _start(where, options.split()).communicate(timeout=PATIENCE_S)[1]
        assert digest(where), said
        known.append((options, digest(where), time.monotonic() - started_s))
    kills = 0
    for number, (options, expected, seconds) in enumerate(cycle(known)):
        if kills >= wanted:
            break
        where = folder / f"killed-{number}"
        while digest(where) != expected:
            saved = _saved_games(where)
            # A run that has begun also continues without its settings.
            is_bare = saved != 0 and rng.random() < 0.5
            process = _start(where, () if is_bare else options.split())
            with suppress(subprocess.TimeoutExpired):
                process.wait(rng.uniform(0, seconds))
            process.kill()
            said = process.communicate(timeout=PATIENCE_S)[1]
            resumed = re.search(r"resuming .+ after ([\d,]+) games?", said)
            if resumed and int(resumed[1].replace(",", "")) < saved:
                return [f"{options}: {saved} games were saved: {said}"]
            if process.returncode == -signal.SIGKILL:
                kills += 1
                seconds *= 1.1  # so one comes after the first save on a slow machine too
            elif process.returncode != 0 or digest(where) != expected:
                return [f"{options}: refused, or other bytes: {said.strip()[-300:]}"]
    return []


def _saved_games(where: Path) -> int:
    """Return the games that the checkpoint in *where* reports, 0 if there is none yet."""
    with suppress(StorageError):
        return int(read_json(where / CHECKPOINT)["meta"]["games"])
    return 0


def _start(where: Path, options: Sequence[str]) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "traffic_lights.train", "--dir", str(where)]
    return subprocess.Popen(
        [*words, *options],
        cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
