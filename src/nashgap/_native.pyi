"""Types of the compiled module; its kernels check sizes and decide nothing. Shapes as in `core/tree.py`."""

from collections.abc import Sequence

import numpy as np

class Tree:
    def __init__(
        self,
        num_players: int,
        block_player: np.ndarray,
        block_start: np.ndarray,
        block_edge: np.ndarray,
        edge_block: np.ndarray,
        node_row: np.ndarray,
        chance_start: np.ndarray,
        chance_block: np.ndarray,
        chance_lane: np.ndarray,
        chance_prob: np.ndarray,
        returns: np.ndarray,
        infoset_slot: np.ndarray,
        infoset_stride: np.ndarray,
        infoset_size: np.ndarray,
        infoset_parent: np.ndarray,
        group_infoset: np.ndarray,
        player_group: np.ndarray,
        leaf_sequence: np.ndarray,
        leaf_size: np.ndarray,
        leaf_payoff: np.ndarray,
        payoff: np.ndarray,
    ) -> None: ...

def expected_returns(tree: Tree, strategy: np.ndarray, returns: np.ndarray) -> None: ...
def best_response(
    tree: Tree, strategy: np.ndarray, returns: np.ndarray, best_returns: np.ndarray, response: np.ndarray
) -> None: ...
def normalise(tree: Tree, sums: np.ndarray, strategy: np.ndarray) -> None: ...
def own_reach(tree: Tree, strategy: np.ndarray, reach: np.ndarray) -> None: ...
def cfr(
    tree: Tree,
    regret_sum: np.ndarray,
    strategy_sum: np.ndarray,
    strategy: np.ndarray,
    is_fixed: np.ndarray | None,
    weights: np.ndarray,
    is_alternating: bool,
    is_predictive: bool,
) -> None: ...
def mccfr(
    tree: Tree,
    regret_sum: np.ndarray,
    strategy_sum: np.ndarray,
    fixed: np.ndarray | None,
    is_fixed: np.ndarray | None,
    sampling: int,
    exploration: float,
    seed: int,
    first_iteration: int,
    num_iterations: int,
) -> None: ...
def philox(seed: int, purpose: int, iteration: int, lane: int, out: np.ndarray) -> None: ...

CHIP_SHARES: int

class PokerRules: ...

def make_poker_rules(
    betting: int,
    conventions: int,
    num_suits: int,
    num_ranks: int,
    num_hole_cards: int,
    blinds: Sequence[int],
    stacks: Sequence[int],
    raise_sizes: Sequence[int],
    max_raises: Sequence[int],
    first_seats: Sequence[int],
    num_board_cards: Sequence[int],
    smallest_bet: int,
) -> PokerRules: ...

MAX_ACTIONS: int
MAX_ROUNDS: int
POT_SHARES: int
POT_SHARE_RAISE: int
SMALLEST_RAISE: int
ALL_IN_RAISE: int
EVERY_RAISE: int
GEOMETRIC_RAISE: int
MULTIPLE_RAISE: int

class BettingAbstraction: ...

def make_betting_abstraction(
    sizes: Sequence[Sequence[Sequence[Sequence[tuple[int, int]]]]],
    caps: Sequence[int],
    pushes: bool,
    donks: Sequence[Sequence[tuple[int, int]] | None],
    add_all_in: int,
    force_all_in: int,
    merge: int,
) -> BettingAbstraction: ...
def abstract_actions(abstraction: BettingAbstraction, state: PokerState) -> tuple[int, ...]: ...

class BettingTree:
    @property
    def num_seats(self) -> int: ...
    @property
    def num_rounds(self) -> int: ...
    @property
    def root(self) -> int: ...
    @property
    def prefix(self) -> tuple[int, ...]: ...
    @property
    def num_active(self) -> np.ndarray: ...
    @property
    def num_bytes(self) -> int: ...
    @property
    def round_start(self) -> np.ndarray: ...
    @property
    def first_edge(self) -> np.ndarray: ...
    @property
    def seat(self) -> np.ndarray: ...
    @property
    def child(self) -> np.ndarray: ...
    @property
    def ending_spent(self) -> np.ndarray: ...
    @property
    def ending_folded(self) -> np.ndarray: ...

