"""The words that people read: held to the exact ones of the design, in every phase."""

import math
import random
import re
import unittest

from tests.kit.samples import live_states
from tests.kit.sessions import BOT, OTHER_BOT, new_session, play_all
from traffic_lights.board.rules import format_cell, parse_board, parse_cell
from traffic_lights.play import texts
from traffic_lights.play.game import HUMAN, Game, Player, Players
from traffic_lights.play.verdicts import Verdict, hint, judge, puzzle_hint, ranked_moves

TWO_PERSONS = (HUMAN, HUMAN)


def judged(board: str, cell: str) -> Verdict:
    return judge(parse_board(board), parse_cell(cell))


class MoveTextTests(unittest.TestCase):
    def test_verdicts_in_the_exact_words(self) -> None:
        overlooked = "c1 would have won at once. {} could win at once with c1."
        thrown = "Throws the win away: Player 1 could win at once with c3. d1 was winning."
        cases: list[tuple[str, str, Players, str]] = [
            ("122000000000", "a1", TWO_PERSONS, "Completes three yellows, a1–c1."),
            ("000001000000", "d1", TWO_PERSONS, "Best: wins in 12 moves."),
            ("000001000000", "b2", TWO_PERSONS, "Still winning, 2 moves slower than d1."),
            ("110000000000", "d3", TWO_PERSONS, overlooked.format("Player 2")),
            ("110000000000", "d3", (HUMAN, BOT), overlooked.format("Myopic")),
            ("110000000000", "d3", (BOT, HUMAN), overlooked.format("You")),
            ("000000000000", "b1", TWO_PERSONS,
             "Lost either way, but this lasts longest (13 moves)."),
            ("000000000000", "b2", TWO_PERSONS, "Lost either way, but b1 lasts 1 move longer."),
            ("000001000000", "a1", TWO_PERSONS, thrown),
        ]  # fmt: skip
        for board, cell, players, words in cases:
            self.assertEqual(texts.verdict_text(judged(board, cell), players), words)

    def test_a_player_meets_one_number_for_a_move_and_it_belongs_to_the_move_named(self) -> None:
        hardest = 0
        for state in [parse_board("000001000000"), *live_states(random.Random(7), 300)]:
            for move in ranked_moves(state):
                text = texts.verdict_text(move, TWO_PERSONS)
                found = re.search(r"([abcd][123]) lasts (\d+) moves? longer", text)
                if found is not None:
                    named = judge(state, parse_cell(found[1]))
                    self.assertEqual(named.distance - move.distance, 2 * int(found[2]))
            third = hint(state, 3)
            move, text = third.move, texts.hint_text(third, TWO_PERSONS)
            if kept := move.kept:
                words = f"only {kept.winning} of {kept.safe} safe replies keep the win"
                self.assertIn(f"{format_cell(move.action)} is hardest to answer: {words}", text)
                hardest += 1
            elif move.wins and move.distance > 1 and move.winning > 1:
                before = texts.value_badge(move.distance).replace("W", "in")
                for words in (before, texts.values_text([move]), text,
                              texts.judged_text(move, TWO_PERSONS)):  # fmt: skip
                    self.assertRegex(words, rf"\bin {math.ceil(move.distance / 2)}\b")
        self.assertGreater(hardest, 5)

    def test_first_hints(self) -> None:
        for board, words in (
            ("100202000000", "All moves but a1, d1, b2, c2, d2, b3, c3 and d3 let"),
            ("000232000030", "No move lets the opponent complete a line."),
        ):
            first = puzzle_hint(parse_board(board), 1, ())
            self.assertIn(words, texts.hint_text(first, TWO_PERSONS))
        plain = "No first move wins against perfect play"
        for board, bot, words in (
            ("000000000000", Player("beginner", "Beginner"), f"{plain}, but Beginner is not "
             "perfect."),
            ("000000000000", Player("perfect", "Perfect"), f"{plain}."),
            ("000000000000", HUMAN, f"{plain}."),
            ("000001000000", HUMAN, "You can win this."),
        ):  # fmt: skip
            text = texts.hint_text(hint(parse_board(board), 1), (HUMAN, bot))
            self.assertEqual(text, f"{words} Another hint says more.")


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
        lost, game = judged("000000010100", "b1"), Game(players=(HUMAN, BOT), start=1)
        for moves, words in (
            ((4,), "You let Myopic win at once on move 5."),
            ((4, 8), "You made mistakes on moves 5 and 9."),
        ):
            self.assertEqual(texts.mistakes_text(dict.fromkeys(moves, lost), game), words)
        self.assertEqual(texts.sentence("a1 was better"), "a1 was better", "a cell stays small")

    def test_the_result_tells_the_help_of_a_winner_fairly(self) -> None:
        whole = "Help in this game: 1 hint, 1 move taken back and the values of the moves."
        for players, helped, words in (
            (TWO_PERSONS, (0, 0, False), ""),
            (TWO_PERSONS, (0, 2, False), "Help in this game: 2 moves taken back."),
            ((HUMAN, BOT), (0, 0, False), ""),
            ((HUMAN, BOT), (1, 1, True), whole),
            ((BOT, HUMAN), (1, 1, True), ""),
        ):
            hints, takebacks, seen = helped
            game = Game(actions=(0, 1, 2), players=players, hints=hints, takebacks=takebacks,
                        values_seen=seen)  # fmt: skip
            self.assertEqual(texts.help_text(game), words)
