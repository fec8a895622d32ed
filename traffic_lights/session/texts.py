"""Every text about the game that people read: banner, status, title, verdicts, hints, results.

Conventions: cells are named a1 to d3, lines by their end cells, colours are
written out. A distance is told in moves of the winner, never in plies. "Move
7" is the seventh move made in this game, by whoever. A person alone against a
bot is "you", the bot goes by its name; otherwise they are Player 1 and 2.
"""

from __future__ import annotations

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
from traffic_lights.players.game import Game, Player
from traffic_lights.session.session import BotRequest, Outcome, Phase, Session
from traffic_lights.session.verdicts import Hint, Kind, Verdict

PROGRAM: Final = "Traffic Lights"
STILL_SOLVING: Final = "The exact solution is still being worked out – a moment, please."
MARKS: Final = (
    "Marks of moves: # completes a line, !! is the only winning move, ! the best, ?? throws a "
    "win away, ?! is lost anyway but holds out less long than it could."
)
SETUP_FINISHED: Final = "A line is complete there, so nobody could move: change a lamp first."
NO_MISTAKES: Final = "No mistakes to review: no win was thrown away."
NOTHING_TO_UNDO: Final = "There is nothing to take back."
NOTHING_TO_REDO: Final = "There is nothing to redo."
NO_HINT_HERE: Final = "A hint is for the moment in which you choose a move."
REVIEW_COMPLETE: Final = "That was the last mistake."


# Numbers and names


def moves_of_winner(distance: int) -> int:
    """Return *distance*, in plies, as moves of whoever wins: 5 is 3, 8 is 4."""
    return (distance + 1) // 2


def counted(number: int, noun: str) -> str:
    """Return *number* and *noun*, in the plural unless it is one: ``1 hint``, ``2 hints``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(words: list[str], last: str = "and") -> str:
    """Return *words* as a list for reading: ``9``, ``9 and 13``, ``9, 11 and 13``."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def cells(actions: tuple[Action, ...], last: str = "and") -> str:
    """Return the names of *actions*: ``a1, b2 and c3``."""
    return listed([format_cell(action) for action in actions], last)


def seat_name(players: tuple[Player, Player], seat: int) -> str:
    """Return what the player of *seat* is called in a sentence: "you", a bot's name, "Player 1"."""
    player, other = players[seat], players[1 - seat]
    if player.is_human:
        return f"Player {seat + 1}" if other.is_human else "you"
    if other.name == player.name:
        return f"{player.name} (Player {seat + 1})"
    return player.name


def _subject(name: str, verb: str) -> str:
    """Return the subject and its verb in the third person, or the second for "you"."""
    return f"you {verb}" if name == "you" else f"{name} {verb}s"


def sentence(text: str) -> str:
    """Return *text* with a capital at its start, unless that is the name of a cell."""
    return text if text[:2] in CELL_NAMES else text[:1].upper() + text[1:]


def line_name(line: Line) -> str:
    """Return the end cells of *line*: ``a1–c1``."""
    return f"{format_cell(line[0])}–{format_cell(line[2])}"


def lines_text(state: State, lines: tuple[Line, ...]) -> str:
    """Return the complete *lines* of *state*: ``three greens, a1–c1``, ``… and b1–d1``."""
    colours: list[str] = []
    for colour in (1, 2, 3):
        names = [line_name(line) for line in lines if colour_of(state, line[0]) == colour]
        if names:
            colours.append(f"three {COLOUR_NAMES[colour]}s, {listed(names)}")
    return " and ".join(colours)


def value_badge(distance: int) -> str:
    """Return the badge of a move from its distance in plies: ``W 3`` or ``L 4``."""
    return f"{'W' if distance % 2 else 'L'} {moves_of_winner(distance)}"


def value_text(distance: int) -> str:
    """Return the same in words: ``wins in 3``, ``loses in 4``."""
    return f"{'wins' if distance % 2 else 'loses'} in {moves_of_winner(distance)}"


def values_text(distances: dict[Action, int]) -> str:
    """Return the moves by what they lead to, the best first: ``wins in 3: c1. loses in 2: a1``."""
    groups: dict[int, list[Action]] = {}
    for action, distance in distances.items():
        groups.setdefault(distance, []).append(action)
    # Wins first, the fastest ahead; then losses, those that hold out longest ahead.
    order = sorted(groups, key=lambda n: n if n % 2 else 1000 - n)
    return ". ".join(f"{sentence(value_text(n))}: {cells(tuple(groups[n]))}" for n in order) + "."


