"""A mode that the program does not know yet: one class is all that it takes."""

from tests.kit.windows import WindowTestCase
from traffic_lights.board.rules import Action, State, parse_board
from traffic_lights.play.commands import MODES
from traffic_lights.play.modes.tasks import Task
from traffic_lights.play.verdicts import judge


class Sample(Task):
    """The player finds a winning move that is not made."""

    rows = (
        {
            "new_game": "New Game", "next_task": "Next", "reveal": "Solution", "hint": "Hint",
            "leave": "Done",
        },
    )  # fmt: skip
    name = "The sample is solved."
    waiting = "Finish the sample first."
    is_of_game = False
    is_last = True
    offers = frozenset(("reveal",))
    state: State = parse_board("110000000000")
    last_action = None

    @property
    def is_done(self) -> bool:
        return self.tried is not None and not self.tried.is_mistake

    def heading(self) -> str:
        return "A sample"

    def detail(self) -> str:
        return "Complete the line."

    def answer(self, action: Action) -> str:
        self.tried = judge(self.state, action)
        return ""


class NewModeTests(WindowTestCase):
    def test_a_new_mode_is_drawn_clicked_refuses_and_ends_without_a_line_elsewhere(self) -> None:
        self.click(5)
        game = self.app.session.game
        self.app.session.begin(Sample(self.app.session))
        self.app.context.changed()
        self.assertEqual((self.heading, self.status), ("A sample", "Complete the line."))
        self.assertEqual(self.app.window.board.picture.state, Sample.state)
        for name in ("undo", "swap", "previous", "pause"):
            self.assertEqual(self.app.why_not(name), "Finish the sample first.")
        self.assertTrue(self.app.why_not("hint"), "it offers none")
        self.click(2)
        self.click(3)
        self.assertEqual(self.status, "The sample is solved. Your game is waiting.")
        self.key("<Return>")
        self.assertTrue(self.app.session.is_your_turn)
        self.assertEqual(self.app.session.game, game)

    def test_every_mode_has_a_button_in_each_place_and_hint_in_the_same(self) -> None:
        rows = [[*row] for mode in MODES for row in mode.rows]
        self.assertEqual({len(row) for row in rows}, {5})
        self.assertEqual({row.index("hint") for row in rows if "hint" in row}, {3})
        without = [row for row in rows if "hint" not in row]
        self.assertEqual([row[0] for row in without], ["new_game", "finish_setup"], "two bots")
