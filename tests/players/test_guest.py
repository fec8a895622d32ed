"""Whatever a stranger's program does, it only loses its game. Each guest here is a real process."""

import os
import random
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any

from tests.kit.guests import (
    LONG_S,
    is_running,
    noted_pids,
    wait_until,
    write_guest,
)
from tests.kit.samples import PROJECT
from traffic_lights.board.baselines import RANDOM
from traffic_lights.board.rules import EMPTY_BOARD, parse_board
from traffic_lights.players.bots import ForfeitError, PolicyBot
from traffic_lights.players.guest import MOST_FORFEITS, Guest
from traffic_lights.players.programs import Program
from traffic_lights.players.referee import play_game

BESIDE = "subprocess.Popen([sys.executable, '-c', \"open('pids', 'a').write(str(__import__('os')" \
    ".getpid()) + '\\\\n'); __import__('time').sleep(600)\"], **{})"  # fmt: skip
"""Code that leaves a child, which also notes its number."""
HOSTILE_AT_GO: dict[str, tuple[str, str]] = {
    "an illegal move": ("say('move a1')", r"answered a1, but a1 is red in 3000\d{8}"),
    "no cell": ("say('move e5')", r"answered 'e5', which is no cell"),
    "no cell at all": ("say('move')", r"answered '', which is no cell"),
    "a torn line": ("sys.stdout.write('move b'); sys.stdout.flush(); os._exit(0)",
                    "stopped writing in the middle of a line"),
    "no line end": ("sys.stdout.write('x' * 1_000_000); sys.stdout.flush()",
                    "wrote a line of more than 4,096 characters"),
    "a flood": ("[say('info') for _ in range(10**7)]", "wrote more than 10,000 lines at once"),
    "no ASCII": ("sys.stdout.buffer.write(b'move \\xe9\\x1b[2J\\n'); sys.stdout.flush()",
                 r"wrote text that is not ASCII: 'move \\xe9\\x1b\[2J'"),
    "death": ("os._exit(3)", "ended, with exit status 3"),
}  # fmt: skip


class GuestTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def guest(
        self,
        move_s: float = LONG_S,
        start_s: float = LONG_S,
        leave_s: float = LONG_S,
        **codes: str,
    ) -> Guest:
        command = write_guest(self.folder, **codes)
        guest = Guest(Program(command, move_s=move_s, start_s=start_s), leave_s)
        self.addCleanup(guest.close)
        return guest

    def forfeit(self, guest: Guest, board: str = "300000000001") -> str:
        """Return the sentence with which *guest* forfeits when it has to move in *board*."""
        with self.assertRaises(ForfeitError) as caught:
            guest.choose(parse_board(board))
        return str(caught.exception)

    def assert_all_gone(self, count: int) -> None:
        """Wait until *count* processes were noted, and all are gone."""
        self.assertTrue(wait_until(lambda: len(noted_pids(self.folder)) >= count))
        pids = noted_pids(self.folder)
        self.assertTrue(wait_until(lambda: not any(map(is_running, pids))), "a process is left")


class FairGuestTests(GuestTests):
    def test_one_process_serves_many_games(self) -> None:
        guest, rng = self.guest(), random.Random(7)
        self.assertEqual(guest.meet(), "Polite")
        for _ in range(3):
            game = play_game(guest, PolicyBot(RANDOM, rng))
            self.assertEqual(game.forfeit, "")
        self.assertEqual(len(noted_pids(self.folder)), 1)

    def test_each_game_is_opened_and_each_position_told(self) -> None:
        hear = "with open('heard', 'a') as file: file.write(line)\n    "
        path = self.folder / "guest.py"
        guest = self.guest(move_s=177.0)
        path.write_text(path.read_text().replace("word = line", hear + "word = line"))
        boards = ("000000000000", "100000000001", "000000000001")
        for board in boards:
            guest.choose(parse_board(board))
        guest.close()
        one, two, three = (f"position {board}\ngo 177000\n" for board in boards)
        expected = f"tlp 1\nnew\n{one}{two}new\n{three}quit\n"
        self.assertEqual((self.folder / "heard").read_text(), expected)

    def test_a_name_that_people_gave_counts_more_than_its_own(self) -> None:
        command = write_guest(self.folder)
        guest = Guest(Program(command, "Mine", start_s=LONG_S))
        self.addCleanup(guest.close)
        self.assertEqual(guest.meet(), "Mine")
        self.assertEqual(Guest(Program(command)).name, "guest")

    def test_lines_that_nobody_knows_and_windows_line_ends_are_no_fault(self) -> None:
        guest = self.guest(at_go="say('info deep'); say('move B1 ponder c1\\r')")
        self.assertEqual(guest.choose(EMPTY_BOARD), 1)

    def test_it_is_told_to_quit_and_then_leaves(self) -> None:
        guest = self.guest(at_quit="note('said'); break")
        guest.meet()
        guest.close()
        self.assert_all_gone(1)

    def test_it_runs_in_the_folder_of_its_own_file(self) -> None:
        guest = self.guest()
        guest.meet()
        self.assertEqual(len(noted_pids(self.folder)), 1)


