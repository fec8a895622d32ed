"""The opponent offered after a game: two wins one rung up, two losses one down, else none."""

import unittest
from collections.abc import Sequence
from dataclasses import replace

from tests.kit.sessions import new_session, play_all
from tests.players.test_rungs import LADDER
from traffic_lights.board.rules import parse_board
from traffic_lights.keeping.offers import Offer, offer_after
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.session.notation import game_from_plain, game_to_plain, parse_moves
from traffic_lights.session.session import Result
from traffic_lights.userdata.statistics import Statistics


def offered(key: str, results: str) -> Offer | None:
    """Return the offer after *results* (w and l) against the level of *key*, seats alternating."""
    games = [ended(key, number % 2, letter == "w") for number, letter in enumerate(results)]
    return offer_after(games[-1] if games else Game(), counted(games), LADDER)


def ended(key: str, seat: int, has_won: bool) -> Game:
    """Return a finished game of a person in *seat* against the level of *key*."""
    bot = Player(key, key.title())
    actions = parse_moves("a1 b1 c1" if has_won == (seat == 0) else "a1 b1 d3 c1")
    players = (HUMAN, bot) if seat == 0 else (bot, HUMAN)
    return Game(actions=actions, players=players)


def counted(games: Sequence[Game]) -> Statistics:
    """Return the statistics of *games*."""
    statistics = Statistics()
    for game in games:
        assert game.winner is not None
        statistics.add_result(Result(game, game.winner))
    return statistics


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

    def test_nothing_is_offered_after_a_game_that_does_not_count(self) -> None:
        statistics = counted([ended("fair", 0, True)] * 2)
        won, lost = (ended("fair", 0, has_won) for has_won in (True, False))
        self.assertIsNotNone(offer_after(won, statistics, LADDER))
        session = new_session(*won.players)
        session.open_game(won)
        opened = session.game
        session.new_game(won.players)
        play_all(session, *won.actions[:1])
        session.set_players((HUMAN, HUMAN))
        session.set_players(won.players)
        play_all(session, *won.actions[1:])
        for game in (opened, session.game, replace(won, start=parse_board("000000000001")), lost):
            with self.subTest(game=game):
                self.assertTrue(game.is_over)
                self.assertIsNone(offer_after(game, statistics, LADDER))
                again = game_from_plain(game_to_plain(game))
                self.assertIsNone(offer_after(again, statistics, LADDER))

    def test_games_of_two_people_offer_nothing(self) -> None:
        self.assertIsNone(offer_after(Game(), Statistics(), LADDER))

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
