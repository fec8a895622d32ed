"""One game: an immutable value, and the record as text that players save, copy and paste.

A record has a first line, headers, an empty line, and the moves in rounds. A game that starts with
the second player's move opens with ``1...``. People pass records on through chats, mails and web
pages, so `parse_pasted` finds one anywhere in a text, whatever stands around it.

>>> game = Game(actions=(5, 6, 0), players=(HUMAN, Player("qbot", "QBot")))
>>> game.mover, game.winner, game.has_person
(1, None, True)
>>> print(format_record(game), end="")
Traffic Lights 1
Player 1: human
Player 2: QBot [qbot]
<BLANKLINE>
1. b2 c2 2. a1
>>> parse_record(format_record(game)) == game
True
"""

import re
import textwrap
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from itertools import takewhile
from typing import Any, Final, TypeAlias

from traffic_lights.board.rules import (
    CELLS,
    COLOUR_LETTERS,
    COLUMNS,
    EMPTY_BOARD,
    STEPS,
    Action,
    RulesError,
    State,
    format_board,
    format_cell,
    is_terminal,
    mover,
    parse_board,
    parse_cell,
    play,
)
from traffic_lights.players.roster import KEY
from traffic_lights.storage.words import fit_name, whole_number

FIRST_LINE: Final = "Traffic Lights 1"
LONGEST_TEXT: Final = 10_000
"""A record or position has at most so many characters; longer texts are refused unread."""


@dataclass(frozen=True, slots=True)
class Player:
    """The player of one seat: a human, or a bot of the roster."""

    bot: str | None = None
    """The key of the bot; None for a human."""
    name: str = ""
    """The name of the bot or the human; empty for a human who has not given one."""

    @property
    def is_human(self) -> bool:
        """Whether this is a human player."""
        return self.bot is None


HUMAN: Final = Player()
Players: TypeAlias = tuple[Player, Player]
"""The players of seat 0, which moves in states of even ply, and of seat 1."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game as it stands, with the help counted."""

    start: State = EMPTY_BOARD
    """A state that is not terminal."""
    actions: tuple[Action, ...] = ()
    """Every move, legal in its turn."""
    players: Players = (HUMAN, HUMAN)
    hints: int = 0
    """In how many positions a hint was asked for."""
    takebacks: int = 0
    """How often a human played another move in the place of one."""
    values_seen: bool = False
    """Whether the values of the moves were shown while a human had to choose."""
    day: str = ""
    """When the game began, as YYYY-MM-DD; empty if unknown."""
    counts: bool = True
    """Whether its result still has to be counted, which a game that was opened never has."""

    @property
    def is_helped(self) -> bool:
        """Whether a human had help: hints, values, or moves taken back."""
        return bool(self.hints or self.takebacks or self.values_seen)

    @property
    def state(self) -> State:
        """The position after all moves."""
        return self.state_at(len(self.actions))

    @property
    def mover(self) -> int:
        """The seat whose turn it is, 0 or 1; after the end, the one that would move next."""
        return mover(self.start) ^ len(self.actions) & 1

    def state_at(self, index: int) -> State:
        """Return the state after the first *index* actions, from 0 to len(actions)."""
        return self.start + sum(STEPS[action] for action in self.actions[:index])

    @property
    def is_over(self) -> bool:
        """Whether the last move completed a line."""
        return is_terminal(self.state)

    @property
    def winner(self) -> int | None:
        """Return the seat that made the last move of a finished game; None before."""
        return 1 - self.mover if self.is_over else None

    @property
    def has_person(self) -> bool:
        """Whether at least one of the two players is human."""
        return any(player.is_human for player in self.players)


# --- notation ---


def format_moves(start: State, actions: tuple[Action, ...]) -> str:
    """Return the *actions* from *start* as text in rounds, on one line: ``1. b2 c2 2. a1``."""
    words = []
    if actions and mover(start) == 1:
        words.append("1...")
    for index, action in enumerate(actions, mover(start)):
        if index % 2 == 0:
            words.append(f"{index // 2 + 1}.")
        words.append(format_cell(action))
    return " ".join(words)


