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

    title: str
    faces: tuple[str, str, str]
    letters: tuple[str, str, str]


LAMPS: Final = {
    "signal": Lamps("Signal", ("#26bda4", "#ffe75e", "#eb2c26"), ("#0b0d10", "#0b0d10", "#ffffff")),
    "classic": Lamps(
        "Classic", ("#2fb344", "#ffc927", "#e02b20"), ("#0b0d10", "#0b0d10", "#ffffff")
    ),
    "okabe-ito": Lamps(
        "Okabe–Ito", ("#009e73", "#f0e442", "#d55e00"), ("#0b0d10", "#0b0d10", "#0b0d10")
    ),
    "monochrome": Lamps(
        "Monochrome", ("#9aa1ab", "#f4f6f8", "#646b76"), ("#0b0d10", "#0b0d10", "#ffffff")
    ),
}
"""The lamp colours by the name that settings use; the first is the default."""


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one theme, as ``#rrggbb``; always set text and background together."""

    title: str
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
    """Edges that say where a control is."""
    hairline: str
    """Edges that only divide."""
    accent: str
    """The one accent: focus, selection, the main button, hints."""
    on_accent: str
    """Text on the accent."""
    warning: str
    """Text that something went wrong."""
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
    pill: str
    on_pill: str


THEMES: Final = {
    "light": Colours(
        title="Light",
        window="#eef0f3",
        surface="#ffffff",
        raised="#ffffff",
        pressed="#dfe4ea",
        text="#15181d",
        muted="#4a5361",
        disabled="#7d8592",
        border="#7f8894",
        hairline="#d3d8df",
        accent="#0b63d6",
        on_accent="#ffffff",
        warning="#b3261e",
        housing="#20242b",
        housing_edge="#20242b",
        housing_hover="#6f7987",
        glass="#2b3039",
        ring="#8a94a3",
        cursor="#0b63d6",
        hint="#6fb1ff",
        coordinate="#3d4550",
        mark="#ffffff",
        pill="#ffffff",
        on_pill="#0b0d10",
    ),
    "dark": Colours(
        title="Dark",
        window="#14171b",
        surface="#1c2026",
        raised="#2a303a",
        pressed="#39414d",
        text="#eef1f5",
        muted="#b0b8c4",
        disabled="#7c8592",
        border="#7d8896",
        hairline="#333a44",
        accent="#6fb1ff",
        on_accent="#0b0d10",
        warning="#ff9d95",
        housing="#262b33",
        housing_edge="#7d8896",
        housing_hover="#c3cad4",
        glass="#31373f",
        ring="#8a94a3",
        cursor="#6fb1ff",
        hint="#6fb1ff",
        coordinate="#c3cad4",
        mark="#ffffff",
        pill="#ffffff",
        on_pill="#0b0d10",
    ),
    "high-contrast": Colours(
        title="High contrast",
        window="#000000",
        surface="#000000",
        raised="#000000",
        pressed="#3a3a3a",
        text="#ffffff",
        muted="#ffffff",
        disabled="#a8a8a8",
        border="#ffffff",
        hairline="#ffffff",
        accent="#66d9ff",
        on_accent="#000000",
        warning="#ffb3ad",
        housing="#000000",
        housing_edge="#ffffff",
        housing_hover="#66d9ff",
        glass="#000000",
        ring="#ffffff",
        cursor="#66d9ff",
        hint="#66d9ff",
        coordinate="#ffffff",
        mark="#ffffff",
        pill="#ffffff",
        on_pill="#000000",
    ),
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
