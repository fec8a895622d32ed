import contextlib
import io
import json
import tempfile
import unittest
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.trained import trained
from traffic_lights.evaluate import main
from traffic_lights.judging import study
from traffic_lights.judging.accuracy import check_table, found_share, sample
from traffic_lights.judging.study import DRAWN, TRIALS, Outcome, Trial

SHORT = (Trial("self", games=2500), Trial("self", "bootstrap", 1000), Trial("random", games=1000))


@cache
def outcomes() -> tuple[Outcome, ...]:
    return tuple(study.study(SHORT, seed=3, games=20))


class StudyTests(unittest.TestCase):
    def test_an_outcome_is_what_the_same_training_gives_anybody(self) -> None:
        for outcome in outcomes():
            table = trained(outcome.trial.settings(3))
            end = outcome.curve[-1]
            self.assertEqual(outcome.games, outcome.trial.games)
            self.assertEqual(end.games, outcome.games)
            self.assertAlmostEqual(end.found_random, found_share(table, sample("random")))
            self.assertAlmostEqual(end.found_myopic, found_share(table, sample("myopic")))
            if outcome.trial.update == "terminal":
                check = check_table(table)
                self.assertEqual(outcome.decided, check.decided / check.positions)
                self.assertGreater(check.decided, 0)
            else:
                self.assertIsNone(outcome.decided)
            self.assertEqual([row.games for row in outcome.rows], [20] * 4)

    def test_curves_go_on_from_checkpoint_to_checkpoint(self) -> None:
        for outcome in outcomes():
            games = [point.games for point in outcome.curve]
            self.assertEqual(games, sorted(set(games)))
        self.assertEqual([p.games for p in outcomes()[0].curve], [1000, 2000, 2500])

    def test_the_study_compares_equal_budgets(self) -> None:
        budgets = {(trial.programme, trial.update): set[int | None]() for trial in TRIALS}
        for trial in TRIALS:
            trial.settings(1).checked()
            budgets[trial.programme, trial.update].add(trial.games)
        self.assertTrue(all(set(study.BUDGETS) <= games for games in budgets.values()))
        self.assertEqual(len(TRIALS), len(set(TRIALS)))
        self.assertLessEqual(set(DRAWN), set(TRIALS))

    def test_markdown_has_a_line_an_outcome(self) -> None:
        lines = study.to_markdown(outcomes()).splitlines()
        self.assertEqual(len(lines), 2 + len(SHORT) + 2)
        for one, other in pairwise(lines[: 2 + len(SHORT)]):
            self.assertEqual(one.count("|"), other.count("|"))

    def test_the_command_prints_and_draws_it(self) -> None:
        drawn = partial(study.study, SHORT)
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch("traffic_lights.judging.study.study", drawn),
            mock.patch("traffic_lights.judging.study.DRAWN", SHORT[:2]),
        ):
            picture = Path(folder, "curves.svg")
            arguments = ["--study", "--games", "20", "--seed", "3", "--picture", str(picture)]
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                self.assertEqual(main([*arguments, "--json"]), 0)
            lines = list(ET.parse(picture).getroot().iter("{http://www.w3.org/2000/svg}polyline"))
        answer = json.loads(out.getvalue())
        self.assertEqual([o["games"] for o in answer["study"]], [2500, 1000, 1000])
        command = "python -m traffic_lights.train --opponent self --games 2500 --seed 3"
        self.assertEqual(answer["study"][0]["command"], command)
        for found, expected in zip(answer["study"], outcomes(), strict=True):
            self.assertEqual(found["results"], study.as_json(expected)["results"])
            self.assertEqual(found["curve"], study.as_json(expected)["curve"])
        self.assertEqual(len(lines), 4)
        self.assertEqual(len(err.getvalue().splitlines()), len(SHORT))

    def test_an_interrupt_keeps_what_there_is_and_draws_no_empty_panel(self) -> None:
        whole = study.study

        def interrupted(**options: Any) -> Iterator[Outcome]:
            yield from list(whole(SHORT[:1], **options))
            raise KeyboardInterrupt

        out, err = io.StringIO(), io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder, "curves.svg")
            with (
                mock.patch("traffic_lights.judging.study.study", interrupted),
                mock.patch("traffic_lights.judging.study.DRAWN", SHORT[1:2]),
                contextlib.redirect_stdout(out),
                contextlib.redirect_stderr(err),
            ):
                self.assertEqual(main(["--study", "--games", "20", "--picture", str(picture)]), 130)
            self.assertFalse(picture.exists())
        self.assertIn("| 2,500 |", out.getvalue())
        self.assertIn("interrupted after 1 of", out.getvalue())

    def test_a_picture_in_no_folder_is_refused_before_the_study(self) -> None:
        err = io.StringIO()
        with (
            contextlib.redirect_stderr(err),
            mock.patch("traffic_lights.judging.study.study") as begun,
        ):
            self.assertEqual(main(["--study", "--picture", "/no/such/folder/x.svg"]), 2)
        begun.assert_not_called()
        self.assertIn("no such folder", err.getvalue())

    def test_a_picture_without_a_study_is_refused(self) -> None:
        err = io.StringIO()
        with contextlib.redirect_stderr(err):
            self.assertEqual(main(["--picture", "x.svg"]), 2)
        self.assertIn("needs it", err.getvalue())
