"""The Workshop: all bots at the left, and what is known of the chosen one at the right."""

from __future__ import annotations

import tkinter as tk
from functools import cache, partial
from tkinter import ttk
from typing import Any, Final

from traffic_lights.gui.kit.dialog import TITLE, place_window
from traffic_lights.gui.kit.palette import SERIES_COLOURS
from traffic_lights.gui.kit.widgets import sequences
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop.actions import OWN_BOT, BotActions, ProgramDialog
from traffic_lights.gui.workshop.bot_list import BotList
from traffic_lights.gui.workshop.inside import InsideTab
from traffic_lights.gui.workshop.learning import LearningTab
from traffic_lights.gui.workshop.model import NEW, sentence
from traffic_lights.gui.workshop.strength import StrengthTab
from traffic_lights.gui.workshop.trainer import Trainer
from traffic_lights.players.roster import Entry, Group
from traffic_lights.storage.files import StorageError
from traffic_lights.training.bots import read_curve

SIZE: Final = (1060, 680)
SMALLEST: Final = (560, 360)
LIST_WIDTH: Final = 216
"""Sizes in pixels at 96 dpi."""
NEW_BOT: Final = Entry(NEW, "New bot", "Choose an opponent, and press Start.", Group.OWN)
STRONGEST: Final = "qbot"
"""The player that is shown where a new bot has nothing to show."""
DELETE: Final = "Delete…"
SAVE_CHART: Final = "Save Chart…"


