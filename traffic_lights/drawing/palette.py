"""The colours of the windows and of the lamps: plain constants and how to mix them.

Nothing here needs a display; a test recomputes every contrast, and how far apart the lamps stay
for eyes that see no colours, from these constants alone.

>>> mixed("#000000", "#ffffff", 0.5)
'#808080'
"""

from dataclasses import dataclass, field, fields
from typing import Any, Final

from traffic_lights.board.rules import EMPTY, RED


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


def _in(light: str, dark: str, high_contrast: str) -> Any:
    return field(metadata={"light": light, "dark": dark, "high-contrast": high_contrast})


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one theme, as ``#rrggbb``; always set text and background together."""

    window: str = _in("#eef0f3", "#14171b", "#000000")
    surface: str = _in("#ffffff", "#1c2026", "#000000")
    """Behind lists, text and fields."""
    raised: str = _in("#ffffff", "#2a303a", "#000000")
    """A button at rest."""
    pressed: str = _in("#dfe4ea", "#39414d", "#3a3a3a")
    """A button under the pointer or held."""
    text: str = _in("#15181d", "#eef1f5", "#ffffff")
    muted: str = _in("#4a5361", "#b0b8c4", "#ffffff")
    """Text of lesser weight, still readable."""
    disabled: str = _in("#7d8592", "#7c8592", "#a8a8a8")
    border: str = _in("#7f8894", "#7d8896", "#ffffff")
    """Edges that show where a control is."""
    hairline: str = _in("#d3d8df", "#333a44", "#ffffff")
    """Edges that only divide."""
    accent: str = _in("#0b63d6", "#6fb1ff", "#66d9ff")
    """Focus, selection, the main button, the keyboard cursor."""
    on_accent: str = _in("#ffffff", "#0b0d10", "#000000")
    warning: str = _in("#b3261e", "#ff9d95", "#ffb3ad")
    """Text of an error."""
    housing: str = _in("#20242b", "#262b33", "#000000")
    housing_edge: str = _in("#20242b", "#7d8896", "#ffffff")
    housing_hover: str = _in("#6f7987", "#c3cad4", "#66d9ff")
    glass: str = _in("#2b3039", "#31373f", "#000000")
    """The inside of a lamp that is off."""
    ring: str = _in("#8a94a3", "#8a94a3", "#ffffff")
    """The rim of a lamp that is off."""
    hint: str = _in("#6fb1ff", "#6fb1ff", "#66d9ff")
    coordinate: str = _in("#3d4550", "#c3cad4", "#ffffff")
    mark: str = _in("#ffffff", "#ffffff", "#ffffff")
    """Brackets and the winning line, on the housing."""


THEMES: Final = {
    name: Colours(*(one.metadata[name] for one in fields(Colours)))
    for name in ("light", "dark", "high-contrast")
}
SERIES_COLOURS: Final = {
    "light": ("#0b63d6", "#a14a00", "#00695c", "#7a2e8e", "#5c5c00", "#444c56"),
    "dark": ("#6fb1ff", "#ffb36b", "#5fd3bd", "#d9a3ec", "#e0d54f", "#c3cad4"),
    "high-contrast": ("#66d9ff", "#ffd166", "#7dffb2", "#ffb3ff", "#ffffff", "#ff9d95"),
}
"""The colours of the lines by theme; dashes and names tell them apart without colour."""
_WASH: Final = ("#f0776f", "#a3abb6", "#3fc49b")
"""The colours of the values -1, 0 and 1."""
DIM: Final = 0.5
"""How much lamps outside the winning row are dimmed."""
ON_WASH: Final = "#0b0d10"
"""Text on a wash."""
JOIN_EDGE: Final = "#0b0d10"
"""The edges of the line through a won row."""


def series_colour(theme: str, style: int) -> str:
    """Return the colour of the line with the number *style*."""
    colours = SERIES_COLOURS[theme]
    return colours[style % len(colours)]


def wash(value: float) -> str:
    """Return the colour of *value* from -1 (lost, red) over 0 (grey) to 1 (won, green)."""
    lost, even, won = _WASH
    return mixed(even, lost if value < 0 else won, abs(value))


def lamp_colours(
    colours: Colours, lamps: Lamps, colour: int, value: float | None
) -> tuple[str, str, str]:
    """Return the colours of a lamp's housing, rim and face; *value* is that of a move there."""
    housing = colours.housing
    if value is not None:
        housing = mixed(housing, wash(value), 0.55)
    if colour == EMPTY:
        return housing, colours.ring, colours.glass
    face = lamps.faces[colour - 1]
    return housing, "#ffffff" if colour == RED else mixed(face, "#000000", 0.35), face


def label_edge(value: float) -> str:
    """Return the colour of the edge around the label of a *value* from -1 to 1."""
    return mixed(wash(value), "#000000", 0.35)


def rgb(colour: str) -> bytes:
    """Return the red, green and blue of ``#rrggbb``, each from 0 to 255."""
    return bytes.fromhex(colour[1:])


def mixed(colour: str, other: str, share: float) -> str:
    """Return *colour* with *share* (0 to 1) of *other* mixed in."""
    pairs = zip(rgb(colour), rgb(other), strict=True)
    parts = [round(one + (another - one) * share) for one, another in pairs]
    return "#" + bytes(parts).hex()
