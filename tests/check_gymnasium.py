"""Check `gymnasium_env` with Gymnasium's own checker: ``python3 -m tests.check_gymnasium``.

The package gymnasium must be installed; it is in the ``dev`` extra of pyproject.toml. The program
and its other tests never need it.
"""

import sys
import warnings
from importlib import import_module
from typing import Any

import traffic_lights as tl


def play(env: Any, seed: int) -> list[Any]:
    """Return all that *env* tells in a game of legal actions that *seed* decides."""
    observation, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    told = [observation.tolist(), info["seat"], env.render()]
    terminated = False
    while not terminated:
        action = env.action_space.sample(mask=info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation)
        assert not truncated
        told += [int(action), observation.tolist(), reward, env.render()]
    assert reward in (-1, 1)
    return told


def main() -> int:
    warnings.simplefilter("error")
    check_env = import_module("gymnasium.utils.env_checker").check_env
    for opponent in ("random", "myopic", "alternate", "perfect"):
        for seat in (1, 2, "alternate"):
            env = tl.gymnasium_env(opponent, seat)
            with warnings.catch_warnings():
                # It has only one mode to render, so that there is nothing else to check.
                warnings.filterwarnings("ignore", ".*alternative render modes")
                check_env(env)
            assert play(env, 5) == play(env, 5) != play(env, 6)
            env.close()
    print("gymnasium's checker finds nothing wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
