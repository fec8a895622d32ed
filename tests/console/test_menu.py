"""The menu of the train command."""

import contextlib
import io
import unittest
from collections.abc import Iterator
from pathlib import Path

from traffic_lights.console.menu import run_menu


class MenuTests(unittest.TestCase):
    def choose(self, *answers: str) -> list[list[str]]:
        """Return the commands that the menu runs for *answers*, after which the input ends."""
        called: list[list[str]] = []
        left: Iterator[str] = iter(answers)

        def ask(_question: str) -> str:
            try:
                return next(left)
            except StopIteration:
                raise EOFError from None

        def command(name: str, words: list[str]) -> int:
            called.append([name, *words])
            return 0

        commands = {
            name: lambda words, name=name: command(name, list(words))
            for name in ("train", "evaluate")
        }
        with contextlib.redirect_stdout(io.StringIO()) as self.out:
            self.assertEqual(run_menu(Path("folder"), commands, ask), 0)
        return called

    def test_it_trains_with_the_games_that_were_asked_for(self) -> None:
        for answer, games in (("500", "500"), ("", "100000")):
            self.assertEqual(
                self.choose("3", answer, "11"),
                [["train", "--opponent", "myopic", "--games", games, "--dir", "folder"]],
            )
        self.assertEqual(self.choose("6", "11"), [["train", "--resume", "--dir", "folder"]])

    def test_it_continues_after_nonsense_and_ends_with_the_input(self) -> None:
        nonsense = ("", "0", "12", "-3", "²", "two", "9" * 5000)
        expected = ["evaluate", "--opponent", "random", "--table", str(Path("folder/qtable.json"))]
        self.assertEqual(self.choose(*nonsense, "7"), [expected])
        self.assertEqual(self.out.getvalue().count("is not a number from 1 to 11"), len(nonsense))


if __name__ == "__main__":
    unittest.main()
