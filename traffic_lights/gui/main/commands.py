"""The one table of commands: menus, buttons, keys and the Keys page are made from it.

`Commands.run` asks the command why it does not apply now. If there is a reason, the window shows
it; otherwise the command runs. So a command may be called at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from traffic_lights.board.rules import EMPTY_BOARD, LONGEST_GAME, is_terminal
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.files import GameFiles
from traffic_lights.gui.main.presenter import Show
from traffic_lights.gui.main.refutation import Refutation
from traffic_lights.gui.main.view import ViewSettings
from traffic_lights.session import learned, texts
from traffic_lights.session.session import Phase

NOT_NOW: Final = "This needs your turn in a game."
FOR_BOTS: Final = "This is for a game of two bots."
NO_REVIEW: Final = "This is for a review: F4 begins one."
IN_SETUP: Final = "Finish the set-up first, or cancel it."
TAKEN_BACK: Final = "This move was taken back: Redo plays it again."
AT_THE_END: Final = "This is the last move."
SPEEDS: Final = ("slow", "normal", "quick", "instant")


def always() -> str:
    """Return no reason against a command that always applies."""
    return ""


@dataclass(frozen=True, slots=True)
class WindowCommand:
    """Something that the player can have the program do."""

    name: str
    label: str
    action: Callable[[], object]
    keys: tuple[str, ...] = ()
    """``Ctrl+Shift+N`` or ``F2``; the menu shows the first."""
    letter: str = ""
    """A key that does the same while the board has the keyboard."""
    why_not: Callable[[], str] = always
    """Returns why the command does not apply now, in a sentence; empty if it does."""
    is_on: Callable[[], bool] | None = None
    """Of a switch, returns whether it is on."""


class Commands:
    """What the player can do in the main window; *openers* open the other windows, by name."""

    def __init__(
        self,
        context: Context,
        view: ViewSettings,
        refutation: Refutation,
        openers: Mapping[str, Callable[[], object]],
    ) -> None:
        self._context = context
        self._session = context.session
        self._view = view
        self._refutation = refutation
        self.files = GameFiles(context)
        self.table = {command.name: command for command in self._commands(openers)}

    def _commands(self, open_: Mapping[str, Callable[[], object]]) -> list[WindowCommand]:
        session, files, view = self._session, self.files, self._view
        make = WindowCommand
        return [
            make("new_game", "New Game", self.new_game, ("Ctrl+N", "F2"), "n"),
            make("undo", "Undo", self.undo, ("Ctrl+Z",), "u", self._no_undo),
            make("redo", "Redo", self.redo, ("Ctrl+Y", "Ctrl+Shift+Z"), "r", self._no_redo),
            make("set_up", "Set Up Position…", self.set_up),
            make("open_game", "Open…", files.open, ("Ctrl+O",)),
            make("save_game", "Save As…", files.save, ("Ctrl+S",)),
            make("copy", "Copy", files.copy_game, ("Ctrl+C",)),
            make("copy_position", "Copy the Position", files.copy_position, ("Ctrl+Shift+C",)),
            make("paste", "Paste", files.paste, ("Ctrl+V",)),
            make("statistics", "Statistics…", open_["statistics"]),
            make("quit", "Quit", self._context.quit, ("Ctrl+Q",)),
            make("hint", "Hint", self.hint, ("F3",), "h", self._no_hint),
            make(
                "best_play", "Show Best Play", lambda: self._show(Show.BEST_PLAY), ("F7",),
                is_on=lambda: self._context.shown.values is Show.BEST_PLAY,
            ),
            make(
                "learned", "Show What the Bot Has Learned", lambda: self._show(Show.LEARNED),
                ("F8",), is_on=lambda: self._context.shown.values is Show.LEARNED,
            ),
            make("review", "Review Mistakes", self.review, ("F4",), "", self._no_review),
            make("next_mistake", "Next Mistake", lambda: self._to_mistake(1), ("F6",), "",
                    lambda: self._no_mistake(1)),
            make("previous_mistake", "Previous Mistake", lambda: self._to_mistake(-1),
                    ("Shift+F6",), "", lambda: self._no_mistake(-1)),
            make("reveal", "Show the Solution", self.reveal, why_not=self._nothing_to_reveal),
            make("bot_plays", "Bot Plays for Me", self.bot_plays, ("Ctrl+B",), "",
                    lambda: "" if session.phase is Phase.YOUR_TURN else NOT_NOW),
            make("pause", "Pause", self.pause, ("Ctrl+P",), "", self._not_two_bots,
                    lambda: session.is_paused),
            make("step", "Step", self.step, ("F5",), "", self._not_two_bots),
            make("speed", "Speed", self.next_speed, ("Shift+F5",), "", self._not_two_bots),
            make("first", "First Move", lambda: self.jump(0), ("Ctrl+Home",), "", self._no_back),
            make("previous", "Previous Move", lambda: self._look(-1), ("PageUp",), "",
                    self._no_back),
            make("next", "Next Move", lambda: self._look(1), ("PageDown",), "", self._no_next),
            make("last", "Last Move", lambda: self._look(LONGEST_GAME), ("Ctrl+End",), "",
                    self._no_next),
            make("finish_setup", "Start Here", self.finish_setup, why_not=self._no_start),
            make("clear_setup", "Empty the Board", self.clear_setup, why_not=self._not_set_up),
            make("leave", "Step Back", self.escape),
            make("workshop", "Workshop…", open_["workshop"], ("Ctrl+T",)),
            make("train", "Train…", open_["train"]),
            make("evaluate", "Evaluate…", open_["evaluate"], ("Ctrl+E",)),
            make("add_program", "Add a Program…", open_["add_program"]),
            make("appearance", "Appearance…", open_["appearance"]),
            make("panel", "Panel", self.toggle_panel, ("F9",),
                    is_on=lambda: self._context.userdata.settings.side_panel),
            make("full_screen", "Full Screen", view.toggle_full_screen, ("F11",),
                    is_on=lambda: view.is_full_screen),
            make("larger", "Larger", view.larger, ("Ctrl++", "Ctrl+=")),
            make("smaller", "Smaller", lambda: view.zoom(-1), ("Ctrl+-",)),
            make("normal_size", "Normal Size", lambda: view.zoom(0), ("Ctrl+0",)),
            make("how_to_play", "How to Play", open_["how_to_play"], ("F1",)),
            make("keys", "Keys", open_["keys"]),
            make("data_folder", "Open Data Folder", files.open_data_folder),
            make("shortcut", "Create Shortcut…", files.create_shortcut),
            make("about", "About", open_["about"]),
        ]  # fmt: skip

    def run(self, name: str) -> None:
        """Run the command *name*, or show why it does not apply now."""
        command = self.table[name]
        reason = command.why_not()
        if reason:
            self._context.say(reason)
        else:
            command.action()

    # --- games ---

    def new_game(self) -> None:
        """Start a new game with the players of this one; undo brings this one back."""
        one, other = self._session.players
        take_turns = self._context.userdata.settings.take_turns
        self._session.new_game((other, one) if take_turns else (one, other))
        self._context.changed()
        self._context.focus_board()

    def set_up(self) -> None:
        """Begin to set up a position on the board."""
        self._session.begin_setup()
        self._context.changed()
        self._context.focus_board()

    def _not_set_up(self) -> str:
        return "" if self._session.phase is Phase.SETUP else "This is for setting up a position."

    def _no_start(self) -> str:
        if self._session.phase is Phase.SETUP and is_terminal(self._session.state):
            return texts.SETUP_FINISHED
        return self._not_set_up()

    def finish_setup(self) -> None:
        """Play from the position that was set up."""
        self._session.finish_setup()
        self._context.changed()
        self._context.focus_board()

    def clear_setup(self) -> None:
        """Empty the board that is being set up."""
        self._session.set_setup(EMPTY_BOARD)
        self._context.changed()

    # --- moves ---

    def _no_undo(self) -> str:
        return "" if self._session.can_undo else texts.NOTHING_TO_UNDO

    def undo(self) -> None:
        """Take back a move, against a bot a full round."""
        game = self._session.game.identity
        self._session.undo()
        self._moved_to(game, texts.GAME_BEFORE)

    def _no_redo(self) -> str:
        return "" if self._session.can_redo else texts.NOTHING_TO_REDO

    def redo(self) -> None:
        """Play again what was taken back."""
        game = self._session.game.identity
        self._session.redo()
        self._moved_to(game, texts.GAME_AFTER)

    def _moved_to(self, game: int, other_game: str) -> None:
        """Draw what undo or redo brought; report *other_game* if it is not *game* any more."""
        self._context.changed()
        if self._session.game.identity != game:
            self._context.say(other_game)

    def _no_back(self) -> str:
        if self._session.phase is Phase.SETUP:
            return IN_SETUP
        return "" if self._session.index else texts.AT_THE_START

    def _no_next(self) -> str:
        if self._session.phase is Phase.SETUP:
            return IN_SETUP
        return "" if self._session.index < len(self._session.game.actions) else AT_THE_END

    def jump(self, index: int) -> None:
        """Look at the position after *index* moves."""
        if self._session.phase is Phase.SETUP:
            self._context.say(IN_SETUP)
        elif index > len(self._session.game.actions):
            self._context.say(TAKEN_BACK)
        else:
            self._session.go_to(index)
            self._context.changed(save=False)

    def _look(self, moves: int) -> None:
        """Look *moves* further on, or back if negative."""
        self._session.step(moves)
        self._context.changed(save=False)

    def bot_plays(self) -> None:
        """Let the bot at the board, or the one chosen last, make one move for the player."""
        bots = learned.bots_at_board(self._session.players, self._session.mover)
        preferred = self._context.player(self._context.userdata.settings.opponent)
        self._session.play_for_me(bots[0] if bots else preferred)
        self._context.changed()

    # --- two bots ---

    def _not_two_bots(self) -> str:
        if self._session.game.has_person:
            return FOR_BOTS
        return IN_SETUP if self._session.phase is Phase.SETUP else ""

    def pause(self) -> None:
        """Pause two bots, or let them play again."""
        if self._session.is_paused:
            self._session.resume_bots()
        else:
            self._session.pause_bots()
        self._context.changed()

    def step(self) -> None:
        """Let two bots make one move, and pause again."""
        self._session.step_bots()
        self._context.changed(save=False)

    def next_speed(self) -> None:
        """Let bots play at the next speed; after the fastest comes the slowest."""
        place = SPEEDS.index(self._context.userdata.settings.speed)
        speed = SPEEDS[(place + 1) % len(SPEEDS)]
        self._context.userdata.change(speed=speed)
        self._context.say(f"Speed: {speed}.")

    # --- help ---

    def _no_hint(self) -> str:
        if self._session.phase is not Phase.YOUR_TURN:
            return texts.NO_HINT_HERE
        return texts.STILL_SOLVING if self._session.tablebase is None else ""

    def hint(self) -> None:
        """Give the next of the three steps of help."""
        hint = self._session.hint()
        if hint is not None:
            context = self._context
            context.shown = replace(context.shown, hint=hint)
            context.say(texts.hint_text(hint))
            context.userdata.save_session(self._session)

    def show(self, values: Show) -> None:
        """Show *values* of every move on the board."""
        self._context.shown = replace(self._context.shown, values=values)
        self._context.userdata.change(show=values.value)
        self._context.refresh()

    def _show(self, values: Show) -> None:
        """Show *values*, or nothing if they are shown already."""
        self.show(Show.NOTHING if self._context.shown.values is values else values)

    def _no_review(self) -> str:
        if self._session.phase is Phase.SETUP:
            return IN_SETUP
        return "" if self._session.review is not None else texts.no_review_text(self._session)

    def review(self) -> None:
        """Go through the mistakes of the game."""
        if self._session.begin_review():
            self._context.changed(save=False)
            self._context.focus_board()

    def _no_mistake(self, steps: int) -> str:
        review = self._session.review
        if review is None:
            return NO_REVIEW
        if steps < 0:
            return "" if review.number else texts.NO_EARLIER_MISTAKE
        return texts.REVIEW_COMPLETE if review.is_last else ""

    def _to_mistake(self, steps: int) -> None:
        """Go to the next mistake, or the previous one."""
        self._session.step_review(steps)
        self._context.changed(save=False)

    def _nothing_to_reveal(self) -> str:
        review = self._session.review
        if review is None:
            return NO_REVIEW
        solved = texts.SOLVED_THE_LAST if review.is_last else texts.SOLVED_ALREADY
        return solved if review.is_solved else ""

    def reveal(self) -> None:
        """Show the solution of the mistake under review."""
        self._session.reveal()
        self._context.changed(save=False)

    # --- the window ---

    def toggle_panel(self) -> None:
        """Show the panel, or hide it."""
        self._view.change("side_panel", not self._context.userdata.settings.side_panel)
        window = self._context.window
        if window.wants_panel and not window.panel.winfo_manager():
            self._context.say("The window is too narrow for the panel.")

    def escape(self) -> None:
        """Step back out of whatever is going on; this never quits."""
        context, board = self._context, self._context.window.board
        if board.has_typed:
            board.forget_typing()
        elif self._refutation.stop():
            context.refresh()
        elif self._session.leave():
            context.changed()
        elif board.picture.hints or context.message.text:
            context.changed(save=False)
        elif self._view.is_full_screen:
            self._view.toggle_full_screen()
        board.focus_set()
