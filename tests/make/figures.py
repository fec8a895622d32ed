"""Measure the figures of the pages, and write them there: `python3 -m tests.make.figures`.

A table of figures stands in its page between two comment marks with its name. Every figure in it
follows from seeds, so a second run on any machine writes the same text. The two of the lab take
about an hour, and all others about ten minutes. With `--keep FILE`, finished measurements are kept
in that file, and the next start continues from there. Delete the file when the learner has changed.
Names of tables as arguments write only those.
"""

import argparse
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

import traffic_lights as tl
from tests.kit.lab import definitions
from tests.kit.samples import PROJECT
from tests.make.best_scores import best_chance
from tests.make.qtables import QTABLES
from traffic_lights.board.baselines import MYOPIC
from traffic_lights.drawing.palette import SERIES_COLOURS
from traffic_lights.judging.evaluation import evaluate, score_of
from traffic_lights.judging.proof import Proof, prove
from traffic_lights.learning.replay import replay
from traffic_lights.learning.tablefile import read_meta, read_table
from traffic_lights.learning.update_rules import UPDATE_RULES
from traffic_lights.play.game import parse_moves
from traffic_lights.players.roster import Entry, Group, Roster
from traffic_lights.players.tables import table_strategy
from traffic_lights.storage.words import percent
from traffic_lights.training.progress import settings_of_last_run
from traffic_lights.training.settings import RunSettings

PAGES: Final = PROJECT / "traffic_lights"
CURVES: Final = PROJECT / ".pictures" / "learning-curves.svg"
BUDGET: Final = 10**7
"""Enough positions for the exact score of a bot that knows little."""
HISTORY_GAMES: Final = 200
"""As many as `evaluate --history` plays against each opponent."""
POINTS: Final = (1_000, 2_000, 5_000, 10_000, 20_000)
"""The games after which a learning curve has a point."""
REPLAYED: Final = "1. c2 a3 2. a3 c2 3. b2 a3 4. a2 d2 5. c1 c2 6. b2 d2 7. c1 c1 8. b2"
"""A game that the shipped table of 8,000 games lost to Myopic as Player 2."""
REPLAYED_STEPS: Final = (0, 1, 2, 3)
"""The steps that the page shows, counted from the last move."""
DASHES: Final = ("none", "8 4", "2 4", "10 3 2 3")
"""How the curve of each update rule is drawn, besides its colour."""
WATCHED: Final = (10, 100, 1_000, 4_000, 7_000, 10_000)
"""The games after which the page shows how a bot did."""


# --- what is measured ---


class Measurements:
    """What was measured, by the function and its arguments; perhaps kept in a file."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._known: dict[str, Any] = {}
        if path is not None and path.exists():
            for line in path.read_text("utf-8").splitlines():
                self._known |= json.loads(line)

    def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what *function* measures with *arguments*, from memory if it is known."""
        key = f"{function.__name__}{arguments}"
        if key not in self._known:
            self._known[key] = function(*arguments)
            if self._path is not None:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({key: self._known[key]}) + "\n")
                print(key, self._known[key], flush=True)
        return self._known[key]


@dataclass(frozen=True)
class Runs:
    """Training runs that differ only by their seed."""

    plan: str
    games: int | None
    seeds: Sequence[int]
    settings: dict[str, Any] = field(default_factory=dict)


def trained_score(plan: str, games: int | None, seed: int, settings: dict[str, Any]) -> list[float]:
    """Train, and return the exact scores against Myopic as Player 1 and as Player 2."""
    bot = tl.train(plan, games, seed, **settings)
    score = tl.exact_score(bot, "myopic", budget=BUDGET)
    return [score.first, score.second]


def curve(opponent: str, update: str) -> list[tuple[int, float]]:
    """Train for the last of POINTS, and return the games won against Myopic at each of them."""
    points = []

    def add(point: tl.TrainingPoint) -> None:
        if point.games in POINTS:
            points.append((point.games, tl.evaluate(point.bot, "myopic", 500).rate))

    settings = {"update": update, **SETTINGS.get(update, {})}
    tl.train(opponent, POINTS[-1], FIRST_SEED, every=1000, on_progress=add, **settings)
    return points


