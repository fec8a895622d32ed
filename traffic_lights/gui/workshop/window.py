"""The Workshop: all bots at the left, and what is known of the chosen one at the right."""

from __future__ import annotations

import tkinter as tk
from contextlib import suppress
from functools import partial
from tkinter import ttk
from typing import Final

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
from traffic_lights.workshop.charts import COLOURS
from traffic_lights.workshop.curves import Curves
from traffic_lights.workshop.form_values import NextRun, last_run_text, trained_of
from traffic_lights.workshop.selection import Selection
from traffic_lights.workshop.shared import NEW, Act, as_sentence

SIZE: Final = (1060, 760)
SMALLEST: Final = (560, 360)
"""Sizes in pixels at 96 dpi."""
STRONGEST: Final = "qbot"
"""The player that is shown where a new bot has nothing to show."""
LEGEND: Final = "Tick: compare bots\nBar: wins against Myopic"
"""What is under the list."""


class WorkshopWindow(tk.Toplevel):
    """Shows the bots of *context* and trains them; it exists at most once, and closing hides it."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.root)
        self.withdraw()
        self.title("Workshop – Traffic Lights")
        self._context = context
        theme = context.theme
        context.roster.refresh()
        self.selection = Selection(context.roster.entries())
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
        self.list = BotList(left, theme, self.choose, self._tick)
        self.list.grid(row=0, column=0, sticky="nsew")
        # The bar is always there, so that nothing moves.
        bar = put(ttk.Scrollbar(left, command=self.list.yview), row=0, column=1, sticky="ns")
        self.list.configure(yscrollcommand=bar.set)
        self.list.bind("<<ThemeChanged>>", lambda _: self._draw_list())
        self.list.bind("<Delete>", lambda _: self.act(BotAct.DELETE))
        put(ttk.Label(left, text=LEGEND, style="Muted.TLabel"), row=1, sticky="w", pady=theme.px(1))
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
        """Make the right side: the name of the chosen bot over the tabs."""
        context = self._context
        edge = context.theme.px(4)
        gap = context.theme.px(2)
        right = put(ttk.Frame(self), row=0, column=1, sticky="nsew", padx=edge, pady=(edge, 0))
        stretch(right, row=2)
        self.heading = put(ttk.Label(right, style="Title.TLabel"), row=0, column=0, sticky="w")
        about = ttk.Label(right, style="Muted.TLabel", anchor="w")
        self.about = put(about, row=1, column=0, columnspan=2, sticky="ew", pady=(0, gap))
        about.bind("<Configure>", lambda _: self._draw_heading())
        play = ttk.Button(right, text="Play", style="Tight.TButton", command=self._play)
        self.play_button = put(play, row=0, column=1, padx=(gap, 0))
        self.list.bind("<Double-Button-1>", self._double_clicked)
        self.tabs = put(ttk.Notebook(right), row=2, column=0, columnspan=2, sticky="nsew")
        self.learning = LearningTab(
            self.tabs, context, self.selection, self.trainer, self.curves, self._start
        )
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

    # --- which bot ---

    def choose(self, key: str) -> None:
        """Show the player *key*."""
        self.selection.choose(key)
        if not self._leave_if_deleted():
            self.draw()

    def _tick(self, key: str) -> None:
        self.selection.tick(key)
        if not self._leave_if_deleted():
            self.draw()

    def refill(self) -> None:
        """Show the players of the roster, with the same chosen; without it, the first own bot.

        If it has gone, report that; who has deleted it here reports something else afterwards.
        """
        selection = self.selection
        before = selection.entries.get(selection.chosen)
        selection.take(self._context.roster.entries())
        self.strength.keep(selection.entries.keys())
        self.trainer.keep(selection.own.keys())
        self.curves.read(selection.own.values(), self.trainer.key)
        self.draw()
        if before is not None and before.key != selection.chosen:
            name = f"“{before.name}”"
            self._report(f"{name} is not there any more: another program has deleted it.")

    def _bots_changed(self, chosen: str) -> None:
        """Have all windows show the bots as they are now, and choose one here, if it is given."""
        if chosen:
            self.selection.choose(chosen)
        self._context.bots_changed()

    def _bot_renamed(self, old: str, new: str) -> None:
        """Let the bot with the key *old*, which is now *new*, keep what is known of it by key."""
        self._context.bot_renamed(old, new)
        for part in (self.selection, self.trainer, self.strength):
            part.rename(old, new)

    def _leave_if_deleted(self) -> bool:
        """Show the other bots if the chosen one was deleted; return whether it was so."""
        bot = self.selection.entry.own
        if bot is None or bot.folder.is_dir():
            return False
        self._bots_changed("")
        return True

    # --- what is shown ---

    def draw(self) -> None:
        """Show the selection in the list and in the tabs.

        What was reported goes, so who reports does that afterwards.
        """
        self._report("")
        self._draw_list()
        entry = self.selection.entry
        is_new = entry.key == NEW
        self.play_button.state(["disabled" if is_new or entry.problem else "!disabled"])
        for name, page in self.pages.items():
            is_open = name == "learning" or not is_new
            self.tabs.tab(str(page), state="normal" if is_open else "disabled")  # type: ignore[no-untyped-call]
        if is_new:
            self._select("learning")
        self._draw_page()

    def _draw_list(self) -> None:
        theme = self._context.theme
        selection = self.selection
        colours = SERIES_COLOURS[theme.name]
        boxes = {
            key: theme.colours.accent if key in selection.ticked else ""
            for key, entry in selection.entries.items()
            if key != NEW and not entry.problem
        }
        styles = selection.give_styles(self.curves.points)
        boxes |= {key: colours[style % COLOURS] for key, style in styles.items()}
        self.list.show(selection.entries.values(), boxes, selection.ticked, selection.chosen)

    def _draw_page(self) -> None:
        """Show the selection in the tab that is looked at; reading a table may take a while."""
        self.learning.draw()  # the other tabs show the bot at the place of its slider
        selection = self.selection
        if self.tab == "strength":
            self.strength.show(selection.chosen, selection.ticked)
        elif self.tab == "inside":
            entry = self._looked_at()
            if self.learning.slider.key not in ("", entry.key):
                self._report("The file of this snapshot is gone. Here is the bot as it is.")
            self.inside.show(entry.key, is_in_training=selection.chosen == self.trainer.key)
        self._draw_heading()

    def _looked_at(self) -> Entry:
        """Return the chosen player; in Inside, as it was at the place of the slider."""
        snapshot = self.learning.slider.key
        if self.tab == "inside" and snapshot and self._context.roster.knows(snapshot):
            return self._context.roster.entry(snapshot)
        return self.selection.entry

    def _draw_heading(self) -> None:
        """Show who is looked at, and what that is, or only its first sentence if room is short."""
        entry = self._looked_at()
        self.heading.configure(text=entry.name)
        about = as_sentence(entry.problem) or entry.about
        if entry.own is not None and not entry.problem:
            about = f"{about} {last_run_text(trained_of(entry.own).last)}"
        if self.selection.chosen == self.trainer.key:
            about = "In training."
        if self._context.theme.body.measure(about) > self.about.winfo_width():
            about = f"{about.partition('. ')[0].removesuffix('.')}."
        self.about.configure(text=about)

    @property
    def tab(self) -> str:
        """The name of the tab that is looked at."""
        shown = self.tabs.select()  # type: ignore[no-untyped-call]
        return next(name for name, page in self.pages.items() if str(page) == shown)

    def _select(self, tab: str) -> None:
        self.tabs.select(str(self.pages[tab]))  # type: ignore[no-untyped-call]

    def _tab_changed(self) -> None:
        if not self._leave_if_deleted():
            self._report("")
            self._draw_page()

    def _next_tab(self, steps: int, _: object) -> str:
        """Go so many tabs on, past those that are disabled."""
        self.tk.call("ttk::notebook::CycleTab", str(self.tabs), steps)
        return "break"  # otherwise the focus would move too

    # --- playing ---

    def _double_clicked(self, click: tk.Event[tk.Misc]) -> str:
        """Play the bot whose name was clicked; a box is only ticked twice."""
        if self.list.press(click.x, click.y):
            self.play_button.invoke()
        return "break"

    def _play(self) -> None:
        if not self._leave_if_deleted():
            self._context.play_against(self._looked_at().key)

    # --- training ---

    def _start(self, name: str, run: NextRun) -> bool:
        """Train the chosen bot, or a new one; return whether that has begun."""
        if self._leave_if_deleted():
            return False
        try:
            bot = self.selection.entry.own or self._acts.bots.create(name)
        except StorageError as error:
            self.learning.form.refuse(as_sentence(error))
            return False
        self.trainer.start(bot, run)
        self._bots_changed(bot.key)
        return True

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
        self._context.window.show_background(text, lambda: self.appear("learning", trainer.key))

    # --- the menus ---

    def _new_bot(self) -> None:
        self._select("learning")
        self.choose(NEW)
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
        # The buttons are at the bottom of the window, often at that of the screen.
        menu.tk_popup(button.winfo_rootx(), button.winfo_rooty() - menu.winfo_reqheight())

    def act(self, wanted: BotAct) -> None:
        """Do what is *wanted* with the chosen bot, if that is possible."""
        if self._leave_if_deleted():
            return
        if act := self._possible().get(wanted):
            act()

    def _possible(self) -> dict[BotAct, Act]:
        """Return what is possible with the chosen bot now, and how it is done."""
        entry = self.selection.entry
        is_used = entry.key == self.trainer.key or self.strength.evaluator.uses(entry.key)
        possible = {} if is_used else self._acts.possible(entry)
        if self.selection.in_chart(self.curves.points):
            possible[BotAct.SAVE_CURVE] = lambda: self._report(self.learning.save_curve())
        return possible

    # --- the window ---

    def appear(self, tab: str, key: str) -> None:
        """Show the window in front, with *tab* and the bot *key* if they are given."""
        if tab not in ("", "learning") and self.selection.chosen == NEW:
            key = key or STRONGEST
        if key:
            self.choose(key)
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
        self._context.window.board.focus_set()


def open_workshop(context: Context, tab: str = "", key: str = "") -> WorkshopWindow:
    """Show the Workshop of *context*, with *tab* and the bot *key* if they are given."""
    windows = (w for w in context.root.winfo_children() if isinstance(w, WorkshopWindow))
    window = next(windows, None) or WorkshopWindow(context)
    window.appear(tab, key)
    return window
