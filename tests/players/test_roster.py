"""The roster: what must hold of every player, own bots, programs, and what cannot be played."""

import json
import os
import pickle
import random
import re
import sys
import unittest
from dataclasses import asdict
from pathlib import Path

from tests.kit.samples import FolderTestCase, live_states, measured
from tests.make.ladder import computed
from traffic_lights.board.baselines import Policy, winning_actions
from traffic_lights.board.exact_score import ExactScore
from traffic_lights.board.games import PlayerError
from traffic_lights.board.rules import EMPTY_BOARD, STEPS
from traffic_lights.board.symmetry import canonical
from traffic_lights.learning.rowtable import RowTable
from traffic_lights.learning.tablefile import write_table
from traffic_lights.players.external import ExternalBot, Program
from traffic_lights.players.roster import USER_FILE, Entry, Group, Roster, read_scores
from traffic_lights.players.tables import TableFile
from traffic_lights.storage.words import LONGEST_NAME
from traffic_lights.training.bot_note import write_curve
from traffic_lights.training.folder import snapshot_path
from traffic_lights.training.own_bots import COMMAND_KEY, Bots, OwnBot

CHEAP = ("perfect",)
"""The players whose exact score takes a moment."""


def every_entry() -> tuple[Entry, ...]:
    return (*Roster().entries(), Roster().entry("horizon-4"))


class EveryPlayerTests(unittest.TestCase):
    def test_keys_and_names_differ_and_every_player_says_what_it_does(self) -> None:
        entries = every_entry()
        self.assertEqual(len({entry.key for entry in entries}), len(entries))
        self.assertEqual(len({entry.name for entry in entries}), len(entries))
        for entry in entries:
            self.assertRegex(entry.key, r"\A[a-z0-9-]+\Z")
            self.assertRegex(entry.about, r"^[A-Z].*\.$")
            number = re.sub(r"\D", "", entry.key)
            self.assertEqual(re.sub(r"\D", "", entry.name.replace("k", "000")), number)
            self.assertIn(f"{int(number):,}" if number else "", entry.about)
            self.assertEqual(entry.problem, "")
            self.assertEqual(pickle.loads(pickle.dumps(entry)), entry)
            self.assertEqual(Roster().entry(entry.key), entry)

    def test_no_policy_prefers_one_of_two_mirror_images_or_completes_less_than_it_says(
        self,
    ) -> None:
        for policy in (e.plays_by for e in every_entry() if isinstance(e.plays_by, Policy)):
            for state in live_states(random.Random(8), 100):
                one, other = (
                    sorted(canonical(image + STEPS[a]) for a in policy.actions(image))
                    for image in (state, canonical(state))
                )
                self.assertEqual(one, other, f"{policy.key}: see `same_actions`")
                if policy.completes_lines and (wins := winning_actions(state)):
                    self.assertLessEqual({*policy.actions(state)}, {*wins}, policy.key)

    def test_stored_scores_are_exact_and_the_weakest_of_a_group_comes_first(self) -> None:
        rows, order = read_scores(), []
        for entry in Roster().entries():
            self.assertIn(entry.key, rows, "python3 -m tests.make.ladder KEY computes its score")
            row = rows[entry.key]
            self.assertEqual(entry.score, ExactScore(row["first"], row["second"]))
            self.assertEqual(entry.rate, (row["first"] + row["second"]) / 2)
            self.assertEqual(row["second"] == 1, entry.key in ("perfect", "qbot", "exact"))
            if entry.key in CHEAP:
                self.assertLessEqual(row.items(), computed(entry).items())
            order.append((list(Group).index(entry.group), row["first"] + row["second"]))
        self.assertEqual(order, sorted(order), "the weakest of each group comes first")


class RosterTestCase(FolderTestCase):
    def roster(self) -> Roster:
        return Roster(self.folder, random.Random(7), self.folder / "own")

    def write_table(self, name: str, action: int) -> Path:
        """Write a table that plays *action* on the empty board."""
        table, path = RowTable(), self.folder / name
        table.set_value(EMPTY_BOARD, action, 1.0)
        path.parent.mkdir(exist_ok=True)
        write_table(path, table)
        return path

    def imported(self, name: str, action: int) -> OwnBot:
        """Make an own bot called *name*, which plays *action* on the empty board."""
        return Bots(self.folder).import_table(self.write_table("new.json", action), name)


class TableTests(RosterTestCase):
    def test_an_own_bot_plays_its_pruned_table_or_else_the_whole_one(self) -> None:
        self.assertEqual([*Roster().entries()], [*self.roster().entries()])
        bot, roster = self.imported("Mine", 5), self.roster()
        entry = roster.entry("bot:Mine")
        self.assertEqual((entry.name, entry.group, entry.problem), ("Mine", Group.OWN, ""))
        self.assertIn(roster.bot(bot.key).choose(EMPTY_BOARD), (5, 6))
        self.write_table("mine.json", 0).rename(bot.folder / "qbot.json")
        self.assertIn(roster.bot(bot.key).choose(EMPTY_BOARD), (0, 3, 8, 11))
        self.assertIs(roster.table(bot.key), roster.table(bot.key))
        write_curve(bot.folder, [measured(9, 0.5)])
        self.assertEqual(self.roster().entry(bot.key).rate, 0.5)
        (bot.folder / "qbot.json").unlink()
        table = roster.table(bot.key)
        assert table is not None
        self.assertEqual(table.row(EMPTY_BOARD), {5: 1.0})
        self.assertIsNone(roster.table("random"))
        self.assertEqual(roster.name_of(bot.key, "gone"), "Mine")
        self.assertEqual(roster.name_of("bot:Other", "gone"), "gone")

    def test_a_missing_or_damaged_table_is_refused_until_it_is_there(self) -> None:
        bot, roster = self.imported("Mine", 5), self.roster()
        path = bot.folder / "qtable.json"
        sound = path.read_bytes()
        for spoil in (path.unlink, lambda: path.write_text("{}")):
            spoil()
            with self.assertRaisesRegex(PlayerError, "^Mine cannot play: "):
                roster.bot(bot.key)
            path.write_bytes(sound)
            self.assertIn(roster.bot(bot.key).choose(EMPTY_BOARD), (5, 6))
        with self.assertRaises(PlayerError):
            roster.entry(COMMAND_KEY)
        self.write_table("own/qtable.json", 5)
        self.assertIn(roster.bot(COMMAND_KEY).choose(EMPTY_BOARD), (5, 6))
        self.assertIs(roster.bot("alternate"), roster.bot("alternate"))


