"""What is reported over the board: the message shown, and the one that comes back after it."""

from collections.abc import Callable
from typing import Final, NamedTuple

from traffic_lights.board.rules import Action
from traffic_lights.gui.kit.board_view import Picture
from traffic_lights.play.game import Game
from traffic_lights.play.session import Session

READING_MS: Final = 3000, 60
"""How long a short message covers an explanation, and how much longer for each letter."""
Choice = tuple[str, Callable[[], object]]
"""A button in the message: its words, and what it does."""


class Message(NamedTuple):
    """Something reported, with the buttons that answer it."""

    text: str = ""
    choices: tuple[Choice, ...] = ()
    stays: bool = False
    """Whether it stays until the next change; another gives way to the explanation it covers."""
    hints: frozenset[Action] = frozenset()
    """The cells that are marked on the board meanwhile."""
    heading: str = ""
    """What stands over it instead of the state of the game."""
    picture: Picture | None = None
    """What the board shows instead of the game."""

    @property
    def lasts_ms(self) -> int | None:
        """After what time it gives way to what it covers; None if it does not by itself."""
        if not self.text or self.stays or self.picture is not None:
            return None
        first, more = READING_MS
        return first + more * len(self.text)


def as_message(said: str | Message) -> Message:
    """Return *said*, or the message that has only this text."""
    return Message(said) if isinstance(said, str) else said


class Messages:
    """The messages about the game of *session*."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.shown = Message()
        """What was reported last."""
        self._lasting = Message()
        """The one that stays, which comes back after a short one; empty if none does."""
        self._remark = Message()
        """What was reported of the last change, unless a bot made it."""
        self._offer: tuple[Game, Message] | None = None
        """What the end of the game last counted offers."""

    def show(self, message: Message) -> None:
        """Show *message*; in place of an empty one, the one that stays."""
        if message.stays:
            self._lasting = message
        self.shown = message if message.text else self._lasting

    def show_after_change(self, message: Message, *, by_bot: bool) -> None:
        """Show *message* in place of the one that stays; that survives the move of a bot.

        So do the remark on what the player did before it, and moves that are played out on the
        board, unless that move ends the game.
        """
        is_read = self.shown is self._remark or self.shown.picture is not None
        if by_bot and (self.has_lasting or (is_read and not self._session.game.is_over)):
            return
        self._remark = Message() if by_bot else message
        self._lasting = self._standing_offer()
        self.show(message)

    @property
    def has_lasting(self) -> bool:
        """Whether there is one that stays until the next change."""
        return bool(self._lasting.text)

    def covers_something(self, message: Message) -> bool:
        """Return whether *message* is shown in place of something else to read."""
        mode = self._session.mode
        is_covered = self.has_lasting or mode.detail() or mode.mistake or mode.solution
        return self.shown is message and bool(is_covered)

    def offer(self, game: Game, message: Message) -> None:
        """Show *message* now, and whenever the end of *game* is on the board again."""
        self._offer = game, message
        self.show(message)

    def forget_offer(self) -> None:
        """Do not show the offer any more."""
        self._offer = None

    def _standing_offer(self) -> Message:
        """Return what the end on the board offers: it comes back with that end."""
        if self._offer is not None and self._session.shows_result:
            game, offer = self._offer
            present = self._session.game
            if (present.actions, present.players) == (game.actions, game.players):
                return offer
        return Message()
