"""Undo and redo as snapshots: what was, what is, and what redo brings back.

A history is one sequence of immutable values with a finger on the present one. Undo
moves the finger back and redo moves it forward. A new value is inserted after the
present one, and nothing is ever removed. So one key never loses what was played: the
line that a new move leaves comes after that move.

>>> history = UndoHistory("a")
>>> history.add("ab")
>>> history.back()
>>> history.add("ac")
>>> history.past, history.present, history.future
(['a'], 'ac', ['ab'])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Generic, TypeVar

from traffic_lights.players.game import Game

T = TypeVar("T")


class UndoHistory(Generic[T]):
    """The present value between the *past* ones and those of the *future*, the next one last."""

    def __init__(self, present: T, past: Iterable[T] = (), future: Iterable[T] = ()) -> None:
        self.past = list(past)
        self.present = present
        self.future = list(future)

    def add(self, value: T) -> None:
        """Make *value* the present one; if redo would bring just this one, redo."""
        if self.future and self.future[-1] == value:
            self.forward()
        else:
            self.past.append(self.present)
            self.present = value

    def back(self, steps: int = 1) -> None:
        """Move *steps* values back; there must be so many."""
        for _ in range(steps):
            self.future.append(self.present)
            self.present = self.past.pop()

    def forward(self, steps: int = 1) -> None:
        """Move *steps* values forward; there must be so many."""
        for _ in range(steps):
            self.past.append(self.present)
            self.present = self.future.pop()

    def change(self, changed: Callable[[T], T]) -> None:
        """Replace every value by what *changed* makes of it."""
        self.past = [changed(value) for value in self.past]
        self.present = changed(self.present)
        self.future = [changed(value) for value in self.future]


def lines_of(snapshots: Iterable[Game]) -> list[Game]:
    """Return each run of single moves as its last game, which tells `since` when it was a run."""
    lines: list[Game] = []
    for game in snapshots:
        line = lines[-1] if lines else None
        if line is not None and game.actions and game.until(-1) == line:
            lines[-1] = replace(game, since=line.since)
        else:
            lines.append(replace(game, since=len(game.actions)))
    return lines


def snapshots_of(lines: Iterable[Game]) -> list[Game]:
    """Return every snapshot of *lines*, as `lines_of` took them together."""
    return [game.until(n) for game in lines for n in range(game.since, len(game.actions) + 1)]
