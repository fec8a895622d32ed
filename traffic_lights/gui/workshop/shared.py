"""What all parts of the Workshop share: the row of a new bot, and errors as sentences."""

from collections.abc import Callable
from typing import Final

from traffic_lights.players.roster import Entry, Group

NEW: Final = "new"
NEW_BOT: Final = Entry(NEW, "New bot", "Choose an opponent, and press Start.", Group.OWN)
"""The row that stands for a bot that is still to be made, and its key."""
Act = Callable[[], object]
OnText = Callable[[str], object]
OnGames = Callable[[int], object]
"""What a widget calls: without anything, with a text such as the key of a bot, or with a number of
games."""
_AFRESH: Final = "start over with --fresh"
"""What an error says to do, for which there is another way in a window."""


def learns(entry: Entry) -> bool:
    """Return whether the player of *entry* can train: a bot of the user, or one to be made."""
    return entry.own is not None or entry.key == NEW


def as_sentence(text: object) -> str:
    """Return *text*, such as that of an error, as a sentence; an empty one stays empty.

    >>> as_sentence("the table is missing; put it back, or start over with --fresh")
    'The table is missing; put it back, or train a new bot.'
    """
    words = str(text).replace(_AFRESH, "train a new bot")
    return f"{words[:1].upper()}{words[1:]}." if words else ""
