"""The training form's rules and the words for a run, without a display."""

from __future__ import annotations

import unittest

from traffic_lights.board.positions import POSITIONS
from traffic_lights.gui.training.form_model import (
    RECOMMENDED,
    about,
    programmes,
    promise,
    read,
    updates,
)
from traffic_lights.gui.training.model import (
    RunModel,
    RunPhase,
    clock,
    end_text,
    games_line,
    headline,
    time_line,
)
from traffic_lights.judging.gauge import SLIPS, Measurement
from traffic_lights.training.events import Progressed
from traffic_lights.training.settings import PROGRAMMES as REAL_PROGRAMMES
from traffic_lights.training.settings import RunSettings, opponents
from traffic_lights.workers.training import (
    Began,
    Done,
    Failed,
    Paused,
    RunSnapshot,
    Trouble,
    Writing,
)


class FormTests(unittest.TestCase):
    def complaints(self, **texts: str) -> set[str]:
        return set(read({**RECOMMENDED, **texts})[1])

    def test_recommended_are_the_defaults_of_the_command(self) -> None:
        settings, complaints = read(RECOMMENDED)
        self.assertEqual(complaints, {})
        assert settings is not None
        self.assertEqual(RunSettings.wanted(settings), RunSettings())

    def test_every_programme_is_offered_and_explained(self) -> None:
        self.assertEqual(set(programmes()), {*REAL_PROGRAMMES, *opponents()})
        self.assertTrue(all(about(programme).endswith(".") for programme in programmes()))

    def test_the_first_update_rule_is_named_by_what_the_programme_learns(self) -> None:
        names = {programme: updates(programme)[0] for programme in programmes()}
        self.assertEqual(
            {programme for programme, name in names.items() if name == "Proofs alone"},
            {"reverse", "selfplay"},
        )
        self.assertEqual(names["myopic"], "Proofs and estimates")

    def test_what_people_type_is_understood(self) -> None:
        texts = {**RECOMMENDED, "games": " 1,000,000 ", "alpha": "0,5", "seed": "007",
                 "programme": "random"}  # fmt: skip
        settings, _ = read(texts)
        assert settings is not None
        self.assertEqual((settings["games"], settings["alpha"], settings["seed"]),
                         (1_000_000, 0.5, 7))  # fmt: skip

    def test_each_wrong_field_is_the_one_that_is_marked(self) -> None:
        for field, wrong in (
            ("games", ("0", "-1", "many", "1e99", "9" * 30, "²", "1.5", "3,7,1", "1,0.0", "1,00")),
            ("alpha", ("0", "1.1", "", "nan", "inf", "x", "1,0.0", "1_0", "٠.٥")),
            ("epsilon_start", ("2", "-0.1", "")),
            ("epsilon_end", ("nan",)),
            ("epsilon_decay", ("0", "")),
            ("seed", ("", "-1", "1.5e3x", str(2**63))),
        ):
            for text in wrong:
                with self.subTest(field=field, text=text):
                    self.assertEqual(self.complaints(**{field: text}), {field})

    def test_what_is_promised_is_true_of_the_programme(self) -> None:
        promises = {key: promise({**RECOMMENDED, "programme": key}) for key in programmes()}
        self.assertEqual(
            [name for name, text in promises.items() if "complete" in text], ["reverse"]
        )
        self.assertIn("practises lost positions", promises["reverse"])
        self.assertIn("against Myopic", promises["myopic"])
        self.assertNotIn("complete", promise({**RECOMMENDED, "games": "5,000"}))
        self.assertIn("practise lost positions", promises["selfplay"])
        some_games = promise({**RECOMMENDED, "programme": "selfplay", "games": "5,000"})
        self.assertIn("5,000 games", some_games)
        self.assertNotIn("practise", some_games)
        self.assertIn("against itself", about("self"))

    def test_fields_that_contradict_each_other(self) -> None:
        less = {"programme": "myopic", "epsilon_start": "0.1", "epsilon_end": "0.2"}
        self.assertEqual(self.complaints(**less), {"epsilon_end"})
        self.assertEqual(self.complaints(update="bootstrap"), {"update"})
        self.assertEqual(self.complaints(update="bootstrap", programme="myopic"), set())


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def snapshot(games: int, share: float, points: tuple[Measurement, ...] = ()) -> RunSnapshot:
    decided = round(share * POSITIONS)
    progress = Progressed(games, "reverse curriculum", 21, 0.1, decided, share)
    by_ply = (0,) * 17 + (decided,) + (0,) * 15
    return RunSnapshot(1, progress, by_ply, games // 2, points)


class RunModelTests(unittest.TestCase):
    def setUp(self) -> None:
        self.clock = Clock()
        self.model = RunModel(self.clock)
        self.model.start()
        self.model.take(Began(RunSettings(), 0, (), (0,) * 33))

    def play(self, seconds: int, rate: int = 1000) -> None:
        """Let the run go on, ten snapshots a second, one percent a second."""
        for _ in range(10 * seconds):
            self.clock.now_s = round(self.clock.now_s + 0.1, 6)
            games = self.model.games + rate // 10
            self.model.take(snapshot(games, games / rate / 100))

    def test_rate_and_time_left_are_those_of_late(self) -> None:
        self.play(20)
        self.assertAlmostEqual(self.model.rate(), 1000, delta=1)
        left_s = self.model.left_s()
        assert left_s is not None
        self.assertAlmostEqual(left_s, 80, delta=1)
        self.assertEqual(headline(self.model), "Reverse curriculum – positions after 21 moves")
        self.assertEqual(
            time_line(self.model),
            "1,000 games/s · elapsed 0:20 · 20 % of the run · about 1:20 left · saved just now",
        )
        self.assertIn("(20 %) · 20,000 games", games_line(self.model))

    def test_a_rate_is_told_when_there_is_one(self) -> None:
        self.assertNotIn("games/s", time_line(self.model))
        self.play(1)
        self.assertTrue(time_line(self.model).startswith("1,000 games/s"))

    def test_a_pause_does_not_count(self) -> None:
        self.play(5)
        self.model.pausing()
        self.model.take(Paused(self.model.games))
        self.clock.now_s += 3600
        self.assertIs(self.model.phase, RunPhase.PAUSED)
        self.assertIn("5 % of the run", time_line(self.model), "what the bar stands for")
        self.assertAlmostEqual(self.model.elapsed_s(), 5, delta=0.01)
        self.model.resumed()
        self.play(5)
        self.assertAlmostEqual(self.model.elapsed_s(), 10, delta=0.01)
        self.assertAlmostEqual(self.model.rate(), 1000, delta=1)

    def test_a_pause_that_was_thought_better_of_never_shows(self) -> None:
        self.play(5)
        self.model.pausing()
        self.model.resumed()
        self.model.take(Paused(self.model.games))
        self.assertIs(self.model.phase, RunPhase.RUNNING)
        self.assertEqual(self.model.saved_games, self.model.games)
        self.play(5)
        self.assertAlmostEqual(self.model.elapsed_s(), 10, delta=0.01)

    def test_a_run_that_failed_in_a_pause_has_its_time_when_it_goes_on(self) -> None:
        self.play(5)
        self.model.pausing()
        self.model.take(Paused(self.model.games))
        self.clock.now_s += 60
        self.model.take(Failed(Trouble.PROGRAM, "gone"))
        self.assertAlmostEqual(self.model.elapsed_s(), 5, delta=0.01)
        self.clock.now_s += 60
        self.model.start()
        self.model.take(Began(RunSettings(), self.model.games, (), (0,) * 33))
        self.play(5)
        self.assertAlmostEqual(self.model.elapsed_s(), 10, delta=0.01)

    def test_the_end_is_told(self) -> None:
        self.play(3)
        self.model.take(Writing())
        self.assertEqual(headline(self.model), "Writing the table…")
        self.model.take(Done(9000, True, True))
        self.assertEqual(
            end_text(self.model),
            "Complete in 0:03: every position decided. Nobody will ever beat it as Player 2.",
        )
        self.assertEqual(self.model.done_share(), 1.0)

    def test_the_end_of_a_run_against_one_bot_tells_the_score_against_it(self) -> None:
        model = RunModel(self.clock)
        model.start()
        model.take(Began(RunSettings(plan="myopic", games=5000), 0, (), (0,) * 33))
        progress = Progressed(5000, "against Myopic", -1, 0.01, 17_000, 1.0)
        model.take(RunSnapshot(1, progress, (17_000,), 5000, (Measurement("Myopic", 0.4),)))
        self.assertEqual(headline(model), "Against Myopic")
        self.assertIn("17,000 of 2,266,543 positions decided (0.7 %)", games_line(model))
        model.take(Done(5000, True, False))
        self.assertEqual(
            end_text(model), "Finished in 0:00, after 5,000 games: about 40 % won against Myopic."
        )

    def test_a_run_that_goes_on_shows_where(self) -> None:
        self.play(2)
        self.model.take(Done(2000, False, False))
        self.clock.now_s += 1000
        self.model.start()
        self.model.take(Began(RunSettings(), 2000, ("a torn write was cut off",), (0,) * 33))
        self.assertEqual(self.model.charts()[0].resumed_at, [2000])
        self.assertEqual(self.model.note, "a torn write was cut off.")
        self.assertAlmostEqual(self.model.elapsed_s(), 2, delta=0.2)

    def test_points_go_to_their_charts(self) -> None:
        points = (Measurement(SLIPS, 12.0), Measurement("Myopic", 0.6))
        self.model.take(snapshot(100, 0.01, points))
        scores, slips, share, epsilon = self.model.charts()
        self.assertEqual(slips.series[0].points, [(100, 12.0)])
        self.assertEqual([s.points for s in scores.series if s.name == "Myopic"], [[(100, 0.6)]])
        self.assertEqual(len(share.series[0].points), 1)
        self.assertEqual(epsilon.series[0].points, [(100, 0.1)])
        self.assertEqual(scores.series[-1].reference, 0.5, "nobody beats the exact player")

    def test_every_chart_keeps_its_place_and_scores_their_axis(self) -> None:
        before = [(chart.title, chart.top) for chart in RunModel(self.clock).charts()]
        self.model.take(Began(RunSettings(plan="myopic"), 0, (), (0,) * 33))
        for score in (0.0, 0.05, 0.5):
            self.model.take(snapshot(100, 0.01, (Measurement("Myopic", score),)))
            charts = self.model.charts()
            self.assertEqual([(chart.title, chart.top) for chart in charts], before)
            self.assertEqual(charts[0].height(), 1.0)

    def test_a_resumed_run_has_its_curve_again(self) -> None:
        curves = {"decided": [(500.0, 0.1), (1500.0, 0.2)], "Myopic": [(900.0, 0.25)]}
        model = RunModel(self.clock)
        model.start()
        model.take(Began(RunSettings(), 2000, (), (0,) * 33, curves))
        self.assertEqual(model.share.points, curves["decided"])
        self.assertEqual(model.scores["Myopic"].points, curves["Myopic"])
        model.take(snapshot(2500, 0.01))
        self.assertEqual([games for games, _ in model.share.points], [500, 1500, 2500])

    def test_another_run_is_laid_over_and_taken_away(self) -> None:
        charts = self.model.charts()
        self.model.lay_over(charts, {"decided": [(10.0, 0.5)]}, "Second")
        self.assertEqual([c.other_name for c in charts], ["Second"] * len(charts))
        self.assertEqual(charts[2].others[0].points, [(10.0, 0.5)])
        self.assertEqual([len(c.others) for c in charts], [len(c.series) for c in charts])
        self.model.lay_over(charts, {}, "")
        self.assertEqual([c.others for c in charts], [[]] * len(charts))

    def test_clocks(self) -> None:
        self.assertEqual([clock(0), clock(71.9), clock(3723)], ["0:00", "1:11", "1:02:03"])


if __name__ == "__main__":
    unittest.main()
