"""Millions of estimates in little memory: a mapping from ``state << 4 | action`` to a float.

A dict takes about 100 bytes a value. Here each state that has any takes twelve
floats in one array, and another array says where: 64 MB, then 96 bytes a state.
Only tables too large for a dict use it.

>>> values = ManyValues()
>>> values[5 << 4 | 3] = 0.25
>>> values.get(5 << 4 | 3), values.get(5 << 4 | 4, 0.0), len(values), list(values)
(0.25, 0.0, 1, [83])
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, MutableMapping
from typing import Any

from traffic_lights.board.rules import CELLS, STATE_CODES


class ManyValues(MutableMapping[int, float]):
    """Floats other than 0 by ``state << 4 | action``, with the methods of a dict."""

    def __init__(self) -> None:
        # A table with 20.8 million values took 369 MB in all, and 2,049 MB with a dict.
        self._rows = array("I", bytes(array("I").itemsize)) * STATE_CODES
        """The number of each state's twelve values, counted from 1; 0 if it has none."""
        self._values = array("d", bytes(array("d").itemsize * CELLS))
        """Twelve by row, 0.0 where there is none; those of row 0 stay so."""
        self._count = 0

    def get(self, key: int, /, default: Any = None) -> Any:
        """Return the value of *key*, or *default*."""
        # No value is 0.0, so 0.0 can stand for none, and row 0 serves all states without values.
        return self._values[self._rows[key >> 4] * CELLS + (key & 15)] or default

    def __getitem__(self, key: int) -> float:
        value: float | None = self.get(key)
        if value is None:
            raise KeyError(key)
        return value

    def __setitem__(self, key: int, value: float) -> None:
        row = self._rows[key >> 4]
        if not row:
            row = self._rows[key >> 4] = len(self._values) // CELLS
            self._values.extend(bytes(CELLS))
        at = row * CELLS + (key & 15)
        self._count += (value != 0.0) - (self._values[at] != 0.0)
        self._values[at] = value

    def __delitem__(self, key: int) -> None:
        if key not in self:
            raise KeyError(key)
        # Its place stays, because tables hardly ever lose a value.
        self[key] = 0.0

    def __iter__(self) -> Iterator[int]:
        for state in range(STATE_CODES):
            if self._rows[state]:
                keys = (state << 4 | action for action in range(CELLS))
                yield from (key for key in keys if key in self)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, int) and self.get(key) is not None

    def __len__(self) -> int:
        return self._count
