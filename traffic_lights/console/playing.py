"""The game in the terminal: cells are played, bots answer, and it is kept and shown."""

from __future__ import annotations

from collections.abc import Callable

from traffic_lights.board.rules import CellNameError, draw_board, parse_cell
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.roster import Roster, offer_text, offered_level
from traffic_lights.session import texts
from traffic_lights.session.session import HUMAN, BotRequest, Outcome, Phase, Player, Session
from traffic_lights.userdata.settings import Settings
from traffic_lights.userdata.statistics import Statistics
from traffic_lights.userdata.store import UserData


class TextPlay:
    """One game under way, told in sentences by way of *write*.

    *data* keeps the game after every move; None keeps nothing.
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
        self._tells = self._settings.tell_me
        self._in_words = False

    def begin(self) -> None:
        """Say where the game stands, with bots moved that are due."""
        self._write("Traffic Lights. Type a cell such as b2, or help.")
        if self._data is not None and self._data.restore_session(self.session):
            self._write("Your game goes on where you left it.")
        else:
            try:
                self._new_against(self._settings.opponent)
            except PlayerError as error:
                self._write(f"{error}. You play both sides; levels lists who can play.")
        self._go_on()

    def _play_cells(self, words: list[str]) -> None:
        """Play the cells named, one after the other, until one is refused."""
        try:
            cells = [parse_cell(word) for word in words if not word.rstrip(".").isdigit()]
        except CellNameError:
            self._write(f"I do not understand {' '.join(words)[:40]!r}. Type a cell, or help.")
            return
        for cell in cells:
            if not self._play(cell):
                break
        self._show()

    def _play(self, cell: int) -> bool:
        """Play one cell and the bots' answers; return whether it was accepted."""
        outcome = self.session.play(cell)
        # With the board it is told what came of a review, and that two bots wait.
        is_told = outcome in (Outcome.SOLVED, Outcome.TRY_AGAIN, Outcome.BOT_CHOOSING)
        if not is_told and (text := texts.outcome_text(outcome, self.session, cell)):
            self._write(text)
        if outcome not in (Outcome.PLAYED, Outcome.PLAYED_ON):
            return False
        self._tell()
        self._move_bots()
        return True

    def _tell(self) -> None:
        if self._tells and (verdict := self.session.verdict()) is not None:
            words = texts.verdict_text(verdict, self.session.players)
            self._write(f"{texts.cells((verdict.action,))}{verdict.mark}: {words}")

    def _go_on(self) -> None:
        """Let every bot move that is due, and show the board."""
        self._move_bots()
        self._show()

    def _move_bots(self) -> None:
        """Let every bot move that is due, and keep the game before each: it may be interrupted."""
        self._keep()
        while (request := self.session.request_bot()) is not None:
            self._move_bot(request)
            self._keep()

    def _move_bot(self, request: BotRequest) -> None:
        """Play and tell what the bot of *request* chooses; if it cannot, a person sits down."""
        session, bot = self.session, request.player
        try:
            action = self._roster.choose(bot.bot or "", request.state)
        except PlayerError as error:
            session.fail_bot(request.token, str(error))
            self._write(f"{error}. Choose another opponent, or undo; levels lists who can play.")
            return
        session.answer_bot(request.token, action)
        if self._roster.is_guessing(bot.bot or "", request.state):
            self._write(texts.guess_text(bot.name))
        # A stand-in may have played another move than it chose.
        self._write(texts.bot_move_text(request, session.game.actions[-1]))
        self._tell()

    def _keep(self) -> None:
        result = self.session.take_result()
        if self._data is None:
            if result is not None:
                self._statistics.add_result(result)
            return
        if result is not None:
            self._data.count_result(result)
        self._data.save_session(self.session)
        while trouble := self._data.take_trouble():
            self._write(trouble)

    def _show(self) -> None:
        """Show the board and what is to be done."""
        session = self.session
        self._write(
            texts.board_in_words(session.state) if self._in_words else draw_board(session.state)
        )
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

    def _new_against(self, level: str, seat: int = 0) -> None:
        """Begin a game of a person in *seat* against *level*, or of two persons."""
        bot = self._bot(level) if level else HUMAN
        self.session.new_game((HUMAN, bot) if seat == 0 else (bot, HUMAN))
        if level:
            entry = self._roster.entry(bot.bot or "")
            self._write(f"You play against {entry.name}. {entry.about}".strip())

    def _bot(self, level: str) -> Player:
        """Return the player of *level*; raise PlayerError if there is none that can play."""
        entry = self._roster.named(level)
        self._roster.bot(entry.key)
        return Player(entry.key, entry.name)

    def _offer(self) -> None:
        """Offer the level that the results call for."""
        key, streak = self._statistics.streak_after(self.session.game)
        level = offered_level(self._roster.levels(), key, streak)
        if level is not None:
            self._write(f"{offer_text(level, streak)} Type new {level.key}.")
