"""What a responder meets, tells and has learned in a game that is never enumerated.

Information sets are not numbered there: a place goes by a hash of what the responder knows, and networks see a row of
features. What was learned travels to the processes that play, as a dictionary or as the arrays of a network.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np

__all__ = [
    "MOST_ACTIONS",
    "MOST_OUTPUTS",
    "Answer",
    "NetworkValues",
    "Place",
    "SimulatedEpisodes",
    "SimulatedValues",
    "TableValues",
]

MOST_ACTIONS = 256
"""Of a decision that are told; of more, those that were visited most."""

MOST_OUTPUTS = 512
"""Of a network that are all computed at once; of more, those of legal actions."""


class Place(NamedTuple):
    """A decision of the responder's.

    key:      stands for what it knows.
    actions:  that it has, as OpenSpiel numbers them.
    features: `[F]` float32; None where nobody looks at them.
    """

    key: int
    actions: list[int]
    features: np.ndarray | None = None


class Answer(NamedTuple):
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
    share:           `[D, A]` float32, and how good each of them is found to be; they add up to 1.
    num_simulations: of all searches.
    discount:        what is won one decision later is worth so much of it.
    """

    payoff: np.ndarray
    decision_end: np.ndarray
    key: np.ndarray
    features: np.ndarray
    value: np.ndarray
    actions: np.ndarray
    share: np.ndarray
    num_simulations: int
    discount: float = 1.0

    @property
    def payoff_of_decision(self) -> np.ndarray:
        """`[D]` what its game paid, as it was worth then."""
        sizes = np.diff(self.decision_end, prepend=0)
        num_left = np.repeat(self.decision_end, sizes) - np.arange(len(self.key))
        worth: np.ndarray = np.repeat(self.payoff, sizes) * self.discount**num_left
        return worth


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
        hidden = self._hidden(np.stack([place.features for place in places if place.features is not None]))
        sizes = [len(place.actions) for place in places]
        each = np.arange(len(places))
        row = np.repeat(each, sizes)
        column = 1 + np.fromiter(chain.from_iterable(place.actions for place in places), np.int64, len(row))
        outputs = self._outputs(
            hidden, np.concatenate([each, row]), np.concatenate([np.zeros(len(each), np.int64), column])
        )
        value, preference = self.scale * outputs[: len(each)], outputs[len(each) :]
        start = np.cumsum([0, *sizes[:-1]])
        prior = np.exp(preference - np.maximum.reduceat(preference, start)[row])
        prior /= np.add.reduceat(prior, start)[row]
        return [
            Answer(worth, prior[first : first + size])
            for worth, first, size in zip(value.tolist(), start.tolist(), sizes, strict=True)
        ]

    def _hidden(self, rows: np.ndarray) -> np.ndarray:
        """The last layer that is rectified."""
        layer = rows
        for weight, bias in self._layers[:-1]:
            layer = np.maximum(layer @ weight + bias, 0.0)
        return layer

    def _outputs(self, hidden: np.ndarray, row: np.ndarray, column: np.ndarray) -> np.ndarray:
        """Those of the given rows and columns.

        In doubles and rounded, so that what is said of a place does not depend on those beside it: how products of
        matrices add up depends on the number of rows. Of many outputs few are legal, and only they are computed.
        """
        weight, bias = self._layers[-1]
        if weight.shape[1] <= MOST_OUTPUTS:
            outputs = (hidden @ weight)[row, column]
        else:
            outputs = np.einsum("ij,ij->i", hidden[row], self._weight_of_output[column])
        rounded: np.ndarray = (outputs + bias[column]).astype(np.float32).astype(np.float64)
        return rounded

    @cached_property
    def _layers(self) -> list[tuple[np.ndarray, np.ndarray]]:
        doubles = [each.astype(np.float64) for each in self.parameters]
        return list(zip(doubles[::2], doubles[1::2], strict=True))

    @cached_property
    def _weight_of_output(self) -> np.ndarray:
        """`[outputs, hidden]`."""
        return np.ascontiguousarray(self._layers[-1][0].T)

    def __getstate__(self) -> dict[str, Any]:
        # What is made of the parameters is made again.
        return {"parameters": self.parameters, "scale": self.scale}


def _equal(place: Place) -> np.ndarray:
    return np.full(len(place.actions), 1.0 / len(place.actions))
