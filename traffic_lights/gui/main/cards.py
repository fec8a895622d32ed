"""The cards above the board: who sits in a seat, whose turn it is, and the games won.

A click on a card opens the list of players: a human, the six levels, and the user's own bots and
programs. The other bots are in the Workshop.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.canvas_pictures import CanvasPictures
from traffic_lights.gui.kit.keys import MODIFIERS, latin_key
from traffic_lights.gui.kit.smooth import disc
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import add_tip, focused_widget, put, wrapping
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.floating_list import FloatingList
from traffic_lights.play.game import Player, Players
from traffic_lights.play.userdata import LABELS, score_key
from traffic_lights.players.roster import Group
from traffic_lights.storage.words import fit_name, fitted

PERSON: Final = "person"
"""The row of a human player; that of a bot has the key of the roster."""
SHOWN: Final = (Group.LEVEL, Group.OWN, Group.PROGRAM)
"""The groups of bots in the list, in their order."""
TYPING_MS: Final = 1000
"""After this pause, the next letter begins another name."""


def shown_name(players: Players, seat: int) -> str:
    """Return the name of the player in *seat*, or the number of a nameless one."""
    number = f"Player {seat + 1}" if players[1 - seat].is_human else "You"
    return players[seat].name or number


class PlayerCard(tk.Canvas):
    """The card of one seat; *choose* is called by a click, Return, Space or Down."""

    def __init__(
        self, parent: tk.Misc, theme: Theme, seat: int, choose: Callable[[int], object]
    ) -> None:
        super().__init__(parent, highlightthickness=0, takefocus=1, width=1, cursor="hand2")
        self._theme = theme
        self._seat = seat
        self._pictures = CanvasPictures(self, self.draw)
        self.name = self.about = self.brief = self.score = ""
        """The words on the card; it shows *brief* if it has no room for *about*."""
        self.is_marked = False
        """Whether the player is to move, or has won."""
        self.is_narrow = False
        """Whether the score is small, under the arrow."""
        for event in ("<Button-1>", "<Return>", "<KP_Enter>", "<space>", "<Down>"):
            self.bind(event, lambda _: choose(seat) or "break")
        for event in ("<FocusIn>", "<FocusOut>", "<<ThemeChanged>>"):
            self.bind(event, lambda _: self.draw())

    def draw(self) -> None:
        """Draw the card again."""
        self.delete(tk.ALL)
        self._draw_edge()
        self._draw_number()
        self._draw_words()

    def _draw_edge(self) -> None:
        """Draw the surface and its edge, which is thicker while the card has the focus."""
        c = self._theme.colours
        has_focus = focused_widget(self) is self
        edge = self._theme.ring if has_focus else 1
        before = edge // 2
        after = (edge + 1) // 2
        self.create_rectangle(
            before, before, self.winfo_width() - after, self.winfo_height() - after, width=edge,
            fill=c.surface, outline=c.accent if has_focus else c.border,
        )  # fmt: skip

    def _draw_number(self) -> None:
        """Draw the player's number on a disc, which is filled while the player is to move."""
        theme = self._theme
        c = self._theme.colours
        draw_shape = self._pictures.draw_shape
        place = theme.px(5.5), self.winfo_height() / 2
        radius = theme.px(3)
        size = 2 * radius + 2, 2 * radius + 2
        if self.is_marked:
            fill = c.on_accent
            draw_shape(place, size, c.accent, disc, radius)
        else:
            fill = c.muted
            draw_shape(place, size, c.border, disc, radius)
            draw_shape(place, size, c.surface, disc, radius - max(1.5, theme.px(0.4)))
        self.create_text(*place, text=str(self._seat + 1), font=theme.strong, fill=fill)

    def _draw_words(self) -> None:
        """Draw the name, a few words about the player below it, and the score at the right."""
        theme = self._theme
        c = self._theme.colours
        draw_text = self.create_text
        middle = self.winfo_height() / 2
        half = 0.55 * theme.body.metrics("linespace")
        left, right, end = self._edges()
        name_room = about_room = right - left
        arrow_y = middle - half if self.is_narrow else middle
        draw_text(end, arrow_y, text="▾", anchor="e", font=theme.strong, fill=c.muted)
        if self.is_narrow:
            small = theme.strong
            draw_text(end, middle + half, text=self.score, anchor="e", font=small, fill=c.text)
            about_room = end - small.measure(self.score) - theme.px(1.5) - left
        elif self.score:
            draw_text(right, middle, text=self.score, anchor="e", font=theme.title, fill=c.text)
            name_room = about_room = right - left - self._score_room()
        font = theme.strong
        if font.measure(self.name) > name_room:  # in plain type, more of the name fits
            font = theme.body
        name = fitted(self.name, font.measure, name_room, keeps_end=True)
        is_long = theme.body.measure(self.about) > about_room
        about = fitted(self.brief if is_long else self.about, theme.body.measure, about_room)
        draw_text(left, middle - half, text=name, anchor="w", font=font, fill=c.text)
        draw_text(left, middle + half, text=about, anchor="w", font=theme.body, fill=c.muted)

    def _score_room(self) -> int:
        """Return the width of a large score, and the gap before it."""
        return self._theme.title.measure(self.score) + self._theme.px(2)

    def _edges(self) -> tuple[int, int, int]:
        """Return where the words begin and where they end at most, and the end of the arrow."""
        theme = self._theme
        end = self.winfo_width() - theme.px(3)
        return theme.px(10.5), end - theme.px(5), end

    @property
    def has_room(self) -> bool:
        """Whether the words leave room for a large score, if there is one."""
        theme = self._theme
        left, right, _ = self._edges()
        words = max(theme.strong.measure(self.name), theme.body.measure(self.about))
        return not self.score or words + self._score_room() <= right - left