class WorkshopWindow(tk.Toplevel):
    """Shows the bots of *context* and the work of its *trainer*; exists at most once."""

    def __init__(self, context: Context, trainer: Trainer) -> None:
        super().__init__(context.root)
        self.withdraw()
        self.title("Workshop – Traffic Lights")
        theme = self._theme = context.theme
        self._context, self._trainer = context, trainer
        assert context.roster.bots is not None
        self._bots = context.roster.bots
        self._entries: dict[str, Entry] = {}
        self._ticked: list[str] = []
        self._shown: dict[str, str] = {}
        """The bot that each tab shows; a tab is filled when it is first looked at."""
        self.columnconfigure(1, weight=1)
        self.rowconfigure(0, weight=1)
        self._actions = BotActions(self, context, self._bots, self._bots_changed, self._report)
        self._make_left()
        self._make_right()
        self.status = ttk.Label(self, style="Muted.TLabel")
        self.status.grid(row=1, column=1, sticky="ew", padx=theme.px(4))
        self.protocol("WM_DELETE_WINDOW", self.close)
        for key, act in (("Escape", self.close), ("Ctrl+Q", context.quit), ("Ctrl+W", self.close)):
            for sequence in sequences(key):
                self.bind(sequence, lambda _, act=act: act())  # type: ignore[misc]
        trainer.watcher = self.learning.draw
        context.on_bots.append(self.refill)
        self.refill()
        trainer.show()

    def _make_left(self) -> None:
        """Make the list of the bots and the buttons that add to it and change it."""
        theme = self._theme
        edge = theme.px(4)
        self.columnconfigure(0, minsize=round(LIST_WIDTH * theme.scale))
        self.list = BotList(self, theme, self._show_chosen, self._tick)
        self.list.grid(row=0, column=0, sticky="nsew", padx=(edge, 0), pady=(edge, 0))
        self.list.tree.bind("<Delete>", lambda _: self.act(DELETE))
        self.list.tree.bind("<Double-Button-1>", lambda _: self.play_button.invoke())
        row = ttk.Frame(self)
        row.grid(row=1, column=0, sticky="w", padx=(edge, 0), pady=(theme.px(2), edge))
        self.add_menu, self.bot_menu = tk.Menu(self, tearoff=False), tk.Menu(self, tearoff=False)
        self.add_menu.add_command(label="Train a New Bot", command=self._new_bot)
        self.add_menu.add_command(label="Import a Table…", command=self._actions.import_table)
        self.add_menu.add_command(label="Add a Program…", command=self.add_program)
        for label in (*OWN_BOT, SAVE_CHART):
            self.bot_menu.add_command(label=label, command=partial(self.act, label))
        for text, menu in (("+", self.add_menu), ("…", self.bot_menu)):
            button = ttk.Button(row, text=text, width=3)
            button.configure(command=partial(self._post, button, menu))
            button.pack(side=tk.LEFT, padx=(0, theme.px(1)))

    def _make_right(self) -> None:
        """Make the name of the chosen bot, the button that plays it, and the three tabs."""
        theme, context = self._theme, self._context
        edge = theme.px(4)
        right = ttk.Frame(self)
        right.grid(row=0, column=1, sticky="nsew", padx=edge, pady=(edge, 0))
        right.columnconfigure(0, weight=1)
        right.rowconfigure(2, weight=1)
        self.heading = ttk.Label(right, style="Title.TLabel")
        self.heading.grid(row=0, column=0, sticky="w")
        self.about = ttk.Label(right, style="Muted.TLabel", anchor="w")
        self.about.grid(row=1, column=0, sticky="ew", pady=(0, theme.px(2)))
        self.play_button = ttk.Button(
            right, text="Play", command=lambda: context.play_against(self.list.chosen)
        )
        self.play_button.grid(row=0, column=1, rowspan=2, padx=(theme.px(2), 0))
        self.tabs = ttk.Notebook(right)
        self.tabs.grid(row=2, column=0, columnspan=2, sticky="nsew")
        self.learning = LearningTab(
            self.tabs, theme, self._trainer, self._start, self._show_tab, context.play_against
        )
        self.strength = StrengthTab(self.tabs, context)
        self.inside = InsideTab(self.tabs, context)
        self.pages = {"learning": self.learning, "strength": self.strength, "inside": self.inside}
        for name, page in self.pages.items():
            self.tabs.add(page, text=name.capitalize())
        self.tabs.bind("<<NotebookTabChanged>>", lambda _: self._show_tab())

    def _report(self, text: str) -> None:
        """Show *text* at the bottom of the window."""
        self.status.configure(text=text)

    # --- the list ---

    def refill(self) -> None:
        """Show all bots again, with the same chosen; if it is gone, the first own bot."""
        trainer, chosen = self._trainer, self.list.chosen
        self._shown.clear()
        self._entries = {NEW: NEW_BOT, **{e.key: e for e in self._context.roster.entries()}}
        own = {key: entry.own for key, entry in self._entries.items() if entry.own is not None}
        self._ticked = [key for key in self._ticked if key in own]
        trainer.curves = {
            key: trainer.curves.get(key, []) if key == trainer.key else read_curve(bot.folder)
            for key, bot in own.items()
        }
        self._show_rows()
        self.list.choose(chosen if chosen in self._entries else next(iter(own), NEW))

    def _show_rows(self) -> None:
        """Show the rows of the list as they are now."""
        colours = SERIES_COLOURS[self._theme.name]
        ticks = {key: "" for key, points in self._trainer.curves.items() if points}
        for number, key in enumerate(self._curves_shown()):
            if key in ticks:
                ticks[key] = colours[number % len(colours)]
        self.list.show(self._entries.values(), ticks)

    def _curves_shown(self) -> dict[str, str]:
        """Return the names of the bots in the chart by their keys: the chosen one comes first."""
        keys = dict.fromkeys([self.list.chosen, *self._ticked])
        return {key: self._entries[key].name for key in keys if key in self._trainer.curves}

    def _bots_changed(self, chosen: str) -> None:
        """Have all windows show the bots as they are now, and choose one here."""
        self._context.bots_changed()
        if chosen:
            self.list.choose(chosen)

    def _tick(self, key: str) -> None:
        """Lay the curve of the bot *key* over that of the chosen one, or take it away."""
        if key in self._ticked:
            self._ticked.remove(key)
        elif self._trainer.curves.get(key):
            self._ticked.append(key)
        self._show_chosen()

    # --- the chosen bot ---

    def _show_chosen(self) -> None:
        """Show everything about the bot that is chosen."""
        self._report("")
        self._show_rows()
        key = self.list.chosen
        entry, is_new = self._entries[key], key == NEW
        self.heading.configure(text=entry.name)
        about = sentence(entry.problem) or entry.about
        self.about.configure(text="In training." if key == self._trainer.key else about)
        self.play_button.state(["disabled" if is_new or entry.problem else "!disabled"])
        for page in (self.strength, self.inside):
            self.tabs.tab(str(page), state="disabled" if is_new else "normal")  # type: ignore[no-untyped-call]
        if is_new:
            self._select("learning")
        name = self._bots.free_name() if is_new else entry.name
        self.learning.show(entry, name, self._curves_shown())
        self._show_tab()

    def _select(self, tab: str) -> None:
        self.tabs.select(str(self.pages[tab]))  # type: ignore[no-untyped-call]

    def _show_tab(self) -> None:
        """Fill the tab that is looked at, if it shows another bot than the chosen one."""
        tab = self.tabs.select()  # type: ignore[no-untyped-call]
        key = self.list.chosen
        if tab == str(self.inside):
            key = self.learning.history.key or key
        if key == NEW or self._shown.get(tab) == key:
            return
        self._shown[tab] = key
        if tab == str(self.strength):
            self.strength.show(key)
        elif tab == str(self.inside):
            self.inside.show(key, self._context.roster.name_of(key, ""))

    def _start(self, name: str, wanted: dict[str, Any]) -> None:
        """Train the chosen bot; a new one is made first."""
        try:
            bot = self._entries[self.list.chosen].own or self._bots.create(name)
        except StorageError as error:
            self._report(sentence(error))
        else:
            self._trainer.start(bot, wanted)
            self._bots_changed(bot.key)

    # --- the menus ---

    def _new_bot(self) -> None:
        self._select("learning")
        self.list.choose(NEW)
        name = self.learning.form.fields["name"]
        name.select_range(0, tk.END)  # what is typed takes its place
        name.focus_set()

    def add_program(self) -> None:
        """Ask for a program, try it, and add it."""
        ProgramDialog(self, self._context, self._bots_changed)

    def _post(self, button: ttk.Button, menu: tk.Menu) -> None:
        """Show *menu* under *button*."""
        possible = self._possible()
        for label in (*OWN_BOT, SAVE_CHART):
            state = tk.NORMAL if label in possible else tk.DISABLED
            self.bot_menu.entryconfigure(label, state=state)
        menu.tk_popup(button.winfo_rootx(), button.winfo_rooty() + button.winfo_height())

    def _possible(self) -> list[str]:
        """Return what the menu can do with the chosen bot."""
        entry = self._entries[self.list.chosen]
        chart = [SAVE_CHART] if self._curves_shown() else []
        if entry.own is not None and entry.key != self._trainer.key:
            return [*OWN_BOT, *chart]
        return [DELETE, *chart] if entry.program is not None else chart

    def act(self, label: str) -> None:
        """Do with the chosen bot what the menu calls *label*, if that is possible."""
        if label not in self._possible():
            return
        self.learning.history.stop()
        entry = self._entries[self.list.chosen]
        if label == SAVE_CHART:
            self._report(self.learning.save_chart())
        elif entry.own is not None:
            self._actions.act(label, entry.own)
        else:
            self._actions.remove(entry)

    # --- the window ---

    def appear(self, tab: str, key: str) -> None:
        """Show the window in front, with *tab* and the bot *key*, if one is given."""
        if tab != "learning" and self.list.chosen == NEW:
            key = key or STRONGEST
        if key:
            self.list.choose(key)
        self._select(tab)
        self.deiconify()
        self.lift()
        self.list.tree.focus_set()

    def close(self) -> None:
        """Close the window; a training continues, and the main window shows it."""
        self._trainer.watcher = None
        self._context.on_bots.remove(self.refill)
        self.destroy()
        self._trainer.show()
        self._context.board.focus_set()


@cache
def trainer_of(context: Context) -> Trainer:
    """Return the one trainer of *context*; it outlives the window."""
    return Trainer(context, partial(open_workshop, context, "learning"))


def open_workshop(context: Context, tab: str = "learning", key: str = "") -> WorkshopWindow:
    """Show the Workshop of *context*, with *tab* and the bot *key*, if one is given."""
    windows = (w for w in context.root.winfo_children() if isinstance(w, WorkshopWindow))
    window = next(windows, None)
    if window is None:
        window = WorkshopWindow(context, trainer_of(context))
        scale = context.theme.scale
        # Its content scrolls, so the least size does not grow with the zoom.
        screen = scale / context.theme.zoom
        size = round(SIZE[0] * scale), round(SIZE[1] * scale)
        least = round(SMALLEST[0] * screen), round(SMALLEST[1] * screen)
        place_window(window, "", size, least, round(TITLE * screen))
    window.appear(tab, key)
    return window
