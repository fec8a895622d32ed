"""The Strength tab: scores of bots against opponents, and a game that beats one."""

from tests.kit.workshop import WorkshopTestCase


class StrengthTests(WorkshopTestCase):
    names = ("One",)

    def play(self, bot: str, games: str = "40") -> None:
        self.press(bot, "Strength")
        self.fill("Games", games)
        self.press("Run")
        self.see("Stop")

    def test_a_student_reads_whether_a_bot_is_better_and_finds_the_scores_after_a_restart(
        self,
    ) -> None:
        self.play("Beginner")
        self.see("Beginner is better than Random")
        self.restart()
        self.pick("Bots", "Workshop")
        self.press("Beginner", "Strength")
        self.see("Beginner is better than Random")

    def test_ticked_bots_are_compared_too(self) -> None:
        self.press("Beginner", "Strength")
        before = self.text.count("One")
        self.tick("One")
        self.choose("Beginner")
        self.assertGreater(self.text.count("One"), before)

    def test_a_wrong_number_of_games_is_explained(self) -> None:
        self.press("Beginner", "Strength")
        self.fill("Games", "none")
        self.press("Run")
        self.see("Games must be a whole number")

    def test_a_game_that_beats_the_bot_comes_on_the_board_when_asked(self) -> None:
        self.press("One", "Strength", "A Game That Beats It")
        self.see("Show This Game")
        self.press("Show This Game")
        self.see("New Game", "Looking at the start")
        self.wait(lambda: self.front is self.app.root)
        self.assertEqual(self.lamps, "0000/0000/0000")
        self.key("Control-End")
        self.assertNotEqual(self.lamps, "0000/0000/0000")
