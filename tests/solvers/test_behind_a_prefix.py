"""Forced-action, strategy-seeded CFR (Abou Risk 2009, section 4.4.1): two players behind a prefix of a larger game."""

import numpy as np
import pytest
from abstract_games import sized_rules
from exact_subgame import ExactSubgame

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.errors import ConfigError, IllegalActionError
from nashgap.measures.abstract_response import EXTERNAL, abstract_gap
from nashgap.measures.bucket_response import bucket_gap
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.game import PokerGame
from nashgap.poker.prefix import parse_prefix, prefix_text
from nashgap.poker.rules import load_rules
from nashgap.solvers.poker_mccfr import PokerMCCFR
from nashgap.solvers.samplings import CHANCE_SAMPLING, PUBLIC_CHANCE_SAMPLING, Sampling
from nashgap.solvers.schedules import LCFR

LEDUC3 = PokerGame("leduc3").rules
RANGES = np.random.default_rng(5).uniform(0.05, 1.0, (3, len(LEDUC3.deck)))
SIXTEEN_HANDS = Sampling("external", hands=16)
SMALL_BET = 2.0  # of Leduc, in antes


def subgame(prefix="rf", ranges=RANGES, rules=LEDUC3):
    tree = build_betting_tree(rules, parse_betting_abstraction("full"), parse_prefix(rules, prefix))
    return AbstractGame(tree, build_abstraction(parse_card_abstraction("lossless"), rules), ranges)


ALL_IN = sized_rules(3)


@pytest.mark.parametrize("sampling", [Sampling("external"), SIXTEEN_HANDS, CHANCE_SAMPLING])
def test_who_is_all_in_before_the_tree_begins_shows_a_hand(sampling):
    """The button is, and the small blind has folded: to call is right with the upper half of the hands."""
    tree = build_betting_tree(ALL_IN, parse_betting_abstraction("1,a"), parse_prefix(ALL_IN, "r20000f"))
    game = AbstractGame(tree, build_abstraction(parse_card_abstraction("lossless"), ALL_IN), np.ones((3, 8)))
    solver = PokerMCCFR(game, sampling, LCFR, seed=1)
    solver.run(20_000)
    assert ExactSubgame(game).gains(tables_of(solver)).max() < 1.0  # chips, of the 20,000
    always_call = [np.zeros(size, np.float32) for size in np.diff(game.entry_start)]
    always_call[0][game.entries(tree.root)[:, 1]] = 1.0
    exact = ExactSubgame(game).gains(always_call).sum()
    found = abstract_gap(game, always_call, iterations=2_000, sampling=EXTERNAL, num_deals=50_000, seed=1).nash_conv
    in_chips = found.mean * ALL_IN.unit_chips
    assert exact > 1_000 and abs(in_chips - exact) < 3 * found.ci95 * ALL_IN.unit_chips


def tables_of(solver):
    return [solver.average_table(number) for number in range(solver.game.rules.num_rounds)]


def test_the_tree_has_what_is_behind_the_prefix_and_nothing_else():
    game, whole = subgame(), build_betting_tree(LEDUC3, parse_betting_abstraction("full"))
    tree = game.tree
    actions = parse_prefix(LEDUC3, "rf")
    root = whole.find_node(actions).target
    assert game.players == (0, 2)
    assert set(tree.seat.tolist()) == {0, 2} and tree.num_players == 2
    assert tree.prefix_text == "rf" and not tree.find_node(actions[:1]).is_on_tree
    assert tree.find_node(actions).target == tree.root
    pairs = [(tree.root, root)]
    for own, other in pairs:  # grows: the same nodes, with the same endings
        assert tree.seat[own] == whole.seat[other]
        edges = [each.child[each.first_edge[node] : each.first_edge[node + 1]].tolist() for each, node in
                 ((tree, own), (whole, other))]  # fmt: skip
        for first, second in zip(*edges, strict=True):
            assert (first < 0) == (second < 0)
            if first >= 0:
                pairs.append((first, second))
            else:
                assert tree.ending_spent[-1 - first].tolist() == whole.ending_spent[-1 - second].tolist()
    assert len(pairs) == tree.num_nodes


@pytest.mark.parametrize("sampling", [Sampling("external"), SIXTEEN_HANDS, CHANCE_SAMPLING])
@pytest.mark.parametrize("is_discarding", [False, True])
def test_it_is_a_constant_sum_game_and_training_solves_it(sampling, is_discarding):
    game = subgame()
    exact = ExactSubgame(game)
    gaps = []
    solver = PokerMCCFR(game, sampling, LCFR, seed=1, is_discarding=is_discarding)
    for iterations in (4_000, 40_000):
        solver.run(iterations - solver.iteration)
        values = exact.values(tables_of(solver))
        assert sum(values) == pytest.approx(1.0)  # what the small blind's ante leaves
        gaps.append(exact.gains(tables_of(solver)).sum())
    assert gaps[1] < 0.5 * gaps[0] < 0.5


@pytest.mark.slow
def test_discarding_and_drawing_from_the_ranges_reach_the_same_values():
    values = []
    for is_discarding in (False, True):
        solver = PokerMCCFR(subgame(), SIXTEEN_HANDS, LCFR, seed=3, is_discarding=is_discarding)
        solver.run(1_000_000)
        values.append(ExactSubgame(solver.game).values(tables_of(solver)))
    np.testing.assert_allclose(values[0], values[1], atol=1e-3)


