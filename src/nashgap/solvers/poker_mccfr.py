"""Monte Carlo CFR (Lanctot et al. 2009) over betting tree x card buckets, for poker too large for a compiled game tree.

An iteration deals once and makes one pass for each player. External sampling takes one action of every other player and
all own ones; chance sampling all actions of everybody. Public chance sampling (Johanson et al. 2012) deals a board and
walks all actions with all hands that it leaves: those of both players, or with more than two those of the player who
learns, while the others have the hands they were dealt. Regret is in chips.

The average strategy is weighted by own reach alone. Two players take it on the way, at the sampled player's nodes; with
more, each player's is taken on walks of its own, in which own actions are sampled by the strategy and the others' in a
way that never changes: uniformly in one walk, uniformly but without folds in another. Otherwise an infoset's weight
would depend on a third player's reach. Where no such walk has been, the average is what the regret says now; so it is
everywhere for a seat that learns alone against frozen ones, since an average would keep its first attempts.

External sampling can serve several `hands` of the learner a walk, on the same board against the same hands: what the
others do does not depend on the learner's cards, and all own actions are taken. Its other values keep the mean, too:

* `exploration` = e draws the other players' actions from (1 - e) * strategy + e * uniform. Values, regret and average
  are weighted by strategy / sampled probability along the path, regret by at least a thousandth: answers to bets that
  are never made are learned, and nothing else moves. With e = 0 it is plain external sampling.
* `prune_below`, in chips: an own action with k times as little regret is followed in one walk of k, at most 8, and
  what is learned behind it counts k-fold. Not into endings nor on the last round.

Schedules: LCFR scales what is added (iteration t counts t-fold); CFR+ keeps regret sums from falling below 0 and
averages linearly; any other, DCFR among them, scales all sums at the end of each epoch, a fixed number of iterations,
as full-width CFR does after each iteration. There is no forecast of the next regret to play by.

Behind a prefix of the betting (forced-action, strategy-seeded CFR; Abou Risk 2009, section 4.4.1) the abstract game
says how likely each hand is to be there: those ranges are the seeds of the forced actions, which are never learned.
Deals are drawn from them, the folded seats' hands too.

Without perfect recall, and with more than two players, CFR promises no equilibrium.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nashgap import _native
from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.core.job import is_whole, require_seed
from nashgap.errors import ConfigError
from nashgap.poker.notation import sequence_text
from nashgap.solvers import schedules
from nashgap.solvers.given import GivenAbstractStrategy, static_seats
from nashgap.solvers.samplings import EXTERNAL_SAMPLING, Sampling
from nashgap.solvers.schedules import CFR_PLUS, LCFR, SCHEDULES, Schedule
from nashgap.solvers.state import portions, restore_state
from nashgap.solvers.subtree_nodes import EXCHANGE, SubtreeNodes, require_exchange, require_nodes
from nashgap.strategies.abstract import AbstractStrategy

__all__ = ["POKER_SCHEDULES", "PokerMCCFR", "SelfPlay", "require_options", "solver_bytes"]

KINDS = ("chance", "external", "public")  # of sampling, in the order of the kernel's numbers
POKER_SCHEDULES = {name: schedule for name, schedule in SCHEDULES.items() if not schedule.is_predictive}
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
    sequences:     hands by the betting of the first round, such as `rcf`; behind a prefix, what follows it.
    num_players:   seats that have not folded when the game begins.
    """

    won: np.ndarray
    num_decisions: int
    num_unvisited: int
    sequences: Mapping[str, int]
    num_players: int

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
            if "f" in text and num_left in (None, self.num_players - text.count("f")):
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


def require_options(
    sampling: Sampling, schedule: Schedule, *, regret_floor: float = -math.inf, tilt: float = 0.0
) -> None:
    """Refuse what `PokerMCCFR` does not do, saying what it does."""
    sampling.require_kind(KINDS, "in an abstract game")
    if schedule.is_predictive:
        raise ConfigError(f"{schedule} is predictive; it must be one that is not, as {', '.join(POKER_SCHEDULES)} are")
    if not regret_floor <= 0.0:
        raise ConfigError(f"regret_floor = {regret_floor}; it must be 0 or less")
    if not 0.0 <= tilt < math.inf:
        raise ConfigError(f"tilt = {tilt}; it must be 0 or more")


