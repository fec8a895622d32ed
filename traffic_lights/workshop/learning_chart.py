"""The pictures of the Learning tab as plain values: curves, what explains them, and scores."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.players.roster import Entry
from traffic_lights.storage.words import listed, percent
from traffic_lights.training.gauge import Measured
from traffic_lights.workshop.bars import ScoreBar, Scores
from traffic_lights.workshop.charts import Chart, ChartLine, Sampled, SmallCurves
from traffic_lights.workshop.drawings import Point
from traffic_lights.workshop.learning_texts import interval, wins_since

EARLY: Final = 0.05
"""The axis is logarithmic if half of the gain comes in this share of the games."""
_TELLING: Final = 0.01
"""A lower score shows only that the bot has not learned to win yet."""
CAPTION: Final = "Dots: no exploring. Upright: 95 % intervals"
BEATS_CAPTION: Final = ". Beats: over half"
SMALL_CURVES: Final = {
    "ε: the share of moves that explore": "epsilon",
    "How much one game changes all values": "moved",
}
"""The titles of the curves that explain the large one, and what of a `Measured` they show."""
BEATS: Final = "beats"
"""What stands before the baselines against which a bot wins more than half, and since when."""
NO_CURVE: Final = "The curve appears here when the bot trains."


def is_telling(points: Sequence[Measured]) -> bool:
    """Return whether the scores in *points* are not 0 for most of the games.

    >>> def scores(*found): return [Measured(n, "myopic", s, s, 0) for n, s in enumerate(found, 1)]
    >>> is_telling(scores(0, 0, 0.4, 0.9)), is_telling(scores(0, 0.3, 0.4, 0.9))
    (False, True)
    """
    first = next((one.games for one in points if one.score >= _TELLING), None)
    return first is not None and 2 * first <= points[-1].games


def wins_chart(
    curves: Mapping[str, list[Measured]],
    names: Mapping[str, str],
    styles: Mapping[str, int] = MappingProxyType({}),
    then: Measured | None = None,
    *,
    chosen: str = "",
    past: Sequence[Measured] = (),
) -> Chart:
    """Return the chart of the *curves* of the bots *names*, with a mark at the games of *then*.

    *styles* has the number of the colour of each bot. The curve of the *chosen* one also shows
    since when it beats its opponent, and by the snapshots *past*, the other baselines.

    It shows the scores against the last opponent of the first bot that has a curve, and names the
    bots that have none against this opponent.
    """
    opponent = next((curves[key][-1].opponent for key in names if curves.get(key)), "myopic")
    lines = list[ChartLine]()
    absent = list[str]()
    for key, name in names.items():
        found = [m for m in curves.get(key, []) if m.opponent == opponent]
        if found:
            points = [(m.games, m.score) for m in found]
            samples: dict[float, Sampled] = {
                m.games: Sampled(m.sampled, *interval(m)) for m in found if m.sampled
            }
            milestones = _milestones(curves[key], past) if key == chosen else ()
            lines.append(ChartLine(name, points, styles.get(key, 0), samples, milestones))
        elif curves.get(key):
            absent.append(name)
    policy = BASELINES[opponent].name
    note = f"No win against {policy} yet." if lines else NO_CURVE
    is_log = _learns_early([line.points for line in lines])
    if is_log:
        # Such an axis has no place for 0 games.
        lines = [line._replace(points=[p for p in line.points if p[0]]) for line in lines]
    mark = None if then is None else then.games
    caption = CAPTION if lines else ""
    if any(line.milestones for line in lines):
        caption += BEATS_CAPTION
    if absent:
        who = listed(absent) if len(absent) == 1 else f"{len(absent)} of the bots"
        caption = f"Not here, because measured against another opponent: {who}"
    return Chart(
        f"Wins against {policy}",
        lines,
        is_log=is_log,
        mark=mark,
        note=note,
        caption=caption,
        before_milestones=BEATS,
    )


def _milestones(curve: Sequence[Measured], past: Sequence[Measured]) -> list[tuple[float, str]]:
    """Return since how many games a bot beats which of the baselines, ascending."""
    beaten: dict[int, list[str]] = {}
    # A curve has scores against the others only of the present run.
    alone = [replace(point, others=()) for point in curve]
    for opponent, games in wins_since([*alone, *past]).items():
        beaten.setdefault(games, []).append(BASELINES[opponent].name)
    return [(games, listed(beaten[games])) for games in sorted(beaten)]


def small_curves(points: Sequence[Measured], chart: Chart) -> SmallCurves | None:
    """Return what explains the line of *points* in *chart*; None if nothing is known."""
    found = {}
    for title, field in SMALL_CURVES.items():
        values = [(m.games, getattr(m, field)) for m in points]
        if known := [(games, value) for games, value in values if value is not None]:
            found[title] = known
    return SmallCurves(chart, found) if found else None


def curves_csv(curves: Mapping[str, list[Measured]], names: Mapping[str, str]) -> str:
    """Return the points of the *curves* of the bots *names* as CSV, a line for each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = (
        "bot games opponent wins low high sampled_games epsilon change_per_game "
        "wins_taken wins_blocked"
    )
    writer.writerow(head.split())
    for key, name in names.items():
        for m in curves.get(key, []):
            bounds = interval(m) if m.sampled else ("", "")
            score = (m.score, *bounds, m.sampled)
            learned = (m.epsilon, m.moved, m.wins_taken, m.wins_blocked)
            writer.writerow((name, m.games, m.opponent, *score, *learned))
    return text.getvalue()


def _learns_early(lines: Sequence[Sequence[Point]]) -> bool:
    """Return whether one of *lines* would rise at the very left of a linear axis.

    That is so if half of its gain comes within the first games, by `EARLY`.
    """
    highest = max((points[-1][0] for points in lines), default=0)
    for points in lines:
        first = points[0][1]
        best = max(share for _, share in points)
        middle = (first + best) / 2
        halfway = next(games for games, share in points if share >= middle)
        if best > first and halfway < EARLY * highest:
            return True
    return False


def known_scores(entry: Entry) -> Scores:
    """Return what is known of the player of *entry*, which does not train."""
    if entry.score is None:
        lines = ["To measure it, press Run under “Strength”."]
        return Scores("Its strength is not known", lines)
    score = entry.score
    shares = {
        "won in all": score.total,
        "won as Player 1": score.first,
        "won as Player 2": score.second,
    }
    bars = [ScoreBar(name, share, percent(share)) for name, share in shares.items()]
    return Scores("Its games against Myopic", bars=bars)
