"""The game in plain text: ``python3 -m traffic_lights --text``.

Its whole sentences suit screen readers. At a terminal, the saved game continues as in
the window. With input from a pipe, a new game starts and nothing is saved.
"""

import tempfile
import textwrap
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Final

from traffic_lights.board.games import PlayerError
from traffic_lights.board.rules import RulesError, draw_board, format_cell, is_terminal, parse_cell
from traffic_lights.console.shell import INTERRUPTED, SUCCESS, conversation, read_line, say
from traffic_lights.play import texts
from traffic_lights.play.commands import COMMANDS, Command, to_copy
from traffic_lights.play.game import HUMAN, LONGEST_TEXT, Player
from traffic_lights.play.lessons import LESSONS
from traffic_lights.play.session import Session
from traffic_lights.play.userdata import UserData
from traffic_lights.play.verdicts import BEST_PLAY, Hint
from traffic_lights.play.view import view
from traffic_lights.players.roster import Roster, users_roster
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.folders import data_folder
from traffic_lights.storage.words import exact_percent, whole_number

_PLAIN: Final = str.maketrans({"–": "-", "−": "-", "→": "->", "·": "|", "…": "..."})
"""The text mode writes ASCII, apart from names, because some terminals know no other signs."""
_TYPED: Final = {command.typed: command for command in COMMANDS.values() if command.typed}
_HELP: Final = {
    "new [PLAYER [second]]": "start a game; with second, PLAYER moves first; new two is for two",
    "players": "list everyone you can play against",
    "values": "what each move leads to with best play",
    "lesson [N]": "how to win, in five short lessons",
    **{word: command.about for word, command in _TYPED.items()},
    "copy": "show the game or the puzzle as text, for a friend",
    "help": "the rules and the commands",
    "quit": "leave; the end of the input does the same",
}

