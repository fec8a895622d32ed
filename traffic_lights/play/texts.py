"""Every text about a game: values, exact and learned, moves, banner, status, results, review.

The windows, the text mode and the `solve` command take their words from here. Conventions: cells
are named a1 to d3, lines by their end cells, colours are written out. A distance is given in moves
of the winner, never in plies; that of a move counts the move itself, if the winner makes it. "Move
7" is the seventh move of this game, of both players together. A human alone against a bot is "you".
The others go by their names, or are Player 1 and Player 2.

>>> value_text(5), value_text(8), value_badge(8)
('wins in 3', 'loses in 4', 'L 4')
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from traffic_lights.board.baselines import BASELINES, safe_actions
from traffic_lights.board.rules import (
    CELL_NAMES,
    CELLS,
    COLOUR_NAMES,
    EMPTY_BOARD,
    GREEN,
    RED,
    STEPS,
    YELLOW,
    Action,
    Line,
    State,
    colour_of,
    complete_lines,
    format_cell,
    legal_actions,
    mover,
)
from traffic_lights.board.symmetry import same_actions
from traffic_lights.board.tablebase import moves_of_winner
from traffic_lights.board.traps import Kept
from traffic_lights.learning.qtable import QTable
from traffic_lights.play.game import Game, Player, Players, format_position
from traffic_lights.play.puzzles import HARDEST
from traffic_lights.play.solving import Attempt, PuzzleRecord
from traffic_lights.play.verdicts import (
    MOVES_LOST_TOO_EARLY,
    Hint,
    Verdict,
    VerdictKind,
    wins_in,
)
from traffic_lights.players.policies import LEVELS
from traffic_lights.storage.words import counted, listed, percent
from traffic_lights.training.progress import settings_of_last_run

RULES: Final = (
    "Two players take turns. A move changes one lamp by one step: a lamp that is off becomes "
    "green, green becomes yellow, yellow becomes red. A red lamp stays red.",
    "If you complete three adjacent lamps of one colour in a row, across, down or diagonally, you "
    "win at once. It does not matter who lit the other two.",
    "You may not pass. Every game has a winner after at most 32 moves.",
)
FIRST_MOVE: Final = (
    "Choose a lamp to switch it to its next colour: off → green → yellow → red. Three of one "
    "colour in a row wins, no matter who lit them."
)
_MISSES: Final = "throws away or misses a win"
_HASTENS: Final = f"loses at once or at least {MOVES_LOST_TOO_EARLY} moves too early"
MARKS: Final = (
    f"Marks of moves: # completes a line · !! only winning move · ! best move · ?? {_MISSES} · "
    f"?! was lost anyway, but {_HASTENS}. Review shows your ?? and ?! moves."
)
NO_MISTAKES: Final = (
    f"No mistakes to review. A mistake {_MISSES}. In a lost position it {_HASTENS}."
)


# Cells, lines, players


def cells(actions: Sequence[Action], last: str = "and") -> str:
    """Return the names of *actions*: ``a1, b2 and c3``."""
    return listed([format_cell(action) for action in actions], last)


def seat_name(players: Players, seat: int) -> str:
    """Return the name of a seat's player in a sentence: "you", "QBot", "Anna" or "Player 1"."""
    player = players[seat]
    other = players[1 - seat]
    if player.is_human and not other.is_human:
        return "you"
    number = f"Player {seat + 1}"
    if player.name and player.name == other.name:
        return f"{player.name} ({number})"
    return player.name or number


def winner_text(players: Players, seat: int) -> str:
    """Return ``You win`` or ``QBot wins``."""
    return sentence(wins(seat_name(players, seat)))


def wins(name: str) -> str:
    """Return ``you win`` or ``QBot wins`` of a player who goes by *name*."""
    return "you win" if name == "you" else f"{name} wins"


def sentence(text: str) -> str:
    """Return *text* with a capital at its start, unless it starts with the name of a cell."""
    if text[:2] in CELL_NAMES:
        return text
    return text[:1].upper() + text[1:]


def illegal_text(state: State, cell: Action) -> str:
    """Return why *cell* is not a move in *state*; empty if it is one."""
    if cell in legal_actions(state):
        return ""
    return f"{format_cell(cell)} is red, and red lamps never change. Choose another lamp."


