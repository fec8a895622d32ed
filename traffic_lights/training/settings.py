"""The settings of a training run, each described once.

The options of the command, the form of the Workshop and the checks of files are made from the
fields of `RunSettings`. To add a setting, add a field, and give it to what uses it, such as the
learner in `learner_for`. What it does in a game must not depend on how many games the run has,
because that can be changed while the run is unfinished.

>>> RunSettings(plan="myopic", games=20_000, seed=1).command()
'python -m traffic_lights.train --opponent myopic --games 20000 --seed 1'
>>> SETTINGS["alpha"].read("0,3"), SETTINGS["games"].read("20,000"), SETTINGS["games"].read("")
(0.3, 20000, None)
>>> SETTINGS["alpha"].read("2")  # doctest: +IGNORE_EXCEPTION_DETAIL
Traceback (most recent call last):
    ...
SettingsError: alpha is '2'; it must be above 0 and at most 1
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Final, Self

from traffic_lights.board.baselines import BASELINES
from traffic_lights.learning.exploration import EXPLORATION_RULES
from traffic_lights.learning.update_rules import UPDATE_RULES
from traffic_lights.storage.kinds import Kind, KindError, Number, OneOf, OrNone, Whole


class SettingsError(ValueError):
    """A setting that a run cannot have; the text is one sentence, without its full stop."""

    def __init__(self, text: str, name: str = "", must: str = "") -> None:
        super().__init__(text)
        self.name = name
        """The setting; empty if there is not just one."""
        self.must = must
        """What its value must be, in the words of the form, which follow "must be"."""


# --- what a run can play ---

REVERSE: Final = "reverse"
"""The plan that proves every position; all others play against one opponent."""
SELF: Final = "self"
GAMES: Final = 100_000
"""The games against an opponent, if none are named; the plan *reverse* plays until it is done."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run plays."""

    label: str
    """What the form calls it."""
    help: str
    """What commands call it, in words that follow "train"."""
    about: str
    """What comes of it, in sentences for the form."""


PLANS: Final[Mapping[str, Plan]] = {
    **{
        bot.key: Plan(
            bot.name,
            f"against {bot.name}",
            f"{bot.about} The bot learns only from games against {bot.name}, so it learns little "
            f"about positions that {bot.name} seldom allows.",
        )
        for bot in reversed(BASELINES.values())
    },
    SELF: Plan("Itself", "against itself", "The bot plays itself, from the empty board."),
    REVERSE: Plan(
        "Solve backwards",
        "from the end of the game backwards",
        "The bot works back from the end of the game to the empty board, until it plays "
        "perfectly. Then it trains lost positions against Myopic.",
    ),
}
"""What a run can play, by the names in files, in the order of the form."""
# Practice begins in the middle of a game, where the fatigue of a bot is unknown.
_PRACTICE: Final = {
    **{bot.key: bot.name for bot in reversed(BASELINES.values()) if not bot.tires},
    "none": "Nobody",
}
"""The opponents of the practice, and what the form calls them."""


