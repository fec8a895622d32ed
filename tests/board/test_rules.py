"""The fast rules against the naive ones, written from the rules text; and the board as text."""

import random
import unittest

from tests.kit import naive
from traffic_lights.board import rules


def as_cells(places: list[naive.Place] | tuple[naive.Place, ...]) -> tuple[int, ...]:
    return tuple(4 * row + column for row, column in places)


class AgreementTests(unittest.TestCase):
    def test_both_agree_on_thousands_of_boards(self) -> None:
        self.assertEqual(list(rules.LINES), sorted(map(as_cells, naive.LINES)))
        for board in naive.random_boards(random.Random(7), 4_000):
            text, made = naive.to_text(board), naive.number_of_moves_made(board)
            state = rules.parse_board(text)
            rows = "/".join((text[:4], text[4:8], text[8:]))
            actions = rules.legal_actions(state)
            # One comparison for all: a subtest a board would take longer than the rules.
            self.assertEqual(
                (
                    rules.format_board(state), rules.parse_board(rows), rules.is_terminal(state),
                    actions, sorted(rules.complete_lines(state)),
                    rules.ply(state), rules.mover(state),
                    [rules.format_board(rules.play(state, action)) for action in actions],
                ),
                (
                    text, state, naive.is_over(board),
                    as_cells(naive.moves(board)), sorted(map(as_cells, naive.full_lines(board))),
                    made, made % 2,
                    [naive.to_text(naive.after(board, move)) for move in naive.moves(board)],
                ),
            )  # fmt: skip

    def test_board_texts_sort_as_their_states(self) -> None:
        rng = random.Random(12)
        states = sorted(rng.getrandbits(24) for _ in range(2000))
        texts = [*map(rules.format_board, states)]
        self.assertEqual(texts, sorted(texts))


class TextTests(unittest.TestCase):
    def test_what_is_no_action_board_or_cell_is_refused_by_name(self) -> None:
        boards = (
            "", "0", "0" * 11, "0" * 13, "00000000000x", "000000000004", "0000 0000 0000",
            "0000/0000/000", "0000//00000000", "00/0000/000000", "0000/0000/0000/", "-00000000000",
            "٠٠٠٠٠٠٠٠٠٠٠٠", "00000000000\n", "1e0000000000", "0_0000000000", "0" * 100_000,
        )  # fmt: skip
        cells = ("", "a", "1a", "a0", "a4", "e1", "a11", "b 2", "²")
        red = "^cell b2 is red, .* play one of a1, b1, c1, d1, a2, c2, d2, a3, b3, c3, d3$"
        refusals = [
            *((rules.parse_board, (text,), "12 digits from 0 to 3") for text in boards),
            *((rules.parse_cell, (text,), "like b2") for text in cells),
            *((rules.play, (rules.EMPTY_BOARD, action), "0 to 11") for action in (-1, 12, 99)),
            (rules.play, (rules.parse_board("0000/0300/0000"), 5), red),
        ]
        for act, words, said in refusals:
            with self.subTest(words=str(words)[:20]):
                with self.assertRaisesRegex(rules.RulesError, said) as caught:
                    act(*words)  # type: ignore[operator]
                self.assertLess(len(str(caught.exception)), 200)

    def test_cells_and_boards_have_the_names_and_letters_that_people_know(self) -> None:
        names = "a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3"
        self.assertEqual([*map(rules.format_cell, range(12))], names.split())
        for text in (names, names.upper()):
            self.assertEqual([*map(rules.parse_cell, text.split())], [*range(12)])
        drawn = "    a b c d\n  1 . G Y R\n  2 R Y G .\n  3 . . . ."
        self.assertEqual(rules.draw_board(rules.parse_board("0123/3210/0000")), drawn)