class HostileGuestTests(GuestTests):
    def test_what_it_does_instead_of_moving_forfeits_the_game(self) -> None:
        for name, (code, expected) in HOSTILE_AT_GO.items():
            with self.subTest(guest=name):
                guest = self.guest(at_go=code)
                self.assertRegex(self.forfeit(guest), f"^Polite {expected}$")
                self.assert_all_gone(1)

    @unittest.skipUnless(os.name == "posix", "a number of a file is not all that holds it there")
    def test_closing_the_output(self) -> None:
        guest = self.guest(leave_s=0.1, at_go="os.close(1); time.sleep(600)")
        self.assertEqual(self.forfeit(guest), "Polite closed its output")
        self.assert_all_gone(1)

    def test_no_answer_in_time(self) -> None:
        guest = self.guest(move_s=0.1, at_go="time.sleep(600)")
        guest.meet()
        self.assertEqual(self.forfeit(guest), "Polite did not answer within 0.1 s")
        self.assert_all_gone(1)

    def test_silence_at_the_handshake(self) -> None:
        guest = self.guest(start_s=0.2, at_start="time.sleep(600)")
        self.assertEqual(self.forfeit(guest), "guest did not say ready within 0.2 s of its start")

    def test_death_or_noise_at_the_handshake(self) -> None:
        for code, expected in (
            ("sys.exit(2)", "guest ended, with exit status 2"),
            ("print('x' * 5000)", "guest wrote a line of more than 4,096 characters"),
        ):
            self.assertEqual(self.forfeit(self.guest(at_start=code)), expected)

    def test_moves_that_it_was_not_asked_for_do_not_count(self) -> None:
        guest = self.guest(at_go="say('move b1'); say('move c1'); say('move d1')")
        guest.meet()
        self.assertEqual(guest.choose(EMPTY_BOARD), 1)
        lines: Any = guest._child._lines  # type: ignore[union-attr]
        self.assertTrue(wait_until(lambda: lines.qsize() == 2))
        self.assertEqual(guest.choose(EMPTY_BOARD), 1)

    def test_a_flood_before_it_is_asked(self) -> None:
        guest = self.guest(at_go="say('move b1')\n        while True: say('move b1')")
        guest.choose(EMPTY_BOARD)
        self.assert_all_gone(1)  # nobody reads it any more
        self.assertEqual(self.forfeit(guest), "Polite wrote more than 10,000 lines at once")

    def test_who_never_reads_is_told_no_more(self) -> None:
        # It plays b1 whatever it is told: legal in this position again and again.
        start = "say('ready')\nwhile True: say('move b1'); time.sleep(0.0001)"
        guest = self.guest(leave_s=0.1, at_start=start)
        with self.assertRaisesRegex(ForfeitError, "does not read what it is told|10,000 lines"):
            while True:
                guest.choose(EMPTY_BOARD)

    def test_it_may_write_anything_to_its_standard_error(self) -> None:
        flood = "sys.stderr.write('x' * 500_000 + '\\n\\x1b[2Jlast words\\n'); sys.stderr.flush(); "
        guest = self.guest(at_go=flood + "say('move a1')")
        self.forfeit(guest)
        self.assertEqual(guest.last_words[-1], " [2Jlast words")
        self.assertLess(sum(map(len, guest.last_words)), 5000)

    def test_it_ignores_quit(self) -> None:
        guest = self.guest(leave_s=0.1, at_quit="time.sleep(600)")
        guest.meet()
        guest.close()
        self.assert_all_gone(1)

    def test_its_children_go_with_it(self) -> None:
        for at_go in ("say('move a1')", "os._exit(0)"):
            with self.subTest(at_go=at_go):
                before = len(noted_pids(self.folder))
                guest = self.guest(at_go=at_go, at_start=BESIDE)
                guest.meet()
                self.assertTrue(wait_until(lambda: len(noted_pids(self.folder)) == before + 2))  # noqa: B023
                self.forfeit(guest)
                self.assert_all_gone(before + 2)

    @unittest.skipUnless(sys.platform == "linux", "only Linux hands orphans over")
    def test_its_children_cannot_hide_in_a_session_of_their_own(self) -> None:
        guest = self.guest(at_start=BESIDE.replace("**{}", "start_new_session=True"))
        guest.meet()
        self.assertTrue(wait_until(lambda: len(noted_pids(self.folder)) == 2))
        guest.close()
        self.assert_all_gone(2)

    def test_a_program_that_is_not_there_or_cannot_be_started(self) -> None:
        text = self.folder / "text"
        text.write_text("hello")
        text.chmod(0o755)
        for command, expected in (
            ("", "The program cannot be started: the command is empty"),
            ("'", "The program cannot be started: a quote in the command has no other"),
            ("no-such-program-here --x", "cannot be started: no-such-program-here is not there"),
            (f'"{self.folder / "none"}"', "none is not there"),
            (f'"{text}"', "text cannot be started: "),
        ):
            with self.subTest(command=command):
                self.assertIn(expected, self.forfeit(Guest(Program(command))))

    @unittest.skipUnless(os.name == "posix", "files are executable by their names there")
    def test_a_file_that_is_not_executable(self) -> None:
        text = self.folder / "text"
        text.write_text("hello")
        said = self.forfeit(Guest(Program(f"'{text}'")))
        self.assertEqual(said, f"text cannot be started: {text} cannot be executed")

    def test_after_a_forfeit_a_new_process_plays_on_until_it_was_too_often(self) -> None:
        guest = self.guest(at_go="os._exit(1)")
        said = [self.forfeit(guest) for _ in range(MOST_FORFEITS + 1)]
        self.assertIn("ended", said[MOST_FORFEITS - 1])
        self.assertIn(f"forfeited {MOST_FORFEITS} games in a row", said[MOST_FORFEITS])
        self.assertEqual(len(noted_pids(self.folder)), MOST_FORFEITS)
        self.assertEqual(guest.meet(), "Polite")

    def test_the_referee_gives_the_game_to_the_other(self) -> None:
        guest = self.guest(at_go="say('move c9')")
        game = play_game(PolicyBot(RANDOM, random.Random(7)), guest)
        self.assertEqual((game.winner, len(game.actions)), (0, 1))
        self.assertEqual(game.forfeit, "Polite answered 'c9', which is no cell")

    def test_who_waits_for_it_is_released_when_it_is_closed(self) -> None:
        guest = self.guest(leave_s=0.1, at_go="note('asked'); time.sleep(600)")
        said: list[str] = []
        asking = threading.Thread(target=lambda: said.append(self.forfeit(guest)))
        asking.start()
        self.assertTrue(wait_until((self.folder / "asked").exists))
        guest.close()
        asking.join(LONG_S)
        self.assertEqual(len(said), 1)


