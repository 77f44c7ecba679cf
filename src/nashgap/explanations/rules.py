"""Rules for a person: if the hand is like this, bet that; the first rule that applies decides.

A rule is one sentence: conditions on features of a hand (see `rule_features`), and one action. It is a bet,
always or mixed with another (`Mix`), or a bluff that is balanced against the bets of the rules before it (`Bluff`):
"with your worst hands, one for every two that bet this". How many bluffs are right depends on how many strong hands
there are, which no fixed share can follow from game to game; the ratio can. A bluff takes the worst of the hands that
are left, and the last card that it takes only as often as it needs to.

Bets are in pots (both antes), so that rules hold for other stakes; the nearest bet that the stakes allow is made.
Hands that no rule decides are checked. G games, C cards, B bets, R rules.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import BetSizeGames, Stakes
from nashgap.explanations.rule_features import feature_named

__all__ = ["ALL_IN", "CHECK", "Bluff", "Condition", "Decisions", "Mix", "Rule", "RuleList", "bet_index", "decide"]

CHECK = 0.0
ALL_IN = math.inf
# Thresholds of shares: 0.2 + 0.6 is not below 0.8.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Condition:
    """`low <= feature <= high`; both from 0 to 1."""

    feature: str
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        feature_named(self.feature)
        if not (0.0 <= self.low <= self.high <= 1.0):
            raise ConfigError(
                f"condition on {self.feature}: {self.low} to {self.high}; the first must not be above the second, and"
                " both lie from 0 to 1"
            )

    def holds(self, values: np.ndarray) -> np.ndarray:
        """For each of the feature's values."""
        return (values >= self.low - TOLERANCE) & (values <= self.high + TOLERANCE)


@dataclass(frozen=True)
class Mix:
    """Make the bet with a chance, else the other; in pots."""

    bet: float
    chance: float = 1.0
    otherwise: float = CHECK

    def __post_init__(self) -> None:
        _require_bet(self.bet)
        _require_bet(self.otherwise)
        if not 0.0 < self.chance <= 1.0:
            raise ConfigError(f"a bet's chance must be above 0 and at most 1, not {self.chance}")


@dataclass(frozen=True)
class Bluff:
    """Make the bet, in pots, with the worst hands: `ratio` for each hand that makes it by the rules before."""

    bet: float
    ratio: float

    def __post_init__(self) -> None:
        _require_bet(self.bet)
        if self.bet == CHECK or not 0.0 < self.ratio < math.inf:
            raise ConfigError(f"a bluff needs a bet and a ratio above 0, not {self.bet} and {self.ratio}")


def _require_bet(bet: float) -> None:
    if not bet >= 0.0:
        raise ConfigError(f"a bet must not be below 0, not {bet}")


@dataclass(frozen=True)
class Rule:
    """One sentence; all of its conditions must hold, none means always."""

    conditions: tuple[Condition, ...]
    action: Mix | Bluff


@dataclass(frozen=True, eq=False)
class Decisions:
    """What a list of rules does.

    shares: `[R, G, C]` how much of each hand each rule decides.
    placed: by the index of a bet in `Stakes.amounts`: `[G, C]` the chance that it is made; the rest is checked.
    """

    shares: list[np.ndarray]
    placed: dict[int, np.ndarray]


@dataclass(frozen=True)
class RuleList:
    """Rules in order; the first that applies to a hand decides it."""

    rules: tuple[Rule, ...]

    def __len__(self) -> int:
        return len(self.rules)

    @property
    def features(self) -> tuple[str, ...]:
        """Those that the rules look at."""
        names = (condition.feature for rule in self.rules for condition in rule.conditions)
        return tuple(dict.fromkeys(names))

    def decide(self, games: BetSizeGames) -> Decisions:
        features = {name: feature_named(name).values(games) for name in self.features}
        return decide(self.rules, features, games.pdf[:, 0], games.stakes)

    def bets(self, games: BetSizeGames) -> np.ndarray:
        """`[G, C, B]` the strategy of the rules."""
        bets = np.zeros((len(games), games.stakes.deck, games.stakes.num_bets))
        for index, chance in self.decide(games).placed.items():
            bets[:, :, index] = chance
        bets[:, :, 0] = np.maximum(1.0 - bets[:, :, 1:].sum(axis=2), 0.0)
        return bets

    def coverage(self, games: BetSizeGames) -> np.ndarray:
        """`[R, G]` the share of the hands dealt that each rule decides."""
        shares = self.decide(games).shares
        return np.stack([(games.pdf[:, 0] * share).sum(axis=1) for share in shares])

    def rule_for(self, games: BetSizeGames, game: int, card: int) -> Rule | None:
        """The first rule that decides the hand, at least some of the time; None if it is checked for want of one.

        card: 0 is the worst.
        """
        shares = self.decide(games[game : game + 1]).shares
        return next((rule for rule, share in zip(self.rules, shares, strict=True) if share[0, card] > TOLERANCE), None)


def bet_index(stakes: Stakes, bet: float) -> int:
    """Where the bet nearest to so many pots stands in `stakes.amounts`; no bet above 0 becomes a check."""
    if bet == CHECK:
        return 0
    steps = min(bet * stakes.pot / stakes.step, stakes.num_bets - 1)
    return max(1, round(steps))


def decide(rules: Iterable[Rule], features: Mapping[str, np.ndarray], own: np.ndarray, stakes: Stakes) -> Decisions:
    """What the rules do with hands of the features, each `[G, C]`, that are dealt with the chances `own`, `[G, C]`."""
    left = np.ones_like(own)
    shares: list[np.ndarray] = []
    placed: dict[int, np.ndarray] = {}
    for rule in rules:
        share = left
        for condition in rule.conditions:
            share = share * condition.holds(features[condition.feature])
        match rule.action:
            case Bluff(bet, ratio):
                index = bet_index(stakes, bet)
                share = _worst(share, own, ratio * (placed[index] * own).sum(axis=1)) if index in placed else 0.0 * own
                parts: Sequence[tuple[int, np.ndarray]] = ((index, share),)
            case Mix(bet, chance, otherwise):
                parts = (bet_index(stakes, bet), chance * share), (bet_index(stakes, otherwise), (1 - chance) * share)
        for index, part in parts:
            if index > 0:
                placed[index] = placed[index] + part if index in placed else part
        shares.append(share)
        left = left - share
    return Decisions(shares, placed)


def _worst(share: np.ndarray, own: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """`[G, C]` so much of each hand's `share` that the worst hands come to `wanted`, `[G]`, of the hands dealt."""
    eligible = share * own
    below = np.cumsum(eligible, axis=1) - eligible
    taken = np.clip(wanted[:, None] - below, 0.0, eligible)
    return np.asarray(np.divide(taken, own, out=np.zeros_like(own), where=own > 0))
