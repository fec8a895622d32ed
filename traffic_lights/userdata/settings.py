"""The settings of the game, each described once.

A description holds the label, and the choices or limits. The sheets in the
windows are made from it, and a value in settings.json that does not fit it
becomes the default.

>>> label_of("speed"), choices_of("speed")["quick"]
('Speed', 'Quick')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any

LONGEST_TEXT = 80
"""The letters of the longest text that a setting can have."""


def _switch(label: str, default: bool = True) -> Any:
    return field(default=default, metadata={"label": label})


def _choice(label: str, **choices: str) -> Any:
    """Describe a setting with *choices*, a text for each value; the first is the default."""
    texts = {value.replace("_", "-"): text for value, text in choices.items()}
    return field(default=next(iter(texts)), metadata={"label": label, "choices": texts})


def _number(label: str, default: int, least: int, most: int) -> Any:
    limits = range(least, most + 1)
    return field(default=default, metadata={"label": label, "limits": limits})


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a player can set; change one with `dataclasses.replace`."""

    theme: str = _choice(
        "Theme", system="System", light="Light", dark="Dark", high_contrast="High contrast"
    )
    lamps: str = _choice(
        "Lamps", signal="Signal", classic="Classic", okabe_ito="Okabe–Ito", monochrome="Monochrome"
    )
    letters: bool = _switch("Letters on the lamps")
    coordinates: bool = _switch("Coordinates")
    side_panel: bool = _switch("Panel")
    animations: bool = _switch("Animations")
    zoom: int = _number("Size", 0, -3, 8)
    """Steps of Larger, negative for Smaller."""
    geometry: str = ""
    """The window's size and place as Tk writes them; empty at the first start."""
    opponent: str = "qbot"
    """The key of the bot that New Game plays against."""
    take_turns: bool = _switch("Take turns")
    """Whether the players swap seats with each new game."""
    speed: str = _choice("Speed", normal="Normal", instant="Instant", quick="Quick", slow="Slow")
    tell_me: bool = _switch("Comment on each move", default=False)
    show: str = _choice("Show", nothing="Nothing", best_play="Best Play", learned="Learned")
    """What the board shows of every move."""
    is_first_start: bool = True
    training: str = ""
    """The name of the bot that is in training; still there if the program ends meanwhile."""


_FIELDS: Mapping[str, Field[Any]] = {described.name: described for described in fields(Settings)}


def label_of(name: str) -> str:
    """Return what the windows call the setting *name*."""
    return str(_FIELDS[name].metadata["label"])


def choices_of(name: str) -> Mapping[str, str]:
    """Return each value of the setting *name* with its text; empty if it has no choices."""
    choices: Mapping[str, str] = _FIELDS[name].metadata.get("choices", {})
    return choices


def limits_of(name: str) -> range:
    """Return the values that the number *name* can have."""
    limits: range = _FIELDS[name].metadata["limits"]
    return limits


def settings_from(plain: Mapping[str, Any]) -> tuple[Settings, list[str]]:
    """Return the settings of a file, and the names of those that did not fit.

    Unknown names are ignored, so that an older program can read a newer file.
    """
    given = {name: plain[name] for name in _FIELDS if name in plain}
    refused = [name for name, value in given.items() if not _fits(_FIELDS[name], value)]
    return Settings(**{n: v for n, v in given.items() if n not in refused}), refused


def _fits(described: Field[Any], value: Any) -> bool:
    if type(value) is not type(described.default):
        return False
    if isinstance(value, str):
        allowed = described.metadata.get("choices")
        return value in allowed if allowed else len(value) <= LONGEST_TEXT
    return value in described.metadata.get("limits", (value,))
