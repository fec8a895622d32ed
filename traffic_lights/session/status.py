"""What is said in the status line: news until the next change, warnings until a person acts.

>>> line = StatusLine()
>>> line.warn("The disk is full.", 3)
>>> line.bot_moved(4)
>>> line.text(4), line.text(5)
('The disk is full.', None)
>>> line.acted(5)
>>> line.bot_moved(6)
>>> print(line.text(6))
None
"""

from __future__ import annotations


class StatusLine:
    """The last thing said, with the session's generation that it belongs to."""

    def __init__(self) -> None:
        self._text = ""
        self._generation = -1
        self._is_warning = False

    def say(self, text: str, generation: int) -> None:
        """Say news about the session as it is in *generation*."""
        self._text, self._generation, self._is_warning = text, generation, False

    def warn(self, text: str, generation: int) -> None:
        """Say what must not be missed: the moves of bots leave it where it is."""
        self._text, self._generation, self._is_warning = text, generation, True

    def forget(self) -> None:
        """Take back what was said."""
        self._generation, self._is_warning = -1, False

    def acted(self, generation: int) -> None:
        """Note that a person may have made it *generation*: a warning that was before is over."""
        if generation != self._generation:
            self._is_warning = False

    def bot_moved(self, generation: int) -> None:
        """Note that a bot's move has made it *generation*: a warning goes on, news are over."""
        if self._is_warning:
            self._generation = generation

    def text(self, generation: int) -> str | None:
        """Return what is said in *generation*; None if nothing that still fits."""
        return self._text if generation == self._generation else None
