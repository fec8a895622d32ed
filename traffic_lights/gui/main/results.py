"""Count a game that has ended, and offer what may come next."""

from functools import partial

from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.messages import Message
from traffic_lights.gui.main.seats import play_level
from traffic_lights.play import texts
from traffic_lights.play.commands import COMMANDS


def count_result(context: Context) -> None:
    """Count what has ended; offer another level, or lessons, after wins or losses in a row."""
    ended = context.userdata.count_ended(context.session)
    if ended is None:
        return
    game = ended.game
    context.roster.end_game([player.bot for player in game.players], ended.winner)
    seat = context.session.now.only_human
    if seat is None:
        return
    offer = context.roster.offer(ended.opponent, ended.streak)
    if offer is not None:
        level, why = offer
        act = partial(play_level, context, level.key)
        text = f"{texts.offer_text(level.name, level.about)} {texts.help_text(game)}".rstrip()
        heading = ""
        if ended.winner == seat:
            heading = f"{texts.winner_text(game.players, seat)} – {why}"
        else:
            text = f"{texts.sentence(why)}. {text}"
        answer = f"Play {level.name}"
        context.show(Message(text, answer, act, stays=True, heading=heading))
    elif context.roster.offers_lessons(ended.opponent, ended.streak):
        begin = partial(COMMANDS["lessons"].act, context.session)
        act = partial(context.do, begin)
        context.show(Message(texts.LESSONS_OFFER, "How to Win", act, stays=True))