def format_record(game: Game) -> str:
    """Return *game* as text that people and `parse_record` can read."""
    headers = {
        "Player 1": format_seat(game.players[0]),
        "Player 2": format_seat(game.players[1]),
        "Date": game.day,
        "Start": "" if game.start == EMPTY_BOARD else format_position(game.start),
        "Hints": game.hints,
        "Moves taken back": game.takebacks,
        "Values shown": int(game.values_seen),
        "Result": "" if game.winner is None else f"Player {game.winner + 1} wins",
    }
    lines = [FIRST_LINE]
    lines += [f"{name}: {value}" for name, value in headers.items() if value]
    lines.append("")
    lines += textwrap.wrap(format_moves(game.start, game.actions), 72, break_long_words=False)
    return "\n".join(lines) + "\n"


def format_position(state: State) -> str:
    """Return the position as three rows of digits: ``0000/0100/0000``."""
    digits = format_board(state)
    return f"{digits[:COLUMNS]}/{digits[COLUMNS:-COLUMNS]}/{digits[-COLUMNS:]}"


def format_seat(player: Player) -> str:
    """Return *player* as records name it: ``human``, ``Anna [human]`` or ``QBot [qbot]``."""
    key = player.bot or "human"
    name = fit_name(player.name)
    if player.is_human and not name:
        return key
    return f"{name or key} [{key}]"


# --- reading: RulesError says what is wrong with a text ---

_MOVE: Final = r"[A-Da-d][1-3](?!\w)"
_LIKE_A_MOVE: Final = r"[A-Za-z][0-9]"
_FIRST_MOVE: Final = rf"\W*(?:[0-9]+\W+)?{_MOVE}"
"""The start of a line of moves."""
_COMMENT: Final = re.compile(rf"\{{[^}}]*\}}|\([^)]*\)|<[^>]*>|;(?!{_FIRST_MOVE}).*")
"""A part of a list of moves that is none: also a tag of a page, and the rest of a line after ;."""
_LINE_OF_MOVES: Final = re.compile(rf"[\W_0-9]*({_LIKE_A_MOVE}|$)|\W*[0-9]+ ?[.)]")
_ROW: Final = r"[0-3](?:[ ,]*[0-3]){3}"
_POSITION: Final = re.compile(rf"(?<!\d){_ROW}(?:[\s/|,\[\]]*{_ROW}){{2}}(?!\d)")
_LAMP: Final = re.compile(rf"(?<!\S)[{re.escape(COLOUR_LETTERS)}](?!\S)")


def parse_pasted(text: str) -> Game | State:
    """Return the game or position that is anywhere in *text*: a record, moves, or a position."""
    text = tidied(text)
    if FIRST_LINE in text:
        return parse_record(text)
    if _POSITION.search(text) or _LAMP.search(text):
        return parse_position(text)
    first = re.search(rf"(?<!\w){_MOVE}", text)
    if first is None:
        raise RulesError(f"{text[:40]!r} is neither a game nor a position of Traffic Lights")
    return Game(actions=parse_moves(text[first.start() :]))


def parse_record(text: str) -> Game:
    """Return the game whose record is in *text*; raise RulesError if there is none."""
    _, first_line, rest = tidied(text).partition(FIRST_LINE)
    if not first_line:
        raise RulesError(f"this is not a game record: it has no line {FIRST_LINE!r}")
    headers: dict[str, Any] = {}
    if "\n" not in rest.strip():  # a field of one line has joined them
        rest = _START_OF_LINE.sub("\n", rest)
    lines = rest.split("\n")
    while lines and not re.match(_FIRST_MOVE, lines[0]):
        name, _, value = lines.pop(0).partition(":")
        if name.strip("* _") in _HEADERS:
            headers[name.strip("* _")] = _header(name, value.strip("* _"))
    if rest and not headers and not lines:
        raise RulesError(f"there is neither a player nor a move after {FIRST_LINE!r}")
    start = headers.get("Start", EMPTY_BOARD)
    return Game(
        start=start,
        actions=parse_moves("\n".join(lines), start),
        players=(headers.get("Player 1", HUMAN), headers.get("Player 2", HUMAN)),
        hints=headers.get("Hints", 0),
        takebacks=headers.get("Moves taken back", 0),
        values_seen=bool(headers.get("Values shown", 0)),
        day=headers.get("Date", ""),
    )


