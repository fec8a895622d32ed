"""Scores of a player against others, with intervals, and slips found by the exact solution.

An evaluation is a stream of rows. Each `Row` is the whole result against one opponent so
far. So a window can fill its table while games are played, and an evaluation that is
stopped keeps the games that were played. Seats are swapped after every game.

Games are played in blocks. Everything random in a block comes from the seed, the opponent
and the number of the block. Blocks are added up in order, so the rows do not depend on the
number of processes. Nothing here writes a Q-table.

>>> from traffic_lights.players.roster import Roster
>>> roster = Roster()
>>> *_, row = evaluate(roster.entry("myopic"), [roster.entry("random")], games=200, seed=7)
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
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Final

from traffic_lights.board.exact import BUDGET, ExactScore, exact_score
from traffic_lights.board.rules import STEPS, mover
from traffic_lights.board.solver import Tablebase
from traffic_lights.judging.best_response import BestScore, best_score
from traffic_lights.players.bots import Bot, PlayedGame, PlayerError, play_game
from traffic_lights.players.external import ExternalBot, close_external_bots
from traffic_lights.players.policies import shared_tablebase
from traffic_lights.players.roster import Entry
from traffic_lights.system.processes import end_with_parent, interrupts_held, process_pool

BLOCK_GAMES: Final = 250
"""The games of a block, an even number."""
_POOL_PAYS_FROM: Final = 10_000
"""With so many games a second process saves more than the half second that its start takes."""
_MOST_JOBS: Final = 4
"""A complete table takes 64 MB in each process."""
_BLOCKS_AHEAD: Final = 2
"""How many blocks wait for each process."""
_Z: Final = NormalDist().inv_cdf(0.975)


def wilson_interval(wins: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of the rate behind *wins* in *games* (Wilson 1927).

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
    """Games played and won in one seat."""

    games: int = 0
    wins: int = 0

    @property
    def rate(self) -> float | None:
        """The share of games won, from 0 to 1; None without games."""
        return self.wins / self.games if self.games else None


_NO_GAMES: Final = SeatScore()


@dataclass(slots=True)
class Forfeits:
    """The games that the bot and its opponent lost by not choosing a legal move in time."""

    bot: int = 0
    opponent: int = 0
    first: str = ""
    """What happened in the first of them, in a sentence that names the move; empty if none."""
    last_lines: tuple[str, ...] = ()
    """What the program that forfeited it had written to its standard error."""

    def add(self, other: Forfeits) -> None:
        """Add the numbers of *other*, which came later."""
        self.bot += other.bot
        self.opponent += other.opponent
        if not self.first:
            self.first, self.last_lines = other.first, other.last_lines


@dataclass(frozen=True, slots=True)
class Row:
    """The result of *bot* against *opponent*, after *games* of the *planned* games."""

    bot: Entry
    opponent: Entry
    planned: int
    first: SeatScore = _NO_GAMES
    """As Player 1."""
    second: SeatScore = _NO_GAMES
    slips: int = 0
    """Moves of the bot that turned a position won for it into a lost one."""
    plies: int = 0
    """The moves of all games, of both sides."""
    distinct: int = 0
    """How many different games were played."""
    exact: ExactScore | None = None
    """The true score; None until all games are played, and if it cannot be computed."""
    forfeits: Forfeits = field(default_factory=Forfeits)
    """The games that were lost without a line on the board; they count in the scores."""
    awaits_exact: bool = False
    """Whether the exact score is still to be computed."""

    @property
    def best(self) -> BestScore:
        """What no player can exceed against this opponent, if it is known."""
        return best_score(self.opponent)

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
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the rate."""
        return wilson_interval(self.wins, self.games)

    @property
    def slips_per_game(self) -> float:
        """The bot's slips per game."""
        return self.slips / self.games if self.games else 0.0

    @property
    def mean_plies(self) -> float:
        """The average length of a game in moves of both sides."""
        return self.plies / self.games if self.games else 0.0

    @property
    def is_complete(self) -> bool:
        """Whether all planned games were played and nothing is left to compute."""
        return self.games == self.planned and not self.awaits_exact


@dataclass(slots=True)
class Totals:
    """The sums over some games of a bot against one opponent."""

    games: list[int] = field(default_factory=lambda: [0, 0])
    """By the bot's seat, like the wins."""
    wins: list[int] = field(default_factory=lambda: [0, 0])
    slips: int = 0
    plies: int = 0
    seen: set[int] = field(default_factory=set)
    """A 64-bit digest of each game."""
    forfeits: Forfeits = field(default_factory=Forfeits)

    def count(self, seat: int, game: PlayedGame, bots: tuple[Bot, Bot]) -> None:
        """Add one *game* of *bots*; the first of them is judged, and had *seat*."""
        self.games[seat] += 1
        self.wins[seat] += game.winner == seat
        self.slips += slips_of(game, seat, shared_tablebase())
        self.plies += len(game.actions)
        digest = hashlib.blake2b(bytes(game.actions), digest_size=8).digest()
        self.seen.add(int.from_bytes(digest, "big"))
        if game.forfeit:
            is_bots = game.winner != seat
            loser = bots[0] if is_bots else bots[1]
            last_lines = loser.last_lines if isinstance(loser, ExternalBot) else ()
            self.forfeits.add(Forfeits(int(is_bots), int(not is_bots), game.forfeit, last_lines))

    def add(self, other: Totals) -> None:
        """Add the sums of *other*."""
        for seat in (0, 1):
            self.games[seat] += other.games[seat]
            self.wins[seat] += other.wins[seat]
        self.slips += other.slips
        self.plies += other.plies
        self.seen |= other.seen
        self.forfeits.add(other.forfeits)

    def row(self, bot: Entry, opponent: Entry, planned: int) -> Row:
        """Return these sums as the row of *bot* against *opponent*."""
        first, second = (SeatScore(self.games[seat], self.wins[seat]) for seat in (0, 1))
        return Row(bot, opponent, planned, first, second, self.slips, self.plies,
                   len(self.seen), forfeits=replace(self.forfeits))  # fmt: skip


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


