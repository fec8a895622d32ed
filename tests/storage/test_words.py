import random
import unittest

from traffic_lights.judging.evaluation import wilson_interval
from traffic_lights.storage import words


def number(text: str) -> float:
    return float(text.strip("<>% "))


class ShareTests(unittest.TestCase):
    def test_all_is_said_of_all_alone_and_none_of_none(self) -> None:
        for games in (1, 7, 2_000, 10_000, 10**7):
            for wins in {0, 1, games // 2, games - 1, games}:
                shares = [words.percent(wins / games, digits) for digits in (0, 1, 2)]
                shares += words.exact_percent(wins / games), words.percent_done(wins, games)
                for text in shares:
                    is_end = number(text) in (0.0, 100.0) and text[0] not in "<>"
                    self.assertEqual(is_end, wins in (0, games), (wins, games, text))

    def test_a_rate_is_where_its_text_says(self) -> None:
        rng = random.Random(7)
        for power in [1] * 500 + [9] * 500:
            rate = rng.random() ** power
            for digits in (0, 1, 2):
                text = words.percent(rate, digits)
                if text[0] in "<>":
                    self.assertEqual(text[0] == "<", 100 * rate < number(text), (rate, text))
                else:
                    self.assertLess(abs(100 * rate - number(text)), 0.51 * 10.0**-digits)

    def test_an_interval_holds_what_it_was_made_of(self) -> None:
        for wins, games in ((0, 5), (1, 3), (1_999, 2_000), (2_000, 2_000), (99_999, 100_000)):
            low, high = wilson_interval(wins, games)
            least, most = map(number, words.interval_percent(low, high).split("–"))
            self.assertLessEqual(least, 100 * low + 1e-7)
            self.assertGreaterEqual(most, 100 * high - 1e-7)


class TypedTests(unittest.TestCase):
    def test_a_number_is_read_as_people_write_it_within_its_limits(self) -> None:
        for text, number in (
            ("4", None), ("5", 5), (" 12 ", 12), ("13", None), ("", None), ("-5", None),
            ("+5", None), ("5.0", None), ("5 0", None), ("x", None), ("٥", None),
            ("9" * 5000, None), ("0" * 5000, None),
        ):  # fmt: skip
            self.assertEqual(words.whole_number(text, 5, 12), number, text)
        for sign in " ,._'’\u00a0\u202f":  # between groups of three digits
            self.assertEqual(words.whole_number(f"1{sign}234{sign}567", 0), 1_234_567)
            for wrong in (f"1{sign}23", f"1234{sign}567", f"1{sign}2345", f"1{sign}{sign}234"):
                self.assertIsNone(words.whole_number(wrong, 0), wrong)
        self.assertIsNone(words.whole_number("1,234.567", 0))
        for text, share in (
            ("1.", 1.0), (",5", 0.5), (" 0,25 ", 0.25), ("1E-3", 0.001), ("-0.5", -0.5),
            ("--1", None), ("", None), (".", None), ("nan", None),
        ):  # fmt: skip
            self.assertEqual(words.decimal_number(text), share, text)

    def test_a_name_is_one_short_line(self) -> None:
        self.assertEqual(words.fit_name("  a\tb\n c\x00d  "), "a b c d")
        short = "x" * (words.LONGEST_NAME - 1)
        self.assertEqual(words.fit_name(f"{short} y"), short)