def lines_text(state: State, lines: Sequence[Line]) -> str:
    """Return the *lines* that one move completed: ``three greens, a1–c1 and b1–d1``."""
    ends = [f"{format_cell(first)}–{format_cell(last)}" for first, _, last in lines]
    colour = colour_of(state, lines[0][0])
    return f"three {COLOUR_NAMES[colour]}s, {listed(ends)}"


def board_in_words(state: State) -> str:
    """Return the board for a screen reader: ``Green: b2 and c1. Yellow: none. Red: none.``."""
    texts = []
    for colour in (GREEN, YELLOW, RED):
        lit = [cell for cell in range(CELLS) if colour_of(state, cell) == colour]
        texts.append(f"{sentence(COLOUR_NAMES[colour])}: {cells(lit) or 'none'}.")
    return " ".join(texts)


# Values of moves


def value_badge(distance: int) -> str:
    """Return the badge of a move from its distance in plies: ``W 3`` or ``L 4``."""
    letter = "W" if distance % 2 else "L"
    return f"{letter} {moves_of_winner(distance)}"


def value_text(distance: int) -> str:
    """Return what the player to move can expect, *distance* plies from the end with best play."""
    result = "wins" if distance % 2 else "loses"
    return f"{result} in {moves_of_winner(distance)}"


def values_text(moves: Sequence[Verdict]) -> str:
    """Return the moves by what they lead to, best first: ``Wins in 3: c1. Loses in 2: a1.``."""
    by_text: dict[str, list[Action]] = {}
    for move in moves:
        text = value_text(move.distance)
        if move.kept is not None:
            text += f", answered by {move.kept.winning} of {move.kept.safe} safe replies"
        by_text.setdefault(text, []).append(move.action)
    sentences = [f"{sentence(text)}: {cells(found)}." for text, found in by_text.items()]
    return " ".join(sentences)


def values_legend(moves: Sequence[Verdict]) -> str:
    """Return how to read the badges of *moves*, best first, and which of them are outlined."""
    return (
        "W 3 = wins in 3 moves, L 12 = loses in 12 moves, with best play. "
        f"Outlined: {why_outlined(moves)}."
    )


def why_outlined(moves: Sequence[Verdict]) -> str:
    """Return what is true of the best of *moves*, best first, which have an edge."""
    if moves and moves[0].kind is VerdictKind.TRAP:
        if max(move.distance for move in moves) > moves[0].distance:
            return "hardest to answer, though others last longer"
        return "hardest to answer"
    return "lasts longest" if moves and not moves[0].was_won else "the best moves"


VALUES_HIDDEN: Final = "Values are hidden here until you have found the move."


# The verdict on a move, hints

# Those of mistakes also hold after the reply, which may itself have been one.
_VERDICTS: Final = {
    VerdictKind.COMPLETES: "Completes {lines}.",
    VerdictKind.ONLY_WIN: "The only winning move.",
    VerdictKind.BEST: "Best: wins in {moves}.",
    VerdictKind.SLOWER: "Still winning, {gap} slower than {best}.",
    VerdictKind.TRAP: "Lost against perfect play, but {missed}.",
    VerdictKind.LONGEST: "Lost either way, but this lasts longest ({moves}).",
    VerdictKind.SHORTER: "Lost either way, but {best} lasts {gap} longer.",
    VerdictKind.OVERLOOKED: "{best} would have won at once.{then}",
    VerdictKind.BLUNDER: "Throws the win away: {could}. {best} was winning.",
}
_HARDER: Final = "Lost either way, but {hardest} is harder for {opponent} to answer."
_TOO_EARLY: Final = "Loses {gap} too early; {hardest} is harder for {opponent} to answer."
"""The words if a lost position has a move that is hard to answer, which then is the best."""
_WON: Final = "You can win this."
_WINS: Final = "wins", "win"
_HINTS: Final = {
    VerdictKind.COMPLETES: (_WON, _WINS, "{cell} wins at once: {lines}."),
    VerdictKind.ONLY_WIN: (_WON, _WINS, "{cell} is the only move that wins, in {moves}."),
    VerdictKind.BEST: (_WON, _WINS, "{cell} wins in {moves}, and no move wins faster."),
    VerdictKind.TRAP: (
        "Every move loses to perfect play, but some are hard to answer.",
        ("is hardest to answer", "are hardest to answer"),
        "{cell} is hardest to answer: {missed}.",
    ),
    VerdictKind.LONGEST: (
        "Every move loses to perfect play.",
        ("lasts longest", "last longest"),
        "{cell} lasts longest: perfect play needs {moves}.",
    ),
}
"""The words of the three steps of help, by the kind of the best move.

The second follows the cells: one, or more of them.
"""


