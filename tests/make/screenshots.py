"""Makes the README's pictures, or, into a folder, one of every state to be looked at.

    python3 -m tests.make.screenshots
    python3 -m tests.make.screenshots --all FOLDER

It needs an X display of its own (such as ``xvfb-run -s "-screen 0 1920x1200x24"``)
and ImageMagick's ``import``, which takes the picture of the window.
"""

from __future__ import annotations

import argparse
import subprocess
import time
import tkinter as tk
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.kit.samples import PROJECT
from tests.kit.windows import add_test_bot, fresh_app, load_moves, wait_until
from traffic_lights.board.positions import POSITIONS
from traffic_lights.board.rules import parse_cell
from traffic_lights.gui.app import App
from traffic_lights.gui.workshop.window import open_workshop, trainer_of
from traffic_lights.players.game import Player
from traffic_lights.training.settings import RunSettings

PICTURES = PROJECT / ".pictures"
MIDDLE = "1. d3 a1 2. a1 b2 3. b2 a1 4. a3 d3 5. b2 c1 6. d2 a3 7. a2"
WON = "1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1"


@dataclass(frozen=True)
class Shot:
    """One picture: its name, settings, size, and what is done first."""

    name: str
    settings: dict[str, object] = field(default_factory=dict)
    size: tuple[int, int] = (900, 640)
    prepare: Callable[[App], object] = lambda _: None
    window: Callable[[App], tk.Misc] = lambda app: app.root
    has_popup: bool = False
    """Whether something lies over the window: the whole screen is taken."""


def in_game(app: App) -> None:
    """A game against a bot, the person to move, with the keyboard's cursor."""
    add_test_bot(app)
    load_moves(app, MIDDLE, bot_seat=0)
    app.session.set_players((Player("qbot", "QBot"), app.session.players[1]))
    app.window.board.cursor_cell = parse_cell("d1")
    app.context.changed()


def won(app: App) -> None:
    """A finished game."""
    load_moves(app, WON)


def settle(app: App, seconds: float = 0.4) -> None:
    """Let everything be drawn that is drawn a little later."""
    until = time.monotonic() + seconds
    wait_until(app.root, lambda: time.monotonic() > until)


def take(shot: Shot, folder: Path) -> None:
    """Make the picture of *shot*."""
    app = fresh_app(**shot.settings)
    width, height = shot.size
    app.root.wm_geometry(f"{width}x{height}+20+20")
    settle(app)
    shot.prepare(app)
    settle(app)
    window = shot.window(app)
    window.winfo_toplevel().lift()
    settle(app, 0.2)
    folder.mkdir(parents=True, exist_ok=True)
    # The frame is the window manager's, with the title that can be read there.
    frame = window.winfo_toplevel().wm_frame()
    target = str(folder / f"{shot.name}.png")
    if shot.has_popup:
        subprocess.run(["import", "-window", "root", target], check=True)
    else:
        subprocess.run(["import", "-window", frame, target], check=True)


def training(app: App) -> None:
    """Train until the knowledge is well on its way."""
    window = open_workshop(app.context)
    form = window.learning.form
    form.fill("My QBot", RunSettings(plan="reverse"), can_name=True)
    window.learning.press()
    trainer = trainer_of(app.context)
    wait_until(
        app.root,
        lambda: trainer.moment is not None and trainer.moment.decided > 0.66 * POSITIONS,
        900,
    )


def training_window(app: App) -> tk.Misc:
    """Return the window of the training."""
    return open_workshop(app.context)


README = (
    Shot("light", {"theme": "light", "show": "best-play"}, prepare=in_game),
    Shot("dark", {"theme": "dark"}, prepare=won),
    Shot("training", {"theme": "light"}, prepare=training, window=training_window),
)


def every_state() -> Iterator[Shot]:
    """Yield a shot of every state in which the window can be."""
    for theme in ("light", "dark", "high-contrast"):
        base: dict[str, object] = {"theme": theme}
        yield Shot(f"{theme}-start", base)
        yield Shot(f"{theme}-game", {**base, "show": "best-play"}, prepare=in_game)
        yield Shot(f"{theme}-won", base, prepare=won)
        yield Shot(f"{theme}-small", {**base, "show": "best-play"}, (480, 420), in_game)
        yield Shot(f"{theme}-players", base, prepare=players)
    yield Shot("large", {"theme": "light"}, (1900, 1040), in_game)
    yield Shot("zoomed", {"theme": "light", "zoom": 5}, (1400, 1000), in_game)
    for lamps in ("classic", "okabe-ito", "monochrome"):
        yield Shot(f"lamps-{lamps}", {"theme": "light", "lamps": lamps}, prepare=in_game)
    yield Shot("no-letters", {"theme": "light", "letters": False}, prepare=in_game)
    yield Shot("looking-back", {"theme": "light"}, prepare=looking_back)
    yield Shot("review", {"theme": "light"}, prepare=review)
    yield Shot("setup", {"theme": "light"}, prepare=command("set_up"))
    yield Shot("hint", {"theme": "light"}, prepare=hint)
    yield Shot("learned", {"theme": "light", "show": "learned"}, prepare=in_game)
    for name in ("appearance", "how_to_play", "keys", "about", "statistics"):
        yield Shot(f"dialog-{name}", {"theme": "light"}, prepare=command(name), has_popup=True)
        yield Shot(f"dialog-{name}-dark", {"theme": "dark"}, prepare=command(name), has_popup=True)
    yield Shot("error", {"theme": "light"}, prepare=error, has_popup=True)


def command(name: str) -> Callable[[App], object]:
    """Return what does the command *name* in a game under way."""

    def act(app: App) -> None:
        in_game(app)
        app.commands.run(name)

    return act


def looking_back(app: App) -> None:
    """Look at an earlier move."""
    in_game(app)
    app.commands.jump(4)


def players(app: App) -> None:
    """Open the list of players."""
    in_game(app)
    app.players.toggle(1)


def review(app: App) -> None:
    """Go through the mistakes, and try a wrong move."""
    won(app)
    app.commands.run("review")


def hint(app: App) -> None:
    """Ask for help twice."""
    in_game(app)
    app.commands.run("hint")
    app.commands.run("hint")
    app.commands.run("hint")


def error(app: App) -> None:
    """Let a handler fail."""
    try:
        raise RuntimeError("made for the picture")
    except RuntimeError as failure:
        app.context.failed(failure)


def main() -> None:
    """Make the pictures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--all", type=Path, metavar="FOLDER")
    options.add_argument("--only", default="")
    arguments = options.parse_args()
    shots = list(every_state()) if arguments.all else list(README)
    for shot in shots:
        if arguments.only in shot.name:
            take(shot, arguments.all or PICTURES)
            print(shot.name)


if __name__ == "__main__":
    main()
