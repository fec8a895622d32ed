"""The menu of the train command."""

import contextlib
import io
import unittest
from pathlib import Path
from unittest import mock

from traffic_lights.console.menu import run_menu


class MenuTests(unittest.TestCase):
    def choose(self, *answers: str) -> list[mock._Call]:
        """Return the commands that the menu runs for *answers*, after which the input ends."""
        commands, ask = mock.Mock(), mock.Mock(side_effect=[*answers, EOFError])
        with contextlib.redirect_stdout(io.StringIO()) as self.out:
            status = run_menu(Path("folder"), commands.train, commands.evaluate, ask)
        self.assertEqual(status, 0)
        return commands.mock_calls

    def test_it_trains_with_the_games_that_were_asked_for(self) -> None:
        here = ["--dir", "folder"]
        for answer, games in (("500", "500"), ("", "100000")):
            words = [*here, "--opponent", "myopic", "--games", games]
            self.assertEqual(self.choose("3", answer, "11"), [mock.call.train(words)])
        self.assertEqual(self.choose("6", "11"), [mock.call.train([*here, "--resume"])])

    def test_it_continues_after_nonsense_and_ends_with_the_input(self) -> None:
        nonsense = ("", "0", "12", "-3", "²", "two", "9" * 5000)
        words = ["--table", str(Path("folder/qtable.json")), "--opponent", "random"]
        self.assertEqual(self.choose(*nonsense, "7"), [mock.call.evaluate(words)])
        self.assertEqual(self.out.getvalue().count("is not a number from 1 to 11"), len(nonsense))


if __name__ == "__main__":
    unittest.main()
