"""What people met in version 1.4 and should not meet again, each by what a person sees."""

from tests.kit.workshop import WorkshopTestCase


class StudyTests(WorkshopTestCase):
    names = ("One", "Two")

    def test_learning_says_in_a_sentence_whether_a_bot_gets_better_and_has_few_words(self) -> None:
        self.choose("One")
        self.see("Still getting better: on average +", "points in the last", "beats Myopic from")
        self.assert_few_words()
        self.tick("Two")
        self.choose("One")
        self.see("Still getting better: on average +")
        self.press("Inside")
        self.see("Values of One")
        (text,) = (t.words for t in self.things() if t.words.startswith("Values of One"))
        self.assertLessEqual(len(text.split()), 45, text)
        self.tick("Two")
        self.new_bot("1500", "Myopic")
        self.see("Slider: ", "first move", "Solved: ", "ε: ", "How much one game")
        self.assert_few_words()

    def assert_few_words(self) -> None:
        tabs = self.find("Learning").widget
        on_it = [t.words for t in self.things() if str(t.widget).startswith(f"{tabs}.")]
        self.assertLessEqual(len(" ".join(on_it).split()), 100, on_it)

    def test_all_rarer_settings_fit_a_screen_under_a_large_curve(self) -> None:
        self.resize(1270, 760)
        self.choose("One")
        self.press("Advanced")
        low = self.front.winfo_rooty() + self.front.winfo_height()
        for words in ("Update rule", "γ (discount)", "ε at the end", "Seed", "Q(s, a) ←"):
            label = self.find(words, is_label=True).widget
            self.assertLess(label.winfo_rooty() + label.winfo_height(), low, words)
        self.assertGreaterEqual(self.find("Wins against Myopic").widget.winfo_height(), 250)

    def test_a_new_bot_begins_with_the_usual_settings_and_both_tabs_show_one_score(self) -> None:
        self.press("New bot", "Advanced")
        self.fill("α (learning rate)", "0.9")
        self.fill("Seed", "7")
        self.fill("Opponent", "Random")
        self.fill("Games in total", "20")
        self.press("Start")
        self.see("It wins", "α 0.9, seed 7")
        self.key("Control-e")
        self.fill("Games", "8")
        self.press("Run")
        self.see("different ones", "My QBot against Random")
        self.press("Stop", "Learning")
        self.see("It wins")
        score = self.text.partition("It wins ")[2].partition(" against")[0]
        self.press("Strength")
        self.see(score.partition(" (")[0])
        self.press("New bot")
        found = [self.field(label).get() for label in ("α (learning rate)", "Seed", "Opponent")]
        self.assertEqual(found, ["0.2", "1", "Myopic"])
