"""The main window's widgets and their arrangement; what they do is decided elsewhere."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from tkinter import ttk
from typing import Final

from traffic_lights.gui.board.board_view import BoardView
from traffic_lights.gui.kit import geometry
from traffic_lights.gui.kit.lamp_art import Look
from traffic_lights.gui.kit.palette import mixed
from traffic_lights.gui.kit.theme import Theme
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


def focused_widget(root: tk.Misc) -> tk.Misc | None:
    """Return the widget that has the keyboard; None if it is no widget of Python's."""
    try:
        return root.focus_get()
    except KeyError:  # a menu, or the list of a combobox
        return None


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
        self.wants_panel = True
        self._arranged: object = None
        self._banner_shown: tuple[str, str, str] = ("", "", "")
        root.columnconfigure(0, weight=1)
        root.rowconfigure(1, weight=1)
        self._make_banner()
        self.board = BoardView(root, look, on_cell, on_other)
        self.side = ttk.Frame(root)
        self.side.columnconfigure(0, weight=1)
        self.side.rowconfigure(0, weight=1)
        self.panel = SidePanel(self.side, theme, on_jump, on_tab)
        self.panel.grid(sticky="nsew")
        self.welcome: ttk.Frame | None = None
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
        self._title = ttk.Label(self._banner, style="Title.TLabel", anchor="w")
        self._title.grid(row=0, column=1, sticky="ew")
        self._aside = ttk.Label(self._banner, style="Muted.TLabel")
        self._aside.grid(row=0, column=2, sticky="e")

    def _make_buttons(self, commands: Mapping[str, Callable[[], object]]) -> None:
        self._row = ttk.Frame(self._root)
        self._row.grid(row=2, column=0, columnspan=2, sticky="ew")
        self.buttons: dict[str, ttk.Button] = {}
        self._button_names: tuple[str, ...] = ()
        for name, text, style in (
            ("play_again", "Play again", "Accent.TButton"),
            ("new_game", "New", "TButton"),
            ("undo", "Undo", "TButton"),
            ("redo", "Redo", "TButton"),
            ("hint", "Hint", "TButton"),
            ("resume", "Go on", "Accent.TButton"),
            ("finish_setup", "Play from here", "Accent.TButton"),
            ("clear_setup", "Empty board", "TButton"),
            ("go_previous", "Previous", "TButton"),
            ("go_next", "Next", "TButton"),
            ("previous_mistake", "Previous", "TButton"),
            ("next_mistake", "Next", "TButton"),
            ("reveal", "Show", "TButton"),
            ("why", "Why?", "TButton"),
            ("review", "Review", "TButton"),
            ("leave", "Done", "TButton"),
            ("cancel_setup", "Cancel", "TButton"),
        ):
            button = ttk.Button(self._row, text=text, command=commands[name], style=style)
            button.bind("<Return>", lambda _, b=button: b.invoke())  # type: ignore[misc]
            self.buttons[name] = button

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

    # --- what it shows ---

    @property
    def title_text(self) -> str:
        """What the banner says."""
        return self._banner_shown[0]

    def show_banner(self, title: str, aside: str, seat: str) -> None:
        """Show the *title*, a word beside it, and *seat* ("1", "2" or nothing) in the badge."""
        self._banner_shown = (title, aside, seat)
        self._title.configure(text=title)
        self._aside.configure(text=aside)
        self._draw_badge(seat)
        self._fit_banner()

    def _draw_badge(self, seat: str) -> None:
        theme, c, badge = self._theme, self._theme.colours, self._badge
        size = theme.px(6 if self._is_low() else 7)
        badge.configure(width=size, height=size, background=c.window)
        badge.delete("all")
        if not seat:
            badge.grid_remove()
            return
        badge.grid(padx=(0, theme.px(2)))
        smooth = mixed(c.window, c.accent, 0.5)
        badge.create_oval(1, 1, size - 2, size - 2, fill=c.accent, outline=smooth)
        badge.create_text(size / 2, size / 2, text=seat, fill=c.on_accent, font=theme.strong)

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
        self._title.configure(style=style, wraplength=max(1, room))
        if font.measure(title) + beside > room:
            self._aside.grid_remove()
        else:
            self._aside.grid()

    def _is_low(self) -> bool:
        return self._root.winfo_height() < LOW * self._theme.scale

    def show_status(self, text: str) -> None:
        """Show *text* in the status line."""
        self.status.configure(text=text)

    def show_buttons(self, names: tuple[str, ...], disabled: frozenset[str]) -> None:
        """Show the named buttons, in this order, the *disabled* ones greyed."""
        gap = self._theme.px(2)
        if names != self._button_names:
            self._button_names = names
            for button in self.buttons.values():
                button.pack_forget()
            for name in names:
                self.buttons[name].pack(side=tk.LEFT, padx=(0, gap))
            hidden = [b for name, b in self.buttons.items() if name not in names]
            if focused_widget(self._root) in hidden:
                self.board.focus_set()
        for name in names:
            state = tk.DISABLED if name in disabled else tk.NORMAL
            self.buttons[name].configure(state=state)

    def show_welcome(self, choices: Mapping[str, Callable[[], object]] | None) -> None:
        """Show the first start's *choices* in place of the panel, or the panel again."""
        if self.welcome is not None:
            self.welcome.destroy()
            self.welcome = None
        if choices is None:
            self.panel.grid()
            return
        self.panel.grid_remove()
        theme = self._theme
        frame = ttk.Frame(self.side)
        frame.columnconfigure(0, weight=1)
        ttk.Label(frame, text="Welcome", style="Title.TLabel").grid(sticky="w")
        ttk.Label(
            frame,
            text="Three lamps of one colour in a row win. What would you like to do?",
            style="Muted.TLabel",
            wraplength=theme.px(60),
            justify=tk.LEFT,
        ).grid(sticky="w", pady=(theme.px(1), theme.px(4)))
        for index, (text, command) in enumerate(choices.items()):
            style = "TButton" if index else "Accent.TButton"
            button = ttk.Button(frame, text=text, command=command, style=style)
            button.bind("<Return>", lambda _, b=button: b.invoke())  # type: ignore[misc]
            button.grid(sticky="ew", pady=(0, theme.px(2)))
        frame.grid(row=0, column=0, sticky="nsew")
        self.welcome = frame

    # --- arrangement ---

    def least_size(self) -> tuple[int, int]:
        """Return the least width and height of the window, in pixels, whatever the zoom."""
        scale = self._theme.scale / self._theme.zoom
        return round(LEAST_SIZE[0] * scale), round(LEAST_SIZE[1] * scale)

    def place(self, wanted: str) -> geometry.Placement:
        """Give the window the place *wanted*, as Tk writes it, or the first one; on the screen."""
        scale = self._theme.scale
        least = self.least_size()
        self._root.wm_minsize(*least)
        return geometry.place(
            self._root, wanted, round(FIRST_SIZE[0] * scale), round(FIRST_SIZE[1] * scale),
            least, round(ABOVE * scale),
        )  # fmt: skip

    def is_wide(self) -> bool:
        """Return whether there is room for the side panel."""
        return self._root.winfo_width() >= PANEL_NEEDS * self._theme.scale

    def _configured(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is self._root:
            self.arrange()

    def arrange(self) -> None:
        """Fit the parts to the window's size and the theme; cheap if neither has changed."""
        theme = self._theme
        with_panel = self.wants_panel and self.is_wide()
        is_low = self._is_low()
        self._fit_banner()
        arranged = (with_panel, is_low, theme.name, theme.scale)
        if arranged == self._arranged:
            return
        self._arranged = arranged
        self._draw_badge(self._banner_shown[2])
        edge = theme.px(5)
        tight = theme.px(1) if is_low else theme.px(3)
        self._banner.configure(padding=(edge, tight, edge, 0 if is_low else theme.px(1)))
        self._title.grid_configure(padx=(0, theme.px(2)))
        self._row.configure(padding=(edge, 0, edge - theme.px(2), tight))
        self._foot.configure(padding=(edge, theme.px(1), edge, theme.px(1)))
        if with_panel:
            self.side.grid(row=1, column=1, sticky="nsew", padx=(0, edge), pady=(0, theme.px(3)))
            self._root.columnconfigure(1, minsize=round(PANEL_WIDTH * theme.scale) + edge)
            self.side.configure(width=round(PANEL_WIDTH * theme.scale))
            self.side.grid_propagate(False)
        else:
            self.side.grid_remove()
            self._root.columnconfigure(1, minsize=0)

    def retheme(self, look: Look) -> None:
        """Take over a change of theme, lamps or size."""
        self.board.set_look(look)
        self.show_banner(*self._banner_shown)
        self.arrange()
