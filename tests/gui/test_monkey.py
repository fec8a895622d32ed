"""A monkey at the window: whatever it does, nothing fails and a game can still be finished."""

from __future__ import annotations

import random
import time
import tkinter as tk
import unittest
from collections.abc import Callable
from contextlib import suppress

from tests.kit.samples import IS_SLOW_RUN
from tests.kit.windows import WindowTestCase, add_test_bot
from traffic_lights.board.rules import CELLS, Action, State, legal_actions, winning_lines
from traffic_lights.gui.main.menus import MENUS, Check, Choice, Item
from traffic_lights.players.game import HUMAN, Player
from traffic_lights.session.session import Phase

SEEDS = range(20 if IS_SLOW_RUN else 5)
ACTIONS = 200
KEYS = (
    "<Up>", "<Down>", "<Left>", "<Right>", "<space>", "<Return>", "<Home>", "<End>", "<Prior>",
    "<Next>", "<Key-a>", "<Key-b>", "<Key-c>", "<Key-d>", "<Key-1>", "<Key-2>", "<Key-3>",
    "<Key-n>", "<Key-u>", "<Key-r>", "<Key-h>", "<Key-U>", "<Escape>", "<Tab>", "<F3>", "<F4>",
    "<F6>", "<F7>", "<F8>", "<F9>", "<Control-z>", "<Control-y>", "<Control-b>", "<Control-c>",
    "<Control-v>", "<Control-n>", "<Control-plus>", "<Control-minus>", "<Control-Home>",
    "<Control-End>",
)  # fmt: skip
NOT_FOR_MONKEYS = {
    "open_game", "save_game", "quit", "train", "evaluate", "open_data_folder", "create_shortcut",
}  # fmt: skip


def slow_choice(state: State) -> Action:
    """Choose the last legal action, after a pause in which much can change."""
    time.sleep(0.004)
    return legal_actions(state)[-1]


class MonkeyTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.bot = add_test_bot(self.app, slow_choice)
        self.players: tuple[Player, ...] = (HUMAN, self.bot, Player("random", "Random"),
                                            Player("myopic", "Myopic"))  # fmt: skip

    def actions(self, rng: random.Random) -> list[Callable[[], object]]:
        app = self.app
        variables = app.appearance.variables

        def set_variable(entry: Check | Choice) -> None:
            if isinstance(entry, Check):
                variables[entry.variable].set(not variables[entry.variable].get())
            elif entry.options:
                variables[entry.variable].set(rng.choice(entry.options)[0])
            app.appearance.changed(entry.variable)

        def pick_menu() -> None:
            entries = [e for _, entries in MENUS for e in entries if e is not None]
            entry = rng.choice(entries)
            if isinstance(entry, Item):
                if entry.command not in NOT_FOR_MONKEYS:
                    app.commands.table[entry.command]()
            elif entry.variable not in ("full_screen", "opponent"):
                set_variable(entry)

        def seats() -> None:
            app.session.set_players((rng.choice(self.players), rng.choice(self.players)))
            app.desk.changed()

        def press_button() -> None:
            shown = [b for b in app.window.buttons.values() if b.winfo_manager()]
            rng.choice(shown).invoke()

        def resize() -> None:
            app.root.wm_geometry(f"{rng.randint(420, 1300)}x{rng.randint(300, 900)}")

        def key() -> None:
            focus = app.root.focus_get() or app.window.board
            focus.event_generate(rng.choice(KEYS))

        return [
            *[lambda: self.click(rng.randrange(CELLS))] * 6,
            *[lambda: self.click(rng.randrange(CELLS), button=3)],
            *[key] * 8,
            *[pick_menu] * 4,
            *[press_button] * 3,
            *[lambda: app.opponent_menu.choose(rng.choice(["human", "random", "test-bot"]))] * 2,
            *[seats] * 2,
            *[resize],
            *[app.root.update] * 3,
        ]

    def test_whatever_a_monkey_does_a_game_can_still_be_finished(self) -> None:
        for seed in SEEDS:
            with self.subTest(seed=seed):
                self.play_as_a_monkey(random.Random(seed))
                self.finish_a_game()
                self.assertEqual(self.app.desk.reporter.count, 0)
                self.app.desk.dialogs.close_all()

    def play_as_a_monkey(self, rng: random.Random) -> None:
        actions = self.actions(rng)
        for _ in range(ACTIONS):
            with suppress(tk.TclError):  # a dialog that had the keyboard was closed under it
                rng.choice(actions)()
            if rng.random() < 0.3:
                self.app.root.update()
        self.app.root.update()

    def finish_a_game(self) -> None:
        """Play on with clicks alone until somebody has won."""
        app = self.app
        app.desk.keeper.change(speed="instant")
        for _ in range(3):
            app.commands.escape()
        self.click_or_wait_until_over()
        last = app.session.last_action
        assert last is not None
        self.assertTrue(winning_lines(app.session.state, last))
        self.assertTrue(app.window.board.picture.lines)

    def click_or_wait_until_over(self) -> None:
        app = self.app

        def is_over() -> bool:
            session = app.session
            if session.phase is Phase.OVER:
                return True
            if session.is_paused:
                app.window.buttons["resume"].invoke()
            elif session.phase is Phase.YOUR_TURN:
                self.click(legal_actions(session.state)[0])
            elif session.phase is not Phase.BOT_TURN:
                app.commands.escape()
            return False

        self.wait(is_over)


if __name__ == "__main__":
    unittest.main()
