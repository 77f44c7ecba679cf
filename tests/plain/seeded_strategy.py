"""A strategy at the real table with random rows, the same ones for the same state."""

from zlib import crc32

import numpy as np

from nashgap.core.strategy import Policy
from nashgap.poker.hands import hand_names, possible_hands
from nashgap.poker.state import CALL, FOLD


class Seeded:
    """Random rows that depend on the state alone; two sizes of raises where sizes are chosen."""

    name = "seeded"
    is_sampled = False

    def policies(self, states):
        return [self._policy(state) for state in states]

    def _policy(self, state):
        legal, rules = state.legal, state.rules
        moves = [CALL, *([FOLD] if legal.can_fold else [])]
        if legal.can_raise:
            moves += sorted({legal.nearest_raise(3 * max(state.spent)), legal.max_raise_to}, reverse=True)
        generator = np.random.default_rng(crc32(f"{state.betting} {state.board}".encode()))
        rows = generator.dirichlet(np.ones(len(moves)), len(hand_names(rules)))
        return Policy(hand_names(rules), (), rows * possible_hands(state)[:, None], tuple(moves))
