"""What the Learning tab shows of the chosen player, and how its height is shared out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from traffic_lights.board.positions import POSITIONS, POSITIONS_BY_PLY
from traffic_lights.players.roster import Entry
from traffic_lights.workshop.bars import Scores
from traffic_lights.workshop.charts import Chart, SmallCurves
from traffic_lights.workshop.curves import Curves
from traffic_lights.workshop.learning_chart import is_telling, known_scores, small_curves
from traffic_lights.workshop.shared import learns

LARGE_SIZE: Final = (240, 165)
"""The least size of the large picture, in pixels at 96 dpi."""
LARGER_UNFOLDED: Final = 1.3
LARGER_COMPARED: Final = 1.8
"""How much larger it is at least while the rarer settings are unfolded, as all scrolls then anyway:
with one curve, and with several."""
SMALL_FROM: Final = 33
"""The small curves are shown if the tab is at least so many lines of text high."""
SCORES_LINES: Final = 9
SMALL_LINES: Final = 4.2
STRIP_LINES: Final = 4.2
"""The least heights of the other pictures, in lines of text."""
HISTORY_DIGITS: Final = 200
"""The length of the text under the slider, in the widths of a digit."""
RESULT_LINES: Final = 4
"""The height of the sentence with the first moves at its side, in lines of text."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures from the top down; one that is empty takes no room."""

    scores: Scores | None
    """Of a player that does not train."""
    chart: Chart | None
    small: SmallCurves | None
    """What explains the one curve of the chart."""
    strip: Sequence[int]
    """How many positions of each ply are solved."""
    has_others: bool
    """Whether the chart has curves of other bots, which need the room of what explains one."""

    def by_name(self) -> dict[str, object]:
        """Return the pictures by their names, from the top down."""
        return {
            "scores": self.scores, "chart": self.chart, "small": self.small, "strip": self.strip,
        }  # fmt: skip


def is_comparing(chosen: str, curves: Curves, names: Mapping[str, str]) -> bool:
    """Return whether a bot of *names*, by key, besides the *chosen* one has one of the *curves*."""
    return any(key in curves.points for key in names if key != chosen)


def pictures_of(entry: Entry, curves: Curves, names: Mapping[str, str], wins: Chart) -> Pictures:
    """Return the pictures of the player of *entry*.

    The chart *wins* has the *curves* of the bots *names*, by key. It is left out while a bot only
    proves, and wins nothing yet.
    """
    points = curves.points.get(entry.key, [])
    is_perfect = bool(points) and points[-1].decided == POSITIONS
    solved = curves.solved.get(entry.key, POSITIONS_BY_PLY if is_perfect else ())
    shown = [curves.points[key] for key in names if key in curves.points]
    has_chart = bool(shown)
    if learns(entry):
        has_chart = not solved or any(map(is_telling, shown))
    has_others = is_comparing(entry.key, curves, names)
    has_small = has_chart and bool(points) and not has_others
    return Pictures(
        scores=None if learns(entry) else known_scores(entry),
        chart=wins if has_chart else None,
        small=small_curves(points, wins) if has_small else None,
        strip=solved,
        has_others=has_others,
    )


@dataclass(frozen=True, slots=True)
class TabSize:
    """What the heights depend on besides the pictures, in pixels."""

    width: int
    height: int
    scale: float
    """Pixels for each 1/96 inch."""
    step: int
    """A step of the grid."""
    line: int
    """The height of a line of text."""
    digit: int
    """The width of a digit."""
    slider: int
    button: int
    """The heights of the slider and of its button."""
    has_form: bool
    is_unfolded: bool
    """Whether the rarer settings of the form are shown."""


@dataclass(frozen=True, slots=True)
class Heights:
    """The least heights of the parts, in pixels, and who gets the rest."""

    pictures: Mapping[str, tuple[int, int]]
    """The least height of each picture by name, 0 if it is not shown, and its share of the rest."""
    slider: int
    result: int
    """What is kept under the pictures for the slider with its text, and for the sentence."""


def share_out(pictures: Pictures, size: TabSize) -> Heights:
    """Return the heights of *pictures* and of the parts below in a tab of this *size*.

    The picture that matters most gets all that is left, or three quarters of it if there are small
    curves. The rarer settings get what is kept for the slider and the sentence.
    """
    line = size.line
    step = size.step
    has_small = pictures.small is not None and size.height >= SMALL_FROM * line
    large = LARGE_SIZE[1] * size.scale
    unfolded = 1.0
    if size.is_unfolded:
        unfolded = LARGER_COMPARED if pictures.has_others else LARGER_UNFOLDED
    least = {
        "scores": SCORES_LINES * line if pictures.scores else 0,
        "chart": large if pictures.chart else 0,
        "small": SMALL_LINES * line if has_small else 0,
        "strip": STRIP_LINES * line if pictures.strip else 0,
    }
    weights = dict.fromkeys(least, 0)
    main = next((name for name in ("chart", "scores", "strip") if least[name]), None)
    if main is not None:
        weights[main] = 3
        least[main] *= unfolded
    weights["small"] = int(has_small)
    # Its text has several lines where one bot is looked at.
    width = max(size.width, 40 * step)  # it may not be laid out yet
    text = size.button if pictures.has_others else ceil(HISTORY_DIGITS * size.digit / width) * line
    is_kept = size.has_form and not size.is_unfolded
    return Heights(
        pictures={name: (round(least[name]), weights[name]) for name in least},
        slider=size.slider + text + step if is_kept else 0,
        result=RESULT_LINES * line + 4 * step if is_kept else 0,
    )
