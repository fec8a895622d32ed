"""The longer texts of the terminal mode: help, the list of levels, the statistics."""

from __future__ import annotations

import textwrap
from typing import Final

from traffic_lights.players.ladder import Level
from traffic_lights.session.tally import Tally
from traffic_lights.session.texts import MARKS, counted

HELP: Final = """\
Two players take turns. A move advances one cell by one colour: empty, green,
yellow, red. Red stays. Whoever completes three cells of one colour in a row,
across, down or diagonally, wins at once. It does not matter who placed the others.

A board of dots and letters: . is empty, G green, Y yellow, R red.
Columns are a to d, rows 1 to 3, so b2 is the second cell of the second row.

b2                    play a cell
undo, redo            take back, play again (u, r)
new                   a new game, the same players (n)
new LEVEL [second]    against a bot, you moving first or second
new two               two people; watch LEVEL LEVEL lets two bots play
levels                the opponents; opponent LEVEL changes yours
swap, bot             change seats; let the bot make this move for you
hint                  in three steps (h)
values, why, tell     what each move leads to (v); the last move; every move, on or off
beliefs               what QBot has learned of each move
review                your mistakes: a cell tries, then show, next, previous, leave
go N, back, forward   look back; a cell plays on from there, as does here
board, board words, board grid, moves, statistics
position [TEXT]       the position as text, or play from another
save FILE, open FILE  the record of the game
quit                  leave; so does the end of the input (q)

""" + "\n".join(textwrap.wrap(MARKS, 88))


def levels_text(levels: tuple[Level, ...]) -> str:
    """Return the opponents, one a line, with their scores against Myopic."""
    return "\n".join(f"{level.key}: {_level_text(level)}" for level in levels)


def _level_text(level: Level) -> str:
    if level.problem:
        return f"{level.label} cannot play: {level.problem}."
    score = "Not measured."
    if level.score is not None:
        score = (
            f"Won {level.score.rate:.1%} of {level.score.games:,} games against Myopic, "
            f"{level.score.random_rate:.1%} against Random."
        )
    return f"{level.label}. {level.about} {score}"


def statistics_text(tally: Tally, levels: tuple[Level, ...]) -> str:
    """Return how the person's games ended, one kind of game a line."""
    labels = {level.key: level.label for level in levels}
    lines = [
        f"{labels.get(row.entry.opponent, row.entry.opponent)}, you as Player "
        f"{row.entry.seat + 1}, {'with' if row.entry.is_helped else 'without'} help: "
        f"{counted(row.wins, 'win')}, {row.losses:,} lost."
        for row in tally.rows()
    ]
    return "\n".join(lines) or "No finished games yet."
