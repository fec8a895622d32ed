"""A law of the windows: whatever a person clicks and types, nothing fails and nothing is lost."""

import random
import time
import tkinter as tk
from collections.abc import Callable
from contextlib import suppress
from tkinter import ttk
from typing import Any, Final

from tests.kit.eye import faults
from tests.kit.person import FIELDS, PersonTestCase, Thing, things_in
from tests.kit.samples import IS_SLOW_RUN
from traffic_lights.board.rules import parse_board
from traffic_lights.play.game import Game

SEEDS: Final = range(40 if IS_SLOW_RUN else 4)
STEPS: Final = 60 if IS_SLOW_RUN else 25
SIGHTS: Final = (("light", "900x640"), ("dark", "480x420"), ("light", "480x420"), ("dark", ""))
"""Themes and sizes of the main window; "" is the usual one."""
KEYS: Final = (
    *"abcd123nurhp", "Up", "Down", "Left", "Right", "space", "Return", "Escape", "Tab", "Home",
    "End", *(f"F{n}" for n in (2, 3, 4, 6, 7, 8, 9, 12)), *(f"Control-{c}" for c in "zyzycvnbp123"),
    "Control-Home", "Control-End", "Prior", "Next", "Control-plus", "Control-minus", "Delete",
    *3 * ("Control-t", "Control-e"), "Control-w", "Control-Tab",
)  # fmt: skip
NOT_AT_RANDOM: Final = (
    "Quit", "Full Screen", "Data Folder", "Shortcut", "Start", "Continue", "Run", "Browse", "Add a",
    "Play It", "A Game That",
)  # fmt: skip
"""Words that end the test, open other programs or keep the processor busy for long."""
NAMES: Final = ("Anna", f"Anna  {50 * 'M'}", " Ben", "x [y]", "[human]", "1. b2", "Ünï – o")
LEVELS: Final = ("A person", "Beginner", "Casual", "Expert")
PASTED: Final = (
    "1. b2 b2 2. a3 c1", "1110/0000/0000", "0120/0000/0003", "Lunch at 12?", "",
    "Player 1: Anna [2] [human]\n\n1. a1 b1 2. c1",
)  # fmt: skip


