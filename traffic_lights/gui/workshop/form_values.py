"""What the fields of the form mean: the settings of the next run of a bot.

>>> texts = form_texts(RunSettings("myopic", games=500))
>>> read_form(texts).given["games"]
500
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from traffic_lights.gui.workshop.shared import as_sentence
from traffic_lights.training.own_bots import OwnBot
from traffic_lights.training.settings import (
    GAMES,
    PLANS,
    REVERSE,
    SETTINGS,
    RunSettings,
    SettingsError,
    why_unused,
)
from traffic_lights.training.store import last_run

FORM_CHOICES: Final = {
    name: setting.choices for name, setting in SETTINGS.items() if setting.choices
}
"""What the form calls the choices of a setting."""
GOES_ON: Final = "Training continues with its original settings."
TOTAL: Final = "Games in total"
"""What the form calls the games, those of earlier runs included."""


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
    setting = SETTINGS.get(name, SETTINGS["plan"])
    if name == "games":
        return "All games, including those already played."
    about = setting.abouts.get(texts[setting.name]) or as_sentence(setting.help)
    return about.partition(". ")[0].removesuffix(".") + "."


def usual_games(plan: str, played: int) -> str:
    """Return what the field of the games holds at first for a *plan*, after so many *played*."""
    return SETTINGS["games"].kind.show(None if plan == REVERSE else played + GAMES)


def used_settings(texts: Mapping[str, str]) -> list[str]:
    """Return the settings that make a difference to the plan."""
    chosen = {name: texts[name] for name in ("plan", "update")}
    return [name for name in SETTINGS if not why_unused(name, **chosen)]


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
            games = None if last.games is None else self.earlier + last.games
            return replace(last, games=games)
        more = RunSettings(last.plan).games
        games = None if more is None else self.games + more
        # Another run follows. With the same seed it could be the last one again, which is finished.
        return replace(last, games=games, seed=last.seed + (self.last is not None))

    def of_run(self, total: int) -> int:
        """Return how many games a run needs to reach a *total*."""
        return total - (self.earlier if self.is_training else self.games)


@lru_cache
def trained_of(bot: OwnBot) -> Trained:
    """Return how far *bot* is, by its checkpoint or, without one, by its table.

    It reads a file for each state of a bot.
    """
    run = last_run(bot.folder)
    if run is None:
        return Trained(bot.games, bot.games, None, bot.is_training)
    return Trained(bot.games, run.earlier_games, run.settings, bot.is_training)


def record_text(last: RunSettings | None) -> str:
    """Return what the *last* run of a bot was, because the form shows the next one.

    >>> record_text(RunSettings("myopic", alpha=0.9, update="q-learning", seed=2))
    'Last run: against Myopic, One-step Q-learning, α 0.9, seed 2.'
    """
    if last is None:
        return ""
    texts = form_texts(last)
    parts = [PLANS[last.plan].help]
    if last.matters("update"):
        parts.append(SETTINGS["update"].choices[last.update])
    for name in used_settings(texts):
        setting = SETTINGS[name]
        is_usual = texts[name] == setting.kind.show(setting.default)
        if not is_usual and name not in ("plan", "games", "update", "seed"):
            label = setting.label.partition(" (")[0]
            parts.append(f"{label} {setting.choices.get(texts[name], texts[name])}")
    return f"Last run: {', '.join(parts)}, seed {last.seed}."


class NextRun(NamedTuple):
    """The run of a bot that Start would begin or continue."""

    texts: Mapping[str, str]
    """Those of the fields, by the names of the settings."""
    given: Mapping[str, Any]
    """What the training gets of them, by name: all that make a difference to a run that begins,
    but only the games to one that continues, if they are others."""


def read_form(texts: Mapping[str, str], trained: Trained = Trained()) -> NextRun:
    """Return the run that the *texts* of the fields mean for a bot that is *trained*.

    The *texts* have the games in total, the training gets those of the run. Raise SettingsError
    with the name of the field that is wrong.
    """
    names = used_settings(texts)
    if trained.is_training:
        names = [name for name in names if name in ("plan", "games")]
    given = {name: SETTINGS[name].read(texts[name]) for name in names}
    RunSettings.wanted(given)  # which raises if they do not fit each other
    total = given.get("games")
    if total is None and given["plan"] != REVERSE:
        total = trained.games + GAMES
    if total is not None:
        if total <= trained.games:
            raise SettingsError("", "games", f"above the {trained.games:,} played so far")
        given["games"] = trained.of_run(total)
    if trained.is_training:
        games = given.get("games")
        is_same = trained.last is None or games == trained.last.games
        given = {} if is_same else {"games": games}
    shown = {} if total is None else {"games": f"{total:,}"}
    return NextRun({**texts, **shown}, given)