class CardRow(ttk.Frame):
    """Both cards; between them the arrow that swaps the seats, and "Alternate who starts"."""

    def __init__(self, parent: tk.Misc, context: Context, run: Callable[[str], object]) -> None:
        super().__init__(parent)
        self._context = context
        self.grid_propagate(False)
        self.list: PlayerList | None = None
        self.cards = [PlayerCard(self, context.theme, seat, self.toggle) for seat in (0, 1)]
        for seat, card in enumerate(self.cards):
            card.bind("<Configure>", lambda _: self._draw())
            self.columnconfigure(2 * seat, weight=1, uniform="card")
            card.grid(row=0, column=2 * seat, rowspan=2, sticky="nsew")
        self.rowconfigure(0, weight=1)
        self.swap = put(
            ttk.Button(self, text="⇄", width=4, style="Swap.TButton", command=lambda: run("swap")),
            row=0, column=1,
        )  # fmt: skip
        words = LABELS["take_turns"].replace(" ", "\n", 1)  # the cards need the width
        turns = ttk.Checkbutton(
            self, text=words, style="Low.TCheckbutton", command=lambda: run("take_turns")
        )
        self.turns = put(turns, row=1, column=1, padx=(0, context.theme.px(2)))
        add_tip(self.turns, context.theme, "After each game, the players swap seats.")
        add_tip(
            self.swap, context.theme, "Swap seats now: each player takes over the other's side."
        )
        self.turns.bind("<Return>", lambda _: self.turns.invoke())
        tk.Misc.tkraise(self.cards[1])  # so that Tab goes from left to right

    def toggle(self, seat: int) -> None:
        """Open the list of players under the card of *seat*, or close it."""
        if self.list is not None and self.list.winfo_exists():
            self.list.close()
        else:
            self.list = PlayerList(self._context, self.cards[seat], seat)

    def height(self) -> int:
        """Return the height of a card, in pixels."""
        return round(3.6 * self._context.theme.body.metrics("linespace"))

    def show(self) -> None:
        """Draw the cards for the game as it is now."""
        context = self._context
        session = self._context.session
        is_ticked = context.userdata.settings.take_turns
        self.turns.state(["!alternate", "selected" if is_ticked else "!selected"])
        players = session.players
        scores = [context.userdata.score[score_key(players, seat)] for seat in (0, 1)]
        marked = session.mode.marked_seat
        levels = [level.key for level in context.roster.levels()]
        for seat, card in enumerate(self.cards):
            key = players[seat].bot
            card.name = shown_name(players, seat)
            card.about = ("Moves first", "Moves second")[seat] if key is None else "Bot"
            card.brief = ("First", "Second")[seat] if key is None else "Bot"
            if key in levels:
                card.brief = f"Level {levels.index(key) + 1}"
                card.about = f"{card.brief} of {len(levels)}"
            card.score = str(scores[seat]) if any(scores) else ""
            card.is_marked = marked == seat
        self._draw()

    def _draw(self) -> None:
        """Draw the cards; both show the score in the same way."""
        is_narrow = not all(card.has_room for card in self.cards)
        for card in self.cards:
            card.is_narrow = is_narrow
            card.draw()


