"""A position that is being set up by hand, with its changes: undo takes back one, redo brings it.

>>> set_up = SetUp(0)
>>> set_up.change(set_up.cycled(11))
>>> set_up.undo(), set_up.state, set_up.redo(), set_up.state
(True, 0, True, 1)
"""

from __future__ import annotations

from traffic_lights.board.rules import RED, SHIFTS, Action, State, colour_of


class SetUp:
    """The position as it is now, between the changes made and those taken back."""

    def __init__(self, state: State) -> None:
        """Begin with the position *state*."""
        self._states = [state]
        self._at = 0

    @property
    def state(self) -> State:
        """Return the position as it is now; a line may be complete in it."""
        return self._states[self._at]

    @property
    def can_undo(self) -> bool:
        """Return whether a change can be taken back."""
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        """Return whether a change was taken back, and none made since."""
        return self._at < len(self._states) - 1

    def change(self, state: State) -> None:
        """Make the position *state*; what was taken back is forgotten, unless nothing changes."""
        if state != self.state:
            self._at += 1
            self._states[self._at :] = [state]

    def cycled(self, cell: Action, back: bool = False) -> State:
        """Return it with the next colour of *cell*, or the one before: red comes before empty."""
        colour = (colour_of(self.state, cell) + (-1 if back else 1)) % (RED + 1)
        return self.state & ~(RED << SHIFTS[cell]) | colour << SHIFTS[cell]

    def undo(self) -> bool:
        """Take back the last change; return whether there was one."""
        has_changed = self.can_undo
        self._at -= has_changed
        return has_changed

    def redo(self) -> bool:
        """Bring back the change taken back last; return whether there was one."""
        has_changed = self.can_redo
        self._at += has_changed
        return has_changed
