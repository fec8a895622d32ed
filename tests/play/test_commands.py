"""Which commands apply in each situation, and the sentence of each that does not."""

import unittest
from collections.abc import Callable

from tests.kit.sessions import BOT, OTHER_BOT, do, new_session, play_all
from traffic_lights.board.rules import parse_board
from traffic_lights.play import texts
from traffic_lights.play.commands import COMMANDS, why_not
from traffic_lights.play.game import HUMAN
from traffic_lights.play.lessons import LESSONS
from traffic_lights.play.modes.lesson import LessonMode
from traffic_lights.play.modes.looking_back import go_to
from traffic_lights.play.modes.puzzles import PuzzleMode
from traffic_lights.play.modes.review import Review
from traffic_lights.play.modes.set_up import SetUp
from traffic_lights.play.session import Session
from traffic_lights.play.solving import Attempt


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
    go_to(session, 0)
    return session


def set_up(board: str) -> Session:
    session = played(0)
    session.begin(SetUp(session))
    session.mode.paste_position(parse_board(board))
    return session


def in_review(number: int, *, solved: bool) -> Session:
    """Return the review of a game of two bots with two mistakes."""
    session = new_session(BOT, OTHER_BOT)
    play_all(session, 0, 1, 11, 2)
    session.begin(Review(session))
    do(session, *["next_task"] * number)
    if solved:
        do(session, "reveal")
    return session


def in_puzzle(*, is_todays: bool = False, is_made: bool = True, is_solved: bool = False) -> Session:
    """Return a game with a puzzle in front; *is_made* is true if the next ones are ready."""
    session = played(0, 1)
    start = LESSONS[0].start
    puzzle = Attempt(start, day=session.today if is_todays else "")
    session.begin(PuzzleMode(session, puzzle))
    if is_solved:
        do(session, "reveal")
    if is_made:
        session.next_puzzle = Attempt(start)
        session.todays_puzzle = Attempt(start, day=session.today)
    return session


def in_lesson(number: int, *, is_solved: bool = False) -> Session:
    session = played(0, 1)
    session.begin(LessonMode(session, number))
    while is_solved and not session.mode.is_done:
        do(session, "reveal")
    return session


SITUATIONS: dict[str, Callable[[], Session]] = {
    "a new game": played,
    "a person's turn": lambda: played(0, 1),
    "a bot's turn": lambda: played(0),
    "a bot that failed": with_a_failed_bot,
    "two bots": lambda: of_two_bots(is_paused=False),
    "two paused bots": lambda: of_two_bots(is_paused=True),
    "the start of a game": looking_back,
    "the end of a game with mistakes": lambda: played(0, 1, 11, 2),
    "the solver still works": lambda: played(0, 1, solved=False),
    "set-up": lambda: set_up("000000000001"),
    "set-up of a line": lambda: set_up("111000000000"),
    "the first mistake": lambda: in_review(0, solved=False),
    "the last mistake, solved": lambda: in_review(1, solved=True),
    "a puzzle": in_puzzle,
    "today's puzzle, solved": lambda: in_puzzle(is_todays=True, is_solved=True),
    "a puzzle, and no other is made": lambda: in_puzzle(is_made=False),
    "the first lesson": lambda: in_lesson(0),
    "the last lesson, solved": lambda: in_lesson(len(LESSONS) - 1, is_solved=True),
}


