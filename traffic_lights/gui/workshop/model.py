"""What the Workshop shows, as plain values: the settings of the form, the chart and sentences.

>>> wanted, problem, _ = read_form({**form_texts(RunSettings("myopic")), "games": "many"})
>>> wanted, problem
(None, 'Games in total must be a whole number from 1 to 1,000,000,000,000.')
"""

import csv
import io
import os
import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.positions import POSITIONS
from traffic_lights.board.rules import format_cell
from traffic_lights.gui.kit.charts import Chart, Curve, Sampled, SmallCurves
from traffic_lights.gui.kit.drawings import Point
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.gui.workshop.pictures import Scores
from traffic_lights.judging.evaluation import wilson_interval
from traffic_lights.learning.tablefile import read_meta
from traffic_lights.players.policies import PlayerError
from traffic_lights.players.roster import Entry, Group
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.records import read_plain
from traffic_lights.storage.words import (
    counted,
    exact_percent,
    interval_percent,
    listed,
    percent,
    percent_done,
)
from traffic_lights.training.folder import CHECKPOINT, TABLE
from traffic_lights.training.gauge import Measured
from traffic_lights.training.own_bots import OwnBot
from traffic_lights.training.progress import Progress, last_run
from traffic_lights.training.settings import (
    PLANS,
    PROVING,
    SETTINGS,
    UPDATE_RULES,
    RunSettings,
    SettingsError,
    why_unused,
)

FORM_CHOICES: Final = {
    name: setting.choices for name, setting in SETTINGS.items() if setting.choices
}
"""What the form calls the choices of a setting."""
NEW: Final = "new"
NEW_BOT: Final = Entry(NEW, "New bot", "Choose an opponent, and press Start.", Group.OWN)
"""The row that stands for a bot that is still to be made, and its key."""
T = TypeVar("T")
Act = Callable[[], object]
OnText = Callable[[str], object]
"""What a widget calls, without or with a text, such as the key of a bot."""
START: Final = "Start"
"""What the button is called that starts a training and continues it."""
_IN_WINDOWS: Final = {"start over with --fresh": "train a new bot", "--repair": START}
"""An option that an error names, and what to do in a window instead."""
GOES_ON: Final = "Training continues with its original settings. You can change the games."
EARLY: Final = 0.05
"""The axis is logarithmic if half of the gain comes in this share of the games."""
_TELLING: Final = 0.01
"""A lower score shows only that the bot has not learned to win yet."""
EXPECTS_LOSS: Final = -0.9
"""A bot whose first moves are all worth no more expects to lose."""
TOTAL: Final = "Games in total"
"""What the form calls the games, those of earlier runs included."""
_HELP: Final = {
    "games": "Games in total, including those already played. A plan that proves may be left "
    "without a number: it then ends when everything is proven.",
    "seed": "The same settings and seed make the same bot, so a bot that trains again gets another "
    "seed. To compare two update rules, train bots of both with several seeds.",
}
"""What fields mean that a form uses in another way than the command."""
MORE: Final = 100_000
"""What the button next to the games adds."""
CAPTION: Final = "Without exploration. Upright lines: 95 % intervals"
SMALL_CURVES: Final = {
    "ε: the share of moves that explore": "epsilon",
    "How far a game moves all values (−1 to +1)": "moved",
}
"""The titles of the curves that explain the large one, and what of a `Measured` they show."""
NO_CURVE: Final = "The curve appears here when the bot trains."


# --- the form ---


def form_texts(settings: RunSettings) -> dict[str, str]:
    """Return the texts of the fields for *settings*; what makes no difference has its default."""
    return {
        name: setting.kind.show(
            getattr(settings, name) if settings.matters(name) else setting.default
        )
        for name, setting in SETTINGS.items()
    }


def help_text(name: str, texts: Mapping[str, str]) -> str:
    """Return what the field *name* means while the fields hold *texts*; by default, the plan."""
    if name in _HELP:
        return _HELP[name]
    setting = SETTINGS.get(name, SETTINGS["plan"])
    return setting.abouts.get(texts[setting.name]) or as_sentence(setting.help)


def usual_games(played: int) -> dict[str, str]:
    """Return what the field of the games holds at first, by plan, after so many *played*."""
    texts = {}
    for key, plan in PLANS.items():
        games = None if plan.games is None else played + plan.games
        texts[key] = SETTINGS["games"].kind.show(games)
    return texts


def used_settings(texts: Mapping[str, str]) -> list[str]:
    """Return the settings besides plan and games that make a difference to this plan."""
    chosen = {name: texts[name] for name in ("plan", "update", "explore")}
    return [
        name
        for name in SETTINGS
        if name not in ("plan", "games") and not why_unused(name, **chosen)
    ]


