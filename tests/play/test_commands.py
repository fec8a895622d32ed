"""Which commands apply in each situation, and the sentence of each that does not."""

import unittest

from tests.kit.sessions import after, why_not
from traffic_lights.play.commands import COMMANDS

BEGIN = "puzzle todays_puzzle lessons"
"""The commands that begin a task."""
SITUATIONS = {
    "": f"hint swap {BEGIN}",
    "0 1": f"undo hint swap first previous {BEGIN}",
    "0": f"undo swap first previous {BEGIN}",
    "0 fails": f"undo pause swap first previous {BEGIN}",
    "bots 0 1": f"undo pause step swap first previous review {BEGIN}",
    "bots 0 1 pause": f"undo pause step swap first previous review {BEGIN}",
    "0 1 11 5 first": f"redo hint swap next last review {BEGIN}",
    "0 1 11 2": f"undo swap first previous review {BEGIN}",
    "unsolved 0 1": "undo swap first previous",
    "0 000000000001": f"swap finish_setup clear_setup {BEGIN}",
    "0 111000000000": f"swap clear_setup {BEGIN}",
    "bots 0 1 11 2 review":
        f"undo hint pause step swap reveal next_task first previous next last review {BEGIN}",
    "bots 0 1 11 2 review next_task solve":
        f"undo pause step swap previous_task first previous next last review {BEGIN}",
    "0 1 puzzle": f"hint reveal next_task {BEGIN}",
    "0 1 todays_puzzle solve": f"next_task {BEGIN}",
    "0 1 lessons": f"hint reveal next_task {BEGIN}",
    "0 1 lessons next_task next_task next_task next_task solve":
        f"previous_task next_task {BEGIN}",
}  # fmt: skip
"""What leads to each situation, and the commands that apply in it besides `ALWAYS`."""
ALWAYS = {"leave", "set_up"}


class WhyNotTests(unittest.TestCase):
    def test_each_command_applies_in_its_situations_and_otherwise_says_why(self) -> None:
        for words, commands in SITUATIONS.items():
            session = after(words)
            reasons = {command: why_not(command, session) for command in COMMANDS}
            with self.subTest(words):
                applying = {command for command, reason in reasons.items() if not reason}
                self.assertEqual(applying, ALWAYS | set(commands.split()))
                for reason in filter(None, reasons.values()):
                    self.assertRegex(reason, r"^[A-Z].*[.…]$")


class KeyTests(unittest.TestCase):
    def test_the_keys_that_people_know_stay(self) -> None:
        self.assertTrue(all(COMMANDS[name].is_begin for name in BEGIN.split()))
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
