"""What the Workshop shows, as plain values: curves, sentences and the settings of the form.

>>> wanted, problem, _ = read_form({**form_texts(usual("myopic")), "games": "many"})
>>> wanted, problem
(None, 'Games must be a whole number from 1 to 1,000,000,000,000.')
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.positions import POSITIONS
from traffic_lights.pictures.charts import Chart, ChartLine
from traffic_lights.pictures.shares import exact_percent, percent_done, whole_percent
from traffic_lights.storage.files import StorageError, read_json
from traffic_lights.training.bots import Measured
from traffic_lights.training.run import Moment
from traffic_lights.training.settings import (
    OPPONENTS,
    PROVING,
    SETTINGS,
    RunSettings,
    SettingsError,
    parse_setting,
)
from traffic_lights.training.state import CHECKPOINT

PLAN_NAMES: Final = {
    "myopic": "Myopic",
    "alternate": "Alternate",
    "random": "Random",
    "self": "Itself",
    "baselines": "All of them",
    "selfplay": "Itself, until both sides are proven",
    "reverse": "From the end backwards: becomes perfect",
}
"""What one can train against, by plan; the first is the one that the form begins with."""
PLAN_TEXTS: Final = {
    "self": "The bot plays itself, from the empty board.",
    "baselines": "The bot plays Random, Alternate and itself for a while, then mostly Myopic.",
    "selfplay": "The bot plays itself until it provably never throws away a win, then trains lost "
    "positions against Myopic. Positions it can never reach are skipped.",
    "reverse": "The bot starts near the end of the game and works back to the empty board. When "
    "every position is solved, it trains lost positions against Myopic.",
}
"""What a plan does, where its name does not say it all."""
CHOICE_NAMES: Final = {
    "terminal": "Proofs and estimates",
    "last-action": "Last move only",
    "bootstrap": "One-step Q-learning",
    "monte-carlo": "Monte Carlo returns",
    "random": "Random moves",
    "least-visited": "Least visited moves",
    "none": "Nobody",
    "myopic": "Myopic",
}
"""The choices of the other settings in words."""
START: Final = "Start"
"""What the button is called that starts a training and continues it."""
_IN_WINDOWS: Final = {"start over with --fresh": "train a new bot", "--repair": START}
"""What errors call by an option of the command, and what does it in a window."""
GOES_ON: Final = "Training continues with its original settings."
FIXED: Final = "This player does not learn. To train a bot, choose “New bot” in the list."
LOG_FROM: Final = 20
"""The axis of the chart is logarithmic if the last games are this many times the first."""


def plan_text(plan: str) -> str:
    """Return what *plan* does, in a sentence."""
    if plan in BASELINES:
        name = BASELINES[plan].name
        return (
            f"The bot learns only from games against {name}. It will not know positions that "
            f"{name} never allows."
        )
    return PLAN_TEXTS[plan]


# --- the form ---


def setting_text(value: object) -> str:
    """Return how a field of the form shows *value*."""
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    if value is None:
        return ""
    is_count = isinstance(value, int) and value >= 10_000
    return f"{value:,}" if is_count else str(value)


def choice_names(name: str) -> dict[str, str]:
    """Return the choices of the setting *name* in words, by their values; empty if it has none."""
    if name not in SETTINGS:
        return {}
    names = PLAN_NAMES if name == "plan" else CHOICE_NAMES
    return {value: names[value] for value in names if value in SETTINGS[name].choices}


def usual(plan: str) -> RunSettings:
    """Return the settings that the form begins with for *plan*."""
    return RunSettings(plan=plan).checked()


def form_texts(settings: RunSettings) -> dict[str, str]:
    """Return what the fields hold for *settings*.

    Settings that make no difference have their defaults, for when another plan is chosen.
    """
    shown = settings.effective()
    return {name: setting_text(getattr(shown, name)) for name in SETTINGS}


USUAL_GAMES: Final = {plan: setting_text(usual(plan).games) for plan in PLAN_NAMES}
"""What the field of the games holds at first, by plan."""


def used_settings(texts: Mapping[str, str]) -> list[str]:
    """Return the settings besides plan and games that make a difference to this plan."""
    plan, update, explore = texts["plan"], texts["update"], texts["explore"]
    update = "terminal" if plan in PROVING else update
    settings = RunSettings(plan=plan, update=update, explore=explore)
    return [name for name in SETTINGS if name not in ("plan", "games") and settings.matters(name)]


def read_form(texts: Mapping[str, str]) -> tuple[dict[str, Any] | None, str, str]:
    """Return (settings by name, what is wrong, the name of the setting that is wrong).

    The settings are None if something is wrong. Settings that make no difference are left out.
    """
    wanted: dict[str, Any] = {"plan": texts["plan"]}
    for name in ("games", *used_settings(texts)):
        try:
            wanted[name] = parse_setting(name, texts[name])
        except SettingsError:
            info = SETTINGS[name]
            return None, f"{info.label} must be {info.limits}.", name
    if wanted.get("epsilon_end", 0) > wanted.get("epsilon_start", 1):
        one, other = SETTINGS["epsilon_end"].label, SETTINGS["epsilon_start"].label
        return None, f"{one} must be at most {other}.", "epsilon_end"
    return wanted, "", ""


def settings_of(folder: Path) -> RunSettings | None:
    """Return the settings of the last run in *folder*; None if they are not known."""
    try:
        return RunSettings.from_json(read_json(folder / CHECKPOINT)["settings"])
    except (StorageError, SettingsError, LookupError, TypeError):
        return None


def following(settings: RunSettings) -> RunSettings:
    """Return settings that continue a finished run with *settings*, as far as it can be continued.

    Against one opponent, that is the usual number of games once more.
    """
    if settings.plan not in OPPONENTS or settings.games is None:
        return settings
    return replace(settings, games=settings.games + (usual(settings.plan).games or 0))


# --- curves ---


class BotCurves:
    """The exact scores of bots over their games, by the key of the bot."""

    def __init__(self) -> None:
        self._measured: dict[str, list[Measured]] = {}

    def put(self, key: str, measured: Sequence[Measured]) -> None:
        """Show *measured* for the bot *key*, unless something newer is known."""
        known = self._measured.get(key, [])
        if not known or (measured and measured[-1].games >= known[-1].games):
            self._measured[key] = list(measured)

    def add(self, key: str, measured: Measured) -> None:
        """Add a point; points of games that were not saved and are played again are dropped."""
        known = self._measured.setdefault(key, [])
        known[:] = [
            one
            for one in known
            if one.games < measured.games
            or (one.games == measured.games and one.opponent != measured.opponent)
        ]
        known.append(measured)

    def keep(self, keys: Collection[str]) -> None:
        """Forget the curves of all bots but those of *keys*."""
        self._measured = {key: curve for key, curve in self._measured.items() if key in keys}

    def of(self, key: str, opponent: str) -> list[tuple[float, float]]:
        """Return the points (games, score) of the bot *key* against *opponent*."""
        measured = self._measured.get(key, [])
        return [(float(m.games), m.score) for m in measured if m.opponent == opponent]

    def opponents(self, key: str) -> list[str]:
        """Return the opponents that the bot *key* was measured against, the latest first."""
        return list(dict.fromkeys(one.opponent for one in reversed(self._measured.get(key, []))))

    def last(self, key: str) -> Measured | None:
        """Return the last point of the bot *key*."""
        return next(iter(reversed(self._measured.get(key, []))), None)


def learning_chart(curves: BotCurves, opponent: str, names: Mapping[str, str]) -> Chart:
    """Return the chart of the bots *names*, by key, against *opponent*."""
    lines = [ChartLine(name, curves.of(key, opponent)) for key, name in names.items()]
    games = [x for line in lines for x, _ in line.points if x > 0]
    is_log = bool(games) and max(games) >= LOG_FROM * min(games)
    return Chart(f"Wins against {opponent_name(opponent)}", lines, is_log=is_log)


def opponent_name(opponent: str) -> str:
    """Return what the *opponent* of a measurement is called."""
    return BASELINES[opponent].name if opponent in BASELINES else opponent.capitalize()


# --- sentences ---


def sentence(text: object) -> str:
    """Return *text*, such as that of an error, as a sentence; an empty one stays empty.

    >>> sentence("the log is damaged; with --repair the run continues, or start over with --fresh")
    'The log is damaged; with Start the run continues, or train a new bot.'
    """
    words = str(text)
    for option, in_window in _IN_WINDOWS.items():
        words = words.replace(option, in_window)
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def size_text(size: int) -> str:
    """Return *size*, in bytes, in a few characters.

    >>> [size_text(size) for size in (900, 45_000, 2_340_000, 136_000_000)]
    ['1 KB', '45 KB', '2.3 MB', '136 MB']
    """
    if size < 1_000_000:
        return f"{max(1, round(size / 1000))} KB"
    return f"{size / 1_000_000:.{1 if size < 100_000_000 else 0}f} MB"


def clock(seconds: float) -> str:
    """Return *seconds* as minutes and seconds, or hours: ``0:12``, ``1:02:03``."""
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"


def running_text(
    moment: Moment | None, games: int | None, rate: float, left_s: float | None
) -> str:
    """Return how far a training is, in one sentence."""
    if moment is None:
        return "Getting ready…"
    of = f" of {games:,}" if games else ""
    parts = [f"{moment.games:,}{of} games"]
    if moment.ply >= 0:
        parts.append(f"positions after {moment.ply} moves")
    if rate:
        parts.append(f"{rate:,.0f} games a second")
    if left_s is not None:
        parts.append(f"about {clock(left_s)} left")
    return ", ".join(parts) + "."


def result_text(games: int, is_training: bool, last: Measured | None) -> str:
    """Return what a bot has come to after *games*; *is_training* if its run is unfinished."""
    if not games:
        return "This bot has not been trained yet."
    state = f"Stopped after {games:,} games." if is_training else f"Trained for {games:,} games."
    if last is None:
        return state
    if last.decided == POSITIONS:
        solved = " Every position is solved."
    elif last.decided > POSITIONS / 10:
        solved = f" {percent_done(last.decided, POSITIONS)} of all positions are solved."
    else:
        solved = ""
    score = whole_percent(last.score) if last.sampled else exact_percent(last.score)
    score = f"about {score}" if last.sampled and score[0].isdigit() else score
    return f"{state}{solved} It wins {score} of its games against {opponent_name(last.opponent)}."
