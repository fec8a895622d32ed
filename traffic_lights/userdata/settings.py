"""The settings of the game, each described once.

A description holds the label, and the choices or limits. The sheets in the
windows are made from it, and a value in settings.json that does not fit it
becomes the default.

>>> LABELS["speed"], CHOICES["speed"]["quick"]
('Speed', 'Quick')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any


def _setting(label: str, default: Any, *texts: str, limits: range = range(0)) -> Any:
    """Describe a setting; its values are *texts* in small letters, with hyphens."""
    choices = {text.lower().replace(" ", "-").replace("–", "-"): text for text in texts}
    return field(default=default, metadata={"label": label, "choices": choices, "limits": limits})


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a player can set; change one with `dataclasses.replace`."""

    theme: str = _setting("Theme", "system", "System", "Light", "Dark", "High contrast")
    lamps: str = _setting("Lamps", "signal", "Signal", "Classic", "Okabe–Ito", "Monochrome")
    letters: bool = _setting("Letters on the lamps", True)
    coordinates: bool = _setting("Coordinates", True)
    side_panel: bool = _setting("Panel", True)
    animations: bool = _setting("Animations", True)
    zoom: int = _setting("Size", 0, limits=range(-3, 9))
    """Steps of Larger, negative for Smaller."""
    geometry: str = ""
    """The window's size and place as Tk writes them; empty at the first start."""
    opponent: str = "qbot"
    """The key of the bot that New Game plays against."""
    take_turns: bool = _setting("Take turns", True)
    """Whether the players swap seats with each new game."""
    speed: str = _setting("Speed", "normal", "Normal", "Instant", "Quick", "Slow")
    tell_me: bool = _setting("Comment on each move", False)
    show: str = _setting("Show", "nothing", "Nothing", "Best Play", "Learned")
    """What the board shows of every move."""
    is_first_start: bool = True
    training: str = ""
    """The name of the bot that is in training; still there if the program ends meanwhile."""


def _described(what: str) -> dict[str, Any]:
    return {one.name: one.metadata[what] for one in fields(Settings) if one.metadata.get(what)}


LABELS: Mapping[str, str] = _described("label")
"""What the windows call each setting."""
CHOICES: Mapping[str, Mapping[str, str]] = _described("choices")
"""The text of each value of a setting that has choices."""
LIMITS: Mapping[str, range] = _described("limits")
"""The values of each setting that is a number."""


def settings_from(plain: Mapping[str, Any]) -> tuple[Settings, list[str]]:
    """Return the settings of a file, and the names of those that did not fit.

    Unknown names are ignored, so that an older program can read a newer file.
    """
    refused, fitting = [], {}
    for name, default in asdict(Settings()).items():
        value = plain.get(name, default)
        possible = CHOICES.get(name) or LIMITS.get(name) or [value]
        if type(value) is type(default) and value in possible:
            fitting[name] = value
        else:
            refused.append(name)
    return Settings(**fitting), refused
