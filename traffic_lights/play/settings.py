"""Everything that a player can set: each setting is described once, with its label and choices.

>>> LABELS["speed"], CHOICES["speed"]["quick"]
('Speed', 'Quick')
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from traffic_lights.play.verdicts import MISTAKES
from traffic_lights.players.roster import KEY
from traffic_lights.storage.kinds import Flag, Kind, OneOf, TextLine, member, record_of


def _setting(label: str, kind: Kind, default: Any, *, is_look: bool = False) -> Any:
    """Describe a setting with its *label*; *is_look* if it changes how the windows look."""
    metadata = {"label": label, "kind": kind, "is_look": is_look}
    return field(default=default, metadata=metadata)


def _named(*texts: str) -> OneOf:
    """Return the choice between *texts*; the values are in small letters, with hyphens."""
    return OneOf({text.lower().replace(" ", "-").replace("–", "-"): text for text in texts})


_THEMES: Final = _named("System", "Light", "Dark", "High contrast")
_LAMPS: Final = _named("Signal", "Classic", "Okabe–Ito", "Monochrome")
_SIZES: Final = OneOf({percent: f"{percent} %" for percent in (90, 100, 125, 150, 200)})
_SPEEDS: Final = _named("Slow", "Normal", "Quick", "Instant")
_SHOWN: Final = _named("Nothing", "Mistakes", "Best Play", "Learned")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a player; `UserData.change` changes them."""

    theme: str = _setting("Theme", _THEMES, "system", is_look=True)
    lamps: str = _setting("Lamps", _LAMPS, "signal", is_look=True)
    size: int = _setting("Size", _SIZES, 100, is_look=True)
    """How large everything is, in percent."""
    speed: str = _setting("Speed", _SPEEDS, "normal")
    letters: bool = _setting("Letters", Flag(), True, is_look=True)
    side_panel: bool = _setting("Panel", Flag(), True)
    shown: str = _setting("Show", _SHOWN, MISTAKES)
    take_turns: bool = _setting("Alternate Who Begins", Flag(), True)
    """Whether the players swap seats with each new game."""
    opponent: str = member(KEY, "beginner")
    """The key of the bot that New Game plays against."""
    geometry: str = member(TextLine(60), "")
    """The window's size and place as Tk writes them; empty at the first start."""
    is_maximized: bool = member(Flag(), False)
    """Whether the window was maximized; `geometry` is then the place that it had before."""
    training: str = member(TextLine(60), "")
    """The name of the bot that is in training; still there if the program ends meanwhile."""

    @property
    def look(self) -> dict[str, Any]:
        """The settings that change how the windows look, by name."""
        names = [row.name for row in fields(self) if row.metadata.get("is_look")]
        return {name: getattr(self, name) for name in names}


LABELS: Mapping[str, str] = {
    row.name: row.metadata["label"] for row in fields(Settings) if "label" in row.metadata
}
CHOICES: Mapping[str, Mapping[Any, str]] = {
    name: kind.choices
    for name, kind in record_of(Settings).members.items()
    if isinstance(kind, OneOf)
}
"""The text of each value of a setting that has choices."""
