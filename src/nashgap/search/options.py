"""How a responder searches and learns: values handed to one algorithm, and named sets of them.

`paper` is Table 1 of Timbers et al. (2020); what it does not say is as in AlphaZero (Silver et al. 2018).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from nashgap.core.job import is_whole
from nashgap.errors import ConfigError

__all__ = [
    "BELIEFS",
    "EXACT",
    "LEARNED",
    "PRESETS",
    "RULES",
    "NetworkLearning",
    "Preset",
    "SearchOptions",
    "TableLearning",
    "TreeLearning",
]

RULES = ("uct", "puct")
EXACT, LEARNED = BELIEFS = ("exact", "learned")  # from which searches draw
MOST_ABREAST = 4096


@dataclass(frozen=True)
class SearchOptions:
    """How an action is found.

    simulations: before each decision; 0: act by what was learned alone.
    rule:        of choice within the tree: `uct`, or `puct`, which looks at learned probabilities.
    exploration: its constant; values are from -1 to 1, over what can still be won where the search begins.
    exploring:   first decisions of a game in which an action is drawn by its visits; later the most visited is taken.
    keeps_tree:  a game goes on with the tree of the game before; else each begins with what was learned.
    counts_best: decisions before an action that was only tried count what the best one there is worth, not what came of
                 trying (as Watkins' Q learning cuts its traces); the paper counts all that came.
    abreast:     games that are played side by side, so that a strategy is asked about all of them at once. In a kept
                 tree each simulates once before any of them counts, which is part of what is found; else it is not.

    In games that are never enumerated, where a game is long and has more actions than a search has simulations:

    discount:    what is won one decision later is worth so much of it, to the search and to what is learned, so that a
                 win is looked for soon; what games pay is told as it is.
    greed:       0: actions are learned by their visits, as in the paper. Else by prior * exp(greed * mean over the most
                 that can be won), because few visits say little but which actions were thought of before.
    """

    simulations: int = 800
    rule: str = "uct"
    exploration: float = 2.6
    exploring: int = 1
    keeps_tree: bool = False
    counts_best: bool = False
    abreast: int = 1
    discount: float = 1.0
    greed: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.discount <= 1:
            raise ConfigError(f"discount = {self.discount}; it must be a number above 0, and 1 or less")
        if not 0 <= self.greed < math.inf:
            raise ConfigError(f"greed = {self.greed}; it must be a number, 0 or more")
        if not is_whole(self.abreast) or not 1 <= self.abreast <= MOST_ABREAST:
            raise ConfigError(f"abreast = {self.abreast}; it must be a whole number from 1 to {MOST_ABREAST}")
        if self.rule not in RULES:
            raise ConfigError(f"rule = {self.rule!r}; it must be one of {', '.join(RULES)}")
        if not is_whole(self.simulations) or self.simulations < 0:
            raise ConfigError(f"simulations = {self.simulations}; it must be a whole number, 0 or more")
        if not 0 <= self.exploration < math.inf:
            raise ConfigError(f"exploration = {self.exploration}; it must be a number, 0 or more")
        if not is_whole(self.exploring) or self.exploring < 0:
            raise ConfigError(f"exploring = {self.exploring}; it must be a whole number, 0 or more")

    @property
    def is_for_long_games(self) -> bool:
        """Whether only the search in games that are never enumerated can do it."""
        return self.discount < 1 or self.greed > 0


@dataclass(frozen=True)
class TreeLearning:
    """The search tree itself is kept from game to game, so that what was explored is not explored again.

    window: visits of an information set that count; of older ones as many are forgotten as come new.
    """

    window: float = 20_000

    def __post_init__(self) -> None:
        if not 1 <= self.window < math.inf:
            raise ConfigError(f"window = {self.window}; it must be a number, 1 or more")


@dataclass(frozen=True)
class TableLearning:
    """A mean for each information set, and a new search tree for each game.

    least_step: what is newest counts at least so much; 0: all alike.
    trust:      share of the search's own value in what is learned; the rest is what the game paid.
    """

    least_step: float = 0.02
    trust: float = 0.5

    def __post_init__(self) -> None:
        for name in ("least_step", "trust"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name} = {getattr(self, name)}; it must be from 0 to 1")


@dataclass(frozen=True)
class NetworkLearning:
    """A network with two heads, of values and of the search's shares (equations 7 to 9).

    hidden:        units of a hidden layer; layers: how many.
    learning_rate: of Adam.
    l2:            weight of the squared parameters.
    batch:         decisions in a step of learning.
    least:         decisions that are there before learning begins.
    most:          that are kept; the oldest go first.
    samples:       how often a decision is learned from, in the mean.
    most_samples:  after which it is dropped.
    trust:         as of `TableLearning`.
    """

    hidden: int = 128
    layers: int = 2
    learning_rate: float = 1e-5
    l2: float = 5e-6
    batch: int = 512
    least: int = 512
    most: int = 1_000_000
    samples: float = 8.0
    most_samples: int = 30
    trust: float = 0.0

    def __post_init__(self) -> None:
        for name in ("hidden", "layers", "batch", "least", "most", "most_samples"):
            if not is_whole(getattr(self, name)) or getattr(self, name) < 1:
                raise ConfigError(f"{name} = {getattr(self, name)}; it must be a whole number, 1 or more")
        if not 0 < self.samples <= self.most_samples:
            raise ConfigError(f"samples = {self.samples}; it must be above 0, and {self.most_samples} or less")
        if self.least > self.most:
            raise ConfigError(f"least = {self.least}; it must be {self.most} or less, which are kept")
        if not 0 < self.learning_rate < math.inf or not 0 <= self.l2 < math.inf or not 0 <= self.trust <= 1:
            raise ConfigError(f"{self}: learning_rate must be above 0, l2 0 or more, trust from 0 to 1")


@dataclass(frozen=True)
class Preset:
    """All of it.

    games: in a batch, after which something is learned.
    """

    search: SearchOptions = field(default_factory=SearchOptions)
    learning: TreeLearning | TableLearning | NetworkLearning = field(default_factory=TreeLearning)
    games: int = 32

    def __post_init__(self) -> None:
        if not is_whole(self.games) or self.games < 1:
            raise ConfigError(f"games = {self.games}; it must be a whole number, 1 or more")


PRESETS = {
    "tree": Preset(
        SearchOptions(simulations=50, exploration=1.0, keeps_tree=True, counts_best=True), TreeLearning(), games=512
    ),
    "table": Preset(SearchOptions(simulations=200, exploration=1.0), TableLearning(), games=64),
    "paper-table": Preset(SearchOptions(), TableLearning(least_step=0.0, trust=0.0), games=32),
    # Tuned against uniform play in Leduc and Liar's dice. UCT cannot use the learned shares: in Liar's dice its search
    # of 200 simulations won 90% of what a best response wins, the network alone 98%.
    "desk": Preset(
        SearchOptions(simulations=100, rule="puct", exploration=2.0),
        NetworkLearning(learning_rate=1e-3, most=100_000),
        games=256,
    ),
    "paper": Preset(SearchOptions(), NetworkLearning(layers=1, samples=30.0), games=32),
    # For games that are never enumerated: few simulations, and short batches of long games.
    "rollouts": Preset(SearchOptions(simulations=50, rule="puct", exploration=2.0), TableLearning(), games=8),
    "large": Preset(
        SearchOptions(simulations=50, rule="puct", exploration=2.0, discount=0.98, greed=4.0),
        NetworkLearning(learning_rate=1e-3, batch=128, least=256, most=20_000, samples=20.0, trust=0.5),
        games=8,
    ),
}
