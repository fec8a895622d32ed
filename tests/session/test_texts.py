"""The words that people read: held to the exact ones of the design, in every phase."""

import random
import re
import unittest
from functools import cache

from tests.kit.samples import live_states, tablebase
from tests.kit.sessions import BOT, OTHER_BOT, new_session, play_all
from traffic_lights.board.rules import (
    format_board,
    format_cell,
    legal_actions,
    parse_board,
    parse_cell,
)
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.session import texts
from traffic_lights.session.session import Outcome, Phase, Session
from traffic_lights.session.verdicts import Kind, hint, judge, ranked_moves

TWO_PERSONS = (HUMAN, HUMAN)


def told(board: str, cell: str, players: tuple[Player, Player] = TWO_PERSONS) -> str:
    """Return the words for the move *cell* in *board*."""
    return texts.verdict_text(judge(tablebase(), parse_board(board), parse_cell(cell)), players)


class NumberTests(unittest.TestCase):
    def test_distances_are_told_in_moves_of_the_winner(self) -> None:
        for distance, words in (
            (1, "wins in 1"),
            (2, "loses in 1"),
            (5, "wins in 3"),
            (8, "loses in 4"),
            (26, "loses in 13"),
        ):
            self.assertEqual(texts.value_text(distance), words)
        self.assertEqual((texts.value_badge(5), texts.value_badge(8)), ("W 3", "L 4"))

    def test_values_are_listed_best_first(self) -> None:
        state = parse_board("110000000003")
        self.assertRegex(
            texts.values_text(ranked_moves(tablebase(), state)),
            r"^Wins in 1: c1\. Wins in 10: a1 and b1\. Loses in 1: d1, a2, .* and c3\.$",
        )
        seen = set()
        for state in live_states(random.Random(7), 300):
            text = texts.values_text(ranked_moves(tablebase(), state))
            seen |= set(re.findall(r"\d of \d safe replies wins?", text))
        self.assertTrue(seen)


class NameTests(unittest.TestCase):
    def test_a_person_alone_is_you_and_two_are_numbered(self) -> None:
        for players, names in (
            ((HUMAN, BOT), ("you", "Myopic")),
            ((BOT, HUMAN), ("Myopic", "you")),
            ((HUMAN, HUMAN), ("Player 1", "Player 2")),
            ((HUMAN, Player(None, "Anna")), ("Player 1", "Anna")),
            ((Player(None, "Anna"), BOT), ("you", "Myopic")),
            ((BOT, OTHER_BOT), ("Myopic", "Random")),
            ((BOT, BOT), ("Myopic (Player 1)", "Myopic (Player 2)")),
        ):
            self.assertEqual(tuple(texts.seat_name(players, seat) for seat in (0, 1)), names)

    def test_lines_go_by_their_ends_and_colours_are_written_out(self) -> None:
        state = parse_board("222002000200")
        self.assertEqual(texts.lines_text(state, ((0, 1, 2),)), "three yellows, a1–c1")
        self.assertEqual(
            texts.lines_text(state, ((0, 1, 2), (1, 5, 9))), "three yellows, a1–c1 and b1–b3"
        )
        self.assertEqual(texts.board_in_words(parse_board("100000000003")),
                         "Green: a1. Yellow: none. Red: d3.")  # fmt: skip


class VerdictTextTests(unittest.TestCase):
    def test_the_exact_words(self) -> None:
        cases = {
            ("122000000000", "a1"): "a1 completes three yellows, a1–c1.",
            ("000001000000", "d1"): "Best: wins in 12.",
            ("000001000000", "b2"): "Still winning, 2 moves slower than d1.",
            ("110000000000", "d3"): "c1 would have won at once. Now Player 2 wins at once with c1.",
            ("000000000000", "b1"): r"Lost either way, but this lasts longest \(13 moves\).",
            ("000000000000", "b2"): "Lost either way, but b1 lasts 1 move longer.",
            ("000001000000", "a1"): r"Throws the win away: now Player 1 wins at once with c3\. "
            "d1 was winning.",
        }
        for (board, cell), words in cases.items():
            with self.subTest(board=board, cell=cell):
                self.assertRegex(told(board, cell), f"^{words}$")

    def test_a_trap_tells_how_few_replies_keep_the_win(self) -> None:
        pattern = re.compile(
            r"Lost against perfect play, but only (\d) of Player [12]'s (\d) safe replies "
            r"(keep|keeps) the win\."
        )
        found = {m.groups() for words in every_verdict() if (m := pattern.fullmatch(words))}
        self.assertTrue(found)
        for winning, safe, verb in found:
            self.assertLess(int(winning), int(safe))
            self.assertEqual(verb == "keeps", winning == "1")

    def test_against_a_bot_it_is_you_and_the_bot(self) -> None:
        words = told("110000000000", "d3", (HUMAN, BOT))
        self.assertEqual(words, "c1 would have won at once. Now Myopic wins at once with c1.")
        words = told("110000000000", "d3", (BOT, HUMAN))
        self.assertEqual(words, "c1 would have won at once. Now you win at once with c1.")


