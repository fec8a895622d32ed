"""Every text about a game: values, moves, the banner, the status, results, review.

The windows, the text mode and the `solve` command take their words from here.
Conventions: cells are named a1 to d3, lines by their end cells, colours are
written out. A distance is given in moves of the winner, never in plies. "Move
7" is the seventh move of this game, of both players together. A human alone
against a bot is "you". The others go by their names, or are Player 1 and Player 2.

>>> value_text(5), value_text(8), value_badge(8)
('wins in 3', 'loses in 4', 'L 4')
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from traffic_lights.board.rules import (
    CELL_NAMES,
    CELLS,
    COLOUR_NAMES,
    STEPS,
    Action,
    Line,
    State,
    colour_of,
    complete_lines,
    format_cell,
    is_terminal,
    mover,
)
from traffic_lights.board.traps import Kept
from traffic_lights.players.game import Game
from traffic_lights.session.review import Mistake, Review
from traffic_lights.session.session import BotRequest, Outcome, Phase, Players, Session
from traffic_lights.session.verdicts import (
    MOVES_LOST_TOO_EARLY,
    Hint,
    Kind,
    RankedMove,
    Verdict,
)
from traffic_lights.system.words import counted, listed

PROGRAM: Final = "Traffic Lights"
FIRST_MOVE: Final = (
    "Choose a lamp to switch it to its next colour: off → green → yellow → red. Three of one "
    "colour in a row wins, no matter who lit them."
)
STILL_SOLVING: Final = "Still solving the game – one moment…"
MARKS: Final = (
    "Marks of moves: # completes a line · !! only winning move · ! best move · ?? throws away or "
    f"misses a win · ?! loses a lost position at once or at least {MOVES_LOST_TOO_EARLY} moves too "
    "soon. Review shows your ?? and ?! moves."
)
VALUES: Final = (
    "W 3 = wins in 3 moves, L 12 = loses in 12 moves, with best play. The best moves are outlined."
)
SETUP_FINISHED: Final = "A line is already complete here. Change a lamp first."
NO_EARLIER_MISTAKE: Final = "This is the first mistake."
SOLVED_ALREADY: Final = "This mistake is solved: Next shows the one after it."
SOLVED_THE_LAST: Final = "This was the last mistake, and it is solved: Done ends the review."
AT_THE_START: Final = "This is the start of the game."
PAUSED: Final = "Paused: Step makes one move, Play resumes the game."
FAILED: Final = "Choose another opponent, or take your move back."
NOTHING_TO_UNDO: Final = "There is nothing to undo."
NOTHING_TO_REDO: Final = "There is nothing to redo."
GAME_BEFORE: Final = "This is the game before. Redo returns to the one that you left."
GAME_AFTER: Final = "This is the game after. Undo returns to the one that you left."
NO_HINT_HERE: Final = "You can ask for a hint when it is your turn."
REVIEW_COMPLETE: Final = "That was the last mistake."
SEEN_AHEAD: Final = 5
"""The plies of a win that a player could have seen: three moves of the winner."""


# Cells, lines, players


def cells(actions: Sequence[Action], last: str = "and") -> str:
    """Return the names of *actions*: ``a1, b2 and c3``."""
    return listed([format_cell(action) for action in actions], last)


def seat_name(players: Players, seat: int) -> str:
    """Return the name of a seat's player in a sentence: "you", "QBot", "Anna" or "Player 1"."""
    player, other = players[seat], players[1 - seat]
    if player.is_human and not other.is_human:
        return "you"
    number = f"Player {seat + 1}"
    return f"{player.name} ({number})" if player.name == other.name != "" else player.name or number


def subject(name: str, verb: str) -> str:
    """Return the subject and its verb in the third person, or the second for "you"."""
    return f"you {verb}" if name == "you" else f"{name} {verb}s"


