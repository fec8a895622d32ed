"""The cards above the board: who plays is chosen there, and always shown there."""

from tests.kit.person import PersonTestCase


class CardTests(PersonTestCase):
    def test_who_is_chosen_on_a_card_sits_there_with_its_level_and_at_the_next_start(self) -> None:
        self.see("You", "Beginner", "Level 1 of 6")
        self.press("Beginner", "Careful")
        self.see("Careful", "Level 3 of 6")
        self.click("b2")
        self.see("move 3")
        before = self.lamps
        self.restart()
        self.see("Careful", "move 3")
        self.assertEqual(self.lamps, before)
