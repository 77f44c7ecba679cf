"""Trees of every depth on every representation, under every choice of equilibrium, as one job; see `figures_9_10`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from nashgap.core.estimate import Estimate
from nashgap.core.job import BatchJob, is_whole, require_seed, setting
from nashgap.errors import ConfigError, MismatchError
from nashgap.explanations.bet_size_lp import CHOICES
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.representations import (
    REPRESENTATIONS,
    CardCdf,
    Representation,
    SingleBet,
    named_representation,
)
from nashgap.explanations.scores import Scores, score
from nashgap.explanations.trees import fit_tree
from nashgap.papers.ganzfried_yusuf_2017.games import known_games

__all__ = ["FIRST_DEPTH", "CutTree", "TreeCurves", "TreesJob"]

FIRST_DEPTH = 3


@dataclass(frozen=True)
class CutTree:
    """A tree cut at one depth: its size, and its scores over the test games.

    mixed: the scores where a predicted single bet is shared by the two neighbouring bets; None for others.
    """

    depth: int
    num_nodes: int
    num_leaves: int
    scores: Scores
    mixed: Scores | None


TreeCurves = Mapping[tuple[str, str], Sequence[CutTree]]
"""By choice of equilibrium and name of the representation: a cut tree for each depth, from `FIRST_DEPTH`."""


@dataclass(frozen=True)
class TreesJob(BatchJob):
    """One batch fits one tree and scores it at every depth from 3 on; it loads the solved games from their run.

    num_train, num_test: games, the first ones and those that follow.
    depth:               the largest.
    choices, names:      of the equilibria and the representations, all with all.
    root:                where the run of the solved games lies, as `prepare` was told.
    """

    kind: ClassVar[str] = "human-trees"

    num_train: int
    num_test: int
    depth: int
    seed: int
    card_cdf: CardCdf = CardCdf.BELOW
    choices: tuple[str, ...] = CHOICES
    names: tuple[str, ...] = tuple(REPRESENTATIONS)
    root: Path | None = setting(None)

    def __post_init__(self) -> None:
        require_seed(self.seed)
        if not is_whole(self.depth) or self.depth < FIRST_DEPTH:
            raise ConfigError(f"depth = {self.depth}; it must be a whole number, at least {FIRST_DEPTH}")

    @property
    def name(self) -> str:
        return f"human-trees-{self.card_cdf}" if self.card_cdf is not CardCdf.BELOW else "human-figures-9-10"

    def prepare(self, root: Path | None) -> None:
        """Remember where to look for the games, in other processes too."""
        object.__setattr__(self, "root", root)

    @property
    def cells(self) -> list[tuple[str, str]]:
        """Choice of equilibrium and representation of each batch."""
        return [(choice, name) for choice in self.choices for name in self.names]

    @property
    def num_batches(self) -> int:
        return len(self.cells)

    def describe_batch(self, index: int) -> str:
        choice, name = self.cells[index]
        return f"{name}, {choice}"

    @property
    def num_games(self) -> int:
        return self.num_train + self.num_test

    @cached_property
    def _games(self) -> tuple[SolvedGames, SolvedGames]:
        games = None if self.root is None else known_games(self.root, self.num_games, self.seed)
        if games is None:
            raise MismatchError(
                f"no run has {self.num_games:,} solved games of seed {self.seed}: nashgap reproduce human-figure-9"
            )
        return games.split(self.num_train, self.num_test)

    def run_batch(self, index: int) -> dict[str, Any]:
        """For each depth from 3 on the size of the tree and its scores."""
        choice, name = self.cells[index]
        representation = named_representation(name, self.card_cdf)
        mixed = (
            named_representation(name, self.card_cdf, SingleBet.NEIGHBOURS) if representation.is_single_bet else None
        )
        train, test = self._games
        deals = train.games
        outputs = representation.outputs(deals, train.bets(choice), self.seed)
        tree = fit_tree(representation.inputs(deals), outputs, self.depth)
        del outputs, deals
        depths: list[dict[str, Any]] = []
        for depth, node in enumerate(tree.descend(representation.inputs(test.games))):
            if depth < min(FIRST_DEPTH, tree.max_depth):
                continue
            predictions = tree.value[node]
            found: dict[str, Any] = {"nodes": tree.num_nodes_at(depth), "leaves": tree.num_leaves_at(depth)}
            found["scores"] = _scored(test, choice, representation, predictions)
            if mixed is not None:
                found["mixed"] = _scored(test, choice, mixed, predictions)
            depths.append(found)
        # A tree that has nothing left to split is the same at every larger depth.
        wanted = self.depth - FIRST_DEPTH + 1
        return {"depths": depths + depths[-1:] * (wanted - len(depths))}

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> TreeCurves:
        return {
            cell: [
                CutTree(depth, each["nodes"], each["leaves"], _scores(each["scores"]), mixed and _scores(mixed))
                for depth, each in enumerate(batch["depths"], start=FIRST_DEPTH)
                for mixed in (each.get("mixed"),)
            ]
            for cell, batch in zip(self.cells, batches, strict=True)
        }


def _scored(
    test: SolvedGames, choice: str, representation: Representation, predictions: np.ndarray
) -> dict[str, dict[str, Any]]:
    return score(test, representation.bets(test.stakes, predictions), choice).as_dict()


def _scores(found: Mapping[str, Mapping[str, Any]]) -> Scores:
    return Scores(**{measure: Estimate(**estimate) for measure, estimate in found.items()})
