"""What the commands say of a run that cannot go on, beside what the run itself says."""

from __future__ import annotations

import unittest

from traffic_lights.console.remedies import with_remedy
from traffic_lights.storage.files import NoRoomError, SizeLimitError, StorageError
from traffic_lights.training.troubles import StoppedError


class RemedyTests(unittest.TestCase):
    def test_what_helps_is_said_with_what_is_safe(self) -> None:
        for kind, remedy in (
            (NoRoomError, "make room there"),
            (SizeLimitError, "raise that limit"),
            (StorageError, "put that right"),
        ):
            self.assertEqual(
                with_remedy(StoppedError(kind("cannot write"), 1234)),
                f"cannot write; nothing up to game 1,234 is lost: {remedy}, and the same command "
                "goes on from there",
            )


if __name__ == "__main__":
    unittest.main()
