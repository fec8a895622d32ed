"""Programs of anybody's as opponents in the window: started when they first have to choose.

Nothing here waits for one: it is asked in threads, and told to leave in one.
"""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from traffic_lights.board.rules import Action, State
from traffic_lights.gui.game.desk import Desk
from traffic_lights.keeping.programs import KeptProgram, KeptPrograms
from traffic_lights.players.bots import PlayerError

if TYPE_CHECKING:
    from traffic_lights.players.external import ExternalBot


class Programs:
    """The programs that a person has added, seated and remembered."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.kept = KeptPrograms(desk.keeper.folder)
        self._guests: dict[str, ExternalBot] = {}
        self._lock = threading.Lock()
        desk.on_quit.append(self.dismiss)

    def register(self) -> None:
        """Let all that are remembered be chosen; raise StorageError."""
        for one in self.kept.all():
            self._seat(one)

    def add(self, guest: ExternalBot) -> KeptProgram:
        """Remember the program of *guest*, which has been tried, and let it be chosen."""
        one = self.kept.add(guest.program)
        self._let_go(self._exchange(one.key, guest))
        self._seat(one)
        return one

    def remove(self, key: str) -> None:
        """Forget the program *key*; raise StorageError."""
        self.kept.remove(key)
        self._desk.opponents.remove(key)
        self._let_go(self._exchange(key, None))

    def _seat(self, one: KeptProgram) -> None:
        self._desk.opponents.add(one.key, one.program.name, partial(self._choose, one))

    def _choose(self, one: KeptProgram, state: State) -> Action:
        """Return what the program plays; called in threads. Raise PlayerError."""
        from traffic_lights.players.external import ExternalBot

        with self._lock:
            guest = self._guests.setdefault(one.key, ExternalBot(one.program))
        try:
            return guest.choose(state)
        except PlayerError:
            if self._is_replaced(one.key, guest):
                return self._choose(one, state)
            for line in guest.last_lines:
                self._desk.log(f"{one.program.name}: {line}\n")
            raise
        finally:
            if self._guests.get(one.key) is not guest:
                guest.close()  # sent away before it had started, it would stay

    def _is_replaced(self, key: str, guest: ExternalBot) -> bool:
        """Return whether another plays under *key*; if not, who seats it again has it begin anew.

        *guest* has forfeited, perhaps because it was told to leave.
        """
        with self._lock:
            if self._guests.get(key) is guest:
                del self._guests[key]
            return key in self._guests

    def _exchange(self, key: str, guest: ExternalBot | None) -> ExternalBot | None:
        """Have *guest* play under *key*; return who did."""
        with self._lock:
            before = self._guests.pop(key, None)
            if guest is not None:
                self._guests[key] = guest
            return before

    def _let_go(self, guest: ExternalBot | None) -> None:
        if guest is not None:
            # Not a daemon: the end of this program waits a second for it, its window does not.
            threading.Thread(target=guest.close).start()

    def dismiss(self) -> None:
        """Have all programs leave, without waiting for them."""
        for key in list(self._guests):
            self._let_go(self._exchange(key, None))
