"""The main window: its parts, what they show, and their arrangement.

Cards, message, board and buttons stand over each other, as wide as the board can be in its height.
The panel at their right has the rest.
"""

from collections.abc import Callable
from functools import partial
from tkinter import ttk
from typing import Final

from traffic_lights.board.rules import Action, complete_lines
from traffic_lights.gui.kit.board_view import BoardView, MoveValues, Picture
from traffic_lights.gui.kit.places import TITLE_AND_BAR, is_maximized, place_window
from traffic_lights.gui.kit.widget_styles import apply_styles
from traffic_lights.gui.kit.widgets import put, show_if, stretch
from traffic_lights.gui.main.cards import CardRow
from traffic_lights.gui.main.command_row import CommandRow
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.explain import WantedValues, show_try
from traffic_lights.gui.main.message_view import MessageView
from traffic_lights.gui.main.panel import SidePanel
from traffic_lights.play.view import View, view

FIRST_SIZE: Final = (900, 640)
LEAST_SIZE: Final = (480, 420)
PANEL_WIDTH: Final = 264
"""The least width of the panel."""
NEEDS_WIDTH: Final = 720
"""The width below which a window has no panel. All sizes are in pixels at 96 dpi."""
BLOCK_NEEDS: Final = 110
"""The width that the cards and buttons need, in steps of 4 pixels."""
NOTED_AFTER_MS: Final = 200
"""A window manager makes a window large first, and says later that it is maximized."""
MENU: Final = 26
"""The height of the menu, in pixels at 96 dpi; the title over it does not become larger."""


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
        self._wanted = self._given = (0, 0)
        """The size that the window should have by the size of the text, and what it has got."""
        self._reopen: Callable[[], object] = lambda: None
        self._normal_place = context.userdata.settings.geometry
        """The place of the window when it is neither maximized nor as large as the screen."""
        px = context.theme.px
        stretch(root, column=1)
        self.block = put(ttk.Frame(root), sticky="ns", padx=px(5), pady=px(4))
        self.block.grid_propagate(False)
        stretch(self.block, row=2)
        self.cards = CardRow(self.block, context, run)
        self.message = MessageView(self.block, context)
        self.board = BoardView(
            self.block, context.theme, self._click, self._other_click, self._click_again
        )
        self.row = CommandRow(
            self.block, context, run=run, why_not=why_not, explain=self.message.draw
        )
        for row, part in enumerate((self.cards, self.message, self.board, self.row)):
            part.grid(row=row, sticky="nsew", pady=(px(2) if row else 0, 0))
        self.panel = SidePanel(root, context)
        self.panel.grid_propagate(False)
        self.panel.grid(row=0, column=1, sticky="nsew", padx=(0, px(5)), pady=px(4))
        names = (card.button for card in self.cards.cards)
        switches = self.panel.switches.values()
        for switch in (*names, self.message.answer, *self.row.buttons, *switches):
            # The arrows and letters work on the board again after a click.
            switch.bind("<ButtonRelease-1>", lambda _: self.board.focus_set(), add=True)
        notice = ttk.Label(root, text="Not everything is saved", style="Warning.TLabel")
        self.notice = put(notice, row=1, sticky="w", padx=px(5))
        self.background = ttk.Button(root, command=lambda: self._reopen())
        self.background.grid(row=2, columnspan=2, sticky="w", padx=px(5), pady=(0, px(4)))
        self.background.grid_remove()
        for part in (self.block, self.cards, self.board, self.row):
            part.bind("<Configure>", lambda _: self._fit(), add=True)
        # A window hears of every part in it too.
        root.bind("<Configure>", lambda e: self._resized() if e.widget is root else None)
        self._place(context.userdata.settings.geometry)
        context.window = self
        context.show_try = partial(show_try, context)

    # --- what it shows ---

    def draw(self) -> None:
        """Draw everything that may have changed."""
        context = self._context
        settings = context.userdata.settings
        if settings.look != self._dressed_for:
            before = self._theme.scale
            self._theme.set(**settings.look)
            apply_styles(self._root, self._theme)
            if self._dressed_for and self._theme.scale != before:
                self._grow(self._theme.scale / before)
            self._dressed_for = settings.look
        shown = view(context.session)
        show_if(context.session.now.has_players, self.cards, self.board)
        self._fit()
        self.message.draw()
        self.board.animated = settings.speed != "instant"
        values, legend = self._values.shown()
        self.board.show(context.shown.picture or self._picture(shown, values))
        self.cards.show(shown.seat)
        self.panel.show(shown, legend)
        self.row.show(shown)
        title = shown.heading.partition(" – ")[0] + shown.title
        self._root.title(f"{title} – Traffic Lights")
        show_if(context.userdata.has_failed, self.notice, self.board)

    def _picture(self, shown: View, values: MoveValues) -> Picture:
        state = self._context.session.now.state
        return Picture(
            state=state,
            last=shown.last,
            lines=complete_lines(state),
            hints=shown.marks or self._context.shown.hints,
            values=values,
            answering=shown.answering,
        )

    def show_background(self, text: str, reopen: Callable[[], object]) -> None:
        """Show what happens in another window, "" if nothing; a click calls *reopen*."""
        self._reopen = reopen
        self.background.configure(text=text)
        show_if(text, self.background, self.board)

    # --- on the board ---

    def _click(self, cell: Action) -> None:
        """Do what a click on *cell* means now."""
        context = self._context
        now = context.session.now
        # A task takes the next try before the last one is played out.
        if now.has_players and context.shown.picture is not None:
            context.say("")
        elif not now.failure:  # otherwise the message says what can be done
            context.do(partial(context.session.click, cell))

    def _click_again(self, cell: Action) -> None:
        """Do what the second click of a double click means: nothing to the other of two people."""
        now = self._context.session.now
        if now.bots or not now.is_end:
            self._click(cell)

    def _other_click(self, cell: Action) -> None:
        """Do what the other mouse button means."""
        if self._context.session.click_back(cell):
            self._context.changed()

    # --- its size ---

    def _pixels(self, size: tuple[int, int]) -> tuple[int, int]:
        return round(size[0] * self._theme.scale), round(size[1] * self._theme.scale)

    def _resized(self) -> None:
        """Fit the parts to the window, and note its place before it is maximized."""
        self._fit()
        self._root.after(NOTED_AFTER_MS, self._note_place)

    def _note_place(self) -> None:
        if not (is_maximized(self._root) or self.is_full_screen):
            self._normal_place = self._root.wm_geometry()

    def _place(self, geometry: str) -> tuple[int, int]:
        """Give the window its place: *geometry*, or the first one, as far as the screen goes.

        Return its width and height.
        """
        size, least = map(self._pixels, (FIRST_SIZE, LEAST_SIZE))
        above = TITLE_AND_BAR + round(MENU * self._theme.scale)
        return place_window(self._root, geometry, size, least, above)

    def _grow(self, share: float) -> None:
        """Make the window larger by *share*, as everything in it has become.

        If the screen has no room for that, what is missing comes back with a smaller size.
        """
        root = self._root
        size = root.winfo_width(), root.winfo_height()
        wanted = self._wanted if size == self._given else size
        width, height = self._wanted = round(share * wanted[0]), round(share * wanted[1])
        if not is_maximized(root):
            place = root.wm_geometry().partition("+")[2]  # that of the frame, with its title
            self._given = self._place(f"{width}x{height}+{place}")

    def _fit(self) -> None:
        """Give the block the width that the board can use, and the panel what is left."""
        panel, needs = self._pixels((PANEL_WIDTH, NEEDS_WIDTH))
        edge = self._theme.px(5)
        width = self._root.winfo_width()
        room = width - 2 * edge
        has_panel = self._context.userdata.settings.side_panel and width >= needs
        show_if(has_panel, self.panel, self.board)
        self._root.columnconfigure(0, weight=int(not has_panel))
        self._root.columnconfigure(1, weight=int(has_panel))
        if has_panel:
            room -= panel + edge
        # What the message needs beyond its usual height does not count: it depends on the width.
        others = self.message.least + 3 * self._theme.px(2) + self.row.winfo_reqheight()
        if self.cards.winfo_ismapped():
            others += self.cards.winfo_reqheight()
        height = self.block.winfo_height() - others
        wanted = max(self.board.width_in(height), self._theme.px(BLOCK_NEEDS))
        self.block.configure(width=min(room, wanted))

    def keep_place(self) -> None:
        """Take the place of the window into the settings."""
        self._note_place()
        is_large = is_maximized(self._root)
        self._context.userdata.change(geometry=self._normal_place, is_maximized=is_large)

    @property
    def is_full_screen(self) -> bool:
        return bool(self._root.wm_attributes("-fullscreen"))

    def toggle_full_screen(self) -> None:
        self._root.wm_attributes("-fullscreen", not self.is_full_screen)