@dataclass(frozen=True, slots=True)
class Trained:
    """How far a bot is, as far as the form needs to know it."""

    games: int = 0
    """Those of all its runs."""
    earlier: int = 0
    """Those of the runs before its last one."""
    last: RunSettings | None = None
    """The settings of the last run, if they are known."""
    is_training: bool = False
    """Whether that run is unfinished."""

    def proposal(self) -> RunSettings:
        """Return the settings that the form begins with; their games are those in total.

        >>> Trained(500, 0, RunSettings("random")).proposal().games
        100500
        """
        last = self.last or RunSettings("myopic")
        if self.is_training:
            return replace(last, games=self.total(last.games))
        more = RunSettings(last.plan).games
        games = None if more is None else self.games + more
        # Another run follows. With the same seed it could be the last one again, which is finished.
        return replace(last, games=games, seed=last.seed + (self.last is not None))

    def total(self, games: int | None) -> int | None:
        """Return the games in total at the end of the unfinished run if it has so many."""
        return None if games is None else self.earlier + games

    def of_run(self, total: int) -> int:
        """Return how many games a run needs to reach a *total*."""
        return total - (self.earlier if self.is_training else self.games)


def trained_of(bot: OwnBot) -> Trained:
    """Return how far *bot* is, by its checkpoint or, without one, by its table."""
    last = None
    games = 0
    try:
        if os.path.lexists(bot.folder / CHECKPOINT):
            plain = read_plain(bot.folder / CHECKPOINT)
            last = RunSettings.from_json(plain.get("settings"))
            games = Progress.from_json(plain.get("progress")).games
        elif run := last_run(read_meta(bot.folder / TABLE)):
            last = run.settings
            games = run.progress.games
    except (StorageError, SettingsError):
        last = None
    earlier = bot.games if last is None else max(0, bot.games - games)
    return Trained(bot.games, earlier, last, bot.is_training)


def last_run_text(last: RunSettings | None) -> str:
    """Return what the *last* run of a bot was, because the form shows the next one."""
    if last is None:
        return ""
    rule = "" if last.plan in PROVING else f"{UPDATE_RULES[last.update].label}, "
    return f"Last run: {PLANS[last.plan].help}, {rule}seed {last.seed}."


class FormReading(NamedTuple):
    """What the fields of the form come to."""

    settings: dict[str, Any] | None
    """Those of the run, by name; None if one is wrong."""
    problem: str = ""
    """What is wrong, in a sentence."""
    wrong: str = ""
    """The name of the setting that is wrong."""


def read_form(texts: Mapping[str, str], trained: Trained = Trained()) -> FormReading:
    """Return the settings that the *texts* of the fields mean for a bot that is *trained*.

    The *texts* have the games in total, the settings those of the run. Of a run that continues
    there are only the games, if they are others. Settings that make no difference are left out.
    """
    names = ["plan", "games"]
    if not trained.is_training:
        names += used_settings(texts)
    try:
        wanted = {name: SETTINGS[name].read(texts[name]) for name in names}
        RunSettings.wanted(wanted)
    except SettingsError as error:
        label = TOTAL if error.name == "games" else SETTINGS[error.name].label
        return FormReading(None, f"{label} must be {error.must}.", error.name)
    total = wanted["games"]
    if total is None and wanted["plan"] not in PROVING:
        total = trained.games + (PLANS[wanted["plan"]].games or 0)
    if total is not None:
        if total <= trained.games:
            problem = f"{TOTAL} must be above the {trained.games:,} played so far."
            return FormReading(None, problem, "games")
        wanted["games"] = trained.of_run(total)
    if trained.is_training:
        games = wanted["games"]
        is_other = trained.last is not None and games != trained.last.games
        return FormReading({"games": games} if is_other else {})
    return FormReading(wanted)


# --- the pictures ---


def is_telling(points: Sequence[Measured]) -> bool:
    """Return whether the scores in *points* are not 0 for most of the games.

    >>> def scores(*found): return [Measured(n, "myopic", s, s, 0) for n, s in enumerate(found, 1)]
    >>> is_telling(scores(0, 0, 0.4, 0.9)), is_telling(scores(0, 0.3, 0.4, 0.9))
    (False, True)
    """
    first = next((one.games for one in points if one.score >= _TELLING), None)
    return first is not None and 2 * first <= points[-1].games


