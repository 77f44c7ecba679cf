"""Monte Carlo CFR (Lanctot et al. 2009) over betting tree x card buckets, for poker too large for a compiled game tree.

An iteration deals once and makes one pass for each player. External sampling takes one action of every other player and
all own ones; chance sampling all actions of everybody. Public chance sampling (Johanson et al. 2012) deals a board and
walks all actions with all hands that it leaves: those of both players, or with more than two those of the player who
learns, while the others have the hands they were dealt. Regret is in chips.

The average strategy is weighted by own reach alone. Two players take it on the way, at the sampled player's nodes; with
more players, with exploration or pruning, each player's is taken on walks of its own, in which own actions are sampled
by the strategy and the others' in a way that never changes: uniformly in one walk, uniformly but without folds in
another. Otherwise an infoset's weight would depend on a third player's reach, or on what the other skips. Where no such
walk has been, the average is what the regret says now; so it is everywhere for a seat that learns alone against frozen
ones, since an average would keep its first attempts.

`exploration` = e makes the other players' actions come from (1 - e) * strategy + e * uniform. The value that is passed
up is corrected by strategy / sampled probability; the regret below is not weighted by it. So each infoset learns to
answer opponents who tremble on the way to it and do not afterwards, and answers to bets that are never made are trained
too. With e = 0 it is plain external sampling.

Schedules: `lcfr` scales what is added (iteration t counts t-fold); `cfr+` keeps regret sums from falling below 0 and
averages linearly; `dcfr` scales all sums at the end of each epoch, a fixed number of iterations, as DCFR does after
each iteration.

Without perfect recall, and with more than two players, CFR promises no equilibrium.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nashgap import _native
from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.errors import ConfigError, MismatchError
from nashgap.poker.notation import sequence_text
from nashgap.solvers.schedules import DCFR
from nashgap.solvers.state import portions, restore_state

__all__ = ["POKER_SAMPLINGS", "POKER_SCHEDULES", "PokerMCCFR", "SelfPlay", "solver_bytes"]

POKER_SAMPLINGS = ("chance", "external", "public")
POKER_SCHEDULES = ("cfr", "lcfr", "cfr+", "dcfr")
EPOCH = 1_000_000
# Iterations between two moments at which Ctrl-C is heard, a fraction of a second; threads wait for each other then. Of
# those that walk the whole tree fewer, for about so many visits.
PORTION = 10_000
PORTION_VISITS = 20_000_000


@dataclass(frozen=True, eq=False)
class SelfPlay:
    """Hands that the average strategy played against itself in the abstract game.

    won:           `[hands, seats]` chips.
    num_decisions: made in these.
    num_unvisited: of them in infosets where training never was.
    sequences:     hands by the betting of the first round, such as `rcf`.
    """

    won: np.ndarray
    num_decisions: int
    num_unvisited: int
    sequences: Mapping[str, int]

    def __repr__(self) -> str:
        unvisited = f"{self.unvisited_share:.2%} of {self.num_decisions:,} decisions unvisited"
        return f"<SelfPlay: {self.num_hands:,} hands of {self.won.shape[1]} seats, {unvisited}>"

    @property
    def unvisited_share(self) -> float:
        return self.num_unvisited / self.num_decisions

    @property
    def num_hands(self) -> int:
        return len(self.won)

    @property
    def stdev(self) -> float:
        """Of what a player wins in a hand, whatever the seat; in chips."""
        return float(self.won.std())

    def first_folds(self, num_left: int | None = None) -> dict[str, float]:
        """Share of the hands by the betting of the first round up to its first fold.

        Hands without a fold in it are left out; with `num_left` all but those in which so many seats play on.
        """
        shares: Counter[str] = Counter()
        for text, count in self.sequences.items():
            if "f" in text and num_left in (None, self.won.shape[1] - text.count("f")):
                shares[text[: text.index("f") + 1]] += count
        return {text: count / self.num_hands for text, count in shares.most_common()}


def solver_bytes(entry_start: Sequence[int]) -> int:
    """Memory of a solve's sums, from `AbstractGame.entry_start`: float64 in small first rounds, float32 below."""
    wide = 0
    for begin, end in list(itertools.pairwise(entry_start))[: _native.MAX_WIDE_ROUNDS]:
        if end - begin > _native.MAX_WIDE_ENTRIES:
            break
        wide = end
    return 2 * (8 * wide + 4 * (entry_start[-1] - wide))


