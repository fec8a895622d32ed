"""Measure the figures of the pages, and write them there: `python3 -m tests.make.figures`.

A table of figures stands in its page between two comment marks with its name, and what is written
are the rows below its headings. Every figure follows from seeds, so a second run on any machine
writes the same text. The two of the lab take about an hour, and all others about ten minutes. Names
of tables as arguments write only those; ``curves`` is the picture of the study.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, Final

import traffic_lights as tl
from tests.kit.lab import definitions
from tests.kit.samples import PROJECT
from tests.make.qtables import QTABLES
from traffic_lights.judging.evaluation import evaluate
from traffic_lights.judging.proof import Proof, prove
from traffic_lights.learning.replay import replay
from traffic_lights.learning.tablefile import read_meta, read_table
from traffic_lights.learning.update_rules import UPDATE_RULES
from traffic_lights.play.game import parse_moves
from traffic_lights.players.roster import Group, Roster
from traffic_lights.players.tables import table_strategy
from traffic_lights.storage.words import percent
from traffic_lights.training.plans import learner_for
from traffic_lights.training.settings import RunSettings

PAGES: Final = (PROJECT / "README.md", *(PROJECT / "traffic_lights").glob("*/*.md"))
CURVES: Final = PROJECT / ".pictures" / "learning-curves.svg"
BUDGET: Final = 10**7
"""Enough positions for the exact score of a bot that knows little."""
FIRST_SEED: Final = 201
"""The seeds from here on were never used to choose a setting."""
LAB_SEEDS: Final = range(1, 41)
"""The seeds of the lab, which prints the first three."""
SETTINGS: Final[dict[str, dict[str, Any]]] = {
    "terminal": {},
    "last-action": {"alpha": 0.1, "epsilon_start": 0.03, "epsilon_end": 0.005},
    "q-learning": {"alpha": 0.4, "epsilon_start": 0.1, "epsilon_end": 0.1},
    "monte-carlo": {"alpha": 0.2, "epsilon_start": 0.03, "epsilon_end": 0.005},
}
"""What each update rule trains with, other than the defaults."""
REPLAYED: Final = "1. c2 a3 2. a3 c2 3. b2 a3 4. a2 d2 5. c1 c2 6. b2 d2 7. c1 c1 8. b2"
"""A game that the shipped table of 8,000 games lost to Myopic as Player 2."""

Rows = Iterator[Sequence[str]]


# --- what is measured ---


def trained_scores(
    plan: str, games: int | None, seeds: int, update: str = "terminal"
) -> list[tuple[float, float]]:
    """Train by so many *seeds*; return the exact scores against Myopic as Player 1 and 2."""
    settings = {"practice": "none"} if plan == "reverse" else {"update": update, **SETTINGS[update]}
    bots = (tl.train(plan, games, FIRST_SEED + n, **settings) for n in range(seeds))
    scores = (tl.exact_score(bot, "myopic", budget=BUDGET) for bot in bots)
    return [(score.first, score.second) for score in scores]


@cache
def complete_score(opponent: str) -> tuple[float, float]:
    """Return the exact scores of the complete bot as Player 1 and as Player 2."""
    bot = tl.player(str(QTABLES / "complete.json"))
    score = tl.exact_score(bot, opponent, budget=BUDGET)
    return score.first, score.second


def rate_then(opponent: str, games: int) -> float:
    """Return the share of 200 games that a bot won when it had played so many *games*.

    So `evaluate --history` measures it.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "then.json"
        tl.train("myopic", games, 1).save(path)
        *_, row = evaluate([(Roster().resolve(str(path)), Roster().entry(opponent))], 200)
    return row.both.wins / row.games


def mean_and_span(rates: Sequence[float]) -> tuple[str, str]:
    return percent(fmean(rates)), f"{percent(min(rates))} to {percent(max(rates))}"


# --- the rows of the tables ---


def measured() -> Rows:
    *_, proof = prove(table_strategy(read_table(QTABLES / "complete.json")))
    assert isinstance(proof, Proof)
    yield "the whole game solved", "9,038,683 positions", "`python3 -m traffic_lights.solve`"
    yield (
        "every line of play of the complete bot",
        f"{proof.positions:,} positions, {proof.blunders} blunders",
        "`python3 -m traffic_lights.evaluate --proof --bot qbot`",
    )
    yield (
        "its exact score against Myopic",
        percent(fmean(complete_score("myopic")), 2),
        "`python3 -m traffic_lights.evaluate --bot qbot`",
    )
    yield (
        "training survives `kill -9`",
        "same bytes as a run never stopped",
        "[how it is tested](traffic_lights/training/README.md#why-nothing-is-lost)",
    )


def kinds() -> Rows:
    for name, plan, games, seeds in (
        ("Myopic", "myopic", 20_000, 10),
        ("Myopic", "myopic", 50_000, 5),
        ("Myopic", "myopic", 100_000, 5),
        ("Alternate", "alternate", 100_000, 3),
        ("Random", "random", 100_000, 2),
        ("itself", "self", 100_000, 1),
        ("plan `reverse` without practice", "reverse", None, 1),
    ):
        scores = trained_scores(plan, games, seeds)
        mean, span = mean_and_span([*map(fmean, scores)])
        last = f"–{FIRST_SEED + seeds - 1}" if seeds > 1 else ""
        seats = [percent(fmean(seat)) for seat in zip(*scores, strict=True)]
        played = f"{games:,}" if games else "until done"
        yield name, played, f"{FIRST_SEED}{last}", mean, span if last else "–", *seats
    seats = [percent(score, 2) for score in complete_score("myopic")]
    mean = percent(fmean(complete_score("myopic")), 2)
    yield "**plan `reverse`, the default**", "until done", "1", mean, "–", *seats


