"""The longer texts of the terminal mode: help, the list of levels, the statistics."""

from __future__ import annotations

import textwrap
from itertools import groupby
from typing import Final

from traffic_lights.pictures.shares import exact_percent, percent_done
from traffic_lights.players.roster import Entry, Group, Roster
from traffic_lights.session.texts import MARKS
from traffic_lights.system.words import counted
from traffic_lights.userdata.statistics import Record, Statistics

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
step, play            two bots that wait: one move, or all the others
levels                the opponents; opponent LEVEL changes yours
swap, bot             change seats; let the bot make this move for you
hint                  in three steps (h)
values, why, tell     what each move leads to (v); the last move; every move, on or off
beliefs               what the bot at the board has learned of each move
review                your mistakes: a cell tries, then show, next, previous, leave
go N, back, forward   look back; a cell plays on from there, as does here
board, board words, board grid, moves, statistics
position [TEXT]       the position as text, or play from another
save FILE, open FILE  the record of the game
quit                  leave; so does the end of the input (q)

""" + "\n".join(textwrap.wrap(MARKS, 88))

SHORT: Final = {
    "h": "hint",
    "u": "undo",
    "r": "redo",
    "n": "new",
    "q": "quit",
    "exit": "quit",
    "?": "help",
    "v": "values",
}
"""What may be typed in place of a command."""


def players_text(roster: Roster) -> str:
    """Return every player that a game can be played against, under the heading of its kind."""
    lines: list[str] = []
    for group, entries in groupby(roster.entries(), lambda entry: entry.group):
        lines += [f"{group.value}:", *(f"  {_player_text(entry)}" for entry in entries)]
    return "\n".join(lines)


def _player_text(entry: Entry) -> str:
    """Return one player's line: ``myopic: Myopic. Wins if it can … 50.0 % against Myopic.``."""
    text = entry.name if entry.group in (Group.OWN, Group.PROGRAM) else f"{entry.key}: {entry.name}"
    if entry.problem:
        return f"{text} cannot play: {entry.problem}."
    if entry.score is not None:
        return f"{text}. {entry.about} Wins {exact_percent(entry.score.rate)} against Myopic."
    return f"{text}. {entry.about}".strip()


def statistics_text(statistics: Statistics, roster: Roster) -> str:
    """Return how the person's games ended, one opponent a line."""
    names = {entry.key: entry.name for entry in roster.entries()}
    lines = [_record_text(record, names) for record in statistics.records()]
    return "\n".join(lines) or "No finished games of yours against a bot yet."


def _record_text(record: Record, names: dict[str, str]) -> str:
    """Return one opponent's line: ``Myopic: 3 wins, 1 lost (75 %), 2 wins in a row …``."""
    name = names.get(record.opponent, record.name)
    share = percent_done(record.wins, record.wins + record.losses)
    text = f"{name}: {counted(record.wins, 'win')}, {record.losses:,} lost ({share})"
    if record.wins > record.unhelped:
        text += f", {record.wins - record.unhelped:,} with help"
    now = counted(record.streak, "win") if record.streak > 0 else f"{-record.streak:,} lost"
    return f"{text}; {now} in a row, most wins in a row {record.longest:,}{_days(record)}."


def _days(record: Record) -> str:
    if not record.first_day:
        return ""
    return f"; first on {record.first_day}, last on {record.last_day}"
