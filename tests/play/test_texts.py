"""The words that people read: held to the exact ones of the design, in every phase."""

import math
import random
import re
import unittest

from tests.kit.samples import PROJECT, live_states
from tests.kit.sessions import BOT, OTHER_BOT, new_session, play_all
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    STEPS,
    format_cell,
    legal_actions,
    parse_board,
    parse_cell,
)
from traffic_lights.board.symmetry import canonical, map_action
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.replay import replay
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.tablefile import read_table
from traffic_lights.play import texts
from traffic_lights.play.game import HUMAN, Game, Player, Players
from traffic_lights.play.texts import learned_text, learned_value, legend, why_promising
from traffic_lights.play.verdicts import VerdictKind, hint, judge, ranked_moves
from traffic_lights.training.progress import Run, meta_of
from traffic_lights.training.settings import RunSettings

TWO_PERSONS = (HUMAN, HUMAN)
MORE = "Another hint says more."


def verdict_of(board: str, cell: str, players: Players = TWO_PERSONS) -> str:
    """Return the words for the move *cell* in *board*."""
    return texts.verdict_text(judge(parse_board(board), parse_cell(cell)), players)


class MoveTextTests(unittest.TestCase):
    def test_players_go_by_their_names_and_a_person_alone_is_you(self) -> None:
        for players, names in (
            ((HUMAN, BOT), ("you", "Myopic")),
            ((HUMAN, HUMAN), ("Player 1", "Player 2")),
            ((HUMAN, Player(None, "Anna")), ("Player 1", "Anna")),
            ((BOT, Player(None, "Anna")), ("Myopic", "you")),
            ((BOT, OTHER_BOT), ("Myopic", "Random")),
            ((BOT, BOT), ("Myopic (Player 1)", "Myopic (Player 2)")),
        ):
            self.assertEqual(tuple(texts.seat_name(players, seat) for seat in (0, 1)), names)

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

    def test_a_trap_tells_how_many_replies_throw_the_win_away(self) -> None:
        losing = r"(\d) of (\d) safe replies of {} (throws?) the win away\."
        verdict = re.compile("Lost against perfect play, but " + losing.format("Player [12]"))
        third = re.compile(r"\w\d is hardest to answer: " + losing.format("the opponent") + ".*")
        values = re.compile(r".*, answered by (\d) of (\d) safe replies")
        verbs = set()
        for state in live_states(random.Random(7), 300):
            hints = [hint(state, step) for step in (1, 2, 3)]
            first, second, *last = (texts.hint_text(one, TWO_PERSONS) for one in hints)
            if hints[2].move.kind is not VerdictKind.TRAP:
                continue
            words = "Every move loses to perfect play, but some are hard to answer."
            self.assertTrue(first.startswith(words))
            self.assertRegex(second, " (is|are) hardest to answer")
            best = texts.values_text(ranked_moves(state)).partition(":")[0]
            kept = values.fullmatch(best)
            assert kept, best
            missing = int(kept[2]) - int(kept[1])
            self.assertGreater(missing, 0)
            last.append(texts.verdict_text(hints[2].move, TWO_PERSONS))
            for text, pattern in zip(last, (third, verdict), strict=True):
                match = pattern.fullmatch(text)
                assert match, text
                self.assertEqual((int(match[1]), match[2]), (missing, kept[2]))
                self.assertEqual(match[3], "throws" if missing == 1 else "throw")
                verbs.add(match[3])
        self.assertEqual(verbs, {"throw", "throws"}, "each case was met")

    def test_in_a_lost_position_every_sentence_names_the_move_that_is_outlined(self) -> None:
        kinds = set()
        for state in live_states(random.Random(7), 300):
            moves = ranked_moves(state)
            legend = texts.values_legend(moves)
            self.assertEqual("hardest" in legend, moves[0].kind is VerdictKind.TRAP)
            self.assertEqual("lasts longest" in legend, moves[0].kind is VerdictKind.LONGEST)
            if moves[0].kind is not VerdictKind.TRAP:
                continue
            numbers = [int(texts.value_badge(move.distance)[2:]) for move in moves]
            is_odd = max(numbers) > numbers[0]
            self.assertEqual("though others last longer" in legend, is_odd, "says why")
            best = format_cell(moves[0].action)
            for move in moves:
                if move.rank:
                    words = texts.verdict_text(move, TWO_PERSONS)
                    self.assertIn(f"{best} is harder for Player", words)
                    self.assertEqual("too early" in words, move.is_mistake)
                    kinds.add((move.kind, move.is_mistake))
        self.assertGreaterEqual(len(kinds), 3, "each case was met")

    def test_who_asks_before_the_first_move_is_not_told_that_the_game_is_lost(self) -> None:
        first = hint(parse_board("000000000000"), 1)
        plain = "No first move wins against perfect play"
        for bot, words in (
            (Player("beginner", "Beginner"), f"{plain}, but Beginner is not perfect."),
            (Player("random", "Random"), f"{plain}, but Random is not perfect."),
            (Player("perfect", "Perfect"), f"{plain}."),
            (HUMAN, f"{plain}."),
        ):
            self.assertEqual(texts.hint_text(first, (HUMAN, bot)), f"{words} {MORE}")

    def test_a_player_reads_what_follows_a_move_in_a_sentence(self) -> None:
        for board, cell, players, words in (
            ("110000000003", "d1", (BOT, HUMAN), "Myopic answers c1 and has three greens."),
            ("110000000003", "d1", (HUMAN, BOT), "You answer c1 and have three greens."),
            ("110000000003", "d1", None, "The opponent answers c1 and has three greens."),
            ("110000000003", "a1", (BOT, HUMAN), "Myopic answers a1, and you win in 9 more moves."),
        ):  # fmt: skip
            move = judge(parse_board(board), parse_cell(cell))
            self.assertEqual(texts.what_follows(move, players), words)


