"""The cards above the board: who sits in a seat, whose turn it is, and the games won.

A card opens the menu of players: a person, the six levels, and the user's own bots and programs.
The other bots are in the Workshop. A person who plays a bot always has the left card, so choosing
an opponent never takes the person's seat. The number in the disc says who begins; a click on it
swaps the seats.
"""

import tkinter as tk
from collections.abc import Callable
from functools import partial
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.dialog import ask_text
from traffic_lights.gui.kit.lamps import CanvasPictures
from traffic_lights.gui.kit.menus import MenuButton
from traffic_lights.gui.kit.theme import Theme
from traffic_lights.gui.kit.widgets import put
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.seats import seat_player
from traffic_lights.play.game import HUMAN, Player, Players
from traffic_lights.play.userdata import score_key
from traffic_lights.players.roster import Entry, Group
from traffic_lights.storage.words import fit_name, fitted

SHOWN: Final = (Group.LEVEL, Group.OWN, Group.PROGRAM)
"""The groups of bots in the menu, in their order."""

LONGEST_ABOUT: Final = 84
"""The letters that the menu shows of what a player plays like."""
PERSON: Final = "person"
"""What the menu calls a person; a bot has its key."""


def shown_name(players: Players, seat: int) -> str:
    """Return the name of the player in *seat*, or the number of a nameless one."""
    number = f"Player {seat + 1}" if players[1 - seat].is_human else "You"
    return players[seat].name or number


class Disc(tk.Canvas):
    """A number on a disc, which is filled while the player is to move or has won."""

    def __init__(self, parent: tk.Misc, theme: Theme, act: Callable[[], object]) -> None:
        super().__init__(parent, width=1, height=1, highlightthickness=0, cursor="hand2")
        self._theme = theme
        self._pictures = CanvasPictures(self)
        self.bind("<Button-1>", lambda _: act())

    def show(self, number: int, is_marked: bool) -> None:
        """Show *number*, marked or not, in the colours of the theme."""
        c = self._theme.colours
        side = self._theme.px(7)
        self.configure(width=side, height=side, background=c.surface)
        self.delete(tk.ALL)
        middle = side / 2, side / 2
        self._pictures.stroke(middle, middle, side - 2, c.accent if is_marked else c.border)
        if not is_marked:
            inside = side - 2 - max(3, self._theme.px(0.8))
            self._pictures.stroke(middle, middle, inside, c.surface)
        fill = c.on_accent if is_marked else c.muted
        self.create_text(*middle, text=str(number), font=self._theme.strong, fill=fill)