def board_in_words(state: State) -> str:
    """Return the board for ears: ``Green: b2 and c1. Yellow: none. Red: none.``."""
    parts: list[str] = []
    for colour in (1, 2, 3):
        held = tuple(cell for cell in range(CELLS) if colour_of(state, cell) == colour)
        parts.append(f"{sentence(COLOUR_NAMES[colour])}: {cells(held) or 'none'}.")
    return " ".join(parts)


# Banner, title, status


def banner(session: Session) -> str:
    """Return the sentence over the board: whose turn it is, or what is being done."""
    phase = session.phase
    if phase is Phase.SETUP:
        return "Set up a position"
    if phase is Phase.REVIEW:
        return _review_banner(session)
    if phase is Phase.LOOKING_BACK:
        return f"Looking at {_position_name(session)} of {session.game.present}"
    if phase is Phase.OVER:
        return over_text(session.game)
    if session.choosing is not None:
        name = choosing_name(session)
        return f"Paused – {name} to move" if session.is_paused else f"{name} is choosing…"
    if session.only_human is not None:
        return f"Your turn – you are Player {session.mover + 1}"
    return f"Player {session.mover + 1} to move"


def choosing_name(session: Session) -> str:
    """Return the name of the bot that is choosing; empty if none is."""
    bot = session.choosing
    if bot is None:
        return ""
    seated = session.players[session.mover]
    return bot.name if seated.is_human else seat_name(session.players, session.mover)


def _position_name(session: Session) -> str:
    return f"move {session.index}" if session.index else "the start, move 0"


def over_text(game: Game) -> str:
    """Return who won a finished game and how: ``You win – three greens, a1–c1``."""
    winner = mover(game.state) ^ 1
    won = sentence(_subject(seat_name(game.players, winner), "win"))
    return f"{won} – {lines_text(game.state, complete_lines(game.state))}"


def title(session: Session) -> str:
    """Return the window's title: ``Your turn – move 7 – Traffic Lights``."""
    phase = session.phase
    move = f"move {session.game.present + 1}"
    if phase is Phase.OVER:
        words = [over_text(session.game).split(" – ")[0]]
    elif phase is Phase.YOUR_TURN and session.only_human is not None:
        words = ["Your turn", move]
    elif phase in (Phase.YOUR_TURN, Phase.BOT_TURN):
        words = [banner(session), move]
    elif phase is Phase.REVIEW:
        words = ["Review"]
    else:
        words = [banner(session)]
    return " – ".join([*words, PROGRAM])


def outcome_text(outcome: Outcome, session: Session, cell: Action) -> str:
    """Return the status line after a click on *cell*; empty if the board says it all."""
    name = format_cell(cell)
    match outcome:
        case Outcome.RED_CELL:
            return f"{name} is red, and red is final: choose another cell."
        case Outcome.BOT_CHOOSING:
            return "The bot is choosing…"
        case Outcome.BOT_MOVES_HERE:
            bot = session.players[session.mover].name
            return f"{bot} moves here: step to a position in which it is your turn."
        case Outcome.OVER:
            return "The game is over – New Game or Undo"
        case Outcome.PLAYED_ON:
            return "You play on from here; Redo brings the old line back."
        case Outcome.SOLVED | Outcome.TRY_AGAIN:
            return review_text(session)
        case Outcome.SETUP_CHANGED:
            return f"{name} is {COLOUR_NAMES[colour_of(session.state, cell)]}."
        case _:
            return ""


def looking_back_text(session: Session) -> str:
    """Return the status line while looking back."""
    if session.mover_is_human:
        return "A move plays on from here; Redo then brings the old line back."
    return f"{session.players[session.mover].name} moves here; any of your own moves plays on."


def setup_text(state: State) -> str:
    """Return the status line in set-up: who would move, or that nobody could."""
    if is_terminal(state):
        return SETUP_FINISHED
    return f"Player {mover(state) + 1} would move next: the number of steps made is " + (
        "odd." if mover(state) else "even."
    )


# Verdicts and hints


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
        case Kind.LONGEST:
            return f"Lost anyway; this holds out longest ({moves})."
        case Kind.SHORTER:
            return f"Lost anyway, but {best} holds out {counted(gap, 'move')} longer."
        case Kind.OVERLOOKED:
            text = f"{best} would have won at once."
            return f"{text} {sentence(_now_wins(verdict, players))}." if verdict.is_slip else text
        case Kind.SLIP:
            return f"Throws the win away: {_now_wins(verdict, players)}. {best} was winning."


def _completed(verdict: Verdict) -> str:
    """Return ``three yellows``, and how many lines if it is more than one."""
    after = verdict.state + STEPS[verdict.action]
    colour = COLOUR_NAMES[colour_of(after, verdict.action)]
    number = len(verdict.lines)
    return f"three {colour}s" if number == 1 else f"{number} lines of three {colour}s"


