"""Games played in the window with real events, with hints, verdicts, a review and a set-up."""

import sys
from collections.abc import Callable
from itertools import pairwise
from tkinter import filedialog
from typing import ClassVar
from unittest import mock

from tests.kit.samples import PROJECT, tablebase
from tests.kit.sessions import review_of
from tests.kit.windows import WindowTestCase, add_test_bot, load_moves, new_folder
from traffic_lights.board.games import PlayerError
from traffic_lights.board.rules import (
    STEPS,
    YELLOW,
    colour_of,
    format_cell,
    legal_actions,
    parse_cell,
)
from traffic_lights.board.symmetry import canonical
from traffic_lights.gui.main import explain
from traffic_lights.gui.main.context import DOUBLE_CLICK_S
from traffic_lights.gui.main.games import GameList
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.play import texts
from traffic_lights.play.game import HUMAN, parse_moves, parse_record
from traffic_lights.play.modes.looking_back import LookingBack, go_to
from traffic_lights.play.modes.set_up import SetUp
from traffic_lights.play.texts import value_badge, values_legend
from traffic_lights.play.verdicts import BEST_PLAY, LEARNED, MISTAKES, NOTHING, ranked_moves
from traffic_lights.training.own_bots import Bots

SMALL = PROJECT / "qtables" / "myopic-200.json"
GAME = "1. b2 b2 2. a3 c1 3. b2 d2 4. c1 c2 5. c1 d2 6. c2 d3 7. b1 d1 8. d3 b1"
MOVES = parse_moves(GAME)


class DiskTests(WindowTestCase):
    def test_a_click_and_the_reply_read_no_file_of_a_bot(self) -> None:
        folder = self.app.context.userdata.folder
        bots = Bots(folder)
        for number in range(9):
            bots.import_table(SMALL, f"Bot {number}")
        self.app.context.bots_changed()
        read: list[str] = []
        is_watching = True

        def watch(event: str, arguments: tuple[object, ...]) -> None:
            if is_watching and event in ("open", "os.listdir", "os.scandir"):
                read.append(str(arguments[0]))

        sys.addaudithook(watch)
        for key in ("beginner", "bot:Bot 7"):
            self.app.context.play_against(key)
            for _ in range(2):  # the table is read for the first of its moves
                self.wait(lambda: self.app.session.is_your_turn)
                read.clear()
                self.click(legal_actions(self.app.session.state)[0])
                self.wait(lambda: not self.app.session.is_bots_turn)
            self.assertEqual([path for path in read if "bots" in path], [], key)
        is_watching = False

    def test_a_bot_saved_by_another_program_is_in_the_list_of_players_when_it_opens(self) -> None:
        cards = self.app.window.cards
        cards.toggle(1)
        cards.toggle(1)
        Bots(self.app.context.userdata.folder).import_table(SMALL, "Late")
        cards.toggle(1)
        assert cards.list is not None
        self.assertTrue(cards.list.rows.exists("bot:Late"))
        cards.toggle(1)


