"""The main window's widgets and their arrangement; what they do is decided elsewhere."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from tkinter import ttk
from typing import Final

from traffic_lights.gui.board.board_view import BoardView
from traffic_lights.gui.kit import geometry
from traffic_lights.gui.kit.keys import focused_widget, last_focused
from traffic_lights.gui.kit.lamps import Look
from traffic_lights.gui.kit.scroll import ScrollFrame
from traffic_lights.gui.kit.smooth import SmoothShapes, disc, strokes
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.main.button_row import ButtonRow
from traffic_lights.gui.main.side_panel import SidePanel

FIRST_SIZE: Final = (900, 640)
LEAST_SIZE: Final = (420, 300)
ABOVE: Final = 64
"""The pixels of a window's title and menu at 96 dpi, about; its height does not count them."""
PANEL_NEEDS: Final = 720
"""Below this width, in pixels at 96 dpi, the side panel is hidden."""
PANEL_WIDTH: Final = 270
LOW: Final = 380
"""Below this height the distances between the parts are halved."""


MARKS: Final = {
    "right": (((-0.45, 0.05), (-0.12, 0.38), (0.48, -0.35)),),
    "wrong": (((-0.36, -0.36), (0.36, 0.36)), ((-0.36, 0.36), (0.36, -0.36))),
}
"""The strokes of the marks in the badge, in halves of its size from the middle."""