def parse_moves(text: str, start: State = EMPTY_BOARD) -> tuple[Action, ...]:
    """Return the moves at the start of a text such as ``1. b2 c2! 2. a1``.

    Numbers, marks and comments do not matter, nor does what follows the last move or line of moves.
    """
    state = start
    actions: list[Action] = []
    lines = takewhile(_LINE_OF_MOVES.match, _COMMENT.sub(" ", text).split("\n"))
    words = re.findall(r"[^\W_]+", "\n".join(lines))
    while words and not re.fullmatch(_LIKE_A_MOVE, words[-1]):
        words.pop()
    moves = [word for word in words if not word.isdecimal()]
    for number, word in enumerate(moves, 1):
        if is_terminal(state):
            raise RulesError(f"move {number}, {word!r}, follows the end of the game")
        try:
            actions.append(parse_cell(word))
            state = play(state, actions[-1])
        except RulesError as error:
            raise RulesError(f"move {number}: {error}") from None
    return tuple(actions)


def parse_position(text: str) -> State:
    """Return the position in a text: twelve digits in rows, or a drawing of the board."""
    text = tidied(text)
    lamps = _LAMP.findall(text)
    if found := _POSITION.search(text):
        return parse_board(re.sub(r"\D", "", found[0]))
    if len(lamps) == CELLS:
        return parse_board("".join(str(COLOUR_LETTERS.index(lamp)) for lamp in lamps))
    return parse_board(text)


def tidied(text: str) -> str:
    """Return *text* with plain blanks, without invisible signs, empty lines and quote marks."""
    if len(text) > LONGEST_TEXT:
        raise RulesError(
            f"this text has {len(text):,} characters; a game has at most {LONGEST_TEXT:,}"
        )
    visible = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    lines = [
        " ".join(line.lstrip(">|*•–- \t\xa0").rstrip("*").split()) for line in visible.splitlines()
    ]
    return "\n".join(line for line in lines if line.strip("`"))


def _header(name: str, value: str) -> Any:
    parse, expected = _HEADERS[name]
    try:
        parsed = parse(value)
    except ValueError:
        parsed = None
    if parsed is None:
        raise RulesError(f"{name!r} is {value[:40]!r}; expected {expected}")
    return parsed


def _parse_seat(text: str) -> Player | None:
    # A name and a key in brackets; both may have brackets too, if it is a bot of the user.
    match = re.fullmatch(rf"(.+?) \[({KEY.pattern})\]", text)
    if match is None:
        return HUMAN if text == "human" else None
    key = match[2]
    name = fit_name(match[1]) or key
    return Player(name=name) if key == "human" else Player(key, name)


def _parse_start(text: str) -> State | None:
    start = parse_position(text)
    return None if is_terminal(start) else start


_SEAT: Final = (_parse_seat, "'human' or a bot such as 'QBot [qbot]'")
_COUNT: Final = (lambda text: whole_number(text, 0, 9999), "a number from 0 to 9999")
_HEADERS: Final[dict[str, tuple[Callable[[str], Any], str]]] = {
    "Player 1": _SEAT,
    "Player 2": _SEAT,
    "Date": (lambda text: date.fromisoformat(text).isoformat(), "a day such as 2026-01-31"),
    "Start": (_parse_start, "a position of 12 digits without a line of one colour"),
    "Hints": _COUNT,
    "Moves taken back": _COUNT,
    "Values shown": _COUNT,
}
"""What is read of a record; other lines, such as the result, are for people."""
_START_OF_LINE: Final = re.compile(rf" (?=(?:{'|'.join(_HEADERS)}|Result): |1\W+{_MOVE})")
