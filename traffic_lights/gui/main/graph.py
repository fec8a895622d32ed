"""The course of a game as bars: who was winning after each move, and how near the win was.

A bar points up where the only person wins with best play, or the first of two people or bots, and
down where the other player does. The nearer the win, the longer the bar. A mistake has a question
mark at the end of its bar.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from traffic_lights.board.rules import LONGEST_GAME, format_cell, mover
from traffic_lights.board.tablebase import moves_of_winner
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import focused_widget
from traffic_lights.play import texts
from traffic_lights.play.session import Session
from traffic_lights.storage.words import fitted

SHORTEST: Final = 0.12
"""The length of the bar of a win that is furthest away, as a share of the longest bar."""
LINES: Final = 8
"""The height of the graph, in lines of text."""
WIDEST: Final = 5.0
"""The most that a bar takes of the width, in steps of 4 pixels at 96 dpi."""


class Bar(NamedTuple):
    """One move in the graph."""

    height: float
    """From -1, the player of a bar down has won, to 1, the player of a bar up has."""
    is_mistake: bool
    text: str
    """What is read of it: ``Move 7, b2??: Beginner wins in 4``."""


def seat_up(session: Session) -> int:
    """Return the seat whose wins point up: that of the only person, otherwise the first."""
    return session.only_human or 0


def bars_of(session: Session) -> list[Bar]:
    """Return a bar for each move made, if the verdict on every move is shown."""
    game = session.game
    if not session.shows_all_verdicts:
        return []
    bars: list[Bar] = []
    for number, action in enumerate(game.actions, 1):
        verdict = session.shown_verdict(number)
        if verdict is None:
            return []
        seat = mover(verdict.state)
        left = verdict.distance - 1
        winner = seat if verdict.distance % 2 else 1 - seat
        length = 1 - (1 - SHORTEST) * left / LONGEST_GAME
        wins = texts.wins(texts.seat_name(game.players, winner))
        when = f"in {moves_of_winner(verdict.distance)}" if left else "now"
        text = f"Move {number}, {format_cell(action)}{verdict.mark}: {wins} {when}"
        height = length if winner == seat_up(session) else -length
        bars.append(Bar(height, verdict.is_mistake, text))
    return bars


class Places(NamedTuple):
    """Where the bars stand on a canvas, in pixels."""

    left: float
    pitch: float
    middle: float
    longest: float
    """The length of a bar of a player who has won."""

    def bar(self, number: int, height: float) -> tuple[float, float, float, float]:
        """Return the box of the bar *number*, from 0, left, top, right, bottom."""
        gap = max(1.0, 0.16 * self.pitch)
        x = self.left + number * self.pitch
        top, bottom = sorted((self.middle, self.middle - height * self.longest))
        return x + gap / 2, top, x + self.pitch - gap / 2, bottom

    def number_at(self, x: float, count: int) -> int:
        """Return the bar, from 0, of *count* that is nearest to *x*."""
        return min(max(int((x - self.left) // self.pitch), 0), count - 1)


class GameGraph(tk.Canvas):
    """The graph on a canvas; a click or a key calls *go_to* with the number of moves before."""

    def __init__(self, parent: tk.Misc, theme: Theme, go_to: Callable[[int], object]) -> None:
        super().__init__(parent, width=1, height=1, borderwidth=0, takefocus=1, cursor="hand2")
        self._theme = theme
        self._go_to = go_to
        self._bars: Sequence[Bar] = ()
        self._directions = ("", "")
        """What a bar up and a bar down mean."""
        self._current = 0
        self._pointed: int | None = None
        """The bar under the pointer, from 0."""
        self.bind("<Configure>", lambda _: self._draw())
        self.bind("<FocusIn>", lambda _: self._draw())
        self.bind("<FocusOut>", lambda _: self._draw())
        self.bind("<Motion>", lambda event: self._point(event.x))
        self.bind("<Leave>", lambda _: self._point(None))
        self.bind("<Button-1>", lambda event: self._clicked(event.x))
        for key, steps in (("Left", -1), ("Up", -1), ("Right", 1), ("Down", 1)):
            self.bind(f"<{key}>", partial(self._step, steps))
        self.bind("<Home>", lambda _: self._go(0))
        self.bind("<End>", lambda _: self._go(len(self._bars)))

    def show(self, bars: Sequence[Bar], names: tuple[str, str], current: int) -> None:
        """Show *bars*, and that of the *current* move, from 1; the first of *names* is up."""
        self._bars = bars
        up, down = (f"{name} {'are' if name == 'You' else 'is'} winning" for name in names)
        self._directions = f"▲ {up}", f"▼ {down}"
        self._current = current
        self._draw()

    def retheme(self) -> None:
        """Take the colours and sizes of the theme."""
        theme = self._theme
        self.configure(
            background=theme.colours.surface, height=LINES * theme.body.metrics("linespace"),
            highlightthickness=theme.ring, highlightcolor=theme.colours.accent,
            highlightbackground=theme.colours.surface,
        )  # fmt: skip
        self._draw()

    def _places(self) -> Places:
        """Return where the bars stand; above and below them, two lines of text stay free."""
        line = self._theme.body.metrics("linespace")
        middle = self.winfo_height() / 2
        return Places(
            left=line / 2,
            pitch=min((self.winfo_width() - line) / len(self._bars), self._theme.px(WIDEST)),
            middle=middle,
            longest=middle - 2.2 * line,
        )

    def _draw(self) -> None:
        self.delete(tk.ALL)
        if not self._bars or self.winfo_width() < 2:
            return
        theme = self._theme
        c = theme.colours
        at = self._places()
        right = self.winfo_width() - at.left
        read = self._current - 1
        if self._pointed is not None:
            read = min(self._pointed, len(self._bars) - 1)
        if read >= 0:
            x0, _, x1, _ = at.bar(read, 1)
            top = at.middle - at.longest - 2
            bottom = at.middle + at.longest + 2
            self.create_rectangle(x0 - 1, top, x1 + 1, bottom, fill=c.pressed, width=0)
        for number, bar in enumerate(self._bars):
            fill = c.accent if bar.height > 0 else c.muted
            self.create_rectangle(*at.bar(number, bar.height), fill=fill, width=0)
        self.create_line(at.left, at.middle, right, at.middle, fill=c.border)
        for number, bar in enumerate(self._bars):
            if bar.is_mistake:
                self._draw_mistake(at, number, bar)
        self._write(read, right)

    def _draw_mistake(self, at: Places, number: int, bar: Bar) -> None:
        """Draw a question mark beyond the end of the bar, on the side of the axis that it is on."""
        x0, top, x1, bottom = at.bar(number, bar.height)
        half = self._theme.strong.metrics("linespace") / 2
        y = top - half + 2 if bar.height > 0 else bottom + half - 1
        self.create_text(
            (x0 + x1) / 2, y, text="?", font=self._theme.strong, fill=self._theme.colours.warning
        )

    def _write(self, read: int, right: float) -> None:
        """Write who is up and who is down, and what is read of the bar *read*."""
        theme = self._theme
        line = theme.body.metrics("linespace")
        up, down = self._directions
        top = 0.6 * line
        foot = self.winfo_height() - 0.6 * line
        room = right - line / 2
        text = self._bars[read].text if read >= 0 else ""
        if text and (self._pointed is not None or focused_widget(self) is self):
            up = text
        for y, words in ((top, up), (foot, down)):
            words = fitted(words, theme.body.measure, room)
            self.create_text(
                line / 2, y, text=words, anchor="w", font=theme.body, fill=theme.colours.muted
            )

    def _point(self, x: float | None) -> None:
        pointed = None
        if x is not None and self._bars:
            pointed = self._places().number_at(x, len(self._bars))
        if pointed != self._pointed:
            self._pointed = pointed
            self._draw()

    def _clicked(self, x: float) -> str:
        self.focus_set()
        if self._bars:
            self._go(self._places().number_at(x, len(self._bars)) + 1)
        return "break"

    def _step(self, steps: int, _: object) -> str:
        return self._go(self._current + steps)

    def _go(self, index: int) -> str:
        self._go_to(min(max(index, 0), len(self._bars)))
        return "break"
