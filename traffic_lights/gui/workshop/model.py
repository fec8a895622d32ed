"""What the Workshop shows, as plain values: the settings of the form, the chart and sentences.

>>> wanted, problem, _ = read_form({**form_texts(usual("myopic")), "games": "many"})
>>> wanted, problem
(None, 'Games must be a whole number from 1 to 1,000,000,000,000.')
"""

import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.positions import POSITIONS
from traffic_lights.gui.kit.charts import Chart
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.players.policies import PlayerError
from traffic_lights.players.roster import Entry, Group
from traffic_lights.storage import schema
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.words import counted, exact_percent, percent, percent_done
from traffic_lights.training.folder import CHECKPOINT
from traffic_lights.training.gauge import Measured
from traffic_lights.training.settings import (
    OPPONENTS,
    SETTINGS,
    RunSettings,
    SettingsError,
    parse_setting,
)

CHOICES: Final = {
    "plan": {
        "myopic": "Myopic",
        "alternate": "Alternate",
        "random": "Random",
        "self": "Itself",
        "baselines": "All of them",
        "selfplay": "Itself, until both sides are proven",
        "reverse": "From the end backwards: becomes perfect",
    },
    "update": {
        "terminal": "Proofs and estimates",
        "last-action": "Last move only",
        "bootstrap": "One-step Q-learning",
        "monte-carlo": "Monte Carlo returns",
    },
    "explore": {"random": "Random moves", "least-visited": "Least visited moves"},
    "practice": {"myopic": "Myopic", "random": "Random", "none": "Nobody"},
}
"""What the form calls the choices of a setting."""
PLAN_TEXTS: Final = {
    **{
        key: f"The bot learns only from games against {bot.name}, so it learns nothing about "
        f"positions that {bot.name} never allows."
        for key, bot in BASELINES.items()
    },
    "self": "The bot plays itself, from the empty board.",
    "baselines": "The bot plays Random, Alternate and itself for a while, then mostly Myopic.",
    "selfplay": "The bot plays itself until it provably never throws away a win, then trains lost "
    "positions against Myopic. Positions it can never reach are skipped.",
    "reverse": "The bot starts near the end of the game and works back to the empty board. When "
    "every position is solved, it trains lost positions against Myopic.",
}
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
GOES_ON: Final = "Training continues with its original settings."
FIXED: Final = "This player does not learn. To train a bot, choose “New bot” in the list."
LOG_FROM: Final = 20
"""The axis of the chart is logarithmic if the last games are this many times the first."""


# --- the form ---


def setting_text(value: object) -> str:
    """Return how a field of the form shows *value*."""
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) and value >= 10_000 else str(value)


def usual(plan: str) -> RunSettings:
    """Return the settings that the form begins with for *plan*."""
    return RunSettings(plan=plan).checked()


def form_texts(settings: RunSettings) -> dict[str, str]:
    """Return the texts of the fields for *settings*; what makes no difference has its default."""
    shown = settings.effective()
    return {name: setting_text(getattr(shown, name)) for name in SETTINGS}


USUAL_GAMES: Final = {plan: setting_text(usual(plan).games) for plan in CHOICES["plan"]}
"""What the field of the games holds at first, by plan."""


def used_settings(texts: Mapping[str, str]) -> list[str]:
    """Return the settings besides plan and games that make a difference to this plan."""
    settings = RunSettings(plan=texts["plan"], update=texts["update"], explore=texts["explore"])
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
        one = SETTINGS["epsilon_end"].label
        other = SETTINGS["epsilon_start"].label
        return None, f"{one} must be at most {other}.", "epsilon_end"
    return wanted, "", ""


def settings_of(folder: Path) -> RunSettings | None:
    """Return the settings of the last run in *folder*; None if they are not known."""
    try:
        return RunSettings.from_json(schema.read_plain(folder / CHECKPOINT).get("settings"))
    except (StorageError, SettingsError):
        return None


def following(last: RunSettings | None, games: int = 0) -> RunSettings:
    """Return the settings that the form proposes to a bot after *games*, the *last* run finished.

    Against one opponent, that is the usual number of games once more.

    >>> following(None, 500).games
    100500
    """
    last = last or usual("myopic")
    more = usual(last.plan).games
    return last if last.plan not in OPPONENTS or more is None else replace(last, games=games + more)


def learning_chart(
    curves: Mapping[str, list[Measured]],
    names: Mapping[str, str],
    then: Measured | None = None,
) -> Chart:
    """Return the chart of the *curves* of the bots *names*, with a mark at the games of *then*.

    It shows the scores against the last opponent of the first bot that has a curve.
    """
    opponent = next((curves[key][-1].opponent for key in names if curves.get(key)), "myopic")
    lines = [
        (name, [(m.games, m.score) for m in curves.get(key, []) if m.opponent == opponent])
        for key, name in names.items()
    ]
    games = [x for _, points in lines for x, _ in points if x > 0]
    is_log = bool(games) and max(games) >= LOG_FROM * min(games)
    if is_log:
        # Such an axis has no place for 0 games.
        lines = [(name, [point for point in points if point[0]]) for name, points in lines]
    mark = None if then is None else then.games
    return Chart(f"Wins against {BASELINES[opponent].name}", lines, is_log=is_log, mark=mark)


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


def score_text(measured: Measured) -> str:
    """Return the score in words, after which "of its games" can follow.

    >>> [score_text(Measured(9, "myopic", 0.5, 1.0, 0, sampled)) for sampled in (0, 200)]
    ['75.00 %', 'about 75 %']
    """
    if not measured.sampled:
        return exact_percent(measured.score)
    score = percent(measured.score, 0)
    return f"about {score}" if score[0].isdigit() else score


def snapshot_text(point: Measured) -> str:
    """Return how a bot played after the games of *point*, against each baseline, in one line.

    >>> other = Measured(9, "random", 0.5, 1.0, 0)
    >>> snapshot_text(Measured(9, "myopic", 0.0, 0.1, 0, 200, others=(other,)))
    'Wins after 9 games: Random 75.00 %, Myopic about 5 %.'
    """
    scores = {one.opponent: score_text(one) for one in (point, *point.others)}
    wins = [f"{bot.name} {scores[key]}" for key, bot in BASELINES.items() if key in scores]
    return f"Wins after {counted(point.games, 'game')}: {', '.join(wins)}."


def result_text(games: int, is_training: bool, last: Measured | None) -> str:
    """Return what a bot has come to after *games*; *is_training* if its run is unfinished."""
    if not games:
        return "This bot has not been trained yet."
    texts = [f"Stopped after {games:,} games." if is_training else f"Trained for {games:,} games."]
    if last is not None:
        if last.decided == POSITIONS:
            texts.append("Every position is solved.")
        elif last.decided > POSITIONS / 10:
            texts.append(f"{percent_done(last.decided, POSITIONS)} of all positions are solved.")
        opponent = BASELINES[last.opponent].name
        texts.append(f"It wins {score_text(last)} of its games against {opponent}.")
    return " ".join(texts)


def in_background(
    root: tk.Misc, work: Callable[[], T], done: Callable[[T], object], failed: OnText
) -> None:
    """Do *work* in a thread, then *done*, or *failed* with the reason; report a mistake as such."""

    def refused(error: Exception) -> None:
        failed(sentence(error))
        if not isinstance(error, (StorageError, PlayerError)):
            raise error

    run_job(root, work, done, refused)
