"""Scores of a player against others, with intervals, and slips judged by the exact solution.

An evaluation is a stream of `Row`: each is the whole result against one
opponent so far, so a window fills its table as they come, and whoever stops
listening keeps what came. Seats are swapped every game.

Games are played in blocks. Everything random in a block comes from (seed,
opponent, number of the block), and blocks are added up in their order, so one
process and several yield the same rows. Nothing here writes a Q-table.

>>> *_, row = evaluate(Contestant("myopic"), [Contestant("random")], games=200, seed=7)
>>> row.games, row.rate > 0.9, row.first.games
(200, True, 100)
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from itertools import islice
from statistics import NormalDist
from typing import Final

from traffic_lights.board.exact import ExactScore
from traffic_lights.board.rules import STEPS, mover
from traffic_lights.board.solver import Tablebase
from traffic_lights.judging.best_response import BestScore, best_score
from traffic_lights.judging.expectation import exact_score
from traffic_lights.judging.forfeits import Forfeits, forfeits_of
from traffic_lights.players.contestants import (
    Contestant,
    dismiss_guests,
    horizon_depth,
    shared_tablebase,
)
from traffic_lights.players.referee import PlayedGame, play_game
from traffic_lights.system.pools import process_pool
from traffic_lights.system.signals import end_with_parent, held

BLOCK_GAMES: Final = 250
"""The games of a block, an even number."""
_POOL_PAYS_FROM: Final = 10_000
"""The games from which a second process, half a second in starting, makes up for that."""
_SLOW_GAMES: Final = 500
"""The same for games against a Horizon, which thinks."""
_MOST_JOBS: Final = 4
"""A complete table takes 64 MB in each process."""
_BLOCKS_AHEAD: Final = 2
"""How many blocks wait for each process."""
_Z: Final = NormalDist().inv_cdf(0.975)


def wilson_interval(wins: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate of which *wins* of *games* are known (Wilson 1927).

    Without games it is (0, 1).
    """
    if not games:
        return 0.0, 1.0
    rate, z2 = wins / games, _Z * _Z
    centre = (rate + z2 / (2 * games)) / (1 + z2 / games)
    spread = _Z / (1 + z2 / games) * (rate * (1 - rate) / games + z2 / (4 * games**2)) ** 0.5
    low = 0.0 if wins == 0 else max(0.0, centre - spread)
    high = 1.0 if wins == games else min(1.0, centre + spread)
    return low, high


@dataclass(frozen=True, slots=True)
class SeatScore:
    """Games played and won, in one seat or in both."""

    games: int
    wins: int

    @property
    def rate(self) -> float:
        """The share of games won, from 0 to 1; 0 without games."""
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the rate."""
        return wilson_interval(self.wins, self.games)


@dataclass(frozen=True, slots=True)
class Row:
    """The result of *bot* against *opponent*, after *games* of the *planned* games."""

    bot: str
    opponent: str
    planned: int
    first: SeatScore
    """As Player 1."""
    second: SeatScore
    slips: int
    """Moves of the bot that turned a position won for it into a lost one."""
    plies: int
    """The moves of all games, of both sides."""
    distinct: int
    """How many different games were played."""
    best: BestScore
    """What nobody can beat against this opponent, as far as it is known."""
    exact: ExactScore | None = None
    """The true score; None until all games are played, or if nobody could compute it."""
    forfeits: Forfeits = field(default_factory=Forfeits)
    """Who lost games without a line on the board, and why; such games are in the scores."""
    awaits_exact: bool = False
    """Whether the exact score is still to be computed."""

    @property
    def total(self) -> SeatScore:
        """The score of both seats."""
        return SeatScore(self.first.games + self.second.games, self.first.wins + self.second.wins)

    @property
    def games(self) -> int:
        """The games played so far."""
        return self.first.games + self.second.games

    @property
    def wins(self) -> int:
        """The games that the bot won."""
        return self.first.wins + self.second.wins

    @property
    def rate(self) -> float:
        """The share of games won, from 0 to 1."""
        return self.total.rate

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the rate."""
        return self.total.interval

    @property
    def slips_a_game(self) -> float:
        """The bot's slips per game."""
        return self.slips / self.games if self.games else 0.0

    @property
    def mean_plies(self) -> float:
        """The average length of a game in moves of both sides."""
        return self.plies / self.games if self.games else 0.0

    @property
    def is_against_exact(self) -> bool:
        """Whether the opponent is the exact player, and no table or program that is called so."""
        return self.best.first == 0

    @property
    def is_complete(self) -> bool:
        """Whether all planned games were played, and nothing is left to compute."""
        return self.games == self.planned and not self.awaits_exact


