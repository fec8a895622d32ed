"""Kill the train command: `python3 -m tests.bench.kills N`.

After N kills at random moments it prints how many runs ended with other bytes than an undisturbed
one, lost games that were saved, or were refused.
"""

import random
import sys
import tempfile
from pathlib import Path

from tests.kit.kills import COMMANDS, courses, kill


def main() -> int:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    with tempfile.TemporaryDirectory() as name:
        known = courses(Path(name))
        for course in kill(wanted, known, random.Random(wanted)):
            print(f"{sum(one.kills for one in known):5} kills, {course.name}", flush=True)
    kills = sum(one.kills for one in known)
    problems = [problem for one in known for problem in one.problems]
    print(*problems, sep="\n")
    print(f"{kills} kills of {len(COMMANDS)} commands: {len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