def learning_chart(
    curves: Mapping[str, list[Measured]],
    names: Mapping[str, str],
    looks: Mapping[str, int] = MappingProxyType({}),
    then: Measured | None = None,
) -> Chart:
    """Return the chart of the *curves* of the bots *names*, with a mark at the games of *then*.

    *looks* has the number of the colour of each bot.

    It shows the scores against the last opponent of the first bot that has a curve.
    """
    opponent = next((curves[key][-1].opponent for key in names if curves.get(key)), "myopic")
    lines = list[Curve]()
    for key, name in names.items():
        found = [m for m in curves.get(key, []) if m.opponent == opponent]
        if found:
            points = [(m.games, m.score) for m in found]
            samples: dict[float, Sampled] = {
                m.games: Sampled(m.sampled, *interval(m)) for m in found if m.sampled
            }
            lines.append(Curve(name, points, looks.get(key, 0), samples))
    policy = BASELINES[opponent].name
    note = f"No win against {policy} yet." if lines else NO_CURVE
    is_log = _learns_early([line.points for line in lines])
    if is_log:
        # Such an axis has no place for 0 games.
        lines = [line._replace(points=[p for p in line.points if p[0]]) for line in lines]
    mark = None if then is None else then.games
    return Chart(
        f"Wins against {policy}",
        lines,
        is_log=is_log,
        mark=mark,
        note=note,
        caption=CAPTION if lines else "",
    )


def small_curves(points: Sequence[Measured], chart: Chart) -> SmallCurves | None:
    """Return what explains the line of *points* in *chart*; None if nothing is known."""
    found = {}
    for title, field in SMALL_CURVES.items():
        values = [(m.games, getattr(m, field)) for m in points]
        if known := [(games, value) for games, value in values if value is not None]:
            found[title] = known
    return SmallCurves(chart, found) if found else None


