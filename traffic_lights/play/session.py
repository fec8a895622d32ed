"""One interactive game without a window: the session, what the player does in it, its commands.

A `Session` keeps the game, its bots and its history. What the player does now is its `Mode`, an
object that says what the board shows, what a click means and which commands apply. `Playing` is the
usual one, the others are in `play/modes/`. A window or the text mode runs the commands of
`play/commands.py` and calls `click` of the mode for every click on a cell.

After each change it calls `request_bot`, lets the bot of the request choose, and then calls
`answer_bot`, or `fail_bot` if the bot cannot. If the game has changed meanwhile, the answer is
dropped. Until the game is solved and `is_solved` set, there are neither values nor verdicts. The
program makes puzzles in the background and sets `next_puzzle` and `todays_puzzle`. What it gets
back from `take_attempts` belongs into the results. The game waits unchanged behind a puzzle.

>>> from traffic_lights.play.game import HUMAN
>>> session = Session(now=lambda: 0.0)
>>> session.new_game((HUMAN, Player("myopic", "Myopic")))
>>> session.mode.click(5), session.mode.heading()
('', 'Myopic is choosing…')
>>> request = session.request_bot()
>>> session.mode.undo(), session.answer_bot(request, 0), session.state
('', False, 0)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, NamedTuple

from traffic_lights.board.baselines import myopic_actions
from traffic_lights.board.rules import (
    EMPTY_BOARD,
    Action,
    RulesError,
    State,
    complete_lines,
    format_board,
    is_terminal,
    mover,
)
from traffic_lights.play import texts
from traffic_lights.play.game import Game, Player, Players
from traffic_lights.play.history import History
from traffic_lights.play.solving import Attempt, PuzzleRecord
from traffic_lights.play.verdicts import Hint, Verdict, hint, judge, ranked_moves

STILL_SOLVING: Final = "Still solving the game – one moment…"
LINE_KEPT: Final = "You play on from here. The old line is among the recent games."
GAME_KEPT: Final = "A new game. The old one is among the recent games."
GAME_BEFORE: Final = "This is the previous game again."
NOTHING: Final = "nothing"
MISTAKES: Final = "mistakes"
BEST_PLAY: Final = "best-play"
LEARNED: Final = "learned"
"""What the player wants to see of the moves: the values of the setting "shown"."""


@dataclass(frozen=True, slots=True)
class Command:
    """Something that a player can do, besides a click on the board."""

    name: str
    label: str
    act: Callable[[Session], object]
    """Does it, and returns a hint, or a remark for the player, mostly an empty one."""
    missing: Callable[[Session], str] = lambda _: ""
    """Returns what it still needs, in a sentence; empty if it has all."""
    keys: tuple[str, ...] = ()
    """``Ctrl+Shift+N`` or ``F2``; the menu shows the first."""
    letter: str = ""
    """A key that does the same while the board has the keyboard."""
    elsewhere: str = ""
    """Why it does not apply in a mode that does not offer it; empty if every mode has it."""
    is_of_game: bool = False
    """Whether it is about the game, which waits behind some modes."""
    is_begin: bool = False
    """Whether something new begins, so that the board gets the keyboard."""
    is_on: Callable[[], bool] | None = None
    """Returns whether its menu entry has a tick; None if it never has one."""
    typed: str = ""
    """What a player types for it in the text mode; empty if that has another way."""
    short: str = ""
    """A shorter word for the same."""
    about: str = ""
    """What the help of the text mode says about it."""

    def why_not(self, session: Session) -> str:
        """Return why the command does not apply now, in a sentence; empty if it does."""
        mode = session.mode
        if self.elsewhere and self.name not in mode.offers:
            return self.elsewhere
        if self.is_of_game and mode.waiting:
            return mode.waiting
        return mode.why_not(self.name) or self.missing(session)


@dataclass(frozen=True, slots=True)
class BotRequest:
    """The request to the bot *player* to choose an action in *state*."""

    state: State
    player: Player


def not_solved(session: Session) -> str:
    """Return that the game is still being solved; empty if it is solved."""
    return "" if session.is_solved else STILL_SOLVING


class Sheet(NamedTuple):
    """What the panel shows in place of the moves."""

    title: str
    rows: tuple[str, ...]
    chosen: int | None = None
    """Which of the rows is on the board, if a click chooses another; None if it does nothing."""


class Mode:
    """What the player does now, in *session*. A kind of mode overrides what differs in it."""

    rows: ClassVar[tuple[Mapping[str, str], ...]]
    """The rows of buttons that it can have: each command, and its words, in their places."""
    commands: ClassVar[tuple[Command, ...]] = ()
    """The commands that begin it, or that only it has; the menu shows the first."""
    waiting: ClassVar[str] = ""
    """Why commands of the game do not apply; empty if they do."""
    is_of_game: ClassVar[bool] = True
    """Whether a position of the game is on the board."""
    judges_moves: ClassVar[bool] = True
    """Whether the list of moves may show verdicts."""
    allows_red: ClassVar[bool] = False
    """Whether a click on a red lamp means something."""
    stays_with_new_players: ClassVar[bool] = False
    """Whether it stays when others take the seats."""
    tried: Verdict | None = None
    """The last move that was tried; None before the first."""
    attempt: Attempt | None = None
    """The puzzle on the board; None if there is none."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @property
    def is_done(self) -> bool:
        """Whether what it asked the player for is found or shown."""
        return False

    @property
    def tries(self) -> int:
        """How many tries there were that the board plays out."""
        return 0

    # --- what is shown ---

    @property
    def index(self) -> int:
        """How many moves of the game led to the position on the board."""
        return len(self.session.game.actions)

    @property
    def state(self) -> State:
        """The position on the board."""
        return self.session.game.state_at(self.index)

    @property
    def last_action(self) -> Action | None:
        """The move that led to it; None if none did."""
        return self.session.game.actions[self.index - 1] if self.index else None

    @property
    def marked_seat(self) -> int | None:
        """The seat whose card is marked: who is to move in the game, or has won it."""
        return mover(self.state) if self.is_of_game else None

    @property
    def marks(self) -> frozenset[Action]:
        """The cells that are marked on the board."""
        return frozenset()

    @property
    def invites(self) -> bool:
        """Whether the board waits for a click."""
        return True

    @property
    def hides_values(self) -> bool:
        """Whether values and verdicts would give away what the player looks for."""
        return False

    @property
    def mistake(self) -> Verdict | None:
        """The mistake on the board, which may be explained; None if there is none."""
        return self._mistake_at(self.index)

    def _mistake_at(self, index: int) -> Verdict | None:
        verdict = self.session.shown_verdict(index)
        return verdict if verdict is not None and verdict.is_mistake else None

    @property
    def solution(self) -> Verdict | None:
        """The winning move, if the board can play out what follows it."""
        return None

    def heading(self) -> str:
        """Return whose turn it is, who has won, or what the player looks for."""
        raise NotImplementedError

    def detail(self) -> str:
        """Return what there is to add to the heading; may be empty."""
        raise NotImplementedError

    def title(self) -> str:
        """Return the heading for the title of the window."""
        return self.heading().partition(" – ")[0]

    @property
    def buttons(self) -> Mapping[str, str]:
        """The row of buttons that it has now, one of `rows`."""
        return self.rows[0]

    @property
    def next_command(self) -> str:
        """The command that follows when nothing is left to do here; empty before."""
        return ""

    @property
    def main_button(self) -> str:
        """The command whose button stands out; empty if none does."""
        return self.next_command

    def sheet(self, _: PuzzleRecord) -> Sheet | None:
        """Return what the panel shows in place of the moves; None if it shows the moves.

        It may need the player's results with puzzles.
        """
        return None

    def choose_row(self, number: int) -> None:
        """Put on the board what the row *number* of the sheet, from 0, names."""

    @property
    def shown_game(self) -> Game:
        """The game to save: one that starts on the board, unless that shows the game."""
        if self.is_of_game:
            return self.session.game
        return Game(start=self.state, players=self.session.players)

    def text_to_share(self) -> str:
        """Return the text that is copied in place of the game; empty if it is the game."""
        return ""

    # --- what the player can do ---

    def click(self, cell: Action) -> str:
        """Do what a click on *cell*, from 0 to 11, means; return a remark, mostly an empty one."""
        raise NotImplementedError

    def click_back(self, _: Action) -> bool:
        """Do what a click with the other button means; return whether it means something."""
        return False

    @property
    def offers(self) -> frozenset[str]:
        """The commands that only some modes have, and this one has now, by name."""
        return frozenset()

    def why_not(self, name: str) -> str:
        """Return why this mode does not allow the command *name* now; empty if it does."""
        if name == "undo" and not self.can_undo:
            return "There is nothing to undo."
        if name == "redo" and not self.can_redo:
            return "There is nothing to redo."
        return ""

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return self.session.history.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether there is something to redo."""
        return self.session.history.can_redo

    def undo(self) -> str:
        """Take back a change, against a bot a full round; return a remark."""
        is_other = self.session.history.undo()
        self.session.wait()
        return GAME_BEFORE if is_other else ""

    def redo(self) -> None:
        """Play again what was taken back."""
        self.session.history.redo()
        self.session.wait()

    def hint(self) -> Hint:
        """Return the next step of help, and count it."""
        raise NotImplementedError

    def paste_position(self, state: State) -> None:
        """Begin a game in *state*; raise RulesError if a line is complete in it."""
        if is_terminal(state):
            raise RulesError(f"in the position {format_board(state)} the game is over")
        self.session.new_game(start=state)


class Playing(Mode):
    """A human or a bot is to move, or the game is over."""

    rows = (
        {
            "new_game": "New Game", "undo": "Undo", "redo": "Redo", "hint": "Hint",
            "review": "Review",
        },
        {
            "new_game": "New Game", "undo": "Undo", "pause": "Pause", "step": "Step",
            "speed": "Speed",
        },
    )  # fmt: skip

    @property
    def buttons(self) -> Mapping[str, str]:
        session = self.session
        for_people, for_bots = self.rows  # a hint is of no use to two bots
        return for_bots if session.is_bots_turn and not session.game.has_person else for_people

    @property
    def marked_seat(self) -> int | None:
        game = self.session.game
        return game.winner if game.is_over else game.mover

    @property
    def invites(self) -> bool:
        return self.session.is_your_turn

    @property
    def mistake(self) -> Verdict | None:
        session = self.session
        if not session.is_your_turn:
            return super().mistake
        # After a bot's reply this is the player's move before it. In a game of two people it would
        # help the one who has to answer.
        return None if session.only_human is None else self._mistake_at(self.index - 1)

    def heading(self) -> str:
        session = self.session
        state = self.state
        if session.is_over:
            winner = texts.winner_text(session.players, 1 - session.mover)
            return f"{winner} – {texts.lines_text(state, complete_lines(state))}"
        name = texts.seat_name(session.players, session.mover)
        if session.is_your_turn:
            return f"{name} to move" if session.only_human is None else "Your turn"
        if session.mover_is_human:  # the bot moves for the player
            name = session.to_move.name
        if session.failure:
            return f"{name} cannot move"
        return f"Paused – {name} to move" if session.is_paused else f"{name} is choosing…"

    def detail(self) -> str:
        session = self.session
        if session.is_over:
            mistakes = "" if session.show() == NOTHING else session.mistakes_text()
            why, helped = texts.counted_text(session.game), texts.help_text(session.game)
            return " ".join(text for text in (why, helped, mistakes) if text)
        if session.failure:
            reason = texts.sentence(session.failure)
            return f"{reason}. Choose another opponent, or undo a move."
        return ""

    def title(self) -> str:
        number = "" if self.session.is_over else f" – move {len(self.session.game.actions) + 1}"
        return super().title() + number

    @property
    def next_command(self) -> str:
        return "new_game" if self.session.is_over else ""

    @property
    def main_button(self) -> str:
        return "pause" if self.session.is_paused and not self.session.is_over else self.next_command

    def click(self, cell: Action) -> str:
        session = self.session
        if session.is_over:
            return "The game is over. Start a new game, or undo a move."
        if session.is_bots_turn:
            return ""
        return texts.illegal_text(self.state, cell) or session.play_on(cell)

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(("hint", "bot_plays") if self.session.is_your_turn else ())

    def hint(self) -> Hint:
        """Return the next of three hints for this position, and count it."""
        steps = dict(self.session.game.hinted)
        steps[self.state] = min(steps.get(self.state, 0) + 1, 3)
        self.session.history.note(hinted=tuple(steps.items()))
        return hint(self.state, steps[self.state])


class Session:
    """The games with their bots, and what the player does now."""

    def __init__(self, now: Callable[[], float]) -> None:
        """Begin a game of two people; *now* returns seconds since 1970."""
        self.show: Callable[[], str] = lambda: MISTAKES
        """Returns what the player wants to see of the moves; set by the program."""
        self.is_solved = False
        """Whether the exact solution is computed; set by the program."""
        self.is_paused = False
        """Whether two bots wait for `resume_bots`."""
        self.next_puzzle: Attempt | None = None
        """The puzzle that comes next; made by the program, None while it is being made."""
        self.todays_puzzle: Attempt | None = None
        """The puzzle of the day, also made by the program."""
        self.attempts: list[Attempt] = []
        """The puzzles that were begun since `take_attempts`."""
        self._now = now
        self.history = History()
        self.mode: Mode = Playing(self)
        self.new_game()

    def begin(
        self,
        mode: Mode | None = None,
        *,
        stand_in: Player | None = None,
        failure: str = "",
        is_stepping: bool = False,
    ) -> None:
        """Begin *mode*, or play on; the answer to a request before is dropped."""
        self.mode = mode or Playing(self)
        self.request: BotRequest | None = None
        """The request to the bot that is choosing; None if none is."""
        self._stand_in = stand_in
        """The bot that chooses this one move for the human."""
        self.failure = failure
        """Why the bot to move could not choose, so that the game waits for the player."""
        self._is_stepping = is_stepping
        """Whether two paused bots make one move."""
        self.is_paused = self.is_paused and not self.game.has_person

    def leave(self) -> bool:
        """Return to the game from any other mode; return whether there was one."""
        if isinstance(self.mode, Playing):
            return False
        self.begin()
        return True

    # --- facts ---

    @property
    def today(self) -> str:
        """The local date, as YYYY-MM-DD."""
        return time.strftime("%Y-%m-%d", time.localtime(self._now()))

    @property
    def game(self) -> Game:
        """Return the game under way, even if another position is on the board."""
        return self.history.present

    @property
    def state(self) -> State:
        """The position on the board."""
        return self.mode.state

    @property
    def is_over(self) -> bool:
        """Whether the end of the game is on the board."""
        return isinstance(self.mode, Playing) and self.game.is_over

    @property
    def is_your_turn(self) -> bool:
        """Whether the game waits for a move of a human."""
        return self._is_under_way and self.to_move.is_human

    @property
    def is_bots_turn(self) -> bool:
        """Whether the game waits for a move of a bot."""
        return self._is_under_way and not self.to_move.is_human

    @property
    def _is_under_way(self) -> bool:
        return isinstance(self.mode, Playing) and not self.game.is_over

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

    # --- bots ---

    def request_bot(self) -> BotRequest | None:
        """Return what a bot has to answer now, or None if none is to move.

        An answer to an earlier request is dropped from here on.
        """
        is_waiting = self.failure or (self.is_paused and not self._is_stepping)
        has_to = self.is_bots_turn and not is_waiting
        self.request = BotRequest(self.state, self.to_move) if has_to else None
        return self.request

    def answer_bot(self, request: BotRequest, action: Action) -> bool:
        """Play the bot's *action*; return False, and do nothing, if the game has changed."""
        if request is not self.request:
            return False
        if self.mover_is_human:  # for whom no win at once and no threat is overlooked
            self.history.note(bot_moves=self.game.bot_moves + 1)
            careful = myopic_actions(self.state)
            if action not in careful:
                action = careful[0]
        self.history.play(action)
        self.begin()
        return True

    def fail_bot(self, request: BotRequest, reason: str) -> bool:
        """Wait for `resume_bots` or the human; return False if the game has changed."""
        if request is not self.request:
            return False
        self.begin(failure="" if self.mover_is_human else reason)
        return True

    def play_for_me(self, bot: Player) -> None:
        """Let *bot* choose the moves of the human player, until the player takes over."""
        self.begin(stand_in=bot)

    def pause_bots(self) -> None:
        """Let two bots wait: a bot that is choosing is dropped."""
        self.is_paused = not self.game.has_person
        self.request = None

    def resume_bots(self, *, is_step: bool = False) -> None:
        """Let two bots play on, or make one move, and a bot that failed try again."""
        self.is_paused = is_step
        self.begin(is_stepping=is_step)

    # --- games and seats ---

    def new_game(self, players: Players | None = None, start: State = EMPTY_BOARD) -> None:
        """Begin a game from the live *start*; without *players* they are those of the old game."""
        game = Game(start, players=players or self.players, day=self.today)
        self.open_game(game, is_unrated=False)

    def open_game(self, game: Game, *, is_unrated: bool = True) -> None:
        """Continue *game*, from a record; its result does not count."""
        self.history.begin(replace(game, is_unrated=is_unrated))
        self.is_paused = False
        self.begin()

    def set_players(self, players: Players) -> str:
        """Let *players* take the seats: against another bot in a new game; return a remark.

        In place of a bot that cannot move, another continues the game.
        """
        game = self.game
        mode = self.mode if self.mode.stays_with_new_players else None
        has_new_bot = {one.bot for one in players} != {one.bot for one in game.players}
        if game.actions and not self.failure and (has_new_bot or game.is_over):
            self.new_game(players)
            remark = "" if game.is_over else GAME_KEPT
        else:
            self._change_seats(players)
            remark = ""
        self.begin(mode)
        return remark

    def _change_seats(self, players: Players) -> None:
        """Let *players* continue this game; after its first move, the result does not count."""
        game = self.game
        if players != game.players:
            is_late = bool(game.actions)
            self.history.note(
                players=players,
                is_unrated=game.is_unrated or is_late,
                has_changed_players=game.has_changed_players or is_late,
            )

    # --- moves and their history ---

    def play_on(self, cell: Action) -> str:
        """Make the move *cell* in the game, and return a remark if another line is kept."""
        is_kept = self.history.play(cell)
        self.begin()
        return LINE_KEPT if is_kept else ""

    def wait(self) -> None:
        """Play on, but let two bots wait: they would replace the moves that were taken back."""
        self.begin()
        self.pause_bots()

    def go_to_game(self, number: int) -> None:
        """Bring back the other game *number*, from 0."""
        self.history.bring_back(self.history.others[number])
        self.wait()

    def restore(
        self, game: Game, others: Sequence[Game] = (), taken_back: Sequence[Action] = ()
    ) -> None:
        """Continue a saved game, which has *others* before it, and moves *taken_back*."""
        self.history.restore(game, others, taken_back)
        self.is_paused = False
        self.begin()
        if taken_back:
            self.wait()

    # --- values and verdicts ---

    def ranked_moves(self) -> tuple[Verdict, ...]:
        """Return the moves, best first; none if the game is over or showing them would spoil it."""
        if not self.is_solved or is_terminal(self.state) or self.mode.hides_values:
            return ()
        return ranked_moves(self.state)

    def note_values_seen(self) -> None:
        """Count it as help that values are shown while a human has to choose."""
        if self.is_your_turn and not self.game.values_seen:
            self.history.note(values_seen=True)

    def verdict(self, index: int | None = None) -> Verdict | None:
        """Return the verdict on the move to position *index*, if any and if it spoils nothing."""
        game = self.game
        mode = self.mode
        if index is None:
            index = mode.index
        is_hidden = mode.hides_values or not mode.is_of_game
        if is_hidden or not self.is_solved or not 0 < index <= len(game.actions):
            return None
        return judge(game.state_at(index - 1), game.actions[index - 1])

    @property
    def shows_all_verdicts(self) -> bool:
        """Whether the player wants to see the verdict on every move."""
        show = self.show()
        return show == BEST_PLAY or (show != NOTHING and self.game.is_over)

    def shown_verdict(self, index: int) -> Verdict | None:
        """Return the verdict on the move to position *index*, if the player wants to see it.

        In a game under way, "mistakes" are those of people, or of two bots.
        """
        verdict = self.verdict(index)
        game = self.game
        if verdict is None or self.show() == NOTHING or not self.mode.judges_moves:
            return None
        if self.shows_all_verdicts:
            return verdict
        # The mark of a move that a human has to answer would be a hint.
        is_answered = index < len(game.actions) or not game.players[game.mover].is_human
        return verdict if is_answered and self._is_our_mistake(verdict) else None

    # --- results, mistakes, puzzles ---

    def take_result(self) -> Game | None:
        """Return a game that has just ended and counts; a game counts once, even after undo."""
        if not self.game.is_over or self.game.is_counted or self.game.is_unrated:
            return None
        self.history.note(is_counted=True, counted_winner=self.game.winner)
        return self.game

    def mistakes(self) -> dict[int, Verdict]:
        """Return the mistakes of the humans, or of two bots, by the number of moves before them."""
        mistakes: dict[int, Verdict] = {}
        if not self.is_solved:
            return mistakes
        game = self.game
        for index, action in enumerate(game.actions):
            verdict = judge(game.state_at(index), action)
            if self._is_our_mistake(verdict):
                mistakes[index] = verdict
        return mistakes

    def _is_our_mistake(self, verdict: Verdict) -> bool:
        """Return whether the move was a mistake, of a human or in a game of two bots."""
        is_ours = self.players[mover(verdict.state)].is_human or not self.game.has_person
        return verdict.is_mistake and is_ours

    def mistakes_text(self) -> str:
        """Return what a review would go through, in sentences; empty if nothing."""
        names = [texts.seat_name(self.players, seat) for seat in (0, 1)]
        if self.game.has_changed_players:  # another player may have made the move
            names = ["Player 1", "Player 2"]
        return texts.mistakes_text(self.mistakes(), names)

    def wins_thrown_away(self) -> list[State]:
        """Return the positions before each move of a human that turned a win into a loss."""
        return [mistake.state for mistake in self.mistakes().values() if mistake.is_blunder]

    def take_attempts(self) -> list[Attempt]:
        """Return the puzzles that were solved, or begun and left; each is returned once.

        Other puzzles then come next, because these depend on the results.
        """
        on_board = self.mode.attempt
        waiting = [a for a in self.attempts if a is on_board and not a.is_over]
        ended = [attempt for attempt in self.attempts if attempt not in waiting]
        self.attempts = waiting
        new = [attempt for attempt in ended if attempt.is_begun and not attempt.is_counted]
        for attempt in new:
            attempt.is_counted = True
        if any(not attempt.lesson for attempt in new):
            self.next_puzzle = None
            self.todays_puzzle = None
        return new
