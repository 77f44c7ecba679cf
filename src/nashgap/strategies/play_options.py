"""How a strategy of an abstract game is played at the real table."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nashgap.errors import ConfigError
from nashgap.strategies.translation import TRANSLATIONS

__all__ = ["FALLBACKS", "OFF_TREE", "PlayOptions", "parse_play_options"]

FALLBACKS = ("uniform", "call")
OFF_TREE = ("call", "check-fold")


@dataclass(frozen=True)
class PlayOptions:
    """Options of a strategy; none of them changes its tables.

    fallback:    in information sets that training never reached: every action equally often, or check or call (fold
                 where the tree has no call, in push-fold).
    off_tree:    once somebody has raised more often in a round than the tree allows, until the round is over: check or
                 call; or check or fold.
    translation: of raises that the tree does not have; see `nashgap.strategies.translation`.
    threshold:   smaller probabilities become 0 and the others make up for it (Ganzfried, Sandholm & Waugh 2012); where
                 all are smaller, as `purify`.
    purify:      the most likely action only; of several equally likely ones each equally often.
    """

    fallback: str = "uniform"
    off_tree: str = "call"
    translation: str = "pseudo-harmonic"
    threshold: float = 0.0
    purify: bool = False

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("fallback", self.fallback, FALLBACKS),
            ("off_tree", self.off_tree, OFF_TREE),
            ("translation", self.translation, TRANSLATIONS),
        ):
            if value not in allowed:
                raise ConfigError(f"{name} = {value!r}; it must be one of {', '.join(allowed)}")
        if not isinstance(self.threshold, int | float) or not 0.0 <= self.threshold <= 1.0:
            raise ConfigError(f"threshold = {self.threshold!r}; it must be from 0 to 1")
        if not isinstance(self.purify, bool):
            raise ConfigError(f"purify = {self.purify!r}; it must be true or false")

    def changed(self, changes: Mapping[str, Any]) -> PlayOptions:
        """These with some set otherwise."""
        if unknown := sorted(changes.keys() - _NAMES):
            raise ConfigError(f"unknown option {unknown[0]!r}; options are: {', '.join(sorted(_NAMES))}")
        return dataclasses.replace(self, **changes)

    def as_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


_NAMES = {field.name for field in dataclasses.fields(PlayOptions)}
_TRUTH = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def parse_play_options(text: str) -> dict[str, Any]:
    """The changes that `fallback=call, threshold=0.1` asks for."""
    changes: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or name in changes or name not in _NAMES:
            raise ConfigError(f"cannot read {part!r}; options, once each: {', '.join(sorted(_NAMES))}")
        if name == "threshold":
            try:
                changes[name] = float(value)
            except ValueError:
                raise ConfigError(f"threshold = {value!r}; it must be from 0 to 1") from None
        elif name == "purify":
            if value not in _TRUTH:
                raise ConfigError(f"purify = {value!r}; it must be one of {', '.join(_TRUTH)}")
            changes[name] = _TRUTH[value]
        else:
            changes[name] = value
    return changes
