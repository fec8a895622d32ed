"""The numbered menu of the train command, for users who do not want to learn options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from traffic_lights.board.baselines import BASELINES
from traffic_lights.console.shell import SUCCESS, say
from traffic_lights.system.folders import table_in

Command: TypeAlias = Callable[[Sequence[str]], int]


def run_menu(
    folder: Path, train: Command, evaluate: Command, ask: Callable[[str], str] = input
) -> int:
    """Offer the menu for the table in *folder* until the user quits; return status 0.

    *ask* prints a question and returns the answer; the end of the input quits.
    """
    here, table = ["--dir", str(folder)], ["--table", str(table_in(folder))]
    opponents = BASELINES.values()
    offered: list[tuple[str, Command, list[str]]] = [
        *((f"Train against {p.name}", train, [*here, "--opponent", p.key]) for p in opponents),
        ("Train against itself", train, [*here, "--opponent", "self"]),
        ("Train until it is perfect", train, [*here, "--plan", "reverse"]),
        ("Resume the run that was interrupted", train, [*here, "--resume"]),
        *((f"Evaluate against {p.name}", evaluate, [*table, "--opponent", p.key])
          for p in opponents),
        ("Evaluate against the exact player", evaluate, [*table, "--opponent", "exact"]),
    ]  # fmt: skip
    while True:
        say(f"\nTraffic Lights: the QBot in {folder}\n")
        for number, title in enumerate([*(title for title, _, _ in offered), "Quit"], start=1):
            say(f"{number:4}  {title}")
        try:
            answer = ask(f"\nYour choice, 1 to {len(offered) + 1}: ").strip()
            if answer not in map(str, range(1, len(offered) + 2)):
                say(f"{answer[:40]!r} is not a number from 1 to {len(offered) + 1}.")
                continue
            if int(answer) > len(offered):
                return SUCCESS
            _, command, words = offered[int(answer) - 1]
            if command is train and "--opponent" in words:
                games = ask("How many games in all? (Return: 100000) ").strip()
                words = [*words, "--games", games or "100000"]
        except (EOFError, KeyboardInterrupt):
            say("")
            return SUCCESS
        command(words)
