"""The Workshop, as a person sees it who has bots of before."""

import os
from typing import ClassVar, Final

from tests.kit.person import PersonTestCase
from tests.kit.samples import PROJECT, measured
from traffic_lights.training.bot_note import write_curve
from traffic_lights.training.folder import NOTE
from traffic_lights.training.own_bots import Bots

TABLE: Final = PROJECT / "qtables" / "myopic-200.json"


class WorkshopTestCase(PersonTestCase):
    """A test in the Workshop, with the bots *names*, which have a curve."""

    names: ClassVar[tuple[str, ...]] = ()

    def prepare(self) -> None:
        bots = Bots(self.data)
        for number, name in enumerate(self.names):
            bot = bots.import_table(TABLE, name)
            write_curve(bot.folder, [measured(50 * n, n / (22 + 2 * number)) for n in range(1, 21)])
            os.utime(bot.folder / NOTE, (number, number))  # not in one tick

    def setUp(self) -> None:
        super().setUp()
        self.pick("Bots", "Workshop")
        self.see("Games in total")

    def tick(self, name: str) -> None:
        """Choose the bot *name*, and tick it or take its tick away."""
        self.press(name)
        self.key("space")
