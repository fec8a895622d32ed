"""What it costs to play through pipes: ``python -m tests.bench.external_bots [GAMES]``.

Random plays itself inside, and as an external bot in Python and, where there is a
compiler, in C: games a second, and the processor time of this process for each
move that it asks for. Each figure is the best of three runs on this machine.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.kit.external_bots import command_of
from traffic_lights.board.baselines import RANDOM
from traffic_lights.players.bots import Bot, PolicyBot, play_game
from traffic_lights.players.external import ExternalBot, Program

GAMES = 3000
IN_PYTHON = """\
import random, sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == "tlp":
        print("ready", flush=True)
    elif word == "position":
        free = [cell for cell in range(12) if rest[0][cell] != "3"]
    elif word == "go":
        cell = random.choice(free)
        print("move", "abcd"[cell % 4] + "123"[cell // 4], flush=True)
"""
IN_C = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char line[256], board[13] = "";
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "tlp", 3)) puts("ready");
        else if (!strncmp(line, "position ", 9)) memcpy(board, line + 9, 12);
        else if (!strncmp(line, "go", 2)) {
            int cell;
            do cell = rand() % 12; while (board[cell] == '3');
            printf("move %c%c\\n", "abcd"[cell % 4], "123"[cell / 4]);
        }
        fflush(stdout);
    }
}
"""


def measure(name: str, bot: Bot, games: int) -> None:
    """Print how fast *bot* plays Random, and what each of its moves costs this process."""
    best_s, best_move_s = float("inf"), float("inf")
    for _ in range(3):
        other, moves = PolicyBot(RANDOM, random.Random(1)), 0
        started_s, used_s = time.perf_counter(), time.process_time()
        for number in range(games):
            game = play_game(*((bot, other) if number % 2 else (other, bot)))
            assert not game.forfeit, game.forfeit
            moves += len(game.actions) // 2
        best_s = min(best_s, time.perf_counter() - started_s)
        best_move_s = min(best_move_s, (time.process_time() - used_s) / moves)
    print(f"{name:10} {games / best_s:10,.0f} games/s {1e6 * best_move_s:8.1f} µs a move here")


def main() -> None:
    """Measure and print."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    measure("inside", PolicyBot(RANDOM, random.Random(2)), games)
    with tempfile.TemporaryDirectory() as folder:
        script, source, program = (Path(folder) / name for name in ("bot.py", "bot.c", "bot"))
        script.write_text(IN_PYTHON)
        commands = {"in Python": command_of(script)}
        if shutil.which("cc"):
            source.write_text(IN_C)
            subprocess.run(["cc", "-O2", "-o", str(program), str(source)], check=True)
            commands["in C"] = str(program)
        for name, command in commands.items():
            bot = ExternalBot(Program(command))
            measure(name, bot, games)
            bot.close()


if __name__ == "__main__":
    main()
