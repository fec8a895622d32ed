"""What is said, by commands and windows alike, when the memory of the machine is used up."""

from __future__ import annotations

from typing import Final

NO_MEMORY: Final = (
    "there is not enough memory: training needs about 230 MB, and a large table of estimates up "
    "to 400 MB; what was saved is kept"
)
