"""The two player cards above the board: who sits in a seat, whose turn it is, and the games won."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.keys import focused_widget
from traffic_lights.gui.kit.smooth import CanvasImages, disc
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.main.presenter import CardFace

SWAP: Final = "⇄"
TAKE_TURNS: Final = "Take turns"


class PlayerCard(tk.Canvas):
    """The card of one seat; *choose* is called by a click, Return, Space or Down."""

    def __init__(
        self, parent: tk.Misc, theme: Theme, seat: int, choose: Callable[[int], object]
    ) -> None:
        super().__init__(parent, highlightthickness=0, borderwidth=0, takefocus=1, width=1)
        self._theme = theme
        self._seat = seat
        self._images = CanvasImages(self)
        self._is_hovered = False
        self.face = CardFace("", "", "")
        for event in ("<Button-1>", "<Return>", "<KP_Enter>", "<space>", "<Down>"):
            self.bind(event, lambda _: choose(seat) or "break")
        for event in ("<Configure>", "<FocusIn>", "<FocusOut>", "<<ThemeChanged>>"):
            self.bind(event, lambda _: self._draw())
        self.bind("<Enter>", lambda _: self._hover(True))
        self.bind("<Leave>", lambda _: self._hover(False))

    def _hover(self, is_hovered: bool) -> None:
        self._is_hovered = is_hovered
        self._draw()

    def show(self, face: CardFace) -> None:
        if face != self.face:
            self.face = face
            self._draw()

    def _draw(self) -> None:
        theme, c, face = self._theme, self._theme.colours, self.face
        width, height = self.winfo_width(), self.winfo_height()
        middle, inside = height / 2, c.pressed if self._is_hovered else c.surface
        has_focus = focused_widget(self) is self
        edge = theme.ring if has_focus else 1
        self.delete(tk.ALL)
        self.create_rectangle(
            edge // 2, edge // 2, width - (edge + 1) // 2, height - (edge + 1) // 2, width=edge,
            fill=inside, outline=c.accent if has_focus else c.border,
        )  # fmt: skip
        # The player's number stands on a disc, which is filled while the player is to move.
        seat, radius = (theme.px(5.5), middle), theme.px(3)
        size = 2 * radius + 2, 2 * radius + 2
        self._images.draw_shape(seat, size, c.accent if face.is_to_move else c.border, disc, radius)
        if not face.is_to_move:
            self._images.draw_shape(seat, size, inside, disc, radius - max(1.5, theme.px(0.4)))
        fill = c.on_accent if face.is_to_move else c.muted
        self.create_text(*seat, text=str(self._seat + 1), font=theme.strong, fill=fill)
        # An arrow shows that the card opens a list.
        right, step = width - theme.px(3), theme.px(1)
        top = middle - step / 2
        arrow = [right - 2 * step, top, right - step, top + step, right, top]
        self.create_line(
            arrow, fill=c.muted, width=max(2, theme.px(0.5)), capstyle=tk.ROUND, joinstyle=tk.ROUND
        )
        left, right = theme.px(10.5), right - theme.px(4)
        score = theme.title.measure(face.score)
        if face.score and right - left > 2 * score + theme.px(12):
            self.create_text(
                right, middle, text=face.score, anchor="e", font=theme.title, fill=c.text
            )
            right -= score + theme.px(2)
        line = theme.body.metrics("linespace")
        for down, text, font, fill in (
            (-0.55, face.name, theme.strong, c.text),
            (0.55, face.about, theme.body, c.muted),
        ):
            self.create_text(
                left, middle + down * line, anchor="w", font=font, fill=fill,
                text=fitted(text, font.measure, right - left),
            )  # fmt: skip


def fitted(text: str, measure: Callable[[str], int], room: float) -> str:
    """Return the start of *text* that fits *room* pixels, with an ellipsis if it is cut."""
    if measure(text) <= room:
        return text
    starts = (f"{text[:length].rstrip()}…" for length in range(len(text) - 1, 0, -1))
    return next((start for start in starts if measure(start) <= room), "…")


class CardRow(ttk.Frame):
    """Both cards, with the arrow that swaps the seats and the tick "Take turns" between them."""

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        choose: Callable[[int], object],
        run: Callable[[str], object],
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.cards = [PlayerCard(self, theme, seat, choose) for seat in (0, 1)]
        for seat, card in enumerate(self.cards):
            self.columnconfigure(2 * seat, weight=1, uniform="card")
            card.grid(row=0, column=2 * seat, rowspan=2, sticky="nsew")
        self.rowconfigure((0, 1), weight=1)
        self.swap = ttk.Button(self, text=SWAP, width=4, style="Swap.TButton")
        self.swap.configure(command=lambda: run("swap"))
        self.swap.grid(row=0, column=1)
        self.turns = ttk.Checkbutton(self, text=TAKE_TURNS)
        self.turns.configure(command=lambda: run("take_turns"))
        self.turns.bind("<Return>", lambda _: self.turns.invoke())
        self.turns.grid(row=1, column=1)

    def height(self) -> int:
        return round(3.2 * self._theme.body.metrics("linespace"))

    def show(self, faces: tuple[CardFace, CardFace], take_turns: bool) -> None:
        """Show *faces*, and whether the players take turns to start."""
        self.turns.state(["!alternate", "selected" if take_turns else "!selected"])
        for card, face in zip(self.cards, faces, strict=True):
            card.show(face)

    def retheme(self) -> None:
        theme = self._theme
        theme.style.configure("Swap.TButton", padding=(theme.px(1), 0), font=theme.strong)
        tick = theme.px(10)  # with the room around it
        self.columnconfigure(1, minsize=theme.body.measure(TAKE_TURNS) + tick)
        for card in self.cards:
            card.configure(height=self.height())