class PlayerList(FloatingList):
    """The list under a card: who can sit there, what the chosen row plays like, and a name."""

    def __init__(self, context: Context, card: PlayerCard, seat: int) -> None:
        theme = context.theme
        player = context.session.players[seat]
        super().__init__(context, card, columns=("strength",))
        self._card = card
        self._seat = seat
        rows = self.rows
        about = wrapping(ttk.Label(self, style="SurfaceMuted.TLabel"))
        self.about = put(about, row=2, columnspan=3, sticky="nsew", pady=theme.px(2))
        put(ttk.Label(self, text="Person's name ", style="Surface.TLabel"), row=3)
        name = ttk.Entry(self, font=theme.body, width=1)
        self.name = put(name, row=3, column=1, columnspan=2, sticky="ew")
        self._name_before = player.name if player.is_human else ""
        name.insert(0, self._name_before)
        for key in ("<Return>", "<KP_Enter>"):
            name.bind(key, lambda _: self._taken(PERSON))
        self.hold(name)
        rows.bind("<Motion>", lambda e: self._explain(rows.identify_row(e.y)))
        rows.bind("<<TreeviewSelect>>", lambda _: self._explain(rows.focus()))
        rows.bind("<Key>", self._typed_letter)
        self._typed = ("", "")
        """The letters typed so far of the name of a player, and the Latin ones on their keys."""
        self._typed_ms = 0
        """When the last of them was typed."""
        self._fill()
        self._place()
        self.go_to(player.bot if player.bot in self._entries else PERSON)
        rows.focus_set()

    def _fill(self) -> None:
        theme = self._context.theme
        roster = self._context.roster
        rows = self.rows
        roster.refresh()
        levels = [level.key for level in roster.levels()]
        present = self._context.session.players[self._seat].bot  # may come from the Workshop
        found = [e for e in roster.entries() if e.group in SHOWN or e.key == present]
        entries = sorted(found, key=lambda e: [*SHOWN, e.group].index(e.group))
        self._entries = {entry.key: entry for entry in entries}
        self._abouts = {entry.key: entry.problem or entry.about for entry in entries}
        self._abouts[PERSON] = "Plays with the mouse or the keyboard."
        rows.tag_configure("greyed", foreground=theme.colours.disabled)
        self.add(PERSON, "A person")
        for key, entry in self._entries.items():
            strength = ""
            if key in levels:
                rank = levels.index(key) + 1
                strength = "●" * rank + "○" * (len(levels) - rank)
            tags = ("greyed",) if entry.problem else ()
            self.add(key, entry.name, values=(strength,), tags=tags)
        dots = theme.body.measure("●" * len(levels))
        rows.column("strength", width=dots + theme.px(3), stretch=False)
        rows.column("#0", width=theme.px(40))

    def _place(self) -> None:
        """Lie below the card, with room for all rows, if the window has."""
        theme = self._context.theme
        root = self._context.root
        card = self._card
        space = theme.px(2)
        line = theme.body.metrics("linespace")
        wide = min(theme.px(82), root.winfo_width() - 3 * space)
        self.rowconfigure(2, minsize=3 * line + 2 * space)
        self.rows.configure(height=len(self.rows.get_children()))
        self.update_idletasks()
        room = root.winfo_rooty() + root.winfo_height() - card.winfo_rooty() - card.winfo_height()
        self.place(
            in_=card, relx=self._seat, rely=1, y=theme.px(0.5), width=wide,
            height=min(self.winfo_reqheight(), room - 2 * space),
            anchor="ne" if self._seat else "nw",
        )  # fmt: skip
        self.lift()

    def _typed_letter(self, event: tk.Event[ttk.Treeview]) -> str | None:
        """Go to the next player whose name begins with the letters typed, as in every list."""
        letter = str(event.char)
        is_key = isinstance(event.state, int) and bool(event.state & MODIFIERS)
        if is_key or not letter.isprintable() or not letter:
            return None
        if event.time - self._typed_ms > TYPING_MS:
            self._typed = ("", "")
        self._typed_ms = event.time
        typed, latin = self._typed
        self._typed = typed + letter.lower(), latin + (latin_key(event) or letter).lower()
        rows = self.rows.get_children()
        first = rows.index(self.rows.focus())
        if not typed:  # more letters may fit the present row
            first += 1
        for row in rows[first:] + rows[:first]:
            if self._texts[row].lower().startswith(self._typed):
                return self.go_to(row)
        return "break"

    def _explain(self, key: str) -> None:
        self.about.configure(text=self._abouts.get(key, ""))

    def take(self, row: str) -> None:
        """Seat the player of *row*, or do nothing for a bot that cannot play."""
        context = self._context
        entry = self._entries.get(row)
        if entry is not None and entry.problem:
            return
        player = self._person() if entry is None else context.player(row)
        self.close()
        context.seat(self._seat, player)
        context.window.board.focus_set()

    def left(self) -> None:
        if self.name.get() != self._name_before:
            self._context.seat(self._seat, self._person())

    def _person(self) -> Player:
        return Player(None, fit_name(self.name.get()))
