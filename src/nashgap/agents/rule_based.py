"""Players that know hold'em by rules: Poki, the benchmark of multi-player limit hold'em before equilibrium solvers.

What is published (Billings, Papp, Schaeffer and Szafron 1998; Billings, Davidson, Schaeffer and Szafron 2002; Abou Risk
2009, sections 2.5.2 and 4.3) is the construction: expert tables before the flop, of which the loose and the tight
setting raise the same hands; after it a formula from effective hand strength, HS (1 - NPot) + (1 - HS) PPot, and pot
odds to the odds of folding, calling and raising; or a simulation of each action against a model of the opponents. Its
tables and numbers are not published. Those here are ours, chosen so that three loose players bet before the flop as
Abou Risk's Table 4.1 says: the button folds 21% of its hands, and so on.

    poki        loose tables, formula: a pure function of what it sees and of its generator
    poki-tight  tight tables, formula
    poki-sim    loose tables, simulation; learns within a match how often each opponent folds, calls and raises

They play limit, pot-limit and no-limit hold'em with 2 to 6 seats; where the size is theirs to choose, raises are by the
pot.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nashgap import _native
from nashgap.agents.agent import NativeAgent
from nashgap.cards.ranges import CLASS_OF_HAND, parse_range
from nashgap.errors import ConfigError, UnsupportedGameError
from nashgap.poker.rules import PokerRules

__all__ = [
    "HAND_GROUPS",
    "OPENINGS",
    "POSITIONS",
    "PREFLOP_SPOTS",
    "Spot",
    "poki",
    "poki_sim",
    "poki_tight",
    "preflop_plays",
    "require_holdem",
]

HAND_GROUPS = {
    "premium": "QQ+, AK",
    "strong": "99+, AJs+, KQs, AKo",
    "solid": "88+, ATs+, KJs+, QJs, AJo+, KQo",
    "good": "77+, A9s+, KTs+, QTs+, JTs, ATo+, KTo+, QTo+",
    "fair": "22+, A2s+, K7s+, Q8s+, J8s+, T8s+, 98s, 87s, 76s, A8o+, K9o+, QTo+, JTo, T9o",
    "wide": "22+, A2s+, K5s+, Q7s+, J8s+, T7s+, 97s+, 87s, 76s, 65s, A2o+, K8o+, Q9o+, J9o+, T9o",
    "half": """22+, A2s+, K2s+, Q4s+, J6s+, T6s+, 96s+, 86s+, 75s+, 65s, 54s,
               A2o+, K5o+, Q8o+, J8o+, T8o+, 98o, 87o""",
    "loose": """22+, A2s+, K2s+, Q2s+, J2s+, T3s+, 94s+, 84s+, 74s+, 63s+, 53s+, 43s,
                A2o+, K2o+, Q4o+, J7o+, T7o+, 97o+, 86o+, 76o, 65o, 54o""",
    "most": """22+, A2s+, K2s+, Q2s+, J2s+, T2s+, 92s+, 82s+, 72s+, 62s+, 52s+, 42s+, 32s,
               A2o+, K2o+, Q4o+, J6o+, T6o+, 96o+, 86o+, 75o+, 64o+, 54o""",
    "nearly any": """22+, A2s+, K2s+, Q2s+, J2s+, T2s+, 92s+, 82s+, 72s+, 62s+, 52s+, 42s+, 32s,
                     A2o+, K2o+, Q2o+, J5o+, T5o+, 96o+, 86o+, 75o+, 64o+, 53o+""",
    "any": "any",
}
"""Groups of starting hands from the best on; each has all hands of those before it."""

POSITIONS = ("early", "button", "small blind", "big blind")
"""Where a seat is before the flop; with two players the dealer is the small blind."""

OPENINGS = ("unopened", "limped", "raised", "raised and called", "reraised")
"""What others did before; `raised and called`: once, with another player in beside the raiser."""


class Spot(NamedTuple):
    """The groups that are raised, and those that are played at all by the tight and by the loose setting."""

    raised: str
    tight: str
    loose: str


# A player who is in already calls what it would fold here.
PREFLOP_SPOTS = {
    ("early", "unopened"): Spot("solid", "good", "fair"),
    ("early", "limped"): Spot("solid", "good", "wide"),
    ("early", "raised"): Spot("strong", "solid", "good"),
    ("early", "raised and called"): Spot("strong", "solid", "fair"),
    ("early", "reraised"): Spot("premium", "premium", "strong"),
    ("button", "unopened"): Spot("good", "half", "nearly any"),
    ("button", "limped"): Spot("solid", "wide", "loose"),
    ("button", "raised"): Spot("strong", "solid", "fair"),
    ("button", "raised and called"): Spot("strong", "good", "wide"),
    ("button", "reraised"): Spot("premium", "strong", "solid"),
    ("small blind", "unopened"): Spot("fair", "loose", "nearly any"),
    ("small blind", "limped"): Spot("good", "half", "most"),
    ("small blind", "raised"): Spot("strong", "good", "wide"),
    ("small blind", "raised and called"): Spot("strong", "good", "wide"),
    ("small blind", "reraised"): Spot("premium", "strong", "solid"),
    ("big blind", "unopened"): Spot("good", "any", "any"),
    ("big blind", "limped"): Spot("good", "any", "any"),
    ("big blind", "raised"): Spot("strong", "half", "most"),
    ("big blind", "raised and called"): Spot("strong", "half", "loose"),
    ("big blind", "reraised"): Spot("premium", "solid", "fair"),
}
"""How every hand is played before the flop, by position and opening."""

_FOLD, _CALL, _RAISE = range(3)
_MAX_TRIALS = 1_000_000
_DEALS_PER_BATCH = 1000
_TRIALS_PER_BATCH = 8000


def preflop_plays(is_tight: bool) -> np.ndarray:
    """`[20, 1326]` 0 fold, 1 call, 2 raise: of every hand in the spots, position by position and opening by opening."""
    hands = {name: parse_range(text).weights > 0 for name, text in HAND_GROUPS.items()}
    rows = []
    for position in POSITIONS:
        for opening in OPENINGS:
            spot = PREFLOP_SPOTS[position, opening]
            is_played = hands[spot.tight if is_tight else spot.loose]
            rows.append(np.where(hands[spot.raised], _RAISE, np.where(is_played, _CALL, _FOLD)))
    return np.array(rows, dtype=np.uint8)


class _HoldemAgent(NativeAgent):
    """A native agent that plays only what `require_holdem` lets pass."""

    def check_game(self, rules: PokerRules) -> None:
        require_holdem(rules, self.name)

    def start_match(self, rules: PokerRules) -> None:
        self.check_game(rules)
        super().start_match(rules)


def require_holdem(rules: PokerRules, agent: str) -> None:
    """Refuse every game but hold'em with 2 to 6 seats."""
    problem = ""
    if not 2 <= rules.num_seats <= 6:
        problem = f"{rules.num_seats} seats"
    elif (rules.num_ranks, rules.num_suits) != (13, 4):
        problem = f"a deck of {rules.num_ranks * rules.num_suits} cards"
    elif rules.num_hole_cards != 2:
        problem = f"{rules.num_hole_cards} hole cards"
    elif not rules.is_holdem:
        problem = f"board cards {' '.join(map(str, rules.num_board_cards))}"
    if problem:
        raise UnsupportedGameError(
            f"{agent} cannot play {rules.name or 'this game'}: it has {problem}; allowed: hold'em with 2 to 6 seats, "
            "52 cards, 2 hole cards, board cards 0 3 1 1"
        )


