import random
import unittest

from traffic_lights.judging.evaluation import wilson_interval
from traffic_lights.storage.words import exact_percent, interval_percent, percent, percent_done


def number(text: str) -> float:
    return float(text.strip("<>% "))


class ShareTests(unittest.TestCase):
    def test_all_is_said_of_all_alone_and_none_of_none(self) -> None:
        said = (
            lambda rate: percent(rate, 2),
            lambda rate: percent(rate, 0),
            percent,
            exact_percent,
        )
        for games in (1, 7, 2_000, 10_000, 10**7):
            for wins in {0, 1, games // 2, games - 1, games}:
                for text in [say(wins / games) for say in said] + [percent_done(wins, games)]:
                    with self.subTest(wins=wins, games=games, text=text):
                        is_end = number(text) in (0.0, 100.0) and text[0] not in "<>"
                        self.assertEqual(is_end, wins in (0, games))

    def test_a_rate_is_where_its_text_says(self) -> None:
        rng = random.Random(7)
        for rate in [*(rng.random() for _ in range(500)), *(rng.random() ** 9 for _ in range(500))]:
            for digits in (0, 1, 2):
                text = percent(rate, digits)
                if text[0] in "<>":
                    self.assertEqual(text[0] == "<", 100 * rate < number(text), (rate, text))
                else:
                    self.assertLess(abs(100 * rate - number(text)), 0.51 * 10.0**-digits)

    def test_an_interval_holds_what_it_was_made_of(self) -> None:
        for wins, games in ((0, 5), (1, 3), (1_999, 2_000), (2_000, 2_000), (99_999, 100_000)):
            low, high = wilson_interval(wins, games)
            least, most = (number(text) / 100 for text in interval_percent(low, high).split("–"))
            self.assertLessEqual(least, low + 1e-9)
            self.assertGreaterEqual(most, high - 1e-9)