def shipped_score(name: str, opponent: str) -> list[float]:
    """Return the exact scores of a shipped table as Player 1 and as Player 2."""
    score = score_of(_shipped(name), Roster().entry(opponent), BUDGET)
    assert score is not None
    return [score.first, score.second]


def score_then(name: str, opponent: str, games: int) -> float:
    """Return the share of games that a shipped table won when it had played so many *games*."""
    meta = read_meta(QTABLES / name)
    bot = tl.train(settings_of_last_run(meta).plan, games, meta["seed"])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "then.json"
        bot.save(path)
        (row,) = evaluate(Roster().resolve(str(path)), [Roster().entry(opponent)], HISTORY_GAMES)
    return row.both.wins / row.games


def sampled_score(one: str, other: str) -> float:
    """Return the share of 2,000 games that the player *one* won against *other*."""
    return tl.evaluate(one, other, 2000, FIRST_SEED).rate


def complete_facts() -> dict[str, int]:
    """Return what the complete table and its proof count."""
    table = read_table(QTABLES / "complete.json")
    *_, proof = prove(table_strategy(table))
    assert isinstance(proof, Proof)
    runs = table.meta["progress"]
    return {
        "games": table.meta["games"] - runs["stage_games"],
        "practice": runs["stage_games"],
        "positions": proof.positions,
        "blunders": proof.blunders,
    }


def replay_texts() -> list[str]:
    """Return what the REPLAYED teaches the shipped table of 8,000 games, the last move first."""
    table = read_table(QTABLES / "myopic-8000.json")
    own = RunSettings.from_json(table.meta["runs"][-1]["settings"])
    steps = replay(table, parse_moves(REPLAYED), 1, own.update, own.alpha, own.gamma).steps
    return [step.text(own.alpha) for step in steps]


def lab_result(name: str, seed: int) -> list[float]:
    """Train the learner *name* of the lab; return its rates against two bots, and its size."""
    lab = definitions()
    *_, (_, learner) = lab["trained"](lab[name], seed)
    rates = [tl.evaluate(learner, other, lab["SAMPLE"]).rate for other in ("random", "beginner")]
    return [*rates, len(learner.values)]


def lab_myopic(name: str, is_near: bool, seed: int) -> list[float]:
    """Return the rate against Myopic of a learner that may begin near the end of games."""
    lab = definitions()
    return [lab["against_myopic"](lab[name], seed, lab["near_the_end"] if is_near else None)]


def program_myopic(seed: int) -> list[float]:
    """Return the rate against Myopic of the program's learner after as many games."""
    return [tl.evaluate(tl.train("myopic", 10_000, seed), "myopic", 1_000).rate]


def _shipped(name: str) -> Entry:
    return Roster().resolve(str(QTABLES / name))


# --- the cells of tables ---

Cell: TypeAlias = str | Callable[[Measurements], str]
"""A text, or what measures it."""


@dataclass(frozen=True)
class Figures:
    """A table of figures in a page."""

    name: str
    page: Path
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    quick: tuple[tuple[int, int], ...]
    """The rows and columns of the cells that a fast test measures again.

    There are none if each figure takes the training of a bot that reaches many positions.
    """

    def text(self, measured: Measurements) -> str:
        """Return the table as it stands in the page."""
        return markdown([self.headings, *(_texts(row, measured) for row in self.rows)])

    @property
    def place(self) -> re.Pattern[str]:
        """What finds the table in the text of its page, with what stands around it as groups."""
        name = re.escape(self.name)
        return re.compile(rf"(<!-- figures: {name} -->\n\n)(.*?)(\n\n<!-- end -->)", re.DOTALL)


def markdown(lines: Sequence[Sequence[str]]) -> str:
    """Return *lines* as a Markdown table, the first one as its header."""
    header, *rest = lines
    rule = [":--", *["--:"] * (len(header) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rule, *rest))


def _texts(row: Sequence[Cell], measured: Measurements) -> list[str]:
    return [cell if isinstance(cell, str) else cell(measured) for cell in row]