class PokerMCCFR:
    """One solve; iteration t draws from streams named by (seed, t), so it can be cut and resumed anywhere.

    exploration:  see the module.
    regret_floor: no regret sum falls below, in chips (times t for `lcfr`).
    prune_below:  passes skip own actions with less regret, in chips (times t for `lcfr`), but for one iteration of 16,
                  actions into the last round, and those that end the hand.
    tilt:         what is won counts 1 + tilt times: aggression is paid for (thesis, section 2.4). The game is no longer
                  zero-sum.
    frozen:       seats (0-based) that do not learn; `start_from` says what they play.
    epoch:        iterations between two scalings of all sums, for `dcfr`.

    With one thread the numbers are the same bit for bit; threads share the entries and now and then lose an update.
    """

    def __init__(
        self,
        game: AbstractGame,
        *,
        seed: int = 0,
        sampling: str = "external",
        schedule: str = "cfr",
        exploration: float = 0.0,
        regret_floor: float = -math.inf,
        prune_below: float = -math.inf,
        tilt: float = 0.0,
        frozen: Collection[int] = (),
        epoch: int = EPOCH,
        threads: int = 1,
    ) -> None:
        if not isinstance(seed, int | np.integer) or not 0 <= seed < 2**64:
            raise ConfigError(f"seed = {seed!r}; it must be a whole number from 0 to 2^64 - 1")
        if sampling not in POKER_SAMPLINGS:
            raise ConfigError(f"sampling = {sampling!r}; it must be one of {', '.join(POKER_SAMPLINGS)}")
        if schedule not in POKER_SCHEDULES:
            raise ConfigError(f"schedule = {schedule!r}; it must be one of {', '.join(POKER_SCHEDULES)}")
        if not 0.0 <= exploration < 1.0 or (exploration and sampling != "external"):
            raise ConfigError(
                f"exploration = {exploration}; it must be from 0 to below 1, and 0 but in external sampling"
            )
        for name, value in (("regret_floor", regret_floor), ("prune_below", prune_below)):
            if not value <= 0.0:
                raise ConfigError(f"{name} = {value}; it must be 0 or less")
        if prune_below > -math.inf and sampling != "external":
            raise ConfigError("prune_below belongs to external sampling")
        if not 0.0 <= tilt < math.inf:
            raise ConfigError(f"tilt = {tilt}; it must be 0 or more")
        if not isinstance(epoch, int) or epoch < 1:
            raise ConfigError(f"epoch = {epoch!r}; it must be a whole number of iterations, at least 1")
        if not isinstance(threads, int) or not 1 <= threads <= 1024:
            raise ConfigError(f"threads = {threads!r}; it must be a whole number from 1 to 1024")
        num_seats = game.rules.num_seats
        if any(seat not in range(num_seats) for seat in frozen) or len(set(frozen)) == num_seats:
            raise ConfigError(f"frozen = {sorted(frozen)}; it must be some of the seats 0 to {num_seats - 1}, not all")
        self.game, self.threads, self.schedule, self.epoch = game, threads, schedule, epoch
        self.frozen = tuple(sorted(set(frozen)))
        self.iteration = 0
        self._is_over = False  # the sums are no longer there
        self._portion = PORTION
        if sampling != "external":
            num_hands = math.comb(len(game.rules.deck), game.rules.num_hole_cards) if sampling == "public" else 1
            self._portion = min(PORTION, max(threads, PORTION_VISITS // (num_hands * num_seats * game.tree.num_nodes)))
        is_linear = schedule == "lcfr"
        self._native = _native.PokerMccfr(
            game.native,
            POKER_SAMPLINGS.index(sampling),
            exploration,
            is_linear,
            is_linear or schedule == "cfr+",
            0.0 if schedule == "cfr+" else regret_floor,
            prune_below,
            tilt,
            self.frozen,
            int(seed),
        )

    def run(self, num_iterations: int) -> None:
        assert not self._is_over, "the average strategy was taken"
        for count in portions(num_iterations, self._portion):
            while count:
                to_epoch = self.epoch - self.iteration % self.epoch if self.schedule == "dcfr" else count
                part = min(count, to_epoch)
                # Counted first: Ctrl-C is raised as soon as the kernel returns, and its work is done by then.
                first, self.iteration = self.iteration + 1, self.iteration + part
                self._native.run(first, part, self.threads)
                if part == to_epoch and self.schedule == "dcfr":
                    positive, negative, _ = DCFR.weights(self.iteration // self.epoch, 1)[0].tolist()
                    _, _, average = DCFR.weights(self.iteration // self.epoch + 1, 1)[0].tolist()
                    self._native.discount(positive, negative, average, self.threads)
                count -= part

    @property
    def num_visits(self) -> int:
        """Visits of decisions and endings by this object; in public chance sampling by each hand."""
        return self._native.num_visits

    def average_strategy(self, round: int) -> np.ndarray:
        """`[entries of the round]` float32, what converges; zeros in infosets where training never was."""
        begin, end = self._entries(round)
        probabilities = np.empty(end - begin, np.float32)
        self._native.average_strategy(round, probabilities)
        return probabilities

    def take_average_strategy(self, round: int) -> np.ndarray:
        """`average_strategy` in the place of the sums that it is made of, to save memory; training ends with it."""
        begin, end = self._entries(round)
        first = self._native.wide_strategy_sum.size
        if begin < first:
            return self.average_strategy(round)
        self._is_over = True
        # Each infoset's row is read before it is written, and what is written is the same strategy.
        probabilities = self._native.narrow_strategy_sum[begin - first : end - first]
        self._native.average_strategy(round, probabilities)
        return probabilities

    def start_from(self, tables: Sequence[np.ndarray], seats: Collection[int], weight: float = 1.0) -> None:
        """Let seats play a strategy from here on: for good if they are frozen, otherwise until they learn better.

        tables: by round, `[entries of the round]` probabilities; uint8 in 255ths. weight: in chips of regret; how long
        it is believed.
        """
        if not 0.0 < weight < math.inf:
            raise ConfigError(f"weight = {weight}; it must be more than 0")
        rules = self.game.rules
        if any(seat not in range(rules.num_seats) for seat in seats):
            raise ConfigError(f"seats = {sorted(seats)}; they must be some of 0 to {rules.num_seats - 1}")
        if len(tables) != rules.num_rounds:
            raise MismatchError(f"{len(tables)} tables; the game has {rules.num_rounds} rounds")
        for round, table in enumerate(tables):
            begin, end = self._entries(round)
            if table.shape != (end - begin,):
                raise MismatchError(f"round {round} has {end - begin} entries, its table has the shape {table.shape}")
            unit = 255 if table.dtype == np.uint8 else 1
            for seat in seats:
                self._native.start_from(round, seat, np.ascontiguousarray(table, np.float32), weight / unit)

    def average_regret(self) -> tuple[float, ...]:
        """By seat: the positive regret of all its infosets an iteration, in chips; reads every entry.

        With perfect recall it bounds what the seat could have won more against the others' play so far.
        """
        by_round = [self._native.positive_regret(round) for round in range(self.game.rules.num_rounds)]
        total = self._regret_weight()
        return tuple(sum(parts) / total for parts in zip(*by_round, strict=True))

    def self_play(self, num_hands: int, seed: int = 0, first_hand: int = 0) -> SelfPlay:
        """Let the average strategy play against itself; in infosets where training never was it plays uniformly."""
        won = np.empty((num_hands, self.game.rules.num_seats))
        decisions, unvisited, codes = self._native.self_play(seed, first_hand, won)
        sequences = Counter({sequence_text(code): count for code, count in codes.items()})
        return SelfPlay(won, decisions, unvisited, dict(sequences.most_common()))

    def deal_values(self, num_deals: int, seed: int = 0, first_deal: int = 0) -> np.ndarray:
        """`[num_deals, seats]` chips that each seat wins on sampled deals, expected over all betting of the average.

        The deals of `self_play`, without the luck of the betting; it walks the whole tree for each deal.
        """
        values = np.empty((num_deals, self.game.rules.num_seats))
        self._native.deal_values(seed, first_deal, values)
        return values

    def state(self) -> dict[str, np.ndarray]:
        """All that `load_state` needs to go on exactly from here: views, which move when the solver does."""
        assert not self._is_over, "the average strategy was taken"
        return {"iteration": np.array([self.iteration]), **self._arrays()}

    def load_state(self, state: Mapping[str, np.ndarray]) -> None:
        self.iteration = restore_state(self._arrays(), state)

    def _entries(self, round: int) -> tuple[int, int]:
        starts = self.game.entry_start
        if not 0 <= round < len(starts) - 1:
            raise ConfigError(f"round = {round}; the game has rounds 0 to {len(starts) - 2}")
        return starts[round], starts[round + 1]

    def _regret_weight(self) -> float:
        """Of all iterations so far, in the regret sums."""
        if self.schedule == "lcfr":
            return max(1.0, self.iteration * (self.iteration + 1) / 2)
        if self.schedule != "dcfr":
            return max(1.0, self.iteration)
        weight = 0.0
        for positive in DCFR.weights(1, self.iteration // self.epoch)[:, 0]:
            weight = (weight + self.epoch) * float(positive)
        return max(1.0, weight + self.iteration % self.epoch)

    def _arrays(self) -> dict[str, np.ndarray]:
        names = ("wide_regret_sum", "wide_strategy_sum", "narrow_regret_sum", "narrow_strategy_sum")
        return {name: getattr(self._native, name) for name in names}
