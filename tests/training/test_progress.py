"""How far a run is: what files keep of it, and what is shown of it."""

import json
import unittest
from dataclasses import replace

from traffic_lights.training.progress import Moment, Progress, Run, progress_text, run_in
from traffic_lights.training.settings import RunSettings, SettingsError
from traffic_lights.training.worker import ENDING

FAR = Progress(epsilon=0.15, batch=7, games=9_000, stage=1, stage_games=2_000, ply=3, index=5)


class RunTests(unittest.TestCase):
    def test_a_run_is_what_the_meta_of_its_table_says_and_lists_those_before(self) -> None:
        first = replace(Run.begun(RunSettings("myopic", games=100)), is_finished=True)
        first = replace(first, progress=replace(FAR, games=100, stage=0))
        second = Run.begun(RunSettings("random", games=500, seed=2), first.meta)
        self.assertEqual((second.progress, second.all_games), (Progress(0.2), 100))
        in_all_tables = ["epsilon", "batch", "games", "stage", "stage_games", "ply", "index"]
        self.assertEqual([*second.meta["progress"]], in_all_tables)
        second = replace(second, progress=replace(FAR, games=50, stage=0))
        for run, games in (
            (first, [100]),
            (second, [100, 50]),
            (replace(second, is_finished=True), [100, 50]),
            (replace(second, learner=1, is_finished=True), [100, 50]),
        ):
            meta = json.loads(json.dumps(run.meta))
            self.assertEqual(run_in(meta), run)
            self.assertEqual([each["games"] for each in meta["runs"]], games)
            self.assertEqual((meta["games"], run.all_games), (sum(games), sum(games)))
            self.assertEqual((meta["seed"], meta["alpha"]), (run.settings.seed, 0.2))

    def test_an_unfinished_run_of_another_version_is_refused_and_a_finished_one_is_known(
        self,
    ) -> None:
        far = replace(FAR, stage=0)
        run = replace(Run.begun(RunSettings("myopic", games=500)), progress=far)
        unknown = {**run.meta, "progress": {"epsilon": "?"}}
        for meta in (unknown, replace(run, learner=2).meta):
            with self.assertRaises(SettingsError):
                run_in(meta)
        finished = replace(run, learner=2, is_finished=True)
        self.assertEqual(run_in(finished.meta), finished)
        self.assertIsNone(run_in({**unknown, "finished": True}))
        self.assertIsNone(run_in({"games": 7}))

    def test_a_table_keeps_the_opponent_and_the_games_of_its_last_practice(self) -> None:
        begun = Run.begun(RunSettings("reverse", practice="random"))
        run = replace(begun, progress=FAR)
        self.assertEqual((run.progress.practice_games, run.meta["practice"]), (2_000, "random"))
        self.assertNotIn("practice", begun.meta)
        following = Run.begun(RunSettings("myopic", games=5), run.meta)
        self.assertEqual(following.meta["practice"], "random")


class TextTests(unittest.TestCase):
    def text(self, now: Moment, share: float | None = 0.25, passed_s: float = 100.0) -> str:
        before = Moment(Progress(0.0, games=1_000), "", (0,), 0, share)
        return progress_text(now, before, passed_s)

    def test_what_is_not_known_is_left_out(self) -> None:
        far = Progress(0.0, games=6_000, ply=0)
        found = self.text(Moment(far, "self-play", (3, 4), 0, 0.5))
        expected = "50 % of this run done, 03:20 left, self-play, positions after 0 moves, "
        self.assertEqual(
            found, f"{expected}6,000 games, 50 a second, 7 positions proven won or lost"
        )
        found = self.text(Moment(replace(far, ply=-1), "self-play", (), 0, None))
        self.assertTrue(found.startswith("self-play, 6,000 games, 50 a second, 0 pos"), found)

    def test_no_time_is_told_that_is_only_a_guess_or_wrong(self) -> None:
        far = Progress(0.0, games=6_000)
        for doing, before, share, is_told in (
            ("self-play", 0.25, 0.255, False),
            ("self-play", 0.25, 0.27, True),
            ("self-play", 0.0, 0.02, True),
            (ENDING, 0.25, 1.0, False),
        ):
            text = self.text(Moment(far, doing, (5,), 0, share), before)
            self.assertEqual("left" in text, is_told)
        self.assertTrue(text.startswith(f"{ENDING}, 6,000 games"))
