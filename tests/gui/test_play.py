"""Games in the window: moves, undo, looking back, hints, values, marks and the keyboard."""

import unittest

from tests.kit.person import GAME, PersonTestCase
from tests.kit.samples import tablebase
from tests.kit.sessions import after
from traffic_lights.play.verdicts import BEST_PLAY
from traffic_lights.play.view import bars_of

BEFORE_THE_END = GAME[: GAME.rindex(" ")]


class GraphTests(unittest.TestCase):
    def test_a_bar_points_to_who_is_winning_and_is_the_longer_the_nearer_the_win(self) -> None:
        session = after("people 9 4 11 5 11 11 10")
        session.wanted_values = lambda: BEST_PLAY
        lengths = {}
        for number, bar in enumerate(bars_of(session), 1):
            plies = tablebase().get_distance(session.now.game.state_at(number))
            self.assertEqual(bar.height > 0, number % 2 != plies % 2)
            lengths[plies] = abs(bar.height)
        self.assertGreater(len(lengths), 2)
        self.assertEqual([lengths[plies] for plies in sorted(lengths)],
                         sorted(lengths.values(), reverse=True))  # fmt: skip


class PlayTests(PersonTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.press("Beginner", "A person")

    def test_a_game_ends_with_its_line_return_plays_again_and_a_list_brings_it_back(self) -> None:
        self.click("b2", times=2)
        self.assertEqual(self.lamps, "0000/0100/0000", "a double click is one move")
        self.click(BEFORE_THE_END.removeprefix("b2"))
        self.see_not("Player 2 is winning")
        self.click(GAME.split()[-1])
        self.see("Player 2 wins – three yellows, b1–d3")
        self.assertIn("Player 2 wins", self.app.root.wm_title())
        over = self.lamps
        self.assertEqual(over, "0231/0322/1002")
        self.click("a1")
        self.see("The game is over")
        self.assertEqual(self.lamps, over)
        self.see("Player 1 is winning", "Player 2 is winning", "b1#")
        self.find("b1#").widget.focus_force()
        self.key("Up")
        self.see("Looking at move 15 of 16")
        self.press("d2??")
        self.see("Looking at move 6 of 16", "d2?? – Throws the win away", "b1#")
        self.assertEqual(self.lamps, "0010/0301/1000")
        self.key("Escape", "Return")
        self.see("Player 1 to move")
        self.see_not("Player 2 is winning")
        self.assertEqual(self.lamps, "0000/0000/0000")
        self.key("F7")
        self.click("b2")
        self.see("Player 2 is winning")
        self.pick("Game", "Recent Games")
        self.see("Player 2 beat Player 1 in 8 moves")
        self.press("Player 2 beat Player 1")
        self.see("Player 2 wins")
        self.assertEqual(self.lamps, over)

    def test_a_game_is_played_by_keys_alone(self) -> None:
        for keys, lamps in (
            ("b 2", "0000/0100/0000"), ("Right space Down Return", "0000/0110/0010"),
            ("u u", "0000/0100/0000"), ("r", "0000/0110/0000"), ("n", "0000/0000/0000"),
            ("KP_Left KP_Up KP_Right KP_Enter", "0000/0010/0000"),  # what the grey keys do
            ("KP_Prior", "0000/0000/0000"), ("Escape a 1", "1000/0010/0000"),
        ):  # fmt: skip
            self.key(*keys.split())
            self.assertEqual(self.lamps, lamps, keys)
        self.key("F2")
        self.find("Hint").widget.focus_force()
        self.key("c", "3")
        self.assertEqual(self.lamps, "0000/0000/0010")
        self.pick("Help", "About")
        self.key("a", "1", "Escape")
        self.assertEqual(self.lamps, "0000/0000/0010")
        self.key("a", "1")
        self.assertEqual(self.lamps, "1000/0000/0010")

    def test_the_keys_of_the_game_go_through_its_moves_and_escape_comes_back(self) -> None:
        self.click("b2 b2 a3 c1")
        before = self.lamps
        for key, words, lamps in (
            ("Prior", "move 3 of 4", "0000/0200/1000"), ("Prior", "move 2 of 4", "0000/0200/0000"),
            ("Next", "move 3 of 4", "0000/0200/1000"), ("Control-Home", "start", "0000/0000/0000"),
            ("Control-End", "to move", before), ("Prior", "move 3 of 4", "0000/0200/1000"),
            ("Escape", "Player 1 to move", before),
        ):  # fmt: skip
            self.key(key)
            self.see(words)
            self.assertEqual(self.lamps, lamps, key)

    def test_best_play_shows_what_each_move_leads_to_until_it_is_switched_off(self) -> None:
        self.click("b2 b2 a3 c1 b2 d2")
        self.key("F7")
        signs = [self.signs[cell] for cell in ("a3", "c1", "a1", "b2")]
        self.assertEqual(signs, ["G W 8", "G L 7", "L 1", "R"])
        self.see("wins in 3 moves")
        self.assertTrue(self.find("Best Play").is_ticked)
        self.key("F7")
        self.assertEqual(self.signs["a3"], "G")
        self.press("Best Play")
        self.click("a3")
        self.assertIn("L", "".join(self.signs.values()))
        self.press("Nothing")
        self.assertNotIn("L", "".join(self.signs.values()))
        self.key("F9")
        self.see_not("Best Play")
        self.key("F9")
        self.see("Best Play")

    def test_a_bot_that_was_trained_shows_what_it_has_learned_and_another_has_nothing(self) -> None:
        self.press("Player 2", "Perfect")
        self.key("F8")
        self.wait(lambda: any(self.signs.values()), "the values")
        self.assertTrue(self.find("Learned").is_ticked)
        self.press("Perfect", "Careful")
        self.key("F8")
        self.see_not("Learned")
        players = "Player 1: Gone [bot:gone]\nPlayer 2: Perfect [qbot]"
        self.paste(f"Traffic Lights 1\n{players}\n\n1. b2 c2 2. a1")
        self.see("Values of Perfect")

    def test_a_review_asks_for_a_better_move_and_spoils_nothing(self) -> None:
        self.click(GAME)
        self.key("F4")
        self.see("Move 3: a3 lost", "Find a better", "Mistake 1 of 7")
        self.see_not("??", "b1#", "winning")
        self.key("F7")
        self.assertNotIn("L", "".join(self.signs.values()))
        self.resize(840, 600)
        before = self.lamps
        places = self.board()[1]
        self.click("a3")
        self.see("Try again")
        self.assertEqual(self.board()[1], places, "the board stays where it is")
        self.press("Why?")
        self.see("After a3")
        self.see_not("longer")
        self.key("Escape")
        self.see("Move 3: a3 lost")
        self.assertEqual(self.lamps, before)
        self.click("d2")
        self.see("Right")

    def test_clicks_set_a_position_up_and_start_plays_from_there(self) -> None:
        self.pick("Game", "Set Up Position")
        self.see("Set up a position")
        self.click("a1 a1")
        self.click("b2", button=3)
        self.see("moves next")
        self.assertEqual(self.lamps, "2000/0300/0000")
        self.click("c3", times=2)
        self.assertEqual(self.lamps, "2000/0300/0020")
        self.press("Start")
        self.see("Player 2 to move")
        self.assertEqual(self.lamps, "2000/0300/0020")
        self.press("New Game")
        self.assertEqual(self.lamps, "0000/0000/0000")
