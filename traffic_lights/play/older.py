"""The files that version 1.4 has in place of user.json; what does not fit is left out."""

import json
import os
import re
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from traffic_lights.play.results import OpponentRecord
from traffic_lights.players.roster import PROGRAM_PREFIX
from traffic_lights.storage.files import DamagedFileError, parse_json, read_text

_SIZES: Final = (90, 90, 90, 100, 100, 125, 125, 150, 150, 150, 200, 200)
"""The sizes in place of those of 1.4, which were steps of 10 % from -3 to 8."""
_WRONG: Final = (DamagedFileError, AttributeError, LookupError, TypeError, ValueError)
"""What is raised by a file that holds something else."""


def read_older(folder: Path) -> dict[str, Any]:
    """Return the members of user.json that the older files in *folder* have, unchecked.

    Raise StorageError if a file is there and cannot be read now.
    """
    found: dict[str, Any] = {}
    programs: list[Any] = []
    with suppress(*_WRONG):
        programs = parse_json(_text(folder, "programs.json"), "programs.json")["programs"]
        found["programs"] = programs
    texts = {
        name: _with_keys(_text(folder, name), programs)
        for name in ("settings.json", "puzzles.json", "game.json", "results.jsonl")
    }
    with suppress(*_WRONG):
        settings = parse_json(texts["settings.json"], "settings.json")
        found["settings"] = settings | {"size": _SIZES[3 + settings.get("zoom", 0)]}
    with suppress(*_WRONG):
        puzzles = parse_json(texts["puzzles.json"], "puzzles.json")
        mistakes = [one["position"] for one in puzzles.get("mistakes", ())]
        lessons = [number - 1 for number in puzzles.get("lessons", ())]
        found["puzzles"] = puzzles | {"mistakes": mistakes, "lessons": lessons, "daily": {}}
    with suppress(*_WRONG):
        saved = parse_json(texts["game.json"], "game.json")
        found["game"] = _game(saved["game"], at=saved["game"]["record"].count(" "))
        found["games"] = [_game(one, at=0) for one in saved["earlier"]]
        found["score"] = dict(_scores(saved["score"]))
    records: dict[str, OpponentRecord] = {}
    for line in texts["results.jsonl"].splitlines():
        with suppress(*_WRONG):
            played = parse_json(line, "results.jsonl")
            record = records.pop(played["opponent"], OpponentRecord())
            records[played["opponent"]] = record.with_game(
                played["name"],
                played["has_won"],
                is_helped=played["is_helped"],
                day=str(played.get("day", "")),
            )
    found["opponents"] = {key: asdict(record) for key, record in records.items()}
    return found


def _text(folder: Path, name: str) -> str:
    path = folder / name
    with suppress(DamagedFileError):
        return read_text(path) if os.path.lexists(path) else ""
    return ""


def _with_keys(text: str, programs: list[Any]) -> str:
    """Return *text* with the keys that *programs* have now, which are their names."""
    for program in programs:
        with suppress(*_WRONG):
            key = json.dumps(PROGRAM_PREFIX + program["name"])[1:-1]
            text = re.sub(rf"\b{program['key']}\b", key.replace("\\", r"\\"), text)
    return text


def _game(plain: Any, *, at: int) -> dict[str, Any]:
    counts = not (plain.get("counted") or plain.get("unrated"))
    return {"record": plain["record"], "at": at, "counts": counts}


def _scores(plain: dict[str, int]) -> Any:
    """Yield each score with its present key; those of two equal players begin again."""
    for key, number in plain.items():
        one, other, winner = key.split("\n")
        if winner in (one, other):
            yield f"{winner}\n{one if winner == other else other}", number
