"""The Workshop: all bots at the left, and what is known of the chosen one at the right."""

from __future__ import annotations

import tkinter as tk
from functools import partial
from tkinter import ttk
from typing import Final

from traffic_lights.drawing.palette import series_colour
from traffic_lights.gui.kit.keys import bind_keys
from traffic_lights.gui.kit.menus import MenuButton
from traffic_lights.gui.kit.places import TITLE_AND_BAR, place_window
from traffic_lights.gui.kit.widgets import add_bar, enable, paragraph, put, stretch
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.seats import play_against
from traffic_lights.gui.workshop.bot_acts import BotActs
from traffic_lights.gui.workshop.bot_list import LEGEND, BotList, BotRow
from traffic_lights.gui.workshop.curves import Curves
from traffic_lights.gui.workshop.evaluator import Evaluator
from traffic_lights.gui.workshop.form import NAME
from traffic_lights.gui.workshop.form_values import NextRun, record_text, trained_of
from traffic_lights.gui.workshop.inside_tab import InsideTab
from traffic_lights.gui.workshop.learning_tab import LearningTab
from traffic_lights.gui.workshop.selection import Selection
from traffic_lights.gui.workshop.shared import NEW, Act, as_sentence
from traffic_lights.gui.workshop.strength_tab import StrengthTab
from traffic_lights.gui.workshop.trainer import Trainer
from traffic_lights.players.roster import Entry
from traffic_lights.storage.files import StorageError

SIZE: Final = (1200, 760)
SMALLEST: Final = (560, 360)
"""Sizes in pixels at 96 dpi. Once it is shown, the least width is that of the list and the tabs."""
STRONGEST: Final = "qbot"
"""The player that is shown where a new bot has nothing to show."""


