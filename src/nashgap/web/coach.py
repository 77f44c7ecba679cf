"""A coach: what a strategy would do with your hand, and afterwards what your choices cost.

Frequencies are the strategy's own. Values are the range solver's: at the first decision of a street both players hold
what the strategy would hold after the betting so far, and from there on both play their best; heads-up no-limit, on
the turn and the river. Anything else has no value here, and is told so.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

from nashgap.agents.agent import Agent
from nashgap.core.recent import Recent
from nashgap.core.strategy import Policy
from nashgap.errors import ConfigError, IllegalActionError
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState
from nashgap.poker.words import move_words
from nashgap.strategies.chumps import Chump
from nashgap.strategies.poker_strategy import PokerStrategy
from nashgap.web.choice_values import nearest_move, values_of
from nashgap.web.one_at_a_time import OneAtATime
from nashgap.web.open_hand import decision_at, decisions_of, told_strategy
from nashgap.web.tables import Table

__all__ = ["Coaches", "can_coach"]

_REVIEWS_KEPT = 64


def can_coach(agent: Agent) -> bool:
    """Whether it looks at its cards, and tells what it does with every hand."""
    strategy = told_strategy(agent)
    return strategy is not None and not isinstance(strategy, Chump) and not strategy.is_sampled


class Coaches:
    """Strategies that are asked for advice, each opened once. open_agent: finds one by its name, for the rules."""

    def __init__(self, open_agent: Callable[[str, PokerRules], Agent]) -> None:
        self._open_agent = open_agent
        self._opened: dict[tuple[str, str], tuple[PokerStrategy, Lock]] = {}
        self._reviews: Recent[tuple[str, int, int, str], dict[str, Any]] = Recent(_REVIEWS_KEPT)
        self._thinking = OneAtATime("your coach is still thinking")
        self._lock, self._solving = Lock(), Lock()

    def advise(self, table: Table, player: int, step: tuple[int, int], name: str, visitor: str) -> dict[str, Any]:
        """What the coach would do at the player's decision now. step: hand and step, so that no other is meant."""
        _require_coach(table)
        if table.job.duplicate:
            raise ConfigError("the cards of this table come again: a coach can be asked when both hands are over")
        strategy, lock = self._strategy(name, table.rules)
        with table.changing():
            hand = table.hand
            if hand is None or hand.player != player or step != (hand.number, len(hand.actions)):
                raise IllegalActionError("it is not your turn, or the table has moved on")
        with self._thinking.of(visitor), lock:
            cards = hand.deal.hole_cards[hand.state.seat]
            return _without_grid(decision_at(strategy, hand.state, cards)) | {"number": hand.number}

    def review(self, table: Table, player: int, number: int, name: str, visitor: str) -> dict[str, Any]:
        """The player's decisions in a hand that is over: what the coach does there, and what each choice cost."""
        _require_coach(table)
        hand = table.told_hand(number)
        strategy, lock = self._strategy(name, table.rules)
        key = table.identifier, player, number, name
        with self._thinking.of(visitor):
            if (known := self._reviews.get(key)) is not None:
                return known
            cards, decisions = hand.deal.hole_cards[hand.seat_of(player)], []
            for step in decisions_of(hand, player):
                assert step.action is not None
                with lock:
                    told = _without_grid(decision_at(strategy, step.before, cards, step.action))
                    (policy,) = strategy.policies([step.before])
                told |= _chosen(policy, told, step.before, step.action)
                with self._solving:
                    told["value"] = values_of(strategy, lock, step.before, step.action, cards)
                decisions.append(told)
            found = {"number": number, "decisions": decisions}
            with self._lock:
                self._reviews[key] = found
            return found

    def _strategy(self, name: str, rules: PokerRules) -> tuple[PokerStrategy, Lock]:
        """Opened once, with a lock: a program answers to one at a time."""
        with self._lock:
            key = name, rules.name
            if key not in self._opened:
                agent = self._open_agent(name, rules)
                strategy = told_strategy(agent)
                if strategy is None or not can_coach(agent):
                    raise ConfigError(f"{name[:60]!r} tells no strategy that looks at its cards")
                self._opened[key] = strategy, Lock()
            return self._opened[key]


def _require_coach(table: Table) -> None:
    if not table.job.has_coach:
        raise ConfigError("this table was made without a coach")


def _without_grid(told: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in told.items() if key != "grid"}


def _chosen(policy: Policy, told: dict[str, Any], state: PublicState, action: int) -> dict[str, Any]:
    """How often the coach does what was done; of a size that it does not have, its nearest, which is named."""
    words = [each["words"] for each in told["actions"]]
    if told["did"] in words:
        return {"share": told["actions"][words.index(told["did"])]["of_hand"], "counted_as": told["did"]}
    nearest = nearest_move(policy, action)
    if nearest is None:
        return {"share": 0.0, "counted_as": None}
    named = move_words(state, nearest)
    return {"share": told["actions"][words.index(named)]["of_hand"] if named in words else None, "counted_as": named}
