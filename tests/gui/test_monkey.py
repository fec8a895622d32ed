"""Random clicks, keys and menu picks: nothing fails, and a game can still be finished."""

from __future__ import annotations

import random
import time
import tkinter as tk
import unittest
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from tests.kit.samples import IS_SLOW_RUN
from tests.kit.windows import WindowTestCase, add_test_bot, close_dialogs
from traffic_lights.board.rules import CELLS, Action, State, legal_actions, winning_lines
from traffic_lights.gui.main.player_list import PERSON
from traffic_lights.session.session import Phase
from traffic_lights.userdata.settings import CHOICES

SEEDS = range(20 if IS_SLOW_RUN else 3)
ACTIONS = 200
KEYS = (
    "<Up>", "<Down>", "<Left>", "<Right>", "<space>", "<Return>", "<Home>", "<End>", "<Prior>",
    "<Next>", "<Key-a>", "<Key-b>", "<Key-c>", "<Key-d>", "<Key-1>", "<Key-2>", "<Key-3>",
    "<Key-n>", "<Key-u>", "<Key-r>", "<Key-h>", "<Key-U>", "<Escape>", "<Tab>", "<F3>", "<F4>",
    "<F6>", "<F7>", "<F8>", "<F9>", "<Control-z>", "<Control-y>", "<Control-b>", "<Control-c>",
    "<Control-v>", "<Control-n>", "<Control-plus>", "<Control-minus>", "<Control-Home>",
    "<Control-End>",
)  # fmt: skip
NOT_AT_RANDOM = {
    "open_game", "save_game", "quit", "workshop", "train", "evaluate", "add_program",
    "data_folder", "shortcut", "full_screen",
}  # fmt: skip


def slow_choice(state: State) -> Action:
    """Choose the last legal action, after a pause in which much can change."""
    time.sleep(0.004)
    return legal_actions(state)[-1]


class RandomUseTests(WindowTestCase):
    def actions(self, rng: random.Random) -> list[Callable[[], object]]:
        app = self.app
        names = [name for name in app.commands.table if name not in NOT_AT_RANDOM]

        def key() -> None:
            focus = app.root.focus_get() or app.window.board
            focus.event_generate(rng.choice(KEYS))

        def press() -> None:
            buttons = [b for b in app.window.block.winfo_children()[3].winfo_children()
                       if isinstance(b, tk.Widget) and b.winfo_manager()]  # fmt: skip
            rng.choice(buttons).event_generate("<Return>")

        def choose_player() -> None:
            app.players.toggle(rng.randrange(2))
            if app.players.is_open:
                app.players.rows.focus(rng.choice([PERSON, PERSON, "test-bot", "beginner"]))
                app.players.rows.event_generate("<Return>")

        def resize() -> None:
            app.root.wm_geometry(f"{rng.randint(480, 1300)}x{rng.randint(420, 900)}")

        return [
            *[lambda: self.click(rng.randrange(CELLS))] * 6,
            *[lambda: self.click(rng.randrange(CELLS), button=3)],
            *[key] * 8,
            *[lambda: app.commands.run(rng.choice(names))] * 5,
            *[press] * 3,
            *[choose_player] * 3,
            partial(app.commands.run, "swap"),
            lambda: app.commands.show(rng.choice(list(CHOICES["show"]))),
            resize,
            *[lambda: app.root.update()] * 3,
        ]

    def test_after_random_use_a_game_can_still_be_finished(self) -> None:
        for seed in SEEDS:
            with self.subTest(seed=seed):
                add_test_bot(self.app, slow_choice)
                self.use(random.Random(seed))
                self.finish_a_game()
                self.assertEqual(self.app.context.reporter.count, 0)
                close_dialogs(self.app)

    def use(self, rng: random.Random) -> None:
        actions = self.actions(rng)
        for _ in range(ACTIONS):
            with suppress(tk.TclError):  # a dialog that had the keyboard was closed under it
                rng.choice(actions)()
            if rng.random() < 0.3:
                self.app.root.update()
        self.app.root.update()

    def finish_a_game(self) -> None:
        """Play on with clicks alone until a line is complete."""
        app = self.app
        app.context.userdata.change(speed="instant")
        app.players.close()
        for _ in range(3):
            app.commands.escape()

        def is_over() -> bool:
            session = app.session
            if session.is_paused and session.phase is Phase.BOT_TURN:
                app.window.button("pause").invoke()
            elif session.phase is Phase.YOUR_TURN:
                self.click(legal_actions(session.state)[0])
            elif session.phase not in (Phase.BOT_TURN, Phase.OVER):
                app.commands.escape()
            return session.phase is Phase.OVER

        self.wait(is_over)
        last = app.session.last_action
        assert last is not None
        self.assertTrue(winning_lines(app.session.state, last))
        self.assertTrue(app.window.board.picture.lines)


if __name__ == "__main__":
    unittest.main()
