"""Start a command: import and run it, so that Ctrl-C during the import is caught as well."""

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


# The installed scripts call these.
train = partial(start, "train")
evaluate = partial(start, "evaluate")
solve = partial(start, "solve")
engine = partial(start, "engine")
