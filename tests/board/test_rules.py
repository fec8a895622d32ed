import random
import unittest

from tests.kit import naive
from traffic_lights.board import rules
from traffic_lights.board.rules import (
    CELLS,
    EMPTY_BOARD,
    LINES,
    RulesError,
    colour_of,
    complete_lines,
    draw_board,
    format_board,
    format_cell,
    is_terminal,
    legal_actions,
    mover,
    parse_board,
    parse_cell,
    play,
    ply,
)


def as_cells(line: tuple[naive.Place, ...]) -> tuple[int, ...]:
    return tuple(4 * row + column for row, column in line)


class AgreementTests(unittest.TestCase):
    """The fast rules against the naive ones, written from the rules text."""

    def test_both_agree_on_thousands_of_boards(self) -> None:
        for board in naive.random_boards(random.Random(7), 4_000):
            text = naive.to_text(board)
            state = parse_board(text)
            # One comparison for all: a subtest a board would take longer than the rules.
            ours = (
                format_board(state),
                is_terminal(state),
                list(legal_actions(state)),
                sorted(complete_lines(state)),
                ply(state),
                mover(state),
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
            board, state = naive.EMPTY, EMPTY_BOARD
            while not naive.is_over(board):
                row, column = rng.choice(naive.moves(board))
                board, state = naive.after(board, (row, column)), play(state, 4 * row + column)
                self.assertEqual(format_board(state), naive.to_text(board))

    def test_both_have_the_same_fourteen_lines(self) -> None:
        self.assertEqual(list(LINES), sorted(as_cells(line) for line in naive.LINES))
        self.assertEqual(len(LINES), 14)


class ActionTests(unittest.TestCase):
    def test_a_cell_goes_to_red_and_nothing_else_is_legal(self) -> None:
        state = EMPTY_BOARD
        for colour in (rules.GREEN, rules.YELLOW, rules.RED):
            state = play(state, 5)
            self.assertEqual([colour_of(state, cell) for cell in range(CELLS)].count(0), 11)
            self.assertEqual(colour_of(state, 5), colour)
        with self.assertRaisesRegex(
            RulesError,
            "^cell b2 is red, .* play one of a1, b1, c1, d1, a2, c2, d2, a3, b3, c3, d3$",
        ):
            play(state, 5)
        for action in (-1, 12, 99):
            with self.assertRaisesRegex(RulesError, "0 to 11"):
                play(EMPTY_BOARD, action)


class TextTests(unittest.TestCase):
    def test_board_texts_come_back_and_sort_as_their_states(self) -> None:
        rng = random.Random(12)
        states = [rng.getrandbits(24) for _ in range(2000)]
        for state in states:
            text = format_board(state)
            rows = "/".join((text[:4], text[4:8], text[8:]))
            self.assertEqual((parse_board(text), parse_board(rows)), (state, state))
        self.assertEqual([format_board(s) for s in sorted(states)],
                         sorted(format_board(s) for s in states))  # fmt: skip

    def test_what_is_neither_a_board_nor_a_cell_is_refused_by_name(self) -> None:
        boards = (
            "", "0", "0" * 11, "0" * 13, "00000000000x", "000000000004", "0000 0000 0000",
            "0000/0000/000", "0000//00000000", "00/0000/000000", "0000/0000/0000/", "-00000000000",
            "٠٠٠٠٠٠٠٠٠٠٠٠", "00000000000\n", "1e0000000000", "0_0000000000", "0" * 100_000,
        )  # fmt: skip
        cells = ("", "a", "1a", "a0", "a4", "e1", "a11", "b 2", "²")
        for parse, texts, words in (
            (parse_board, boards, "12 digits from 0 to 3"), (parse_cell, cells, "like b2"),
        ):  # fmt: skip
            for text in texts:
                with self.subTest(text=text[:20]):
                    with self.assertRaisesRegex(RulesError, words) as caught:
                        parse(text)
                    self.assertLess(len(str(caught.exception)), 200)

    def test_cell_names_come_back_in_either_case(self) -> None:
        for cell in range(CELLS):
            name = format_cell(cell)
            self.assertEqual([parse_cell(name), parse_cell(name.upper())], [cell, cell])
        self.assertEqual([format_cell(0), format_cell(5), format_cell(11)], ["a1", "b2", "d3"])

    def test_a_drawn_board_shows_rows_columns_and_colours(self) -> None:
        self.assertEqual(
            draw_board(parse_board("0123/3210/0000")),
            "    a b c d\n  1 . G Y R\n  2 R Y G .\n  3 . . . .",
        )