def count_betting_tree(
    rules: PokerRules,
    abstraction: BettingAbstraction,
    prefix: Sequence[int],
    num_rounds: int,
    adds_bets: bool,
    shows_hands_at_once: bool,
) -> tuple[tuple[int, ...], tuple[int, ...], int]: ...
def build_betting_tree(
    rules: PokerRules,
    abstraction: BettingAbstraction,
    prefix: Sequence[int],
    num_rounds: int,
    adds_bets: bool,
    shows_hands_at_once: bool,
    max_nodes: int,
) -> BettingTree: ...
def make_betting_tree(
    rules: PokerRules,
    round_start: np.ndarray,
    first_edge: np.ndarray,
    seat: np.ndarray,
    num_folds: np.ndarray,
    first_raise: np.ndarray,
    child: np.ndarray,
    ending_spent: np.ndarray,
    ending_folded: np.ndarray,
) -> BettingTree: ...
def find_betting_place(
    rules: PokerRules, abstraction: BettingAbstraction, tree: BettingTree, actions: Sequence[int]
) -> tuple[int, int]: ...

class PokerState:
    def __init__(self, rules: PokerRules) -> None: ...
    @staticmethod
    def parse(rules: PokerRules, betting: str, board: Sequence[int]) -> PokerState: ...
    @property
    def round(self) -> int: ...
    @property
    def seat(self) -> int: ...
    @property
    def turn(self) -> int: ...
    @property
    def num_missing_cards(self) -> int: ...
    @property
    def board(self) -> tuple[int, ...]: ...
    @property
    def num_raises(self) -> int: ...
    @property
    def spent(self) -> tuple[int, ...]: ...
    @property
    def has_folded(self) -> tuple[bool, ...]: ...
    @property
    def history(self) -> tuple[tuple[int, ...], ...]: ...
    @property
    def betting_text(self) -> str: ...
    @property
    def to_call(self) -> int: ...
    @property
    def legal(self) -> tuple[bool, int, int]: ...
    def act(self, action: int) -> PokerState: ...
    def deal(self, cards: Sequence[int]) -> PokerState: ...
    def payoffs(self, hole_cards: Sequence[int]) -> list[int]: ...

class SuitIsomorphism:
    def __init__(self, cards_per_round: Sequence[int]) -> None: ...
    @property
    def size(self) -> int: ...
    def index(self, cards: bytes) -> int: ...
    def unindex(self, index: int) -> bytes: ...
    def index_batch(self, cards: np.ndarray, indices: np.ndarray) -> int: ...
    def unindex_batch(self, indices: np.ndarray, cards: np.ndarray) -> int: ...

def hand_rank(cards: bytes) -> int: ...
def hand_ranks(cards: np.ndarray, ranks: np.ndarray) -> int: ...
def hand_ranks_on_board(board: np.ndarray, ranks: np.ndarray) -> None: ...
def count_categories(num_cards: int, counts: np.ndarray) -> None: ...

CARD_STREAM: int
SEAT_STREAM: int
NUM_COUNTS: int

class Stream:
    def __init__(self, seed: int, purpose: int, iteration: int, lane: int) -> None: ...

class Agent:
    @property
    def has_memory(self) -> bool: ...
    def fresh(self) -> Agent: ...
    def act(self, state: PokerState, hole_cards: Sequence[int], random: Stream) -> int: ...
    def watch(self, state: PokerState, num_seen: int) -> int: ...
    def end_hand(self, state: PokerState, seat: int) -> None: ...

class BlindAgent(Agent): ...

