"""A training run: the settings that determine it, and how far it is.

>>> RunSettings(programme="myopic", games=20_000, seed=1).checked().command()
'python -m traffic_lights.train --opponent myopic --games 20000 --seed 1'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from types import NoneType
from typing import Any, Final

from traffic_lights.board.baselines import BASELINES
from traffic_lights.board.rules import LONGEST_GAME

PROGRAMMES: Final = ("reverse", "selfplay", "baselines")
PROVING: Final = ("reverse", "selfplay")
"""The programmes that learn proofs alone, and end when nothing is left to prove."""
SHARERS: Final = ("random", "alternate", "self", "myopic")
"""The opponents of the programme baselines."""
UPDATES: Final = ("terminal", "last-action", "bootstrap", "monte-carlo")
PRACTICE_STAGE: Final = {"reverse": 1, "selfplay": 2}
"""The number of the stage that is practice, in the programmes that have one."""
EXPLORATIONS: Final = ("random", "least-visited")


def opponents() -> tuple[str, ...]:
    """Return whom a run can train against alone: every baseline, and itself."""
    return (*BASELINES, "self")


def practices() -> tuple[str, ...]:
    """Return what can follow a complete table: practice against a baseline, or none."""
    # Practice begins in the middle of games, where nobody can say how tired a bot is; and it plays
    # one image of a position, for all four.
    return (*(k for k, bot in BASELINES.items() if bot.is_symmetric and not bot.tires), "none")


class SettingsError(ValueError):
    """A setting that a run cannot have; the text is a sentence for people."""


_KINDS: Final[dict[type, tuple[str, Callable[[object], bool]]]] = {
    str: ("a text", lambda value: type(value) is str),
    int: ("a whole number", lambda value: type(value) is int),
    float: ("a number", lambda value: type(value) in (int, float)),
    NoneType: ("a whole number or null", lambda value: value is None or type(value) is int),
    tuple: (
        "a list of whole numbers",
        lambda value: isinstance(value, list) and all(type(part) is int for part in value),
    ),
}
"""What a setting is in a file, by the type of its default: in words, and whether a value is."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What determines a run: the same settings give the same table, to the byte."""

    programme: str = "reverse"
    games: int | None = None
    """Games of the run in all; None: until it is done."""
    seed: int = 1
    # Chosen together by exact scores against Myopic, on the seeds 41 to 47, of which no result is
    # shown. Taught by Myopic, α from 0.1 to 0.4 and ε from 0.05 to 0.2 serve about as well (some
    # 70 % after 20,000 games, 95 after 100,000); against itself much exploration does: 200,000
    # games make 34 % with ε 0.1, 48 with 0.15, 56 with these.
    alpha: float = 0.2
    """How far an estimate moves; proofs know no learning rate."""
    epsilon_start: float = 0.2
    epsilon_end: float = 0.15
    epsilon_decay: float = 0.99999
    update: str = "terminal"
    gamma: float = 1.0
    explore: str = "random"
    shares: tuple[int, int, int, int] = (1, 1, 1, 17)
    """How baselines divides its games among SHARERS."""
    practice: str = "myopic"
    """The opponent of the practice that ends a programme of PRACTICE_STAGE, or none."""

    @classmethod
    def wanted(cls, given: Mapping[str, Any]) -> RunSettings:
        """Return the settings with the values *given*; of ε given at one end, the other follows."""
        usual, values = cls(), dict(given)
        if "epsilon_start" in given:
            values.setdefault("epsilon_end", min(given["epsilon_start"], usual.epsilon_end))
        elif "epsilon_end" in given:
            values["epsilon_start"] = max(given["epsilon_end"], usual.epsilon_start)
        return cls(**values)

    def checked(self) -> RunSettings:
        """Return these settings with what they leave open filled in; raise SettingsError."""
        known = (*PROGRAMMES, *opponents())
        _check(self.programme in known, "programme", self.programme, f"one of {', '.join(known)}")
        _check(self.update in UPDATES, "update", self.update, "one of " + ", ".join(UPDATES))
        _check(
            self.explore in EXPLORATIONS,
            "explore",
            self.explore,
            "one of " + ", ".join(EXPLORATIONS),
        )
        _check(
            self.practice in practices(),
            "practice",
            self.practice,
            "one of " + ", ".join(practices()),
        )
        _check(0 < self.alpha <= 1, "alpha", self.alpha, "above 0 and at most 1")
        _check(0 <= self.epsilon_end <= 1, "epsilon-end", self.epsilon_end, "from 0 to 1")
        _check(
            self.epsilon_end <= self.epsilon_start <= 1,
            "epsilon-start",
            self.epsilon_start,
            "from epsilon-end to 1",
        )
        _check(
            0 < self.epsilon_decay <= 1,
            "epsilon-decay",
            self.epsilon_decay,
            "above 0 and at most 1",
        )
        _check(0 <= self.gamma <= 1, "gamma", self.gamma, "from 0 to 1")
        _check(
            len(self.shares) == len(SHARERS) and min(self.shares) >= 0 < sum(self.shares),
            "shares",
            self.shares,
            "four numbers from 0, not all 0",
        )
        # These two stop when signs prove that nothing is left to learn; an estimate never proves
        # it.
        if self.update != "terminal" and self.programme in PROVING:
            raise SettingsError(
                f"programme {self.programme} learns proofs, and update {self.update} estimates: "
                "choose an opponent or programme baselines for it"
            )
        games = self.games if self.games is not None else self._usual_games()
        _check(games is None or 1 <= games <= 10**12, "games", games, "from 1 to 1,000,000,000,000")
        practice = self.practice if self.programme in PRACTICE_STAGE else "none"
        return replace(self, games=games, practice=practice)

    def _usual_games(self) -> int | None:
        if self.programme == "baselines":
            return 400_000
        return 100_000 if self.programme in opponents() else None

    def effective(self) -> RunSettings:
        """Return these settings with the usual value of each that makes no difference to the run.

        Equal ones give the same table.
        """
        unused = {"shares"} if self.programme != "baselines" else set()
        if self.update in ("terminal", "last-action"):
            unused.add("gamma")
        if self.programme in PROVING:
            unused.add("alpha")
            # What is not proven to lose is all worth the same: one explores by playing on.
            if self.programme == "reverse" or self.explore == "random":
                unused |= {"epsilon_start", "epsilon_end", "epsilon_decay"}
        if self.programme == "reverse":
            unused.add("explore")
        usual = RunSettings()
        return replace(self, **{name: getattr(usual, name) for name in unused})

    def command(self) -> str:
        """Return the command that trains with these settings from nothing."""
        words = ["python -m traffic_lights.train"]
        if self.programme in opponents():
            words.append(f"--opponent {self.programme}")
        else:
            words.append(f"--programme {self.programme}")
        defaults = RunSettings()
        for field in fields(self)[1:]:
            value = getattr(self, field.name)
            if field.name == "practice" and self.programme not in PRACTICE_STAGE:
                continue
            if value != getattr(defaults, field.name) or field.name == "seed":
                text = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
                words.append(f"--{field.name.replace('_', '-')} {text}")
        return " ".join(words)

    def as_json(self) -> dict[str, Any]:
        """Return the settings as plain values, by field name."""
        return {**asdict(self), "shares": list(self.shares)}

    @classmethod
    def from_json(cls, value: object) -> RunSettings:
        """Return the settings that `as_json` made *value* of; raise SettingsError otherwise."""
        if not isinstance(value, dict):
            raise SettingsError("it does not say with what settings")
        value = {"practice": "none", **value}  # there was none in version 1 of the table's file
        # These names and no others: a setting that this program does not know would have changed
        # the table, and to go on without it would make one that no run gives.
        names = {field.name for field in fields(cls)}
        if unknown := value.keys() - names:
            raise SettingsError(f"this program does not know the setting {min(unknown)!r:.40}")
        if missing := names - value.keys():
            raise SettingsError(f"it does not say the setting {min(missing)}")
        for field in fields(cls):
            kind, is_of_kind = _KINDS[type(field.default)]
            _check(is_of_kind(value[field.name]), field.name, value[field.name], kind)
        return cls(**{**value, "shares": tuple(value["shares"])}).checked()


