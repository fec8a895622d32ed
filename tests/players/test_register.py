"""The register of baselines: what must hold of each, and that one more is found everywhere."""

import io
import json
import random
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from unittest import mock

from tests.kit.samples import LOWEST, live_states
from traffic_lights import evaluate, train
from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.rules import STEPS, legal_actions
from traffic_lights.board.symmetry import canonical
from traffic_lights.console import menu
from traffic_lights.judging.expectation import strategy_of
from traffic_lights.players.contestants import Contestant, standard_opponents
from traffic_lights.players.ladder import Ladder
from traffic_lights.players.rungs import grouped
from traffic_lights.training.settings import RunSettings, opponents, practices


def output_of(command: object, *words: str) -> str:
    """Return what the *command* called with *words* printed; it must succeed."""
    assert callable(command)
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        status = command(words)
    assert status == 0, f"{words} ended with status {status}"
    return out.getvalue()


class PolicyTests(unittest.TestCase):
    def test_actions_are_legal_in_order_and_never_none(self) -> None:
        for policy in (*BASELINES.values(), LOWEST):
            for state in live_states(random.Random(7), 300):
                actions = policy.actions(state)
                self.assertTrue(actions, policy.key)
                self.assertEqual(actions, tuple(a for a in legal_actions(state) if a in actions))

    def test_symmetric_policies_lead_to_mirror_images_from_mirror_images(self) -> None:
        for policy in BASELINES.values():
            for state in live_states(random.Random(8), 300) if policy.is_symmetric else ():
                one, other = (
                    {canonical(image + STEPS[a]) for a in policy.actions(image)}
                    for image in (state, canonical(state))
                )
                self.assertEqual(one, other, policy.key)

    def test_each_has_a_key_for_its_name_and_a_sentence(self) -> None:
        for key, policy in BASELINES.items():
            self.assertEqual(policy.key, key)
            self.assertRegex(key, r"\A[a-z0-9-]+\Z")
            self.assertTrue(policy.about.endswith("."), policy.about)


class OneMoreTests(unittest.TestCase):
    """A bot that is added to the register, and to nothing else."""

    def setUp(self) -> None:
        self.enterContext(mock.patch.dict(BASELINES, {LOWEST.key: LOWEST}))
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.folder = Path(folder)

    def test_the_commands_train_against_it_and_play_it(self) -> None:
        output_of(train.main, "--opponent", "lowest", "--games", "60", "--dir", str(self.folder))
        told = output_of(
            evaluate.main, "--table", str(self.folder / "qtable.json"), "--opponent", "lowest",
            "--games", "20", "--jobs", "1", "--json",
        )  # fmt: skip
        self.assertIn("lowest", json.dumps(json.loads(told)))

    def test_lists_of_opponents_show_it(self) -> None:
        self.assertIn("lowest", standard_opponents())
        self.assertIn("lowest", opponents())
        self.assertEqual(RunSettings("lowest").checked().games, 100_000)
        asked = [words for _, words in menu.items()]
        for command in ("train", "evaluate"):
            self.assertIn((command, "--opponent", "lowest"), asked)

    def test_practice_offers_it_if_it_plays_alike_in_mirror_images(self) -> None:
        self.assertEqual(practices(), ("random", "myopic", "none"))
        with mock.patch.dict(BASELINES, {LOWEST.key: replace(LOWEST, is_symmetric=True)}):
            self.assertEqual(practices(), ("random", "myopic", "lowest", "none"))

    def test_windows_and_terminal_seat_it(self) -> None:
        ladder = Ladder(random.Random(7))
        level = ladder.level("lowest")
        self.assertEqual((level.name, level.about), (LOWEST.name, LOWEST.about))
        self.assertIn(level, [found for _, levels in grouped(ladder.levels()) for found in levels])
        self.assertEqual(ladder.choose("lowest", 0), 0)

    def test_it_has_no_exact_score_as_it_has_favourites(self) -> None:
        self.assertIsNone(strategy_of(Contestant("lowest")))


if __name__ == "__main__":
    unittest.main()
