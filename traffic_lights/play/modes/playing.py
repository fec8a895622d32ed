"""Play: a human or a bot is to move, or the game is over."""

from collections.abc import Mapping

from traffic_lights.board.rules import Action, complete_lines
from traffic_lights.play import texts
from traffic_lights.play.mode import Mode
from traffic_lights.play.verdicts import NOTHING, Hint, Verdict, hint


class Playing(Mode):
    """The usual mode; all others lead back to it."""

    rows = (
        {
            "new_game": "New Game", "undo": "Undo", "redo": "Redo", "hint": "Hint",
            "review": "Review",
        },
        {
            "new_game": "New Game", "undo": "Undo", "pause": "Pause", "step": "Step",
            "speed": "Speed",
        },
    )  # fmt: skip

    @property
    def buttons(self) -> Mapping[str, str]:
        session = self.session
        for_people, for_bots = self.rows  # a hint is of no use to two bots
        if session.game.has_person or not session.is_bots_turn:
            return for_people
        return {**for_bots, "pause": "Play"} if session.is_paused else for_bots

    @property
    def marked_seat(self) -> int | None:
        game = self.session.game
        return game.winner if game.is_over else game.mover

    @property
    def invites(self) -> bool:
        return self.session.is_your_turn

    @property
    def mistake(self) -> Verdict | None:
        session = self.session
        if not session.is_your_turn:
            return super().mistake
        # After a bot's reply this is the player's move before it. In a game of two people it would
        # help the one who has to answer.
        return None if session.only_human is None else self._mistake_at(self.index - 1)

    def heading(self) -> str:
        session = self.session
        state = self.state
        if session.game.is_over:
            winner = texts.winner_text(session.players, 1 - session.mover)
            return f"{winner} – {texts.lines_text(state, complete_lines(state))}"
        name = texts.seat_name(session.players, session.mover)
        if session.is_your_turn:
            return f"{name} to move" if session.only_human is None else "Your turn"
        if session.mover_is_human:  # the bot moves for the player
            name = session.to_move.name
        if session.failure:
            return f"{name} cannot move"
        return f"Paused – {name} to move" if session.is_paused else f"{name} is choosing…"

    def detail(self) -> str:
        session = self.session
        if session.game.is_over:
            mistakes = "" if session.wanted_values() == NOTHING else session.mistakes_text()
            why, helped = texts.counted_text(session.game), texts.help_text(session.game)
            return " ".join(text for text in (why, helped, mistakes) if text)
        if session.failure:
            reason = texts.sentence(session.failure)
            return f"{reason}. Choose another opponent, or undo a move."
        return ""

    def title(self) -> str:
        game = self.session.game
        number = "" if game.is_over else f" – move {len(game.actions) + 1}"
        return super().title() + number

    @property
    def next_command(self) -> str:
        return "new_game" if self.session.game.is_over else ""

    @property
    def main_button(self) -> str:
        session = self.session
        if session.is_paused and not session.game.is_over:
            return "pause"
        return self.next_command

    def click(self, cell: Action) -> str:
        session = self.session
        if session.game.is_over:
            return "The game is over. Start a new game, or undo a move."
        if session.is_bots_turn:
            return ""
        return texts.illegal_text(self.state, cell) or session.play_on(cell)

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(("hint", "bot_plays") if self.session.is_your_turn else ())

    def hint(self) -> Hint:
        """Return the next of three hints for this position, and count it."""
        steps = dict(self.session.game.hinted)
        steps[self.state] = min(steps.get(self.state, 0) + 1, 3)
        self.session.history.note(hinted=tuple(steps.items()))
        return hint(self.state, steps[self.state])
