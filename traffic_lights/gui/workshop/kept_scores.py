"""The scores of the Strength tab as the user's file keeps them, because exact ones take minutes.

A score counts only for the table that has played: when it was written is kept too. What a program
of someone else plays may change at any time, so its scores are not kept.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any, Final

from traffic_lights.board.exact_score import ExactScore
from traffic_lights.judging.evaluation import Row, SeatScore
from traffic_lights.players.roster import KEY, Entry
from traffic_lights.storage.kinds import (
    Flag,
    ListOf,
    Number,
    OrNone,
    Record,
    Whole,
    record_of,
)
from traffic_lights.training.folder import TABLE
from traffic_lights.training.own_bots import OwnBot
from traffic_lights.version import __version__

_ROW: Final = Record(
    {
        "bot": KEY,
        "opponent": KEY,
        "written": ListOf(Whole()),
        "first": record_of(SeatScore),
        "second": record_of(SeatScore),
        "distinct": Whole(),
        "exact": OrNone(Record({"first": Number(0, 1), "second": Number(0, 1)}, ExactScore)),
        "is_final": Flag(),
    }
)


def _written(bot: OwnBot | None) -> int:
    """Return when the table by which *bot* plays was written; 0 for a player of the program."""
    with suppress(OSError):
        return 0 if bot is None else (bot.folder / TABLE).stat().st_mtime_ns
    return 0


def plain(rows: Iterable[Row]) -> dict[str, Any]:
    """Return what the file holds of those of *rows* that can be kept."""
    kept = [
        {
            "bot": row.bot.key,
            "opponent": row.opponent.key,
            "written": [_written(row.bot.own), _written(row.opponent.own)],
            "first": asdict(row.first),
            "second": asdict(row.second),
            "distinct": row.distinct,
            "exact": None if row.exact is None else asdict(row.exact),
            "is_final": row.is_final,
        }
        for row in rows
        if row.is_complete and not (row.bot.is_program or row.opponent.is_program)
    ]
    return {"program": __version__, "rows": kept}


def rows_of(plain: Mapping[str, Any], entries: Mapping[str, Entry]) -> Iterator[Row]:
    """Yield the rows in *plain* that fit, of players in *entries* that are as they were."""
    if plain.get("program") != __version__:  # another one has other players
        return
    for found in _ROW.fitting(plain.get("rows", ())):
        bot, opponent = (entries.get(found.pop(name)) for name in ("bot", "opponent"))
        written = list(found.pop("written"))
        if bot is None or opponent is None:
            continue
        row = Row(bot, opponent, found["first"].games + found["second"].games, **found)
        if row.games and written == [_written(bot.own), _written(opponent.own)]:
            yield row
