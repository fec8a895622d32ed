"""The evaluation window: who against whom at the left, the rows and their bars at the right."""

from __future__ import annotations

import tkinter as tk
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final

from traffic_lights.gui.evaluation.contenders import contenders
from traffic_lights.gui.evaluation.form import EvaluationForm
from traffic_lights.gui.evaluation.model import (
    EvaluationModel,
    words_of_proof,
    words_of_stop,
    words_of_walk,
)
from traffic_lights.gui.evaluation.view import EvaluationView
from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.kit import geometry
from traffic_lights.gui.kit.dialog import confirm
from traffic_lights.gui.kit.keys import bind_window_keys, focused_widget
from traffic_lights.gui.kit.scroll import ScrollFrame
from traffic_lights.judging.proof import Proof, Walked
from traffic_lights.players.game import Game, Player
from traffic_lights.storage.files import StorageError, write_atomically
from traffic_lights.workers.evaluation import (
    EvaluationTask,
    Over,
    PairMeasured,
    ProofTask,
    Refused,
    evaluation_process,
)
from traffic_lights.workers.link import WorkerLink

SIZE: Final = (1280, 680)
LEAST: Final = (760, 520)
"""The room that form and rows need; in a smaller window they scroll."""
SMALLEST: Final = (420, 300)
DRAIN_EVERY_MS: Final = 100
QUIET: Final = 20
"""So often nothing may come of an evaluation before it is said that this is in order."""
STILL_AT_WORK: Final = "Still at work: slow players and exact figures take their time."
_PATIENCE_S: Final = 1.0
"""How long a process that is to stop may tidy up after itself."""


