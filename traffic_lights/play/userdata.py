"""What the program remembers between two starts: settings, the session, statistics.

A setting is described once, with its label, and its choices or limits. The menu View of
`gui/app.py` has most of them. A settings.json with a value that does not fit is set aside.

>>> LABELS["speed"], CHOICES["speed"]["quick"]
('Speed', 'Quick')

`play/writer.py` writes the files.
"""

import json
import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from io import FileIO
from pathlib import Path
from typing import Any, Final, NamedTuple

from traffic_lights.board.rules import EMPTY_BOARD, Action, RulesError, State
from traffic_lights.play.game import (
    Game,
    Player,
    format_seat,
    game_from_plain,
    game_to_plain,
)
from traffic_lights.play.results import (
    OpponentRecord,
    Played,
    add_result,
    read_results,
    rename_opponent,
)
from traffic_lights.play.session import Session
from traffic_lights.play.solving import (
    MOST_MISTAKES,
    Attempt,
    DailyResult,
    OwnMistake,
    PuzzleRecord,
)
from traffic_lights.play.verdicts import BEST_PLAY, LEARNED, MISTAKES
from traffic_lights.play.writer import Writer
from traffic_lights.players.programs import PROGRAMS_FILE
from traffic_lights.players.roster import KEY, renamed_key
from traffic_lights.storage.files import (
    DamagedFileError,
    LockedError,
    StorageError,
    append_line,
    lock_file,
    make_folder,
    remove_leftovers,
    set_aside,
    write_json,
)
from traffic_lights.storage.kinds import (
    ANYTHING,
    Absent,
    ByName,
    Flag,
    Kind,
    KindError,
    ListOf,
    OneOf,
    Record,
    TextLine,
    Whole,
    member,
    record_of,
)
from traffic_lights.storage.records import checked, read_plain, read_record
from traffic_lights.storage.words import MOST_SEED
from traffic_lights.version import __version__

SETTINGS_FILE: Final = "settings.json"
GAME: Final = "game.json"
RESULTS: Final = "results.jsonl"
LOCK: Final = "game.lock"
PUZZLES: Final = "puzzles.json"
STRENGTH: Final = "strength.json"
_HEADERS: Final = {
    SETTINGS_FILE: {"format": "traffic-lights-settings", "version": 1},
    GAME: {"format": "traffic-lights-saved-game", "version": 1},
    PUZZLES: {"format": "traffic-lights-puzzles", "version": 1},
    STRENGTH: {"format": "traffic-lights-strength", "version": 1},
}
SECOND_PROGRAM: Final = (
    "Traffic Lights is already open. You can play here too, but this game is not saved."
)


# --- settings ---


def _setting(label: str, kind: Kind, default: Any, *, is_look: bool = False) -> Any:
    """Describe a setting with its *label*; *is_look* if it changes how the windows look."""
    metadata = {"label": label, "kind": Absent(kind, default), "is_look": is_look}
    return field(default=default, metadata=metadata)


def _named(*texts: str) -> OneOf:
    """Return the choice between *texts*; the values are in small letters, with hyphens."""
    return OneOf({text.lower().replace(" ", "-").replace("–", "-"): text for text in texts})


_THEMES: Final = _named("System", "Light", "Dark", "High contrast")
_LAMPS: Final = _named("Signal", "Classic", "Okabe–Ito", "Monochrome")
_SIZES: Final = OneOf({percent: f"{percent} %" for percent in (90, 100, 125, 150, 200)})
_SPEEDS: Final = _named("Slow", "Normal", "Quick", "Instant")
_SHOWN: Final = _named("Nothing", "Mistakes", "Best Play", "Learned")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a player can set; `UserData.change` changes it."""

    theme: str = _setting("Theme", _THEMES, "system", is_look=True)
    lamps: str = _setting("Lamps", _LAMPS, "signal", is_look=True)
    letters: bool = _setting("Letters", Flag(), True, is_look=True)
    side_panel: bool = _setting("Panel", Flag(), True)
    size: int = _setting("Size", _SIZES, 100, is_look=True)
    """How large everything is, in percent."""
    geometry: str = member(TextLine(60), "")
    """The window's size and place as Tk writes them; empty at the first start."""
    is_maximized: bool = member(Flag(), False)
    """Whether the window was maximized; `geometry` is then the place that it had before."""
    opponent: str = member(KEY, "beginner")
    """The key of the bot that New Game plays against."""
    take_turns: bool = _setting("Alternate Who Begins", Flag(), True)
    """Whether the players swap seats with each new game."""
    speed: str = _setting("Speed", _SPEEDS, "normal")
    shown: str = _setting("Show", _SHOWN, MISTAKES)
    training: str = member(TextLine(60), "")
    """The name of the bot that is in training; still there if the program ends meanwhile."""

    @property
    def look(self) -> dict[str, Any]:
        """The settings that change how the windows look, by name."""
        names = [row.name for row in fields(self) if row.metadata.get("is_look")]
        return {name: getattr(self, name) for name in names}


