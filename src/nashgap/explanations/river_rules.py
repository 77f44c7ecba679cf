"""Rules for rivers with one bet left, six numbers searched for the least price; and what else can play them.

The rules bet for value by equity against the other's range, bluff with the worst hands in proportion to the value bets,
and call with the best hands, so many that a bluff gains nothing or some share of that. A stack of s pots makes a bluff
right for every s / (1 + s) of the value bets, and a defence of 1 / (1 + s) of the hands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from nashgap.explanations.neighbours import find_nearest_rows
from nashgap.explanations.river_spots import DECIDERS, DECISIONS, RiverProfile, RiverSpot, apart
from nashgap.explanations.trees import FittedTree, fit_tree

__all__ = [
    "FEATURES", "RiverRules", "all_plays", "baselines", "learned", "river_features", "search_rules", "sentences",
]  # fmt: skip

FEATURES = (
    "equity", "percentile", "blocked", "own strong hands", "their strong hands", "stack to pot", "paired board",
    "flush possible",
)  # fmt: skip
STRONG = 0.9  # equity of a strong hand
TOP = 0.1  # of the other's range: its best hands, which can be blocked
ROWS_OF_SPOT = 40
DEPTH, NEIGHBOURS = 4, 20

Play = Callable[[RiverSpot], RiverProfile]


@dataclass(frozen=True)
class RiverRules:
    """first, after: equity from which a hand bets. bluff: bluffs, as a share of the balanced number. call, call_late:
    the share of the balanced defence that calls; the second after checking."""

    first: float = 0.7
    after: float = 0.6
    bluff_first: float = 1.0
    bluff_after: float = 1.0
    call: float = 1.0
    call_late: float = 1.0

    def play(self, spot: RiverSpot) -> RiverProfile:
        stack = spot.stack_to_pot
        chances = np.zeros((4, spot.ranks.size))
        for decision, threshold, share in ((0, self.first, self.bluff_first), (1, self.after, self.bluff_after)):
            seat = DECIDERS[decision]
            value = (spot.equity[seat] >= threshold).astype(np.float64)
            wanted = share * stack / (1 + stack) * float(spot.dealt[seat] @ value)
            chances[decision] = value + _worst(1.0 - value, spot.dealt[seat], spot.percentile[seat], wanted)
        for decision, share in ((2, self.call), (3, self.call_late)):
            seat = DECIDERS[decision]
            held = spot.dealt[seat] * (1.0 - chances[0] if decision == 3 else 1.0)
            wanted = min(share / (1 + stack), 1.0) * float(held.sum())
            chances[decision] = _worst(np.ones_like(held), held, -spot.percentile[seat], wanted)
        return RiverProfile(chances)


GRID = {
    "first": (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.01),
    "after": (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9),
    "bluff_first": (0.0, 0.25, 0.5, 0.75, 1.0),
    "bluff_after": (0.0, 0.25, 0.5, 0.75, 1.0),
    "call": (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1),
    "call_late": (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1),
}


def _worst(share: np.ndarray, dealt: np.ndarray, order: np.ndarray, wanted: float) -> np.ndarray:
    """So much of each hand's share that those of the lowest order come to `wanted` of the hands dealt."""
    ranked = np.argsort(order, kind="stable")
    eligible = (share * dealt)[ranked]
    taken = np.clip(wanted - (np.cumsum(eligible) - eligible), 0.0, eligible)
    found = np.zeros_like(share)
    found[ranked] = np.divide(taken, dealt[ranked], out=np.zeros_like(taken), where=dealt[ranked] > 0)
    return np.asarray(np.minimum(found, share))


def sentences(rules: RiverRules) -> tuple[str, ...]:
    """The rules in words; s is the stack in pots."""
    first = (
        "never bet for value"
        if rules.first > 1
        else f"bet if your hand wins at least {rules.first:.0%} against their range"
    )
    return (
        f"First to act, {first}.",
        f"After their check, bet if your hand wins at least {rules.after:.0%} against their range.",
        f"Bluff with your worst hands: {_times(rules.bluff_first)}s / (1 + s) for each value bet when first to act,"
        f" {_times(rules.bluff_after)}s / (1 + s) after a check, where s is the stack in pots.",
        f"Facing a bet, call with the best {_times(rules.call)}1 / (1 + s) of your hands.",
        f"Facing a bet after you checked, call with the best {_times(rules.call_late)}1 / (1 + s) of the hands that"
        " you checked.",
    )


def _times(share: float) -> str:
    return "" if share == 1.0 else f"{share:g} times "


def search_rules(spots: Sequence[RiverSpot]) -> RiverRules:
    """The least mean exploitability in the spots, one number after the other until none can be made better."""
    rules = RiverRules()
    best, is_better = _price(rules, spots), True
    while is_better:
        is_better = False
        for each in fields(RiverRules):
            for value in GRID[each.name]:
                tried = replace(rules, **{each.name: value})
                if tried != rules and (price := _price(tried, spots)) < best - 1e-9:
                    rules, best, is_better = tried, price, True
    return rules


