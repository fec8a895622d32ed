"""The statistics of a person: wins and losses by opponent, seat, and with or without help.

>>> tally = Tally()
>>> tally.add(Entry("qbot", 1, False), won=True)
>>> tally.rows()
[Row(entry=Entry(opponent='qbot', seat=1, is_helped=False), wins=1, losses=0)]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from traffic_lights.board.rules import EMPTY_BOARD
from traffic_lights.session.phases import Result
from traffic_lights.storage.files import DamagedFileError

FORMAT: Final = "traffic-lights-statistics"
VERSION: Final = 1
_MOST_ROWS: Final = 1000
_MOST_GAMES: Final = 10**9


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One kind of game against a bot."""

    opponent: str
    """The key of the bot's level."""
    seat: int
    """The person's seat: 0 moves first."""
    is_helped: bool
    """Whether the person had hints, values, moves taken back or played by a bot."""


@dataclass(frozen=True, slots=True)
class Row:
    """How the games of one kind ended."""

    entry: Entry
    wins: int
    losses: int


class Tally:
    """Counts of finished games."""

    def __init__(self) -> None:
        self._counts: dict[Entry, tuple[int, int]] = {}

    def rows(self) -> list[Row]:
        """Return the kinds of games played, by opponent, seat and help."""
        return [Row(entry, *self._counts[entry]) for entry in sorted(self._counts)]

    def add(self, entry: Entry, won: bool) -> None:
        """Count one game."""
        wins, losses = self._counts.get(entry, (0, 0))
        self._counts[entry] = (wins + won, losses + (not won))

    def add_result(self, result: Result) -> bool:
        """Count a finished game of one person against a bot; return whether it is one.

        Games from a position set up do not count: it may have been won already.
        """
        players = result.game.players
        seats = [seat for seat in (0, 1) if players[seat].is_human]
        opponent = players[1 - seats[0]].bot if len(seats) == 1 else None
        if opponent is None or result.game.start != EMPTY_BOARD:
            return False
        self.add(Entry(opponent, seats[0], result.game.is_helped), result.winner == seats[0])
        return True

    def to_plain(self) -> dict[str, Any]:
        """Return the counts as plain values for a JSON file."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "rows": [
                {
                    "opponent": row.entry.opponent,
                    "seat": row.entry.seat,
                    "helped": row.entry.is_helped,
                    "wins": row.wins,
                    "losses": row.losses,
                }
                for row in self.rows()
            ],
        }

    @classmethod
    def from_plain(cls, plain: Any) -> Tally:
        """Return the counts that `to_plain` wrote; raise DamagedFileError otherwise."""
        tally = cls()
        rows = plain.get("rows") if isinstance(plain, dict) else None
        if not isinstance(rows, list) or len(rows) > _MOST_ROWS:
            raise DamagedFileError("the statistics have no list of 'rows'")
        for row in rows:
            if not _is_row(row):
                raise DamagedFileError(f"the statistics have a row that is none: {str(row)[:60]}")
            entry = Entry(row["opponent"], row["seat"], row["helped"])
            tally._counts[entry] = (row["wins"], row["losses"])
        return tally


def _is_row(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and isinstance(row.get("opponent"), str)
        and len(row["opponent"]) <= 40
        and isinstance(row.get("helped"), bool)
        and _is_count(row.get("seat"), 1)
        and _is_count(row.get("wins"), _MOST_GAMES)
        and _is_count(row.get("losses"), _MOST_GAMES)
    )


def _is_count(value: Any, most: int) -> bool:
    return type(value) is int and 0 <= value <= most