class EndedGame(NamedTuple):
    """A game that was counted."""

    game: Game
    winner: int
    """The seat that won it."""
    opponent: str = ""
    """The key of the bot that a human has played against; empty if no statistics count it."""
    streak: int = 0
    """How many games in a row the human has won against it, or lost if negative."""


def score_key(players: tuple[Player, Player], seat: int) -> str:
    """Return the key that counts the games between *players* that the player of *seat* won.

    The seats distinguish two equal players, such as two people without names.
    """
    names = [player.bot or format_seat(player) for player in players]
    return _score_key(names, str(seat) if names[0] == names[1] else names[seat])


def _score_key(names: Iterable[str], winner: str) -> str:
    return "\n".join([*sorted(names), winner])


def _with_names(score: Mapping[str, int], changed: Callable[[str], str]) -> Counter[str]:
    """Return *score* with what *changed* returns of each name in its keys in its place."""
    result: Counter[str] = Counter()
    for key, games in score.items():
        *names, winner = map(changed, key.split("\n"))
        result[_score_key(names, winner)] += games
    return result


LABELS: Mapping[str, str] = {
    row.name: row.metadata["label"] for row in fields(Settings) if "label" in row.metadata
}
CHOICES: Mapping[str, Mapping[Any, str]] = {
    name: kind.kind.choices
    for name, kind in record_of(Settings).members.items()
    if isinstance(kind, Absent) and isinstance(kind.kind, OneOf)
}
"""The text of each value of a setting that has choices."""


# --- the folder ---


