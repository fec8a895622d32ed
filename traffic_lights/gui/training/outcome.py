"""What the training window says when no process is at work, and the ways on from there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from traffic_lights.gui.game.own_bots import play_table
from traffic_lights.gui.training.control import TrainingControl
from traffic_lights.gui.training.model import RunPhase, end_text
from traffic_lights.workers.training import Trouble

Actions = Mapping[str, Callable[[], object]]
"""What buttons say, and do; the first is the main one."""


class Evaluate(Protocol):
    """Opens the evaluation window with the own table of a key."""

    def __call__(self, table: str, *, prove: bool = False) -> object:
        """Choose *table*, and *prove* it at once if asked to."""


class Ways(Protocol):
    """What the window can do."""

    def promise(self) -> str:
        """Return what comes of the run that the form describes."""

    evaluate: Evaluate

    def try_again(self) -> None:
        """Go on with the run that failed, or start the one that could not begin."""

    def choose_folder(self) -> None:
        """Go on in another folder."""

    def show_details(self) -> None:
        """Show what the program knows about a failure."""


def outcome_of(control: TrainingControl, ways: Ways) -> tuple[str, Actions]:
    """Return what to say when no process is at work, and the ways on."""
    model = control.model
    if model.phase is RunPhase.FAILED:
        return _failure(control, ways)
    kept = control.kept
    if kept is not None:
        return f"{end_text(model)} {_where(control)}", {
            "Play It": lambda: play_table(control.desk, control.kept or kept),
            "Prove It": lambda: ways.evaluate(kept.key, prove=True),
            "Evaluate…": lambda: ways.evaluate(kept.key),
        }
    if model.phase is RunPhase.FINISHED and control.note is not None:
        return f"{end_text(model)} The table it began from is still as it was.", {
            "Keep": control.keep,
        }
    games = control.tables.interrupted_games() if not model.is_active else None
    if games is not None:
        return f"A training run stopped at game {games:,}.", {
            "Resume": control.resume,
            "Keep as It Is": control.keep_as_it_is,
        }
    return ("", {}) if model.is_active else (ways.promise(), {})


def _where(control: TrainingControl) -> str:
    """Return under which name the run was kept, and where if not among the own tables."""
    kept = control.kept
    assert kept is not None, "a run was kept"
    if kept.folder.parent == control.tables.folder:
        return f"Kept as “{kept.name}”."
    return (
        f"There is no room in {control.tables.folder}: it is kept in {kept.folder}. Import it "
        "from there when there is."
    )


def _failure(control: TrainingControl, ways: Ways) -> tuple[str, Actions]:
    failure = control.model.failure
    assert failure is not None, "a failed run has a failure"
    text = failure.text[:1].upper() + failure.text[1:].rstrip(".") + "."
    has_run = control.has_run
    again: Actions = {"Try Again": ways.try_again, "Stop": control.leave_failed}
    if failure.trouble is Trouble.BUSY:
        folder = control.note.folder if control.note is not None else control.tables.run_folder
        text = f"{folder} is in use by another training run: wait until it ends, or stop it."
        return text, again
    if failure.trouble is Trouble.UNKEPT:
        return f"{text} Try Again asks what becomes of it.", again
    if failure.trouble is Trouble.GONE:
        return f"{text} They can be imported with Tables…" if failure.rescue else text, {}
    if failure.trouble is Trouble.STORAGE and has_run:
        if failure.safe_games:
            text += f" Nothing up to game {failure.safe_games:,} is lost."
        return text, {
            "Try Again": ways.try_again,
            "Another Folder…": ways.choose_folder,
            "Stop": control.leave_failed,
        }
    if failure.trouble is Trouble.DAMAGE and has_run:
        text += " It can be cut off there; the games behind it are then played again."
        return text, {
            "Cut It Off": lambda: control.resume(repair=True),
        }
    actions: dict[str, Callable[[], object]] = {}
    if failure.trouble in (Trouble.MEMORY, Trouble.PROGRAM) and has_run:
        actions["Resume"] = control.resume
    if failure.details:
        actions["Show Details"] = ways.show_details
    return text, actions
