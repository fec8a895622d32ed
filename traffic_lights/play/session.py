"""One interactive game without a window.

What is on the board is a value, `Now`: a game and how many of its moves are made there, a task, or
a position that is being set up. A `Session` replaces it, in `put` and nowhere else. `play/view.py`
says what a window shows of it, and `play/commands.py` what a player can do besides `click`.

After each change the window calls `request_bot`, lets the bot of the request choose, and then calls
`answer_bot`, or `fail_bot` if the bot cannot. If anything has changed meanwhile, the answer is
dropped. Until the game is solved and `is_solved` set, there are neither values nor verdicts.

>>> from traffic_lights.play.game import HUMAN
>>> session = Session(clock=lambda: 0.0)
>>> session.new_game((HUMAN, Player("myopic", "Myopic")))
>>> session.click(5), session.now.at
('', 1)
>>> request = session.request_bot()
>>> session.undo(), session.answer_bot(request, 0), session.now.state
('', None, 0)
>>> session.redo(), session.now.at
(None, 1)
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from traffic_lights.board.rules import (
    EMPTY_BOARD,
    RED,
    SHIFTS,
    Action,
    RulesError,
    State,
    colour_of,
    format_board,
    is_terminal,
    mover,
)
from traffic_lights.play import texts
from traffic_lights.play.game import Game, Player, Players
from traffic_lights.play.tasks import (
    PuzzleRecord,
    PuzzleSource,
    Task,
    lesson_tasks,
    review_tasks,
    todays_puzzle,
)
from traffic_lights.play.verdicts import (
    BEST_PLAY,
    MISTAKES,
    NOTHING,
    Hint,
    Verdict,
    hint,
    judge,
    ranked_moves,
)

LINE_KEPT: Final = "You play on from here. The old line is among the recent games."
LINE_WITHOUT_RESULT: Final = (
    "You play on from here, and the result will not count. The old line is among the recent games."
)
GAME_KEPT: Final = "A new game. The old one is among the recent games."
GAME_BEFORE: Final = "This is the previous game again."
NOT_COUNTED: Final = "The players have changed in this game, so its result will not count."
_SHORT: Final = 2
"""After undo, a line of so few moves is not kept: a player often takes a round back."""


@dataclass(frozen=True, slots=True)
class Now:
    """Everything that is on the board."""

    game: Game = Game()
    """The game, which waits unchanged behind a task."""
    before: Game | None = None
    """The game that this new one has followed; undo brings it back until a move is made."""
    opened: Game | None = None
    """The game as it was opened; one of two bots that is only looked at is not kept."""
    at: int = 0
    """How many of its moves are made on the board: undo and redo change this."""
    looks_back: bool = False
    """Whether the player has gone to an earlier position, other than by undo."""
    waits: bool = False
    """Whether bots wait until the player has them play."""
    is_step: bool = False
    """Whether they wait again after one move."""
    failure: str = ""
    """Why the bot to move could not choose, so that the game waits for the player."""
    hint: int = 0
    """The last step of help that was given here."""
    tasks: tuple[Task, ...] = ()
    """A puzzle, the lessons, or the mistakes of the game: one of them is on the board."""
    number: int = 0
    """Which of them, from 0."""
    setups: tuple[State, ...] = ()
    """The positions of a set-up, the present one last; a line may be complete in it."""
    undone: tuple[State, ...] = ()
    """Those of the set-up that redo brings back, the next one last."""

    @property
    def task(self) -> Task | None:
        return self.tasks[self.number] if self.tasks else None

    @property
    def is_game(self) -> bool:
        """Whether the game is on the board, and no task or set-up."""
        return not self.tasks and not self.setups

    @property
    def shows_moves(self) -> bool:
        """Whether a position of the game is on the board, which a review goes through too."""
        return self.is_game or (self.task is not None and self.task.slip is not None)

    @property
    def has_players(self) -> bool:
        """Whether the players matter; a puzzle or a lesson leaves their room to the board."""
        return self.shows_moves or bool(self.setups)

    @property
    def is_end(self) -> bool:
        """Whether all moves of the game are made on the board."""
        return self.is_game and self.at == len(self.game.actions)

    @property
    def is_over(self) -> bool:
        """Whether the end of the game is on the board."""
        return self.is_end and self.game.is_over

    @property
    def state(self) -> State:
        """The position on the board."""
        if self.setups:
            return self.setups[-1]
        return self.game.state_at(self.at) if self.task is None else self.task.state

    @property
    def mover(self) -> int:
        """The seat, 0 or 1, whose turn it is there."""
        return mover(self.state)

    @property
    def is_your_turn(self) -> bool:
        """Whether the game waits for a move of a human."""
        return self.is_game and not self.is_over and self.game.players[self.mover].is_human

    @property
    def is_bots_turn(self) -> bool:
        return self.is_game and not self.is_over and not self.is_your_turn

    @property
    def only_human(self) -> int | None:
        """The seat of the only human, whom texts call "you"; None if there are 0 or 2."""
        one, other = self.game.players
        return None if one.is_human == other.is_human else int(other.is_human)

    @property
    def up(self) -> int:
        """The seat that is winning where the graph points up: the only human's, or the first."""
        return self.only_human or 0

    @property
    def bots(self) -> list[Player]:
        """The bots at the board, the one to move first."""
        players = self.game.players[::-1] if self.mover else self.game.players
        return [player for player in players if not player.is_human]


