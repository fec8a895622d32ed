"""The fast tests: about 15 seconds on a free core, without a display.

    python3 -m unittest tests.fast

Every test module belongs to them, except for those of the windows and for what `SLOW` names. A new
module joins by itself; if one of its classes takes a second or more, name the class there.
"""

import unittest
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parent
SLOW: Final = {
    "tests.board.test_exact_score.ExactScoreTests",
    "tests.board.test_positions.SetTests",
    "tests.board.test_positions.WholeGameTests",
    "tests.board.test_rules.AgreementTests",
    "tests.board.test_tablebase.GoldenNumberTests",
    "tests.board.test_tablebase.ProvenTests",
    "tests.board.test_traps.TrapTests",
    "tests.console.test_shell.EndTests",
    "tests.console.test_start",
    "tests.console.test_text_mode.ProcessTests",
    "tests.judging.test_evaluation.EndTests",
    "tests.judging.test_evaluation.EvaluationTests",
    "tests.judging.test_evaluation.PoolTests",
    "tests.judging.test_evaluation.SlipTests",
    "tests.judging.test_proof.CheckTests",
    "tests.judging.test_proof.FoundTests",
    "tests.judging.test_proof.ProofTests",
    "tests.judging.test_proof.StoredScoreTests",
    "tests.learning.test_checks.CheckTests",
    "tests.learning.test_episodes.LearnerTests",
    "tests.learning.test_practice.PracticeTests",
    "tests.learning.test_prune.PruneTests",
    "tests.learning.test_tablefile.TableFileTests",
    "tests.learning.test_update_rules",
    "tests.play.test_damaged_folder",
    "tests.play.test_puzzles.DifficultyTests",
    "tests.play.test_puzzles.PuzzleTests",
    "tests.play.test_random_session",
    "tests.play.test_verdicts.VerdictTests",
    "tests.players.test_external.HostileBotTests",
    "tests.players.test_policies.ExactPlayerTests",
    "tests.players.test_policies.HorizonTests",
    "tests.players.test_policies.LevelTests",
    "tests.players.test_policies.TacticsTests",
    "tests.players.test_roster.EveryPlayerTests",
    "tests.system.test_processes.SpreadTests",
    "tests.system.test_processes.WorkerTests",
    "tests.test_api.BotTests",
    "tests.test_api.PlayTests",
    "tests.test_bundle.BundleTests",
    "tests.test_engine.EngineTests",
    "tests.test_evaluate.EvaluateTests",
    "tests.test_figures",
    "tests.test_layers.LayerTests",
    "tests.test_pages",
    "tests.test_qtables",
    "tests.test_recipes",
    "tests.test_solve.FactsTests",
    "tests.test_solve.TextTests",
    "tests.test_start.StartTests",
    "tests.test_train.OtherTests",
    "tests.test_train.ProcessTests",
    "tests.test_train.RefusalTests",
    "tests.test_train.RunTests",
    "tests.test_words.WordTests",
    "tests.training.test_durability",
    "tests.training.test_hostile.HostileFileTests",
    "tests.training.test_own_bots.BotTests",
    "tests.training.test_own_bots.EarlierVersionTests",
    "tests.training.test_plans.GoldenTests",
    "tests.training.test_plans.PlanTests",
    "tests.training.test_plans.SelfPlayTests",
    "tests.training.test_replay",
    "tests.training.test_run.FilesTests",
    "tests.training.test_run.ResumeTests",
    "tests.training.test_worker",
}
"""Modules and classes that start processes, play many games or go through the whole game."""


def load_tests(
    loader: unittest.TestLoader, _tests: unittest.TestSuite, _pattern: str | None
) -> unittest.TestSuite:
    """Return the fast tests; raise LookupError if a name in `SLOW` is not that of a test."""
    fast = unittest.TestSuite()
    unknown = set(SLOW)
    for path in sorted(TESTS.rglob("test_*.py")):
        module = ".".join(("tests", *path.relative_to(TESTS).with_suffix("").parts))
        unknown.discard(module)
        if module in SLOW or module.startswith("tests.gui."):
            continue
        for tests in loader.loadTestsFromName(module):
            assert isinstance(tests, unittest.TestSuite)  # the tests of one class
            names = {f"{module}.{type(test).__qualname__}" for test in tests}
            unknown -= names
            if not names & SLOW:
                fast.addTest(tests)
    if unknown:
        raise LookupError(f"these are no tests: {', '.join(sorted(unknown))}")
    return fast
