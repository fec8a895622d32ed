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
            self.assertEqual(list(orbit(images[0])), images)

    def test_each_mirror_leads_back_and_commutes_with_play(self) -> None:
        for state in played_states(random.Random(9), 1000):
            images = orbit(state)
            for mirror, image in enumerate(images):
                # The two reflections are the two bits of the number.
                self.assertEqual(orbit(image), tuple(images[mirror ^ n] for n in range(4)))
                actions = {map_action(action, mirror): action for action in legal_actions(state)}
                self.assertEqual({*actions}, {*legal_actions(image)})
                for there, action in actions.items():
                    self.assertEqual(play(image, there), orbit(play(state, action))[mirror])
            smallest, mirror = to_canonical(state)
            self.assertEqual({smallest, *map(canonical, images)}, {min(images)})
            self.assertEqual(images.index(smallest), mirror, "the lowest that leads there")
