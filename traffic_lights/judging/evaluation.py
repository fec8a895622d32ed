"""Scores of a player against others, with intervals, and blunders by the exact solution.

Games are played in blocks. Everything random in a block comes from the seed, the opponent and
the number of the block.

>>> from traffic_lights.players.roster import Roster
>>> roster = Roster()
>>> *_, row = evaluate([(roster.entry("myopic"), roster.entry("random"))], games=200, seed=7)
>>> row.games, row.both.wins > 180, row.first.games
(200, True, 100)
"""

import random
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from itertools import accumulate, islice, pairwise
from multiprocessing.connection import Connection
from operator import add
from statistics import NormalDist
from typing import Final, Self

from traffic_lights.board.baselines import BASELINES, Policy
from traffic_lights.board.exact_score import BUDGET, ExactScore, exact_score
from traffic_lights.board.games import PlayedGame, PlayerError, play_games
from traffic_lights.board.rules import EMPTY_BOARD, STEPS
from traffic_lights.board.tablebase import shared_tablebase
from traffic_lights.judging.proof import Loss, Proof, Walked, find_loss, prove
from traffic_lights.players.external import close_external_bots
from traffic_lights.players.roster import Entry
from traffic_lights.storage.kinds import Whole, member
from traffic_lights.system.processes import end_with_parent, reported_end

STANDARD_OPPONENTS: Final = (*BASELINES, "exact")
"""The keys of the opponents that play where none is named."""
BLOCK_GAMES: Final = 250
"""The games of a block, an even number."""
_Z: Final = NormalDist().inv_cdf(0.975)