def _filled(template: str, verdict: Verdict, players: Players | None = None) -> str:
    """Return *template* with the facts of *verdict*; without *players*, "the opponent" replies."""
    after = verdict.state + STEPS[verdict.action]
    replier = mover(verdict.state) ^ 1
    lines = [line for line in complete_lines(after) if verdict.action in line]
    reply = format_cell(verdict.replies[0]) if verdict.replies else ""
    name = "the opponent" if players is None else seat_name(players, replier)
    needs = moves_of_winner(verdict.distance - 1)
    how = f"at once with {reply}" if needs == 1 else f"in {needs}, starting with {reply}"
    could = f"{name} could win {how}"
    kept = verdict.kept or Kept(0, 0)
    missing = kept.safe - kept.winning
    throw = "throws" if missing == 1 else "throw"
    replies = f"{kept.safe} safe replies of {name}"
    if name == "you":
        replies = f"your {kept.safe} safe replies"
    hardest = "" if verdict.hardest is None else format_cell(verdict.hardest)
    return template.format(
        cell=format_cell(verdict.action),
        best=format_cell(verdict.best),
        hardest=hardest,
        opponent=name,
        lines=lines_text(after, lines) if lines else "",
        moves=counted(moves_of_winner(verdict.distance), "move"),
        gap=counted(abs(verdict.distance - verdict.best_distance) // 2, "move"),
        missed=f"{missing} of {replies} {throw} the win away",
        reply=reply,
        now=f"now {wins(name)} {how}",
        could=could,
        then=f" {sentence(could)}." if verdict.is_blunder else "",
    )


def verdict_text(verdict: Verdict, players: Players | None) -> str:
    """Return the sentence about a move that *verdict* judges.

    If *players* is None, as in a puzzle, "the opponent" replies to it.
    """
    template = _VERDICTS[verdict.kind]
    if verdict.hardest is not None:
        template = _TOO_EARLY if verdict.is_mistake else _HARDER
    return _filled(template, verdict, players)


def judged_text(verdict: Verdict, players: Players | None) -> str:
    """Return the move with its mark and its verdict: ``c1# – Completes three greens, a1–c1.``."""
    text = verdict_text(verdict, players)
    return f"{format_cell(verdict.action)}{verdict.mark} – {text}"


def what_follows(move: Verdict, players: Players | None) -> str:
    """Return best play after *move*, such as ``Beginner answers c3 and has three greens.``.

    If *players* is None, as in a puzzle, "the opponent" replies to it.
    """
    replier = mover(move.state) ^ 1
    name, other = "the opponent", "you"
    if players is not None:
        name, other = seat_name(players, replier), seat_name(players, 1 - replier)
    replies = move.replies
    ends_by_reply = len(replies) % 2 == 1
    winner = name if ends_by_reply else other
    needs = moves_of_winner(len(replies))
    if needs == 1:
        end = move.state + STEPS[move.action] + sum(STEPS[reply] for reply in replies)
        colour = COLOUR_NAMES[colour_of(end, replies[-1])]
        does = f"{'have' if winner == 'you' else 'has'} three {colour}s"
    else:
        more = "move" if ends_by_reply else "more move"
        does = f"{'win' if winner == 'you' else 'wins'} in {counted(needs, more)}"
    then = f" and {does}" if ends_by_reply else f", and {winner} {does}"
    answers = "answer" if name == "you" else "answers"
    return sentence(f"{name} {answers} {format_cell(replies[0])}{then}.")


def hint_text(hint: Hint, players: Players) -> str:
    """Return the sentence of a hint for one of *players*, which says more with each step."""
    text = (_puzzle_hint_text if hint.solutions else _game_hint_text)(hint, players)
    return f"{text} Another hint says more." if hint.step == 1 else text


def _game_hint_text(hint: Hint, players: Players) -> str:
    state = hint.move.state
    first, second, third = _HINTS[hint.move.kind]
    if hint.step == 1 and state == EMPTY_BOARD:
        return _before_the_first_move(opponent=players[1])
    if hint.step == 1:
        return first
    if hint.step == 2:
        return f"{cells(hint.cells)} {second[len(hint.cells) > 1]}."
    if hint.move.replies:
        third += " The reply to expect: {reply}."
    return _filled(third, hint.move)


def _before_the_first_move(opponent: Player) -> str:
    text = "No first move wins against perfect play"
    is_fallible = opponent.bot in {policy.key for policy in (*LEVELS, *BASELINES.values())}
    return f"{text}, but {opponent.name} is not perfect." if is_fallible else f"{text}."


# The end of a game


def counted_text(game: Game) -> str:
    """Return why the score stays, if the game ended otherwise before a move was taken back."""
    first = game.counted_winner
    if first in (None, game.winner) or game.has_changed_players:
        return ""
    return f"This game already counts as a win for {seat_name(game.players, first or 0)}."


def help_text(game: Game) -> str:
    """Return ``Help in this game: 2 hints.`` if a human won with any."""
    taken = {
        counted(len(game.hinted), "hint"): game.hinted,
        f"{counted(game.takebacks, 'move')} taken back": game.takebacks,
        f"{counted(game.bot_moves, 'move')} by a bot": game.bot_moves,
        "the values of the moves": game.values_seen,
    }
    helps = [words for words, number in taken.items() if number]
    is_won = game.players[1 - game.mover].is_human
    return f"Help in this game: {listed(helps)}." if helps and is_won else ""


def game_text(game: Game) -> str:
    """Return ``2026-01-31: you beat Beginner in 9 moves``, for a list of games."""
    one, other = (seat_name(game.players, seat) for seat in (0, 1))
    if game.winner is None:
        text = f"{one} against {other}, not finished after move {len(game.actions)}"
    else:
        winner, loser = (one, other) if game.winner == 0 else (other, one)
        text = f"{winner} beat {loser} in {counted(moves_of_winner(len(game.actions)), 'move')}"
    return f"{game.day}: {text}" if game.day else sentence(text)


def mistakes_text(mistakes: Mapping[int, Verdict], names: Sequence[str]) -> str:
    """Return what a review would go through: ``On moves 9 and 13, you missed a win.``, if anything.

    Only wins within three moves count as missed, because a player can see those. *names* are those
    of the seats.
    """
    found: tuple[dict[str, list[str]], ...] = ({}, {})
    for index, verdict in mistakes.items():
        seat = mover(verdict.state)
        if verdict.was_won and verdict.best_distance <= 5:
            what = "missed a win"
        elif verdict.distance == 2:
            what = f"let {names[1 - seat]} win at once"
        else:
            what = "could have played better"
        found[seat].setdefault(what, []).append(str(index + 1))
    texts: list[str] = []
    for name, deeds in zip(names, found, strict=True):
        done = []
        for what, numbers in deeds.items():
            moves = "move" if len(numbers) == 1 else "moves"
            done.append(f"on {moves} {listed(numbers)}, {name} {what}")
        if done:
            texts.append(f"{sentence(listed(done))}.")
    return " ".join(texts)


# Review


def deed(mistake: Verdict) -> str:
    if mistake.kind is VerdictKind.BLUNDER:
        return "threw the win away"
    if mistake.was_won:
        return "overlooked a win at once"
    if mistake.distance == 2:
        return "lost at once"
    return f"lost {counted(mistake.moves_too_early, 'move')} too early"


def refutation(tried: Verdict, players: Players | None = None) -> str:
    """Return what is wrong with the mistake *tried*: ``b3: now QBot wins at once with c2.``."""
    is_late = tried.was_won and not tried.is_blunder
    template = "{cell} wins too, but later: you can win at once." if is_late else "{cell}: {now}."
    return _filled(f"{template} Try again.", tried, players)


# Puzzles and lessons

SLOW: Final = 0.5
"""With a learning rate up to this, one game changes an estimate by half of the way at most."""
LESSONS_OFFER: Final = "Two losses in a row. Five short lessons show how to win."


def offer_text(name: str, about: str) -> str:
    """Return the question whether the level *name*, which plays as *about* says, comes next."""
    return f"Try {name} next? {about}"


def tries_text(attempt: Attempt) -> str:
    """Return ``2 tries, 1 hint``."""
    hints = f", {counted(attempt.hints, 'hint')}" if attempt.hints else ""
    return f"{attempt.tries} {'try' if attempt.tries == 1 else 'tries'}{hints}"


def winning_move(solutions: Sequence[Action]) -> str:
    """Return ``the winning move`` if there is one in *solutions*, or ``a winning move``."""
    return "the winning move" if len(solutions) == 1 else "a winning move"


def why_it_wins(move: Verdict) -> str:
    """Return the reason why *move* wins, from the replies that it leaves."""
    if move.kind is VerdictKind.COMPLETES:
        return _filled("{cell} completes {lines}.", move)
    what = "is the only winning move" if move.kind is VerdictKind.ONLY_WIN else "wins"
    safe = len(safe_actions(move.state + STEPS[move.action]))
    if safe == 0:
        reason = "Whatever the opponent plays, you can complete a line."
    elif safe == 1:
        reason = "It leaves the opponent one safe move, and you have an answer to it."
    else:
        reason = f"It leaves the opponent {safe} safe moves, and you have an answer to each."
    return f"{format_cell(move.action)} {what}. {reason}"


def _puzzle_hint_text(hint: Hint, _: Players) -> str:
    cell = format_cell(hint.move.action)
    if hint.step == 3:
        return why_it_wins(hint.move)
    if hint.step == 2:
        is_column = all(format_cell(other)[0] == cell[0] for other in hint.cells)
        where = f"column {cell[0]}" if is_column else f"row {cell[1]}"
        return f"{sentence(winning_move(hint.solutions))} is in {where}."
    if hint.move.distance == 1:
        return "You can complete a line now. Look for one that needs a single step."
    safe = safe_actions(hint.move.state)
    but = cells(safe) if len(safe) > 1 else "one"
    return f"All moves but {but} let the opponent complete a line."


def puzzle_to_share(attempt: Attempt) -> str:
    """Return three lines for a friend, who need not know the game, without the solution."""
    if not attempt.is_over:
        result = "Can you solve it?"
    elif attempt.is_shown:
        result = "I did not find the move. Can you?"
    else:
        result = f"I solved it in {tries_text(attempt).replace(', ', ' with ')}. Can you?"
    moves = wins_in(attempt.start)
    task = "Win at once" if moves == 1 else f"Win in {moves}"
    return (
        f"Traffic Lights, {f'puzzle of {attempt.day}' if attempt.day else 'a puzzle'}\n"
        f"{result}\n"
        "A move turns one lamp: off 0, green 1, yellow 2, red 3. Three of one colour in a row win. "
        f"{task}: {format_position(attempt.start)}"
    )


def puzzle_figures(record: PuzzleRecord) -> dict[str, str]:
    """Return the results of a player with puzzles, each with its label."""
    tried = {
        "Solved": f"{record.solved:,} of {record.tried:,}",
        "Streak at the first try": f"{record.streak:,}",
        "Best streak": f"{record.best_streak:,}",
    }
    return {
        **(tried if record.tried else {}),
        "Your level": f"{record.difficulty} of {HARDEST}",
        "Own mistakes left": f"{len(record.mistakes):,}",
    }


def puzzle_record_text(record: PuzzleRecord) -> str:
    """Return the same in sentences."""
    if not record.tried:
        return "Puzzles: none tried yet."
    text = (
        f"Puzzles: you solved {record.solved:,} of {record.tried:,}. In a row at the first try: "
        f"{record.streak:,} now, {record.best_streak:,} at best. Your level is "
        f"{record.difficulty} of {HARDEST}."
    )
    if record.mistakes:
        text += f" {counted(len(record.mistakes), 'mistake')} of your own will come back."
    return text


# Learned values

IN_BRACKETS: Final = (
    "Values in brackets are taken from the position after the move: the bot does not play by them."
)
NEVER_HERE: Final = "its own games never come here"
"""Why a bot that keeps only what its own play needs has no value, or no move."""
_ZEROS: Final = {
    "0.00": "tried, and still 0",
    "+0.00": "rounded, a little above 0",
    "−0.00": "rounded, a little below 0",
}
"""What the values around 0 mean, as they are shown."""
NOTHING_LEARNED: Final = "Only trained bots have learned values, and none plays in this game."


class LearnedValue(NamedTuple):
    """What a table holds of an action: a proof, an estimate or a win rate."""

    text: str
    """Such as ``win``, ``−0.50``, ``99.9 %``; in brackets if only of the position after it."""
    value: float
    """From −1, lost, to +1, won; 0 if unknown. A move with a win rate loses to perfect play."""
    is_proven: bool = False


def learned_value(table: QTable, state: State, action: Action) -> LearnedValue:
    """Return what *table* has learned of an action, from the view of the player to move."""
    # A table may have only one of the moves that are the same in a symmetric position.
    same = same_actions(state, action)
    win_rate = max(table.win_rate(state, one) or 0.0 for one in same)
    if win_rate:
        # Round a win rate of 0.1 % or more down, because the bot wins at least so often.
        text = f"{int(1000 * win_rate + 1e-6) / 10} %"
        if win_rate < 0.001:
            text = percent(win_rate)
        return LearnedValue(text, -1.0)
    row = table.row(state)
    value = next((row[one] for one in (action, *same) if one in row), None)
    if value is not None:
        return LearnedValue(known_value_text(value), value, is_proven=abs(value) == 1)
    implied = table.implied_value(state, action)
    if implied:
        return LearnedValue(f"({known_value_text(implied)})", implied)
    return LearnedValue("?", 0.0)


def replayed_value(table: QTable, state: State, action: Action, known: float) -> str:
    """Return what a replay shows of an action with the value *known*.

    A learner knows a position that other moves lead to, although *table* has nothing of this move.
    """
    text = learned_value(table, state, action).text
    if text in ("?", f"({known_value_text(known)})"):
        return f"({known_value_text(known)})" if known else text
    # The formula of a replay has an estimate, also where the board would show a win rate.
    return known_value_text(known) if abs(known) == 1 or text.endswith("%") else text


def known_value_text(value: float) -> str:
    """Return a learned *value*, from -1 to 1, in a few characters; exactly ±1 is a proof."""
    if abs(value) == 1:
        return "win" if value > 0 else "loss"
    # Keep estimates off 1, because even the best estimate is not a proof. Only 0 has no sign.
    text = f"{max(-0.99, min(0.99, value)):+.2f}"
    return text.replace("-", "−") if value else "0.00"


def learned_text(table: QTable, state: State) -> str:
    """Return the learned value of each legal action, as ``a1 −0.50, b2 proven loss, c3 ?``."""
    texts = []
    for action in legal_actions(state):
        value = learned_value(table, state, action)
        kind = "proven " if value.is_proven else ""
        texts.append(f"{format_cell(action)} {kind}{value.text}")
    return ", ".join(texts)


def why_promising(table: QTable, state: State, moves: Sequence[Verdict]) -> str:
    """Return why a value above 0 stands next to a lost move; empty if that is not so.

    *moves* are those of *state*. The sentence names the one of the highest estimate.
    """
    values = {
        move.action: learned_value(table, state, move.action)
        for move in moves
        if move.distance % 2 == 0
    }
    estimates = {a: one.value for a, one in values.items() if one.text.startswith("+")}
    if not estimates:
        return ""
    action = max(estimates, key=estimates.__getitem__)
    which = f"{format_cell(action)} has {values[action].text} but loses"
    if len(values) == len(moves):
        which = f"{format_cell(action)} has {values[action].text}, though every move here loses"
    text = f"{which} against best play: in training, the other side often did not find the win"
    if settings_of_last_run(table.meta).alpha <= SLOW:
        text += ", and an estimate follows slowly"
    return f"{text}."


def legend(name: str, table: QTable, shown: Iterable[str]) -> str:
    """Return how to read what is *shown* of the values in *table*, of the bot *name*."""
    text = (
        f"Values of {name}, for the player to move: the result that it expects, from −1 (loss) to "
        "+1 (win); +0.50 is like winning three games in four. “win” and “loss” are proven, numbers "
        "are estimates."
    )
    return text + signs_text(table, " ".join(shown))


def signs_text(table: QTable, shown: str) -> str:
    """Return sentences on the signs in what is *shown* of *table*, each after a space."""
    text = ""
    if "(" in shown:
        text += f" {IN_BRACKETS}"
    if "%" in shown:
        practised = table.meta.get("practice")
        names = [policy.name for policy in BASELINES.values() if policy.key == practised]
        opponent = names[0] if names else "another bot"
        text += f" Percentages: lost to best play, but won so often against {opponent}."
    if "?" in shown:
        text += (
            f" “?”: {NEVER_HERE if table.is_pruned else 'nothing learned yet, which counts as 0'}."
        )
    values = {part.strip("(),") for part in shown.split()}
    for sign, words in _ZEROS.items():
        if sign in values:
            text += f" “{sign}”: {words}."
    return text
