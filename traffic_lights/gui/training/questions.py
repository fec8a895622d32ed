"""The questions about a training run; each is asked once, and none outlives what it is about."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from traffic_lights.gui.game.desk import Desk
from traffic_lights.gui.kit.dialog import confirm
from traffic_lights.training.own_tables import OwnTables

TRAINING: Final = "Training"
START: Final = "Start"
DISCARD: Final = "Discard"
QUIT: Final = "Quit"


def ask(
    desk: Desk,
    parent: tk.Tk | tk.Toplevel,
    title: str,
    text: str,
    answers: Mapping[str, Callable[[], object]],
) -> None:
    """Ask the question *title* over *parent*; if it is asked already, bring that to the front."""
    desk.dialogs.show(_kind(title), lambda: confirm(parent, desk.theme, title, text, answers))


def close_questions(desk: Desk, titles: Sequence[str] = (TRAINING, START, DISCARD, QUIT)) -> None:
    """Close what asks about a run, of those *titles*: another begins, or that one is no more."""
    for title in titles:
        desk.dialogs.close(_kind(title))


def _kind(title: str) -> str:
    return f"training: {title}"


def discard_text(tables: OwnTables, games: int) -> str:
    """Return what is asked before the run of *tables*, which is at *games*, is forgotten."""
    lost, kept = tables.at_stake(games)
    text = f"Forget what was learned in {lost:,} games? This cannot be undone."
    return f"{text} “{kept}” stays as it was kept." if kept else text