def _check(holds: bool, name: str, value: object, expected: str) -> None:
    if not holds:
        raise SettingsError(f"{name} is {value!r:.60}, and must be {expected}")


# A resume draws as many words at once as the file says: a damaged number must not take all memory.
_BOUNDS: Final = {"epsilon": (0, 1), "ply": (-1, LONGEST_GAME), "drawn": (0, 10**6)}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is, at a batch boundary: with the table and the settings, all of its state."""

    epsilon: float
    batch: int = 0
    games: int = 0
    stage: int = 0
    stage_games: int = 0
    ply: int = -1
    """The ply that the stage works on; -1 where stages do not go by ply."""
    index: int = 0
    """How many of that ply's starting positions are done."""
    changes: int = 0
    """How many values the run has changed."""
    drawn: int = 0
    """The 32-bit random words that the batch used before the end of the run cut it short."""

    def as_json(self) -> dict[str, Any]:
        """Return the progress as plain values, by field name; of drawn words only if there are."""
        values = asdict(self)
        if not self.drawn:
            # Few runs end within a batch; the files of all others read as they always did.
            del values["drawn"]
        return values

    @classmethod
    def from_json(cls, value: object) -> Progress:
        """Return the progress that `as_json` made *value* of; raise SettingsError otherwise."""
        names = {field.name for field in fields(cls)}
        # Version 1.0 did not count changes.
        if not isinstance(value, dict) or not names - {"drawn", "changes"} <= set(value) <= names:
            raise SettingsError("it does not say how far the run is")
        for field in fields(cls):
            number = value.get(field.name, 0)
            lowest, highest = _BOUNDS.get(field.name, (0, 10**15))
            is_number = type(number) is int or (field.name == "epsilon" and type(number) is float)
            _check(
                is_number and lowest <= number <= highest,
                field.name,
                number,
                f"a number from {lowest} to {highest}",
            )
        return cls(**value)