class RandomPersonTests(PersonTestCase):
    # --- what the program has now; all else is what a person sees ---

    @property
    def has_board(self) -> bool:
        """Whether the board of the game is in front, with its letters."""
        is_front = self.front is self.app.root and not self.app.root.grab_current()
        settings = self.app.context.userdata.settings
        # On small cells, a number stands in the place of the letter.
        has_room = settings.shown == "nothing" or settings.size < 200
        return is_front and settings.letters and has_room

    def kept(self) -> dict[str, Any]:
        """Return what the next start must bring back."""
        session, userdata = self.app.session, self.app.context.userdata
        settings = userdata.settings
        return {
            "game": session.now.game.actions,
            "names": [(player.bot, player.name) for player in session.now.game.players],
            "games": [(game.start, game.actions) for game in self.recent_games()],
            "score": dict(userdata.saved.score),
            "look": (settings.theme, settings.shown, settings.take_turns, settings.speed),
        }

    def recent_games(self) -> list[Game]:
        return self.app.context.userdata.saved.recent_games(self.app.session.now.game)

    def note_finished(self) -> None:
        """Note a game that is over, and check that none of those noted is gone."""
        game = self.app.session.now.game
        if game.is_over:
            self.finished.add((game.start, game.actions))
        lines = {(one.start, one.actions) for one in (game, *self.recent_games())}
        for start, moves in self.finished:
            is_there = any(s == start and line[: len(moves)] == moves for s, line in lines)
            self.assertTrue(is_there or len(lines) >= 50, f"the finished game {moves} is gone")

    # --- what a person does ---

    def act_on(self, thing: Thing) -> str:
        widget = thing.widget
        if isinstance(widget, ttk.Combobox):
            if values := widget.cget("values"):
                widget.current(self.rng.randrange(len(values)))
                widget.event_generate("<<ComboboxSelected>>")
        elif isinstance(widget, FIELDS):
            if not thing.is_grey:
                name = self.rng.choice(NAMES)
                widget.focus_force()
                widget.insert(tk.END, name)
                self.app.root.update()
                self.key(self.rng.choice(("Return", "Escape", "Tab")))
                return f"typed {name!r}"
        else:
            self.click_on(thing, times=self.rng.choice((1, 1, 1, 2)) if not self.menu else 1)
        return thing.words

    def click_anything(self) -> str:
        """Click on any words in the window in front, or on an entry of the open menu."""
        things = self.things() if self.menu else [*things_in(self.front)]
        fields = [t for t in things if isinstance(t.widget, FIELDS)]
        if fields and self.rng.random() < 0.4:
            things = fields
        things = [t for t in things if not any(words in t.words for words in NOT_AT_RANDOM)]
        things = [t for t in things if t.words or t in fields]
        if not things:
            self.menu = None
            return "nothing"
        return self.act_on(self.rng.choice(things))

    def choose_player(self) -> str:
        words = ("Player", "You", "Anna", "Beginner", "Casual", "Expert")
        cards = [thing for thing in self.things() if thing.words.startswith(words)]
        if not (cards and self.has_board and "New Game" in self.text):
            return "no card"
        self.click_on(card := self.rng.choice(cards))
        if self.rng.random() < 0.4:
            return f"{card.words}: {self.click_anything()}"
        with suppress(AssertionError):  # it was no card
            self.press(self.rng.choice(LEVELS))
        self.menu = None
        return f"{card.words} gives way"

    def open_a_menu(self) -> str:
        title: str = self.rng.choice(("Game", "Learn", "Bots", "View", "Help"))
        if self.front is self.app.root:
            with suppress(AssertionError):
                self.pick(title)
        return title

    def move_and_undo(self) -> str:
        """Play; Undo brings the lamps of before, also before a bot answers, who is never late."""
        session = self.app.session
        self.settle()
        if not session.now.is_your_turn or not self.has_board:
            return "no move"
        before, made, cell = self.lamps, session.now.at, self.any_cell()
        self.click(cell)
        is_early = session.now.is_bots_turn and self.rng.random() < 0.3
        if not is_early:
            self.settle()
        if session.now.at <= made or not session.now.game.has_person:
            return f"{cell} was no plain move"
        if is_early or self.rng.random() < 0.5:
            self.key("Control-z")
            for _ in range(20 * is_early):
                self.app.root.update()
                time.sleep(0.002)
            self.assertEqual(self.lamps, before, f"undo of {cell}")
            if self.rng.random() < 0.7:
                self.key("Control-y")
        return cell

    def press_or_paste(self) -> str:
        is_pasted = self.rng.random() < 0.1
        text: str = self.rng.choice(PASTED if is_pasted else KEYS)
        (self.paste if is_pasted else self.key)(text)
        return text

    def click_cell(self) -> str:
        cell = self.any_cell()
        with suppress(AssertionError):  # no board is in front
            self.click(cell, button=self.rng.choice((1, 1, 1, 3)))
        return cell

    def start_again(self) -> str:
        """Quit and start: the same game, players, games before and switches are there."""
        self.settle()
        before, now = self.kept(), self.app.session.now
        self.restart()
        after = self.kept()
        # A game that Undo could have brought back becomes one of the recent ones.
        after["games"] = [one for one in after["games"] if one in before["games"]]
        if not now.game.is_over and not now.game.players[now.game.mover].is_human:
            for name in ("game", "score"):  # the bot may move
                before[name] = after[name]
        self.assertEqual(after, before, "after a restart")
        now = self.app.session.now
        is_watched = not (now.game.has_person or now.game.is_over)
        self.assertTrue(now.waits or not is_watched, "two bots play on by themselves")
        return "RESTART"

    def any_cell(self) -> str:
        return self.rng.choice("abcd") + self.rng.choice("123")

    def settle(self) -> None:
        """Let bots answer, unless two of them play on."""
        session = self.app.session
        if session.now.game.has_person and not session.now.failure:
            self.wait(lambda: session.now.waits or not session.now.is_bots_turn, "the bot")
        self.app.root.update()

    # --- what is always true ---

    def check(self, step: int) -> None:
        root = self.app.root
        root.update()
        log = self.data / "log.txt"
        self.assertFalse(log.exists(), log.exists() and log.read_text("utf-8")[-1500:])
        focus = self.front.focus_lastfor()
        is_there = focus is None or focus.winfo_viewable()
        self.assertTrue(is_there, f"the keyboard is at {focus}, out of sight")
        now = self.app.session.now
        # A bot, or an explanation, changes the board by itself.
        if self.has_board and not now.is_bots_turn and self.app.context.shown.picture is None:
            state = parse_board(self.lamps.replace("/", ""))
            self.assertEqual(state, now.state, "the board and the position")
        self.assertTrue(root.wm_title().endswith("Traffic Lights"), root.wm_title())
        self.note_finished()
        if step % 10 == 9:
            for window in self.windows:
                for _ in range(8):  # until it has come to rest
                    root.update()
                self.assertEqual(faults(window), [], str(window))

    def test_whatever_is_done_nothing_fails_and_nothing_is_lost_or_cut_off(self) -> None:
        acts: dict[Callable[[], str], int] = {
            self.click_anything: 8, self.click_cell: 6, self.move_and_undo: 10,
            self.press_or_paste: 9, self.open_a_menu: 4, self.choose_player: 3,
            self.start_again: 2,
        }  # fmt: skip
        for seed in SEEDS:
            self.rng = random.Random(seed)
            random.seed(seed)  # by which bots choose, and puzzles
            self.finished: set[tuple[int, tuple[int, ...]]] = set()
            done: list[str] = []
            self.quit()
            self.data = self.folder / str(seed)
            theme, size = SIGHTS[seed % len(SIGHTS)]
            look = {"theme": theme, "geometry": size and f"{size}+20+20"}
            self.start(speed="instant", **look)
            try:
                for step in range(STEPS):
                    (act,) = self.rng.choices([*acts], [*acts.values()])
                    if self.menu is not None:
                        act = self.click_anything
                    done.append(act.__name__)
                    done[-1] += f": {act()}"
                    self.check(step)
            except Exception as error:
                error.add_note("\n".join([f"seed {seed}", *done[-14:]]))
                raise
