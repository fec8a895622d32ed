"""Make the pictures of the pages: ``python3 -m tests.make.screenshots``.

It needs an X display of its own of 1920×1200 (such as ``xvfb-run -s "-screen 0 1920x1200x24"``)
with the window manager openbox, and ImageMagick's ``import``, which takes the picture of the
window. The names of tests as arguments make only their pictures, such as ``Pictures.test_light``.
"""

import os
import re
import subprocess
import time
import unittest
from pathlib import Path
from typing import Any, Final

from tests.kit.person import PersonTestCase
from tests.kit.samples import PROJECT
from tests.kit.sessions import save_game
from traffic_lights.play.game import HUMAN, Game, Player, Players, parse_moves
from traffic_lights.training.own_bots import Bots
from traffic_lights.training.run import Training

FOLDER: Final = Path(os.environ.get("PICTURES", PROJECT / ".pictures"))
MIDDLE: Final = "1. d3 a1 2. a1 b2 3. b2 a1 4. a3 d3 5. b2 c1 6. d2 a3 7. a2"
WON: Final = "1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1"
REPLAYED: Final = "1. b2 d1 2. b2 b2 3. c3 c3 4. a2 d1 5. a2 d2 6. a1 a3 7. d3 d1 8. c3 d2 9. c2 b1"


class Pictures(PersonTestCase):
    """Each test does what its pictures show, and takes them."""

    def begin(self, moves: str = "", players: Players = (HUMAN, HUMAN), **settings: Any) -> None:
        self.quit()
        save_game(self.data, Game(actions=parse_moves(moves), players=players))
        self.start(**{"theme": "light", "geometry": "900x640+20+20", **settings})

    def take(self, name: str) -> None:
        until = time.monotonic() + 0.4
        self.wait(lambda: time.monotonic() > until)
        window = self.front
        window.lift()
        window.update()
        # The frame is the window manager's, with the title that can be read there.
        target = f"PNG8:{FOLDER / name}.png"
        few = ("+dither", "-colors", "256")  # a third of the size, and looks the same
        subprocess.run(["import", "-window", window.wm_frame(), *few, target], check=True)
        print(name)

    def test_light(self) -> None:
        self.begin(MIDDLE, (Player("qbot", "QBot"), HUMAN), shown="best-play")
        self.key("Home", "Up", "Up", "End")
        self.take("light")

    def test_dark(self) -> None:
        self.begin(WON, theme="dark")
        self.take("dark")

    def test_bot(self) -> None:
        bot = Bots(self.data).create("My QBot")
        with Training(bot.folder, {"plan": "myopic", "games": 30_000}) as training:
            list(training.play())  # then it is like the shipped one
        self.begin(REPLAYED, (Player(bot.key, "My QBot"), HUMAN))
        self.pick("Bots", "Workshop")
        self.press("My QBot")
        self.see("Slider:")
        self.slider.focus_force()
        self.key("Left")
        self.take("slider")
        self.key("Right")
        self.press("Inside")
        self.see("Values of My QBot")
        self.take("inside")
        self.press("Replay My Game")
        self.see("Before", "After")
        while "Move 11, a1:" not in self.text:
            self.press("Step")
        self.take("replay")

    def test_training(self) -> None:
        self.pick("Bots", "Workshop")
        self.fill("Opponent", "Solve backwards")
        self.press("Start")
        self.wait(lambda: re.search(r"solved: (6[6-9]|[7-9]\d) %", self.text), "two thirds solved")
        self.take("training")


if __name__ == "__main__":
    unittest.main()