@cache
def every_verdict() -> tuple[str, ...]:
    """Return the words for every move of many positions."""
    return tuple(
        texts.verdict_text(judge(tablebase(), state, action), TWO_PERSONS)
        for state in live_states(random.Random(7), 500)
        for action in tablebase().action_distances(state)
    )


class HintTextTests(unittest.TestCase):
    def steps(self, board: str) -> list[str]:
        return [texts.hint_text(hint(tablebase(), parse_board(board), n)) for n in (1, 2, 3)]

    def test_three_doses(self) -> None:
        self.assertEqual(
            self.steps("110000000000"),
            ["You can win this.", "The winning move: c1.", "c1 wins at once: three greens, a1–c1."],
        )
        first, second, third = self.steps("000000000000")
        self.assertEqual(first, "Every move loses to perfect play.")
        self.assertEqual(second, "What lasts longest: b1, c1, a2, d2, b3 or c3.")
        self.assertRegex(
            third,
            r"^b1 lasts longest: perfect play needs 13 moves\. The reply to expect: \w\d\.$",
        )
        third = self.steps("000001000000")[2]
        self.assertRegex(
            third, r"^d1 is the fastest win, in 12 moves\. The reply to expect: \w\d\.$"
        )

    def test_a_hard_position_names_the_move_with_the_fewest_good_replies(self) -> None:
        hints = [hint(tablebase(), state, 3) for state in live_states(random.Random(7), 500)]
        hard = next(h for h in hints if h.move.kind is Kind.TRAP)
        first, second, third = self.steps(format_board(hard.move.state))
        self.assertEqual(first, "Every move loses to perfect play, but some are hard to answer.")
        self.assertRegex(second, r"^Hardest to answer: ")
        self.assertRegex(
            third,
            r"^\w\d is hardest to answer: only \d of the opponent's \d safe replies keeps? the "
            r"win\. The reply to expect: \w\d\.$",
        )


