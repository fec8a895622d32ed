"""How the games of a player against one bot ended.

>>> record = OpponentRecord().with_game("Casual", True, is_helped=False, day="")
>>> record.wins, record.unhelped, record.streak
(1, 1, 1)
"""

from dataclasses import dataclass, replace
from typing import Self

from traffic_lights.storage.kinds import TextLine, Whole, member
from traffic_lights.storage.words import percent_done


@dataclass(frozen=True, slots=True)
class OpponentRecord:
    """All games against one bot."""

    name: str = member(TextLine(60), "")
    """What it was called in the last game."""
    wins: int = member(Whole(), 0)
    losses: int = member(Whole(), 0)
    unhelped: int = member(Whole(), 0)
    """The wins without help."""
    streak: int = member(Whole(-(10**9)), 0)
    """The last games in a row that were won, or lost if negative."""
    longest: int = member(Whole(), 0)
    """The most games ever won in a row."""
    recent: str = member(TextLine(10), "")
    """A sign for each of the last games, won or lost, the latest at the right."""
    last_day: str = member(TextLine(10), "")
    """When the last game began, as YYYY-MM-DD; empty if unknown."""

    def with_game(self, name: str, has_won: bool, *, is_helped: bool, day: str) -> Self:
        """Return the record with one more game, which began on *day*."""
        streak = max(self.streak, 0) + 1 if has_won else min(self.streak, 0) - 1
        return replace(
            self,
            name=name,
            wins=self.wins + has_won,
            losses=self.losses + (not has_won),
            unhelped=self.unhelped + (has_won and not is_helped),
            streak=streak,
            longest=max(self.longest, streak),
            recent=(self.recent + "○●"[has_won])[-10:],
            last_day=day,
        )

    @property
    def shown(self) -> dict[str, str]:
        """Return the figures as the statistics show them, by their titles."""
        result = "won" if self.streak > 0 else "lost"
        return {
            "Won": f"{self.wins:,}",
            "Lost": f"{self.losses:,}",
            "Rate": percent_done(self.wins, max(1, self.wins + self.losses)),
            "Won unaided": f"{self.unhelped:,}",
            "In a row": f"{abs(self.streak):,} {result}",
            "Most won": f"{self.longest:,}",
            "Last games": self.recent,
            "Last played": self.last_day,
        }
