"""Write the lines of the lab to ``lab.py``, which an editor or a plain prompt can use.

python3 -m traffic_lights.library.lab
"""

import doctest
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from traffic_lights.console.shell import SUCCESS, CommandError, Parser, command, say

_BLOCK_END = re.compile(r"(?m)^( .*\n)(?=\S)")
"""The last line of an indented block, before a line that is not indented."""


@command("lab")
def main(arguments: Sequence[str]) -> int:
    Parser("library.lab", "Write the lines of the lab to the file lab.py.").parse_args(arguments)
    page = Path(__file__).with_name("LAB.md").read_text("utf-8")
    # A plain prompt takes a block only after an empty line.
    lines = _BLOCK_END.sub(r"\1\n", doctest.script_from_examples(page))
    try:
        with Path("lab.py").open("x", encoding="utf-8") as file:
            file.write(lines)
    except FileExistsError:
        raise CommandError("lab.py is here already: rename it, or choose another folder") from None
    say("The lines of the lab are in lab.py.")
    return SUCCESS


if __name__ == "__main__":
    sys.exit(main())