class OrphanTests(GuestTests):
    PROGRAM = (
        "import sys, time\n"
        "from traffic_lights.players.guest import Guest\n"
        "from traffic_lights.players.programs import Program\n"
        "guest = Guest(Program(sys.argv[1], start_s=60))\n"
        "print(guest.meet(), flush=True)\n"
        "sys.stdin.read()\n"
    )

    def host(self) -> subprocess.Popen[bytes]:
        """Start a program that has a guest, which ignores its end and has a child."""
        command = write_guest(self.folder, at_start=BESIDE, at_quit="pass\ntime.sleep(600)")
        host = subprocess.Popen(
            [sys.executable, "-c", self.PROGRAM, command],
            cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert host.stdin is not None
        assert host.stdout is not None
        for undo in (host.wait, host.stdin.close, host.stdout.close, host.kill):
            self.addCleanup(undo)
        self.assertEqual(host.stdout.readline().strip(), b"Polite")
        self.assertTrue(wait_until(lambda: len(noted_pids(self.folder)) == 2))
        return host

    def test_a_guest_and_its_children_go_when_the_program_is_killed(self) -> None:
        self.host().kill()
        self.assert_all_gone(2)

    def test_and_when_it_ends_without_a_word(self) -> None:
        host = self.host()
        assert host.stdin is not None
        host.stdin.close()
        self.assertTrue(wait_until(lambda: host.poll() is not None))
        self.assert_all_gone(2)


if __name__ == "__main__":
    unittest.main()
