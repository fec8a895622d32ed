"""The rows of the Strength tab as a file keeps them, because an exact score may take minutes.

A row counts only for the table that has played: its checksum is kept too. What a program of someone
else plays may change at any time, so its rows are not kept.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from typing import Any, Final

from traffic_lights.board.exact_score import ExactScore
from traffic_lights.judging.evaluation import Row, SeatScore
from traffic_lights.learning.tablefile import read_checksum
from traffic_lights.players.roster import KEY, Entry
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.kinds import (
    Flag,
    ListOf,
    Number,
    OrNone,
    Record,
    TextLine,
    Whole,
    record_of,
)
from traffic_lights.training.folder import table_in
from traffic_lights.training.own_bots import OwnBot

_SEAT: Final = record_of(SeatScore)
_ROW: Final = Record(
    {
        "bot": KEY,
        "opponent": KEY,
        "tables": ListOf(TextLine(64), 2),
        "first": _SEAT,
        "second": _SEAT,
        "distinct": Whole(),
        "exact": OrNone(Record({"first": Number(0, 1), "second": Number(0, 1)}, ExactScore)),
        "is_final": Flag(),
    }
)


def checksum(bot: OwnBot | None) -> str:
    """Return that of the table by which *bot* plays; empty for a player that is not the user's."""
    if bot is not None:
        with suppress(StorageError):
            return read_checksum(table_in(bot.folder))
    return ""


def plain_rows(rows: Iterable[Row], checksums: Mapping[OwnBot | None, str]) -> list[dict[str, Any]]:
    """Return those of *rows* that can be kept; *checksums* has that of each bot in them."""
    return [
        {
            "bot": row.bot.key,
            "opponent": row.opponent.key,
            "tables": [checksums[row.bot.own], checksums[row.opponent.own]],
            "first": asdict(row.first),
            "second": asdict(row.second),
            "distinct": row.distinct,
            "exact": None if row.exact is None else asdict(row.exact),
            "is_final": row.is_final,
        }
        for row in rows
        if row.is_complete and not (row.bot.is_program or row.opponent.is_program)
    ]


def rows_of(plain: Iterable[Any], entries: Mapping[str, Entry]) -> Iterator[Row]:
    """Yield the rows in *plain* that fit, of players in *entries* that are as they were."""
    read = cache(checksum)  # a bot has several rows
    for found in _ROW.fitting(plain):
        keys = found.pop("bot"), found.pop("opponent")
        tables = found.pop("tables")
        if not all(key in entries for key in keys):
            continue
        bot, opponent = (entries[key] for key in keys)
        row = Row(bot, opponent, found["first"].games + found["second"].games, **found)
        # A damaged file may say anything.
        is_sound = all(score.wins <= score.games for score in (row.first, row.second))
        is_sound = is_sound and 0 < row.games >= row.distinct
        if is_sound and tables == (read(bot.own), read(opponent.own)):
            yield row
