"""What MCCFR visits of the game in one pass: each kind of sampling is a value handed to a solver.

Chance sampling (Zinkevich et al. 2007), external and outcome sampling (Lanctot et al. 2009), public chance sampling
(Johanson et al. 2012). `MCCFR` walks compiled games by the first three, `PokerMCCFR` abstract poker games by all but
outcome sampling.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from nashgap.errors import ConfigError

__all__ = [
    "CHANCE_SAMPLING",
    "EXTERNAL_SAMPLING",
    "OUTCOME_SAMPLING",
    "PUBLIC_CHANCE_SAMPLING",
    "SAMPLINGS",
    "Sampling",
]

NEVER = -math.inf
KINDS = ("chance", "external", "outcome", "public")
NUMBERS_OF_HANDS = (1, 4, 8, 16)


@dataclass(frozen=True)
class Sampling:
    """Which part of the game one pass visits.

    kind:        `chance`: one outcome of each chance node, all actions; `external`: one outcome of chance and of the
                 other players, all own actions; `outcome`: a single path; `public`: one board, all hands, all actions.
    exploration: share of uniform play in what actions are sampled from: own ones in outcome sampling, which needs some;
                 the others' in external sampling.
    prune_below: external sampling follows own actions with less regret than this, in chips and times t where iteration
                 t counts t-fold, less often: with k times as little regret in one walk of k, at most 8, and what is
                 learned there counts k-fold, so that the mean stays; NEVER, unless told.
    hands:       of the learner, that one walk of external sampling serves on the same board against the same hands,
                 since the others' actions do not depend on them; 1, 4, 8 or 16. Only one can skip actions.
    """

    kind: str
    exploration: float = 0.0
    prune_below: float = NEVER
    hands: int = 1

    def __post_init__(self) -> None:
        self.require_kind(KINDS)
        if self.kind == "outcome" and not 0.0 < self.exploration <= 1.0:
            raise ConfigError(f"exploration = {self.exploration}; outcome sampling needs more than 0 and at most 1")
        if self.kind == "external" and not 0.0 <= self.exploration < 1.0:
            raise ConfigError(f"exploration = {self.exploration}; it must be from 0 to below 1")
        if self.kind in ("chance", "public") and self.exploration != 0.0:
            raise ConfigError(f"exploration = {self.exploration}; it must be 0 where no action is sampled")
        if not self.prune_below < 0.0:
            raise ConfigError(f"prune_below = {self.prune_below}; it must be below 0")
        if self.prune_below > NEVER and self.kind != "external":
            raise ConfigError(f"prune_below belongs to external sampling, not to {self.kind}")
        if self.hands not in NUMBERS_OF_HANDS:
            raise ConfigError(f"hands = {self.hands}; it must be one of {', '.join(map(str, NUMBERS_OF_HANDS))}")
        if self.hands > 1 and (self.kind != "external" or self.prune_below > NEVER):
            raise ConfigError(f"hands = {self.hands}; it must be 1 but in external sampling that does not prune")

    def require_kind(self, allowed: Collection[str], where: str = "") -> None:
        """Refuse every kind but these, which are sampled `where`."""
        if self.kind not in allowed:
            raise ConfigError(f"sampling = {self.kind!r}; it must be one of {', '.join(allowed)}{where and ' '}{where}")


CHANCE_SAMPLING = Sampling("chance")
EXTERNAL_SAMPLING = Sampling("external")
OUTCOME_SAMPLING = Sampling("outcome", exploration=0.6)
PUBLIC_CHANCE_SAMPLING = Sampling("public")

SAMPLINGS = {
    "chance-sampling": CHANCE_SAMPLING,
    "external-sampling": EXTERNAL_SAMPLING,
    "outcome-sampling": OUTCOME_SAMPLING,
    "public-chance-sampling": PUBLIC_CHANCE_SAMPLING,
}
