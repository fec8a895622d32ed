"""The training window: the form at the left, the run at the right, what can be done below.

Each state of the run has its buttons, in `_actions`, and when no process is at
work a sentence and the ways on, in `outcome_of`.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final, Protocol

from traffic_lights.gui.dialogs.tables_dialog import open_tables
from traffic_lights.gui.game.own_bots import play_table
from traffic_lights.gui.kit import geometry
from traffic_lights.gui.kit.dialog import bind_window_keys, confirm
from traffic_lights.gui.training.chart_files import save_charts
from traffic_lights.gui.training.control import TrainingControl
from traffic_lights.gui.training.form import TrainingForm
from traffic_lights.gui.training.model import Phase
from traffic_lights.gui.training.outcome import Actions, outcome_of
from traffic_lights.gui.training.view import TrainingView
from traffic_lights.storage.files import StorageError

SIZE: Final = (940, 660)
LEAST: Final = (680, 520)
FORM_WIDTH: Final = 312


class Evaluate(Protocol):
    """Opens the evaluation window with the own table of a key."""

    def __call__(self, table: str, *, prove: bool = False) -> object:
        """Choose *table*, and *prove* it at once if asked to."""


class TrainingWindow(tk.Toplevel):
    """Shows the program's one training run; exists at most once."""

    def __init__(self, control: TrainingControl, evaluate: Evaluate) -> None:
        desk = control.desk
        super().__init__(desk.root)
        self.withdraw()
        self.desk = desk
        self.control = control
        self._evaluate = evaluate
        theme = self.theme = desk.theme
        self.title("Train – Traffic Lights")
        self.configure(background=theme.colours.window)
        self._shown_actions: tuple[str, ...] = ()
        self.run_buttons: dict[str, ttk.Button] = {}
        self._model = control.model
        edge = theme.px(5)
        self.columnconfigure(1, weight=1)
        self.rowconfigure(0, weight=1)
        self._left = ttk.Frame(self, padding=(edge, edge, theme.px(2), edge))
        self._left.grid(row=0, column=0, sticky="nsew")
        self._left.columnconfigure(0, weight=1, minsize=round(FORM_WIDTH * theme.scale))
        self._left.rowconfigure(1, weight=1)
        self.form = TrainingForm(self._left, theme, self._form_checked,
                                 control.tables.free_name())  # fmt: skip
        self.form.grid(row=0, column=0, sticky="new")
        self.buttons = ttk.Frame(self._left)
        self.buttons.grid(row=2, column=0, sticky="ew", pady=(theme.px(2), 0))
        self.view = TrainingView(self, theme, control.model)
        self.view.grid(row=0, column=1, sticky="nsew", padx=(theme.px(3), edge), pady=edge)
        self._make_outcome()
        self._is_form_right = True
        self.form.offer_tables(control.tables.all())
        self.protocol("WM_DELETE_WINDOW", self.ask_to_close)
        self.bind("<Escape>", lambda _: self.ask_to_close())
        bind_window_keys(self, desk.quit, self.ask_to_close)
        self.bind("<Return>", self._return_pressed)
        control.viewed_by(self)
        self.show_end()

    def _make_outcome(self) -> None:
        """Make the place under the form for what came of a run, and the ways on."""
        theme = self.theme
        outcome = ttk.Frame(self._left)
        outcome.grid(row=1, column=0, sticky="sew", pady=(theme.px(2), theme.px(2)))
        outcome.columnconfigure(0, weight=1)
        self.said = ttk.Label(
            outcome, justify=tk.LEFT, anchor="w", wraplength=round(FORM_WIDTH * theme.scale)
        )
        self.said.grid(row=0, column=0, sticky="ew")
        self.ends = ttk.Frame(outcome)
        self.ends.columnconfigure((0, 1), weight=1, uniform="ends")
        self.ends.grid(row=1, column=0, sticky="ew", pady=(theme.px(2), 0))

    def appear(self) -> None:
        """Show the window where there is room for it."""
        theme = self.theme
        scale = theme.scale
        least = (round(LEAST[0] * scale / theme.zoom), round(LEAST[1] * scale / theme.zoom))
        self.wm_minsize(*least)
        geometry.place(self, "", round(SIZE[0] * scale), round(SIZE[1] * scale), least)
        self.to_front()

    def to_front(self) -> None:
        """Bring the window to the front."""
        self.deiconify()
        self.lift()
        next(iter(self.run_buttons.values())).focus_set()

    # --- what it shows ---

    def show(self) -> None:
        """Show the run as it is now."""
        if self._model is not self.control.model:
            self._model = self.control.model
            self.view.use(self._model)
        else:
            self.view.show()
        self._show_buttons()
        if self._model.is_active:
            self._say(self._model.note, {})

    def show_end(self) -> None:
        """Show what became of the run, and what can be done now."""
        self.show()
        model = self._model
        self.view.show(at_once=True)
        self.form.enable(not model.is_active)
        tables = self.control.tables.all()
        self.form.offer_tables(tables)
        if not model.is_active and self.form.base is None:
            names = {table.name for table in tables}
            if self.form.name in names:
                self.form.variables["name"].set(self.control.tables.free_name())
        self.form.check()
        text, actions = outcome_of(self.control, self)
        self._say(text, actions, is_warning=model.phase is Phase.FAILED)
        self._enable_start()
        self.update_idletasks()
        if self._left.winfo_reqheight() > self.winfo_height() > 1:
            self.form.show_more(False)

    def _say(self, text: str, actions: Actions, *, is_warning: bool = False) -> None:
        self.said.configure(text=text, style="Warning.TLabel" if is_warning else "TLabel")
        if tuple(actions) == self._shown_actions:
            return
        self._shown_actions = tuple(actions)
        had_focus = self.focus_get() in self.ends.winfo_children()
        for child in self.ends.winfo_children():
            child.destroy()
        gap = self.theme.px(0.5)
        for number, (words, act) in enumerate(actions.items()):
            button = self._button(self.ends, words, act, is_main=number == 0)
            row, column = divmod(number, 2)
            button.grid(row=row, column=column, sticky="ew", padx=(0, gap * 2), pady=gap)
        if actions or had_focus:
            first = next(iter([*self.ends.winfo_children(), *self.run_buttons.values()]), self)
            if self.focus_displayof() is not None:
                first.focus_set()

    def _button(
        self, parent: ttk.Frame, words: str, act: Callable[[], object], *, is_main: bool
    ) -> ttk.Button:
        is_safe = not words.startswith("Discard")
        style = "Accent.TButton" if is_main and is_safe else "TButton"
        button = ttk.Button(parent, text=words, command=act, style=style)

        def press(_: tk.Event[tk.Misc]) -> str:
            button.invoke()
            return "break"  # the window would take Return for Start

        button.bind("<Return>", press)
        return button

    def _show_buttons(self) -> None:
        """Show the buttons under the form that fit the state of the run."""
        actions = self._actions()
        if list(self.run_buttons) != list(actions):
            had_focus = self.focus_get() in self.run_buttons.values()
            for button in self.run_buttons.values():
                button.destroy()
            self.run_buttons = {
                words: self._button(self.buttons, words, act, is_main=number == 0)
                for number, (words, act) in enumerate(actions.items())
            }
            for button in self.run_buttons.values():
                button.pack(side=tk.LEFT, padx=(0, self.theme.px(1.5)))
            self.form.enable(not self._model.is_active)
            if had_focus:
                next(iter(self.run_buttons.values())).focus_set()
        self._enable_start()

    def _actions(self) -> Actions:
        control = self.control
        match self._model.phase:
            case Phase.RUNNING | Phase.STARTING | Phase.PAUSING:
                return {"Pause": control.pause, "Stop and Keep": control.stop,
                        "Discard…": self.ask_to_discard}  # fmt: skip
            case Phase.PAUSED:
                return {"Resume": control.go_on, "Stop and Keep": control.stop,
                        "Discard…": self.ask_to_discard}  # fmt: skip
            case Phase.STOPPING | Phase.WRITING:
                return {"Discard…": self.ask_to_discard}
        return {"Start": self.start, "Recommended": self.form.recommend,
                "Tables…": self.open_tables}  # fmt: skip

    def _form_checked(self, is_right: bool) -> None:
        self._is_form_right = is_right
        if hasattr(self, "view"):
            self._enable_start()
            if not self._shown_actions and not self._model.is_active:
                self._say(self.promise() if is_right else "", {})

    def promise(self) -> str:
        """Return what comes of the run that the form describes."""
        return self.form.promise()

    def _enable_start(self) -> None:
        button = self.run_buttons.get("Start")
        if button is not None:
            # One button at a time is the main one.
            style = "TButton" if self._shown_actions else "Accent.TButton"
            state = tk.NORMAL if self._is_form_right else tk.DISABLED
            button.configure(state=state, style=style)

    # --- what it does ---

    def _return_pressed(self, event: tk.Event[tk.Misc]) -> None:
        # A button answers Return itself; a list uses it for its own choice.
        if not isinstance(event.widget, (ttk.Button, ttk.Combobox)):
            self.start()

    def start(self) -> None:
        """Start the run that the form describes, unless one is at work or kept waiting."""
        if self._model.is_active or not self.form.check():
            return
        if self.control.note is not None and self.control.tables.interrupted_games() is not None:
            confirm(
                self, self.theme, "Start",
                "There is a training run that is not kept yet. Starting a new one deletes it.",
                {"Delete It and Start": self._start, "Cancel": lambda: None},
            )  # fmt: skip
            return
        self._start()

    def _start(self) -> None:
        wanted = self.form.wanted()
        if wanted is not None:
            self.control.start(self.form.name, self.form.base, wanted)

    def keep(self) -> None:
        """Keep the finished run."""
        self.control.keep()
        self.show_end()

    def discard(self) -> None:
        """Delete the run."""
        self.control.discard()

    def ask_to_discard(self) -> None:
        """Delete the run, if that is meant."""
        text = f"Forget what was learned in {self._model.games:,} games? This cannot be undone."
        stay = "Keep Training" if self._model.is_active else "Cancel"
        self._ask("Discard", text, {stay: lambda: None, "Discard": self.discard})

    def _ask(self, title: str, text: str, answers: dict[str, Callable[[], object]]) -> None:
        """Ask a question, once even if it is asked for twice."""
        self.desk.dialogs.show(
            f"training: {title}", lambda: confirm(self, self.theme, title, text, answers)
        )

    def leave_failed(self) -> None:
        """Leave a run that met a full disk as it was saved, to be resumed some time."""
        self.control.model.phase = Phase.NONE
        self.show_end()

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
            self.desk, self, lambda key: open_training(self.control, self._evaluate, key),
            self._evaluate,
        )  # fmt: skip

    def play(self) -> None:
        """Play against what was trained."""
        if self.control.kept is not None:
            play_table(self.desk, self.control.kept)

    def evaluate(self) -> None:
        """Evaluate what was trained."""
        if self.control.kept is not None:
            self._evaluate(self.control.kept.key)

    def prove(self) -> None:
        """Prove what was trained."""
        if self.control.kept is not None:
            self._evaluate(self.control.kept.key, prove=True)

    def save_charts(self) -> None:
        """Ask for a file and save the charts in it, as numbers or as a picture."""
        name = filedialog.asksaveasfilename(
            parent=self, title="Save the charts", initialfile="training.svg",
            filetypes=(("Picture", "*.svg"), ("Numbers", "*.csv")),
        )  # fmt: skip
        if name:
            try:
                save_charts(Path(name), self._model, self.theme, self._model.charts())
            except StorageError as error:
                self._say(f"{error}.", outcome_of(self.control, self)[1], is_warning=True)

    # --- the end of the window ---

    def ask_to_close(self) -> None:
        """Close, or ask what becomes of the run."""
        if not self._model.is_active:
            self.close()
            return
        self._ask(
            "Training", "Keep it running in the background?",
            {"Keep Running": self.close, "Stop and Keep": self._stop_and_close,
             "Cancel": lambda: None},
        )  # fmt: skip

    def _stop_and_close(self) -> None:
        self.control.stop()
        self.close()

    def close(self) -> None:
        """Close the window; the run goes on."""
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