def sentence(text: str) -> str:
    """Return *text* with a capital at its start, unless it starts with the name of a cell."""
    return text if text[:2] in CELL_NAMES else text[:1].upper() + text[1:]


def lines_text(state: State, lines: tuple[Line, ...]) -> str:
    """Return the complete *lines* of *state*: ``three greens, a1–c1 and b1–d1``."""
    colours: list[str] = []
    for colour in (1, 2, 3):
        names = [
            f"{format_cell(line[0])}–{format_cell(line[2])}"
            for line in lines
            if colour_of(state, line[0]) == colour
        ]
        if names:
            colours.append(f"three {COLOUR_NAMES[colour]}s, {listed(names)}")
    return " and ".join(colours)


def board_in_words(state: State) -> str:
    """Return the board for a screen reader: ``Green: b2 and c1. Yellow: none. Red: none.``."""
    parts: list[str] = []
    for colour in (1, 2, 3):
        lit = [cell for cell in range(CELLS) if colour_of(state, cell) == colour]
        parts.append(f"{sentence(COLOUR_NAMES[colour])}: {cells(lit) or 'none'}.")
    return " ".join(parts)


# Values of moves


def moves_of_winner(distance: int) -> int:
    """Return *distance*, in plies, as moves of the winner: 5 is 3, 8 is 4."""
    return (distance + 1) // 2


def value_badge(distance: int) -> str:
    """Return the badge of a move from its distance in plies: ``W 3`` or ``L 4``."""
    return f"{'W' if distance % 2 else 'L'} {moves_of_winner(distance)}"


def value_text(distance: int) -> str:
    """Return the same in words: ``wins in 3``, ``loses in 4``."""
    return f"{'wins' if distance % 2 else 'loses'} in {moves_of_winner(distance)}"


def ranked_text(move: RankedMove) -> str:
    """Return the value of *move*: ``wins in 3``, ``loses in 4, 2 of 7 safe replies win``."""
    text = value_text(move.distance)
    if move.kept is None or move.share == 1:
        return text
    verb = "wins" if move.kept.winning == 1 else "win"
    return f"{text}, {move.kept.winning} of {move.kept.safe} safe replies {verb}"


def values_text(moves: Sequence[RankedMove]) -> str:
    """Return the moves by what they lead to, best first: ``Wins in 3: c1. Loses in 2: a1.``."""
    groups = [
        f"{sentence(text)}: {cells([move.action for move in group])}."
        for text, group in groupby(moves, ranked_text)
    ]
    return " ".join(groups)


def line_of_play(replies: Sequence[Action]) -> str:
    """Return moves to be played out, separated by spaces: ``d3 a1 b2``."""
    return " ".join(format_cell(action) for action in replies)


# The verdict on a move, hints