def play_block(bot: Entry, opponent: Entry, games: range, seed: int) -> Totals:
    """Play *games*, the numbers of a block; the bot is Player 1 in the even ones."""
    rng = random.Random(f"{seed}/{opponent.key}/{games.start // BLOCK_GAMES}")
    one, other = bot.bot(rng), opponent.bot(rng)
    totals = Totals()
    for number in games:
        seat = number & 1
        game = play_game(other, one) if seat else play_game(one, other)
        totals.count(seat, game, (one, other))
    return totals


def evaluate(
    bot: Entry,
    opponents: Sequence[Entry],
    games: int,
    seed: int = 1,
    jobs: int | None = None,
    budget: int = 0,
) -> Generator[Row, None, None]:
    """Play *games* games of *bot* against each of *opponents*; yield each row as it grows.

    *jobs* is the number of processes, by default as many as are useful. Closing the
    generator stops the games after a few blocks. A complete row holds the exact score, if
    it needs at most *budget* positions in each seat. Raise ValueError without games,
    PlayerError if a player cannot play or a process that plays is killed.
    """
    if games < 1:
        raise ValueError(f"{games} games are not 1 or more")
    blocks = [
        (index, range(start, min(start + BLOCK_GAMES, games)))
        for index in range(len(opponents))
        for start in range(0, games, BLOCK_GAMES)
    ]
    jobs = min(jobs or _useful_jobs([bot, *opponents], games), len(blocks))
    totals = [Totals() for _ in opponents]
    try:
        for index, block in _played(bot, opponents, blocks, seed, jobs):
            totals[index].add(block)
            row = totals[index].row(bot, opponents[index], games)
            if row.is_complete and budget:
                # Yield the games first: an interrupt of what takes long must not lose them.
                yield replace(row, awaits_exact=True)
                row = replace(row, exact=score_of(bot, opponents[index], budget))
            yield row
    finally:
        close_external_bots()


def score_of(one: Entry, other: Entry, budget: int = BUDGET) -> ExactScore | None:
    """Return the exact score of *one* against *other*; None if it cannot be computed."""
    first, second = one.strategy(), other.strategy()
    return exact_score(first, second, budget) if first and second else None


def _useful_jobs(players: Sequence[Entry], games: int) -> int:
    """Return the number of processes that saves time; each takes half a second to start.

    An external program has a process of its own and is started only once.
    """
    if any(player.program is not None for player in players):
        return 1
    if games * (len(players) - 1) < _POOL_PAYS_FROM:
        return 1
    has_affinity = hasattr(os, "sched_getaffinity")
    cores = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    return min(cores, _MOST_JOBS)


_Block = tuple[int, range]


def _played(
    bot: Entry, opponents: Sequence[Entry], blocks: Sequence[_Block], seed: int, jobs: int
) -> Iterator[tuple[int, Totals]]:
    """Yield (index of the opponent, totals) of each block, in order."""
    pool = process_pool(jobs, _enter_pool, bot, list(opponents), seed)
    if pool is None:
        for index, games in blocks:
            yield index, play_block(bot, opponents[index], games, seed)
        return
    waiting: deque[tuple[int, Future[Totals]]] = deque()
    rest = iter(blocks)
    try:
        while True:
            while len(waiting) < jobs * (1 + _BLOCKS_AHEAD) and (block := next(rest, None)):
                with interrupts_held():
                    waiting.append((block[0], pool.submit(_play_in_pool, *block)))
            if not waiting:
                return
            index, future = waiting.popleft()
            yield index, future.result()
    except BrokenProcessPool as error:
        raise PlayerError(
            "a process that played games was killed, perhaps because memory ran out; use --jobs 1"
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_task: tuple[Entry, list[Entry], int] | None = None
"""In a process of a pool: the bot, its opponents and the seed."""


def _enter_pool(bot: Entry, opponents: list[Entry], seed: int) -> None:
    global _task
    _task = (bot, opponents, seed)
    serve_the_parent()


def serve_the_parent() -> None:
    """Let this process of a pool leave interrupts to its parent, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the command may have installed a handler
    end_with_parent()


def _play_in_pool(index: int, games: range) -> Totals:
    assert _task is not None, "the pool's initializer has run"
    bot, opponents, seed = _task
    return play_block(bot, opponents[index], games, seed)
