"""The game as a class of Gymnasium: this module needs the packages gymnasium and numpy.

`environment.gymnasium_env` imports it when it is called. The class stands in a module, so that its
environments can be pickled.
"""

from importlib import import_module
from typing import Any, Final

from traffic_lights.board.rules import CELLS
from traffic_lights.library.boards import Board

gymnasium: Any = import_module("gymnasium")
numpy: Any = import_module("numpy")


class GymnasiumEnv(gymnasium.Env):  # type: ignore[misc]
    """The `Env` *game* with arrays of numpy for observation and mask."""

    metadata: Final = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(self, game: Any, render_mode: str | None) -> None:
        if render_mode not in ("ansi", None):
            raise ValueError(f"render_mode is {render_mode!r:.60}; it must be 'ansi' or None")
        self.render_mode = render_mode
        self.observation_space = gymnasium.spaces.MultiDiscrete([4] * CELLS)
        self.action_space = gymnasium.spaces.Discrete(CELLS)
        self._game = game

    @property
    def board(self) -> Board:
        board: Board = self._game.board
        return board

    def action_masks(self) -> Any:
        return numpy.array(self._game.action_masks(), dtype=numpy.int8)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, Any]:
        super().reset(seed=seed)
        return self._as_arrays(*self._game.reset(seed=seed, options=options))

    def step(self, action: int) -> tuple[Any, ...]:
        observation, reward, terminated, truncated, info = self._game.step(action)
        observation, info = self._as_arrays(observation, info)
        return observation, reward, terminated, truncated, info

    def render(self) -> str | None:
        text: str = self._game.render()
        return None if self.render_mode is None else text

    def close(self) -> None:
        self._game.close()

    def _as_arrays(self, observation: tuple[int, ...], info: dict[str, Any]) -> tuple[Any, Any]:
        return numpy.array(observation), {**info, "action_mask": self.action_masks()}
