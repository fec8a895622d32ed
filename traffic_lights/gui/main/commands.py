"""The one table of commands: menus, buttons, keys and the Keys page are made from it.

`Commands.run` finds out why the command does not apply now. If there is a reason, the window shows
it; otherwise the command runs. So a command may be called at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from traffic_lights.board.rules import EMPTY_BOARD, LONGEST_GAME, Action, is_terminal
from traffic_lights.gui.main import files
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.explain import BEST_PLAY, LEARNED, NOTHING, Refutation
from traffic_lights.players.game import Player
from traffic_lights.session import texts
from traffic_lights.session.session import Phase
from traffic_lights.userdata.settings import Settings

SPEEDS: Final = ("slow", "normal", "quick", "instant")


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
    is_on: Callable[[], bool] | None = None
    """For a switch: returns whether it is on."""


class Commands:
    """What the player can do in the main window; *acts* are those of other parts, by name."""

    def __init__(self, context: Context, acts: Mapping[str, Callable[[], object]]) -> None:
        self._context = context
        self._session = context.session
        self.refutation = Refutation(context)
        self.table = {command.name: command for command in self._commands(acts)}

    def _commands(self, acts: Mapping[str, Callable[[], object]]) -> list[WindowCommand]:
        make, context, session = WindowCommand, self._context, self._session

        def settings() -> Settings:
            return context.userdata.settings

        def game(act: Callable[[], object], is_begin: bool = False) -> Callable[[], None]:
            """Return what changes the game by *act*; a new beginning gives the board the keys."""

            def change() -> None:
                act()
                context.changed()
                if is_begin:
                    context.board.focus_set()

            return change

        def show(values: str) -> None:
            """Show *values* of every move on the board, or nothing if they are shown already."""
            context.change(show=NOTHING if settings().show == values else values)

        def begin() -> None:
            session.new_game(self._swapped() if settings().take_turns else None)

        return [
            make("new_game", "New Game", game(begin, True), ("Ctrl+N", "F2"), "n"),
            make("undo", "Undo", lambda: self._to_snapshot(session.undo, texts.GAME_BEFORE),
                    ("Ctrl+Z",), "u"),
            make("redo", "Redo", lambda: self._to_snapshot(session.redo, texts.GAME_AFTER),
                    ("Ctrl+Y", "Ctrl+Shift+Z"), "r"),
            make("set_up", "Set Up Position…", game(session.begin_setup, True)),
            make("open_game", "Open…", partial(files.open_game, context), ("Ctrl+O",)),
            make("save_game", "Save As…", partial(files.save_game, context), ("Ctrl+S",)),
            make("copy", "Copy", partial(files.copy_game, context), ("Ctrl+C",)),
            make("copy_position", "Copy the Position", partial(files.copy_position, context),
                    ("Ctrl+Shift+C",)),
            make("paste", "Paste", partial(files.paste, context), ("Ctrl+V",)),
            make("statistics", "Statistics…", acts["statistics"]),
            make("quit", "Quit", context.quit, ("Ctrl+Q",)),
            make("hint", "Hint", self._hint, ("F3",), "h"),
            make("best_play", "Show Best Play", lambda: show(BEST_PLAY), ("F7",),
                    is_on=lambda: settings().show == BEST_PLAY),
            make("learned", "Show What the Bot Has Learned", lambda: show(LEARNED), ("F8",),
                    is_on=lambda: settings().show == LEARNED),
            make("review", "Review Mistakes", game(session.begin_review, True), ("F4",)),
            make("next_mistake", "Next Mistake", game(lambda: session.step_review(1)), ("F6",)),
            make("previous_mistake", "Previous Mistake", game(lambda: session.step_review(-1)),
                    ("Shift+F6",)),
            make("reveal", "Show the Solution", game(session.reveal)),
            make("bot_plays", "Bot Plays for Me", game(self._bot_plays), ("Ctrl+B",)),
            make("pause", "Pause",
                    game(lambda: session.resume_bots() if session.is_paused
                         else session.pause_bots()), ("Ctrl+P",)),
            make("step", "Step", game(lambda: session.resume_bots(is_step=True)), ("F5",)),
            make("speed", "Speed", self._next_speed, ("Shift+F5",)),
            make("swap", "Swap Seats", lambda: context.set_players(self._swapped())),
            make("take_turns", "Take Turns",
                    lambda: context.change(take_turns=not settings().take_turns)),
            make("first", "First Move", game(lambda: session.go_to(0)), ("Ctrl+Home",)),
            make("previous", "Previous Move", game(lambda: session.go_to(session.index - 1)),
                 ("PageUp",)),
            make("next", "Next Move", game(lambda: session.go_to(session.index + 1)),
                 ("PageDown",)),
            make("last", "Last Move", game(lambda: session.go_to(LONGEST_GAME)), ("Ctrl+End",)),
            make("finish_setup", "Start Here", game(session.finish_setup, True)),
            make("clear_setup", "Empty the Board", game(lambda: session.set_setup(EMPTY_BOARD))),
            make("leave", "Step Back", self.escape),
            make("workshop", "Workshop…", acts["workshop"], ("Ctrl+T",)),
            make("train", "Train…", acts["train"]),
            make("evaluate", "Evaluate…", acts["evaluate"], ("Ctrl+E",)),
            make("add_program", "Add a Program…", acts["add_program"]),
            make("appearance", "Appearance…", acts["appearance"]),
            make("panel", "Panel", acts["panel"], ("F9",),
                    is_on=lambda: settings().side_panel),
            make("full_screen", "Full Screen", acts["full_screen"], ("F11",),
                    is_on=lambda: context.is_full_screen),
            make("larger", "Larger", acts["larger"], ("Ctrl++", "Ctrl+=")),
            make("smaller", "Smaller", acts["smaller"], ("Ctrl+-",)),
            make("normal_size", "Normal Size", acts["normal_size"], ("Ctrl+0",)),
            make("how_to_play", "How to Play", acts["how_to_play"], ("F1",)),
            make("keys", "Keys", acts["keys"]),
            make("data_folder", "Open Data Folder", partial(files.open_data_folder, context)),
            make("shortcut", "Create Shortcut…", partial(files.create_shortcut, context)),
            make("about", "About", acts["about"]),
        ]  # fmt: skip

    def why_not(self, name: str) -> str:
        """Return why the command *name* does not apply now, in a sentence; empty if it does."""
        session, review = self._session, self._session.review
        in_setup, is_my_turn = session.phase is Phase.SETUP, session.phase is Phase.YOUR_TURN
        match name:
            case "undo" if not session.can_undo:
                return texts.NOTHING_TO_UNDO
            case "redo" if not session.can_redo:
                return texts.NOTHING_TO_REDO
            case "pause" | "step" | "speed" if session.game.has_person:
                return "You can do this in a game of two bots."
            case "first" | "previous" | "next" | "last" | "pause" | "step" | "review" if in_setup:
                return "Finish the set-up first, or cancel it."
            case "first" | "previous" if not session.index:
                return texts.AT_THE_START
            case "next" | "last" if session.index == len(session.game.actions):
                return "This is the last move."
            case "hint" if not is_my_turn:
                return texts.NO_HINT_HERE
            case "hint" if session.tablebase is None:
                return texts.STILL_SOLVING
            case "bot_plays" if not is_my_turn:
                return "You can do this when it is your turn."
            case "review" if review is None:
                return texts.no_review_text(session)
            case "next_mistake" | "previous_mistake" | "reveal" if review is None:
                return "You can do this in a review: F4 begins one."
            case "previous_mistake" if review is not None and not review.number:
                return texts.NO_EARLIER_MISTAKE
            case "next_mistake" if review is not None and review.is_last:
                return texts.REVIEW_COMPLETE
            case "reveal" if review is not None and review.is_solved:
                return texts.SOLVED_THE_LAST if review.is_last else texts.SOLVED_ALREADY
            case "clear_setup" | "finish_setup" if not in_setup:
                return "You can do this while you set up a position."
            case "finish_setup" if is_terminal(session.state):
                return texts.SETUP_FINISHED
        return ""

    def run(self, name: str) -> None:
        reason = self.why_not(name)
        if reason:
            self._context.say(reason)
        else:
            self.table[name].action()

    # --- games ---

    def _swapped(self) -> tuple[Player, Player]:
        one, other = self._session.players
        return other, one

    def _to_snapshot(self, move: Callable[[], object], other_game: str) -> None:
        """Undo or redo by *move*; report *other_game* if it is not the same game any more."""
        game = self._session.game.identity
        move()
        self._context.changed()
        if self._session.game.identity != game:
            self._context.say(other_game)

    def _bot_plays(self) -> None:
        """Let the bot at the board, or the one chosen last, make one move for the player."""
        bots = self._session.bots
        preferred = self._context.player(self._context.userdata.settings.opponent)
        self._session.play_for_me(bots[0] if bots else preferred)

    def _next_speed(self) -> None:
        """Let bots play at the next speed; after the fastest comes the slowest."""
        place = SPEEDS.index(self._context.userdata.settings.speed)
        speed = SPEEDS[(place + 1) % len(SPEEDS)]
        self._context.userdata.change(speed=speed)
        self._context.say(f"Speed: {speed}.")

    # --- help ---

    def _hint(self) -> None:
        """Give the next of the three steps of help."""
        context = self._context
        context.hint = self._session.hint()
        if context.hint is not None:
            context.say(texts.hint_text(context.hint))
            context.userdata.save_session(self._session)

    # --- on the board ---

    def click(self, cell: Action) -> None:
        context, session = self._context, self._session
        if self.refutation.stop():
            context.refresh()
        elif not session.failure:  # otherwise the message says what can be done
            outcome = session.play(cell)
            text = texts.outcome_text(outcome, session, cell)
            context.changed()
            if text:
                context.say(text)

    def other_click(self, cell: Action) -> None:
        """Do what the other mouse button means: back through the colours, in set-up."""
        if self._session.phase is Phase.SETUP:
            self._session.cycle_setup(cell, back=True)
            self._context.changed()

    def return_on_board(self) -> None:
        """Play at the cursor, or a new game when this one is over."""
        if self._session.phase is Phase.OVER:
            self.run("new_game")
        else:
            self._context.board.choose_cursor()

    def escape(self) -> None:
        """Step back out of whatever is going on; this never quits."""
        context, board = self._context, self._context.board
        board.focus_set()
        if board.forget_typing():
            return
        if self.refutation.stop():
            context.refresh()
        elif self._session.leave() or board.picture.hints or context.message.text:
            context.changed()
        elif context.is_full_screen:
            self.run("full_screen")
