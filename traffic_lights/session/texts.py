"""Every text about the game that people read: banner, status, title, results, review.

Conventions: cells are named a1 to d3, lines by their end cells, colours are
written out. A distance is told in moves of the winner, never in plies. "Move
7" is the seventh move made in this game, by whoever. A person alone against a
bot is "you", the bot goes by its name; otherwise they are Player 1 and 2.
"""

from __future__ import annotations

from typing import Final

from traffic_lights.board.rules import (
    COLOUR_NAMES,
    Action,
    State,
    colour_of,
    complete_lines,
    format_cell,
    is_terminal,
    mover,
)
from traffic_lights.players.game import Game
from traffic_lights.session.move_texts import hint_text as hint_text
from traffic_lights.session.move_texts import line_of_play as line_of_play
from traffic_lights.session.move_texts import now_wins
from traffic_lights.session.move_texts import verdict_text as verdict_text
from traffic_lights.session.session import BotRequest, Outcome, Phase, Session
from traffic_lights.session.verdicts import CONCEDED, Kind, Verdict
from traffic_lights.session.wording import board_in_words as board_in_words
from traffic_lights.session.wording import cells as cells
from traffic_lights.session.wording import counted as counted
from traffic_lights.session.wording import line_name as line_name
from traffic_lights.session.wording import lines_text as lines_text
from traffic_lights.session.wording import listed as listed
from traffic_lights.session.wording import moves_of_winner as moves_of_winner
from traffic_lights.session.wording import seat_name as seat_name
from traffic_lights.session.wording import sentence as sentence
from traffic_lights.session.wording import subject as subject
from traffic_lights.session.wording import value_badge as value_badge
from traffic_lights.session.wording import value_text as value_text
from traffic_lights.session.wording import values_text as values_text

PROGRAM: Final = "Traffic Lights"
FIRST_MOVE: Final = (
    "Choose any lamp: a move turns it on by one step, from off to green, yellow and red. Three of "
    "one colour in a row win, whoever lit them."
)
STILL_SOLVING: Final = "The exact solution is still being worked out – a moment, please."
MARKS: Final = (
    "Marks of moves: # completes a line, !! is the only winning move, ! the best, ?? throws a win "
    "away or overlooks one at once, ?! is lost anyway but loses at once or "
    f"{CONCEDED} moves too soon. Review goes through those with a question mark."
)
VALUES: Final = "W 3 wins in 3 moves with best play, L 12 loses in 12; the best have a rim."
SETUP_FINISHED: Final = "A line is complete there, so nobody could move: change a lamp first."
NO_MOVE_TO_REVIEW: Final = "There is no move to review yet."
REVIEW_LATER: Final = "Review is for the end of the game; F4 goes through the moves so far."
NO_EARLIER_MISTAKE: Final = "There is no mistake before this one."
SOLVED_ALREADY: Final = "This mistake is solved: Next goes on."
SOLVED_THE_LAST: Final = "This mistake is solved, and no other follows: Done ends the review."
AT_THE_START: Final = "This is the start of the game."
PAUSED: Final = "Paused: Step makes one move, Play goes on."
FAILED: Final = "Choose another opponent, or take your move back."
NOTHING_TO_UNDO: Final = "There is nothing to take back."
NOTHING_TO_REDO: Final = "There is nothing to redo."
GAME_BEFORE: Final = "Back in the game before: Redo returns to the one that you left."
GAME_AFTER: Final = "On to the game after: Undo returns to the one that you left."
NO_HINT_HERE: Final = "A hint is for the moment in which you choose a move."
REVIEW_COMPLETE: Final = "That was the last mistake."


# Banner, title, status


def banner(session: Session) -> str:
    """Return the sentence over the board: whose turn it is, or what is being done."""
    phase = session.phase
    if phase is Phase.SETUP:
        return "Set up a position"
    if phase is Phase.REVIEW:
        return _review_banner(session)
    if phase is Phase.LOOKING_BACK:
        return f"Looking at {_position_name(session)} of {len(session.game.actions)}"
    if phase is Phase.OVER:
        return over_text(session.game)
    if session.choosing is not None:
        name = choosing_name(session)
        if session.failure:
            return f"{name} cannot move"
        return f"Paused – {name} to move" if session.is_paused else f"{name} is choosing…"
    if session.only_human is not None:
        return f"Your turn – you are Player {session.mover + 1}"
    return f"Player {session.mover + 1} to move"


def welcome_text(opponent: str, has_board: bool) -> str:
    """Return the status line beside the choices of the first start, *opponent* that of "Play"."""
    text = f"Play begins a game against {opponent}, who moves first."
    return f"{text} Or choose any lamp, to move first yourself." if has_board else text


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
    won = sentence(subject(seat_name(game.players, winner), "win"))
    return f"{won} – {lines_text(game.state, complete_lines(game.state))}"


def title(session: Session) -> str:
    """Return the window's title: ``Your turn – move 7 – Traffic Lights``."""
    phase = session.phase
    move = f"move {len(session.game.actions) + 1}"
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
            if session.failure:
                return f"{session.failure}. {FAILED}"
            return PAUSED if session.is_paused else "The bot is choosing…"
        case Outcome.BOT_MOVES_HERE:
            return _bot_moves_here(session, ": step to a position in which it is your turn")
        case Outcome.OVER:
            return "The game is over: play again, or take a move back."
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
    return _bot_moves_here(session, "; any of your own moves plays on")


def _bot_moves_here(session: Session, advice: str) -> str:
    """Return that a bot moves in the position looked at, with *advice* for a person who plays."""
    name = seat_name(session.players, session.mover)
    return f"{name} moves here{advice if session.has_person else ', in a game of two bots'}."