def verdict_text(verdict: Verdict, players: Players) -> str:
    """Return the words for a move: ``Still winning, 2 moves slower than c1.`` and the like."""
    moves = moves_of_winner(verdict.distance)
    best = format_cell(verdict.best)
    gap = counted(abs(verdict.distance - verdict.best_distance) // 2, "move")
    match verdict.kind:
        case Kind.COMPLETES:
            return f"{format_cell(verdict.action)} completes {_completed(verdict)}."
        case Kind.ONLY_WIN:
            return "The only winning move."
        case Kind.BEST:
            return f"Best: wins in {moves}."
        case Kind.SLOWER:
            return f"Still winning, {gap} slower than {best}."
        case Kind.TRAP:
            name = seat_name(players, mover(verdict.state) ^ 1)
            return f"Lost against perfect play, but {_share_text(verdict.kept, name)}."
        case Kind.LONGEST:
            return f"Lost either way, but this lasts longest ({counted(moves, 'move')})."
        case Kind.SHORTER:
            return f"Lost either way, but {best} lasts {gap} longer."
        case Kind.OVERLOOKED:
            text = f"{best} would have won at once."
            return f"{text} {sentence(now_wins(verdict, players))}." if verdict.is_blunder else text
        case Kind.BLUNDER:
            return f"Throws the win away: {now_wins(verdict, players)}. {best} was winning."


def move_text(session: Session) -> str:
    """Return the text of the move that led to the position shown; empty if it is not known.

    ``c2?? – Throws the win away: now QBot wins in 4, starting with d3. c1 was winning.``
    """
    verdict = session.verdict()
    if verdict is None:
        return ""
    return judged_text(verdict, session.players)


def judged_text(verdict: Verdict, players: Players) -> str:
    """Return the move with its mark and its verdict."""
    return f"{format_cell(verdict.action)}{verdict.mark} – {verdict_text(verdict, players)}"


def _completed(verdict: Verdict) -> str:
    after = verdict.state + STEPS[verdict.action]
    colour = COLOUR_NAMES[colour_of(after, verdict.action)]
    number = len(verdict.lines)
    return f"three {colour}s" if number == 1 else f"{number} lines of three {colour}s"


def now_wins(verdict: Verdict, players: Players) -> str:
    """Return the refutation of a blunder: ``now Player 2 wins in 4, starting with d3``."""
    opponent = subject(seat_name(players, mover(verdict.state) ^ 1), "win")
    moves = moves_of_winner(verdict.distance - 1)
    reply = format_cell(verdict.replies[0])
    if moves == 1:
        return f"now {opponent} at once with {reply}"
    return f"now {opponent} in {moves}, starting with {reply}"


def _share_text(kept: Kept | None, name: str = "the opponent") -> str:
    assert kept is not None
    whose = "your" if name == "you" else f"{name}'s"
    verb = "keeps" if kept.winning == 1 else "keep"
    return f"only {kept.winning} of {whose} {kept.safe} safe replies {verb} the win"


def hint_text(hint: Hint) -> str:
    """Return the words of one step of help."""
    if hint.step == 1:
        if hint.is_won:
            return "You can win this."
        text = "Every move loses to perfect play"
        return f"{text}, but some are hard to answer." if hint.is_hard else f"{text}."
    if hint.move is not None:
        return _named_move(hint, hint.move)
    if hint.is_won:
        moves = "move" if len(hint.cells) == 1 else "moves"
        return f"The winning {moves}: {cells(hint.cells)}."
    best = "Hardest to answer" if hint.is_hard else "What lasts longest"
    return f"{best}: {cells(hint.cells, 'or')}."


def _named_move(hint: Hint, move: Verdict) -> str:
    name = format_cell(move.action)
    moves = counted(moves_of_winner(hint.distance), "move")
    if move.kind is Kind.COMPLETES:
        after = move.state + STEPS[move.action]
        return f"{name} wins at once: {lines_text(after, move.lines)}."
    if hint.is_won:
        why = "the only move that wins" if len(hint.cells) == 1 else "the fastest win"
        text = f"{name} is {why}, in {moves}."
    elif hint.is_hard:
        text = f"{name} is hardest to answer: {_share_text(move.kept)}."
    else:
        text = f"{name} lasts longest: perfect play needs {moves}."
    return f"{text} The reply to expect: {format_cell(move.replies[0])}."


# Banner, title, status


def banner(session: Session) -> str:
    """Return the sentence over the board: whose turn it is, or what happened."""
    match session.phase:
        case Phase.SETUP:
            return "Set up a position"
        case Phase.REVIEW:
            assert session.review is not None
            return _mistake_text(session.review)
        case Phase.LOOKING_BACK:
            move = f"move {session.index}" if session.index else "the start, move 0"
            return f"Looking at {move} of {len(session.game.actions)}"
        case Phase.OVER:
            won = complete_lines(session.state)
            return f"{_who_won(session.game)} – {lines_text(session.state, won)}"
        case Phase.BOT_TURN:
            bot, seat = session.choosing, seat_name(session.players, session.mover)
            name = bot.name if bot is not None and session.mover_is_human else seat
            if session.failure:
                return f"{name} cannot move"
            return f"Paused – {name} to move" if session.is_paused else f"{name} is choosing…"
        case Phase.YOUR_TURN:
            if session.only_human is not None:
                return "Your turn"
            return f"{seat_name(session.players, session.mover)} to move"


def _who_won(game: Game) -> str:
    return sentence(subject(seat_name(game.players, 1 - game.mover), "win"))


def title(session: Session) -> str:
    """Return the window's title: ``Your turn – move 7 – Traffic Lights``."""
    words = [banner(session).partition(" – ")[0]]
    if session.phase in (Phase.YOUR_TURN, Phase.BOT_TURN):
        words.append(f"move {len(session.game.actions) + 1}")
    return " – ".join([*words, PROGRAM])


def outcome_text(outcome: Outcome, session: Session, cell: Action) -> str:
    """Return the status line after a click on *cell*; empty if the board shows it all."""
    name = format_cell(cell)
    match outcome:
        case Outcome.RED_CELL:
            return f"{name} is red, and red lamps never change. Choose another lamp."
        case Outcome.BOT_CHOOSING:
            if session.failure:
                return f"{sentence(session.failure)}. {FAILED}"
            return PAUSED if session.is_paused else "The bot is choosing…"
        case Outcome.BOT_MOVES_HERE:
            return looking_back_text(session)
        case Outcome.OVER:
            return "The game is over. Start a new game, or undo a move."
        case Outcome.PLAYED_ON:
            return "You play on from here. Redo brings the old line back."
        case Outcome.SOLVED | Outcome.TRY_AGAIN:
            return review_text(session)
        case Outcome.SETUP_CHANGED:
            return setup_text(session.state)
        case Outcome.PLAYED:
            return ""


def looking_back_text(session: Session) -> str:
    """Return the status line while looking back."""
    if session.mover_is_human:
        return "A move plays on from here. Redo then brings the old line back."
    name = seat_name(session.players, session.mover)
    if not session.has_person:
        return f"It is {name}'s turn here, in a game of two bots."
    return f"It is {name}'s turn here. Go to a position where it is your turn."


def pasted_text(session: Session) -> str:
    """Return the status line after a paste: what undo does now."""
    game, earlier, _ = session.saved()
    if session.phase is Phase.SETUP or not earlier:
        return "Pasted."
    first = "takes its moves back, then " if game.actions else ""
    return f"Pasted. Undo {first}brings back the game before it."


def setup_text(state: State) -> str:
    """Return the status line in set-up: who would move, or that a line is complete."""
    if is_terminal(state):
        return SETUP_FINISHED
    parity = "odd" if mover(state) else "even"
    return f"Player {mover(state) + 1} moves next, because the number of steps made is {parity}."


def bot_move_text(request: BotRequest, action: Action) -> str:
    """Return which move a bot made: ``QBot plays c2``."""
    return f"{request.player.name} plays {format_cell(action)}"


# The end of a game


def result_text(game: Game) -> str:
    """Return the result line, ``You win in 9 moves – with 2 hints.`` and the like.

    The number is that of the winner's moves. Help is mentioned only if a human won;
    in a game of two humans, it is the help of the whole game.
    """
    text = f"{_who_won(game)} in {counted(moves_of_winner(len(game.actions)), 'move')}"
    winner, loser = game.players[1 - game.mover], game.players[game.mover]
    if not game.is_helped or not winner.is_human:
        return f"{text}."
    if loser.is_human:
        return f"{text}. Help in this game: {help_text(game)}."
    return f"{text} – with {help_text(game)}."


def help_text(game: Game) -> str:
    """Return the help taken in *game*: ``2 hints and 1 move taken back``; empty if none."""
    kinds = [(game.hints, "hint", ""), (game.takebacks, "move", " taken back")]
    kinds.append((game.bot_moves, "move", " by a bot"))
    words = [counted(number, noun) + how for number, noun, how in kinds if number]
    return listed([*words, "the values shown"] if game.values_seen else words)


def mistakes_text(session: Session) -> str:
    """Return the line that offers a review, ``You missed a win on moves 9 and 13.``, if any.

    Only wins within three moves count as missed, because a player can see those.
    """
    game = session.game
    # If the seats were changed, another player may have made the move.
    names = [
        f"Player {seat + 1}" if game.is_unrated else seat_name(game.players, seat)
        for seat in (0, 1)
    ]
    texts: list[str] = []
    for seat in (0, 1):
        deeds: dict[str, list[int]] = {}
        for mistake in session.mistakes():
            if mover(mistake.verdict.state) == seat:
                deeds.setdefault(_deed(mistake, names[1 - seat]), []).append(mistake.index + 1)
        if deeds:
            done = [f"{deed} on {_moves(numbers)}" for deed, numbers in deeds.items()]
            texts.append(f"{sentence(names[seat])} {listed(done)}.")
    return " ".join(texts)


def _deed(mistake: Mistake, opponent: str) -> str:
    verdict = mistake.verdict
    if verdict.kind.is_mistake and verdict.best_distance <= SEEN_AHEAD:
        return "missed a win"
    if verdict.distance == 2:
        return f"let {opponent} win at once"
    return "could have played better"


def _moves(numbers: list[int]) -> str:
    return f"move{'s' * (len(numbers) > 1)} {listed([str(number) for number in numbers])}"


# Review


def no_review_text(session: Session) -> str:
    """Return why there is nothing to review; empty if there is something."""
    if session.tablebase is None:
        return STILL_SOLVING
    if not session.game.actions:
        return "You can review a game after its first move."
    if session.mistakes():
        return ""
    number = MOVES_LOST_TOO_EARLY
    if not session.has_person:
        return f"No mistakes to review: no bot threw a win away or lost {number} moves too early."
    return (
        "No mistakes to review: you never threw away a win, and never lost "
        f"{number} or more moves too early."
    )


def _mistake_text(review: Review) -> str:
    """Return which mistake is under review, and what to find until that is solved."""
    verdict = review.mistake.verdict
    if verdict.kind is Kind.BLUNDER:
        deed = "threw the win away"
    elif verdict.kind is Kind.OVERLOOKED:
        deed = "overlooked a win at once"
    elif verdict.loses_at_once:
        deed = "lost at once"
    else:
        deed = f"lost {counted(verdict.moves_too_early, 'move')} too early"
    text = f"Move {review.mistake.index + 1}: {format_cell(verdict.action)} {deed}."
    if review.is_solved:
        return text
    return f"{text} Find {'the winning move' if verdict.kind.is_mistake else 'a better defence'}."


def review_text(session: Session) -> str:
    """Return the status line in review: the result of the last try, or which mistake this is."""
    review = session.review
    if review is None:
        return ""
    if review.was_revealed:
        return _solution_text(review)
    tried = review.tried
    if tried is None:
        return f"Mistake {review.number + 1} of {len(review.mistakes)}."
    name = format_cell(tried.action)
    words = verdict_text(tried, session.players)
    if review.is_right:
        return f"Right: {words}" if tried.kind is Kind.COMPLETES else f"Right: {name}. {words}"
    if tried.is_blunder:
        return f"{name} does not win: {now_wins(tried, session.players)}. Try again."
    if tried.kind.is_mistake:
        return f"{name} wins too, but later: you can win at once. Try again."
    return f"{name}: {now_wins(tried, session.players)}. Try again."


def _solution_text(review: Review) -> str:
    if not review.mistake.verdict.kind.is_mistake:
        return f"The best defence: {cells(review.solutions, 'or')}."
    noun = "move was" if len(review.solutions) == 1 else "moves were"
    return f"The winning {noun} {cells(review.solutions)}."
