"""The study: what each programme and update rule has learned after equal numbers of games.

Each trial trains a table in a temporary folder, with the same trainer and the
same seed as anyone else's, and judges it: single moves by the exact solution,
whole games against the baseline bots and the exact player. On the way, at
round numbers of games, the shares of winning moves found are noted: these are
the learning curves.

The trials take about five minutes on one idle core. A trial stands alone, so the
stream of outcomes can be stopped after any.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from traffic_lights.judging import reports
from traffic_lights.judging.accuracy import check_table, found_share, sample
from traffic_lights.judging.evaluation import Row, evaluate
from traffic_lights.learning.qtable import QTable
from traffic_lights.pictures.curves import Curve, Panel
from traffic_lights.players.contestants import Contestant, standard_opponents
from traffic_lights.training.run import Progressed, Started, Training
from traffic_lights.training.settings import Settings, opponents

BUDGETS: Final = (10_000, 100_000)
LONG_BUDGET: Final = 200_000
ALPHAS: Final = {"terminal": 1.0, "bootstrap": 1.0, "monte-carlo": 0.5}
"""The learning rate of each update rule: a deterministic game needs no less, a mean does."""
EVALUATION_GAMES: Final = 2000
CHECKPOINTS: Final = tuple(digit * 10**power for power in range(3, 8) for digit in range(1, 10))
"""The games after which a learning curve has a point."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One training: a programme or opponent, an update rule, and how long."""

    programme: str
    update: str = "terminal"
    games: int | None = None
    """None: until the programme is done."""

    @property
    def label(self) -> str:
        """What the pictures call it."""
        return self.programme if self.update == "terminal" else f"{self.programme}, {self.update}"

    def settings(self, seed: int) -> Settings:
        """Return the settings of the training run."""
        return Settings(
            programme=self.programme,
            games=self.games,
            seed=seed,
            alpha=ALPHAS[self.update],
            update=self.update,
        )


@dataclass(frozen=True, slots=True)
class Point:
    """What a table knew after some games of its training."""

    games: int
    found_random: float
    """The share of winning moves found in positions of Random games, from 0 to 1."""
    found_myopic: float
    """The same for positions of Myopic games."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one trial."""

    trial: Trial
    seed: int
    games: int
    games_a_second: float
    decided: float | None
    """The share of all canonical positions decided; None for estimates, which decide nothing."""
    curve: tuple[Point, ...]
    """The last point is the end of the training."""
    rows: tuple[Row, ...]
    """The games against standard_opponents()."""

    def row(self, opponent: str) -> Row:
        """Return the result against the *opponent* of that name."""
        return next(row for row in self.rows if row.opponent == opponent)


def _trials() -> Iterator[Trial]:
    for programme in (*opponents(), "baselines"):
        for update in ALPHAS:
            for games in BUDGETS:
                yield Trial(programme, update, games)
            if programme == "self":
                yield Trial(programme, update, LONG_BUDGET)
    for programme in ("selfplay", "reverse"):
        for budget in (*BUDGETS, LONG_BUDGET, None):
            yield Trial(programme, games=budget)


TRIALS: Final = tuple(_trials())
DRAWN: Final = (
    Trial("reverse"),
    Trial("selfplay"),
    Trial("self", "bootstrap", LONG_BUDGET),
    Trial("self", "monte-carlo", LONG_BUDGET),
)
"""The trials whose learning curves the picture shows."""


def study(
    trials: Sequence[Trial] = TRIALS,
    seed: int = 1,
    games: int = EVALUATION_GAMES,
    now: Callable[[], float] = time.process_time,
) -> Iterator[Outcome]:
    """Yield the outcome of each of *trials*, judged by *games* games against each opponent.

    *now* is the clock of the training, by default the processor's, to which other
    work of the machine matters little. Raise StorageError if the folder for
    temporary files cannot be used.
    """
    for trial in trials:
        with tempfile.TemporaryDirectory(prefix="traffic-lights-study-") as folder:
            yield _outcome(trial, seed, games, Path(folder), now)


