"""Pools of processes, and where there are none."""

from __future__ import annotations

import os
import sys
import unittest
from pathlib import Path
from unittest import mock

from traffic_lights.system import pools


class PoolTests(unittest.TestCase):
    @unittest.skipIf(pools.IS_WINE, "Wine has no pools of processes")
    def test_each_process_is_entered_before_it_works(self) -> None:
        root = str(Path(os.sep).resolve())
        pool = pools.process_pool(2, os.chdir, root)
        assert pool is not None
        with pool:
            self.assertEqual(pool.submit(os.getcwd).result(), root)

    def test_on_windows_it_has_no_more_processes_than_can_be_waited_for(self) -> None:
        for system, most in (("win32", 61), ("linux", 64)):
            with (
                mock.patch.object(pools, "ProcessPoolExecutor") as pool,
                mock.patch.object(pools, "IS_WINE", new=False),
                mock.patch.object(sys, "platform", system),
            ):
                for processes, expected in ((2, 2), (61, 61), (64, most)):
                    pools.process_pool(processes, os.getpid)
                    self.assertEqual(pool.call_args.args[0], expected)

    def test_one_process_does_what_no_pool_can(self) -> None:
        self.assertIsNone(pools.process_pool(1, os.getpid))
        for error in (OSError, ImportError, NotImplementedError):
            with mock.patch.object(pools, "ProcessPoolExecutor", side_effect=error):
                self.assertIsNone(pools.process_pool(2, os.getpid))
        with mock.patch.object(pools, "IS_WINE", new=True):
            self.assertIsNone(pools.process_pool(2, os.getpid))


if __name__ == "__main__":
    unittest.main()
