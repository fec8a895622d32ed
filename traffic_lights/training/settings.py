"""The settings of a training run, each described once.

The options of the command, its menu, the form of the Workshop and the checks of files are made
from the fields of `RunSettings`. To add a setting, add a field.

>>> RunSettings(plan="myopic", games=20_000, seed=1).command()
'python -m traffic_lights.train --opponent myopic --games 20000 --seed 1'
>>> SETTINGS["alpha"].read("0,3"), SETTINGS["games"].read("20,000"), SETTINGS["games"].read("")
(0.3, 20000, None)
>>> SETTINGS["alpha"].read("2")  # doctest: +IGNORE_EXCEPTION_DETAIL
Traceback (most recent call last):
    ...
SettingsError: alpha is '2'; it must be above 0 and at most 1
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any, Final, Self

from traffic_lights.board.baselines import BASELINES
from traffic_lights.learning.exploration import EXPLORATION_RULES
from traffic_lights.learning.update_rules import UPDATE_RULES
from traffic_lights.storage.kinds import Kind, KindError, ListOf, OneOf, OrNone, Share, Whole
from traffic_lights.storage.words import MOST_SEED
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
    is_against_itself: bool = False
    """Whether the bot is its own opponent, which always finds a proven win."""


CURRICULUM: Final = ("random", "alternate", "self", "myopic")
"""The opponents of plan baselines, in turn. Myopic comes last because it teaches most."""
PLANS: Final[Mapping[str, Plan]] = {
    **{
        bot.key: Plan(
            bot.name,
            f"against {bot.name}",
            f"{bot.about} The bot learns only from games against {bot.name}, so it learns little "
            f"about positions that {bot.name} seldom allows.",
            games=100_000,
        )
        for bot in reversed(BASELINES.values())
    },
    "self": Plan(
        "Itself",
        "against itself",
        "The bot plays itself, from the empty board.",
        games=100_000,
        is_against_itself=True,
    ),
    "baselines": Plan(
        "All of them",
        "against Random, Alternate, itself, then Myopic",
        "The bot plays Random, Alternate and itself for a while, then only Myopic.",
        games=400_000,
    ),
    "selfplay": Plan(
        "Itself, until both sides are proven",
        "from the empty board until its play in both seats is proven",
        "The bot plays itself until it provably never throws away a win, then trains lost "
        "positions against Myopic. Positions it can never reach are skipped.",
        is_against_itself=True,
    ),
    "reverse": Plan(
        "From the end backwards: perfect play",
        "from the end of the game backwards, until it is perfect",
        "The bot starts near the end of the game and works back to the empty board. When "
        "every position is solved, it trains lost positions against Myopic.",
        is_against_itself=True,
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
# Practice begins in the middle of a game, where the fatigue of a bot is unknown, and it plays one
# image of a position for all four.
_PRACTICE: Final = {
    **{
        bot.key: bot.name
        for bot in reversed(BASELINES.values())
        if bot.is_symmetric and not bot.tires
    },
    "none": "Nobody",
}
"""The opponents of the practice, and what the form calls them."""


# --- what is known of a setting ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting: all that a command, a form and a file need to know of it."""

    name: str = ""
    """That of the field of `RunSettings`."""
    kind: Kind
    default: Any
    label: str
    """What the form calls it."""
    help: str
    """What it means, in words that can follow its name."""
    abouts: Mapping[str, str] = field(default_factory=dict)
    """What its choices come to, in sentences, by their values; those that say more than *help*."""
    plans: Collection[str] = tuple(PLANS)
    """The plans to which it makes a difference."""
    updates: Collection[str] = tuple(UPDATE_RULES)
    """The update rules to which it makes a difference."""
    if_absent: Any = None
    """What a file without it means; None: the default."""

    @property
    def option(self) -> str:
        """What commands and errors call it."""
        return self.name.replace("_", "-")

    @property
    def choices(self) -> Mapping[str, str]:
        """What the form calls each value, if only these values are possible."""
        return self.kind.choices if isinstance(self.kind, OneOf) else {}

    @property
    def about_choices(self) -> str:
        """What each of its choices comes to; mostly empty."""
        return "".join(f". {key}: {text[:-1]}" for key, text in self.abouts.items())

    @property
    def description(self) -> str:
        """What it means, what it can be and what it is by default."""
        text = f"{self.help}; {self.kind.must}"
        if self.default is not None:
            text += f" (default {written(self.default)})"
        return text + self.about_choices

    def check(self, value: object) -> Any:
        """Return the *value* of a file or a script; raise SettingsError if no run can have it."""
        return self._named(self.kind.check, value)

    def read(self, text: str) -> Any:
        """Return the value that a user has typed as *text*; raise SettingsError."""
        return self._named(self.kind.read, text)

    def _named(self, take: Callable[[Any], Any], value: Any) -> Any:
        """Return what *take* makes of *value*; its error names this setting."""
        try:
            return take(value)
        except KindError as error:
            text = f"{self.option} is {value!r:.60}; it must be {error.must}"
            raise SettingsError(text, self.name, error.must) from error

    def meaning_of_absence(self) -> Any:
        """Return the value that a file without this setting means."""
        return self.default if self.if_absent is None else self.if_absent


class Weights(ListOf):
    """A list of whole numbers that are not all 0."""

    @property
    def must(self) -> str:
        assert isinstance(self.kind, Whole)
        return f"{self.count} whole numbers from 0 to {self.kind.highest:,}, not all 0"

    def check(self, value: Any) -> tuple[int, ...]:
        numbers = super().check(value)
        if not any(numbers):
            raise self.refusal(value)
        return numbers


