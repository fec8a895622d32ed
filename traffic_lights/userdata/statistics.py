"""The player's statistics: wins, losses and streaks against each bot.

Opponents go by their keys, because a bot can be renamed.

>>> statistics = Statistics()
>>> statistics.add(Played("qbot", "QBot", 1, has_won=True, is_helped=False, day="2026-01-31"))
>>> [(record.opponent, record.wins) for record in statistics.records()]
[('qbot', 1)]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from traffic_lights.board.rules import EMPTY_BOARD
from traffic_lights.players.game import Game


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game against a bot: one line of results.jsonl."""

    opponent: str
    """The key of the bot."""
    name: str
    """What the bot was called then."""
    seat: int
    """The player's seat: 0 moves first."""
    has_won: bool
    is_helped: bool
    """Whether the player had hints, values, moves taken back or played by a bot."""
    day: str
    """When the game began, as YYYY-MM-DD; empty if unknown."""


@dataclass(frozen=True, slots=True)
class Record:
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


class Statistics:
    """The records of all opponents."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}

    def add(self, played: Played) -> None:
        """Count one game."""
        won, key = played.has_won, played.opponent
        old = self._records.get(key, Record(key, played.name))
        streak = max(old.streak, 0) + 1 if won else min(old.streak, 0) - 1
        self._records[key] = replace(
            old,
            name=played.name,
            wins=old.wins + won,
            losses=old.losses + (not won),
            unhelped=old.unhelped + (won and not played.is_helped),
            streak=streak,
            longest=max(old.longest, streak),
            first_day=old.first_day if old.streak else played.day,
            last_day=played.day,
        )

    def streak_after(self, game: Game) -> tuple[str, int]:
        """Return the bot's key in the finished *game*, which was counted, and its streak.

        The streak is 0 if the game does not count, or now has another end than the counted one.
        """
        played = line_of(game)
        record = self._records.get(played.opponent) if played is not None else None
        if played is None or record is None or (record.streak > 0) != played.has_won:
            return "", 0
        return record.opponent, record.streak

    def records(self) -> list[Record]:
        """Return all records, the opponent of the latest game first."""
        return sorted(self._records.values(), key=lambda record: record.last_day, reverse=True)

    @classmethod
    def from_old(cls, plain: Mapping[str, Any]) -> Statistics:
        """Return what version 1.1 counted, from the content of its statistics.json."""
        statistics = cls()
        records, histories = statistics._records, plain.get("histories", {})
        for row in plain["rows"]:
            key = row["opponent"]
            record = records.get(key) or Record(key, **{"name": key, **histories.get(key, {})})
            records[key] = replace(
                record,
                wins=record.wins + row["wins"],
                losses=record.losses + row["losses"],
                unhelped=record.unhelped + (0 if row["helped"] else row["wins"]),
            )
        return statistics


def line_of(game: Game) -> Played | None:
    """Return the line of the finished *game*; None if it does not count.

    It counts if one human played one bot from the first move to the last, from
    the empty board: a position that was set up may be won already.
    """
    seats = [seat for seat in (0, 1) if game.players[seat].is_human]
    if game.is_unrated or game.start != EMPTY_BOARD or len(seats) != 1:
        return None
    seat, bot = seats[0], game.players[1 - seats[0]]
    return Played(bot.bot or "", bot.name, seat, game.winner == seat, game.is_helped, game.day)