class BannerTests(unittest.TestCase):
    def check(self, session: Session, phase: Phase, banner: str, title: str) -> None:
        self.assertEqual(session.phase, phase)
        self.assertEqual(texts.banner(session), banner)
        self.assertEqual(texts.title(session), f"{title} – Traffic Lights")

    def test_every_phase_has_its_words(self) -> None:
        session = new_session(HUMAN, BOT)
        turn = "Your turn"
        self.check(session, Phase.YOUR_TURN, turn, "Your turn – move 1")
        session.play(0)
        chooses = "Myopic is choosing…"
        self.check(session, Phase.BOT_TURN, chooses, f"{chooses} – move 2")
        play_all(session, 1)
        session.go_to(1)
        self.check(session, Phase.LOOKING_BACK, "Looking at move 1 of 2", "Looking at move 1 of 2")
        session.go_to(2)
        session.begin_setup()
        self.check(session, Phase.SETUP, "Set up a position", "Set up a position")
        session.leave()
        play_all(session, 2)
        over = "You win – three greens, a1–c1"
        self.check(session, Phase.OVER, over, "You win")

    def test_two_persons_and_two_bots(self) -> None:
        session = new_session()
        session.play(0)
        self.check(session, Phase.YOUR_TURN, "Player 2 to move", "Player 2 to move – move 2")
        session = new_session(BOT, BOT)
        self.assertEqual(texts.banner(session), "Myopic (Player 1) is choosing…")
        request = session.request_bot()
        assert request is not None
        session.answer_bot(request.token, 0)
        session.undo()
        self.assertEqual(texts.banner(session), "Paused – Myopic (Player 1) to move")

    def test_review_names_the_move_and_asks(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0, 1, 11, 2)
        self.assertEqual(texts.mistakes_text(session), "You missed a win on move 3.")
        session.begin_review()
        banner = "Move 3: d3 overlooked a win at once. Find the winning move."
        self.check(session, Phase.REVIEW, banner, banner)
        self.assertEqual(texts.review_text(session), "Mistake 1 of 1.")
        session.play(5)
        self.assertEqual(texts.banner(session), banner)
        self.assertRegex(
            texts.review_text(session), r"^b2 does not win: now Myopic wins.*Try again"
        )
        session.play(2)
        self.assertEqual(texts.review_text(session), "Right: c1 completes three greens, a1–c1.")
        self.assertEqual(texts.banner(session), "Move 3: d3 overlooked a win at once.")

    def test_after_a_change_of_seats_mistakes_are_told_by_number(self) -> None:
        session = new_session(BOT, OTHER_BOT)
        play_all(session, 0, 1, 11)
        names = ("Myopic", "Random")
        for players in ((BOT, OTHER_BOT), (OTHER_BOT, BOT)):
            session.set_players(players)
            one, other = names
            told = f"{one} missed a win on move 3. {other} let {one} win at once on move 2."
            self.assertEqual(texts.mistakes_text(session), told)
            names = ("Player 1", "Player 2")

    def test_who_lost_a_move_or_two_is_not_told_that_none_was_hurried(self) -> None:
        session = new_session(HUMAN, BOT)
        verdicts = [judge(tablebase(), session.state, a) for a in legal_actions(session.state)]
        hasty = next(v for v in verdicts if v.kind is Kind.SHORTER and not v.is_mistake)
        play_all(session, hasty.action)
        self.assertIn("lost 3 or more moves too early", texts.no_review_text(session))

    def test_review_of_a_lost_position_asks_for_a_move_that_holds_out(self) -> None:
        session = new_session(HUMAN, BOT)
        play_all(session, 0)
        play_all(session, tablebase().optimal_actions(session.state)[0])
        distances = tablebase().action_distances(session.state)
        self.assertTrue(all(n % 2 == 0 for n in distances.values()), "the position is lost")
        hasty, stubborn = (pick(distances, key=distances.__getitem__) for pick in (min, max))
        play_all(session, hasty)
        self.assertEqual(texts.mistakes_text(session), "You let Myopic win at once on move 3.")
        session.begin_review()
        name = format_cell(hasty)
        self.assertEqual(
            texts.banner(session),
            f"Move 3: {name} lost at once. Find a better defence.",
        )
        session.play(hasty)
        self.assertRegex(texts.review_text(session), f"^{name}: now Myopic wins at once with")
        session.play(stubborn)
        self.assertRegex(texts.review_text(session), f"^Right: {format_cell(stubborn)}. Lost ")

    def test_a_bot_that_failed_says_why_and_what_to_do(self) -> None:
        session = new_session(BOT, HUMAN)
        request = session.request_bot()
        assert request is not None
        session.fail_bot(request.token, "it ended")
        self.check(session, Phase.BOT_TURN, "Myopic cannot move", "Myopic cannot move – move 1")
        text = texts.outcome_text(Outcome.BOT_CHOOSING, session, 0)
        self.assertEqual(text, f"It ended. {texts.FAILED}")

    def test_a_paused_demonstration_says_so_at_a_click(self) -> None:
        session = new_session(BOT, BOT)
        self.assertIn("is choosing", texts.outcome_text(Outcome.BOT_CHOOSING, session, 0))
        session.pause_bots()
        self.assertEqual(texts.outcome_text(Outcome.BOT_CHOOSING, session, 0), texts.PAUSED)

    def test_moves_of_ones_own_are_spoken_of_only_to_a_person_who_plays(self) -> None:
        for other, is_mine in ((HUMAN, True), (BOT, False)):
            session = new_session(BOT, other)
            play_all(session, 0, 1)
            session.go_to(0)
            for text in (
                texts.looking_back_text(session),
                texts.outcome_text(Outcome.BOT_MOVES_HERE, session, 0),
            ):
                self.assertIn("Myopic", text)
                self.assertEqual("your" in text, is_mine, text)
                self.assertEqual("two bots" in text, not is_mine, text)

    def test_refusals_say_what_to_do(self) -> None:
        session = new_session(HUMAN, BOT, start=parse_board("310000000000"))
        self.assertEqual(
            texts.outcome_text(Outcome.RED_CELL, session, 0),
            "a1 is red, and red lamps never change. Choose another lamp.",
        )
        self.assertEqual(
            texts.outcome_text(Outcome.OVER, session, 0),
            "The game is over. Start a new game, or undo a move.",
        )
        self.assertEqual(texts.outcome_text(Outcome.PLAYED, session, 0), "")
        for outcome in Outcome:
            self.assertIsInstance(texts.outcome_text(outcome, session, 5), str)

    def test_setup_says_who_would_move(self) -> None:
        self.assertIn("Player 2", texts.setup_text(parse_board("100000000000")))
        self.assertEqual(texts.setup_text(parse_board("111000000000")), texts.SETUP_FINISHED)


class ResultTests(unittest.TestCase):
    def test_help_is_told_fairly(self) -> None:
        actions = (0, 1, 2)
        for game, words in (
            (Game(actions=actions), "Player 1 wins in 2 moves."),
            (
                Game(actions=actions, takebacks=2),
                "Player 1 wins in 2 moves. Help in this game: 2 moves taken back.",
            ),
            (Game(actions=actions, players=(HUMAN, BOT)), "You win in 2 moves."),
            (
                Game(actions=actions, players=(HUMAN, BOT), hinted=((0, 1), (5, 3))),
                "You win in 2 moves – with 2 hints.",
            ),
            (
                Game(actions=actions, players=(HUMAN, BOT), hinted=((0, 1),),
                     takebacks=1, bot_moves=2, values_seen=True),
                "You win in 2 moves – with 1 hint, 1 move taken back, 2 moves by a bot "
                "and the values shown.",
            ),
            (Game(actions=actions, players=(BOT, HUMAN)), "Myopic wins in 2 moves."),
        ):  # fmt: skip
            self.assertEqual(texts.result_text(game), words)


if __name__ == "__main__":
    unittest.main()
