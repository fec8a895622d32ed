"""What a person would try, with real events from another process on a screen of its own."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, ClassVar

from tests.kit.external_bots import POLITE, write_bot
from tests.kit.person import MISSING, Screen, poll
from tests.kit.person import Program as StartedProgram
from tests.kit.samples import PROJECT
from tests.kit.sessions import save_game
from traffic_lights.board.rules import format_cell
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.players.roster import Roster
from traffic_lights.session.notation import parse_moves
from traffic_lights.userdata.store import UserData

GAME = "1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1"
WAIT_FOR = "def wait_for(name):\n    while not os.path.exists(name): time.sleep(0.01)"
WORDS = " ".join(format_cell(cell) for cell in parse_moves(GAME))


@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)}")
class PersonTestCase(unittest.TestCase):
    screen: ClassVar[Screen]

    @classmethod
    def setUpClass(cls) -> None:
        cls.screen = Screen()
        cls.addClassCleanup(cls.screen.close)

    def on_the_screen(self, act: str) -> str:
        """Return what *act*, with a new connection to the screen and its `root`, prints."""
        program = f"import sys, tkinter; root = tkinter.Tk(sys.argv[1]); print({act})"
        done = subprocess.run(
            [sys.executable, "-c", program, self.screen.display],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout.strip()

    def setUp(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="traffic-lights-person-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.home = folder / "data"

    def start(self, *, known: bool = True, **options: Any) -> StartedProgram:
        """Start the game, as somebody who has been here before if *known*."""
        if known:
            data = UserData(self.home)
            data.change(is_first_start=False, theme="light", speed="quick", opponent="careful")
            data.finish()
        program = StartedProgram(self.screen, self.home, **options)
        self.addCleanup(program.process.wait)
        self.addCleanup(program.process.kill)
        return program

    def start_for_two(self, **options: Any) -> StartedProgram:
        """Start in a game of two persons at its beginning."""
        save_game(self.home, Game())
        program = self.start(**options)
        program.see_cells()
        return program

    def start_again(self) -> StartedProgram:
        """Start with whatever the last program left behind."""
        program = StartedProgram(self.screen, self.home)
        self.addCleanup(program.process.wait)
        self.addCleanup(program.process.kill)
        return program


@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)}")
class PersonTests(PersonTestCase):
    def test_the_screen_does_not_begin_anew_when_nobody_is_there(self) -> None:
        number = self.on_the_screen("root.winfo_atom('OF_A_TEST')")
        self.assertEqual(self.on_the_screen(f"root.winfo_atomname({number})"), "OF_A_TEST")

    def test_a_first_start_shows_a_window_and_takes_a_move_at_once(self) -> None:
        program = self.start(known=False)
        program.window()
        program.click(5)
        poll(lambda: program.moves().startswith("b2"), "the move to be saved")

    def test_a_whole_game_by_mouse_and_return_plays_again(self) -> None:
        program = self.start_for_two()
        for number, cell in enumerate(parse_moves(GAME), 1):
            program.click(cell)
            program.wait_for_moves(" ".join(WORDS.split()[:number]))
        program.wait_for_title("Player 2 wins")
        program.press("Return")
        program.wait_for_title("Player 1 to move – move 1")
        program.press("ctrl+z")
        program.wait_for_title("Player 2 wins")

    def test_a_whole_game_by_typing_and_by_arrows(self) -> None:
        program = self.start_for_two()
        program.click(5)
        program.wait_for_moves("b2")
        program.press("b", "2")
        program.press("Left", "Down", "space")
        program.wait_for_moves("b2 b2 a3")
        program.press("Right", "Right", "Up", "Up", "Return")
        program.wait_for_moves("b2 b2 a3 c1")
        for word in WORDS.split()[4:]:
            program.press(*word)
        program.wait_for_title("Player 2 wins")

    def test_menu_keys_are_heard_with_caps_lock_too(self) -> None:
        program = self.start_for_two()
        program.click(0)
        program.wait_for_moves("a1")
        program.press("Caps_Lock", "ctrl+z")
        program.wait_for_moves("")
        program.press("ctrl+y")
        program.wait_for_moves("a1")
        program.press("B", "2", "Caps_Lock")
        program.wait_for_moves("a1 b2")

    def test_killed_in_a_game_and_started_again_it_is_where_it_was(self) -> None:
        program = self.start_for_two()
        for cell in parse_moves(GAME)[:5]:
            program.click(cell)
        program.press("ctrl+z")
        program.wait_for_moves(" ".join(WORDS.split()[:4]))
        program.kill()
        again = self.start()
        again.wait_for_title("Player 1 to move – move 5")
        again.see_cells()
        again.click(11)
        again.press("ctrl+z", "ctrl+z")
        again.wait_for_moves(" ".join(WORDS.split()[:3]))

    def test_ctrl_q_ends_it_with_status_0_and_the_window_comes_back_where_it_was(self) -> None:
        program = self.start_for_two()
        window = program.window()
        self.screen.do("windowsize", "--sync", window, "777", "555")
        program.click(0)
        program.wait_for_moves("a1")
        self.screen.do("windowmove", "--sync", program.window(), "31", "47")
        program.press("ctrl+q")
        self.assertEqual(program.wait_for_end(), 0)
        again = self.start_again()
        again.see_cells()
        geometry = self.screen.do("getwindowgeometry", again.window())
        self.assertIn("777x", geometry)

    def test_ctrl_c_in_the_terminal_ends_an_idle_window(self) -> None:
        program = self.start_for_two()
        time.sleep(0.5)  # nothing happens in the window any more
        program.process.send_signal(signal.SIGINT)
        self.assertEqual(program.wait_for_end(), 130)

    def test_undo_while_the_bot_is_choosing_lets_no_late_move_come(self) -> None:
        folder = self.home.parent
        slow = write_bot(folder, at_go=f"wait_for('go'); {POLITE}", at_start=WAIT_FOR)
        key = Roster(self.home).add_program("Slow", slow, 3600).key
        save_game(self.home, Game(players=(HUMAN, Player(key, ""))))
        program = self.start()
        program.see_cells()
        program.wait_for_title("Your turn")
        program.click(5)
        program.wait_for_title("is choosing")
        program.press("ctrl+z")
        program.wait_for_title("Your turn – move 1")
        (folder / "go").touch()
        time.sleep(0.5)  # its answer must not come
        self.assertIn("Your turn – move 1", program.title())


@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)}")
class WaysToStartTests(PersonTestCase):
    """The same window, however it is started and from wherever."""

    def ways(self) -> dict[str, list[str]]:
        package = PROJECT / "traffic_lights"
        python = sys.executable
        return {
            "the folder": [python, str(package)],
            "__main__.py": [python, str(package / "__main__.py")],
            "play.pyw": [python, str(package / "play.pyw")],
            "play.command": [str(package / "play.command")],
        }

    def test_each_way_opens_the_window_from_the_root_folder_without_any_stream(self) -> None:
        for name, command in self.ways().items():
            with self.subTest(way=name):
                nothing: dict[str, Any] = {
                    "stdin": subprocess.DEVNULL,
                    "stdout": subprocess.DEVNULL,
                    "stderr": subprocess.PIPE,
                }
                program = self.start(command=command, folder=Path("/"), **nothing)
                program.wait_for_title("Your turn")
                program.process.terminate()
                _, errors = program.process.communicate()
                self.assertEqual(errors, b"")

    def test_it_opens_with_streams_that_are_closed(self) -> None:
        code = (
            "import sys; sys.stdin = sys.stdout = sys.stderr = None; "
            "from traffic_lights.__main__ import main; sys.exit(main([]))"
        )
        program = self.start(command=[sys.executable, "-c", code])
        program.wait_for_title("Your turn")
        program.press("ctrl+q")
        self.assertEqual(program.wait_for_end(), 0)

    def test_it_opens_where_nothing_can_be_written_and_says_so(self) -> None:
        self.home.parent.mkdir(exist_ok=True)
        self.home.write_text("a file, where a folder is expected", "utf-8")
        program = self.start(known=False)
        program.see_cells()
        program.click(5)
        program.wait_for_title("Your turn – move 3")


if __name__ == "__main__":
    unittest.main()