@dataclass(slots=True)
class BlockTally:
    """The sums of some games of a bot against one opponent."""

    games: list[int] = field(default_factory=lambda: [0, 0])
    """By the bot's seat, like the wins."""
    wins: list[int] = field(default_factory=lambda: [0, 0])
    slips: int = 0
    plies: int = 0
    seen: set[int] = field(default_factory=set)
    """A 64-bit digest of each game."""
    forfeits: Forfeits = field(default_factory=Forfeits)

    def count(self, seat: int, game: PlayedGame, tablebase: Tablebase) -> None:
        """Add one *game* in which the bot had *seat*."""
        self.games[seat] += 1
        self.wins[seat] += game.winner == seat
        self.slips += slips_of(game, seat, tablebase)
        self.plies += len(game.actions)
        digest = hashlib.blake2b(bytes(game.actions), digest_size=8).digest()
        self.seen.add(int.from_bytes(digest, "big"))

    def add(self, other: BlockTally) -> None:
        """Add the sums of *other*."""
        for seat in (0, 1):
            self.games[seat] += other.games[seat]
            self.wins[seat] += other.wins[seat]
        self.slips += other.slips
        self.plies += other.plies
        self.seen |= other.seen
        self.forfeits.add(other.forfeits)


def slips_of(game: PlayedGame, seat: int, tablebase: Tablebase) -> int:
    """Return how many moves of *seat* turned a position won for it into a lost one."""
    state, slips = game.start, 0
    is_won = tablebase.is_won
    for number, action in enumerate(game.actions, start=mover(state)):
        successor = state + STEPS[action]
        if number & 1 == seat and is_won(successor) and is_won(state):
            slips += 1
        state = successor
    return slips


def play_block(bot: Contestant, opponent: Contestant, games: range, seed: int) -> BlockTally:
    """Play *games*, the numbers of a block in the match; the bot is first in the even ones."""
    rng = random.Random(f"{seed}/{opponent.name}/{games.start // BLOCK_GAMES}")
    one, other = bot.make_bot(rng), opponent.make_bot(rng)
    tablebase, tally = shared_tablebase(), BlockTally()
    for number in games:
        seat = number & 1
        game = play_game(other, one) if seat else play_game(one, other)
        tally.count(seat, game, tablebase)
        if game.forfeit:
            tally.forfeits.add(forfeits_of(game, seat, one, other))
    return tally


def evaluate(
    bot: Contestant,
    opponents: Sequence[Contestant],
    games: int,
    seed: int = 1,
    jobs: int | None = None,
    budget: int = 0,
) -> Generator[Row, None, None]:
    """Play *games* games of *bot* against each of *opponents*; yield each row as it grows.

    *jobs* is the number of processes, by default as many as pay and the
    machine has. Whoever closes the iterator stops the games, at once but for a
    few blocks. A complete row holds the exact score, if that takes no more than
    *budget* positions in each seat. Raise ValueError without games.
    """
    if games < 1:
        raise ValueError(f"{games} games are not 1 or more")
    blocks = [
        (index, range(start, min(start + BLOCK_GAMES, games)))
        for index in range(len(opponents))
        for start in range(0, games, BLOCK_GAMES)
    ]
    jobs = jobs or _fitting_jobs([bot, *opponents], games)
    tallies = [BlockTally() for _ in opponents]
    try:
        for index, tally in _played(bot, opponents, blocks, seed, min(jobs, len(blocks))):
            tallies[index].add(tally)
            row = _row(bot, opponents[index], games, tallies[index])
            if row.is_complete and budget:
                # The games first: who interrupts what takes long is to have them all.
                yield replace(row, awaits_exact=True)
                row = replace(row, exact=exact_score(bot, opponents[index], budget))
            yield row
    finally:
        dismiss_guests()


