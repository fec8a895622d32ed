"""What all windows share: the session, the theme, the user's data, the bots and the messages.

Each part of the windows gets the context, and knows no other part. It reads or changes the
session, and then calls `changed`, which counts a result, redraws, saves and lets the bots play.
Parts that show something subscribe to it.
"""

import math
import time
import tkinter as tk
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from traffic_lights.board.games import PlayerError
from traffic_lights.board.rules import Action, format_cell
from traffic_lights.gui.kit.board_view import BoardView
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widget_styles import WidgetStyles
from traffic_lights.gui.main.error_log import ErrorLog
from traffic_lights.gui.main.messages import Choice, Message, Messages, as_message
from traffic_lights.play import texts
from traffic_lights.play.commands import COMMANDS
from traffic_lights.play.game import HUMAN, Game, Player, Players
from traffic_lights.play.modes.looking_back import go_to
from traffic_lights.play.session import BotRequest, Session
from traffic_lights.play.userdata import UserData
from traffic_lights.play.verdicts import Hint, Verdict
from traffic_lights.players.roster import Roster, renamed_key
from traffic_lights.storage.folders import training_folder

FILE_DIALOGS: Final = ("TkFDialog", "TkChooseDir", "TkMotifFDialog")
"""The classes of Tk's own dialogs for files, on X11."""
DOUBLE_CLICK_S: Final = 0.4
"""Two clicks are one double click if less time is between them."""
PAUSES_MS: Final = {"slow": 1200, "normal": 600, "quick": 250, "instant": 0}
"""How long a bot takes at least, by the speed that is set."""
SHORTEST_PAUSE_MS: Final = 15
"""The least time between two moves of bots: the window is drawn and handles keys meanwhile."""

BOT_IS_GONE: Final = "The file of this bot is gone, so no new game has begun."


class GameWindow(Protocol):
    """What the main window does for all others."""

    board: BoardView

    def draw(self) -> None:
        """Draw everything that may have changed."""

    def show_background(self, text: str, reopen: Callable[[], object]) -> None:
        """Show a *text* about work in another window, "" if there is none.

        A click on the text calls *reopen*.
        """

    def show_try(self, tried: Verdict) -> None:
        """Play out on the board what the move *tried* in a puzzle leads to."""

    def keep_place(self) -> None:
        """Take the place of the window into the settings."""


