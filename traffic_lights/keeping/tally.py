"""The statistics of a person: wins and losses by opponent, seat and help, streaks and dates.

Opponents go by their keys, which outlast a change of name.

>>> tally = Tally()
>>> tally.add(Entry("qbot", 1, False), won=True)
>>> tally.rows()
[TallyRow(entry=Entry(opponent='qbot', seat=1, is_helped=False), wins=1, losses=0)]
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from traffic_lights.board.rules import EMPTY_BOARD
from traffic_lights.players.game import Game
from traffic_lights.session.phases import Result
from traffic_lights.storage.files import DamagedFileError

FORMAT: Final = "traffic-lights-statistics"
VERSION: Final = 1
_MOST_ROWS: Final = 1000
_MOST_GAMES: Final = 10**9
_LONGEST_NAME: Final = 60
_DAY: Final = re.compile(r"(\d{4}-\d\d-\d\d)?")


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
class TallyRow:
    """How the games of one kind ended."""

    entry: Entry
    wins: int
    losses: int


@dataclass(frozen=True, slots=True)
class History:
    """What is known of all games against one opponent, in the order of their ends."""

    name: str
    """What it was called in the last game."""
    streak: int
    """The games in a row that were won, or lost if negative."""
    longest: int
    """The most games ever won in a row."""
    first_day: str
    last_day: str
    """When the first and the last of the games began, as YYYY-MM-DD; empty if unknown."""


@dataclass(frozen=True, slots=True)
class Record:
    """All games against one opponent."""

    opponent: str
    wins: int
    losses: int
    unhelped: int
    """The wins without help."""
    history: History | None
    """None for games that an older program counted."""


def opponent_of(game: Game) -> tuple[int, str] | None:
    """Return the person's seat and the bot's key in a game that counts; None if it cannot.

    It is of one against one, with the same two from its first move. From a
    position set up it may have been won already.
    """
    if game.is_unrated or game.start != EMPTY_BOARD:
        return None
    seats = [seat for seat in (0, 1) if game.players[seat].is_human]
    key = game.players[1 - seats[0]].bot if len(seats) == 1 else None
    return None if key is None else (seats[0], key)


class Tally:
    """Counts of finished games."""

    def __init__(self) -> None:
        self._counts: dict[Entry, tuple[int, int]] = {}
        self._histories: dict[str, History] = {}

    def rows(self) -> list[TallyRow]:
        """Return the kinds of games played, by opponent, seat and help."""
        return [TallyRow(entry, *self._counts[entry]) for entry in sorted(self._counts)]

    def add(self, entry: Entry, won: bool) -> None:
        """Count one game."""
        wins, losses = self._counts.get(entry, (0, 0))
        self._counts[entry] = (wins + won, losses + (not won))

    def add_result(self, result: Result) -> bool:
        """Count a finished game, if it is one that counts; return whether it is."""
        game = result.game
        seat_and_key = opponent_of(game)
        if seat_and_key is None:
            return False
        seat, opponent = seat_and_key
        has_won = result.winner == seat
        self.add(Entry(opponent, seat, game.is_helped), has_won)
        self._note(opponent, game.players[1 - seat].name, game.day, has_won)
        return True

    def _note(self, opponent: str, name: str, day: str, has_won: bool) -> None:
        """Go on with the history of *opponent*."""
        old = self._histories.get(opponent, History(name, 0, 0, day, day))
        streak = max(old.streak, 0) + 1 if has_won else min(old.streak, 0) - 1
        longest = max(old.longest, streak)
        self._histories[opponent] = History(
            name[:_LONGEST_NAME], streak, longest, old.first_day, day
        )

    def history(self, opponent: str) -> History | None:
        """Return what is known of all games against *opponent*; None if nothing."""
        return self._histories.get(opponent)

    def records(self) -> list[Record]:
        """Return the opponents, who was played last first."""
        keys = dict.fromkeys(entry.opponent for entry in sorted(self._counts))
        records = [self._record(key) for key in keys]
        return sorted(records, key=lambda r: r.history.last_day if r.history else "", reverse=True)

    def _record(self, opponent: str) -> Record:
        rows = [row for row in self.rows() if row.entry.opponent == opponent]
        return Record(
            opponent,
            sum(row.wins for row in rows),
            sum(row.losses for row in rows),
            sum(row.wins for row in rows if not row.entry.is_helped),
            self.history(opponent),
        )

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
            "histories": {key: asdict(history) for key, history in self._histories.items()},
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
        histories = plain.get("histories", {})  # an older program wrote none
        if not isinstance(histories, dict) or len(histories) > _MOST_ROWS:
            raise DamagedFileError("the statistics have 'histories' that are none")
        tally._histories = {key: _parse_history(key, value) for key, value in histories.items()}
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


def _parse_history(key: str, plain: Any) -> History:
    """Return one history; raise DamagedFileError if *plain* is none."""
    names = [field.name for field in fields(History)]
    values: list[Any] = [plain.get(name) for name in names] if isinstance(plain, dict) else []
    if len(key) > _LONGEST_NAME or not values or not _is_history(values):
        raise DamagedFileError(f"the statistics have a history that is none: {str(plain)[:60]}")
    return History(*values)


def _is_history(values: list[Any]) -> bool:
    """Return whether *values* are those of a `History`, in its order."""
    name, streak, longest, *days = values
    return (
        isinstance(name, str)
        and len(name) <= _LONGEST_NAME
        and type(streak) is int
        and abs(streak) <= _MOST_GAMES
        and _is_count(longest, _MOST_GAMES)
        and all(isinstance(day, str) and _DAY.fullmatch(day) for day in days)
    )
