"""Dialogs over the main window: what they show, and where the keyboard is after them."""

from tests.kit.person import PersonTestCase


class DialogTests(PersonTestCase):
    def test_what_went_while_a_dialog_was_open_does_not_get_the_keyboard_back(self) -> None:
        self.key("F12")
        self.press("Today's Puzzle")
        self.pick("Game", "Copy")
        self.key("Escape", "Escape")
        self.go_to("Beginner")  # its card, which is not there in a puzzle
        self.pick("Game", "Statistics")
        self.pick("Game", "Paste")
        self.see("Find the winning move")
        self.key("Escape")
        self.see_not("Start Over")
        self.assertTrue(self.front.focus_lastfor().winfo_viewable())
        self.key("h")
        self.see("Another hint")
