"""The conversation of the terminal mode: a line in, sentences out, no input or output of its own.

>>> import random
>>> from traffic_lights.players.roster import Roster
>>> from traffic_lights.session.session import Session
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

from collections.abc import Callable
from pathlib import Path
from typing import Final

from traffic_lights.board.rules import format_cell, is_terminal
from traffic_lights.console.help import HELP, SHORT, players_text, statistics_text
from traffic_lights.console.playing import TextPlay
from traffic_lights.players.bots import PlayerError
from traffic_lights.session import learned, notation, texts
from traffic_lights.session.notation import RecordError
from traffic_lights.session.session import HUMAN
from traffic_lights.storage.files import StorageError
from traffic_lights.system.folders import parse_path
from traffic_lights.system.typed_numbers import whole_number
from traffic_lights.userdata.records import read_record, refuse_other_files, write_record

NOT_PAUSED: Final = "Nobody waits here: step and play are for two bots that wait."
NOT_IN_REVIEW: Final = "There is no review under way: type review."


class TextGame(TextPlay):
    """Understands lines and answers with sentences."""

    def obey(self, line: str) -> bool:
        """Do what *line* asks; return False if that is to leave."""
        words = line.split()
        if not words:
            return True
        name = words[0].lower()
        name = SHORT.get(name, name)
        if name == "quit":
            return False
        command = getattr(self, f"_do_{name}", None) if name.isalpha() else None
        try:
            if command is not None:
                command(words[1:])
            else:
                self._play_cells(words)
        except (PlayerError, RecordError, StorageError) as error:
            self._write(f"{error}.")
        return True

    # Games

    def _do_new(self, words: list[str]) -> None:
        """Begin a new game: the same players, against LEVEL [second], or two people."""
        if not words:
            self.session.new_game()
        else:
            seat = int(words[-1] == "second")
            level = " ".join(words[: len(words) - seat])
            self._new_against("" if level == "two" else level, seat)
        self._play_on()

    def _do_watch(self, words: list[str]) -> None:
        """Let two bots play a game."""
        if len(words) != 2:
            self._write("Name two levels, such as 'watch myopic random'.")
            return
        self.session.new_game((self._bot(words[0]), self._bot(words[1])))
        self._play_on()

    def _play_on(self) -> None:
        """Go on, two bots too that waited before."""
        self.session.resume_bots()
        self._go_on()

    def _do_play(self, _: list[str]) -> None:
        """Let two bots that wait play on."""
        if self.session.is_paused:
            self._play_on()
        else:
            self._write(NOT_PAUSED)

    def _do_step(self, _: list[str]) -> None:
        """Let two bots that wait make one move."""
        if self.session.is_paused:
            self.session.step_bots()
            self._go_on()
        else:
            self._write(NOT_PAUSED)

    def _do_opponent(self, words: list[str]) -> None:
        """Change the bot that the person plays against; after the end a new game begins."""
        bot = self._bot(" ".join(words)) if words else None
        human = self.session.only_human
        if bot is None:
            self._write("Name a level, such as 'opponent myopic'.")
            return
        if human is None:
            start = f"new {' '.join(words)}"
            self._write(f"You play against no bot here: {start!r} begins such a game.")
            return
        players = (HUMAN, bot) if human == 0 else (bot, HUMAN)
        if self.session.game.is_over:
            self.session.new_game(players)
        else:
            self.session.set_players(players)
        self._go_on()

    def _do_swap(self, _: list[str]) -> None:
        """Change seats in this game, unless it is over: who won it stays."""
        if self.session.game.is_over:
            self._write("The game is over: type new for another.")
            return
        one, other = self.session.players
        self.session.set_players((other, one))
        self._go_on()

    def _do_bot(self, words: list[str]) -> None:
        """Let a bot make this move for the person: the one at the board, unless one is named."""
        bots = learned.bots_at_board(self.session.players, self.session.mover)
        bot = self._bot(" ".join(words)) if words else next(iter(bots), None)
        if bot is None:
            self._write("Name a level, such as 'bot myopic': no bot is at the board.")
            return
        self._changed(self.session.play_for_me(bot), "It is not your move.")

    def _do_undo(self, _: list[str]) -> None:
        """Take a move back, against a bot a full round."""
        self._take_back(self.session.undo, texts.NOTHING_TO_UNDO, texts.GAME_BEFORE)

    def _do_redo(self, _: list[str]) -> None:
        """Play again what was taken back."""
        self._take_back(self.session.redo, texts.NOTHING_TO_REDO, texts.GAME_AFTER)

    def _take_back(self, take: Callable[[], bool], nothing: str, other_game: str) -> None:
        game = self.session.game.identity
        self._changed(take(), nothing)
        if self.session.game.identity != game:
            self._write(other_game)

    def _changed(self, has_changed: bool, otherwise: str) -> None:
        if not has_changed:
            self._write(otherwise)
            return
        self._go_on()

    def _do_go(self, words: list[str]) -> None:
        """Look at the position after some moves."""
        moves = whole_number(" ".join(words), 0)
        if moves is None:
            self._write("Say how many moves, such as 'go 7'.")
            return
        self.session.go_to(moves)
        self._show()

    def _do_back(self, _: list[str]) -> None:
        """Look one move further back."""
        self.session.step(-1)
        self._show()

    def _do_forward(self, _: list[str]) -> None:
        """Look one move further on."""
        self.session.step(1)
        self._show()

    def _do_here(self, _: list[str]) -> None:
        """Let the game go on from the position looked at."""
        self._changed(self.session.play_on_from_here(), "You are not looking back.")

    # Help

    def _do_hint(self, _: list[str]) -> None:
        """Give the next of the three steps of help."""
        hint = self.session.hint()
        self._keep()
        self._write(texts.NO_HINT_HERE if hint is None else texts.hint_text(hint))

    def _do_values(self, _: list[str]) -> None:
        """Tell what each move leads to."""
        values = self.session.values()
        if not values:
            self._write("There are no values to tell here.")
            return
        self.session.note_values_seen()
        self._keep()
        self._write(texts.values_text(self.session.ranked_moves()))

    def _do_beliefs(self, _: list[str]) -> None:
        """Tell what the bot at the board has learned of each move."""
        session = self.session
        if is_terminal(session.state) or session.hides_truth:
            self._write("There is no move to believe anything of here.")
            return
        for bot in learned.bots_at_board(session.players, session.mover):
            if (table := self._roster.table(bot.bot or "")) is not None:
                self._write(learned.learned_text(table, session.state))
                self._write(learned.legend(bot.name, learned.notes_text(table, session.state)))
                return
        self._write(learned.nothing_learned(session.players))

    def _do_why(self, _: list[str]) -> None:
        """Give the verdict on the last move, and best play after it."""
        verdict = self.session.verdict()
        if verdict is None:
            self._write("There is no move to judge here.")
            return
        self._write(texts.verdict_text(verdict, self.session.players))
        if verdict.replies:
            self._write(f"Best play from here: {texts.line_of_play(verdict.replies)}.")

    def _do_tell(self, _: list[str]) -> None:
        """Turn the verdicts after every move on or off."""
        self._tells = not self._tells
        self._write(f"Verdicts after each move are {'on' if self._tells else 'off'}.")

    def _do_review(self, _: list[str]) -> None:
        """Go through the mistakes."""
        if not self.session.begin_review():
            self._write(texts.no_review_text(self.session))
            return
        self._show()

    def _do_show(self, _: list[str]) -> None:
        """Show the solution of the mistake under review."""
        self.session.reveal()
        self._show()

    def _do_next(self, _: list[str]) -> None:
        """Go to the next mistake of a review."""
        self._step_review(1, texts.REVIEW_COMPLETE)

    def _do_previous(self, _: list[str]) -> None:
        """Go to the mistake before."""
        self._step_review(-1, texts.NO_EARLIER_MISTAKE)

    def _step_review(self, mistakes: int, otherwise: str) -> None:
        is_in_review = self.session.review is not None
        self._changed(
            self.session.step_review(mistakes), otherwise if is_in_review else NOT_IN_REVIEW
        )

    def _do_leave(self, _: list[str]) -> None:
        """Return to the game from a review or from looking back."""
        self._changed(self.session.leave(), "You are in the game already.")

    # What there is to read

    def _do_board(self, words: list[str]) -> None:
        """Show the board, from now on drawn or in words."""
        if words in (["words"], ["grid"]):
            self._in_words = words == ["words"]
        self._show()

    def _do_moves(self, _: list[str]) -> None:
        """Tell the moves of this game, each with the number that go and review know it by."""
        moves = enumerate(self.session.game.actions, 1)
        text = " ".join(f"{number}. {format_cell(action)}" for number, action in moves)
        self._write(text or "No move has been made.")

    def _do_position(self, words: list[str]) -> None:
        """Tell the position as text, or play from another."""
        if not words:
            self._write(notation.format_position(self.session.state))
            return
        state = notation.parse_position(" ".join(words))
        if is_terminal(state):
            self._write(texts.SETUP_FINISHED)
            return
        self.session.new_game(start=state)
        self._go_on()

    def _do_save(self, words: list[str]) -> None:
        """Write the record of the game to a file, over another such record if there is one."""
        path = _path(words)
        refuse_other_files(path)
        write_record(path, self.session.game)
        self._write(f"Saved {path}.")

    def _do_open(self, words: list[str]) -> None:
        """Read the record of a game from a file."""
        self.session.open_game(read_record(_path(words)))
        self._go_on()

    def _do_levels(self, _: list[str]) -> None:
        """List the opponents."""
        self._write(players_text(self._roster))

    def _do_statistics(self, _: list[str]) -> None:
        """Tell how the games ended."""
        self._write(statistics_text(self._statistics, self._roster))

    def _do_help(self, _: list[str]) -> None:
        """Tell the rules and the commands."""
        self._write(HELP)


def _path(words: list[str]) -> Path:
    if not words:
        raise RecordError("name a file")
    return parse_path(" ".join(words))
