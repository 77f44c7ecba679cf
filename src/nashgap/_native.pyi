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
) -> PokerRules: ...

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
    def __init__(self, cards_per_round: list[int]) -> None: ...
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

class TripleAgent(Agent):
    def __init__(self, fold: float, call: float, is_uniform: bool) -> None: ...

class RandomAgent(Agent):
    def __init__(self) -> None: ...

NUM_SPOTS: int

class PokiAgent(Agent):
    def __init__(self, preflop: np.ndarray) -> None: ...

class PokiSimAgent(Agent):
    def __init__(self, preflop: np.ndarray, preflop_order: np.ndarray, num_trials: int) -> None: ...

def hand_potential(hole_cards: bytes, board: bytes, num_opponents: int) -> tuple[float, float, float, float]: ...
def deal_cards(rules: PokerRules, seed: int, deal: int) -> tuple[int, ...]: ...
def count_hand(state: PokerState, payoff: Sequence[int], agent_at: Sequence[int], counts: np.ndarray) -> int: ...
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
) -> tuple[dict[int, int], list[str]]: ...