@pytest.mark.slow
def test_the_exact_exploitability_falls_below_a_millibet():
    solver = PokerMCCFR(subgame(), SIXTEEN_HANDS, LCFR, seed=3, threads=2)
    solver.run(24_000_000)
    gains = ExactSubgame(solver.game).gains(tables_of(solver)) / SMALL_BET
    assert gains.mean() < 0.001


@pytest.mark.parametrize("is_discarding", [False, True])
def test_hands_are_dealt_as_often_as_they_come_there(is_discarding):
    """Seen by what a solver that has not begun wins: uniform play, whose exact value depends on every range."""
    game = subgame()
    exact = ExactSubgame(game).values([np.zeros(size, np.float32) for size in np.diff(game.entry_start)])
    dealt = PokerMCCFR(game, is_discarding=is_discarding).deal_values(200_000, seed=2)
    error = 3.5 * dealt.std(axis=0) / len(dealt) ** 0.5
    assert abs(dealt[:, 0].mean() - exact[0]) < error[0] and abs(dealt[:, 2].mean() - exact[1]) < error[2]
    alike = ExactSubgame(subgame(ranges=np.ones_like(RANGES))).values(
        [np.zeros(size, np.float32) for size in np.diff(game.entry_start)]
    )
    assert abs(alike[0] - exact[0]) > 3 * error[0]  # or this test would not tell


def test_deals_follow_the_product_of_the_ranges():
    game = subgame()
    holes, board = game.deals(400_000, seed=7)
    place = {card: number for number, card in enumerate(LEDUC3.deck)}
    counted = np.zeros((8, 8, 8, 8))
    np.add.at(counted, tuple(np.vectorize(place.get)(cards[:, 0]) for cards in (*holes, board)), 1)
    expected = np.einsum("i,j,k,l->ijkl", *RANGES, np.ones(8))
    for first, second in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]:  # nobody shares a card
        same = np.moveaxis(expected, (first, second), (0, 1))
        same[range(8), range(8)] = 0.0
    expected *= len(board) / expected.sum()
    assert (counted[expected == 0] == 0).all()
    z = (counted - expected)[expected > 0] / np.sqrt(expected[expected > 0])
    assert abs(z).max() < 5 and z.std() == pytest.approx(1.0, abs=0.06)


def test_the_measures_of_an_abstract_game_know_its_ranges():
    game = subgame()
    untrained = [np.zeros(size, np.float32) for size in np.diff(game.entry_start)]
    exact = ExactSubgame(game)
    found = bucket_gap(game, untrained, num_deals=200_000, seed=1)
    for place, seat in enumerate(game.players):
        assert found.values[seat].mean == pytest.approx(
            exact.values(untrained)[place], abs=1.5 * found.values[seat].ci95
        )
        assert found.gains[seat].mean == pytest.approx(exact.gains(untrained)[place], abs=1.5 * found.gains[seat].ci95)
    assert found.values[1].mean == -1.0 and found.gains[1].mean == 0.0  # has folded
    learned = abstract_gap(game, untrained, iterations=100_000, num_deals=20_000)
    assert learned.nash_conv.mean == pytest.approx(exact.gains(untrained).sum(), abs=2 * learned.nash_conv.ci95 + 0.02)


def test_what_leaves_no_deal_is_refused():
    only_one = np.zeros_like(RANGES)
    only_one[:, 3] = 1.0  # the same card for all
    with pytest.raises(ConfigError, match="the seats' hands share their cards"):
        subgame(ranges=only_one)
    nothing = RANGES.copy()
    nothing[2] = 0.0
    with pytest.raises(ConfigError, match="a seat has no hand"):
        subgame(ranges=nothing)
    with pytest.raises(ConfigError, match=r"shape \(3, 5\); 3 seats x 8 hands are needed"):
        subgame(ranges=np.ones((3, 5)))
    with pytest.raises(ConfigError, match="no chance from 0 to 1"):
        subgame(ranges=2 * np.ones_like(RANGES))
    with pytest.raises(ConfigError, match="public deals all hands alike"):
        PokerMCCFR(subgame(), PUBLIC_CHANCE_SAMPLING)


def test_a_hand_that_the_others_leave_is_found_however_few_there_are():
    """The third seat may hold two cards only, and mostly one of them is gone."""
    narrow = np.ones_like(RANGES)
    narrow[2, :6] = 0.0
    narrow[2, 6] = 1e-9
    solver = PokerMCCFR(subgame(ranges=narrow), SIXTEEN_HANDS, LCFR)
    solver.run(20_000)
    assert ExactSubgame(solver.game).gains(tables_of(solver)).sum() < 0.5


@pytest.mark.parametrize(
    ("rules", "text", "message"),
    [
        ("lhe3", "rx", "'x' is no action"),
        ("lhe3", "ff", "the hand is over after 'ff'"),
        ("lhe3", "rff", "the hand is over after 'rff'"),
        ("lhe3", "ccf", "'f' is not legal after 'cc'"),
        ("lhe3", "", "at least one action"),
        ("nlhe3", "rf", "needs its size"),
    ],
)
def test_a_prefix_that_is_illegal_or_ends_the_hand_is_refused(rules, text, message):
    with pytest.raises((ConfigError, IllegalActionError), match=message):
        parse_prefix(load_rules(rules), text)


def test_a_prefix_is_read_and_written():
    rules = load_rules("lhe3")
    for text in ("f", "rf", "rrf", "rcf", "cf", "crf", "ccc", "ccc/cr"):
        assert prefix_text(rules, parse_prefix(rules, text)) == text
    with pytest.raises(IllegalActionError, match="is not in the betting abstraction"):
        build_betting_tree(rules, parse_betting_abstraction("full caps=0/4/4/4"), parse_prefix(rules, "rf"))