def poki() -> NativeAgent:
    """Loose tables before the flop, the formula after it."""
    native = _native.PokiAgent(preflop_plays(is_tight=False))
    return _HoldemAgent("poki", native, deals_per_batch=_DEALS_PER_BATCH)


def poki_tight() -> NativeAgent:
    """Tight tables before the flop, the formula after it."""
    native = _native.PokiAgent(preflop_plays(is_tight=True))
    return _HoldemAgent("poki-tight", native, deals_per_batch=_DEALS_PER_BATCH)


def poki_sim(trials: int = 200) -> NativeAgent:
    """Loose tables before the flop; after it the action of the best average in so many play-outs of each."""
    if isinstance(trials, bool) or not isinstance(trials, int) or not 1 <= trials <= _MAX_TRIALS:
        raise ConfigError(f"poki-sim: trials={trials}; allowed: whole numbers from 1 to {_MAX_TRIALS}")
    native = _native.PokiSimAgent(preflop_plays(is_tight=False), _preflop_order(), trials)
    return _HoldemAgent(f"poki-sim(trials={trials})", native, deals_per_batch=max(1, _TRIALS_PER_BATCH // trials))


def _preflop_order() -> np.ndarray:
    """`[1326]` place of every hand among all, 0 worst to 1 best; hands of a group share the middle of its places."""
    order = np.empty(len(CLASS_OF_HAND), dtype=np.float32)
    better = np.zeros(len(order), dtype=bool)
    for text in HAND_GROUPS.values():
        group = (parse_range(text).weights > 0) & ~better
        order[group] = 1 - (better.mean() + group.mean() / 2)
        better |= group
    return order
