import random
import unittest
from itertools import product
from typing import Final

from tests.kit.samples import slow
from traffic_lights.board import positions, rules
from traffic_lights.board.symmetry import canonical

ALL_STATES: Final = (1 << rules.STATE_CODES) - 1


def with_bit(bit: int) -> int:
    """Return the states, one bit each in one int, whose code has *bit* set."""
    width = 1 << bit
    pattern = ((1 << width) - 1) << width
    while (width := 2 * width) < rules.STATE_CODES:
        pattern |= pattern << width
    return pattern


def with_colour(cell: int, colour: int) -> int:
    low, high = with_bit(rules.SHIFTS[cell]), with_bit(rules.SHIFTS[cell] + 1)
    return (low if colour & 1 else ALL_STATES ^ low) & (high if colour & 2 else ALL_STATES ^ high)


@slow
class WholeGameTests(unittest.TestCase):
    def test_the_sets_in_slabs_are_those_of_the_game_played_forwards(self) -> None:
        # All positions of a ply at once, each set one int of 2**24 bits.
        colours = [[with_colour(cell, colour) for colour in range(4)] for cell in range(12)]
        finished = 0
        for (a, b, c), colour in product(rules.LINES, (1, 2, 3)):
            finished |= colours[a][colour] & colours[b][colour] & colours[c][colour]
        self.assertEqual(
            int.from_bytes(positions.pack(positions.finished_positions()), "little"), finished
        )
        live, reachable, ended = 1 << rules.EMPTY_BOARD, 0, list[int]()
        while live:
            reachable |= live
            reached = 0
            for cell in range(12):
                reached |= (live & ~colours[cell][rules.RED]) << rules.STEPS[cell]
            live = reached & ~finished
            ended.append((reached & finished).bit_count())
        self.assertEqual(reachable, ALL_STATES ^ finished, "all without a line can arise")
        self.assertEqual((reachable.bit_count(), sum(ended)), (9_038_683, 6_440_819))
        self.assertEqual((len(ended), bool(ended[-1])), (rules.LONGEST_GAME, True))


class SetTests(unittest.TestCase):
    def test_a_set_lists_and_finds_its_members_and_those_one_move_before(self) -> None:
        rng = random.Random(7)
        edges = {0, rules.STATE_CODES - 1, positions.SLAB_BITS}
        states = {rng.getrandbits(24) for _ in range(500)} | edges
        slabs = positions.position_set(states)
        self.assertEqual(list(positions.members(slabs)), sorted(states))
        packed = positions.pack(slabs)
        self.assertEqual(len(packed), rules.STATE_CODES // 8)
        for state in [*states, *(rng.getrandbits(24) for _ in range(1000))]:
            self.assertEqual(positions.contains(packed, state), state in states)
        before = {
            state - rules.STEPS[cell]
            for state in states
            for cell in range(12)
            if rules.colour_of(state, cell) > 0
        }
        self.assertEqual(set(positions.members(positions.predecessors(slabs))), before)

    def test_the_sets_of_the_game_hold_what_their_names_say(self) -> None:
        rng = random.Random(10)
        learnable = positions.pack(positions.learnable_positions())
        for state in [*range(500), *(rng.getrandbits(24) for _ in range(8_000))]:
            is_over = rules.is_terminal(state)
            ends = [rules.is_terminal(state + rules.STEPS[a]) for a in rules.legal_actions(state)]
            sets = (positions.finished(), positions.one_move_from_the_end(), learnable)
            found = [bool(positions.contains(packed, state)) for packed in sets]
            self.assertEqual(found, [is_over, any(ends), canonical(state) == state and not is_over])
