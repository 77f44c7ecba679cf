"""A bot builder's evening: write a bot, check its answers, bound its exploitability, see where it leaks.

    python examples/bot_builder.py [FOLDER]

A bot is anything with `policies(states)`: for the seat to act, probabilities for all 1326 hands at once.
"""

import sys
from pathlib import Path

import numpy as np

import nashgap as ng
from nashgap.poker.hands import hand_names

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "bot-builder")
folder.mkdir(parents=True, exist_ok=True)


class TightBot:
    """Raises by the pot with pairs and aces, calls with what is left of the better half, folds the rest."""

    name = "tight"
    digest = "tight-1"  # a run knows it again by this; change it whenever the bot plays otherwise

    def policies(self, states):
        return [self._policy(state) for state in states]

    def _policy(self, state):
        names = hand_names(state.rules)
        legal = state.legal
        is_good = np.array([name[0] == name[2] or "A" in name for name in names])
        is_fair = np.array([name[0] in "KQJT" and name[2] in "KQJT" for name in names])
        raise_to = legal.nearest_raise(max(state.spent) + state.pot + state.to_call) if legal.can_raise else ng.CALL
        moves = tuple(dict.fromkeys([ng.FOLD if legal.can_fold else ng.CALL, ng.CALL, raise_to]))
        chosen = np.where(is_good, raise_to, np.where(is_fair | (not legal.can_fold), ng.CALL, moves[0]))
        rows = (chosen[:, None] == np.array(moves)).astype(float)
        return ng.Policy(names, (), rows, moves)


bot = TightBot()
print(ng.check_bot(bot, game="hunl", states=60))

bound = ng.measure(bot, game="hunl", by="lbr", bets="fcpa", deals=10)
print(bound)
print(bound.leaks)
bound.save_report(folder / "leaks.html")

# It plays, too: the same cards in both seats, so that luck cancels.
print(ng.match(bot, "always-call", game="hunl", deals=100))
