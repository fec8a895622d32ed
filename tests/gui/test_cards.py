"""The cards above the board: who plays is chosen there, and always shown there."""

from tests.kit.eye import faults
from tests.kit.person import GAME, PersonTestCase


class CardTests(PersonTestCase):
    def name(self, card: str, name: str) -> None:
        self.press(card)
        if self.menu is not None:
            self.press("A person with a name")
        self.fill("", name)
        self.key("Return")

    def test_any_name_keeps_its_score_at_the_next_start(self) -> None:
        for name in ("Anna [2]", f"Ben  {50 * 'M'}"):
            self.press("Beginner", "A person")
            self.name("Player 2", name)
            self.see(name[:4])
            self.key("F2")
            self.click(GAME)
            self.see(" wins – three")
            self.assertTrue(self.shows_score())
            self.key("F2")
            self.restart()
            self.see(name[:4])
            self.assertTrue(self.shows_score(), name)
            if name.startswith("Anna"):
                self.press(name, "Beginner")

    def test_a_long_name_fits_beside_the_moves_also_in_a_smaller_window(self) -> None:
        self.press("Beginner", "A person")
        self.name("Player 2", f"Ben {50 * 'M'}")
        self.key("F7")
        self.click("b2")
        for width in (1200, 900):
            self.resize(width, 640)
            self.see("is winning")
            self.assertEqual([*faults(self.app.root)], [])

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

    def shows_score(self) -> bool:
        """Return whether a card says that its player has won no game of those against the other."""
        return any(t.words in ("0", "won 0") for t in self.things())

    def test_a_person_against_a_bot_sits_at_the_left_whoever_begins(self) -> None:
        self.press("Beginner")
        (marked,) = (thing for thing in self.things() if thing.is_ticked)
        self.assertEqual(marked.words, "Beginner")
        self.assertTrue(self.find("Careful").cells[1], "what it plays like")
        self.press("Careful")
        for words in ("move 1", "move 2"):
            self.see("Your turn", words)
            you, bot = (self.find(name) for name in ("You", "Careful"))
            self.assertLess(you.widget.winfo_rootx(), bot.widget.winfo_rootx())
            self.pick("Game", "Swap Seats")
        self.press("Careful", "Beginner")
        self.pick("Game", "Swap Seats")
        for pressed, chosen, name in (("You", "Expert", "Expert"), ("Expert", "A person", "You")):
            place = self.find(pressed).widget.winfo_rootx()
            self.press(pressed, chosen)
            self.assertEqual(self.find(name).widget.winfo_rootx(), place, chosen)
            self.see("Beginner")
