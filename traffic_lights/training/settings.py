"""The settings of a training run, each described once.

The options of the command, its menu, the form of the Workshop and the checks of files are made
from the fields of `RunSettings`. To add a setting, add a field.

>>> RunSettings(plan="myopic", games=20_000, seed=1).command()
'python -m traffic_lights.train --opponent myopic --games 20000 --seed 1'
>>> SETTINGS["alpha"].parse("0,3"), SETTINGS["games"].parse("20,000"), SETTINGS["games"].parse("")
(0.3, 20000, None)
>>> SETTINGS["alpha"].parse("2")  # doctest: +IGNORE_EXCEPTION_DETAIL
Traceback (most recent call last):
    ...
SettingsError: alpha is '2'; it must be above 0 and at most 1
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from numbers import Real
from typing import Any, Final, Self

from traffic_lights.board.baselines import BASELINES
from traffic_lights.storage.words import MOST_SEED, as_whole_number, share, whole_number
from traffic_lights.version import __version__


class SettingsError(ValueError):
    """A setting that a run cannot have; the text is one sentence, without its full stop."""

    def __init__(self, text: str, name: str = "", must: str = "") -> None:
        super().__init__(text)
        self.name = name
        """The setting; empty if there is not just one."""
        self.must = must
        """What its value must be, in the words of the form, which follow "must be"."""


class UnknownSettingError(SettingsError):
    """A file has a setting that this version of the program does not know."""


# --- what a run can play ---


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run plays."""

    label: str
    """What the form calls it."""
    help: str
    """What the command calls it, in words that follow "train"."""
    about: str
    """What comes of it, in sentences for the form."""
    games: int | None = None
    """The games of a run that are played by default; None: until the plan is done."""


CURRICULUM: Final = ("random", "alternate", "self", "myopic")
"""The opponents of plan baselines, in turn. Myopic comes last because it teaches most."""
PLANS: Final[Mapping[str, Plan]] = {
    **{
        bot.key: Plan(
            bot.name,
            f"against {bot.name}",
            f"The bot learns only from games against {bot.name}, so it learns nothing about "
            f"positions that {bot.name} never allows.",
            games=100_000,
        )
        for bot in reversed(BASELINES.values())
    },
    "self": Plan(
        "Itself",
        "against itself",
        "The bot plays itself, from the empty board.",
        games=100_000,
    ),
    "baselines": Plan(
        "All of them",
        "against Random, Alternate, itself, then Myopic",
        "The bot plays Random, Alternate and itself for a while, then mostly Myopic.",
        games=400_000,
    ),
    "selfplay": Plan(
        "Itself, until both sides are proven",
        "from the empty board until its play in both seats is proven",
        "The bot plays itself until it provably never throws away a win, then trains lost "
        "positions against Myopic. Positions it can never reach are skipped.",
    ),
    "reverse": Plan(
        "From the end backwards: becomes perfect",
        "from the end of the game backwards, until it is perfect",
        "The bot starts near the end of the game and works back to the empty board. When "
        "every position is solved, it trains lost positions against Myopic.",
    ),
}
"""What a run can play, by the names on the command line, in the order of the form."""
OPPONENTS: Final = (*BASELINES, "self")
"""The plans against one opponent."""
_PLAN: Final = "programme"
"""What files call the plan, as in version 1.1."""
PROVING: Final = ("reverse", "selfplay")
"""The plans that learn only proofs, and end when nothing is left to prove."""
_LEARNING: Final = ("baselines", *OPPONENTS)
"""The plans that learn estimates."""
UPDATES: Final = {
    "terminal": "Proofs and estimates",
    "last-action": "Last move only",
    "bootstrap": "One-step Q-learning",
    "monte-carlo": "Monte Carlo returns",
}
"""The update rules, and what the form calls them."""


