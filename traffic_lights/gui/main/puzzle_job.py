"""The puzzles that come next, made in a thread while the player does something else."""

import random
import tkinter as tk
from collections.abc import Callable

from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.play.session import Session
from traffic_lights.play.solving import Attempt, PuzzleRecord, PuzzleSource


class PuzzleJob:
    """Makes puzzles for *session* that fit the results, *record*; *made* is called after that."""

    def __init__(
        self,
        root: tk.Misc,
        session: Session,
        *,
        record: Callable[[], PuzzleRecord],
        made: Callable[[], object],
    ) -> None:
        self._root = root
        self._session = session
        self._record = record
        self._made = made
        self._source = PuzzleSource(random.getrandbits(32))
        self._is_running = False

    def start(self) -> None:
        """Make the next puzzle and that of the day, if one is missing."""
        session = self._session
        today = session.today
        has_todays = session.todays_puzzle is not None and session.todays_puzzle.day == today
        has_both = session.next_puzzle is not None and has_todays
        if self._is_running or has_both or not session.is_solved:
            return
        record = self._record()

        def make() -> tuple[Attempt, Attempt]:
            return self._source.next(record, today), self._source.of_the_day(record, today)

        def done(puzzles: tuple[Attempt, Attempt]) -> None:
            self._is_running = False
            if self._record() is not record:  # the results have changed meanwhile
                self.start()
                return
            session.next_puzzle, session.todays_puzzle = puzzles
            self._made()

        self._is_running = True
        run_job(self._root, make, done)
