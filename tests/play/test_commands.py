"""Which commands apply in each situation, and the sentence of each that does not."""

import unittest
from collections.abc import Callable

from tests.kit.sessions import BOT, OTHER_BOT, do, new_session, play_all, task_of, why_not
from traffic_lights.board.rules import parse_board
from traffic_lights.play.commands import COMMANDS
from traffic_lights.play.game import HUMAN
from traffic_lights.play.lessons import LESSONS
from traffic_lights.play.session import Session
from traffic_lights.play.tasks import puzzle_task


def played(*cells: int, solved: bool = True) -> Session:
    """Return a game of a human against a bot after the moves *cells*."""
    session = new_session(HUMAN, BOT, solved=solved)
    play_all(session, *cells)
    return session


def of_two_bots(*, is_paused: bool) -> Session:
    session = new_session(BOT, OTHER_BOT)
    play_all(session, 0, 1)
    if is_paused:
        session.pause_bots()
    return session


def with_a_failed_bot() -> Session:
    session = played(0)
    request = session.request_bot()
    assert request is not None
    session.fail_bot(request, "it ended")
    return session


def looking_back() -> Session:
    session = played(0, 1, 11, 5)
    session.go_to(0)
    return session


def set_up(board: str) -> Session:
    session = played(0)
    session.set_up(parse_board(board))
    return session


def in_review(number: int, *, solved: bool) -> Session:
    """Return the review of a game of two bots with two mistakes."""
    session = new_session(BOT, OTHER_BOT)
    play_all(session, 0, 1, 11, 2)
    session.review()
    do(session, *["next_task"] * number)
    if solved:
        do(session, "reveal")
    return session


def in_puzzle(*, is_todays: bool = False, is_solved: bool = False) -> Session:
    """Return a game with a puzzle in front."""
    session = played(0, 1)
    start = LESSONS[0].start
    session.begin_tasks((puzzle_task(start, day=session.today if is_todays else ""),))
    if is_solved:
        do(session, "reveal")
    return session


def in_lesson(number: int, *, is_solved: bool = False) -> Session:
    session = played(0, 1)
    session.lessons(number)
    while is_solved and not task_of(session).is_over:
        do(session, "reveal")
    return session


BEGIN = "puzzle todays_puzzle lessons"
"""The commands that begin a task."""
SITUATIONS: dict[str, tuple[Callable[[], Session], str]] = {
    "a new game": (
        played,
        f"hint swap {BEGIN}",
    ),
    "a person's turn": (
        lambda: played(0, 1),
        f"undo hint swap first previous {BEGIN}",
    ),
    "a bot's turn": (
        lambda: played(0),
        f"undo swap first previous {BEGIN}",
    ),
    "a bot that failed": (
        with_a_failed_bot,
        f"undo pause swap first previous {BEGIN}",
    ),
    "two bots": (
        lambda: of_two_bots(is_paused=False),
        f"undo pause step swap first previous review {BEGIN}",
    ),
    "two paused bots": (
        lambda: of_two_bots(is_paused=True),
        f"undo pause step swap first previous review {BEGIN}",
    ),
    "the start of a game": (
        looking_back,
        f"redo hint swap next last review {BEGIN}",
    ),
    "the end of a game with mistakes": (
        lambda: played(0, 1, 11, 2),
        f"undo swap first previous review {BEGIN}",
    ),
    "the solver still works": (
        lambda: played(0, 1, solved=False),
        "undo swap first previous",
    ),
    "set-up": (
        lambda: set_up("000000000001"),
        f"swap finish_setup clear_setup {BEGIN}",
    ),
    "set-up of a line": (
        lambda: set_up("111000000000"),
        f"swap clear_setup {BEGIN}",
    ),
    "the first mistake": (
        lambda: in_review(0, solved=False),
        f"undo hint pause step swap reveal next_task first previous next last review {BEGIN}",
    ),
    "the last mistake, solved": (
        lambda: in_review(1, solved=True),
        f"undo pause step swap previous_task first previous next last review {BEGIN}",
    ),
    "a puzzle": (
        in_puzzle,
        f"hint reveal next_task {BEGIN}",
    ),
    "today's puzzle, solved": (
        lambda: in_puzzle(is_todays=True, is_solved=True),
        "next_task puzzle todays_puzzle lessons",
    ),
    "the first lesson": (
        lambda: in_lesson(0),
        f"hint reveal next_task {BEGIN}",
    ),
    "the last lesson, solved": (
        lambda: in_lesson(len(LESSONS) - 1, is_solved=True),
        f"previous_task next_task {BEGIN}",
    ),
}
"""Each situation, how to get there, and the commands that apply in it besides `ALWAYS`."""
ALWAYS = {"leave", "set_up"}


class WhyNotTests(unittest.TestCase):
    def test_each_command_applies_in_its_situations_and_otherwise_says_why(self) -> None:
        for name, (make, commands) in SITUATIONS.items():
            session = make()
            reasons = {command: why_not(command, session) for command in COMMANDS}
            with self.subTest(name):
                applying = {command for command, reason in reasons.items() if not reason}
                self.assertEqual(applying, ALWAYS | set(commands.split()))
                for reason in filter(None, reasons.values()):
                    self.assertRegex(reason, r"^[A-Z].*[.…]$")


class KeyTests(unittest.TestCase):
    def test_the_keys_that_people_know_stay(self) -> None:
        known = {
            "undo": "Ctrl+Z u", "redo": "Ctrl+Y Ctrl+Shift+Z r", "hint": "F3 h", "review": "F4",
            "puzzle": "F12 p", "next_task": "F6", "previous_task": "Shift+F6", "pause": "Ctrl+P",
            "step": "F5", "first": "Ctrl+Home", "previous": "PageUp", "next": "PageDown",
            "last": "Ctrl+End",
        }  # fmt: skip
        for name, keys in known.items():
            command = COMMANDS[name]
            self.assertEqual(" ".join([*command.keys, command.letter]).strip(), keys)
        used = [key for one in COMMANDS.values() for key in (*one.keys, one.letter) if key]
        self.assertEqual(len(used), len(set(used)))
