"""Best responses over all hands, held to compiled games deal by deal, to each other and to Local Best Response."""

from functools import partial

import numpy as np
import pytest
from short_decks import short_deck

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.cards.card import parse_cards
from nashgap.errors import MismatchError, UnsupportedGameError
from nashgap.jobs.full_response import measure_br
from nashgap.jobs.lbr import measure_lbr
from nashgap.measures.best_response import exploitability
from nashgap.measures.full_response import TreeResponse
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.rules import load_rules
from nashgap.strategies import chumps
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.spec import as_bot
from nashgap.strategies.tabulate import tabulate_poker, tree_of_rules

CLOSE = 1e-5  # chips; float32 vectors beside doubles

short_rules = partial(short_deck, blinds="1 2", first=2)

GAMES = {
    "kuhn2": load_rules("kuhn2"),
    "leduc2": load_rules("leduc2"),
    "one card": short_rules(hole=1, suits=2, ranks=4),
    "two cards": short_rules(),
    "two-card flops": short_rules(suits=2, ranks=4, board="0 2"),
    "three rounds": short_rules(rounds=3, suits=2, ranks=4, board="0 1 1"),
}


def full_tree(rules):
    return build_betting_tree(rules, parse_betting_abstraction("full"))


def random_strategy(rules, seed=0, bets="full", cards="lossless"):
    """Some rows are zeros, which play uniformly, and some actions are never taken."""
    tree = build_betting_tree(rules, parse_betting_abstraction(bets))
    game = AbstractGame(tree, build_abstraction(parse_card_abstraction(cards), rules))
    random = np.random.default_rng(seed)
    sizes = np.diff(game.entry_start)
    tables = [random.uniform(size=size) * (random.uniform(size=size) < 0.6) for size in sizes]
    return AbstractStrategy(game, tuple(table.astype(np.float32) for table in tables), name="some")


def trunks(response):
    return response.trunks(tuple(response.flops.boards[0].tolist()))


def over_all_flops(response):
    """What best responses of both seats win, and the first seat's value, in chips."""
    found = [response.at_board(tuple(board)) for board in response.flops.boards.tolist()]
    best = [
        seat.choose(np.mean([each.payoffs[number] for each in found], axis=0))[0]
        for number, seat in enumerate(trunks(response))
    ]
    return best, float(np.mean([each.value for each in found]))


def exact(strategy, rules):
    tree = tree_of_rules(rules)
    gap = exploitability(tree, tabulate_poker(strategy, tree))
    return [value * rules.unit_chips for value in gap.best_values], gap.values[0] * rules.unit_chips


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("game", GAMES)
def test_small_games_are_answered_as_deal_by_deal(game, seed):
    rules = GAMES[game]
    strategy = random_strategy(rules, seed)
    best, value = over_all_flops(TreeResponse(strategy))
    wanted, own = exact(strategy, rules)
    assert best == pytest.approx(wanted, abs=CLOSE)
    assert value == pytest.approx(own, abs=CLOSE)


@pytest.mark.parametrize("name", ["random", "probe", "always_raise", "always_call", "always_fold"])
@pytest.mark.parametrize("game", GAMES)
def test_chumps_of_small_games_are_answered_as_deal_by_deal(game, name):
    """Boards that suits alone tell apart are one here, since a chump tells no hands apart."""
    rules, chump = GAMES[game], getattr(chumps, name)()
    best, value = over_all_flops(TreeResponse(chump, full_tree(rules)))
    wanted, own = exact(chump, rules)
    assert best == pytest.approx(wanted, abs=CLOSE)
    assert value == pytest.approx(own, abs=CLOSE)


def test_suits_that_are_told_apart_change_nothing():
    rules = short_rules(rounds=3, suits=4, ranks=3, board="0 2 1")
    once, apart = (TreeResponse(chumps.random(), full_tree(rules), is_by_suit=each) for each in (False, True))
    for board in [(40, 44), (40, 41), (40, 45)]:  # of one suit, a pair, of two suits
        first, second = once.at_board(board), apart.at_board(board)
        for seat in range(2):
            np.testing.assert_allclose(first.payoffs[seat], second.payoffs[seat], atol=1e-6)


def test_a_game_of_classes_of_flops_is_that_of_all_flops():
    rules = short_rules(suits=3, ranks=4, board="0 2")
    found = measure_br((as_bot("random"),), rules, tree="full")
    best, _ = over_all_flops(TreeResponse(chumps.random(), full_tree(rules)))
    assert found.job.num_batches < len(found.job.response.flops.boards)
    assert found.best_values == pytest.approx([each / rules.unit_chips for each in best], abs=CLOSE)
    assert found.estimate is None


def test_answers_for_some_flops_never_win_more_than_the_best_on_all():
    response = TreeResponse(random_strategy(GAMES["two cards"]))
    payoffs = [response.at_board(tuple(board)).payoffs for board in response.flops.boards.tolist()]
    for number, seat in enumerate(trunks(response)):
        rows = np.array([each[number] for each in payoffs])
        best, _ = seat.choose(rows.mean(axis=0))
        for some in (rows[:1], rows[3:6], rows[::2]):
            promised, choices = seat.choose(some.mean(axis=0))
            assert seat.evaluate(some.mean(axis=0), choices) == pytest.approx(promised)
            assert seat.evaluate(rows.mean(axis=0), choices) <= best + 1e-12


