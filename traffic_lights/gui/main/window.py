"""The main window: its parts, what they show, and their arrangement.

Cards, message, board and buttons stand over each other in one block whose left and right edges are
those of the board. The panel has the rest of the width, with the status line at its foot.
"""

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from traffic_lights.board.rules import complete_lines, is_terminal
from traffic_lights.gui.kit.board_view import BoardView, MoveValues, Picture
from traffic_lights.gui.kit.widgets import put, show_words, stretch, take_away
from traffic_lights.gui.main.cards import CardRow
from traffic_lights.gui.main.command_row import PLACES, CommandRow
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.explain import WantedValues, show_try
from traffic_lights.gui.main.layout import Layout, Metrics, arrange
from traffic_lights.gui.main.message_view import MessageView
from traffic_lights.gui.main.panel import SidePanel
from traffic_lights.gui.main.place import WindowPlace
from traffic_lights.play.game import Game
from traffic_lights.play.verdicts import Verdict


class MainWindow:
    """The game of *context* in the window.

    The parts *run* a command by its name, unless *why_not* returns why it does not apply.
    """

    def __init__(
        self, context: Context, run: Callable[[str], object], why_not: Callable[[str], str]
    ) -> None:
        self._context = context
        self._root = root = context.root
        self._theme = context.theme
        self._values = WantedValues(context)
        self._dressed_for: object = None
        """The settings of the look that everything was made for; None before the first drawing."""
        self._arranged: object = None
        """What the present layout was made for."""
        self._layout: Layout | None = None
        """The present one; None before the first."""
        self._seen: Game | None = None
        """The game as it stood at the last drawing."""
        root.rowconfigure(0, weight=1)
        self.block = put(ttk.Frame(root, width=2, height=2), row=0, column=0, sticky="ns")
        self.block.grid_propagate(False)  # what is inside never changes the layout outside
        stretch(self.block, row=2)
        self.cards = put(CardRow(self.block, context, run), row=0, sticky="ew")
        self.message = put(MessageView(self.block, context), row=1, sticky="ew")
        board = BoardView(
            self.block,
            self._theme,
            context.click,
            on_other=context.other_click,
            on_again=context.click_again,
        )
        board.configure(width=1, height=1)
        self.board = put(board, row=2, sticky="nsew")
        row = CommandRow(self.block, context, run=run, why_not=why_not, explain=self.message.draw)
        self.row = put(row, row=3, sticky="ew")
        self.panel = SidePanel(root, context, run)
        switches = self.cards.swap, self.cards.turns, *self.panel.switches.values()
        for widget in (*self.row.buttons, *self.message.answers, *switches):
            # The arrows and letters work on the board again after a click.
            widget.bind("<ButtonRelease-1>", lambda _: self.board.focus_set(), add=True)
        self.foot = StatusLine(root, context)
        root.bind("<Configure>", self._arrange, add=True)
        self.place = WindowPlace(context)
        context.window = self

    # --- what it shows ---

    def draw(self) -> None:
        """Draw everything that may have changed."""
        context = self._context
        settings = context.userdata.settings
        if settings.look != self._dressed_for:
            self._dressed_for = settings.look
            self.take_look()
        before = self._layout
        self._arrange()
        self.message.draw()
        if before is not None and self._layout is not before:
            self.board.awaits_picture = True  # it is drawn once, when it has its new size
            self._root.update_idletasks()
        self.board.animated = settings.animations
        values, legend = self._values.shown()
        self.board.show(context.messages.shown.picture or self._picture(values))
        self.cards.show()
        self.panel.show(legend)
        self.row.draw()
        self._root.title(f"{context.session.mode.title()} – Traffic Lights")
        self.foot.show_notice("Not everything is saved" if context.userdata.has_failed else "")
        self._reach_down()
        self._ring()

    def _ring(self) -> None:
        """Ring the bell if a move has just ended the game, and the player wants that."""
        game = self._context.session.game
        before = self._seen
        self._seen = game
        settings = self._context.userdata.settings
        has_ended = game.is_over and before is not None and before.actions == game.actions[:-1]
        if has_ended and settings.bell and settings.animations:
            self._root.bell()

    def _picture(self, values: MoveValues) -> Picture:
        mode = self._context.session.mode
        state = mode.state
        return Picture(
            state=state,
            last=mode.last_action,
            lines=complete_lines(state),
            hints=mode.marks or self._context.messages.shown.hints,
            values=values,
            inviting=mode.invites and (mode.allows_red or not is_terminal(state)),
            allows_red=mode.allows_red,
        )

    def show_background(self, text: str, reopen: Callable[[], object]) -> None:
        """Show in the status line what happens in another window; a click calls *reopen*."""
        self.foot.show_background(text, reopen)
        self._reach_down()

    def show_try(self, tried: Verdict) -> None:
        """Play out on the board what the move *tried* in a puzzle leads to."""
        show_try(self._context, tried)

    # --- arrangement ---

    def keep_place(self) -> None:
        """Take the place of the window into the settings."""
        self.place.keep()

    def take_look(self) -> None:
        """Take the appearance from the settings."""
        theme = self._theme
        before = self._theme.scale
        theme.set(**self._context.userdata.settings.look)
        self._context.styles.apply()
        self._root.wm_minsize(*self.place.least_size())
        self.cards.configure(height=self.cards.height())
        self.panel.retheme()
        self._arranged = None
        self._arrange()
        self.place.follow_scale(before)

    def _arrange(self, _: object = None) -> None:
        """Fit the parts to the window's size and the theme; cheap if neither has changed."""
        size = self._root.winfo_width(), self._root.winfo_height()
        wants_panel = self._context.userdata.settings.side_panel
        wanted = size, wants_panel, self._context.session.mode.has_players
        if wanted != self._arranged:
            self._arranged = wanted
            self._stand_as(arrange(*size, self._metrics(), wants_panel))

    def _metrics(self) -> Metrics:
        theme = self._theme
        before, after = self.board.margins
        return Metrics(
            scale=theme.scale,
            title=theme.title.metrics("linespace"),
            body=theme.body.metrics("linespace"),
            strong=theme.strong.metrics("linespace"),
            digit=theme.body.measure("0"),
            words=tuple(max(map(theme.strong.measure, words)) for words in PLACES),
            cards=self.cards.height() if self._context.session.mode.has_players else 0,
            before=before,
            after=after,
        )

    def _stand_as(self, layout: Layout) -> None:
        self._layout = layout
        self.message.arrange(layout)
        self.row.arrange(layout)
        self.block.configure(width=layout.block)
        rows: list[ttk.Frame] = [self.message, self.row]
        if self._context.session.mode.has_players:
            rows.insert(0, self.cards)
        else:
            take_away(self.cards, self.board)
        for row in rows:
            top = layout.above if row is rows[0] else 0
            row.grid(padx=(layout.left, layout.right), pady=(top, layout.between))
        self._root.columnconfigure(0, weight=0 if layout.has_panel else 1)
        self._root.columnconfigure(1, weight=1 if layout.has_panel else 0)
        sides = layout.panel_left, layout.edge
        if layout.has_panel:
            self.panel.grid(row=0, column=1, sticky="nsew", padx=sides, pady=(layout.above, 0))
        else:
            take_away(self.panel, self.board)
        column = 1 if layout.has_panel else 0
        below = layout.between if layout.has_panel else 0  # the block has its own
        self.foot.grid(row=1, column=column, sticky="ew", padx=sides, pady=(0, below))
        self._reach_down()

    def _reach_down(self) -> None:
        """Let the block end at the foot of the window, unless the status line is below it."""
        if self._layout is not None:
            is_free = self._layout.has_panel or self.foot.is_empty
            self.block.grid_configure(rowspan=2 if is_free else 1)

    def toggle_panel(self) -> None:
        """Show or hide the list of moves."""
        is_wanted = not self._context.userdata.settings.side_panel
        self._context.change(side_panel=is_wanted)
        if is_wanted and not self.panel.winfo_manager():
            self._context.say("The window is too narrow for the panel.")


class StatusLine(ttk.Frame):
    """The foot of the window: what could not be saved, and what another window does."""

    def __init__(self, parent: tk.Misc, context: Context) -> None:
        super().__init__(parent)
        self._context = context
        self._reopen: Callable[[], object] = lambda: None
        self.columnconfigure(0, weight=1)
        put(ttk.Frame(self), row=0, column=2)  # an empty frame keeps the height that it had
        self.notice = ttk.Label(self, style="Warning.TLabel")
        self.background = ttk.Button(self, command=lambda: self._reopen())

    @property
    def is_empty(self) -> bool:
        """Whether it shows nothing."""
        return not any(widget.winfo_manager() for widget in (self.notice, self.background))

    def show_notice(self, text: str) -> None:
        self._show(self.notice, text, column=0)

    def show_background(self, text: str, reopen: Callable[[], object]) -> None:
        """Show what happens in another window; a click on it calls *reopen*."""
        self._reopen = reopen
        self._show(self.background, text, column=1)

    def _show(self, widget: ttk.Label | ttk.Button, text: str, *, column: int) -> None:
        above = self._context.theme.px(1.5)
        where = {"row": 0, "column": column, "sticky": "w", "pady": (above, 0)}
        show_words(widget, text, self._context.window.board, where)
