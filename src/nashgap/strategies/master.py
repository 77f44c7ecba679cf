"""A base and experts as one strategy that answers for all hands, whatever the base is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from nashgap.core.strategy import Policy, SampledStrategy
from nashgap.poker.state import PublicState
from nashgap.strategies.abstract import AbstractStrategy, graft
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["MasterStrategy", "master_strategy"]


def master_strategy(name: str, base: PokerStrategy, experts: AbstractStrategy) -> PokerStrategy:
    """The base with experts grafted onto it, where it is a strategy of an abstract game; else it summons them."""
    if isinstance(base, AbstractStrategy):
        return graft(base, experts).with_options(name=name)
    return MasterStrategy(name, base, experts)


class MasterStrategy:
    """The base until the betting has come to what an expert is for, then the expert.

    is_sampled, deals_per_batch, slowness: as the base has them.
    """

    def __init__(self, name: str, base: PokerStrategy, experts: AbstractStrategy) -> None:
        self.name, self.is_sampled = name, base.is_sampled
        self.slowness = getattr(base, "slowness", "")
        if hasattr(base, "deals_per_batch"):
            self.deals_per_batch = base.deals_per_batch
        self._base, self._experts = base, experts

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        return self._by_whose_turn(states, self._base.policies)

    def sample_policies(self, states: Sequence[PublicState], seed: int) -> list[Policy]:
        """Where the base is known by samples; the experts are known."""
        sampled = cast(SampledStrategy[PublicState], self._base)
        return self._by_whose_turn(states, lambda own: sampled.sample_policies(own, seed))

    def close(self) -> None:
        """End the base, if it is a program of its own."""
        close = getattr(self._base, "close", None)
        if close is not None:
            close()

    def _by_whose_turn(
        self, states: Sequence[PublicState], ask_base: Callable[[list[PublicState]], list[Policy]]
    ) -> list[Policy]:
        is_expert = [self._experts.segment_at(state) is not None for state in states]
        by_expert = iter(
            self._experts.policies([state for state, is_his in zip(states, is_expert, strict=True) if is_his])
        )
        by_base = iter(ask_base([state for state, is_his in zip(states, is_expert, strict=True) if not is_his]))
        return [next(by_expert if is_his else by_base) for is_his in is_expert]
