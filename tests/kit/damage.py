"""A data folder that holds every file which the program reads back, and what may happen to one."""

import json
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final

from tests.kit.samples import PROJECT
from traffic_lights.play.results import OpponentRecord
from traffic_lights.play.tasks import PuzzleRecord
from traffic_lights.play.userdata import HEADER, Saved, SavedGame
from traffic_lights.players.external import Program

FILES: Final[dict[str, Any]] = {
    "user.json": {**HEADER, **asdict(Saved(
        game=SavedGame("Traffic Lights 1\n\n1. b2 c2", at=1),
        games=(SavedGame("Traffic Lights 1\n\n1. b2 c2", at=1),),
        opponents={"random": OpponentRecord("Random", wins=2, streak=-1)},
        score={"human\nrandom": 2},
        puzzles=PuzzleRecord(streak=1, difficulty=4, mistakes=("1100/0000/0001",), lessons=(0,)),
        programs=(Program("one", "One"),),
    ))},
    "bots/A/bot.json": {
        "games": 200, "points": [[200, "myopic", 0.5, 0.4, 100, 0]], "about": "imported",
    },
    "bots/A/qtable_checkpoint.json": {"version": 2, "games": 200, "finished": False},
    "bots/A/history/index.json": {"runs": [], "points": [{
        "games": 200, "opponent": "myopic", "first": 0.5, "second": 0.4, "decided": 9,
        "sampled": 200, "opening": [0.5] * 12, "others": [],
    }]},
}  # fmt: skip
"""What a sound file holds, by its name in the folder."""
WRONG: Final[tuple[Any, ...]] = (
    None, True, -1, 0, 7, 1e308, 10**30, "x", "\ud800", [], [[]], {}, {"x": 1}, ...,
)  # fmt: skip


def fields(content: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value inside *content*."""
    members: Any = ()
    if isinstance(content, dict):
        members = content.items()
    elif isinstance(content, (list, tuple)):
        members = enumerate(content[:1])
    for name, value in members:
        yield (name,)
        yield from ((name, *rest) for rest in fields(value))


def changed(content: Any, place: tuple[Any, ...], value: object) -> Any:
    """Return a copy of *content* with *value* at *place*, or without that if *value* is `...`."""
    copy = json.loads(json.dumps(content))
    inside = copy
    for name in place[:-1]:
        inside = inside[name]
    inside[place[-1]] = value
    if value is ...:
        del inside[place[-1]]
    return copy


def damages(name: str) -> Iterator[Callable[[Path], object]]:
    """Yield functions that each damage the file *name* at the path that it is given."""

    def replaced(path: Path, make: Callable[[Path], object]) -> None:
        path.unlink()
        make(path)

    yield partial(replaced, make=Path.mkdir)
    if hasattr(os, "mkfifo"):
        yield partial(replaced, make=os.mkfifo)
    # A link in the place of its own target leads on for ever.
    for target in ("nowhere", name.rpartition("/")[2], "/dev/zero"):
        yield partial(replaced, make=partial(Path.symlink_to, target=target))
    sound = json.dumps(FILES[name]).encode()
    texts = [b"", b"\0" * 99, b"{", b"[]", b"{}", b"null", b"7", b'"x"', b"[" * 100_000]
    texts += [sound[: len(sound) // 2], sound[:-1], sound + b"}", sound + sound]
    texts += [sound.decode().encode("utf-16"), b"\xef\xbb\xbf" + sound, bytes(range(256))]
    texts += [sound[:-1] + b', "x": NaN}', sound[:-1] + b', "x": 1e999}', b" " * (17 << 20)]
    for place, value in product(fields(FILES[name]), WRONG):
        texts.append(json.dumps(changed(FILES[name], place, value)).encode())
    for text in texts:
        yield partial(Path.write_bytes, data=text)


def some(share: float, always: int = -1) -> Iterator[tuple[str, int, Callable[[Path], object]]]:
    """Yield a *share* of the damages of each file with their numbers, and one *always*."""
    rng = random.Random(7)
    for name in FILES:
        for number, act in enumerate(damages(name)):
            if rng.random() < share or number == always:
                yield name, number, act


@contextmanager
def filled_folder(name: str = "", act: Callable[[Path], object] = lambda _: None) -> Iterator[Path]:
    """Yield a data folder with everything in it, after *act* damaged its file *name*."""
    with tempfile.TemporaryDirectory() as name_of_folder:
        folder = Path(name_of_folder)
        for bot in ("bots/A", "bots/B"):
            (folder / bot).mkdir(parents=True)
            shutil.copy(PROJECT / "qtables" / "myopic-200.json", folder / bot / "qtable.json")
        (folder / "bots/A/history").mkdir()
        for file, content in FILES.items():
            (folder / file).write_text(json.dumps(content))
        act(folder / name)
        yield folder
