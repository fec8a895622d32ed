"""The game in plain text: ``python3 -m traffic_lights --text``.

Its whole sentences suit screen readers. At a terminal, the saved game continues as in
the window. With input from a pipe, a new game starts and nothing is saved.
"""

import os
import tempfile
import textwrap
import time
from collections.abc import Callable
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from traffic_lights.board.games import PlayerError
from traffic_lights.board.rules import RulesError, draw_board, format_cell, is_terminal, parse_cell
from traffic_lights.console.shell import INTERRUPTED, SUCCESS, conversation, read_line, say
from traffic_lights.play import texts
from traffic_lights.play.commands import COMMANDS, NOT_YOUR_TURN, no_other_game, paste
from traffic_lights.play.game import (
    HUMAN,
    LONGEST_TEXT,
    Player,
    format_position,
    format_record,
    parse_record,
)
from traffic_lights.play.lessons import LESSONS
from traffic_lights.play.mode import Command
from traffic_lights.play.modes.lesson import LessonMode
from traffic_lights.play.modes.looking_back import go_to
from traffic_lights.play.session import Session
from traffic_lights.play.userdata import CHOICES, UserData
from traffic_lights.play.verdicts import BEST_PLAY, LEARNED, Hint
from traffic_lights.players.roster import Entry, Roster
from traffic_lights.storage.files import StorageError, read_text, write_atomically
from traffic_lights.storage.folders import data_folder, parse_path, training_folder
from traffic_lights.storage.words import exact_percent, listed, whole_number

NOTHING_TO_RATE: Final = "This position has no moves to rate."
NAME_NEEDED: Final = "Type the name of a file as well, as in: save game.txt"
_SHOWN: Final = {text.lower(): value for value, text in CHOICES["shown"].items()}
"""What can be typed after show, each with the value of that setting."""
_PLAIN: Final = str.maketrans({"–": "-", "−": "-", "→": "->", "·": "|", "…": "..."})
"""The signs that some terminals do not know."""

Handler: TypeAlias = Callable[[str], str | None]
"""Returns the answer to what follows a command; without one, the board is shown."""


class TypedCommand(NamedTuple):
    """A line that a player can type, as the help lists it."""

    usage: str
    """The command, and what may follow it: ``games [N]``."""
    short: str
    """Another word for the command; empty if it has none."""
    about: str
    handler: Handler

    @property
    def names(self) -> tuple[str, ...]:
        """The words that a player can type for it."""
        name, *_ = self.usage.split()
        return (name, self.short) if self.short else (name,)

    @property
    def stands_alone(self) -> bool:
        """Whether nothing may follow it."""
        return " " not in self.usage


