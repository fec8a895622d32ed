"""The colours of the windows and of the lamps: plain constants and how to mix them.

Nothing here needs a display; a test recomputes every contrast, and how far
apart the lamps stay for colour-blind eyes, from these constants alone.

>>> mixed("#000000", "#ffffff", 0.5)
'#808080'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Lamps:
    """The colours of the three lamps and of the letter on each, as ``#rrggbb``."""

    faces: tuple[str, str, str]
    letters: tuple[str, str, str]


LAMPS: Final = {
    "signal": Lamps(("#26bda4", "#ffe75e", "#eb2c26"), ("#0b0d10", "#0b0d10", "#ffffff")),
    "classic": Lamps(("#2fb344", "#ffc927", "#e02b20"), ("#0b0d10", "#0b0d10", "#ffffff")),
    "okabe-ito": Lamps(("#009e73", "#f0e442", "#d55e00"), ("#0b0d10", "#0b0d10", "#0b0d10")),
    "monochrome": Lamps(("#9aa1ab", "#f4f6f8", "#646b76"), ("#0b0d10", "#0b0d10", "#ffffff")),
}
"""The lamp colours by the name that settings use; the first is the default."""


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one theme, as ``#rrggbb``; always set text and background together."""

    window: str
    """Behind everything."""
    surface: str
    """Behind lists, text and fields."""
    raised: str
    """A button at rest."""
    pressed: str
    """A button under the pointer or held."""
    text: str
    muted: str
    """Text of lesser weight, still readable."""
    disabled: str
    border: str
    """Edges that show where a control is."""
    hairline: str
    """Edges that only divide."""
    accent: str
    """Focus, selection, the main button, hints."""
    on_accent: str
    """Text on the accent."""
    warning: str
    """Text of an error."""
    housing: str
    housing_edge: str
    housing_hover: str
    glass: str
    """The inside of a lamp that is off."""
    ring: str
    """The rim of a lamp that is off."""
    cursor: str
    hint: str
    coordinate: str
    mark: str
    """Brackets and the winning line, on the housing."""


_TABLE: Final = (
    ("window", "#eef0f3", "#14171b", "#000000"),
    ("surface", "#ffffff", "#1c2026", "#000000"),
    ("raised", "#ffffff", "#2a303a", "#000000"),
    ("pressed", "#dfe4ea", "#39414d", "#3a3a3a"),
    ("text", "#15181d", "#eef1f5", "#ffffff"),
    ("muted", "#4a5361", "#b0b8c4", "#ffffff"),
    ("disabled", "#7d8592", "#7c8592", "#a8a8a8"),
    ("border", "#7f8894", "#7d8896", "#ffffff"),
    ("hairline", "#d3d8df", "#333a44", "#ffffff"),
    ("accent", "#0b63d6", "#6fb1ff", "#66d9ff"),
    ("on_accent", "#ffffff", "#0b0d10", "#000000"),
    ("warning", "#b3261e", "#ff9d95", "#ffb3ad"),
    ("housing", "#20242b", "#262b33", "#000000"),
    ("housing_edge", "#20242b", "#7d8896", "#ffffff"),
    ("housing_hover", "#6f7987", "#c3cad4", "#66d9ff"),
    ("glass", "#2b3039", "#31373f", "#000000"),
    ("ring", "#8a94a3", "#8a94a3", "#ffffff"),
    ("cursor", "#0b63d6", "#6fb1ff", "#66d9ff"),
    ("hint", "#6fb1ff", "#6fb1ff", "#66d9ff"),
    ("coordinate", "#3d4550", "#c3cad4", "#ffffff"),
    ("mark", "#ffffff", "#ffffff", "#ffffff"),
)
THEMES: Final = {
    name: Colours(**{row[0]: row[number] for row in _TABLE})
    for number, name in enumerate(("light", "dark", "high-contrast"), start=1)
}
"""The themes by the name that settings use."""
_WASH: Final = ("#f0776f", "#a3abb6", "#3fc49b")
ON_WASH: Final = "#0b0d10"
"""Text on a wash."""


def wash(value: float) -> str:
    """Return the colour of *value* from -1 (lost, red) over 0 (grey) to 1 (won, green)."""
    return mixed(_WASH[1], _WASH[0 if value < 0 else 2], abs(value))


def rgb(colour: str) -> tuple[int, int, int]:
    """Return the red, green and blue of ``#rrggbb``, each from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(colour: str, other: str, share: float) -> str:
    """Return *colour* with *share* (0 to 1) of *other* mixed in."""
    return "#" + "".join(
        f"{round(a + (b - a) * share):02x}" for a, b in zip(rgb(colour), rgb(other), strict=True)
    )
