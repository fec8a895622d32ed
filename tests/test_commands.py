"""The commands for the terminal, as a user or another program calls them."""

import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import unittest
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit import samples
from tests.kit.external_bots import POLITE, is_running, noted_pids, write_bot
from tests.kit.runs import tiny, train_in
from tests.kit.samples import PROJECT, FolderTestCase, live_states, outcome, wait_until
from tests.kit.trained import narrow
from traffic_lights.board.baselines import MYOPIC
from traffic_lights.board.games import PolicyBot
from traffic_lights.board.rules import CELL_NAMES, EMPTY_BOARD, format_board, is_terminal
from traffic_lights.board.tablebase import shared_tablebase as tablebase
from traffic_lights.engine import answers
from traffic_lights.evaluate import main as evaluate
from traffic_lights.judging.evaluation import prove_bot
from traffic_lights.judging.proof import Proof
from traffic_lights.learning.tablefile import read_table, write_table
from traffic_lights.players.roster import Roster
from traffic_lights.solve import position_facts
from traffic_lights.training.folder import default_table
from traffic_lights.training.own_bots import Bots
from traffic_lights.training.settings import SETTINGS, RunSettings

REFUSED = (
    ("solve 000000000004 --json", "12 digits from 0 to 3"),
    ("solve 0000 0000 0000", "0000 0000"),
    ("engine --player none.json", "none.json: no such file"),
    ("evaluate --table {folder}/damaged.json", "damaged.json is not a readable Q-table: its check"),
    ("evaluate --games 0", "0 must be a whole number"),
    ("evaluate --bot myopic --history", "--history needs a Q-table, and Myopic has none"),
    ("evaluate --table {folder}/mine.json --history", "--history needs the snapshots of a train"),
    ("evaluate --bot myopic --show-protocol", "--show-protocol needs an external bot"),
    ("evaluate --bot '{program}' --proof", "moves of Polite are not known"),
    ("train --opponent random --games 0", "games is 0; it must be a whole number from 1 to"),
    ("train --opponent random --games ''", "--games needs a value"),
    ("train --seed ' '", "--seed needs a value"),
    ("train --opponent nobody", "nobody"),
    ("train --surprise", "--surprise"),
    ("train --opponent reverse --games 5", "games makes no difference with opponent reverse"),
    ("train --update q-learning", "update makes no difference with opponent reverse"),
    ("train --opponent self --gamma 0.5", "gamma makes no difference with update terminal"),
    ("train --opponent self --practice myopic", "practice makes no difference with an opponent"),
    ("train --menu --seed 0", "leave out the other options"),
)
VALUE = ("lost", "won")
"""That of the side to move, if the distance is even or odd."""