def levels() -> Rows:
    names = [entry.key for entry in Roster().entries() if entry.group is Group.LEVEL]
    for below, level in pairwise(names):
        rate = tl.evaluate(level, below, 2000, FIRST_SEED).rate
        yield level.capitalize(), below.capitalize(), percent(rate)


def study() -> Rows:
    for update in UPDATE_RULES:
        own = RunSettings.wanted({"plan": "myopic", "update": update, **SETTINGS[update]})
        epsilons = sorted({own.epsilon_start, own.epsilon_end}, reverse=True)
        scores = trained_scores("myopic", 20_000, 2, update)
        shares = [*map(fmean, scores), *map(fmean, zip(*scores, strict=True))]
        chosen = " to ".join(f"{epsilon:g}" for epsilon in epsilons)
        yield update, f"{own.alpha:g}", chosen, *map(percent, shares)


def default() -> Rows:
    meta = read_meta(QTABLES / "complete.json")
    practice = meta["progress"]["stage_games"]
    yield "training games", f"{meta['games'] - practice:,}"
    yield "tries of practice", f"{practice:,}"
    for name in ("Random", "Horizon 3", "Horizon 5", "Horizon 7"):
        score = fmean(complete_score(name.lower().replace(" ", "-")))
        yield f"exact score against {name}", percent(score, 2)


WATCHED: Final = (1_000, 2_000, 5_000, 10_000, 15_000, 20_000)
"""The games after which the page shows how a bot did."""


def watch() -> Rows:
    for name in ("Random", "Myopic"):
        shares = (percent(rate_then(name.lower(), games)) for games in WATCHED)
        yield f"wins against {name}", *shares


def replayed() -> Rows:
    table = read_table(QTABLES / "myopic-8000.json")
    own = RunSettings.from_json(table.meta["runs"][-1]["settings"])
    steps = replay(table, parse_moves(REPLAYED), 1, partial(learner_for, own)).steps
    for step in steps[:4]:  # from the last move back
        yield (step.text(own.alpha),)


def lab() -> Rows:
    given = definitions()
    for name in ("MonteCarlo", "Sarsa", "QLearning", "Afterstates", "Mirrors"):
        learners = [[*given["trained"](given[name], seed)][-1][1] for seed in LAB_SEEDS]
        spans: list[str] = []
        for other in ("random", "beginner"):
            rates = [tl.evaluate(learner, other, given["SAMPLE"]).rate for learner in learners]
            spans += mean_and_span(rates)
        yield f"`{name}`", *spans


def lab_myopic() -> Rows:
    lab = definitions()
    for name in ("Mirrors", "Backwards"):
        shares = [
            mean_and_span([lab["against_myopic"](lab[name], seed, start) for seed in LAB_SEEDS])
            for start in (None, lab["near_the_end"])
        ]
        yield f"`{name}`", *shares[0], *shares[1]
    rates = [
        tl.evaluate(tl.train("myopic", 10_000, seed), "myopic", 1_000).rate for seed in LAB_SEEDS
    ]
    yield "`tl.train`", *mean_and_span(rates), "–", "–"


# --- the tables in their pages ---

TABLES: Final = {
    "measured": measured, "kinds": kinds, "levels": levels, "study": study, "default": default,
    "watch": watch, "replay": replayed, "lab": lab, "lab-myopic": lab_myopic,
}  # fmt: skip


def text_of(name: str) -> str:
    """Measure, and return the rows of the table *name* in Markdown."""
    return "".join(f"| {' | '.join(cells)} |\n" for cells in TABLES[name]())


def place_of(name: str) -> tuple[Path, re.Match[str]]:
    """Return the page with the table *name*, and where its rows are in the text, as group 1."""
    rows = re.compile(rf"(?<=<!-- figures: {name} -->\n\n)(?:\|.*\n){{2}}((?:\|.*\n)+)")
    found = ((page, rows.search(page.read_text("utf-8"))) for page in PAGES)
    ((page, place),) = ((page, place) for page, place in found if place)
    return page, place


# --- the learning curves of the study ---

POINTS: Final = (1_000, 2_000, 5_000, 10_000, 20_000)
"""The games after which a learning curve has a point."""


def curves() -> str:
    """Measure, and return the picture with new learning curves of the update rules."""
    picture, taken = CURVES.read_text("utf-8"), list[float]()
    for update in UPDATE_RULES:
        told: list[tl.TrainingPoint] = []
        own = {"update": update, **SETTINGS[update]}
        tl.train("myopic", POINTS[-1], FIRST_SEED, every=1000, on_progress=told.append, **own)
        points = []
        for games, bot in ((one.games, one.bot) for one in told if one.games in POINTS):
            y = 300 - 260 * tl.evaluate(bot, "myopic", 500).rate
            points.append(f"{48 + 512 * games / POINTS[-1]:.1f},{y:.1f}")
        y += 4
        while any(abs(y - other) < 14 for other in taken):
            y -= 2  # the names do not cover each other
        taken.append(y)
        line = rf'points=".*?"(.*\n<text x="568.0" y=").*?(".*>{update}<)'
        picture = re.sub(line, rf'points="{" ".join(points)}"\g<1>{y:.1f}\2', picture)
    return picture


if __name__ == "__main__":
    for name in sys.argv[1:] or (*TABLES, "curves"):
        if name == "curves":
            CURVES.write_text(curves(), "utf-8", newline="\n")
            continue
        page, place = place_of(name)
        text = page.read_text("utf-8")
        text = text[: place.start(1)] + text_of(name) + text[place.end(1) :]
        page.write_text(text, "utf-8", newline="\n")
