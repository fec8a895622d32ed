"""Every command of the menus, the buttons and the board's keys, by name.

A command never raises because of what a person does, and each asks the
session whether it means something now, so it may be called at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from traffic_lights.gui.board.board_view import BoardView
from traffic_lights.gui.game.appearance import Appearance
from traffic_lights.gui.game.demonstration import Demonstration
from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.game.files import GameFiles
from traffic_lights.gui.game.first import First, players_of_next_game
from traffic_lights.gui.game.offers import Offers
from traffic_lights.gui.main.menus import SPEEDS, MenuBar
from traffic_lights.players.game import HUMAN, Player
from traffic_lights.session import learned, texts
from traffic_lights.session.session import Phase

NO_MORE_MISTAKES: Final = "There is no further mistake in that direction."
NOT_NOW: Final = "This is for a game under way."
FOR_BOTS: Final = "This is for a game of two bots."


class Commands:
    """What the program can be told to do; *windows* are the commands that open one, by name."""

    def __init__(
        self,
        desk: Desk,
        appearance: Appearance,
        demonstration: Demonstration,
        offers: Offers,
        windows: Mapping[str, Callable[[], object]],
    ) -> None:
        self._desk = desk
        self._appearance = appearance
        self._demonstration = demonstration
        self._offers = offers
        self.files = GameFiles(desk)
        self.table: dict[str, Callable[[], object]] = {
            "new_game": self.new_game,
            "play_again": self.new_game,
            "open_game": self.files.open,
            "save_game": self.files.save,
            "copy_game": self.files.copy_game,
            "copy_position": self.files.copy_position,
            "paste": self.files.paste,
            "set_up": self.set_up,
            "finish_setup": self.finish_setup,
            "clear_setup": self.clear_setup,
            "quit": lambda: desk.quit(),
            "undo": self.undo,
            "redo": self.redo,
            "go_first": lambda: self.jump(0),
            "go_previous": lambda: self.step(-1),
            "go_next": lambda: self.step(1),
            "go_last": lambda: self.jump(len(desk.session.game.actions)),
            "bot_plays": self.bot_plays,
            "pause": self.pause,
            "resume": self.resume,
            "step": self.step_bots,
            "speed": self.next_speed,
            "harder": self.take_offer,
            "easier": self.take_offer,
            "hint": self.hint,
            "review": self.review,
            "next_mistake": lambda: self.step_review(1),
            "previous_mistake": lambda: self.step_review(-1),
            "reveal": self.reveal,
            "why": lambda: demonstration.start(),
            "leave": self.escape,
            "cancel_setup": self.escape,
            "larger": lambda: appearance.zoom(1),
            "smaller": lambda: appearance.zoom(-1),
            "normal_size": lambda: appearance.zoom(0),
            "open_data_folder": self.files.open_data_folder,
            "create_shortcut": self.files.create_shortcut,
            **windows,
        }

    # --- games ---

    def new_game(self) -> None:
        """Start a new game with the players of this one; undo brings this one back."""
        desk = self._desk
        desk.end_welcome()
        first = First(desk.keeper.settings.first)
        desk.session.new_game(players_of_next_game(desk.session.players, first))
        desk.changed()
        desk.focus_board()

    def take_offer(self) -> None:
        """Start a new game against the opponent that is offered."""
        desk = self._desk
        players = self._offers.take()
        if players is not None:
            first = First(desk.keeper.settings.first)
            desk.session.new_game(players_of_next_game(players, first))
            desk.changed()
            desk.focus_board()

    def set_up(self) -> None:
        """Start to set up a position on the board."""
        desk = self._desk
        desk.end_welcome()
        desk.session.begin_setup()
        desk.changed()
        desk.focus_board()

    def finish_setup(self) -> None:
        """Play from the position set up."""
        desk = self._desk
        if desk.session.phase is not Phase.SETUP:
            return
        if not desk.session.finish_setup():
            desk.say(texts.SETUP_FINISHED)
            return
        desk.changed()
        desk.focus_board()

    def clear_setup(self) -> None:
        """Empty the board in set-up."""
        desk = self._desk
        if desk.session.phase is Phase.SETUP:
            desk.session.set_setup(0)
            desk.changed()

    # --- moves ---

    def undo(self) -> None:
        """Take back a move, against a bot a full round."""
        session = self._desk.session
        self._took_back(session.undo, texts.NOTHING_TO_UNDO, texts.GAME_BEFORE)

    def redo(self) -> None:
        """Play again what was taken back."""
        session = self._desk.session
        self._took_back(session.redo, texts.NOTHING_TO_REDO, texts.GAME_AFTER)

    def _took_back(self, take: Callable[[], bool], nothing: str, other_game: str) -> None:
        """Undo or redo by *take*; say *nothing* if nothing changed, *other_game* if it has."""
        desk, game = self._desk, self._desk.session.game.identity
        if not take():
            desk.say(nothing)
            return
        desk.changed()
        if desk.session.game.identity != game:
            desk.say(other_game)

    def jump(self, index: int) -> None:
        """Look at the position after *index* moves."""
        desk = self._desk
        if desk.session.phase is Phase.SETUP:
            return
        if index > len(desk.session.game.actions):
            desk.say("This move was taken back: Redo plays it again.")
            return
        desk.session.go_to(index)
        desk.changed(save=False)

    def step(self, moves: int) -> None:
        """Look *moves* further on, or back."""
        desk = self._desk
        if desk.session.phase is not Phase.SETUP:
            desk.session.step(moves)
            desk.changed(save=False)

    def bot_plays(self) -> None:
        """Let the bot at the board, or else the usual one, make a move in the person's place."""
        desk = self._desk
        bots = learned.bots_at_board(desk.session.players, desk.session.mover)
        if not desk.session.play_for_me(bots[0] if bots else desk.preferred()):
            desk.say(NOT_NOW)
            return
        desk.end_welcome()
        desk.changed()

    def pause(self) -> None:
        """Have two bots wait."""
        if self._have_bots():
            self._desk.session.pause_bots()
            self._desk.changed(save=False)

    def step_bots(self) -> None:
        """Let two bots make one move, and wait again."""
        desk = self._desk
        if self._have_bots() and desk.session.phase is not Phase.SETUP:
            desk.session.step_bots()
            desk.changed(save=False)

    def _have_bots(self) -> bool:
        """Whether two bots play; if not, what was asked for is said to be for them."""
        has_person = self._desk.session.has_person
        if has_person:
            self._desk.say(FOR_BOTS)
        return not has_person

    def next_speed(self) -> None:
        """Have bots play at the next speed; after the fastest comes the slowest."""
        names = [name for name, _ in SPEEDS][::-1]
        place = names.index(self._desk.keeper.settings.speed)
        speed = names[(place + 1) % len(names)]
        self._appearance.variables["speed"].set(speed)
        self._appearance.changed("speed")
        self._desk.say(f"Speed: {speed}.")

    def resume(self) -> None:
        """Let two bots play on."""
        desk = self._desk
        is_paused = self._have_bots() and desk.session.is_paused
        if is_paused and desk.session.phase is not Phase.SETUP:
            desk.session.resume_bots()
            desk.changed()

    def escape(self) -> None:
        """Step back out of whatever is going on; never quits."""
        desk = self._desk
        board = desk.window.board
        if board.has_typed:
            board.forget_typing()
        elif self._demonstration.stop():
            desk.refresh()
        elif desk.session.leave():
            desk.changed()
        elif desk.window.board.picture.hints:
            desk.shown = replace(desk.shown, hint=None)
            desk.refresh()
        elif self._appearance.is_full_screen:
            self._appearance.set_full_screen(False)
        board.focus_set()

    # --- help ---

    def hint(self) -> None:
        """Give the next of the three steps of help."""
        desk = self._desk
        hint = None if desk.window.is_board_covered else desk.session.hint()
        if hint is None:
            waiting = desk.session.tablebase is None and desk.session.phase is Phase.YOUR_TURN
            desk.say(texts.STILL_SOLVING if waiting else texts.NO_HINT_HERE)
            return
        desk.shown = replace(desk.shown, hint=hint)
        desk.refresh()
        desk.say(texts.hint_text(hint))
        desk.keeper.save_session(desk.session)

    def review(self) -> None:
        """Go through the mistakes of the game."""
        desk = self._desk
        if desk.session.phase is Phase.SETUP:
            desk.say(NOT_NOW)
        elif desk.session.tablebase is None:
            desk.say(texts.STILL_SOLVING)
        elif desk.session.begin_review():
            desk.changed(save=False)
            desk.focus_board()
        else:
            desk.say(texts.no_review_text(desk.session))

    def step_review(self, steps: int) -> None:
        """Go to the next mistake, or the previous one; begins a review if there is none."""
        desk = self._desk
        if desk.session.phase is not Phase.REVIEW:
            self.review()
        elif desk.session.step_review(steps):
            desk.changed(save=False)
        else:
            desk.say(NO_MORE_MISTAKES)

    def reveal(self) -> None:
        """Show the solution of the mistake under review."""
        desk = self._desk
        if desk.session.reveal():
            desk.changed(save=False)

    # --- who calls ---

    def welcome_choices(self) -> Mapping[str, Callable[[], object]]:
        """Return what the first start offers."""
        desk = self._desk

        def play(one: Player, other: Player) -> None:
            desk.end_welcome()
            desk.session.new_game((one, other))
            desk.changed()
            desk.focus_board()

        def play_first() -> None:
            bot = desk.first()
            desk.prefer(bot.bot or "")
            play(bot, HUMAN)

        return {
            "Play – you move second": play_first,
            "Two players": lambda: play(HUMAN, HUMAN),
            "Choose an opponent…": self.table["new_game_dialog"],
            "Train a QBot…": self.table["train"],
            "Evaluate the bots…": self.table["evaluate"],
            "How to play": self.table["how_to_play"],
        }

    def bind_board_keys(self, board: BoardView) -> None:
        """Bind the letters on the board, and Escape in the whole window."""
        for letter, name in (("n", "new_game"), ("u", "undo"), ("r", "redo"), ("h", "hint")):
            board.bind_key((letter, letter.upper()), self.table[name])
        board.bind_key(("Return", "KP_Enter"), self._return_on_board)
        self._desk.root.bind("<Escape>", lambda _: self.escape())

    def _return_on_board(self) -> None:
        """Play at the cursor, or when the game is over, play again."""
        if self._desk.session.phase is Phase.OVER:
            self.new_game()
        else:
            self._desk.window.board.choose_cursor()

    def enable(self, menus: MenuBar) -> None:
        """Grey in *menus* what makes no sense now."""
        session = self._desk.session
        can_look = session.phase is not Phase.SETUP
        can_review = can_look and len(session.game.actions) > 0 and session.tablebase is not None
        menus.enable("undo", session.can_undo)
        menus.enable("redo", session.can_redo)
        is_seen = not self._desk.window.is_board_covered
        menus.enable("hint", is_seen and session.phase is Phase.YOUR_TURN)
        menus.enable("bot_plays", session.phase is Phase.YOUR_TURN)
        menus.enable("pause", not session.has_person and not session.is_paused)
        menus.enable("resume", can_look and session.is_paused)
        menus.enable("step", can_look and not session.has_person)
        for name in ("review", "next_mistake", "previous_mistake"):
            menus.enable(name, can_review)
        for name in ("go_first", "go_previous"):
            menus.enable(name, can_look and session.index > 0)
        for name in ("go_next", "go_last"):
            menus.enable(name, can_look and session.index < len(session.game.actions))
