"""A long conversation with the text mode, word by word.

Lines of `transcript.txt` that begin with ``> `` are typed. After a change of texts, read what
``python3 -m tests.console.test_transcript`` writes into that file.
"""

import tempfile
import unittest
from pathlib import Path
from typing import Final
from unittest.mock import patch

from traffic_lights.board.rules import Action, State, legal_actions
from traffic_lights.console.text_mode import TextGame
from traffic_lights.learning.qtable import TableBot
from traffic_lights.play.session import Session
from traffic_lights.play.userdata import UserData
from traffic_lights.players.policies import PolicyBot
from traffic_lights.players.roster import Roster

TRANSCRIPT: Final = Path(__file__).with_name("transcript.txt")
NOON_S: Final = 86_400 * 365 + 43_200
"""A moment that has the same date everywhere."""


def last_cell(_: object, state: State) -> Action:
    """Choose for every bot, so that no luck is in the conversation."""
    return legal_actions(state)[-1]


def transcript(typed: list[str]) -> str:
    """Return the conversation in which a player types the lines *typed*."""
    lines: list[str] = []
    session = Session(lambda: NOON_S)
    session.is_solved = True
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.object(PolicyBot, "choose", last_cell),
        patch.object(TableBot, "choose", last_cell),
    ):
        data = UserData(Path(folder))
        write = lambda text: lines.extend(text.splitlines())  # noqa: E731
        game = TextGame(session, Roster(), data, write, seed=7)
        game.begin()
        for line in typed:
            lines.append(f"> {line}")
            game.obey(line)
        data.finish()
    return "\n".join(lines) + "\n"


def typed_lines() -> list[str]:
    lines = TRANSCRIPT.read_text("utf-8").splitlines()
    return [line.removeprefix("> ") for line in lines if line.startswith("> ")]


class TranscriptTests(unittest.TestCase):
    maxDiff = None

    def test_the_conversation_is_the_same_word_by_word(self) -> None:
        self.assertEqual(transcript(typed_lines()), TRANSCRIPT.read_text("utf-8"))


if __name__ == "__main__":
    TRANSCRIPT.write_text(transcript(typed_lines()), "utf-8")