class Card(ttk.Frame):
    """One player: the number, the name, a few words, the games won, and a menu to choose another.

    *fill* fills the menu, and *swap* is called by a click on the number.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        fill: Callable[[tk.Menu], object],
        swap: Callable[[], object],
    ) -> None:
        super().__init__(parent, style="Card.TFrame", padding=2)
        self._theme = theme
        edge = theme.px(1)
        self.columnconfigure(1, weight=1)
        self.disc = put(Disc(self, theme, swap), rowspan=2, padx=theme.px(2))
        self.button = MenuButton(self, fill, under=self, style="Card.TMenubutton")
        put(self.button, row=0, column=1, sticky="ew")
        self.button.bind("<FocusIn>", lambda _: self.state(["focus"]))
        self.button.bind("<FocusOut>", lambda _: self.state(["!focus"]))
        self.about = ttk.Label(self, style="Card.TLabel")
        self.about.grid(row=1, column=1, sticky="nw", padx=theme.px(0.5))  # under the name
        self.won = ttk.Label(self, style="Won.TLabel")
        self.won.grid(row=0, column=2, rowspan=2, padx=edge)
        self._arrow = ttk.Label(self, text="▾", style="Card.TLabel")
        self._arrow.grid(row=0, column=3, rowspan=2, padx=(0, edge))
        self._gaps = theme.px(8) + 14  # they stay when everything else becomes larger
        for part in (self, self.about, self.won, self._arrow):
            part.bind("<ButtonRelease-1>", lambda _: self.button.open())
        self._words = ("", "", "")

    def show(self, number: int, name: str, about: str, won: str, is_marked: bool) -> None:
        """Show a player; *is_marked* if it is to move or has won."""
        self._words = name, about, won
        self.disc.show(number, is_marked)
        self.rowconfigure(1, minsize=round(1.4 * self._theme.line))
        self.configure(style="Marked.Card.TFrame" if is_marked else "Card.TFrame")

    def fit(self, *, is_short: bool) -> bool:
        """Show as much of the words as has room; return whether that is everything.

        If the row *is_short*, only the number of the games won is shown.
        """
        theme = self._theme
        name, about, won = self._words
        if is_short:
            won = won.removeprefix("won ")
        taken = self._gaps + self.disc.winfo_reqwidth() + self._arrow.winfo_reqwidth()
        room = max(theme.px(5), self.winfo_width() - taken - theme.title.measure(won))
        shown = fitted(name, theme.strong.measure, room), fitted(about, theme.body.measure, room)
        self.button.configure(text=shown[0])
        self.about.configure(text=shown[1])
        self.won.configure(text=won)
        return shown == (name, about)


class CardRow(ttk.Frame):
    """Both cards; they *run* the command that swaps the seats."""

    def __init__(self, parent: tk.Misc, context: Context, run: Callable[[str], object]) -> None:
        super().__init__(parent)
        self._context = context
        self.seats = (0, 1)
        """The seat that each card shows; a person against a bot is at the left."""
        self.cards: list[Card] = []
        for place in (0, 1):
            card = Card(self, context.theme, partial(self._fill, place), partial(run, "swap"))
            card.grid(row=0, column=place, sticky="nsew", padx=(context.theme.px(3) * place, 0))
            self.columnconfigure(place, weight=1, uniform="card")
            self.cards.append(card)
            card.bind("<Configure>", lambda _: self._fit())

    def show(self, marked: int | None) -> None:
        """Show the players of the game as it is now; the one in the seat *marked* stands out."""
        context = self._context
        session = context.session
        players = session.now.game.players
        if session.now.game.has_person:  # two bots stay where they are
            human = session.now.only_human or 0
            self.seats = human, 1 - human
        levels = [level.key for level in context.roster.levels()]
        scores = [context.userdata.saved.score.get(score_key(players, seat), 0) for seat in (0, 1)]
        for card, seat in zip(self.cards, self.seats, strict=True):
            about = ("Moves first", "Moves second")[seat]
            if players[seat].bot in levels:
                about = f"Level {levels.index(players[seat].bot or '') + 1} of {len(levels)}"
            won = f"won {scores[seat]}" if any(scores) else ""
            card.show(seat + 1, shown_name(players, seat), about, won, seat == marked)
        self._fit()

    def _fit(self) -> None:
        """Shorten the words of both cards alike if those of one have no room."""
        if self.winfo_width() == 1:
            return  # nothing has its place yet
        if not all(card.fit(is_short=False) for card in self.cards):
            for card in self.cards:
                card.fit(is_short=True)

    def _fill(self, place: int, menu: tk.Menu) -> None:
        """Fill the *menu* of the players that can take the seat of the card in *place*."""
        context = self._context
        seat = self.seats[place]
        present = context.session.now.game.players[seat]
        chosen = tk.StringVar(menu, present.bot or PERSON)
        menu.variable = chosen  # type: ignore[attr-defined]  # Tk keeps no reference to it
        person = partial(seat_player, context, seat, HUMAN)
        menu.add_radiobutton(label="A person", variable=chosen, value=PERSON, command=person)
        menu.add_command(label="A person with a name…", command=partial(self._ask_name, seat))
        group = None
        for entry in self._players(present):
            if entry.group is not group:
                menu.add_separator()
            group = entry.group
            player = Player(entry.key, entry.name)
            menu.add_radiobutton(
                label=entry.name, variable=chosen, value=entry.key,
                accelerator=fitted(entry.problem or entry.about, len, LONGEST_ABOUT),
                command=partial(seat_player, context, seat, player),
                state=tk.DISABLED if entry.problem else tk.NORMAL,
            )  # fmt: skip

    def _players(self, present: Player) -> list[Entry]:
        """Return the bots that can sit there, by group; *present*, which sits there, is one."""
        roster = self._context.roster
        roster.refresh()
        found = [e for e in roster.entries() if e.group in SHOWN or e.key == present.bot]
        return sorted(found, key=lambda entry: [*SHOWN, entry.group].index(entry.group))

    def _ask_name(self, seat: int) -> None:
        """Ask for the name of a person, and seat that person."""
        context = self._context
        before = context.session.now.game.players[seat]
        name = before.name if before.is_human else ""

        def accept(name: str) -> str:
            seat_player(context, seat, Player(None, fit_name(name)))
            return ""

        ask_text(context.root, context.theme, "Name of the Person", name, "OK", accept)
