"""Read the records that JSON files hold; a file that does not fit is refused as a whole."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from traffic_lights.storage.files import DamagedFileError, read_json
from traffic_lights.storage.kinds import KindError, Record

Header: TypeAlias = Mapping[str, Any]
"""What an object must hold: the name and the version of its format."""
NO_HEADER: Final[Header] = {}


def read_plain(path: Path, header: Header = NO_HEADER) -> dict[str, Any]:
    """Return the object that the JSON file *path* holds, unchecked except for its *header*.

    Raise DamagedFileError if it holds none, or StorageError if it cannot be read.
    """
    value = read_json(path)
    if not isinstance(value, dict):
        raise DamagedFileError(f"{path} is damaged: it does not hold an object")
    for name, wanted in header.items():
        if value.get(name) != wanted:
            raise DamagedFileError(
                f"{path} has the {name} {value.get(name)!r:.60}; this program reads {wanted!r}"
            )
    return value


def read_record(path: Path, record: Record, header: Header = NO_HEADER) -> Any:
    """Return what the JSON file *path* holds as a *record*; raise errors like `read_plain`.

    If a member does not fit, that is a DamagedFileError too, and it names the member.
    """
    plain = read_plain(path, header)
    try:
        return record.check(plain)
    except KindError as error:
        raise DamagedFileError(f"{path} is damaged: {error}") from None
