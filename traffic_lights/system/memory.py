"""The message of commands and windows when the memory of the machine is used up."""

from typing import Final

NO_MEMORY: Final = (
    "there is not enough memory; training needs about 230 MB, and a large table of estimates "
    "400 MB. What was saved is kept"
)
