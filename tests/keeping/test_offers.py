"""The opponent offered after a game: two wins one rung up, two losses one down, else none."""

import unittest

from tests.players.test_rungs import LADDER
from traffic_lights.keeping.offers import Offer, offer_after
from traffic_lights.keeping.tally import Tally
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.session.phases import Result


def offered(key: str, results: str) -> Offer | None:
    """Return the offer after *results* (w and l) against the level of *key*, seats alternating."""
    tally = Tally()
    game = Game()
    for number, letter in enumerate(results):
        bot = Player(key, key.title())
        seat = number % 2
        game = Game(players=(HUMAN, bot) if seat == 0 else (bot, HUMAN))
        tally.add_result(Result(game, seat if letter == "w" else 1 - seat))
    return offer_after(game, tally, LADDER)


class OfferTests(unittest.TestCase):
    def test_two_in_a_row_offer_a_neighbour(self) -> None:
        for key, results, other in (
            ("fair", "ww", "good"), ("fair", "ll", "young"), ("fair", "lww", "good"),
            ("feeble", "ww", "young"), ("fair", "wwll", "young"), ("fair", "www", "good"),
        ):  # fmt: skip
            with self.subTest(key=key, results=results):
                offer = offered(key, results)
                assert offer is not None
                self.assertEqual((offer.level.key, offer.is_harder), (other, results[-1] == "w"))

    def test_nothing_is_offered_otherwise(self) -> None:
        for key, results in (
            ("fair", ""), ("fair", "w"), ("fair", "wl"), ("fair", "wwl"), ("feeble", "ll"),
            ("flawless", "ww"), ("own-table-1", "ww"),
        ):  # fmt: skip
            with self.subTest(key=key, results=results):
                self.assertIsNone(offered(key, results))

    def test_games_of_two_people_offer_nothing(self) -> None:
        self.assertIsNone(offer_after(Game(), Tally(), LADDER))

    def test_the_sentence(self) -> None:
        for results, words in (
            ("ww", "Two wins in a row: try Good next? Plays."),
            ("lll", "3 losses in a row: try Young next? Plays."),
        ):
            offer = offered("fair", results)
            assert offer is not None
            self.assertEqual(offer.text, words)


if __name__ == "__main__":
    unittest.main()
