"""The conversation of the terminal mode: lines in, sentences out."""

import os
import random
import re
import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

from tests.kit.samples import tablebase
from tests.kit.sessions import save_game, saved_session
from traffic_lights.board.rules import STEPS, format_cell, legal_actions
from traffic_lights.console.conversation import NOT_IN_REVIEW, NOT_PAUSED, TextGame
from traffic_lights.console.help import HELP
from traffic_lights.learning.qtable import QTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.players.game import HUMAN, Game, Player
from traffic_lights.players.roster import Roster
from traffic_lights.session.notation import parse_record
from traffic_lights.session.session import Phase, Session
from traffic_lights.session.texts import GAME_AFTER, GAME_BEFORE, PAUSED
from traffic_lights.training.bots import Bots
from traffic_lights.userdata.settings import Settings
from traffic_lights.userdata.store import UserData


class TalkCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.heard: list[str] = []
        self.game = self.new_game(None)

    def new_game(self, data: UserData | None, own: Path | None = None) -> TextGame:
        session = Session(lambda: 0.0)
        session.tablebase = tablebase()
        roster = Roster(own, self.folder, random.Random(7))
        settings = Settings(opponent="myopic")
        return TextGame(session, roster, self.heard.append, data, settings)

    def talk(self, *lines: str) -> str:
        """Return what is said to *lines*."""
        self.heard.clear()
        for line in lines:
            self.assertTrue(self.game.obey(line), line)
        return "\n".join(self.heard)


