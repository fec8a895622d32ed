"""Check `gymnasium_env` with Gymnasium's own checker: ``python3 -m tests.check_gymnasium``.

The package gymnasium must be installed; it is in the ``dev`` extra of pyproject.toml. The program
and its other tests never need it.
"""

import copy
import pickle
import sys
import warnings
from contextlib import closing
from importlib import import_module
from typing import Any
from unittest import TestCase

import traffic_lights as tl

NAME = "TrafficLights-v0"


def play(env: Any, seed: int) -> list[Any]:
    """Return all that *env* tells in a game of legal actions that *seed* decides."""
    observation, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    told = [observation.tolist(), info["seat"], env.render()]
    terminated = False
    while not terminated:
        assert (env.get_wrapper_attr("action_masks")() == info["action_mask"]).all()
        action = env.action_space.sample(mask=info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation)
        assert not truncated
        told += [int(action), observation.tolist(), reward, env.render()]
    assert reward in (-1, 1)
    return told


def main() -> int:
    warnings.simplefilter("error")
    gymnasium: Any = import_module("gymnasium")
    check_env = import_module("gymnasium.utils.env_checker").check_env
    gymnasium.register(NAME, entry_point="traffic_lights:gymnasium_env")
    for opponent in ("random", "myopic", "alternate", "perfect"):
        for seat in (1, 2, "alternate"):
            env = gymnasium.make(NAME, opponent=opponent, seat=seat, render_mode="ansi")
            check_env(env.unwrapped)
            assert play(env, 5) == play(env, 5) != play(env, 6)
            for made in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
                assert play(made, 5) == play(env, 5)
                assert made.unwrapped.board == env.unwrapped.board
            env.close()
    assert tl.gymnasium_env(render_mode=None).render() is None
    with TestCase().assertRaisesRegex(ValueError, "^render_mode is 'human'; it must be 'ansi'"):
        tl.gymnasium_env(render_mode="human")
    # Spawned processes get the environment as a function, as on Windows and macOS.
    makers = [lambda seat=seat: tl.gymnasium_env("random", seat) for seat in (1, 2)]
    with closing(gymnasium.vector.AsyncVectorEnv(makers, context="spawn")) as envs:
        _, info = envs.reset(seed=1)
        assert info["seat"].tolist() == [1, 2]
        _, rewards, *_ = envs.step([mask.argmax() for mask in info["action_mask"]])
        assert rewards.tolist() == [0, 0]
    print("gymnasium's checker finds nothing wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
