"""What is reported over the board."""

from collections.abc import Callable
from typing import Final, NamedTuple

from traffic_lights.board.rules import Action
from traffic_lights.gui.kit.board_view import Picture

READING_MS: Final = 3000, 60
"""How long a short message is shown, and how much longer for each letter."""


class Message(NamedTuple):
    """Something reported, with a button that answers it."""

    text: str = ""
    answer: str = ""
    """The words on the button; empty if there is none."""
    act: Callable[[], object] = lambda: None
    """What the button does."""
    stays: bool = False
    """Whether it stays until the next change; another is shown for a while."""
    hints: frozenset[Action] = frozenset()
    """The cells that are marked on the board meanwhile."""
    heading: str = ""
    """What stands over it instead of the state of the game."""
    picture: Picture | None = None
    """What the board shows instead of the game."""

    @property
    def lasts_ms(self) -> int | None:
        """After what time it gives way; None if it does not by itself."""
        if not self.text or self.stays or self.picture is not None:
            return None
        first, more = READING_MS
        return first + more * len(self.text)
