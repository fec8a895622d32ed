"""Pools of processes."""

import os
import sys
import unittest
from pathlib import Path
from unittest import mock

from traffic_lights.system import processes
from traffic_lights.system.processes import process_pool


class PoolTests(unittest.TestCase):
    def test_each_process_is_entered_before_it_works(self) -> None:
        root = str(Path(os.sep).resolve())
        pool = process_pool(2, os.chdir, root)
        assert pool is not None
        with pool:
            self.assertEqual(pool.submit(os.getcwd).result(), root)

    def test_on_windows_it_has_no_more_processes_than_can_be_waited_for(self) -> None:
        for system, most in (("win32", 61), ("linux", 64)):
            with (
                mock.patch.object(processes, "ProcessPoolExecutor") as pool,
                mock.patch.object(sys, "platform", system),
            ):
                for count, expected in ((2, 2), (61, 61), (64, most)):
                    process_pool(count, os.getpid)
                    self.assertEqual(pool.call_args.args[0], expected)

    def test_one_process_does_what_no_pool_can(self) -> None:
        self.assertIsNone(process_pool(1, os.getpid))
        for error in (OSError, ImportError, NotImplementedError):
            with mock.patch.object(processes, "ProcessPoolExecutor", side_effect=error):
                self.assertIsNone(process_pool(2, os.getpid))


if __name__ == "__main__":
    unittest.main()
