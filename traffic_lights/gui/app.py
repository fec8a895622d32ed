"""The program behind the windows: it makes the parts of the main window and connects them."""

from __future__ import annotations

import signal
import sys
import tkinter as tk
from contextlib import suppress
from functools import cache
from typing import Final

from traffic_lights.board.rules import Action, format_cell
from traffic_lights.board.solver import Tablebase
from traffic_lights.gui.kit.dialog import end_file_dialogs
from traffic_lights.gui.kit.keys import bind_class_keys
from traffic_lights.gui.kit.lamps import set_icon
from traffic_lights.gui.main import presenter
from traffic_lights.gui.main.bot_driver import BotDriver
from traffic_lights.gui.main.cards import PlayerList
from traffic_lights.gui.main.commands import Commands
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.learned import LearnedTable
from traffic_lights.gui.main.menus import MenuBar
from traffic_lights.gui.main.presenter import PERSON, Show
from traffic_lights.gui.main.refutation import Refutation
from traffic_lights.gui.main.view import ViewSettings
from traffic_lights.gui.main.window import MainWindow
from traffic_lights.gui.windows import Windows
from traffic_lights.players.exact import shared_tablebase
from traffic_lights.players.game import HUMAN, Player
from traffic_lights.players.roster import offer_after
from traffic_lights.session import texts
from traffic_lights.session.session import BotRequest, Outcome, Phase
from traffic_lights.system import folders
from traffic_lights.userdata.store import UserData

INTERRUPTED: Final = 130
NOT_SAVED: Final = "Not everything is saved"
LEAVE_MS: Final = 20
TROUBLES_AFTER_MS: Final = 250
"""How long after a change the program checks whether saving went well."""
SIGNALS_EVERY_MS: Final = 200
"""How often an idle window lets Python handle Ctrl-C in the terminal."""
SHOWN_ANYWAY: Final = (Outcome.SOLVED, Outcome.TRY_AGAIN, Outcome.SETUP_CHANGED)
"""The outcomes of a click that the message shows anyway, because they are in the state."""


