"""The Workshop: all bots at the left, and what is known of the chosen one at the right."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from tkinter import ttk
from typing import Any, Final

from traffic_lights.drawing.palette import SERIES_COLOURS
from traffic_lights.gui.kit.keys import bind_sequence, sequences
from traffic_lights.gui.kit.places import TITLE_AND_BAR, place_window
from traffic_lights.gui.kit.widgets import focused_widget, put, stretch
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.workshop.bot_acts import BotAct, BotActs
from traffic_lights.gui.workshop.bot_list import BotList
from traffic_lights.gui.workshop.inside_tab import InsideTab
from traffic_lights.gui.workshop.learning_tab import LearningTab
from traffic_lights.gui.workshop.program_dialog import ProgramDialog
from traffic_lights.gui.workshop.strength_tab import StrengthTab
from traffic_lights.gui.workshop.trainer import Trainer
from traffic_lights.players.roster import Entry
from traffic_lights.storage.files import StorageError
from traffic_lights.workshop.curves import Curves
from traffic_lights.workshop.form_values import last_run_text, unused_seed
from traffic_lights.workshop.shared import NEW, NEW_BOT, Act, as_sentence

SIZE: Final = (1060, 720)
SMALLEST: Final = (560, 360)
"""Sizes in pixels at 96 dpi."""
STRONGEST: Final = "qbot"
"""The player that is shown where a new bot has nothing to show."""
BARS: Final = "Bar: wins against Myopic"
"""What is under the list."""


class WorkshopWindow(tk.Toplevel):
    """Shows the bots of *context* and trains them; it exists at most once, and closing hides it."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.root)
        self.withdraw()
        self.title("Workshop – Traffic Lights")
        self._context = context
        theme = context.theme
        self._entries: dict[str, Entry] = {}
        self._ticked: set[str] = set()
        """The bots that are compared with the chosen one, in Learning and in Strength."""
        self._shown = ""
        """The key of the player that is looked at: the chosen one, or the same as it was."""
        self._about = ""
        """What the chosen bot is, in sentences."""
        self._styles: dict[str, int] = {}
        """The number of the colour of each bot in the chart, which it keeps."""
        self.curves = Curves()
        self._acts = BotActs(
            self,
            context,
            report=self._report,
            changing=lambda: self.learning.slider.stop(),
            changed=self._bots_changed,
            renamed=self._bot_renamed,
        )
        self.trainer = Trainer(context, self.curves, self._show_training)
        stretch(self, column=1)
        self._make_list()
        self._make_pages()
        self.protocol("WM_DELETE_WINDOW", self.close)
        for key, steps in (("Tab", 1), ("Shift-Tab", -1), ("ISO_Left_Tab", -1)):
            with suppress(tk.TclError):  # only X11 knows the last one
                self.bind(f"<Control-{key}>", partial(self._next_tab, steps))
        for key, act in (
            ("Escape", self._escape),
            ("Ctrl+Q", context.quit),
            ("Ctrl+W", self.close),
        ):
            for sequence in sequences(key):
                bind_sequence(self, sequence, lambda _, act=act: act())  # type: ignore[misc]
        context.on_bots.append(self.refill)
        own = [entry.own for entry in context.roster.entries() if entry.own is not None]
        proposed = self.learning.new_run
        self.learning.new_run = replace(proposed, seed=unused_seed(own))
        self.refill()
        # The content scrolls, so the least size does not grow with the zoom.
        scale = theme.scale
        screen = theme.screen_scale
        size = round(SIZE[0] * scale), round(SIZE[1] * scale)
        least = round(SMALLEST[0] * screen), round(SMALLEST[1] * screen)
        place_window(self, "", size, least, round(TITLE_AND_BAR * screen))

    def _make_list(self) -> None:
        """Make the left side: the list of bots, and the menus under it."""
        theme = self._context.theme
        edge = theme.px(4)
        left = put(ttk.Frame(self), row=0, rowspan=2, sticky="nsew", padx=(edge, 0), pady=edge)
        stretch(left)
        self.list = BotList(left, theme, self._show_chosen, self._tick)
        self.list.grid(row=0, column=0, sticky="nsew")
        # The bar is always there, so that nothing moves.
        bar = put(ttk.Scrollbar(left, command=self.list.yview), row=0, column=1, sticky="ns")
        self.list.configure(yscrollcommand=bar.set)
        self.list.bind("<<ThemeChanged>>", lambda _: self._show_rows())
        self.list.bind("<Delete>", lambda _: self.act(BotAct.DELETE))
        put(ttk.Label(left, text=BARS, style="Muted.TLabel"), row=1, sticky="w", pady=theme.px(1))
        row = put(ttk.Frame(left), row=2, sticky="w")
        self.add_menu = tk.Menu(self, tearoff=False)
        self.bot_menu = tk.Menu(self, tearoff=False)
        self.add_menu.add_command(label="Train a New Bot", command=self._new_bot)
        self.add_menu.add_command(label="Import a Table…", command=self._acts.import_table)
        self.add_menu.add_command(label="Add a Program…", command=self.add_program)
        for act in BotAct:
            self.bot_menu.add_command(label=act, command=partial(self.act, act))
        for text, menu in (("+", self.add_menu), ("…", self.bot_menu)):
            button = ttk.Button(row, text=text, width=3)
            button.configure(command=partial(self._post, button, menu))
            button.pack(side=tk.LEFT, padx=(0, theme.px(1)))

    def _make_pages(self) -> None:
        """Make the right side: the name of the chosen bot over the three tabs."""
        context = self._context
        edge = context.theme.px(4)
        gap = context.theme.px(2)
        right = put(ttk.Frame(self), row=0, column=1, sticky="nsew", padx=edge, pady=(edge, 0))
        stretch(right, row=2)
        self.heading = put(ttk.Label(right, style="Title.TLabel"), row=0, column=0, sticky="w")
        about = ttk.Label(right, style="Muted.TLabel", anchor="w")
        self.about = put(about, row=1, column=0, columnspan=2, sticky="ew", pady=(0, gap))
        about.bind("<Configure>", lambda _: self._fit_about())
        play = ttk.Button(right, text="Play", style="Tight.TButton", command=self._play)
        self.play_button = put(play, row=0, column=1, padx=(gap, 0))
        self.list.bind("<Double-Button-1>", self._double_clicked)
        self.tabs = put(ttk.Notebook(right), row=2, column=0, columnspan=2, sticky="nsew")
        self.learning = LearningTab(self.tabs, context, self.trainer, self.curves, self._start)
        self.strength = StrengthTab(self.tabs, context, self.curves)
        self.inside = InsideTab(self.tabs, context)
        self.pages = {"learning": self.learning, "strength": self.strength, "inside": self.inside}
        for name, page in self.pages.items():
            self.tabs.add(page, text=name.capitalize())
        self.tabs.bind("<<NotebookTabChanged>>", lambda _: self._tab_changed())
        status = ttk.Label(self, style="Muted.TLabel")
        self.status = put(status, row=1, column=1, sticky="ew", padx=edge)

    def _report(self, text: str) -> None:
        self.status.configure(text=text)

    # --- the list ---

    def refill(self) -> None:
        """Show all bots again, with the same chosen; if it is gone, the first own bot."""
        chosen = self.list.chosen
        self._context.roster.refresh()
        self._entries = {NEW: NEW_BOT, **{e.key: e for e in self._context.roster.entries()}}
        self._ticked &= self._entries.keys()
        self.strength.opponents &= self._entries.keys()
        own = {key: entry.own for key, entry in self._entries.items() if entry.own is not None}
        for key in self.trainer.problems.keys() - own.keys():
            del self.trainer.problems[key]
        self.curves.read(own.values(), self.trainer.key)
        self.list.choose(chosen if chosen in self._entries else next(iter(own), NEW))

    def _show_rows(self) -> None:
        colours = SERIES_COLOURS[self._context.theme.name]
        shown = self._curves_shown()
        self._give_colours(list(shown), len(colours))
        plain = self._context.theme.colours.accent
        ticks = {
            key: plain if key in {self.list.chosen, *self._ticked} else ""
            for key, entry in self._entries.items()
            if key != NEW and not entry.problem
        }
        ticks |= {key: colours[self._styles[key] % len(colours)] for key in shown}
        self.list.show(self._entries.values(), ticks)

    def _give_colours(self, shown: Sequence[str], count: int) -> None:
        """Give the bots in the chart different colours of *count*, as far as they go.

        A bot keeps its colour, unless one before it in the chart has the same.
        """
        given: list[int] = []

        def clashes(number: int) -> bool:
            has_free_colours = len(given) < count
            colours = {other % count for other in given}
            return number in given or (has_free_colours and number % count in colours)

        for key in shown:
            if key not in self._styles or clashes(self._styles[key]):
                used = self._styles.values()
                by_use = sorted(range(count), key=lambda number: number in used)
                numbers = (*by_use, *range(count, count + len(shown)))
                self._styles[key] = next(number for number in numbers if not clashes(number))
            given.append(self._styles[key])

    def _curves_shown(self) -> dict[str, str]:
        """Return the names of the bots in the chart by their keys: the chosen one comes first."""
        ticked = (key for key in self._entries if key in self._ticked)
        keys = dict.fromkeys([self.list.chosen, *ticked])
        return {key: self._entries[key].name for key in keys if key in self.curves.points}

    def _bots_changed(self, chosen: str) -> None:
        """Have all windows show the bots as they are now, and choose one here."""
        self._context.bots_changed()
        if chosen:
            self.list.choose(chosen)

    def _bot_renamed(self, old: str, new: str) -> None:
        """Let the bot with the key *old*, which is now *new*, keep what is known of it by key."""
        self._context.bot_renamed(old, new)
        for keys in (self._ticked, self.strength.opponents):
            if old in keys:
                keys.add(new)
        notes: tuple[dict[str, Any], ...] = (self._styles, self.trainer.problems)
        for known in notes:
            if old in known:
                known[new] = known.pop(old)

    def _tick(self, key: str) -> None:
        """Compare the bot *key* with the chosen one, or no longer.

        The chosen one then stays as well when another is chosen.
        """
        self._ticked ^= {key}
        if key in self._ticked:
            self._ticked.add(self.list.chosen)
        self._ticked.discard(NEW)
        self._show_chosen()

    # --- the chosen bot ---

    def _is_there(self) -> bool:
        """Return whether the chosen bot still has a folder; otherwise report that it is gone."""
        bot = self._entries[self.list.chosen].own
        if bot is None or bot.folder.is_dir():
            return True
        self._bots_changed("")
        self._report(f"“{bot.name}” is not there any more: another program has deleted it.")
        return False

    def _show_chosen(self) -> None:
        if not self._is_there():
            return
        self._report("")
        self._show_rows()
        key = self.list.chosen
        entry = self._entries[key]
        is_new = key == NEW
        self.play_button.state(["disabled" if is_new or entry.problem else "!disabled"])
        for page in (self.strength, self.inside):
            self.tabs.tab(str(page), state="disabled" if is_new else "normal")  # type: ignore[no-untyped-call]
        if is_new:
            self._select("learning")
        name = self._acts.bots.free_name() if is_new else entry.name
        self.learning.show(entry, name, self._curves_shown(), self._styles)
        self._show_tab()

    def _select(self, tab: str) -> None:
        self.tabs.select(str(self.pages[tab]))  # type: ignore[no-untyped-call]

    def _next_tab(self, steps: int, _: object) -> str:
        """Go so many tabs on, past those that are disabled."""
        self.tk.call("ttk::notebook::CycleTab", str(self.tabs), steps)
        return "break"  # otherwise the focus would move too

    def _tab_changed(self) -> None:
        if self.tabs.select() == str(self.learning):  # type: ignore[no-untyped-call]
            self.learning.draw()  # Strength may have computed an exact score
        self._show_tab()

    def _show_tab(self) -> None:
        """Show the chosen bot in the tab that is looked at; reading its table may take a while."""
        tab = self.tabs.select()  # type: ignore[no-untyped-call]
        key = self.list.chosen
        if not self._is_there():
            return
        self._shown = key
        if tab == str(self.strength):
            self.strength.show(key, self._ticked)
        elif tab == str(self.inside):
            snapshot = self.learning.slider.key
            if snapshot and self._context.roster.knows(snapshot):
                self._shown = snapshot
            elif snapshot:
                self._report("The file of this snapshot is gone. Here is the bot as it is.")
            self.inside.show(self._shown, is_in_training=key == self.trainer.key)
        is_whole = self._shown == key
        entry = self._entries[key] if is_whole else self._context.roster.entry(self._shown)
        self.heading.configure(text=entry.name)
        about = as_sentence(entry.problem) or entry.about
        if entry.own is not None and not entry.problem:
            about = f"{about} {last_run_text(self.learning.last_run)}"
        self._about = "In training." if key == self.trainer.key else about
        self._fit_about()

    def _fit_about(self) -> None:
        """Show what the chosen bot is, or only the first sentence if not all has room."""
        text = self._about
        if self._context.theme.body.measure(text) > self.about.winfo_width():
            text = f"{text.partition('. ')[0].removesuffix('.')}."
        self.about.configure(text=text)

    def _double_clicked(self, click: tk.Event[tk.Misc]) -> str:
        """Play the bot whose name was clicked; a box is only ticked twice."""
        if self.list.press(click.x, click.y):
            self.play_button.invoke()
        return "break"

    def _play(self) -> None:
        if self._is_there():
            self._context.play_against(self._shown)

    # --- training ---

    def _start(self, name: str, wanted: dict[str, Any]) -> None:
        """Train the chosen bot; a new one is made first."""
        if not self._is_there():
            return
        try:
            bot = self._entries[self.list.chosen].own or self._acts.bots.create(name)
        except StorageError as error:
            self.learning.form.refuse(as_sentence(error))
        else:
            self.trainer.start(bot, wanted)
            self._bots_changed(bot.key)

    def _show_training(self, news: str = "") -> None:
        """Show the training here, or that and its *news* in the main window if this is closed."""
        trainer = self.trainer
        text = ""
        if self.state() != "withdrawn":
            self.learning.draw()
        elif trainer.bot is not None:
            text = f"Training {trainer.bot.name}…"
            moment = trainer.moment
            if moment is not None and moment.share == 1:
                text = f"Training {trainer.bot.name}: {moment.doing}"
            elif moment is not None and moment.share is not None:
                text = f"Training {trainer.bot.name}: {int(100 * moment.share)} %"
        elif news:
            self._context.warn(news)
        self._context.show_background(text, lambda: self.appear("learning", trainer.key))

    # --- the menus ---

    def _new_bot(self) -> None:
        self._select("learning")
        self.list.choose(NEW)
        name = self.learning.form.fields["name"]
        name.select_range(0, tk.END)  # what is typed takes its place
        name.focus_set()

    def add_program(self) -> None:
        """Open the dialog that adds a program, and choose it here when it is added."""
        ProgramDialog(self, self._context, self._bots_changed)

    def _post(self, button: ttk.Button, menu: tk.Menu) -> None:
        possible = self._possible()
        for act in BotAct:
            self.bot_menu.entryconfigure(act, state="normal" if act in possible else "disabled")
        menu.tk_popup(button.winfo_rootx(), button.winfo_rooty() + button.winfo_height())

    def act(self, wanted: BotAct) -> None:
        """Do what is *wanted* with the chosen bot, if that is possible."""
        if self._is_there() and (act := self._possible().get(wanted)):
            act()

    def _possible(self) -> dict[BotAct, Act]:
        """Return what is possible with the chosen bot now, and how it is done."""
        entry = self._entries[self.list.chosen]
        is_used = entry.key == self.trainer.key or self.strength.evaluator.uses(entry.key)
        possible = {} if is_used else self._acts.possible(entry)
        if self._curves_shown():
            possible[BotAct.SAVE_CURVE] = lambda: self._report(self.learning.save_curve())
        return possible

    # --- the window ---

    def appear(self, tab: str, key: str) -> None:
        """Show the window in front, with *tab* and the bot *key* if they are given."""
        if tab not in ("", "learning") and self.list.chosen == NEW:
            key = key or STRONGEST
        if key:
            self.list.choose(key)
        if tab:
            self._select(tab)
        self.deiconify()
        self.lift()
        self.list.focus_set()
        self._show_training()

    def _escape(self) -> None:
        """Step back: out of a field to the list, and from there to the board."""
        if isinstance(focused_widget(self), ttk.Entry):
            self.list.focus_set()
        else:
            self.close()

    def close(self) -> None:
        """Hide the window; a training continues, and the main window shows it."""
        self.strength.evaluator.stop()
        self.learning.slider.stop()
        self.withdraw()
        self._show_training()
        self._context.board.focus_set()


def open_workshop(context: Context, tab: str = "", key: str = "") -> WorkshopWindow:
    """Show the Workshop of *context*, with *tab* and the bot *key* if they are given."""
    windows = (w for w in context.root.winfo_children() if isinstance(w, WorkshopWindow))
    window = next(windows, None) or WorkshopWindow(context)
    window.appear(tab, key)
    return window