# --- the kinds of settings ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting: all that a command, a form and a file need to know of it."""

    name: str = ""
    """That of the field of `RunSettings`."""
    default: Any
    label: str
    """What the form calls it."""
    help: str
    """What it means, in words that can follow its name."""
    plans: Collection[str] = tuple(PLANS)
    """The plans to which it makes a difference."""
    updates: Collection[str] = tuple(UPDATES)
    """The update rules to which it makes a difference."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """What the form calls each value, if only these values are possible."""
    since: str = ""
    """The version that brought it, if it came after 1.2.

    Files hold such a setting only if it differs from what they mean without it, so that a new
    setting changes no byte of the tables of runs that do not use it.
    """
    if_absent: Any = None
    """What a file without it means; None: the default."""

    @property
    def option(self) -> str:
        """What commands and errors call it."""
        return self.name.replace("_", "-")

    @property
    def limits(self) -> str:
        """What a value must be, in words that follow "it must be"."""
        raise NotImplementedError

    @property
    def words(self) -> int:
        """How many words its value has on a command line."""
        return 1

    @property
    def description(self) -> str:
        """What it means, what it can be and what it is by default."""
        text = f"{self.help}; {self.limits}"
        if self.default is not None:
            text += f" (default {self.written(self.default)})"
        return text

    def accepts(self, value: object) -> bool:
        """Return whether a run can have *value*."""
        raise NotImplementedError

    def from_python(self, value: object) -> Any:
        """Return the *value* that a script gives, as plain as `accepts` wants it.

        Numbers of other packages become those of Python. Raise TypeError if it is of another type,
        SettingsError if a run cannot have it.
        """
        plain = self._plain(value)
        if plain is _NOTHING:
            raise TypeError(self.refusal(value))
        return self.checked(plain)

    def _plain(self, value: object) -> Any:
        """Return *value* in the type of this setting; `_NOTHING` if it is of another type."""
        raise NotImplementedError

    def parse(self, text: str) -> Any:
        """Return the value that a user has typed as *text*; raise SettingsError."""
        value = self._read(text.strip())
        if value is _NOTHING or not self.accepts(value):
            raise self.refusal(text)
        return value

    def _read(self, text: str) -> Any:
        """Return the value that *text* stands for; `_NOTHING` if it stands for none."""
        raise NotImplementedError

    def format(self, value: Any) -> str:
        """Return the text of *value* for people, which `parse` takes for it again."""
        return self.written(value)

    def written(self, value: Any) -> str:
        """Return the words of *value* for a command line, which `parse` takes for it again."""
        return str(value)

    def as_json(self, value: Any) -> Any:
        """Return what a file holds of *value*."""
        return value

    def from_json(self, plain: Any) -> Any:
        """Return the value that `as_json` made *plain* of; raise SettingsError."""
        return self.checked(plain)

    def checked(self, value: Any) -> Any:
        """Return *value*; raise SettingsError if no run can have it."""
        if not self.accepts(value):
            raise self.refusal(value)
        return value

    def refusal(self, value: object) -> SettingsError:
        """Return the error that refuses *value*."""
        text = f"{self.option} is {value!r:.60}; it must be {self.limits}"
        return SettingsError(text, self.name, self.limits)

    def meaning_of_absence(self) -> Any:
        """Return the value that a file without this setting means."""
        return self.default if self.if_absent is None else self.if_absent


_NOTHING: Final = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceSetting(Setting):
    """One of a few words."""

    @property
    def limits(self) -> str:
        return "one of " + ", ".join(self.choices)

    def accepts(self, value: object) -> bool:
        return value in tuple(self.choices)

    def _plain(self, value: object) -> Any:
        return value if isinstance(value, str) else _NOTHING

    def _read(self, text: str) -> Any:
        return text


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeSetting(Setting):
    """A whole number, which may be left open if the default is None."""

    lowest: int = 0
    highest: int

    @property
    def limits(self) -> str:
        return f"a whole number from {self.lowest:,} to {self.highest:,}"

    def accepts(self, value: object) -> bool:
        if value is None:
            return self.default is None
        # JSON has true, which isinstance takes for an int.
        return type(value) is int and self.lowest <= value <= self.highest

    def _plain(self, value: object) -> Any:
        number = as_whole_number(value)
        return _NOTHING if number is None else number

    def _read(self, text: str) -> Any:
        if not text and self.default is None:
            return None
        number = whole_number(text, self.lowest, self.highest)
        return _NOTHING if number is None else number

    def format(self, value: Any) -> str:
        if value is None:
            return ""
        return f"{value:,}" if value >= 10_000 else str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareSetting(Setting):
    """A number from 0 to 1."""

    is_positive: bool = False
    """Whether 0 is refused."""

    @property
    def limits(self) -> str:
        return "above 0 and at most 1" if self.is_positive else "a number from 0 to 1"

    def accepts(self, value: object) -> bool:
        if type(value) is not float and type(value) is not int:
            return False
        return 0 <= value <= 1 and not (self.is_positive and value == 0)

    def _plain(self, value: object) -> Any:
        if isinstance(value, bool) or not isinstance(value, Real):
            return _NOTHING
        return float(value)

    def _read(self, text: str) -> Any:
        number = share(text)
        return _NOTHING if number is None else number


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightsSetting(Setting):
    """As many whole numbers as the default has, not all of them 0."""

    highest: int

    @property
    def words(self) -> int:
        return len(self.default)

    @property
    def limits(self) -> str:
        return f"{self.words} whole numbers from 0 to {self.highest:,}, not all 0"

    def accepts(self, value: object) -> bool:
        if not isinstance(value, tuple) or len(value) != self.words:
            return False
        are_within = all(type(n) is int and 0 <= n <= self.highest for n in value)
        return are_within and any(value)

    def _plain(self, value: object) -> Any:
        if isinstance(value, str) or not isinstance(value, Iterable):
            return _NOTHING
        return tuple(map(as_whole_number, value))

    def _read(self, text: str) -> Any:
        return tuple(whole_number(word, 0, self.highest) for word in text.split())

    def written(self, value: Any) -> str:
        return " ".join(map(str, value))

    def as_json(self, value: Any) -> Any:
        return list(value)

    def from_json(self, plain: Any) -> Any:
        return self.checked(tuple(plain) if type(plain) is list else plain)


def _field(setting: Setting) -> Any:
    return field(default=setting.default, metadata={"setting": setting})


# --- the settings ---


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What determines a run: the same settings give the same table, to the byte.

    Each value is one that its `Setting` accepts, and they fit together: to make one that does not
    raises SettingsError. What is left open gets the default of the plan.
    """

    plan: str = _field(
        ChoiceSetting(
            default="reverse",
            label="Opponent",
            help="what is played, or the one opponent",
            choices={key: plan.label for key, plan in PLANS.items()},
        )
    )
    games: int | None = _field(
        WholeSetting(
            default=None,
            label="Games",
            help="games of the whole run, including those before a resume; default "
            f"{PLANS['self'].games} against one opponent, {PLANS['baselines'].games} for "
            "baselines, otherwise until the plan is done",
            lowest=1,
            highest=10**12,
        )
    )
    seed: int = _field(
        WholeSetting(
            default=1,
            label="Seed",
            help="seed of all random choices; the same seed repeats the run",
            highest=MOST_SEED,
        )
    )
    # These four were compared with others by exact scores against Myopic after 20,000 games, on
    # seeds that no published result uses (3001 to 3020): 75.0 % with these, 75.7 % with ε 0.1
    # throughout, 71.6 % with ε from 1 down to 0.1, each with an error of about 1.3 points.
    # Self-play needs more exploration, so these stay.
    alpha: float = _field(
        ShareSetting(
            default=0.2,
            label="Learning rate α",
            help="learning rate of estimates",
            is_positive=True,
            plans=_LEARNING,
        )
    )
    epsilon_start: float = _field(
        ShareSetting(
            default=0.2,
            label="ε at the start",
            help="exploration rate at the start; if left out, at least the rate at the end",
            plans=("selfplay", *_LEARNING),
        )
    )
    epsilon_end: float = _field(
        ShareSetting(
            default=0.15,
            label="ε at the end",
            help="exploration rate at the end; if left out, at most the rate at the start",
            plans=("selfplay", *_LEARNING),
        )
    )
    epsilon_decay: float = _field(
        ShareSetting(
            default=0.99999,
            label="ε decay per game",
            help="factor of the exploration rate per game",
            is_positive=True,
            plans=("selfplay", *_LEARNING),
        )
    )
    update: str = _field(
        ChoiceSetting(
            default="terminal",
            label="Update rule",
            help="which values change after a game, and towards what",
            choices=UPDATES,
            plans=_LEARNING,
        )
    )
    gamma: float = _field(
        ShareSetting(
            default=1.0,
            label="Discount γ",
            help="discount factor γ per turn; 1 means none",
            plans=_LEARNING,
            updates=("bootstrap", "monte-carlo"),
        )
    )
    explore: str = _field(
        ChoiceSetting(
            default="random",
            label="Exploration",
            help="what to explore: any move, or the moves tried least",
            choices={"random": "Random moves", "least-visited": "Least visited moves"},
            plans=("selfplay", *_LEARNING),
        )
    )
    shares: tuple[int, ...] = _field(
        WeightsSetting(
            default=(1, 1, 1, 17),
            label="Shares",
            help="how to divide the games among Random, Alternate, itself and Myopic",
            highest=10**6,
            plans=("baselines",),
        )
    )
    practice: str = _field(
        ChoiceSetting(
            default="myopic",
            label="Practice against",
            help="opponent of the last games, which try every move in lost positions",
            # It begins in the middle of a game, where the fatigue of a bot is unknown, and it plays
            # one image of a position for all four.
            choices={
                **{
                    bot.key: bot.name
                    for bot in reversed(BASELINES.values())
                    if bot.is_symmetric and not bot.tires
                },
                "none": "Nobody",
            },
            plans=PROVING,
            # Tables of version 1 of the format have no practice.
            if_absent="none",
        )
    )

    def __post_init__(self) -> None:
        for name, setting in SETTINGS.items():
            setting.checked(getattr(self, name))
        if self.epsilon_end > self.epsilon_start:
            raise SettingsError(
                f"epsilon-end is {self.epsilon_end}; it must be at most epsilon-start "
                f"({self.epsilon_start})",
                name="epsilon_end",
                must=f"at most {SETTINGS['epsilon_start'].label}",
            )
        # These two plans end when everything is proven, and an estimate proves nothing.
        if self.update != "terminal" and self.plan in PROVING:
            raise SettingsError(
                f"update {self.update} learns estimates, but plan {self.plan} learns only proofs; "
                "use it with one opponent or plan baselines",
                name="update",
            )
        if self.games is None:
            object.__setattr__(self, "games", PLANS[self.plan].games)
        if self.plan not in PROVING:
            object.__setattr__(self, "practice", "none")

    @classmethod
    def wanted(cls, given: Mapping[str, Any]) -> Self:
        """Return the settings with the values *given*, by name.

        If one ε is given, the default of the other follows it. Raise SettingsError if a name is
        unknown, or if a run cannot have these values.
        """
        for name in given:
            if name not in SETTINGS:
                close = get_close_matches(name, SETTINGS, 1)
                hint = f"; did you mean {close[0]}?" if close else ""
                raise SettingsError(f"unknown setting {name!r:.60}{hint}", name)
        follow: dict[str, Any] = {}
        end = given.get("epsilon_end")
        start = given.get("epsilon_start")
        if start is None and SETTINGS["epsilon_end"].accepts(end):
            follow["epsilon_start"] = max(SETTINGS["epsilon_start"].default, end)
        if end is None and SETTINGS["epsilon_start"].accepts(start):
            follow["epsilon_end"] = min(SETTINGS["epsilon_end"].default, start)
        return cls(**{**follow, **given})

    def refuse_unused(self, names: Iterable[str]) -> None:
        """Raise SettingsError if one of the settings *names* makes no difference to the table."""
        for name in names:
            if reason := self._why_unused(name):
                raise SettingsError(
                    f"{SETTINGS[name].option} makes no difference with {reason}: leave it out", name
                )

    def matters(self, name: str) -> bool:
        """Return whether the setting *name* makes a difference to the table."""
        return not self._why_unused(name)

    def _why_unused(self, name: str) -> str:
        """Return which choice makes the setting *name* useless; empty if it is of use."""
        return why_unused(name, plan=self.plan, update=self.update, explore=self.explore)

    def effective(self) -> Self:
        """Return these settings with defaults for those that make no difference to the table."""
        unused = [name for name in SETTINGS if not self.matters(name)]
        return replace(self, **{name: SETTINGS[name].default for name in unused})

    def command(self) -> str:
        """Return the command that makes such a run."""
        option = "opponent" if self.plan in OPPONENTS else "plan"
        words = [f"python -m traffic_lights.train --{option} {self.plan}"]
        for name, setting in SETTINGS.items():
            value = getattr(self, name)
            is_needed = name == "seed" or (value != setting.default and self.matters(name))
            if is_needed and name != "plan":
                words.append(f"--{setting.option} {setting.written(value)}")
        return " ".join(words)

    def as_json(self) -> dict[str, Any]:
        """Return the plain values, as a checkpoint and the meta of a table hold them."""
        plain: dict[str, Any] = {_PLAN: self.plan}
        for name, setting in SETTINGS.items():
            value = getattr(self, name)
            if name == "plan" or (setting.since and value == setting.meaning_of_absence()):
                continue
            plain[name] = setting.as_json(value)
            if setting.since:
                # An earlier version, which refuses the setting, can then say who has written it.
                plain["version"] = __version__
        return plain

    @classmethod
    def from_json(cls, plain: object) -> Self:
        """Return the settings that `as_json` made *plain* of, perhaps in another version.

        Raise UnknownSettingError for a setting that this version does not know: it has changed the
        table, and a run without it would make another one. Raise SettingsError if the values are
        not those of a run.
        """
        if not isinstance(plain, dict) or _PLAN not in plain:
            raise SettingsError("it does not say with what settings")
        given = {**plain, "plan": plain[_PLAN]}
        del given[_PLAN]
        version = given.pop("version", None)
        for name in given:
            if name not in SETTINGS:
                writer = f"version {version}" if isinstance(version, str) else "another version"
                raise UnknownSettingError(
                    f"its setting {name!r:.40} is not known to version {__version__} of this "
                    f"program; it was written by {writer:.40}",
                    name,
                )
        values = {}
        for name, setting in SETTINGS.items():
            if name in given:
                values[name] = setting.from_json(given[name])
            else:
                values[name] = setting.meaning_of_absence()
        return cls(**values)


SETTINGS: Final[Mapping[str, Setting]] = {
    one.name: replace(one.metadata["setting"], name=one.name) for one in fields(RunSettings)
}


def why_unused(name: str, *, plan: str, update: str, explore: str) -> str:
    """Return which of these choices makes the setting *name* useless; empty if it is of use."""
    setting = SETTINGS[name]
    if plan not in setting.plans:
        return f"plan {plan}"
    if update not in setting.updates:
        return f"update {update}"
    # There, all moves that are not proven losses have the same value, so every move explores.
    if plan == "selfplay" and name.startswith("epsilon") and explore == "random":
        return "explore random in plan selfplay"
    return ""