def pasted_text(session: Session) -> str:
    """Return the status line after a paste: what undo does now, if it brings another game back."""
    game, earlier, _ = session.saved()
    if session.phase is Phase.SETUP or not earlier:
        return "Pasted."
    first = "takes its moves back, then " if len(game.actions) else ""
    return f"Pasted. Undo {first}brings back the game before it."


def setup_text(state: State) -> str:
    """Return the status line in set-up: who would move, or that nobody could."""
    if is_terminal(state):
        return SETUP_FINISHED
    return f"Player {mover(state) + 1} would move next: the number of steps made is " + (
        "odd." if mover(state) else "even."
    )


# The end of a game, review


def result_text(game: Game) -> str:
    """Return the result line, ``You win in 9 moves – with 2 hints.`` and the like.

    Moves are counted of the winner, as everywhere. Help belongs to the person who had it: a
    bot wins without; where two persons played, it is told of the game.
    """
    winner = mover(game.state) ^ 1
    won = sentence(subject(seat_name(game.players, winner), "win"))
    text = f"{won} in {counted(moves_of_winner(len(game.actions)), 'move')}"
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
    """Return the line that offers a review, ``You had the win at moves 9 and 13.``, if any.

    Empty without a mistake, and while the solution is unknown.
    """
    texts: list[str] = []
    for seat in (0, 1):
        mine = [m for m in session.mistakes() if mover(m.verdict.state) == seat]
        wins = [str(m.index + 1) for m in mine if m.verdict.kind.is_mistake]
        losses = [str(m.index + 1) for m in mine if not m.verdict.kind.is_mistake]
        had = "had a better move" if session.game.winner == seat else "had the win"
        said = [f"{had} at {_moves(wins)}"] if wins else []
        if losses:
            said.append(f"could have defended better at {_moves(losses)}")
        if said:
            texts.append(f"{sentence(_who_moved(session, mine[0].index))} {listed(said)}.")
    return " ".join(texts)


def _who_moved(session: Session, index: int) -> str:
    """Return who made move *index*, from 0; only the seat if another may have sat there."""
    seat = mover(session.game.state_at(index))
    if session.game.is_unrated:
        return f"Player {seat + 1}"
    return seat_name(session.players, seat)


def _moves(numbers: list[str]) -> str:
    return f"move{'s' * (len(numbers) > 1)} {listed(numbers)}"


def no_review_text(session: Session) -> str:
    """Return why there is nothing to review; empty if there is something."""
    if session.tablebase is None:
        return STILL_SOLVING
    if not len(session.game.actions):
        return NO_MOVE_TO_REVIEW
    if session.mistakes():
        return ""
    whose = " of yours" if session.has_person else ""
    return (
        f"No mistakes{whose} to review: no win was thrown away, no loss hurried by {CONCEDED} "
        "moves or more."
    )


def _review_banner(session: Session) -> str:
    """Return what is asked, or whether the last try was right: the status line says why."""
    review = session.review
    assert review is not None
    if review.tried is not None and not review.was_revealed:
        name = format_cell(review.tried.action)
        return f"Right: {name}." if review.is_right else f"Not {name}. Try again."
    verdict = review.mistake.verdict
    ask = "" if review.is_solved else f" Find {_wanted(verdict)}."
    return f"Move {review.index + 1}: {format_cell(verdict.action)} {_misdeed(verdict)}.{ask}"


def _misdeed(verdict: Verdict) -> str:
    """Return what a mistake did, as the rest of a sentence about its cell."""
    if verdict.kind is Kind.SLIP:
        return "threw the win away"
    if verdict.kind is Kind.OVERLOOKED:
        return "overlooked a win at once"
    return "lost at once" if verdict.loses_at_once else f"lost {verdict.conceded} moves too soon"


def _wanted(verdict: Verdict) -> str:
    """Return what a review asks for in place of a mistake."""
    return "the winning move" if verdict.kind.is_mistake else "a better defence"


def review_text(session: Session) -> str:
    """Return the status line in review: what came of the last try, or what to do."""
    review = session.review
    if review is None:
        return ""
    tried, verdict = review.tried, review.mistake.verdict
    if review.was_revealed:
        if not verdict.kind.is_mistake:
            return f"What makes it hardest: {cells(review.solutions, 'or')}."
        noun = "move was" if len(review.solutions) == 1 else "moves were"
        return f"The winning {noun} {cells(review.solutions)}."
    if tried is None:
        number = f"Mistake {review.number + 1} of {len(review.mistakes)}"
        return f"{number}: find {_wanted(verdict)}."
    name = format_cell(tried.action)
    words = verdict_text(tried, session.players)
    if review.is_right:
        return f"Right: {words}" if tried.kind is Kind.COMPLETES else f"Right: {name}. {words}"
    if tried.is_slip:
        return f"{name} does not win: {now_wins(tried, session.players)}. Try again."
    if tried.kind.is_mistake:
        return f"{name} wins too, but later: there is a win at once. Try again."
    return f"{name}: {now_wins(tried, session.players)}. Try again."


def guess_text(name: str) -> str:
    """Return what the bot *name* says in a position that its table does not hold."""
    return f"{name} keeps no row of this position, and guesses."


def stand_in_text(request: BotRequest, action: Action | None) -> str:
    """Return what a bot did in a person's place: ``QBot plays c2 for you.``."""
    return "" if action is None else f"{request.player.name} plays {format_cell(action)} for you."


def bot_move_text(request: BotRequest, action: Action) -> str:
    """Return what a bot did, ``QBot plays c2.``, for a screen reader or a terminal."""
    return f"{request.player.name} plays {format_cell(action)}."