class TripleAgent(BlindAgent):
    def __init__(self, fold: float, call: float, size: int) -> None: ...

class RandomAgent(BlindAgent):
    def __init__(self, has_sizes: bool = True) -> None: ...

NUM_SPOTS: int

class PokiAgent(Agent):
    def __init__(self, preflop: np.ndarray) -> None: ...

class PokiSimAgent(Agent):
    def __init__(self, preflop: np.ndarray, preflop_order: np.ndarray, num_trials: int) -> None: ...

def hand_potential(hole_cards: bytes, board: bytes, num_opponents: int) -> tuple[float, float, float, float]: ...
def deal_cards(rules: PokerRules, seed: int, deal: int, boards: Sequence[Sequence[int]] = ()) -> tuple[int, ...]: ...
def count_hand(
    state: PokerState, payoff: Sequence[int], agent_at: Sequence[int], counts: np.ndarray
) -> tuple[int, bool]: ...
def play_matches(
    rules: PokerRules,
    agents: Sequence[Agent],
    seed: int,
    first_match: int,
    hands_per_match: int,
    seatings: np.ndarray,
    match_payoffs: np.ndarray,
    hand_squares: np.ndarray,
    counts: np.ndarray,
    hand_payoffs: np.ndarray | None = None,
) -> tuple[dict[int, tuple[int, int]], list[str]]: ...
def check_ranges(rules: PokerRules, ranges: Sequence[Sequence[float]]) -> None: ...

class AbstractGame:
    def __init__(
        self,
        rules: PokerRules,
        betting: BettingAbstraction,
        tree: BettingTree,
        cards: Sequence[Sequence[CardAbstraction | None]],
        ranges: Sequence[Sequence[float]],
    ) -> None: ...
    @property
    def entry_start(self) -> tuple[int, ...]: ...
    @property
    def num_infosets(self) -> int: ...
    def place(self, node: int) -> tuple[int, int, int, int]: ...
    def deal(self, seed: int, first_deal: int, cards: np.ndarray) -> None: ...

class CardAbstraction:
    @property
    def num_rounds(self) -> int: ...
    def num_buckets(self, round: int) -> int: ...

class PreflopChances:
    def __init__(self, points: np.ndarray) -> None: ...

def build_matchup_points(num_threads: int, points: np.ndarray) -> None: ...

class WinChances:
    def __init__(
        self, deck: np.ndarray, num_hole_cards: int, num_board_cards: int, preflop: PreflopChances | None
    ) -> None: ...
    @property
    def num_places(self) -> int: ...
    def compute(self, hole_cards: np.ndarray, board: np.ndarray, chances: np.ndarray) -> None: ...

class BoardHands:
    def __init__(self, rules: PokerRules, board: np.ndarray) -> None: ...
    @property
    def size(self) -> int: ...
    def cards(self, hand: int) -> tuple[int, ...]: ...
    def fold_values(self, reach: np.ndarray, payoff: float, values: np.ndarray) -> None: ...
    def showdown_values(self, reach: np.ndarray, win: float, tie: float, lose: float, values: np.ndarray) -> None: ...

MAX_WIDE_ROUNDS: int
MAX_WIDE_ENTRIES: int

class PokerMccfr:
    def __init__(
        self,
        game: AbstractGame,
        sampling: int,
        exploration: float,
        has_linear_regret: bool,
        has_linear_average: bool,
        regret_floor: float,
        prune_below: float,
        num_hands: int,
        tilt: float,
        discards: bool,
        frozen: Sequence[int],
        seed: int,
    ) -> None: ...
    def run(self, first_iteration: int, num_iterations: int, num_threads: int) -> None: ...
    @property
    def num_visits(self) -> int: ...
    @property
    def wide_regret_sum(self) -> np.ndarray: ...
    @property
    def wide_strategy_sum(self) -> np.ndarray: ...
    @property
    def narrow_regret_sum(self) -> np.ndarray: ...
    @property
    def narrow_strategy_sum(self) -> np.ndarray: ...
    def average_strategy(self, round: int, probabilities: np.ndarray) -> None: ...
    def start_from(self, round: int, seat: int, probabilities: np.ndarray, weight: float) -> None: ...
    def discount(self, positive: float, negative: float, average: float, num_threads: int) -> None: ...
    def positive_regret(self, round: int) -> tuple[float, ...]: ...
    def self_play(self, seed: int, first_hand: int, won: np.ndarray) -> tuple[int, int, dict[int, int]]: ...
    def deal_values(self, seed: int, first_hand: int, values: np.ndarray) -> None: ...

