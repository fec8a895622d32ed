"""The conversation of the text mode: a line in, sentences out, without input or output of its own.

Each command is described once, by the decorator `command` above its method; the help
is made from those descriptions. Any other line is read as cells to play.

>>> from traffic_lights.players.roster import Roster
>>> game = TextGame(Session(lambda: 0.0), Roster(), print)
>>> game.obey("new two") and game.obey("b2")
    a b c d
  1 . . . .
  2 . . . .
  3 . . . .
Player 1 to move
    a b c d
  1 . . . .
  2 . G . .
  3 . . . .
Player 2 to move
True
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from traffic_lights.board.rules import (
    Action,
    CellNameError,
    draw_board,
    format_cell,
    is_terminal,
    parse_cell,
)
from traffic_lights.pictures.shares import exact_percent, percent_done
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.players.roster import Entry, Group, Roster, offer_after
from traffic_lights.session import learned, notation, texts
from traffic_lights.session.notation import RecordError
from traffic_lights.session.session import BotRequest, Outcome, Phase, Session
from traffic_lights.storage.files import StorageError, read_text, write_atomically
from traffic_lights.system.folders import parse_path
from traffic_lights.system.words import counted
from traffic_lights.userdata.settings import Settings
from traffic_lights.userdata.statistics import Record, Statistics
from traffic_lights.userdata.store import UserData

RULES: Final = """\
Two players take turns. A move switches one lamp to its next colour: empty, green,
yellow, red. Red lamps never change. If your move completes three lamps of one colour
in a row, across, down or diagonally, you win. It does not matter who lit the others.