class ConversationTests(TalkCase):
    def test_a_game_of_two_from_start_to_review(self) -> None:
        self.game.begin()
        said = self.talk("new two", "a1 b1", "d3", "C1")
        self.assertIn("Player 2 wins – three greens, a1–c1", said)
        self.assertIn("Player 2 wins in 2 moves.", said)
        self.assertIn("win at once on move 2. Type review", said)
        self.assertIn("Move 2: b1 threw the win away. Find", self.talk("review"))
        self.assertIn("wins at once with c1. Try again.", self.talk("b1"))
        self.assertIn("The winning move", self.talk("show"))
        self.assertIn("Move 3: d3 overlooked a win at once.", self.talk("next"))
        self.assertIn("Try again", self.talk("d3"))
        said = self.talk("c1")
        self.assertEqual(said.count("Right: c1 completes three greens."), 1)
        self.assertIn("Type leave", said)
        self.assertIn("last mistake", self.talk("next"))
        self.assertIn("Player 2 wins", self.talk("leave"))

    def test_bots_answer(self) -> None:
        self.game.begin()
        self.assertRegex(self.talk("b2"), r"Myopic plays [a-d][1-3]\.")
        self.assertEqual(len(self.game.session.game.actions), 2)
        self.assertRegex(self.talk("new exact second"), r"Exact player plays [a-d][1-3]\.")

    def test_two_bots_play_to_the_end(self) -> None:
        self.game.begin()
        self.assertRegex(self.talk("watch exact random"), r"(Exact player|Random) wins – three")
        self.assertIn("Name two levels", self.talk("watch exact"))

    def test_two_bots_that_wait_after_undo_step_and_play_on(self) -> None:
        self.talk("watch myopic random")
        session = self.game.session
        self.talk("undo", "undo", "undo")
        before = len(session.game.actions)
        for line in ("board", "a1"):
            self.assertEqual(self.talk(line).count(PAUSED), 1, line)
        self.assertIn(PAUSED, self.talk("step"))
        self.assertEqual((len(session.game.actions), session.is_paused), (before + 1, True))
        self.assertRegex(self.talk("play"), "(Myopic|Random) wins")
        for line in ("play", "step", "new two", "play", "step"):
            said = self.talk(line)
            self.assertEqual(line != "new two", NOT_PAUSED in said, said)

    def test_a_new_game_of_two_bots_is_played_whatever_waited(self) -> None:
        self.talk("watch myopic random")
        for line in ("new", "watch myopic random"):
            game = self.game.session.game.identity
            self.talk("undo", line)
            self.assertNotEqual(self.game.session.game.identity, game)
            self.assertTrue(self.game.session.game.is_over, line)

    def test_mistakes_are_gone_through_in_a_review_only(self) -> None:
        self.talk("new two", "a1 b1 d3 c1")
        for line in ("next", "previous"):
            self.assertEqual(self.talk(line), NOT_IN_REVIEW)
        self.assertIn("no mistake before", self.talk("review", "previous"))
        self.assertIn("last mistake", self.talk("next", "next"))

    def test_the_move_that_a_review_names_is_found_among_the_moves(self) -> None:
        for game in (("new two", "a1 b1 d3 c1"), ("position 000000000001", "a1 b1 d2 c1")):
            self.talk(*game)
            listed, named = self.talk("moves"), self.talk("review", "next")
            found = re.findall(r"Move (\d+): (\w\d)", named)
            self.assertGreater(len(found), 1, named)
            for number, cell in found:
                self.assertIn(f"{number}. {cell}", listed)
            self.assertIn("Looking at", self.talk("leave", "go 1"))
            self.talk("leave", "new two", listed)
            if game[0] == "new two":
                self.assertEqual(self.talk("moves"), listed, "what is listed can be played again")

    def test_a_whole_game_against_a_bot_ends(self) -> None:
        self.game.begin()
        for _ in range(40):
            if self.game.session.phase is Phase.OVER:
                break
            self.talk(*("hint", "hint", "hint"))
            cell = self.heard[-1].split()[0]
            self.talk(cell)
        self.assertEqual(self.game.session.phase, Phase.OVER)
        self.assertRegex(
            self.talk("board"), r"(You win in \d+ moves – with \d+ hints?|Myopic wins)"
        )

    def test_help_in_three_steps_values_and_verdicts(self) -> None:
        self.game.begin()
        self.assertIn("Every move loses", self.talk("hint"))
        self.assertIn("What lasts longest: b1", self.talk("h"))
        self.assertIn("The reply to expect", self.talk("hint"))
        self.assertIn("Loses in 13: b1", self.talk("values"))
        self.assertTrue(self.game.session.game.values_seen)
        self.assertIn("on", self.talk("tell"))
        self.assertIn("b2: Lost either way, but b1", self.talk("new two", "b2"))
        self.assertIn("Best play from here:", self.talk("why"))

    def test_undo_redo_and_looking_back(self) -> None:
        self.game.begin()
        self.assertIn("nothing to undo", self.talk("new two", "undo", "undo", "undo"))
        self.talk("a1", "b2", "d3")
        undone, redone = self.talk("undo"), self.talk("redo")
        self.assertIn("Player 1 to move", undone)
        self.assertIn("Player 2 to move", redone)
        self.assertNotIn(GAME_BEFORE, undone)
        self.assertNotIn(GAME_AFTER, redone)
        self.talk("new two")
        self.assertIn(GAME_BEFORE, self.talk("undo"))
        self.assertIn(GAME_AFTER, self.talk("redo"))
        self.assertIn("Looking at move 1 of 3", self.talk("undo", "go 1"))
        self.assertIn("Looking at move 2 of 3", self.talk("forward"))
        self.assertIn("Redo brings the old line back", self.talk("c2"))
        self.assertEqual(self.talk("moves"), "1. a1 2. b2 3. c2")
        self.assertEqual(self.talk("redo", "moves").splitlines()[-1], "1. a1 2. b2 3. d3")
        self.assertIn("Say how many", self.talk("go ²"))

    def test_it_tells_what_qbot_believes(self) -> None:
        self.game = TextGame(Session(lambda: 0.0), Roster(), self.heard.append)
        self.game.session.tablebase = tablebase()
        told = self.talk("new qbot", "a1", "beliefs")
        self.assertIn("a1 proven loss, b1 proven loss", told)
        self.assertIn("against Myopic.", told)
        self.assertIn("QBot's values", self.talk("new qbot", "beliefs"))
        self.assertIn("There is no bot in this game", self.talk("new two", "beliefs"))
        self.assertIn("Random follows fixed rules", self.talk("new random", "beliefs"))
        self.assertIn("no move to believe", self.talk("a1 b1 d3 c1", "beliefs"))

    def test_a_game_counts_even_where_nothing_is_kept(self) -> None:
        for line in ("board", "watch random random"):  # which are games of theirs
            self.assertIn("No finished games of yours against a bot", self.talk(line, "statistics"))
        self.talk("new random")
        while not self.game.session.game.is_over:
            self.talk(format_cell(legal_actions(self.game.session.state)[0]))
        self.assertRegex(self.talk("statistics"), r"^Random: \d wins?, \d lost \(")

    def test_an_opponent_chosen_after_the_end_begins_a_new_game(self) -> None:
        self.talk("new random")
        while not self.game.session.game.is_over:
            self.talk(format_cell(legal_actions(self.game.session.state)[0]))
        finished = self.game.session.game
        for looked_at in ("board", "go 1", "review"):
            self.game.session.restore(finished)
            self.talk(looked_at, "opponent myopic")
            self.assertEqual(len(self.game.session.game.actions), 0, looked_at)
            self.talk("undo")
            self.assertEqual(self.game.session.game, finished, "who played it stays as it was")

    def test_two_people_who_name_an_opponent_are_told_how_to_play_one(self) -> None:
        told = self.talk("new two", "opponent myopic")
        self.assertIn("'new myopic' begins such a game", told)
        self.assertIn("You play against Myopic", self.talk("new myopic"))

    def test_seats_of_a_finished_game_do_not_change(self) -> None:
        self.talk("new random", "position 110000000000", "c1")
        finished = self.game.session.game
        self.assertTrue(finished.is_over)
        for looked_at in ("board", "go 0"):
            self.assertIn("The game is over", self.talk(looked_at, "swap"))
            self.assertEqual(self.game.session.game, finished)

    def test_positions_and_records_come_and_go(self) -> None:
        self.game.begin()
        self.talk("new two", "a1", "b2")
        self.assertEqual(self.talk("position"), "1000/0100/0000")
        path = self.folder / "my game.txt"
        self.talk(f"save {path}")
        self.assertEqual(parse_record(path.read_text()).actions, (0, 5))
        self.talk("position 2200/0000/0000", f"open {path}")
        self.assertEqual(self.game.session.game.actions, (0, 5))
        self.assertIn("A line is already complete", self.talk("position 111000000000"))
        self.assertIn("is not a board", self.talk("position 7"))
        self.assertIn("no such file", self.talk("open nowhere"))
        self.assertIn("name a file", self.talk("save"))
        self.assertIn("Saved", self.talk(f"save {path}"), "over a game it may be written")
        path.write_text("dear diary")
        self.assertIn("is not a game", self.talk(f"save {path}"))
        self.assertEqual(path.read_text(), "dear diary")
        if os.name == "posix":  # on Windows the homes of others are guessed, not looked up
            self.assertIn("no such user", self.talk("save ~nobody-of-this-name/game"))
        self.assertIn("not the name of a file", self.talk("open a\0b"))

    def test_the_board_in_words(self) -> None:
        self.game.begin()
        self.assertIn("Green: a1. Yellow: none.", self.talk("new two", "board words", "a1"))
        self.assertIn("1 G . . .", self.talk("board grid"))

    def test_a_level_that_cannot_play_says_why(self) -> None:
        self.game.begin()
        before = self.game.session.game
        self.assertIn("cannot play", self.talk("new qbot"))
        self.assertEqual(self.game.session.game, before)
        self.assertIn("no player 'nobody'", self.talk("opponent nobody"))
        self.assertIn("QBot cannot play: QBot cannot play: cannot read", self.talk("levels"))

    def test_seats_and_opponents_change_mid_game(self) -> None:
        self.game.begin()
        self.talk("b2")
        self.assertRegex(self.talk("swap"), "Myopic plays")
        self.assertRegex(self.talk("opponent random", "bot exact"), "Exact player plays")
        self.assertEqual(self.game.session.game.bot_moves, 1)

    def test_a_stand_in_is_said_to_have_played_what_it_played(self) -> None:
        self.talk("position 101000000000")
        with patch.object(Roster, "choose", return_value=6):
            said = self.talk("bot random")
        self.assertIn("Random plays b1.", said, "in a person's place a win at once is taken")
        self.assertNotIn("c2", said)

    def test_every_command_that_help_names_exists_and_none_is_hidden(self) -> None:
        commands = {name.removeprefix("_do_") for name in dir(TextGame) if name.startswith("_do_")}
        words = set(HELP.replace(",", " ").replace(";", " ").split())
        self.assertEqual(commands - {"help"} - words, set())

    def test_nonsense_is_answered_and_changes_nothing(self) -> None:
        self.game.begin()
        before = self.game.session.game
        for line in ("e5", "b2 e5", "\0", "_keep", "do_new", "🙂", "1.", "x" * 5000, "__class__"):
            said = self.talk(line)
            self.assertLess(len(said), 400)
            self.assertEqual(self.game.session.game, before, line[:20])
        self.assertEqual(self.talk("", "   "), "")
        self.assertFalse(self.game.obey("quit"))

    def test_a_game_left_goes_on_at_the_next_start(self) -> None:
        data = UserData(self.folder / "data")
        self.game = self.new_game(data)
        self.game.begin()
        self.talk("a1")
        state = self.game.session.state
        data.finish()
        self.game = self.new_game(data)
        self.heard.clear()
        self.game.begin()
        self.assertIn("goes on where you left it", "\n".join(self.heard))
        self.assertEqual(self.game.session.state, state)
        self.assertEqual(self.game.session.players[0], HUMAN)

    def test_whatever_interrupts_a_bot_the_moves_and_the_help_before_are_kept(self) -> None:
        data = UserData(self.folder / "data")
        self.game = self.new_game(data)
        self.game.begin()
        self.talk("hint", "hint", "values")
        data.finish()
        self.assertEqual(saved_session(data.folder).saved(), self.game.session.saved())
        with patch.object(Roster, "choose", side_effect=KeyboardInterrupt):
            self.assertRaises(KeyboardInterrupt, self.game.obey, "a1")
        data.finish()
        game = saved_session(data.folder).game
        self.assertEqual((game.actions, game.hints, game.values_seen), ((0,), 1, True))

    def test_each_move_of_two_bots_is_kept(self) -> None:
        data = UserData(self.folder / "data")
        self.game = self.new_game(data)
        with patch.object(Roster, "choose", side_effect=(0, 5, KeyboardInterrupt)):
            self.assertRaises(KeyboardInterrupt, self.game.obey, "watch myopic random")
        data.finish()
        self.assertEqual(saved_session(data.folder).game.actions, (0, 5))