def build_river_levels(metric: int, num_threads: int, levels: np.ndarray) -> None: ...
def build_earlier_levels(
    metric: int, river: np.ndarray, num_threads: int, turn: np.ndarray, flop: np.ndarray, preflop: np.ndarray
) -> None: ...
def board_strengths(metric: int, board: np.ndarray, strengths: np.ndarray) -> None: ...

class BoardIndex:
    def __init__(self, num_cards: int) -> None: ...
    @property
    def size(self) -> int: ...
    def find(self, board: np.ndarray, suit_map: np.ndarray) -> int: ...
    def boards(self, boards: np.ndarray, num_renamings: np.ndarray) -> None: ...

class RoundBuckets:
    @property
    def size(self) -> int: ...

class LevelCuts(RoundBuckets):
    def __init__(self, street: int, levels: np.ndarray, num_cuts: int, cuts: Sequence[int]) -> None: ...

class BucketTable(RoundBuckets):
    def __init__(self, street: int, table: np.ndarray, size: int) -> None: ...

class LosslessRound(RoundBuckets):
    def __init__(self, street: int) -> None: ...

class RankBuckets(RoundBuckets):
    def __init__(self, num_threads: int) -> None: ...

class GridBuckets(RoundBuckets):
    def __init__(
        self,
        street: int,
        strengths: np.ndarray,
        squares: np.ndarray,
        num_boards: int,
        num_strengths: int,
        num_spreads: int,
        num_threads: int,
    ) -> None: ...

def share_cuts(street: int, levels: np.ndarray, num_cuts: int) -> list[int]: ...
def nested_share_cuts(
    earlier: HoldemBuckets,
    remembered: Sequence[int],
    levels: np.ndarray,
    num_cuts: int,
    num_deals: int,
    seed: int,
    num_threads: int,
) -> list[int]: ...
def build_kmeans_buckets(
    street: int,
    river: np.ndarray,
    num_bins: int,
    num_centres: int,
    num_points: int,
    seed: int,
    num_threads: int,
    buckets: np.ndarray,
) -> None: ...

class HoldemBuckets(CardAbstraction):
    def __init__(self, rounds: Sequence[RoundBuckets], remembered: Sequence[Sequence[int]]) -> None: ...
    def sample(self, tables: Sequence[np.ndarray], seed: int, levels: np.ndarray, buckets: np.ndarray) -> None: ...
    def hand_buckets(
        self, hole_cards: np.ndarray, boards: np.ndarray, last_round: int, buckets: np.ndarray
    ) -> None: ...
    def all_buckets(self, board: np.ndarray, round: int, buckets: np.ndarray) -> None: ...

class LosslessSmall(CardAbstraction):
    def __init__(self, rules: PokerRules) -> None: ...
    @staticmethod
    def fits(rules: PokerRules) -> bool: ...
    def hand_buckets(
        self, hole_cards: np.ndarray, boards: np.ndarray, last_round: int, buckets: np.ndarray
    ) -> None: ...
    def all_buckets(self, board: np.ndarray, round: int, buckets: np.ndarray) -> None: ...

CALL_ON: int
OFF_TREE: int

