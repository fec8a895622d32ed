"""The player cards: who plays is chosen there, and always shown there."""

from dataclasses import replace
from unittest import mock

from tests.gui.test_play import GAME, MOVES
from tests.kit.windows import WindowTestCase, add_test_bot, load_moves
from traffic_lights.gui.main import cards
from traffic_lights.gui.main.cards import PERSON, PlayerList
from traffic_lights.play.game import HUMAN, Player, format_record, parse_moves, parse_record


class CardTests(WindowTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.bot = add_test_bot(self.app)
        self.cards = self.app.window.cards.cards

    @property
    def popup(self) -> PlayerList:
        """The list of players that was opened last."""
        found = self.app.window.cards.list
        assert found is not None
        return found

    def choose(self, seat: int, key: str) -> None:
        """Choose the player *key* in the list of the card of *seat*, with the keyboard alone."""
        self.key("<Return>", widget=self.cards[seat])
        self.popup.rows.focus(key)
        self.key("<Return>", widget=self.popup.rows)

    def keys(self) -> tuple[str | None, ...]:
        return tuple(player.bot for player in self.app.session.players)

    def shown(self, what: str) -> list[str]:
        """Return the names or the scores on the cards."""
        return [getattr(card, what) for card in self.cards]

    def test_the_list_has_a_person_the_six_levels_own_bots_and_who_sits_there(self) -> None:
        levels = [level.key for level in self.app.context.roster.levels()]
        usual = [PERSON, *levels, "test-bot"]
        for sits, wanted in ((PERSON, usual), ("myopic", [*usual, "myopic"])):
            if sits != PERSON:
                self.app.context.play_against(sits)
            self.click_on(self.cards[1])
            rows = self.popup.rows
            self.assertEqual((list(rows.get_children()), rows.focus()), (wanted, sits))
            self.popup.close()
        self.click_on(self.cards[1])
        rows = self.popup.rows
        self.assertEqual(rows.set(levels[1], "strength"), "●●○○○○")
        self.key("<Escape>", widget=rows)
        self.assertFalse(self.popup.winfo_exists())
        self.assertEqual(self.app.root.focus_get(), self.cards[1])
        self.click_on(self.cards[0])
        self.app.window.board.focus_force()
        self.wait(lambda: not self.popup.winfo_exists())

    def test_a_click_beside_the_open_list_only_closes_it_and_a_name_that_was_typed_counts(
        self,
    ) -> None:
        for typed in ("", "Anna"):
            self.click_on(self.cards[0])
            self.popup.name.insert(0, typed)
            self.assertEqual(self.popup.grab_status(), "local", "every click comes here")
            self.popup.event_generate("<Button-1>", x=-9, y=9)
            self.assertFalse(self.popup.winfo_exists())
            self.assertEqual(self.app.session.players[0], Player(None, typed))

    def test_a_slow_click_opens_the_list_too(self) -> None:
        seen: list[bool] = []
        # While a button of the mouse is down, X11 refuses this for what is not visible.
        with mock.patch.object(
            PlayerList, "grab_set", lambda popup: seen.append(popup.winfo_viewable())
        ):
            self.click_on(self.cards[0])
            self.wait(lambda: seen)
        self.assertEqual(seen, [True])
        self.popup.close()

    def test_bots_with_long_names_can_be_told_apart_and_found_by_typing(self) -> None:
        roster = self.app.context.roster
        (bot,) = (entry for entry in roster.entries() if entry.key == "test-bot")
        long = [
            replace(bot, key=f"bot:{end}", name=f"{15 * 'W'}{end}{15 * 'W'} {end}")
            for end in ("one", "two")
        ]
        entries = [*roster.levels(), *long]
        with mock.patch.object(roster, "entries", side_effect=lambda: iter(entries)):
            self.click_on(self.cards[1])
        self.app.root.update()
        for row, end in (("bot:one", "WW one"), ("bot:two", "WW two")):
            text = str(self.popup.rows.item(row, "text"))
            self.assertTrue(text.endswith(end) and "…" in text, text)
        for letter in f"{15 * 'w'}t":
            self.popup.rows.event_generate(f"<Key-{letter}>", time=10**6)
        self.assertEqual(self.popup.rows.focus(), "bot:two", "the letters that are left out count")
        self.popup.close()

    def test_a_click_on_a_row_seats_that_player(self) -> None:
        self.click_on(self.cards[1])
        rows = self.popup.rows
        box = rows.bbox("careful")
        assert not isinstance(box, str)
        for event in ("<Button-1>", "<ButtonRelease-1>"):
            rows.event_generate(event, x=box[0] + 20, y=box[1] + box[3] // 2)
        self.app.root.update()
        self.assertFalse(self.popup.winfo_exists())
        self.assertEqual(self.keys(), (None, "careful"))
        self.assertEqual(self.shown("name"), ["You", "Careful"])

    def test_the_list_opens_at_the_player_and_then_the_board_has_the_keyboard(self) -> None:
        for key, wanted in (("<space>", "careful"), ("<Down>", "expert"), ("<Return>", PERSON)):
            before = self.keys()[1] or PERSON
            self.key(key, widget=self.cards[1])
            rows = self.popup.rows
            self.assertEqual((rows.focus(), self.app.root.focus_get()), (before, rows))
            rows.focus(wanted)
            self.key("<space>", widget=rows)
            self.assertEqual(self.keys()[1] or PERSON, wanted)
            self.assertIs(self.app.root.focus_get(), self.app.window.board)

    def test_the_player_under_the_pointer_is_explained(self) -> None:
        self.click_on(self.cards[1])
        rows = self.popup.rows
        levels = self.app.context.roster.levels()
        abouts = {PERSON: "Plays with the mouse or the keyboard.", levels[2].key: levels[2].about}
        for key in (*reversed(abouts), levels[2].key):
            box = rows.bbox(key)
            assert not isinstance(box, str)
            rows.event_generate("<Motion>", x=box[0] + 20, y=box[1] + box[3] // 2)
            self.assertEqual(self.popup.about.cget("text"), abouts[key])
        self.popup.close()

    def test_the_opponent_that_was_chosen_is_there_at_the_next_start(self) -> None:
        for key in ("careful", "expert"):
            self.choose(1, key)
            self.assertEqual(self.app.context.userdata.settings.opponent, key)
        self.choose(1, PERSON)
        self.assertEqual(self.app.context.userdata.settings.opponent, "expert")

    def test_a_card_tells_who_moves_first_and_the_level_of_a_bot(self) -> None:
        self.assertEqual(self.shown("about"), ["Moves first", "Moves second"])
        levels = self.app.context.roster.levels()
        for rank, level in ((1, levels[0]), (len(levels), levels[-1])):
            self.choose(1, level.key)
            self.assertEqual(self.shown("about")[1], f"Level {rank} of {len(levels)}")
        self.choose(1, "test-bot")
        self.assertEqual(self.shown("about")[1], "Bot")

    def test_a_person_can_have_a_name(self) -> None:
        self.key("<Return>", widget=self.cards[0])
        self.popup.name.insert(0, "Anna")
        self.key("<Return>", widget=self.popup.name)
        self.assertEqual(self.app.session.players, (Player(None, "Anna"), HUMAN))
        self.assertEqual(self.shown("name"), ["Anna", "Player 2"])
        self.key("<Return>", widget=self.cards[0])
        self.popup.name.insert("end", " Miller ")
        self.key("<Return>", widget=self.popup.name)
        self.assertEqual(self.shown("name")[0], "Anna Miller", "it is there to be changed")

    def test_a_person_keeps_the_name_and_so_the_score_at_the_next_start(self) -> None:
        self.key("<Return>", widget=self.cards[0])
        self.popup.name.insert(0, "Anna  " + 50 * "M")
        self.key("<Return>", widget=self.popup.name)
        game = self.app.session.game
        self.assertEqual(parse_record(format_record(game)).players, game.players)

    def test_a_bot_that_cannot_play_is_grey_with_its_reason_and_stays_out(self) -> None:
        roster = self.app.context.roster
        broken = [replace(entry, problem="its table is gone") for entry in roster.entries()]
        with mock.patch.object(roster, "entries", return_value=broken):
            self.choose(1, "perfect")
        self.popup.rows.selection_set("perfect")
        self.app.root.update()
        self.assertEqual(self.popup.about.cget("text"), "its table is gone")
        self.assertIn("greyed", self.popup.rows.item("perfect", "tags"))
        grey = self.popup.rows.tag_configure("greyed", "foreground")
        self.assertEqual(str(grey), self.app.context.theme.colours.disabled)
        self.assertTrue(self.popup.winfo_exists())
        self.assertEqual(self.keys(), (None, None))

    def test_after_two_bots_a_person_is_back_in_the_game_at_once(self) -> None:
        for moves in (GAME, "1. b2 b2"):
            with self.subTest(moves=moves):
                load_moves(self.app, moves)
                self.app.session.set_players((self.bot, self.bot))
                self.app.context.changed()
                self.key("<Control-p>")
                self.choose(1, "careful")
                self.choose(0, PERSON)
                self.assertFalse(self.app.session.is_paused)
                self.assertEqual(self.keys(), (None, "careful"))
                self.wait(lambda: self.app.session.is_your_turn)

    def test_after_the_end_another_player_begins_a_new_game(self) -> None:
        load_moves(self.app, GAME, bot_seat=1)
        over = self.app.session.game
        self.choose(1, "careful")
        self.assertEqual((len(self.app.session.game.actions), self.keys()), (0, (None, "careful")))
        self.key("<Control-z>")
        self.assertEqual(self.app.session.game.players, over.players, "as it was played")

    def test_tab_goes_from_card_to_card_over_what_stands_between_them(self) -> None:
        row = self.app.window.cards
        way = [self.cards[0], row.swap, row.turns, self.cards[1]]
        self.assertEqual([widget.tk_focusNext() for widget in way[:-1]], way[1:])

    def test_the_arrow_swaps_the_seats_and_the_game_goes_on(self) -> None:
        load_moves(self.app, "1. b2 b2", bot_seat=1)
        self.click_on(self.app.window.cards.swap)
        self.assertEqual(self.keys(), ("test-bot", None))
        self.wait(lambda: len(self.app.session.game.actions) == 3)

    def test_the_players_take_turns_to_start_if_that_is_ticked(self) -> None:
        self.app.session.new_game((HUMAN, self.bot))
        self.app.context.changed()
        for wanted in ((None, "test-bot"), ("test-bot", None), ("test-bot", None)):
            self.click_on(self.app.window.cards.turns)
            self.key("<F2>")
            self.assertEqual(self.keys(), wanted)
            self.app.root.update()
        before = self.app.context.userdata.settings.take_turns
        self.key("<Return>", widget=self.app.window.cards.turns)
        self.assertNotEqual(self.app.context.userdata.settings.take_turns, before)

    def test_the_list_answers_home_end_and_typed_letters(self) -> None:
        self.app.window.cards.toggle(1)
        opened = self.app.window.cards.list
        assert opened is not None
        rows = opened.rows

        def name() -> str:
            return str(rows.item(rows.focus(), "text"))

        for key, found in (
            ("<End>", "Tester"), ("<Home>", "A person"),
            ("<Key-p>", "Planner"), ("<Key-e>", "Perfect"),
        ):  # fmt: skip
            self.key(key, widget=rows)
            self.assertEqual((name(), rows.selection()), (found, (rows.focus(),)), key)
        rows.event_generate("<Key-t>", time=10**6)
        self.assertEqual(name(), "Tester", "a pause begins another name")
        self.key("<Control-b>", widget=rows)
        self.assertNotEqual(name(), "Beginner", "a key of a menu is not a letter")
        with mock.patch.object(cards, "latin_key", return_value="e"):
            rows.event_generate("<Key-semicolon>", time=3 * 10**6)
        self.assertEqual(name(), "Expert", "a key of another alphabet is its Latin letter")
        opened.close()

    def test_the_score_belongs_to_the_players_and_not_to_their_seats(self) -> None:
        self.app.session.new_game((Player(None, "Anna"), Player(None, "Ben")))
        self.app.context.changed()
        self.assertEqual(self.shown("score"), ["", ""])
        for scores in (["0", "1"], ["1", "1"]):  # the second wins, and the players take turns
            for cell in MOVES:
                self.app.context.click(cell)
            self.assertEqual(self.shown("score"), scores)
            self.key("<Return>")
        self.assertEqual(self.shown("score"), ["1", "1"])
        self.choose(1, "careful")
        self.assertEqual(self.shown("score"), ["", ""], "nobody has played Careful yet")

    def test_both_scores_have_one_size_if_one_name_is_long(self) -> None:
        def are_large() -> list[bool]:
            found = []
            for card in self.cards:
                texts = [item for item in card.find_all() if str(card.type(item)) == "text"]
                fonts = [str(card.tk.call(card, "itemcget", item, "-font")) for item in texts]
                found.append(str(self.app.context.theme.title) in fonts)
            return found

        def widen(*size: int) -> None:
            wide, high = (round(side * self.app.context.theme.scale) for side in size)
            self.app.root.wm_geometry(f"{wide}x{high}")  # text grows with the dpi, too
            self.wait(lambda: abs(self.app.root.winfo_width() - wide) < 2)

        widen(1000, 720)
        for name in ("Anna", "Anna " + 11 * "m"):
            self.app.session.new_game((Player(None, name), Player(None, "Ben")))
            self.app.context.changed()
            for cell in MOVES:
                self.app.context.click(cell)
            self.assertEqual(are_large(), 2 * [name == "Anna"])
        widen(1200, 1000)
        self.assertEqual(are_large(), [True, True])

    def test_two_wins_or_losses_in_a_row_offer_another_level_and_nothing_is_forced(self) -> None:
        loss, win = "1. a1 d1 2. a2 d2 3. b3 d3", "1. a1 d1 2. a2 d2 3. a3"
        for moves, offered in (
            (loss, []), (loss, ["Play Casual"]), (win, []), (win, ["Play Planner"]),
        ):  # fmt: skip
            self.app.session.new_game((HUMAN, self.app.context.player("careful")))
            for action in parse_moves(moves):
                if self.app.session.is_your_turn:
                    self.app.session.mode.click(action)
                else:
                    request = self.app.session.request_bot()
                    assert request is not None
                    self.app.session.answer_bot(request, action)
            self.app.context.changed()
            self.app.root.update()
            buttons = self.answers
            self.assertEqual([button.cget("text") for button in buttons], offered)
        self.assertEqual(self.heading, "You win – two wins in a row", "good news is large")
        self.assertIn("Try Planner next?", self.status)
        self.assertIn("careful", self.keys(), "not forced")
        self.click_on(buttons[0])
        self.assertEqual(self.keys(), ("planner", None), "they alternate who starts")
        self.assertEqual(self.app.context.userdata.settings.opponent, "planner")
