"""One game: an immutable value, and the record as text that players save, copy and paste.

A record has a first line, headers, an empty line, and the moves in rounds. A game
that starts with the second player's move opens with ``1...``.

>>> game = Game(actions=(5, 6, 0))
>>> game.played(0).actions, game.until(1).actions, game.mover
((5, 6, 0, 0), (5,), 1)
>>> game = Game(actions=(5, 6, 0), players=(HUMAN, Player("qbot", "QBot")))
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
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final, Self, TypeAlias

from traffic_lights.board.rules import (
    COLOUR_LETTERS,
    COLUMN_NAMES,
    COLUMNS,
    EMPTY_BOARD,
    ROWS,
    STATE_CODES,
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
from traffic_lights.storage.kinds import (
    MOST,
    Absent,
    Flag,
    Lines,
    ListOf,
    OrNone,
    Record,
    Whole,
)
from traffic_lights.storage.words import fit_name, whole_number

FIRST_LINE: Final = "Traffic Lights 1"
_DRAWING: Final = " ".join(COLUMN_NAMES) + "".join(rf"\n{row + 1} (.+)" for row in range(ROWS))
"""What `draw_board` makes of a position, without the blanks before its lines."""
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
    hinted: tuple[tuple[State, int], ...] = ()
    """The states for which a hint was asked, and the last step given, 1 to 3."""
    takebacks: int = 0
    """How often a human took a move back."""
    values_seen: bool = False
    """Whether the values of the moves were shown while a human had to choose."""
    bot_moves: int = 0
    """How many moves a bot chose for a human."""
    day: str = ""
    """When the game began, as YYYY-MM-DD; empty if unknown."""
    is_counted: bool = False
    """Whether its result is already in the statistics."""
    counted_winner: int | None = None
    """The seat that won it there, which can differ after undo; None if it is unknown."""
    is_unrated: bool = False
    """Whether its result must never count: it was opened, or a seat changed during the game."""
    has_changed_players: bool = False
    """Whether others sat there for some of its moves."""

    @property
    def is_helped(self) -> bool:
        """Return whether a human had help: hints, values, moves taken back or by a bot."""
        return bool(self.hinted or self.takebacks or self.bot_moves or self.values_seen)

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

    def played(self, action: Action) -> Self:
        """Return the game with *action* as its next move, which is not checked here."""
        return replace(self, actions=(*self.actions, action))

    def until(self, index: int) -> Self:
        """Return the game as it was after its first *index* moves."""
        return replace(self, actions=self.actions[:index])


# --- notation: a reader raises RulesError if anything in the text is wrong ---


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
        "Hints": len(game.hinted),
        "Moves taken back": game.takebacks,
        "Moves by a bot": game.bot_moves,
        "Result": "" if game.winner is None else f"Player {game.winner + 1} wins",
    }
    lines = [FIRST_LINE]
    lines += [f"{name}: {value}" for name, value in headers.items() if value]
    lines.append("")
    lines += textwrap.wrap(format_moves(game.start, game.actions), 72, break_long_words=False)
    return "\n".join(lines) + "\n"


def parse_record(text: str) -> Game:
    """Return the game that `format_record` made *text* of; raise RulesError otherwise.

    How far each hint went is not in a record, so hints that were taken have places that no
    position has.
    """
    head, _, moves = _tidied(text).partition("\n\n")
    first, *lines = head.split("\n")
    if first != FIRST_LINE:
        raise RulesError(f"this is not a game record: its first line must be {FIRST_LINE!r}")
    headers = _parse_headers(lines)
    start = headers.get("Start", EMPTY_BOARD)
    return Game(
        start=start,
        actions=parse_moves(moves, start),
        players=(headers.get("Player 1", HUMAN), headers.get("Player 2", HUMAN)),
        # Negative numbers are not states, so a later hint is never mistaken for one of these.
        hinted=tuple((-1 - number, 3) for number in range(headers.get("Hints", 0))),
        takebacks=headers.get("Moves taken back", 0),
        bot_moves=headers.get("Moves by a bot", 0),
        day=headers.get("Date", ""),
    )


def _tidied(text: str) -> str:
    """Return *text* with plain line ends and without blanks around its lines."""
    if len(text) > LONGEST_TEXT:
        raise RulesError(
            f"this text has {len(text):,} characters; a game has at most {LONGEST_TEXT:,}"
        )
    return "\n".join(map(str.strip, text.removeprefix("\ufeff").strip().splitlines()))


def _parse_headers(lines: list[str]) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    for number, line in enumerate(lines, 2):
        name, _, value = (part.strip() for part in line.partition(":"))
        if name not in _HEADERS:
            raise RulesError(
                f"line {number} of the record is not a header: {line[:40]!r}; an empty line must "
                "stand before the moves"
            )
        parse, expected = _HEADERS[name]
        try:
            parsed = parse(value)
        except ValueError:
            parsed = None
        if parsed is None:
            raise RulesError(f"{name!r} is {value[:40]!r}; expected {expected}")
        headers[name] = parsed
    return headers


def _parse_seat(text: str) -> Player | None:
    # A name and a key in brackets; both may have brackets too, if it is a bot of the user.
    match = re.fullmatch(rf"(.+?) \[({KEY.pattern})\]", text)
    if match is None:
        return HUMAN if text == "human" else None
    key = match[2]
    name = fit_name(match[1]) or key
    if key == "human":
        return Player(name=name)
    return Player(key, name)


def _parse_start(text: str) -> State | None:
    start = parse_position(text)
    return None if is_terminal(start) else start


def format_seat(player: Player) -> str:
    """Return *player* as records name it: ``human``, ``Anna [human]`` or ``QBot [qbot]``."""
    key = player.bot or "human"
    name = fit_name(player.name)
    if player.is_human and not name:
        return key
    return f"{name or key} [{key}]"


_SEAT: Final = (_parse_seat, "'human' or a bot such as 'QBot [qbot]'")
_COUNT: Final = (lambda text: whole_number(text, 0, 9999), "a number from 0 to 9999")
_HEADERS: Final[dict[str, tuple[Callable[[str], Any], str]]] = {
    "Player 1": _SEAT,
    "Player 2": _SEAT,
    "Date": (lambda text: date.fromisoformat(text).isoformat(), "a day such as 2026-01-31"),
    "Start": (_parse_start, "a position of 12 digits without a line of one colour"),
    "Hints": _COUNT,
    "Moves taken back": _COUNT,
    "Moves by a bot": _COUNT,
    "Result": (str, ""),  # for people: the moves have it
}


def parse_moves(text: str, start: State = EMPTY_BOARD) -> tuple[Action, ...]:
    """Return the moves of a text such as ``1. b2 c2 2. a1``, whatever its numbers count."""
    state = start
    actions: list[Action] = []
    words = re.sub(r"\b[0-9]{1,3}\.(\.\.)?(?=\s|[A-Da-d]|$)", " ", text).split()
    for number, word in enumerate(words, 1):
        if is_terminal(state):
            raise RulesError(f"move {number}, {word[:40]!r}, follows the end of the game")
        try:
            actions.append(parse_cell(word))
            state = play(state, actions[-1])
        except RulesError as error:
            raise RulesError(f"move {number}: {error}") from None
    return tuple(actions)


def format_position(state: State) -> str:
    """Return the position as three rows of digits: ``0000/0100/0000``."""
    digits = format_board(state)
    return f"{digits[:COLUMNS]}/{digits[COLUMNS:-COLUMNS]}/{digits[-COLUMNS:]}"


def parse_position(text: str) -> State:
    """Return the position of a text: 12 digits, rows separated by ``/``, spaces or line ends."""
    words = text.removeprefix("\ufeff").split()
    separator = "/" if len(words) == 3 else ""
    return parse_board(separator.join(words))


def parse_pasted(text: str) -> Game | State:
    """Return the game or position in a pasted text: a record, moves, a position or a puzzle.

    A position may be a drawing, as the text mode prints it.
    """
    text = _tidied(text)
    if (puzzle := parse_puzzle(text)) is not None:
        return puzzle
    if text.startswith("Traffic Lights"):
        return parse_record(text)
    if re.fullmatch(r"[0-9/\s]+", text):
        return parse_position(text)
    if drawing := re.fullmatch(_DRAWING, text):
        letters = "".join(drawing.groups()).replace(" ", "")
        return parse_board(letters.translate(str.maketrans(COLOUR_LETTERS, "0123")))
    if re.match(r"1\.|[A-Da-d][1-3]\b", text):
        return Game(actions=parse_moves(text))
    raise RulesError(f"{text[:40]!r} is neither a game nor a position of Traffic Lights")


def parse_puzzle(text: str) -> State | None:
    """Return the position of a puzzle that a player has shared; None in other texts.

    Version 1.3 shared it in one line, with the task and the position in brackets.
    """
    shared = r"(?si)Traffic Lights.{1,300}win (?:at once|in \d+): ([0-3/]{14})\)?"
    found = re.fullmatch(shared, text.strip())
    return None if found is None else parse_position(found[1])


_HINT: Final = ListOf(Whole(-MOST, STATE_CODES - 1), 2)
"""A state, or a number that is none, and the last step of its hints."""
_PLAIN: Final = Record(
    {
        "record": Lines(LONGEST_TEXT),
        "hinted": ListOf(_HINT),
        "values_seen": Absent(Flag(), False),
        "counted": Absent(Flag(), False),
        "counted_winner": Absent(OrNone(Whole(0, 1)), None),
        "unrated": Absent(Flag(), False),
        "changed_players": Absent(Flag(), False),
    }
)


def game_to_plain(game: Game) -> dict[str, Any]:
    """Return *game* as plain values for a JSON file, nothing left out."""
    return {
        "record": format_record(game),
        "hinted": [[state, step] for state, step in game.hinted],
        "values_seen": game.values_seen,
        "counted": game.is_counted,
        "counted_winner": game.counted_winner,
        "unrated": game.is_unrated,
        "changed_players": game.has_changed_players,
    }


def game_from_plain(plain: Any) -> Game:
    """Return the game that `game_to_plain` made *plain* of.

    Raise KindError or RulesError if it is not such a game.
    """
    values = _PLAIN.check(plain)
    game = parse_record(values["record"])
    return replace(
        game,
        hinted=values["hinted"],
        values_seen=values["values_seen"],
        is_counted=values["counted"],
        counted_winner=values["counted_winner"],
        is_unrated=values["unrated"],
        has_changed_players=values["changed_players"],
    )
