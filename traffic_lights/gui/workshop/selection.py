"""Which players the Workshop shows: the chosen one, and the bots that are compared with it.

>>> from traffic_lights.players.roster import Roster
>>> selection = Selection()
>>> selection.take(Roster().entries())
>>> selection.chosen = "qbot"
>>> selection.tick("myopic")
>>> sorted(selection.ticked)
['myopic', 'qbot']
"""

from collections.abc import Container, Iterable, Mapping

from traffic_lights.gui.workshop.shared import NEW, NEW_BOT
from traffic_lights.players.roster import Entry
from traffic_lights.training.own_bots import OwnBot


class Selection:
    """One chosen player, and ticked ones; a bot keeps the colour of its curve."""

    def __init__(self) -> None:
        self.entries: Mapping[str, Entry] = {}
        """All players by key, the bot that is still to be made first."""
        self.chosen = ""
        """The key of the chosen player, perhaps one that only the next `take` brings."""
        self.ticked: set[str] = set()
        """The keys of those that are compared with it, which may be one of them."""
        self._styles: dict[str, int] = {}
        """The numbers of the colours that bots have got, in turn."""

    def take(self, entries: Iterable[Entry]) -> None:
        """Go on with *entries*; if the chosen one is not among them, choose the first own bot."""
        self.entries = {NEW: NEW_BOT, **{entry.key: entry for entry in entries}}
        self.ticked &= self.entries.keys()
        if self.chosen not in self.entries:
            self.chosen = next(iter(self.own), NEW)

    @property
    def entry(self) -> Entry:
        """The chosen player."""
        return self.entries[self.chosen]

    @property
    def own(self) -> dict[str, OwnBot]:
        """The bots of the user, by key."""
        return {key: entry.own for key, entry in self.entries.items() if entry.own is not None}

    def tick(self, key: str) -> None:
        """Compare the player *key* with the chosen one, or no longer.

        The chosen one then stays as well when another is chosen.
        """
        self.ticked ^= {key}
        if key in self.ticked:
            self.ticked.add(self.chosen)
        self.ticked.discard(NEW)

    def rename(self, old: str, new: str) -> None:
        """Keep what is known of the bot with the key *old*, which is now *new*."""
        if old in self.ticked:
            self.ticked = self.ticked - {old} | {new}
        if old in self._styles:
            self._styles[new] = self._styles.pop(old)

    def styles(self, curves: Container[str]) -> dict[str, int]:
        """Return the styles of the bots in the chart by key, the chosen one first.

        Those are the chosen and the ticked bots that have one of the *curves*.
        """
        keys = dict.fromkeys([self.chosen, *(key for key in self.entries if key in self.ticked)])
        shown = [key for key in keys if key in curves]
        return {key: self._styles.setdefault(key, len(self._styles)) for key in shown}
