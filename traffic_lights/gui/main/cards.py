"""The two player cards above the board, and the list that a click on a card opens.

A card shows who sits in a seat, whose turn it is and the games won. The list offers a human player,
the six levels, the user's own bots and programs, and all other bots under "More".
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.keys import focused_widget
from traffic_lights.gui.kit.smooth import SmoothShapes, disc
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.main.presenter import PERSON, CardFace, Option

SWAP: Final = "⇄"
TAKE_TURNS: Final = "Take turns"
MORE: Final = "more"


class PlayerCard(tk.Canvas):
    """The card of one seat; *choose* is called by a click, Return, Space or Down."""

    def __init__(
        self, parent: tk.Misc, theme: Theme, seat: int, choose: Callable[[int], object]
    ) -> None:
        super().__init__(parent, highlightthickness=0, borderwidth=0, takefocus=1, width=1)
        self._theme = theme
        self._seat = seat
        self._shapes = SmoothShapes(self)
        self._is_hovered = False
        self.face = CardFace("", "", "")

        def act(_: object) -> str:
            choose(seat)
            return "break"

        for event in ("<Button-1>", "<Return>", "<KP_Enter>", "<space>", "<Down>"):
            self.bind(event, act)
        for event in ("<Configure>", "<FocusIn>", "<FocusOut>", "<<ThemeChanged>>"):
            self.bind(event, lambda _: self._draw())
        self.bind("<Enter>", lambda _: self._hover(True))
        self.bind("<Leave>", lambda _: self._hover(False))

    def _hover(self, is_hovered: bool) -> None:
        self._is_hovered = is_hovered
        self._draw()

    def show(self, face: CardFace) -> None:
        """Show *face*."""
        if face == self.face:
            return
        self.face = face
        self._draw()

    def _draw(self) -> None:
        theme, c, face = self._theme, self._theme.colours, self.face
        width, height = self.winfo_width(), self.winfo_height()
        self.delete(tk.ALL)
        self.configure(background=c.window)
        has_focus = focused_widget(self) is self
        edge = theme.ring if has_focus else 1
        self.create_rectangle(
            edge // 2, edge // 2, width - (edge + 1) // 2, height - (edge + 1) // 2, width=edge,
            fill=c.pressed if self._is_hovered else c.surface,
            outline=c.accent if has_focus else c.border,
        )  # fmt: skip
        self._draw_seat(theme.px(5.5), height / 2)
        right = width - theme.px(3)
        self._draw_arrow(right, height / 2)
        right -= theme.px(4)
        left = theme.px(10.5)
        if face.score and right - left > 2 * theme.title.measure(face.score) + theme.px(12):
            self.create_text(
                right, height / 2, text=face.score, anchor="e", font=theme.title, fill=c.text
            )
            right -= theme.title.measure(face.score) + theme.px(2)
        line = theme.body.metrics("linespace")
        for down, text, font, fill in (
            (-0.55, face.name, theme.strong, c.text),
            (0.55, face.about, theme.body, c.muted),
        ):
            self.create_text(
                left, height / 2 + down * line, anchor="w", font=font, fill=fill,
                text=fitted(text, font.measure, right - left),
            )  # fmt: skip

    def _draw_seat(self, x: float, y: float) -> None:
        """Draw the player's number on a disc, which is filled while the player is to move."""
        theme, c = self._theme, self._theme.colours
        radius = theme.px(3)
        size = 2 * radius + 2, 2 * radius + 2
        if self.face.is_to_move:
            self._shapes.draw((x, y), size, c.accent, disc, radius)
        else:
            self._shapes.draw((x, y), size, c.border, disc, radius)
            inside = c.pressed if self._is_hovered else c.surface
            self._shapes.draw((x, y), size, inside, disc, radius - max(1.5, theme.px(0.4)))
        fill = c.on_accent if self.face.is_to_move else c.muted
        self.create_text(x, y, text=str(self._seat + 1), font=theme.strong, fill=fill)

    def _draw_arrow(self, x: float, y: float) -> None:
        """Draw the sign that the card opens a list."""
        step = self._theme.px(1)
        points = [(x - 2 * step, y - step / 2), (x - step, y + step / 2), (x, y - step / 2)]
        self.create_line(
            points, fill=self._theme.colours.muted, width=max(2, self._theme.px(0.5)),
            capstyle=tk.ROUND, joinstyle=tk.ROUND,
        )  # fmt: skip