def _outcome(
    trial: Trial, seed: int, games: int, folder: Path, now: Callable[[], float]
) -> Outcome:
    settings = trial.settings(seed).checked()
    wanted = {name: value for name, value in settings.as_json().items() if name != "shares"}
    curve: list[Point] = []
    with Training(folder, wanted) as training:
        seconds = 0.0
        since = now()
        for event in training.run():
            if isinstance(event, Started):
                since = now()
            elif isinstance(event, Progressed):
                seconds += now() - since
                if _is_due(event.games, curve):
                    curve.append(_point(event.games, training.table))
                since = now()
        table, played = training.table, training.state.progress.games
    if curve[-1].games < played:
        curve.append(_point(played, table))
    decided = None
    if settings.update == "terminal":
        check = check_table(table)
        decided = check.decided / check.positions
    opponents = [Contestant(name) for name in standard_opponents()]
    bot = Contestant(trial.label, table)
    rows = {row.opponent: row for row in evaluate(bot, opponents, games, seed, jobs=1)}
    return Outcome(
        trial, seed, played, played / seconds, decided, tuple(curve), tuple(rows.values())
    )


def _is_due(games: int, curve: Sequence[Point]) -> bool:
    """Return whether a checkpoint lies between the last point of *curve* and *games*."""
    last = curve[-1].games if curve else 0
    return any(last < checkpoint <= games for checkpoint in CHECKPOINTS)


def _point(games: int, table: QTable) -> Point:
    return Point(games, found_share(table, sample("random")), found_share(table, sample("myopic")))


COLUMNS: Final = (
    "programme",
    "update",
    "games",
    "games/s",
    "decided",
    "found, Random",
    "found, Myopic",
    "Random",
    "Alternate",
    "Myopic",
    "exact, as 1",
    "exact, as 2",
    "slips a game",
)
EXPLANATION: Final = (
    "Decided: share of the 2,266,543 canonical positions. Found: share of positions with a "
    "winning and a losing move, from Random and from Myopic games, in which greedy play wins. "
    "Random to exact: games won, half of them in each seat, against the exact player by seat. "
    "Slips: against Myopic. Games a second are those of the training, by processor time."
)


def cells(outcome: Outcome) -> tuple[str, ...]:
    """Return the texts of *outcome* under COLUMNS."""
    end, exact = outcome.curve[-1], outcome.row("exact")
    return (
        outcome.trial.programme,
        outcome.trial.update,
        f"{outcome.games:,}" + ("" if outcome.trial.games else " (done)"),
        f"{outcome.games_a_second:,.0f}",
        reports.percent(outcome.decided),
        reports.percent(end.found_random),
        reports.percent(end.found_myopic),
        *(reports.percent(outcome.row(name).rate) for name in standard_opponents()[:-1]),
        reports.percent(exact.first.rate),
        reports.percent(exact.second.rate),
        f"{outcome.row('myopic').slips_a_game:.2f}",
    )


def to_markdown(outcomes: Sequence[Outcome]) -> str:
    """Return *outcomes* as a table in Markdown, with what its columns mean."""
    return reports.markdown(COLUMNS, map(cells, outcomes)) + "\n\n" + EXPLANATION


def as_json(outcome: Outcome) -> dict[str, Any]:
    """Return *outcome* as plain values."""
    return {
        "command": outcome.trial.settings(outcome.seed).checked().command(),
        "programme": outcome.trial.programme,
        "update": outcome.trial.update,
        "games": outcome.games,
        "games_per_second": round(outcome.games_a_second, 1),
        "decided": outcome.decided,
        "curve": [[p.games, p.found_random, p.found_myopic] for p in outcome.curve],
        "results": [reports.as_json(row) for row in outcome.rows],
    }


def panels(outcomes: Sequence[Outcome]) -> list[Panel]:
    """Return the two panels of the learning curves of those *outcomes* that are DRAWN."""
    drawn = [outcome for outcome in outcomes if outcome.trial in DRAWN]
    drawn.sort(key=lambda outcome: DRAWN.index(outcome.trial))
    found: dict[str, Callable[[Point], float]] = {
        "Random": lambda point: point.found_random,
        "Myopic": lambda point: point.found_myopic,
    }
    return [
        Panel(
            f"Winning moves found in positions from {name} games",
            [Curve(o.trial.label, [(p.games, share(p)) for p in o.curve]) for o in drawn],
        )
        for name, share in found.items()
    ]