class WholeGameTests(WindowTestCase):
    def test_a_game_ends_with_its_line_and_return_plays_again(self) -> None:
        window = self.app.window
        for cell in MOVES:
            self.click(cell)
        self.assertTrue(self.app.session.shows_result)
        self.assertEqual(window.board.picture.lines, ((1, 6, 11),))
        self.assertEqual(self.heading, "Player 2 wins – three yellows, b1–d3")
        self.assertTrue(self.app.root.title().startswith("Player 2 wins"))
        self.assertTrue(window.cards.cards[1].is_marked, "the winner is marked")
        self.click(0)
        self.assertEqual(self.status, "The game is over. Start a new game, or undo a move.")
        self.key("<Return>")
        self.assertTrue(self.app.session.is_your_turn)
        self.assertEqual(self.app.root.focus_get(), window.board)

    def test_the_board_shows_the_last_move_and_invites_where_a_click_means_something(self) -> None:
        board = self.app.window.board
        self.click(5)
        self.assertEqual((board.picture.last, board.picture.inviting), (5, True))
        load_moves(self.app, GAME)
        self.assertEqual((board.picture.last, board.picture.inviting), (MOVES[-1], False))
        go_to(self.app.session, 3)
        self.app.context.changed()
        self.assertEqual((board.picture.last, board.picture.inviting), (MOVES[2], True))
        self.assertFalse(board.picture.allows_red)
        for command, allows_red in (("lessons", False), ("set_up", True)):
            self.app.run(command)
            self.assertEqual((board.picture.allows_red, board.picture.inviting), (allows_red, True))
            self.app.run("leave")
        for wanted in (True, False):
            self.app.context.change(animations=wanted)
            self.assertEqual(board.animated, wanted)

    def test_who_has_played_a_bot_is_not_told_again_what_a_move_is(self) -> None:
        self.assertEqual(self.status, texts.FIRST_MOVE)
        self.assertEqual(str(self.app.window.message.heading.cget("style")), "Title.TLabel")
        load_moves(self.app, GAME.rpartition(" ")[0], bot_seat=0)
        self.click(MOVES[-1])
        self.key("<Return>")
        self.assertEqual((self.app.session.game.actions, self.status), ((), ""))

    def test_the_bell_rings_once_at_the_end_of_a_game_if_that_and_animations_are_on(self) -> None:
        with mock.patch.object(self.app.root, "bell") as bell:
            for wanted, settings in enumerate(({"bell": False}, {"bell": True}), start=0):
                self.app.context.change(animations=True, **settings)
                load_moves(self.app, GAME.rpartition(" ")[0])
                self.click(MOVES[-1])
                go_to(self.app.session, 3)
                self.app.context.changed()
                self.app.session.leave()
                self.app.context.changed()
                self.assertEqual(bell.call_count, wanted)
            self.app.context.change(animations=False)
            load_moves(self.app, GAME.rpartition(" ")[0])
            self.click(MOVES[-1])
            self.assertEqual(bell.call_count, 1)

    def test_each_click_and_command_draws_the_board_once(self) -> None:
        board = self.app.window.board
        self.click(5)
        changes: dict[str, Callable[[], object]] = {
            "click": lambda: self.click(6),
            "the same lamp": lambda: self.click(5),
            "hint": lambda: self.app.run("hint"),
            "undo": lambda: self.app.run("undo"),
            "refused": lambda: self.app.run("undo"),
            "lesson": lambda: self.app.run("lessons"),
            "wrong": lambda: self.click(0),
            "solved": lambda: self.click(10),
            "back": lambda: self.app.run("leave"),
        }
        drawn = {}
        for name, change in changes.items():
            with mock.patch.object(board, "redraw", wraps=board.redraw) as redraw:
                change()
                self.app.root.update()  # the board is larger in a lesson
                drawn[name] = redraw.call_count
        self.assertEqual(drawn, dict.fromkeys(changes, 1))

    def test_a_game_before_is_in_a_list_with_its_day_and_result(self) -> None:
        for cell in MOVES:
            self.click(cell)
        self.assertTrue(self.app.why_not("recent_games"))
        for _ in range(2):
            self.key("<F2>", "<Key-a>", "<Key-1>")
        self.key("<Control-g>")
        (shown,) = (w for w in self.app.root.winfo_children() if isinstance(w, GameList))
        found = [str(shown.rows.item(row, "text")) for row in shown.rows.get_children()]
        board = self.app.window.board
        for place in ("winfo_rootx", "winfo_rooty", "winfo_width"):
            sides = getattr(shown, place)(), getattr(board, place)()
            self.assertAlmostEqual(*sides, delta=2, msg="over the board")
        self.assertIs(self.app.root.focus_get(), shown.rows)
        for event, number in (("<End>", 1), ("<Home>", 0), ("<Down>", 1), ("<Up>", 0)):
            self.key(event, widget=shown.rows)
            self.assertEqual(shown.rows.selection(), (shown.rows.get_children()[number],), event)
        day = self.app.session.today
        self.assertEqual(found[0], f"{day}: Player 1 against Player 2, not finished after move 1")
        self.assertTrue(found[1].endswith("Player 2 beat Player 1 in 8 moves"))
        self.key("<Escape>", widget=shown.rows)
        self.assertFalse(shown.winfo_exists())
        self.key("<Control-g>")
        (shown,) = (w for w in self.app.root.winfo_children() if isinstance(w, GameList))
        self.key("<End>", "<Return>", widget=shown.rows)
        self.assertEqual(self.app.session.game.actions, MOVES)
        self.assertFalse(shown.winfo_exists())
        self.assertIs(self.app.root.focus_get(), self.app.window.board)

    def test_a_double_click_is_no_move_of_the_other_person(self) -> None:
        board = self.app.window.board

        def double_click(cell: int) -> None:
            x, y = (round(v) for v in board.cell_centre(cell))
            for _ in range(2):
                board.event_generate("<Button-1>", x=x, y=y)
                board.event_generate("<ButtonRelease-1>", x=x, y=y)
            self.app.root.update()

        double_click(5)
        double_click(6)
        self.assertEqual(self.app.session.game.actions, (5, 6))
        self.click(6)
        self.assertEqual(self.app.session.game.actions, (5, 6, 6))
        self.app.run("set_up")
        double_click(0)
        self.assertEqual(colour_of(self.app.session.state, 0), YELLOW)

    def test_a_double_click_in_the_list_of_games_makes_no_move(self) -> None:
        self.key("<Key-a>", "<Key-1>", "<F2>", "<Control-g>")
        (shown,) = (w for w in self.app.root.winfo_children() if isinstance(w, GameList))
        _, top, _, high = shown.rows.bbox("0") or (0, 0, 0, 0)
        shown.rows.event_generate("<ButtonRelease-1>", x=20, y=top + high // 2)
        self.click(1)
        self.assertEqual(self.app.session.game.actions, (0,))
        self.app.context.list_clicked_at -= DOUBLE_CLICK_S
        self.click(1)
        self.assertEqual(self.app.session.game.actions, (0, 1))


class HelpTests(WindowTestCase):
    """Scenario 9: won, lost, win at once, only move: all as the solver has it."""

    POSITIONS: ClassVar[dict[str, str]] = {
        "won": "1. b2 b2 2. a3",
        "lost": "1. b2 d3",
        "win at once": "1. a1 d3 2. b1",
        "only move": "1. b2 b2 2. a3 c1 3. b2 d2 4. c1",
    }

    def test_values_and_hints_are_those_of_the_solver(self) -> None:
        board = self.app.window.board
        self.key("<F7>")
        for name, moves in self.POSITIONS.items():
            with self.subTest(position=name):
                load_moves(self.app, moves)
                base, state = tablebase(), self.app.session.state
                expected = base.action_distances(state)
                wash, numbers = board.picture.values.wash, board.picture.values.numbers
                self.assertEqual(numbers, {c: value_badge(n) for c, n in expected.items()})
                self.assertEqual({c: w > 0 for c, w in wash.items()},
                                 {c: bool(n % 2) for c, n in expected.items()})  # fmt: skip
                best = [move.action for move in ranked_moves(state) if move.rank == 0]
                self.assertEqual(board.picture.values.best, frozenset(best))
                strengths = sorted({(n, abs(wash[c])) for c, n in expected.items()})
                for (_, near), (_, far) in pairwise(strengths):
                    self.assertGreater(near, far, "what comes later is paler")
                wins = base.winning_actions(state)
                self.key("<F3>")
                first = "You can win this." if wins else "Every move loses to perfect play."
                self.assertTrue(self.status.startswith(first))
                self.assertEqual(board.picture.hints, frozenset())
                self.key("<Key-h>")
                self.assertEqual(board.picture.hints, frozenset(wins or best))
                self.click_on(self.button("hint"))
                self.assertIn(format_cell(best[0]), self.status)
                self.assertEqual(board.picture.hints, {best[0]})
        self.assertTrue(self.app.session.game.values_seen)
        self.click(parse_cell("d1"))
        self.key("<Control-z>")
        self.assertFalse(board.picture.hints, "gone with the position")

    def test_the_choice_in_the_panel_follows_the_keys(self) -> None:
        panel = self.app.window.panel
        self.app.session.new_game((HUMAN, self.app.context.player("perfect")))
        self.app.context.changed()
        keys = ("<F7>", BEST_PLAY), ("<F8>", LEARNED)
        for key, shown in (
            *keys, ("<F8>", MISTAKES), ("", NOTHING), *keys, ("<F8>", NOTHING),
        ):  # fmt: skip
            if key:
                self.key(key)
            else:
                self.click_on(panel.switches[shown])
            self.assertEqual(self.app.context.userdata.settings.shown, shown)
            chosen = [show for show, switch in panel.switches.items()
                      if switch.instate(["selected"])]  # fmt: skip
            self.assertEqual(chosen, [shown])

    def test_the_legend_stays_while_the_values_are_shown(self) -> None:
        panel = self.app.window.panel
        self.click_on(panel.switches[BEST_PLAY])
        self.click(5)
        moves = self.app.session.ranked_moves()
        self.assertEqual(panel.legend.cget("text"), values_legend(moves))
        self.click_on(panel.switches[NOTHING])
        self.assertEqual(panel.legend.cget("text"), "")
        self.assertFalse(self.app.window.board.picture.values.numbers)

    def test_what_the_bot_at_the_board_has_learned(self) -> None:
        table = RowTable()
        table.set_value(0, 5, -1.0)
        table.set_value(0, 0, 0.25)
        table.set_value(canonical(STEPS[4]), 0, 1.0)
        roster = self.app.context.roster
        with (
            mock.patch.object(roster, "table", lambda key: table if key == "test-bot" else None),
            mock.patch.object(roster, "is_trained", lambda key: key == "test-bot"),
        ):
            self.app.session.new_game((HUMAN, add_test_bot(self.app)))
            self.app.context.changed()
            self.key("<F8>")
            self.wait(lambda: self.app.window.board.picture.values.numbers)
            picture, legend = self.app.window.board.picture, self.app.window.panel.legend
            self.assertEqual([picture.values.numbers[cell] for cell in (5, 0, 1, 4)],
                             ["loss", "+0.25", "?", "(loss)"])  # fmt: skip
            self.assertEqual([picture.values.wash[cell] for cell in (5, 0, 1)], [-1.0, 0.25, 0.0])
            self.assertEqual(
                legend.cget("text"), texts.legend("Tester", table, picture.values.numbers.values())
            )
            self.assertTrue(self.app.session.game.is_helped)
            table.set_value(0, 0, 0.5)
            self.app.context.bots_changed()
            self.wait(lambda: self.app.window.board.picture.values.numbers.get(0) == "+0.50")
            switches = self.app.window.panel.switches
            self.assertTrue(switches[LEARNED].winfo_manager())
            self.app.session.set_players((HUMAN, self.app.context.player("careful")))
            self.app.context.changed()
            self.assertFalse(switches[LEARNED].winfo_manager())
            self.assertTrue(switches[MISTAKES].instate(["selected"]))
            self.assertEqual(legend.cget("text"), "")
            self.assertFalse(self.app.window.board.picture.values.numbers)
            self.key("<F8>")
            self.assertEqual(self.status, texts.NOTHING_LEARNED)

    def test_the_learned_values_of_two_bots_never_vanish_while_these_play(self) -> None:
        session = self.app.session
        players = self.app.context.player("qbot"), self.app.context.player("qbot-200")
        session.new_game(players)
        session.pause_bots()
        self.app.context.change(shown=LEARNED)
        board, legend = self.app.window.board, self.app.window.panel.legend
        self.wait(lambda: board.picture.values.numbers)
        for number, cell in enumerate(parse_moves("1. a1 c2 2. d1 a3")):
            self.assertTrue(board.picture.values.numbers, number)
            self.assertIn(f"Values of {players[number % 2].name},", legend.cget("text"))
            session.history.play(cell)
            self.app.context.changed()

    def test_a_player_reads_in_the_legend_that_the_table_of_a_bot_is_damaged(self) -> None:
        roster = self.app.context.roster
        with (
            mock.patch.object(roster, "table", side_effect=PlayerError("the table is damaged")),
            mock.patch.object(roster, "is_trained", return_value=True),
        ):
            self.app.session.new_game((HUMAN, add_test_bot(self.app)))
            self.app.context.change(shown=LEARNED)
            legend = self.app.window.panel.legend
            self.wait(lambda: legend.cget("text") == "The table is damaged.")

    def test_values_of_a_solver_not_ready_are_not_guessed(self) -> None:
        self.app.session.is_solved = False
        self.key("<F7>", "<F3>")
        self.assertFalse(self.app.window.board.picture.values.numbers)
        self.assertIn("Still solving", self.status)
        self.assertIn("Still solving", self.app.window.panel.legend.cget("text"))


class VerdictTests(WindowTestCase):
    """The marks in the list, and the text of the move on the board."""

    def marks(self) -> list[str]:
        text = self.app.window.panel.moves
        return [word for word in text.get("1.0", "end").split() if word[0] in "abcd"]

    def test_a_click_on_a_marked_move_keeps_the_marks_and_explains_it(self) -> None:
        load_moves(self.app, GAME)
        marks, panel = self.marks(), self.app.window.panel
        self.assertEqual(marks[-1], "b1#")
        number = next(n for n, mark in enumerate(marks, 1) if mark.endswith("??"))
        box = panel.moves.bbox(f"{number}.first+1c")
        assert box is not None
        for event in ("<Button-1>", "<ButtonRelease-1>"):
            panel.moves.event_generate(event, x=box[0] + 1, y=box[1] + 1)
        self.app.root.update()
        self.assertIsInstance(self.app.session.mode, LookingBack)
        self.assertEqual(self.heading, f"Looking at move {number} of {len(MOVES)}")
        self.assertEqual(self.marks(), marks)
        self.assertIn(marks[number - 1], panel.text.cget("text"))

    def test_a_blunder_is_named_over_the_board_and_played_out_there(self) -> None:
        pass_time = self.hold(explain.STEP_MS)
        load_moves(self.app, "1. a1 d3 2. b1 d3 3. a3 d2", bot_seat=0)
        before = self.app.session.game.state_at(5)
        self.wait(lambda: self.app.session.is_your_turn)
        state, board = self.app.session.state, self.app.window.board
        self.assertIn("d2??", self.status)
        self.click_on(self.answers[0])
        self.assertEqual((self.heading, board.picture.state), ("After d2", before))
        blunder = self.app.session.verdict(6)
        assert blunder is not None
        self.assertEqual(self.status, texts.what_follows(blunder, self.app.session.players))
        pass_time()
        self.assertNotEqual(board.picture.state, before)
        self.key("<Escape>")
        self.assertEqual(board.picture.state, state)


class ReviewTests(WindowTestCase):
    """Scenario 10."""

    def setUp(self) -> None:
        super().setUp()
        load_moves(self.app, GAME)
        self.key("<F4>", "<F7>")

    def test_it_asks_for_the_first_mistake_and_explains_what_is_tried(self) -> None:
        review, board = review_of(self.app.session), self.app.window.board
        wrong, state = review.verdict.action, self.app.session.state
        asked = "Move 3: a3 lost 3 moves too early. Find a better defence."
        self.assertEqual(self.heading, asked)
        spoilt = board.picture.values.numbers, board.picture.values.wash, board.picture.hints
        self.assertFalse(any(spoilt))
        self.assertNotRegex(self.app.window.panel.moves.get("1.0", "end"), "[!?#]")
        self.click(wrong)
        self.assertIn("Try again", self.status)
        (why,) = self.answers
        self.click_on(why)
        self.assertEqual(self.heading, f"After {format_cell(wrong)}")
        better = texts.verdict_text(review.verdict, self.app.session.players)
        self.assertTrue(self.status.endswith(f". {better}"))
        self.key("<Escape>")
        self.assertIn(self.heading, asked, "shorter next to the button Why")
        self.assertEqual(board.picture.state, state)
        self.click(review.solutions[0])
        self.assertIn("Right", self.status)
        self.assertTrue(board.picture.hints)

    def test_a_solved_mistake_asks_for_no_more_moves_and_return_goes_on(self) -> None:
        review = review_of(self.app.session)
        wrong = review.verdict.action
        for number, _ in enumerate(review.mistakes):
            self.assertEqual(review.number, number)
            self.click(review.solutions[0])
            tried = review.tried
            self.click(wrong)
            self.assertIs(review.tried, tried)
            self.assertIn("This mistake is solved.", self.status)
            main = self.button("leave" if review.is_last else "next_task")
            buttons = self.app.window.row.buttons
            accented = [button for button in buttons if "Accent" in str(button.cget("style"))]
            self.assertEqual(accented, [main])
            self.key("<Return>")
        self.assertTrue(self.app.session.shows_result)


class SetUpTests(WindowTestCase):
    """A position set up by hand: played from, and lost by nothing but leaving."""

    def assert_set_up(self, state: int) -> None:
        self.assertEqual((type(self.app.session.mode), self.app.session.state), (SetUp, state))

    def set_up_one_lamp(self) -> None:
        """Set up a green a1 on an empty board."""
        self.app.run("set_up")
        self.app.run("clear_setup")
        self.click(0)

    def test_clicks_cycle_forth_and_back_and_the_game_starts_from_there(self) -> None:
        self.app.run("set_up")
        self.assertEqual(self.heading, "Set up a position")
        self.click(0)
        self.click(0)
        self.click(5, button=3)
        self.assert_set_up(2 << 22 | 3 << 12)
        self.assertIn("moves next", self.status, "said after each click")
        self.assertEqual(self.app.window.panel.moves.get("1.0", "end").strip(), "No move yet.")
        self.click_on(self.button("finish_setup"))
        self.assertTrue(self.app.session.is_your_turn)
        self.assertEqual(self.app.session.game.start, 2 << 22 | 3 << 12)

    def test_a_line_cannot_be_played_from_and_escape_leaves(self) -> None:
        self.app.run("set_up")
        for cell in (0, 1, 2):
            self.click(cell)
        self.assertTrue(self.button("finish_setup").instate(["disabled"]))
        for name in ("finish_setup", "save_game", "copy"):
            self.app.context.say("")
            self.app.run(name)
            self.assertIn("A line is already complete", self.status)
        self.key("<Control-Shift-C>")
        self.assertEqual(self.app.root.clipboard_get(), "1110/0000/0000")
        self.key("<Escape>")
        self.assertEqual((self.app.session.is_your_turn, self.app.session.state), (True, 0))

    def test_what_is_copied_or_saved_is_what_is_set_up(self) -> None:
        load_moves(self.app, "1. b2 b2", bot_seat=1)
        players = self.app.session.players
        self.set_up_one_lamp()
        path = new_folder() / "game.tlg"
        with mock.patch.object(filedialog, "asksaveasfilename", return_value=str(path)):
            self.key("<Control-c>", "<Control-s>")
        for text in (self.app.root.clipboard_get(), path.read_text("utf-8")):
            game = parse_record(text)
            self.assertEqual((game.start, game.actions, game.players), (1 << 22, (), players))

    def test_who_plays_is_chosen_and_the_position_stays(self) -> None:
        for moves in ("1. b2 b2", GAME):
            with self.subTest(moves=moves):
                load_moves(self.app, moves, bot_seat=1)
                self.set_up_one_lamp()
                self.app.context.seat(1, self.app.context.player("random"))
                self.click_on(self.app.window.cards.swap)
                self.assert_set_up(1 << 22)
                self.app.run("finish_setup")
                self.assertEqual(self.app.session.game.start, 1 << 22)
                self.assertEqual(self.app.session.game.players[0].bot, "random")