class Context:
    """One game in one main window; everything happens in the Tk loop of *root*."""

    window: GameWindow
    """Set by the main window."""

    def __init__(self, root: tk.Tk, userdata: UserData) -> None:
        self.root = root
        self.userdata = userdata
        self.session = Session(time.time)
        self.session.wanted_values = lambda: self.userdata.settings.shown
        self.session.puzzle_record = lambda: self.userdata.puzzles
        self.roster = Roster(userdata.folder, command_folder=training_folder())
        self.messages = Messages(self.session)
        self.list_clicked_at = -math.inf
        """When a row of a list that lay over the board was clicked."""
        self._is_closing = False
        self.theme = Theme(root, **userdata.settings.look)
        self.styles = WidgetStyles(root, self.theme)
        self.log = ErrorLog(root, self.theme, lambda: self.userdata.folder)
        self.on_bots: list[Callable[[], object]] = []
        """Called when a bot was added, removed, renamed or trained."""
        self.guard: Callable[[Callable[[], None]], bool] | None = None
        """Called before a quit, with the function that quits: True if it calls that later."""

    # --- what is shown ---

    def changed(self, said: str | Message = "", *, by_bot: bool = False) -> None:
        """Show what is *said*, save and let the bots play after a change of the session."""
        message = as_message(said)
        self.messages.show_after_change(message, by_bot=by_bot)
        self._let_give_way(message)
        self._count_result()
        self.window.draw()
        self.ask_bot()
        self.userdata.save_session(self.session)

    def do(self, act: Callable[[], str | Hint | Verdict | None]) -> None:
        """Change the session by *act*, and show what it returns: a remark, a hint, or a try."""
        session = self.session
        before = session.history.changes, session.mode
        answer = act() or ""
        if isinstance(answer, Verdict):
            self.window.show_try(answer)
        elif isinstance(answer, Hint):
            text = texts.hint_text(answer, session.players)
            self.changed(Message(text, hints=frozenset(answer.cells), stays=True))
        elif answer and before == (session.history.changes, session.mode):
            self.say(answer)
        else:
            self.changed(answer)

    def say(self, said: str | Message) -> None:
        """Show under the cards what is *said*; a text alone is shown for a while."""
        message = as_message(said)
        self.messages.show(message)
        self._let_give_way(message)
        self.window.draw()

    def _let_give_way(self, message: Message) -> None:
        """Show again, after a while, what the short *message* covers."""

        def give_way() -> None:
            if self.messages.covers_something(message):
                self.say("")

        if message.lasts_ms is not None:
            self.root.after(message.lasts_ms, give_way)

    def dismiss(self) -> None:
        """Show nothing but the state of the game."""
        self.messages.forget_offer()
        self.changed()

    def warn(self, text: str) -> None:
        """Show *text* under the cards until the next change."""
        self.say(Message(text, stays=True))

    def change(self, **settings: object) -> None:
        """Change settings by name and draw everything again."""
        self.userdata.change(**settings)
        self.window.draw()

    # --- on the board ---

    def click(self, cell: Action) -> None:
        """Do what a click on *cell* means now."""
        if time.monotonic() - self.list_clicked_at < DOUBLE_CLICK_S:
            return  # it began on the list, which has closed
        mode = self.session.mode
        # A task takes the next try before the last one is played out.
        if mode.has_players and self.messages.shown.picture is not None:
            self.say("")
        elif not self.session.failure:  # otherwise the message says what can be done
            self.do(partial(mode.click, cell))

    def click_again(self, cell: Action) -> None:
        """Do what the second click of a double click on *cell* means.

        Between two people it means nothing: the move would be that of the other one.
        """
        if self.session.bots or not self.session.is_playing:
            self.click(cell)

    def other_click(self, cell: Action) -> None:
        """Do what the other mouse button means."""
        if self.session.mode.click_back(cell):
            self.changed()

    # --- bots ---

    def ask_bot(self) -> None:
        """Let the bot whose turn it is choose in a thread, and play that after the set pause."""
        session = self.session
        asked_at = time.monotonic()
        request = session.request_bot() if session.request is None else None
        if request is None:
            return

        def answered(action: Action) -> None:
            taken_ms = 1000 * (time.monotonic() - asked_at)
            pause_ms = PAUSES_MS[self.userdata.settings.speed]
            self.root.after(max(SHORTEST_PAUSE_MS, round(pause_ms - taken_ms)), play, action)

        def play(action: Action) -> None:
            if session.answer_bot(request, action):
                text = ""
                if session.players[1 - session.game.mover].is_human:
                    played = format_cell(session.game.actions[-1])
                    text = f"{request.player.name} plays {played} for you."
                self.changed(text, by_bot=True)

        run_job(
            self.root,
            lambda: self.roster.bot(request.player.bot or "").choose(request.state),
            answered,
            partial(self._bot_failed, request),
        )

    def _bot_failed(self, request: BotRequest, reason: str) -> None:
        """Let the player decide what happens now that the bot cannot play."""
        session = self.session
        name = request.player.name
        is_stand_in = session.mover_is_human
        if not session.fail_bot(request, reason):
            return
        self.log.add(f"{name} failed: {reason}\n")
        reason = texts.sentence(reason.rstrip("."))
        if is_stand_in:
            self.changed(Message(f"{reason}. The move is yours again.", stays=True))
            return
        choices: tuple[Choice, ...] = (("Try Again", partial(self.do, session.resume_bots)),)
        advice = "Choose another player on its card, or let it try again."
        if not self.roster.knows(request.player.bot or ""):
            choices = ()
            advice = "Choose another player on its card."
        self.changed(Message(f"{reason}. {advice}", choices, stays=True))

    def _count_result(self) -> None:
        """Count what has ended; offer another level after wins or losses in a row."""
        ended = self.userdata.count_ended(self.session)
        if ended is None:
            return
        game = ended.game
        self.roster.end_game([player.bot for player in game.players], ended.winner)
        offer = self.roster.offer(ended.opponent, ended.streak)
        seat = self.session.only_human
        if offer is not None and seat is not None:
            level, why = offer
            answer = f"Play {level.name}", partial(self._play_level, level.key)
            text = f"{texts.offer_text(level.name, level.about)} {texts.help_text(game)}".rstrip()
            heading = ""
            if ended.winner == seat:
                heading = f"{texts.winner_text(game.players, seat)} – {why}"
            else:
                text = f"{texts.sentence(why)}. {text}"
            message = Message(text, (answer,), stays=True, heading=heading)
            self.messages.offer(game, message)
        elif seat is not None and self.roster.offers_lessons(ended.opponent, ended.streak):
            answer = "How to Win", partial(self.do, partial(COMMANDS["lessons"].act, self.session))
            self.messages.offer(game, Message(texts.LESSONS_OFFER, (answer,), stays=True))

    # --- who plays ---

    def player(self, key: str) -> Player:
        """Return the bot *key* as a player, or the first level if that bot is unknown."""
        try:
            entry = self.roster.entry(key)
        except PlayerError:
            entry = self.roster.levels()[0]
        return Player(entry.key, entry.name)

    @property
    def has_trained_bot(self) -> bool:
        """Whether a bot plays in this game that has learned values."""
        return any(self.roster.is_trained(bot.bot or "") for bot in self.session.bots)

    def seat(self, seat: int, player: Player) -> None:
        """Let *player* take *seat*."""
        one, other = self.session.players
        if player.bot is not None:
            self.userdata.change(opponent=player.bot)
        remark = self.session.set_players((player, other) if seat == 0 else (one, player))
        self.changed(remark)

    def next_game(self, players: Players) -> None:
        """Begin a game of *players* after the present one; they may alternate who starts."""
        alternates = self.userdata.settings.take_turns
        self.do(partial(self.session.new_game, players[::-1] if alternates else players))
        self.window.board.focus_set()

    def _play_level(self, key: str) -> None:
        self.userdata.change(opponent=key)
        one, other = self.session.players
        bot = self.player(key)
        self.next_game((one, bot) if one.is_human else (bot, other))

    def play_against(self, key: str) -> None:
        """Start a new game of the player against the bot *key*, in front of all windows.

        If its file is gone, report that there: the present game stays.
        """
        if not self.roster.knows(key):
            self.say(BOT_IS_GONE)
            self._come_to_front()
            return
        person = next((p for p in self.session.players if p.is_human), HUMAN)
        self.userdata.change(opponent=key)
        self.session.new_game((person, self.player(key)))
        self.changed()
        self._come_to_front()

    def show_game(self, game: Game) -> None:
        """Put *game* on the board, looking at its start; the present one joins the recent games."""
        self.session.open_game(game)
        go_to(self.session, 0)
        self.changed()
        self._come_to_front()

    def _come_to_front(self) -> None:
        self.root.deiconify()
        self.root.lift()
        self.window.board.focus_set()

    def bots_changed(self) -> None:
        """Read the user's bots again, and tell all windows."""
        self.roster.refresh()
        for listener in tuple(self.on_bots):
            listener()

    def bot_renamed(self, old: str, new: str) -> None:
        """Have the games, the setting and the results follow a bot from its key *old* to *new*."""
        self.roster.refresh()
        if new != old:
            self.bot_deleted(new)  # what is left of one that had this name before
        self._change_key(old, new)

    def bot_deleted(self, key: str) -> None:
        """Keep the games and the results of a deleted bot from the next bot that gets its *key*."""
        self._change_key(key, f"bot:{key.removeprefix('bot:')}/{time.time_ns()}")

    def _change_key(self, old: str, new: str) -> None:
        def changed(player: Player) -> Player:
            key = renamed_key(player.bot or "", old, new)
            if key == (player.bot or ""):
                return player
            return Player(key, self.roster.name_of(key, player.name))

        self.session.history.change_players(changed)
        self.userdata.rename_bot(old, new)
        self.changed()

    # --- the end ---

    def quit(self) -> None:
        """Save everything and quit, unless the guard holds it up."""
        if self.guard is None or not self.guard(self.close):
            self.close()

    def close(self) -> None:
        """Save everything and end; asking for it again changes nothing."""
        if self._is_closing:
            return
        call = self.root.tk.call
        asking = str(call("grab", "current", "."))
        if asking and str(call("winfo", "class", asking)) in FILE_DIALOGS:
            # A program without windows would wait for ever for an answer in this dialog.
            call("set", "::tk::Priv(selectFilePath)", "")
            self.root.after(20, self.close)
            return
        self._is_closing = True
        self.window.keep_place()
        self.root.withdraw()  # a file that another program holds may take a while
        self.userdata.close(self.session)
        self.root.destroy()