LEAVE = "Leave the puzzle or the lesson first. Your game is waiting."
USUAL = f"""
    undo set_up hint lessons swap first previous leave  –
    redo  There is nothing to redo.
    review  {texts.NO_MISTAKES}
    puzzle todays_puzzle  The next puzzle is being made – one moment…
    reveal next_task  You can do this in a review, a puzzle or a lesson.
    previous_task  You can do this in a review or a lesson.
    pause step  You can do this in a game of two bots.
    resume  No bot is waiting here.
    next last  This is the last move.
    finish_setup clear_setup  You can do this while you set up a position.
"""
"""Commands in a human's turn of a game, and why they do not apply; a dash if they do."""
OTHERS = {
    "a new game": """
        undo  There is nothing to undo.
        review  You can review a game after its first move.
        first previous  This is the start of the game.
    """,
    "a bot's turn": """
        hint  You can ask for a hint when it is your turn.
    """,
    "a bot that failed": """
        hint  You can ask for a hint when it is your turn.
        resume  –
    """,
    "two bots": """
        hint  You can ask for a hint when it is your turn.
        review pause step  –
    """,
    "two paused bots": """
        hint  You can ask for a hint when it is your turn.
        review pause resume step  –
    """,
    "the start of a game": """
        hint  You can ask for a hint when it is your turn.
        review next last  –
        first previous  This is the start of the game.
    """,
    "the end of a game with mistakes": """
        hint  You can ask for a hint when it is your turn.
        review  –
    """,
    "the solver still works": """
        hint review puzzle todays_puzzle lessons  Still solving the game – one moment…
    """,
    "set-up": """
        hint  You can ask for a hint when it is your turn.
        review first previous next last pause step resume  Finish the set-up first, or cancel it.
        finish_setup clear_setup  –
    """,
    "set-up of a line": """
        hint  You can ask for a hint when it is your turn.
        review first previous next last pause step resume  Finish the set-up first, or cancel it.
        finish_setup  A line is already complete here. Change a lamp first.
        clear_setup  –
    """,
    "the first mistake": """
        review reveal next_task pause step next last  –
        previous_task  This is the first mistake.
    """,
    "the last mistake, solved": """
        review previous_task pause step next last  –
        hint reveal  This mistake is solved. Your game is waiting.
        next_task  This is the last mistake.
    """,
    "a puzzle": f"""
        undo redo swap first previous next last pause step resume  {LEAVE}
        puzzle todays_puzzle reveal next_task  –
    """,
    "today's puzzle, solved": f"""
        undo redo swap first previous next last pause step resume  {LEAVE}
        hint reveal  This puzzle is solved. Next shows another.
        puzzle next_task  –
        todays_puzzle  This is today's puzzle.
    """,
    "a puzzle, and no other is made": f"""
        undo redo swap first previous next last pause step resume  {LEAVE}
        reveal  –
        next_task  The next puzzle is being made – one moment…
    """,
    "the first lesson": f"""
        undo redo swap first previous next last pause step resume  {LEAVE}
        reveal next_task  –
        previous_task  This is the first lesson.
    """,
    "the last lesson, solved": f"""
        undo redo swap first previous next last pause step resume  {LEAVE}
        hint reveal  This lesson is done. Now try a puzzle.
        next_task  This is the last lesson. Now try a puzzle.
        previous_task  –
    """,
}
"""What is different in other situations."""


def reasons(text: str) -> dict[str, str]:
    """Return the sentence in *text* for each command that it names."""
    found = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        names, _, reason = line.partition("  ")
        found.update(dict.fromkeys(names.split(), "" if reason == "–" else reason))
    return found


class WhyNotTests(unittest.TestCase):
    def test_every_command_says_why_it_does_not_apply_or_does(self) -> None:
        usual = reasons(USUAL)
        self.assertEqual(set(usual), set(COMMANDS))
        for name, make in SITUATIONS.items():
            expected = usual | reasons(OTHERS.get(name, ""))
            session = make()
            with self.subTest(name):
                found = {command: why_not(command, session) for command in COMMANDS}
                self.assertEqual(found, expected)


class PauseTests(unittest.TestCase):
    def test_pause_pauses_two_bots_and_then_lets_them_play_on(self) -> None:
        session = of_two_bots(is_paused=False)
        for is_paused in (True, False):
            COMMANDS["pause"].act(session)
            self.assertEqual(session.is_paused, is_paused)
            self.assertEqual(session.request_bot() is None, is_paused)


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