class AbstractStrategy:
    def __init__(
        self,
        segments: Sequence[tuple[AbstractGame, tuple[np.ndarray, ...]]],
        falls_back_to_call: bool,
        folds_off_tree: bool,
        translation: int,
        threshold: float,
        purify: bool,
    ) -> None: ...
    def policies(self, states: Sequence[PokerState], seed: int | None) -> list[tuple[tuple[int, ...], np.ndarray]]: ...
    def places(self, state: PokerState) -> tuple[int, list[tuple[float, int, tuple[int, ...]]]]: ...

def smaller_share(translation: int, smaller: float, larger: float, size: float) -> float: ...
def quantise_table(game: AbstractGame, round: int, probabilities: np.ndarray, bytes: np.ndarray) -> None: ...
def check_table(game: AbstractGame, round: int, table: np.ndarray) -> tuple[float, int, int]: ...

class TableAgent(Agent):
    def __init__(self, strategy: AbstractStrategy) -> None: ...

class MasterAgent(Agent):
    def __init__(self, base: Agent, experts: AbstractStrategy) -> None: ...

class RangedOpponent: ...

class BlindOpponent(RangedOpponent):
    def __init__(self, agent: BlindAgent) -> None: ...

class TableOpponent(RangedOpponent):
    def __init__(self, strategy: AbstractStrategy, num_samples: int) -> None: ...

class AskedOpponent(RangedOpponent):
    def __init__(self, rules: PokerRules, is_sampled: bool, most_bytes: int = ...) -> None: ...
    @property
    def num_told(self) -> int: ...
    @property
    def missing(self) -> list[PokerState]: ...
    @property
    def missing_hands(self) -> list[tuple[int, int]]: ...
    def tell(self, answers: list[tuple[Sequence[tuple[int, int]], np.ndarray, np.ndarray | None]]) -> None: ...

HIDDEN_CARD: int

def hand_class_cuts() -> list[float]: ...

class HandClasses:
    def __init__(self, rules: PokerRules, levels: Sequence[np.ndarray], cuts: Sequence[Sequence[int]]) -> None: ...

class ValueTable:
    def __init__(self, rules: PokerRules, classes: HandClasses) -> None: ...
    def note_hands(self, seed: int, deals: np.ndarray, betting: Sequence[str], arrangements: np.ndarray) -> None: ...
    def settle(self) -> None: ...
    @property
    def num_nodes(self) -> int: ...

class HandPolicies: ...

class TablePolicies(HandPolicies):
    def __init__(self, strategy: AbstractStrategy) -> None: ...

class ToldPolicies(HandPolicies):
    def __init__(self) -> None: ...
    @property
    def missing(self) -> list[PokerState]: ...
    def tell(self, answers: list[tuple[Sequence[tuple[int, int]], np.ndarray]]) -> None: ...

class Aivat:
    def __init__(
        self,
        values: ValueTable,
        policies: Sequence[HandPolicies | None],
        has_averages: bool,
        has_decisions: bool,
        has_chance: bool,
        num_boards: int,
        num_runouts: int,
    ) -> None: ...
    def correct(
        self,
        cards: np.ndarray,
        betting: Sequence[str],
        agents: np.ndarray,
        arrangements: np.ndarray,
        payoffs: np.ndarray,
        seed: int,
        names: np.ndarray,
        corrected: np.ndarray,
    ) -> tuple[bool, tuple[int, int, int] | None]: ...

class LbrBatch:
    def __init__(
        self,
        rules: PokerRules,
        bets: BettingAbstraction,
        active_rounds: int,
        sees_raises: bool,
        has_imaginary_hands: bool,
        has_all_in_expectation: bool,
        opponents: Sequence[RangedOpponent],
        preflop: PreflopChances | None,
        seatings: np.ndarray,
        seed: int,
        first_deal: int,
        num_deals: int,
        is_duplicate: bool,
        has_lines: bool,
        boards: Sequence[Sequence[int]],
    ) -> None: ...
    def advance(self) -> bool: ...
    @property
    def num_queries(self) -> int: ...
    @property
    def lines(self) -> list[str]: ...
    def read(self, chips: np.ndarray, dealt_chips: np.ndarray, end_rounds: np.ndarray) -> None: ...

