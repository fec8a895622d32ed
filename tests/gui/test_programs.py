"""Programs in games of the window: whatever they do, the game waits for the player."""

import tempfile
import time
from pathlib import Path
from typing import Final

from tests.kit.external_bots import LONG_S, is_running, noted_pids, wait_until, write_bot
from tests.kit.windows import WindowTestCase
from tests.kit.windows import wait_until as loop_until
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
        self.assertTrue(wait_until(lambda: not any(map(is_running, pids))))

    def seat(self, command: str, move_s: float = LONG_S) -> None:
        """Start a game of the program *command* against the user, the program first."""
        entry = self.roster.add_program(Program(command, "Guest", move_s))
        self.context.session.new_game((self.context.player(entry.key), HUMAN))
        self.context.changed()

    def test_it_moves_when_it_is_its_turn(self) -> None:
        self.seat(write_bot(self.folder))
        loop_until(self.app.root, lambda: self.context.session.game.actions == (0,), LONG_S)

    def test_whatever_it_does_instead_of_moving_the_player_decides(self) -> None:
        for name, code in HOSTILE.items():
            with self.subTest(bot=name):
                self.seat(
                    write_bot(self.folder, at_go=code), QUICK_S if "sleep" in code else LONG_S
                )
                loop_until(self.app.root, lambda: bool(self.context.session.failure), LONG_S)
                self.assertIn("Guest", self.status)
                self.assertEqual(self.context.session.game.actions, ())

    def test_its_last_words_are_shown_and_written_into_the_log(self) -> None:
        last_words = "sys.stderr.write('last words\\n'); sys.stderr.flush(); os._exit(1)"
        self.seat(write_bot(self.folder, at_go=last_words))
        loop_until(self.app.root, lambda: bool(self.context.session.failure), LONG_S)
        self.assertIn("last words", self.status)
        self.assertIn("last words", self.context.log.file.read_text("utf-8"))

    def test_the_window_goes_on_while_a_program_thinks(self) -> None:
        self.seat(write_bot(self.folder, at_go="note('asked'); time.sleep(600)"))
        loop_until(self.app.root, (self.folder / "asked").exists, LONG_S)
        self.assertTrue(self.context.session.is_bots_turn)
        ticks: list[float] = []
        self.app.root.after(1, lambda: ticks.append(time.monotonic()))
        loop_until(self.app.root, lambda: ticks)
