"""A game as text: the record that people save, copy and paste.

The record is a small text: a first line, headers, an empty line, the moves in
rounds. A game that starts with the second player's move opens with ``1...``.

>>> game = Game(actions=(5, 6, 0), players=(HUMAN, Player("qbot", "QBot")))
>>> print(format_record(game), end="")
Traffic Lights 1
Player 1: human
Player 2: QBot [qbot]
<BLANKLINE>
1. b2 c2 2. a1
>>> parse_record(format_record(game)) == game
True

Reading is strict: whatever is not understood is refused with one sentence
that names the line. Windows line ends are accepted.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import replace
from datetime import date
from typing import Any, Final

from traffic_lights.board.rules import (
    CELLS,
    COLUMNS,
    EMPTY_BOARD,
    STATE_CODES,
    Action,
    BoardTextError,
    CellNameError,
    IllegalActionError,
    State,
    format_board,
    format_cell,
    is_terminal,
    mover,
    parse_board,
    parse_cell,
    play,
)
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.system.names import fit_name

FIRST_LINE: Final = "Traffic Lights 1"
LONGEST_TEXT: Final = 10_000
"""No record or position has more characters; longer texts are refused unread."""
_LINE_WIDTH: Final = 72
_LONGEST_NAME: Final = 60
_BOT_SEAT: Final = re.compile(r"(.+) \[([a-z0-9][a-z0-9-]{0,39}|bot:.{1,40})\]")
"""A name and a key in brackets; both may have brackets too, if it is a bot of the user."""
_COUNT: Final = re.compile(r"[0-9]{1,4}")
_MOVE_NUMBER: Final = re.compile(r"([0-9]{1,3})(\.{3}|\.)")


class RecordError(ValueError):
    """A text that is no game or position; one plain sentence for people."""


def format_moves(start: State, actions: tuple[Action, ...]) -> str:
    """Return the *actions* from *start* as text in rounds, on one line: ``1. b2 c2 2. a1``."""
    words: list[str] = []
    for index, action in enumerate(actions, mover(start)):
        if index % 2 == 0:
            words.append(f"{index // 2 + 1}.")
        elif not words:
            words.append("1...")
        words.append(format_cell(action))
    return " ".join(words)


def format_record(game: Game) -> str:
    """Return the record of *game*."""
    lines = [FIRST_LINE]
    lines += [f"Player {seat + 1}: {_seat_text(game.players[seat])}" for seat in (0, 1)]
    if game.day:
        lines.append(f"Date: {game.day}")
    if game.start != EMPTY_BOARD:
        lines.append(f"Start: {format_position(game.start)}")
    if game.hints:
        lines.append(f"Hints: {game.hints}")
    if game.takebacks:
        lines.append(f"Moves taken back: {game.takebacks}")
    if game.bot_moves:
        lines.append(f"Moves by a bot: {game.bot_moves}")
    if game.winner is not None:
        lines.append(f"Result: Player {game.winner + 1} wins")
    lines.append("")
    moves = format_moves(game.start, game.actions)
    lines += textwrap.wrap(moves, _LINE_WIDTH, break_long_words=False) if moves else []
    return "\n".join(lines) + "\n"


def _seat_text(player: Player) -> str:
    if player.bot is None:
        return "human"
    return f"{fit_name(player.name, _LONGEST_NAME) or player.bot} [{player.bot}]"


def parse_record(text: str) -> Game:
    """Return the game that a record describes; the number of hints keeps no positions.

    Raise RecordError if any line is not understood, any move illegal, or the
    result another than the moves have.
    """
    lines = _lines_of(text)
    if not lines or lines[0].strip() != FIRST_LINE:
        raise RecordError(f"this is no game record: its first line must be {FIRST_LINE!r}")
    headers, first_move_line = _parse_headers(lines)
    start = _parse_start(headers)
    players = (_parse_seat(headers, "Player 1"), _parse_seat(headers, "Player 2"))
    actions = parse_moves(" ".join(lines[first_move_line:]), start)
    game = Game(
        start=start,
        actions=actions,
        players=players,
        hinted=_anonymous_hints(_parse_count(headers, "Hints")),
        takebacks=_parse_count(headers, "Moves taken back"),
        bot_moves=_parse_count(headers, "Moves by a bot"),
        day=_parse_day(headers),
    )
    _check_result(headers, game)
    return game


def _lines_of(text: str) -> list[str]:
    if len(text) > LONGEST_TEXT:
        raise RecordError(
            f"this text has {len(text):,} characters; a game has at most {LONGEST_TEXT:,}"
        )
    return text.removeprefix("\ufeff").strip().replace("\r\n", "\n").replace("\r", "\n").split("\n")


_HEADERS: Final = (
    "Player 1",
    "Player 2",
    "Date",
    "Start",
    "Hints",
    "Moves taken back",
    "Moves by a bot",
    "Result",
    "Redo",
)


def _parse_headers(lines: list[str]) -> tuple[dict[str, str], int]:
    """Return the headers and the number of the line after the empty one that ends them."""
    headers: dict[str, str] = {}
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            return headers, number
        name, colon, value = line.partition(":")
        name = name.strip()
        if not colon or name not in _HEADERS:
            raise RecordError(
                f"line {number} of the record is no header: {line.strip()[:40]!r}; an empty "
                "line must stand before the moves"
            )
        if name in headers:
            raise RecordError(f"line {number} of the record gives {name!r} a second time")
        headers[name] = value.strip()
    return headers, len(lines)


def _parse_start(headers: dict[str, str]) -> State:
    if "Start" not in headers:
        return EMPTY_BOARD
    start = parse_position(headers["Start"])
    if is_terminal(start):
        raise RecordError(f"the game is over in its start position, {headers['Start'][:20]}")
    return start


def _parse_seat(headers: dict[str, str], name: str) -> Player:
    text = headers.get(name, "human")
    if text == "human":
        return HUMAN
    match = _BOT_SEAT.fullmatch(text)
    if match is None:
        raise RecordError(
            f"{name} is {text[:40]!r}; expected 'human' or a bot such as 'QBot [qbot]'"
        )
    return Player(match[2], fit_name(match[1], _LONGEST_NAME) or match[2])


def _parse_count(headers: dict[str, str], name: str) -> int:
    text = headers.get(name, "0")
    if not _COUNT.fullmatch(text):
        raise RecordError(f"{name!r} is {text[:40]!r}; expected a number from 0 to 9999")
    return int(text)


def _anonymous_hints(count: int) -> tuple[tuple[State, int], ...]:
    # Not states of any game, so no later hint is taken for one of these.
    return tuple((-1 - number, 3) for number in range(count))


def _parse_day(headers: dict[str, str]) -> str:
    text = headers.get("Date", "")
    if text:
        try:
            if date.fromisoformat(text).isoformat() != text:
                raise ValueError
        except ValueError:
            raise RecordError(
                f"'Date' is {text[:40]!r}; expected a day such as 2026-01-31"
            ) from None
    return text


def _check_result(headers: dict[str, str], game: Game) -> None:
    actual = "none" if game.winner is None else f"Player {game.winner + 1} wins"
    claimed = headers.get("Result", actual)
    if claimed != actual:
        raise RecordError(
            f"the record's result is {claimed[:40]!r}, but by its moves it is {actual!r}"
        )


def parse_moves(text: str, start: State = EMPTY_BOARD) -> tuple[Action, ...]:
    """Return the moves of a text such as ``1. b2 c2 2. a1``.

    The numbers may be missing, or count single moves as the terminal does: ``1. b2 2. c2 3. a1``.
    Raise RecordError if a word is no cell, a number is out of order, a move is illegal or follows
    the end of the game.
    """
    words: list[str] = []
    for word in re.sub(r"([0-9]\.)(?=[A-Da-d])", r"\1 ", text).split():
        number = _MOVE_NUMBER.fullmatch(word)
        if number is None:
            words.append(word)
            continue
        index = len(words) + mover(start)
        dots = "." if index % 2 == 0 else "..."
        said = (int(number[1]), number[2])
        if said not in ((index // 2 + 1, dots), (len(words) + 1, ".")):
            raise RecordError(
                f"the move number {word!r} is out of place; expected '{index // 2 + 1}{dots}'"
            )
    return _play_words(words, start)


def _play_words(words: list[str], state: State) -> tuple[Action, ...]:
    """Return the actions that *words* name, each played in its turn from *state*."""
    actions: list[Action] = []
    for number, word in enumerate(words, 1):
        if is_terminal(state):
            raise RecordError(f"move {number}, {word[:40]!r}, follows the end of the game")
        try:
            action = parse_cell(word)
            state = play(state, action)
        except (CellNameError, IllegalActionError) as error:
            raise RecordError(f"move {number}: {error}") from None
        actions.append(action)
    return tuple(actions)


def format_position(state: State) -> str:
    """Return the position as people copy it: three rows of digits, ``0000/0100/0000``."""
    text = format_board(state)
    return "/".join(text[row : row + COLUMNS] for row in range(0, CELLS, COLUMNS))


def parse_position(text: str) -> State:
    """Return the position of a text: 12 digits, the rows apart by ``/``, blanks or line ends.

    Raise RecordError otherwise. A finished position is accepted.
    """
    words = text.removeprefix("\ufeff").split()
    try:
        return parse_board("/".join(words) if len(words) == 3 else "".join(words))
    except BoardTextError as error:
        raise RecordError(str(error)) from None


def parse_pasted(text: str) -> Game | State:
    """Return what a pasted text holds: a game record, a bare list of moves, or a position.

    Raise RecordError if it is none of them.
    """
    stripped = "\n".join(_lines_of(text)).strip()
    if stripped.startswith("Traffic Lights"):
        return parse_record(stripped)
    if not stripped:
        raise RecordError("there is no text to paste")
    if re.fullmatch(r"[0-9/\s]+", stripped):
        return parse_position(stripped)
    if re.match(r"1\.|[A-Da-d][1-3]\b", stripped):
        actions = parse_moves(stripped)
        return Game(actions=actions)
    raise RecordError(f"{stripped[:40]!r} is neither a game nor a position of Traffic Lights")


def game_to_plain(game: Game) -> dict[str, Any]:
    """Return *game* as plain values for a JSON file, nothing left out."""
    return {
        "record": format_record(game),
        "hinted": [[state, step] for state, step in game.hinted],
        "line_of": game.identity,
        "values_seen": game.values_seen,
        "counted": game.is_counted,
        "unrated": game.is_unrated,
        "since": game.since,
    }


def game_from_plain(plain: Any) -> Game:
    """Return the game that `game_to_plain` made *plain* of; raise RecordError otherwise."""
    if not isinstance(plain, dict) or not isinstance(plain.get("record"), str):
        raise RecordError("a saved game must be an object with its 'record'")
    game = parse_record(plain["record"])
    hinted = plain.get("hinted", [])
    is_list = isinstance(hinted, list) and len(hinted) == game.hints
    if not is_list or not all(_is_hint(pair) for pair in hinted):
        raise RecordError("the hints of a saved game do not fit its record")
    identity, since = plain.get("line_of"), plain.get("since")
    return replace(
        game,
        identity=identity if type(identity) is int else 0,
        hinted=tuple((state, step) for state, step in hinted),
        values_seen=plain.get("values_seen") is True,
        is_counted=plain.get("counted") is True,
        is_unrated=plain.get("unrated") is True,
        since=min(max(since, 0), len(game.actions)) if type(since) is int else 0,
    )


def _is_hint(pair: Any) -> bool:
    return (
        isinstance(pair, list)
        and [type(number) for number in pair] == [int, int]
        and -LONGEST_TEXT <= pair[0] < STATE_CODES
        and pair[1] in (1, 2, 3)
    )
