"""Every command of the menus, the buttons and the board's keys, by name.

A command never raises because of what a person does, and each asks the
session whether it means something now, so it may be called at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from traffic_lights.gui.game.files import GameFiles
from traffic_lights.gui.game.opponents import EASY
from traffic_lights.players.game import HUMAN, Player
from traffic_lights.session import texts
from traffic_lights.session.session import First, Phase

if TYPE_CHECKING:
    from traffic_lights.gui.app import App
    from traffic_lights.gui.board.board_view import BoardView

NO_MORE_MISTAKES: Final = "There is no further mistake in that direction."
NOT_NOW: Final = "This is for a game under way."


class Commands:
    """What the program can be told to do."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.files = GameFiles(app)
        self.table: dict[str, Callable[[], object]] = {
            "new_game": self.new_game,
            "play_again": self.new_game,
            "new_game_dialog": self.new_game_dialog,
            "open_game": self.files.open,
            "save_game": self.files.save,
            "copy_game": self.files.copy_game,
            "copy_position": self.files.copy_position,
            "paste": self.files.paste,
            "set_up": self.set_up,
            "finish_setup": self.finish_setup,
            "clear_setup": self.clear_setup,
            "statistics": self.statistics,
            "quit": lambda: app.quit(),
            "undo": self.undo,
            "redo": self.redo,
            "go_first": lambda: self.jump(0),
            "go_previous": lambda: self.step(-1),
            "go_next": lambda: self.step(1),
            "go_last": lambda: self.jump(app.session.game.present),
            "bot_plays": self.bot_plays,
            "resume": self.resume,
            "hint": self.hint,
            "review": self.review,
            "next_mistake": lambda: self.step_review(1),
            "previous_mistake": lambda: self.step_review(-1),
            "reveal": self.reveal,
            "why": lambda: app.demonstration.start(),
            "leave": self.escape,
            "cancel_setup": self.escape,
            "train": self.train,
            "evaluate": self.evaluate,
            "larger": lambda: app.appearance.zoom(1),
            "smaller": lambda: app.appearance.zoom(-1),
            "normal_size": lambda: app.appearance.zoom(0),
            "how_to_play": self.how_to_play,
            "keys": self.keys,
            "open_data_folder": self.files.open_data_folder,
            "create_shortcut": self.files.create_shortcut,
            "about": self.about,
        }

    # --- games ---

    def new_game(self) -> None:
        """Start a new game with the players of this one; undo brings this one back."""
        app = self._app
        app.end_welcome()
        app.session.new_game(first=First(app.keeper.settings.first))
        app.changed()
        app.window.board.focus_set()

    def new_game_dialog(self) -> None:
        """Ask who plays and who starts."""
        from traffic_lights.gui.dialogs.new_game_dialog import NewGameDialog

        app = self._app
        app.dialogs.show("new game", lambda: NewGameDialog(app))

    def set_up(self) -> None:
        """Start to set up a position on the board."""
        app = self._app
        app.end_welcome()
        app.session.begin_setup()
        app.changed()
        app.window.board.focus_set()

    def finish_setup(self) -> None:
        """Play from the position set up."""
        app = self._app
        if app.session.phase is not Phase.SETUP:
            return
        if not app.session.finish_setup():
            app.say(texts.SETUP_FINISHED)
            return
        app.changed()
        app.window.board.focus_set()

    def clear_setup(self) -> None:
        """Empty the board in set-up."""
        app = self._app
        if app.session.phase is Phase.SETUP:
            app.session.set_setup(0)
            app.changed()

    # --- moves ---

    def undo(self) -> None:
        """Take back a move, against a bot a full round."""
        app = self._app
        if app.session.undo():
            app.changed()
        else:
            app.say(texts.NOTHING_TO_UNDO)

    def redo(self) -> None:
        """Play again what was taken back."""
        app = self._app
        if app.session.redo():
            app.changed()
        else:
            app.say(texts.NOTHING_TO_REDO)

    def jump(self, index: int) -> None:
        """Look at the position after *index* moves."""
        app = self._app
        if app.session.phase is Phase.SETUP:
            return
        if index > app.session.game.present:
            app.say("This move was taken back: Redo plays it again.")
            return
        app.session.go_to(index)
        app.changed(save=False)

    def step(self, moves: int) -> None:
        """Look *moves* further on, or back."""
        app = self._app
        if app.session.phase is not Phase.SETUP:
            app.session.step(moves)
            app.changed(save=False)

    def bot_plays(self) -> None:
        """Let the bot make one move in the person's place."""
        app = self._app
        if not app.session.play_for_me(app.opponents.preferred()):
            app.say(NOT_NOW)
            return
        app.end_welcome()
        app.changed()

    def resume(self) -> None:
        """Let two bots play on."""
        app = self._app
        if app.session.is_paused:
            app.session.resume_bots()
            app.changed()

    def escape(self) -> None:
        """Step back out of whatever is going on; never quits."""
        app = self._app
        board = app.window.board
        if board.has_typed:
            board.forget_typing()
        elif app.demonstration.stop():
            app.refresh()
        elif app.session.leave():
            app.changed()
        elif app.window.board.picture.hints:
            app.shown = replace(app.shown, hint=None)
            app.refresh()
        elif app.appearance.is_full_screen:
            app.appearance.set_full_screen(False)
        board.focus_set()

    # --- help ---

    def hint(self) -> None:
        """Give the next of the three steps of help."""
        app = self._app
        hint = app.session.hint()
        if hint is None:
            waiting = app.session.tablebase is None and app.session.phase is Phase.YOUR_TURN
            app.say(texts.STILL_SOLVING if waiting else texts.NO_HINT_HERE)
            return
        app.shown = replace(app.shown, hint=hint)
        app.refresh()
        app.say(texts.hint_text(hint))
        app.keeper.save_session(app.session)

    def review(self) -> None:
        """Go through the mistakes of the game."""
        app = self._app
        if app.session.tablebase is None:
            app.say(texts.STILL_SOLVING)
        elif app.session.begin_review():
            app.changed(save=False)
            app.window.board.focus_set()
        else:
            app.say(texts.NO_MISTAKES)

    def step_review(self, steps: int) -> None:
        """Go to the next mistake, or the previous one; begins a review if there is none."""
        app = self._app
        if app.session.phase is not Phase.REVIEW:
            self.review()
        elif app.session.step_review(steps):
            app.changed(save=False)
        else:
            app.say(NO_MORE_MISTAKES)

    def reveal(self) -> None:
        """Show the solution of the mistake under review."""
        app = self._app
        if app.session.reveal():
            app.changed(save=False)

    # --- windows ---

    def statistics(self) -> None:
        """Show how often who has won."""
        from traffic_lights.gui.dialogs.statistics_dialog import StatisticsDialog

        app = self._app
        app.dialogs.show("statistics", lambda: StatisticsDialog(app))

    def train(self) -> None:
        """Open the training window."""
        from traffic_lights.gui.training.window import open_training

        open_training(self._app)

    def evaluate(self) -> None:
        """Open the evaluation window."""
        from traffic_lights.gui.evaluation.window import open_evaluation

        open_evaluation(self._app)

    def how_to_play(self) -> None:
        """Show the rules."""
        self._help("how_to_play")

    def keys(self) -> None:
        """Show every key."""
        self._help("keys")

    def about(self) -> None:
        """Show what this program is."""
        self._help("about")

    def _help(self, name: str) -> None:
        from traffic_lights.gui.dialogs import help_dialogs

        app = self._app
        make = getattr(help_dialogs, name)
        app.dialogs.show(name, lambda: make(app.root, app.theme, app.window.board.focus_set))

    # --- who calls ---

    def welcome_choices(self) -> Mapping[str, Callable[[], object]]:
        """Return what the first start offers."""
        app = self._app

        def play(other: Player) -> None:
            app.end_welcome()
            app.session.new_game((HUMAN, other))
            app.changed()
            app.window.board.focus_set()

        def play_easy() -> None:
            app.opponents.remember(EASY)
            play(app.opponents.preferred())

        return {
            "Play against QBot": lambda: play(app.opponents.preferred()),
            "Play against a weaker QBot": play_easy,
            "Two players": lambda: play(HUMAN),
            "Train a QBot…": self.train,
            "Evaluate the bots…": self.evaluate,
            "How to play": self.how_to_play,
        }

    def bind_board_keys(self, board: BoardView) -> None:
        """Bind the letters on the board, and Escape in the whole window."""
        for letter, name in (("n", "new_game"), ("u", "undo"), ("r", "redo"), ("h", "hint")):
            board.bind_key((letter, letter.upper()), self.table[name])
        board.bind_key(("Return", "KP_Enter"), self._return_on_board)
        self._app.root.bind("<Escape>", lambda _: self.escape())

    def _return_on_board(self) -> None:
        """Play at the cursor, or when the game is over, play again."""
        if self._app.session.phase is Phase.OVER:
            self.new_game()
        else:
            self._app.window.board.choose_cursor()

    def enable_menus(self) -> None:
        """Grey what makes no sense now."""
        app = self._app
        session, menus = app.session, app.menus
        is_over_or_played = session.game.present > 0
        menus.enable("undo", session.can_undo)
        menus.enable("redo", session.can_redo)
        menus.enable("hint", session.phase is Phase.YOUR_TURN)
        menus.enable("bot_plays", session.phase is Phase.YOUR_TURN)
        menus.enable("review", is_over_or_played and session.tablebase is not None)
        for name in ("next_mistake", "previous_mistake"):
            menus.enable(name, is_over_or_played and session.tablebase is not None)
        can_look = session.phase is not Phase.SETUP
        for name in ("go_first", "go_previous"):
            menus.enable(name, can_look and session.index > 0)
        for name in ("go_next", "go_last"):
            menus.enable(name, can_look and session.index < session.game.present)
