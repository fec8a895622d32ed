"""The Strength tab: scores of bots against opponents, and a game that beats one."""

import unittest
from dataclasses import replace
from itertools import product

from tests.kit.samples import measured
from tests.kit.windows import WindowTestCase, loop_until
from tests.kit.workshop import WorkshopTestCase
from traffic_lights.board.exact_score import ExactScore
from traffic_lights.gui.kit.widgets import put, stretch
from traffic_lights.gui.workshop import comparing
from traffic_lights.gui.workshop.kept_scores import plain, rows_of
from traffic_lights.gui.workshop.score_bars import ScoreBars
from traffic_lights.judging.evaluation import STANDARD_OPPONENTS, Row, SeatScore
from traffic_lights.play.userdata import UserData
from traffic_lights.players.roster import Roster
from traffic_lights.training.bot_note import write_curve

ENTRIES = {key: Roster().entry(key) for key in ("myopic", "random", "expert")}
MYOPIC, RANDOM, EXPERT = ENTRIES.values()


class VerdictTests(unittest.TestCase):
    def test_an_exact_score_is_told_by_seat_and_no_player_is_better_than_itself(self) -> None:
        score = SeatScore(500, 400)
        row = Row(MYOPIC, MYOPIC, 1000, score, score, exact=ExactScore(0.4, 0.7))
        text = comparing.facts(row)
        self.assertIn("Exact: 55.00 %, as Player 1 40.00 %, as Player 2 70.00 %.", text)
        changed = replace(row, opponent=replace(MYOPIC, about="Read from another file."))
        for one in (row, changed):
            self.assertIn("Myopic plays against itself", comparing.verdict(one))

    def test_two_are_compared_no_more_surely_than_their_intervals_allow(self) -> None:
        few, many = SeatScore(20, 13), SeatScore(20_000, 13_000)
        for games, better in ((few, SeatScore(20, 14)), (many, SeatScore(20_000, 14_000))):
            rows = [Row(bot, RANDOM, 2 * games.games, score, score)
                    for bot, score in ((MYOPIC, games), (EXPERT, better))]  # fmt: skip
            text = comparing.compared(rows[1], rows)
            self.assertIn("not overlap" if games is many else "Not sure", text)
            rows[0] = replace(rows[0], exact=ExactScore(0.65, 0.65))
            text = comparing.compared(rows[1], rows)
            self.assertIn(f"{'outside' if games is many else 'inside'} the 95 % interval", text)


class PictureTests(WindowTestCase):
    def test_no_interval_goes_through_a_number_or_a_name(self) -> None:
        stretch(self.root)
        picture = put(ScoreBars(self.root, self.theme), sticky="nsew")
        rows = [Row(EXPERT, RANDOM, 40, SeatScore(20, won), SeatScore(20, won))
                for won in (0, 10, 20)]  # fmt: skip
        names = ("Another bot with a name", "A bot with another name", "A third one")
        picture.show("A bot with a long name against", [*zip(names, rows, strict=True)], None)
        for width in (260, 400, 1200):
            self.root.geometry(f"{width}x400")
            loop_until(self.root, lambda: picture.winfo_width() == width)  # noqa: B023
            boxes: dict[str, list[tuple[int, int, int, int]]] = {"text": [], "line": []}
            for item in picture.find_all():
                boxes.setdefault(str(picture.type(item)), []).append(picture.bbox(item))
            self.assertEqual(len(boxes["line"]), 9)
            for text, line in product(boxes["text"], boxes["line"]):
                is_beside = line[2] < text[0] or text[2] < line[0]
                # The box of a text is empty above and below its letters.
                self.assertTrue(is_beside or line[3] - 2 < text[1] or text[3] - 2 < line[1])


class StrengthTests(WorkshopTestCase):
    names = ("One",)

    def test_scores_stay_when_a_bot_is_renamed_and_until_better_ones_are_complete(self) -> None:
        write_curve(self.data / "bots" / "One", [measured(200, 0.5, "alternate", sampled=200)])
        self.press("One", "Strength", "Learning")
        self.see("It wins 50.0 %")
        self.press("Strength")
        for key in STANDARD_OPPONENTS:
            if key != "alternate":
                self.press("Against", Roster().entry(key).name)
        self.fill("Games", "40")
        self.press("Run", "Learning")
        self.see(", 40 games) against Alternate")
        self.press("Strength")
        self.see("One is worse than Alternate", "40 games by seed 1", "Run")
        self.fill("Games", "100,000")
        self.press("Run")
        self.see("of 100,000 games")
        self.press("Stop")
        self.see("40 games by seed 1")
        self.press("Bot", "Rename")
        self.fill("", "Newer")
        self.key("Return")
        self.see("Newer is worse than Alternate", "40 games by seed 1")
        self.press("Learning")
        self.see("| Newer |", ", 40 games) against Alternate")
        self.press("Beginner", "Strength")
        for name in ("Newer", "Alternate"):  # which alone is the opponent, until it is deleted
            self.press("Against", name)
        self.see("Against 1 opponent")
        self.press("Newer")
        self.press("Bot", "Delete", "Delete")
        self.press("Beginner", "Strength")
        self.see(f"Against {len(STANDARD_OPPONENTS)} opponents")

    def test_scores_are_there_after_a_restart_those_of_a_second_program_too(self) -> None:
        score = SeatScore(500, 400)
        measured = plain([Row(EXPERT, RANDOM, 1000, score, score)])
        second = UserData(self.data)
        second.apply(lambda saved: replace(saved, strength=measured))
        second.finish()
        self.press("Beginner", "Strength")
        self.fill("Games", "40")
        self.press("Run")
        self.see("Beginner is better than Random", "40 games by seed 1")
        self.restart()
        self.pick("Bots", "Workshop")
        self.press("Beginner", "Strength")
        self.see("Beginner is better than Random")
        rows = rows_of(self.app.context.userdata.saved.strength, ENTRIES)
        self.assertIn(("expert", 500), [(row.bot.key, row.first.games) for row in rows])

    def test_ticked_bots_are_compared_too_and_all_players_can_be_opponents(self) -> None:
        self.press("Beginner", "Strength")
        before = self.text.count("One")
        self.tick("One")
        self.press("Beginner")
        self.assertGreater(self.text.count("One"), before)
        self.press("Against", "All of Them")
        self.see("Against 2", "Perfect", "QBot 200")

    def test_a_game_that_beats_the_bot_comes_on_the_board_when_asked(self) -> None:
        self.press("One", "Strength", "A Game That Beats It")
        self.see("Show This Game")
        self.press("Show This Game")
        # The moves that win need not be the best.
        self.see("New Game", "Looking at the start", "One Opponent")
        self.wait(lambda: self.front is self.app.root)
        self.assertEqual(self.lamps, "0000/0000/0000")
        self.key("Control-End")
        self.assertNotEqual(self.lamps, "0000/0000/0000")
