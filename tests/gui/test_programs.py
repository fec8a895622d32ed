"""Programs in games of the window: whatever they do, the game waits for the player."""

import tempfile
import time
from pathlib import Path
from typing import Final

from tests.kit.external_bots import is_running, noted_pids, write_bot
from tests.kit.samples import PATIENCE_S, wait_until
from tests.kit.windows import WindowTestCase
from traffic_lights.gui.main.seats import bot_player
from traffic_lights.play.game import HUMAN
from traffic_lights.players.external import Program

QUICK_S: Final = 0.3
HOSTILE: Final = {
    "an illegal move": "say('move d9')",
    "no answer": "time.sleep(600)",
    "noise in its errors": "sys.stderr.write('x' * 10**6); os._exit(1)",
}
"""What a program does when it has to move on the empty board, instead of moving."""


class ProgramGameTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.context = self.app.context
        self.roster = self.context.roster
        self.addCleanup(self.send_away)

    def send_away(self) -> None:
        for entry in self.roster.entries():
            if entry.is_program:
                self.roster.remove_program(entry.key)
        pids = noted_pids(self.folder)
        wait_until(lambda: not any(map(is_running, pids)), "the programs have ended")

    def seat(self, command: str, move_s: float = PATIENCE_S) -> None:
        """Start a game of the program *command* against the user, the program first."""
        entry = self.roster.add_program(Program(command, "Guest", move_s))
        self.context.session.new_game((bot_player(self.context, entry.key), HUMAN))
        self.context.changed()

    def test_it_moves_when_it_is_its_turn(self) -> None:
        self.seat(write_bot(self.folder))
        self.wait(lambda: self.context.session.game.actions == (0,))

    def test_whatever_it_does_instead_of_moving_the_player_decides(self) -> None:
        for name, code in HOSTILE.items():
            with self.subTest(bot=name):
                self.seat(
                    write_bot(self.folder, at_go=code), QUICK_S if "sleep" in code else PATIENCE_S
                )
                self.wait(lambda: bool(self.context.session.failure))
                self.assertIn("Guest", self.status)
                self.assertEqual(self.context.session.game.actions, ())

    def test_its_last_words_are_shown_and_written_into_the_log(self) -> None:
        last_words = "sys.stderr.write('last words\\n'); sys.stderr.flush(); os._exit(1)"
        self.seat(write_bot(self.folder, at_go=last_words))
        self.wait(lambda: bool(self.context.session.failure))
        self.assertIn("last words", self.status)
        self.assertIn("last words", self.context.log.file.read_text("utf-8"))

    def test_the_window_goes_on_while_a_program_thinks(self) -> None:
        self.seat(write_bot(self.folder, at_go="note('asked'); time.sleep(600)"))
        self.wait((self.folder / "asked").exists)
        self.assertTrue(self.context.session.is_bots_turn)
        ticks: list[float] = []
        self.app.root.after(1, lambda: ticks.append(time.monotonic()))
        self.wait(lambda: ticks)
