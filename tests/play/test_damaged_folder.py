"""A data folder with a damaged file: everything starts, and the file is kept."""

import errno
import os
import unittest
import unittest.mock
from pathlib import Path
from typing import Any

from tests.kit import damage
from tests.kit.samples import IS_SLOW_RUN, outcome
from tests.kit.sessions import new_session
from traffic_lights.console.text_mode import TextGame
from traffic_lights.evaluate import main as evaluate_command
from traffic_lights.play.game import HUMAN, Game, Player
from traffic_lights.play.userdata import UserData
from traffic_lights.players.external import Program
from traffic_lights.players.roster import Group, Roster
from traffic_lights.train import main as train_command
from traffic_lights.training.bot_note import read_note, write_curve
from traffic_lights.training.snapshots import measured_snapshots

SHARE = 0.06 if IS_SLOW_RUN else 0.0
"""How many of the damages are tried besides the first of each file."""


def use(folder: Path) -> list[str]:
    """Read and write what the windows and the text mode do; return what they report."""
    data = UserData(folder)
    troubles = [*iter(data.take_trouble, "")]  # before the text mode shows them
    session = new_session()
    data.restore_session(session)
    for record in data.saved.opponents.values():
        assert record.shown["Rate"]
    roster = Roster(folder)
    for entry in roster.entries():
        if entry.own is not None:
            curve = read_note(entry.own.folder).points
            assert all(0 <= point.score <= 1 for point in curve)
            assert all(measured_snapshots(entry.own.folder))
            write_curve(entry.own.folder, curve)
    data.apply(lambda saved: saved.with_program(Program("python3", "Two")))
    game = TextGame(session, roster, data, lambda _: None)
    game.begin()
    for command in ("players", "puzzle", "hint", "today", "leave", "new Random"):
        game.obey(command)
    players = (HUMAN, Player("random", "Random"))
    data.apply(lambda saved: saved.with_result(Game(actions=(0, 1, 2), players=players)))
    data.change(speed="slow")
    data.save_session(session)
    data.finish()
    return [*troubles, *iter(data.take_trouble, "")]


class DamagedFolderTests(unittest.TestCase):
    def test_a_sound_folder_reports_nothing(self) -> None:
        with damage.filled_folder() as folder:
            self.assertEqual(use(folder), [])
            names = sorted(entry.name for entry in Roster(folder).entries() if entry.own)
            self.assertEqual(names, ["A", "B"])

    def test_no_damage_of_one_file_stops_the_program_or_is_lost(self) -> None:
        for name, number, act in damage.some(SHARE, always=0):
            with self.subTest(file=name, damage=number), damage.filled_folder(name, act) as folder:
                troubles = use(folder)
                for trouble in troubles:
                    self.assertNotIn("\n", trouble)
                for path in folder.glob("*.bak"):
                    self.assertIn(f"renamed the file to {path.name}", "".join(troubles))
                own = {entry.name for entry in Roster(folder).entries() if entry.group is Group.OWN}
                self.assertGreaterEqual(own, {"A", "B"})
                # A file that cannot be read now stays, and is reported each time.
                again = [trouble for trouble in use(folder) if "nothing is saved" not in trouble]
                self.assertEqual(again, [], "it is reported once")

    def test_a_file_that_cannot_be_read_now_stays_as_it_is(self) -> None:
        really_open = Path.open
        for name in (*damage.FILES, "bots/A/qtable.json", "settings.json"):
            with self.subTest(file=name), damage.filled_folder() as folder:
                path, users = folder / name, folder / "user.json"
                if is_older := name == "settings.json":
                    users.replace(path)
                before = path.read_bytes()

                def fail(one: Path, mode: str = "r", path: Path = path, **how: Any) -> Any:
                    if one == path:
                        raise OSError(errno.EIO, "Input/output error")
                    return really_open(one, mode, **how)

                with unittest.mock.patch.object(Path, "open", fail):
                    troubles = use(folder)
                is_said = any("nput/output error" in trouble for trouble in troubles)
                self.assertEqual(is_said, path == users or is_older)
                self.assertEqual((path.read_bytes(), users.exists()), (before, not is_older))


class CommandTests(unittest.TestCase):
    def test_no_damage_of_one_file_stops_the_commands(self) -> None:
        for name, number, act in damage.some(SHARE / 2, always=1):
            with (
                self.subTest(file=name, damage=number),
                damage.filled_folder(name, act) as folder,
                unittest.mock.patch.dict(os.environ, TRAFFIC_LIGHTS_HOME=str(folder)),
            ):
                few = "--bot bot:B --opponent random --games 2 --budget 0"
                status, out, err = outcome(evaluate_command, *few.split())
                self.assertEqual((status, err.count("\n")), (0, 0), err)
                self.assertIn("Random", out)
                for bot in ("A", "B"):
                    words = "--quiet --opponent myopic --games 210 --dir"
                    where = str(folder / "bots" / bot)
                    status, out, err = outcome(train_command, *words.split(), where)
                    # The checkpoint of A is that of another version.
                    if status:
                        self.assertEqual((status, bot), (2, "A"), err)
                        self.assertRegex(err, r"^train: .*checkpoint\.json.*\n$")
