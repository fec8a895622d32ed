"""The small windows of the menus Game and Help."""

import platform
import tkinter as tk
from collections.abc import Sequence
from tkinter import ttk
from typing import Final

from traffic_lights.board.rules import COLOUR_LETTERS, COLOUR_NAMES
from traffic_lights.gui.kit.dialog import Dialog, confirm
from traffic_lights.gui.kit.keys import shown_key
from traffic_lights.gui.kit.lamps import Tile, lamp_picture
from traffic_lights.gui.kit.widgets import add_bar, fill_table, put
from traffic_lights.gui.main.context import Context
from traffic_lights.play import texts
from traffic_lights.play.results import OpponentRecord
from traffic_lights.play.tasks import puzzle_figures
from traffic_lights.version import __version__

_RULES: Final = (
    *texts.RULES,
    "The program knows best play from every position. A hint (F3) comes in three steps. F7 shows "
    "what every move leads to. After the game, Review (F4) goes through your mistakes.",
    "Learn ▸ How to Win has five short lessons. F12 brings a puzzle: find the only winning move.",
    texts.MARKS,
)
_KEYS: Final = (
    ("Arrow keys", "move the cursor on the board"),
    ("Space, Return", "play the lamp under the cursor"),
    ("b then 2", "play the lamp b2"),
    ("Home, End", "first, last column"),
    ("Escape", "to the board; out of a review, a puzzle or a set-up"),
    ("Tab", "to the buttons and the panel"),
)
_WORKSHOP_KEYS: Final = (
    ("Space, Delete", "Workshop: tick the chosen bot, delete it"),
    ("Ctrl+Tab", "Workshop: the next tab"),
    ("Ctrl+W", "close the Workshop"),
)


def _add_table(dialog: Dialog, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Show *rows* under *headings*, as many as have room; each column is as wide as its text.

    What is wider than the screen scrolls.
    """
    theme = dialog.theme
    table = ttk.Treeview(dialog.body, columns=list(headings), show="headings", selectmode="none")
    table.configure(height=min(len(rows), table.winfo_screenheight() // (2 * theme.line)))
    fill_table(table, theme.strong.measure, headings, rows)
    for column in headings:
        table.column(column, stretch=False)
    put(table, row=0, sticky="nsew")
    add_bar(table)
    bar = ttk.Scrollbar(dialog.body, orient=tk.HORIZONTAL, command=table.xview)
    table.configure(xscrollcommand=bar.set)
    put(bar, row=1, sticky="ew", pady=(0, theme.px(3)))
    table.bind("<Left>", lambda _: table.xview_scroll(-1, "units"))
    table.bind("<Right>", lambda _: table.xview_scroll(1, "units"))


def statistics(context: Context) -> None:
    """Show a table of the games against each opponent, under the name that it has today."""
    dialog = Dialog(context.root, context.theme, "Statistics")
    saved = context.userdata.saved
    headings = ("Opponent", *OpponentRecord().shown)
    rows = [
        (context.roster.name_of(key, record.name), *record.shown.values())
        for key, record in reversed([*saved.opponents.items()])
    ]
    _add_table(dialog, headings, rows or [("No game yet", *[""] * (len(headings) - 1))])
    dialog.say(
        "● is a win and ○ a loss, the latest at the right. Games between two people do not count, "
        "nor do those that were opened or set up, or whose players changed half-way.",
        "Muted.TLabel",
    )
    dialog.say(f"Puzzles: {'. '.join(puzzle_figures(saved.puzzles))}.")

    def clear() -> None:
        context.userdata.apply(lambda saved: saved.cleared())
        context.changed()
        statistics(context)

    def ask() -> None:
        question = "Forget all games and puzzles counted so far?"
        answers = {"Keep Them": lambda: None, "Start Over": clear}
        confirm(dialog, context.theme, "Statistics", question, answers)

    dialog.appear({"Close": dialog.close, "Start Over…": ask})


def how_to_play(context: Context) -> None:
    """Show the rules on one page, under the way of a lamp."""
    theme = context.theme
    dialog = Dialog(context.root, theme, "How to Play")
    dialog.say("Three in a row win", "Title.TLabel")
    row = put(ttk.Frame(dialog.body), sticky="w", pady=(0, theme.px(3)))
    side = theme.px(20)
    for colour, name in enumerate(COLOUR_NAMES):
        data = lamp_picture(Tile(colour), side, theme.colours, theme.lamps)
        picture = tk.PhotoImage(master=row, data=data)
        letter = f" ({COLOUR_LETTERS[colour]})" if colour and theme.letters else ""
        lamp = ttk.Label(
            row, image=picture, text=name + letter, compound=tk.TOP, style="Muted.TLabel"
        )
        lamp.picture = picture  # type: ignore[attr-defined]  # Tk keeps no reference to it
        lamp.grid(row=0, column=2 * colour)
        if colour:
            put(ttk.Label(row, text=" → "), row=0, column=2 * colour - 1)
    for paragraph in _RULES:
        dialog.say(paragraph)
    dialog.appear()


def keys(context: Context, rows: Sequence[tuple[str, str]]) -> None:
    """Show the keys of the board, *rows* of the whole main window, and those of the Workshop."""
    dialog = Dialog(context.root, context.theme, "Keys")
    workshop = [(shown_key(key), meaning) for key, meaning in _WORKSHOP_KEYS]
    _add_table(dialog, ("Keys", "What they do"), [*_KEYS, *rows, *workshop])
    dialog.appear()


def about(context: Context) -> None:
    """Show the version, the licence, and the versions of Python and Tk."""
    dialog = Dialog(context.root, context.theme, "About Traffic Lights")
    tk_version = context.root.tk.call("info", "patchlevel")
    dialog.say("Traffic Lights", "Title.TLabel")
    dialog.say(f"Version {__version__}", "Strong.TLabel")
    dialog.say(
        "Alan Parr's game for two on a board of three rows and four columns. A bot has learned "
        "it, and a solver knows the best moves of every position."
    )
    dialog.say("Free software under the MIT licence.")
    dialog.say(f"Python {platform.python_version()}, Tk {tk_version}", "Muted.TLabel")
    dialog.appear()
