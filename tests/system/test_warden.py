"""What the process between this program and a stranger's can be asked without one."""

from __future__ import annotations

import subprocess
import unittest
from pathlib import Path
from unittest import mock

from traffic_lights.system import warden


class WardenTests(unittest.TestCase):
    def test_its_source_can_be_an_argument_in_every_locale(self) -> None:
        source = Path(warden.__file__).read_bytes()
        self.assertTrue(source.isascii())
        self.assertNotIn(b"\0", source)

    def test_every_status_can_be_left_with_and_stays_the_same(self) -> None:
        for status in (0, 1, 113, 255, 0x7FFFFFFF, 0x80000000, 0xC0000005, 0xFFFFFFFF):
            with self.subTest(status=status):
                left_with = warden._passed_on(status)
                self.assertTrue(-(1 << 31) <= left_with < 1 << 31)
                self.assertEqual(left_with % (1 << 32), status)
        self.assertEqual(warden._passed_on(-9), 137)

    def test_what_it_starts_opens_no_window(self) -> None:
        no_window = 0x08000000
        with (
            mock.patch.object(subprocess, "CREATE_NO_WINDOW", no_window, create=True),
            mock.patch.object(subprocess, "Popen") as popen,
        ):
            warden._started(["guest"])
        self.assertEqual(popen.call_args.kwargs["creationflags"], no_window)


if __name__ == "__main__":
    unittest.main()