class PokerMCCFR:
    """One solve; iteration t draws from streams named by (seed, t), so it can be cut and resumed anywhere.

    sampling, schedule: see the module.
    given:        what seats begin with, or play for good while the others learn.
    regret_floor: no regret sum falls below; in chips (times t for LCFR), so of this solve and not of a schedule, which
                  fits all games. CFR+ has the floor 0.
    tilt:         what is won counts 1 + tilt times: aggression is paid for (thesis, section 2.4). It changes the game,
                  which is no longer zero-sum, whatever the schedule and the sampling.
    is_discarding: behind a prefix, deal all cards alike and discard what would not have come there (thesis, section
                  4.4.1); else hands are drawn from the game's ranges at once. Only accepted deals are iterations.
    epoch:        iterations between two scalings of all sums, for schedules that scale them. A price and not a weight:
                  each reads and writes all memory of the solve.
    nodes:        processes that share the memory and the work, see `nashgap.solvers.subtree_nodes`; the numbers are the
                  same on any number of them, but not those of training without. None: this process, without exchanges.
    exchange:     iterations between two exchanges of the nodes.

    With one thread the numbers are the same bit for bit; threads share the entries and now and then lose an update.
    """

    def __init__(
        self,
        game: AbstractGame,
        sampling: Sampling = EXTERNAL_SAMPLING,
        schedule: Schedule = schedules.CFR,
        *,
        seed: int = 0,
        threads: int = 1,
        given: Sequence[GivenAbstractStrategy] = (),
        regret_floor: float = -math.inf,
        tilt: float = 0.0,
        is_discarding: bool = False,
        epoch: int = EPOCH,
        nodes: int | None = None,
        exchange: int = EXCHANGE,
    ) -> None:
        require_seed(seed)
        require_options(sampling, schedule, regret_floor=regret_floor, tilt=tilt)
        if sampling.kind == "public" and not game.is_plain:
            raise ConfigError(
                "sampling = public deals all hands alike and all cards; behind a prefix or with the hand settled before"
                " its end it must be external or chance"
            )
        if not is_whole(epoch) or epoch < 1:
            raise ConfigError(f"epoch = {epoch!r}; it must be a whole number of iterations, at least 1")
        if not is_whole(threads) or not 1 <= threads <= 1024:
            raise ConfigError(f"threads = {threads!r}; it must be a whole number from 1 to 1024")
        self.game, self.sampling, self.schedule, self.seed = game, sampling, schedule, seed
        self.threads, self.epoch = threads, epoch
        self.static_seats = static_seats(game, given)
        self.iteration = 0
        self._is_over = False  # the sums are no longer there
        self._is_scaled = schedule not in (schedules.CFR, LCFR, CFR_PLUS)
        self._portion = self._portion_size()
        options = (
            KINDS.index(sampling.kind),
            sampling.exploration,
            schedule == LCFR,
            schedule in (LCFR, CFR_PLUS),
            0.0 if schedule == CFR_PLUS else regret_floor,
            sampling.prune_below,
            sampling.hands,
            tilt,
            is_discarding,
            self.static_seats,
            seed,
        )
        self._native = _native.PokerMccfr(game.native, *options)
        self._nodes = None
        if nodes is not None:
            require_nodes(nodes, sampling, threads)
            require_exchange(exchange, epoch if self._is_scaled else None)
            self._nodes = SubtreeNodes(game, self._native, options, nodes, exchange)
        self._trainer = self._nodes or self._native
        for each in given:
            self._start_from(each)
            self._tell_nodes()

    def run(self, num_iterations: int) -> None:
        assert not self._is_over, "the average strategy was taken"
        for count in portions(num_iterations, self._portion):
            while count:
                to_epoch = self.epoch - self.iteration % self.epoch if self._is_scaled else count
                part = min(count, to_epoch)
                # Counted first: Ctrl-C is raised as soon as the kernel returns, and its work is done by then. Nodes
                # may be on their way between two exchanges; they end with it, and this solve does.
                first, self.iteration = self.iteration + 1, self.iteration + part
                self._trainer.run(first, part, self.threads)
                if part == to_epoch and self._is_scaled:
                    # The epoch counts as one iteration of the schedule.
                    positive, negative, _ = self.schedule.weights(self.iteration // self.epoch, 1)[0].tolist()
                    _, _, average = self.schedule.weights(self.iteration // self.epoch + 1, 1)[0].tolist()
                    self._trainer.discount(positive, negative, average, self.threads)
                count -= part

    def _tell_nodes(self) -> None:
        """Have other nodes go on from the sums that are here."""
        if self._nodes is not None:
            self._nodes.changed()

    @property
    def _engine(self) -> _native.PokerMccfr:
        """With all that was learned, on other nodes, too."""
        if self._nodes is not None:
            self._nodes.gather()
        return self._native

    @property
    def num_visits(self) -> int:
        """Visits of decisions and endings by this object; in public chance sampling by each hand."""
        return self._trainer.num_visits

    def average_strategy(self) -> AbstractStrategy:
        """What converges, of all rounds; tables have zeros in infosets where training never was."""
        return AbstractStrategy(self.game, tuple(map(self.average_table, range(self.game.rules.num_rounds))))

    def average_table(self, round: int) -> np.ndarray:
        """`[entries of the round]` float32 of the average strategy."""
        begin, end = self._entries(round)
        probabilities = np.empty(end - begin, np.float32)
        self._engine.average_strategy(round, probabilities)
        return probabilities

    def take_average_table(self, round: int) -> np.ndarray:
        """`average_table` in the place of the sums that it is made of, to save memory; training ends with it."""
        begin, end = self._entries(round)
        first = self._engine.wide_strategy_sum.size
        if begin < first:
            return self.average_table(round)
        self._is_over = True
        # Each infoset's row is read before it is written, and what is written is the same strategy.
        probabilities = self._engine.narrow_strategy_sum[begin - first : end - first]
        self._engine.average_strategy(round, probabilities)
        return probabilities

    def average_regret(self) -> tuple[float, ...]:
        """By seat: the positive regret of all its infosets an iteration, in chips; reads every entry.

        With perfect recall it bounds what the seat could have won more against the others' play so far.
        """
        by_round = [self._engine.positive_regret(round) for round in range(self.game.rules.num_rounds)]
        total = self._regret_weight()
        return tuple(sum(parts) / total for parts in zip(*by_round, strict=True))

    def self_play(self, num_hands: int, seed: int = 0, first_hand: int = 0) -> SelfPlay:
        """Let the average strategy play against itself; in infosets where training never was it plays uniformly."""
        won = np.empty((num_hands, self.game.rules.num_seats))
        decisions, unvisited, codes = self._engine.self_play(seed, first_hand, won)
        sequences = Counter({sequence_text(code): count for code, count in codes.items()})
        return SelfPlay(won, decisions, unvisited, dict(sequences.most_common()), self.game.tree.num_players)

    def deal_values(self, num_deals: int, seed: int = 0, first_deal: int = 0) -> np.ndarray:
        """`[num_deals, seats]` chips that each seat wins on sampled deals, expected over all betting of the average.

        The deals of `self_play`, without the luck of the betting; it walks the whole tree for each deal.
        """
        values = np.empty((num_deals, self.game.rules.num_seats))
        self._engine.deal_values(seed, first_deal, values)
        return values

    def state(self) -> dict[str, np.ndarray]:
        """All that `restore` needs to go on exactly from here: views, which move when the solver does."""
        assert not self._is_over, "the average strategy was taken"
        return {"iteration": np.array([self.iteration]), **self._arrays()}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.iteration = restore_state(self._arrays(), state)
        self._tell_nodes()

    def _entries(self, round: int) -> tuple[int, int]:
        starts = self.game.entry_start
        if not 0 <= round < len(starts) - 1:
            raise ConfigError(f"round = {round}; the game has rounds 0 to {len(starts) - 2}")
        return starts[round], starts[round + 1]

    def _portion_size(self) -> int:
        if self.sampling.kind == "external":
            return PORTION
        rules = self.game.rules
        num_hands = math.comb(len(rules.deck), rules.num_hole_cards) if self.sampling.kind == "public" else 1
        num_visits = num_hands * rules.num_seats * self.game.tree.num_nodes
        return min(PORTION, max(self.threads, PORTION_VISITS // num_visits))

    def _start_from(self, given: GivenAbstractStrategy) -> None:
        """Regret that matches to what the strategy plays; tables of uint8 are in 255ths."""
        for round, table in enumerate(given.strategy.tables):
            unit = 255 if table.dtype == np.uint8 else 1
            probabilities = np.ascontiguousarray(table, np.float32)
            for seat in given.covered_seats:
                self._engine.start_from(round, seat, probabilities, given.weight / unit)

    def _regret_weight(self) -> float:
        """Of all iterations so far, in the regret sums."""
        if self.schedule == LCFR:
            return max(1.0, self.iteration * (self.iteration + 1) / 2)
        if not self._is_scaled:
            return max(1.0, self.iteration)
        weight = 0.0
        for positive in self.schedule.weights(1, self.iteration // self.epoch)[:, 0]:
            weight = (weight + self.epoch) * float(positive)
        return max(1.0, weight + self.iteration % self.epoch)

    def _arrays(self) -> dict[str, np.ndarray]:
        names = ("wide_regret_sum", "wide_strategy_sum", "narrow_regret_sum", "narrow_strategy_sum")
        engine = self._engine
        arrays = {name: getattr(engine, name) for name in names}
        return arrays if self._nodes is None else {**arrays, "first_round_values": self._nodes.values}
