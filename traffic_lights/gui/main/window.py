"""The main window: its widgets, what they show, their arrangement and their size.

Cards, message, board and buttons stand over each other in one block whose left and right edges are
those of the board. The panel has the rest of the width, with the status line at its foot.
"""

from collections.abc import Callable
from functools import partial
from tkinter import ttk
from typing import Any, Final

from traffic_lights.board.rules import Action, complete_lines, is_terminal
from traffic_lights.gui.kit.board_view import BoardView, Picture
from traffic_lights.gui.kit.charts import fitted
from traffic_lights.gui.kit.dialog import place_window
from traffic_lights.gui.kit.widgets import focused_widget, put, stretch, take_away
from traffic_lights.gui.main.cards import CardRow
from traffic_lights.gui.main.context import Choice, Context
from traffic_lights.gui.main.explain import MoveValues, play_out, show_answer
from traffic_lights.gui.main.layout import Layout, Metrics, arrange
from traffic_lights.gui.main.panel import SidePanel
from traffic_lights.play import texts
from traffic_lights.play.commands import MODES
from traffic_lights.play.userdata import CHOICES

PLACES: Final = tuple(zip(*(row.values() for mode in MODES for row in mode.rows), strict=True))
"""The words that the button in each place can have; "Play" is a short one."""

FIRST_SIZE: Final = (900, 640)
LEAST_SIZE: Final = (480, 420)
ABOVE: Final = 72
"""The pixels of a window's title and menu at 96 dpi, about; its height does not count them."""