def _price(rules: RiverRules, spots: Sequence[RiverSpot]) -> float:
    return float(np.mean([spot.exploitability(rules.play(spot)) for spot in spots]))


def river_features(spot: RiverSpot, seat: int) -> np.ndarray:
    """`[H, F]` what the seat can see of each hand, in the order of `FEATURES`."""
    board = spot.spot.board
    suits = np.bincount([card % 4 for card in board], minlength=4)
    strong = [float(spot.dealt[each] @ (spot.equity[each] >= STRONG)) for each in (seat, 1 - seat)]
    facts = [*strong, spot.stack_to_pot, float(len({card // 4 for card in board}) < 5), float(suits.max() >= 3)]
    return np.column_stack(
        [spot.equity[seat], spot.percentile[seat], _blocked(spot, seat), np.tile(facts, (spot.ranks.size, 1))]
    )


def _blocked(spot: RiverSpot, seat: int) -> np.ndarray:
    """`[H]` the share of the other's best hands that cannot be there, for the cards that one holds."""
    top = np.where(spot.better[1 - seat] < TOP, spot.spot.weights[1 - seat], 0.0)
    return 1.0 - apart(top, np.arange(top.size)) / max(float(top.sum()), 1e-9)


def baselines(spots: Sequence[RiverSpot], profiles: Sequence[RiverProfile]) -> dict[str, Play]:
    """Simple ways to play; the constant mixture is what equilibria of the spots do on average, over all hands dealt."""
    pairs = list(zip(spots, profiles, strict=True))
    mixture = np.mean([(each.chances * spot.dealt[list(DECIDERS)]).sum(axis=1) for spot, each in pairs], axis=0)

    def by_odds(spot: RiverSpot, bets: np.ndarray) -> RiverProfile:
        odds = spot.stack_to_pot / (1 + 2 * spot.stack_to_pot)
        calls = (spot.equity >= odds).astype(np.float64)
        return RiverProfile(np.stack([bets[0], bets[1], calls[1], calls[0]]))

    return {
        "always check; call if equity is at least the pot odds": lambda spot: by_odds(spot, 0.0 * spot.equity),
        "bet with equity of 70% or more; call by the pot odds": lambda spot: by_odds(spot, 1.0 * (spot.equity >= 0.7)),
        "the constant mixture, whatever the hand": lambda spot: RiverProfile(
            np.tile(mixture[:, None], spot.ranks.size)
        ),
    }


def learned(spots: Sequence[RiverSpot], profiles: Sequence[RiverProfile], seed: int) -> dict[str, Play]:
    """A tree and the most similar hands for each decision, from hands drawn as they are dealt."""
    generator = np.random.default_rng([seed, len(spots)])
    inputs: list[list[np.ndarray]] = [[] for _ in DECISIONS]
    outputs: list[list[np.ndarray]] = [[] for _ in DECISIONS]
    for spot, profile in zip(spots, profiles, strict=True):
        features = [river_features(spot, seat) for seat in (0, 1)]
        for decision, seat in enumerate(DECIDERS):
            hands = generator.choice(spot.ranks.size, ROWS_OF_SPOT, p=spot.dealt[seat])
            inputs[decision].append(features[seat][hands])
            outputs[decision].append(profile.chances[decision][hands])
    rows = [np.concatenate(each) for each in inputs]
    wanted = [np.concatenate(each) for each in outputs]
    trees = [fit_tree(row, want[:, None], DEPTH) for row, want in zip(rows, wanted, strict=True)]
    scales = [1.0 / np.maximum(row.std(axis=0), 1e-9) for row in rows]

    def near(spot: RiverSpot) -> RiverProfile:
        chances = np.zeros((4, spot.ranks.size))
        for decision, seat in enumerate(DECIDERS):
            held = np.flatnonzero(spot.dealt[seat] > 0)
            scale = scales[decision]
            asked = river_features(spot, seat)[held] * scale
            found = find_nearest_rows(rows[decision] * scale, asked, min(NEIGHBOURS, len(rows[decision])))
            chances[decision][held] = wanted[decision][found.indices].mean(axis=1)
        return RiverProfile(chances)

    return {
        f"a tree of depth {DEPTH} for each decision": lambda spot: _by_trees(spot, trees),
        f"the {NEIGHBOURS} most similar hands": near,
    }


def _by_trees(spot: RiverSpot, trees: Sequence[FittedTree]) -> RiverProfile:
    features = [river_features(spot, seat) for seat in (0, 1)]
    pairs = zip(trees, DECIDERS, strict=True)
    return RiverProfile(np.stack([tree.predict(features[seat])[:, 0] for tree, seat in pairs]))


def all_plays(
    rules: RiverRules, spots: Sequence[RiverSpot], profiles: Sequence[RiverProfile], seed: int
) -> Mapping[str, Play]:
    """Everything that is priced, by name."""
    return {"the rules": rules.play, **learned(spots, profiles, seed), **baselines(spots, profiles)}
