"""The list of players that a click on a card opens.

It offers a human player, the six levels, the user's own bots and programs, and all other bots
under "More".
"""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.keys import focused_widget
from traffic_lights.gui.main.context import Context
from traffic_lights.players.game import Player
from traffic_lights.players.roster import Entry, Group

PERSON: Final = "person"
"""The row of a human player; that of a bot has the key of the roster."""
MORE: Final = "more"
SHOWN: Final = (Group.LEVEL, Group.OWN, Group.PROGRAM)
"""The groups that do not stand under "More", in their order."""


class PlayerList(ttk.Frame):
    """The list under a card; it lies over the board and closes with Escape or a click elsewhere."""

    def __init__(self, context: Context) -> None:
        theme = context.theme
        super().__init__(context.root, style="Card.TFrame", padding=theme.px(2))
        self._context = context
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
        c = theme.colours
        theme.style.configure(
            "Card.TFrame", background=c.surface, relief="solid", bordercolor=c.border
        )
        rows.tag_configure("greyed", foreground=c.disabled)
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
        card = self._context.window.cards.cards[self._seat]
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
            context.focus_board()
        return "break"

    def _look_for_focus(self) -> None:
        if self.is_open and focused_widget(self) not in (self.rows, self.name):
            self.place_forget()

    def close(self) -> str:
        """Close the list and give the keyboard back to the card."""
        if self.is_open:
            self.place_forget()
            self._context.window.cards.cards[self._seat].focus_set()
        return "break"
