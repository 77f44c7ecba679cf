"""Numbers that others have published, or computed with other programs."""

import pytest

from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import expected_values, exploitability
from nashgap.solvers.sequence_lp import solve_sequence_lp
from nashgap.strategies.table import TableStrategy, uniform


def test_kuhn_is_worth_minus_one_eighteenth():
    """Kuhn, A simplified two-person poker (1950)."""
    assert solve_sequence_lp(load_tree("kuhn")).value == pytest.approx(-1 / 18, abs=1e-9)


@pytest.mark.parametrize("alpha", [0.0, 0.1, 1 / 3])
def test_kuhns_family_of_equilibria(alpha):
    """Kuhn (1950): the first player bets the jack with any alpha up to 1/3, the king three times as often."""
    tree = load_tree("kuhn")
    bets = {
        "J": alpha,
        "Q": 0.0,
        "K": 3 * alpha,
        "J kb": 0.0,
        "Q kb": alpha + 1 / 3,
        "K kb": 1.0,
        "J k": 1 / 3,
        "Q k": 0.0,
        "K k": 1.0,
        "J b": 0.0,
        "Q b": 1 / 3,
        "K b": 1.0,
    }
    probabilities = uniform(tree).probabilities
    for number, name in enumerate(tree.infoset_name):
        probabilities[tree.slots(number)] = [1 - bets[name], bets[name]]
    strategy = TableStrategy(tree, probabilities)
    assert exploitability(tree, strategy).nash_conv < 1e-12
    assert expected_values(tree, strategy) == pytest.approx((-1 / 18, 1 / 18), abs=1e-12)


def test_leduc_value():
    """OpenSpiel's sequence-form LP, to its digits."""
    assert solve_sequence_lp(load_tree("leduc")).value == pytest.approx(-0.0856064, abs=5e-8)


@pytest.mark.parametrize(
    ("spec", "nash_conv"),
    [
        ("kuhn", 0.916667),
        ("leduc", 4.747222),
        ("liars_dice", 1.56149),
        ("kuhn(players=3)", 2.0625),
        ("kuhn(players=4)", 3.476042),
    ],
)
def test_uniform_nash_conv(spec, nash_conv):
    """OpenSpiel 2.0, to its digits."""
    tree = load_tree(spec)
    assert exploitability(tree, uniform(tree)).nash_conv == pytest.approx(nash_conv, abs=5e-6)


@pytest.mark.parametrize(
    ("spec", "num_infosets"),
    [("kuhn", 12), ("kuhn(players=3)", 48), ("leduc", 936), ("liars_dice", 24576)],
)
def test_sizes(spec, num_infosets):
    """Lanctot et al. (2019) and, for 3-player Kuhn, Abou Risk (2009), section 3.3.1."""
    assert load_tree(spec).num_infosets == num_infosets


def test_the_polarised_bet_game_is_worth_three_eighths(tmp_path):
    """Ganzfried & Yusuf (2017), figure 2: the best or the worst card against a middle one; 1/2 - 1/8 = 3/8."""
    path = tmp_path / "polarised.csv"
    path.write_text("0,0.5,0\n0,0,0\n0,0.5,0\n")
    tree = load_tree(f'bet_size(joint="{path}")')
    assert solve_sequence_lp(tree).value == pytest.approx(3 / 8, abs=1e-9)


def test_uniform_pennies_lose_a_half_to_two_who_agree():
    """Abou Risk (2009), section 3.1.1."""
    tree = load_tree("matching_pennies")
    heads = uniform(tree).probabilities
    heads[:] = [1.0, 0.0] * 3
    agreed = TableStrategy(tree, heads)
    assert exploitability(tree, uniform(tree)).nash_conv == pytest.approx(0.0, abs=1e-12)
    assert exploitability(tree, agreed).nash_conv == 0.0
    values = expected_values(tree, uniform(tree).with_players({1: agreed, 2: agreed}))
    assert values == pytest.approx((-0.5, 0.25, 0.25))
