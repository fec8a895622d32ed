"""The starts of the commands, which are imported here so that Ctrl-C is caught meanwhile."""

import sys
from functools import partial
from importlib import import_module
from typing import NoReturn


def start(name: str) -> NoReturn:
    """Import the command *name*, run it and leave with its exit status."""
    try:
        status = import_module(f"traffic_lights.{name}").main()
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write(f"{name}: interrupted\n")
        status = 130
    sys.exit(status)


train, evaluate, solve, engine = (
    partial(start, name) for name in ("train", "evaluate", "solve", "engine")
)
"""What the installed scripts call."""
