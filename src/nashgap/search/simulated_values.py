"""What a responder meets, tells and has learned in a game that is never enumerated.

Information sets are not numbered there: a place goes by a hash of what the responder knows, and networks see a row of
features. What was learned travels to the processes that play, as a dictionary or as the arrays of a network.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

__all__ = [
    "MOST_ACTIONS",
    "Answer",
    "NetworkValues",
    "Place",
    "SimulatedEpisodes",
    "SimulatedValues",
    "TableValues",
]

MOST_ACTIONS = 256
"""Of a decision that are told; of more, those that were visited most."""


@dataclass(frozen=True, eq=False)
class Place:
    """A decision of the responder's.

    key:      stands for what it knows.
    actions:  that it has, as OpenSpiel numbers them.
    features: `[F]` float32; None where nobody looks at them.
    """

    key: int
    actions: list[int]
    features: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Answer:
    """What was learned of a place.

    value: what the responder wins from there on, in the game's unit; None where that is not known.
    prior: `[A]` how good each action is thought to be; they add up to 1.
    """

    value: float | None
    prior: np.ndarray


class SimulatedValues(Protocol):
    """What was learned; can be sent to other processes."""

    @property
    def has_features(self) -> bool:
        """Whether features of places are looked at."""
        ...

    def answers(self, places: Sequence[Place]) -> list[Answer]: ...


@dataclass(frozen=True, eq=False)
class SimulatedEpisodes:
    """Games that the responder has played. E games, D decisions in them, at most A actions in one that are told.

    payoff:          `[E]` what it won, in the game's unit.
    decision_end:    `[E]` decisions up to the end of each game.
    key:             `[D]` int64, where it decided,
    features:        `[D, F]` float32, how a network sees that; F is 0 where nobody looks,
    value:           `[D]` float32, what its search said of it,
    actions:         `[D, A]` int32, what it could do, as OpenSpiel numbers actions; -1 where there are fewer,
    share:           `[D, A]` float32, and how the visits were shared out among them.
    num_simulations: of all searches.
    """

    payoff: np.ndarray
    decision_end: np.ndarray
    key: np.ndarray
    features: np.ndarray
    value: np.ndarray
    actions: np.ndarray
    share: np.ndarray
    num_simulations: int

    @property
    def payoff_of_decision(self) -> np.ndarray:
        """`[D]` what its game paid."""
        return np.repeat(self.payoff, np.diff(self.decision_end, prepend=0))


@dataclass(frozen=True, eq=False)
class TableValues:
    """By key: what the place is worth, and the share of each of its actions."""

    known: Mapping[int, tuple[float, np.ndarray]] = field(default_factory=dict)

    @property
    def has_features(self) -> bool:
        return False

    def answers(self, places: Sequence[Place]) -> list[Answer]:
        return [self._answer(place) for place in places]

    def _answer(self, place: Place) -> Answer:
        value, share = self.known.get(place.key, (None, None))
        # A hash of two places would be no harm but for a different number of actions.
        if share is None or len(share) != len(place.actions):
            return Answer(None, _equal(place))
        return Answer(value, share)


@dataclass(frozen=True, eq=False)
class NetworkValues:
    """A network of rectified layers: the first output is the value over `scale`, the others prefer actions.

    parameters: weights and biases in turn, float32; none before anything was learned.
    """

    parameters: tuple[np.ndarray, ...]
    scale: float

    @property
    def has_features(self) -> bool:
        return True

    def answers(self, places: Sequence[Place]) -> list[Answer]:
        if not self.parameters:
            return [Answer(None, _equal(place)) for place in places]
        outputs = self._outputs(np.stack([place.features for place in places if place.features is not None]))
        return [self._answer(place, output) for place, output in zip(places, outputs, strict=True)]

    def _answer(self, place: Place, output: np.ndarray) -> Answer:
        preference = output[1:][place.actions].astype(np.float64)
        prior = np.exp(preference - preference.max())
        return Answer(float(output[0]) * self.scale, prior / prior.sum())

    def _outputs(self, rows: np.ndarray) -> np.ndarray:
        """In doubles and rounded, so that what is said of a place does not depend on those beside it: how products of
        matrices add up depends on the number of rows."""
        layer = rows
        for weight, bias in self._layers[:-1]:
            layer = np.maximum(layer @ weight + bias, 0.0)
        weight, bias = self._layers[-1]
        outputs: np.ndarray = (layer @ weight + bias).astype(np.float32)
        return outputs

    @cached_property
    def _layers(self) -> list[tuple[np.ndarray, np.ndarray]]:
        doubles = [each.astype(np.float64) for each in self.parameters]
        return list(zip(doubles[::2], doubles[1::2], strict=True))


def _equal(place: Place) -> np.ndarray:
    return np.full(len(place.actions), 1.0 / len(place.actions))
