"""Ask bots for their moves without making the window wait, and drop late answers.

A bot chooses in a thread. Its answer is played after the pause that the player has set, and only if
the session still waits for this request.
"""

from __future__ import annotations

import time
from tkinter import ttk
from typing import Final

from traffic_lights.board.rules import Action, format_cell
from traffic_lights.gui.kit.dialog import Dialog
from traffic_lights.gui.main.context import Context
from traffic_lights.session import texts
from traffic_lights.session.session import BotRequest

PAUSES_MS: Final = {"instant": 0, "quick": 250, "normal": 600, "slow": 1200}
"""How long a bot takes at least, by the speed that is set."""
SHORTEST_PAUSE_MS: Final = 15
"""The least time between two moves of bots: the window is drawn and handles keys meanwhile."""


def drive_bots(context: Context) -> None:
    """Ask the bot whose turn it is, unless it was asked already."""
    session, asked_at = context.session, time.monotonic()
    request = session.request_bot() if session.request is None else None
    if request is None:
        return
    bot = request.player.bot or ""

    def answered(action: Action) -> None:
        taken_ms = 1000 * (time.monotonic() - asked_at)
        pause_ms = PAUSES_MS[context.userdata.settings.speed]
        wait = max(SHORTEST_PAUSE_MS, round(pause_ms - taken_ms))
        context.root.after(wait, _play, context, request, action)

    def failed(error: Exception) -> None:
        _report(context, request, error)

    context.jobs.run(lambda: context.roster.choose(bot, request.state), answered, failed)


def _play(context: Context, request: BotRequest, action: Action) -> None:
    """Play the move of a bot; if it made it for the player, report which it was."""
    session = context.session
    if session.answer_bot(request, action):
        context.changed(by_bot=True)
        if session.players[1 - session.game.mover].is_human:
            played = format_cell(session.game.actions[-1])
            context.say(f"{request.player.name} plays {played} for you.")


def _report(context: Context, request: BotRequest, error: Exception) -> None:
    """Let the player decide what happens now that the bot cannot play."""
    session, name = context.session, request.player.name
    is_stand_in = session.mover_is_human
    if not session.fail_bot(request, str(error)):
        return
    lines = context.roster.last_lines(request.player.bot or "")
    written = "\n".join(lines) or f"{name} has written nothing."
    context.log("".join(f"{name}: {line}\n" for line in (f"failed: {error!r}", *lines)))
    context.changed()
    reason = texts.sentence(str(error).rstrip("."))
    if is_stand_in:
        context.warn(f"{reason}. The move is yours again.")
        return

    def try_again() -> None:
        session.resume_bots()
        context.changed()

    def show_lines() -> None:
        dialog = Dialog(context.root, context.theme, f"Last Lines of {name}")
        label = ttk.Label(dialog.add_page(), text=written, font=context.theme.fixed)
        label.grid(sticky="w")
        dialog.appear_with_close()

    context.warn(
        f"{reason}. Choose another player on its card, or let it try again.",
        ("Try Again", try_again),
        ("Last Lines", show_lines),
    )
