"""How the games of a player against bots ended: a line for each, and a record of each opponent.

>>> records: dict[str, OpponentRecord] = {}
>>> add_result(records, Played("casual", "Casual", 0, True, False, "2026-11-23"))
>>> records["casual"].text
'Casual: you won 1 of 1 game (100 %), 1 without help. You won the last game. Played on 2026-11-23.'
"""

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from traffic_lights.players.roster import KEY
from traffic_lights.storage.files import read_bytes, write_atomically
from traffic_lights.storage.kinds import Flag, TextLine, Whole, member, record_of
from traffic_lights.storage.records import read_lines
from traffic_lights.storage.words import counted, percent_done


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game of one human against a bot: one line of results.jsonl."""

    opponent: str = member(KEY)
    """The key of the bot, because a bot can be renamed."""
    name: str = member(TextLine(60))
    """What the bot was called then."""
    seat: int = member(Whole(0, 1))
    """The player's seat: 0 moves first."""
    has_won: bool = member(Flag())
    is_helped: bool = member(Flag())
    day: str = member(TextLine(10))


MOST_MARKS: Final = 30
"""The results of so many games are shown one by one."""


@dataclass(frozen=True, slots=True)
class OpponentRecord:
    """All games against one opponent."""

    opponent: str
    name: str
    wins: int = 0
    losses: int = 0
    unhelped: int = 0
    """The wins without help."""
    streak: int = 0
    """The last games in a row that were won, or lost if negative; 0 if unknown."""
    longest: int = 0
    """The most games ever won in a row."""
    first_day: str = ""
    last_day: str = ""
    recent: tuple[bool, ...] = ()
    """Whether each of the last games was won, the latest at the end."""

    @property
    def marks(self) -> str:
        """The last games as a row of marks: ``●`` won, ``○`` lost."""
        return "".join("●" if won else "○" for won in self.recent)

    @property
    def shown(self) -> dict[str, str]:
        """Return the figures as the statistics show them, by their titles."""
        games = max(1, self.wins + self.losses)
        result = "won" if self.streak > 0 else "lost"
        return {
            "Won": f"{self.wins:,}",
            "Lost": f"{self.losses:,}",
            "Rate": percent_done(self.wins, games),
            "Won unaided": f"{self.unhelped:,}",
            "In a row": f"{abs(self.streak):,} {result}",
            "Most won": f"{self.longest:,}",
            "First": self.first_day,
            "Last": self.last_day,
        }

    @property
    def text(self) -> str:
        """Return the same in sentences, as far as it is known.

        Such as ``Casual: you won 3 of 5 games (60 %), 2 without help. You lost the last game. At
        best you won 2 in a row. Played from 2026-11-01 to 2026-11-23.``
        """
        games = self.wins + self.losses
        sentences = [f"{self.name}: you won {self.wins:,} of {counted(games, 'game')}"]
        if self.wins:
            rate = percent_done(self.wins, games)
            sentences[0] += f" ({rate}), {self.unhelped:,} without help"
        if self.streak:
            result = "won" if self.streak > 0 else "lost"
            length = abs(self.streak)
            last = "game" if length == 1 else f"{length:,} games"
            sentences.append(f"You {result} the last {last}")
        if self.longest > 1:
            sentences.append(f"At best you won {self.longest:,} in a row")
        if self.first_day and self.first_day == self.last_day:
            sentences.append(f"Played on {self.last_day}")
        elif self.first_day and self.last_day:
            sentences.append(f"Played from {self.first_day} to {self.last_day}")
        return ". ".join(sentences) + "."


def add_result(records: dict[str, OpponentRecord], played: Played) -> None:
    """Add *played* to the record of its opponent, which becomes the last of *records*, by key."""
    key = played.opponent
    record = records.pop(key, OpponentRecord(key, played.name))
    if not record.streak:
        record = replace(record, first_day=played.day)
    if played.has_won:
        streak = max(record.streak, 0) + 1
        record = replace(record, wins=record.wins + 1, longest=max(record.longest, streak))
        if not played.is_helped:
            record = replace(record, unhelped=record.unhelped + 1)
    else:
        streak = min(record.streak, 0) - 1
        record = replace(record, losses=record.losses + 1)
    records[key] = replace(
        record,
        name=played.name,
        streak=streak,
        last_day=played.day,
        recent=(*record.recent, played.has_won)[-MOST_MARKS:],
    )


def read_results(path: Path) -> list[Played]:
    """Return the games in *path*, the oldest first, without lines that do not fit.

    Raise StorageError if the file cannot be read.
    """
    return read_lines(path, record_of(Played))


def rename_opponent(path: Path, old: str, new: str) -> None:
    """Write the key *new* in the place of *old* in all results in *path*; raise StorageError."""
    before, after = (json.dumps({"opponent": key})[1:-2].encode() for key in (old, new))
    ends = rb'(?=[":])'  # a snapshot of the bot has the number of its games behind the key
    content = re.sub(re.escape(before) + ends, lambda _: after, read_bytes(path))
    write_atomically(path, [content])
