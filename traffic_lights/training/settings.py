"""The settings of a training run, each described once.

The command line, the form of the window and the checks of files are made from the fields of
`RunSettings`.

>>> RunSettings(plan="myopic", games=20_000, seed=1).checked().command()
'python -m traffic_lights.train --opponent myopic --games 20000 --seed 1'
>>> parse_setting("alpha", "0.3"), parse_setting("games", "20,000"), parse_setting("games", "")
(0.3, 20000, None)
>>> parse_setting("alpha", "2")
Traceback (most recent call last):
    ...
traffic_lights.training.settings.SettingsError: alpha is '2'; it must be above 0 and at most 1
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Final, Self

from traffic_lights.board.baselines import BASELINES
from traffic_lights.storage.words import MOST_SEED, share, whole_number

PLANS: Final = ("reverse", "selfplay", "baselines")
PROVING: Final = ("reverse", "selfplay")
"""The plans that learn only proofs, and end when nothing is left to prove."""
OPPONENTS: Final = (*BASELINES, "self")
UPDATES: Final = ("terminal", "last-action", "bootstrap", "monte-carlo")
_GAME_PLANS: Final = ("baselines", *OPPONENTS)
_ALL: Final = (*PLANS, *OPPONENTS)


class SettingsError(ValueError):
    """A setting that a run cannot have; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """What a form, the command line and a file need to know of one setting."""

    default: Any
    """A str, float, tuple of whole numbers, or whole number, which may also be left open (None)."""
    label: str
    help: str
    choices: tuple[str, ...] = ()
    lowest: int = 0
    highest: int = 1
    is_positive: bool = False
    """Whether 0, or nothing but zeros, is refused."""
    plans: tuple[str, ...] = _ALL
    """The plans to which it makes a difference."""
    updates: tuple[str, ...] = UPDATES
    """The update rules to which it makes a difference."""

    @property
    def limits(self) -> str:
        """What a value must be, in words that follow "it must be"."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if isinstance(self.default, float):
            return "above 0 and at most 1" if self.is_positive else "a number from 0 to 1"
        span = f"from {self.lowest:,} to {self.highest:,}"
        if isinstance(self.default, tuple):
            return f"{len(self.default)} whole numbers {span}, not all 0"
        return f"a whole number {span}"

    def accepts(self, value: object) -> bool:
        if self.choices or value is None:
            return value in (self.choices or (self.default,))
        is_tuple = isinstance(self.default, tuple)
        numbers = value if isinstance(value, tuple) else (value,)
        # Compare types, because JSON has true, which isinstance takes for an int.
        kinds = (int, float) if isinstance(self.default, float) else (int,)
        return (
            isinstance(value, tuple) is is_tuple
            and len(numbers) == (len(self.default) if is_tuple else 1)
            and all(type(n) in kinds and self.lowest <= n <= self.highest for n in numbers)
            and (any(numbers) or not self.is_positive)
        )


def _described(*about: Any, **more: Any) -> Any:
    info = SettingInfo(*about, **more)
    return field(default=info.default, metadata={"info": info})


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What determines a run: the same settings give the same table, to the byte."""

    plan: str = _described("reverse", "Plan", "what is played, or the one opponent", choices=_ALL)
    games: int | None = _described(
        None,
        "Games",
        "games of the whole run, including those before a resume; default 100000 against one "
        "opponent, 400000 for baselines, otherwise until the plan is done",
        lowest=1,
        highest=10**12,
    )
    seed: int = _described(
        1, "Seed", "seed of all random choices; the same seed repeats the run", highest=MOST_SEED
    )
    # These four were chosen together by exact scores against Myopic, on seeds that no published
    # result uses (41 to 47). Against Myopic, α from 0.1 to 0.4 and ε from 0.05 to 0.2 do about as
    # well: about 70 % after 20,000 games, 95 % after 100,000. Self-play needs much exploration:
    # 200,000 games make 34 % with ε 0.1, 48 % with 0.15, and 56 % with these.
    alpha: float = _described(
        0.2, "Learning rate α", "learning rate of estimates", is_positive=True, plans=_GAME_PLANS
    )
    epsilon_start: float = _described(
        0.2,
        "ε at the start",
        "exploration rate at the start; by default never below the rate at the end",
        plans=("selfplay", *_GAME_PLANS),
    )
    epsilon_end: float = _described(
        0.15,
        "ε at the end",
        "exploration rate at the end; by default never above the rate at the start",
        plans=("selfplay", *_GAME_PLANS),
    )
    epsilon_decay: float = _described(
        0.99999,
        "ε decay per game",
        "factor of the exploration rate per game",
        is_positive=True,
        plans=("selfplay", *_GAME_PLANS),
    )
    update: str = _described(
        "terminal",
        "Update rule",
        "which values change after a game, and towards what",
        choices=UPDATES,
        plans=_GAME_PLANS,
    )
    gamma: float = _described(
        1.0,
        "Discount γ",
        "discount: how much a value counts one turn earlier (1: just as much)",
        plans=_GAME_PLANS,
        updates=("bootstrap", "monte-carlo"),
    )
    explore: str = _described(
        "random",
        "Exploration",
        "what to explore: any move, or the moves tried least",
        choices=("random", "least-visited"),
        plans=("selfplay", *_GAME_PLANS),
    )
    shares: tuple[int, ...] = _described(
        (1, 1, 1, 17),
        "Shares",
        "how to divide the games among Random, Alternate, itself and Myopic",
        highest=10**6,
        is_positive=True,
        plans=("baselines",),
    )
    practice: str = _described(
        "myopic",
        "Practice against",
        "opponent of the last games, which try every move in lost positions",
        # It begins in the middle of a game, where the fatigue of a bot is unknown, and it plays one
        # image of a position for all four.
        choices=(*(k for k, p in BASELINES.items() if p.is_symmetric and not p.tires), "none"),
        plans=PROVING,
    )

    @classmethod
    def wanted(cls, given: Mapping[str, Any]) -> Self:
        """Return the settings with the values *given*; if one ε is given, the other follows it."""
        usual = cls()
        follow = {
            "epsilon_start": max(usual.epsilon_start, given.get("epsilon_end", 0.0)),
            "epsilon_end": min(usual.epsilon_end, given.get("epsilon_start", 1.0)),
        }
        return cls(**{**follow, **given})

    def checked(self) -> Self:
        """Return these settings with defaults for what they leave open; raise SettingsError."""
        for name, info in SETTINGS.items():
            check_setting(name, info.accepts(value := getattr(self, name)), value, info.limits)
        check_setting(
            "epsilon-start",
            self.epsilon_end <= self.epsilon_start,
            self.epsilon_start,
            f"at least epsilon-end ({self.epsilon_end})",
        )
        # These two plans end when everything is proven, and an estimate proves nothing.
        if self.update != "terminal" and self.plan in PROVING:
            raise SettingsError(
                f"update {self.update} learns estimates, but plan {self.plan} learns only proofs; "
                "use it with one opponent or plan baselines"
            )
        usual = {"reverse": None, "selfplay": None, "baselines": 400_000}.get(self.plan, 100_000)
        return replace(
            self,
            games=usual if self.games is None else self.games,
            practice=self.practice if self.plan in PROVING else "none",
        )

    def refuse_unused(self, names: Iterable[str]) -> None:
        """Raise SettingsError if one of the settings *names* makes no difference to the table."""
        for name in names:
            if reason := self._why_unused(name):
                raise SettingsError(
                    f"{name.replace('_', '-')} makes no difference with {reason}: leave it out"
                )

    def matters(self, name: str) -> bool:
        return not self._why_unused(name)

    def _why_unused(self, name: str) -> str:
        """Return which choice makes the setting *name* useless; empty if it is of use."""
        info = SETTINGS[name]
        if self.plan not in info.plans:
            return f"plan {self.plan}"
        if self.update not in info.updates:
            return f"update {self.update}"
        # There, all moves that are not proven losses have the same value, so every move explores.
        is_selfplay = self.plan == "selfplay"
        if is_selfplay and name.startswith("epsilon") and self.explore == "random":
            return "explore random in plan selfplay"
        return ""

    def effective(self) -> Self:
        """Return these settings with defaults for those that make no difference to the table."""
        return replace(self, **{n: s.default for n, s in SETTINGS.items() if not self.matters(n)})

    def command(self) -> str:
        option = "opponent" if self.plan in OPPONENTS else "plan"
        words = [f"python -m traffic_lights.train --{option} {self.plan}"]
        for name, info in list(SETTINGS.items())[1:]:
            value = getattr(self, name)
            if (value != info.default and self.matters(name)) or name == "seed":
                text = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
                words.append(f"--{name.replace('_', '-')} {text}")
        return " ".join(words)

    def as_json(self) -> dict[str, Any]:
        values = asdict(self)
        # Tables are still written and read with the name of version 1.1.
        return {"programme": values.pop("plan"), **values, "shares": list(self.shares)}

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Return the settings that `as_json` made *value* of; raise SettingsError otherwise."""
        if not isinstance(value, dict):
            raise SettingsError("it does not say with what settings")
        # Tables of version 1 of the format have no practice.
        values = {"practice": "none", **value}
        values["plan"] = values.pop("programme", None)
        # Refuse other names: a setting that this program does not know has changed the table, and
        # continuing without it would make a table that no run gives.
        if other := values.keys() ^ SETTINGS.keys():
            raise SettingsError(f"its settings are not those of this program: {min(other)!r:.40}")
        shares = values["shares"]
        return cls(**{**values, "shares": tuple(shares) if type(shares) is list else ()}).checked()


SETTINGS: Final[Mapping[str, SettingInfo]] = {
    one.name: one.metadata["info"] for one in fields(RunSettings)
}


def parse_setting(name: str, text: str) -> Any:
    """Return the value that *text* gives the setting *name*; raise SettingsError."""
    info = SETTINGS[name]
    text = text.strip()
    value: Any = text
    if info.default is None and not text:
        return None
    if isinstance(info.default, float):
        value = share(text)
    elif isinstance(info.default, tuple):
        value = tuple(whole_number(word, info.lowest, info.highest) for word in text.split())
    elif not info.choices:
        value = whole_number(text, info.lowest, info.highest)
    check_setting(name, value is not None and info.accepts(value), text, info.limits)
    return value


def check_setting(name: str, holds: bool, value: object, limits: str) -> None:
    """Raise SettingsError, with the setting and its *limits*, unless *holds* is true."""
    if not holds:
        name = name.replace("_", "-")
        raise SettingsError(f"{name} is {value!r:.60}; it must be {limits}")
