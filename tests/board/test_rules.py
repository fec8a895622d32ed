import random
import unittest

from tests.kit import naive
from traffic_lights.board import rules


def as_cells(line: tuple[naive.Place, ...]) -> tuple[int, ...]:
    return tuple(4 * row + column for row, column in line)


class AgreementTests(unittest.TestCase):
    """The fast rules against the naive ones, written from the rules text."""

    def test_both_agree_on_thousands_of_boards(self) -> None:
        for board in naive.random_boards(random.Random(7), 4_000):
            text = naive.to_text(board)
            state = rules.parse_board(text)
            # One comparison for all: a subtest a board would take longer than the rules.
            ours = (
                rules.format_board(state),
                rules.is_terminal(state),
                list(rules.legal_actions(state)),
                sorted(rules.complete_lines(state)),
                rules.ply(state),
                rules.mover(state),
            )
            made = naive.number_of_moves_made(board)
            theirs = (
                text,
                naive.is_over(board),
                [4 * row + column for row, column in naive.moves(board)],
                sorted(as_cells(line) for line in naive.full_lines(board)),
                made,
                made % 2,
            )
            self.assertEqual(ours, theirs, text)

    def test_both_play_the_same_games(self) -> None:
        rng = random.Random(8)
        for _ in range(60):
            board, state = naive.EMPTY, rules.EMPTY_BOARD
            while not naive.is_over(board):
                row, column = rng.choice(naive.moves(board))
                board, state = (
                    naive.after(board, (row, column)),
                    rules.play(state, 4 * row + column),
                )
                self.assertEqual(rules.format_board(state), naive.to_text(board))

    def test_both_have_the_same_fourteen_lines(self) -> None:
        self.assertEqual(list(rules.LINES), sorted(as_cells(line) for line in naive.LINES))
        self.assertEqual(len(rules.LINES), 14)


class ActionTests(unittest.TestCase):
    def test_a_cell_goes_to_red_and_nothing_else_is_legal(self) -> None:
        state = rules.EMPTY_BOARD
        for colour in (rules.GREEN, rules.YELLOW, rules.RED):
            state = rules.play(state, 5)
            self.assertEqual(
                [rules.colour_of(state, cell) for cell in range(rules.CELLS)].count(0), 11
            )
            self.assertEqual(rules.colour_of(state, 5), colour)
        with self.assertRaisesRegex(
            rules.RulesError,
            "^cell b2 is red, .* play one of a1, b1, c1, d1, a2, c2, d2, a3, b3, c3, d3$",
        ):
            rules.play(state, 5)
        for action in (-1, 12, 99):
            with self.assertRaisesRegex(rules.RulesError, "0 to 11"):
                rules.play(rules.EMPTY_BOARD, action)


class TextTests(unittest.TestCase):
    def test_board_texts_come_back_and_sort_as_their_states(self) -> None:
        rng = random.Random(12)
        states = [rng.getrandbits(24) for _ in range(2000)]
        for state in states:
            text = rules.format_board(state)
            rows = "/".join((text[:4], text[4:8], text[8:]))
            self.assertEqual((rules.parse_board(text), rules.parse_board(rows)), (state, state))
        self.assertEqual([rules.format_board(s) for s in sorted(states)],
                         sorted(rules.format_board(s) for s in states))  # fmt: skip

    def test_what_is_neither_a_board_nor_a_cell_is_refused_by_name(self) -> None:
        boards = (
            "", "0", "0" * 11, "0" * 13, "00000000000x", "000000000004", "0000 0000 0000",
            "0000/0000/000", "0000//00000000", "00/0000/000000", "0000/0000/0000/", "-00000000000",
            "٠٠٠٠٠٠٠٠٠٠٠٠", "00000000000\n", "1e0000000000", "0_0000000000", "0" * 100_000,
        )  # fmt: skip
        cells = ("", "a", "1a", "a0", "a4", "e1", "a11", "b 2", "²")
        for parse, texts, words in (
            (rules.parse_board, boards, "12 digits from 0 to 3"),
            (rules.parse_cell, cells, "like b2"),
        ):
            for text in texts:
                with self.subTest(text=text[:20]):
                    with self.assertRaisesRegex(rules.RulesError, words) as caught:
                        parse(text)
                    self.assertLess(len(str(caught.exception)), 200)

    def test_cell_names_come_back_in_either_case(self) -> None:
        for cell in range(rules.CELLS):
            name = rules.format_cell(cell)
            self.assertEqual([rules.parse_cell(name), rules.parse_cell(name.upper())], [cell, cell])
        self.assertEqual(
            [rules.format_cell(0), rules.format_cell(5), rules.format_cell(11)], ["a1", "b2", "d3"]
        )

    def test_a_drawn_board_shows_rows_columns_and_colours(self) -> None:
        self.assertEqual(
            rules.draw_board(rules.parse_board("0123/3210/0000")),
            "    a b c d\n  1 . G Y R\n  2 R Y G .\n  3 . . . .",
        )
