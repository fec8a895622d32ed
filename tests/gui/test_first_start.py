"""The very first start: the game that waits is one that a newcomer can win."""

from __future__ import annotations

import tkinter as tk
import unittest

from tests.kit.windows import HAS_DISPLAY, new_folder
from traffic_lights.gui.app import App
from traffic_lights.userdata.store import UserData

_apps: list[App] = []
"""Kept for the whole run, because a Tk that another thread deletes ends the process."""


@unittest.skipUnless(HAS_DISPLAY, "no display")
class FirstStartTests(unittest.TestCase):
    def test_the_board_waits_with_the_weakest_opponent(self) -> None:
        folder = new_folder()
        for _ in range(2):
            app = App(tk.Tk(), UserData(folder))
            _apps.append(app)
            weakest = app.context.roster.levels()[0]
            self.assertEqual([player.bot for player in app.session.players], [None, weakest.key])
            self.assertIn("Choose a lamp", app.window.detail.cget("text"))
            app.root.update_idletasks()
            app.close()


if __name__ == "__main__":
    unittest.main()
