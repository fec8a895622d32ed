"""Which players the Workshop shows: the chosen one, and the bots that are compared with it.

>>> from traffic_lights.players.roster import Roster
>>> selection = Selection(Roster().entries())
>>> selection.choose("qbot")
>>> selection.tick("myopic")
>>> selection.choose(NEW)
>>> sorted(selection.ticked)
['myopic', 'qbot']
"""

from collections.abc import Container, Iterable, Mapping

from traffic_lights.players.roster import Entry
from traffic_lights.training.own_bots import OwnBot
from traffic_lights.workshop.charts import COLOURS
from traffic_lights.workshop.shared import NEW, NEW_BOT


class Selection:
    """One chosen player, and ticked ones; a bot keeps the colour of its curve."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries: Mapping[str, Entry] = {}
        """All players by key, the bot that is still to be made first."""
        self.chosen = ""
        """The key of the chosen player."""
        self.ticked: set[str] = set()
        """The keys of those that are compared with it, which may be one of them."""
        self._styles: dict[str, int] = {}
        self.take(entries)

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

    def choose(self, key: str) -> None:
        """Choose the player *key*, perhaps one that only the next `take` brings."""
        self.chosen = key

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
            self.ticked.remove(old)
            self.ticked.add(new)
        if old in self._styles:
            self._styles[new] = self._styles.pop(old)

    def in_chart(self, curves: Container[str]) -> dict[str, str]:
        """Return the names of the bots in the chart by key, the chosen one first.

        Those are the chosen and the ticked bots that have one of the *curves*.
        """
        ticked = [key for key in self.entries if key in self.ticked]
        keys = dict.fromkeys([self.chosen, *ticked])
        return {key: self.entries[key].name for key in keys if key in curves}

    def give_styles(self, curves: Container[str]) -> dict[str, int]:
        """Give each bot in the chart a style, and return them by key, the chosen one first.

        The remainder of a style by `COLOURS` is the number of its colour. All are different, and so
        are the colours as far as they go. A bot keeps its style, unless one before it has the same
        colour.
        """
        styles: dict[str, int] = {}
        for key in self.in_chart(curves):
            styles[key] = self._style_beside(key, styles.values())
        self._styles |= styles
        return styles

    def _style_beside(self, key: str, given: Iterable[int]) -> int:
        """Return the style of the bot *key* that goes with those *given* to bots before it."""
        styles = set(given)
        colours = {style % COLOURS for style in styles}

        def clashes(style: int) -> bool:
            has_free_colours = len(styles) < COLOURS
            return style in styles or (has_free_colours and style % COLOURS in colours)

        if key in self._styles and not clashes(self._styles[key]):
            return self._styles[key]
        used = self._styles.values()
        by_use = sorted(range(COLOURS), key=lambda style: style in used)
        candidates: list[int] = [*by_use, *range(COLOURS, COLOURS + len(styles) + 1)]
        return next(style for style in candidates if not clashes(style))
