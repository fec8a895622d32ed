"""The numbered text menu of the trainer: everything that a person needs, without an option."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from traffic_lights.board.baselines import BASELINES
from traffic_lights.console.shell import SUCCESS, run, say
from traffic_lights.players.contestants import EXACT
from traffic_lights.system.folders import table_in

Command: TypeAlias = Callable[[Sequence[str]], int]
Offered: TypeAlias = tuple[str, tuple[str, ...]]
"""What is offered, and the command that it stands for; none for Quit."""


def items() -> list[Offered]:
    """Return what the menu offers, in order."""
    policies = BASELINES.values()
    return [
        *((f"Train against {p.name}", ("train", "--opponent", p.key)) for p in policies),
        ("Train against itself", ("train", "--opponent", "self")),
        ("Train until it is perfect", ("train", "--programme", "reverse")),
        ("Resume the run that was interrupted", ("train", "--resume")),
        *((f"Evaluate against {p.name}", ("evaluate", "--opponent", p.key)) for p in policies),
        ("Evaluate against the exact player", ("evaluate", "--opponent", EXACT)),
        ("Quit", ()),
    ]


def run_menu(
    folder: Path, commands: Mapping[str, Command], ask: Callable[[str], str] = input
) -> int:
    """Offer the menu for the table in *folder* until the person quits; return status 0.

    *commands* holds what "train" and "evaluate" do with their arguments. *ask*
    prints a question and returns the answer; the end of input quits.
    """
    offered = items()
    while True:
        say(f"\nTraffic Lights: the QBot in {folder}\n")
        for number, (title, _) in enumerate(offered, start=1):
            say(f"{number:4}  {title}")
        try:
            answer = ask(f"\nYour choice, 1 to {len(offered)}: ").strip()
            words = _chosen(offered, answer, ask)
        except (EOFError, KeyboardInterrupt):
            say("")
            return SUCCESS
        if words is None:
            say(f"{answer[:40]!r} is not a number from 1 to {len(offered)}.")
        elif not words:
            return SUCCESS
        else:
            _carry_out(words, folder, commands)


def _chosen(offered: Sequence[Offered], answer: str, ask: Callable[[str], str]) -> list[str] | None:
    """Return the command that *answer* chooses, [] for Quit, None if it chooses nothing."""
    number = answer.lstrip("0")
    if number not in map(str, range(1, len(offered) + 1)):
        return None
    words = list(offered[int(number) - 1][1])
    if words[:2] == ["train", "--opponent"]:
        games = ask("How many games is the run to have in all? (Return: 100000) ").strip()
        words += ["--games", games or "100000"]
    return words


def _carry_out(words: list[str], folder: Path, commands: Mapping[str, Command]) -> None:
    """Run the command *words* on *folder*; what goes wrong is said, and the menu goes on."""
    name, *arguments = words
    if name == "train":
        run(name, commands[name], [*arguments, "--dir", str(folder)])
    else:
        run(name, commands[name], [*arguments, "--table", str(table_in(folder))])
