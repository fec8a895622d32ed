"""How a bot learns: measured while a process trains it, or made again as it was after any games.

Runs are exact, so all follows from the seed, and snapshots are only a cache in the bot's folder:
history/index.json, history/1.json, history/2.json, ... A process that trains sends a `Moment` at
most twenty times a second and a `Measured` score now and then; down its pipe goes only the request
to stop.
"""

import random
import shutil
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from traffic_lights.board.baselines import BASELINES, Policy
from traffic_lights.board.exact_score import exact_score
from traffic_lights.board.positions import POSITIONS, contains, finished
from traffic_lights.board.rules import CELLS, EMPTY_BOARD, STEPS, legal_actions
from traffic_lights.learning.episodes import Learner
from traffic_lights.learning.prune import prune
from traffic_lights.learning.qtable import QTable, TableBot
from traffic_lights.learning.tablefile import read_meta, read_table, write_table
from traffic_lights.storage import schema
from traffic_lights.storage.files import StorageError, explained, make_folder, write_json
from traffic_lights.storage.folders import PRUNED
from traffic_lights.system.processes import end_with_parent, reported_end
from traffic_lights.training.own_bots import (
    HISTORY,
    Measured,
    OwnBot,
    playing_path,
    read_curve,
    snapshot_path,
    write_curve,
)
from traffic_lights.training.plans import Progress, make_stages, played, table_for
from traffic_lights.training.run import Moment, Training
from traffic_lights.training.settings import OPPONENTS, PROVING, RunSettings, SettingsError
from traffic_lights.training.store import runs_in

MOMENT_EVERY_S: Final = 0.05
MEASURE_EVERY_S: Final = 0.25
_SAMPLED_GAMES: Final = 200
_INDEX: Final = "index.json"
_SNAPSHOTS: Final[schema.Fields] = {
    "runs": schema.a_list(),
    "points": schema.a_list(),
}
SHARES: Final = 24
"""The snapshots of a plan that proves."""
SMALL_RUN: Final = 5_000
"""The games up to which a sparse table is faster to look through than a dense one."""


def milestones(games: int) -> list[int]:
    """Return the numbers of games to look at: 1, 2, 4, 7, 10, 20, ... and *games* itself.

    >>> milestones(30)
    [1, 2, 4, 7, 10, 20, 30]
    """
    powers = (10**power for power in range(len(str(games))))
    return [*(n * power for power in powers for n in (1, 2, 4, 7) if n * power < games), games]


def runs_of(meta: Mapping[str, Any]) -> list[tuple[RunSettings, int]]:
    """Return the settings and the games of each run that made the table with *meta*.

    Raise SettingsError if the table cannot be made again, as an imported one cannot.
    """
    runs = runs_in(meta)
    if not runs or "imported" in meta or any("settings" not in run for run in runs):
        raise SettingsError("this bot cannot be made again: its first games are not known")
    return [(RunSettings.from_json(run["settings"]), run["games"]) for run in runs]


def history(meta: Mapping[str, Any], games: int | None = None) -> Iterator[tuple[int, int, QTable]]:
    """Play the first *games* of the table with *meta* again, or all, and yield snapshots.

    A snapshot is a number of games, how many positions are solved then, and the table, which
    learns on when the next one is made. Those of games against bots are spaced by the logarithm of
    their number, those of a plan that proves by the share of solved positions.
    """
    runs = runs_of(meta)
    total = sum(n for _, n in runs) if games is None else games
    wanted = milestones(total)
    table = QTable()
    before = 0
    seen = 0
    share = 0
    decided = 0
    for number, (settings, whole) in enumerate(runs):
        end = min(whole, total - before)
        table = table_for(settings, table)
        at = Progress(settings.epsilon_start)
        is_proving = settings.plan in PROVING
        # A batch may be divided only where the run itself could have ended.
        is_divided = settings.plan in OPPONENTS and settings.explore == "random"
        inside = [n - before for n in wanted if 0 < n - before < end] if is_divided else []
        learner = None
        for target in (*inside, end):
            # Looking through a dense table takes half a second, so few games have a sparse one.
            is_small = before + target <= SMALL_RUN
            if learner is None or (not is_small and isinstance(table.proofs, dict)):
                if not is_small:
                    table.make_dense()
                learner = Learner(table, settings.alpha)
                stages = make_stages(settings, learner)
            for _, after in played(replace(settings, games=target), stages, at, number):
                at = after
                now = before + after.games
                decided = sum(learner.decided_by_ply)
                if decided * SHARES // POSITIONS > share if is_proving else now in wanted:
                    yield now, decided, table
                    seen = now
                    share = decided * SHARES // POSITIONS
        before += end
        if before >= total:
            break
    if seen < total:
        yield total, decided, table