class CommandTests(FolderTestCase):
    def setUp(self) -> None:
        self.enterContext(mock.patch("traffic_lights.solve.Tablebase", tablebase))
        self.enterContext(mock.patch("traffic_lights.training.plans.BATCH", 100))
        self.run_folder, self.table = self.folder / "run", self.folder / "mine.json"
        write_table(self.table, narrow("selfplay-1000"))

    def call(self, line: str, *words: str, status: int = 0) -> str:
        """Return what a command prints; it must end with *status*, and without a problem."""
        name, *options = shlex.split(line)
        if name == "train":
            options += ["--dir", str(self.run_folder)]
        found, out, err = outcome(import_module(f"traffic_lights.{name}").main, *options, *words)
        self.assertEqual(found, status, err)
        return out + err

    def answer(self, line: str, *words: str) -> Any:
        return json.loads(self.call(line, *words, "--json", "--quiet"))

    def test_what_is_wrong_is_said_in_one_sentence_before_anything_is_done(self) -> None:
        (self.folder / "damaged.json").write_bytes(self.table.read_bytes()[:-100])
        names = {"folder": self.folder.as_posix(), "program": write_bot(self.folder)}
        for line, expected in REFUSED:
            with self.subTest(line=line):
                said = self.call(line.format(**names), status=2)
                self.assertRegex(said, rf"\A{line.split()[0]}: .*{re.escape(expected)}.*\n\Z")
                self.assertFalse(self.run_folder.exists())

    def test_solve_has_the_facts_of_the_game(self) -> None:
        facts = json.loads(self.call("solve --json"))
        self.assertGreaterEqual(facts.pop("seconds"), 0)
        self.assertEqual(
            facts,
            {"positions": 9_038_683, "won": 8_476_515, "lost": 562_168, "canonical": 2_266_543,
             "value": "lost", "distance": 26},
        )  # fmt: skip

    def test_solve_has_the_facts_of_a_position(self) -> None:
        rng = random.Random(7)
        for state in [*live_states(rng, 20), *(rng.getrandbits(24) for _ in range(200))]:
            facts, is_over = position_facts(state, tablebase()), is_terminal(state)
            distance = 0 if is_over else tablebase().get_distance(state)
            after = {} if is_over else tablebase().action_distances(state)
            moves = [
                {"cell": CELL_NAMES[action], "action": action, "value": VALUE[n % 2], "distance": n}
                for action, n in after.items()
            ]
            expected = {"value": "over" if is_over else VALUE[distance % 2], "distance": distance}
            self.assertEqual(facts, {"position": format_board(state), **expected, "moves": moves})

    def test_solve_says_what_is_best_or_who_has_won(self) -> None:
        for position, words in (
            ("110000000000", "Move 3, Player 1 to move: wins in 1.\nBest: c1."),
            ("000000000000", "Move 1, Player 1 to move: loses in 13."),
            ("111000000000", "Player 1 has won with three greens, a1–c1"),
            ("111000000001", "Player 2 has won with three greens, a1–c1"),
            ("300030003000", "Player 1 has won with three reds, a1–a3"),
            ("333333333333", "No game ends like this"),
        ):
            self.assertIn(words, self.call("solve", position))

    # The page about players has a whole conversation, which its test holds with the command.

    def test_the_engine_answers_by_the_last_position_or_by_an_error(self) -> None:
        for lines, expected in (
            ("tlp 1\r\n", "id name Myopic .v2. é; ready"),
            (",  \r\n,result win,result loss", ""),
            ("go", "move .."),
            ("position 110000000000,go 5000,go,position 011000000000,go",
             "move c1; move c1; move [ad]1"),
            ("position 111000000000,go", "error 111000000000 is the end of a game"),
            ("position 12,go,new,go 100,quit,go",
             "error '12' is not a board.*; error set up a position first; move .."),
            *((line, "error '.*' is not a command of tlp 1") for line in (
                "GO", "tlp 2", "tlp", "seed x", "seed -1", "result draw", "new game", "é",
            )),
        ):  # fmt: skip
            rng = random.Random(7)
            said = answers(lines.split(","), "Myopic [v2]  é", PolicyBot(MYOPIC, rng), rng)
            self.assertRegex("; ".join(said), rf"^{expected}$")

    def test_the_engine_moves_as_its_player_does_until_quit_or_the_end_of_its_input(self) -> None:
        for player, options, seed, end in (
            ("perfect", ("--seed", "7"), b"seed 3", b"quit\n"),  # that of the user is fixed
            (str(self.table), (), b"seed 7", b""),
        ):
            words = "-m", "traffic_lights.engine", "--player", player, *options
            pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "text": False}
            process = samples.start_python(*words, **pipes)
            lines = b"\xef\xbb\xbf%s\nnew\n%sposition \xff\xfe\n%s" % (seed, b"go\n" * 40, end)
            out, err = process.communicate(lines, timeout=samples.PATIENCE_S)
            self.assertEqual((process.returncode, err), (0, b""))
            bot = Roster().resolve(player).bot(random.Random(7))
            *said, error = out.decode("ascii").split("\n")[:-1]
            chosen = [CELL_NAMES[bot.choose(EMPTY_BOARD)] for _ in range(40)]
            self.assertEqual(said, [f"move {cell}" for cell in chosen])
            self.assertRegex(error, "^error ")

    def test_evaluate_shows_the_history_of_a_bot_by_its_snapshots(self) -> None:
        self.enterContext(mock.patch.dict(os.environ, TRAFFIC_LIGHTS_HOME=str(self.folder)))
        self.enterContext(tiny(batch=10, kept_every=20))
        mine = Bots(self.folder).create("Mine").folder
        train_in(mine, {"plan": "random", "games": 50})
        few = "--opponent random --games 20 --budget 9"
        results = self.answer(f"evaluate --bot bot:Mine --history {few}")["results"]
        self.assertEqual([result["bot"] for result in results], ["20", "40", "50"])
        shutil.copy(PROJECT / "qtables" / "myopic-200.json", mine / "other.json")
        refused = self.call("evaluate --history --table", str(mine / "other.json"), status=2)
        self.assertIn("other.json has none", refused, "its past is that of another bot")

    def test_evaluate_plays_no_game_for_a_proof_alone(self) -> None:
        *_, proof = steps = [*prove_bot(Roster().resolve(str(self.table)))]
        assert isinstance(proof, Proof)
        assert proof.counterexample
        with mock.patch("traffic_lights.evaluate.prove_bot", return_value=steps):
            answer = self.answer("evaluate --proof --table", str(self.table))
            text = self.call("evaluate --proof --quiet --table", str(self.table))
        self.assertNotIn("results", answer)
        self.assertEqual(answer["proof"], json.loads(json.dumps(proof.as_json())))
        for seat in (proof.first, proof.second):
            self.assertIn(f"can blunder with {seat.blunders:,} moves", text)
        moves = " ".join(CELL_NAMES[action] for action in proof.counterexample)
        self.assertRegex(text, f"The shortest game that beats it after a blunder, .*: {moves}.")

    def test_evaluate_plays_against_another_table_once(self) -> None:
        complete = ["--opponent", str(PROJECT / "qtables" / "complete.json")] * 2
        answer = self.answer("evaluate --games 40 --table", str(self.table), *complete)
        (result,) = answer["results"]
        self.assertEqual((result["opponent"], result["first"]["wins"]), ("complete.json", 0))

    def test_evaluate_judges_any_program_and_shows_both_sides_of_the_protocol(self) -> None:
        command = write_bot(self.folder, at_go="say('info \x1b'); " + POLITE)
        few = "--bot", command, "--opponent", command, "--opponent", "random", "--games", "4"
        answer = self.answer("evaluate --move-time 60000", *few)
        self.assertEqual(answer["bot"], command)
        for row, other in zip(answer["results"], ("Polite", "random"), strict=True):
            names = row["bot"], row["opponent"], row["games"]
            self.assertEqual(names, ("Polite", other, 4))
            self.assertEqual((row["forfeits"]["first"], row["exact"]), (None, None))
        (pid,) = noted_pids(self.folder)
        wait_until(lambda: not is_running(pid), "the bot has ended")
        said = self.call("evaluate --quiet --show-protocol", *few)
        lines = re.findall("(?m)^Polite ([<>] .*)$", said)
        self.assertEqual(lines[2:5], ["> new", "> position 000000000000", "> go 5000"])
        self.assertEqual(lines[5:7], ["< info  ", "< move a1"])
        self.assertEqual(lines[-1], "> quit")
        # JSON stays the only thing on the standard output.
        _, out, err = outcome(evaluate, "--quiet", "--json", "--show-protocol", *few)
        self.assertEqual(len(json.loads(out)["results"]), 2)
        self.assertIn("Polite > result", err)

    def test_evaluate_counts_the_games_that_a_program_forfeits(self) -> None:
        command = write_bot(self.folder, at_go="say('move z9')")
        for option, expected in (("--bot", (4, 0, 0, 0.5)), ("--opponent", (0, 4, 4, 0.5))):
            words = ("--table", str(self.table), option, command, "--games", "4")
            row, *_ = self.answer("evaluate", *words)["results"]
            forfeits = row["forfeits"]
            self.assertIn("'z9', which is not a cell", forfeits["first"])
            found = forfeits["bot"], forfeits["opponent"], row["wins"], row["mean_plies"]
            self.assertEqual(found, expected)

    def test_evaluate_keeps_the_games_before_an_interrupt(self) -> None:
        words = ["--table", str(self.table), "--games", "40"]
        words += ["--opponent", "random", "--opponent", "myopic"]
        for form, expected in (
            ("--quiet", r"Random .* of 40\n(?s:.*)or the evaluation was interrupted"),
            ("--json", r'"interrupted": true.*("games": 40, .*){2}'),
        ):
            ends = [None, KeyboardInterrupt]
            with mock.patch("traffic_lights.judging.evaluation.exact_score", side_effect=ends):
                said = self.call("evaluate", *words, form, status=130)
            self.assertRegex(said, expected)

    def test_evaluate_has_ones_own_table_or_else_the_shipped_one(self) -> None:
        place = mock.patch("traffic_lights.training.folder.training_folder")
        self.enterContext(place).return_value = self.folder
        self.assertEqual(default_table().name, "complete.json")
        for name in ("qtable.json", "qbot.json"):
            (self.folder / name).touch()
            self.assertEqual(default_table().name, name)

    def test_train_has_all_settings_as_options_and_reports_what_it_did(self) -> None:
        wanted = RunSettings(
            "self", games=40, seed=9, alpha=0.3, epsilon_start=0.5, epsilon_end=0.25,
            epsilon_decay=0.5, update="q-learning", gamma=0.75, explore="least-visited",
        )  # fmt: skip
        text = "".join(self.call("train --help").split())  # argparse breaks after hyphens, too
        words: list[str] = []
        for name, info in SETTINGS.items():
            self.assertIn("".join(info.help.split()), text)
            if name != "practice":  # which only the plan reverse has
                words += [f"--{info.option}", str(getattr(wanted, name))]
        report = self.answer("train", *words)
        table = read_table(Path(report["table"]))
        states = [*table.states()]
        measured = {key: report.pop(key) for key in ("seconds", "games_per_second", "peak_rss_mb")}
        self.assertGreater(min(measured[key] for key in [*measured][:2]), 0)
        if sys.platform == "linux":
            self.assertGreater(measured["peak_rss_mb"], 10)
        self.assertEqual(
            report,
            {"table": str(self.run_folder / "qtable.json"), "plan": "self", "games": 40,
             "practice_games": 0, "rows": len(states), "complete": False, "seed": 9,
             "proven": sum(map(abs, map(table.proven_result, states))), "finished": True},
        )  # fmt: skip
        (run,) = table.meta["runs"]
        self.assertEqual(RunSettings.from_json(run["settings"]), wanted)

    @unittest.skipIf(os.name == "nt", "needs the signals of POSIX")
    def test_train_saves_at_a_signal_a_bot_that_can_be_played_and_goes_on(self) -> None:
        words = ["-m", "traffic_lights.train", "--opponent", "random", "--games", "999999", "--dir"]
        process = samples.start_python(*words, str(self.run_folder), stderr=subprocess.STDOUT)
        self.addCleanup(process.kill)
        wait_until((self.run_folder / "qtable_checkpoint.json").exists, "a save")
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate()
        self.assertEqual(process.returncode, 130, text)
        folder = shlex.quote(str(self.run_folder))
        self.assertRegex(text, rf"Stopped after .* To resume: .* -m .*\.train --dir {folder}\n\Z")
        self.assertNotIn("Traceback", text)
        played = read_table(self.run_folder / "qtable.json").meta["games"]
        self.assertGreaterEqual(played, 1000)
        again = f"train --opponent random --games {played + 200}"
        self.assertIn(f"resuming against Random after {played:,} games\n", self.call(again))
        self.assertIn(f"already finished, after {played + 200:,} games\n", self.call(again))

    def test_train_has_a_menu_whatever_was_typed_before(self) -> None:
        nonsense = ("", "0", "6", "-3", "²", "two", "9" * 5000)
        answers = [*nonsense, "2", "50", "4", EOFError]
        typed = mock.patch("traffic_lights.train.ask", side_effect=answers)
        with typed, mock.patch("traffic_lights.evaluate.main") as evaluation:
            text = self.call("train --menu")
        self.assertEqual(text.count("Type a number from 1 to 5"), len(nonsense))
        self.assertIn("after 50 games", text)
        table = str(self.run_folder / "qbot.json")
        self.assertEqual(evaluation.mock_calls, [mock.call(["--table", table])])
        self.assertEqual(read_table(self.run_folder / "qtable.json").meta["games"], 50)
