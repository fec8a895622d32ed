"""The numbered menu of the train command, for users who do not want to learn options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from traffic_lights.board.baselines import BASELINES
from traffic_lights.console.shell import SUCCESS, say
from traffic_lights.system.folders import table_in

Command: TypeAlias = Callable[[Sequence[str]], int]
EXACT = "exact"


def items() -> list[tuple[str, tuple[str, ...]]]:
    """Return each text of the menu with its command, which is empty for Quit."""
    policies = BASELINES.values()
    return [
        *((f"Train against {p.name}", ("train", "--opponent", p.key)) for p in policies),
        ("Train against itself", ("train", "--opponent", "self")),
        ("Train until it is perfect", ("train", "--plan", "reverse")),
        ("Resume the run that was interrupted", ("train", "--resume")),
        *((f"Evaluate against {p.name}", ("evaluate", "--opponent", p.key)) for p in policies),
        ("Evaluate against the exact player", ("evaluate", "--opponent", EXACT)),
        ("Quit", ()),
    ]


def run_menu(
    folder: Path, commands: Mapping[str, Command], ask: Callable[[str], str] = input
) -> int:
    """Offer the menu for the table in *folder* until the user quits; return status 0.

    *commands* are the commands "train" and "evaluate". *ask* prints a question
    and returns the answer; the end of the input quits.
    """
    offered = items()
    while True:
        say(f"\nTraffic Lights: the QBot in {folder}\n")
        for number, (title, _) in enumerate(offered, start=1):
            say(f"{number:4}  {title}")
        try:
            answer = ask(f"\nYour choice, 1 to {len(offered)}: ").strip()
            if answer not in map(str, range(1, len(offered) + 1)):
                say(f"{answer[:40]!r} is not a number from 1 to {len(offered)}.")
                continue
            name, *words = offered[int(answer) - 1][1] or ("quit",)
            if name == "quit":
                return SUCCESS
            if words[0] == "--opponent" and name == "train":
                games = ask("How many games in all? (Return: 100000) ").strip()
                words += ["--games", games or "100000"]
        except (EOFError, KeyboardInterrupt):
            say("")
            return SUCCESS
        words += ["--dir", str(folder)] if name == "train" else ["--table", str(table_in(folder))]
        commands[name](words)
