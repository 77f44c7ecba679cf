"""A strategy that does otherwise in some places: what would come of a change, before anybody makes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from nashgap.abstraction.hand_strength import hand_strengths
from nashgap.core.strategy import Policy, SampledStrategy
from nashgap.errors import ConfigError
from nashgap.poker.hands import hand_names, possible_hands
from nashgap.poker.moves import Move, move_text
from nashgap.poker.place import place_of
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import CALL, FOLD, PublicState
from nashgap.strategies.check_policy import check_policy
from nashgap.strategies.patch import CALL_FROM, FOLD_BELOW, Change, Patch
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["PatchedStrategy", "changed_policy"]


class PatchedStrategy:
    """The base everywhere but at the places of the patches, of which no two are for the same. Pure as the base is.

    is_sampled, deals_per_batch, slowness: as the base has them.
    """

    def __init__(self, name: str, base: PokerStrategy, patches: Sequence[Patch], rules: PokerRules) -> None:
        self.name, self.is_sampled, self.rules = name, base.is_sampled, rules
        self.slowness = getattr(base, "slowness", "")
        if hasattr(base, "deals_per_batch"):
            self.deals_per_batch = base.deals_per_batch
        for patch in patches:
            patch.place.require_game(rules)
        self._changes = {patch.place: patch.changes for patch in patches}
        if len(self._changes) < len(patches):
            twice = next(each for each in patches if [other.place for other in patches].count(each.place) > 1)
            raise ConfigError(f"strategy {name!r}: two patches are for {str(twice.place)!r}; one has all changes")
        self._base = base
        self._known: dict[str, tuple[Change, ...]] = {}  # by betting, which comes again on many boards

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        return self._patched(states, self._base.policies(states))

    def sample_policies(self, states: Sequence[PublicState], seed: int) -> list[Policy]:
        """Where the base is known by samples."""
        return self._patched(states, cast(SampledStrategy[PublicState], self._base).sample_policies(states, seed))

    def close(self) -> None:
        """End the base, if it is a program of its own."""
        close = getattr(self._base, "close", None)
        if close is not None:
            close()

    def _patched(self, states: Sequence[PublicState], policies: Sequence[Policy]) -> list[Policy]:
        return [
            changed_policy(check_policy(policy, state, self.name), state, changes)
            if (changes := self._changes_at(state))
            else policy
            for state, policy in zip(states, policies, strict=True)
        ]

    def _changes_at(self, state: PublicState) -> tuple[Change, ...]:
        betting = state.betting
        if betting not in self._known:
            self._known[betting] = self._changes.get(place_of(state), ())
        return self._known[betting]


def changed_policy(policy: Policy, state: PublicState, changes: Sequence[Change]) -> Policy:
    """What is done in the state after the changes."""
    names, strengths = hand_names(state.rules), hand_strengths(state)
    columns: dict[Move, np.ndarray] = {
        move: np.broadcast_to(policy.probabilities[:, place], len(names)) * possible_hands(state)
        for place, move in enumerate(policy.moves)
    }
    for needed in (FOLD, CALL) if state.legal.can_fold else (CALL,):
        columns.setdefault(needed, np.zeros(len(names)))
    for change in changes:
        with np.errstate(invalid="ignore"):  # hands that cannot be held have no strength
            is_meant = strengths >= change.strength if change.kind == CALL_FROM else strengths < change.strength
        target: Move = FOLD if change.kind == FOLD_BELOW and state.legal.can_fold else CALL
        for move, column in columns.items():
            if move != target and (change.kind == FOLD_BELOW or (change.kind == CALL_FROM) == (move == FOLD)):
                columns[target] = columns[target] + np.where(is_meant, column, 0.0)
                columns[move] = np.where(is_meant, 0.0, column)
    moves = tuple(columns)
    texts = tuple(move_text(state.rules, move) for move in moves)
    return Policy(names, texts, np.column_stack(list(columns.values())), moves)
