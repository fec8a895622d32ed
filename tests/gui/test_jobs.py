"""Work outside the loop of Tk, and how its results come back."""

import threading
import time
import unittest
from functools import partial
from unittest import mock

from tests.kit.person import HAS_DISPLAY
from tests.kit.windows import loop_until, new_window
from traffic_lights.board.games import PlayerError
from traffic_lights.gui.kit.jobs import run_job


@unittest.skipUnless(HAS_DISPLAY, "no display")
class JobsTests(unittest.TestCase):
    def test_results_come_back_in_the_thread_of_tk_whatever_fails(self) -> None:
        root, _ = new_window()
        self.addCleanup(root.destroy)
        seen: list[object] = []
        errors: list[object] = []
        self.enterContext(
            mock.patch.object(root, "report_callback_exception", lambda *e: errors.append(e))
        )
        main, run = threading.get_ident(), partial(run_job, root)

        def fail(_: object = None) -> None:
            raise ValueError("a mistake")

        def refuse() -> None:
            raise PlayerError("a reason")

        def later() -> int:
            time.sleep(0.02)
            return threading.get_ident()

        def note(value: object) -> None:
            seen.append(value)
            self.assertEqual(threading.get_ident(), main)

        run(refuse, fail, note)
        run(lambda: 1, fail, note)
        run(fail, fail, note)
        run(later, note, fail)
        loop_until(root, lambda: len(seen) == 3 and len(errors) == 2)
        self.assertLessEqual({"a reason", "a mistake"}, {*seen})
        self.assertNotIn(main, seen)
