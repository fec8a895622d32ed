"""Two learners of the lab with one mistake each: do not read on before you have found both."""

from typing import Any

from traffic_lights.library.boards import Board


def anna_and_ben(mirrors: Any) -> tuple[Any, Any]:
    """Return the classes Anna and Ben; *mirrors* is the class `Mirrors` of the lab."""

    class Anna(mirrors):  # type: ignore[misc]
        """Plays both sides and learns every move."""

        def play_game(self) -> None:
            board = Board()
            while not board.winner:
                cell = self.choose(board)
                if self.rng.random() < 0.2:
                    cell = self.rng.choice(board.legal_moves)
                then = board.play(cell)
                target = 1.0
                if not then.winner:
                    target = self.value(then, self.choose(then))
                self.move_towards(board, cell, target)
                board = then

    class Ben(mirrors):  # type: ignore[misc]
        """Builds on Mirrors."""

        def choose(self, board: Board) -> Any:
            if self.rng.random() < 0.2:
                return self.rng.choice(board.legal_moves)
            return super().choose(board)

    return Anna, Ben
