"""The formula of a step in a replay, in large type, with words under its terms."""

import tkinter as tk
from collections.abc import Sequence
from tkinter.font import Font

from traffic_lights.gui.kit.theme import Theme
from traffic_lights.workshop.formula import Term


class FormulaView(tk.Canvas):
    """Shows terms in a row, large, with the words under each."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        super().__init__(parent, width=1, height=1, highlightthickness=0, borderwidth=0)
        self._theme = theme
        self.terms: Sequence[Term] = ()
        for event in ("<Configure>", "<<ThemeChanged>>"):
            self.bind(event, lambda _: self._paint())

    @property
    def wanted_height(self) -> int:
        """The height that it needs, in pixels: a large line, and two small ones."""
        theme = self._theme
        return theme.title.metrics("linespace") + 2 * theme.body.metrics("linespace") + theme.px(1)

    def show(self, terms: Sequence[Term]) -> None:
        """Show *terms* from left to right."""
        self.terms = terms
        self._paint()

    def _paint(self) -> None:
        theme = self._theme
        colours = theme.colours
        self.delete("all")
        self.configure(background=colours.window)
        large = theme.title
        widths = self._widths(large)
        if sum(widths) > self.winfo_width():
            large = theme.strong
            widths = self._widths(large)
        y = theme.title.metrics("linespace") / 2
        x = 0.0
        for term, width in zip(self.terms, widths, strict=True):
            middle = x + width / 2
            colour = colours.accent if term.is_new else colours.text
            self.create_text(middle, y, text=term.text, font=large, fill=colour)
            self.create_text(
                middle, 2 * y, text=term.words, font=theme.body, fill=colours.muted,
                anchor="n", justify=tk.CENTER,
            )  # fmt: skip
            x += width

    def _widths(self, large: Font) -> list[float]:
        """Return the widths of the terms if their text has the font *large*."""
        theme = self._theme
        gap = theme.px(2)
        widths: list[float] = []
        for term in self.terms:
            lines = [theme.body.measure(line) for line in term.words.split("\n")]
            widths.append(gap + max(large.measure(term.text), *lines))
        return widths
