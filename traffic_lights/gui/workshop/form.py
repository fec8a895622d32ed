"""The form that trains a bot: its name, what it trains against, the games, and rarer settings."""

import tkinter as tk
from collections.abc import Callable, Collection, Mapping
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import flow, paragraph, put, show_if
from traffic_lights.gui.workshop import form_values, shared
from traffic_lights.gui.workshop.form_values import TOTAL, NextRun, Trained
from traffic_lights.learning.update_rules import UPDATE_RULES
from traffic_lights.training.settings import SETTINGS, SettingsError

NAME: Final = "name"
"""The field that is not a setting."""
EVERY: Final = frozenset({NAME, *SETTINGS})
ALWAYS: Final = {NAME: "Name", "plan": "Opponent", "games": TOTAL}
"""The labels of the fields that are not folded away."""
RARE: Final = {
    name: setting.label for name, setting in SETTINGS.items() if name not in (*ALWAYS, "practice")
}
"""Those of the others; only the command has the practice."""


class TrainingForm(ttk.Frame):
    """The name of a bot and the settings of a run; the button and Return call *press*."""

    def __init__(
        self, parent: tk.Misc, theme: Theme, on_change: shared.Act, press: Callable[[], None]
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._on_change = on_change
        self.next_run: NextRun | None = None
        """What Start would begin or continue; None if a field is wrong or none can be changed."""
        self._note = ""
        self._problem = ""
        """Why no run can begin, which is shown until something is changed."""
        self._changeable: Collection[str] = EVERY
        self._trained = Trained()
        self._is_being_filled = False
        self._texts = {name: tk.StringVar(self) for name in (NAME, *SETTINGS)}
        self.fields: dict[str, ttk.Entry] = {}
        gap = theme.px(2)
        self.columnconfigure(0, weight=1)
        self._name = put(ttk.Frame(self), sticky="ew", pady=(0, gap))
        self._name.columnconfigure(0, weight=1)
        self._make_line(self._name, {NAME: ALWAYS[NAME]}, {})
        labels = {name: label for name, label in ALWAYS.items() if name != NAME}
        acts = {"Start": press, "Advanced ▸": self._fold}
        self.start, self.advanced = self._make_line(self, labels, acts)
        self.start.configure(style="Accent.TButton", width=8)  # as wide for each of its words
        self.help = paragraph(self, "Muted.TLabel", pady=gap)
        self.help.configure(text="\n")
        row = self.help.grid_info()["row"]
        self.rowconfigure(row, minsize=self.help.winfo_reqheight() + 2 * gap)
        self._rare = put(ttk.Frame(self), sticky="ew")
        self._rare.columnconfigure(0, weight=1)
        self._make_line(self._rare, RARE, {"Compare Rules…": self._compare})
        self.formula = paragraph(self._rare, "Muted.TLabel", pady=(gap, 0))
        self._rare.grid_remove()

    def _make_line(
        self, parent: tk.Misc, labels: Mapping[str, str], acts: Mapping[str, shared.Act]
    ) -> list[ttk.Button]:
        """Put fields with their *labels* next to each other, and a button for each of *acts*."""
        line = put(ttk.Frame(parent), sticky="ew")
        for name, label in labels.items():
            holder = ttk.Frame(line)
            ttk.Label(holder, text=label).pack(anchor="w")
            self.fields[name] = self._make_field(holder, name)
            self.fields[name].pack(fill=tk.X)
        buttons = [ttk.Button(ttk.Frame(line), text=text, command=acts[text]) for text in acts]
        for button in buttons:
            button.pack(side=tk.BOTTOM)
        flow(line, self._theme.px(2))
        return buttons

    def _make_field(self, parent: tk.Misc, name: str) -> ttk.Entry:
        """Make the field *name*: a list if the setting has choices."""
        text = self._texts[name]
        field: ttk.Entry
        if choices := form_values.FORM_CHOICES.get(name):
            measure = self._theme.body.measure
            width = max(map(measure, choices.values())) // measure("0") + 1
            values = [*choices.values()]
            field = ttk.Combobox(parent, values=values, textvariable=text, width=width)
        else:
            field = ttk.Entry(parent, textvariable=text, width=15 if name == NAME else 10)
            field.bind("<Return>", lambda _: self.start.invoke())
        field.configure(font=self._theme.body)
        text.trace_add("write", lambda *_: self._changed(name))
        field.bind("<FocusIn>", lambda _: self._show_help(name))
        return field

    def _fold(self) -> None:
        """Show the rarer settings, or hide them."""
        is_open = self._rare.winfo_manager() != ""
        show_if(not is_open, self._rare, self.advanced)
        self.advanced.configure(text="Advanced ▸" if is_open else "Advanced ▾")
        self._show_help("")  # that of a field which is folded away would stay

    def _compare(self) -> None:
        """Show what each update rule does, under each other."""
        dialog = Dialog(self.winfo_toplevel(), self._theme, "Update Rules")
        for rule in UPDATE_RULES.values():
            dialog.say(rule.label, "Strong.TLabel")
            dialog.say(rule.formula)
            dialog.say(rule.about, "Muted.TLabel")
        dialog.appear()

    def texts(self) -> dict[str, str]:
        """Return what the fields hold, choices by their values."""
        found = {name: text.get().strip() for name, text in self._texts.items()}
        for name, words in form_values.FORM_CHOICES.items():
            values = {text: value for value, text in words.items()}
            found[name] = values.get(found[name], "")
        return found

    def fill(
        self, name: str, trained: Trained, *, is_new: bool = False, run: NextRun | None = None
    ) -> None:
        """Propose the next run of the bot *name*, as far as it is *trained*.

        The user chooses the name of one that *is_new*. While a *run* goes on, its settings are
        shown, and no field can be changed.
        """
        self._trained = trained
        self._changeable = EVERY if is_new else EVERY - {NAME}
        self._note = ""
        if trained.is_training:
            self._changeable = {"games"}
            self._note = form_values.GOES_ON
        texts = form_values.form_texts(trained.proposal())
        if run is not None:
            self._changeable = ()
            texts = dict(run.texts)
            self._note = form_values.help_text("plan", texts)
        show_if(is_new, self._name, self.start)
        self._is_being_filled = True  # half of the new texts with half of the old mean nothing
        for field, text in {**texts, NAME: name}.items():
            self._texts[field].set(form_values.FORM_CHOICES.get(field, {}).get(text, text))
        self._is_being_filled = False
        self._read()

    def _changed(self, name: str) -> None:
        if self._is_being_filled:
            return
        if name == "plan":
            usual = form_values.usual_games(self.texts()["plan"], self._trained.games)
            self._texts["games"].set(usual)
        self._read(name)
        self._on_change()

    def _read(self, name: str = "") -> None:
        """Take what the fields hold now, and mark the one that is wrong."""
        self.next_run = None
        self._problem = wrong = ""
        texts = self.texts()
        if self._changeable:  # otherwise the bot trains
            try:
                self.next_run = form_values.read_form(texts, self._trained)
            except SettingsError as error:
                wrong = error.name
                self._problem = f"{(ALWAYS | RARE)[wrong]} must be {error.must}."
        used = {NAME, *form_values.used_settings(texts)}
        for field, entry in self.fields.items():
            kind = entry.winfo_class()
            state = "readonly" if kind == "TCombobox" else "normal"
            state = state if field in used & {*self._changeable} else "disabled"
            entry.configure(state=state, style=f"Wrong.{kind}" if field == wrong else kind)
        rule = UPDATE_RULES.get(texts["update"]) if "update" in used else None
        self.formula.configure(text="" if rule is None else rule.formula)
        self._show_help(name)

    def refuse(self, problem: str) -> None:
        """Show why the training does not start, until something is changed."""
        self._problem = problem
        self._show_help("")

    def _show_help(self, name: str) -> None:
        """Show what is wrong, or what the field *name* means, by default the opponent."""
        text = self._problem or self._note or form_values.help_text(name, self.texts())
        style = "Warning.TLabel" if self._problem else "Muted.TLabel"
        self.help.configure(text=text, style=style)