def written(value: Any) -> str:
    """Return the words of *value* for a command line, which its setting reads again."""
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _setting(kind: Kind, default: Any, label: str, help: str, **more: Any) -> Any:  # noqa: A002
    known = Setting(kind=kind, default=default, label=label, help=help, **more)
    return field(default=default, metadata={"setting": known})


# --- the settings ---


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What determines a run: the same settings give the same table, to the byte.

    Each value is one that its `Setting` accepts, and they fit together: to make one that does not
    raises SettingsError. What is left open gets the default of the plan.
    """

    plan: str = _setting(
        OneOf({key: plan.label for key, plan in PLANS.items()}),
        "reverse",
        "Opponent",
        "what is played, or the one opponent",
        abouts={key: plan.about for key, plan in PLANS.items()},
    )
    games: int | None = _setting(
        OrNone(Whole(1, 10**12)),
        None,
        "Games",
        "games of the whole run, including those before a resume; default "
        f"{PLANS['self'].games} against one opponent, {PLANS['baselines'].games} for "
        "baselines, otherwise until the plan is done",
    )
    seed: int = _setting(
        Whole(0, MOST_SEED),
        1,
        "Seed",
        "the number that all random choices follow from; the same settings and seed make the "
        "same bot",
    )
    # Version 1.3 compared these four with others, on seeds that no published result uses (3001 to
    # 3020). These were the exact scores against Myopic after 20,000 games, with an error of about
    # 1.3 points: 75.0 % with these, 75.7 % with ε 0.1 throughout, 71.6 % with ε from 1 down to 0.1.
    # Self-play needs more exploration, so these stay.
    alpha: float = _setting(
        Share(is_positive=True),
        0.2,
        "Learning rate α",
        "how far an estimate moves towards its target after a game: 0.2 is a fifth of the way, "
        "1 all of it; a small α learns slowly, a large one forgets earlier games",
        plans=_LEARNING,
    )
    epsilon_start: float = _setting(
        Share(),
        0.2,
        "ε at the start",
        "the share of moves that explore in the first games; all others are the best that the "
        "bot knows; if left out, at least the rate at the end",
        plans=("selfplay", *_LEARNING),
    )
    epsilon_end: float = _setting(
        Share(),
        0.15,
        "ε at the end",
        "the share of moves that explore in the end, when ε does not shrink any more; if left "
        "out, at most the rate at the start",
        plans=("selfplay", *_LEARNING),
    )
    epsilon_decay: float = _setting(
        Share(is_positive=True),
        0.99999,
        "ε decay per game",
        "the factor by which ε shrinks after each game, down to ε at the end; 1 keeps ε",
        plans=("selfplay", *_LEARNING),
    )
    update: str = _setting(
        OneOf({key: rule.label for key, rule in UPDATE_RULES.items()}),
        "terminal",
        "Update rule",
        "which values change after a game, and towards what",
        abouts={key: rule.about for key, rule in UPDATE_RULES.items()},
        plans=_LEARNING,
    )
    gamma: float = _setting(
        Share(),
        1.0,
        "Discount γ",
        "the factor by which a result counts less for each turn before it; 1 means no discount, "
        "so a late win is worth as much as an early one",
        plans=_LEARNING,
        updates=tuple(key for key, rule in UPDATE_RULES.items() if rule.uses_gamma),
    )
    explore: str = _setting(
        OneOf({key: one.label for key, one in EXPLORATION_RULES.items()}),
        "random",
        "Exploration",
        "which moves an exploring bot tries",
        abouts={key: one.about for key, one in EXPLORATION_RULES.items()},
        plans=("selfplay", *_LEARNING),
    )
    shares: tuple[int, ...] = _setting(
        Weights(Whole(0, 10**6), len(CURRICULUM)),
        (1, 1, 1, 17),
        "Shares",
        "how to divide the games among Random, Alternate, itself and Myopic",
        plans=("baselines",),
    )
    practice: str = _setting(
        OneOf(_PRACTICE),
        "myopic",
        "Practice against",
        "opponent in the tries after the games, of every move in lost positions",
        plans=PROVING,
        if_absent="none",  # tables of version 1 of the format have no practice
    )

    def __post_init__(self) -> None:
        for name, setting in SETTINGS.items():
            setting.check(getattr(self, name))
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
        values = {name: SETTINGS[name].check(value) for name, value in given.items()}
        if "epsilon_end" in values:
            usual = SETTINGS["epsilon_start"].default
            values.setdefault("epsilon_start", max(usual, values["epsilon_end"]))
        elif "epsilon_start" in values:
            values["epsilon_end"] = min(SETTINGS["epsilon_end"].default, values["epsilon_start"])
        return cls(**values)

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

    @property
    def is_against_itself(self) -> bool:
        """Whether the bot is its own opponent in these games."""
        return PLANS[self.plan].is_against_itself

    def command(self) -> str:
        """Return the command that makes such a run."""
        option = "opponent" if self.plan in OPPONENTS else "plan"
        words = [f"python -m traffic_lights.train --{option} {self.plan}"]
        for name, setting in SETTINGS.items():
            value = getattr(self, name)
            is_needed = name == "seed" or (value != setting.default and self.matters(name))
            if is_needed and name != "plan":
                words.append(f"--{setting.option} {written(value)}")
        return " ".join(words)

    def as_json(self) -> dict[str, Any]:
        """Return the plain values, as a checkpoint and the meta of a table hold them."""
        plain: dict[str, Any] = {_PLAN: self.plan}
        for name in SETTINGS:
            if name != "plan":
                value = getattr(self, name)
                plain[name] = list(value) if isinstance(value, tuple) else value
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
                values[name] = setting.check(given[name])
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
