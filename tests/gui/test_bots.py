"""A bot at the board: it is waited for, taken back, replaced, fails, and plays on by itself."""

from tests.kit.external_bots import is_running, noted_pids, write_bot
from tests.kit.person import PersonTestCase
from tests.kit.samples import wait_until
from traffic_lights.play.userdata import UserData
from traffic_lights.players.external import Program, close_external_bots


class BotTests(PersonTestCase):
    def test_two_bots_pause_step_and_play_and_wait_after_a_restart(self) -> None:
        self.app.context.userdata.change(speed="slow")
        self.press("You", "Casual")
        self.press("Pause")
        self.pick("View", "Speed", "Instant")
        for restart in (self.restart, self.app.root.update):
            before = self.lamps
            self.press("Step")
            self.wait(lambda before=before: self.lamps != before, "a step")  # type: ignore[misc]
            restart()
            self.see("Play")
        self.press("Play")
        self.see(" wins – three")


class FailingTests(PersonTestCase):
    """A program at the board that ends when it has to move, until it is mended."""

    def prepare(self) -> None:
        self.data.mkdir()
        code = "sys.stderr.write('last words\\n'); sys.stderr.flush(); os._exit(1)"
        guest = Program(write_bot(self.folder, at_go=code), "Guest", 9)
        data = UserData(self.data)
        data.apply(lambda saved: saved.with_program(guest))
        data.finish()

    def test_it_says_why_the_player_goes_on_and_reads_what_became_of_the_old_line(self) -> None:
        self.addCleanup(
            wait_until, lambda: not any(map(is_running, noted_pids(self.folder))), "their end"
        )
        self.addCleanup(close_external_bots)
        self.press("Beginner", "Guest")
        self.click("b2")
        self.see("Guest cannot move", "last words")
        self.click("a1")
        self.assertEqual(self.lamps, "0000/0100/0000")
        write_bot(self.folder)
        self.press("Try Again")
        self.see("move 3")
        self.assertEqual(self.lamps, "1000/0100/0000")
        self.click("d3")
        self.see("move 5")
        self.key("Control-Home")
        self.click("d1")
        self.see("move 3", "old line")
        self.click("b3")
        self.see("move 5")
        self.see_not("old line")
