"""What the Workshop shows, as plain values: the chart and sentences."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.positions import POSITIONS
from traffic_lights.board.rules import format_cell
from traffic_lights.gui.kit.charts import Chart, Curve, Sampled, SmallCurves
from traffic_lights.gui.kit.drawings import Point
from traffic_lights.gui.workshop.pictures import Scores
from traffic_lights.judging.evaluation import wilson_interval
from traffic_lights.players.roster import Entry, Group
from traffic_lights.storage.words import (
    counted,
    exact_percent,
    interval_percent,
    listed,
    percent,
    percent_done,
)
from traffic_lights.training.gauge import Measured

NEW: Final = "new"
NEW_BOT: Final = Entry(NEW, "New bot", "Choose an opponent, and press Start.", Group.OWN)
"""The row that stands for a bot that is still to be made, and its key."""
Act = Callable[[], object]
OnText = Callable[[str], object]
"""What a widget calls, without or with a text, such as the key of a bot."""
START: Final = "Start"
"""What the button is called that starts a training and continues it."""
_IN_WINDOWS: Final = {"start over with --fresh": "train a new bot", "--repair": START}
"""An option that an error names, and what to do in a window instead."""
EARLY: Final = 0.05
"""The axis is logarithmic if half of the gain comes in this share of the games."""
_TELLING: Final = 0.01
"""A lower score shows only that the bot has not learned to win yet."""
EXPECTS_LOSS: Final = -0.9
"""A bot whose first moves are all worth no more expects to lose."""
CAPTION: Final = "Without exploration. Upright lines: 95 % intervals"
SMALL_CURVES: Final = {
    "ε: the share of moves that explore": "epsilon",
    "How much one game changes all values": "moved",
}
"""The titles of the curves that explain the large one, and what of a `Measured` they show."""
NO_CURVE: Final = "The curve appears here when the bot trains."


# --- the pictures ---


def is_telling(points: Sequence[Measured]) -> bool:
    """Return whether the scores in *points* are not 0 for most of the games.

    >>> def scores(*found): return [Measured(n, "myopic", s, s, 0) for n, s in enumerate(found, 1)]
    >>> is_telling(scores(0, 0, 0.4, 0.9)), is_telling(scores(0, 0.3, 0.4, 0.9))
    (False, True)
    """
    first = next((one.games for one in points if one.score >= _TELLING), None)
    return first is not None and 2 * first <= points[-1].games


def learning_chart(
    curves: Mapping[str, list[Measured]],
    names: Mapping[str, str],
    looks: Mapping[str, int] = MappingProxyType({}),
    then: Measured | None = None,
) -> Chart:
    """Return the chart of the *curves* of the bots *names*, with a mark at the games of *then*.

    *looks* has the number of the colour of each bot.

    It shows the scores against the last opponent of the first bot that has a curve.
    """
    opponent = next((curves[key][-1].opponent for key in names if curves.get(key)), "myopic")
    lines = list[Curve]()
    for key, name in names.items():
        found = [m for m in curves.get(key, []) if m.opponent == opponent]
        if found:
            points = [(m.games, m.score) for m in found]
            samples: dict[float, Sampled] = {
                m.games: Sampled(m.sampled, *interval(m)) for m in found if m.sampled
            }
            lines.append(Curve(name, points, looks.get(key, 0), samples))
    policy = BASELINES[opponent].name
    note = f"No win against {policy} yet." if lines else NO_CURVE
    is_log = _learns_early([line.points for line in lines])
    if is_log:
        # Such an axis has no place for 0 games.
        lines = [line._replace(points=[p for p in line.points if p[0]]) for line in lines]
    mark = None if then is None else then.games
    return Chart(
        f"Wins against {policy}",
        lines,
        is_log=is_log,
        mark=mark,
        note=note,
        caption=CAPTION if lines else "",
    )


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
    bars = {
        "won in all": score.total,
        "won as Player 1": score.first,
        "won as Player 2": score.second,
    }
    return Scores("Its games against Myopic", (), list(bars.items()))


# --- sentences ---


def as_sentence(text: object) -> str:
    """Return *text*, such as that of an error, as a sentence; an empty one stays empty.

    >>> text = "the log is damaged; with --repair the run continues, or start over with --fresh"
    >>> as_sentence(text)
    'The log is damaged; with Start the run continues, or train a new bot.'
    """
    words = str(text)
    for option, in_window in _IN_WINDOWS.items():
        words = words.replace(option, in_window)
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def score_text(measured: Measured) -> str:
    """Return the score in words, after which "of its games" can follow.

    >>> [score_text(Measured(9, "myopic", 0.5, 1.0, 0, sampled)) for sampled in (0, 200)]
    ['75.00 %', 'about 75 %']
    """
    if not measured.sampled:
        return exact_percent(measured.score)
    score = percent(measured.score, 0)
    return f"about {score}" if score[0].isdigit() else score


def interval(measured: Measured) -> tuple[float, float]:
    """Return the 95 % interval of a score that was estimated from games."""
    return wilson_interval(round(measured.score * measured.sampled), measured.sampled)


def snapshot_text(point: Measured) -> str:
    """Return how a bot played after the games of *point*, against each baseline, in one line.

    >>> other = Measured(9, "random", 0.5, 1.0, 0)
    >>> snapshot_text(Measured(9, "myopic", 0.0, 0.1, 0, 200, others=(other,)))
    'Wins after 9 games: Random 75.00 %, Myopic about 5 %.'
    """
    return f"Wins after {counted(point.games, 'game')}: {_wins((point, *point.others))}."


def _wins(scores: Sequence[Measured]) -> str:
    """Return the *scores* with the names of the opponents, in their usual order."""
    texts = {one.opponent: score_text(one) for one in scores}
    return ", ".join(f"{bot.name} {texts[key]}" for key, bot in BASELINES.items() if key in texts)


def stops_text(past: Sequence[Measured]) -> str:
    """Return at which games of a bot the slider stops.

    >>> stops_text([Measured(n, "myopic", 0, 0, 0) for n in (1, 2, 4, 7, 10, 20, 40)])
    'Drag the slider to 1, 2, 4, 7, … or 40 games.'
    """
    games = [f"{point.games:,}" for point in past]
    if len(games) > 5:
        games[4:-1] = ["…"]
    numbers = listed(games, "or")
    return f"Drag the slider to {numbers} games."


def history_text(points: Sequence[Measured]) -> str:
    """Return what a bot had learned at the last of *points*, and since when.

    >>> early, late = (0.0,) * 12, (0.0, 0.25, *(0.0,) * 10)
    >>> points = [Measured(1, "myopic", 0, 0, 5, opening=early)]
    >>> points.append(Measured(2, "myopic", 0.25, 1.0, 9, opening=late))
    >>> for sentence in history_text(points).split(". "): print(sentence)
    It wins more than half against Myopic since 2 games
    First moves were worth 0 before 2 games; at 2, b1 is best (+0.25)
    Proven positions: 9.
    >>> history_text([Measured(1, "myopic", 0, 0, 0, wins_taken=0.96, wins_blocked=0.7)])
    "In test games it took 96 % of its wins in one move and blocked 70 % of its opponent's."
    """
    sentences = [_wins_since(points), _first_moves([one for one in points if one.opening])]
    if decided := max((point.decided for point in points), default=0):
        sentences.append(f"Proven positions: {decided:,}.")
    if points:
        sentences.append(_skills(points[-1]))
    return " ".join(filter(None, sentences))


def _skills(point: Measured) -> str:
    """Return what the bot could do in the test games of *point*, as far as that was seen."""
    skills = []
    if point.wins_taken is not None:
        skills.append(f"took {percent(point.wins_taken, 0)} of its wins in one move")
    if point.wins_blocked is not None:
        skills.append(f"blocked {percent(point.wins_blocked, 0)} of its opponent's")
    return f"In test games it {listed(skills)}." if skills else ""


def _wins_since(points: Sequence[Measured]) -> str:
    """Return since when a bot wins more than half against whom, if it still does."""
    since: dict[str, int] = {}
    for point in points:
        for one in (point, *point.others):
            surely = interval(one)[0] if one.sampled else one.score
            if surely > 0.5:
                since.setdefault(one.opponent, point.games)
            elif one.score <= 0.5:
                since.pop(one.opponent, None)
    if not since:
        return ""
    wins = [f"{BASELINES[key].name} since {games:,}" for key, games in since.items()]
    unit = "game" if wins[-1].endswith(" 1") else "games"
    return f"It wins more than half against {listed(wins)} {unit}."


def _first_moves(points: Sequence[Measured]) -> str:
    """Return what the first moves are worth at the last of *points*; all have their values."""
    if not points:
        return ""
    games = points[-1].games
    values = points[-1].opening
    best = max(values)
    valued = next((point.games for point in points if any(point.opening)), None)
    if valued is None:
        return f"Every first move is worth 0 after {counted(games, 'game')}."
    if best == -1:
        return f"After {counted(games, 'game')}, every first move is proven to lose."
    now = f"{format_cell(values.index(best))} is best ({best:+.2f})"
    if best <= EXPECTS_LOSS:
        now = "it expects to lose, whatever it plays first"
    elif best == min(values):
        now = f"all are worth {best:+.2f}"
    text = f"First moves were worth 0 before {counted(valued, 'game')}; at {games:,}, {now}."
    return text.replace("-", "−")


def training_result(
    games: int, is_training: bool, last: Measured | None, newest: Measured | None = None
) -> str:
    """Return what a bot has come to after *games*; *is_training* if its run is unfinished.

    Its *last* score is against its opponent. Its *newest* snapshot has scores against the others,
    but a bot that was stopped has none of its end.
    """
    if not games:
        return "This bot has not been trained yet."
    texts = [f"Stopped after {games:,} games."] if is_training else []
    if last is not None:
        if last.decided == POSITIONS:
            texts.append("Every position is solved.")
        elif last.decided > POSITIONS / 10:
            texts.append(f"{percent_done(last.decided, POSITIONS)} of all positions are solved.")
        opponent = BASELINES[last.opponent].name
        texts.append(f"It wins {score_text(last)} of its games against {opponent}.")
        if last.sampled:
            bounds = interval_percent(*interval(last))
            texts.append(f"95 % interval: {bounds}, from {last.sampled:,} games.")
        if newest is not None and newest.games == games:
            texts.append(f"Wins against others: {_wins(newest.others)}.")
        elif newest is not None:
            texts.append(snapshot_text(newest))
    return " ".join(texts)