class LbrLinesBatch:
    def __init__(
        self,
        rules: PokerRules,
        bets: BettingAbstraction,
        active_rounds: int,
        sees_raises: bool,
        has_all_in_expectation: bool,
        opponent: RangedOpponent,
        preflop: PreflopChances | None,
        boards: Sequence[tuple[int, Sequence[int]]],
        num_chosen_cards: int,
        seed: int,
        least_stake: float,
        most_nodes: int,
        finds_luck: bool,
        num_classes: int,
        class_of: np.ndarray | None,
    ) -> None: ...
    def advance(self) -> bool: ...
    @property
    def is_too_large(self) -> bool: ...
    @property
    def num_queries(self) -> int: ...
    @property
    def num_nodes(self) -> int: ...
    def read(self, mass: np.ndarray, chips: np.ndarray, luck: np.ndarray) -> None: ...
    @property
    def lines(self) -> list[str]: ...
    @property
    def num_endings(self) -> int: ...
    def read_endings(self, deals: np.ndarray, lines: np.ndarray, mass: np.ndarray, chips: np.ndarray) -> None: ...
    def read_classes(self, by_line: np.ndarray, by_deal: np.ndarray) -> None: ...
    @property
    def examples(self) -> list[tuple[int, int, int, float]]: ...

class KnownStrategy: ...

class TableStrategy(KnownStrategy):
    def __init__(self, strategy: AbstractStrategy) -> None: ...

class BlindStrategy(KnownStrategy):
    def __init__(self, rules: PokerRules, tree: BettingTree, probabilities: np.ndarray) -> None: ...

class PlacedStrategy(KnownStrategy):
    def __init__(
        self,
        strategy: AbstractStrategy,
        tree: BettingTree,
        first_place: np.ndarray,
        weights: np.ndarray,
        segments: np.ndarray,
        nodes: np.ndarray,
        columns: np.ndarray,
    ) -> None: ...
    def num_classes(self, player: int, round: int) -> int: ...

class AskedStrategy(KnownStrategy):
    def __init__(self, rules: PokerRules, tree: BettingTree) -> None: ...
    def tell(self, round: int, probabilities: np.ndarray) -> None: ...

class FullResponse:
    def __init__(
        self, rules: PokerRules, tree: BettingTree, strategy: KnownStrategy, has_isomorphism: bool
    ) -> None: ...
    def trunk(self, player: int, round: int) -> list[tuple[int, int, int, int, int]]: ...
    def respond(
        self, board: Sequence[int], round: int, most_next: int, is_narrow: bool = False
    ) -> tuple[np.ndarray, np.ndarray, float]: ...

class SteppedResponse:
    def __init__(
        self, rules: PokerRules, tree: BettingTree, strategy: AskedStrategy, board: Sequence[int], round: int
    ) -> None: ...
    def trunk(self, player: int) -> list[tuple[int, int, int, int, int]]: ...
    def cards(self, board: int) -> tuple[int, ...]: ...
    def following(self, board: int) -> tuple[int, int]: ...
    def enter(self, board: int) -> None: ...
    def leave(self, board: int) -> None: ...
    def found(self) -> tuple[np.ndarray, np.ndarray, float]: ...

class TreeSearch:
    def __init__(self, tree: Tree, player: int, strategy: np.ndarray, belief: np.ndarray | None = None) -> None: ...
    def start(
        self,
        num_simulations: int,
        rule: int,
        exploration: float,
        num_drawn: int,
        keeps_tree: bool,
        counts_best: bool,
        num_abreast: int,
        value: np.ndarray,
        prior: np.ndarray,
        is_known: np.ndarray,
        visits: np.ndarray | None,
        total: np.ndarray | None,
        seed: int,
        first: int,
        number: int,
    ) -> None: ...
    def advance(self) -> bool: ...
    def take(
        self,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, int, np.ndarray, np.ndarray, np.ndarray]: ...
    def belief(self, infoset: int) -> tuple[np.ndarray, np.ndarray]: ...
    def draw(self, infoset: int, seed: int, number: int) -> np.ndarray: ...

