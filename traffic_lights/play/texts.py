"""Every text about a game: exact values, moves, results, puzzles.

The windows, the text mode and the `solve` command take their words from here. Conventions: cells
are named a1 to d3, lines by their end cells, colours are written out. A distance is given in moves
of the winner, never in plies; that of a move counts the move itself, if the winner makes it. "Move
7" is the seventh move of this game, of both players together. A human alone against a bot is "you".
The others go by their names, or are Player 1 and Player 2.

>>> value_text(5), value_text(8), value_badge(8)
('wins in 3', 'loses in 4', 'L 4')
"""

from collections.abc import Mapping, Sequence
from typing import Final

from traffic_lights.board.baselines import BASELINES, quiet_actions
from traffic_lights.board.rules import (
    CELL_NAMES,
    COLOUR_NAMES,
    EMPTY_BOARD,
    STEPS,
    Action,
    Line,
    State,
    colour_of,
    complete_lines,
    format_cell,
    legal_actions,
    mover,
)
from traffic_lights.board.tablebase import moves_of_winner
from traffic_lights.play.game import Game, Players
from traffic_lights.play.verdicts import (
    MOVES_LOST_TOO_EARLY,
    Hint,
    Verdict,
)
from traffic_lights.players.policies import LEVELS
from traffic_lights.storage.words import counted, listed

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
        by_text.setdefault(sentence(value_text(move.distance)), []).append(move.action)
    return " ".join(f"{text}: {cells(found)}." for text, found in by_text.items())


VALUES_LEGEND: Final = (
    "W 3 = wins in 3 moves, L 12 = loses in 12 moves, with best play. The best are outlined."
)
VALUES_HIDDEN: Final = "Values are hidden here until you have found the move."


# The verdict on a move, hints


def completed(move: Verdict) -> str:
    """Return the lines that *move* completes: ``three greens, a1–c1``."""
    after = move.state + STEPS[move.action]
    return lines_text(after, [line for line in complete_lines(after) if move.action in line])


def _replier(move: Verdict, players: Players | None) -> str:
    """Return who replies to *move*; without *players*, as in a puzzle, "the opponent"."""
    return "the opponent" if players is None else seat_name(players, mover(move.state) ^ 1)


def _how(move: Verdict) -> str:
    """Return how fast the opponent wins after the losing *move*: ``at once with c2``."""
    needs = moves_of_winner(move.distance - 1)
    reply = format_cell(move.replies[0])
    return f"at once with {reply}" if needs == 1 else f"in {needs}, starting with {reply}"