def fitted(text: str, measure: Callable[[str], int], room: float) -> str:
    """Return the start of *text* that fits *room* pixels, with an ellipsis if it is cut."""
    if measure(text) <= room:
        return text
    starts = (f"{text[:length].rstrip()}…" for length in range(len(text) - 1, 0, -1))
    return next((start for start in starts if measure(start) <= room), "…")


class PlayerList(ttk.Frame):
    """The list under a card; it lies over the board and closes with Escape or a click elsewhere.

    *chosen* is called with the key of a bot, or with PERSON and the name in the field.
    """

    def __init__(self, root: tk.Tk, theme: Theme, chosen: Callable[[str, str], object]) -> None:
        super().__init__(root, style="Card.TFrame", padding=theme.px(2))
        self._theme = theme
        self._chosen = chosen
        self._players: dict[str, Option] = {}
        self._leave: Callable[[], object] = lambda: None
        self.columnconfigure(1, weight=1)
        self.rowconfigure(0, weight=1)
        self.rows = ttk.Treeview(self, columns=("strength",), show="tree", selectmode="browse")
        self.rows.grid(row=0, column=0, columnspan=2, sticky="nsew")
        bar = ttk.Scrollbar(self, command=self.rows.yview)
        bar.grid(row=0, column=2, sticky="ns")
        self.rows.configure(yscrollcommand=bar.set)
        self.about = ttk.Label(self, style="SurfaceMuted.TLabel", anchor="nw", width=1)
        self.about.grid(row=1, column=0, columnspan=3, sticky="nsew")
        self._label = ttk.Label(self, text="Person's name", style="Surface.TLabel")
        self._label.grid(row=2, column=0, sticky="w")
        self.name = ttk.Entry(self, font=theme.body, width=1)
        self.name.grid(row=2, column=1, columnspan=2, sticky="ew")
        self.rows.bind("<ButtonRelease-1>", self._clicked)
        self.rows.bind("<Motion>", lambda e: self._explain(str(self.rows.identify_row(e.y))))
        self.rows.bind("<<TreeviewSelect>>", lambda _: self._explain(self.rows.focus()))
        for key in ("<Return>", "<KP_Enter>", "<space>"):
            self.rows.bind(key, lambda _: self._take(self.rows.focus()))
            if key != "<space>":
                self.name.bind(key, lambda _: self._take(PERSON))
        for widget in (self.rows, self.name):
            widget.bind("<Escape>", lambda _: self.close())
            widget.bind("<FocusOut>", lambda _: self.after_idle(self._look_for_focus), add="+")

    @property
    def is_open(self) -> bool:
        """Return whether the list is shown."""
        return bool(self.winfo_manager())

    def open(
        self, under: tk.Widget, options: list[Option], current: str, name: str,
        leave: Callable[[], object],
    ) -> None:  # fmt: skip
        """Show *options* below the card *under*, with *current* chosen; call *leave* at the end."""
        self._leave = leave
        self._fill(options)
        self.name.delete(0, tk.END)
        self.name.insert(0, name)
        self._place(under, 2 + sum(not option.is_more for option in options))
        first = current if self.rows.exists(current) else PERSON
        self.rows.selection_set(first)
        self.rows.focus(first)
        self.rows.see(first)
        self.rows.focus_set()

    def _place(self, under: tk.Widget, lines: int) -> None:
        """Lie below *under*, with room for *lines* rows, as far as the window goes."""
        theme, root = self._theme, self.winfo_toplevel()
        space, edge = theme.px(2), theme.px(3)
        wide = min(theme.px(82), root.winfo_width() - 2 * edge)
        self.about.configure(wraplength=wide - 4 * space, padding=(0, space))
        self._label.grid_configure(padx=(0, space))
        self.rowconfigure(1, minsize=3 * theme.body.metrics("linespace") + 2 * space)
        x = min(under.winfo_rootx() - root.winfo_rootx(), root.winfo_width() - edge - wide)
        y = under.winfo_rooty() - root.winfo_rooty() + under.winfo_height() + theme.px(0.5)
        line = int(theme.style.lookup("Treeview", "rowheight") or 20)
        below = self.name.winfo_reqheight() + 3 * theme.body.metrics("linespace") + 7 * space
        high = min(lines * line + below, root.winfo_height() - y - edge)
        self.place(x=max(edge, x), y=y, width=wide, height=high)
        self.lift()

    def _fill(self, options: list[Option]) -> None:
        theme, rows = self._theme, self.rows
        rows.delete(*rows.get_children())
        self._players = {option.key: option for option in options}
        rows.tag_configure("greyed", foreground=theme.colours.disabled)
        for option in options:
            if option.is_more and not rows.exists(MORE):
                rows.insert("", tk.END, MORE, text="More")
            rows.insert(
                MORE if option.is_more else "", tk.END, option.key, text=option.name,
                values=(option.strength,), tags=() if option.is_ready else ("greyed",),
            )  # fmt: skip
        dots = max(theme.body.measure(option.strength) for option in options)
        rows.column("strength", width=dots + theme.px(3), stretch=False)
        rows.column("#0", width=theme.px(40), stretch=True)

    def _explain(self, key: str) -> None:
        """Say what the player *key* does, or why it cannot play."""
        option = self._players.get(key)
        self.about.configure(text="" if option is None else option.about)

    def _clicked(self, event: tk.Event[tk.Misc]) -> None:
        self._take(str(self.rows.identify_row(event.y)))

    def _take(self, key: str) -> str:
        """Seat the player *key*, open "More", or do nothing for a bot that cannot play."""
        if key == MORE:
            self.rows.item(MORE, open=not self.rows.item(MORE, "open"))
        elif key in self._players and self._players[key].is_ready:
            name = self.name.get().strip()
            self.close()
            self._chosen(key, name)
        return "break"

    def _look_for_focus(self) -> None:
        """Close the list when the keyboard went elsewhere."""
        if self.is_open and focused_widget(self) not in (self.rows, self.name):
            self.place_forget()

    def close(self) -> str:
        """Close the list and give the keyboard back."""
        if self.is_open:
            self.place_forget()
            self._leave()
        return "break"


