"""Samplings as values: what cannot go together is refused when it is written down."""

import pytest

from nashgap.errors import ConfigError
from nashgap.solvers.samplings import EXTERNAL_SAMPLING, OUTCOME_SAMPLING, PUBLIC_CHANCE_SAMPLING, Sampling


def test_equal_samplings_are_equal():
    assert Sampling("external") == EXTERNAL_SAMPLING
    assert Sampling("outcome", exploration=0.6) == OUTCOME_SAMPLING
    assert Sampling("public") == PUBLIC_CHANCE_SAMPLING
    assert Sampling("external", exploration=0.1) != EXTERNAL_SAMPLING


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("private", {}, "sampling = 'private'; it must be one of chance, external, outcome, public"),
        ("outcome", {}, "exploration = 0.0; outcome sampling needs more than 0 and at most 1"),
        ("outcome", {"exploration": 1.1}, "outcome sampling needs more than 0 and at most 1"),
        ("external", {"exploration": 1.0}, "exploration = 1.0; it must be from 0 to below 1"),
        ("chance", {"exploration": 0.1}, "exploration = 0.1; it must be 0 where no action is sampled"),
        ("public", {"exploration": 0.1}, "exploration = 0.1; it must be 0 where no action is sampled"),
        ("external", {"prune_below": 1.0}, "prune_below = 1.0; it must be below 0"),
        ("external", {"prune_below": float("nan")}, "prune_below = nan; it must be below 0"),
        ("chance", {"prune_below": -1.0}, "prune_below belongs to external sampling, not to chance"),
        ("external", {"hands": 3}, "hands = 3; it must be one of 1, 4, 8, 16"),
        ("public", {"hands": 8}, "hands = 8; it must be 1 but in external sampling that does not prune"),
        ("external", {"hands": 8, "prune_below": -1.0}, "hands = 8; it must be 1 but in external sampling"),
    ],
)
def test_what_cannot_go_together_is_refused(kind, options, message):
    with pytest.raises(ConfigError, match=message):
        Sampling(kind, **options)
