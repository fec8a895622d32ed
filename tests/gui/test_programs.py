"""Programs of anybody's in the window: added, played against, and whatever they do, harmless."""

from __future__ import annotations

import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.kit.guests import LONG_S, is_running, noted_pids, wait_until, write_guest
from tests.kit.windows import WindowTestCase
from tests.kit.windows import wait_until as loop_until
from tests.players.test_external import HOSTILE_AT_GO
from traffic_lights.board.rules import Action, State
from traffic_lights.gui.dialogs.program_dialog import ProgramDialog
from traffic_lights.gui.game.programs import Programs
from traffic_lights.gui.kit.keys import focused_widget
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.external import ExternalBot, Program
from traffic_lights.players.game import HUMAN
from traffic_lights.session.session import Phase

QUICK_S: Final = 0.3
HOSTILE: Final = {
    **{name: code for name, (code, _) in HOSTILE_AT_GO.items() if "illegal" not in name},
    "an illegal move": "say('move d9')",
    "no answer": "time.sleep(600)",
    "its output closed": "os.close(1); time.sleep(600)",
    "children left": (
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']); os._exit(0)"
    ),
    "noise in its errors": "sys.stderr.write('x' * 10**6); os._exit(1)",
}
"""What a guest does when it has to move on the empty board, instead of moving."""


class ProgramTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.desk = self.app.desk
        self.programs = Programs(self.desk)
        self.addCleanup(self.send_away)

    def send_away(self) -> None:
        self.desk.dialogs.close_all()
        self.programs.dismiss()
        self.desk.on_quit.remove(self.programs.dismiss)
        for one in self.programs.kept.all():
            self.desk.opponents.remove(one.key)
        pids = noted_pids(self.folder)
        self.assertTrue(wait_until(lambda: not any(map(is_running, pids))))

    def dialog(self, command: str, name: str = "") -> ProgramDialog:
        """Open the dialog, type *command* and *name*, and press Add."""
        dialog = ProgramDialog(self.desk, self.programs)
        self.addCleanup(dialog.close)
        dialog.name.insert(0, name)
        dialog.command_line.insert(0, command)
        dialog.add.invoke()
        return dialog

    def names(self) -> list[str]:
        return [opponent.player.name for opponent in self.desk.opponents.all()]

    def seat(self, command: str, move_s: float = LONG_S) -> None:
        """Start a game of the program *command* against a person, the program first."""
        guest = ExternalBot(Program(command, "Guest", move_s, start_s=LONG_S))
        one = self.programs.add(guest)
        player = self.desk.opponents.find(one.key)
        assert player is not None
        self.desk.session.new_game((player, HUMAN))
        self.desk.changed()

    def test_a_command_that_cannot_be_one_has_the_keyboard(self) -> None:
        dialog = self.dialog("", "Guest")
        self.wait(lambda: focused_widget(dialog) is dialog.command_line)

    def test_a_program_that_plays_is_added_and_stands_everywhere(self) -> None:
        dialog = self.dialog(write_guest(self.folder))
        loop_until(self.app.root, lambda: not dialog.winfo_exists(), LONG_S)
        self.assertIn("Polite", self.names())
        self.assertEqual([one.program.name for one in self.programs.kept.all()], ["Polite"])

    def test_what_it_answered_is_shown_if_it_does_not_work(self) -> None:
        dialog = self.dialog(write_guest(self.folder, at_go="say('move z1')"), "Mine")
        text = "Mine answered 'z1', which is not a cell."
        loop_until(self.app.root, lambda: text in str(dialog.message.cget("text")), LONG_S)
        self.assertFalse("Mine" in self.names() or self.programs.kept.all())
        self.assertTrue(dialog.add.instate(["!disabled"]))

    def test_what_is_no_program_is_said_at_once(self) -> None:
        for command in ("", "'", "no-such-program-here"):
            dialog = self.dialog(command)
            self.assertIn("It cannot be started: ", str(dialog.message.cget("text")))
            dialog.close()

    def test_a_known_program_can_be_removed(self) -> None:
        self.programs.add(ExternalBot(Program(write_guest(self.folder), "Mine")))
        dialog = ProgramDialog(self.desk, self.programs)
        dialog.name.set("Mine")
        dialog.name.event_generate("<<ComboboxSelected>>")
        self.app.root.update()
        self.assertIn("guest.py", dialog.command_line.get())
        dialog.remove.invoke()
        self.assertFalse("Mine" in self.names() or self.programs.kept.all())
        self.assertTrue(dialog.remove.instate(["disabled"]))
        dialog.close()

    def test_it_moves_when_it_is_its_turn(self) -> None:
        self.seat(write_guest(self.folder))
        loop_until(self.app.root, lambda: self.desk.session.game.actions == (0,), LONG_S)

    def test_who_forfeits_makes_the_game_wait(self) -> None:
        self.seat(write_guest(self.folder, at_go="sys.stderr.write('oh\\n'); os._exit(3)"))
        loop_until(self.app.root, lambda: bool(self.desk.session.failure), LONG_S)
        self.assertEqual(
            self.desk.said,
            "Guest ended with exit status 3. Choose another opponent, or undo.",
        )
        self.assertIn("Guest: oh", self.desk.log_path.read_text("utf-8"))

    def test_whatever_it_does_instead_of_moving_the_game_waits(self) -> None:
        for name, code in HOSTILE.items():
            with self.subTest(guest=name):
                self.seat(
                    write_guest(self.folder, at_go=code), QUICK_S if "sleep" in code else LONG_S
                )
                loop_until(self.app.root, lambda: bool(self.desk.session.failure), LONG_S)
                self.assertIn("Choose another opponent, or undo.", self.desk.said or "")
                self.assertEqual(self.desk.session.game.actions, ())

    def test_who_never_says_ready_makes_the_game_wait(self) -> None:
        for code in ("time.sleep(600)", "sys.exit(2)", "print('x' * 5000)"):
            with self.subTest(at_start=code):
                command = write_guest(self.folder, at_start=code)
                one = self.programs.add(ExternalBot(Program(command, "Guest", LONG_S, QUICK_S)))
                player = self.desk.opponents.find(one.key)
                assert player is not None
                self.desk.session.new_game((player, HUMAN))
                self.desk.changed()
                loop_until(self.app.root, lambda: bool(self.desk.session.failure), LONG_S)

    def test_the_same_program_added_anew_while_it_thinks_moves_in_the_place_of_the_old(
        self,
    ) -> None:
        self.seat(write_guest(self.folder, at_go="note('asked'); time.sleep(600)"))
        loop_until(self.app.root, (self.folder / "asked").exists, LONG_S)
        command, players = write_guest(self.folder), self.desk.session.players
        self.programs.add(ExternalBot(Program(command, "Guest", LONG_S, LONG_S)))
        loop_until(self.app.root, lambda: self.desk.session.game.actions, LONG_S)
        self.assertEqual(self.desk.session.players, players)
        self.assertEqual(self.desk.session.game.actions, (0,))

    def test_a_program_sent_away_before_it_has_started_does_not_stay(self) -> None:
        program = Program(write_guest(self.folder), "Guest", LONG_S, LONG_S)
        programs = self.programs

        class Late(ExternalBot):
            def choose(self, state: State) -> Action:
                programs.dismiss()
                return super().choose(state)

        one = programs.add(Late(program))
        with suppress(PlayerError):  # if it was just starting
            self.desk.opponents.choose(one.key, 0)
        self.assertTrue(wait_until(lambda: not any(map(is_running, noted_pids(self.folder)))))

    def test_the_window_goes_on_while_a_program_thinks_and_loses_nothing_when_it_is_sent_away(
        self,
    ) -> None:
        self.seat(write_guest(self.folder, at_go="note('asked'); time.sleep(600)"))
        loop_until(self.app.root, (self.folder / "asked").exists, LONG_S)
        self.assertIs(self.desk.session.phase, Phase.BOT_TURN)
        ticks: list[float] = []
        self.app.root.after(1, lambda: ticks.append(time.monotonic()))
        loop_until(self.app.root, lambda: ticks)
        self.programs.dismiss()
        loop_until(self.app.root, lambda: bool(self.desk.session.failure), LONG_S)
