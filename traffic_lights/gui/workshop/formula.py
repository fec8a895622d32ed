"""How a replayed game moved the estimate of a move: the formula in large type."""

import tkinter as tk
from collections.abc import Sequence
from tkinter import ttk
from typing import Final, NamedTuple

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import put
from traffic_lights.learning.replay import ReplayStep

NEW: Final = "new\nvalue"
ROOM: Final = 130
"""The width for a formula in large type, in steps of 4 pixels."""


class Term(NamedTuple):
    """A part of a formula, and the words under it."""

    text: str
    words: str = ""


BLANK: Final = (Term(" ", "\n"),)
"""What is as high as a formula, so that nothing moves where there is none."""


def formula(step: ReplayStep, alpha: float) -> list[Term]:
    """Return how the learning rate *alpha* moved the estimate of *step*; empty if nothing did.

    >>> " ".join(term.text for term in formula(ReplayStep(4, 0, 0.25, 0.29, 0.46), 0.2))
    'Q ← 0.25 + 0.2 × ( 0.46 − 0.25 ) = 0.29'
    """
    if step.target is None or step.is_proven:
        return []
    values = step.old, step.target, step.new
    numbers = (f"{value:.{step.decimals(alpha)}f}".replace("-", "−") for value in values)
    old, target, new = numbers
    return [
        Term("Q ←"), Term(old, "old\nvalue"), Term("+"), Term(f"{alpha:g}", "learning\nrate"),
        Term("× ("), Term(target, step.target_name.replace(" of ", " of\n")), Term("−"),
        Term(f"({old})" if step.old < 0 else old, "old\nvalue"), Term(") ="), Term(new, NEW),
    ]  # fmt: skip


class FormulaView(ttk.Frame):
    """The terms of a formula next to each other, with words under its numbers."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(parent)
        self._theme = theme

    def show(self, terms: Sequence[Term]) -> None:
        """Show *terms*, the new value in the accent colour."""
        for old in self.winfo_children():
            old.destroy()
        self.configure(height=1)  # Tk keeps the height of what has gone
        theme = self._theme
        gap = theme.px(1)
        has_room = self.master.winfo_width() > theme.px(ROOM)
        font = theme.title if has_room else theme.strong
        for column, (text, words) in enumerate(terms):
            style = "New.TLabel" if words == NEW else "TLabel"
            label = ttk.Label(self, text=text, style=style, font=font)
            put(label, row=0, column=column, padx=(0, gap))
            label = ttk.Label(self, text=words, style="Muted.TLabel", justify=tk.CENTER)
            put(label, row=1, column=column, sticky="n", padx=(0, gap))
