"""Shared state and services for all windows: the session, theme, user data, bots and messages.

Each part of the windows gets the context, and knows no other part. It reads or changes the
session, and then calls `changed`, which counts a result, redraws, saves and lets the bots play.
"""

import platform
import random
import sys
import time
import tkinter as tk
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from traffic_lights.board.rules import Action, format_cell
from traffic_lights.gui.kit.board_view import BoardView, Picture
from traffic_lights.gui.kit.dialog import Dialog, confirm, is_maximized
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.play import texts
from traffic_lights.play.commands import COMMANDS
from traffic_lights.play.game import HUMAN, Game, Player
from traffic_lights.play.modes.looking_back import go_to
from traffic_lights.play.session import BotRequest, Session
from traffic_lights.play.solving import Attempt, PuzzleSource
from traffic_lights.play.userdata import UserData
from traffic_lights.play.verdicts import Hint
from traffic_lights.players.policies import PlayerError
from traffic_lights.players.roster import Roster
from traffic_lights.storage.files import StorageError, append_line
from traffic_lights.storage.folders import training_folder
from traffic_lights.version import __version__

LARGEST_LOG: Final = 256 << 10
"""Bytes after which the log becomes ``.1`` and a new one begins."""
FILE_DIALOGS: Final = ("TkFDialog", "TkChooseDir", "TkMotifFDialog")
"""The classes of Tk's own dialogs for files, on X11."""
PAUSES_MS: Final = {"slow": 1200, "normal": 600, "quick": 250, "instant": 0}
"""How long a bot takes at least, by the speed that is set."""
SHORTEST_PAUSE_MS: Final = 15
"""The least time between two moves of bots: the window is drawn and handles keys meanwhile."""
READING_MS: Final = 3000, 60
"""How long a short message covers an explanation, and how much longer for each letter."""
Choice = tuple[str, Callable[[], object]]
"""A button in the message: its words, and what it does."""


class ShownMessage(NamedTuple):
    """Something reported, with the buttons that answer it."""

    text: str = ""
    choices: tuple[Choice, ...] = ()
    stays: bool = False
    """Whether it stays until the next change; another gives way to the explanation it covers."""
    hints: frozenset[Action] = frozenset()
    """The cells that are marked on the board meanwhile."""
    heading: str = ""
    """What stands over it instead of the state of the game."""
    picture: Picture | None = None
    """What the board shows instead of the game."""


