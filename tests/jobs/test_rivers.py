"""Rules for real rivers: features by hand, prices that are exact, and batches that do not depend on the workers."""

from __future__ import annotations

import numpy as np
import pytest

from nashgap.cards.card import hand_cards, hand_index, parse_cards
from nashgap.cards.ranges import parse_range
from nashgap.errors import ConfigError
from nashgap.explanations.river_rules import RiverRules, river_features, sentences
from nashgap.explanations.river_spots import DECIDERS, RiverProfile, RiverSpot, sample_spot, solve_spot
from nashgap.jobs.perform import perform
from nashgap.jobs.rivers import RiversJob
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.spot import Spot


def hand(text: str) -> int:
    return hand_index(*parse_cards(text))


def test_features_of_two_small_ranges_are_those_counted_by_hand():
    """Aces and a bluff against kings, two combinations: AcAd beats both, 3c4c loses to both."""
    ranges = parse_range("AcAd, 3c4c"), parse_range("KcKd, KcKh")
    spot = RiverSpot(Spot(parse_cards("2s7h9dJs2c"), ranges, 1000, (500, 500), parse_betting_abstraction("a")))
    aces, nothing, kings = hand("AcAd"), hand("4c3c"), hand("KdKc")
    assert spot.equity[0][aces] == 1.0 and spot.equity[0][nothing] == 0.0
    assert spot.equity[1][kings] == 0.5
    assert spot.percentile[0][aces] == pytest.approx(0.75) and spot.percentile[0][nothing] == pytest.approx(0.25)
    features = river_features(spot, 0)[aces]
    # Equity, percentile, blocked; half of the own hands are strong, none of theirs; half a pot; paired; no flush.
    assert features.tolist() == pytest.approx([1.0, 0.75, 0.0, 0.5, 0.0, 0.5, 1.0, 0.0])


def test_blockers_are_the_share_of_their_best_hands_that_cannot_be_there():
    ranges = parse_range("AcKh, QhQd"), parse_range("AcAd, AhAd, 7c8c:0.1")
    spot = RiverSpot(Spot(parse_cards("2s7h9dJs4c"), ranges, 1000, (500, 500), parse_betting_abstraction("a")))
    assert river_features(spot, 0)[hand("KhAc"), 2] == pytest.approx(0.5)
    assert river_features(spot, 0)[hand("QhQd"), 2] == pytest.approx(0.0)


def test_equity_is_that_of_the_range_engine():
    spot = sample_spot(5, 3)
    view = spot.strategy.view((), spot.spot.board)
    is_held = spot.spot.weights[0] > 0
    np.testing.assert_allclose(spot.equity[0][is_held], view.equity[is_held], atol=1e-5)


@pytest.mark.parametrize("number", range(4))
def test_the_equilibrium_costs_nothing_but_its_own_exploitability(number):
    spot = sample_spot(2, number)
    profile, left = solve_spot(spot)
    assert left <= 0.1
    assert spot.exploitability(profile) == pytest.approx(left, abs=1e-3)
    assert spot.lost_to(profile, profile) == pytest.approx(0.0, abs=1e-6)
    rules = RiverRules().play(spot)
    assert spot.exploitability(rules) >= spot.exploitability(profile) - 2e-3
    assert spot.lost_to(rules, profile) >= -2 * left


def test_a_price_of_always_folding_is_all_of_the_pot_that_was_yours():
    """Who never bets nor calls loses what is bet at: the other takes the pot, in both seats."""
    ranges = parse_range("AcAd"), parse_range("KcKd")
    spot = RiverSpot(Spot(parse_cards("2s7h9dJs4c"), ranges, 1000, (500, 500), parse_betting_abstraction("a")))
    never = RiverProfile(np.zeros((4, 1326)))
    # Kings bet after the check of aces and win the pot of 1,000 instead of 0; aces win it anyway. Mean of both seats.
    assert spot.exploitability(never) == pytest.approx(50.0)


@pytest.mark.parametrize("number", range(3))
def test_a_price_is_that_of_trying_every_choice_with_every_hand(number):
    """Hands against hands that share no card, in plain arithmetic; chips beside half the pot."""
    spot = sample_spot(7, number)
    profile = RiverRules(first=0.8, call_late=0.7).play(spot)
    held = [np.flatnonzero(spot.spot.weights[seat] > 0) for seat in (0, 1)]
    cards = [np.array([hand_cards(each) for each in hands]) for hands in held]
    shares = (cards[0][:, None, :, None] == cards[1][None, :, None, :]).any(axis=(2, 3))
    dealt = np.outer(*(spot.spot.weights[seat][held[seat]] for seat in (0, 1))) * ~shares
    dealt /= dealt.sum()
    won = np.sign(spot.ranks[held[0]][:, None] - spot.ranks[held[1]][None, :])
    half, stack = spot.spot.pot / 2, spot.spot.stacks[0]
    first, after, calls, calls_late = (profile.chances[place][held[seat]] for place, seat in enumerate(DECIDERS))
    checked, called = half * won, (half + stack) * won
    bets = (dealt * ((1 - calls) * half + calls * called)).sum(axis=1)
    folds, stays = ((dealt * ((1 - after) * checked + after * then)).sum(axis=1) for then in (-half, called))
    of_first = np.maximum(bets, np.maximum(folds, stays)).sum()
    facing, behind = dealt * first[:, None], dealt * (1 - first)[:, None]
    answers = np.maximum((facing * -half).sum(axis=0), (facing * -called).sum(axis=0))
    stabs = (behind * ((1 - calls_late)[:, None] * half + calls_late[:, None] * -called)).sum(axis=0)
    of_second = (answers + np.maximum((behind * -checked).sum(axis=0), stabs)).sum()
    assert spot.exploitability(profile) == pytest.approx(100 * (of_first + of_second) / 2 / spot.spot.pot, abs=1e-3)


def test_rules_bluff_and_call_in_the_numbers_they_tell():
    spot = sample_spot(1, 0)
    rules, stack = RiverRules(first=0.7, call=1.0), spot.stack_to_pot
    chances = rules.play(spot).chances
    is_value = spot.equity[0] >= 0.7
    value, bets = spot.dealt[0] @ is_value, spot.dealt[0] @ chances[0]
    assert bets == pytest.approx(min(value * (1 + stack / (1 + stack)), 1.0))
    assert spot.dealt[1] @ chances[2] == pytest.approx(1 / (1 + stack))
    assert "at least 70%" in sentences(rules)[0]


def test_batches_are_the_same_on_one_worker_and_on_two():
    job = RiversJob(seed=3, spots=40)
    one, two = (perform(job, workers=workers).as_dict() for workers in (1, 2))
    assert one == two
    assert {each["name"] for each in one["compared"]} >= {"the rules", "the equilibrium, as solved"}
    assert one["compared"][0]["name"] == "the equilibrium, as solved"


def test_too_few_rivers_are_refused():
    with pytest.raises(ConfigError, match="spots = 3"):
        RiversJob(spots=3)
