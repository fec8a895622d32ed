"""What all parts of the Workshop share: the row of a new bot, and errors as sentences."""

from collections.abc import Callable
from typing import Final

from traffic_lights.players.roster import Entry, Group

NEW: Final = "new"
NEW_BOT: Final = Entry(NEW, "New bot", "Choose an opponent, and press Start.", Group.OWN)
"""The row that stands for a bot that is still to be made, and its key."""
Act = Callable[[], object]
OnText = Callable[[str], object]
"""What a widget calls, without or with a text, such as the key of a bot."""
COLOURS: Final = 6
"""How many colours the curves have; more curves differ in their dashes."""
START: Final = "Start"
CONTINUE: Final = "Continue"
"""What the button is called that starts a training, or continues one that was stopped."""
_IN_WINDOWS: Final = {"start over with --fresh": "train a new bot", "--repair": CONTINUE}
"""An option that an error names, and what to do in a window instead."""


def learns(entry: Entry) -> bool:
    """Return whether the player of *entry* can train: a bot of the user, or one to be made."""
    return entry.own is not None or entry.key == NEW


def as_sentence(text: object) -> str:
    """Return *text*, such as that of an error, as a sentence; an empty one stays empty.

    >>> text = "the log is damaged; with --repair the run resumes, or start over with --fresh"
    >>> as_sentence(text)
    'The log is damaged; with Continue the run resumes, or train a new bot.'
    """
    words = str(text)
    for option, in_window in _IN_WINDOWS.items():
        words = words.replace(option, in_window)
    return f"{words[:1].upper()}{words[1:]}." if words else ""
