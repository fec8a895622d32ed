"""Whom a person can play in the terminal: the levels of the ladder, and their own bots."""

from __future__ import annotations

from traffic_lights.board.rules import Action, State
from traffic_lights.keeping.offers import offer_after
from traffic_lights.keeping.own_bots import PREFIX, OwnBots
from traffic_lights.learning.qtable import QTable
from traffic_lights.pictures.shares import exact_percent
from traffic_lights.players.game import Game, Player
from traffic_lights.players.ladder import Ladder, LadderError, Level
from traffic_lights.players.rungs import Strength, grouped
from traffic_lights.userdata.statistics import Statistics


class TerminalOpponents:
    """The *ladder* and the *own* bots under one roof; errors are LadderErrors."""

    def __init__(self, ladder: Ladder, own: OwnBots | None) -> None:
        self.ladder = ladder
        self._own = own

    def player(self, key: str) -> Player:
        """Return who sits down for *key*; raise LadderError if nobody can."""
        own = self._own.players() if self._own is not None else []
        player = next((player for player in own if player.bot == key), None)
        if player is None:
            self.ladder.bot(key)
            return self.ladder.player(key)
        self.table(player)
        return player

    def introduction(self, player: Player) -> str:
        """Return who the bot *player* is, whom a person plays against, and what it does."""
        levels = (level for level in self.ladder.levels() if level.key == player.bot)
        who = next((f"{level.name}. {level.about}" for level in levels), f"{player.name}.")
        return f"You play against {who}"

    def choose(self, player: Player, state: State) -> Action:
        """Return what the bot *player* plays in the live *state*."""
        if self._is_own(player):
            return self._own_bots().choose(player, state)
        return self.ladder.choose(player.bot or "", state)

    def table(self, player: Player) -> QTable | None:
        """Return the table that the bot *player* plays by; None if it needs none."""
        if self._is_own(player):
            return self._own_bots().table(player)
        return self.ladder.table(player.bot or "")

    def is_guessing(self, player: Player, state: State) -> bool:
        """Return whether the bot *player* plays by a table that has no row for *state*."""
        return not self._is_own(player) and self.ladder.is_guessing(player.bot or "", state)

    @staticmethod
    def _is_own(player: Player) -> bool:
        return (player.bot or "").startswith(PREFIX)

    def _own_bots(self) -> OwnBots:
        if self._own is None:
            raise LadderError("your own bots are not at hand here")
        return self._own

    def offer_text(self, game: Game, statistics: Statistics) -> str:
        """Return the offer of another opponent after *game*, and how to take it; often empty."""
        offer = offer_after(game, statistics, self.ladder.levels())
        return "" if offer is None else f"{offer.text} Type new {offer.level.key}."

    def text(self) -> str:
        """Return everybody, grouped by strength, the person's own bots last."""
        lines: list[str] = []
        for group, levels in grouped(self.ladder.levels()):
            lines += [f"{group.value}:", *(f"  {_level_text(level)}" for level in levels)]
        own = self._own.players() if self._own is not None else []
        if own:
            lines += [f"{Strength.OWN.value}:", *(f"  {p.bot}: {p.name}." for p in own)]
        return "\n".join(lines)


def _level_text(level: Level) -> str:
    if level.problem:
        return f"{level.key}: {level.name} cannot play: {level.problem}."
    score = "Not measured."
    if level.score is not None:
        score = (
            f"Wins {exact_percent(level.score.rate)} of games against Myopic, "
            f"{exact_percent(level.score.random_rate)} against Random."
        )
    return f"{level.key}: {level.name}. {level.about} {score}"
