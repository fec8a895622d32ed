"""Who plays: seat a player, begin the next game, and follow a bot that gets another name."""

import time
from functools import partial
from typing import Final

from traffic_lights.board.games import PlayerError
from traffic_lights.gui.main.context import Context
from traffic_lights.play.game import HUMAN, Game, Player, Players
from traffic_lights.players.external import Program, close_external_bots
from traffic_lights.players.roster import program_entry, renamed_key

BOT_IS_GONE: Final = "The file of this bot is gone, so no new game has begun."


def bot_player(context: Context, key: str) -> Player:
    """Return the bot *key* as a player, or the first level if that bot is unknown."""
    try:
        entry = context.roster.entry(key)
    except PlayerError:
        entry = context.roster.levels()[0]
    return Player(entry.key, entry.name)


def has_trained_bot(context: Context) -> bool:
    """Return whether a bot plays in this game that has learned values."""
    return any(context.roster.is_trained(bot.bot or "") for bot in context.session.now.bots)


def seat_player(context: Context, seat: int, player: Player) -> None:
    """Let *player* take *seat*."""
    one, other = context.session.now.game.players
    if player.bot is not None:
        context.userdata.change(opponent=player.bot)
    context.changed(context.session.set_players((player, other) if seat == 0 else (one, player)))
    context.window.board.focus_set()


def next_game(context: Context, players: Players) -> None:
    """Begin a game of *players* after the present one; they may alternate who begins."""
    alternates = context.userdata.settings.take_turns
    context.do(partial(context.session.new_game, players[::-1] if alternates else players))
    context.window.board.focus_set()


def play_level(context: Context, key: str) -> None:
    """Begin the next game against the level *key*."""
    context.userdata.change(opponent=key)
    one, other = context.session.now.game.players
    bot = bot_player(context, key)
    next_game(context, (one, bot) if one.is_human else (bot, other))


def play_against(context: Context, key: str) -> None:
    """Begin a game of the player against the bot *key*, in front of all windows.

    If its file is gone, report that there: the present game stays.
    """
    if context.roster.knows(key):
        person = next((one for one in context.session.now.game.players if one.is_human), HUMAN)
        context.userdata.change(opponent=key)
        context.session.new_game((person, bot_player(context, key)))
        context.changed()
    else:
        context.say(BOT_IS_GONE)
    context.come_to_front()


def show_game(context: Context, game: Game) -> None:
    """Put *game* on the board, looking at its start; the present one joins the recent games."""
    context.session.open_game(game)
    context.session.go_to(0)
    context.changed()
    context.come_to_front()


def bot_renamed(context: Context, old: str, new: str) -> None:
    """Have the games, the setting and the results follow a bot from its key *old* to *new*."""
    context.roster.refresh()
    if new != old:
        bot_deleted(context, new)  # what is left of one that had this name before
    _change_key(context, old, new)


def bot_deleted(context: Context, key: str) -> None:
    """Keep the games and the results of a deleted bot from the next bot that gets its *key*."""
    _change_key(context, key, f"bot:{key.removeprefix('bot:')}/{time.time_ns()}")


def _change_key(context: Context, old: str, new: str) -> None:
    def changed(player: Player) -> Player:
        key = renamed_key(player.bot or "", old, new)
        if key == (player.bot or ""):
            return player
        return Player(key, context.roster.name_of(key, player.name))

    context.session.rename_players(changed)
    context.userdata.apply(lambda saved: saved.renamed(old, new))
    context.changed()


def add_program(context: Context, program: Program) -> str:
    """Add the external bot *program* to the players, and return its key."""
    context.userdata.apply(lambda saved: saved.with_program(program))
    context.roster.refresh()
    return program_entry(context.userdata.saved.programs[-1]).key


def remove_program(context: Context, key: str) -> None:
    """Forget the external bot *key*, and end its process."""
    gone = [one for one in context.userdata.saved.programs if program_entry(one).key == key]
    close_external_bots(gone)
    context.userdata.apply(lambda saved: saved.without_programs(gone))
    context.roster.refresh()