class EvaluationWindow(tk.Toplevel):
    """Runs one evaluation or proof at a time; what came of it stays until the next."""

    def __init__(self, desk: Desk, model: EvaluationModel) -> None:
        super().__init__(desk.root)
        self.withdraw()
        self.desk, self.model = desk, model
        theme = self.theme = desk.theme
        self.title("Evaluate – Traffic Lights")
        self.configure(background=theme.colours.window)
        self._link: WorkerLink | None = None
        self._task: EvaluationTask | ProofTask | None = None
        self._timer: str | None = None
        self._quiet = 0
        """How often in a row nothing came."""
        self.proof: Proof | None = None
        self._walked: Walked | None = None
        """The last that a proof said in which slips were found, or else the last."""
        edge = theme.px(5)
        self.rowconfigure(0, weight=1)
        self.columnconfigure(0, weight=1)
        self.body = ScrollFrame(self, theme, across=True)
        self.body.grid(row=0, column=0, sticky="nsew")
        self.body.bind("<<ThemeChanged>>", lambda _: self._size())
        inside = self.body.inside
        inside.columnconfigure(1, weight=1)
        inside.rowconfigure(0, weight=1)
        self._size()
        self.form = EvaluationForm(inside, theme, self._form_changed)
        self.form.grid(row=0, column=0, sticky="nsew", padx=(edge, theme.px(3)), pady=(edge, 0))
        self._make_buttons(inside, edge)
        self.view = EvaluationView(inside, theme, model)
        self.view.grid(row=0, column=1, rowspan=2, sticky="nsew", padx=(0, edge), pady=edge)
        self._make_ends(self.view)
        self.form.offer(contenders(desk))
        self.protocol("WM_DELETE_WINDOW", self.ask_to_close)
        self.bind("<Escape>", lambda _: self.ask_to_close())
        bind_window_keys(self, desk.quit, self.ask_to_close)
        self.bind("<Return>", self._return_pressed)
        # Before the window goes; a quit is held up for nothing that can be played again.
        desk.on_quit.insert(0, self._finish)
        desk.hear_of_bots(self, self._bots_changed)
        self.view.say(model.sentence(None) or "Choose who plays whom, then press Run.")
        self._enable()

    def _bots_changed(self) -> None:
        """Offer the own bots, and show the rows, under the names that they have now."""
        there = contenders(self.desk)
        self.form.offer(there)
        self.model.name(there)
        self.view.show_rows()
        self._enable()

    def _size(self) -> None:
        scale = self.theme.scale
        self.body.least = (round(LEAST[0] * scale), round(LEAST[1] * scale))
        self.body.fit()

    def _make_buttons(self, inside: ttk.Frame, edge: int) -> None:
        theme = self.theme
        row = ttk.Frame(inside)
        row.grid(row=1, column=0, sticky="ew", padx=(edge, 0), pady=edge)
        self.run_button = ttk.Button(row, text="Run", command=self.run, style="Accent.TButton")
        self.stop_button = ttk.Button(row, text="Stop", command=self.stop)
        self.prove_button = ttk.Button(row, text="Prove", command=self.prove)
        for button in (self.run_button, self.stop_button, self.prove_button):
            button.pack(side=tk.LEFT, padx=(0, theme.px(1.5)))
            button.bind("<Return>", self._press)

    @staticmethod
    def _press(event: tk.Event[tk.Misc]) -> str:
        assert isinstance(event.widget, ttk.Button)
        event.widget.invoke()
        return "break"  # the window would take Return for Run

    def _make_ends(self, parent: ttk.Frame) -> None:
        theme = self.theme
        row = ttk.Frame(parent)
        row.grid(row=4, column=0, columnspan=2, sticky="ew", pady=(theme.px(2), 0))
        self.copy_button = ttk.Button(row, text="Copy as Markdown", command=self.copy)
        self.save_button = ttk.Button(row, text="Save CSV…", command=self.ask_to_save)
        self.game_button = ttk.Button(row, text="Show That Game", command=self.show_game)
        for button in (self.copy_button, self.save_button, self.game_button):
            button.pack(side=tk.LEFT, padx=(0, theme.px(1.5)))
            button.bind("<Return>", self._press)

    def appear(self) -> None:
        """Show the window where there is room for it."""
        geometry.place_scrolling(self, SIZE, SMALLEST, self.theme.scale, self.theme.zoom)
        self.to_front()

    def to_front(self) -> None:
        """Bring the window to the front."""
        self.deiconify()
        self.lift()
        self.run_button.focus_set()

    # --- what is asked for ---

    @property
    def is_running(self) -> bool:
        """Whether an evaluation or a proof is under way."""
        return self._link is not None

    def _return_pressed(self, event: tk.Event[tk.Misc]) -> None:
        if not isinstance(event.widget, (ttk.Button, ttk.Treeview)):
            self.run()

    def run(self) -> None:
        """Evaluate what is chosen, unless something is under way or missing."""
        task = self.form.task()
        if self.is_running or task is None:
            return
        self.model.start([*task.bots, *task.opponents], len(task.bots))
        self.proof = None
        self.view.show_rows()
        self._launch(task, "The games begin…")

    def prove(self) -> None:
        """Prove the first chosen bot that has a table, unless something is under way."""
        bot = self.form.bot_to_prove()
        if not self.is_running and bot is not None:
            self.proof = None
            self._launch(ProofTask(bot), f"Reading {bot.label}…")

    def _launch(self, task: EvaluationTask | ProofTask, text: str) -> None:
        self._task, self._quiet, self._walked = task, 0, None
        try:
            self._link = WorkerLink(evaluation_process, task)
        except OSError as error:
            self.view.say(f"No process could be started: {error.strerror}.", is_warning=True)
            return
        self.view.say(text)
        if isinstance(task, ProofTask):
            self.view.bar.configure(mode="indeterminate")
            self.view.bar.start(40)
        self._enable()
        self.stop_button.focus_set()  # what had the keyboard is greyed now
        self._timer = self.after(1, self._drain)

    def stop(self) -> None:
        """Stop at once; the rows that there are stay."""
        if self.is_running:
            was_proof = isinstance(self._task, ProofTask)
            self._finish()
            self.view.say(
                words_of_stop(self._walked)
                if was_proof
                else f"Stopped. {self.model.sentence(self.view.chosen)}"
            )

    # --- what the process says ---

    def _drain(self) -> None:
        self._timer = None
        link = self._link
        if link is None:
            return
        self._timer = self.after(DRAIN_EVERY_MS, self._drain)
        messages = link.take()
        for message in messages:
            self._take(message)
            if self._link is None:
                return
        self._quiet = 0 if messages else self._quiet + 1
        if messages and isinstance(self._task, EvaluationTask):
            self.view.show_rows()
        elif self._quiet == QUIET and isinstance(self._task, EvaluationTask):
            self.view.say(f"{self.model.sentence(self.view.chosen)} {STILL_AT_WORK}".strip())
        if link.is_over:
            self._finish()
            self.view.say(
                "The process that played has ended unexpectedly. Its rows are kept.",
                is_warning=True,
            )

    def _take(self, message: object) -> None:
        match message:
            case PairMeasured():
                self.model.take(message)
                self._show_progress(message)
            case Walked():
                if message.slips or not (self._walked and self._walked.slips):
                    self._walked = message
                self.view.say(words_of_walk(message))
            case Proof():
                self.proof = message
            case Refused(text, details):
                self._finish()
                self.view.say(f"{text[:1].upper()}{text[1:]}.", is_warning=True)
                if details:
                    self.desk.log(details)
            case Over():
                task = self._task
                self._finish()
                self.view.show_rows()
                if isinstance(task, ProofTask) and self.proof is not None:
                    self.view.say(words_of_proof(task.bot.label, self.proof))
                else:
                    self.view.say(self.model.sentence(self.view.chosen))

    def _show_progress(self, measured: PairMeasured) -> None:
        task = self._task
        if isinstance(task, EvaluationTask):
            planned = task.games * len(task.bots) * len(task.opponents)
            played = sum(row.games for row in self.model.rows.values())
            self.view.bar.configure(value=1000 * played / planned)
            if self.view.chosen is None or self.view.chosen == (measured.bot, measured.opponent):
                self.view.say(self.model.sentence(self.view.chosen))

    def _finish(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.retire(_PATIENCE_S)
        if self._timer is not None:
            self.after_cancel(self._timer)
            self._timer = None
        self.view.bar.stop()
        self.view.bar.configure(mode="determinate", value=0)
        self._enable()

    # --- shown ---

    def _form_changed(self) -> None:
        if hasattr(self, "run_button"):
            self._enable()

    def _enable(self) -> None:
        def state(can: bool) -> str:
            return tk.NORMAL if can else tk.DISABLED

        is_running, has_rows = self.is_running, bool(self.model.rows)
        self.run_button.configure(state=state(not is_running and self.form.task() is not None))
        can_prove = not is_running and self.form.bot_to_prove() is not None
        self.prove_button.configure(state=state(can_prove))
        self.stop_button.configure(state=state(is_running))
        ways = (self.run_button, self.prove_button, self.stop_button)
        if focused_widget(self) in ways:  # the keyboard stays where something can be done
            (self.stop_button if is_running else self.run_button).focus_set()
        self.copy_button.configure(state=state(has_rows))
        self.save_button.configure(state=state(has_rows))
        beaten = self.proof is not None and self.proof.counterexample is not None
        self.game_button.configure(state=state(beaten))
        self.form.enable(not is_running)

    # --- out ---

    def copy(self) -> None:
        """Put the rows on the clipboard as a table in Markdown."""
        self.clipboard_clear()
        self.clipboard_append(self.model.to_markdown())
        self.view.say("The table is on the clipboard.")

    def ask_to_save(self) -> None:
        """Ask for a file and save the rows in it."""
        name = filedialog.asksaveasfilename(
            parent=self,
            title="Save the rows",
            initialfile="evaluation.csv",
            filetypes=(("CSV", "*.csv"), ("All files", "*")),
            defaultextension=".csv",
        )
        if name:
            self.save(Path(name))

    def save(self, path: Path) -> None:
        """Save the rows in the file *path*, or say why not."""
        try:
            write_atomically(path, [self.model.to_csv().encode("utf-8")])
        except StorageError as error:
            self.view.say(f"{error}.", is_warning=True)
        else:
            self.view.say(f"Saved as {path.name}.")

    def show_game(self) -> None:
        """Put the game that beats the bot on the board of the main window."""
        proof, task = self.proof, self._task
        if proof is None or proof.counterexample is None or not isinstance(task, ProofTask):
            return
        moves = proof.counterexample
        bot = Player(task.bot.key, task.bot.label)
        players = (bot, Player()) if proof.beaten_seat == 0 else (Player(), bot)
        self.desk.show_game(Game(actions=moves, players=players))

    # --- the end ---

    def ask_to_close(self) -> None:
        """Close, or ask first if something is under way."""
        if not self.is_running:
            self.close()
            return
        self.desk.dialogs.show(
            "evaluation",
            lambda: confirm(
                self,
                self.theme,
                "Evaluate",
                "Stop what is under way? The rows that there are stay for the next time.",
                {"Go On": lambda: None, "Stop and Close": self.close},
            ),
        )

    def close(self) -> None:
        """Close the window; an evaluation under way is stopped, its rows stay for the next time."""
        if self._finish not in self.desk.on_quit:  # closed already, or about to be
            return
        self.desk.on_quit.remove(self._finish)
        self._finish()
        self.destroy()
        self.desk.focus_board()


class Evaluations:
    """The program's one evaluation window, and the rows that stay when it is closed."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.model = EvaluationModel()
        self.window: EvaluationWindow | None = None

    def open(self, table: str = "", *, prove: bool = False) -> EvaluationWindow:
        """Show the window, with the own table of key *table* chosen; *prove* it at once."""
        window = self.window
        if window is None or not window.winfo_exists():
            window = self.window = EvaluationWindow(self._desk, self.model)
            window.appear()
        window.to_front()
        if table:
            window.form.offer(contenders(self._desk))
            window.form.choose_bot(f"own-{table}")
            if prove:
                window.prove()
        return window
