"""Commands that people copy from the screen into their shell, and that must work there.

A name may hold what the screen cannot show: letters that the locale does not
know, or bytes that are no text at all. Shown as question marks it would name
another file, so then the shell itself is asked to write it, with printf and
the octal numbers of its bytes (POSIX).
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path


def shell_word(name: str | Path, encoding: str = "") -> str:
    """Return *name* as one word of the system's shell that a screen with *encoding* can show.

    Without *encoding* it is the one of the streams.
    """
    text = str(name)
    if os.name == "nt":
        return subprocess.list2cmdline([text])
    if all(_can_show(text, known) for known in ([encoding] if encoding else _encodings())):
        return shlex.quote(text)
    shown = "".join(map(_escaped, os.fsencode(text)))
    return f"\"$(printf '{shown}')\""


def _encodings() -> list[str]:
    streams = (sys.stdout, sys.stderr)
    return [getattr(stream, "encoding", None) or "utf-8" for stream in streams]


def _can_show(text: str, encoding: str) -> bool:
    if not text.isprintable():
        return False
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _escaped(byte: int) -> str:
    """Return *byte* as printf takes it between the shell's single quotes."""
    is_plain = 32 <= byte < 127 and chr(byte) not in "'\\%-"
    return chr(byte) if is_plain else f"\\{byte:03o}"


def python() -> str:
    """Return what starts this Python: its name if the shell finds it by that, else its path.

    The name is ``python`` in most shells, and ``python3`` where there is no other.
    """
    here = Path(sys.executable or "python3")
    for name in ("python", "python3", here.name):
        found = shutil.which(name)
        if found is not None and os.path.realpath(found) == os.path.realpath(here):
            return name
    return shell_word(here)


def module_command(module: str, *words: str | Path) -> str:
    """Return the command that runs *module* of this program with *words*, in this folder."""
    name = f"traffic_lights.{module}" if module else "traffic_lights"
    # A path that begins like an option would be taken for one.
    safe = (Path.cwd() / w if isinstance(w, Path) and str(w)[:1] == "-" else w for w in words)
    return " ".join([python(), "-m", name, *map(shell_word, safe)])


def play_command(*words: str) -> str:
    """Return the command that starts the game with *words*, in whatever folder one is."""
    home = Path(__file__).resolve().parents[2]
    if home == Path.cwd():
        return module_command("", *words)
    # The folder of the package, or the one file that it was bundled into.
    start = home if home.is_file() else home / "traffic_lights"
    return " ".join([python(), shell_word(start), *words])
