"""Let the bots at the board play: each chooses in a thread, and moves after the set pause."""

import time
from functools import partial
from typing import Final

from traffic_lights.board.rules import Action
from traffic_lights.gui.kit.jobs import run_job
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.messages import Message
from traffic_lights.play import texts
from traffic_lights.play.session import BotRequest

PAUSES_MS: Final = {"slow": 1200, "normal": 600, "quick": 250, "instant": 0}
"""How long a bot takes at least, by the speed that is set."""
SHORTEST_PAUSE_MS: Final = 15
"""The least time between two moves of bots: the window is drawn and handles keys meanwhile."""


def ask_bot(context: Context) -> None:
    """Let the bot whose turn it is choose; an answer that no longer fits is dropped."""
    session = context.session
    request = session.request_bot() if session.request is None else None
    if request is not None:
        run_job(
            context.root,
            lambda: context.roster.bot(request.player.bot or "").choose(request.state),
            partial(_answered, context, request, time.monotonic()),
            partial(_failed, context, request),
        )


def _answered(context: Context, request: BotRequest, asked_at: float, action: Action) -> None:
    """Play the *action* of the bot when the pause is over."""

    def play() -> None:
        remark = context.session.answer_bot(request, action)
        if remark is not None:
            context.changed(remark, by_bot=True)

    taken_ms = 1000 * (time.monotonic() - asked_at)
    pause_ms = PAUSES_MS[context.userdata.settings.speed]
    context.root.after(max(SHORTEST_PAUSE_MS, round(pause_ms - taken_ms)), play)


def _failed(context: Context, request: BotRequest, reason: str) -> None:
    """Let the player decide what happens now that the bot cannot play."""
    if not context.session.fail_bot(request, reason):
        return
    context.log.add(f"{request.player.name} failed: {reason}\n")
    answer = ""
    advice = "Choose another player on its card."
    if context.roster.knows(request.player.bot or ""):
        answer = "Try Again"
        advice = "Choose another player on its card, or let it try again."
    again = partial(context.do, context.session.resume_bots)
    text = f"{texts.sentence(reason.rstrip('.'))}. {advice}"
    context.changed(Message(text, answer, again, stays=True))
