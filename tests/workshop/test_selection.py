"""Which bots the Workshop compares, and that a reader can tell their curves apart."""

import random
import unittest
from dataclasses import replace

from traffic_lights.players.roster import Roster
from traffic_lights.workshop.charts import COLOURS
from traffic_lights.workshop.selection import Selection
from traffic_lights.workshop.shared import NEW, NEW_BOT

BOTS = [replace(NEW_BOT, key=f"bot:{n}", name=f"Bot {n}") for n in range(2 * COLOURS)]
CURVES = {bot.key for bot in BOTS}


class SelectionTests(unittest.TestCase):
    def test_curves_look_different_whatever_was_looked_at_before(self) -> None:
        rng = random.Random(5)
        selection = Selection(BOTS)
        keys = [NEW, *CURVES]
        for _ in range(400):
            rng.choice((selection.choose, selection.choose, selection.tick))(rng.choice(keys))
            before = selection.give_styles(CURVES)
            self.assertEqual(before, selection.give_styles(CURVES), "a redraw changes nothing")
            styles = list(before.values())
            self.assertEqual(len(set(styles)), len(styles))
            colours = {style % COLOURS for style in styles}
            self.assertEqual(len(colours), min(len(styles), COLOURS))
            shown = {selection.chosen, *selection.ticked} & CURVES
            self.assertEqual(before.keys(), shown)
            if selection.chosen in CURVES:
                self.assertEqual(next(iter(before)), selection.chosen)

    def test_a_bot_keeps_its_colour_while_others_come_and_go(self) -> None:
        selection = Selection(BOTS)
        first, second = BOTS[0].key, BOTS[1].key
        selection.choose(first)
        selection.tick(second)
        before = selection.give_styles(CURVES)
        selection.choose(second)
        self.assertEqual(selection.give_styles(CURVES), before, "who is compared stays")
        selection.tick(first)
        selection.choose(BOTS[2].key)
        selection.give_styles(CURVES)
        selection.rename(second, "bot:renamed")
        selection.choose("bot:renamed")
        selection.take([replace(BOTS[1], key="bot:renamed")])
        styles = selection.give_styles({"bot:renamed"})
        self.assertEqual(styles, {"bot:renamed": before[second]})

    def test_a_bot_that_is_gone_is_neither_chosen_nor_compared(self) -> None:
        selection = Selection(Roster().entries())
        for key in ("myopic", "random"):
            selection.tick(key)
        selection.choose("myopic")
        selection.take([entry for entry in Roster().entries() if entry.key != "myopic"])
        self.assertEqual(selection.chosen, NEW)
        self.assertNotIn("myopic", selection.ticked)
        self.assertIn("random", selection.ticked)
