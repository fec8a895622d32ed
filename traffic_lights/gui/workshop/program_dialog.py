"""The dialog that adds a program of the user, and tries it first."""

import sys
import threading
import tkinter as tk
from dataclasses import replace
from tkinter import filedialog, ttk
from typing import Final

from traffic_lights.board.games import PlayerError
from traffic_lights.board.rules import EMPTY_BOARD
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.gui.kit.widgets import enable, put
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.seats import add_program
from traffic_lights.gui.workshop.shared import OnText, as_sentence
from traffic_lights.players.external import ExternalBot, Program, standing_command
from traffic_lights.storage.words import fit_name

_SECONDS: Final = ("1", "2", "5", "10", "30", "60")
"""The times for a move to choose from."""
_ABOUT_PROGRAMS: Final = (
    "Add your own bot, written in any language. It exchanges a few lines of text with the game: "
    "see “A bot of your own” in traffic_lights/players/README.md. The program runs only while it "
    "plays."
)
_LINES: Final = 4
"""The lines that are kept free for what is reported about a program."""


class ProgramDialog(Dialog):
    """Adds a program to the roster; *added* is called with its key."""

    def __init__(self, parent: tk.Tk | tk.Toplevel, context: Context, added: OnText) -> None:
        super().__init__(parent, context.theme, "Add a Program")
        self._context = context
        self._added = added
        self._tried: ExternalBot | None = None
        theme = context.theme
        self.say(_ABOUT_PROGRAMS)
        self.name = ttk.Entry(self.body, font=theme.body, width=44)
        self.command_line = ttk.Entry(self.body, font=theme.body, width=44)
        self.seconds = ttk.Combobox(self.body, font=theme.body, values=_SECONDS, state="readonly")
        self.seconds.set("5")
        fields = {"Name": self.name, "Command": self.command_line, "Seconds a move": self.seconds}
        for text, field in fields.items():
            put(ttk.Label(self.body, text=text), sticky="w")
            put(field, sticky="ew", pady=(0, theme.px(2)))
        self.message = self.say("\n" * _LINES)
        answers = {"Add": self._try, "Choose the File…": self._browse, "Cancel": self.close}
        self.add, *_ = self.appear(answers, self.name)

    def _browse(self) -> None:
        if path := filedialog.askopenfilename(parent=self, title="Choose the Program"):
            command = f'"{path}"' if " " in path else path
            if path.endswith(".py"):  # Python scripts are seldom executable
                command = f'"{sys.executable}" {command}'
            self.command_line.delete(0, tk.END)
            self.command_line.insert(0, command)

    def _try(self) -> None:
        """Start the program and have it choose a move, in a thread."""
        try:
            command = standing_command(self.command_line.get())
        except PlayerError as error:
            self._refuse(f"The program did not start: {error}.")
            return
        program = Program(command, fit_name(self.name.get()), float(self.seconds.get()))
        bot = self._tried = ExternalBot(program)
        enable(self.add, False)
        self.message.configure(text="Starting the program…", style="TLabel")

        def meet() -> Program:
            known = replace(program, name=bot.meet())
            bot.choose(EMPTY_BOARD)
            bot.close()
            return known

        def met(known: Program) -> None:
            self.close()
            self._added(add_program(self._context, known))

        run_job(self._context.root, meet, met, lambda reason: self._refuse(as_sentence(reason)))

    def _refuse(self, text: str) -> None:
        if self.winfo_exists():
            enable(self.add, True)
            self.message.configure(text=text, style="Warning.TLabel")

    def close(self) -> None:
        """Close the dialog; a program that is still being tried has to quit."""
        if self._tried is not None:
            threading.Thread(target=self._tried.close).start()
        super().close()
