"""How far a run is: what files keep of it, and what is shown of it."""

import unittest
from dataclasses import replace

from traffic_lights.training.progress import (
    Moment,
    Progress,
    Run,
    last_run,
    meta_of,
    progress_text,
)
from traffic_lights.training.run import MEASURING
from traffic_lights.training.settings import RunSettings, SettingsError

FAR = Progress(
    epsilon=0.15, batch=7, games=9_000, stage=1, stage_games=2_000, ply=3, index=5, changes=8
)


class ProgressTests(unittest.TestCase):
    def test_it_survives_its_plain_values(self) -> None:
        for progress in (Progress(0.2), FAR):
            plain = progress.as_json()
            self.assertEqual(Progress.from_json(plain), progress)

    def test_every_number_is_needed_except_those_that_came_later(self) -> None:
        plain = FAR.as_json()
        for name in plain:
            less = {other: value for other, value in plain.items() if other != name}
            if name == "changes":
                self.assertEqual(getattr(Progress.from_json(less), name), 0)
            else:
                with self.assertRaisesRegex(SettingsError, "does not say how far"):
                    Progress.from_json(less)
        self.assertEqual(Progress.from_json({**plain, "drawn": 5}), FAR, "as version 1.3 wrote it")
        wrong: tuple[object, ...] = ({**plain, "more": 1}, [], None, "far")
        for value in wrong:
            with self.assertRaisesRegex(SettingsError, "does not say how far"):
                Progress.from_json(value)


class RunTests(unittest.TestCase):
    def test_the_last_run_of_a_table_is_found_in_its_meta(self) -> None:
        first = Run.begun(RunSettings("myopic", games=100))
        first = replace(first, progress=replace(FAR, games=100), is_finished=True)
        meta = meta_of(first, {})
        second = Run.begun(RunSettings("random", games=500, seed=2), 1, 100)
        self.assertEqual((second.progress, second.all_games), (Progress(0.2), 100))
        second = replace(second, progress=replace(FAR, games=50))
        for run, before in (
            (first, {}),
            (second, meta),
            (replace(second, is_finished=True), meta),
            (replace(second, learner=1), meta),
        ):
            after = meta_of(run, before)
            self.assertEqual(last_run(after), run)
            self.assertEqual(after["games"], run.all_games)
            self.assertEqual((after["seed"], after["alpha"]), (run.settings.seed, 0.2))
            self.assertEqual([each["games"] for each in after["runs"]], [100, 50][: run.number + 1])
            # A run that is written again replaces itself, and keeps those before.
            self.assertEqual(meta_of(run, after), after)

    def test_the_practice_games_are_those_of_the_last_stage_of_plans_that_prove(self) -> None:
        for plan, stage, practice, games in (
            ("reverse", 1, "myopic", 2_000), ("reverse", 0, "myopic", 0),
            ("reverse", 1, "none", 0), ("selfplay", 2, "random", 2_000),
            ("selfplay", 1, "random", 0), ("baselines", 1, "myopic", 0), ("self", 1, "none", 0),
        ):  # fmt: skip
            run = Run.begun(RunSettings(plan, practice=practice))
            run = replace(run, progress=replace(FAR, stage=stage))
            self.assertEqual(run.practice_games, games, (plan, stage, practice))
            meta = meta_of(run, {})
            self.assertEqual(meta.get("practice"), practice if games else None)
            self.assertEqual(meta["runs"][0].get("practice"), practice if games else None)

    def test_a_table_keeps_the_opponent_of_its_last_practice(self) -> None:
        begun = Run.begun(RunSettings("reverse", practice="random"))
        meta = meta_of(replace(begun, progress=FAR), {})
        following = Run.begun(RunSettings("myopic", games=5), 1, 9_000)
        self.assertEqual(meta_of(following, meta)["practice"], "random")


class TextTests(unittest.TestCase):
    def text(self, now: Moment, share: float | None = 0.25, passed_s: float = 100.0) -> str:
        before = Moment(Progress(0.0, games=1_000), "", (0,), 0, share)
        return progress_text(now, before, passed_s)

    def test_what_is_not_known_is_left_out(self) -> None:
        far = Progress(0.0, games=6_000, ply=0)
        for now, expected in (
            (Moment(far, "self-play", (3, 4), 0, 0.5),
             "50 % done, 03:20 left, self-play, positions after 0 moves, 6,000 games, "
             "50 a second, 7"),
            (Moment(replace(far, ply=-1), "", (), 0, None), "6,000 games, 50 a second, 0"),
            (Moment(replace(far, ply=1), "", (5,), 0, 0.25),
             "25 % done, positions after 1 move, 6,000 games, 50 a second, 5"),
            (Moment(replace(far, ply=1), "practice", (5,), 0, 0.25, tries=2_000),
             "25 % done, practice, positions after 1 move, 4,000 games, 2,000 tries, "
             "50 a second, 5"),
        ):  # fmt: skip
            self.assertEqual(self.text(now), f"{expected} positions proven won or lost")

    def test_who_has_just_started_reads_no_time_that_is_only_a_guess(self) -> None:
        for share, is_told in ((0.255, False), (0.27, True)):
            now = Moment(Progress(0.0, games=6_000), "", (5,), 0, share)
            self.assertEqual("left" in self.text(now), is_told)

    def test_who_waits_at_the_end_reads_what_is_done_and_no_time_that_is_wrong(self) -> None:
        now = Moment(Progress(0.0, games=6_000), MEASURING, (5,), 0, 1.0)
        self.assertTrue(self.text(now).startswith("measuring its score, 6,000 games"))