def _scores(runs: Runs, measured: Measurements) -> list[list[float]]:
    return [
        measured(trained_score, runs.plan, runs.games, seed, runs.settings) for seed in runs.seeds
    ]


def _seat(runs: Runs, seat: int) -> Cell:
    """Return the cell with the mean score of a seat, 0 or 1."""
    return lambda measured: percent(fmean(score[seat] for score in _scores(runs, measured)))


def _mean(runs: Runs) -> Cell:
    return lambda measured: percent(fmean(map(fmean, _scores(runs, measured))))


def _of_seed(runs: Runs, seed: int) -> Cell:
    one = Runs(runs.plan, runs.games, [seed], runs.settings)
    return lambda measured: percent(fmean(_scores(one, measured)[0]))


def _span(runs: Runs) -> Cell:
    """Return the cell with the lowest and the highest score."""

    def text(measured: Measurements) -> str:
        totals = [fmean(score) for score in _scores(runs, measured)]
        return f"{percent(min(totals))} to {percent(max(totals))}"

    return text if len(runs.seeds) > 1 else "–"


def _shipped_cell(name: str, opponent: str, *seats: int) -> Cell:
    def text(measured: Measurements) -> str:
        scores = measured(shipped_score, name, opponent)
        return percent(fmean(scores[seat] for seat in seats), 2)

    return text


def _then(opponent: str, games: int) -> Cell:
    return lambda measured: percent(measured(score_then, "myopic-10000.json", opponent, games))


def _fact(name: str) -> Cell:
    return lambda measured: f"{measured(complete_facts)[name]:,}"


def _replay_step(number: int) -> Cell:
    return lambda measured: measured(replay_texts)[number]


# --- the tables ---

FIRST_SEED: Final = 201
"""The seeds from here on were never used to choose a setting."""
SETTINGS: Final[dict[str, dict[str, Any]]] = {
    "terminal": {},
    "last-action": {"alpha": 0.1, "epsilon_start": 0.03, "epsilon_end": 0.005},
    "q-learning": {"alpha": 0.4, "epsilon_start": 0.1, "epsilon_end": 0.1},
    "monte-carlo": {"alpha": 0.2, "epsilon_start": 0.03, "epsilon_end": 0.005},
}
"""What each update rule trains with, other than the defaults."""


LAB_SEEDS: Final = range(1, 41)
"""The seeds of the lab, which prints the first three."""


def _seeds(count: int) -> range:
    return range(FIRST_SEED, FIRST_SEED + count)


def _against(opponent: str, games: int, seeds: int, update: str = "terminal") -> Runs:
    settings = {} if update == "terminal" else {"update": update, **SETTINGS.get(update, {})}
    return Runs(opponent, games, _seeds(seeds), settings)


def _kinds() -> Iterator[tuple[Cell, ...]]:
    for name, runs in (
        ("Myopic", _against("myopic", 20_000, 10)),
        ("Myopic", _against("myopic", 50_000, 5)),
        ("Myopic", _against("myopic", 100_000, 5)),
        ("Alternate", _against("alternate", 100_000, 3)),
        ("Random", _against("random", 100_000, 2)),
        ("itself", _against("self", 100_000, 1)),
        ("plan `reverse` without practice", Runs("reverse", None, _seeds(1), {"practice": "none"})),
    ):
        games = f"{runs.games:,}" if runs.games else "until done"
        seeds = f"{runs.seeds[0]}–{runs.seeds[-1]}" if len(runs.seeds) > 1 else f"{runs.seeds[0]}"
        yield name, games, seeds, _mean(runs), _span(runs), _seat(runs, 0), _seat(runs, 1)
    whole = (_shipped_cell("complete.json", "myopic", *seats) for seats in ((0, 1), (0,), (1,)))
    total, first, second = whole
    yield "**plan `reverse`, the default**", "until done", "1", total, "–", first, second


