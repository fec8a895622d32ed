import random
import unittest

from tests.kit import naive
from tests.kit.samples import played_states
from traffic_lights.board.rules import legal_actions, parse_board, play
from traffic_lights.board.symmetry import canonical, map_action, orbit, to_canonical


class MirrorTests(unittest.TestCase):
    def test_images_are_those_of_the_naive_board(self) -> None:
        for board in naive.random_boards(random.Random(7), 2_000):
            images = [parse_board(naive.to_text(image)) for image in naive.images(board)]
            state = images[0]
            self.assertEqual(list(orbit(state)), images)

    def test_each_mirror_undoes_itself_and_two_make_the_third(self) -> None:
        for state in played_states(random.Random(8), 500):
            for one in range(4):
                for other in range(4):
                    # The two reflections are the two bits of the number.
                    self.assertEqual(orbit(orbit(state)[one])[other], orbit(state)[one ^ other])
            self.assertEqual(orbit(state)[0], state)

    def test_mirrored_actions_commute_with_play(self) -> None:
        for state in played_states(random.Random(9), 1000):
            for mirror in range(4):
                image = orbit(state)[mirror]
                actions = {map_action(action, mirror) for action in legal_actions(state)}
                self.assertEqual(actions, set(legal_actions(image)))
                for action in legal_actions(state):
                    self.assertEqual(
                        play(image, map_action(action, mirror)), orbit(play(state, action))[mirror]
                    )

    def test_the_mirror_found_leads_to_the_canonical_state_and_back(self) -> None:
        for state in played_states(random.Random(12), 1000):
            images = orbit(state)
            smallest, mirror = to_canonical(state)
            self.assertEqual({smallest, *map(canonical, images)}, {min(images)})
            self.assertEqual(orbit(smallest)[mirror], state)
            self.assertEqual(images.index(smallest), mirror, "the lowest that leads there")