class ReviewTextTests(unittest.TestCase):
    def test_after_a_change_of_seats_mistakes_are_told_by_number(self) -> None:
        session = new_session(BOT, OTHER_BOT)
        play_all(session, 0, 1, 11)
        names = ("Myopic", "Random")
        for players in ((BOT, OTHER_BOT), (OTHER_BOT, BOT)):
            session.set_players(players)
            one, other = names
            first, second = session.mistakes_text().split(". ")
            self.assertEqual(first, f"On move 3, {one} missed a win")
            self.assertEqual(second, f"On move 2, {other} let {one} win at once.")
            names = ("Player 1", "Player 2")

    def test_the_result_tells_the_help_of_a_winner_fairly(self) -> None:
        whole = {"hinted": ((0, 1),), "takebacks": 1, "bot_moves": 2, "values_seen": True}
        for players, helped, words in (
            (TWO_PERSONS, {}, ""),
            (TWO_PERSONS, {"takebacks": 2}, "Help in this game: 2 moves taken back."),
            ((HUMAN, BOT), {}, ""),
            ((HUMAN, BOT), whole, "Help in this game: 1 hint, 1 move taken back, 2 moves by a bot "
             "and the values of the moves."),
            ((BOT, HUMAN), whole, ""),
        ):  # fmt: skip
            game = Game(actions=(0, 1, 2), players=players, **helped)
            self.assertEqual(texts.help_text(game), words)


def legend_of(table: QTable) -> str:
    """Return how to read the values of the empty board in *table*."""
    return legend("QBot", table, [learned_text(table, EMPTY_BOARD)])


def table_of(value: float) -> QTable:
    """Return a table that gives b2 *value* on the empty board."""
    table = RowTable()
    table.set_value(0, 5, value)
    return table


def lost(win_rate: float, practice: object) -> QTable:
    """Return a table where the empty board is lost, with the *win_rate* of its first action."""
    table = RowTable()
    table.set_lost(0)
    table.set_win_rate(0, 0, win_rate)
    table.meta["practice"] = practice
    return table