class UserData:
    """The data *folder* of the user; all methods belong to one thread.

    A second program on the same folder does not save its game. Both save settings, where the last
    change wins, and both add their results.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._troubles: deque[str] = deque()
        self._writer = Writer(folder, self._troubles.append)
        self._lock: FileIO | None = None
        self.score: Counter[str] = Counter()
        """The games won on the cards; `score_key` makes the keys."""
        self._saved: object = None
        """How many changes of the games, and how many games won, are saved."""
        ours = (*_HEADERS, PROGRAMS_FILE)
        remove_leftovers(folder, lambda name: name in ours)
        self._unknown: dict[str, Any] = {}
        """The settings of a newer program, which stay in the file."""
        self.settings = self._load(SETTINGS_FILE, self._read_settings) or Settings()

    def _read_settings(self, path: Path) -> Settings:
        """Return the settings in *path*, and note those that this program does not know."""
        header = _HEADERS[SETTINGS_FILE]
        plain = read_plain(path, header)
        if plain.get("show") in (BEST_PLAY, LEARNED):  # version 1.3 had no other choice to keep
            plain.setdefault("shown", plain["show"])
        settings: Settings = checked(path, plain, record_of(Settings))
        known = {*header, *asdict(settings)}
        self._unknown = {name: value for name, value in plain.items() if name not in known}
        return settings

    def change(self, **changes: Any) -> None:
        """Change settings by name; a thread writes the file later."""
        settings = replace(self.settings, **changes)
        if settings != self.settings:
            self.settings = settings
            self._save_settings(settings)

    def _save_settings(self, settings: Settings) -> None:
        self._save_json(SETTINGS_FILE, lambda: {**self._unknown, **asdict(settings)})

    def restore_session(self, session: Session) -> bool:
        """Continue the saved session; return whether there was one."""
        saved = self._load(GAME, _read_games) if self.may_save_game else None
        if saved is None:
            return False
        games, self.score = saved
        session.restore(*games)
        self._saved = session.history.changes, self.score.total()
        return True

    def save_session(self, session: Session) -> None:
        """Save the games of *session* if they have changed; a thread writes the file later."""
        # Both only grow, except that clearing the statistics begins the score again.
        counters = session.history.changes, self.score.total()
        if counters != self._saved and self.may_save_game:
            self._saved = counters
            saved = *session.history.saved, dict(self.score)
            self._save_json(GAME, lambda: _games_to_plain(*saved))

    @cached_property
    def may_save_game(self) -> bool:
        """Whether this is the only program on the folder; if it is not, report that once."""
        try:
            make_folder(self.folder)
            self._lock = lock_file(self.folder / LOCK)
        except LockedError:
            self._troubles.append(SECOND_PROGRAM)
            return False
        except StorageError:
            pass  # on a disk without locks there is one program; saving reports all else
        return True

    @cached_property
    def _records(self) -> dict[str, OpponentRecord]:
        records: dict[str, OpponentRecord] = {}
        # This file only gets more lines, so those that do not fit stay in it.
        for played in self._load(RESULTS, read_results) or ():
            add_result(records, played)
        return records

    def records(self) -> list[OpponentRecord]:
        """Return the statistics, the opponent of the latest game first."""
        return [*reversed(self._records.values())]

    def count_ended(self, session: Session) -> EndedGame | None:
        """Count what has ended in *session*, each once: puzzles, and a game, which is returned."""
        if attempts := session.take_attempts():
            self.count_puzzles(attempts, session.today)
        game = session.take_result()
        if game is None or game.winner is None:
            return None
        self.score[score_key(game.players, game.winner)] += 1
        opponent, streak = self.count_result(game)
        if session.only_human is not None:
            self.keep_mistakes(session.wins_thrown_away())
        return EndedGame(game, game.winner, opponent, streak)

    def count_result(self, game: Game) -> tuple[str, int]:
        """Count a result of a human against a bot; return the bot's key and the streak against it.

        The streak is 0 if the game does not count: a position that was set up may be won already.
        """
        seats = [seat for seat in (0, 1) if game.players[seat].is_human]
        if game.start != EMPTY_BOARD or len(seats) != 1:
            return "", 0
        (seat,) = seats
        bot = game.players[1 - seat]
        has_won = game.winner == seat
        played = Played(bot.bot or "", bot.name, seat, has_won, game.is_helped, game.day)
        add_result(self._records, played)
        line = json.dumps(asdict(played)).encode("ascii")
        self._writer.change(RESULTS, lambda: append_line(self.folder / RESULTS, line))
        return played.opponent, self._records[played.opponent].streak

    @cached_property
    def puzzles(self) -> PuzzleRecord:
        """The results with puzzles, and the mistakes that return as puzzles; read once."""
        return self._load(PUZZLES, _read_puzzles) or PuzzleRecord()

    def count_puzzles(self, attempts: Iterable[Attempt], today: str) -> None:
        """Add puzzles that were solved, or begun and left, to the results."""
        record = self.puzzles
        for attempt in attempts:
            record = record.counted(attempt, today)
        self._keep_puzzles(record)

    def keep_mistakes(self, states: Iterable[State]) -> None:
        """Let the positions return as puzzles; the player threw a win away in each."""
        self._keep_puzzles(self.puzzles.with_mistakes(states))

    def _keep_puzzles(self, record: PuzzleRecord) -> None:
        if record != self.puzzles:
            self.puzzles = record
            self._save_json(PUZZLES, lambda: asdict(record))

    def kept_scores(self) -> tuple[int, Sequence[Any]]:
        """Return the seed and the rows that `keep_scores` was given by this version of the program.

        The rows are not checked.
        """
        kept = self._load(STRENGTH, lambda path: read_record(path, _SCORES, _HEADERS[STRENGTH]))
        if kept is None or kept["program"] != __version__:  # another one has other players
            return 1, ()
        return kept["seed"], kept["rows"]

    def keep_scores(self, seed: int, rows: Sequence[Any]) -> None:
        """Keep the plain *rows* of the Strength tab, whose games have a *seed*."""
        kept = {"program": __version__, "seed": seed, "rows": rows}
        self._save_json(STRENGTH, lambda: kept)

    def clear_statistics(self) -> None:
        """Forget all counted games."""
        self._records = {}
        self.score.clear()
        self._keep_puzzles(self.puzzles.cleared())
        path = self.folder / RESULTS
        self._writer.change(RESULTS, lambda: path.unlink(missing_ok=True))

    def rename_bot(self, old: str, new: str) -> None:
        """Keep the results of the bot *old*, and the choice of it, under its *new* key."""
        self.change(opponent=renamed_key(self.settings.opponent, old, new))
        self.score = _with_names(self.score, lambda name: renamed_key(name, old, new))
        records = [
            replace(record, opponent=renamed_key(record.opponent, old, new))
            for record in self._records.values()
        ]
        if records:
            self._records = {record.opponent: record for record in records}
            path = self.folder / RESULTS
            self._writer.change(RESULTS, lambda: rename_opponent(path, old, new))

    def _load(self, name: str, read: Callable[[Path], Any]) -> Any:
        """Return what *read* makes of a file; None if it is missing, or damaged and so renamed."""
        path = self.folder / name
        if not os.path.lexists(path):
            return None
        try:
            return read(path)
        except (StorageError, RulesError) as error:
            trouble = f"{name} cannot be used ({error}). The program continues without it"
            with suppress(OSError):
                trouble += f" and renamed the file to {set_aside(path).name}"
            self._troubles.append(f"{trouble}.")
            return None

    def _save_json(self, name: str, plain: Callable[[], dict[str, Any]]) -> None:
        path = self.folder / name
        self._writer.write(name, lambda: write_json(path, {**_HEADERS[name], **plain()}))

    @property
    def has_failed(self) -> bool:
        """Whether something is not saved: a file that could not be written, or the game."""
        return self._writer.has_failed or not self.may_save_game

    def take_trouble(self) -> str:
        """Return a problem that was not reported yet, in sentences; empty if there is none."""
        return self._troubles.popleft() if self._troubles else ""

    def close(self, session: Session) -> None:
        """Save what *session* leaves at the end of the program; a puzzle begun counts as tried."""
        session.leave()
        self.count_ended(session)
        self.save_session(session)
        self.finish()

    def finish(self) -> None:
        """Wait until everything is written or has failed, and unlock the game."""
        self._writer.finish()
        if self._lock is not None:
            self._lock.close()


_GAMES: Final = Record(
    {
        "game": ANYTHING,
        "earlier": ListOf(),
        "later": ListOf(),
        "score": Absent(ByName(Whole()), {}),
    }
)
_LINE: Final = Record({"line_of": Absent(Whole(), 0)})
"""What a saved line of play has besides its moves: the number of its game."""


def _games_to_plain(
    game: Game, others: Sequence[Game], taken_back: Sequence[Action], score: dict[str, int]
) -> dict[str, Any]:
    """Return what is saved: the other games, and the present one before and with what redo plays.

    Version 1.3 saved such lines too, so it can read them.
    """
    whole = [replace(game, actions=(*game.actions, *taken_back))] if taken_back else []
    return {
        "game": game_to_plain(game) | {"line_of": len(others) + 1},
        "earlier": [game_to_plain(one) | {"line_of": n} for n, one in enumerate(others, 1)],
        "later": [game_to_plain(one) | {"line_of": len(others) + 1} for one in whole],
        "score": score,
    }


def _read_games(path: Path) -> tuple[tuple[Any, ...], Counter[str]]:
    """Return what `Session.restore` takes, and the score; raise StorageError or RulesError.

    Versions 1.2 and 1.3 have more lines of one game: the one that got furthest counts. The later
    lines stand in reverse.
    """
    plain = read_record(path, _GAMES, _HEADERS[GAME])
    try:
        number, game = _line(plain["game"])
        later = [_line(one) for one in reversed(plain["later"])]
        furthest: dict[int, Game] = {}
        for other, line in (*map(_line, plain["earlier"]), *later):
            best = furthest.get(other, line)
            if (line.is_over, len(line.actions)) >= (best.is_over, len(best.actions)):
                furthest[other] = line
        others = [furthest[other] for other in sorted(furthest) if other != number]
    except KindError as error:
        raise DamagedFileError(f"{path} is damaged: {error}") from None
    made = len(game.actions)
    following = (line.actions for other, line in later if other == number)
    taken_back = next((moves[made:] for moves in following if moves[:made] == game.actions), ())
    return (game, others, taken_back), Counter(plain["score"])


def _line(plain: Any) -> tuple[int, Game]:
    """Return the number and the moves of a saved line of play."""
    return _LINE.check(plain)["line_of"], game_from_plain(plain)


_SCORES: Final = Record(
    {"program": TextLine(40), "seed": Whole(0, MOST_SEED), "rows": ListOf()},
)
_PUZZLES: Final = Record(
    {
        **record_of(PuzzleRecord).members,
        "daily": Absent(record_of(DailyResult), DailyResult()),
        "mistakes": Absent(ListOf(), ()),
    },
    PuzzleRecord,
)


def _read_puzzles(path: Path) -> PuzzleRecord:
    """Return the record in *path*; mistakes that do not fit are left out."""
    record: PuzzleRecord = read_record(path, _PUZZLES, _HEADERS[PUZZLES])
    mistakes = record_of(OwnMistake).fitting(record.mistakes)
    return replace(record, mistakes=tuple(mistakes[-MOST_MISTAKES:]))