def table_after(meta: Mapping[str, Any], games: int) -> QTable:
    """Return the table with *meta* as it was after *games* of its games, or just before a batch.

    Raise SettingsError like `runs_of`, or if it has not played so many.
    """
    runs = runs_of(meta)
    total = sum(n for _, n in runs)
    if not 0 < games <= total:
        raise SettingsError(f"games is {games}; it must be from 1 to the bot's {total:,}")
    *_, (_, _, table) = history(meta, games)
    table.meta = {"games": games, "seed": runs[0][0].seed, "alpha": runs[0][0].alpha}
    return table


def settings_of_last_run(meta: Mapping[str, Any]) -> RunSettings:
    """Return the last settings of the table with *meta*, perhaps a snapshot, or the usual ones."""
    try:
        return RunSettings.from_json([meta, *runs_in(meta)][-1].get("settings"))
    except SettingsError:
        return RunSettings().checked()


def expected(meta: Mapping[str, Any]) -> int:
    """Return about how many snapshots the bot with *meta* has, or raise SettingsError."""
    runs = runs_of(meta)
    return SHARES if runs[0][0].plan in PROVING else len(milestones(sum(n for _, n in runs)))


# --- in a process ---


class Gauge:
    """Measures a bot that trains by *plan*; what is learned does not depend on that."""

    def __init__(self, plan: str) -> None:
        self.policy = BASELINES[plan if plan in BASELINES else "myopic"]
        self._rng = random.Random("gauge")
        self._exact_from = 0.0

    def measure(
        self, table: QTable, games: int, decided: int, *, is_last: bool = False
    ) -> Measured:
        """Return the score of *table* after *games*, sampled if computing it would take long."""
        measured = self._sampled(table, games, decided, _SAMPLED_GAMES)
        # A bot that knows little can reach a million positions, and an exact score takes seconds.
        if not is_last and (measured.score < 0.3 or games < self._exact_from):
            return measured
        budget = 150_000 if is_last else 40_000  # positions for each seat
        score = exact_score(Policy(TableBot(table, self._rng).choices), self.policy, budget)
        if score is not None:
            return replace(measured, first=score.first, second=score.second, sampled=0)
        self._exact_from = games * 1.4
        many = 10 * _SAMPLED_GAMES
        return self._sampled(table, games, decided, many) if is_last else measured

    def _sampled(self, table: QTable, games: int, decided: int, sample: int) -> Measured:
        bot = TableBot(table, self._rng)
        rng = self._rng
        policy = self.policy
        won = [0, 0]
        for game in range(sample):
            state = EMPTY_BOARD
            seat = 0
            moves = 0
            tires_after = rng.randint(*policy.lasts)
            while not contains(finished(), state):
                if seat == game % 2:
                    action = bot.choose(state)
                else:
                    actions = policy.actions if moves < tires_after else legal_actions
                    action = rng.choice(actions(state))
                    moves += 1
                state = state + STEPS[action]
                seat = 1 - seat
            won[game % 2] += seat != game % 2
        first, second = (2 * wins / sample for wins in won)
        opening = tuple(table.value(EMPTY_BOARD, action) for action in range(CELLS))
        return Measured(games, policy.key, first, second, decided, sample, opening)