class OwnEntryTests(RosterTestCase):
    def test_it_is_found_by_its_name_and_at_a_snapshot(self) -> None:
        long = "A name that fills the whole list of bots"
        bot = self.imported(long, 5)
        for text in (bot.key, long.upper()):
            self.assertEqual(self.roster().entry(text).key, bot.key, text)
        snapshot = snapshot_path(bot.folder, 1000)
        snapshot.parent.mkdir()
        self.write_table("other.json", 0).rename(snapshot)
        entry = self.roster().entry(f"{bot.key}:1000")
        about = "Plays as it did after 1,000 games."
        name = "A name that fills the whol (1,000 games)"
        self.assertEqual(len(name), LONGEST_NAME)
        expected = Entry(f"{bot.key}:1000", name, about, Group.OWN, TableFile(snapshot))
        self.assertEqual(entry, expected)
        self.assertIn(entry.bot(random.Random(7)).choose(EMPTY_BOARD), (0, 3, 8, 11))
        for text in (f"{bot.key}:2000", f"{bot.key}:x", f"{bot.key}:", "bot:Other:1000"):
            with self.assertRaises(PlayerError):
                self.roster().entry(text)


class ResolveTests(RosterTestCase):
    def test_a_key_a_table_a_folder_and_a_command(self) -> None:
        path = self.write_table("mine.json", 5)
        roster = self.roster()
        self.assertEqual(roster.resolve("myopic"), roster.entry("myopic"))
        for place in (path, self.imported("Mine", 5).folder):
            entry = roster.resolve(str(place))
            self.assertEqual((entry.group, entry.name), (Group.TABLE, place.name))
            self.assertIn(entry.bot(random.Random(7)).choose(EMPTY_BOARD), (5, 6))
        command = f'"{sys.executable}" bots/one.py'
        entry = roster.resolve(command)
        self.assertEqual((entry.group, entry.plays_by), (Group.PROGRAM, Program(command)))

    def test_what_names_no_player_is_refused_in_one_sentence(self) -> None:
        (self.folder / "bad.json").write_text("{}")
        (self.folder / "bot.js").write_text("console.log('ready')")
        for text, expected in (
            ("nobody", "unknown player 'nobody' .nobody was not found.: choose beginner, "),
            ("", "unknown player ''"),
            ("nothing here", "unknown player 'nothing here' .nothing was not found.: choose"),
            ("horizon-33", "did you mean horizon-3. Or choose .* horizon-N with N from 1 to 32"),
            ("Expertt", "did you mean expert. Or choose"), ("horizon-0", "unknown player"),
            ("none.json", "^cannot read none.json: no"), ("a\0b", "unknown player"),
            (str(self.folder / "bad.json"), "not a readable Q-table"), ("x" * 9999, "unknown"),
            (str(self.folder / "bot.js"), "cannot be executed.* such as 'python3 mybot.py'"),
        ):  # fmt: skip
            if text.endswith(".js") and os.name == "nt":
                continue  # Windows finds out when it starts it
            with self.assertRaisesRegex(PlayerError, expected) as caught:
                self.roster().resolve(text)
            self.assertNotIn("\n", str(caught.exception))


class ProgramTests(RosterTestCase):
    def test_the_programs_of_the_user_are_players_and_what_does_not_fit_is_left_out(self) -> None:
        program = Program(f'"{sys.executable}" -V', "One", 2.0)
        for rows, names in (
            ([asdict(program)], ["One"]),
            ([asdict(program), {"command": "two", "move_s": "long"}, 7], ["One"]),
            ({}, []),
            (7, []),
        ):
            (self.folder / USER_FILE).write_text(json.dumps({"programs": rows}))
            found = [entry for entry in self.roster().entries() if entry.is_program]
            self.assertEqual([entry.name for entry in found], names)
        (self.folder / USER_FILE).write_text("[")
        self.assertFalse(any(entry.is_program for entry in self.roster().entries()))
        roster = self.roster()
        roster.programs = lambda: [program]
        entry = roster.entry("program:One")
        self.assertIsInstance(roster.bot(entry.key), ExternalBot)

    def test_of_two_programs_that_differ_in_a_capital_letter_each_is_found_by_its_key(self) -> None:
        roster = self.roster()
        roster.programs = lambda: [Program("one", "Mine"), Program("two", "mine")]
        for key in ("program:Mine", "program:mine"):
            self.assertEqual(roster.entry(key).key, key)
