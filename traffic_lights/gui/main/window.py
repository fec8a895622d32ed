"""The main window's widgets and their arrangement; what they do is decided elsewhere.

Cards, message, board and buttons stand over each other in one block whose left and right edges are
those of the board. The panel has the rest of the width, with the status line at its foot.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from tkinter import ttk
from typing import Any, Final, NamedTuple

from traffic_lights.board.rules import COLUMNS, ROWS
from traffic_lights.gui.kit import geometry
from traffic_lights.gui.kit.board_view import BoardView
from traffic_lights.gui.kit.keys import focused_widget
from traffic_lights.gui.kit.lamps import HOUSING_INSET, Look
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.main.cards import CardRow
from traffic_lights.gui.main.panel import SidePanel
from traffic_lights.gui.main.presenter import PLACES, Button

FIRST_SIZE: Final = (900, 640)
LEAST_SIZE: Final = (480, 420)
ABOVE: Final = 72
"""The pixels of a window's title and menu at 96 dpi, about; its height does not count them."""
PANEL_NEEDS: Final = 720
"""Below this width, in pixels at 96 dpi, the panel is hidden."""
PANEL_WIDTH: Final = 264
"""The least width of the panel."""
LONG_LINE: Final = 56
"""The figures that fit on a long line."""
LOW: Final = 460
"""Below this height the distances between the parts are smaller."""

MOST_CHOICES: Final = 2

Choice = tuple[str, Callable[[], object]]
"""A button in the message: its words, and what it does."""


class Block(NamedTuple):
    """The size of cards, message, board and buttons in a window, in pixels."""

    side: int
    """That of a cell of the board."""
    width: int
    left: int
    """The room left of the cards and the message, so that they begin where the board does."""
    right: int
    lines: int
    """The lines that are kept for the text of the message."""


