"""Programs that play, as a person asks for them: one command, split as a shell would.

It is started without a shell, in the folder of its own file: that is the first
argument that is no option, if it names a file, such as a script for an
interpreter, or the program itself, if it is called without arguments.

>>> split_command("python3 'my bot.py' --deep")
['python3', 'my bot.py', '--deep']
>>> file_name("python3 bots/first.py")
'python3'
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from traffic_lights.system.names import fit_name

_NAMELESS: Final = "The program"


class CommandTextError(ValueError):
    """A text that is no command, or the command of a program that is not there."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program that plays."""

    command: str
    name: str = ""
    """What people call it; empty for what it calls itself."""
    move_s: float = 5.0
    """The seconds that it has for a move."""
    start_s: float = 30.0
    """The seconds that it has to say that it is ready."""


def split_command(command: str) -> list[str]:
    """Return the words of *command*, quotes gone; raise CommandTextError if they make none."""
    try:
        if os.name == "posix":
            words = shlex.split(command)
        else:  # where a backslash parts folders
            words = [word.strip("\"'") for word in shlex.split(command, posix=False)]
    except ValueError:
        raise CommandTextError("a quote in the command has no other") from None
    if not words or not words[0] or "\0" in command:
        raise CommandTextError("the command is empty")
    return words


def located(command: str, here: Path) -> tuple[list[str], Path]:
    """Return the words of *command*, seen from the folder *here*, and the folder to start it in.

    Raise CommandTextError if there is no such program, or it is none.
    """
    words = split_command(command)
    own = _own_file(words, here)
    folder = here
    if Path(words[0]).name != words[0]:
        words[0] = str((here / words[0]).absolute())
    if own is not None:
        words[own] = str((here / words[own]).absolute())
        folder = Path(words[own]).parent
    if shutil.which(words[0]) is None:
        fault = "cannot be executed" if _is_file(Path(words[0])) else "is not there"
        raise CommandTextError(f"{words[0]} {fault}")
    return words, folder


def standing_command(command: str, here: Path) -> str:
    """Return *command* as it can be given from any folder, not only from *here*.

    Raise CommandTextError if there is no such program, or it is none.
    """
    words, _ = located(command, here)
    return shlex.join(words) if os.name == "posix" else " ".join(f'"{word}"' for word in words)


def file_name(command: str) -> str:
    """Return the name of the program's own file in *command*, without its ending, fit for lists."""
    try:
        words = split_command(command)
    except CommandTextError:
        return _NAMELESS
    return fit_name(Path(words[_own_file(words, Path.cwd()) or 0]).stem) or _NAMELESS


def _own_file(words: Sequence[str], here: Path) -> int | None:
    """Return which of *words* is the program's own file, if it has one with a folder."""
    for number, word in enumerate(words[1:], start=1):
        if not word.startswith("-"):
            return number if _is_file(here / word) else None
    return 0 if Path(words[0]).name != words[0] else None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
