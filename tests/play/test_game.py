"""The game record: written, read back, and refused in one sentence where it is damaged."""

import random
import unittest
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tests.kit.samples import live_states
from traffic_lights.board.baselines import RANDOM
from traffic_lights.board.games import PolicyBot, play_game
from traffic_lights.board.rules import EMPTY_BOARD, RulesError, draw_board, parse_board
from traffic_lights.play import game as games
from traffic_lights.play.game import HUMAN, Game, Player, format_record, parse_pasted, parse_record
from traffic_lights.play.tasks import parse_puzzle, puzzle_task, puzzle_to_share

QBOT = Player("qbot", "QBot")
STORY = """Traffic Lights 1
Player 1: human
Player 2: QBot [qbot]
Date: 2026-01-31
Hints: 2
Result: Player 1 wins

1. a1 b2 2. b1 d3 3. c1
"""


def story(old: str, new: str) -> str:
    assert old in STORY
    return STORY.replace(old, new)


class RoundTripTests(unittest.TestCase):
    def test_the_story(self) -> None:
        game = parse_record(STORY)
        self.assertEqual(game.players, (HUMAN, QBOT))
        self.assertEqual((game.actions, game.winner, game.hints), ((0, 5, 1, 11, 2), 0, 2))
        self.assertEqual(format_record(game), STORY)

    def test_every_game_comes_back_whatever_the_names_in_it(self) -> None:
        rng = random.Random(7)
        bot = PolicyBot(RANDOM, rng)
        letters = "a[]:\"' \t\n\r\0\x0b\x1b\x85\xa0\u2028\ud800\U0001f6a6"
        plain = ["Bot [v2]", "[qbot]", "[", "a [b] [c]", "human", "Player 1: human", "Ännchen"]
        names = [*plain, "", " ", "\n", "x\nPlayer 1: human", "x" * 10_000]
        names += ["".join(rng.choices(letters, k=rng.randrange(90))) for _ in range(500)]
        for name, (place,) in ((name, live_states(rng, 1)) for name in names):
            start = rng.choice([EMPTY_BOARD, place])
            one, other = Player("a-1", name), rng.choice([HUMAN, QBOT, Player(None, "Ännchen")])
            game = Game(
                start=start,
                actions=play_game(bot, bot, start).actions[: rng.choice([0, 1, 3, None])],
                players=rng.choice([(one, other), (other, one)]),
                takebacks=rng.randrange(3),
                hints=rng.randrange(3),
                values_seen=rng.random() < 0.5,
                day=rng.choice(["", "2026-02-28"]),
            )
            with self.subTest(game=game):
                text = format_record(game)
                read = parse_record(text)
                self.assertEqual(parse_pasted(text), read)
                self.assertEqual(replace(read, players=game.players), game)
                self.assertEqual(read.players[game.players.index(one)].bot, "a-1")
                self.assertEqual((format_record(read), text.encode().decode()), (text, text))
                if name in plain:
                    self.assertEqual(read, game)


class RefusalTests(unittest.TestCase):
    def test_what_is_wrong_is_said_in_one_sentence(self) -> None:
        cases = {
            "": "has no line 'Traffic Lights 1'",
            "Traffic Lights 2\n": "has no line 'Traffic Lights 1'",
            story("QBot [qbot]", "QBot"): "expected 'human' or a bot",
            story("QBot [qbot]", "QBot [Q B]"): "expected 'human' or a bot",
            story("2026-01-31", "2026-02-31"): "expected a day",
            story("Hints: 2", "Hints: -2"): "expected a number",
            story("Hints: 2", "Hints: " + "9" * 5000): "expected a number",
            story("3. c1", "3. c1 a2"): "move 6, 'a2', follows the end",
            story("3. c1", "3. e1"): "move 5: 'e1' is not a cell",
            story("2. b1 d3", "\n2. zz d3"): "move 3: 'zz' is not a cell",
            story("Hints: 2\n", "Start: 1110/0000/0000\n"): "without a line of one colour",
            story("Hints: 2\n", "Start: 11\n"): "a position of 12 digits",
            "Traffic Lights 1\n\n" + "a1 " * 4: "move 4: cell a1 is red",
            STORY + "x" * 10_001: "at most 10,000",
            "I like Traffic Lights 1 much": "neither a player nor a move after",
        }
        for text, expected in cases.items():
            with self.subTest(expected=expected, text=text[:60]):
                with self.assertRaises(RulesError) as caught:
                    parse_record(text)
                self.assertRegex(str(caught.exception), f"^.{{0,200}}{expected}.{{0,99}}$")

    def test_damaged_text_is_refused_or_a_game_and_nothing_else(self) -> None:
        rng = random.Random(7)
        for _ in range(3000):
            at = rng.randrange(len(STORY))
            junk = "".join(rng.choice("\0\n\r :.[]019abz\ud800Ä") for _ in range(rng.randrange(3)))
            text = STORY[:at] + junk + STORY[at + rng.randrange(4) :]
            try:
                game = parse_record(text)
            except RulesError:
                continue
            self.assertEqual(parse_record(format_record(game)), game)