class CardRow(ttk.Frame):
    """Both cards, with the arrow that swaps the seats and the tick "Take turns" between them."""

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        choose: Callable[[int], object],
        swap: Callable[[], object],
        take_turns: Callable[[bool], object],
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.cards = [PlayerCard(self, theme, seat, choose) for seat in (0, 1)]
        for seat, card in enumerate(self.cards):
            self.columnconfigure(2 * seat, weight=1, uniform="card")
            card.grid(row=0, column=2 * seat, rowspan=2, sticky="nsew")
        self.swap = ttk.Button(self, text=SWAP, command=swap, width=4, style="Swap.TButton")
        self.swap.grid(row=0, column=1)
        self._turns = tk.BooleanVar(self)
        self.turns = ttk.Checkbutton(
            self, text=TAKE_TURNS, variable=self._turns,
            command=lambda: take_turns(self._turns.get()),
        )  # fmt: skip
        self.turns.bind("<Return>", lambda _: self.turns.invoke())
        self.turns.grid(row=1, column=1)
        for row in (0, 1):
            self.rowconfigure(row, weight=1)

    def height(self) -> int:
        """Return the height of the cards in pixels."""
        return round(3.2 * self._theme.body.metrics("linespace"))

    def show(self, faces: tuple[CardFace, CardFace], take_turns: bool) -> None:
        """Show *faces*, and whether the players take turns to start."""
        self._turns.set(take_turns)
        for card, face in zip(self.cards, faces, strict=True):
            card.show(face)

    def retheme(self) -> None:
        """Take over a change of theme or size."""
        theme, c = self._theme, self._theme.colours
        theme.style.configure("Swap.TButton", padding=(theme.px(1), 0), font=theme.strong)
        theme.style.configure(
            "Card.TFrame", background=c.surface, relief="solid", bordercolor=c.border
        )
        tick = theme.px(10)  # with the room around it
        self.columnconfigure(1, minsize=theme.body.measure(TAKE_TURNS) + tick)
        for card in self.cards:
            card.configure(height=self.height())
