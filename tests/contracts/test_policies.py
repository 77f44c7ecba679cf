"""What every built-in strategy promises in every game that has its actions."""

import numpy as np
import pytest

from nashgap.catalogue import POLICIES
from nashgap.errors import UnsupportedGameError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import expected_values
from nashgap.strategies.load import load

POKER = ["kuhn", "kuhn(players=3)", "leduc", "bet_size(deck=4,stack=1,step=0.5)"]
OTHERS = ["rock_paper_scissors", "liars_dice(dice_sides=2)", "matching_pennies"]


@pytest.mark.parametrize("name", POLICIES.entries)
@pytest.mark.parametrize("spec", POKER)
def test_every_policy_plays_poker(spec, name):
    tree = load_tree(spec)
    strategy = load(name, tree)
    assert np.isfinite(strategy.probabilities).all()
    values = expected_values(tree, strategy)
    assert sum(values) == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_array_equal(load(name, tree).probabilities, strategy.probabilities)


@pytest.mark.parametrize("name", POLICIES.entries)
@pytest.mark.parametrize("spec", OTHERS)
def test_only_uniform_plays_what_is_not_poker(spec, name):
    tree = load_tree(spec)
    if name == "uniform":
        assert load(name, tree).tree is tree
        return
    with pytest.raises(UnsupportedGameError, match=f"{name} needs one of the actions"):
        load(name, tree)