class Context:
    """One game in one main window; everything happens in the Tk loop of *root*."""

    board: BoardView
    """Set by the main window, for those that give the keyboard back to it."""

    def __init__(self, root: tk.Tk, userdata: UserData) -> None:
        self.root = root
        self.userdata = userdata
        self.session = Session(time.time)
        self.session.show = lambda: self.userdata.settings.shown
        self.roster = Roster(userdata.folder, command_folder=training_folder())
        self.message = ShownMessage()
        """What was reported last."""
        self._lasting = ShownMessage()
        """The one that stays, which comes back after a short one; empty if none does."""
        self._offer: tuple[Game, ShownMessage] | None = None
        """What the end of the game last counted offers."""
        self._puzzles = PuzzleSource(random.getrandbits(32))
        self._is_making_puzzles = False
        self._is_closing = False
        self._seen: Game | None = None
        """The game as it stood at the last change."""
        self.theme = Theme(root, userdata.settings)
        self.errors = 0
        self._error_dialog: Dialog | None = None
        root.report_callback_exception = self._report
        self.on_refresh: list[Callable[[], object]] = []
        """Called when something that a window shows may have changed."""
        self.on_background: list[Callable[[str, Callable[[], object]], object]] = []
        """Called with the text about work in another window and what shows that; "" if none."""
        self.on_bots: list[Callable[[], object]] = []
        """Called when a bot was added, removed, renamed or trained."""
        self.guard: Callable[[Callable[[], None]], bool] | None = None
        """Called before a quit, with the function that quits: True if it calls that later."""
        self._places = ["", ""]
        """The last two places of the window while it was not maximized, the latest last."""
        root.bind("<Configure>", self._note_place, add=True)

    # --- errors ---

    @property
    def log_file(self) -> Path:
        """The file of errors and their details."""
        return self.userdata.folder / "log.txt"

    def log(self, text: str) -> None:
        """Add *text* to the log, as far as the disk allows; never raises."""
        path = self.log_file
        with suppress(OSError, StorageError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and path.stat().st_size > LARGEST_LOG:
                path.replace(path.with_name(path.name + ".1"))
            append_line(path, text.encode("utf-8", "backslashreplace"))

    def _report(self, _: type[BaseException], error: BaseException, __: object) -> None:
        """Log *error*, and show it in a dialog unless one is open: few players see a terminal."""
        root = self.root
        self.errors += 1
        now = time.strftime("%Y-%m-%d %H:%M:%S")
        tk_version = root.tk.call("info", "patchlevel")
        versions = f"Traffic Lights {__version__}, Python {platform.python_version()}"
        course = "".join(traceback.format_exception(error))
        details = f"{now} {versions}, Tk {tk_version}, {sys.platform}\n{course}\n"
        self.log(details)

        def copy() -> None:
            root.clipboard_clear()
            root.clipboard_append(details)

        with suppress(tk.TclError):  # the window may be going away
            if self._error_dialog is None or not self._error_dialog.winfo_exists():
                words = (
                    f"The program has met an error: {error!r}. You can play on, and nothing is "
                    f"lost.\n\nThe details are in {self.log_file}."
                )
                answers = {"Close": lambda: None, "Copy Details": copy}
                self._error_dialog = confirm(root, self.theme, "Error", words, answers)

    # --- what is shown ---

    def refresh(self) -> None:
        """Draw the windows again."""
        for draw in self.on_refresh:
            draw()

    def show_background(self, text: str, reopen: Callable[[], object]) -> None:
        """Show *text* about work in another window; a click on it calls *reopen*."""
        for show in self.on_background:
            show(text, reopen)

    def changed(self, text: str = "", *choices: Choice, by_bot: bool = False, **shown: Any) -> None:
        """Show *text* as `say` does, save and let the bots play after a change of the session."""
        if not (by_bot and self._lasting.text):
            self._lasting = self._standing_offer()
            self._show_message(ShownMessage(text, choices, **shown))
        self._count_result()
        self.make_puzzles()
        self._ring()
        self.refresh()
        self.ask_bot()
        self.userdata.save_session(self.session)

    def do(self, act: Callable[[], object]) -> None:
        """Change the session by *act*, and show the remark or hint that it returns, if any."""
        session = self.session
        before = session.history.changes, session.mode
        remark = act()
        if isinstance(remark, Hint):
            text = texts.hint_text(remark, session.players)
            self.changed(text, hints=frozenset(remark.cells), stays=True)
        elif (
            isinstance(remark, str) and remark and before == (session.history.changes, session.mode)
        ):
            self.say(remark)
        else:
            self.changed(remark if isinstance(remark, str) else "")

    def say(self, text: str, *choices: Choice, **shown: Any) -> None:
        """Show *text* under the cards for a while; *shown* is for `ShownMessage`."""
        self._show_message(ShownMessage(text, choices, **shown))
        self.refresh()

    def _show_message(self, message: ShownMessage) -> None:
        if message.stays:
            self._lasting = message
        self.message = message if message.text else self._lasting
        if message.text and not message.stays and message.picture is None:
            first, more = READING_MS
            self.root.after(first + more * len(message.text), self._give_way, message)

    def _give_way(self, message: ShownMessage) -> None:
        """Show again what the short *message* covers; if that is nothing, let it stand."""
        mode = self.session.mode
        if self.message is message and (
            self._lasting.text or mode.detail() or mode.mistake or mode.solution
        ):
            self.say("")

    def dismiss(self) -> None:
        """Show nothing but the state of the game."""
        self._offer = None
        self.changed()

    def _standing_offer(self) -> ShownMessage:
        """Return what the end on the board offers: it comes back with that end."""
        if self._offer is not None and self.session.shows_result:
            game, offer = self._offer
            present = self.session.game
            if (present.actions, present.players) == (game.actions, game.players):
                return offer
        return ShownMessage()

    def warn(self, text: str, *choices: Choice) -> None:
        """Show *text* under the cards until the next change."""
        self.say(text, *choices, stays=True)

    def change(self, **settings: object) -> None:
        """Change settings by name and draw everything again."""
        self.userdata.change(**settings)
        self.refresh()

    # --- on the board ---

    def click(self, cell: Action) -> None:
        """Do what a click on *cell* means now."""
        if self.message.picture is not None:
            self.say("")
        elif not self.session.failure:  # otherwise the message says what can be done
            self.do(partial(self.session.mode.click, cell))

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
            lambda error: self._bot_failed(request, error),
        )

    def _bot_failed(self, request: BotRequest, error: Exception) -> None:
        """Let the player decide what happens now that the bot cannot play."""
        session = self.session
        name = request.player.name
        is_stand_in = session.mover_is_human
        if not session.fail_bot(request, str(error)):
            return
        self.log(f"{name} failed: {error!r}\n")
        reason = texts.sentence(str(error).rstrip("."))
        if is_stand_in:
            self.changed(f"{reason}. The move is yours again.", stays=True)
            return
        self.changed(
            f"{reason}. Choose another player on its card, or let it try again.",
            ("Try Again", partial(self.do, session.resume_bots)),
            stays=True,
        )

    def _ring(self) -> None:
        """Ring the bell if a move has just ended the game, and the player wants that."""
        game = self.session.game
        before = self._seen
        self._seen = game
        settings = self.userdata.settings
        has_ended = game.is_over and before is not None and before.actions == game.actions[:-1]
        if has_ended and settings.bell and settings.animations:
            self.root.bell()

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
            answer = f"Play {level.name}", lambda: self.seat(1 - seat, self.player(level.key))
            text = f"{texts.offer_text(level.name, level.about)} {texts.help_text(game)}".rstrip()
            heading = ""
            if ended.winner == seat:
                heading = f"{texts.winner_text(game.players, seat)} – {why}"
            else:
                text = f"{texts.sentence(why)}. {text}"
            self._make_offer(game, ShownMessage(text, (answer,), stays=True, heading=heading))
        elif seat is not None and self.roster.offers_lessons(ended.opponent, ended.streak):
            answer = "How to Win", partial(self.do, partial(COMMANDS["lessons"].act, self.session))
            self._make_offer(game, ShownMessage(texts.LESSONS_OFFER, (answer,), stays=True))

    def _make_offer(self, game: Game, offer: ShownMessage) -> None:
        self._offer = game, offer
        self._show_message(offer)

    # --- puzzles ---

    def make_puzzles(self) -> None:
        """Make the next puzzle and that of the day in a thread, if one is missing."""
        session = self.session
        today = session.today
        has_todays = session.todays_puzzle is not None and session.todays_puzzle.day == today
        if not session.is_solved or (session.next_puzzle is not None and has_todays):
            return
        if self._is_making_puzzles:
            return
        record = self.userdata.puzzles
        source = self._puzzles

        def make() -> tuple[Attempt, Attempt]:
            return source.next(record, today), source.of_the_day(record, today)

        def made(puzzles: tuple[Attempt, Attempt]) -> None:
            self._is_making_puzzles = False
            if self.userdata.puzzles is not record:  # the results have changed meanwhile
                self.make_puzzles()
                return
            session.next_puzzle, session.todays_puzzle = puzzles
            self.refresh()  # the button Next applies from now on

        self._is_making_puzzles = True
        run_job(self.root, make, made)

    # --- who plays ---

    def player(self, key: str) -> Player:
        """Return the bot *key* as a player, or the first level if that bot is unknown or broken."""
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

    def play_against(self, key: str) -> None:
        """Start a new game of the player against the bot *key*, in front of all windows."""
        person = next((p for p in self.session.players if p.is_human), HUMAN)
        self.userdata.change(opponent=key)
        self.session.new_game((person, self.player(key)))
        self._begin()

    def show_game(self, game: Game) -> None:
        """Put *game* on the board, looking at its start; the present one joins the recent games."""
        self.session.open_game(game)
        go_to(self.session, 0)
        self._begin()

    def _begin(self) -> None:
        self.changed()
        self.root.deiconify()
        self.root.lift()
        self.board.focus_set()

    def bots_changed(self) -> None:
        """Read the user's bots again, and tell all windows."""
        self.roster.refresh()
        for listener in tuple(self.on_bots):
            listener()

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
        self.keep_place()
        self.root.withdraw()  # a file that another program holds may take a while
        self.userdata.save_session(self.session)
        self.userdata.finish()
        self.root.destroy()

    def _note_place(self, event: "tk.Event[tk.Misc]") -> None:
        place = self.root.wm_geometry()
        if event.widget is self.root and self.is_placed and place != self._places[-1]:
            self._places = [self._places[-1], place]

    def keep_place(self) -> None:
        """Keep the place of the window in the settings; if it is maximized, the one before.

        A window may get its new size before Tk knows that it is maximized. So a noted place of
        that size is not the one before.
        """
        if self.is_placed:
            self.userdata.change(geometry=self.root.wm_geometry(), is_maximized=False)
        elif is_maximized(self.root):
            size = f"{self.root.winfo_width()}x{self.root.winfo_height()}+"
            places = [place for place in self._places if place and not place.startswith(size)]
            before = places[-1] if places else self.userdata.settings.geometry
            self.userdata.change(geometry=before, is_maximized=True)

    @property
    def is_full_screen(self) -> bool:
        """Whether the main window fills the screen."""
        return bool(self.root.wm_attributes("-fullscreen"))

    @property
    def is_placed(self) -> bool:
        """Whether the window has a place of its own on the screen: it neither fills nor left it."""
        fills = self.is_full_screen or is_maximized(self.root)
        is_normal = not fills and self.root.state() == "normal"
        return is_normal and bool(self.root.winfo_viewable())
