"""The pages that scripts make: settings are tuned on other seeds than those that are shown."""

import unittest
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tests.make import figures, study
from tests.make.study import Course, CurvePoint
from traffic_lights.board.exact import ExactScore
from traffic_lights.training.settings import UPDATES, RunSettings


def imagined(settings: RunSettings, is_shown: bool) -> Course:
    """Return a course whose score is the better, the nearer α is to 0.2 and ε to 0.2."""
    score = 1 - abs(settings.alpha - 0.2) / 2 - abs(settings.epsilon_start - 0.2)
    games = settings.games or 9
    curve = (CurvePoint(games // 2, 0.5, score / 2), CurvePoint(games, 1.0, score))
    exact = ExactScore(score, score) if is_shown else None
    return Course(settings, curve, exact, exact)


class StudyTests(unittest.TestCase):
    def setUp(self) -> None:
        self.asked: list[tuple[RunSettings, bool]] = []

        def each(settings: Sequence[RunSettings], is_shown: bool) -> Iterable[Course]:
            self.asked += [(one, is_shown) for one in settings]
            return [imagined(one, is_shown) for one in settings]

        self.outcomes = list(study.study(each, seed=5, games=30_000))

    def test_each_rule_is_shown_with_its_best_settings_on_other_seeds(self) -> None:
        ruled = self.outcomes[: -len(study.PLANS)]
        self.assertEqual(len(ruled), len(study.OPPONENTS) * len(UPDATES))
        for courses in ruled:
            first = courses[0].settings
            self.assertEqual((first.alpha, first.epsilon_start), (0.2, 0.2))
            self.assertEqual([course.settings.seed for course in courses], [5, 6, 7, 8, 9])
            for course in courses:
                self.assertEqual(replace(course.settings, seed=5), first)
        tuned = {settings.seed for settings, is_shown in self.asked if not is_shown}
        self.assertEqual(tuned, set(study.TUNING_SEEDS))

    def test_the_page_has_a_line_for_each_outcome_and_curves_for_each_opponent(self) -> None:
        for courses in self.outcomes:
            self.assertEqual(len(study.cells(courses)), len(study.HEADINGS))
        self.assertEqual(len(study.charts(self.outcomes)), 2 * len(study.OPPONENTS))
        unknown = replace(self.outcomes[0][0], myopic=None, exact=None)
        self.assertEqual(study.cells([unknown])[6:], ["–"] * 5)


class FiguresTests(unittest.TestCase):
    def test_a_row_has_the_mean_and_the_range_of_its_seeds(self) -> None:
        one = figures.RunFigures("myopic", 201, 100, 0.5, 0.7, 40, 3_000_000, 2_000_000, 1.5, 40.0)
        other = replace(one, seed=202, first=0.7, second=0.9, rows=60)
        cells = dict(zip(figures.HEADINGS, figures.cells([one, other]), strict=True))
        self.assertEqual(cells["exact score"], "70.0 %")
        self.assertEqual(cells["range"], "60.0 %–80.0 %")
        self.assertEqual((cells["games"], cells["rows"]), ("100", "40–60"))


if __name__ == "__main__":
    unittest.main()
