"""The small windows of the menus Game, View and Help."""

import platform
import tkinter as tk
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from tkinter import ttk
from typing import Any, Final

from traffic_lights.board.rules import COLOUR_NAMES
from traffic_lights.gui.kit.canvas_pictures import CanvasPictures
from traffic_lights.gui.kit.dialog import Dialog, confirm
from traffic_lights.gui.kit.keys import shown_key
from traffic_lights.gui.kit.lamps import Tile
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import put
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.files import open_data_folder
from traffic_lights.play import texts
from traffic_lights.play.results import OpponentRecord
from traffic_lights.play.userdata import CHOICES, LABELS
from traffic_lights.version import __version__

CHOSEN: Final = ("theme", "lamps", "speed", "zoom")
SWITCHED: Final = ("letters", "coordinates", "animations", "bell")
_RULES: Final = (
    *texts.RULES,
    "The program knows best play from every position. A hint (F3) comes in three steps. F7 shows "
    "what every move leads to. After the game, Review (F4) goes through your mistakes.",
    "Learn ▸ How to Win has five short lessons. F12 brings a puzzle: find the only winning move.",
    texts.MARKS,
)
_BOARD_KEYS: Final = (
    ("Arrow keys", "move the cursor"),
    ("Space, Return", "play the lamp under the cursor"),
    ("b then 2", "play the lamp b2"),
    ("Home, End", "first, last column"),
    ("N, U, R, H, P", "New Game, Undo, Redo, Hint, Puzzle"),
    ("Escape", "to the board; out of a review, a puzzle, a set-up or an earlier move"),
    ("Tab", "to the buttons and the panel"),
)
_WORKSHOP_KEYS: Final = (
    ("Space", "tick the chosen bot"),
    ("Delete", "delete it, after a question"),
    ("Ctrl+Tab", "to the next tab"),
    ("Escape", "out of a field, or close the Workshop"),
    ("Ctrl+W", "close the Workshop"),
)


def appearance(context: Context) -> None:
    """Show how everything looks; each choice applies at once, so no button confirms anything."""
    theme = context.theme
    settings = context.userdata.settings
    dialog = Dialog(context.root, theme, "Appearance")
    body = dialog.body
    gap = theme.px(1)
    body.columnconfigure(1, weight=1)

    def choose(name: str, box: ttk.Combobox, _: object) -> None:
        box.selection_clear()
        context.change(**{name: list(CHOICES[name])[box.current()]})

    def switch(name: str) -> None:
        context.change(**{name: not getattr(context.userdata.settings, name)})
        grey_bell()

    def grey_bell() -> None:
        """Disable the bell without animations: it belongs to the lamps that blink at the end."""
        has_animations = context.userdata.settings.animations
        ticks["bell"].state(["!disabled" if has_animations else "disabled"])

    ticks: dict[str, ttk.Checkbutton] = {}
    for row, name in enumerate(CHOSEN):
        put(ttk.Label(body, text=LABELS[name]), row=row, sticky="w", pady=gap)
        box = ttk.Combobox(body, state="readonly", width=16, values=[*CHOICES[name].values()])
        box.grid(row=row, column=1, sticky="w", padx=(theme.px(4), 0), pady=gap)
        box.set(CHOICES[name][getattr(settings, name)])
        box.bind("<<ComboboxSelected>>", partial(choose, name, box))
    for name in SWITCHED:
        tick = ttk.Checkbutton(body, text=LABELS[name], command=partial(switch, name))
        tick.state(["!alternate", "selected" if getattr(settings, name) else "!selected"])
        tick.grid(columnspan=2, sticky="w", pady=(gap, 0))
        ticks[name] = tick
    grey_bell()
    dialog.appear()


def statistics(context: Context) -> None:
    """Show a table of the games against each opponent, under the name that it has today."""
    theme = context.theme
    dialog = Dialog(context.root, theme, "Statistics")
    page = dialog.body
    headings = ("Opponent", *OpponentRecord("", "").shown)
    whole_row: dict[str, Any] = {"columnspan": len(headings), "sticky": "w", "pady": theme.px(2)}
    title = ttk.Label(page, text="Your games against the bots", style="Title.TLabel")
    title.grid(**whole_row)
    records = context.userdata.records()

    def add_row(row: int, cells: Sequence[str], style: str) -> None:
        for column, text in enumerate(cells):
            label = ttk.Label(page, text=text, style=style)
            side = "e" if column else "w"
            gap = theme.px(5) if column else 0
            label.grid(row=row, column=column, sticky=side, padx=(gap, 0), pady=(0, theme.px(1)))

    add_row(1, headings, "Strong.TLabel")
    for place, record in enumerate(records, start=1):
        name = context.roster.name_of(record.opponent, record.name)
        add_row(2 * place, (name, *record.shown.values()), "TLabel")
        if record.marks:
            marks = ttk.Label(page, text=f"Last games: {record.marks}", style="Muted.TLabel")
            put(marks, row=2 * place + 1, columnspan=len(headings), sticky="w",
                pady=(0, theme.px(2)))  # fmt: skip
    wins = sum(r.wins for r in records)
    losses = sum(r.losses for r in records)
    total = "" if len(records) == 1 else f"{wins:,} won and {losses:,} lost. "
    summary = (
        f"{total}● is a win and ○ a loss, the latest at the right. Games between two people do not "
        "count, nor do those that were opened or set up, or whose players changed half-way."
    )
    words = ttk.Label(page, text=summary, style="Muted.TLabel", wraplength=theme.px(170))
    words.grid(**whole_row)
    puzzles = texts.puzzle_record_text(context.userdata.puzzles)
    ttk.Label(page, text=puzzles, wraplength=theme.px(170)).grid(**whole_row)

    def clear() -> None:
        context.userdata.clear_statistics()
        context.changed()
        statistics(context)

    def ask() -> None:
        question = "Forget all games and puzzles counted so far?"
        answers = {"Keep Them": lambda: None, "Start Over": clear}
        confirm(dialog, theme, "Statistics", question, answers)

    dialog.appear({"Close": dialog.close, "Start Over…": ask})