class MainWindow:
    """The game of *context* in the window.

    Buttons *run* a command by its name, unless *why_not* returns why it does not apply.
    """

    def __init__(
        self, context: Context, run: Callable[[str], object], why_not: Callable[[str], str]
    ) -> None:
        self._context = context
        self._run = run
        self._why_not = why_not
        self._root = root = context.root
        self._theme = context.theme
        self._values = MoveValues(context)
        self._arranged: object = None
        self._layout: Layout | None = None
        """The present one; None before the first."""
        self._natural = (0.0, 0.0)
        """The size of the window at scale 1."""
        self._zoomed = (0, 0)
        """The size that zooming gave the window last; any other was chosen by the player."""
        self._choices: tuple[Choice, ...] = ()
        """The answers to the message that is shown."""
        self.buttons: list[str] = []
        """The command that the button in each place runs now."""
        self._reopen: Callable[[], object] = lambda: None
        root.rowconfigure(0, weight=1)
        self.block = put(ttk.Frame(root, width=2, height=2), row=0, column=0, sticky="ns")
        self.block.grid_propagate(False)  # what is inside never changes the layout outside
        stretch(self.block, row=2)
        self.cards = put(CardRow(self.block, context, run), row=0, sticky="ew")
        self._make_message()
        board = BoardView(self.block, self._theme, self._click, context.other_click)
        board.configure(width=1, height=1)
        self.board = put(board, row=2, sticky="nsew")
        self._make_buttons()
        self.panel = SidePanel(root, context)
        switches = self.cards.swap, self.cards.turns, *self.panel.switches.values()
        for widget in (*self.places, *self.answers, *switches):
            # The arrows and letters work on the board again after a click.
            widget.bind("<ButtonRelease-1>", lambda _: self.board.focus_set(), add=True)
        self._make_foot()
        root.bind("<Configure>", self._arrange, add=True)
        context.board = self.board
        context.on_refresh.append(self.draw)
        context.on_background.append(self.show_background)
        self.place(context.userdata.settings.geometry)

    def _make_message(self) -> None:
        """Make the state of the game, the text under it, and the buttons that answer it."""
        self._message = put(ttk.Frame(self.block), row=1, sticky="ew")
        self._message.columnconfigure(0, weight=1)
        self._message.grid_propagate(False)  # a long text must not move the board
        self._message.bind("<Configure>", lambda _: self._draw_message())
        self.heading = put(ttk.Label(self._message, anchor="w", width=1), row=0, sticky="ew")
        self.detail = put(ttk.Label(self._message, anchor="nw", width=1), row=1, sticky="new")
        # All buttons keep their commands: one that is set again leaves the old one in Tk's memory.
        self.answers = [
            ttk.Button(self._message, command=partial(self._answer, place)) for place in (0, 1)
        ]

    def _make_buttons(self) -> None:
        """Make the row of buttons under the board; what each does depends on the phase."""
        self._row = put(ttk.Frame(self.block), row=3, sticky="ew")
        self.places = [
            ttk.Button(self._row, command=partial(self._press, place))
            for place in range(len(PLACES))
        ]
        for place, button in enumerate(self.places):
            button.grid(row=0, column=place, sticky="nsew", padx=(0, 2))
            for event in ("<Enter>", "<Button-1>"):
                button.bind(event, partial(self._explain, place), add=True)
            button.bind("<Leave>", lambda _: self._draw_message())

    def _make_foot(self) -> None:
        """Make the status line: what could not be saved, and what another window does."""
        self._foot = ttk.Frame(self._root)
        self._foot.columnconfigure(0, weight=1)
        put(ttk.Frame(self._foot), row=0, column=2)  # an empty frame keeps the height that it had
        self.notice = ttk.Label(self._foot, style="Warning.TLabel")
        self.background = ttk.Button(self._foot, command=lambda: self._reopen())

    # --- what it shows ---

    def draw(self) -> None:
        """Draw everything that may have changed."""
        context = self._context
        session = self._context.session
        settings = context.userdata.settings
        if settings.look != self._theme.shown:
            self.apply()
        before = self._layout
        self._arrange()
        self._draw_message()
        if before is not None and self._layout is not before:
            self.board.awaits_picture = True  # it is drawn once, when it has its new size
            self._root.update_idletasks()
        self.board.animated = settings.animations
        values, legend = self._values.shown()
        self.board.show(context.message.picture or self._picture(values))
        self.cards.show()
        self.panel.show(legend)
        self._draw_buttons()
        self._root.title(f"{session.mode.title()} – Traffic Lights")
        notice = "Not everything is saved" if context.userdata.has_failed else ""
        self._show_in_foot(self.notice, notice, 0)

    def _picture(self, values: dict[str, Any]) -> Picture:
        mode = self._context.session.mode
        state = mode.state
        return Picture(
            state=state,
            last=mode.last_action,
            lines=complete_lines(state),
            hints=mode.marks or self._context.message.hints,
            inviting=mode.invites and (mode.allows_red or not is_terminal(state)),
            allows_red=mode.allows_red,
            **values,
        )

    def _draw_message(self, reason: str = "") -> None:
        """Show the state of the game, and *reason*, what was reported last, or about the state."""
        theme = self._theme
        heading, detail, self._choices = self._message_now()
        room = self._message.winfo_width() - theme.px(1)
        gap = theme.px(2)
        for place, button in enumerate(self.answers):
            text = self._choices[place][0] if place < len(self._choices) else ""
            self._show(button, text, column=1 + place, rowspan=2, sticky="ne", padx=(gap, 0))
            if text:
                room -= button.winfo_reqwidth() + gap
        style = "Title.TLabel"
        if theme.title.measure(heading) > room:
            style = "Strong.TLabel"
            if theme.strong.measure(heading) > room:  # the detail tells the rest, too
                heading = heading.partition(". ")[0]
        room = max(1, room)
        self.heading.configure(text=heading, style=style, wraplength=room)
        self.detail.configure(text=reason or detail, wraplength=room)
        self._fit_message()

    def _message_now(self) -> tuple[str, str, tuple[Choice, ...]]:
        """Return the heading, the text under it, and the buttons that answer it."""
        context = self._context
        session = self._context.session
        message = self._context.message
        heading, detail = self._state_now()
        if message.text:
            return message.heading or heading, message.text, message.choices
        mistake = session.mode.mistake
        if mistake is not None:
            detail = detail or texts.judged_text(mistake, session.players)
            return heading, detail, (("Why?", partial(play_out, context, mistake)),)
        solution = session.mode.solution
        if solution is not None:
            return heading, detail, (("Show How", partial(play_out, context, solution)),)
        return heading, detail, ()

    def _state_now(self) -> tuple[str, str]:
        """Return the state of the game, and what there is to say about it in two lines."""
        session = self._context.session
        heading = session.mode.heading()
        detail = session.mode.detail()
        if session.shows_result:
            measure = self._theme.body.measure
            two_lines = 1.8 * self._message.winfo_width()
            if measure(detail) >= two_lines:
                why = texts.counted_text(session.game)
                detail = fitted(f"{why} {session.mistakes_text()}".strip(), measure, two_lines)
        elif session.is_your_turn and len(session.game.actions) < 2:
            detail = "" if self._context.userdata.records() else texts.FIRST_MOVE
        return heading, detail

    def _fit_message(self) -> None:
        """Give a text of more lines than usual the room of a large heading.

        Only one that is longer still moves the board, because no word of it may be lost.
        """
        if self._layout is None:
            return
        first = self._layout.heading
        needed = self.detail.winfo_reqheight()
        if first + needed > self._layout.message:
            self.heading.configure(style="Strong.TLabel")
            first = self.heading.winfo_reqheight()
        self._message.rowconfigure(0, minsize=first)
        self._message.configure(height=max(self._layout.message, first + needed))

    def _click(self, cell: Action) -> None:
        """Do what a click on *cell* means, and show what a try leads to."""
        context = self._context
        mode = context.session.mode
        if mode.attempt is None:
            context.click(cell)
            return
        tries = mode.tries
        remark = mode.click(cell)  # also while a try is played out: the next one need not wait
        if mode.tries > tries:
            show_answer(context)
        else:
            context.say(remark)

    def _answer(self, place: int) -> None:
        self._choices[place][1]()

    def _draw_buttons(self) -> None:
        row = self._context.session.mode.buttons
        main = self._context.session.mode.main_button
        self.buttons = list(row)
        for button, (name, text) in zip(self.places, row.items(), strict=True):
            is_main = name == main
            style = "Tight.Accent.TButton" if is_main else "Tight.TButton"
            if is_main and name == "pause":
                text = "Play"
            button.configure(text=text, style=style)
            is_off = bool(self._why_not(name))
            button.state(["disabled" if is_off else "!disabled"])
            if is_off and focused_widget(button) is button:  # where no key does anything
                self.board.focus_set()

    def _press(self, place: int) -> None:
        self._run(self.buttons[place])

    def _explain(self, place: int, _: object) -> None:
        self._draw_message(self._why_not(self.buttons[place]))

    def show_background(self, text: str, reopen: Callable[[], object]) -> None:
        """Show what happens in another window; a click on it calls *reopen*."""
        self._reopen = reopen
        self._show_in_foot(self.background, text, 1)

    def _show_in_foot(self, widget: ttk.Label | ttk.Button, text: str, column: int) -> None:
        self._show(widget, text, column=column, sticky="w", pady=(self._theme.px(1.5), 0))
        self._reach_down()

    def _show(self, widget: ttk.Label | ttk.Button, text: str, **where: Any) -> None:
        """Show *text* in *widget*, or remove it if there is none."""
        if text:
            widget.configure(text=text)
            widget.grid(row=0, **where)
        else:
            take_away(widget, self.board)

    # --- arrangement ---

    def least_size(self) -> tuple[int, int]:
        """Return the least width and height, in pixels; both grow with the zoom on the screen."""
        scale = max(self._theme.scale, self._theme.scale / self._theme.zoom)
        wide, high = (round(side * scale) for side in LEAST_SIZE)
        most = self._root.winfo_screenheight() - self._above
        return min(wide, self._root.winfo_screenwidth()), min(high, most)

    @property
    def _above(self) -> int:
        return round(ABOVE * self._theme.scale / self._theme.zoom)

    def place(self, wanted: str) -> None:
        """Give the window the place *wanted*, as Tk writes it, or the first one; on the screen."""
        scale = self._theme.scale
        size = round(FIRST_SIZE[0] * scale), round(FIRST_SIZE[1] * scale)
        place_window(self._root, wanted, size, self.least_size(), self._above)

    def _arrange(self, _: object = None) -> None:
        """Fit the parts to the window's size and the theme; cheap if neither has changed."""
        size = self._root.winfo_width(), self._root.winfo_height()
        wants_panel = self._context.userdata.settings.side_panel
        wanted = size, wants_panel, self._has_players
        if wanted != self._arranged:
            self._arranged = wanted
            self._apply(arrange(*size, self._metrics(), wants_panel))

    @property
    def _has_players(self) -> bool:
        """Whether the cards matter; a puzzle or a lesson leaves their room to the board."""
        return self._context.session.mode.attempt is None

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
            cards=self.cards.height() if self._has_players else 0,
            before=before,
            after=after,
        )

    def _apply(self, layout: Layout) -> None:
        self._layout = layout
        self._message.configure(height=layout.message)
        self._row.rowconfigure(0, minsize=layout.buttons)
        for place, width in enumerate(layout.columns):
            self._row.columnconfigure(place, minsize=width)
        self.block.configure(width=layout.block)
        rows: list[ttk.Frame] = [self._message, self._row]
        if self._has_players:
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
        self._foot.grid(row=1, column=column, sticky="ew", padx=sides, pady=(0, below))
        self._reach_down()

    def _reach_down(self) -> None:
        """Let the block end at the foot of the window, unless the status line is below it."""
        if self._layout is not None:
            has_line = any(widget.winfo_manager() for widget in (self.notice, self.background))
            is_free = self._layout.has_panel or not has_line
            self.block.grid_configure(rowspan=2 if is_free else 1)

    # --- theme, size and full screen ---

    def apply(self) -> None:
        """Take the appearance from the settings."""
        theme = self._theme
        before = self._theme.scale
        theme.set(self._context.userdata.settings)
        self._root.wm_minsize(*self.least_size())
        self.cards.configure(height=self.cards.height())
        self.panel.retheme()
        self._arranged = None
        self._arrange()
        if theme.scale != before and self._context.is_placed:
            self._resize(before)

    def zoom(self, steps: int) -> None:
        """Make everything *steps* larger, or smaller if negative; 0 is the normal size."""
        wanted = self._context.userdata.settings.zoom + steps if steps else 0
        if wanted in CHOICES["zoom"]:
            self._context.change(zoom=wanted)
            self._context.say(f"Size {CHOICES['zoom'][wanted]}")

    def larger(self) -> None:
        """Make everything larger, unless the screen is so full that the board would shrink."""
        most = self._root.winfo_screenheight() - self._above
        if self._context.is_placed and 1.1 * self._root.winfo_height() <= most:
            self.zoom(1)
        else:
            self._context.say(
                "The screen has no room for a larger board. View ▸ Appearance… makes the texts "
                "larger still."
            )

    def toggle_panel(self) -> None:
        """Show or hide the list of moves."""
        is_wanted = not self._context.userdata.settings.side_panel
        self._context.change(side_panel=is_wanted)
        if is_wanted and not self.panel.winfo_manager():
            self._context.say("The window is too narrow for the panel.")

    def _resize(self, before: float) -> None:
        """Let the window grow or shrink with its content, whose scale was *before*.

        Its size at scale 1 is kept until the player changes it, so that what the screen has cut
        off comes back.
        """
        root = self._root
        size = root.winfo_width(), root.winfo_height()
        if size != self._zoomed:
            self._natural = size[0] / before, size[1] / before
        width, height = (
            max(least, round(natural * self._theme.scale))
            for natural, least in zip(self._natural, self.least_size(), strict=True)
        )
        _, _, corner = root.wm_geometry().partition("+")
        self.place(f"{width}x{height}+{corner}")
        root.update_idletasks()  # which waits for the window manager's answer
        self._zoomed = root.winfo_width(), root.winfo_height()