def _study() -> Iterator[tuple[Cell, ...]]:
    for update in UPDATE_RULES:
        runs = _against("myopic", 20_000, 2, update)
        own = RunSettings.wanted({"plan": "myopic", **runs.settings})
        epsilons = sorted({own.epsilon_start, own.epsilon_end}, reverse=True)
        chosen = f"{own.alpha:g}", " to ".join(f"{epsilon:g}" for epsilon in epsilons)
        single = (_of_seed(runs, seed) for seed in runs.seeds)
        yield update, *chosen, *single, _seat(runs, 0), _seat(runs, 1)


def _levels() -> Iterator[tuple[Cell, ...]]:
    names = [entry.key for entry in Roster().entries() if entry.group is Group.LEVEL]
    for below, level in pairwise(names):
        yield level.capitalize(), below.capitalize(), _sampled(level, below)


def _sampled(one: str, other: str) -> Cell:
    return lambda measured: percent(measured(sampled_score, one, other))


def _in_lab(index: int, function: Callable[..., Any], *arguments: Any) -> list[Cell]:
    """Return the mean, and the lowest and the highest, of a result over the seeds of the lab."""

    def rates(measured: Measurements) -> list[float]:
        return [measured(function, *arguments, seed)[index] for seed in LAB_SEEDS]

    def span(measured: Measurements) -> str:
        return f"{percent(min(rates(measured)))} to {percent(max(rates(measured)))}"

    return [lambda measured: percent(fmean(rates(measured))), span]


def _lab() -> Iterator[tuple[Cell, ...]]:
    for name in ("MonteCarlo", "QLearning", "Sarsa", "Afterstates", "Mirrors"):
        yield f"`{name}`", *_in_lab(0, lab_result, name), *_in_lab(1, lab_result, name)


def _lab_myopic() -> Iterator[tuple[Cell, ...]]:
    for name in ("Mirrors", "Backwards"):
        plain, near = (_in_lab(0, lab_myopic, name, is_near) for is_near in (False, True))
        yield f"`{name}`", *plain, *near
    yield "`tl.train`", *_in_lab(0, program_myopic), "–", "–"


def best_against_myopic() -> float:
    """Return the best chance of Player 1 against Myopic, from 0 to 1; ten seconds."""
    return best_chance(MYOPIC.actions)


def _best_against_myopic(measured: Measurements) -> str:
    return percent((measured(best_against_myopic) + 1) / 2, 2)


def _proof(measured: Measurements) -> str:
    facts = measured(complete_facts)
    return f"{facts['positions']:,} positions, {facts['blunders']} blunders"


def _score_and_best(measured: Measurements) -> str:
    score = fmean(measured(shipped_score, "complete.json", "myopic"))
    return f"{percent(score, 2)} of a possible {_best_against_myopic(measured)}"


ALL: Final = (
    Figures(
        "measured",
        PROJECT / "README.md",
        ("what", "measured", "how to see it"),
        (
            ("the whole game solved", "9,038,683 positions",
             "`python3 -m traffic_lights.solve`"),
            ("every line of play of the complete bot", _proof,
             "`python3 -m traffic_lights.evaluate --proof`"),
            ("its exact score against Myopic", _score_and_best,
             "`python3 -m traffic_lights.evaluate --bot qbot`"),
            ("training survives `kill -9`", "same bytes as a run never stopped",
             "[how it is tested](traffic_lights/training/README.md#why-nothing-is-lost)"),
        ),
        ((1, 1), (2, 1)),
    ),
    Figures(
        "kinds",
        PAGES / "judging" / "README.md",
        ("trained against", "games", "seeds", "mean", "lowest to highest", "as Player 1",
         "as Player 2"),
        tuple(_kinds()),
        ((7, 3), (7, 5), (7, 6)),
    ),
    Figures(
        "levels",
        PAGES / "judging" / "README.md",
        ("level", "against", "won"),
        tuple(_levels()),
        ((1, 2), (2, 2)),
    ),
    Figures(
        "study",
        PAGES / "judging" / "README.md",
        ("update", "α", "ε", "seed 201", "seed 202",
         "as Player 1", "as Player 2"),
        tuple(_study()),
        (),
    ),
    Figures(
        "default",
        PAGES / "learning" / "README.md",
        ("of `qtables/complete.json`", "measured"),
        (
            ("training games", _fact("games")),
            ("tries of practice", _fact("practice")),
            *(
                (f"exact score against {name}", _shipped_cell("complete.json", key, 0, 1))
                for name, key in (("Random", "random"), ("Horizon 3", "horizon-3"),
                                  ("Horizon 5", "horizon-5"), ("Horizon 7", "horizon-7"))
            ),
        ),
        ((0, 1),),
    ),
    Figures(
        "watch",
        PAGES / "learning" / "README.md",
        ("after games", *(f"{games:,}" for games in WATCHED)),
        tuple(
            (f"wins against {name}", *(_then(name.lower(), games) for games in WATCHED))
            for name in ("Random", "Myopic")
        ),
        ((0, 1), (0, 2), (1, 2)),
    ),
    Figures(
        "replay",
        PAGES / "learning" / "README.md",
        ("some of what the bot learns, the last move first",),
        tuple((_replay_step(number),) for number in REPLAYED_STEPS),
        ((0, 0), (1, 0)),
    ),
    Figures(
        "lab",
        PAGES / "library" / "ANSWERS.md",
        ("learner", "wins against Random", "lowest to highest", "against Beginner",
         "lowest to highest"),
        tuple(_lab()),
        (),
    ),
    Figures(
        "lab-myopic",
        PAGES / "library" / "ANSWERS.md",
        ("learner", "from the empty board", "lowest to highest", "near the end",
         "lowest to highest"),
        tuple(_lab_myopic()),
        (),
    ),
)  # fmt: skip


