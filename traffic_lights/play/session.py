"""One interactive game without a window: whose turn it is, and what each command does.

A window or the text mode runs the commands of `play/commands.py`, calls `play` for every click
on a cell, and after each change `request_bot`. It lets the bot of a request choose, and then calls
`answer_bot`, or `fail_bot` if the bot cannot. If the game has changed meanwhile, the answer is
dropped. `play`, `undo` and `redo` return a remark for the player, mostly an empty one. Until
the game is solved and `is_solved` set, there are neither values nor verdicts. The program makes
puzzles in the background and sets `next_puzzle` and `todays_puzzle`. What it gets back from
`take_attempts` belongs into the results. The game waits unchanged behind a puzzle or a lesson.

>>> from traffic_lights.play.game import HUMAN
>>> session = Session(now=lambda: 0.0)
>>> session.new_game((HUMAN, Player("myopic", "Myopic")))
>>> session.play(5), session.phase
('', <Phase.BOT_TURN: 'bot turn'>)
>>> request = session.request_bot()
>>> session.undo(), session.answer_bot(request, 0), session.state
('', False, 0)
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, TypeAlias

from traffic_lights.board.baselines import myopic_actions
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    RED,
    SHIFTS,
    Action,
    RulesError,
    State,
    colour_of,
    format_board,
    format_cell,
    is_terminal,
    legal_actions,
    mover,
)
from traffic_lights.board.tablebase import shared_tablebase
from traffic_lights.play.game import Game, Player, parse_pasted, parse_puzzle
from traffic_lights.play.lessons import LESSONS
from traffic_lights.play.solving import Solving, todays_puzzle
from traffic_lights.play.timeline import Timeline
from traffic_lights.play.verdicts import (
    Hint,
    Verdict,
    good_moves,
    hint,
    judge,
    ranked_moves,
)

Players: TypeAlias = tuple[Player, Player]

GAME_BEFORE: Final = "This is the previous game. The one that you left is among the recent games."


class Phase(Enum):
    """What the session waits for."""

    YOUR_TURN = "your turn"
    BOT_TURN = "bot turn"
    LOOKING_BACK = "looking back"
    OVER = "over"
    REVIEW = "review"
    SETUP = "setup"
    PUZZLE = "puzzle"
    LESSON = "lesson"


@dataclass(frozen=True, slots=True)
class BotRequest:
    """The request to the bot *player* to choose an action in *state*."""

    state: State
    player: Player


@dataclass(slots=True)
class Review:
    """The mistakes of the game: the player solves each with a move that is not a mistake."""

    mistakes: dict[int, Verdict]
    """The mistakes, one or more, by the number of moves before them."""
    number: int = 0
    """Which of the mistakes is on the board, from 0."""
    tried: Verdict | None = None
    """The last move tried there, with its refutation; None before the first."""
    solved: set[int] = field(default_factory=set)
    """The numbers of the mistakes for which a better move was found or shown."""

    @property
    def index(self) -> int:
        """The number of moves before the mistake that is shown."""
        return list(self.mistakes)[self.number]

    @property
    def verdict(self) -> Verdict:
        """What was wrong with the move that is shown."""
        return self.mistakes[self.index]

    @property
    def is_solved(self) -> bool:
        """Whether the player has found or seen the better move."""
        return self.number in self.solved

    @property
    def is_last(self) -> bool:
        """Whether no mistake follows."""
        return self.number + 1 == len(self.mistakes)

    @property
    def solutions(self) -> tuple[Action, ...]:
        """The better moves: all winning ones, or the best defences."""
        state = self.verdict.state
        return tuple(a for a in good_moves(state) if not judge(state, a).is_mistake)


@dataclass(frozen=True, slots=True)
class LookingBack:
    """An earlier position of the game is on the board."""

    index: int
    """How many moves led to it."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """A position is set up by hand; undo and redo go through its changes."""

    timeline: Timeline

    @property
    def state(self) -> State:
        """The position on the board; a line may be complete in it."""
        return self.timeline.present.start


Mode: TypeAlias = LookingBack | Review | SetUp | Solving | None
"""What the player does besides playing; None while they play."""


class Session:
    """A game with its timeline, and everything that is known about the position on the board."""

    def __init__(self, now: Callable[[], float]) -> None:
        """Begin a game of two people; *now* returns seconds since 1970."""
        self.is_solved = False
        """Whether the exact solution is computed; set by the program."""
        self.is_paused = False
        """Whether two bots wait for `resume_bots`."""
        self.next_puzzle: Solving | None = None
        """The puzzle that comes next; made by the program, None while it is being made."""
        self.todays_puzzle: Solving | None = None
        """The puzzle of the day, also made by the program."""
        self._left: list[Solving] = []
        """The puzzles that were left since `take_attempts`."""
        self._now = now
        self.mode: Mode = None
        self.timeline = Timeline([Game()])
        self.new_game()

    def _changed(
        self,
        mode: Mode = None,
        stand_in: Player | None = None,
        failure: str = "",
        is_stepping: bool = False,
    ) -> None:
        """Play on, or begin *mode*; the answer to a request before is dropped."""
        if self.puzzle is not None and self.puzzle is not mode:
            self._left.append(self.puzzle)
        self.mode = mode
        self.request: BotRequest | None = None
        """The request to the bot that is choosing; None if none is."""
        self._stand_in = stand_in
        """The bot that chooses this one move for the human."""
        self.failure = failure
        """Why the bot to move could not choose, so that the game waits for the player."""
        self._is_stepping = is_stepping
        """Whether two paused bots make one move."""
        self.is_paused = self.is_paused and not self.game.has_person

    # Facts

    @property
    def today(self) -> str:
        """The local date, as YYYY-MM-DD."""
        return time.strftime("%Y-%m-%d", time.localtime(self._now()))

    @property
    def phase(self) -> Phase:
        """What a click on the board means now."""
        match self.mode:
            case SetUp():
                return Phase.SETUP
            case Review():
                return Phase.REVIEW
            case LookingBack():
                return Phase.LOOKING_BACK
            case Solving():
                return Phase.PUZZLE if self.mode.lesson is None else Phase.LESSON
        if self.game.is_over:
            return Phase.OVER
        return Phase.YOUR_TURN if self.to_move.is_human else Phase.BOT_TURN

    @property
    def review(self) -> Review | None:
        """The review, while mistakes are reviewed."""
        return self.mode if isinstance(self.mode, Review) else None

    @property
    def setup(self) -> SetUp | None:
        """The position that is set up, while one is."""
        return self.mode if isinstance(self.mode, SetUp) else None

    @property
    def puzzle(self) -> Solving | None:
        """The puzzle or the lesson, while one is on the board."""
        return self.mode if isinstance(self.mode, Solving) else None

    @property
    def is_task_done(self) -> bool:
        """Whether there is a mistake under review, a puzzle or a lesson, and it is solved."""
        if self.puzzle is not None:
            return self.puzzle.is_over
        return self.review is not None and self.review.is_solved

    @property
    def task_done(self) -> str:
        """Return that the mistake, puzzle or lesson on the board is solved, and what follows."""
        done = {
            Phase.REVIEW: "This mistake is solved.",
            Phase.PUZZLE: "This puzzle is solved.",
            Phase.LESSON: "This lesson is done.",
        }[self.phase]
        if self.is_last_task:
            return f"{done} Your game is waiting."
        return f"{done} Next shows another."

    @property
    def is_last_task(self) -> bool:
        """Whether no mistake or lesson follows; puzzles never end."""
        if self.puzzle is not None:
            return self.puzzle.lesson == len(LESSONS) - 1
        return self.review is not None and self.review.is_last

    @property
    def game(self) -> Game:
        """Return the game under way, even if another position is on the board."""
        return self.timeline.present

    @property
    def shown_game(self) -> Game:
        """The game; in set-up or a puzzle, one that starts at the position on the board."""
        if self.puzzle is not None:
            return Game(start=self.puzzle.start)
        if self.setup is not None:
            return Game(start=self.setup.state, players=self.players)
        return self.game

    @property
    def state(self) -> State:
        """The position on the board, perhaps an earlier one or one that is set up."""
        if isinstance(self.mode, SetUp | Solving):
            return self.mode.state
        return self.game.state_at(self.index)

    @property
    def index(self) -> int:
        """Return how many moves of the game led to the state on the board."""
        if isinstance(self.mode, LookingBack | Review):
            return self.mode.index
        return len(self.game.actions)

    @property
    def last_action(self) -> Action | None:
        """Return the move that led to the state on the board; None at the start and in set-up."""
        if self.puzzle is not None:
            return self.puzzle.actions[-1] if self.puzzle.actions else None
        if self.setup is not None or not self.index:
            return None
        return self.game.actions[self.index - 1]

    @property
    def bots(self) -> list[Player]:
        """Return the bots at the board, the one to move first."""
        players = self.players[::-1] if self.mover else self.players
        return [player for player in players if not player.is_human]

    @property
    def players(self) -> Players:
        """The two players of the game, by seat."""
        return self.game.players

    @property
    def mover(self) -> int:
        """The seat, 0 or 1, whose turn it is in the position on the board."""
        return mover(self.state)

    @property
    def mover_is_human(self) -> bool:
        """Whether a human player is to move in the position on the board."""
        return self.players[self.mover].is_human

    @property
    def only_human(self) -> int | None:
        """Return the seat of the only human, whom texts call "you"; None if there are 0 or 2."""
        one, other = self.players
        return None if one.is_human == other.is_human else int(other.is_human)

    @property
    def to_move(self) -> Player:
        """Return who is to move in the game: a bot may choose in place of the human."""
        return self._stand_in or self.players[self.game.mover]

    # Moves

    def play(self, cell: Action) -> str:
        """Do what a click on *cell*, from 0 to 11, means in this phase."""
        review = self.review
        phase = self.phase
        if phase is Phase.SETUP:
            self.cycle_setup(cell)
            return ""
        if phase is Phase.OVER:
            return "The game is over. Start a new game, or undo a move."
        if self.is_task_done:
            return self.task_done
        puzzle = self.puzzle
        is_question = review is not None or puzzle is not None
        if phase is Phase.BOT_TURN or not (is_question or self.mover_is_human):
            return ""
        if cell not in legal_actions(self.state):
            return f"{format_cell(cell)} is red, and red lamps never change. Choose another lamp."
        if review is not None:
            review.tried = judge(review.verdict.state, cell)
            if not review.tried.is_mistake:
                review.solved.add(review.number)
            return ""
        if puzzle is not None:
            puzzle.answer(cell)
            return ""
        if phase is Phase.LOOKING_BACK:
            if self.game.actions[self.index] == cell:
                self.go_to(self.index + 1)
                return ""
            self._move_to(self.timeline.place_of(self.game.until(self.index)))
        leaves_line = self.timeline.taken_back[:1] not in ((), (cell,))
        self.timeline.add(self.game.played(cell))
        self._changed()
        return "You play on from here. Redo brings the old line back." if leaves_line else ""

    # Bots

    def request_bot(self) -> BotRequest | None:
        """Return what a bot has to answer now, or None if none is to move.

        An answer to an earlier request is dropped from here on.
        """
        is_waiting = self.failure or (self.is_paused and not self._is_stepping)
        has_to = self.phase is Phase.BOT_TURN and not is_waiting
        self.request = BotRequest(self.state, self.to_move) if has_to else None
        return self.request

    def answer_bot(self, request: BotRequest, action: Action) -> bool:
        """Play the bot's *action*; return False, and do nothing, if the game has changed."""
        if request is not self.request:
            return False
        if self.mover_is_human:  # for whom no win at once and no threat is overlooked
            self.timeline.note(bot_moves=self.game.bot_moves + 1)
            careful = myopic_actions(self.state)
            if action not in careful:
                action = careful[0]
        self.timeline.add(self.game.played(action))
        self._changed()
        return True

    def fail_bot(self, request: BotRequest, reason: str) -> bool:
        """Wait for `resume_bots` or the human; return False if the game has changed."""
        if request is not self.request:
            return False
        self._changed(failure="" if self.mover_is_human else reason)
        return True

    def play_for_me(self, bot: Player) -> None:
        """Let *bot* choose the moves of the human player, until the player takes over."""
        self._changed(stand_in=bot)

    def pause_bots(self) -> None:
        """Let two bots wait: a bot that is choosing is dropped."""
        self.is_paused = not self.game.has_person
        self.request = None

    def resume_bots(self, *, is_step: bool = False) -> None:
        """Let two bots play on, or make one move, and a bot that failed try again."""
        self.is_paused = is_step
        self._changed(is_stepping=is_step)

    # Games and seats

    def new_game(self, players: Players | None = None, start: State = EMPTY_BOARD) -> None:
        """Begin a game from the live *start*; without *players* they are those of the old game."""
        game = Game(start, players=players or self.players, day=self.today)
        self.open_game(game, is_unrated=False)

    def open_game(self, game: Game, *, is_unrated: bool = True) -> None:
        """Continue *game*, from a record; its result does not count."""
        identity = 1 + max(earlier.identity for earlier in self.timeline.games)
        self.timeline.put(replace(game.until(0), identity=identity, is_unrated=is_unrated))
        for action in game.actions:
            self.timeline.add(self.game.played(action))
        self.is_paused = False
        self._changed()

    def paste(self, text: str) -> None:
        """Continue with the game, position or puzzle in *text*; raise RulesError without any."""
        puzzle = parse_puzzle(text)
        if puzzle is not None and self.is_solved and shared_tablebase().is_won(puzzle):
            self._changed(Solving(puzzle))
            return
        found = parse_pasted(text)
        if isinstance(found, Game):
            self.open_game(found)
        elif self.setup is not None:
            self.set_setup(found)
        elif is_terminal(found):
            raise RulesError(f"in the position {format_board(found)} the game is over")
        else:
            self.new_game(start=found)

    def set_players(self, players: Players) -> None:
        """Change who sits where: in this game, or in a new one if it is over.

        After the first move, the result of the game does not count.
        """
        game = self.game
        if game.is_over and self.setup is None:
            self.new_game(players)
        elif players != game.players:
            is_unrated = game.is_unrated or bool(game.actions)
            self.timeline.put(replace(game, players=players, is_unrated=is_unrated))
        self._changed(self.setup)

    # Undo, redo, looking back

    @property
    def undoable(self) -> Timeline:
        """What undo and redo go through: in set-up its changes, otherwise the games."""
        return self.timeline if self.setup is None else self.setup.timeline

    def undo(self) -> str:
        """Take back a change, against a bot a full round; in a review, only leave the review."""
        if self.review is not None:
            self._changed()
            return ""
        return GAME_BEFORE if self._move_to(self.undoable.undo_place) else ""

    def redo(self) -> str:
        """Bring back what was taken back, and then the lines of this game that were left."""
        self._move_to(self.undoable.redo_place)
        return ""

    def _move_to(self, place: int) -> bool:
        """Go to *place* in the timeline; return whether that is another game."""
        timeline = self.undoable
        left = timeline.present
        game = timeline.games[place]
        is_back = place < timeline.at
        is_other = game.identity != left.identity
        timeline.at = place
        if is_back and not is_other and game.has_person and len(game.actions) < len(left.actions):
            timeline.note(takebacks=game.takebacks + 1)
        if self.setup is None:
            self.is_paused = True  # otherwise two bots would replace the moves taken back
        self._changed(self.setup)
        return is_other

    @property
    def other_games(self) -> list[Game]:
        """The other games that have a move, each at its end, the newest first."""
        return [self.timeline.games[place] for place in self.timeline.other_games]

    def go_to_game(self, number: int) -> None:
        """Bring back the one of `other_games` with the index *number*."""
        place = self.timeline.other_games[number]
        self._changed()
        self._move_to(place)

    def go_to(self, index: int) -> None:
        """Look at the position after *index* moves, which are limited; the last is the game's."""
        index = max(index, 0)
        self._changed(LookingBack(index) if index < len(self.game.actions) else None)

    def leave(self) -> bool:
        """Step out of set-up, review, a puzzle or looking back; return whether there was any."""
        if self.phase in (Phase.YOUR_TURN, Phase.BOT_TURN, Phase.OVER):
            return False
        self._changed()
        return True

    # Set-up

    def begin_setup(self) -> None:
        """Let the player change the position on the board."""
        self._changed(SetUp(Timeline([Game(start=self.state)])))

    def cycle_setup(self, cell: Action, back: bool = False) -> None:
        """Give *cell* its next colour in set-up, or the one before: red comes before empty."""
        state = self.state
        step = -1 if back else 1
        colour = (colour_of(state, cell) + step) % (RED + 1)
        others = state & ~(RED << SHIFTS[cell])
        self.set_setup(others | colour << SHIFTS[cell])

    def set_setup(self, state: State) -> None:
        """Show *state* in set-up; a line may be complete in it."""
        if state != self.state:
            self.undoable.add(Game(start=state))

    def finish_setup(self) -> None:
        """Begin a game in the position that was set up."""
        self.new_game(start=self.state)

    # Values, hints, verdicts

    @property
    def hides_truth(self) -> bool:
        """Return whether values and verdicts would spoil a mistake under review, or a puzzle."""
        has_task = self.puzzle is not None or self.review is not None
        return has_task and not self.is_task_done

    def ranked_moves(self) -> tuple[Verdict, ...]:
        """Return the moves, best first; none if the game is over or showing them would spoil it."""
        if not self.is_solved or is_terminal(self.state) or self.hides_truth:
            return ()
        return ranked_moves(self.state)

    def note_values_seen(self) -> None:
        """Count it as help that values are shown while a human has to choose."""
        if self.phase is Phase.YOUR_TURN and not self.game.values_seen:
            self.timeline.note(values_seen=True)

    def hint(self) -> Hint:
        """Return the next of three hints for this position, and count it."""
        if self.puzzle is not None:
            return self.puzzle.hint()
        steps = dict(self.game.hinted)
        steps[self.state] = min(steps.get(self.state, 0) + 1, 3)
        self.timeline.note(hinted=tuple(steps.items()))
        return hint(self.state, steps[self.state])

    def verdict(self, index: int | None = None) -> Verdict | None:
        """Return the verdict on the move to position *index*, if any and if it spoils no review."""
        game = self.game
        if index is None:
            index = self.index
        is_hidden = isinstance(self.mode, SetUp | Solving) or self.hides_truth
        if is_hidden or not self.is_solved or not 0 < index <= len(game.actions):
            return None
        return judge(game.state_at(index - 1), game.actions[index - 1])

    # The end of a game, review

    def take_result(self) -> Game | None:
        """Return a game that has just ended and counts; a game counts once, even after undo."""
        if not self.game.is_over or self.game.is_counted or self.game.is_unrated:
            return None
        self.timeline.note(is_counted=True)
        return self.game

    def mistakes(self) -> dict[int, Verdict]:
        """Return the mistakes of the humans, or of two bots, by the number of moves before them."""
        mistakes: dict[int, Verdict] = {}
        if not self.is_solved:
            return mistakes
        game = self.game
        for index, action in enumerate(game.actions):
            verdict = judge(game.state_at(index), action)
            is_judged = game.players[mover(verdict.state)].is_human or not game.has_person
            if verdict.is_mistake and is_judged:
                mistakes[index] = verdict
        return mistakes

    def wins_thrown_away(self) -> list[State]:
        """Return the positions before each move of a human that turned a win into a loss."""
        return [mistake.state for mistake in self.mistakes().values() if mistake.is_blunder]

    @property
    def comments_on_moves(self) -> bool:
        """Whether verdicts on the moves are shown unasked.

        Before the first mistake of the human they would only tell who is winning.
        """
        return self.game.is_over or not self.game.has_person or bool(self.mistakes())

    def begin_review(self) -> None:
        """Show the first mistake of the game, see `mistakes`."""
        self._changed(Review(self.mistakes()))

    def step_task(self, steps: int) -> None:
        """Go to the next mistake, puzzle or lesson (1), or to the previous one (-1)."""
        if self.review is not None:
            self.review.number += steps
            self.review.tried = None
        elif self.puzzle is not None and self.puzzle.lesson is not None:
            self.begin_lesson(self.puzzle.lesson + steps)
        elif self.puzzle is not None:
            self.begin_puzzle()

    def reveal(self) -> None:
        """Give up this mistake or puzzle: the better move is shown."""
        if self.puzzle is not None:
            self.puzzle.show()
        if self.review is not None:
            self.review.tried = None
            self.review.solved.add(self.review.number)

    # Puzzles and lessons: the game stays as it is, and comes back when the player leaves them

    def begin_puzzle(self) -> None:
        """Put the puzzle on the board that the program has made."""
        self._changed(self.next_puzzle)
        self.next_puzzle = None

    def begin_todays_puzzle(self) -> None:
        """Put the puzzle of the day on the board, as far as it was tried already.

        If the program has made it before midnight, there is another puzzle now.
        """
        made = self.todays_puzzle
        is_todays = made is not None and made.day == self.today
        self._changed(made if is_todays else todays_puzzle(self.today))
        self.todays_puzzle = None

    def begin_lesson(self, number: int = 0) -> None:
        """Begin the lesson *number*, from 0, of `LESSONS`."""
        self._changed(Solving(LESSONS[number].start, lesson=number))

    def take_attempts(self) -> list[Solving]:
        """Return the puzzles that were solved, or begun and left; each is returned once."""
        ended = self._left
        self._left = []
        if self.puzzle is not None and self.puzzle.is_over:
            ended.append(self.puzzle)
        attempts = [
            one for one in ended if one.lesson is None and one.is_begun and not one.is_counted
        ]
        for one in attempts:
            one.is_counted = True
        return attempts

    def restore(self, game: Game, earlier: Sequence[Game] = (), later: Sequence[Game] = ()) -> None:
        """Continue a saved game, which has *earlier* and *later* ones for undo and redo."""
        self.timeline = Timeline.restored(game, earlier, later)
        # Otherwise two bots would at once replace the moves that were taken back.
        self.is_paused = bool(self.timeline.taken_back)
        self._changed()
