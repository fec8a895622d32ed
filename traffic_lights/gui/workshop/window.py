"""The Workshop: all bots at the left, and what is known of the chosen one at the right."""

from __future__ import annotations

import tkinter as tk
from dataclasses import replace
from functools import partial
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Any, Final
from weakref import WeakKeyDictionary

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.positions import POSITIONS
from traffic_lights.gui.kit import geometry
from traffic_lights.gui.kit.dialog import confirm
from traffic_lights.gui.kit.keys import bind_window_keys
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop import model
from traffic_lights.gui.workshop.actions import BotActions
from traffic_lights.gui.workshop.bot_list import BotList
from traffic_lights.gui.workshop.inside import InsideTab
from traffic_lights.gui.workshop.learning import LearningTab
from traffic_lights.gui.workshop.program import ProgramDialog
from traffic_lights.gui.workshop.strength import StrengthTab
from traffic_lights.gui.workshop.trainer import Trainer
from traffic_lights.pictures.charts import POSITIONS_BY_PLY, SERIES_COLOURS, to_page
from traffic_lights.players.roster import Entry, Group
from traffic_lights.storage.files import StorageError, write_atomically
from traffic_lights.system import folders
from traffic_lights.training.bots import Bots, OwnBot, read_curve

SIZE: Final = (1060, 680)
SMALLEST: Final = (560, 360)
LIST_WIDTH: Final = 216
"""Sizes in pixels at 96 dpi."""
NEW: Final = "new"
"""The key of the row that stands for a bot that is still to be made."""
NEW_BOT: Final = Entry(NEW, "New bot", "Choose an opponent, and press Start.", Group.OWN)
_SECTIONS: Final = {
    "My Bots": (Group.OWN,),
    "Levels": (Group.LEVEL,),
    "Other Players": (Group.BASELINE, Group.LADDER, Group.TABLE),
    "Programs": (Group.PROGRAM,),
}
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
        self.configure(background=theme.colours.window)
        self._context, self._trainer, self._roster = context, trainer, context.roster
        self.bots = Bots(context.userdata.folder, folders.training_folder())
        self._own: dict[str, OwnBot] = {}
        self._entries: dict[str, Entry] = {}
        self._ticked: list[str] = []
        self._shown_tab: dict[str, str] = {}
        """The bot that each tab shows; a tab is filled when it is first looked at."""
        self._shown_form: object = None
        """What the form was filled for; what was typed since then stays."""
        self._at_work = trainer.key
        self.columnconfigure(1, weight=1)
        self.rowconfigure(0, weight=1)
        self.actions = BotActions(self, context, self.bots, self._bots_changed, self._report)
        self._make_left()
        self._make_right()
        self.status = ttk.Label(self, style="Muted.TLabel")
        self.status.grid(row=1, column=1, sticky="ew", padx=theme.px(4))
        self.protocol("WM_DELETE_WINDOW", self.close)
        self.bind("<Escape>", lambda _: self.close())
        bind_window_keys(self, context.quit, self.close)
        trainer.watcher = self.show_progress
        trainer.show_chip()
        self.refill("")

    def _make_left(self) -> None:
        """Make the list of the bots and the buttons that add to it and change it."""
        theme = self._theme
        edge = theme.px(4)
        self.columnconfigure(0, minsize=round(LIST_WIDTH * theme.scale))
        self.list = BotList(self, theme, self._chosen, self._tick)
        self.list.grid(row=0, column=0, sticky="nsew", padx=(edge, 0), pady=(edge, 0))
        self.list.tree.bind("<Delete>", lambda _: self.act(DELETE))
        self.list.tree.bind("<Double-Button-1>", lambda _: self.play())
        row = ttk.Frame(self)
        row.grid(row=1, column=0, sticky="w", padx=(edge, 0), pady=(theme.px(2), edge))
        self.add_menu, self.bot_menu = tk.Menu(self, tearoff=False), tk.Menu(self, tearoff=False)
        for label, act in (
            ("Train a New Bot", self._new_bot),
            ("Import a Table…", self.actions.import_table),
            ("Add a Program…", self.add_program),
        ):
            self.add_menu.add_command(label=label, command=act)
        for label in (*self.actions.by_label, SAVE_CHART):
            self.bot_menu.add_command(label=label, command=partial(self.act, label))
        for text, menu in (("+", self.add_menu), ("…", self.bot_menu)):
            button = ttk.Button(row, text=text, width=3)
            button.configure(command=partial(self._post, button, menu))
            button.pack(side=tk.LEFT, padx=(0, theme.px(1)))

    def _post(self, button: ttk.Button, menu: tk.Menu) -> None:
        """Show *menu* under *button*."""
        for label in (*self.actions.by_label, SAVE_CHART):
            state = tk.NORMAL if self._can(label) else tk.DISABLED
            self.bot_menu.entryconfigure(label, state=state)
        menu.tk_popup(button.winfo_rootx(), button.winfo_rooty() + button.winfo_height())

    def _can(self, label: str) -> bool:
        """Return whether what the menu calls *label* can be done with the chosen bot."""
        key = self.list.chosen
        if label == SAVE_CHART:
            return bool(self._curves_shown())
        is_program = self._entries[key].program is not None
        return (key in self._own and key != self._trainer.key) or (label == DELETE and is_program)

    def _make_right(self) -> None:
        """Make the name of the chosen bot, the button that plays it, and the three tabs."""
        theme = self._theme
        edge = theme.px(4)
        right = ttk.Frame(self)
        right.grid(row=0, column=1, sticky="nsew", padx=edge, pady=(edge, 0))
        right.columnconfigure(0, weight=1)
        right.rowconfigure(2, weight=1)
        self.heading = ttk.Label(right, style="Title.TLabel")
        self.heading.grid(row=0, column=0, sticky="w")
        self.about = ttk.Label(right, style="Muted.TLabel", anchor="w")
        self.about.grid(row=1, column=0, sticky="ew", pady=(0, theme.px(2)))
        self.play_button = ttk.Button(right, text="Play", command=self.play)
        self.play_button.grid(row=0, column=1, rowspan=2, padx=(theme.px(2), 0))
        self.tabs = ttk.Notebook(right)
        self.tabs.grid(row=2, column=0, columnspan=2, sticky="nsew")
        self.learning = LearningTab(self.tabs, theme, self._start, self._trainer.stop)
        self.history = self.learning.history
        self.history.on_change = self._show_history
        self.history.button.configure(command=self._play_snapshot)
        self.strength = StrengthTab(self.tabs, self._context, self._roster)
        self.inside = InsideTab(self.tabs, self._context, self._roster)
        self._pages: dict[str, ttk.Frame] = {
            "learning": self.learning, "strength": self.strength, "inside": self.inside
        }  # fmt: skip
        for name, page in self._pages.items():
            self.tabs.add(page, text=name.capitalize())
        self.tabs.bind("<<NotebookTabChanged>>", lambda _: self._show_tab())

    # --- the list ---

    def refill(self, chosen: str = "") -> None:
        """Show all bots again, with *chosen* chosen; by default the first own bot."""
        self._own = {bot.key: bot for bot in self.bots.all()}
        self._entries = {NEW_BOT.key: NEW_BOT, **{e.key: e for e in self._roster.entries()}}
        self._ticked = [key for key in self._ticked if key in self._own]
        self._trainer.curves.keep(self._own)
        for bot in self._own.values():
            if bot.key != self._trainer.key:
                self._trainer.curves.put(bot.key, read_curve(bot.folder))
        self._show_rows()
        self.list.choose(chosen or next(iter(self._own), NEW))
        self._show_chosen()

    def _show_rows(self) -> None:
        """Show the rows of the list as they are now."""
        sections = {
            title: [entry for entry in self._entries.values() if entry.group in groups]
            for title, groups in _SECTIONS.items()
        }
        colours = SERIES_COLOURS[self._theme.name]
        shown = {key: colours[n % len(colours)] for n, key in enumerate(self._curves_shown())}
        with_tick = {key for key in self._own if self._trainer.curves.last(key)}
        filled = {title: part for title, part in sections.items() if part}
        self.list.show(filled, with_tick, shown)

    def _bots_changed(self, chosen: str) -> None:
        """Show own bots that have come, gone or changed; the rest of the program hears of it."""
        self._shown_tab.clear()
        self._context.bots_changed()
        self.refill(chosen)

    def _chosen(self, _: str) -> None:
        self._report("")
        self._show_rows()
        self._show_chosen()

    def _tick(self, key: str) -> None:
        if key in self._ticked:
            self._ticked.remove(key)
        else:
            self._ticked.append(key)
        self._show_rows()
        self._show_training()

    # --- the chosen bot ---

    def _show_chosen(self) -> None:
        """Show everything about the bot that is chosen."""
        entry = self._entries[self.list.chosen]
        is_at_work = entry.key == self._trainer.key
        self.heading.configure(text=entry.name)
        self.about.configure(
            text="In training." if is_at_work else model.sentence(entry.problem) or entry.about
        )
        is_there = entry is not NEW_BOT
        can_play = is_there and not entry.problem
        self.play_button.state(["!disabled" if can_play else "disabled"])
        for page in (self.strength, self.inside):
            state = "normal" if is_there else "disabled"
            self.tabs.tab(str(page), state=state)  # type: ignore[no-untyped-call]
        if not is_there:
            self.tabs.select(str(self.learning))  # type: ignore[no-untyped-call]
        bot = self._own.get(entry.key)
        self._fill_form(bot)
        self.history.show(None if bot is None or is_at_work or bot.problem else bot)
        self._show_training()
        self._show_tab()

    def _fill_form(self, bot: OwnBot | None) -> None:
        """Show the settings of *bot* in the form, unless the form shows them already."""
        key, form = self.list.chosen, self.learning.form
        shown = key, self._trainer.key == key, bot.games if bot is not None else 0
        if shown == self._shown_form:
            return
        self._shown_form = shown
        settings = model.settings_of(bot.folder) if bot is not None else None
        usual = model.usual(next(iter(model.PLAN_NAMES)))
        if key == NEW:
            form.fill(self.bots.free_name(), usual, can_name=True)
        elif bot is None:
            form.fill(self._entries[key].name, usual, model.FIXED)
        elif key == self._trainer.key and self._trainer.settings is not None:
            at_work = self._trainer.settings
            form.fill(bot.name, at_work, model.plan_text(at_work.plan))
        elif bot.is_training:
            form.fill(bot.name, settings or usual, model.GOES_ON)
        else:
            form.fill(bot.name, model.following(settings) if settings is not None else usual)

    def _show_tab(self) -> None:
        """Fill the tab that is looked at, if it shows another bot than the chosen one."""
        name = str(self.tabs.tab("current", "text")).lower()  # type: ignore[no-untyped-call]
        key = self.list.chosen
        if name == "inside":
            key = self.history.key or key
        if name == "learning" or self._shown_tab.get(name) == key or key == NEW:
            return
        self._shown_tab[name] = key
        if name == "strength":
            self.strength.show(key)
        else:
            self.inside.show(key, self._roster.name_of(key, ""))

    def _curves_shown(self) -> dict[str, str]:
        """Return the names of the bots in the chart by their keys: the chosen one comes first."""
        keys = dict.fromkeys([self.list.chosen, *self._ticked])
        return {key: self._own[key].name for key in keys if key in self._own}

    def _opponent(self) -> str:
        """Return the opponent that the chart is about."""
        for key in self._curves_shown():
            for opponent in self._trainer.curves.opponents(key):
                return opponent
        plan = self.learning.form.texts()["plan"]
        return plan if plan in BASELINES else "myopic"

    def _show_training(self) -> None:
        """Show the curves, the sentence and the button as they are now."""
        trainer, key = self._trainer, self.list.chosen
        names = self._curves_shown()
        last = trainer.curves.last(key)
        is_perfect = last is not None and last.decided == POSITIONS
        chart = model.learning_chart(trainer.curves, self._opponent(), names)
        then = self.history.point
        opening = then or last
        self.learning.show_curves(
            chart if then is None else replace(chart, mark=then.games),
            trainer.solved.get(key, POSITIONS_BY_PLY if is_perfect else ()),
            opening.opening if opening is not None else (),
        )
        state = trainer.state if key == trainer.key else "idle"
        can_start = not trainer.key and (key == NEW or key in self._own)
        is_warning = key != trainer.key and key in trainer.problems
        self.learning.show_state(state, self._sentence(), can_start, is_warning)

    def _sentence(self) -> str:
        """Return the sentence about the chosen bot: how far it is, or what came of it."""
        trainer, key = self._trainer, self.list.chosen
        bot, at_work = self._own.get(key), trainer.bot
        if key == trainer.key:
            games = trainer.settings.games if trainer.settings is not None else None
            return model.running_text(trainer.moment, games, *trainer.speed())
        if key in trainer.problems:
            return trainer.problems[key]
        if at_work is not None:
            return f"“{at_work.name}” is training. One bot trains at a time."
        if bot is not None:
            return model.result_text(bot.games, bot.is_training, trainer.curves.last(key))
        return ""

    # --- training ---

    def _start(self, name: str, wanted: dict[str, Any]) -> None:
        """Train the chosen bot; a new one is made first."""
        bot = self._own.get(self.list.chosen)
        if bot is None:
            try:
                bot = self.bots.create(name)
            except StorageError as error:
                self._report(model.sentence(error))
                return
            self._trainer.start(bot, wanted)
            self._bots_changed(bot.key)
        else:
            self._trainer.start(bot, wanted)
            self._show_chosen()

    def show_progress(self) -> None:
        """Show how far the training is; one that has ended changes the list as well."""
        before, self._at_work = self._at_work, self._trainer.key
        if before and not self._at_work:
            self._shown_tab.clear()
            self.refill(self.list.chosen)
        else:
            self._show_training()

    def _show_history(self) -> None:
        """Show the bot as it was where the slider stands."""
        self._show_training()
        self._show_tab()

    def _play_snapshot(self) -> None:
        if self.history.key:
            self._context.play_against(self.history.key)

    # --- what the buttons do ---

    def _new_bot(self) -> None:
        self.tabs.select(str(self.learning))  # type: ignore[no-untyped-call]
        self.list.choose(NEW)
        name = self.learning.form.fields["name"]
        name.select_range(0, tk.END)  # what is typed takes its place
        name.focus_set()

    def add_program(self) -> None:
        """Ask for a program, try it, and add it."""
        ProgramDialog(self, self._context, self._roster, self._bots_changed)

    def play(self) -> None:
        """Start a game against the chosen bot."""
        if self.play_button.instate(["!disabled"]):
            self._context.play_against(self.list.chosen)

    def act(self, label: str) -> None:
        """Do with the chosen bot what the menu calls *label*."""
        key = self.list.chosen
        if not self._can(label):
            return
        if label == SAVE_CHART:
            self._save_chart()
        elif key in self._own:
            self.history.stop()
            self.actions.by_label[label](self._own[key])
        else:
            self._ask_to_remove(self._entries[key])

    def _save_chart(self) -> None:
        """Ask for a file, and write the chart to it as a picture."""
        found = filedialog.asksaveasfilename(
            parent=self,
            title="Save the Chart",
            initialfile=f"{self.heading.cget('text')}.svg",
            defaultextension=".svg",
            filetypes=(("SVG picture", "*.svg"),),
        )
        if found:
            try:
                page = to_page([self.learning.chart_shown])
                write_atomically(Path(found), [page.encode("utf-8")])
            except StorageError as error:
                self._report(model.sentence(error))

    def _ask_to_remove(self, entry: Entry) -> None:
        def remove() -> None:
            try:
                self._roster.remove_program(entry.key)
            except StorageError as error:
                self._report(model.sentence(error))
            self._bots_changed("")

        confirm(
            self,
            self._theme,
            "Delete",
            f"Remove “{entry.name}” from the list? Its files stay where they are.",
            {"Cancel": lambda: None, "Remove": remove},
        )

    def _report(self, text: str) -> None:
        """Show *text* at the bottom of the window."""
        self.status.configure(text=text)

    # --- the window ---

    def appear(self, tab: str, key: str) -> None:
        """Show the window in front, with *tab* and the bot *key*, if one is given."""
        if tab != "learning" and self.list.chosen == NEW:
            key = key or STRONGEST
        if key:
            self.list.choose(key)
        self.tabs.select(str(self._pages[tab]))  # type: ignore[no-untyped-call]
        self.deiconify()
        self.lift()
        self.list.tree.focus_set()

    def close(self) -> None:
        """Close the window; a training continues, and the main window shows it."""
        self._trainer.watcher = None
        self.destroy()
        self._trainer.show_chip()
        self._context.focus_board()


_TRAINERS: Final[WeakKeyDictionary[Context, Trainer]] = WeakKeyDictionary()
"""The trainer of each program; it outlives the window."""


def trainer_of(context: Context) -> Trainer:
    """Return the one trainer of *context*."""
    if context not in _TRAINERS:

        def reopen(key: str) -> None:
            open_workshop(context, "learning", key)

        _TRAINERS[context] = Trainer(context, reopen)
    return _TRAINERS[context]


def open_workshop(context: Context, tab: str = "learning", key: str = "") -> WorkshopWindow:
    """Show the Workshop of *context*, with *tab* and the bot *key*, if one is given."""
    trainer = trainer_of(context)
    windows = (w for w in context.root.winfo_children() if isinstance(w, WorkshopWindow))
    window = next(windows, None)
    if window is None:
        window = WorkshopWindow(context, trainer)
        scale, zoom = context.theme.scale, context.theme.zoom
        geometry.place_scrolling(window, SIZE, SMALLEST, scale, zoom)
    window.appear(tab, key)
    return window
