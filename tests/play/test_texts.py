"""The words that people read: held to the exact ones of the design, in every phase."""

import math
import random
import re
import unittest
from typing import Any

from tests.kit.samples import live_states
from tests.kit.sessions import BOT, OTHER_BOT, new_session, play_all
from traffic_lights.board.rules import format_cell, parse_board, parse_cell
from traffic_lights.play import texts
from traffic_lights.play.game import HUMAN, Game, Player, Players
from traffic_lights.play.verdicts import hint, judge, puzzle_hint, ranked_moves

TWO_PERSONS = (HUMAN, HUMAN)
MORE = "Another hint says more."


def verdict_of(board: str, cell: str, players: Players = TWO_PERSONS) -> str:
    return texts.verdict_text(judge(parse_board(board), parse_cell(cell)), players)


class MoveTextTests(unittest.TestCase):
    def test_a_player_meets_one_number_for_a_move_before_and_after_it(self) -> None:
        state = parse_board("000001000000")
        move = ranked_moves(state)[0]
        moves = math.ceil(move.distance / 2)
        for words in (
            texts.value_badge(move.distance).replace("W", "in"),
            texts.values_text([move]),
            texts.hint_text(hint(state, 3), TWO_PERSONS),
            texts.judged_text(move, TWO_PERSONS),
        ):
            self.assertRegex(words, rf"\bin {moves}\b")

    def test_verdicts_in_the_exact_words(self) -> None:
        overlooked = "c1 would have won at once. {} could win at once with c1."
        cases = {
            ("122000000000", "a1"): "Completes three yellows, a1–c1.",
            ("000001000000", "d1"): "Best: wins in 12 moves.",
            ("000001000000", "b2"): "Still winning, 2 moves slower than d1.",
            ("110000000000", "d3"): overlooked.format("Player 2"),
            ("000000000000", "b1"): "Lost either way, but this lasts longest (13 moves).",
            ("000000000000", "b2"): "Lost either way, but b1 lasts 1 move longer.",
            ("000001000000", "a1"): "Throws the win away: Player 1 could win at once with c3. "
            "d1 was winning.",
        }
        for (board, cell), words in cases.items():
            self.assertEqual(verdict_of(board, cell), words)
        for players, name in (((HUMAN, BOT), "Myopic"), ((BOT, HUMAN), "You")):
            words = verdict_of("110000000000", "d3", players)
            self.assertEqual(words, overlooked.format(name))

    def test_a_number_belongs_to_the_move_that_is_named(self) -> None:
        for state in live_states(random.Random(7), 300):
            for move in ranked_moves(state):
                text = texts.verdict_text(move, TWO_PERSONS)
                found = re.search(r"([abcd][123]) lasts (\d+) moves? longer", text)
                if found is not None:
                    named = judge(state, parse_cell(found[1]))
                    self.assertEqual(named.distance - move.distance, 2 * int(found[2]))

    def test_the_third_hint_of_a_lost_position_names_the_hardest_to_answer_and_why(self) -> None:
        met = 0
        for state in live_states(random.Random(7), 300):
            third = hint(state, 3)
            if third.move.kept is None:
                continue
            kept = third.move.kept
            text = texts.hint_text(third, TWO_PERSONS)
            words = f"only {kept.winning} of {kept.safe} safe replies keep the win"
            self.assertIn(f"{format_cell(third.move.action)} is hardest to answer: {words}", text)
            met += 1
        self.assertGreater(met, 5)

    def test_the_first_hint_of_a_puzzle_rules_out_what_loses_at_once_and_nothing_else(self) -> None:
        for board, words in (
            ("100202000000", "All moves but a1, d1, b2, c2, d2, b3, c3 and d3 let"),
            ("000232000030", "No move lets the opponent complete a line."),
        ):
            first = puzzle_hint(parse_board(board), 1, ())
            self.assertIn(words, texts.hint_text(first, TWO_PERSONS))

    def test_who_asks_before_the_first_move_is_not_told_that_the_game_is_lost(self) -> None:
        first = hint(parse_board("000000000000"), 1)
        plain = "No first move wins against perfect play"
        for bot, words in (
            (Player("beginner", "Beginner"), f"{plain}, but Beginner is not perfect."),
            (Player("perfect", "Perfect"), f"{plain}."),
            (HUMAN, f"{plain}."),
        ):
            self.assertEqual(texts.hint_text(first, (HUMAN, bot)), f"{words} {MORE}")
        won = hint(parse_board("000001000000"), 1)
        self.assertEqual(texts.hint_text(won, TWO_PERSONS), f"You can win this. {MORE}")


class ReviewTextTests(unittest.TestCase):
    def test_a_finished_game_is_summed_up_by_the_mistakes_of_people(self) -> None:
        for players, words in (
            ((HUMAN, BOT), "You overlooked a win at once on move 3."),
            (TWO_PERSONS, "Player 1 overlooked a win at once on move 3, and Player 2 threw the "
             "win away on move 2."),
            ((OTHER_BOT, HUMAN), "You threw the win away on move 2."),
        ):  # fmt: skip
            session = new_session(*players)
            play_all(session, 0, 1, 11, 2)
            self.assertEqual(texts.mistakes_text(session.mistakes(), session.now.game), words)
        lost = judge(parse_board("000000010100"), parse_cell("b1"))
        game = Game(players=(HUMAN, BOT), start=1)
        text = texts.mistakes_text({4: lost}, game)
        self.assertEqual(text, "You let Myopic win at once on move 5.")
        text = texts.mistakes_text({4: lost, 8: lost}, game)
        self.assertEqual(text, "You made mistakes on moves 5 and 9.")
        self.assertEqual(texts.sentence("a1 was better"), "a1 was better", "a cell stays small")

    def test_the_result_tells_the_help_of_a_winner_fairly(self) -> None:
        whole: dict[str, Any] = {"hints": 1, "takebacks": 1, "values_seen": True}
        for players, helped, words in (
            (TWO_PERSONS, {}, ""),
            (TWO_PERSONS, {"takebacks": 2}, "Help in this game: 2 moves taken back."),
            ((HUMAN, BOT), {}, ""),
            ((HUMAN, BOT), whole, "Help in this game: 1 hint, 1 move taken back and the values "
             "of the moves."),
            ((BOT, HUMAN), whole, ""),
        ):  # fmt: skip
            game = Game(actions=(0, 1, 2), players=players, **helped)
            self.assertEqual(texts.help_text(game), words)