class App:
    """One running game program; everything happens in the Tk loop of *root*."""

    def __init__(self, root: tk.Tk, userdata: UserData | None = None) -> None:
        self.context = context = Context(root, userdata or UserData(folders.data_folder()))
        self.root, self.session = root, context.session
        self.view = ViewSettings(context)
        self.learned = LearnedTable(context)
        self.refutation = Refutation(context)
        self.windows = Windows(context, self.view, lambda: self.commands.table)
        self.commands = Commands(context, self.view, self.refutation, self.windows.openers())
        # The roster looks at the disk to find a bot, so what the cards say of it is remembered.
        self._about = cache(lambda key: presenter.about_bot(context.roster, key))
        context.on_bots.append(self._about.cache_clear)
        self._is_closing = False
        self._trouble_timer: str | None = None
        self.window = context.window = MainWindow(
            root,
            context.theme,
            self.view.look(),
            on_cell=self.click,
            on_other=self.other_click,
            on_jump=self.commands.jump,
            on_show=self.commands.show,
            on_command=self.commands.run,
            on_card=self.choose_player,
            on_swap=self.swap,
            on_turns=self.take_turns,
        )
        self.menus = MenuBar(root, self.commands, context.theme)
        self.players = PlayerList(root, context.theme, self._chosen)
        self._seat = 0
        """The seat whose list of players is open."""
        self._bind_board_keys()
        self.driver = BotDriver(context, self._bot_played, self._bot_failed)
        context.on_refresh.append(self._draw)
        context.on_change += [
            self.refutation.stop, self._count_result, context.refresh, self.driver.drive,
            self._await_trouble,
        ]  # fmt: skip
        context.on_quit.append(self.close)
        if not context.userdata.restore_session(self.session):
            self._first_game()
        self.view.take_settings()
        self.window.place(context.userdata.settings.geometry)
        context.changed(save=False)
        root.protocol("WM_DELETE_WINDOW", context.quit)
        bind_class_keys(root)

    # --- start ---

    def _first_game(self) -> None:
        """Begin the game of a first start, against the weakest level."""
        userdata = self.context.userdata
        if userdata.settings.is_first_start:
            first = self.context.roster.levels()[0].key
            userdata.change(opponent=first, is_first_start=False)
        self.session.new_game((HUMAN, self.context.player(userdata.settings.opponent)))

    def open(self) -> None:
        """Show the window; what the first picture does not need is loaded afterwards."""
        set_icon(self.root)
        self.root.deiconify()
        self.window.board.focus_set()
        self.root.after(30, self._load_rest)

    def _load_rest(self) -> None:
        self.context.jobs.run(shared_tablebase, self._solved, self.context.failed)
        self._await_trouble()
        userdata = self.context.userdata
        name = userdata.settings.training  # a bot that was in training when the program ended
        if name:
            self.window.show_status(f"“{name}” is still in training: Bots ▸ Train… continues.")
            userdata.change(training="")

    def _solved(self, tablebase: Tablebase) -> None:
        self.session.tablebase = tablebase
        self.context.refresh()

    def _bind_board_keys(self) -> None:
        """Bind the letters on the board, and Escape in the whole window."""
        board = self.window.board
        for command in self.commands.table.values():
            letter = command.letter
            if letter:
                names = letter, letter.upper()
                board.bind_key(names, lambda name=command.name: self.commands.run(name))  # type: ignore[misc]
        board.bind_key(("Return", "KP_Enter"), self._return_on_board)
        self.root.bind("<Escape>", lambda _: self.commands.escape())

    def _return_on_board(self) -> None:
        """Play at the cursor, or a new game when this one is over."""
        if self.session.phase is Phase.OVER:
            self.commands.new_game()
        else:
            self.window.board.choose_cursor()

    # --- what happens ---

    def click(self, cell: Action) -> None:
        """Do what choosing *cell* means now."""
        if self.refutation.stop():
            self.context.refresh()
            return
        if self.session.failure:
            return  # the message says what can be done
        outcome = self.session.play(cell)
        text = texts.outcome_text(outcome, self.session, cell)
        self.context.changed()
        if text and outcome not in SHOWN_ANYWAY:
            self.context.say(text)

    def other_click(self, cell: Action) -> None:
        """Do what the other mouse button means: back through the colours, in set-up."""
        if self.session.phase is Phase.SETUP:
            self.session.cycle_setup(cell, back=True)
            self.context.changed()

    def _count_result(self) -> None:
        """Count a game that has just ended, and find what to offer after it."""
        game = self.session.take_result()
        if game is not None and game.winner is not None:
            self.context.userdata.count_result(game)
            self.context.roster.end_game(game)
            self.context.series.add(game.players, game.winner)
            self._offer()

    def _offer(self) -> None:
        """Offer the next level after wins in a row, or the one below after losses."""
        context, seat = self.context, self.session.only_human
        key, streak = context.userdata.statistics.streak_after(self.session.game)
        offer = offer_after(context.roster.levels(), key, streak)
        if offer is not None and seat is not None:
            level = offer.level
            context.warn(
                f"{texts.result_text(self.session.game)} {offer.text}",
                (f"Play {level.name}", lambda: context.seat(1 - seat, context.player(level.key))),
            )

    def _await_trouble(self) -> None:
        if self._trouble_timer is None:
            self._trouble_timer = self.root.after(TROUBLES_AFTER_MS, self._report_trouble)

    def _report_trouble(self) -> None:
        self._trouble_timer = None
        userdata = self.context.userdata
        is_saving = userdata.is_saving
        trouble = userdata.take_trouble()
        if trouble:
            self.context.warn(trouble)
        if is_saving:
            self._await_trouble()
        self.window.show_notice(NOT_SAVED if userdata.has_failed else "")

    # --- who plays ---

    def choose_player(self, seat: int) -> None:
        """Show the list of players for *seat*, or close it."""
        if self.players.is_open:
            self.players.close()
            return
        self._seat = seat
        player = self.session.players[seat]
        card = self.window.cards.cards[seat]
        self.players.open(
            card,
            presenter.options_of(self.context.roster),
            player.bot or PERSON,
            player.name if player.is_human else "",
            card.focus_set,
        )

    def _chosen(self, key: str, name: str) -> None:
        """Let the player with *key* sit down in the seat whose list was open."""
        player = Player(None, name) if key == PERSON else self.context.player(key)
        self.context.seat(self._seat, player)
        self.context.focus_board()

    def swap(self) -> None:
        """Swap the seats of the two players."""
        one, other = self.session.players
        if self.session.game.is_over:
            self.session.new_game((other, one))
        else:
            self.session.set_players((other, one))
        self.context.changed()

    def take_turns(self, wanted: bool) -> None:
        """Let the players take turns to start, or keep their seats in each new game."""
        self.context.userdata.change(take_turns=wanted)
        self.context.refresh()

    # --- drawing ---

    def _draw(self) -> None:
        """Draw everything as it is."""
        if self.refutation.title:
            return self._draw_message()
        context, session, window = self.context, self.session, self.window
        shown = context.shown
        if shown.values is Show.BEST_PLAY and session.tablebase is not None:
            session.note_values_seen()
        if shown.values is Show.LEARNED:
            self.learned.need()
        table = self.learned.table
        window.board.show(presenter.picture_of(session, shown, table))
        score = context.series.score(session.players)
        one, other = (
            presenter.face_of(session, seat, self._about(player.bot or ""), score)
            for seat, player in enumerate(session.players)
        )
        window.cards.show((one, other), context.userdata.settings.take_turns)
        self.root.title(texts.title(session))
        self._draw_message()
        table_of = self.commands.table
        window.show_buttons(presenter.buttons_of(session, lambda n: table_of[n].why_not()))
        players = session.players
        entries = presenter.move_entries(session, shown)
        window.panel.show_moves(
            (presenter.column_name(players, 0), presenter.column_name(players, 1)),
            entries, session.index, presenter.about_moves(session, entries),
        )  # fmt: skip
        window.panel.show_values(
            shown.values, presenter.legend_of(session, shown, self.learned.owner, table)
        )
        window.show_notice(NOT_SAVED if context.userdata.has_failed else "")
        self.menus.refresh()

    def _draw_message(self) -> None:
        """Show the state of the game, and what was reported last or can be said of the state."""
        session, message = self.session, self.context.message
        detail, choices = message.text, message.choices
        if not detail:
            is_first_game = not self.context.userdata.statistics.records()
            detail = presenter.detail_of(
                session, self.context.shown, is_first_game, self.window.has_room_for
            )
            if self.refutation.verdict() is not None:
                choices = (("Why?", self.refutation.start),)
        self.window.show_message(self.refutation.title or texts.banner(session), detail, choices)

    # --- bots ---

    def _bot_played(self, request: BotRequest) -> None:
        """Draw the move of a bot; if it made it for the player, say so."""
        seat = 1 - self.session.game.mover
        self.context.changed(by_bot=True)
        if self.session.players[seat].is_human:
            action = self.session.game.actions[-1]
            self.context.say(f"{request.player.name} plays {format_cell(action)} for you.")

    def _bot_failed(self, request: BotRequest, error: Exception) -> None:
        """Report that a bot cannot play, and wait for a decision of the player."""
        context, name = self.context, request.player.name
        context.log(f"{name} failed: {error!r}\n")
        for line in context.roster.last_lines(request.player.bot or ""):
            context.log(f"{name}: {line}\n")
        is_stand_in = self.session.mover_is_human
        self.session.fail_bot(request.token, str(error))
        context.changed()
        reason = str(error)
        if " cannot play: " not in reason:
            reason = f"{name} cannot play: {reason}"
        if is_stand_in:
            context.warn(f"{reason}. The move is yours again.")
        else:
            context.warn(
                f"{reason.rstrip('.')}. Choose another player on its card, or let it try again.",
                ("Try Again", self._try_again),
                ("Last Lines", lambda: self.windows.last_lines(request.player)),
            )

    def _try_again(self) -> None:
        self.session.resume_bots()
        self.context.changed()

    # --- end ---

    def close(self) -> None:
        """Save everything and end; asking for it again changes nothing."""
        if self._is_closing:
            return
        self._is_closing = True
        self.driver.stop()
        self.refutation.stop()
        self.view.remember_geometry()
        # A file that another program holds may take a while. But a dialog that belongs to a window
        # withdrawn would never come up, and so never return.
        if not end_file_dialogs(self.root):
            self.root.withdraw()
        self.context.userdata.save_session(self.session)
        self.context.userdata.finish()
        self.context.jobs.stop()
        if self._trouble_timer is not None:
            self.root.after_cancel(self._trouble_timer)
        self._leave()

    def _leave(self) -> None:
        """Destroy the window, once a dialog for files has returned: ask it until it does."""
        if end_file_dialogs(self.root):
            self.root.after(LEAVE_MS, self._leave)
        else:
            self.root.destroy()


def run() -> int:
    """Open the window, play, and return the exit status; raise TclError without a display."""
    _ask_for_sharp_pixels()
    root = tk.Tk(className="Traffic-lights")
    root.withdraw()
    app = App(root)
    interrupts: list[int] = []

    def interrupted(number: int, _: object) -> None:
        interrupts.append(number)
        root.after_idle(app.close)

    def look() -> None:
        # Python handles a signal only between two of its own steps. While the window is idle, Tk
        # runs none, so Ctrl-C would wait for the next move of the mouse.
        root.after(SIGNALS_EVERY_MS, look)

    if sys.platform == "darwin":
        root.createcommand("tk::mac::Quit", app.context.quit)
    signal.signal(signal.SIGINT, interrupted)
    app.open()
    look()
    root.mainloop()
    return INTERRUPTED if interrupts else 0


def _ask_for_sharp_pixels() -> None:
    """Report to Windows that the program scales itself; it would stretch the picture otherwise."""
    if sys.platform == "win32":
        import ctypes

        with suppress(OSError, AttributeError):  # before Windows 8.1
            ctypes.windll.shcore.SetProcessDpiAwareness(1)