class TextGame:
    """One game under way: *data* saves it after every move, and *write* shows every answer."""

    def __init__(
        self,
        session: Session,
        roster: Roster,
        data: UserData,
        write: Callable[[str], None],
    ) -> None:
        self.session = session
        self._roster = roster
        self._data = data
        session.wanted_values = lambda: data.settings.shown
        session.puzzle_record = lambda: data.puzzles
        self._write = write
        self._in_words = False
        """Whether the board is shown in words."""
        self._streak = ("", 0)
        """The opponent and the streak of a game that has just ended, until they are shown."""
        self.has_left = False
        """Whether the player has typed ``quit``."""
        self.commands = self._commands()
        self._by_name = {name: command for command in self.commands for name in command.names}

    def _commands(self) -> list[TypedCommand]:
        """Return every command, in the order of the help."""
        typed = TypedCommand
        first = [
            typed("new [PLAYER [second]]", "n",
                  "start a game; with second, PLAYER moves first", self._new),
            typed("watch A, B", "",
                  "watch two bots play; new two is a game of two people", self._watch),
            *self._typed("resume", "step"),
            typed("players", "levels", "list everyone you can play against", self._players),
            typed("opponent PLAYER", "",
                  "play against PLAYER, in a new game once this has a move", self._opponent),
            *self._typed("swap"),
            typed("bot [PLAYER]", "",
                  "let your opponent, or PLAYER, make this move for you", self._bot),
            *self._typed("undo", "redo"),
            typed("go N", "",
                  "look at the position after N moves; also go back, go on", self._go),
            typed("games [N]", "", "list the other games, or bring back number N", self._games),
            *self._typed("leave", "hint"),
            typed("values", "v", "what each move leads to with best play", self._values),
            typed("learned", "",
                  "what the bot of this game has learned about each move", self._learned),
            typed("why", "", "the verdict on the last move", self._why),
            typed("show [WHAT]", "tell", f"what to show: {listed([*_SHOWN], 'or')}", self._show),
            *self._typed("review", "puzzle", "todays_puzzle"),
            typed("lesson [N]", "", COMMANDS["lessons"].about, self._lesson),
            *self._typed("reveal", "next_task", "previous_task"),
        ]  # fmt: skip
        last = [
            typed("board [words|grid]", "",
                  "show the board, from now on in words or drawn", self._board),
            typed("moves", "", "the moves of this game", self._moves),
            typed("position [TEXT]", "",
                  "show the position as text, or play from TEXT", self._position),
            typed("save FILE", "", "save the moves of this game", self._save_record),
            typed("open FILE", "", "open a saved game", self._open_record),
            typed("statistics", "", "how your games ended", self._statistics),
            typed("help", "?", "the rules and the commands", self._help),
            typed("quit", "q", "leave; the end of the input does the same", self._quit),
        ]  # fmt: skip
        known = {name for command in (*first, *last) for name in command.names}
        others = [name for name, command in COMMANDS.items() if command.typed not in known]
        return [*first, *self._typed(*others), *last]

    def begin(self) -> None:
        """Continue the saved game, or begin one, and show the board."""
        self._write("Traffic Lights. Type a cell such as b2, or help.")
        if self._data.restore_session(self.session):
            self._write("You continue your saved game.")
        else:
            try:
                self._new(self._data.settings.opponent)
            except PlayerError as error:
                self._write(f"{error}. You play both sides; players lists the opponents.")
        self._go_on()

    def obey(self, line: str) -> None:
        """Do what *line* says and write the answer; what is wrong with it is an answer, too.

        The bots that are to move then play, so it may take as long as they think.
        """
        line = " ".join(line.split())
        if not line:
            return
        try:
            answer = self._answer(line)
        except (PlayerError, RulesError, StorageError) as error:
            answer = texts.sentence(f"{error}.")
        if answer:
            self._save()
            self._write(answer)
        elif not self.has_left:
            self._go_on()

    def _answer(self, line: str) -> str | None:
        word, _, rest = line.partition(" ")
        command = self._by_name.get(word.lower())
        if command is None:
            self._play_cells(line)
            return None
        if rest and command.stands_alone:
            return f"Type {word} alone, without {rest[:40]!r}."
        return command.handler(rest)

    # --- moves ---

    def _play_cells(self, line: str) -> None:
        try:
            cells = [parse_cell(word) for word in line.split() if not word.rstrip(".").isdigit()]
        except RulesError:
            cells = []
        if not cells:
            raise RulesError(f"I do not understand {line[:40]!r}. Type a cell, or help")
        for cell in cells:
            before = self.session.state
            remark = self.session.mode.click(cell)
            if isinstance(remark, str):
                self._write(remark)
            if self.session.state == before:
                break
            self._comment_on_move()
            self._move_bots()

    def _comment_on_move(self) -> None:
        session = self.session
        verdict = session.shown_verdict(session.mode.index)
        if verdict is not None and (verdict.is_mistake or session.wanted_values() == BEST_PLAY):
            self._write(texts.judged_text(verdict, session.players))

    def _go_on(self) -> None:
        self._move_bots()
        session = self.session
        state = self.session.state
        self._write(texts.board_in_words(state) if self._in_words else draw_board(state))
        self._write(session.mode.heading())
        self._write(session.mode.detail())
        shown = {BEST_PLAY: self._values, LEARNED: self._learned}.get(session.wanted_values())
        if shown and not session.mode.hides_values and not is_terminal(state):
            try:
                self._write(shown(""))
            except PlayerError as error:  # a table may be damaged or gone
                self._write(texts.sentence(f"{error}."))
        self._offer_what_follows()

    def _offer_what_follows(self) -> None:
        """Write what to type when a game or a task is over, or two bots wait."""
        session = self.session
        mode = session.mode
        name = mode.next_command
        if session.shows_result:
            self._offer_after_game()
        elif name:
            if "copy" in mode.buttons:
                self._write(f"To share:\n{mode.text_to_share()}")
            typed = COMMANDS[name].typed
            self._write("Type leave." if typed == "leave" else f"Type {typed}, or leave.")
        elif session.is_paused and session.is_bots_turn:
            self._write("Type step for one move, or play to resume the game.")

    def _offer_after_game(self) -> None:
        if self.session.mistakes():
            self._write("Type review to find the better moves.")
        offer = self._roster.offer(*self._streak)
        has_lessons = self._roster.offers_lessons(*self._streak)
        self._streak = ("", 0)
        if offer is not None:
            level, why = offer
            text = texts.offer_text(level.name, level.about)
            self._write(f"{texts.sentence(why)}. {text} Type new {level.key}.")
        elif has_lessons:
            self._write(f"{texts.LESSONS_OFFER} Type lesson.")

    def _move_bots(self) -> None:
        """Let every bot move that has to, and save before each, because Ctrl+C may follow."""
        self._save()
        while (request := self.session.request_bot()) is not None:
            try:
                cell = self._roster.bot(request.player.bot or "").choose(request.state)
            except PlayerError as error:
                self.session.fail_bot(request, str(error))
                if not self.session.failure:  # it was to move for the player
                    self._write(f"{error}.")
            else:
                self.session.answer_bot(request, cell)
                # A bot that moves for the player may have played another move than it chose.
                played = format_cell(self.session.game.actions[-1])
                self._write(f"{request.player.name} plays {played}.")
                self._comment_on_move()
            self._save()

    def _save(self) -> None:
        if (ended := self._data.count_ended(self.session)) is not None:
            self._roster.end_game([player.bot for player in ended.game.players], ended.winner)
            self._streak = ended.opponent, ended.streak
        self._data.save_session(self.session)
        while trouble := self._data.take_trouble():
            self._write(trouble)

    def _typed(self, *names: str) -> list[TypedCommand]:
        """Return those commands of the session *names* that can be typed."""
        commands = [COMMANDS[name] for name in names if COMMANDS[name].typed]
        return [
            TypedCommand(command.typed, command.short, command.about, partial(self._run, command))
            for command in commands
        ]

    def _run(self, command: Command, _: str) -> str | None:
        if reason := command.why_not(self.session):
            return reason
        answer = command.act(self.session) or ""
        if isinstance(answer, Hint):
            return texts.hint_text(answer, self.session.players)
        self._write(answer)
        return None

    def _lesson(self, rest: str) -> str | None:
        number = whole_number(rest or "1", 1, len(LESSONS))
        if number is None:
            return f"Type a number from 1 to {len(LESSONS)}, such as lesson 2."
        self.session.begin(LessonMode(self.session, number - 1))
        return None

    # --- games and players ---

    def _player(self, name: str) -> Player:
        """Return the bot called *name*; raise PlayerError if there is none that can play."""
        if not name:
            raise PlayerError("Name a player, such as 'myopic'; players lists them")
        self._roster.refresh()
        entry = self._roster.entry(name)
        self._roster.bot(entry.key)
        return Player(entry.key, entry.name)

    def _new(self, rest: str) -> None:
        if not rest:
            self.session.new_game()
            return
        if rest == "two":
            self.session.new_game((HUMAN, HUMAN))
            return
        name, _, last = rest.rpartition(" ")
        is_second = last == "second"
        if not is_second:
            name = rest
        bot = self._player(name)
        self.session.new_game((bot, HUMAN) if is_second else (HUMAN, bot))
        self._write(self._greeting(self._roster.entry(name)))

    def _greeting(self, entry: Entry) -> str:
        """Return the sentence that names the opponent, with what it does if that is a sentence."""
        if entry.own is not None or not entry.about:
            return f"You play against {entry.name}."
        return f"You play against {entry.name}, which {entry.about[0].lower()}{entry.about[1:]}"

    def _watch(self, rest: str) -> None:
        names = rest.split(",")
        if len(names) != 2:
            raise PlayerError("Name two players, such as 'watch myopic, random'")
        first, second = (self._player(name.strip()) for name in names)
        self.session.new_game((first, second))

    def _players(self, _: str) -> str:
        lines: list[str] = []
        self._roster.refresh()
        for group, entries in groupby(self._roster.entries(), lambda entry: entry.group):
            lines.append(f"{group.value}:")
            for entry in entries:
                text = f"{entry.name}. {entry.about}".rstrip()
                if entry.problem:
                    text = f"{entry.name} cannot play: {entry.problem}."
                elif entry.rate is not None:
                    text += f" Wins {exact_percent(entry.rate)} against Myopic."
                lines.append(f"  {text}")
        return "\n".join(lines)

    def _opponent(self, name: str) -> None:
        bot = self._player(name)
        players = self.session.players
        human = next((player for player in players if player.is_human), HUMAN)
        seats = (bot, human) if self.session.only_human == 1 else (human, bot)
        self._write(self.session.set_players(seats))

    def _bot(self, name: str) -> str | None:
        bots = [] if name else self.session.bots
        bot = bots[0] if bots else self._player(name)
        if not self.session.is_your_turn:
            return NOT_YOUR_TURN
        self.session.play_for_me(bot)
        return None

    def _go(self, rest: str) -> str | None:
        mode = self.session.mode
        if mode.waiting:
            return mode.waiting
        if rest == "back":
            index: int | None = mode.index - 1
        elif rest == "on":
            index = mode.index + 1
        else:
            index = whole_number(rest, 0)
        if index is None:
            raise RulesError("Type a number of moves, such as 'go 7'")
        go_to(self.session, index)
        return None

    def _games(self, rest: str) -> str | None:
        if reason := no_other_game(self.session):
            return reason
        games = self.session.history.others
        if not rest:
            lines = [f"{number}. {texts.game_text(game)}" for number, game in enumerate(games, 1)]
            return "\n".join(lines)
        number = whole_number(rest, 1, len(games))
        if number is None:
            raise RulesError(f"Type a number from 1 to {len(games)}, such as 'games 1'")
        self.session.go_to_game(number - 1)
        return None

    # --- help ---

    def _values(self, _: str) -> str:
        if self.session.mode.hides_values:
            return texts.VALUES_HIDDEN
        self.session.note_values_seen()
        return texts.values_text(self.session.ranked_moves()) or NOTHING_TO_RATE

    def _learned(self, _: str) -> str:
        session = self.session
        state = self.session.state
        if session.mode.hides_values:
            return texts.VALUES_HIDDEN
        if is_terminal(state):
            return NOTHING_TO_RATE
        for bot in session.bots:
            if (table := self._roster.table(bot.bot or "")) is not None:
                session.note_values_seen()
                learned = texts.learned_text(table, state)
                return f"{learned}\n{texts.legend(bot.name, table, [learned])}"
        return texts.NOTHING_LEARNED

    def _why(self, _: str) -> str:
        mode = self.session.mode
        verdict = mode.tried or self.session.verdict()
        if verdict is None:
            return "This position has no last move to judge."
        players = self.session.players if mode.is_of_game else None
        text = texts.judged_text(verdict, players)
        if verdict.replies:
            moves = " ".join(map(format_cell, verdict.replies))
            text += f"\nBest play from here: {moves}."
        return text

    def _show(self, what: str) -> str | None:
        chosen = _SHOWN.get(what.lower())
        if chosen is not None:
            self._data.change(shown=chosen)
        elif what:
            return f"Type show and one of these: {listed([*_SHOWN], 'or')}."
        self._write(
            f"Shown of the moves: {CHOICES['shown'][self.session.wanted_values()].lower()}."
        )
        return None

    # --- texts and files ---

    def _board(self, rest: str) -> str | None:
        if rest not in ("", "words", "grid"):
            return "Type board, board words or board grid."
        if rest:
            self._in_words = rest == "words"
        return None

    def _moves(self, _: str) -> str:
        moves = enumerate(self.session.game.actions, 1)
        text = " ".join(f"{number}. {format_cell(action)}" for number, action in moves)
        return text or "No move has been made."

    def _position(self, rest: str) -> str | None:
        if not rest:
            return format_position(self.session.state)
        paste(self.session, rest)
        return None

    def _save_record(self, rest: str) -> str:
        if not rest:
            return NAME_NEEDED
        path = parse_path(rest)
        if os.path.lexists(path):  # path.exists raises an error for a long name
            try:
                parse_record(read_text(path, LONGEST_TEXT))
            except (StorageError, RulesError):
                return f"{path} already exists and is not a game; choose another name."
        write_atomically(path, [format_record(self.session.game).encode("utf-8")])
        return f"Saved {path}."

    def _open_record(self, rest: str) -> str | None:
        if not rest:
            return NAME_NEEDED
        paste(self.session, read_text(parse_path(rest), LONGEST_TEXT))
        return None

    def _statistics(self, _: str) -> str:
        lines: list[str] = []
        for record in self._data.records():
            lines.append(record.text)
            letters = " ".join("W" if won else "L" for won in record.recent)
            if letters:
                lines.append(f"  Won (W) and lost (L), the latest at the end: {letters}")
        games = "\n".join(lines) or "You have not finished a game against a bot yet."
        return f"{games}\n{texts.puzzle_record_text(self._data.puzzles)}"

    def _help(self, _: str) -> str:
        lines = [f"{'b2':<23}play a cell"]
        for command in self.commands:
            short = f" ({command.short})" if command.short else ""
            lines.append(f"{command.usage:<23}{command.about}{short}")
        board = (
            "A board of dots and letters: . is empty, G green, Y yellow, R red. Columns are a to "
            "d, rows 1 to 3, so b2 is the second lamp of the second row."
        )
        rules = [textwrap.fill(text, 88) for text in (*texts.RULES, board)]
        return "\n".join([*rules, "", *lines, "", textwrap.fill(texts.MARKS, 88)])

    def _quit(self, _: str) -> None:
        self.has_left = True


def play_in_terminal() -> int:
    """Play until the player quits, the input ends or Ctrl-C; return the exit status.

    Raise CommandError if the standard input or output is closed.
    """
    standard_input, standard_output = conversation()
    is_at_terminal = standard_input.isatty() and standard_output.isatty()
    session = Session(time.time)
    session.is_solved = True
    roster = Roster(data_folder(), command_folder=training_folder())
    status = SUCCESS
    with tempfile.TemporaryDirectory() as passing:
        data = UserData(data_folder() if is_at_terminal else Path(passing))
        game = TextGame(session, roster, data, _write)
        try:
            if not is_at_terminal:
                _write("This is not a terminal, so your game and your results are not saved.")
            game.begin()
            while not game.has_left:
                if is_at_terminal:
                    say("> ", end="")
                game.obey(read_line(LONGEST_TEXT) or "quit")
        except KeyboardInterrupt:
            status = INTERRUPTED
            say("")
        finally:
            data.close(session)
    is_saved = is_at_terminal and not data.has_failed
    _write("Goodbye. Your game is saved." if is_saved else "Goodbye.")
    return status


def _write(text: str) -> None:
    if text:
        say(text.translate(_PLAIN))
