"""The curves of a run: how it went, kept beside its table so that a resumed run has them again.

They are for people to look at: nothing that is learned depends on them, and a
file that cannot be read counts as none.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from traffic_lights.pictures.drawing import Point
from traffic_lights.pictures.series import MOST_POINTS
from traffic_lights.storage.files import StorageError, read_json, write_atomically
from traffic_lights.training import paths

FILE_NAME: Final = paths.CURVES
_FORMAT: Final = "traffic-lights-curves"
_VERSION: Final = 1
_LARGEST_FILE: Final = 4 << 20

Curves = Mapping[str, list[Point]]
"""Points of games and a value, by ascending games, under the name of what they measure."""


def write_curves(folder: Path, curves: Curves) -> None:
    """Keep *curves* in the training *folder*; without room or right they are not kept."""
    plain = {name: [[round(games), value] for games, value in p] for name, p in curves.items()}
    with suppress(StorageError):
        content = {"format": _FORMAT, "version": _VERSION, "curves": plain}
        text = json.dumps(content, allow_nan=False)
        write_atomically(folder / FILE_NAME, [text.encode("ascii")])


def read_curves(folder: Path, names: tuple[str, ...], most_games: float = math.inf) -> Curves:
    """Return the curves of these *names* kept in *folder*, up to *most_games*; else none of them.

    What a file of another program says is not trusted: a curve that is no curve is left out.
    """
    try:
        content = read_json(folder / FILE_NAME, _LARGEST_FILE)
        plain = content["curves"] if content["format"] == _FORMAT else {}
        return {name: _points(plain[name], most_games) for name in names if name in plain}
    except (StorageError, LookupError, TypeError, ValueError):
        return {}


def _points(plain: Any, most_games: float) -> list[Point]:
    if len(plain) > 2 * MOST_POINTS:
        raise ValueError("more points than this program writes")
    points = [(float(games), float(value)) for games, value in plain]
    numbers = [number for point in points for number in point]
    games = [point[0] for point in points]
    if not all(math.isfinite(number) for number in numbers) or games != sorted(games):
        raise ValueError("no points by ascending games")
    # Curves are written beside the commits, not with them: after a kill they may be ahead.
    return [point for point in points if point[0] <= most_games]