def draw_curves(measured: Measurements) -> str:
    """Return the learning curves of the update rules as SVG."""
    left, top, right, bottom = 48.0, 40.0, 560.0, 300.0

    def at(games: float, score: float) -> tuple[float, float]:
        return left + (right - left) * games / POINTS[-1], bottom - (bottom - top) * score

    def text(x: float, y: float, words: str, look: str) -> str:
        return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{words}</text>'

    parts = [text(left, 20, "Games won against Myopic", 'font-weight="bold"')]
    for share in range(0, 101, 20):
        _, y = at(0, share / 100)
        parts.append(f'<path d="M{left},{y:.1f}H{right}" stroke="#d3d8df"/>')
        parts.append(text(left - 6, y + 4, f"{share} %", 'text-anchor="end"'))
    for games in range(0, POINTS[-1] + 1, POINTS[-1] // 4):
        x, _ = at(games, 0)
        parts.append(text(x, bottom + 18, f"{games:,}", 'text-anchor="middle"'))
    parts.append(text(right + 24, bottom + 18, "games", ""))
    taken: list[float] = []
    for style, update in enumerate(UPDATE_RULES):
        points = measured(curve, "myopic", update)
        colour = SERIES_COLOURS["light"][style]
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in points))
        parts.append(
            f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2" '
            f'stroke-dasharray="{DASHES[style]}"/>'
        )
        y = at(*points[-1])[1] + 4
        while any(abs(y - other) < 14 for other in taken):
            y += 2  # the names do not cover each other
        taken.append(y)
        parts.append(text(right + 8, y, UPDATE_RULES[update].label, f'fill="{colour}"'))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="720" height="330" viewBox="0 0 720 330" '
        'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#15181d">\n'
        '<rect width="720" height="330" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def main() -> None:
    """Measure, and write the pages."""
    parser = argparse.ArgumentParser(description="Measure the figures of the pages.")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep what is measured there")
    parser.add_argument("names", nargs="*", help="only these tables (default: all, and the curves)")
    options = parser.parse_args()
    measured = Measurements(options.keep)
    for figures in ALL:
        if options.names and figures.name not in options.names:
            continue
        text = figures.text(measured)
        page = figures.page.read_text("utf-8")
        new, count = figures.place.subn(lambda found: f"{found[1]}{text}{found[3]}", page)  # noqa: B023
        assert count == 1, f"{figures.page} has {count} places for {figures.name}"
        figures.page.write_text(new, "utf-8", newline="\n")
    if not options.names or "curves" in options.names:
        CURVES.write_text(draw_curves(measured), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
