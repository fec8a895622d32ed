"""The study: each rule at its own best settings, shown on other seeds than found on."""

import contextlib
import io
import json
import signal
import tempfile
import unittest
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from unittest import mock

from tests.kit.trained import trained
from traffic_lights.board.exact import ExactScore
from traffic_lights.evaluate import main
from traffic_lights.judging import study
from traffic_lights.judging.evaluation import evaluate
from traffic_lights.judging.expectation import exact_score
from traffic_lights.judging.study import Course, CurvePoint, StudyOutcome
from traffic_lights.players.contestants import Contestant
from traffic_lights.training.settings import RunSettings

SETTINGS = RunSettings(plan="myopic", games=2000, seed=3).checked()


def imagined(settings: RunSettings, judges: Sequence[str] = ()) -> Course:
    """Return a course whose score is the better, the nearer α is to 0.2 and ε to 0.1."""
    score = 1 - abs(settings.alpha - 0.2) / 2 - abs(settings.epsilon_start - 0.2)
    games = settings.games or 9
    curve = (CurvePoint(games // 2, 0.5, score / 2), CurvePoint(games, 1.0, score))
    found: dict[str, ExactScore | None] = {judge: ExactScore(score, score) for judge in judges}
    return Course(settings, games, 1.0, curve, found)


@contextlib.contextmanager
def imagination() -> Iterator[list[RunSettings]]:
    """Have `study` imagine its courses; give the settings of those asked for."""
    asked: list[RunSettings] = []

    def train(settings: RunSettings, judges: Sequence[str] = ()) -> Course:
        asked.append(settings)
        return imagined(settings, judges)

    with (
        mock.patch("traffic_lights.judging.study.train", train),
        mock.patch("traffic_lights.judging.study.process_pool", return_value=None),
    ):
        yield asked


class PlanTests(unittest.TestCase):
    def test_each_rule_is_shown_at_its_best_settings_on_other_seeds(self) -> None:
        with imagination() as asked:
            outcomes = list(study.study(seed=5, games=30_000, teachers=("myopic",), programmes=()))
        self.assertEqual([o.label for o in outcomes], list(study.RULES))
        for outcome in outcomes:
            self.assertEqual((outcome.settings.alpha, outcome.settings.epsilon_start), (0.2, 0.2))
            seeds = [course.settings.seed for course in outcome.courses]
            self.assertEqual(seeds, [5, 6, 7, 8, 9])
            self.assertFalse(set(seeds) & set(study.TUNING_SEEDS))
            for course in outcome.courses:
                self.assertEqual(replace(course.settings, seed=5), outcome.settings)
                self.assertEqual(course.games, 30_000)
        tried = {(s.update, s.alpha, s.epsilon_start, s.seed) for s in asked}
        everything = len(study.RULES) * (len(study.GRID) * len(study.TUNING_SEEDS) + study.SEEDS)
        self.assertEqual(len(tried), everything)
        self.assertEqual(len(asked), everything)

    def test_programmes_are_run_once_until_they_are_done(self) -> None:
        with imagination():
            outcomes = list(study.study(seed=5, teachers=(), programmes=("reverse", "baselines")))
        self.assertEqual([o.settings.plan for o in outcomes], ["reverse", "baselines"])
        self.assertEqual([len(o.courses) for o in outcomes], [1, 1])
        self.assertEqual([o.label for o in outcomes], ["–", "–"])


class ProcessTests(unittest.TestCase):
    def test_a_process_that_is_ended_ends_the_study_with_a_sentence(self) -> None:
        pool, err = mock.Mock(), io.StringIO()
        pool.map.side_effect = BrokenProcessPool
        with (
            mock.patch("traffic_lights.judging.study.process_pool", return_value=pool),
            contextlib.redirect_stderr(err),
        ):
            self.assertEqual(main(["--study", "--quiet"]), 2)
        self.assertIn("one of the processes was ended", err.getvalue())
        self.assertEqual(err.getvalue().count("\n"), 1)

    @unittest.skipUnless(hasattr(signal, "pthread_sigmask"), "needs signals that can be held")
    def test_the_processes_begin_with_interrupts_held_back(self) -> None:
        held: list[bool] = []

        def begun(*_: object) -> list[Course]:
            held.append(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))
            raise BrokenProcessPool

        pool = mock.Mock(map=begun)
        with (
            mock.patch("traffic_lights.judging.study.process_pool", return_value=pool),
            self.assertRaises(study.StudyError),
        ):
            list(study.study())
        self.assertEqual(held, [True])


class CourseTests(unittest.TestCase):
    def test_a_course_scores_what_the_same_training_gives_anybody(self) -> None:
        with mock.patch("traffic_lights.judging.study.CHECKPOINTS", (1000, 2000)):
            course = study.train(SETTINGS, ("exact",))
        bot = Contestant("it", trained(SETTINGS))
        found, expected = course.scores["exact"], exact_score(bot, Contestant("exact"))
        assert found is not None
        assert expected is not None
        self.assertAlmostEqual(found.total, expected.total, places=9)
        *_, row = evaluate(bot, [Contestant("myopic")], study.SAMPLED, jobs=1)
        self.assertEqual(course.curve[1].score, row.rate)
        self.assertEqual([point.games for point in course.curve], [1000, 2000])
        self.assertGreater(course.curve[1].seconds, course.curve[0].seconds)


class ReportTests(unittest.TestCase):
    def setUp(self) -> None:
        with imagination():
            self.outcomes = list(study.study(games=1000, teachers=("myopic", "self"),
                                             programmes=("reverse",)))  # fmt: skip

    def test_markdown_has_a_line_an_outcome(self) -> None:
        lines = study.to_markdown(self.outcomes).splitlines()
        self.assertEqual(len(lines), 2 + len(self.outcomes) + 2)
        self.assertEqual({line.count("|") for line in lines[:-2]}, {len(study.COLUMNS) + 1})

    def test_a_score_that_nobody_could_compute_is_a_dash(self) -> None:
        course = replace(imagined(SETTINGS), scores=dict.fromkeys(study.JUDGES))
        self.assertEqual(study.cells(StudyOutcome((course,)))[6:], ("–",) * 5)

    def test_each_teacher_has_curves_by_games_and_by_seconds(self) -> None:
        panels = study.panels(self.outcomes)
        self.assertEqual([panel.unit for panel in panels], ["games", "seconds"] * 2)
        for panel in panels:
            self.assertEqual([curve.label for curve in panel.curves], list(study.RULES))
            for curve in panel.curves:
                self.assertEqual(len(curve.points), 2)

    def test_the_command_prints_and_draws_it(self) -> None:
        def found(*_: object) -> Iterator[StudyOutcome]:
            yield from self.outcomes
            raise KeyboardInterrupt

        out, err = io.StringIO(), io.StringIO()
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch("traffic_lights.judging.study.study", found),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            picture = Path(folder, "curves.svg")
            self.assertEqual(main(["--study", "--json", "--picture", str(picture)]), 130)
            self.assertEqual(main(["--study", "--quiet", "--jobs", "64"]), 130)
            lines = list(ET.parse(picture).getroot().iter("{http://www.w3.org/2000/svg}polyline"))
        first, rest = out.getvalue().split("\n", 1)
        answer = json.loads(first)["study"]
        self.assertEqual(len(answer), len(self.outcomes))
        self.assertEqual(answer[0]["courses"][0]["command"], self.outcomes[0].settings.command())
        self.assertIn(f"interrupted after {len(self.outcomes)} of", rest)
        self.assertIn("in at most 64 processes", rest)
        self.assertEqual(len(lines), 4 * len(study.RULES))

    def test_a_picture_in_no_folder_is_refused_before_the_study(self) -> None:
        err = io.StringIO()
        with (
            contextlib.redirect_stderr(err),
            mock.patch("traffic_lights.judging.study.study") as begun,
        ):
            self.assertEqual(main(["--study", "--picture", "/no/such/folder/x.svg"]), 2)
        begun.assert_not_called()
        self.assertIn("expected a file in a folder", err.getvalue())

    def test_what_it_was_tuned_on_is_not_shown(self) -> None:
        before, after = min(study.TUNING_SEEDS), max(study.TUNING_SEEDS) + 1
        for seed in range(before - study.SEEDS + 1, after):
            err = io.StringIO()
            with contextlib.redirect_stderr(err):
                self.assertEqual(main(["--study", "--seed", str(seed), "--quiet"]), 2)
            self.assertIn(f"shown from {seed} on", err.getvalue())

    def test_a_picture_without_a_study_is_refused(self) -> None:
        err = io.StringIO()
        with contextlib.redirect_stderr(err):
            self.assertEqual(main(["--picture", "x.svg"]), 2)
        self.assertIn("needs it", err.getvalue())


if __name__ == "__main__":
    unittest.main()