def _now_wins(verdict: Verdict, players: tuple[Player, Player]) -> str:
    """Return the refutation of a slip: ``now Player 2 wins in 4, starting with d3``."""
    opponent = _subject(seat_name(players, mover(verdict.state) ^ 1), "win")
    moves = moves_of_winner(verdict.distance - 1)
    reply = format_cell(verdict.replies[0])
    if moves == 1:
        return f"now {opponent} at once with {reply}"
    return f"now {opponent} in {moves}, starting with {reply}"


def line_of_play(replies: tuple[Action, ...]) -> str:
    """Return moves to be played out, apart by blanks: ``d3 a1 b2``."""
    return " ".join(format_cell(action) for action in replies)


def hint_text(hint: Hint) -> str:
    """Return the words of one step of help."""
    if hint.step == 1:
        return "You can win this." if hint.is_won else "Every move loses against perfect play."
    if hint.move is None:
        if not hint.is_won:
            return f"What holds out longest: {cells(hint.cells, 'or')}."
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
    else:
        text = f"{name} holds out longest: perfect play needs {counted(moves, 'move')}."
    return f"{text} The reply to expect: {format_cell(move.replies[0])}."


# The end of a game, review


def result_text(game: Game) -> str:
    """Return the result line, ``You win in 17 moves – with 2 hints.`` and the like.

    Moves are counted of both players. Help belongs to the person who had it: a
    bot wins without; where two persons played, it is told of the game.
    """
    winner = mover(game.state) ^ 1
    won = sentence(_subject(seat_name(game.players, winner), "win"))
    text = f"{won} in {counted(game.present, 'move')}"
    if not game.is_helped or not game.players[winner].is_human:
        return f"{text}."
    if game.players[1 - winner].is_human:
        return f"{text}. Help in this game: {help_text(game)}."
    return f"{text} – with {help_text(game)}."


def help_text(game: Game) -> str:
    """Return the help taken in *game*: ``2 hints and 1 move taken back``; empty if none."""
    kinds = [(game.hints, "hint", ""), (game.takebacks, "move", " taken back")]
    kinds.append((game.bot_moves, "move", " by a bot"))
    words = [counted(number, noun) + how for number, noun, how in kinds if number]
    return listed([*words, "the values shown"] if game.values_seen else words)


def mistakes_text(session: Session) -> str:
    """Return the line that offers a review, ``You had the win at move 9 and 13.``, if any.

    Empty without a mistake, and while the solution is unknown.
    """
    winner = session.game.winner
    texts: list[str] = []
    for seat in (0, 1):
        numbers = [
            str(mistake.index + 1)
            for mistake in session.mistakes()
            if mover(mistake.verdict.state) == seat
        ]
        if numbers:
            name = sentence(seat_name(session.players, seat))
            had = "had a better move" if winner == seat else "had the win"
            texts.append(f"{name} {had} at move {listed(numbers)}.")
    return " ".join(texts)


def _review_banner(session: Session) -> str:
    review = session.review
    assert review is not None
    verdict = review.mistake.verdict
    did = "threw the win away" if verdict.kind is Kind.SLIP else "overlooked a win at once"
    ask = "" if review.is_solved else " Find the winning move."
    return f"Move {review.index + 1}: {format_cell(verdict.action)} {did}.{ask}"


def review_text(session: Session) -> str:
    """Return the status line in review: what came of the last try, or what to do."""
    review = session.review
    if review is None:
        return ""
    tried = review.tried
    if review.was_revealed:
        noun = "move was" if len(review.solutions) == 1 else "moves were"
        return f"The winning {noun} {cells(review.solutions)}."
    if tried is None:
        number = f"Mistake {review.number + 1} of {len(review.mistakes)}"
        return f"{number}: find the move that wins."
    name = format_cell(tried.action)
    if tried.action in review.solutions:
        words = verdict_text(tried, session.players)
        return f"Right: {words}" if tried.kind is Kind.COMPLETES else f"Right: {name}. {words}"
    if tried.is_slip:
        return f"{name} does not win: {_now_wins(tried, session.players)}. Try again."
    return f"{name} wins too, but later: there is a win at once. Try again."


def guess_text(name: str) -> str:
    """Return what the bot *name* says in a position that its table does not hold."""
    return f"{name} keeps no row of this position, and guesses."


def bot_move_text(request: BotRequest, action: Action) -> str:
    """Return what a bot did, ``QBot plays c2.``, for a screen reader or a terminal."""
    return f"{request.name} plays {format_cell(action)}."
