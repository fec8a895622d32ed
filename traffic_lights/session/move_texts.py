"""What is said of one move: the verdict on it once it is made, the hint while it is sought.

A distance is told in moves of the winner, never in plies.
"""

from __future__ import annotations

from traffic_lights.board.rules import (
    COLOUR_NAMES,
    STEPS,
    Action,
    colour_of,
    format_cell,
    mover,
)
from traffic_lights.players.game import Player
from traffic_lights.session.verdicts import Hint, Kind, Verdict
from traffic_lights.session.wording import (
    cells,
    counted,
    lines_text,
    moves_of_winner,
    seat_name,
    sentence,
    subject,
)


def verdict_text(verdict: Verdict, players: tuple[Player, Player]) -> str:
    """Return the words for a move: ``Still winning, 2 moves slower than c1.`` and the like."""
    moves = moves_of_winner(verdict.distance)
    best = format_cell(verdict.best)
    gap = abs(verdict.distance - verdict.best_distance) // 2
    match verdict.kind:
        case Kind.COMPLETES:
            return f"{format_cell(verdict.action)} completes {_completed(verdict)}."
        case Kind.ONLY_WIN:
            return "The only winning move."
        case Kind.BEST:
            return f"Best: wins in {moves}."
        case Kind.SLOWER:
            return f"Still winning, {counted(gap, 'move')} slower than {best}."
        case Kind.TRAP:
            share = _share_kept(verdict) or "it makes winning hardest"
            return f"Lost against perfect play, but {share}."
        case Kind.LONGEST:
            return f"Lost anyway; this holds out longest ({moves})."
        case Kind.SHORTER:
            return f"Lost anyway, but {best} holds out {counted(gap, 'move')} longer."
        case Kind.OVERLOOKED:
            text = f"{best} would have won at once."
            return f"{text} {sentence(now_wins(verdict, players))}." if verdict.is_slip else text
        case Kind.SLIP:
            return f"Throws the win away: {now_wins(verdict, players)}. {best} was winning."


def _completed(verdict: Verdict) -> str:
    """Return ``three yellows``, and how many lines if it is more than one."""
    after = verdict.state + STEPS[verdict.action]
    colour = COLOUR_NAMES[colour_of(after, verdict.action)]
    number = len(verdict.lines)
    return f"three {colour}s" if number == 1 else f"{number} lines of three {colour}s"


def now_wins(verdict: Verdict, players: tuple[Player, Player]) -> str:
    """Return the refutation of a slip: ``now Player 2 wins in 4, starting with d3``."""
    opponent = subject(seat_name(players, mover(verdict.state) ^ 1), "win")
    moves = moves_of_winner(verdict.distance - 1)
    reply = format_cell(verdict.replies[0])
    if moves == 1:
        return f"now {opponent} at once with {reply}"
    return f"now {opponent} in {moves}, starting with {reply}"


def _share_kept(verdict: Verdict) -> str:
    """Return ``only 2 of the opponent's 7 safe replies keep the win``; empty if all do."""
    kept = verdict.kept
    if kept is None or kept.winning == kept.safe:
        return ""
    verb = "keeps" if kept.winning == 1 else "keep"
    return f"only {kept.winning} of the opponent's {kept.safe} safe replies {verb} the win"


def line_of_play(replies: tuple[Action, ...]) -> str:
    """Return moves to be played out, apart by blanks: ``d3 a1 b2``."""
    return " ".join(format_cell(action) for action in replies)


def hint_text(hint: Hint) -> str:
    """Return the words of one step of help."""
    if hint.step == 1:
        if hint.is_won:
            return "You can win this."
        text = "Every move loses against perfect play"
        return f"{text}; some make it hard." if hint.is_hard else f"{text}."
    if hint.move is None:
        if not hint.is_won:
            best = "What makes it hardest" if hint.is_hard else "What holds out longest"
            return f"{best}: {cells(hint.cells, 'or')}."
        noun = "The winning move" if len(hint.cells) == 1 else "The winning moves"
        return f"{noun}: {cells(hint.cells)}."
    return _named_move(hint, hint.move)


def _named_move(hint: Hint, move: Verdict) -> str:
    """Return step 3: the move, why, and the expected reply."""
    name = format_cell(move.action)
    moves = moves_of_winner(hint.distance)
    if move.kind is Kind.COMPLETES:
        after = move.state + STEPS[move.action]
        return f"{name} wins at once: {lines_text(after, move.lines)}."
    if hint.is_won:
        why = "the only move that wins" if len(hint.cells) == 1 else "the fastest win"
        text = f"{name} is {why}, in {counted(moves, 'move')}."
    elif hint.is_hard:
        share = _share_kept(move)
        text = f"{name} makes it hardest{': ' * bool(share)}{share}."
    else:
        text = f"{name} holds out longest: perfect play needs {counted(moves, 'move')}."
    return f"{text} The reply to expect: {format_cell(move.replies[0])}."