A board of dots and letters: . is empty, G green, Y yellow, R red.
Columns are a to d, rows 1 to 3, so b2 is the second lamp of the second row."""
NOTHING_TO_RATE: Final = "This position has no moves to rate."
NOBODY_NAMED: Final = "Name a player, such as 'myopic'; players lists them."

Method: TypeAlias = Callable[["TextGame", list[str]], None]


class TextCommand(NamedTuple):
    """One command of the text mode."""

    method: Method
    usage: str
    about: str


COMMANDS: Final[dict[str, TextCommand]] = {}
"""Every command by its name and its short name, in the order of the help."""


def command(usage: str, about: str, short: str = "") -> Callable[[Method], Method]:
    """Make a method of `TextGame` the command that is the first word of *usage*."""

    def register(method: Method) -> Method:
        shown = f"{about} ({short})" if short else about
        for name in filter(None, (usage.split()[0], short)):
            COMMANDS[name] = TextCommand(method, usage, shown)
        return method

    return register


class TextGame:
    """One game under way; every answer is passed to *write*.

    *data* saves the game after every move; without it, nothing is saved.
    """

    def __init__(
        self,
        session: Session,
        roster: Roster,
        write: Callable[[str], None],
        data: UserData | None = None,
        settings: Settings | None = None,
    ) -> None:
        self.session = session
        self._roster = roster
        self._write = write
        self._data = data
        self._settings = settings or Settings()
        self._statistics = data.statistics if data is not None else Statistics()
        self._comments = self._settings.tell_me
        self._in_words = False
        self._has_left = False

    def begin(self) -> None:
        """Continue the saved game, or begin one against the opponent of the settings."""
        self._write("Traffic Lights. Type a cell such as b2, or help.")
        if self._data is not None and self._data.restore_session(self.session):
            self._write("You continue your saved game.")
        else:
            try:
                self._new_against(self._settings.opponent, is_second=False)
            except PlayerError as error:
                self._write(f"{error}. You play both sides; players lists the opponents.")
        self._go_on()

    def obey(self, line: str) -> bool:
        """Do what *line* asks; return False if that is to leave."""
        words = line.split()
        if words:
            found = COMMANDS.get(words[0].lower())
            try:
                if found is not None:
                    found.method(self, words[1:])
                else:
                    self._play_cells(words)
            except (PlayerError, RecordError, StorageError) as error:
                self._write(f"{error}.")
        return not self._has_left

    # Moves

    def _play_cells(self, words: list[str]) -> None:
        """Play the cells in *words*, one after the other, until one is refused."""
        try:
            cells = [parse_cell(word) for word in words if not word.rstrip(".").isdigit()]
        except CellNameError:
            self._write(f"I do not understand {' '.join(words)[:40]!r}. Type a cell, or help.")
            return
        for cell in cells:
            if not self._play(cell):
                break
        self._show()

    def _play(self, cell: Action) -> bool:
        """Play one cell and the bots' answers; return whether it was accepted."""
        outcome = self.session.play(cell)
        # The board that follows shows the result of a review, and that two bots wait.
        is_shown = outcome in (Outcome.SOLVED, Outcome.TRY_AGAIN) or self.session.is_paused
        if not is_shown and (text := texts.outcome_text(outcome, self.session, cell)):
            self._write(text)
        if outcome not in (Outcome.PLAYED, Outcome.PLAYED_ON):
            return False
        self._comment()
        self._move_bots()
        return True

    def _comment(self) -> None:
        verdict = self.session.verdict()
        if self._comments and verdict is not None:
            self._write(texts.judged_text(verdict, self.session.players))

    def _go_on(self) -> None:
        """Let every bot move that has to, and show the board."""
        self._move_bots()
        self._show()

    def _move_bots(self) -> None:
        """Let every bot move that has to, and save before each, because Ctrl+C may follow."""
        self._save()
        while (request := self.session.request_bot()) is not None:
            self._move_bot(request)
            self._save()

    def _move_bot(self, request: BotRequest) -> None:
        key = request.player.bot or ""
        try:
            action = self._roster.choose(key, request.state)
        except PlayerError as error:
            self.session.fail_bot(request.token, str(error))
            self._write(f"{error}. Choose another opponent, or undo; players lists them.")
            return
        self.session.answer_bot(request.token, action)
        if self._roster.is_guessing(key, request.state):
            name = request.player.name
            self._write(f"{name} has nothing stored for this position, so it is guessing.")
        # A bot that moves for the player may have played another move than it chose.
        played = format_cell(self.session.game.actions[-1])
        self._write(f"{request.player.name} plays {played}.")
        self._comment()

    def _save(self) -> None:
        finished = self.session.take_result()
        if finished is not None:
            self._roster.end_game(finished)
            if self._data is None:
                self._statistics.add_game(finished)
            else:
                self._data.count_result(finished)
        if self._data is None:
            return
        self._data.save_session(self.session)
        while trouble := self._data.take_trouble():
            self._write(trouble)

    def _show(self) -> None:
        """Show the board and what is to be done."""
        session, state = self.session, self.session.state
        self._write(texts.board_in_words(state) if self._in_words else draw_board(state))
        self._write(texts.banner(session))
        if session.phase is Phase.OVER:
            self._write(texts.result_text(session.game))
            if mistakes := texts.mistakes_text(session):
                self._write(f"{mistakes} Type review to find the better moves.")
            self._offer()
        elif (review := session.review) is not None:
            what_next = " Type leave." if review.is_last else " Type next, or leave."
            self._write(texts.review_text(session) + review.is_solved * what_next)
        elif session.is_paused and session.phase is Phase.BOT_TURN:
            self._write(texts.PAUSED)

    def _offer(self) -> None:
        key, streak = self._statistics.streak_after(self.session.game)
        offer = offer_after(self._roster.levels(), key, streak)
        if offer is not None:
            self._write(f"{offer.text} Type new {offer.level.key}.")

    def _changed(self, has_changed: bool, otherwise: str) -> None:
        if has_changed:
            self._go_on()
        else:
            self._write(otherwise)

    # Games and players

    def _bot(self, name: str) -> Player:
        """Return the bot called *name*; raise PlayerError if there is none that can play."""
        entry = self._roster.named(name)
        self._roster.bot(entry.key)
        return Player(entry.key, entry.name)

    def _new_against(self, name: str, is_second: bool) -> None:
        bot = self._bot(name)
        self.session.new_game((bot, HUMAN) if is_second else (HUMAN, bot))
        self._write(f"You play against {bot.name}. {self._roster.named(name).about}".strip())

    @command("new [PLAYER [second]]", "a new game; against PLAYER, you moving first or second", "n")
    def new(self, words: list[str]) -> None:
        is_second = words[-1:] == ["second"]
        name = " ".join(words[:-1] if is_second else words)
        if name == "two":
            self.session.new_game((HUMAN, HUMAN))
        elif name:
            self._new_against(name, is_second)
        else:
            self.session.new_game()
        self._go_on()

    @command("watch A, B", "two bots play; new two is a game of two people")
    def watch(self, words: list[str]) -> None:
        line = " ".join(words)
        names = [name.strip() for name in line.split(",")] if "," in line else words
        if len(names) != 2:
            self._write("Name two players, such as 'watch myopic, random'.")
            return
        self.session.new_game((self._bot(names[0]), self._bot(names[1])))
        self._go_on()

    @command("play", "two bots that wait play on, or a bot that failed tries again")
    def play(self, _: list[str]) -> None:
        self._resume(self.session.resume_bots)

    @command("step", "two bots that wait make one move")
    def step(self, _: list[str]) -> None:
        self._resume(self.session.step_bots)

    def _resume(self, resume: Callable[[], None]) -> None:
        if self.session.is_paused or self.session.failure:
            resume()
            self._go_on()
        else:
            self._write("No bot is waiting here.")

    @command("players", "everyone you can play against", "levels")
    def players(self, _: list[str]) -> None:
        lines: list[str] = []
        for group, entries in groupby(self._roster.entries(), lambda entry: entry.group):
            lines += [f"{group.value}:", *(f"  {_player_text(entry)}" for entry in entries)]
        self._write("\n".join(lines))

    @command("opponent PLAYER", "play on against PLAYER")
    def opponent(self, words: list[str]) -> None:
        if not words:
            self._write(NOBODY_NAMED)
            return
        self.session.play_against(self._bot(" ".join(words)))
        self._go_on()

    @command("swap", "change seats")
    def swap(self, _: list[str]) -> None:
        if self.session.game.is_over:
            self._write("The game is over: type new for another.")
            return
        one, other = self.session.players
        self.session.set_players((other, one))
        self._go_on()

    @command("bot [PLAYER]", "your opponent, or PLAYER, makes this move for you")
    def bot(self, words: list[str]) -> None:
        bots = learned.bots_at_board(self.session.players, self.session.mover)
        bot = self._bot(" ".join(words)) if words else next(iter(bots), None)
        if bot is None:
            self._write(NOBODY_NAMED)
        else:
            self._changed(self.session.play_for_me(bot), "It is not your move.")

    # Undo and looking back

    @command("undo", "take a move back, against a bot a full round", "u")
    def undo(self, _: list[str]) -> None:
        self._take_back(self.session.undo, texts.NOTHING_TO_UNDO, texts.GAME_BEFORE)

    @command("redo", "play again what was taken back", "r")
    def redo(self, _: list[str]) -> None:
        self._take_back(self.session.redo, texts.NOTHING_TO_REDO, texts.GAME_AFTER)

    def _take_back(self, take: Callable[[], bool], nothing: str, other_game: str) -> None:
        game = self.session.game.identity
        self._changed(take(), nothing)
        if self.session.game.identity != game:
            self._write(other_game)

    @command("go N", "look at the position after N moves; also go back, go on")
    def go(self, words: list[str]) -> None:
        match words:
            case ["back"]:
                self.session.step(-1)
            case ["on"]:
                self.session.step(1)
            case [number] if number.isdecimal():
                self.session.go_to(int(number[:3]))
            case _:
                self._write("Type a number of moves, such as 'go 7'.")
                return
        self._show()

    @command("leave", "return to the game from looking back or a review")
    def leave(self, _: list[str]) -> None:
        self._changed(self.session.leave(), "You are in the game already.")

    # Help

    @command("hint", "help in three steps", "h")
    def hint(self, _: list[str]) -> None:
        hint = self.session.hint()
        self._save()
        self._write(texts.NO_HINT_HERE if hint is None else texts.hint_text(hint))

    @command("values", "what each move leads to with best play", "v")
    def values(self, _: list[str]) -> None:
        moves = self.session.ranked_moves()
        if not moves:
            self._write(NOTHING_TO_RATE)
            return
        self.session.note_values_seen()
        self._save()
        self._write(texts.values_text(moves))

    @command("learned", "what the bot of this game has learned about each move")
    def learned(self, _: list[str]) -> None:
        session = self.session
        if is_terminal(session.state) or session.hides_truth:
            self._write(NOTHING_TO_RATE)
            return
        for bot in learned.bots_at_board(session.players, session.mover):
            if (table := self._roster.table(bot.bot or "")) is not None:
                self._write(learned.learned_text(table, session.state))
                self._write(learned.legend(bot.name, table, session.state))
                return
        self._write(learned.NOTHING_LEARNED)

    @command("why", "the verdict on the last move")
    def why(self, _: list[str]) -> None:
        verdict = self.session.verdict()
        if verdict is None:
            self._write("This position has no last move to judge.")
            return
        self._write(texts.judged_text(verdict, self.session.players))
        if verdict.replies:
            self._write(f"Best play from here: {texts.line_of_play(verdict.replies)}.")

    @command("comment", "a verdict after every move, on or off", "tell")
    def comment(self, _: list[str]) -> None:
        self._comments = not self._comments
        self._write(f"Comments after each move are {'on' if self._comments else 'off'}.")

    @command("review", "go through your mistakes; a cell tries a better move")
    def review(self, _: list[str]) -> None:
        self._changed(self.session.begin_review(), texts.no_review_text(self.session))

    @command("show", "the solution of the mistake")
    def show(self, _: list[str]) -> None:
        self.session.reveal()
        self._show()

    @command("next", "the next mistake")
    def next(self, _: list[str]) -> None:
        self._step_review(1, texts.REVIEW_COMPLETE)

    @command("previous", "the mistake before")
    def previous(self, _: list[str]) -> None:
        self._step_review(-1, texts.NO_EARLIER_MISTAKE)

    def _step_review(self, steps: int, otherwise: str) -> None:
        is_in_review = self.session.review is not None
        self._changed(
            self.session.step_review(steps), otherwise if is_in_review else "Type review first."
        )

    # Texts and files

    @command("board [words|grid]", "the board, from now on in words or drawn")
    def board(self, words: list[str]) -> None:
        if words in (["words"], ["grid"]):
            self._in_words = words == ["words"]
        self._show()

    @command("moves", "the moves of this game")
    def moves(self, _: list[str]) -> None:
        moves = enumerate(self.session.game.actions, 1)
        text = " ".join(f"{number}. {format_cell(action)}" for number, action in moves)
        self._write(text or "No move has been made.")

    @command("position [TEXT]", "the position as text, or play from another")
    def position(self, words: list[str]) -> None:
        if not words:
            self._write(notation.format_position(self.session.state))
            return
        state = notation.parse_position(" ".join(words))
        if is_terminal(state):
            self._write(texts.SETUP_FINISHED)
            return
        self.session.new_game(start=state)
        self._go_on()

    @command("save FILE", "write the record of the game")
    def save(self, words: list[str]) -> None:
        path = parse_path(_file_name(words))
        if path.exists() and not _is_record(path):
            raise StorageError(f"{path} already exists and is not a game; choose another name")
        write_atomically(path, [notation.format_record(self.session.game).encode("utf-8")])
        self._write(f"Saved {path}.")

    @command("open FILE", "read the record of a game")
    def open(self, words: list[str]) -> None:
        self.session.open_game(_read_record(parse_path(_file_name(words))))
        self._go_on()

    @command("statistics", "how your games ended")
    def statistics(self, _: list[str]) -> None:
        lines = [_record_text(record) for record in self._statistics.records()]
        self._write("\n".join(lines) or "No finished games of yours against a bot yet.")

    @command("help", "the rules and the commands", "?")
    def help(self, _: list[str]) -> None:
        commands = dict.fromkeys(COMMANDS.values())
        lines = [f"{entry.usage:<23}{entry.about}" for entry in commands]
        marks = textwrap.wrap(texts.MARKS, 88)
        self._write(
            "\n".join([RULES, "", "b2                     play a cell", *lines, "", *marks])
        )

    @command("quit", "leave; the end of the input does the same", "q")
    def quit(self, _: list[str]) -> None:
        self._has_left = True


