"""Make the README's pictures: ``python -m tests.make.screenshots [FOLDER]``.

It needs an X display of its own (such as ``xvfb-run -s "-screen 0 1920x1200x24"``)
and ImageMagick's ``import``, which takes the picture of the window.
"""

from __future__ import annotations

import subprocess
import sys
import time
import tkinter as tk
from pathlib import Path

from tests.kit.samples import PROJECT
from tests.kit.windows import add_test_bot, fresh_app, load_moves, wait_until
from traffic_lights.board.positions import POSITIONS
from traffic_lights.board.rules import parse_cell
from traffic_lights.gui.app import App
from traffic_lights.gui.workshop.window import open_workshop, trainer_of
from traffic_lights.players.game import Player
from traffic_lights.training.settings import RunSettings

MIDDLE = "1. d3 a1 2. a1 b2 3. b2 a1 4. a3 d3 5. b2 c1 6. d2 a3 7. a2"
WON = "1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1"


def in_game(app: App) -> tk.Misc:
    """Show a game against a bot, the user to move, with the keyboard's cursor."""
    add_test_bot(app)
    load_moves(app, MIDDLE, bot_seat=0)
    app.session.set_players((Player("qbot", "QBot"), app.session.players[1]))
    app.window.board.cursor_cell = parse_cell("d1")
    app.context.changed()
    return app.root


def won(app: App) -> tk.Misc:
    """Show a finished game."""
    load_moves(app, WON)
    return app.root


def training(app: App) -> tk.Misc:
    """Train until the knowledge is well on its way."""
    window = open_workshop(app.context)
    window.learning.form.fill("My QBot", RunSettings(plan="reverse"), can_name=True)
    window.learning.press()
    trainer = trainer_of(app.context)
    wait_until(
        app.root,
        lambda: trainer.moment is not None and trainer.moment.decided > 0.66 * POSITIONS,
        900,
    )
    return window


def main() -> None:
    """Make the pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT / ".pictures"
    for name, settings, show in (
        ("light", {"theme": "light", "show": "best-play"}, in_game),
        ("dark", {"theme": "dark"}, won),
        ("training", {"theme": "light"}, training),
    ):
        app = fresh_app(**settings)
        app.root.wm_geometry("900x640+20+20")
        window = show(app).winfo_toplevel()
        window.lift()
        until = time.monotonic() + 0.4
        wait_until(app.root, lambda: time.monotonic() > until)  # noqa: B023
        # The frame is the window manager's, with the title that can be read there.
        target = str(folder / f"{name}.png")
        subprocess.run(["import", "-window", window.wm_frame(), target], check=True)
        print(name)


if __name__ == "__main__":
    main()
