"""What a run and whoever started it say to each other: its events, and how it is asked to stop.

A window needs these and not the run, which may be in another process.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from traffic_lights.training.settings import RunSettings


class Stop(Enum):
    """How a run is asked to stop; it does so at the next batch boundary."""

    NO = "go on"
    PAUSE = "save the deltas, and go on when asked for the next event"
    COMMIT = "save the deltas"
    FOLD = "save the deltas and write the table"


@dataclass(frozen=True, slots=True)
class Started:
    """The run begins, or goes on."""

    settings: RunSettings
    resumed_at: int
    """The games of the run that were played before."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Progressed:
    """A batch was played."""

    games: int
    """Games of the run so far."""
    stage: str
    ply: int
    """The ply that the stage works on; -1 if it does not go by ply."""
    epsilon: float
    decided: int
    """Canonical positions decided, of POSITIONS."""
    share: float | None
    """How much of the run is done, from 0 to 1; None if nobody can know."""


@dataclass(frozen=True, slots=True)
class Saved:
    """All games before this number are on the disk."""

    games: int


@dataclass(frozen=True, slots=True)
class Noted:
    """Something a person should read, one sentence; the run goes on."""

    text: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The run stopped where it was asked to; it can be resumed."""

    games: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The run is done and its table written."""

    games: int
    decided: int
    is_complete: bool
    """Whether every canonical position is decided."""
    practice_games: int = 0
    """How many of the games were practice."""


Event = Started | Progressed | Saved | Noted | Stopped | Finished