class LearnedValueTests(unittest.TestCase):
    def test_an_estimate_never_reads_like_a_proof(self) -> None:
        for value, proof in ((-1.0, "b2 proven loss"), (1.0, "b2 proven win")):
            self.assertIn(proof, learned_text(table_of(value), 0))
            for share in (0.3, 0.9, 0.995, 0.9999999):
                text = learned_value(table_of(value * share), 0, 5).text.replace("−", "-")
                self.assertTrue(0 < float(text) * value < 1, text)

    def test_an_estimate_has_two_decimals_and_only_an_exact_0_has_no_sign(self) -> None:
        for value, text in (
            (0.034, "+0.03"),
            (-0.5, "−0.50"),
            (1e-4, "+0.00"),
            (0.0, "0.00"),
            (-1e-4, "−0.00"),
        ):
            self.assertEqual(learned_value(table_of(value), 0, 5).text, text)

    def test_a_lost_move_is_below_0_and_an_unknown_one_is_0(self) -> None:
        table = lost(0.4, "myopic")
        table.set_value(1, 2, -0.25)
        values = [learned_value(table, *at) for at in ((0, 0), (0, 1), (1, 2), (1, 3))]
        self.assertEqual([value.text for value in values], ["40.0 %", "loss", "−0.25", "?"])
        self.assertEqual([value.value for value in values], [-1, -1, -0.25, 0])

    def test_a_student_reads_one_value_at_moves_that_are_mirror_images(self) -> None:
        for table in (lost(0.4, "myopic"), table_of(0.5)):
            for action in legal_actions(EMPTY_BOARD):
                for mirror in range(4):
                    mirrored = map_action(action, mirror)
                    values = [learned_value(table, EMPTY_BOARD, one) for one in (action, mirrored)]
                    self.assertEqual(values[0], values[1], format_cell(action))

    def test_a_student_finds_in_the_list_of_a_replay_what_its_sentence_says(self) -> None:
        table = read_table(PROJECT / "qtables" / "myopic-8000.json")
        shared = "d2 a1 d2 d1 d2 a1 d3 a3 d1 a2 d1 a1 a2 a2 a3 a3"
        tried = "a2 c1 b3 c1 d2 a2 d2 a2 a1 d2 a1 c1 b3 b2 a3 b1 c3 b3 a1 d1 d1 d1 b2 c3 b1 b1"
        for words in (shared, tried):
            actions = tuple(map(parse_cell, words.split()))
            for rule in ("terminal", "monte-carlo"):
                found = replay(table, actions, 0, rule, 0.2, 1.0)
                for step in found.steps:
                    place = found.state(step.number), step.action
                    for rows, known in ((found.before, step.old), (found.after, step.new)):
                        text = texts.replayed_value(rows, *place, known)
                        proof = {1.0: "win", -1.0: "loss"}.get(known)
                        self.assertIn(proof, (None, text.strip("()")))
                        self.assertFalse(known and text == "?", "it was never tried")
                        self.assertNotIn("%", text, "its formula has another unit")

    def test_a_student_reads_why_a_high_value_stands_beside_a_lost_move(self) -> None:
        moves = ranked_moves(EMPTY_BOARD)
        table = table_of(0.5)
        for alpha, is_slow in ((0.2, True), (0.9, False)):
            table.meta = meta_of(Run.begun(RunSettings("myopic", alpha=alpha)), {})
            why = why_promising(table, EMPTY_BOARD, moves)
            self.assertRegex(
                why,
                "^.. has .0.50, though every move here loses against best play: ",
            )
            self.assertEqual("an estimate follows slowly" in why, is_slow)
        self.assertEqual(why_promising(table_of(-0.5), EMPTY_BOARD, moves), "")

    def test_a_student_who_saw_a_move_played_does_not_read_that_it_was_never_tried(self) -> None:
        game = (0, 11, 1, 10, 2)
        found = replay(RowTable(), game, 0, "last-action", 0.2, 1.0)
        self.assertEqual(learned_value(found.after, EMPTY_BOARD, game[0]).text, "?")
        words = legend_of(found.after)
        for text in (words, *(step.text(0.2) for step in found.steps)):
            self.assertNotIn("tried", text)

    def test_only_the_last_move_of_the_bot_learns_by_last_action_and_the_reason_says_so(
        self,
    ) -> None:
        for seat, learned in ((0, 4), (1, 3)):
            steps = replay(RowTable(), (0, 11, 1, 10, 2), seat, "last-action", 0.2, 1.0).steps
            self.assertEqual([step.number for step in steps if step.target], [learned])
            earlier = next(step for step in steps if step.number == learned - 2)
            self.assertIn("learns only from the bot's last move", earlier.text(0.2))

    def test_the_legend_explains_what_is_shown_and_names_the_opponent(self) -> None:
        young = table_of(0.5)
        self.assertIn("“?”: nothing learned yet", legend_of(young))
        young.meta["ties"] = "first"
        self.assertIn("“?”: its own games never come here.", legend_of(young))
        after = RowTable()
        after.set_value(canonical(STEPS[4]), 0, 1.0)
        self.assertRegex(legend_of(after), "Values in brackets .* does not play by them")
        for value, words in ((0.0, "“0.00”: tried, and still 0."), (1e-4, "“+0.00”: rounded, ")):
            self.assertIn(words, legend_of(table_of(value)))
        strange: tuple[object, ...] = (None, 7, ["myopic"], {}, "chess")
        for practice in ("myopic", "random", *strange):
            name = str(practice).capitalize() if practice in ("myopic", "random") else "another bot"
            words = f"Percentages: lost to best play, but won so often against {name}."
            self.assertIn(words, legend_of(lost(0.5, practice)))
        self.assertNotIn("Percentages", legend("QBot", lost(0.5, "myopic"), ["loss", "0.00"]))