class OwnBotTests(TalkCase):
    """A game against an own bot, begun in the window, goes on here, or it says why not."""

    def setUp(self) -> None:
        super().setUp()
        table = QTable()
        table.set_value(STEPS[11], 7, 1.0)
        write_table(self.folder / "lefty.json", table)
        self.bots = Bots(self.folder)
        self.bot = self.bots.import_table(self.folder / "lefty.json", "Lefty")
        self.store = UserData(self.folder / "data")
        self.addCleanup(self.store.finish)
        bot = Player(self.bot.key, "Lefty")
        save_game(self.store.folder, Game(players=(HUMAN, bot)))
        self.game = self.new_game(self.store, self.folder)

    def test_it_answers_with_its_table_and_tells_what_it_has_learned(self) -> None:
        self.game.begin()
        self.assertIn("Lefty plays d2.", self.talk("d3"))
        self.assertRegex(self.talk("levels"), r"My bots:\n  Lefty\. Imported")
        self.assertIn("Lefty's values", self.talk("beliefs"))
        self.assertIn("Lefty plays", self.talk("new lefty second"))
        self.assertIn("Lefty plays", self.talk(f"new {self.bot.key} second"))

    def test_a_bot_that_is_gone_or_damaged_is_said_in_a_sentence(self) -> None:
        self.game.begin()
        (self.bot.folder / "qtable.json").write_text("{}")
        said = self.talk("a1")
        self.assertIn("Lefty cannot play: ", said)
        self.assertIn("Choose another opponent, or undo", said)
        self.bots.delete(self.bot)
        self.game = self.new_game(self.store, self.folder)
        self.heard.clear()
        self.game.begin()
        self.assertIn("no player 'lefty'", self.talk("new lefty"))


class OfferTests(TalkCase):
    def test_two_wins_offer_the_next_level_and_one_does_not(self) -> None:
        said: list[str] = []
        while sum("in a row" in text for text in said) == 0:
            self.talk("new beginner second")
            while not self.game.session.game.is_over:
                state = self.game.session.state
                said.append(self.talk(format_cell(tablebase().optimal_actions(state)[0])))
        self.assertIn("Two wins in a row: try Casual next?", said[-1])
        self.assertIn("Type new casual.", said[-1])
        ends = [" win" in text and "You win" in text for text in said]
        self.assertGreaterEqual(sum(ends), 2)


if __name__ == "__main__":
    unittest.main()
