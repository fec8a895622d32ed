"""Make the README's pictures: ``python3 -m tests.make.screenshots [FOLDER]``.

It needs an X display of its own (such as ``xvfb-run -s "-screen 0 1920x1200x24"``)
and ImageMagick's ``import``, which takes the picture of the window.
"""

import subprocess
import sys
import time
import tkinter as tk
from pathlib import Path

from tests.kit.samples import PROJECT
from tests.kit.windows import load_moves, loop_until, open_app, start_afresh
from traffic_lights.board.positions import POSITIONS
from traffic_lights.board.rules import parse_cell
from traffic_lights.gui.app import App
from traffic_lights.gui.workshop.form import NAME
from traffic_lights.gui.workshop.form_values import Trained, form_texts
from traffic_lights.gui.workshop.window import WorkshopWindow, open_workshop
from traffic_lights.play.game import HUMAN, Game, Player, parse_moves
from traffic_lights.training.own_bots import Bots
from traffic_lights.training.run import Training
from traffic_lights.training.settings import RunSettings

MIDDLE = "1. d3 a1 2. a1 b2 3. b2 a1 4. a3 d3 5. b2 c1 6. d2 a3 7. a2"
WON = "1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1"
REPLAYED = "1. b2 d1 2. b2 b2 3. c3 c3 4. a2 d1 5. a2 d2 6. a1 a3 7. d3 d1 8. c3 d2 9. c2 b1"
TABLE = PROJECT / "qtables" / "myopic-30000.json"


def rest(app: App) -> None:
    """Let the windows finish what they do in the background."""
    until = time.monotonic() + 0.4
    loop_until(app.root, lambda: time.monotonic() > until)


def in_game(app: App) -> tk.Misc:
    """Show a game against a bot, the user to move, with the keyboard's cursor."""
    players = Player("qbot", "QBot"), HUMAN
    app.session.restore(Game(actions=parse_moves(MIDDLE), players=players))
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
    window.learning.form.fill({**form_texts(RunSettings("reverse")), NAME: "My QBot"}, Trained())
    window.learning.press()
    trainer = window.trainer
    loop_until(
        app.root,
        lambda: trainer.moment is not None and trainer.moment.decided > 0.66 * POSITIONS,
        900,
    )
    return window


def open_trained(app: App, tab: str) -> WorkshopWindow:
    """Show a bot of the user that is like the shipped one with 30,000 games."""
    bot = Bots(app.context.userdata.folder).create("My QBot")
    with Training(bot.folder, {"plan": "myopic", "games": 30_000}) as training:
        list(training.play())
    app.context.bots_changed()
    open_workshop(app.context, tab, "myopic")  # otherwise the table of the last picture stays
    return open_workshop(app.context, tab, bot.key)


def slider(app: App) -> tk.Misc:
    """Show the bot as it was after a third of its games."""
    window = open_trained(app, "learning")
    rest(app)
    window.learning.past.go(10_000)
    return window


def inside(app: App) -> WorkshopWindow:
    """Show the values of the first move that the bot has learned."""
    window = open_trained(app, "inside")
    rest(app)
    loop_until(app.root, lambda: window.inside.buttons["Replay My Game"].instate(["!disabled"]))
    return window


def replay(app: App) -> tk.Misc:
    """Replay a game that the bot lost, back to the first move that it now thinks less of."""
    window = inside(app)
    players = Player("bot:My QBot", "My QBot"), HUMAN
    app.session.open_game(Game(actions=parse_moves(REPLAYED), players=players))
    window.inside.buttons["Replay My Game"].invoke()
    loop_until(app.root, lambda: window.inside.buttons["Step"].instate(["!disabled"]))
    while "Move 11, a1:" not in str(window.inside.text.cget("text")):
        window.inside.buttons["Step"].invoke()
        app.root.update()
    return window


def main() -> None:
    """Make the pictures."""
    app = open_app()
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT / ".pictures"
    for name, settings, show in (
        ("light", {"theme": "light", "shown": "best-play"}, in_game),
        ("dark", {"theme": "dark"}, won),
        ("slider", {"theme": "light"}, slider),
        ("inside", {"theme": "light"}, inside),
        ("replay", {"theme": "light"}, replay),
        ("training", {"theme": "light"}, training),
    ):
        start_afresh(app, **settings)
        app.context.bots_changed()
        app.root.wm_geometry("900x640+20+20")
        window = show(app).winfo_toplevel()
        window.lift()
        rest(app)
        # The frame is the window manager's, with the title that can be read there.
        target = f"PNG8:{folder / name}.png"
        few = ("+dither", "-colors", "256")  # a third of the size, and looks the same
        subprocess.run(["import", "-window", window.wm_frame(), *few, target], check=True)
        if isinstance(window, WorkshopWindow):
            window.close()
            # The next bot has the same name.
            window.learning.past.take(None)
        print(name)


if __name__ == "__main__":
    main()
