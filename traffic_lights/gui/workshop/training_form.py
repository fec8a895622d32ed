"""The form that trains a bot: its name, what it trains against, the games, and rarer settings."""

import tkinter as tk
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from tkinter import ttk
from typing import Any, Final

from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import on_highlight, put, wrapping
from traffic_lights.learning.update_rules import UPDATE_RULES
from traffic_lights.storage.words import whole_number
from traffic_lights.training.settings import SETTINGS
from traffic_lights.workshop import form_values, shared
from traffic_lights.workshop.form_values import MORE, TOTAL, NextRun, Trained, WrongField
from traffic_lights.workshop.shared import Act

GAP: Final = 2
"""The room right of each field, in steps of the grid."""
_HELP_LINES: Final = 3.4
"""The lines of text that are kept free for the help of a setting."""
_MEANING_LINES: Final = 3
"""The lines of text that are kept over the rarer settings, for what they mean."""
_COLUMNS: Final = 24
"""Of the grid, which the name, the opponent and the games share."""
_IN_ROW: Final = 4
"""The most rarer settings in a row."""
COMPARE: Final = "Compare Rules…"
NAME: Final = "name"
"""The field that is not a setting."""
EVERY: Final = frozenset({NAME, *SETTINGS})


class TrainingForm(ttk.Frame):
    """The name of a bot and the settings of a run; the rarer ones are folded away."""

    def __init__(
        self, parent: tk.Misc, theme: Theme, *, on_change: Act, on_fold: Act, press: Act
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._on_change = on_change
        self._on_fold = on_fold
        self.next_run: NextRun | None = None
        """What Start would begin or continue; None if a field is wrong or none can be changed."""
        self._problem = ""
        self._note = ""
        self._changeable: Collection[str] = EVERY
        """The fields that can be changed."""
        self._trained = Trained()
        self.fields: dict[str, ttk.Entry] = {}
        self._cells: dict[str, ttk.Frame] = {}
        self._texts: dict[str, tk.StringVar] = {}
        self._is_being_filled = False
        self._unfolded = tk.BooleanVar(self, False)
        self._room = 0
        """The width that the form has without scrolling, in pixels."""
        self.columnconfigure(tuple(range(_COLUMNS)), weight=1, uniform="fields")
        self.rarer = put(ttk.Frame(self), row=3, columnspan=_COLUMNS, sticky="ew")
        labels = {name: setting.label for name, setting in SETTINGS.items()}
        labels |= {NAME: "Name", "plan": "Opponent", "games": TOTAL}
        for name in (NAME, *SETTINGS):
            self._add_field(name, labels[name])
        for name, column, span in ((NAME, 0, 5), ("plan", 5, 13), ("games", 18, 6)):
            self._cells[name].grid(row=0, column=column, columnspan=span, sticky="new")
        self.more = ttk.Button(self._cells["games"], text=f"+{MORE:,}", style="Tight.TButton")
        self.more.configure(command=self._add_games)
        self.fields["games"].configure(width=8)
        self.fields["games"].pack(side=tk.LEFT, expand=True, anchor="n")
        self.more.pack(side=tk.LEFT, anchor="n", padx=(theme.px(1), 0))
        help_label = wrapping(ttk.Label(self))
        gap = (0, theme.px(GAP))
        self.help = put(help_label, row=1, columnspan=18, sticky="new", pady=theme.px(1), padx=gap)
        start = ttk.Button(self, style="Accent.TButton", text=shared.START, command=press)
        self.start = put(
            start, row=1, column=18, columnspan=6, sticky="new", pady=theme.px(1.5), padx=gap
        )
        row = put(ttk.Frame(self), row=2, columnspan=_COLUMNS, sticky="ew")
        row.columnconfigure(1, weight=1)
        self._over = row
        left = put(ttk.Frame(row), row=0, column=0)
        advanced = ttk.Checkbutton(
            left, text="Advanced", variable=self._unfolded, command=self._fold
        )
        self.advanced = put(advanced, row=0, sticky="w")
        rules = ttk.Button(left, text=COMPARE, style="Tight.TButton", command=self._compare_rules)
        self.rules = put(rules, row=1, pady=(theme.px(0.5), 0))
        meaning = wrapping(ttk.Label(row, style="Muted.TLabel"))
        self.meaning = put(meaning, row=0, column=1, sticky="ew", padx=(theme.px(4), gap[1]))
        """That of the update rule, or what another rarer setting means; it stands over them.

        While they are folded away, those that are not as usual.
        """
        self.rarer.lift()  # Tab comes to them last

    def _add_field(self, name: str, label: str) -> None:
        """Make the field *name* under its *label*: a list if the setting has choices."""
        px = self._theme.px
        parent = self if name in (NAME, "plan", "games") else self.rarer
        cell = self._cells[name] = ttk.Frame(parent, padding=(0, 0, px(GAP), px(1)))
        ttk.Label(cell, text=label).pack(anchor="w")
        text = self._texts[name] = tk.StringVar(self)
        options: dict[str, Any] = {"textvariable": text, "width": 6, "font": self._theme.body}
        if name in form_values.FORM_CHOICES:
            choices = list(form_values.FORM_CHOICES[name].values())
            if name != "plan":
                # The rarer choices stand in narrow columns, and must not be cut.
                body = self._theme.body
                options["width"] = max(map(body.measure, choices)) // body.measure("0") + 1
            field: ttk.Entry
            field = box = ttk.Combobox(cell, values=choices, **options)
            box.bind("<<ComboboxSelected>>", lambda _: self._changed(name))
            on_highlight(box, partial(self._preview, name))
        else:
            field = ttk.Entry(cell, **options)
            if parent is self:  # in a rarer setting it only ends what was typed
                field.bind("<Return>", lambda _: self.start.invoke())
            text.trace_add("write", lambda *_: self._changed(name))
        field.bind("<FocusIn>", lambda _: self._show_help(name))
        # A field that only scrolls under the pointer is not meant: its text could scroll it again.
        field.bind("<Motion>", lambda _: self._show_help(name))
        field.pack(fill=tk.X)
        self.fields[name] = field

    def dress(self) -> None:
        """Keep room for the help, so that nothing moves."""
        self.rowconfigure(1, minsize=_HELP_LINES * self._theme.body.metrics("linespace"))

    @property
    def is_unfolded(self) -> bool:
        """Whether the rarer settings are shown."""
        return self._unfolded.get()

    def texts(self) -> dict[str, str]:
        """Return what the fields hold, choices by their values."""
        found = {name: text.get().strip() for name, text in self._texts.items()}
        for name, words in form_values.FORM_CHOICES.items():
            values = {text: value for value, text in words.items()}
            found[name] = values.get(found[name], "")
        return found

    def fill(
        self,
        texts: Mapping[str, str],
        trained: Trained,
        *,
        note: str = "",
        can_change: Collection[str] = EVERY,
    ) -> None:
        """Hold the *texts* of the fields by their names; they are about a bot that is *trained*.

        Choices are given by their values. Only the fields in *can_change* can be changed; a *note*
        says why.
        """
        self._note = note
        self._trained = trained
        self._changeable = can_change
        self._is_being_filled = True  # half of the new texts with half of the old mean nothing
        for field, text in texts.items():
            self._texts[field].set(form_values.FORM_CHOICES.get(field, {}).get(text, text))
        self._is_being_filled = False
        self._read()
        self._show_help()

    def _add_games(self) -> None:
        """Add to the number of games in the field, if there is one."""
        games = whole_number(self._texts["games"].get(), 0)
        if games is not None:
            self._texts["games"].set(SETTINGS["games"].kind.show(games + MORE))

    def _fold(self) -> None:
        """Show the rarer settings, or hide them."""
        self._changed()
        self._on_fold()

    def _changed(self, name: str = "") -> None:
        """Take a change of the field *name*, or of the fields that are shown."""
        if self._is_being_filled:
            return
        if name == "plan":
            self._propose_games()
        self._read()
        self._show_help(name)
        self._on_change()

    def _read(self) -> None:
        """Take what the fields hold now."""
        self.next_run = None
        self._problem = ""
        wrong = ""
        if self._changeable:  # otherwise the bot trains
            match form_values.read_form(self.texts(), self._trained):
                case NextRun() as run:
                    self.next_run = run
                case WrongField(problem, field):
                    self._problem = problem
                    wrong = field
        self._show_fields(wrong)
        self._place_rarer_settings()

    def refuse(self, problem: str) -> None:
        """Show why the training does not start, until something is changed."""
        self._problem = problem
        self._show_help()

    def _propose_games(self) -> None:
        """Hold the usual number of games of the plan, unless the user has typed another."""
        texts = self.texts()
        usual = form_values.usual_games(self._trained.games)
        if texts["games"] in usual.values():
            self._texts["games"].set(usual[texts["plan"]])

    def _show_fields(self, wrong: str) -> None:
        """Show which fields can be changed, and which one is *wrong*."""
        has_number = whole_number(self.texts()["games"], 0) is not None
        can_add = has_number and "games" in self._changeable
        self.more.state(["!disabled" if can_add else "disabled"])
        for field, entry in self.fields.items():
            kind = entry.winfo_class()
            state = "readonly" if kind == "TCombobox" else "normal"
            if field not in self._changeable:
                state = "disabled"
            entry.configure(state=state, style=f"Wrong.{kind}" if field == wrong else kind)

    def _place_rarer_settings(self) -> None:
        """Show the rarer settings that make a difference, if they are not folded away."""
        used = form_values.used_settings(self.texts()) if self.is_unfolded else []
        for field in SETTINGS.keys() - {"plan", "games", *used}:
            self._cells[field].grid_remove()
        widths = [self._cells[field].winfo_reqwidth() for field in used]
        in_row = _most_in_a_row(widths, self._room)
        self.rarer.grid() if used else self.rarer.grid_remove()
        self.rules.grid() if "update" in used else self.rules.grid_remove()
        # The fields must not move under the pointer when the text over them changes.
        lines = _MEANING_LINES * self._theme.body.metrics("linespace") if used else 0
        self._over.rowconfigure(0, minsize=lines)
        for column in range(_IN_ROW):
            self.rarer.columnconfigure(column, weight=1 if column < in_row else 0)
        for place, field in enumerate(used):
            row, column = divmod(place, in_row)
            self._cells[field].grid(row=row, column=column, sticky="ew")

    def fit(self, room: int) -> None:
        """Put as many rarer settings in a row as *room*, in pixels, has place for."""
        self._room = room
        self._place_rarer_settings()

    def _compare_rules(self) -> None:
        """Show what each update rule does, one below the other."""
        theme = self._theme
        parent = self.winfo_toplevel()
        assert isinstance(parent, tk.Toplevel)
        dialog = Dialog(parent, theme, "Update Rules")
        for rule in UPDATE_RULES.values():
            parts = {
                rule.label: "Strong.TLabel",
                rule.about: "TLabel",
                rule.formula: "Muted.TLabel",
            }
            for text, style in parts.items():
                label = ttk.Label(dialog.body, text=text, style=style, wraplength=theme.px(160))
                label.grid(sticky="w", pady=(0, theme.px(0.5)))
            label.grid(pady=(0, theme.px(3)))
        dialog.appear()

    def _preview(self, name: str, choice: str) -> None:
        """Show what a *choice* in the open list of the field *name* would mean."""
        values = {text: value for value, text in form_values.FORM_CHOICES[name].items()}
        self._show_help(name, {name: values[choice]})

    def _show_help(self, name: str = "", previewed: Mapping[str, str] | None = None) -> None:
        """Show what is wrong, or what the field *name* means, with values that are *previewed*."""
        texts = {**self.texts(), **(previewed or {})}
        text, over = form_values.help_texts(
            name, texts, is_unfolded=self.is_unfolded, is_running=not self._changeable
        )
        self.meaning.configure(text=over)
        style = "Warning.TLabel" if self._problem else "Muted.TLabel"
        self.help.configure(text=self._problem or self._note or text, style=style)


def _most_in_a_row(widths: Sequence[int], room: int) -> int:
    """Return how many fields of these *widths* stand in each row so that all columns fit *room*.

    >>> _most_in_a_row([70, 110, 90, 90, 130], 370), _most_in_a_row([70, 110, 90, 90, 130], 300)
    (3, 2)
    """
    for count in range(_IN_ROW, 1, -1):
        columns = [max(widths[n::count], default=0) for n in range(count)]
        if sum(columns) <= room:
            return count
    return 1