def curves_csv(curves: Mapping[str, list[Measured]], names: Mapping[str, str]) -> str:
    """Return the points of the *curves* of the bots *names* as CSV, a line for each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = "bot games opponent wins low high sampled_games epsilon change_per_game"
    writer.writerow(head.split())
    for key, name in names.items():
        for m in curves.get(key, []):
            bounds = interval(m) if m.sampled else ("", "")
            row = (name, m.games, m.opponent, m.score, *bounds, m.sampled, m.epsilon, m.moved)
            writer.writerow(row)
    return text.getvalue()


def _learns_early(lines: Sequence[Sequence[Point]]) -> bool:
    """Return whether one of *lines* would rise at the very left of a linear axis.

    That is so if half of its gain comes within the first games, by `EARLY`.
    """
    highest = max((points[-1][0] for points in lines), default=0)
    for points in lines:
        first = points[0][1]
        best = max(share for _, share in points)
        middle = (first + best) / 2
        halfway = next(games for games, share in points if share >= middle)
        if best > first and halfway < EARLY * highest:
            return True
    return False


def known_scores(entry: Entry) -> Scores:
    """Return what is known of the player of *entry*, which does not train."""
    if entry.score is None:
        lines = ["To measure it, press Run under “Strength”."]
        return Scores("Its strength is not known", lines)
    score = entry.score
    bars = {
        "won in all": score.total,
        "won as Player 1": score.first,
        "won as Player 2": score.second,
    }
    return Scores("Its games against Myopic", (), list(bars.items()))


# --- sentences ---


def as_sentence(text: object) -> str:
    """Return *text*, such as that of an error, as a sentence; an empty one stays empty.

    >>> text = "the log is damaged; with --repair the run continues, or start over with --fresh"
    >>> as_sentence(text)
    'The log is damaged; with Start the run continues, or train a new bot.'
    """
    words = str(text)
    for option, in_window in _IN_WINDOWS.items():
        words = words.replace(option, in_window)
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def score_text(measured: Measured) -> str:
    """Return the score in words, after which "of its games" can follow.

    >>> [score_text(Measured(9, "myopic", 0.5, 1.0, 0, sampled)) for sampled in (0, 200)]
    ['75.00 %', 'about 75 %']
    """
    if not measured.sampled:
        return exact_percent(measured.score)
    score = percent(measured.score, 0)
    return f"about {score}" if score[0].isdigit() else score


def interval(measured: Measured) -> tuple[float, float]:
    """Return the 95 % interval of a score that was estimated from games."""
    return wilson_interval(round(measured.score * measured.sampled), measured.sampled)


def snapshot_text(point: Measured) -> str:
    """Return how a bot played after the games of *point*, against each baseline, in one line.

    >>> other = Measured(9, "random", 0.5, 1.0, 0)
    >>> snapshot_text(Measured(9, "myopic", 0.0, 0.1, 0, 200, others=(other,)))
    'Wins after 9 games: Random 75.00 %, Myopic about 5 %.'
    """
    return f"Wins after {counted(point.games, 'game')}: {_wins((point, *point.others))}."


def _wins(scores: Sequence[Measured]) -> str:
    """Return the *scores* with the names of the opponents, in their usual order."""
    texts = {one.opponent: score_text(one) for one in scores}
    return ", ".join(f"{bot.name} {texts[key]}" for key, bot in BASELINES.items() if key in texts)


def stops_text(past: Sequence[Measured]) -> str:
    """Return at which games of a bot the slider stops.

    >>> stops_text([Measured(n, "myopic", 0, 0, 0) for n in (1, 2, 4, 7, 10, 20, 40)])
    'Drag the slider: it shows the bot after 1, 2, 4, 7, … or 40 games.'
    """
    games = [f"{point.games:,}" for point in past]
    if len(games) > 5:
        games[4:-1] = ["…"]
    numbers = listed(games, "or")
    return f"Drag the slider: it shows the bot after {numbers} games."


def history_text(points: Sequence[Measured]) -> str:
    """Return what a bot had learned at the last of *points*, and since when.

    >>> early, late = (0.0,) * 12, (0.0, 0.25, *(0.0,) * 10)
    >>> points = [Measured(1, "myopic", 0, 0, 5, opening=early)]
    >>> points.append(Measured(2, "myopic", 0.25, 1.0, 9, opening=late))
    >>> for sentence in history_text(points).split(". "): print(sentence)
    It wins more than half against Myopic since 2 games
    First moves were worth 0 before 2 games; at 2, b1 is best (+0.25)
    Proven positions: 9.
    """
    sentences = [_wins_since(points), _first_moves([one for one in points if one.opening])]
    if decided := max((point.decided for point in points), default=0):
        sentences.append(f"Proven positions: {decided:,}.")
    return " ".join(filter(None, sentences))


def _wins_since(points: Sequence[Measured]) -> str:
    """Return since when a bot wins more than half against whom, if it still does."""
    since: dict[str, int] = {}
    for point in points:
        for one in (point, *point.others):
            surely = interval(one)[0] if one.sampled else one.score
            if surely > 0.5:
                since.setdefault(one.opponent, point.games)
            elif one.score <= 0.5:
                since.pop(one.opponent, None)
    if not since:
        return ""
    wins = [f"{BASELINES[key].name} since {games:,}" for key, games in since.items()]
    unit = "game" if wins[-1].endswith(" 1") else "games"
    return f"It wins more than half against {listed(wins)} {unit}."


def _first_moves(points: Sequence[Measured]) -> str:
    """Return what the first moves are worth at the last of *points*; all have their values."""
    if not points:
        return ""
    games = points[-1].games
    values = points[-1].opening
    best = max(values)
    valued = next((point.games for point in points if any(point.opening)), None)
    if valued is None:
        return f"Every first move is worth 0 after {counted(games, 'game')}."
    if best == -1:
        return f"After {counted(games, 'game')}, every first move is proven to lose."
    now = f"{format_cell(values.index(best))} is best ({best:+.2f})"
    if best <= EXPECTS_LOSS:
        now = "it expects to lose, whatever it plays first"
    elif best == min(values):
        now = f"all are worth {best:+.2f}"
    text = f"First moves were worth 0 before {counted(valued, 'game')}; at {games:,}, {now}."
    return text.replace("-", "−")


def training_result(
    games: int, is_training: bool, last: Measured | None, newest: Measured | None = None
) -> str:
    """Return what a bot has come to after *games*; *is_training* if its run is unfinished.

    Its *last* score is against its opponent. Its *newest* snapshot has scores against the others,
    but a bot that was stopped has none of its end.
    """
    if not games:
        return "This bot has not been trained yet."
    texts = [f"Stopped after {games:,} games."] if is_training else []
    if last is not None:
        if last.decided == POSITIONS:
            texts.append("Every position is solved.")
        elif last.decided > POSITIONS / 10:
            texts.append(f"{percent_done(last.decided, POSITIONS)} of all positions are solved.")
        opponent = BASELINES[last.opponent].name
        texts.append(f"It wins {score_text(last)} of its games against {opponent}.")
        if last.sampled:
            bounds = interval_percent(*interval(last))
            texts.append(f"95 % interval: {bounds}, from {last.sampled:,} games.")
        if newest is not None and newest.games == games:
            texts.append(f"Wins against others: {_wins(newest.others)}.")
        elif newest is not None:
            texts.append(snapshot_text(newest))
    return " ".join(texts)


def in_background(
    root: tk.Misc, work: Callable[[], T], done: Callable[[T], object], failed: OnText
) -> None:
    """Do *work* in a thread, then *done*, or *failed* with the reason; report a mistake as such."""

    def refused(error: Exception) -> None:
        failed(as_sentence(error))
        if not isinstance(error, (StorageError, PlayerError)):
            raise error

    run_job(root, work, done, refused)
