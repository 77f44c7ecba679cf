"""The luck of a match, taken off: which strategies are known, and values that were learned on other deals.

Values come from hands between the agents of the match themselves, as far as the engine plays them; one that it does not
play is replaced there by a known one that it does, or by a chump. Their deals are none of the match's. See
`nashgap.measures.aivat`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from nashgap import _native
from nashgap.agents.agent import Agent, NativeAgent
from nashgap.arena.duplicate import duplicate_seatings
from nashgap.catalogue import VARIANCES
from nashgap.errors import ConfigError
from nashgap.measures.aivat import LuckTerms, PlayedHands, correct_hands
from nashgap.measures.hand_values import HandValues
from nashgap.poker.rules import PokerRules
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.chumps import triple
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["NO_VARIANCE", "LearnedValues", "Luck", "known_strategy", "terms_of"]

NO_VARIANCE = "none"
"""Nothing is taken off."""

FIRST_LEARNING_DEAL = 1 << 40  # beyond those of any match
LEARNING_HANDS = 1_000_000
LEARNING_SECONDS = 10  # of a line-up, at most, about: by what agents say they play in a second
HANDS_AT_ONCE = 100_000


def terms_of(variance: str) -> LuckTerms | None:
    """Which luck is taken off by this name; None for `none`."""
    if variance == NO_VARIANCE:
        return None
    if variance not in VARIANCES.entries:
        raise ConfigError(f"variance {variance!r}; it must be one of {', '.join([NO_VARIANCE, *VARIANCES.entries])}")
    return VARIANCES.load(variance)


def known_strategy(agent: Agent) -> PokerStrategy | None:
    """What the agent plays, if that is told exactly for every hand; else None."""
    strategy: PokerStrategy | None = getattr(agent, "strategy", None)
    if strategy is None or (strategy.is_sampled and not isinstance(strategy, AbstractStrategy)):
        return None
    return strategy


class LearnedValues:
    """Values of hands, learned when they are first needed.

    lineups:      who sits at the seats, None for those of which nothing is known: hands of all line-ups are learned
                  from alike, of those only in which the engine plays the most agents.
    knows_agents: values are learned with the agents at their seats; False: from copies of one of them alone.
    """

    def __init__(
        self, rules: PokerRules, lineups: Sequence[Sequence[Agent | None]], seed: int, *, knows_agents: bool = True
    ) -> None:
        self._rules = rules
        self._seed = seed
        self._knows_agents = knows_agents
        played = [sum(isinstance(agent, NativeAgent) for agent in lineup) for lineup in lineups]
        self._lineups = [lineup for lineup, number in zip(lineups, played, strict=True) if number == max(played)]

    @cached_property
    def values(self) -> HandValues:
        values = HandValues.empty(self._rules, knows_agents=self._knows_agents)
        seatings = duplicate_seatings(self._rules.num_seats, self._seed, 0, 1)
        first = FIRST_LEARNING_DEAL
        for lineup in self._lineups:
            players = self._players(lineup)
            pace = min(player.deals_per_batch for player in players)
            most_hands = LEARNING_HANDS // len(self._lineups)
            num_deals = min(most_hands // seatings.shape[1], LEARNING_SECONDS * pace)
            self._learn(values, players, seatings, first, num_deals)
            first += num_deals
        values.settle()
        return values

    def _learn(
        self, values: HandValues, players: Sequence[NativeAgent], seatings: np.ndarray, first_deal: int, num_deals: int
    ) -> None:
        """Note the hands of these deals."""
        num_seatings, num_seats = seatings.shape[1:]
        for start in range(0, num_deals, HANDS_AT_ONCE // num_seatings):
            number = min(HANDS_AT_ONCE // num_seatings, num_deals - start)
            first = first_deal + start
            _, betting = _native.play_matches(
                self._rules.native,
                [player.native for player in players],
                self._seed,
                first,
                1,
                seatings,
                np.zeros((number, num_seats), np.int64),
                np.zeros(num_seats),
                np.zeros((num_seats, _native.NUM_COUNTS), np.int64),
                np.zeros((number, num_seatings, 1, num_seats), np.int64),
            )
            deals = np.repeat(np.arange(first, first + number), num_seatings)
            values.note_hands(self._seed, deals, betting, np.tile(seatings[0], (number, 1)))

    def _players(self, lineup: Sequence[Agent | None]) -> list[NativeAgent]:
        """Who plays the hands that values are learned from, as many as there are seats."""
        native = [agent for agent in lineup if isinstance(agent, NativeAgent)]
        known = [agent for agent in native if known_strategy(agent) is not None]
        chump = NativeAgent("stand-in", triple(0.1, 0.55, 0.35).native)
        stand_in = [*known, *native, chump][0]
        if not self._knows_agents:
            return [stand_in] * self._rules.num_seats
        return [agent if isinstance(agent, NativeAgent) else stand_in for agent in lineup]


class Luck:
    """Takes the luck off hands between these agents.

    agents:  None for those of which nothing is known.
    learned: values that hands are compared by; whatever they are, the expectation stays.
    """

    def __init__(
        self,
        rules: PokerRules,
        agents: Sequence[Agent | None],
        terms: LuckTerms,
        seed: int,
        learned: LearnedValues,
    ) -> None:
        self.rules = rules
        self.terms = terms
        self.seed = seed
        self.learned = learned
        self.strategies = [None if agent is None else known_strategy(agent) for agent in agents]
        if terms.decisions and not any(self.strategies):
            names = ", ".join(agent.name for agent in agents if agent is not None)
            raise ConfigError(
                f"variance aivat needs one agent that tells what it does with every hand; {names} only play:"
                " variance chance needs none"
            )

    def correct(self, hands: PlayedHands) -> np.ndarray:
        """`[D, N]` chips by seat; see `correct_hands`."""
        values = self.learned.values
        return correct_hands(self.rules, self.strategies, values, hands, terms=self.terms, seed=self.seed)