def typed(text: str) -> str:
    """Return *text* as a page shows it that sets blanks and lines in its own way."""
    return text.replace(" ", "\xa0").replace("b2", "b\u200b2").replace("Lights", "Li\xadghts")


CARRIED: Final[dict[str, Callable[[str], str]]] = {
    "as it is": str,
    "line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "a byte order mark": lambda text: "\ufeff" + text,
    "blanks around": lambda text: "\n\n" + text.replace("\n", "  \n") + "\n\n",
    "quoted in a mail": lambda text: "> " + text.replace("\n", "\n> "),
    "a code fence": lambda text: f"```text\n{text}```",
    "a name in a chat": lambda text: f"[12:30] Anna: {text}",
    "a question after it": lambda text: f"{text}\n\nWhat do you think of b2?\nAnna",
    "a sentence before it": lambda text: f"Hi Ben,\n\nlook at this:\n{text}",
    "lines set apart": lambda text: text.replace("\n", "\n\n"),
    "other blanks": typed,
    "in one list": lambda text: text.replace(" b2", "\nb2"),
    "a field of one line": lambda text: " ".join(text.split()),
    "a numbered list": lambda text: text.replace("1. ", "1) ").replace("2. ", "\n2) "),
    "dashes": lambda text: text.replace("a1 b2", "a1–b2").replace("b1 d3", "b1-d3"),
    "commas": lambda text: text.replace("a1 b2 ", "a1, b2; ").replace("b1 d3", "b1, d3"),
    "a list of lines": lambda text: "- " + text.replace("\n", "\n- "),
    "lines in bold": lambda text: "**" + text.strip().replace("\n", "**\n**") + "**",
    "headers in bold": lambda text: text.replace("Player 2:", "**Player 2:**"),
    "in bold": lambda text: text.replace("1. a1 b2", "**1. a1** b2"),
    "breaks of a page": lambda text: text.replace("b2 2.", "b2<br>2."),
    "marks": lambda text: text.replace("b2", "b2!").replace("d3", "d3??"),
    "comments": lambda text: text.replace("b2", "b2 {hm, why?}").replace("d3", "d3 (forced)"),
}
"""What chats, mails and pages make of a text, by name."""


class PasteTests(unittest.TestCase):
    def test_all_is_found_in_whatever_a_chat_a_mail_or_a_page_makes_of_it(self) -> None:
        start = parse_board("100201000000")
        puzzle = puzzle_to_share(puzzle_task(start, day="2026-11-28"))
        for name, carry in CARRIED.items():
            with self.subTest(name):
                self.assertEqual(parse_puzzle(carry(puzzle)), start)
                for text, found in (
                    (STORY, parse_record(STORY)),
                    ("1. a1 b2 2. b1 d3\n", Game(actions=(0, 5, 1, 11))),
                    (games.format_position(start), start),
                    (f"\n{draw_board(start)}\n", start),
                ):
                    self.assertEqual(parse_pasted(carry(text)), found)
        self.assertEqual(parse_pasted(STORY + STORY), parse_record(STORY))

    def test_moves_and_positions_are_read_in_every_usual_shape_and_nothing_else_is(self) -> None:
        state = parse_board("012300001111")
        for text in (
            "012300001111",
            "0123\r\n0000\r\n1111\r\n",
            " 0123 0000 1111 ",
            "|0 1 2 3|\n|0 0 0 0|\n|1 1 1 1|",
            "[[0, 1, 2, 3], [0, 0, 0, 0], [1, 1, 1, 1]]",
            games.format_position(state),
        ):
            self.assertEqual((games.parse_position(text), parse_pasted(text)), (state, state))
        for text in ("1. a1 b2", "a1 b2", "\n A1\nB2\n", "a1, b2.", "1.a1 2.b2"):
            self.assertEqual(parse_pasted(text), Game(actions=(0, 5)))
        start = parse_board("100000000000")
        self.assertEqual(games.format_moves(start, (1, 5, 6)), "1... b1 2. b2 c2")
        self.assertEqual(games.parse_moves("1... b1 2. b2 c2", start), (1, 5, 6))
        for text in ("", " \n", "hello", "0123", "012/3000/01111", "4" * 12, "https://x.y/z"):
            with self.subTest(text=text), self.assertRaises(RulesError):
                parse_pasted(text)
