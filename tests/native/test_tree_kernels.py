"""The native boundary: sizes are checked, nothing is converted, read-only input is taken."""

import dataclasses

import numpy as np
import pytest

from nashgap import _native
from nashgap.games.compiled import load_tree
from nashgap.strategies.table import uniform


@pytest.fixture(scope="module")
def tree():
    return load_tree("kuhn")


def arrays(tree):
    slots, players = tree.num_slots, tree.num_players
    sizes = {
        "expected_returns": {"strategy": slots, "returns": players},
        "best_response": {"strategy": slots, "returns": players, "best_returns": players, "response": slots},
        "normalise": {"sums": slots, "strategy": slots},
        "own_reach": {"strategy": slots, "reach": slots + players},
        "cfr": {"regret_sum": slots, "strategy_sum": slots, "strategy": slots},
        "mccfr": {"regret_sum": slots, "strategy_sum": slots},
    }
    return {kernel: {name: np.full(size, 0.5) for name, size in names.items()} for kernel, names in sizes.items()}


REST = {
    "cfr": {"is_fixed": None, "weights": np.ones((2, 3)), "is_alternating": True, "is_predictive": False},
    "mccfr": {
        "fixed": None,
        "is_fixed": None,
        "sampling": 1,
        "exploration": 0.0,
        "seed": 1,
        "first_iteration": 1,
        "num_iterations": 2,
    },
}
KERNELS = ["expected_returns", "best_response", "normalise", "own_reach", "cfr", "mccfr"]


def call(tree, kernel, given):
    getattr(_native, kernel)(tree.native, **given, **REST.get(kernel, {}))


@pytest.mark.parametrize("kernel", KERNELS)
def test_right_arrays_are_taken_and_the_last_is_written(tree, kernel):
    given = arrays(tree)[kernel]
    call(tree, kernel, given)
    last = list(given.values())[-1]
    assert np.isfinite(last).all()
    assert kernel == "normalise" or (last != 0.5).any()  # equal sums are normalised to one half


@pytest.mark.parametrize("kernel", KERNELS)
def test_wrong_sizes_are_refused_by_name(tree, kernel):
    for name, array in arrays(tree)[kernel].items():
        for size in (0, len(array) - 1, len(array) + 1):
            given = arrays(tree)[kernel] | {name: np.zeros(size)}
            with pytest.raises(ValueError, match=rf"{name} has {size} entries, expected {len(array)}"):
                call(tree, kernel, given)


@pytest.mark.parametrize("kernel", KERNELS)
def test_nothing_is_converted(tree, kernel):
    for name, array in arrays(tree)[kernel].items():
        strided = np.zeros(2 * len(array))[::2]
        for bad in (array.astype(np.float32), array.astype(np.int64), strided, array.tolist()):
            with pytest.raises(TypeError):
                call(tree, kernel, arrays(tree)[kernel] | {name: bad})


def test_read_only_input_is_taken_and_read_only_output_is_refused(tree):
    strategy = uniform(tree).probabilities
    strategy.flags.writeable = False
    returns = np.zeros(2)
    _native.expected_returns(tree.native, strategy, returns)
    assert returns.any()
    returns.flags.writeable = False
    with pytest.raises(TypeError):
        _native.expected_returns(tree.native, strategy, returns)


def test_the_tree_itself_may_be_read_only(tree):
    frozen = {}
    for field in dataclasses.fields(tree):
        value = getattr(tree, field.name)
        if isinstance(value, np.ndarray):
            frozen[field.name] = value.copy()
            frozen[field.name].flags.writeable = False
    copy = dataclasses.replace(tree, **frozen)
    returns = np.zeros(2)
    _native.expected_returns(copy.native, uniform(tree).probabilities, returns)
    assert returns.any()


def test_a_tree_keeps_its_arrays_alive():
    handle = load_tree("kuhn(players=3)").native
    ours = uniform(load_tree("kuhn(players=3)"))
    waste = [np.full(1000, 1e9) for _ in range(200)]
    returns = np.zeros(3)
    _native.expected_returns(handle, ours.probabilities, returns)
    assert returns.sum() == pytest.approx(0.0, abs=1e-12)
    assert len(waste) == 200


@pytest.mark.parametrize(
    ("kernel", "argument", "bad"),
    [
        ("cfr", "is_fixed", np.zeros(11, np.uint8)),
        ("cfr", "weights", np.zeros(4)),
        ("mccfr", "is_fixed", np.zeros(12, np.uint8)),
    ],
)
def test_bad_options_are_refused(tree, kernel, argument, bad):
    with pytest.raises(ValueError):
        getattr(_native, kernel)(tree.native, **arrays(tree)[kernel], **(REST[kernel] | {argument: bad}))


@pytest.mark.parametrize(
    "name", ["block_start", "block_edge", "infoset_parent", "player_group", "leaf_payoff", "block_player", "payoff"]
)
def test_a_tree_of_wrong_dtype_is_refused(tree, name):
    broken = dataclasses.replace(tree, **{name: getattr(tree, name).astype(np.float32)})
    with pytest.raises(TypeError):
        _ = broken.native


SIZED = ["block_start", "block_edge", "edge_block", "node_row", "chance_block", "chance_lane", "chance_prob"]
SIZED += [
    "infoset_stride",
    "infoset_size",
    "infoset_parent",
    "group_infoset",
    "player_group",
    "leaf_size",
    "leaf_payoff",
]


@pytest.mark.parametrize("name", SIZED)
def test_a_tree_of_wrong_sizes_is_refused(tree, name):
    broken = dataclasses.replace(tree, **{name: getattr(tree, name)[:-1].copy()})
    with pytest.raises(ValueError, match=name):
        _ = broken.native
