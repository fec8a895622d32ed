import json
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from tests.kit.external_bots import POLITE, is_running, noted_pids, write_bot
from tests.kit.runs import train_in
from tests.kit.samples import FolderTestCase, outcome, wait_until
from tests.kit.trained import narrow
from traffic_lights.board.rules import CELL_NAMES
from traffic_lights.console.shell import INTERRUPTED, REFUSED, SUCCESS
from traffic_lights.evaluate import main
from traffic_lights.judging import evaluation
from traffic_lights.judging.proof import Proof
from traffic_lights.learning.tablefile import write_table
from traffic_lights.players.roster import Roster
from traffic_lights.storage.folders import shipped_tables
from traffic_lights.training.folder import default_table
from traffic_lights.training.own_bots import Bots


def called(*arguments: str) -> tuple[int, str, str]:
    return outcome(main, "--quiet", *arguments)


@cache
def young_table() -> Path:
    """Return the file of a table of few games, written once."""
    path = Path(tempfile.mkdtemp(dir=os.environ["HOME"])) / "young.json"
    write_table(path, narrow("selfplay-1000"))
    return path


class EvaluateTests(FolderTestCase):
    def setUp(self) -> None:
        self.table = str(self.folder / "mine.json")
        shutil.copyfile(young_table(), self.table)

    def answer(self, *arguments: str) -> dict[str, Any]:
        status, out, err = called("--table", self.table, "--json", *arguments)
        self.assertEqual((status, err), (SUCCESS, ""))
        value: dict[str, Any] = json.loads(out)
        return value

    def test_a_student_sees_the_history_of_a_bot_by_its_snapshots(self) -> None:
        few = ["--history", "--opponent", "random", "--games", "20", "--budget", "9"]
        with (
            tempfile.TemporaryDirectory() as name,
            mock.patch.dict(os.environ, TRAFFIC_LIGHTS_HOME=name),
            mock.patch("traffic_lights.training.plans.BATCH", 10),
            mock.patch("traffic_lights.training.snapshots.MILESTONES", range(0, 100, 20)),
        ):
            bot = Bots(Path(name)).create("Mine")
            train_in(bot.folder, {"plan": "random", "games": 50})
            results = json.loads(called("--bot", "bot:Mine", *few, "--json")[1])["results"]
        ages = [result["bot"] for result in results]
        self.assertEqual(ages, ["20", "40", "50"])

    def test_a_proof_alone_plays_no_game(self) -> None:
        *steps, proof = evaluation.prove_bot(Roster().resolve(self.table))
        assert isinstance(proof, Proof)
        assert proof.counterexample
        with mock.patch("traffic_lights.evaluate.prove_bot", return_value=[*steps, proof]):
            answer = self.answer("--proof")
            text = called("--table", self.table, "--proof")[1]
        self.assertNotIn("results", answer)
        for seat in ("first", "second"):
            of_seat = getattr(proof, seat)
            self.assertEqual(answer["proof"][seat]["blunders"], of_seat.blunders)
            self.assertIn(f"can blunder with {of_seat.blunders:,} moves", text)
        self.assertEqual(answer["proof"]["blunders"], proof.blunders)
        moves = " ".join(CELL_NAMES[action] for action in proof.counterexample)
        self.assertRegex(text, f"The shortest game that beats it after a blunder, .*: {moves}.")

    def test_another_table_can_be_the_opponent_and_is_played_once(self) -> None:
        complete = ["--opponent", str(shipped_tables() / "complete.json")]
        (result,) = self.answer(*complete, *complete, "--games", "40")["results"]
        self.assertEqual((result["opponent"], result["first"]["wins"]), ("complete.json", 0))

    def test_what_is_wrong_is_said_in_one_sentence(self) -> None:
        damaged = self.folder / "damaged.json"
        damaged.write_text(Path(self.table).read_text()[:-100])
        for arguments, expected in (
            (["--table", str(self.folder / "none.json")], "none.json: no such file"),
            (["--table", str(damaged)], "damaged.json is not a readable Q-table: its checksum"),
            (["--opponent", "nobody"], "unknown player 'nobody'"),
            (["--games", "0"], "0 must be a whole number"),
            (["--bot", "myopic", "--history"], "--history needs a Q-table, and Myopic has none"),
            (["--table", self.table, "--history"], "--history needs the snapshots of a training"),
            (["--bot", "myopic", "--show-protocol"], "--show-protocol needs an external bot"),
            (["--bot", write_bot(self.folder), "--proof"], "moves of Polite are not known"),
        ):
            with self.subTest(arguments=arguments):
                status, out, err = called(*arguments)
                self.assertEqual((status, out), (REFUSED, ""))
                self.assertIn(expected, err)
                self.assertEqual(len(err.splitlines()), 1)

    def test_a_program_of_anybodys_is_judged(self) -> None:
        command = write_bot(self.folder)
        status, out, err = called(
            "--bot", command, "--opponent", command, "--opponent", "random",
            "--games", "10", "--json", "--move-time", "60000",
        )  # fmt: skip
        answer = json.loads(out)
        self.assertEqual((status, err, answer["bot"]), (SUCCESS, "", command))
        names = [(row["bot"], row["opponent"], row["games"]) for row in answer["results"]]
        self.assertEqual(names, [("Polite", "Polite", 10), ("Polite", "random", 10)])
        for row in answer["results"]:
            self.assertEqual((row["forfeits"]["first"], row["exact"]), (None, None))
        (pid,) = noted_pids(self.folder)
        wait_until(lambda: not is_running(pid), "the bot has ended")

    def test_a_program_that_fails_has_forfeited_each_of_its_games(self) -> None:
        command = write_bot(self.folder, at_go="say('move z9')")
        for number, pair in enumerate((("--bot", command), ("--opponent", command))):
            row, *_ = self.answer(*pair, "--games", "4")["results"]
            forfeits = row["forfeits"]
            self.assertEqual((forfeits["bot"], forfeits["opponent"]), ((4, 0), (0, 4))[number])
            self.assertIn("'z9', which is not a cell", forfeits["first"])
            self.assertEqual((row["wins"], row["mean_plies"]), (4 * number, 0.5))

    def test_both_sides_of_the_protocol_are_printed(self) -> None:
        command = write_bot(self.folder, at_go="say('info \x1b'); " + POLITE)
        few = ["--bot", command, "--opponent", "random", "--games", "2", "--show-protocol"]
        status, out, err = called(*few)
        self.assertEqual((status, err), (SUCCESS, ""))
        lines = [line[len("Polite ") :] for line in out.splitlines() if line.startswith("Polite ")]
        self.assertEqual(lines[2:5], ["> new", "> position 000000000000", "> go 5000"])
        self.assertEqual(lines[5:7], ["< info  ", "< move a1"])
        self.assertEqual(lines[-1], "> quit")
        self.assertEqual(sum(line.startswith("> result ") for line in lines), 2)
        # JSON stays the only thing on the standard output.
        status, out, err = called(*few, "--json")
        self.assertEqual(json.loads(out)["results"][0]["games"], 2)
        self.assertIn("Polite > result", err)

    def test_an_interrupt_keeps_all_games_that_were_played(self) -> None:
        arguments = ["--table", self.table, "--games", "40"]
        arguments += ["--opponent", "random", "--opponent", "myopic"]
        for form in ((), ("--json",)):
            with mock.patch(
                "traffic_lights.judging.evaluation.exact_score",
                side_effect=[None, KeyboardInterrupt],
            ):
                status, out, _ = called(*arguments, *form)
            self.assertEqual(status, INTERRUPTED)
            if form:
                results = json.loads(out)["results"]
                self.assertEqual([result["games"] for result in results], [40, 40])
            else:
                self.assertRegex(out, r"Random .* of 40\n")
                self.assertIn("or the evaluation was interrupted", out)

    def test_the_default_table_is_ones_own_or_else_the_shipped_one(self) -> None:
        for expected in ("complete.json", "qtable.json", "qbot.json"):
            if expected != "complete.json":
                (self.folder / expected).touch()
            with mock.patch(
                "traffic_lights.training.folder.training_folder", return_value=self.folder
            ):
                self.assertEqual(default_table().name, expected)
