"""The cards above the board: who plays is chosen there, and always shown there."""

from tests.kit.eye import faults
from tests.kit.person import GAME, PersonTestCase


class CardTests(PersonTestCase):
    def name(self, name: str) -> None:
        """Seat a person *name* on the card at the right."""
        self.press("Beginner", "A person", "Player 2")
        if self.menu is not None:
            self.press("A person with a name")
        self.fill("", name)
        self.key("Return")

    def test_any_name_keeps_its_score_at_the_next_start(self) -> None:
        for name in ("Anna [2]", f"Ben  {50 * 'M'}"):
            self.name(name)
            self.see(name[:4])
            self.key("F2")
            self.click(GAME)
            self.see(" wins – three")
            self.key("F2")
            for start in (self.app.root.update, self.restart):
                start()
                self.see(name[:4])
                self.assertTrue(any(thing.words in ("0", "won 0") for thing in self.things()))
            if name.startswith("Anna"):
                self.press(name, "Beginner")

    def test_a_long_name_fits_beside_the_moves_also_in_a_smaller_window(self) -> None:
        self.name(f"Ben {50 * 'M'}")
        self.key("F7")
        self.click("b2")
        for width in (1200, 900):
            self.resize(width, 640)
            self.see("is winning")
            self.assertEqual(faults(self.app.root), [])

    def test_tables_keep_their_columns_out_of_sight_and_on_a_narrow_screen(self) -> None:
        self.key("F9", "F2", "F2", "F9")
        self.see("No move yet")
        self.assertEqual(faults(self.app.root), [])
        self.app.context.change(size=200)
        self.pick("Game", "Statistics")
        self.see("Last played")
        self.assertEqual(faults(self.front), [])

    def test_the_card_with_the_keyboard_has_a_frame_around_it(self) -> None:
        cards = self.app.window.cards.cards
        for card in cards:
            card.button.focus_force()
            self.app.root.update()
            self.assertEqual([one for one in cards if one.instate(["focus"])], [card])

    def test_a_person_against_a_bot_sits_at_the_left_whoever_begins(self) -> None:
        self.press("Beginner")
        (marked,) = (thing for thing in self.things() if thing.is_ticked)
        self.assertEqual(marked.words, "Beginner")
        self.assertTrue(self.find("Careful").cells[1], "what it plays like")
        self.press("Careful")
        for words in ("move 1", "move 2"):
            self.see("Your turn", words)
            self.assertLess(self.left("You"), self.left("Careful"))
            self.pick("Game", "Swap Seats")
        self.press("Careful", "Beginner")
        self.pick("Game", "Swap Seats")
        for pressed, chosen, name in (("You", "Expert", "Expert"), ("Expert", "A person", "You")):
            place = self.left(pressed)
            self.press(pressed, chosen)
            self.assertEqual(self.left(name), place, chosen)
            self.see("Beginner")

    def left(self, name: str) -> int:
        return int(self.find(name).widget.winfo_rootx())
