"""One interactive game without a window.

A `Session` keeps the game, its bots and its history. What the player does now is its `Mode`
(`play/mode.py`): `Playing` is the usual one, the others are in `play/modes/` too. A window or the
text mode runs the commands of `play/commands.py` and calls `click` of the mode for every click on a
cell.

After each change it calls `request_bot`, lets the bot of the request choose, and then calls
`answer_bot`, or `fail_bot` if the bot cannot. If the game has changed meanwhile, the answer is
dropped. Until the game is solved and `is_solved` set, there are neither values nor verdicts. What
the program gets from `take_attempts` belongs into the results with puzzles, which `puzzle_record`
returns. The game waits unchanged behind a puzzle.

>>> from traffic_lights.play.game import HUMAN
>>> session = Session(now=lambda: 0.0)
>>> session.new_game((HUMAN, Player("myopic", "Myopic")))
>>> session.mode.click(5), session.mode.heading()
('', 'Myopic is choosing…')
>>> request = session.request_bot()
>>> session.mode.undo(), session.answer_bot(request, 0), session.state
('', False, 0)
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from traffic_lights.board.baselines import myopic_actions
from traffic_lights.board.rules import EMPTY_BOARD, Action, State, is_terminal, mover
from traffic_lights.play import texts
from traffic_lights.play.game import Game, Player, Players
from traffic_lights.play.history import History
from traffic_lights.play.mode import Mode
from traffic_lights.play.modes.playing import Playing
from traffic_lights.play.solving import Attempt, PuzzleRecord, PuzzleSource
from traffic_lights.play.verdicts import BEST_PLAY, MISTAKES, NOTHING, Verdict, judge, ranked_moves

LINE_KEPT: Final = "You play on from here. The old line is among the recent games."
GAME_KEPT: Final = "A new game. The old one is among the recent games."
NOT_COUNTED: Final = "The players have changed in this game, so its result will not count."


@dataclass(frozen=True, slots=True)
class BotRequest:
    """The request to the bot *player* to choose an action in *state*."""

    state: State
    player: Player


class Session:
    """The games with their bots, and what the player does now."""

    def __init__(self, now: Callable[[], float]) -> None:
        """Begin a game of two people; *now* returns seconds since 1970."""
        self.wanted_values: Callable[[], str] = lambda: MISTAKES
        """Returns what the player wants to see of the moves; set by the program."""
        self.is_solved = False
        """Whether the exact solution is computed; set by the program."""
        self.is_paused = False
        """Whether two bots wait for `resume_bots`."""
        self.puzzle_record: Callable[[], PuzzleRecord] = PuzzleRecord
        """Returns the player's results with puzzles; set by the program."""
        self.puzzles = PuzzleSource(random.getrandbits(32))
        self.attempts: list[Attempt] = []
        """The puzzles that were begun since `take_attempts`."""
        self.counted: set[State] = set()
        """The positions of those that were taken for the results."""
        self._now = now
        self.history = History()
        self.mode: Mode = Playing(self)
        self.request: BotRequest | None = None
        """The request to the bot that is choosing; None if none is."""
        self.failure = ""
        """Why the bot to move could not choose, so that the game waits for the player."""
        self._stand_in: Player | None = None
        """The bot that chooses this one move for the human."""
        self._is_stepping = False
        """Whether two paused bots make one move."""
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
        self.request = None
        self._stand_in = stand_in
        self.failure = failure
        self._is_stepping = is_stepping
        self.is_paused = self.is_paused and not self.game.has_person

    def leave(self) -> None:
        """Return to the game from any other mode."""
        if not self.is_playing:
            self.begin()

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
    def is_playing(self) -> bool:
        """Whether the game is on the board as it stands, in no other mode."""
        return isinstance(self.mode, Playing)

    @property
    def shows_result(self) -> bool:
        """Whether the end of the game is on the board."""
        return self.is_playing and self.game.is_over

    @property
    def is_your_turn(self) -> bool:
        """Whether the game waits for a move of a human."""
        return self._waits_for_move and self.to_move.is_human

    @property
    def is_bots_turn(self) -> bool:
        """Whether the game waits for a move of a bot."""
        return self._waits_for_move and not self.to_move.is_human

    @property
    def _waits_for_move(self) -> bool:
        return self.is_playing and not self.game.is_over

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
            is_swap = players == game.players[::-1] != game.players
            is_other = is_swap or [one.bot for one in players] != [one.bot for one in game.players]
            # A person who types a name in the middle of a game stays the same player.
            is_late = bool(game.actions) and is_other
            remark = NOT_COUNTED if is_late else ""
            if players != game.players:
                self.history.note(
                    players=players,
                    is_unrated=game.is_unrated or is_late,
                    has_changed_players=game.has_changed_players or is_late,
                )
        self.begin(mode)
        return remark

    # --- moves and their history ---

    def play_on(self, cell: Action) -> str:
        """Make the move *cell* in the game, and return a remark if another line is kept."""
        is_kept = self.history.play(cell)
        self.begin()
        return LINE_KEPT if is_kept else ""

    def wait(self) -> None:
        """Play on, but let two bots wait until the player has them play."""
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
        show = self.wanted_values()
        return show == BEST_PLAY or (show != NOTHING and self.game.is_over)

    def shown_verdict(self, index: int) -> Verdict | None:
        """Return the verdict on the move to position *index*, if the player wants to see it.

        In a game under way, "mistakes" are those of people, or of two bots.
        """
        verdict = self.verdict(index)
        game = self.game
        if verdict is None or self.wanted_values() == NOTHING or not self.mode.judges_moves:
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
        """Return the puzzles that were solved, or begun and left; each is returned once."""
        on_board = self.mode.attempt
        waiting = [a for a in self.attempts if a is on_board and not a.is_over]
        ended = [attempt for attempt in self.attempts if attempt not in waiting]
        self.attempts = waiting
        new = [attempt for attempt in ended if attempt.is_begun and not attempt.is_counted]
        for attempt in new:
            attempt.is_counted = True
            self.counted.add(attempt.start)
        return new