@dataclass(frozen=True, slots=True)
class BotRequest:
    """The request to the bot *player* to choose an action in *state*."""

    state: State
    player: Player


class Session:
    """What is on the board, its bots, and the player's wishes."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Begin a game of two people; *clock* returns seconds since 1970."""
        self._clock = clock
        self.now = Now(Game(day=self.today))
        self.request: BotRequest | None = None
        """The request to the bot that is choosing; None if none is."""
        self.wanted_values: Callable[[], str] = lambda: MISTAKES
        """Returns what the player wants to see of the moves; set by the program."""
        self.puzzle_record: Callable[[], PuzzleRecord] = PuzzleRecord
        """Returns the player's results with puzzles; set by the program."""
        self.is_solved = False
        """Whether the exact solution is computed; set by the program."""
        self.source = PuzzleSource(random.getrandbits(32))
        self.ended: list[Task] = []
        """The tasks to count; the program takes them."""
        self.left: list[Game] = []
        """The games that others have followed; the program takes them."""

    def put(self, **changes: Any) -> None:
        """Change what is on the board; an answer that a bot still owes is dropped."""
        self.now = replace(self.now, **changes)
        self.request = None

    def go_to(self, index: int, *, looks_back: bool = True) -> None:
        """Put the position after so many moves of the game on the board.

        A task that is left for it counts as tried. Bots play on by themselves only from the end of
        a game with a person.
        """
        task = self.now.task
        if task is not None and task.has_to_count:
            self.ended.append(task)
        game = self.now.game
        at = min(max(index, 0), len(game.actions))
        waits = at < len(game.actions) or not game.has_person
        self.put(
            at=at,
            looks_back=looks_back and at < len(game.actions),
            waits=waits,
            is_step=False,
            hint=0,
            failure="",
            tasks=(),
            number=0,
            setups=(),
            undone=(),
        )

    def leave(self) -> None:
        """Return to the game as it waits behind a puzzle or a set-up, or else to its end."""
        now = self.now
        at = len(now.game.actions) if now.shows_moves else now.at
        self.go_to(at, looks_back=now.looks_back)

    def _have_game_wait(self) -> None:
        """Leave what is on the board, but for the position of the game there."""
        now = self.now
        if now.is_game:
            self.go_to(now.at, looks_back=now.looks_back)
        else:
            self.leave()

    @property
    def today(self) -> str:
        """The local date, as YYYY-MM-DD."""
        return time.strftime("%Y-%m-%d", time.localtime(self._clock()))

    # --- the game ---

    def new_game(self, players: Players | None = None, start: State = EMPTY_BOARD) -> None:
        """Begin a game from the live *start*; without *players* they are those of the old game."""
        self._begin(Game(start, players=players or self.now.game.players, day=self.today))
        self.put(waits=False)

    def open_game(self, game: Game, *, counts: bool = False) -> None:
        """Go on with *game*; its result *counts* only if it is a game of the player that does."""
        game = replace(game, counts=counts)
        self._begin(game)
        self.put(opened=game)

    def restore(self, game: Game, at: int | None = None) -> None:
        """Continue a saved game, with so many of its moves made on the board, by default all."""
        self.now = Now(game)
        self.go_to(len(game.actions) if at is None else at, looks_back=False)

    def _begin(self, game: Game) -> None:
        now = self.now
        before = now.before
        if now.game.is_over or self._stops()[0] < len(now.game.actions):
            before = now.game
            if before.has_person or before != now.opened:
                self.left.append(before)
        self.put(game=game, before=before, opened=None)
        self.go_to(len(game.actions))

    def set_players(self, players: Players) -> str:
        """Let *players* take the seats: against another bot in a new game; return a remark.

        After an unfinished game, the new one has the same start.
        """
        game = self.now.game
        bots = [[player.bot for player in two] for two in (game.players, players)]
        is_other_bot = {*bots[0]} != {*bots[1]}
        if game.actions and not self.now.failure and (is_other_bot or game.is_over):
            setups = self.now.setups
            self.new_game(players, EMPTY_BOARD if game.is_over else game.start)
            self.put(setups=setups)
            return "" if game.is_over else GAME_KEPT
        # A person who types a name in the middle of a game stays the same player.
        is_swap = players == game.players[::-1] != game.players
        is_late = bool(game.actions) and (is_swap or bots[0] != bots[1])
        counts = game.counts and not is_late
        game = replace(game, players=players, counts=counts)
        waits = self.now.waits and not (game.has_person and self.now.is_end)
        self.put(game=game, failure="", waits=waits)
        return NOT_COUNTED if is_late else ""

    def rename_players(self, changed: Callable[[Player], Player]) -> None:
        """Have the players of the game be what *changed* returns of them: the same, renamed."""
        one, other = self.now.game.players
        self.put(game=replace(self.now.game, players=(changed(one), changed(other))))

    def _play(self, action: Action) -> str:
        """Make a move; the moves after it stay if it is the next of them. Return a remark."""
        now = self.now
        game = now.game
        remark = ""
        if game.actions[now.at : now.at + 1] != (action,):
            is_other = now.at < len(game.actions)
            if game.is_over or now.looks_back or len(game.actions) - now.at > _SHORT:
                self.left.append(game)
                remark = LINE_KEPT if game.counts else LINE_WITHOUT_RESULT
            takebacks = game.takebacks + (is_other and game.has_person)
            actions = (*game.actions[: now.at], action)
            game = replace(game, actions=actions, takebacks=takebacks)
        before = None if game.players[now.mover].is_human else now.before
        self.put(
            game=game,
            at=now.at + 1,
            looks_back=False,
            waits=now.is_step,
            is_step=False,
            hint=0,
            before=before,
        )
        return remark

    def _stops(self) -> list[int]:
        """Return after how many moves undo and redo stop: where a human chooses, and at the end."""
        game = self.now.game
        last = len(game.actions)
        seats = {seat for seat in (0, 1) if game.players[seat].is_human} or {0, 1}
        first = mover(game.start)
        return [index for index in range(last + 1) if index == last or (first + index) % 2 in seats]

    @property
    def can_undo(self) -> bool:
        if self.now.setups:
            return len(self.now.setups) > 1
        return self._stops()[0] < self.now.at or self.now.before is not None

    def undo(self) -> str:
        """Go back before the last move of a human, or of either of two bots; return a remark.

        In a set-up that is the position before, and in a new game the game before.
        """
        now = self.now
        if now.setups:
            self.put(setups=now.setups[:-1], undone=(*now.undone, now.setups[-1]))
        elif earlier := [index for index in self._stops() if index < now.at]:
            self.go_to(max(earlier), looks_back=False)
        elif now.before is not None:
            if now.game.is_over:  # two bots have played it
                self.left.append(now.game)
            self.put(game=now.before, before=None)
            self.go_to(len(now.before.actions))
            return GAME_BEFORE
        return ""

    @property
    def can_redo(self) -> bool:
        return bool(self.now.undone) or (self.now.is_game and not self.now.is_end)

    def redo(self) -> None:
        """Go on to the next choice of a human, or to the end; in a set-up to what was undone."""
        now = self.now
        if now.undone:
            self.put(setups=(*now.setups, now.undone[-1]), undone=now.undone[:-1])
            return
        following = min(index for index in self._stops() if index > self.now.at)
        self.go_to(following, looks_back=False)

    # --- a click ---

    def click(self, cell: Action) -> str | Verdict:
        """Do what a click on *cell*, from 0 to 11, means; return a remark, mostly an empty one.

        In a puzzle or a lesson return the verdict on a try, which the board plays out.
        """
        now = self.now
        task = now.task
        if now.setups:
            return self._turn(cell, 1)
        if now.is_bots_turn:
            return ""
        if now.is_over:
            return "The game is over. Start a new game, or undo a move."
        if task is not None and task.is_over:
            return task.done_text
        if reason := texts.illegal_text(now.state, cell):
            return reason
        if task is None:
            return self._play(cell)
        task = self._replace_task(task.answered(cell))
        return "" if task.slip or task.tried is None else task.tried

    def click_back(self, cell: Action) -> bool:
        """Do what a click with the other button means; return whether it means something."""
        if self.now.setups:
            self._turn(cell, -1)
        return bool(self.now.setups)

    # --- setting up ---

    def _turn(self, cell: Action, step: int) -> str:
        """Give *cell* its next colour, or the one before; empty comes after red."""
        colour = (colour_of(self.now.state, cell) + step) % (RED + 1)
        self.set_up(self.now.state & ~(RED << SHIFTS[cell]) | colour << SHIFTS[cell])
        return ""

    def set_up(self, state: State) -> None:
        """Let the player change *state*; a set-up that is under way goes on with it."""
        setups = self.now.setups
        if not setups:
            self._have_game_wait()
        self.put(setups=(*setups, state), undone=())

    def start_here(self, state: State) -> None:
        """Begin a game in *state*; raise RulesError if a line is complete in it."""
        if is_terminal(state):
            raise RulesError(f"in the position {format_board(state)} the game is over")
        self.new_game(start=state)

    # --- tasks ---

    def begin_tasks(self, tasks: tuple[Task, ...], number: int = 0) -> None:
        """Put one of *tasks* on the board; a review shows the game as it was there."""
        self._have_game_wait()
        self.put(tasks=tasks, number=number)
        self._show_slip()

    def next_puzzle(self) -> None:
        self._have_game_wait()  # first, because a puzzle that is left makes the next one easier
        self.begin_tasks((self.source.next(self._results),))

    def todays_puzzle(self) -> None:
        self._have_game_wait()
        self.begin_tasks((todays_puzzle(self._results, self.today),))

    @property
    def _results(self) -> PuzzleRecord:
        """The player's results with puzzles, with those that the program has not taken yet."""
        record = self.puzzle_record()
        for task in self.ended:
            record = record.counted(task)
        return record

    def lessons(self, number: int = 0) -> None:
        self.begin_tasks(lesson_tasks(), number)

    def review(self) -> None:
        self.begin_tasks(review_tasks(self.mistakes()))

    def step(self, steps: int) -> None:
        """Go so many tasks on, or back; there must be a task there."""
        self.put(number=self.now.number + steps)
        self._show_slip()

    def _show_slip(self) -> None:
        if (task := self.now.task) is not None and task.slip is not None:
            self.put(at=task.number)

    def reveal(self) -> None:
        """Show the move that the player looks for."""
        if (task := self.now.task) is not None:
            self._replace_task(task.revealed())

    def _replace_task(self, task: Task) -> Task:
        """Put *task* in the place of the one on the board, and have it counted once it is over."""
        if task.is_over and task.has_to_count:
            task = replace(task, is_counted=True)
            self.ended.append(task)
        tasks = list(self.now.tasks)
        tasks[self.now.number] = task
        self.put(tasks=tuple(tasks))
        return task

    def hint(self) -> Hint:
        """Return the next of three steps of help for this position, and count it."""
        now = self.now
        task = now.task
        if task is not None:
            return self._replace_task(task.hinted()).hint
        game = replace(now.game, hints=now.game.hints + (now.hint == 0))
        self.put(game=game, hint=min(now.hint + 1, 3))
        return hint(now.state, self.now.hint)

    # --- bots ---

    def request_bot(self) -> BotRequest | None:
        """Return what a bot has to answer now, or None if none is to move."""
        now = self.now
        self.request = None
        if now.is_bots_turn and not now.waits and not now.failure:
            self.request = BotRequest(now.state, now.game.players[now.mover])
        return self.request

    def answer_bot(self, request: BotRequest, action: Action) -> str | None:
        """Play the bot's *action*, and return a remark; None, and no move, if all has changed."""
        return self._play(action) if request is self.request else None

    def fail_bot(self, request: BotRequest, reason: str) -> bool:
        """Wait for `resume_bots` or the human; return False if anything has changed."""
        is_current = request is self.request
        if is_current:
            self.put(failure=reason)
        return is_current

    def pause_bots(self) -> None:
        self.put(waits=True)

    def resume_bots(self, *, is_step: bool = False) -> None:
        """Let bots play on, or make one move, and a bot that failed try again.

        One move is the next of the game, if an earlier position of it is on the board.
        """
        if is_step and not self.now.is_end:
            self.go_to(self.now.at + 1)
            return
        self.put(waits=False, is_step=is_step, failure="")

    # --- values and verdicts ---

    @property
    def hides_values(self) -> bool:
        """Whether values and verdicts would give away what the player looks for."""
        return self.now.task is not None and not self.now.task.is_over

    def ranked_moves(self) -> tuple[Verdict, ...]:
        """Return the moves, best first; none if the game is over or showing them would spoil it."""
        if not self.is_solved or is_terminal(self.now.state) or self.hides_values:
            return ()
        return ranked_moves(self.now.state)

    def note_values_seen(self) -> None:
        """Count it as help that values are shown while a human has to choose."""
        now = self.now
        if now.is_end and now.is_your_turn and not now.game.values_seen:
            self.now = replace(now, game=replace(now.game, values_seen=True))

    def verdict(self, number: int) -> Verdict | None:
        """Return the verdict on the move *number* of the game, from 1; None in a task."""
        game = self.now.game
        if not self.now.is_game or not self.is_solved or not 0 < number <= len(game.actions):
            return None
        return judge(game.state_at(number - 1), game.actions[number - 1])

    @property
    def shows_all_verdicts(self) -> bool:
        """Whether the player wants to see the verdict on every move."""
        show = self.wanted_values()
        return show == BEST_PLAY or (show != NOTHING and self.now.game.is_over)

    def shown_verdict(self, number: int) -> Verdict | None:
        """Return the verdict on the move *number*, from 1, if the player wants to see it.

        In a game under way, "mistakes" are those of people, or of two bots.
        """
        verdict = self.verdict(number)
        if verdict is None or self.wanted_values() == NOTHING:
            return None
        return verdict if self.shows_all_verdicts or number - 1 in self.mistakes() else None

    def mistakes(self) -> dict[int, Verdict]:
        """Return the mistakes of the humans, or of two bots, by the number of moves before them.

        That of a move which a human has to answer is not known yet, because it would be a hint.
        """
        game = self.now.game
        last = len(game.actions)
        if not game.is_over and game.players[game.mover].is_human:
            last -= 1
        moves = enumerate(game.actions[: max(0, last)] if self.is_solved else ())
        verdicts = {index: judge(game.state_at(index), action) for index, action in moves}
        return {
            index: verdict
            for index, verdict in verdicts.items()
            if verdict.is_mistake
            and (game.players[mover(verdict.state)].is_human or not game.has_person)
        }
