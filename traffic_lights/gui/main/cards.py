"""The cards above the board: who sits in a seat, whose turn it is, and the games won.

A click on a card opens the list of players: a human, the six levels, the user's own bots and
programs, and all other bots under "More".
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import cache, partial
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.lamps import CanvasImages, disc
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import focused_widget
from traffic_lights.gui.main.context import Context, win_key
from traffic_lights.players.game import Player
from traffic_lights.players.roster import Entry, Group
from traffic_lights.session.session import Phase, Players

SWAP: Final = "⇄"
TAKE_TURNS: Final = "Take turns"
PERSON: Final = "person"
"""The row of a human player; that of a bot has the key of the roster."""
MORE: Final = "more"
SHOWN: Final = (Group.LEVEL, Group.OWN, Group.PROGRAM)
"""The groups that do not stand under "More", in their order."""


def shown_name(players: Players, seat: int) -> str:
    """Return the name of the player of *seat* on a card or over a column."""
    number = f"Player {seat + 1}" if players[1 - seat].is_human else "You"
    return players[seat].name or number


def fitted(text: str, measure: Callable[[str], int], room: float) -> str:
    """Return the start of *text* that fits *room* pixels, with an ellipsis if it is cut."""
    if measure(text) <= room:
        return text
    starts = (f"{text[:length].rstrip()}…" for length in range(len(text) - 1, 0, -1))
    return next((start for start in starts if measure(start) <= room), "…")


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
        self.name = self.about = self.score = ""
        self.is_marked = False
        """Whether the player is to move, or has won."""
        for event in ("<Button-1>", "<Return>", "<KP_Enter>", "<space>", "<Down>"):
            self.bind(event, lambda _: choose(seat) or "break")
        for event in ("<Configure>", "<FocusIn>", "<FocusOut>", "<<ThemeChanged>>"):
            self.bind(event, lambda _: self.draw())
        for event, is_hovered in (("<Enter>", True), ("<Leave>", False)):
            self.bind(event, partial(self._hover, is_hovered))

    def _hover(self, is_hovered: bool, _: object) -> None:
        self._is_hovered = is_hovered
        self.draw()

    def draw(self) -> None:
        theme, c = self._theme, self._theme.colours
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
        self._images.draw_shape(seat, size, c.accent if self.is_marked else c.border, disc, radius)
        if not self.is_marked:
            self._images.draw_shape(seat, size, inside, disc, radius - max(1.5, theme.px(0.4)))
        fill = c.on_accent if self.is_marked else c.muted
        self.create_text(*seat, text=str(self._seat + 1), font=theme.strong, fill=fill)
        # An arrow shows that the card opens a list.
        right, step = width - theme.px(3), theme.px(1)
        top = middle - step / 2
        arrow = [right - 2 * step, top, right - step, top + step, right, top]
        self.create_line(
            arrow, fill=c.muted, width=max(2, theme.px(0.5)), capstyle=tk.ROUND, joinstyle=tk.ROUND
        )
        left, right = theme.px(10.5), right - theme.px(4)
        score = theme.title.measure(self.score)
        if self.score and right - left > 2 * score + theme.px(12):
            self.create_text(
                right, middle, text=self.score, anchor="e", font=theme.title, fill=c.text
            )
            right -= score + theme.px(2)
        line = theme.body.metrics("linespace")
        for down, text, font, fill in (
            (-0.55, self.name, theme.strong, c.text),
            (0.55, self.about, theme.body, c.muted),
        ):
            self.create_text(
                left, middle + down * line, anchor="w", font=font, fill=fill,
                text=fitted(text, font.measure, right - left),
            )  # fmt: skip


class CardRow(ttk.Frame):
    """Both cards, with the arrow that swaps the seats and the tick "Take turns" between them."""

    def __init__(self, parent: tk.Misc, context: Context, run: Callable[[str], object]) -> None:
        super().__init__(parent)
        self._context = context
        # The roster looks at the disk to find a bot, so what the cards say of it is remembered.
        self._about_bot = cache(self._describe)
        context.on_bots.append(self._about_bot.cache_clear)
        self.list = PlayerList(context, self)
        self.cards = [PlayerCard(self, context.theme, seat, self.list.toggle) for seat in (0, 1)]
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
        return round(3.2 * self._context.theme.body.metrics("linespace"))

    def show(self) -> None:
        """Show who plays, and whether the players take turns to start."""
        context, session = self._context, self._context.session
        is_ticked = context.userdata.settings.take_turns
        self.turns.state(["!alternate", "selected" if is_ticked else "!selected"])
        players, phase = session.players, session.phase
        scores = [context.wins[win_key(players, seat)] for seat in (0, 1)]
        marked = session.mover if phase is not Phase.SETUP else None
        if phase is Phase.OVER:
            marked = session.game.winner
        for seat, card in enumerate(self.cards):
            order = ("Moves first", "Moves second")[seat]
            card.name = shown_name(players, seat)
            card.about = self._about_bot(players[seat].bot) if players[seat].bot else order
            card.score = str(scores[seat]) if any(scores) else ""
            card.is_marked = marked == seat
            card.draw()

    def _describe(self, key: str) -> str:
        """Return in a few words which bot *key* is."""
        roster = self._context.roster
        levels = [level.key for level in roster.levels()]
        if key in levels:
            return f"Level {levels.index(key) + 1} of {len(levels)}"
        group = next((entry.group for entry in roster.entries() if entry.key == key), Group.TABLE)
        return {Group.OWN: "My bot", Group.PROGRAM: "Program"}.get(group, "Bot")

    def retheme(self) -> None:
        theme = self._context.theme
        tick = theme.px(10)  # with the room around it
        self.columnconfigure(1, minsize=theme.body.measure(TAKE_TURNS) + tick)
        for card in self.cards:
            card.configure(height=self.height())


class PlayerList(ttk.Frame):
    """The list under a card; it lies over the board and closes with Escape or a click elsewhere."""

    def __init__(self, context: Context, row: CardRow) -> None:
        theme = context.theme
        super().__init__(context.root, style="Card.TFrame", padding=theme.px(2))
        self._context = context
        self._row = row
        self._seat = 0
        self._entries: dict[str, Entry] = {}
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
        self.rows.bind("<ButtonRelease-1>", lambda e: self._take(self.rows.identify_row(e.y)))
        self.rows.bind("<Motion>", lambda e: self._explain(self.rows.identify_row(e.y)))
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
        return bool(self.winfo_manager())

    def toggle(self, seat: int) -> None:
        """Show the list for *seat* under its card, or close it."""
        if self.is_open:
            self.close()
            return
        self._seat = seat
        player = self._context.session.players[seat]
        self._fill()
        self.name.delete(0, tk.END)
        self.name.insert(0, player.name if player.is_human else "")
        self._place()
        row = player.bot if player.bot in self._entries else PERSON
        self.rows.selection_set(row)
        self.rows.focus(row)
        self.rows.see(row)
        self.rows.focus_set()

    def _fill(self) -> None:
        theme, roster, rows = self._context.theme, self._context.roster, self.rows
        levels = [level.key for level in roster.levels()]
        entries = sorted(roster.entries(), key=lambda e: [*SHOWN, e.group].index(e.group))
        self._entries = {entry.key: entry for entry in entries}
        rows.delete(*rows.get_children())
        rows.tag_configure("greyed", foreground=theme.colours.disabled)
        rows.insert("", tk.END, PERSON, text="A person")
        for key, entry in self._entries.items():
            rank = levels.index(key) + 1 if key in levels else 0
            strength = "●" * rank + "○" * (len(levels) - rank) if rank else ""
            if entry.group not in SHOWN and not rows.exists(MORE):
                rows.insert("", tk.END, MORE, text="More")
            rows.insert(
                "" if entry.group in SHOWN else MORE, tk.END, key, text=entry.name,
                values=(strength,), tags=("greyed",) if entry.problem else (),
            )  # fmt: skip
        dots = theme.body.measure("●" * len(levels))
        rows.column("strength", width=dots + theme.px(3), stretch=False)
        rows.column("#0", width=theme.px(40), stretch=True)

    def _place(self) -> None:
        """Lie below the card, with room for all rows but those under "More", if the window has."""
        theme, root = self._context.theme, self._context.root
        card = self._row.cards[self._seat]
        space, line = theme.px(2), theme.body.metrics("linespace")
        wide = min(theme.px(82), root.winfo_width() - 3 * space)
        self.about.configure(wraplength=wide - 4 * space, padding=(0, space))
        self._label.grid_configure(padx=(0, space))
        self.rowconfigure(1, minsize=3 * line + 2 * space)
        row = int(theme.style.lookup("Treeview", "rowheight") or 20)
        below = self.name.winfo_reqheight() + 3 * line + 7 * space
        room = root.winfo_rooty() + root.winfo_height() - card.winfo_rooty() - card.winfo_height()
        high = min((1 + len(self.rows.get_children())) * row + below, room - 2 * space)
        self.place(
            in_=card, relx=self._seat, rely=1, y=theme.px(0.5), width=wide, height=high,
            anchor="ne" if self._seat else "nw",
        )  # fmt: skip
        self.lift()

    def _explain(self, key: str) -> None:
        about = "Plays with the mouse or the keyboard" if key == PERSON else ""
        if key in self._entries:
            about = self._entries[key].problem or self._entries[key].about
        self.about.configure(text=about)

    def _take(self, key: str) -> str:
        """Seat the player *key*, open "More", or do nothing for a bot that cannot play."""
        context, entry = self._context, self._entries.get(key)
        if key == MORE:
            self.rows.item(MORE, open=not self.rows.item(MORE, "open"))
        elif key == PERSON or (entry is not None and not entry.problem):
            player = Player(None, self.name.get().strip()) if entry is None else context.player(key)
            self.close()
            context.seat(self._seat, player)
            context.board.focus_set()
        return "break"

    def _look_for_focus(self) -> None:
        if self.is_open and focused_widget(self) not in (self.rows, self.name):
            self.place_forget()

    def close(self) -> str:
        """Close the list and give the keyboard back to the card."""
        if self.is_open:
            self.place_forget()
            self._row.cards[self._seat].focus_set()
        return "break"
