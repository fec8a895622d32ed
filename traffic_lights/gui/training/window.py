"""The training window: the form at the left, the run at the right, what can be done below.

Each state of the run has its buttons, in `_actions`, and when no process is at
work a sentence and the ways on, in `outcome_of`.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final

from traffic_lights.gui.dialogs.tables_dialog import open_tables
from traffic_lights.gui.kit import geometry
from traffic_lights.gui.kit.dialog import confirm
from traffic_lights.gui.kit.keys import bind_window_keys
from traffic_lights.gui.kit.scroll import ScrollFrame
from traffic_lights.gui.training.control import TrainingControl, Wish
from traffic_lights.gui.training.form import TrainingForm
from traffic_lights.gui.training.kept import kept_run
from traffic_lights.gui.training.model import RunPhase
from traffic_lights.gui.training.outcome import Actions, Evaluate, outcome_of
from traffic_lights.gui.training.outcome_view import OutcomeView
from traffic_lights.gui.training.picture_bar import PictureBar
from traffic_lights.gui.training.questions import DISCARD, START, TRAINING, ask, discard_text
from traffic_lights.gui.training.run_buttons import RunButtons
from traffic_lights.gui.training.view import TrainingView
from traffic_lights.training.own_tables import OwnTable

SIZE: Final = (940, 660)
LEAST: Final = (680, 540)
"""The room that form and pictures need; in a smaller window they scroll."""
SMALLEST: Final = (420, 300)
FORM_WIDTH: Final = 312


class TrainingWindow(tk.Toplevel):
    """Shows the program's one training run; exists at most once."""

    def __init__(self, control: TrainingControl, evaluate: Evaluate) -> None:
        desk = control.desk
        super().__init__(desk.root)
        self.withdraw()
        self.desk = desk
        self.control = control
        self.evaluate = evaluate
        theme = self.theme = desk.theme
        self.title("Train – Traffic Lights")
        self.configure(background=theme.colours.window)
        self._shown_base = ""
        """The key of the kept table whose run is shown; empty while it is the run of now."""
        self._model = control.model
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        self.body = ScrollFrame(self, theme, across=True)
        self.body.grid(sticky="nsew")
        self._make_left(self.body.inside)
        self._make_right(self.body.inside)
        self._size()
        self.body.bind("<<ThemeChanged>>", lambda _: self._size())
        self._is_form_right = True
        self.form.offer_tables(control.tables.all())
        self.protocol("WM_DELETE_WINDOW", self.ask_to_close)
        self.bind("<Escape>", lambda _: self.ask_to_close())
        bind_window_keys(self, desk.quit, self.ask_to_close)
        self.bind("<Return>", self._return_pressed)
        desk.hear_of_bots(self, self._bots_changed)
        control.viewed_by(self)
        self.show_end()
        if control.draft is not None:
            self.form.restore(control.draft)

    def _make_left(self, parent: ttk.Frame) -> None:
        """Make the form, the place for what came of a run, and the buttons, which all stay put.

        The form gives way where there is no room, and scrolls.
        """
        theme, edge = self.theme, self.theme.px(5)
        left = self._left = ttk.Frame(parent, padding=(edge, edge, theme.px(2), edge))
        left.grid(row=0, column=0, sticky="nsew")
        left.columnconfigure(0, weight=1)
        left.rowconfigure(0, weight=1)
        scroll = ScrollFrame(left, theme)
        scroll.grid(row=0, column=0, sticky="nsew")
        scroll.inside.columnconfigure(0, weight=1)
        free_name = self.control.tables.free_name()
        self.form = TrainingForm(scroll.inside, theme, self._form_checked, free_name)
        self.form.grid(sticky="new")
        self.outcome = OutcomeView(left, theme)
        self.outcome.grid(row=1, column=0, sticky="sew", pady=theme.px(2))
        self.buttons = RunButtons(
            left,
            theme,
            {
                "Start": self.start,
                "Pause": self._pause_or_go_on,
                "Stop and Keep": self.control.stop,
                "Discard…": self.ask_to_discard,
                "Recommended": self.form.recommend,
                "Tables…": self.open_tables,
            },
        )
        self.buttons.grid(row=2, column=0, sticky="ew")
        self.run_buttons = self.buttons.all

    def _make_right(self, parent: ttk.Frame) -> None:
        """Make the pictures of the run, and what can be done with them."""
        theme, edge = self.theme, self.theme.px(5)
        parent.columnconfigure(1, weight=1)
        parent.rowconfigure(0, weight=1)
        right = ttk.Frame(parent)
        right.grid(row=0, column=1, sticky="nsew", padx=(theme.px(3), edge), pady=edge)
        right.columnconfigure(0, weight=1)
        right.rowconfigure(0, weight=1)
        self.view = TrainingView(right, theme, self.control.model)
        self.view.grid(row=0, column=0, sticky="nsew")
        self.picture_bar = PictureBar(right, theme, self.view, self._complain)
        self.picture_bar.grid(row=1, column=0, sticky="ew", pady=(theme.px(2), 0))

    def _size(self) -> None:
        """Give everything the size that the type asks for."""
        scale = self.theme.scale
        width = round(FORM_WIDTH * scale)
        self._left.columnconfigure(0, minsize=width)
        self.outcome.said.configure(wraplength=width)
        self.body.least = (round(LEAST[0] * scale), round(LEAST[1] * scale))
        self.body.fit()

    def appear(self) -> None:
        """Show the window where there is room for it."""
        geometry.place_scrolling(self, SIZE, SMALLEST, self.theme.scale, self.theme.zoom)
        self.to_front()

    def to_front(self) -> None:
        """Bring the window to the front."""
        self.deiconify()
        self.lift()
        (self.outcome.main or self.buttons.first_useful()).focus_set()

    # --- what it shows ---

    def show(self) -> None:
        """Show the run as it is now."""
        self._model = self.control.model
        is_other = self.view.model is not self._model
        if is_other and (self._model.is_active or not self.form.base):
            self._shown_base = ""
            self.view.use(self._model)
            self._offer_pictures(self.control.tables.all())
        else:
            self.view.show()
        self.picture_bar.show()
        self._show_buttons()
        if self._model.is_active:
            self._say(self._model.note, {})

    def show_end(self) -> None:
        """Show what became of the run, and what can be done now."""
        self.show()
        model = self._model
        self.view.show(at_once=True)
        tables = self.control.tables.all()
        self.form.offer_tables(tables)
        if not model.is_active and self.form.base is None:
            names = {table.name for table in tables}
            if self.form.name in names:
                self.form.variables["name"].set(self.control.tables.free_name())
        self.form.check()
        self._offer_pictures(tables)
        self._say_outcome()
        self._enable_start()

    def _say_outcome(self) -> None:
        text, actions = outcome_of(self.control, self)
        self._say(text, actions, is_warning=self._model.phase is RunPhase.FAILED)

    def _complain(self, text: str) -> None:
        self._say(text, outcome_of(self.control, self)[1], is_warning=True)

    def _bots_changed(self) -> None:
        """Offer the kept tables under the names that they have now."""
        form, base, kept = self.form, self.form.base, self.control.kept
        tables = self.control.tables.all()
        form.offer_tables(tables, base.key if base is not None else "")
        if base is not None and form.base is not None and form.name == base.name:
            form.variables["name"].set(form.base.name)
        if kept is not None:
            self.control.kept = next((t for t in tables if t.key == kept.key), kept)
        form.check()
        self._offer_pictures(tables)
        if not self._model.is_active:
            self._say_outcome()

    def _offer_pictures(self, tables: Sequence[OwnTable]) -> None:
        """Let every run be laid over what is shown but itself."""
        kept = self.form.base or self.control.kept
        self.picture_bar.offer([t for t in tables if kept is None or t.key != kept.key])
        self.picture_bar.show()

    def _say(self, text: str, actions: Actions, *, is_warning: bool = False) -> None:
        self.outcome.show(text, actions, self.buttons.first_useful, is_warning=is_warning)

    def _show_buttons(self) -> None:
        """Enable what can be done in this state of the run."""
        self.form.enable(not self._model.is_active)
        self._enable_start()

    def _pause_or_go_on(self) -> None:
        if self._model.phase is RunPhase.RUNNING:
            self.control.pause()
        else:
            self.control.go_on()

    def _form_checked(self, is_right: bool) -> None:
        self._is_form_right = is_right
        if hasattr(self, "view"):
            self._show_base()
            self._enable_start()
            if not self.outcome.actions and not self._model.is_active:
                self._say(self.promise(), {})

    def _show_base(self) -> None:
        """Show how the table that was chosen came to be, while no run is at work."""
        base = self.form.base
        key = base.key if base is not None else ""
        if self._model.is_active or key == self._shown_base:
            return
        self._shown_base = key
        self.view.use(self._model if base is None else kept_run(base))
        self._offer_pictures(self.control.tables.all())

    def promise(self) -> str:
        """Return what comes of the run that the form describes; nothing while it is wrong."""
        return self.form.promise() if self._is_form_right else ""

    def _enable_start(self) -> None:
        self.buttons.show(
            self._model,
            can_start=self._is_form_right,
            is_main=not self.outcome.actions,
            has_run=self.control.has_run,
        )

    # --- what it does ---

    def _return_pressed(self, event: tk.Event[tk.Misc]) -> None:
        # A button answers Return itself; a list uses it for its own choice.
        if not isinstance(event.widget, (ttk.Button, ttk.Combobox)):
            self.start()

    def start(self) -> None:
        """Start the run that the form describes, unless one is at work or kept waiting."""
        if not self._model.is_active and self.form.check():
            self._start(self._wished)

    def _wished(self) -> Wish | None:
        """Return what the form describes; None while it is wrong."""
        wanted = self.form.wanted()
        return (self.form.name, self.form.base, wanted) if wanted is not None else None

    def _start(self, wished: Callable[[], Wish | None]) -> None:
        """Start what is *wished*, once it is settled what becomes of a run that waits."""
        waiting = self._waiting_games()
        if waiting is None:
            self._begin(wished())
            return

        def answered(go_on: Callable[[Wish | None], object]) -> None:
            # Another program may have played on meanwhile, and nobody was asked about that.
            if self._waiting_games() == waiting:
                go_on(wished())
            else:
                self._start(wished)

        def keep_and_start(wish: Wish | None) -> None:
            self.control.keep_and_then(partial(self._begin, wish))

        ask(
            self.desk,
            self,
            START,
            "There is a training run that is not kept yet. What becomes of it?",
            {
                "Keep It and Start": partial(answered, keep_and_start),
                "Delete It and Start": partial(answered, partial(self._begin, replaces=True)),
                "Cancel": lambda: None,
            },
        )

    def _begin(self, wish: Wish | None, *, replaces: bool = False) -> None:
        if wish is not None:
            self.control.start(*wish, replaces=replaces)
            if self._model.is_active:  # what had the keyboard may be greyed now
                self.buttons.first_useful().focus_set()

    def try_again(self) -> None:
        """Go on with the run that failed, or start the one that could not begin."""
        if self.control.wish is not None:
            self._start(lambda: self.control.wish)
        else:
            self.control.resume()

    def ask_to_discard(self) -> None:
        """Delete the run, if that is meant, and if it is still the one that was asked about."""
        waiting = self._waiting_games()
        games = self._model.games if waiting is None else waiting

        def discard() -> None:
            if self._waiting_games() == waiting:
                self.control.discard()
            else:
                self.ask_to_discard()

        answers = {"Keep It": lambda: None, "Discard": discard}
        ask(self.desk, self, DISCARD, discard_text(self.control.tables, games), answers)

    def _waiting_games(self) -> int | None:
        """Return the games of a run that waits to be kept; None if there is none."""
        return None if self._model.is_active else self.control.tables.interrupted_games()

    def choose_folder(self) -> None:
        """Ask for a folder to go on in."""
        name = filedialog.askdirectory(parent=self, title="Where to go on", mustexist=True)
        if name:
            self.control.choose_folder(Path(name))

    def show_details(self) -> None:
        """Show what the program knows about the failure."""
        failure = self._model.failure
        if failure is not None:
            confirm(self, self.theme, "Details", failure.details, {"Close": lambda: None})

    def open_tables(self) -> None:
        """Show the own tables."""
        open_tables(
            self.desk,
            self,
            lambda key: open_training(self.control, self.evaluate, key),
            self.evaluate,
        )

    # --- the end of the window ---

    def ask_to_close(self) -> None:
        """Close, or ask what becomes of the run."""
        if not self._model.is_active:
            self.close()
            return
        is_paused = self._model.phase in (RunPhase.PAUSING, RunPhase.PAUSED)
        state = "Paused" if is_paused else "Running"
        ask(
            self.desk,
            self,
            TRAINING,
            f"Keep it {state.lower()} in the background?",
            {
                "Keep It Paused" if is_paused else "Keep Running": self.close,
                "Stop and Keep": self._stop_and_close,
                "Cancel": lambda: None,
            },
        )

    def _stop_and_close(self) -> None:
        self.control.stop()
        self.close()

    def close(self) -> None:
        """Close the window; the run goes on, and what was typed is there the next time."""
        self.control.draft = self.form.draft()
        self.destroy()
        self.control.viewed_by(None)
        self.desk.focus_board()


def open_training(control: TrainingControl, evaluate: Evaluate, table: str = "") -> TrainingWindow:
    """Show the training window, with the own table of key *table* chosen to go on from."""
    window = control.viewer
    if not isinstance(window, TrainingWindow):
        window = TrainingWindow(control, evaluate)
        window.appear()
    window.to_front()
    if table and not control.model.is_active:
        window.form.choose_table(table)
    return window