class MainWindow:
    """Player cards, message, board and buttons; the panel at their right, the status line below.

    The functions report a click on a cell, the other mouse button, a click on a move of the list,
    a choice of values, a command, and a click on a card.
    """

    def __init__(
        self,
        root: tk.Tk,
        theme: Theme,
        look: Look,
        *,
        on_cell: Callable[[int], None],
        on_other: Callable[[int], None],
        on_jump: Callable[[int], object],
        on_show: Callable[[str], object],
        on_command: Callable[[str], object],
        on_card: Callable[[int], object],
    ) -> None:
        self._root = root
        self._theme = theme
        self._on_command = on_command
        self.wants_panel = True
        self._arranged: object = None
        root.columnconfigure(0, weight=1)
        root.rowconfigure(0, weight=1)
        self.block = ttk.Frame(root, width=2, height=2)
        self.block.grid_propagate(False)  # what is inside never changes the layout outside
        self.block.grid(row=0, column=0, sticky="ns")
        self.block.columnconfigure(0, weight=1)
        self.block.rowconfigure(2, weight=1)
        self.cards = CardRow(self.block, theme, on_card, on_command)
        self.cards.grid(row=0, column=0, sticky="ew")
        self._make_message()
        self.board = BoardView(self.block, look, on_cell, on_other)
        self.board.configure(width=1, height=1)
        self.board.grid(row=2, column=0, sticky="nsew")
        self._make_buttons()
        self.panel = SidePanel(root, theme, on_show, on_jump)
        self._make_foot()
        root.bind("<Configure>", self._configured, add=True)

    def _make_message(self) -> None:
        self._message = ttk.Frame(self.block)
        self._message.grid(row=1, column=0, sticky="ew")
        self._message.columnconfigure(0, weight=1)
        self.heading = ttk.Label(self._message, style="Title.TLabel", anchor="w", width=1)
        self.heading.grid(row=0, column=0, sticky="ew")
        self.answers = [ttk.Button(self._message) for _ in range(MOST_CHOICES)]
        for place, button in enumerate(self.answers):
            button.configure(command=partial(self._answer, place))
            button.grid(row=0, column=1 + place, rowspan=2, sticky="ne")
            button.grid_remove()
        self.detail = ttk.Label(self._message, anchor="nw", justify=tk.LEFT, width=1)
        self.detail.grid(row=1, column=0, sticky="new")
        self._message.bind("<Configure>", lambda _: self._fit_message())
        self._heading_text = self._detail_text = ""
        self._choices: Sequence[Choice] = ()

    def _make_buttons(self) -> None:
        self._row = ttk.Frame(self.block)
        self._row.grid(row=3, column=0, sticky="ew")
        self.buttons: list[Button] = []
        self.places = [ttk.Button(self._row) for _ in PLACES]
        for place, button in enumerate(self.places):
            # A command that is set again leaves the old one in the memory of Tk.
            button.configure(command=partial(self._press, place))
            button.grid(row=0, column=place, sticky="nsew")
            for event in ("<Enter>", "<Button-1>"):
                button.bind(event, partial(self._explain, place), add=True)
            button.bind("<Leave>", lambda _: self._show_detail(), add=True)

    def _make_foot(self) -> None:
        self._foot = ttk.Frame(self._root)
        self._foot.columnconfigure(0, weight=1)
        self.notice = ttk.Label(self._foot, style="Warning.TLabel")
        self._reopen: Callable[[], object] = lambda: None
        self.background = ttk.Button(self._foot, command=lambda: self._reopen())

    # --- what it shows ---

    def show_message(self, heading: str, detail: str, choices: Sequence[Choice] = ()) -> None:
        """Show the state of things in *heading*, *detail* below, and buttons that answer it."""
        self._heading_text, self._detail_text, self._choices = heading, detail, choices
        self.detail.configure(text=detail)
        for button, choice in zip_longest(self.answers, choices):
            if choice is not None:
                button.configure(text=choice[0])
                button.grid(padx=(self._theme.px(2), 0))
            elif button.winfo_manager():
                if focused_widget(button) is button:
                    self.board.focus_set()
                button.grid_remove()
        self._fit_message()

    def _answer(self, place: int) -> None:
        self._choices[place][1]()

    def has_room_for(self, detail: str) -> bool:
        """Return whether *detail* fits the lines that are kept for it."""
        return self._theme.body.measure(detail) < 1.8 * self._message.winfo_width()

    def _fit_message(self) -> None:
        """Give the heading a type that fits, and break the detail where the room ends."""
        theme = self._theme
        shown = [button for button in self.answers if button.winfo_manager()]
        taken = sum(button.winfo_reqwidth() + theme.px(2) for button in shown)
        room = max(1, self._message.winfo_width() - taken - theme.px(1))
        text, style = self._heading_text, "Title.TLabel"
        if theme.title.measure(text) > room:
            style = "Strong.TLabel"
            if theme.strong.measure(text) > room:  # the detail tells the rest, too
                text = text.partition(". ")[0]
        self.heading.configure(text=text, style=style, wraplength=room)
        self.detail.configure(wraplength=room)

    def show_buttons(self, buttons: list[Button]) -> None:
        """Show *buttons* in the places from the left."""
        if buttons != self.buttons:
            self.buttons = buttons
            for widget, button in zip(self.places, buttons, strict=True):
                widget.configure(
                    text=button.text,
                    state=tk.DISABLED if button.reason else tk.NORMAL,
                    style="Tight.Accent.TButton" if button.is_main else "Tight.TButton",
                )

    def _press(self, place: int) -> None:
        self._on_command(self.buttons[place].name)

    def _explain(self, place: int, _: object) -> None:
        self._show_detail(self.buttons[place].reason)

    def _show_detail(self, instead: str = "") -> None:
        self.detail.configure(text=instead or self._detail_text)

    def show_notice(self, text: str) -> None:
        """Show a warning in the status line for as long as it holds; "" removes it."""
        self._show_in_foot(self.notice, text, column=0, sticky="w")

    def show_background(self, text: str, reopen: Callable[[], object] = lambda: None) -> None:
        """Show a button with *text* that calls *reopen* in the status line; "" removes it."""
        self._reopen = reopen
        self._show_in_foot(self.background, text, column=1, sticky="e")

    def _show_in_foot(self, widget: ttk.Label | ttk.Button, text: str, **place: Any) -> None:
        widget.configure(text=text)
        if text:
            widget.grid(row=0, pady=(self._theme.px(1.5), 0), **place)
            return
        if focused_widget(self._root) is widget:
            self.board.focus_set()
        widget.grid_remove()
        if not any(child.winfo_manager() for child in self._foot.winfo_children()):
            self._foot.configure(height=1)  # an empty frame keeps the height that it had

    # --- arrangement ---

    def least_size(self) -> tuple[int, int]:
        """Return the least width and height of the window, in pixels, as the screen allows it.

        It grows with the zoom, since all buttons have to fit, and shrinks with none.
        """
        screen, scale = self._theme.scale / self._theme.zoom, self._theme.scale
        wide, high = (side * max(screen, scale) for side in LEAST_SIZE)
        most = self._root.winfo_screenheight() - ABOVE * screen
        return round(min(wide, self._root.winfo_screenwidth())), round(min(high, most))

    def place(self, wanted: str) -> tuple[int, int]:
        """Give the window the place *wanted*, as Tk writes it, or the first one; on the screen."""
        scale = self._theme.scale
        size = round(FIRST_SIZE[0] * scale), round(FIRST_SIZE[1] * scale)
        above = round(ABOVE * scale / self._theme.zoom)
        return geometry.place(self._root, wanted, size, self.least_size(), above)

    def _configured(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is self._root:
            self.arrange()

    def arrange(self) -> None:
        """Fit the parts to the window's size and the theme; cheap if neither has changed.

        Everything is computed from the size of the window alone, because a layout that depends on
        its content may never come to rest.
        """
        theme, root = self._theme, self._root
        width, height = root.winfo_width(), root.winfo_height()
        with_panel = self._has_panel(width)
        if (with_panel, width, height) == self._arranged:
            return
        self._arranged = with_panel, width, height
        block = self.block_in(width, height)
        edge, (above, between) = theme.px(5), self._gaps(height)
        heading, detail, buttons = self._heights(block.lines)
        self._message.rowconfigure(0, minsize=heading)
        self._message.rowconfigure(1, minsize=detail)
        self._row.rowconfigure(0, minsize=buttons)
        padding = self._padding(block.width - block.left - block.right)
        for place, text in enumerate(self._longest()):
            self._row.columnconfigure(place, minsize=text + padding)
            self.places[place].grid_configure(padx=(0, theme.px(0.5)))
        self.block.configure(width=block.width)
        for row, top in ((self.cards, above), (self._message, 0), (self._row, 0)):
            row.grid_configure(padx=(block.left, block.right), pady=(top, between))
        self.block.grid_configure(rowspan=1 + with_panel)
        root.columnconfigure(0, weight=1 - with_panel)
        root.columnconfigure(1, weight=int(with_panel))
        if with_panel:
            sides = max(0, edge - block.right), edge
            self.panel.grid(row=0, column=1, sticky="nsew", padx=sides, pady=(above, 0))
        else:
            sides = edge, edge
            if focused_widget(root) in (self.panel.moves, *self.panel.switches.values()):
                self.board.focus_set()
            self.panel.grid_remove()
        self._foot.grid(row=1, column=int(with_panel), sticky="ew", padx=sides, pady=(0, between))

    def _has_panel(self, width: int) -> bool:
        return self.wants_panel and width >= PANEL_NEEDS * self._theme.scale

    def _gaps(self, height: int) -> tuple[int, int]:
        """Return the room above the parts, and that between them."""
        above, between = (2, 1) if height < LOW * self._theme.scale else (4, 2.5)
        return self._theme.px(above), self._theme.px(between)

    def block_in(self, width: int, height: int) -> Block:
        """Return the block in a window of this size.

        It is as wide as the board can become in this height, so that all edges meet, and at least
        as wide as the buttons.
        """
        theme, edge, (above, between) = self._theme, self._theme.px(5), self._gaps(height)
        with_panel = self._has_panel(width)
        if with_panel:
            width -= round(PANEL_WIDTH * theme.scale) + edge
        words = sum(self._longest()) + len(PLACES) * self._padding(0)
        least = max(words, theme.px(110 if with_panel else 140)) + 2 * edge
        # The text of the message needs two lines, or three if the lines are short.
        for lines in (2, 3):
            others = self.cards.height() + sum(self._heights(lines)) + above + 3 * between
            before, after = self.board.margins
            room = width - before - after, height - others - before - after
            side = int(min(room[0] / COLUMNS, room[1] / ROWS))
            wanted = int(COLUMNS * side + before + after) + 1
            left, right = (round(margin + HOUSING_INSET * side) for margin in (before, after))
            if wanted < least:
                wanted, left, right = min(least, width), edge, edge
            if wanted - left - right >= LONG_LINE * theme.body.measure("0"):
                break
        return Block(side, wanted, left, right, lines)

    def _heights(self, lines: int) -> tuple[int, int, int]:
        """Return the height of the heading, of *lines* of text, and of the buttons.

        The main button, in strong type, is the highest: the board must not move when it comes.
        """
        theme = self._theme
        title, body, strong = (
            f.metrics("linespace") for f in (theme.title, theme.body, theme.strong)
        )
        return title + 4, lines * body + theme.px(1), strong + 2 * theme.px(1.5) + 6

    def _longest(self) -> list[int]:
        """Return the width of the longest text of each place; the main ones are in strong type."""
        return [max(map(self._theme.strong.measure, words)) for words in PLACES]

    def _padding(self, room: int) -> int:
        """Return what a place adds to its text where all of them share *room*, with a gap."""
        least, most = self._theme.px(3) + 6, self._theme.px(8)
        return min(max((room - sum(self._longest())) // len(PLACES), least), most)

    def retheme(self, look: Look) -> None:
        self._root.wm_minsize(*self.least_size())
        self.board.set_look(look)
        self.cards.retheme()
        self.panel.retheme()
        self._arranged = None
        self.arrange()
