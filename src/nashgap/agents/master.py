"""The master agent: a base that summons experts by the betting (Abou Risk 2009, section 4.5.1).

Once the betting has come to what an expert is for, the expert plays the rest of the hand. The base may be any agent,
also one of which nothing is known but what it plays. Where it is a strategy of an abstract game, the same can be had in
one file: `nashgap.strategies.abstract.graft`.
"""

from __future__ import annotations

import numpy as np

from nashgap import _native
from nashgap.agents.agent import Agent, NativeAgent
from nashgap.agents.table_agent import TableAgent
from nashgap.poker.notation import HandRecord
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, View
from nashgap.strategies.abstract import AbstractStrategy

__all__ = ["MasterAgent", "master_agent"]

EXPERT_STREAM = 1 << 16  # added to what a stream of a match is for


def master_agent(name: str, base: Agent, experts: AbstractStrategy) -> Agent:
    """The master; by the engine where its base is."""
    if not isinstance(base, NativeAgent):
        return MasterAgent(name, base, experts)
    return _NativeMaster(name, base, experts)


class _NativeMaster(NativeAgent):
    def __init__(self, name: str, base: NativeAgent, experts: AbstractStrategy) -> None:
        native = _native.MasterAgent(base.native, experts.native)
        super().__init__(name, native, deals_per_batch=base.deals_per_batch)
        self._base, self._expert = base, TableAgent(name, experts)

    def check_game(self, rules: PokerRules) -> None:
        self._base.check_game(rules)
        self._expert.check_game(rules)


class MasterAgent:
    """One whose base is asked from Python.

    is_external, deals_per_batch: as the base has them.
    """

    def __init__(self, name: str, base: Agent, experts: AbstractStrategy) -> None:
        self.name = name
        self.is_external = getattr(base, "is_external", False)
        if hasattr(base, "deals_per_batch"):
            self.deals_per_batch = base.deals_per_batch
        self._base, self._experts, self._expert = base, experts, TableAgent(name, experts)

    def check_game(self, rules: PokerRules) -> None:
        """Refuse a game that one of them does not play."""
        for agent in (self._base, self._expert):
            check_game = getattr(agent, "check_game", None)
            if check_game is not None:
                check_game(rules)

    def start_match(self, rules: PokerRules) -> None:
        self._base.start_match(rules)
        self._expert.start_match(rules)

    def start_hand(self, seat: int, rng: np.random.Generator) -> None:
        self._expert.start_hand(seat, _apart(rng))
        self._base.start_hand(seat, rng)

    def act(self, view: View) -> Action:
        summoned = self._base if self._experts.segment_at(view.state) is None else self._expert
        return summoned.act(view)

    def end_hand(self, hand: HandRecord) -> None:
        self._base.end_hand(hand)

    def close(self) -> None:
        """End the base, if it is a program of its own."""
        close = getattr(self._base, "close", None)
        if close is not None:
            close()


def _apart(rng: np.random.Generator) -> np.random.Generator:
    """A stream that shares no draw with this one, from which the base draws as it likes."""
    state = rng.bit_generator.state["state"]
    key = state["key"] + np.array([0, EXPERT_STREAM], np.uint64)
    return np.random.Generator(np.random.Philox(key=key, counter=state["counter"]))
