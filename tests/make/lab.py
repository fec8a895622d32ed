"""Measure the learners of the lab, as its answers show them.

The learners are those of the page. Forty seeds take about an hour, so what was measured is kept:
``python3 -m tests.make.figures --keep FILE lab lab-myopic``.
"""

import doctest
from typing import Any, Final

import traffic_lights as tl
from tests.kit.samples import PROJECT

LIBRARY: Final = PROJECT / "traffic_lights" / "library"
GAMES: Final = 1_000
"""How many games measure a learner: 95 % of all rates are within three points."""


def lab() -> dict[str, Any]:
    """Return the names that the lab and its answers define, without the runs in between."""
    names: dict[str, Any] = {}
    for page in ("LAB.md", "ANSWERS.md"):
        text = (LIBRARY / page).read_text(encoding="utf-8")
        for example in doctest.DocTestParser().get_examples(text):
            if example.source.startswith(("import", "from", "@", "def", "class")):
                exec(compile(example.source, page, "single"), names)
    return names


def lab_result(name: str, seed: int) -> list[float]:
    """Train the learner *name*; return its rates against Random and Beginner, and its size."""
    names = lab()
    *_, (_, learner) = names["train"](names[name], seed)
    rates = [tl.evaluate(learner, opponent, GAMES).rate for opponent in ("random", "beginner")]
    return [*rates, len(learner.values)]


def lab_myopic(name: str, is_near: bool, seed: int) -> list[float]:
    """Return the rate against Myopic of a learner that may begin near the end of games."""
    names = lab()
    start_of = names["near_the_end"] if is_near else None
    return [names["against_myopic"](names[name], seed, start_of)]


def program_myopic(seed: int) -> list[float]:
    """Return the rate against Myopic of the program's learner after as many games."""
    return [tl.evaluate(tl.train("myopic", 10_000, seed), "myopic", GAMES).rate]
