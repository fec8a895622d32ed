"""What is known about a training run, from the messages of its process; words and charts.

Nothing here needs a display. Times come from the clock that is passed in.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import Enum
from typing import Final

from traffic_lights.board.positions import POSITIONS
from traffic_lights.judging.best_response import best_score
from traffic_lights.judging.gauge import CHECK_POSITIONS, SCORES, SLIPS
from traffic_lights.pictures.charts import PLIES
from traffic_lights.pictures.run_charts import RunChart
from traffic_lights.pictures.series import Series
from traffic_lights.pictures.shares import percent_done, percent_so_far, whole_percent
from traffic_lights.players.roster import Roster
from traffic_lights.training.curves import Curves
from traffic_lights.training.events import Noted, Progressed
from traffic_lights.training.settings import RunSettings
from traffic_lights.workers.recorder import DECIDED, EPSILON
from traffic_lights.workers.training import (
    Began,
    Done,
    Failed,
    Message,
    Paused,
    RunSnapshot,
    Writing,
)

_RATE_OVER_S: Final = 3.0
"""The rate is that of the last seconds; what is left is told from it."""


class RunPhase(Enum):
    """What the run is doing."""

    NONE = "there is no run"
    KEPT = "a run of earlier, as it was kept"
    STARTING = "starting"
    RUNNING = "running"
    PAUSING = "pausing"
    PAUSED = "paused"
    STOPPING = "stopping"
    WRITING = "writing the table"
    STOPPED = "stopped"
    FINISHED = "finished"
    FAILED = "failed"


ACTIVE: Final = frozenset(
    {
        RunPhase.STARTING,
        RunPhase.RUNNING,
        RunPhase.PAUSING,
        RunPhase.PAUSED,
        RunPhase.STOPPING,
        RunPhase.WRITING,
    }
)
STOPPABLE: Final = ACTIVE - {RunPhase.STOPPING, RunPhase.WRITING}


class RunModel:
    """One run as the window shows it."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self.phase = RunPhase.NONE
        self.settings: RunSettings | None = None
        self.progress: Progressed | None = None
        self.decided_by_ply: tuple[int, ...] = (0,) * PLIES
        self.saved_games = 0
        self.games = 0
        self.all_games = 0
        """The games of all runs on the table, once this one has ended."""
        self.is_complete = False
        self.failure: Failed | None = None
        self.note = ""
        self._saved_s = self._began_s = now()
        self._paused_s = 0.0
        self._pause_began_s: float | None = None
        self._ended_s: float | None = None
        self._recent: list[tuple[float, int, float]] = []
        self.share = Series("decided")
        self.epsilon = Series("ε")
        self.slips = Series("slips")
        self.scores = {name: _score_series(name) for name in SCORES}
        self.resumed_at: list[int] = []
        self.name = ""
        """What the bot is called, or will be."""

    @property
    def is_active(self) -> bool:
        """Whether a process is at work on the run, or waits."""
        return self.phase in ACTIVE

    @property
    def decided(self) -> int:
        """The canonical positions decided."""
        return sum(self.decided_by_ply)

    # --- events ---

    def start(self) -> None:
        """Note that a process was started; the charts of a run that goes on are kept."""
        self.phase = RunPhase.STARTING
        self.failure = None
        self.note = ""
        if self._ended_s is not None:  # the time between is not the run's
            self._paused_s += self._now() - self._ended_s
        self._ended_s = None
        self._recent.clear()

    def take(self, message: Message) -> None:
        """Note what the process said."""
        match message:
            case Began():
                self._begin(message)
            case RunSnapshot():
                self._show(message)
            case Paused(games):
                # Of one that was resumed meanwhile it is no news: the worker reads that later.
                if self.phase is RunPhase.PAUSING:
                    self.phase = RunPhase.PAUSED
                    self._pause_began_s = self._now()
                self.games = games
                self._note_saved(games)
            case Writing():
                self.phase = RunPhase.WRITING
            case Noted(text):
                self.note = text
            case Done():
                self._end(message)
            case Failed():
                self.failure = message
                self.phase = RunPhase.FAILED
                self._end_pause()
                self._ended_s = self._now()

    def _begin(self, began: Began) -> None:
        if self.phase is RunPhase.STARTING:
            self.phase = RunPhase.RUNNING
        self.settings = began.settings
        self.games = began.resumed_at
        self.decided_by_ply = began.decided_by_ply[:PLIES]
        self._note_saved(began.resumed_at)
        if began.notes:
            self.note = " ".join(note + "." for note in began.notes)
        for name, series in self.series().items():
            series.forget_after(began.resumed_at)
            # What this program has seen itself is as good, and finer.
            series.points = series.points or list(began.curves.get(name, ()))
        if began.resumed_at:
            self.resumed_at.append(began.resumed_at)

    def _show(self, snapshot: RunSnapshot) -> None:
        progress = self.progress = snapshot.progress
        self.decided_by_ply = snapshot.decided_by_ply[:PLIES]
        self.games = progress.games
        if snapshot.saved_games != self.saved_games:
            self._note_saved(snapshot.saved_games)
        now_s = self._now()
        self._recent.append((now_s, progress.games, progress.share or 0.0))
        while self._recent[0][0] < now_s - _RATE_OVER_S and len(self._recent) > 2:
            self._recent.pop(0)
        self.share.add(progress.games, self.decided / POSITIONS)
        self.epsilon.add(progress.games, progress.epsilon)
        for point in snapshot.points:
            series = self.slips if point.name == SLIPS else self.scores[point.name]
            series.add(progress.games, point.value)

    def _end(self, done: Done) -> None:
        self.phase = RunPhase.FINISHED if done.is_finished else RunPhase.STOPPED
        self.games, self.is_complete = done.games, done.is_complete
        self.all_games = max(done.all_games, done.games)
        self._note_saved(done.games)
        self._end_pause()
        self._ended_s = self._now()

    def _note_saved(self, games: int) -> None:
        self.saved_games = games
        self._saved_s = self._now()

    def pausing(self) -> None:
        """Note that a pause was asked for."""
        self.phase = RunPhase.PAUSING

    def resumed(self) -> None:
        """Note that the run goes on after a pause."""
        self.phase = RunPhase.RUNNING
        self._end_pause()
        self._recent.clear()

    def _end_pause(self) -> None:
        if self._pause_began_s is not None:
            self._paused_s += self._now() - self._pause_began_s
            self._pause_began_s = None

    def stopping(self) -> None:
        """Note that a stop was asked for."""
        self.phase = RunPhase.STOPPING
        self._end_pause()

    # --- numbers ---

    def elapsed_s(self) -> float:
        """Return the seconds of the run, pauses left out."""
        until = self._ended_s if self._ended_s is not None else self._now()
        if self._pause_began_s is not None:
            until = self._pause_began_s
        return max(0.0, until - self._began_s - self._paused_s)

    def rate(self) -> float:
        """Return the games a second of late; 0 before it is known."""
        if len(self._recent) < 2:
            return 0.0
        (s0, games0, _), (s1, games1, _) = self._recent[0], self._recent[-1]
        return (games1 - games0) / (s1 - s0) if s1 > s0 else 0.0

    def left_s(self) -> float | None:
        """Return about how many seconds are left; None if nobody can know."""
        if self.progress is None or self.progress.share is None or len(self._recent) < 2:
            return None
        (s0, _, share0), (s1, _, share1) = self._recent[0], self._recent[-1]
        return (1 - share1) * (s1 - s0) / (share1 - share0) if share1 > share0 else None

    def done_share(self) -> float | None:
        """Return how much of the run is done, from 0 to 1; None if nobody can know."""
        if self.phase is RunPhase.FINISHED:
            return 1.0
        return self.progress.share if self.progress is not None else 0.0

    def saved_ago_s(self) -> float:
        """Return the seconds since everything played was last on the disk."""
        return self._now() - self._saved_s

    # --- charts ---

    def series(self) -> dict[str, Series]:
        """Return all that is known of how the run went, by the names of the recorder."""
        return {DECIDED: self.share, EPSILON: self.epsilon, SLIPS: self.slips, **self.scores}

    @property
    def settings_text(self) -> str:
        """The command that does the same; empty before it is known."""
        return self.settings.command() if self.settings is not None else ""

    def charts(self) -> list[RunChart]:
        """Return the charts of the run, which share their series with this model.

        The first two tell, with the vessels, what there is to tell; the others are for who asks.
        Each has its place and its axis in every run, so that runs can be compared.
        """
        slips = RunChart(
            f"Slips in {CHECK_POSITIONS:,} check positions",
            [self.slips],
            form=lambda value: f"{value:,.0f}",
            is_count=True,
            top=None,
            with_dots=True,
            brief="Slips",
        )
        scores = RunChart(
            "Score in games", list(self.scores.values()), with_dots=True, brief="Score"
        )
        decided = RunChart("Share of positions decided", [self.share], brief="Decided")
        epsilon = RunChart(
            "Exploration ε", [self.epsilon], form=lambda v: f"{v:.2g}", top=None, brief="ε"
        )
        charts = [scores, slips, decided, epsilon]
        for chart in charts:
            chart.resumed_at = self.resumed_at
            chart.across = self.share
        return charts

    @property
    def rival(self) -> str:
        """The name of the one opponent that the run is about; empty for other runs."""
        name = self.settings.plan.capitalize() if self.settings is not None else ""
        return name if name in self.scores else ""

    def lay_over(self, charts: list[RunChart], curves: Curves, name: str) -> None:
        """Lay the *curves* of the run *name* over *charts*, or take away what was; for no name."""
        names = {id(series): key for key, series in self.series().items()}
        for chart in charts:
            chart.other_name = name
            chart.others = (
                [Series(s.name, list(curves.get(names[id(s)], ()))) for s in chart.series]
                if name
                else []
            )