def how_to_play(context: Context) -> None:
    """Show the rules on one page."""
    theme = context.theme
    dialog = Dialog(context.root, theme, "How to Play")
    page = dialog.body
    _add_text(page, theme, "Three in a row win", "Title.TLabel")
    _way_of_a_lamp(page, theme).grid(sticky="w", pady=theme.px(3))
    for paragraph in _RULES:
        _add_text(page, theme, paragraph)
    dialog.appear()


def _add_text(parent: tk.Misc, theme: Theme, text: str, style: str = "TLabel") -> None:
    label = ttk.Label(parent, text=text, style=style, wraplength=theme.px(112), justify=tk.LEFT)
    label.grid(sticky="w", pady=(0, theme.px(2)))


def _way_of_a_lamp(parent: tk.Misc, theme: Theme) -> tk.Canvas:
    side = theme.px(21)
    gap = theme.px(7)
    words = theme.px(5)
    wide = 4 * side + 3 * gap
    canvas = tk.Canvas(parent, width=wide, height=side + words, highlightthickness=0)

    def draw(_: object = None) -> None:
        canvas.delete(tk.ALL)
        colours = theme.colours
        look = replace(theme.look, letters=True)
        y = side / 2
        for colour, name in enumerate(COLOUR_NAMES):
            x = colour * (side + gap) + side / 2
            pictures.draw_lamp(Tile(colour), look, (x, y), side)
            canvas.create_text(x, y + side / 2 + words / 2, text=name, font=theme.body,
                               fill=colours.muted)  # fmt: skip
            if colour:
                start = x - side / 2 - gap
                canvas.create_line(start + gap * 0.1, y, start + gap * 0.9, y, arrow=tk.LAST,
                                   fill=colours.muted, width=max(2, theme.px(0.5)))  # fmt: skip

    pictures = CanvasPictures(canvas, draw)
    canvas.bind("<<ThemeChanged>>", draw)
    draw()
    return canvas


def keys(context: Context, rows: Sequence[tuple[str, str]]) -> None:
    """Show every key: of the board, *rows* of the whole main window, and of the Workshop.

    Each row has the keys and what they do.
    """
    theme = context.theme
    dialog = Dialog(context.root, theme, "Keys")
    # Both columns are about as long.
    workshop = [(shown_key(key), meaning) for key, meaning in _WORKSHOP_KEYS]
    split = (len(rows) + len(workshop) - len(_BOARD_KEYS)) // 2
    columns: list[dict[str, Sequence[tuple[str, str]]]] = [
        {"On the board": _BOARD_KEYS, "In the main window": rows[:split]},
        {"": rows[split:], "In the Workshop": workshop},
    ]
    for column, sections in enumerate(columns):
        side = ttk.Frame(dialog.body)
        side.grid(row=0, column=column, sticky="nw", padx=(0, theme.px(5)))
        for title, meanings in sections.items():
            _add_keys(side, theme, title, meanings)
    dialog.appear()


def _add_keys(
    parent: ttk.Frame, theme: Theme, title: str, meanings: Sequence[tuple[str, str]]
) -> None:
    """Add keys and what they do, under a *title*, below what *parent* has already."""
    first = parent.grid_size()[1]
    above = theme.px(3) if first else 0
    heading = ttk.Label(parent, text=title, style="Title.TLabel")
    heading.grid(row=first, columnspan=2, sticky="w", pady=(above, theme.px(2)))
    for row, (key, meaning) in enumerate(meanings, start=first + 1):
        label = ttk.Label(parent, text=key, style="Strong.TLabel")
        label.grid(row=row, sticky="nw", padx=(0, theme.px(3)), pady=theme.px(0.25))
        text = ttk.Label(parent, text=meaning, wraplength=theme.px(62))
        text.grid(row=row, column=1, sticky="w")


def about(context: Context) -> None:
    """Show the version, the licence and the versions of Python and Tk."""
    dialog = Dialog(context.root, context.theme, "About Traffic Lights")
    about = (
        "Alan Parr's game for two on a board of three rows and four columns. A bot has learned "
        "it, and a solver knows the best moves of every position."
    )
    tk_version = context.root.tk.call("info", "patchlevel")
    system = f"Python {platform.python_version()}, Tk {tk_version}"
    for text, style in (
        ("Traffic Lights", "Title.TLabel"),
        (f"Version {__version__}", "Strong.TLabel"),
        (about, "TLabel"),
        ("Free software under the MIT licence.", "TLabel"),
        (system, "Muted.TLabel"),
    ):
        _add_text(dialog.body, context.theme, text, style)

    def open_folder() -> None:
        dialog.close()
        open_data_folder(context)

    dialog.appear({"Close": dialog.close, "Open Data Folder": open_folder})