class WorkshopWindow(tk.Toplevel):
    """Shows the bots of *context* and trains them; it exists at most once, and closing hides it."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.root)
        self.withdraw()
        self.title("Workshop – Traffic Lights")
        self._context = context
        theme = context.theme
        self.selection = Selection()
        self.curves = Curves()
        self.trainer = Trainer(context, self.curves, self._show_training)
        self.evaluator = Evaluator(context, self.curves, self._show_evaluation)
        stretch(self, column=1)
        self._acts = BotActs(
            self, context, self.selection,
            is_used=self._is_used, report=self._report, changed=self._bots_changed,
        )  # fmt: skip
        self._make_list()
        self._make_pages()
        self.protocol("WM_DELETE_WINDOW", self.close)
        bind_keys(self, self._press)
        context.on_bots.append(self.refill)
        self.refill()
        scale = theme.scale
        size = round(SIZE[0] * scale), round(SIZE[1] * scale)
        screen = theme.screen_scale
        least = round(SMALLEST[0] * screen), round(SMALLEST[1] * screen)
        place_window(self, "", size, least, round(TITLE_AND_BAR * screen))

    def _make_list(self) -> None:
        """Make the left side: the list of bots over the menus of what can be done with them."""
        theme = self._context.theme
        edge = theme.edge
        left = put(ttk.Frame(self), row=0, sticky="nsew", padx=(edge, 0), pady=edge)
        stretch(left)
        self.list = BotList(left, theme, self.choose, self._tick)
        put(self.list, columnspan=2, sticky="nsew")
        add_bar(self.list)
        self.list.bind("<Delete>", lambda _: self._acts.delete())
        self.list.bind("<Double-Button-1>", lambda _: self.play_button.invoke())
        self.list.bind("<<ThemeChanged>>", lambda _: self.draw())
        paragraph(left, "Muted.TLabel", LEGEND, row=1, columnspan=2, pady=theme.px(1.5))
        menus = {"Add": self._acts.fill_add, "Bot": self._acts.fill_bot}
        for column, (text, fill) in enumerate(menus.items()):
            button = MenuButton(left, fill, text=text)
            put(button, row=2, column=column, sticky="ew", padx=(theme.px(1) * column, 0))
            left.columnconfigure(column, weight=1, uniform="menus")

    def _make_pages(self) -> None:
        """Make the right side: the name of the chosen bot over the tabs."""
        context = self._context
        edge = context.theme.edge
        gap = context.theme.px(2)
        sides = edge / 2, edge
        right = put(ttk.Frame(self), row=0, column=1, sticky="nsew", padx=sides, pady=edge)
        stretch(right, row=2)
        self.heading = paragraph(right, "Title.TLabel", row=0, column=0)
        self.about = paragraph(right, "Muted.TLabel", row=1, columnspan=2, pady=(0, gap))
        play = ttk.Button(right, text="Play", command=self._play)
        self.play_button = put(play, row=0, column=1, padx=(gap, 0))
        self.tabs = put(ttk.Notebook(right), row=2, column=0, columnspan=2, sticky="nsew")
        self.learning = LearningTab(
            self.tabs, context, self.selection, self.trainer, self.curves, self._start
        )
        self.strength = StrengthTab(self.tabs, context, self.evaluator, self.choose)
        self.inside = InsideTab(self.tabs, context, self.trainer)
        self.pages = {"learning": self.learning, "strength": self.strength, "inside": self.inside}
        for name, page in self.pages.items():
            self.tabs.add(page, text=name.capitalize())
        self.tabs.bind("<<NotebookTabChanged>>", lambda _: self.refill())
        self.tabs.bind("<Configure>", lambda _: self._fit())
        self.bind("<Control-Tab>", self._show_next_tab)  # also from the list

    def _fit(self) -> None:
        """Keep the window as wide as the list and the words of the tabs, if the screen is."""
        _, height = self.wm_minsize()
        self.wm_minsize(min(self.winfo_reqwidth(), self.winfo_screenwidth()), height)

    def _report(self, text: str) -> None:
        """Show *text* in place of what the chosen bot is, until the next change."""
        if text:
            self.about.configure(text=text)

    # --- which bot ---

    def choose(self, key: str) -> None:
        """Show the player *key*, in Learning from the top of its page."""
        self.selection.chosen = key
        self.learning.view.yview_moveto(0)
        self.draw()

    def _tick(self, key: str) -> None:
        self.selection.tick(key)
        self.draw()

    def refill(self) -> None:
        """Show the players of the roster, with the same chosen; without it, the first own bot."""
        self._context.roster.refresh()  # another program may train a bot too
        entries = [*self._context.roster.entries()]
        self.selection.take(entries)
        self.curves.read(self.selection.own.values(), self.trainer.key)
        self.evaluator.take(entries)
        self.draw()

    def _bots_changed(self, chosen: str) -> None:
        """Have all windows show the bots as they are now, and choose one here, if it is given."""
        self.selection.chosen = chosen or self.selection.chosen
        self._context.bots_changed()

    # --- what is shown ---

    def draw(self) -> None:
        """Show the selection in the list and in the tab that is looked at."""
        self.learning.draw()  # the other tabs show the bot at the place of its slider
        selection = self.selection
        theme = self._context.theme.name
        styles = selection.styles(self.curves.points)
        colours = {key: series_colour(theme, style) for key, style in styles.items()}
        self.list.show(self._rows(), colours, selection.chosen)
        entry = selection.entry
        is_new = selection.chosen == NEW
        can_play = not (is_new or entry.problem)
        enable(self.play_button, can_play)
        for name, can in (("strength", can_play), ("inside", not is_new)):
            if self.tab == name and not can:
                self.select("learning")
            state = "normal" if can else "disabled"
            self.tabs.tab(str(self.pages[name]), state=state)  # type: ignore[no-untyped-call]
        title = ""
        if self.tab == "strength":
            self.strength.show(selection.chosen, selection.ticked)
            title = self.strength.title
        elif self.tab == "inside":
            self.inside.show(self._looked_at.key)
        self.heading.configure(text=title or self._looked_at.name)
        self.about.configure(text=self._about(self._looked_at))

    def _about(self, entry: Entry) -> str:
        """Return what the player of *entry* is, and the record of its last run."""
        if entry.key == self.trainer.key:
            return "In training."
        record = "" if entry.own is None else record_text(trained_of(entry.own).last)
        return f"{as_sentence(entry.problem) or entry.about} {record}".rstrip()

    def _rows(self) -> list[BotRow]:
        """Return what the list shows of each player."""
        ticked = self.selection.ticked
        entries = self.selection.entries.values()
        return [BotRow(one, self.curves.rate(one), one.key in ticked) for one in entries]

    def _draw_curves(self) -> None:
        """Show what is known now of the bots that train or play, and nothing else again."""
        self.learning.draw()
        self.list.tell(self._rows())

    @property
    def _looked_at(self) -> Entry:
        """The chosen player; in Inside, as it was at the place of the slider."""
        past = self.learning.past.key
        if self.tab == "inside" and past and self._context.roster.knows(past):
            return self._context.roster.entry(past)
        return self.selection.entry

    @property
    def tab(self) -> str:
        """The name of the tab that is looked at."""
        return [*self.pages][self.tabs.index("current")]  # type: ignore[no-untyped-call]

    def select(self, tab: str) -> None:
        """Show the *tab* with this name."""
        self.tabs.select(str(self.pages[tab]))  # type: ignore[no-untyped-call]

    # --- what is done ---

    def _play(self) -> None:
        play_against(self._context, self._looked_at.key)

    def _start(self, run: NextRun) -> None:
        """Train the chosen bot, or a new one."""
        try:
            bot = self.selection.entry.own or self._acts.bots.create(run.texts[NAME])
        except StorageError as error:
            self.learning.form.refuse(as_sentence(error))
            return
        self.trainer.start(bot, run)
        self._bots_changed(bot.key)

    def _show_training(self, news: str = "") -> None:
        """Show the training here, or that and its *news* in the main window if this is closed."""
        trainer = self.trainer
        text = ""
        if self.state() != "withdrawn":
            self._draw_curves()
        elif trainer.bot is not None:
            share = 0 if trainer.moment is None else trainer.moment.share
            so_far = "…" if share is None else f": {int(100 * share)} %"
            text = f"Training {trainer.bot.name}{so_far}"
        elif news:
            self._context.warn(news)
        self._context.window.show_background(text, lambda: self.appear("learning", trainer.key))

    def _show_evaluation(self, news: str) -> None:
        """Show how far the evaluation is, or its *news*; curves end with its scores."""
        self.strength.show_work(news)
        self._draw_curves()

    def _is_used(self, key: str) -> bool:
        return key == self.trainer.key or self.evaluator.is_running

    # --- the window ---

    def _press(self, key: str) -> None:
        """Do what a *key* means here; Escape leaves a field for the list, and closes nothing."""
        acts: dict[str, Act] = {
            "Escape": self.list.focus_set,
            # With it goes the keyboard, which `select` leaves where it is.
            "Ctrl+E": partial(self.tk.call, "ttk::notebook::ActivateTab", self.tabs, self.strength),
            "Ctrl+Q": self._context.quit,
            "Ctrl+W": self.close,
        }
        if key in acts:
            acts[key]()

    def _show_next_tab(self, _: object) -> str:
        self.tk.call("ttk::notebook::CycleTab", self.tabs, 1)
        return "break"

    def appear(self, tab: str, key: str) -> None:
        """Show the window in front, with *tab* and the bot *key* if they are given."""
        if tab not in ("", "learning") and self.selection.chosen == NEW:
            key = key or STRONGEST
        self.choose(key or self.selection.chosen)
        if tab:
            self.select(tab)
        self.deiconify()
        self.lift()
        self.list.focus_set()
        self._show_training()

    def close(self) -> None:
        """Hide the window; a training continues, and the main window shows it."""
        self.evaluator.stop()
        self.withdraw()
        self._show_training()
        self._context.window.board.focus_set()


def open_workshop(context: Context, tab: str = "", key: str = "") -> WorkshopWindow:
    """Show the Workshop of *context*, with *tab* and the bot *key* if they are given."""
    windows = (w for w in context.root.winfo_children() if isinstance(w, WorkshopWindow))
    window = next(windows, None) or WorkshopWindow(context)
    window.appear(tab, key)
    return window
