"""Random clicks, keys and menu picks: nothing fails, and a game can still be finished."""

import random
import time
import tkinter as tk
from collections.abc import Callable
from contextlib import suppress

from tests.kit.samples import IS_SLOW_RUN
from tests.kit.windows import WindowTestCase, add_test_bot, close_dialogs
from traffic_lights.board.rules import CELLS, Action, State, legal_actions
from traffic_lights.gui.main.cards import PERSON
from traffic_lights.gui.main.floating_list import FloatingList
from traffic_lights.play.userdata import CHOICES

SEEDS = range(6 if IS_SLOW_RUN else 1)
ACTIONS = 60
KEYS = (
    "Up", "Down", "Left", "Right", "space", "Return", "Home", "End", "Prior", "Next", "Escape",
    "Tab", *(f"Key-{character}" for character in "abcd123nurhpU"),
    "F3", "F4", "F6", "F7", "F8", "F9", "F12", *(f"Control-{character}" for character in "zybcvn"),
    "Control-plus", "Control-minus", "Control-Home", "Control-End",
)  # fmt: skip
NOT_AT_RANDOM = {
    "open_game", "save_game", "save_picture", "quit", "workshop", "strength", "add_program",
    "full_screen",
}  # fmt: skip


def slow_choice(state: State) -> Action:
    """Choose the last legal action, after a pause during which much can change."""
    time.sleep(0.004)
    return legal_actions(state)[-1]


class RandomUseTests(WindowTestCase):
    def actions(self, rng: random.Random) -> dict[Callable[[], object], int]:
        """Return what a player may do, and how often in comparison with the others."""
        app = self.app
        names = sorted(app.table.keys() - NOT_AT_RANDOM)

        def choose_player() -> None:
            app.window.cards.toggle(rng.randrange(2))
            players = app.window.cards.list
            if players is not None and players.winfo_exists():
                players.rows.focus(rng.choice([PERSON, PERSON, "test-bot", "beginner"]))
                players.rows.event_generate("<Return>")

        return {
            lambda: self.click(rng.randrange(CELLS)): 6,
            lambda: self.click(rng.randrange(CELLS), button=3): 1,
            lambda: (app.root.focus_get() or app.window.board).event_generate(
                f"<{rng.choice(KEYS)}>"
            ): 8,
            lambda: app.run(rng.choice(names)): 6,
            lambda: rng.choice(app.window.row.buttons).invoke(): 3,
            lambda: app.context.change(shown=rng.choice(list(CHOICES["shown"]))): 1,
            lambda: app.root.wm_geometry(f"{rng.randint(480, 1300)}x{rng.randint(420, 900)}"): 1,
            choose_player: 3,
            app.root.update: 3,
        }

    def test_after_random_use_a_game_can_still_be_finished(self) -> None:
        for seed in SEEDS:
            with self.subTest(seed=seed):
                add_test_bot(self.app, slow_choice)
                rng = random.Random(seed)
                actions = self.actions(rng)
                for action in rng.choices(list(actions), list(actions.values()), k=ACTIONS):
                    with suppress(tk.TclError):  # a dialog that had the keyboard was closed
                        action()
                    if rng.random() < 0.3:
                        self.app.root.update()
                self.finish_a_game()
                self.assertEqual(self.app.context.log.errors, 0)
                close_dialogs(self.app)

    def finish_a_game(self) -> None:
        """Play on with clicks alone until a line is complete."""
        app = self.app
        for child in app.root.winfo_children():
            if isinstance(child, FloatingList):
                child.close()  # a click of the mouse would do that, but no click of a test
        app.context.userdata.change(speed="instant")
        app.window.board.focus_force()

        def is_over() -> bool:
            session = app.session
            if session.is_paused and session.is_bots_turn:
                self.button("pause").invoke()
            elif session.is_your_turn:
                self.click(legal_actions(session.state)[0])
            elif not session.is_playing:
                app.run("leave")
            return session.shows_result

        self.wait(is_over)
        self.assertTrue(app.window.board.picture.lines)