def test_drawn_flops_bound_the_exact_gain_from_both_sides():
    rules = short_rules(suits=4, ranks=5, board="0 2")
    bots = (as_bot("random"),)
    whole = measure_br(bots, rules, tree="full").exploitability
    found = [measure_br(bots, rules, tree="full", flops=30, seed=seed) for seed in range(20)]
    assert np.mean([each.estimate.mean for each in found]) <= whole
    assert np.mean([each.exploitability for each in found]) >= whole
    covered = [abs(each.estimate.mean - whole) <= each.estimate.ci95 for each in found]
    assert np.mean(covered) >= 0.7  # 95%, but for a bias that is towards the bound


@pytest.mark.parametrize("flops", ["AsKs", "AsKs, AdQd, AsQd"])
def test_local_best_response_wins_no_more_in_the_game_of_the_same_flops(flops):
    rules = short_rules(rounds=3, suits=3, ranks=5, board="0 2 1")
    bots = (as_bot(random_strategy(rules, 4), digest="4"),)
    best = measure_br(bots, rules, tree="own", flops=flops)
    bound = measure_lbr(bots, rules, bets="full", deals=4_000, flops=flops, leaks=True)
    assert bound.estimate.lower_bound_975 <= best.exploitability
    assert bound.estimate.mean > 0.3 * best.exploitability  # it is the same game
    assert bound.leaks.hands == 8_000


def test_drawn_flops_are_the_same_game_for_both_measures():
    rules, bots = short_rules(rounds=3, suits=3, ranks=5, board="0 2 1"), (as_bot("random"),)
    best = measure_br(bots, rules, tree="full", flops=3, seed=1)
    bound = measure_lbr(bots, rules, bets="full", deals=4_000, flops=3, seed=1)
    assert len(bound.job.boards) == 3 * 6  # each with all names of three suits
    assert bound.estimate.lower_bound_975 <= best.exploitability
    assert bound.estimate.mean > 0.5 * best.exploitability


def test_what_lbr_counts_over_boards_to_come_is_its_mean_in_the_game_of_some_flops():
    """All-ins before the flop wait for it; each way to count has the same mean."""
    rules, bots = load_rules("hunl"), (as_bot("always-raise"),)
    counted = [
        measure_lbr(bots, rules, deals=6_000, flops="AsAhAd", all_in=all_in, imaginary=all_in)
        for all_in in (True, False)
    ]
    first, second = (each.estimate for each in counted)
    assert abs(first.mean - second.mean) < 1.5 * (first.ci95**2 + second.ci95**2) ** 0.5


@pytest.mark.parametrize("name", ["always_call", "always_raise", "always_fold"])
def test_a_chump_in_holdem_is_answered_alike_by_its_pots_and_by_vectors(name):
    """A flop of one suit, whose turns and rivers are many images of few."""
    rules, chump, flop = load_rules("lhe2"), getattr(chumps, name)(), parse_cards("AsKsQs")
    by_pots = TreeResponse(chump, full_tree(rules))
    by_vectors = TreeResponse(chump, full_tree(rules), is_general=True)
    first, second = by_pots.at_board(flop), by_vectors.at_board(flop)
    assert first.value == pytest.approx(second.value, abs=1e-5)
    for seat in range(2):
        np.testing.assert_allclose(first.payoffs[seat], second.payoffs[seat], atol=1e-6)
        won = trunks(by_pots)[seat].choose(first.payoffs[seat])[0]
        assert won == pytest.approx(trunks(by_pots)[seat].choose(second.payoffs[seat])[0], rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["probe", "random"])
def test_a_chump_with_all_lines_is_answered_alike_by_its_pots_and_by_vectors(name):
    rules, chump, flop = load_rules("lhe2"), getattr(chumps, name)(), parse_cards("7h7d7c")
    by_pots = TreeResponse(chump, full_tree(rules))
    first, second = (each.at_board(flop) for each in (by_pots, TreeResponse(chump, full_tree(rules), is_general=True)))
    for seat in range(2):
        won = [trunks(by_pots)[seat].choose(each.payoffs[seat])[0] for each in (first, second)]
        assert won[0] == pytest.approx(won[1], rel=1e-5)


@pytest.mark.slow
def test_a_trained_tree_on_a_flop_of_one_suit_and_a_paired_one_needs_no_images():
    strategy = random_strategy(load_rules("hunl"), bets="fcpa", cards="percentile(ehs2, 10/10/10/10, recall=none)")
    once, apart = TreeResponse(strategy), TreeResponse(strategy, is_by_suit=True)
    for flop in ("AsKsQs", "7h7d2c"):
        first, second = once.at_board(parse_cards(flop)), apart.at_board(parse_cards(flop))
        for seat in range(2):
            np.testing.assert_allclose(first.payoffs[seat], second.payoffs[seat], rtol=1e-4, atol=1e-5)


def test_the_width_of_vectors_changes_no_bit():
    """Where a machine has no wide vectors there is one width, and this says nothing."""
    cards = "percentile(ehs2, 10/10/10/10, recall=none)"
    native = TreeResponse(random_strategy(load_rules("hunl"), bets="fcpa", cards=cards))._native
    flop = list(parse_cards("AsKsQs"))
    wide, narrow = (native.respond(flop, 1, 1, is_narrow=is_narrow) for is_narrow in (False, True))
    assert all((one == other).all() for one, other in zip(wide[:2], narrow[:2], strict=True))
    assert wide[2] == narrow[2] != 0


def test_games_that_have_no_two_seats_are_refused():
    with pytest.raises(UnsupportedGameError, match="3 seats"):
        TreeResponse(chumps.random(), full_tree(load_rules("kuhn3")))


def test_moves_outside_a_tree_are_refused():
    rules = load_rules("hunl")
    tree = build_betting_tree(rules, parse_betting_abstraction("fc"))
    with pytest.raises(MismatchError, match="not in the betting tree"):
        TreeResponse(chumps.always_raise(), tree)
