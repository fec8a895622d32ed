"""A program of anybody's as an opponent: its name, its command, its time; tried at once."""

from __future__ import annotations

import threading
import tkinter as tk
from dataclasses import replace
from pathlib import Path
from tkinter import ttk
from typing import Final, TypeVar

from traffic_lights.board.rules import EMPTY_BOARD
from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.game.programs import Programs
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.keeping.programs import KeptProgram
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.external import ExternalBot, Program, standing_command
from traffic_lights.storage.files import StorageError
from traffic_lights.system.names import fit_name

SECONDS: Final = ("1", "2", "5", "10", "30", "60")
EXPLANATION: Final = (
    "A program in any language can play, if it reads and writes a few lines of text; the README "
    "says which. It is started when it has to play, and only then."
)
_LAST_LINES: Final = 4
Input = TypeVar("Input", ttk.Combobox, ttk.Entry)


class ProgramDialog(Dialog):
    """Asks for a program, tries it, and says what is wrong or adds it."""

    def __init__(self, desk: Desk, programs: Programs) -> None:
        super().__init__(desk.root, desk.theme, "Add a Program", desk.focus_board)
        self._desk, self._programs = desk, programs
        self._tried: ExternalBot | None = None
        theme = desk.theme
        text = ttk.Label(self.body, text=EXPLANATION, wraplength=theme.px(95), justify=tk.LEFT)
        text.grid(columnspan=2, sticky="w", pady=(0, theme.px(3)))
        self.name = self._field(1, "Name", ttk.Combobox(self.body, font=theme.body, width=34))
        self.command_line = self._field(
            2, "Command", ttk.Entry(self.body, font=theme.body, width=44)
        )
        self.seconds = self._field(
            3,
            "Seconds a move",
            ttk.Combobox(self.body, font=theme.body, width=8, values=SECONDS, state="readonly"),
        )
        self.seconds.set("5")
        self.message = ttk.Label(self.body, wraplength=theme.px(95), justify=tk.LEFT)
        self.message.grid(row=4, columnspan=2, sticky="w", pady=(theme.px(2), 0))
        self.add = self.add_button("Add", self._try, is_default=True)
        self.remove = self.add_button("Remove", self._remove)
        self.add_button("Close", self.close)
        self.name.bind("<<ComboboxSelected>>", lambda _: self._show_known())
        self.name.bind("<KeyRelease>", lambda _: self._find_known())
        self._list()
        self.appear(self.name)

    def _field(self, row: int, text: str, field: Input) -> Input:
        space = self.theme.px(1)
        label = ttk.Label(self.body, text=text)
        label.grid(row=row, column=0, sticky="w", padx=(0, self.theme.px(4)), pady=space)
        field.grid(row=row, column=1, sticky="w" if row == 3 else "ew", pady=space)
        return field

    # --- those that are there ---

    def _list(self) -> None:
        try:
            self._known = {one.program.name: one for one in self._programs.kept.all()}
        except StorageError as error:
            self._known = {}
            self.message.configure(text=f"{error}.")
        self.name.configure(values=list(self._known))
        self._find_known()

    def _find_known(self) -> KeptProgram | None:
        known = self._known.get(fit_name(self.name.get()))
        self.remove.state(["disabled" if known is None else "!disabled"])
        return known

    def _show_known(self) -> None:
        """Show the program whose name was chosen."""
        known = self._find_known()
        if known is not None:
            self.command_line.delete(0, tk.END)
            self.command_line.insert(0, known.program.command)
            self.seconds.set(f"{known.program.move_s:g}")

    def _remove(self) -> None:
        known = self._find_known()
        if known is None:
            return
        try:
            self._programs.remove(known.key)
        except StorageError as error:
            self.message.configure(text=f"{error}.")
            return
        self.message.configure(text=f"{known.program.name} is removed.")
        self.name.set("")
        self.command_line.delete(0, tk.END)
        self._list()

    # --- a new one ---

    def _try(self) -> None:
        """Start the program and have it choose once, in a thread."""
        if self.add.instate(["disabled"]):
            return
        try:
            command = standing_command(self.command_line.get(), Path.cwd())
        except PlayerError as error:
            self.message.configure(text=f"It cannot be started: {error}.")
            self.command_line.focus_set()
            return
        name, move_s = fit_name(self.name.get()), float(self.seconds.get())
        self._tried = guest = ExternalBot(Program(command, name, move_s))
        self.add.state(["disabled"])
        self.message.configure(text="It is being tried…")

        def met() -> str:
            guest.meet()
            guest.choose(EMPTY_BOARD)
            return guest.name

        self._desk.jobs.run(
            met, lambda name: self._met(guest, name), lambda error: self._refused(guest, error)
        )

    def _met(self, guest: ExternalBot, name: str) -> None:
        if self._tried is not guest:  # the dialog was closed meanwhile
            threading.Thread(target=guest.close).start()
            return
        self._tried = None
        self.add.state(["!disabled"])
        guest.program = replace(guest.program, name=name)
        try:
            self._programs.add(guest)
        except StorageError as error:
            self.message.configure(text=f"{name} plays, but cannot be remembered: {error}.")
            return
        self.close()
        self._desk.say(f"{name} can be chosen now: Bot, Opponent.")

    def _refused(self, guest: ExternalBot, error: Exception) -> None:
        if not isinstance(error, PlayerError):
            self._desk.failed(error)
        if self._tried is not guest:
            return
        self._tried = None
        self.add.state(["!disabled"])
        text = f"{error}."
        if guest.last_lines:
            text += "\n\nIts last words:\n" + "\n".join(guest.last_lines[-_LAST_LINES:])
        self.message.configure(text=text)

    def close(self) -> None:
        """Close the dialog; what is still being tried is sent away."""
        guest, self._tried = self._tried, None
        if guest is not None:
            threading.Thread(target=guest.close).start()
        super().close()
