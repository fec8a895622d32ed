"""The bots and the example of the README are what it says they are: they run."""

from __future__ import annotations

import doctest
import random
import re
import shutil
import tempfile
import unittest
from pathlib import Path

from tests.kit.guests import LONG_S, command_of
from tests.kit.samples import PROJECT
from traffic_lights.board.baselines import MYOPIC
from traffic_lights.players.bots import PolicyBot
from traffic_lights.players.external import ExternalBot, Program
from traffic_lights.players.referee import play_game

README = (PROJECT / "README.md").read_text("utf-8")


def example(language: str) -> str:
    """Return the one example of the README in *language*."""
    (code,) = re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert isinstance(code, str)
    return code


class ReadmeBotTests(unittest.TestCase):
    def plays(self, file_name: str, code: str, command: str) -> str:
        """Have the bot of *code* play some games in both seats; return its name."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            path = Path(folder) / file_name
            path.write_text(code, "utf-8", newline="\n")
            guest = ExternalBot(Program(command.format(path), move_s=LONG_S, start_s=LONG_S))
            try:
                other = PolicyBot(MYOPIC, random.Random(7))
                for pair in ((guest, other), (other, guest)) * 3:
                    self.assertEqual(play_game(*pair).forfeit, "")
                return guest.name
            finally:
                guest.close()

    def test_the_bot_in_python_plays_and_has_ten_lines(self) -> None:
        code = example("python")
        self.assertEqual(len(code.split("\n")) - code.count("\n\n") - 1, 10)
        self.assertEqual(self.plays("bot.py", code, command_of(Path("{}"))), "Ten Lines")

    @unittest.skipUnless(shutil.which("sh"), "there is no shell")
    def test_the_bot_for_a_shell_plays(self) -> None:
        self.assertEqual(self.plays("bot.sh", example("sh"), 'sh "{}"'), "First Lamp")

    def test_the_example_for_researchers_gives_what_it_shows(self) -> None:
        test = doctest.DocTestParser().get_doctest(README, {}, "README", "README.md", 0)
        self.assertGreater(len(test.examples), 10)
        self.assertEqual(doctest.DocTestRunner(verbose=False).run(test).failed, 0)
