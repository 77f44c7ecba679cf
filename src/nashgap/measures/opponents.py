"""Who plays against a responder: strategies as the engine plays them, and those that it asks for in Python.

A strategy of the engine never misses an answer. Of all others the engine knows what it was told: where an answer is
missing it stops there, notes the state, and goes on with what else it can do; then the strategy is asked about all
missing states at once. So no callback leads from the engine into Python.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from nashgap import _native
from nashgap.core.strategy import Policy, RaiseRange
from nashgap.errors import MismatchError
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.check_policy import check_policies, checked_answers
from nashgap.strategies.chumps import Chump
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["EXACTLY", "AskedOpponent", "KnownOpponent", "Opponent", "is_known", "opponent_of"]

EXACTLY = 0  # samples: what is done is known with its chances


class Opponent(Protocol):
    """A seat of the engine, and how to bring it the answers that it misses; whether there were any."""

    @property
    def native(self) -> _native.RangedOpponent: ...

    def answer(self) -> bool: ...


def is_known(strategy: PokerStrategy) -> bool:
    """Whether the engine has all its answers."""
    return isinstance(strategy, Chump | AbstractStrategy)


def opponent_of(rules: PokerRules, strategy: PokerStrategy, samples: int, seed: tuple[int, int] = (0, 0)) -> Opponent:
    """The strategy as an opponent.

    samples: for what is believed of a strategy that is known by samples only, or EXACTLY.
    seed:    see `AskedOpponent`.
    """
    if isinstance(strategy, Chump):
        return KnownOpponent(_native.BlindOpponent(strategy.native))
    if isinstance(strategy, AbstractStrategy):
        if strategy.rules != rules:
            raise MismatchError(f"{strategy.name!r} is a strategy for {strategy.rules.name}, not for {rules.name}")
        return KnownOpponent(_native.TableOpponent(strategy.native, samples if strategy.is_sampled else 0))
    return AskedOpponent(rules, strategy, samples, seed)


@dataclass(frozen=True)
class KnownOpponent:
    """The engine has all its answers."""

    native: _native.RangedOpponent

    def answer(self) -> bool:
        return False


class AskedOpponent:
    """A strategy that is asked for all missing states at once.

    seed: of the questions to a sampled strategy, and the number of the opponent.
    """

    def __init__(self, rules: PokerRules, strategy: PokerStrategy, samples: int, seed: tuple[int, int]) -> None:
        self.native = _native.AskedOpponent(rules.native, strategy.is_sampled)
        self._rules, self._strategy, self._samples, self._seed = rules, strategy, samples, seed
        self._num_asked: Counter[tuple[int, int]] = Counter()

    def answer(self) -> bool:
        states = [PublicState(self._rules, native) for native in self.native.missing]
        if not states:
            return False
        self.native.tell(self._sampled(states) if self._strategy.is_sampled else self._told(states))
        return True

    def _told(self, states: list[PublicState]) -> list[tuple[Any, ...]]:
        return [
            (_bounds(policy), np.ascontiguousarray(policy.probabilities, np.float64), None)
            for policy in checked_answers(self._strategy, states)
        ]

    def _sampled(self, states: list[PublicState]) -> list[tuple[Any, ...]]:
        """Belief is the mean of some samples; play is another one. A seed is for one question of one hand only: what it
        draws depends on no other hand, and a strategy may draw once for all states that it is asked about."""
        by_hand: dict[tuple[int, int], list[int]] = {}
        for number, hand in enumerate(self.native.missing_hands):
            by_hand.setdefault(hand, []).append(number)
        answers: dict[int, tuple[Any, ...]] = {}
        for hand, numbers in by_hand.items():
            self._num_asked[hand] += 1
            asked = [states[number] for number in numbers]
            samples = [
                self._sample(asked, (*self._seed, *hand, self._num_asked[hand], sample))
                for sample in range(self._samples + 1)
            ]
            for place, number in enumerate(numbers):
                answers[number] = _mean_and_last([policies[place] for policies in samples])
        return [answers[number] for number in range(len(states))]

    def _sample(self, states: list[PublicState], entropy: tuple[int, ...]) -> list[Policy]:
        strategy: Any = self._strategy
        seed = int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0] >> np.uint64(1))
        return check_policies(strategy.sample_policies(states, seed), states, self._strategy.name)


def _bounds(policy: Policy) -> list[tuple[int, int]]:
    return [(move.low, move.high) if isinstance(move, RaiseRange) else (move, move) for move in policy.moves]


def _mean_and_last(samples: Sequence[Policy]) -> tuple[Any, ...]:
    """(moves, believed, played): the mean of all samples but the last, and the last, over the moves of any."""
    moves = sorted({bounds for policy in samples for bounds in _bounds(policy)})
    tables = np.zeros((len(samples), len(samples[0].hands), len(moves)))
    for table, policy in zip(tables, samples, strict=True):
        for column, bounds in enumerate(_bounds(policy)):
            table[:, moves.index(bounds)] += np.broadcast_to(policy.probabilities[:, column], len(table))
    return moves, np.ascontiguousarray(tables[:-1].mean(axis=0)), np.ascontiguousarray(tables[-1])