def why_unused(name: str, *, plan: str, update: str) -> str:
    """Return which choice makes the setting *name* useless; empty if it is of use."""
    if plan == REVERSE:
        is_used = name in ("plan", "seed", "practice")
        return "" if is_used else f"opponent {REVERSE}, the default"
    if name == "practice":
        return "an opponent"
    is_unused = name == "gamma" and not UPDATE_RULES[update].uses_gamma
    return f"update {update}" if is_unused else ""


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
    left_out: str = ""
    """What a command does without it, if that is more than to take the default."""
    abouts: Mapping[str, str] = field(default_factory=dict)
    """What its choices come to, in sentences, by their values; those that say more than *help*."""

    @property
    def option(self) -> str:
        """What commands and errors call it."""
        return "opponent" if self.name == "plan" else self.name.replace("_", "-")

    @property
    def choices(self) -> Mapping[str, str]:
        """What the form calls each value, if only these values are possible."""
        return self.kind.choices if isinstance(self.kind, OneOf) else {}

    @property
    def description(self) -> str:
        """What it means, what it can be and what it is by default; what its choices come to."""
        default = "" if self.default is None else f" (default {self.default})"
        left_out = f"; if left out, {self.left_out}" if self.left_out else ""
        abouts = (f". {key}: {text[:-1]}" for key, text in self.abouts.items())
        return f"{self.help}; {self.kind.must}{default}{left_out}{''.join(abouts)}"

    def check(self, value: object) -> Any:
        """Return the *value* of a file or a script; raise SettingsError if no run can have it."""
        return self._named(self.kind.check, value)

    def read(self, text: str) -> Any:
        """Return the value that a user has typed as *text*; raise SettingsError."""
        return self._named(self.kind.read, text)

    def _named(self, take: Callable[[Any, str], Any], value: Any) -> Any:
        """Return what *take* makes of *value*; its error names this setting."""
        try:
            return take(value, self.option)
        except KindError as error:
            raise SettingsError(str(error), self.name, error.must) from error


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
        REVERSE,
        "Opponent",
        "what the bot plays",
        abouts={key: plan.about for key, plan in PLANS.items()},
    )
    games: int | None = _setting(
        OrNone(Whole(1, 10**12)),
        None,
        "Games",
        "games against an opponent, those before a stop included",
        left_out=f"{GAMES}",
    )
    seed: int = _setting(
        Whole(),
        1,
        "Seed",
        "the number that all random choices follow from; the same settings and seed make the "
        "same bot",
    )
    # Version 1.3 compared α and the three settings of ε with others, on seeds that no published
    # result uses (3001 to 3020). These were the exact scores against Myopic after 20,000 games,
    # with an error of about 1.3 points: 75.0 % with these, 75.7 % with ε 0.1 throughout, 71.6 %
    # with ε from 1 down to 0.1. Self-play needs more exploration, so these stay.
    alpha: float = _setting(
        Number(is_positive=True),
        0.2,
        "α (learning rate)",
        "how far an estimate moves to its target after a game: 0.2 is a fifth of the way, 1 all of "
        "it; a small α learns slowly, a large one forgets",
    )
    epsilon_start: float = _setting(
        Number(),
        0.2,
        "ε at the start",
        "the share of moves that explore in the first games; all others are the best that the "
        "bot knows",
        left_out="at least the rate at the end",
    )
    epsilon_end: float = _setting(
        Number(),
        0.15,
        "ε at the end",
        "the share of moves that explore in the end, when ε does not shrink any more",
        left_out="at most the rate at the start",
    )
    epsilon_decay: float = _setting(
        Number(is_positive=True),
        0.99999,
        "ε decay per game",
        "the factor by which ε shrinks after each game, down to ε at the end; 1 keeps ε",
    )
    update: str = _setting(
        OneOf({key: rule.label for key, rule in UPDATE_RULES.items()}, {"bootstrap": "q-learning"}),
        "terminal",
        "Update rule",
        "which values change after a game, and towards what",
        abouts={key: rule.about for key, rule in UPDATE_RULES.items()},
    )
    gamma: float = _setting(
        Number(),
        1.0,
        "γ (discount)",
        "the factor by which a result counts less for each turn before it; 1 means no discount; "
        "q-learning and monte-carlo use it",
    )
    explore: str = _setting(
        OneOf({key: one.label for key, one in EXPLORATION_RULES.items()}),
        "random",
        "Exploration",
        "which moves an exploring bot tries",
        abouts={key: one.about for key, one in EXPLORATION_RULES.items()},
    )
    practice: str = _setting(
        OneOf(_PRACTICE),
        "myopic",
        "Practice against",
        "opponent in the tries of every move in lost positions, which end the plan reverse",
    )

    def __post_init__(self) -> None:
        for name, setting in SETTINGS.items():
            object.__setattr__(self, name, setting.check(getattr(self, name)))
        if self.epsilon_end > self.epsilon_start:
            raise SettingsError(
                f"epsilon-end is {self.epsilon_end}; it must be at most epsilon-start "
                f"({self.epsilon_start})",
                name="epsilon_end",
                must=f"at most {SETTINGS['epsilon_start'].label}",
            )
        if self.plan == REVERSE:
            object.__setattr__(self, "games", None)
        else:
            object.__setattr__(self, "games", self.games or GAMES)
            object.__setattr__(self, "practice", "none")

    @classmethod
    def wanted(cls, given: Mapping[str, Any]) -> Self:
        """Return the settings with the values *given*, by name.

        If one ε is given, the default of the other follows it. Raise SettingsError if a name is
        unknown, or if a run cannot have these values.
        """
        for name in given:
            if name not in SETTINGS:
                raise SettingsError(f"unknown setting {name!r:.60}", name)
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
            if reason := why_unused(name, plan=self.plan, update=self.update):
                raise SettingsError(
                    f"{SETTINGS[name].option} makes no difference with {reason}: "
                    "leave it out, or choose another",
                    name,
                )

    def matters(self, name: str) -> bool:
        """Return whether the setting *name* makes a difference to the table."""
        return not why_unused(name, plan=self.plan, update=self.update)

    @property
    def is_against_itself(self) -> bool:
        """Whether the bot is its own opponent, which always finds a proven win."""
        return self.plan in (SELF, REVERSE)

    def command(self) -> str:
        """Return the command that makes such a run."""
        words = ["python -m traffic_lights.train"]
        for name, setting in SETTINGS.items():
            value = getattr(self, name)
            is_needed = name == "seed" or (value != setting.default and self.matters(name))
            if is_needed:
                words.append(f"--{setting.option} {value}")
        return " ".join(words)

    def as_json(self) -> dict[str, Any]:
        """Return the plain values, as a checkpoint and the meta of a table hold them.

        A setting that is not among IN_EVERY_FILE is left out at its default. So a new setting
        changes neither the bytes of the tables without it nor the reading of older files.
        """
        return {
            name: value
            for name, value in asdict(self).items()
            if name in IN_EVERY_FILE or value != SETTINGS[name].default
        }

    @classmethod
    def from_json(cls, plain: object) -> Self:
        """Return the settings that `as_json` made *plain* of; raise SettingsError if it cannot.

        A setting that this version does not know has changed the table, and a run without it would
        make another one.
        """
        if not isinstance(plain, dict):
            raise SettingsError("it does not say with what settings")
        # Versions up to 1.4 wrote "programme" and the shares of a plan that had some.
        known = {"plan": plain.get("programme"), **plain}
        return cls.wanted({name: known[name] for name in known if name not in _OLDER})


IN_EVERY_FILE: Final = (
    "plan", "games", "seed", "alpha", "epsilon_start", "epsilon_end", "epsilon_decay", "update",
    "gamma", "explore", "practice",
)  # fmt: skip
"""The settings of version 1.4, which files name whatever their values are."""
_OLDER: Final = ("programme", "shares")
SETTINGS: Final[Mapping[str, Setting]] = {
    one.name: replace(one.metadata["setting"], name=one.name) for one in fields(RunSettings)
}
