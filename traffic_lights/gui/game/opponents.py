"""The bots that can be chosen in the window: the roster, and those that other windows add.

Bots are made and asked in threads. A player that cannot play is listed with the
reason; its place is never taken by another bot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from traffic_lights.board.rules import Action, State
from traffic_lights.learning.qtable import QTable
from traffic_lights.pictures.shares import exact_percent
from traffic_lights.players.bots import PlayerError
from traffic_lights.players.game import Player
from traffic_lights.players.roster import Entry, Group, Roster
from traffic_lights.session.learned import bots_at_board


@dataclass(frozen=True, slots=True)
class Opponent:
    """One opponent as the menu and the dialog show it."""

    group: Group
    about: str
    """What it does, or why it cannot play, in a sentence; empty for an added bot."""
    score: str
    """How it was measured; empty if it was not."""
    player: Player
    is_ready: bool

    @property
    def label(self) -> str:
        """Return its name and what it does, in one line."""
        about = self.about.rstrip(".")
        name = self.player.name
        return f"{name} – {about[:1].lower()}{about[1:]}" if about else name


class AddedBot(NamedTuple):
    """A bot that is not in the roster."""

    name: str
    choose: Callable[[State], Action]
    table: Callable[[], QTable] | None
    """Returns what it plays by, called in threads; None if it has no beliefs to show."""


class Opponents:
    """Who can sit in the other seat."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self._added: dict[str, AddedBot] = {}
        self.on_change: list[Callable[[], object]] = []
        """Called when a bot was added or removed."""

    def all(self) -> list[Opponent]:
        """Return every bot: levels, baselines, other players, own bots, programs, added bots."""
        known = [_opponent(e) for e in self.roster.entries() if e.key not in self._added]
        return known + [
            Opponent(Group.OWN, "", "", Player(key, bot.name), True)
            for key, bot in self._added.items()
        ]

    def find(self, key: str) -> Player | None:
        """Return the bot *key*; None if there is none, or it cannot play."""
        return next((o.player for o in self.all() if o.player.bot == key and o.is_ready), None)

    def preferred(self, key: str) -> Player:
        """Return the bot *key*, or the strongest level if that one cannot play."""
        strongest = self.roster.levels()[-1]
        return self.find(key) or Player(strongest.key, strongest.name)

    def first(self) -> Player:
        """Return the opponent of a first game, the weakest level."""
        weakest = self.roster.levels()[0]
        return Player(weakest.key, weakest.name)

    def is_added(self, key: str) -> bool:
        """Return whether the bot *key* is not in the roster."""
        return key in self._added

    def name_of(self, key: str, known: str) -> str:
        """Return what lists call the bot *key* today, or *known* if it is there no more."""
        return next((one.player.name for one in self.all() if one.player.bot == key), known)

    # --- play ---

    def choose(self, key: str, state: State) -> Action:
        """Return what the bot *key* plays; called in threads. Raise PlayerError if it cannot."""
        bot = self._added.get(key)
        return self.roster.choose(key, state) if bot is None else bot.choose(state)

    def is_guessing(self, key: str, state: State) -> bool:
        """Return whether the bot *key* has played in *state* without a row of its table for it.

        False of one that was removed after it had chosen.
        """
        try:
            return key not in self._added and self.roster.is_guessing(key, state)
        except PlayerError:
            return False

    # --- beliefs ---

    def believer(self, players: Sequence[Player], mover: int) -> Player | None:
        """Return the bot among *players* whose table can be shown, that of seat *mover* first."""
        bots = bots_at_board(players, mover)
        return next((bot for bot in bots if self._has_table(bot.bot or "")), None)

    def _has_table(self, key: str) -> bool:
        bot = self._added.get(key)
        if bot is not None:
            return bot.table is not None
        try:
            return self.roster.entry(key).table is not None
        except PlayerError:
            return False

    def table(self, key: str) -> QTable | None:
        """Return the table of the bot *key*; called in threads. Raise PlayerError."""
        bot = self._added.get(key)
        if bot is None:
            return self.roster.table(key)
        return None if bot.table is None else bot.table()

    # --- added bots ---

    def add(
        self,
        key: str,
        name: str,
        choose: Callable[[State], Action],
        table: Callable[[], QTable] | None = None,
    ) -> None:
        """Let a bot that is not in the roster play, under *key*, until the program ends."""
        self._added[key] = AddedBot(name, choose, table)
        self.tell()

    def remove(self, key: str) -> None:
        """Offer the bot *key* no more; a game against it goes on until it must choose."""
        self._added.pop(key, None)
        self.tell()

    def tell(self) -> None:
        """Report that the bots or their names have changed."""
        for listener in self.on_change:
            listener()


def score_text(entry: Entry) -> str:
    """Return how often the player of *entry* wins, for every player against the same opponent."""
    return "" if entry.score is None else f"{exact_percent(entry.score.rate)} against Myopic"


def _opponent(entry: Entry) -> Opponent:
    player = Player(entry.key, entry.name)
    about = entry.problem or entry.about
    return Opponent(entry.group, about, score_text(entry), player, not entry.problem)