def _row(bot: Contestant, opponent: Contestant, planned: int, tally: BlockTally) -> Row:
    first, second = (SeatScore(tally.games[seat], tally.wins[seat]) for seat in (0, 1))
    best = best_score(opponent.name) if opponent.is_named else BestScore(None)
    return Row(bot.name, opponent.name, planned, first, second, tally.slips, tally.plies,
               len(tally.seen), best, forfeits=replace(tally.forfeits))  # fmt: skip


def _fitting_jobs(players: Sequence[Contestant], games: int) -> int:
    """Return the number of processes that pays; each of them costs half a second to start.

    A stranger's program has a process of its own anyway, and is started once.
    """
    if any(player.program is not None for player in players):
        return 1
    opponents = players[1:]
    thinking = sum(games for opponent in opponents if (horizon_depth(opponent.name) or 0) > 2)
    if games * len(opponents) < _POOL_PAYS_FROM and thinking < _SLOW_GAMES:
        return 1
    has_affinity = hasattr(os, "sched_getaffinity")
    cores = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    return min(cores, _MOST_JOBS)


_Block = tuple[int, range]


def _played(
    bot: Contestant, opponents: Sequence[Contestant], blocks: Sequence[_Block], seed: int, jobs: int
) -> Iterator[tuple[int, BlockTally]]:
    """Yield (index of the opponent, tally) of each block, in order."""
    pool = process_pool(jobs, _enter_pool, bot, list(opponents), seed)
    if pool is not None:
        yield from _played_in(pool, bot, opponents, blocks, seed, jobs)
        return
    for index, games in blocks:
        yield index, play_block(bot, opponents[index], games, seed)


def _played_in(
    pool: ProcessPoolExecutor,
    bot: Contestant,
    opponents: Sequence[Contestant],
    blocks: Sequence[_Block],
    seed: int,
    jobs: int,
) -> Iterator[tuple[int, BlockTally]]:
    """Yield like `_played`, from the processes of *pool*; what they cannot do, this one does."""
    rest = iter(blocks)
    waiting: deque[tuple[_Block, Future[BlockTally] | None]] = deque()

    def submit(count: int) -> None:
        for block in islice(rest, count):
            try:
                with held("SIGINT"):
                    future = pool.submit(_play_in_pool, *block)
                waiting.append((block, future))
            except (BrokenProcessPool, OSError):
                waiting.append((block, None))

    try:
        submit(jobs * (1 + _BLOCKS_AHEAD))
        while waiting:
            (index, games), future = waiting.popleft()
            try:
                if future is None:
                    raise BrokenProcessPool
                tally = future.result()
            except BrokenProcessPool:
                tally = play_block(bot, opponents[index], games, seed)
            submit(1)
            yield index, tally
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_task: tuple[Contestant, list[Contestant], int] | None = None
"""In a process of a pool: the bot, its opponents and the seed."""


def _enter_pool(bot: Contestant, opponents: list[Contestant], seed: int) -> None:
    """Prepare a process of the pool."""
    global _task
    _task = (bot, opponents, seed)
    serve_the_parent()


def serve_the_parent() -> None:
    """Have this process of a pool leave an interrupt to its parent, and die with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the command may have had it raise here
    end_with_parent()


def _play_in_pool(index: int, games: range) -> BlockTally:
    assert _task is not None, "the pool's initializer has run"
    bot, opponents, seed = _task
    return play_block(bot, opponents[index], games, seed)