def verdict_text(move: Verdict, players: Players | None) -> str:
    """Return the sentence about a move. If *players* is None, "the opponent" replies to it.

    That about a mistake also holds after the reply, which may itself have been one.
    """
    best = format_cell(move.best)
    gap = counted(abs(move.distance - move.best_distance) // 2, "move")
    if move.distance == 1:
        return f"Completes {completed(move)}."
    if move.is_blunder:
        could = f"{_replier(move, players)} could win {_how(move)}"
        if move.best_distance == 1:
            return f"{best} would have won at once. {sentence(could)}."
        return f"Throws the win away: {could}. {best} was winning."
    if move.best_distance == 1:
        return f"{best} would have won at once."
    if move.winning == 1:
        return "The only winning move."
    if move.wins and move.action == move.best:
        return f"Best: wins in {_moves(move.distance)}."
    if move.wins:
        return f"Still winning, {gap} slower than {best}."
    if move.rank == 0 and move.kept is not None:
        failing = move.kept.safe - move.kept.winning
        return (
            f"Lost against perfect play, but {failing} of {move.kept.safe} safe replies throw the "
            "win away."
        )
    if move.action == move.best:
        return f"Lost either way, but this lasts longest ({_moves(move.distance)})."
    return f"Lost either way, but {best} lasts {gap} longer."


def _moves(plies: int) -> str:
    return counted(moves_of_winner(plies), "move")


def judged_text(move: Verdict, players: Players | None) -> str:
    """Return the move with its mark and its verdict: ``c1# – Completes three greens, a1–c1.``."""
    return f"{format_cell(move.action)}{move.mark} – {verdict_text(move, players)}"


def what_follows(move: Verdict, players: Players | None) -> str:
    """Return best play after *move*: ``Beginner answers c3 and wins in 2 moves.``."""
    name = _replier(move, players)
    answers = "answer" if name == "you" else "answers"
    text = f"{sentence(name)} {answers} {format_cell(move.replies[0])}"
    when = _moves(len(move.replies))
    if move.wins:
        winner = "you" if players is None else seat_name(players, mover(move.state))
        return f"{text}, and {wins(winner)} in {when}."
    does = wins(name).removeprefix(f"{name} ")
    return f"{text} and {does}." if len(move.replies) == 1 else f"{text} and {does} in {when}."


def hint_text(hint: Hint, players: Players) -> str:
    """Return the sentence of a hint for one of *players*, which says more with each step."""
    move = hint.move
    if hint.step == 1:
        text = _looking_around(move) if hint.is_for_win else _prospect(move, players)
        return f"{text} Another hint says more."
    if hint.is_for_win:
        return _where(hint) if hint.step == 2 else why_it_wins(move)
    if hint.step == 2:
        one, more = ("wins", "win") if move.wins else ("is the best try", "are the best tries")
        return f"{cells(hint.cells)} {one if len(hint.cells) == 1 else more}."
    if move.distance == 1:
        return why_it_wins(move)
    if move.wins:
        text = f"{cells(hint.cells)} wins in {_moves(move.distance)}, and no move wins faster."
        return f"{text} The reply to expect: {format_cell(move.replies[0])}."
    return _best_defence(move)


def _prospect(move: Verdict, players: Players) -> str:
    if move.wins:
        return "You can win this."
    if move.state == EMPTY_BOARD:
        text = "No first move wins against perfect play"
        is_fallible = players[1].bot in {bot.key for bot in (*LEVELS, *BASELINES.values())}
        return f"{text}, but {players[1].name} is not perfect." if is_fallible else f"{text}."
    some = ", but some are hard to answer" if move.kept is not None else ""
    return f"Every move loses to perfect play{some}."


def _best_defence(move: Verdict) -> str:
    """Return why *move* is the best of a lost position, and the reply to expect."""
    cell = format_cell(move.action)
    text = f"{cell} lasts longest: perfect play needs {_moves(move.distance)}."
    if move.kept is not None:
        keep = move.kept.winning
        safe = move.kept.safe
        text = f"{cell} is hardest to answer: only {keep} of {safe} safe replies keep the win."
    return f"{text} The reply to expect: {format_cell(move.replies[0])}."


def _looking_around(move: Verdict) -> str:
    if move.distance == 1:
        return "You can complete a line now. Look for one that needs a single step."
    safe = quiet_actions(move.state)
    if len(safe) == len(legal_actions(move.state)):
        return "No move lets the opponent complete a line."
    but = cells(safe) if len(safe) > 1 else "one"
    return f"All moves but {but} let the opponent complete a line."


def _where(hint: Hint) -> str:
    cell = format_cell(hint.move.action)
    is_column = all(format_cell(other)[0] == cell[0] for other in hint.cells)
    where = f"column {cell[0]}" if is_column else f"row {cell[1]}"
    return f"{sentence(winning_move(hint.move.winning))} is in {where}."


def winning_move(count: int) -> str:
    """Return ``the winning move`` if there is only one."""
    return "the winning move" if count == 1 else "a winning move"


def why_it_wins(move: Verdict) -> str:
    """Return the reason why *move* wins, from the replies that it leaves."""
    cell = format_cell(move.action)
    if move.distance == 1:
        return f"{cell} completes {completed(move)}."
    what = "is the only winning move" if move.winning == 1 else "wins"
    safe = len(quiet_actions(move.state + STEPS[move.action]))
    if safe == 0:
        reason = "Whatever the opponent plays, you can complete a line."
    elif safe == 1:
        reason = "It leaves the opponent one safe move, and you have an answer to it."
    else:
        reason = f"It leaves the opponent {safe} safe moves, and you have an answer to each."
    return f"{cell} {what}. {reason}"


def deed(mistake: Verdict) -> str:
    """Return what was wrong with a move of the game, in the past."""
    if mistake.was_won:
        is_seen = mistake.best_distance == 1
        return "overlooked a win at once" if is_seen else "threw the win away"
    if mistake.distance == 2:
        return "lost at once"
    return f"lost {counted(mistake.moves_too_early, 'move')} too early"


def refutation(tried: Verdict, players: Players | None = None) -> str:
    """Return what is wrong with the mistake *tried*: ``b3: now QBot wins at once with c2.``."""
    cell = format_cell(tried.action)
    if tried.wins:
        return f"{cell} wins too, but later: you can win at once. Try again."
    return f"{cell}: now {wins(_replier(tried, players))} {_how(tried)}. Try again."


# The end of a game


def help_text(game: Game) -> str:
    """Return ``Help in this game: 2 hints.`` if a human won with any."""
    taken = {
        counted(game.hints, "hint"): game.hints,
        f"{counted(game.takebacks, 'move')} taken back": game.takebacks,
        "the values of the moves": game.values_seen,
    }
    helps = [words for words, number in taken.items() if number]
    is_won = game.players[1 - game.mover].is_human
    return f"Help in this game: {listed(helps)}." if helps and is_won else ""


def game_text(game: Game) -> str:
    """Return ``2026-01-31: you beat Beginner in 9 moves``, for a list of games."""
    one, other = (seat_name(game.players, seat) for seat in (0, 1))
    text = f"{one} against {other}, not finished after move {len(game.actions)}"
    if game.winner is not None:
        winner, loser = (one, other) if game.winner == 0 else (other, one)
        text = f"{winner} beat {loser} in {_moves(len(game.actions))}"
    return f"{game.day}: {text}" if game.day else sentence(text)


def mistakes_text(mistakes: Mapping[int, Verdict], game: Game) -> str:
    """Return the mistakes of the finished *game*: ``You let Beginner win at once on move 9.``.

    A person who has lost without a mistake is told that there was no win.
    """
    names = [seat_name(game.players, seat) for seat in (0, 1)]
    made = {}
    for seat, name in enumerate(names):
        found = {index + 1: one for index, one in mistakes.items() if mover(one.state) == seat}
        if len(found) > 1:
            made[seat] = f"{name} made mistakes on moves {listed([*map(str, found)])}"
        for number, mistake in found.items() if len(found) == 1 else ():
            is_at_once = mistake.distance == 2 and not mistake.was_won
            what = f"let {names[1 - seat]} win at once" if is_at_once else deed(mistake)
            made[seat] = f"{name} {what} on move {number}"
    text = f"{sentence(', and '.join(made.values()))}." if made else ""
    loser = game.mover
    name = names[loser]
    is_clean = loser not in made
    if game.players[loser].is_human and is_clean and game.start == EMPTY_BOARD:
        # After a won position there would be a mistake, so each of this player's was lost.
        cannot = f"Player {loser + 1} cannot win against perfect play"
        text = f"{sentence(name)} made no mistake: {cannot}. {text}"
    return text.strip()


# Puzzles and lessons

LESSONS_OFFER: Final = "Two losses in a row. Five short lessons show how to win."


def offer_text(name: str, about: str) -> str:
    """Return the question whether the level *name*, which plays as *about* says, comes next."""
    return f"Try {name} next? {about}"
