"""Types of the compiled module; its kernels check sizes and decide nothing. Shapes as in `core/tree.py`."""

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
