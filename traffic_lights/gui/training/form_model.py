"""The training form without its widgets: its fields, and settings from what was typed.

>>> settings, complaints = read({**RECOMMENDED, "games": "many"})
>>> settings is None, complaints["games"]
(True, 'A whole number, or nothing for the usual.')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.system.typed_numbers import MOST_SEED, share, whole_number
from traffic_lights.training.settings import PROVING, RunSettings, SettingsError, opponents

_ONE_OPPONENT: Final = (
    "From the empty board against one opponent; 100,000 games if no number is given."
)
_ABOUT: Final = {
    "reverse": "The best: from the end of the game backwards, until every position is decided.",
    "selfplay": "From the empty board against itself, until both seats are proven.",
    "baselines": "Some games against Random, Alternate and itself, then most against Myopic; "
    "400,000 if no number is given.",
    "self": "From the empty board against itself; 100,000 games if no number is given.",
}


def programmes() -> dict[str, str]:
    """Return the programmes and single opponents, as the form lists them, by key."""
    return {
        "reverse": "Reverse curriculum",
        "selfplay": "Self-play until proven",
        "baselines": "Bots and itself",
        **{policy.key: f"Against {policy.name}" for policy in BASELINES.values()},
        "self": "Self-play, some games",
    }


def about(programme: str) -> str:
    """Return what *programme* does, in a sentence."""
    return _ABOUT.get(programme, _ONE_OPPONENT)


COMPLETE: Final = (
    "Start trains the complete QBot in half a minute: from positions near the end of the game "
    "it works its way back to the empty board, and decides every single one. Then it practises "
    "lost positions against Myopic, to find the moves that are hardest to answer."
)
_PROMISES: Final = {
    "selfplay": "Start lets it play against itself until it is proven that it never throws a win "
    "away, then practise lost positions against Myopic. That takes minutes, and leaves out what "
    "it never meets.",
    "baselines": "Start trains a QBot on games against these bots and itself. More games make it "
    "better at them; it can still be beaten.",
    "self": "Start trains a QBot on its own games. More of them make it better; it can still be "
    "beaten.",
}
"""What comes of a programme, unless it is the recommended one."""
UPDATES: Final = {
    "terminal": "Proofs and estimates",
    "last-action": "Last action only",
    "bootstrap": "One-step Q-learning",
    "monte-carlo": "Monte Carlo returns",
}
PROOFS: Final = "Proofs alone"
"""What the first rule comes to where every position is decided by proofs."""
EPSILONS: Final = ("epsilon_start", "epsilon_end", "epsilon_decay")
MOST_GAMES: Final = 10**12


@dataclass(frozen=True, slots=True)
class Field:
    """A field that is typed into."""

    name: str
    label: str
    complaint: str
    """What is expected, in a sentence."""


_FRACTION: Final = "A number from 0 to 1."
_POSITIVE: Final = "A number above 0 and at most 1."
FIELDS: Final = (
    Field("games", "Games", "A whole number, or nothing for the usual."),
    Field("alpha", "Learning rate α", _POSITIVE),
    Field("epsilon_start", "ε at the start", _FRACTION),
    Field("epsilon_end", "ε at the end", "At most ε at the start, at least 0."),
    Field("epsilon_decay", "ε decay a game", _POSITIVE),
    Field("seed", "Seed", "A whole number from 0, below 2^63."),
)

_DEFAULTS: Final = RunSettings()
_TYPED: Final = ("programme", "games", "alpha", *EPSILONS, "update", "seed")
RECOMMENDED: Final[Mapping[str, str]] = {
    name: "" if value is None else str(value)
    for name, value in {"programme": _DEFAULTS.plan, **asdict(_DEFAULTS)}.items()
    if name in _TYPED
}
"""What the form holds at first, by field."""


def updates(programme: str) -> list[str]:
    """Return the update rules in the words that are true of the *programme*."""
    first, *others = UPDATES.values()
    return [PROOFS if programme in PROVING else first, *others]


def uses_epsilon(programme: str) -> bool:
    """Return whether the *programme* explores; the reverse curriculum starts everywhere instead."""
    return programme != "reverse"


def read(texts: Mapping[str, str]) -> tuple[dict[str, Any] | None, dict[str, str]]:
    """Return (settings by name, complaints by field); settings are None if there are complaints."""
    values: dict[str, Any] = {"programme": texts["programme"], "update": texts["update"]}
    complaints: dict[str, str] = {}
    for field in FIELDS:
        try:
            values[field.name] = _READERS[field.name](texts[field.name])
        except ValueError:
            complaints[field.name] = field.complaint
    if not complaints:
        complaints = _contradictions(values)
    return (None, complaints) if complaints else (values, {})


def _contradictions(values: dict[str, Any]) -> dict[str, str]:
    """Return what is wrong with *values* together, by field."""
    if not uses_epsilon(values["programme"]):
        # Fields that are greyed are not complained about.
        values.update({name: getattr(_DEFAULTS, name) for name in EPSILONS})
    if values["epsilon_end"] > values["epsilon_start"]:
        return {"epsilon_end": "At most ε at the start, at least 0."}
    if values["update"] != "terminal" and values["programme"] in PROVING:
        return {"update": f"This programme learns by “{PROOFS}”."}
    try:
        RunSettings.wanted(values).checked()
    except SettingsError as error:
        return {"programme": str(error)}
    return {}


def _whole(least: int, most: int) -> Callable[[str], int]:
    def reader(text: str) -> int:
        number = whole_number(text, least, most)
        if number is None:
            raise ValueError(text)
        return number

    return reader


def _games(text: str) -> int | None:
    return _whole(1, MOST_GAMES)(text) if text.strip() else None


def _share(above_zero: bool) -> Callable[[str], float]:
    def reader(text: str) -> float:
        number = share(text)
        if number is None or (above_zero and number == 0):
            raise ValueError(text)
        return number

    return reader


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "games": _games,
    "alpha": _share(above_zero=True),
    "epsilon_start": _share(above_zero=False),
    "epsilon_end": _share(above_zero=False),
    "epsilon_decay": _share(above_zero=True),
    "seed": _whole(0, MOST_SEED),
}


def promise(texts: Mapping[str, str]) -> str:
    """Return what comes of the run that *texts*, by field, describe; only what is true of it."""
    programme, games = texts["programme"], texts["games"].strip()
    if programme == "reverse" and not games:
        return COMPLETE
    if programme == "reverse":
        return (
            f"Start works its way back from the end of the game, for {games} games. What it has "
            "decided by then is right; the rest it has to guess."
        )
    if programme == "selfplay" and games:
        return (
            f"Start lets it play against itself, for {games} games at most. Unless both seats are "
            "proven by then, it can still be beaten."
        )
    if programme in _PROMISES:
        return _PROMISES[programme]
    opponent = programmes().get(programme, programme).removeprefix("Against ")
    return (
        f"Start trains a QBot that learns from its games against {opponent}, and from nothing "
        "else: what that bot never shows it, it does not know."
    )


def describe(settings: RunSettings) -> str:
    """Return how *settings* train, in a few words."""
    if settings.plan in opponents():
        opponent = programmes()[settings.plan].removeprefix("Against ")
        return f"{settings.games or 0:,} games against {opponent}"
    return {"reverse": "reverse curriculum", "selfplay": "self-play"}.get(
        settings.plan, "baseline bots"
    )
