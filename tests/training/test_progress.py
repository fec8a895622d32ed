"""How far a run is: what files keep of it, and what is shown of it."""

import json
import unittest
from dataclasses import replace

from traffic_lights.training.progress import Moment, Progress, Run, progress_text, run_in
from traffic_lights.training.settings import RunSettings, SettingsError
from traffic_lights.training.worker import ENDING

FAR = Progress(epsilon=0.15, batch=7, games=100, ply=3, index=5)


class RunTests(unittest.TestCase):
    def test_a_run_is_what_the_meta_of_its_table_says_and_lists_those_before(self) -> None:
        first = replace(Run.begun(RunSettings("myopic", games=100)), progress=FAR)
        second = Run.begun(RunSettings("random", games=500, seed=2), first.meta)
        self.assertEqual((second.progress, second.all_games), (Progress(0.2), 100))
        in_all_tables = ["epsilon", "batch", "games", "stage", "stage_games", "ply", "index"]
        self.assertEqual([*second.meta["progress"]], in_all_tables)
        third = Run.begun(RunSettings("reverse", practice="random"), second.meta)
        practised = replace(third, progress=replace(FAR, stage=1, stage_games=70))
        last = Run.begun(RunSettings("myopic", games=5), practised.meta)
        for run, games, practice in (
            (first, [100], None),
            (replace(second, progress=FAR, is_finished=True), [100, 100], None),
            (replace(second, learner=1, is_finished=True), [100, 0], None),
            (third, [100, 0, 0], None),
            (practised, [100, 0, 100], "random"),
            (last, [100, 0, 100, 0], "random"),
        ):
            meta = json.loads(json.dumps(run.meta))
            self.assertEqual(run_in(meta), replace(run, practised=practice or ""))
            self.assertEqual([each["games"] for each in meta["runs"]], games)
            self.assertEqual((meta["games"], run.all_games), (sum(games), sum(games)))
            self.assertEqual((meta["seed"], meta["alpha"]), (run.settings.seed, 0.2))
            self.assertEqual(meta.get("practice"), practice)

    def test_an_unfinished_run_of_another_version_is_refused_and_a_finished_one_left(self) -> None:
        run = Run.begun(RunSettings("myopic", games=500))
        unknown = {**run.meta, "progress": {"epsilon": "?"}}
        for meta in (unknown, replace(run, learner=2).meta):
            self.assertRaises(SettingsError, run_in, meta)
        for meta in ({**unknown, "finished": True}, {"games": 7}):
            self.assertIsNone(run_in(meta))


class TextTests(unittest.TestCase):
    def test_what_is_not_known_is_left_out_and_no_time_is_told_that_is_only_a_guess(self) -> None:
        far = Progress(0.0, games=6_000)
        rest = "6,000 games, 50 a second, 7 positions proven won or lost"
        for before, share, doing, ply, expected in (
            (0.25, 0.5, "self-play", 0,
             "50 % of this run done, 03:20 left, self-play, positions after 0 moves, "),
            (0.25, 0.27, "self-play", -1, "27 % of this run done, 1:00:49 left, self-play, "),
            (0.0, 0.02, "self-play", -1, "2 % of this run done, 1:21:40 left, self-play, "),
            (0.25, 0.255, "self-play", -1, "25 % of this run done, self-play, "),
            (None, None, "self-play", -1, "self-play, "),
            (0.25, 1.0, ENDING, -1, f"{ENDING}, "),
        ):  # fmt: skip
            now = Moment(replace(far, ply=ply), doing, (3, 4), 0, share)
            then = Moment(Progress(0.0, games=1_000), "", (0,), 0, before)
            self.assertEqual(progress_text(now, then, 100.0), expected + rest)