_WORDS: Final = {usage.split()[0] for usage in _HELP}


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
        session.puzzle_record = lambda: data.saved.puzzles
        self._write = write
        self._offer = ""
        """What is offered after a game that has just ended."""
        self.has_left = False
        """Whether the player has typed ``quit``."""

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
        word, _, rest = " ".join(line.split()).partition(" ")
        if not word:
            return
        try:
            answer = self._answer(word.lower(), rest, line)
        except (PlayerError, RulesError, StorageError) as error:
            answer = texts.sentence(f"{error}.")
        if answer:
            self._save()
            self._write(answer)
        elif not self.has_left:
            self._go_on()

    def _answer(self, word: str, rest: str, line: str) -> str | None:
        """Do what *line* says; return an answer, or None to show the board."""
        session = self.session
        match word, rest:
            case "new", _:
                self._new(rest)
                return None
            case "lesson", _:
                return self._lesson(rest)
            case _, _ if word in _WORDS and rest:
                return f"Type {word} alone, without {rest[:40]!r}."
            case "players", _:
                return self._players()
            case "values", _:
                return self._values()
            case "copy", _:
                text, _ = to_copy(session)
                return text
            case "help", _:
                return _help()
            case "quit", _:
                self.has_left = True
                return None
        if word in _TYPED:
            return self._run(_TYPED[word])
        self._play_cells(line)
        return None

    # --- moves ---

    def _play_cells(self, line: str) -> None:
        cells = []
        with suppress(RulesError):
            cells = [parse_cell(word) for word in line.split() if not word.rstrip(".").isdigit()]
        if not cells:
            raise RulesError(f"I do not understand {line.strip()[:40]!r}. Type a cell, or help")
        for cell in cells:
            before = self.session.now.state
            remark = self.session.click(cell)
            if isinstance(remark, str):
                self._write(remark)
            if self.session.now.state == before:
                break
            self._comment_on_move()
            self._move_bots()

    def _comment_on_move(self) -> None:
        now = self.session.now
        verdict = self.session.shown_verdict(now.at)
        if verdict is not None and (
            verdict.is_mistake or self.session.wanted_values() == BEST_PLAY
        ):
            self._write(texts.judged_text(verdict, now.game.players))

    def _go_on(self) -> None:
        self._move_bots()
        shown = view(self.session)
        self._write(draw_board(self.session.now.state))
        self._write(shown.heading)
        self._write(shown.detail)
        if shown.follows in COMMANDS:
            typed = COMMANDS[shown.follows].typed
            self._write("Type leave." if typed == "leave" else f"Type {typed}, or leave.")
        elif shown.follows:
            if self.session.mistakes():
                self._write("Type review to find the better moves.")
            self._write(self._offer)
            self._offer = ""

    def _move_bots(self) -> None:
        """Let every bot move that has to, and save before each, because Ctrl+C may follow."""
        self._save()
        while (request := self.session.request_bot()) is not None:
            try:
                cell = self._roster.bot(request.player.bot or "").choose(request.state)
            except PlayerError as error:
                self.session.fail_bot(request, str(error))
            else:
                remark = self.session.answer_bot(request, cell)
                self._write(f"{request.player.name} plays {format_cell(cell)}.")
                self._write(remark or "")
                self._comment_on_move()
            self._save()

    def _save(self) -> None:
        if (ended := self._data.count_ended(self.session)) is not None:
            self._roster.end_game([player.bot for player in ended.game.players], ended.winner)
            if offer := self._roster.offer(ended.opponent, ended.streak):
                level, why = offer
                text = texts.offer_text(level.name, level.about)
                self._offer = f"{texts.sentence(why)}. {text} Type new {level.key}."
            elif self._roster.offers_lessons(ended.opponent, ended.streak):
                self._offer = f"{texts.LESSONS_OFFER} Type lesson."
        self._data.save_session(self.session)
        while trouble := self._data.take_trouble():
            self._write(trouble)

    # --- what can be typed ---

    def _run(self, command: Command) -> str | None:
        if reason := command.why_not(self.session):
            return reason
        answer = command.act(self.session) or ""
        if isinstance(answer, Hint):
            return texts.hint_text(answer, self.session.now.game.players)
        self._write(answer)
        return None

    def _new(self, rest: str) -> None:
        name, _, last = rest.rpartition(" ")
        is_second = bool(name) and last == "second"
        if not rest:
            self.session.new_game()
        elif rest == "two":
            self.session.new_game((HUMAN, HUMAN))
        else:
            self._roster.refresh()
            entry = self._roster.entry(name if is_second else rest)
            self._roster.bot(entry.key)  # its table may be damaged
            bot = Player(entry.key, entry.name)
            self.session.new_game((bot, HUMAN) if is_second else (HUMAN, bot))
            self._write(f"You play against {entry.name}. {entry.about}".rstrip())

    def _players(self) -> str:
        lines: list[str] = []
        self._roster.refresh()
        for group, entries in groupby(self._roster.entries(), lambda entry: entry.group):
            lines.append(f"{group.value}:")
            for entry in entries:
                about = f"It cannot play: {entry.problem}." if entry.problem else entry.about
                if entry.rate is not None:
                    about += f" Wins {exact_percent(entry.rate)} against Myopic."
                lines.append(f"  {entry.name}. {about}")
        return "\n".join(lines)

    def _values(self) -> str:
        if self.session.hides_values:
            return texts.VALUES_HIDDEN
        if is_terminal(self.session.now.state):
            return "This position has no moves to rate."
        self.session.note_values_seen()
        return texts.values_text(self.session.ranked_moves())

    def _lesson(self, rest: str) -> str | None:
        number = whole_number(rest or "1", 1, len(LESSONS))
        if number is None:
            return f"Type a number from 1 to {len(LESSONS)}, such as lesson 2."
        self.session.lessons(number - 1)
        return None


def _help() -> str:
    lines = [f"{'b2':<23}play a cell"]
    lines += [f"{usage:<23}{about}" for usage, about in _HELP.items()]
    board = (
        "A board of dots and letters: . is off, G green, Y yellow, R red. Columns are a to d, "
        "rows 1 to 3, so b2 is the second lamp of the second row."
    )
    rules = [textwrap.fill(text, 88) for text in (*texts.RULES, board)]
    return "\n".join([*rules, "", *lines, "", textwrap.fill(texts.MARKS, 88)])


def play_in_terminal() -> int:
    """Play until the player quits, the input ends or Ctrl-C; return the exit status.

    Raise CommandError if the standard input or output is closed.
    """
    with suppress(ImportError):  # it gives `input` its arrow keys, which Windows has anyway
        import readline  # noqa: F401
    standard_input, standard_output = conversation()
    is_at_terminal = standard_input.isatty() and standard_output.isatty()
    session = Session(time.time)
    session.is_solved = True
    roster = users_roster()
    status = SUCCESS
    with tempfile.TemporaryDirectory() as passing:
        data = UserData(data_folder() if is_at_terminal else Path(passing))
        game = TextGame(session, roster, data, _write)
        try:
            if not is_at_terminal:
                _write("This is not a terminal, so your game and your results are not saved.")
            game.begin()
            while not game.has_left:
                game.obey(input("> ") if is_at_terminal else read_line(LONGEST_TEXT) or "quit")
        except EOFError:
            say("")
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