class MainWindow:
    """Banner above, board left, panel right, buttons and a status line below."""

    def __init__(
        self,
        root: tk.Tk,
        theme: Theme,
        look: Look,
        commands: Mapping[str, Callable[[], object]],
        on_cell: Callable[[int], None],
        on_other: Callable[[int], None],
        on_jump: Callable[[int], None],
        on_tab: Callable[[], None],
    ) -> None:
        self._root = root
        self._theme = theme
        self._redraw = on_tab
        self.wants_panel = True
        self._arranged: object = None
        self._banner_shown: tuple[str, str, str] = ("", "", "")
        self._status_text = ""
        self._two_lines = 0
        root.columnconfigure(0, weight=1)
        root.rowconfigure(1, weight=1)
        self._make_banner()
        self.board = BoardView(root, look, on_cell, on_other)
        self.side = ttk.Frame(root)
        self.side.columnconfigure(0, weight=1)
        self.side.rowconfigure(0, weight=1)
        self.panel = SidePanel(self.side, theme, on_jump, on_tab)
        self.panel.grid(sticky="nsew")
        # Who chose a tab by the mouse plays on by the mouse: its mark of focus would stay.
        self.panel.tabs.bind("<ButtonRelease-1>", lambda _: self.board.focus_set(), add=True)
        self.welcome: ScrollFrame | None = None
        self._make_buttons(commands)
        self._make_status()
        self.board.grid(row=1, column=0, sticky="nsew")
        root.bind("<Configure>", self._configured, add=True)

    def _make_banner(self) -> None:
        self._banner = ttk.Frame(self._root)
        self._banner.grid(row=0, column=0, columnspan=2, sticky="ew")
        self._banner.columnconfigure(1, weight=1)
        self._badge = tk.Canvas(self._banner, highlightthickness=0, borderwidth=0)
        self._badge.grid(row=0, column=0)
        self._shapes = SmoothShapes(self._badge)
        self._title = ttk.Label(self._banner, style="Title.TLabel", anchor="w")
        self._title.grid(row=0, column=1, sticky="ew")
        self._aside = ttk.Label(self._banner, style="Muted.TLabel")
        self._aside.grid(row=0, column=2, sticky="e")

    def _make_buttons(self, commands: Mapping[str, Callable[[], object]]) -> None:
        self._row = ButtonRow(self._root, self._theme, commands, self.explain)
        self._row.grid(row=2, column=0, columnspan=2, sticky="ew")
        self.buttons = self._row.buttons

    def _make_status(self) -> None:
        self._rule = ttk.Frame(self._root, style="Hairline.TFrame", height=1)
        self._rule.grid(row=3, column=0, columnspan=2, sticky="ew")
        self._foot = ttk.Frame(self._root)
        self._foot.grid(row=4, column=0, columnspan=2, sticky="ew")
        self._foot.columnconfigure(0, weight=1)
        self._foot.bind(
            "<Configure>",
            lambda event: self.status.configure(wraplength=event.width - 2 * self._theme.px(5)),
        )
        self.status: ttk.Label = ttk.Label(self._foot, anchor="w", width=1)
        self.status.grid(row=0, column=0, sticky="ew")
        self.background = ttk.Button(self._foot, takefocus=True)
        self.notice = ttk.Label(self._foot, style="Warning.TLabel")

    # --- what it shows ---

    @property
    def title_text(self) -> str:
        """What the banner says."""
        return self._banner_shown[0]

    @property
    def badge(self) -> str:
        """What the badge beside the banner shows."""
        return self._banner_shown[2]

    def show_banner(self, title: str, aside: str, seat: str) -> None:
        """Show the *title*, a word beside it, and *seat* ("1", "2" or nothing) in the badge."""
        self._banner_shown = (title, aside, seat)
        self._title.configure(text=title)
        self._aside.configure(text=aside)
        self._draw_badge(seat)
        self._fit_banner()

    def _draw_badge(self, shown: str) -> None:
        """Draw a player's number on a disc, or the mark "right" or "wrong"."""
        theme, c, badge = self._theme, self._theme.colours, self._badge
        size = theme.px(6 if self._is_low() else 7)
        badge.configure(width=size, height=size, background=c.window)
        self._banner.rowconfigure(0, minsize=size)  # with or without it, nothing moves
        badge.delete("all")
        if not shown:
            badge.grid_remove()
            return
        badge.grid(padx=(0, theme.px(2)))
        middle, half = (size / 2, size / 2), size / 2
        colour = c.warning if shown == "wrong" else c.accent
        self._shapes.draw(middle, (size - 2, size - 2), colour, disc, half - 1)
        if shown in MARKS:
            lines = tuple(tuple((x * half, y * half) for x, y in line) for line in MARKS[shown])
            for line in lines:
                self._shapes.draw(
                    middle, (size - 2, size - 2), c.on_accent, strokes, line, size * 0.11
                )
        else:
            badge.create_text(*middle, text=shown, fill=c.on_accent, font=theme.strong)

    def _fit_banner(self) -> None:
        """Let the banner's text fit: the title first, what is beside it if there is room."""
        theme = self._theme
        title, aside, seat = self._banner_shown
        room = self._root.winfo_width() - 2 * theme.px(5) - theme.px(4)
        if seat:
            room -= theme.px(7)
        beside = theme.body.measure(aside) if aside else 0
        font, style = theme.title, "Title.TLabel"
        if self._is_low() or font.measure(title) > room:
            font, style = theme.strong, "Strong.TLabel"
        if font.measure(title) > room:  # the status line says the rest, too
            title = title.partition(". ")[0] + "." * (". " in title)
        self._title.configure(text=title, style=style, wraplength=max(1, room))
        if font.measure(title) + beside > room:
            self._aside.grid_remove()
        else:
            self._aside.grid()

    def _is_low(self) -> bool:
        return self._root.winfo_height() < LOW * self._theme.scale

    def show_notice(self, text: str) -> None:
        """Show *text* at the right of the status line for as long as it holds; "" removes it."""
        self.notice.configure(text=text)
        if text:
            self.notice.grid(row=0, column=2, sticky="e", padx=(self._theme.px(2), 0))
        else:
            self.notice.grid_remove()

    def show_status(self, text: str) -> None:
        """Show *text* in the status line."""
        self._status_text = text
        self.status.configure(text=text)
        self._foot.rowconfigure(0, minsize=self._two_lines)

    def explain(self, text: str) -> None:
        """Show *text* for a moment in the status line; "" brings back what it says."""
        # A line that shrank would move the button from under the pointer that asked.
        high = max(self._two_lines, self.status.winfo_height())
        self._foot.rowconfigure(0, minsize=high)
        self.status.configure(text=text or self._status_text)

    def show_buttons(self, names: tuple[str, ...], greyed: Mapping[str, str]) -> None:
        """Show the named buttons, each in its place; *greyed* ones say why when asked."""
        hidden = self._row.show(names, greyed)
        if focused_widget(self._root) in hidden:
            self.board.focus_set()

    def show_welcome(self, choices: Mapping[str, Callable[[], object]] | None) -> None:
        """Show the first start's *choices* in place of the panel, or the panel again."""
        if self.welcome is not None:
            if str(last_focused(self._root)).startswith(f"{self.welcome}."):
                self.board.focus_set()  # or the keyboard would be nobody's
            self.welcome.destroy()
            self.welcome = None
        if choices is None:
            self.panel.grid()
            self.arrange()
            return
        self.panel.grid_remove()
        theme = self._theme
        self.welcome = ScrollFrame(self.side, theme)
        self.welcome.grid(row=0, column=0, sticky="nsew")
        frame = self.welcome.inside
        frame.columnconfigure(0, weight=1)
        ttk.Label(frame, text="Welcome", style="Title.TLabel").grid(sticky="w")
        about = ttk.Label(
            frame,
            text="Three lamps of one colour in a row win. What would you like to do?",
            style="Muted.TLabel",
            wraplength=theme.px(60),
            justify=tk.LEFT,
        )
        about.bind("<<ThemeChanged>>", lambda _: about.configure(wraplength=theme.px(60)))
        about.grid(sticky="w", pady=(theme.px(1), theme.px(4)))
        for index, (text, command) in enumerate(choices.items()):
            style = "TButton" if index else "Accent.TButton"
            button = ttk.Button(frame, text=text, command=command, style=style)
            button.bind("<Return>", lambda _, b=button: b.invoke())  # type: ignore[misc]
            button.grid(sticky="ew", pady=(0, theme.px(2)))
        self.arrange()

    # --- arrangement ---

    def least_size(self) -> tuple[int, int]:
        """Return the least width and height of the window, in pixels, as the screen allows it.

        It grows with the zoom, since all buttons have to fit, and shrinks with none.
        """
        screen, scale = self._theme.scale / self._theme.zoom, self._theme.scale
        room = self._root.winfo_screenwidth(), self._root.winfo_screenheight() - ABOVE * screen
        width, height = (
            min(side * max(screen, scale), most)
            for side, most in zip(LEAST_SIZE, room, strict=True)
        )
        return round(width), round(height)

    def place(self, wanted: str) -> geometry.Placement:
        """Give the window the place *wanted*, as Tk writes it, or the first one; on the screen."""
        scale = self._theme.scale
        least = self.least_size()
        self._root.wm_minsize(*least)
        return geometry.place(
            self._root,
            wanted,
            round(FIRST_SIZE[0] * scale),
            round(FIRST_SIZE[1] * scale),
            least,
            round(ABOVE * scale),
        )

    def is_wide(self) -> bool:
        """Return whether there is room for the side panel."""
        return self._root.winfo_width() >= PANEL_NEEDS * self._theme.scale

    @property
    def is_board_covered(self) -> bool:
        """Whether the first start's choices stand where the board would be."""
        return self.welcome is not None and not (self.wants_panel and self.is_wide())

    def _configured(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is self._root:
            self.arrange()

    def arrange(self) -> None:
        """Fit the parts to the window's size and the theme; cheap if neither has changed."""
        theme = self._theme
        with_panel = self.wants_panel and self.is_wide()
        covers = self.is_board_covered
        is_low = self._is_low()
        self._fit_banner()
        self._row.arrange(self._root.winfo_width() - 2 * theme.px(5))
        arranged = (with_panel, covers, is_low, theme.name, theme.scale)
        if covers and focused_widget(self._root) is self.board and self.welcome is not None:
            self.welcome.inside.winfo_children()[2].focus_set()  # below the title and a sentence
        if arranged == self._arranged:
            return
        self._arranged = arranged
        self._draw_badge(self._banner_shown[2])
        edge = theme.px(5)
        tight = theme.px(1) if is_low else theme.px(3)
        self._banner.configure(padding=(edge, tight, edge, 0 if is_low else theme.px(1)))
        self._title.grid_configure(padx=(0, theme.px(2)))
        self._row.configure(padding=(edge, 0, edge, tight))
        self._foot.configure(padding=(edge, theme.px(1), edge, theme.px(1)))
        # Room for two lines, so that the board does not move when one more is said.
        self._two_lines = self._height_of_two_lines()
        self._foot.rowconfigure(0, minsize=self._two_lines)
        self._place_side(with_panel, covers)
        if self.welcome is not None:
            self._redraw()  # what is said depends on whether the board is seen

    def _place_side(self, with_panel: bool, covers: bool) -> None:
        """Show the panel beside the board, or not, or what *covers* the board in its place."""
        edge, width = self._theme.px(5), round(PANEL_WIDTH * self._theme.scale)
        self._root.columnconfigure(1, minsize=width + edge if with_panel else 0)
        self.side.configure(width=width)
        self.side.grid_propagate(False)
        self.board.grid()
        left, columns = (edge, 2) if covers else (0, 1)
        self.side.grid(
            row=1,
            column=2 - columns,
            columnspan=columns,
            sticky="nsew",
            padx=(left, edge),
            pady=(0, self._theme.px(3)),
        )
        if covers:
            self.board.grid_remove()
        elif not with_panel:
            self.side.grid_remove()

    def _height_of_two_lines(self) -> int:
        """Return what the status line asks for when it is broken once."""
        self.status.configure(text="\n")
        height = self.status.winfo_reqheight()
        self.status.configure(text=self._status_text)
        return height

    def retheme(self, look: Look) -> None:
        """Take over a change of theme, lamps or size."""
        self._root.wm_minsize(*self.least_size())
        self.board.set_look(look)
        self.show_banner(*self._banner_shown)
        self.arrange()