def _score_series(name: str) -> Series:
    return Series(name, reference=best_score(Roster().entry(name.lower())).total)


# Words


def clock(seconds: float) -> str:
    """Return *seconds* as minutes and seconds, or hours: ``0:12``, ``1:02:03``."""
    whole = int(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"


def headline(model: RunModel) -> str:
    """Return what the run is doing, in a few words."""
    match model.phase:
        case RunPhase.NONE:
            return "Train a QBot"
        case RunPhase.KEPT:
            return f"{model.name} – how it was trained"
        case RunPhase.STARTING:
            return "Starting…"
        case RunPhase.PAUSING:
            return "Pausing…"
        case RunPhase.PAUSED:
            return f"Paused at game {model.games:,}"
        case RunPhase.STOPPING:
            return "Stopping – saving what was learned…"
        case RunPhase.WRITING:
            return "Writing the table…"
        case RunPhase.STOPPED:
            return f"Stopped at game {model.games:,}"
        case RunPhase.FINISHED:
            return "Complete – every position decided" if model.is_complete else "Finished"
        case RunPhase.FAILED:
            return "The training has stopped"
    return _stage(model)


def _stage(model: RunModel) -> str:
    progress = model.progress
    if progress is None:
        return "Starting…"
    name = progress.stage[:1].upper() + progress.stage[1:]
    return f"{name} – positions after {progress.ply} moves" if progress.ply >= 0 else name


def positions_text(model: RunModel) -> str:
    """Return how many positions are decided."""
    share = percent_done(model.decided, POSITIONS)
    return f"{model.decided:,} of {POSITIONS:,} positions decided ({share})"


def games_line(model: RunModel) -> str:
    """Return what was played and learned: ``1,204,331 of … positions decided (53 %) · …``."""
    return f"{positions_text(model)} · {model.games:,} games"


def time_line(model: RunModel) -> str:
    """Return rate, times, how far the run is and what is saved: ``412,000 games/s · …``."""
    parts = []
    if model.phase in (RunPhase.RUNNING, RunPhase.PAUSING) and model.rate():
        parts.append(f"{model.rate():,.0f} games/s")
    parts.append(f"elapsed {clock(model.elapsed_s())}")
    share = model.done_share()
    if share and model.is_active:  # what the bar shows
        parts.append(f"{percent_so_far(share)} of the run")
    if model.phase is RunPhase.RUNNING:
        left_s = model.left_s()
        if left_s is not None:
            parts.append(f"about {clock(left_s + 0.5)} left")
        ago = int(model.saved_ago_s())
        parts.append("saved just now" if ago < 1 else f"last saved {ago} s ago")
    elif model.phase is RunPhase.PAUSED:
        parts.append("everything is saved")
    return " · ".join(parts)


def end_text(model: RunModel) -> str:
    """Return what came of a run that is over."""
    took = clock(model.elapsed_s())
    if model.phase is RunPhase.STOPPED:
        return (
            f"Stopped after {model.games:,} games. Everything is kept, and training can go on "
            "from here at any time."
        )
    if model.is_complete:
        return f"Complete in {took}: every position decided. Nobody will ever beat it as Player 2."
    settings = model.settings
    if settings is not None and settings.plan == "selfplay" and settings.games is None:
        return (
            f"Finished in {took}: every position that it can come to is decided. Nobody will ever "
            "beat it as Player 2."
        )
    return f"Finished in {took}, after {model.games:,} games: {_achieved(model)}."


def _achieved(model: RunModel) -> str:
    """Return what a run has come to: against the one opponent that it was about, if it was."""
    points = model.scores[model.rival].points if model.rival else []
    if not points:
        return positions_text(model)
    share = whole_percent(points[-1][1])
    return f"{'about ' if share[0].isdigit() else ''}{share} won against {model.rival}"
