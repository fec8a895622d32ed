"""The matrix of the Strength tab: a cell with the score of each bot against each opponent."""

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from traffic_lights.drawing.palette import ON_WASH, wash
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.judging.evaluation import Row
from traffic_lights.players.roster import Entry
from traffic_lights.storage.words import fitted
from traffic_lights.workshop.comparing import Pair, score_of, score_text

_LONGEST_NAME: Final = 20
_WIDEST: Final = "≈ 100.0 %"
"""What the cells have room for at least."""


class ScoreMatrix(tk.Canvas):
    """Shows the scores; a click or an arrow key gives *on_choose* the pair of a cell."""

    def __init__(self, parent: tk.Misc, theme: Theme, on_choose: Callable[[Pair], object]) -> None:
        super().__init__(parent, takefocus=1)
        self._theme = theme
        self._on_choose = on_choose
        self._bots: Sequence[Entry] = ()
        self._opponents: Sequence[Entry] = ()
        self._chosen = 0, 0
        """The line and the column of the chosen cell."""
        self._left = self._wide = self._high = 1
        """Where the first column begins, and the size of a cell, in pixels."""
        self.bind("<Button-1>", lambda event: self._clicked(event.x, event.y))
        for key, down, right in (("Up", -1, 0), ("Down", 1, 0), ("Left", 0, -1), ("Right", 0, 1)):
            self.bind(f"<{key}>", partial(self._step, down, right))

    def show(
        self,
        bots: Sequence[Entry],
        opponents: Sequence[Entry],
        rows: Mapping[Pair, Row],
        chosen: Pair | None,
        *,
        room: int,
    ) -> None:
        """Show what is known of the pairs in *rows*, with their names around, and one *chosen*.

        Names of opponents are shortened if *room*, in pixels, is not enough for all of them.
        """
        self._bots = bots
        self._opponents = opponents
        theme = self._theme
        colours = theme.colours
        names = {
            entry.key: fitted(entry.name, len, _LONGEST_NAME, keeps_end=True)
            for entry in (*bots, *opponents)
        }
        gap = theme.px(2)
        high = self._high = round(1.7 * theme.body.metrics("linespace"))
        longest = max((theme.strong.measure(names[bot.key]) for bot in bots), default=0)
        left = self._left = 2 * gap + longest
        least = theme.body.measure(_WIDEST)
        longest = max((theme.body.measure(names[one.key]) for one in opponents), default=least)
        fair = (room - left) // max(len(opponents), 1) - gap
        wide = self._wide = gap + max(least, min(longest + gap, fair))
        self.delete("all")
        self.configure(
            width=left + wide * len(opponents), height=high * (len(bots) + 1),
            background=colours.surface, highlightthickness=theme.ring,
            highlightbackground=colours.surface, highlightcolor=colours.accent,
        )  # fmt: skip
        for column, opponent in enumerate(opponents):
            x = left + (column + 0.5) * wide
            name = fitted(opponent.name, theme.body.measure, wide - gap, keeps_end=True)
            self.create_text(x, high / 2, text=name, fill=colours.text, font=theme.body)
        for line, bot in enumerate(bots):
            y = (line + 1.5) * high
            name = names[bot.key]
            self.create_text(gap, y, text=name, fill=colours.text, font=theme.strong, anchor="w")
            for column, opponent in enumerate(opponents):
                pair = bot.key, opponent.key
                if pair == chosen:
                    self._chosen = line, column
                self._draw_cell(line, column, rows.get(pair), is_chosen=pair == chosen)

    def _draw_cell(self, line: int, column: int, row: Row | None, *, is_chosen: bool) -> None:
        theme = self._theme
        colours = theme.colours
        edge = theme.px(0.75)
        x = self._left + column * self._wide
        y = (line + 1) * self._high
        text = score_text(row) if row is not None else ""
        score = score_of(row) if row is not None else None
        fill = colours.pressed
        ink = colours.text
        if row is not None and score is not None:
            # Against the exact player, who wins as Player 2, the best possible score is 50 %.
            fill = wash(2 * min(1.0, score / row.best_total) - 1)
            ink = ON_WASH
        self.create_rectangle(
            x + edge, y + edge, x + self._wide - edge, y + self._high - edge, fill=fill, width=edge,
            outline=colours.text if is_chosen else colours.surface,
        )  # fmt: skip
        middle = x + self._wide / 2, y + self._high / 2
        self.create_text(*middle, text=text, fill=ink, font=theme.body)

    def _clicked(self, x: int, y: int) -> None:
        self.focus_set()
        self._choose(y // self._high - 1, (x - self._left) // self._wide)

    def _step(self, down: int, right: int, _: object) -> None:
        line, column = self._chosen
        self._choose(line + down, column + right)

    def _choose(self, line: int, column: int) -> None:
        if 0 <= line < len(self._bots) and 0 <= column < len(self._opponents):
            self._on_choose((self._bots[line].key, self._opponents[column].key))
