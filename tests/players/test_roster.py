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

    def test_no_policy_prefers_a_mirror_image_or_completes_less_than_it_says(self) -> None:
        states = live_states(random.Random(8), 100)
        for policy in (e.plays_by for e in every_entry() if isinstance(e.plays_by, Policy)):
            for state in states:
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
            if entry.key == "perfect":  # which takes a moment
                self.assertLessEqual(row.items(), computed(entry).items())
            order.append((list(Group).index(entry.group), row["first"] + row["second"]))
        self.assertEqual(order, sorted(order), "the weakest of each group comes first")


class OwnPlayerTests(FolderTestCase):
    def roster(self) -> Roster:
        return Roster(self.folder, random.Random(7), self.folder / "own")

    def write_table(self, name: str, action: int) -> Path:
        """Write a table that plays *action* on the empty board."""
        table, path = RowTable(), self.folder / name
        table.set_value(EMPTY_BOARD, action, 1.0)
        path.parent.mkdir(exist_ok=True)
        write_table(path, table)
        return path

    def imported(self, name: str) -> OwnBot:
        """Make an own bot called *name*, which plays b2 or c2 on the empty board."""
        return Bots(self.folder).import_table(self.write_table("new.json", 5), name)

    def test_an_own_bot_plays_its_pruned_table_or_else_the_whole_one(self) -> None:
        self.assertEqual([*Roster().entries()], [*self.roster().entries()])
        bot, roster = self.imported("Mine"), self.roster()
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
        names = [roster.name_of(key, "gone") for key in (bot.key, "bot:Other")]
        self.assertEqual(names, ["Mine", "gone"])

    def test_a_missing_or_damaged_table_is_refused_until_it_is_there(self) -> None:
        bot, roster = self.imported("Mine"), self.roster()
        path = bot.folder / "qtable.json"
        sound = path.read_bytes()
        for spoil in (path.unlink, lambda: path.write_text("{}")):
            spoil()
            with self.assertRaisesRegex(PlayerError, "^Mine cannot play: "):
                roster.bot(bot.key)
            path.write_bytes(sound)
            self.assertIn(roster.bot(bot.key).choose(EMPTY_BOARD), (5, 6))
        self.assertRaises(PlayerError, roster.entry, COMMAND_KEY)
        self.write_table("own/qtable.json", 5)
        self.assertIn(roster.bot(COMMAND_KEY).choose(EMPTY_BOARD), (5, 6))
        self.assertIs(roster.bot("alternate"), roster.bot("alternate"), "it remembers its moves")

    def test_an_own_bot_is_found_by_its_name_and_at_a_snapshot(self) -> None:
        bot = self.imported("A name that fills the whole list of bots")
        self.assertEqual(self.roster().entry(bot.name.upper()).key, bot.key)
        snapshot = snapshot_path(bot.folder, 1000)
        snapshot.parent.mkdir()
        self.write_table("other.json", 0).rename(snapshot)
        entry = self.roster().entry(f"{bot.key}:1000")
        name, about = f"{bot.name[:26]} (1,000 games)", "Plays as it did after 1,000 games."
        self.assertEqual(len(name), LONGEST_NAME)
        expected = Entry(f"{bot.key}:1000", name, about, Group.OWN, TableFile(snapshot))
        self.assertEqual(entry, expected)
        self.assertIn(entry.bot(random.Random(7)).choose(EMPTY_BOARD), (0, 3, 8, 11))
        for text in (f"{bot.key}:2000", f"{bot.key}:x", f"{bot.key}:", "bot:Other:1000"):
            self.assertRaises(PlayerError, self.roster().entry, text)

    def test_a_player_is_named_by_a_key_a_table_a_folder_or_a_command(self) -> None:
        roster = self.roster()
        self.assertEqual(roster.resolve("myopic"), roster.entry("myopic"))
        for place in (self.write_table("mine.json", 5), self.imported("Mine").folder):
            entry = roster.resolve(str(place))
            self.assertEqual((entry.group, entry.name), (Group.TABLE, place.name))
            self.assertIn(entry.bot(random.Random(7)).choose(EMPTY_BOARD), (5, 6))
        command = f'"{sys.executable}" bots/one.py'
        entry = roster.resolve(command)
        self.assertEqual((entry.group, entry.plays_by), (Group.PROGRAM, Program(command)))
        bad, script = self.folder / "bad.json", self.folder / "bot.js"
        bad.write_text("{}")
        script.write_text("console.log('ready')")
        for text, words in (
            ("nobody", "unknown player 'nobody' .nobody was not found.: choose beginner, "),
            ("", "unknown player ''"),
            ("nothing here", "unknown player 'nothing here' .nothing was not found.: choose"),
            ("horizon-33", "did you mean horizon-3. Or choose .* horizon-N with N from 1 to 32"),
            ("Expertt", "did you mean expert. Or choose"), ("horizon-0", "unknown player"),
            ("none.json", "^cannot read none.json: no"), ("a\0b", "unknown player"),
            (str(bad), "not a readable Q-table"), ("x" * 9999, "unknown"),
            (str(script), "cannot be executed.* such as 'python3 mybot.py'"),
        ):  # fmt: skip
            if text != str(script) or os.name != "nt":  # which finds out when it starts it
                with self.assertRaisesRegex(PlayerError, words) as caught:
                    roster.resolve(text)
                self.assertNotIn("\n", str(caught.exception))

    def test_the_programs_of_the_user_are_players_and_what_does_not_fit_is_left_out(self) -> None:
        row = asdict(Program(f'"{sys.executable}" -V', "One", 2.0))
        for content, names in (
            ({"programs": [row]}, ["One"]),
            ({"programs": [row, {"command": "two", "move_s": "long"}, 7]}, ["One"]),
            ({"programs": {}}, []), ({"programs": 7}, []), ([], []),
        ):  # fmt: skip
            (self.folder / USER_FILE).write_text(json.dumps(content))
            found = [entry for entry in self.roster().entries() if entry.is_program]
            self.assertEqual([entry.name for entry in found], names)
        roster = self.roster()
        roster.programs = lambda: [Program("one", "Mine"), Program("two", "mine")]
        for key, command in (("program:Mine", "one"), ("program:mine", "two")):
            bot = roster.bot(key)
            assert isinstance(bot, ExternalBot)
            self.assertEqual(bot.program.command, command)