def wilson_interval(wins: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of the true rate after *wins* in *games* (Wilson 1927)."""
    if not games:
        return 0.0, 1.0
    rate = wins / games
    z2 = _Z * _Z
    scale = 1 + z2 / games
    centre = (rate + z2 / (2 * games)) / scale
    variance = rate * (1 - rate) / games + z2 / (4 * games**2)
    half_width = _Z / scale * variance**0.5
    low = centre - half_width if wins else 0.0
    high = centre + half_width if wins < games else 1.0
    return low, high


@dataclass(frozen=True, slots=True)
class SeatScore:
    """The sums over games that the bot played in one seat."""

    games: int = member(Whole(), 0)
    wins: int = member(Whole(), 0)
    blunders: int = member(Whole(), 0)
    """Moves of the bot that turned a position won for it into a lost one."""
    plies: int = member(Whole(), 0)
    """Moves of both sides."""
    forfeits: int = member(Whole(), 0)
    """Games that the bot lost by not choosing a legal move in time."""
    opponent_forfeits: int = member(Whole(), 0)

    @property
    def rate(self) -> float | None:
        """The share of the games that the bot won, from 0 to 1; None without games."""
        return self.wins / self.games if self.games else None

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(add, astuple(self), astuple(other)))


@dataclass(frozen=True, slots=True)
class Row:
    """The result of *bot* against *opponent*, after some of the *planned* games."""

    bot: Entry
    opponent: Entry
    planned: int
    first: SeatScore = SeatScore()
    """As Player 1."""
    second: SeatScore = SeatScore()
    distinct: int = 0
    forfeit: str = ""
    """Why the first game was forfeited, in a sentence that names the move; mostly empty."""
    exact: ExactScore | None = None
    """The exact score; None until all games are played, or if it cannot be computed."""
    is_final: bool = False
    """Whether nothing more will be known, not even an exact score."""

    @property
    def both(self) -> SeatScore:
        """The sums over both seats."""
        return self.first + self.second

    @property
    def games(self) -> int:
        """How many games have been played."""
        return self.first.games + self.second.games

    @property
    def is_complete(self) -> bool:
        """Whether all planned games have been played."""
        return self.games == self.planned


def blunders_of(game: PlayedGame, seat: int) -> int:
    """Return how many moves of *seat* turned a position won for it into a lost one."""
    is_won = shared_tablebase().is_won
    steps = [STEPS[action] for action in game.actions]
    states = accumulate(steps, initial=EMPTY_BOARD)
    moves = islice(pairwise(states), seat, None, 2)
    return sum(is_won(before) and is_won(after) for before, after in moves)


def _score_of(games: Sequence[PlayedGame], seat: int) -> SeatScore:
    """Return the sums over *games* that the bot played in *seat*."""
    forfeited = [game for game in games if game.forfeit]
    lost = sum(game.winner != seat for game in forfeited)
    return SeatScore(
        games=len(games),
        wins=sum(game.winner == seat for game in games),
        blunders=sum(blunders_of(game, seat) for game in games),
        plies=sum(len(game.actions) for game in games),
        forfeits=lost,
        opponent_forfeits=len(forfeited) - lost,
    )


def evaluate(
    pairs: Iterable[tuple[Entry, Entry]], games: int, seed: int = 1, budget: int = 0
) -> Iterator[Row]:
    """Play *games* games of each bot of *pairs* against its opponent; yield rows as they grow.

    All games come first, because an exact score may take minutes. Then each row comes again, with
    its exact score if that needs at most *budget* positions in each seat. Closing the generator
    stops at once. Raise PlayerError if a player cannot play.
    """
    rows = []
    try:
        for bot, opponent in pairs:
            row = Row(bot, opponent, games)
            different = set[int]()
            for start in range(0, games, BLOCK_GAMES):
                rng = random.Random(f"{seed}/{opponent.key}/{start // BLOCK_GAMES}")
                numbers = range(start, min(start + BLOCK_GAMES, games))
                # The bot is Player 1 in the games of even numbers.
                played = [game for _, game in play_games(bot.bot(rng), opponent.bot(rng), numbers)]
                different.update(hash(game.actions) for game in played)
                row = replace(
                    row,
                    first=row.first + _score_of(played[::2], 0),
                    second=row.second + _score_of(played[1::2], 1),
                    distinct=len(different),
                    forfeit=row.forfeit or next((one.forfeit for one in played if one.forfeit), ""),
                )
                yield row
            rows.append(row)
    finally:
        close_external_bots()
    for row in rows:
        exact = score_of(row.bot, row.opponent, budget)
        yield replace(row, exact=exact, is_final=True)


def score_of(one: Entry, other: Entry, budget: int = BUDGET) -> ExactScore | None:
    """Return the exact score of *one* against *other*.

    None if the choices of one are not known, or if a seat can meet more than *budget* positions.
    Raise PlayerError if a table cannot be read. A few seconds for two weak players.
    """
    first = one.strategy()
    second = other.strategy()
    return exact_score(first, second, budget) if first and second else None


# --- a process for the Strength tab of the Workshop ---


def evaluation_process(
    pipe: Connection, task: Callable[[], Iterator[Row] | Iterator[Loss]]
) -> None:
    """Send what *task* yields and is worth showing, until the pipe is closed."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    end_with_parent(pipe)
    sent_s = 0.0
    with reported_end(pipe, PlayerError):
        for step in task():
            is_last = isinstance(step, Loss) or step.is_complete
            if is_last or time.monotonic() - sent_s >= 0.1:
                sent_s = time.monotonic()
                with suppress(OSError):  # the pipe is closed, and SIGTERM follows
                    pipe.send(step)


def prove_bot(bot: Entry) -> Iterator[Walked | Proof]:
    """Walk through all that *bot* allows; raise PlayerError if its possible moves are unknown."""
    return prove(_known_strategy(bot))


def beat_bot(bot: Entry) -> Iterator[Loss]:
    """Find a game that *bot* loses; raise PlayerError if its possible moves are unknown."""
    yield find_loss(_known_strategy(bot))


def _known_strategy(bot: Entry) -> Policy:
    strategy = bot.strategy()
    if strategy is None:
        raise PlayerError(f"the possible moves of {bot.name} are not known")
    return strategy
