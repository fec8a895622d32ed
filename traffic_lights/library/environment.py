"""The game as an environment for learners of other packages: `Env` and `gymnasium_env`."""

from collections.abc import Mapping
from typing import Any, Literal

from traffic_lights.board.rules import EMPTY_BOARD, RulesError, is_terminal, legal_actions
from traffic_lights.board.rules import play as play_action
from traffic_lights.library import arguments
from traffic_lights.library.boards import CELLS, Board, Cell, action_of, board_of, live_state
from traffic_lights.library.players import AnyPlayer, bot_of, known_player
from traffic_lights.players.external import ExternalBot


class Env:
    """The game for a learner of your own, with the signatures of Gymnasium's environments.

    An observation is a tuple of twelve colours, 0 to 3, of which ``Board(observation)`` makes a
    board. An action is a cell, 0 to 11 or "a1", and ``info["action_mask"]`` has a 1 for each legal
    one. The reward is 1 for a win and -1 for a loss, at the end of the game. *seat* is 1, 2 or
    "alternate". `gymnasium_env` makes an environment of Gymnasium of it.
    """

    def __init__(
        self, opponent: AnyPlayer = "random", seat: Literal[1, 2, "alternate"] = "alternate"
    ) -> None:
        if seat not in (1, 2, "alternate"):
            raise ValueError(f"seat is {seat!r:.60}; it must be 1, 2 or 'alternate'")
        self._player = known_player("opponent", opponent)
        self._bot = bot_of(self._player, None)
        self._choice = seat
        self._seat = 1
        self._next_seat = 2 if seat == 2 else 1
        self._state = EMPTY_BOARD
        self._is_running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[tuple[int, ...], dict[str, Any]]:
        """Begin a game and return (observation, info).

        A *seed* decides everything that follows: what the opponent draws and, if seats alternate,
        who moves first; you do with an even seed. Only an opponent of your own decides alone what
        it draws.

        ``options={"board": board}`` begins at a Board or its text instead of the empty board. You
        are the player to move there, whatever *seat* says.
        """
        number = arguments.seed(seed)
        board = _start(options)
        if number is not None:
            self._bot = bot_of(self._player, number)
            if self._choice == "alternate":
                self._next_seat = 1 + number % 2
        self._seat = self._next_seat
        if self._choice == "alternate":
            self._next_seat = 3 - self._seat
        self._state = EMPTY_BOARD
        self._is_running = True
        if board is not None:
            self._state = int(board)
            self._seat = board.turn
        elif self._seat == 2:
            self._reply()
        return self._view()

    def step(self, action: Cell) -> tuple[tuple[int, ...], float, bool, bool, dict[str, Any]]:
        """Play *action* and the reply; return (observation, reward, terminated, truncated, info).

        Raise ValueError if the action is not legal, or if no game is under way.
        """
        if not self._is_running:
            raise RulesError("the game is over, or none has begun: call reset()")
        self._state = play_action(self._state, action_of(action, "action"))
        reward = 1.0 if is_terminal(self._state) else 0.0
        if not reward:
            self._reply()
            reward = -1.0 if is_terminal(self._state) else 0.0
        self._is_running = not reward
        observation, info = self._view()
        return observation, reward, bool(reward), False, info

    @property
    def board(self) -> Board:
        return board_of(self._state)

    def action_masks(self) -> list[int]:
        """Return a 1 for each legal action, and otherwise 0, as ``info["action_mask"]`` does."""
        legal = () if is_terminal(self._state) else legal_actions(self._state)
        return [int(cell in legal) for cell in range(len(CELLS))]

    def render(self) -> str:
        """Return the board as lines of text, with coordinates."""
        return self.board.draw()

    def close(self) -> None:
        """Let an opponent that is an external program quit."""
        if isinstance(self._bot, ExternalBot):
            self._bot.close()

    def _reply(self) -> None:
        self._state = play_action(self._state, self._bot.choose(self._state))

    def _view(self) -> tuple[tuple[int, ...], dict[str, Any]]:
        return self.board.colours, {"action_mask": self.action_masks(), "seat": self._seat}


def _start(options: object) -> Board | None:
    """Return the board that the *options* of `Env.reset` name; raise TypeError or ValueError."""
    if not options:
        return None
    if not isinstance(options, Mapping) or [*options] != ["board"]:
        raise arguments.refused("options", options, 'a dict such as {"board": "1100/0000/0000"}')
    return board_of(live_state(options["board"]))


def gymnasium_env(
    opponent: AnyPlayer = "random",
    seat: Literal[1, 2, "alternate"] = "alternate",
    render_mode: str | None = "ansi",
) -> Any:
    """Return an `Env` as a ``gymnasium.Env``, with arrays of numpy for observation and mask.

    ``env.action_space.sample(mask=info["action_mask"])`` draws a legal action. If *render_mode* is
    None, `render` returns None.

    ``gymnasium.register("TrafficLights-v0", entry_point="traffic_lights:gymnasium_env")`` makes it
    an environment for ``gymnasium.make``, which takes the same arguments. Raise ImportError if the
    package gymnasium is not installed.
    """
    from traffic_lights.library.gymnasium_class import GymnasiumEnv

    return GymnasiumEnv(Env(opponent, seat), render_mode)
