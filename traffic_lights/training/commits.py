"""Commits on their way to the disk: what one holds, and how it is made.

`make_commit` formats, appends and syncs, and returns when all that is done.
A `Committer` is who makes it: a `CommitterHere` does so before `start`
returns; the one of `committer` in another process, while this one plays on.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from traffic_lights.learning.deltas import format_deltas
from traffic_lights.learning.episodes import Batch
from traffic_lights.storage.files import StorageError, write_json
from traffic_lights.storage.log import DeltaLog
from traffic_lights.storage.patience import BRIEF

MOST_UNSAVED: Final = 200_000
"""The deltas after which a run should commit: some 7 MB of records, 12 MB at the very most."""
_FORMATTED_AT_ONCE: Final = 1 << 12


@dataclass(slots=True)
class Unsaved:
    """The deltas of some batches, in order, that no commit holds yet."""

    # Four bytes each; as a list of ints they would take some forty.
    deltas: array[int] = field(default_factory=lambda: array("I"))
    values: array[float] | None = None
    """The value of each; None if each is -1.0 or +1.0 as its lowest bit says."""

    def add(self, batch: Batch) -> None:
        """Add what *batch* changed."""
        # Values are written out only from the first that is not a sign: a run with α = 1 has
        # none.
        if batch.values is not None or self.values is not None:
            if self.values is None:
                self.values = array("d", _signs(self.deltas))
            self.values.extend(_signs(batch.deltas) if batch.values is None else batch.values)
        self.deltas += array("I", batch.deltas)

    def formatted(self) -> Iterator[bytes]:
        """Yield the records, thousands at a time."""
        # A part at a time: their text takes ten times the room of the deltas.
        for start in range(0, len(self.deltas), _FORMATTED_AT_ONCE):
            part = slice(start, start + _FORMATTED_AT_ONCE)
            yield format_deltas(self.deltas[part], self.values and self.values[part])


def _signs(deltas: Iterable[int]) -> Iterator[float]:
    return (1.0 if delta & 1 else -1.0 for delta in deltas)


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be saved: the deltas, where they bring the run, and what is said of that."""

    unsaved: Unsaved
    content: dict[str, Any]
    """The commit of the log."""
    # Made with the commit, not when it is written: by then the run has gone on.
    checkpoint: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Receipt:
    """The commit is on the disk."""

    log_size: int
    crc: int
    """The checksum of the log up to there."""
    problem: str = ""
    """Why the checkpoint could not be written; the log is what counts."""


def make_commit(log: DeltaLog, checkpoint: Path, request: Request) -> Receipt:
    """Append *request* to *log*, then replace *checkpoint*.

    Raise StorageError if it could not be appended; what was committed before stays so.
    """
    # Joined, so that one append takes records and commit: of a torn one nothing verifies.
    records = b"".join(request.unsaved.formatted())
    log.append(records, len(request.unsaved.deltas), request.content)
    try:
        # Second, and only for people to read: if it cannot be written, nothing is lost, and
        # the next commit must not wait for it.
        write_json(checkpoint, request.checkpoint, BRIEF)
    except StorageError as error:
        return Receipt(log.size, log.crc, f"{error}; the log holds what is new")
    return Receipt(log.size, log.crc)


class Committer(Protocol):
    """Makes the commits of one log, one after the other."""

    def start(self, request: Request) -> None:
        """Begin to save *request*, when the receipt of the one before was taken.

        Raise StorageError if it cannot be saved.
        """
        ...

    def receipt(self, *, wait: bool) -> Receipt | None:
        """Return the receipt of what was started, once; None if there is none, or none yet.

        Raise StorageError if it could not be saved. With *wait*, wait for it.
        """
        ...

    def close(self) -> None:
        """Finish what was started and close the log; nothing happens if that is done."""
        ...


class CommitterHere:
    """Makes each commit at once, in this process."""

    def __init__(self, log: DeltaLog, checkpoint: Path) -> None:
        self._log, self._checkpoint = log, checkpoint
        self._receipt: Receipt | None = None

    def start(self, request: Request) -> None:
        """Save *request*; raise StorageError."""
        self._receipt = make_commit(self._log, self._checkpoint, request)

    def receipt(self, *, wait: bool) -> Receipt | None:  # noqa: ARG002 - nothing takes time
        """Return the receipt of the last commit, once; *wait* makes no difference."""
        receipt, self._receipt = self._receipt, None
        return receipt

    def close(self) -> None:
        """Close the log."""
        self._log.close()