def _file_name(words: list[str]) -> str:
    if not words:
        raise RecordError("name a file")
    return " ".join(words)


def _read_record(path: Path) -> Game:
    return notation.parse_record(read_text(path, notation.LONGEST_TEXT))


def _is_record(path: Path) -> bool:
    try:
        _read_record(path)
    except (StorageError, RecordError):
        return False
    return True


def _player_text(entry: Entry) -> str:
    """Return one player's line: ``myopic: Myopic. Wins if it can … 50.0 % against Myopic.``."""
    text = entry.name if entry.group in (Group.OWN, Group.PROGRAM) else f"{entry.key}: {entry.name}"
    if entry.problem:
        return f"{text} cannot play: {entry.problem}."
    if entry.score is not None:
        return f"{text}. {entry.about} Wins {exact_percent(entry.score.rate)} against Myopic."
    return f"{text}. {entry.about}".strip()


def _record_text(record: Record) -> str:
    """Return one opponent's line: ``Myopic: 3 wins, 1 lost (75 %), 2 wins in a row …``."""
    share = percent_done(record.wins, record.wins + record.losses)
    text = f"{record.name}: {counted(record.wins, 'win')}, {record.losses:,} lost ({share})"
    if record.wins > record.unhelped:
        text += f", {record.wins - record.unhelped:,} with help"
    now = counted(record.streak, "win") if record.streak > 0 else f"{-record.streak:,} lost"
    text += f"; {now} in a row, most wins in a row {record.longest:,}"
    if record.first_day:
        text += f"; first on {record.first_day}, last on {record.last_day}"
    return f"{text}."
