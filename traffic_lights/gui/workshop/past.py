"""What is known of a bot as it was: the snapshots in its folder, or those that are made again."""

import tkinter as tk
from collections.abc import Sequence

from traffic_lights.gui.kit.jobs import watch
from traffic_lights.learning.tablefile import read_meta
from traffic_lights.storage.files import StorageError
from traffic_lights.system.processes import Ended, Worker
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import OwnBot, playing_path
from traffic_lights.training.rerun import expected_snapshots
from traffic_lights.training.settings import SettingsError
from traffic_lights.training.snapshots import kept_snapshots
from traffic_lights.training.worker import snapshot_process
from traffic_lights.workshop.shared import Act, as_sentence


class Past:
    """The snapshots of *bot*; *changed* is called when those that are made again come in."""

    def __init__(self, root: tk.Misc, changed: Act, bot: OwnBot | None = None) -> None:
        self._root = root
        self._changed = changed
        self.bot = bot
        self.points: Sequence[Measured] = ()
        """Its snapshots, without the bot as it is; none until all are there."""
        self.end: Measured | None = None
        """The scores of the bot as it is, if they are kept with the snapshots."""
        self.made: list[Measured] = []
        """Those that are made now."""
        self.count = 0
        """About how many can be made; 0 if they are kept already, or not to be had."""
        self.problem = ""
        """Why there are none, in a sentence."""
        self._worker: Worker | None = None
        if bot is None:
            return
        try:
            meta = read_meta(playing_path(bot))
            kept = kept_snapshots(bot.folder, meta)
            if kept is None:
                self.count = expected_snapshots(meta)
            else:
                self._take_all(kept)
        except (StorageError, SettingsError) as error:
            self.problem = as_sentence(error)

    @property
    def known(self) -> Sequence[Measured]:
        """Its snapshots, and the bot as it is if its scores are kept with them."""
        return (*self.points, *(() if self.end is None else (self.end,)))

    @property
    def is_being_made(self) -> bool:
        """Whether the bot plays its games again now."""
        return self._worker is not None

    def make(self) -> None:
        """Have the bot play its games again, in a process."""
        self.made = []
        self._worker = Worker(snapshot_process, self.bot)
        watch(self._root, self._worker, self._take)

    def stop(self) -> None:
        """End the process that makes snapshots, if there is one, without what it has made."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _take(self, message: object) -> None:
        match message:
            case Measured():
                self.made.append(message)
            case Ended(problem):
                self._worker = None
                self.problem = as_sentence(problem)
                if not problem:
                    self._take_all(self.made)
        self._changed()

    def _take_all(self, points: Sequence[Measured]) -> None:
        """Take *points* for the snapshots; the last one may be the bot as it is."""
        assert self.bot is not None
        games = self.bot.games
        self.points = [point for point in points if point.games < games]
        self.end = next((point for point in points if point.games == games), None)
