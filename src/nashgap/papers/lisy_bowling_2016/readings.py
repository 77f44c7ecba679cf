"""Chumps, as the words of the paper can be read, and LBR against each of them as one job.

"Calling with 50% of actions and playing a random raise otherwise" and "a random legal action" leave open which raises
are equally likely. Where no raise is legal any more it is a call; nobody folds for free.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nashgap.core.estimate import Estimate, half_width_95
from nashgap.core.job import BatchJob, budget, require_seed
from nashgap.core.strategy import Policy
from nashgap.errors import ConfigError
from nashgap.measures.local_best_response import LbrOptions, play_lbr
from nashgap.poker.hands import hand_names
from nashgap.poker.moves import Move, move_text, raise_move
from nashgap.poker.rules import load_rules
from nashgap.poker.state import CALL as CALL_ACTION
from nashgap.poker.state import PublicState
from nashgap.strategies.chumps import Chump, always_call, always_fold, half_call_half_raise, random
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = [
    "CALL",
    "FOLD",
    "HALF",
    "RANDOM",
    "READINGS",
    "ROWS",
    "Cell",
    "ChumpsJob",
    "Reading",
    "StackRaiser",
]

CALL, HALF, RANDOM, FOLD = "always call", "half call half raise", "random", "always fold"
GAME = "hunl"
CHIPS_PER_BIG_BLIND = 100
DEALS_PER_BLOCK = 2_500
UNIT = "BB/h"

# Bets and rounds: those of Table 2, and the last round only.
ROWS = (("fc", "1-4"), ("fc", "3-4"), ("fc", "4"), ("fcpa", "1-4"), ("fcpa", "3-4"), ("fcpa", "4"))

Cell = tuple[str, str, str]
"""Key of a reading, bets, rounds."""


@dataclass(frozen=True)
class Reading:
    """What a column's player may be.

    column: CALL, HALF and RANDOM are printed in Table 2; FOLD is in the text.
    name:   of the reading, in few words; empty where the paper's words are clear.
    text:   what is equally likely.
    """

    column: str
    player: PokerStrategy
    name: str = ""
    text: str = ""


@dataclass(frozen=True)
class StackRaiser:
    """Calls half of the time, else draws a number of chips up to the whole stack, all equally likely, to raise to.

    calls: a number below the smallest legal raise is a call; else it becomes the smallest legal raise, as poker servers
           mend illegal actions.
    """

    name: str
    calls: bool = False

    @property
    def is_sampled(self) -> bool:
        return False

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        """One row for all hands."""
        return [self._policy(state) for state in states]

    def _policy(self, state: PublicState) -> Policy:
        legal = state.legal
        low, high = legal.min_raise_to, legal.max_raise_to
        weights: dict[Move, float] = {CALL_ACTION: 1.0}
        if legal.can_raise:
            # Numbers below the first are mended; that the smallest raise is drawn is counted with those.
            first, mended = (low, CALL_ACTION) if self.calls else (low + 1, low)
            weights = {CALL_ACTION: 0.5}
            weights[mended] = weights.get(mended, 0.0) + 0.5 * (first - 1) / high
            if first <= high:
                weights[raise_move(first, high)] = 0.5 * (high - first + 1) / high
        actions = tuple(move_text(state.rules, move) for move in weights)
        return Policy(hand_names(state.rules), actions, np.array([[*weights.values()]]), tuple(weights))


READINGS = {
    "call": Reading(CALL, always_call()),
    "half-any-size": Reading(HALF, half_call_half_raise(), "legal sizes", "raises to every legal size equally often"),
    "half-stack": Reading(
        HALF,
        StackRaiser("half-stack"),
        "all sizes, mended",
        "raises to every number of chips up to the stack equally often; one that is too small becomes the smallest that"
        " is legal",
    ),
    "half-stack-call": Reading(
        HALF,
        StackRaiser("half-stack-call", calls=True),
        "all sizes, or call",
        "the same, but one that is too small is a call",
    ),
    "half-pot": Reading(HALF, Chump("half-pot", call=0.5, raising=0.5), "pot", "raises by the pot"),
    "half-all-in": Reading(HALF, Chump("half-all-in", call=0.5, raising=0.5, size="all-in"), "all-in", "raises all-in"),
    "random-each-size": Reading(
        RANDOM, random(), "each size", "fold, call and each legal size of a raise equally often"
    ),
    "random-kind": Reading(
        RANDOM,
        Chump("random-kind", kind="random-kind"),
        "each kind",
        "fold, call and raise equally often, then every legal size",
    ),
    "fold": Reading(FOLD, always_fold()),
}


@dataclass(frozen=True, kw_only=True)
class ChumpsJob(BatchJob):
    """LBR against every reading with all bets and rounds, on the same deals.

    A batch is a block of deals of one cell; all cells of a block come before the next block, so that more deals are
    more batches.
    """

    kind: ClassVar[str] = "lbr-chumps"

    seed: int
    block_deals: int = DEALS_PER_BLOCK
    cells: tuple[Cell, ...] = tuple((key, bets, rounds) for key in READINGS for bets, rounds in ROWS)
    deals: int = budget()

    def __post_init__(self) -> None:
        require_seed(self.seed)
        if self.deals < 2 or self.deals % self.block_deals:
            raise ConfigError(f"deals = {self.deals}; they come in blocks of {self.block_deals}")

    @property
    def name(self) -> str:
        return "lbr-table-2"

    @property
    def num_batches(self) -> int:
        return self.deals // self.block_deals * len(self.cells)

    def describe_batch(self, index: int) -> str:
        return ", ".join(self.cells[index % len(self.cells)])

    def run_batch(self, index: int) -> dict[str, Any]:
        """Number, sum and sum of squares of what LBR wins of a deal, in chips, the mean of both seatings."""
        block, cell = divmod(index, len(self.cells))
        key, bets, rounds = self.cells[cell]
        won = play_lbr(
            load_rules(GAME),
            [READINGS[key].player],
            LbrOptions(bets=bets, rounds=rounds),
            seed=self.seed,
            first_deal=block * self.block_deals,
            num_deals=self.block_deals,
        ).chips.mean(axis=1)
        return {"sums": [int(won.size), float(won.sum()), float(np.square(won).sum())]}

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> dict[Cell, Estimate]:
        """What LBR wins in each cell, in big blinds a hand."""
        sums = np.array([batch["sums"] for batch in batches]).reshape(-1, len(self.cells), 3).sum(axis=0)
        found = {}
        for cell, (number, total, squares) in zip(self.cells, sums.tolist(), strict=True):
            mean = total / number
            ci95 = half_width_95(max(0.0, (squares - number * mean * mean) / (number - 1)), int(number))
            scaled = (mean / CHIPS_PER_BIG_BLIND, ci95 / CHIPS_PER_BIG_BLIND)
            found[cell] = Estimate(*scaled, int(number), UNIT, "lbr", self.seed)
        return found