def train_process(pipe: Connection, task: tuple[Path, dict[str, Any], bool]) -> None:
    """Train in a folder with the settings wanted, as `Training` does, perhaps with a repair."""
    # Ctrl-C in the terminal is for the program, which then closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    folder, wanted, repair = task
    with (
        reported_end(pipe, StorageError, SettingsError),
        Training(folder, wanted, repair=repair) as training,
    ):
        _train(pipe, training)


def _train(pipe: Connection, training: Training) -> None:
    def must_stop() -> bool:
        try:
            return pipe.poll()
        except OSError:  # the window has ended
            return True

    def tell(message: Moment | Measured) -> None:
        with suppress(OSError):  # the window may have ended
            pipe.send(message)

    def measure(table: QTable, *, is_last: bool = False) -> None:
        games = training.run.all_games
        new = gauge.measure(table, games, moment.decided, is_last=is_last)
        points[:] = [*(one for one in points if one.games < games), new]
        tell(new)
        write_curve(folder, points)

    folder = training.store.folder
    gauge = Gauge(training.run.settings.plan)
    points = read_curve(folder)
    began_s = time.monotonic()
    tell_at_s = measure_at_s = 0.0
    for moment in training.play(must_stop):
        now_s = time.monotonic()
        if moment.note or now_s >= tell_at_s:
            tell(moment)
            tell_at_s = now_s + MOMENT_EVERY_S
        if now_s >= measure_at_s:
            measure(training.table)
            took_s = time.monotonic() - now_s
            # Measure for a tenth of the time at most, and so that a long curve has 40 points.
            measure_at_s = now_s + max(10 * took_s, (now_s - began_s) / 40, MEASURE_EVERY_S)
    try:
        pipe.send(moment)
    except OSError:  # the window has ended, and its end may wait for this process
        return
    if training.run.is_finished:
        measure(read_table(folder / PRUNED), is_last=True)
    else:
        training.compact()  # so that the bot plays what it has learned
        measure(training.table)


def kept_snapshots(folder: Path, meta: Mapping[str, Any]) -> list[Measured]:
    """Return the snapshots that the bot in *folder* keeps, if they are those of *meta*."""
    with suppress(StorageError, schema.MisfitError):
        index = schema.read(folder / HISTORY / _INDEX, _SNAPSHOTS)
        if index["runs"] == runs_in(meta):
            return list(map(Measured.from_json, index["points"]))
    return []


def make_snapshots(folder: Path, meta: Mapping[str, Any]) -> Iterator[Measured]:
    """Make the snapshots of the bot with *meta*, and yield each when it is in *folder*.

    Raise SettingsError if the bot cannot be made again, StorageError if they cannot be kept. A
    folder of snapshots that is a link is refused.
    """
    settings, _ = runs_of(meta)[-1]
    own = Gauge(settings.plan)
    others = [Gauge(key) for key in BASELINES if key != own.policy.key]
    # A link may lead to a folder with other files of these names.
    if (folder / HISTORY).is_symlink():
        raise StorageError(f"cannot delete {folder / HISTORY}: it is a link")
    with explained("delete", folder / HISTORY), suppress(FileNotFoundError):
        shutil.rmtree(folder / HISTORY)
    make_folder(folder / HISTORY)
    points: list[Measured] = []
    for games, decided, table in history(meta):
        table.meta = {"games": games, "settings": settings.as_json()}
        small = prune(table)
        write_table(snapshot_path(folder, games), small)
        against = tuple(gauge.measure(small, games, decided) for gauge in others)
        points.append(replace(own.measure(small, games, decided), others=against))
        yield points[-1]
    content = {"runs": runs_in(meta), "points": list(map(asdict, points))}
    write_json(folder / HISTORY / _INDEX, content)


def snapshot_process(pipe: Connection, bot: OwnBot) -> None:
    """Make the snapshots of *bot*, and send each, until the pipe is closed."""
    end_with_parent(pipe)
    with reported_end(pipe, StorageError, SettingsError):
        for point in make_snapshots(bot.folder, read_meta(playing_path(bot))):
            pipe.send(point)