class PokerSearch:
    def __init__(
        self,
        game: AbstractGame,
        seat: int,
        opponent: RangedOpponent,
        preflop: PreflopChances | None,
        unit_chips: float,
        num_levels: int,
        has_exact_beliefs: bool,
    ) -> None: ...
    @property
    def num_infosets(self) -> int: ...
    def start(
        self,
        num_simulations: int,
        rule: int,
        exploration: float,
        num_drawn: int,
        keeps_tree: bool,
        counts_best: bool,
        num_abreast: int,
        value: np.ndarray,
        prior: np.ndarray,
        is_known: np.ndarray,
        visits: np.ndarray | None,
        total: np.ndarray | None,
        seed: int,
        first: int,
        number: int,
    ) -> None: ...
    def advance(self) -> bool: ...
    def take(
        self,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, int, np.ndarray, np.ndarray, np.ndarray]: ...
    def belief(self, state: PokerState, hole_cards: Sequence[int]) -> np.ndarray: ...
    def draw(self, state: PokerState, hole_cards: Sequence[int], seed: int, number: int) -> np.ndarray: ...

class BlindResponse:
    def __init__(
        self, rules: PokerRules, tree: BettingTree, probabilities: np.ndarray, river_levels: np.ndarray
    ) -> None: ...
    def num_different(self, round: int) -> int: ...
    def respond(self, flop: Sequence[int]) -> tuple[np.ndarray, np.ndarray]: ...

def add_points(
    rules: PokerRules, board: Sequence[int], reach: np.ndarray, points: np.ndarray, is_narrow: bool
) -> None: ...
def lbr_decision(
    state: PokerState,
    rules: PokerRules,
    bets: BettingAbstraction,
    active_rounds: int,
    sees_raises: bool,
    opponents: Sequence[RangedOpponent],
    preflop: PreflopChances | None,
    seating: np.ndarray,
    hole_cards: Sequence[int],
) -> int | None: ...
def find_nearest(
    points: np.ndarray,
    queries: np.ndarray,
    is_l2: bool,
    num_threads: int,
    indices: np.ndarray,
    distances: np.ndarray,
) -> None: ...
def count_range_game(
    rules: PokerRules,
    tree: BettingTree,
    board: Sequence[int],
    ranges: np.ndarray,
    locks: Sequence[tuple[int, Sequence[int], np.ndarray]],
    is_packed: bool,
    is_predictive: bool,
) -> tuple[int, int, int]: ...

class RangeCfr:
    def __init__(
        self,
        rules: PokerRules,
        tree: BettingTree,
        board: Sequence[int],
        ranges: np.ndarray,
        rake_share: float,
        rake_cap: float,
        locks: Sequence[tuple[int, Sequence[int], np.ndarray]],
        is_packed: bool,
        num_threads: int,
    ) -> None: ...
    def set_predictive(self, is_predictive: bool) -> None: ...
    @property
    def is_predictive(self) -> bool: ...
    def iterate(self, first: int, weights: np.ndarray) -> None: ...
    def average_strategy(self, node: int, board: Sequence[int]) -> np.ndarray: ...
    def view(
        self, node: int, board: Sequence[int]
    ) -> tuple[int, np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray], np.ndarray, np.ndarray]: ...
    def arrays(self, player: int) -> dict[str, np.ndarray]: ...
    def value(self, player: int) -> float: ...
    def response_value(self, player: int, keeps_locks: bool) -> float: ...
    @property
    def size(self) -> tuple[int, int, int]: ...
