"""Betting that ends early, and the three ways to settle the rest (Billings et al. 2003; thesis, section 2.3)."""

import numpy as np
import pytest
from abstract_games import THREE_ROUNDS, random_tables, sized_rules
from exact_subgame import ExactSubgame

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.errors import ConfigError
from nashgap.measures.bucket_response import bucket_gap
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import SETTLEMENTS, Truncation, build_betting_tree
from nashgap.poker.game import PokerGame
from nashgap.poker.prefix import parse_prefix
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.solvers.poker_mccfr import PokerMCCFR
from nashgap.solvers.recipe import load_recipe, parse_recipe
from nashgap.solvers.samplings import PUBLIC_CHANCE_SAMPLING, Sampling
from nashgap.solvers.schedules import LCFR
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.abstract_file import load_abstract_strategy

RULES = parse_rules("\n".join(THREE_ROUNDS), "three")


def cut_game(settle, num_rounds=2, prefix="", rules=RULES):
    actions = parse_prefix(rules, prefix) if prefix else ()
    tree = build_betting_tree(rules, parse_betting_abstraction("full"), actions, Truncation(num_rounds, settle))
    return AbstractGame(tree, build_abstraction(parse_card_abstraction("lossless"), rules))


def test_checking_to_the_end_is_a_last_round_without_raises():
    game, tables = cut_game("check"), None
    capped = build_betting_tree(RULES, parse_betting_abstraction("full caps=1/1/0"))
    whole = AbstractGame(capped, game.cards)
    tables = random_tables(game, seed=1)
    same = (*tables[:2], np.zeros(np.diff(whole.entry_start)[2], np.float32))
    np.testing.assert_allclose(ExactSubgame(game).values(tables), ExactSubgame(whole).values(same))


def test_one_bet_of_each_is_in_the_pot():
    plain, paid = cut_game("check").tree, cut_game("bet").tree
    is_cut = plain.ending_folded == 0
    assert is_cut.any()
    np.testing.assert_array_equal(paid.ending_spent - plain.ending_spent, 2 * is_cut[:, None].repeat(2, 1))
    two_missing = cut_game("bet", num_rounds=1).tree
    spent = two_missing.ending_spent[two_missing.ending_folded == 0]
    assert spent.min() == 1 + 2 + 2  # an ante and the bets of two rounds


@pytest.mark.parametrize("settle", SETTLEMENTS)
@pytest.mark.parametrize("hands", [1, 4])
def test_training_solves_every_kind(settle, hands):
    game = cut_game(settle)
    exact, solver = ExactSubgame(game), PokerMCCFR(game, Sampling("external", hands=hands), LCFR)
    gaps = []
    for iterations in (1_000, 30_000):
        solver.run(iterations - solver.iteration)
        tables = [solver.average_table(number) for number in range(3)]
        gaps.append(exact.gains(tables).sum())
    assert gaps[1] < 0.05 and gaps[1] < 0.4 * gaps[0]
    found = bucket_gap(game, tables, num_deals=50_000)
    assert found.values[0].mean == pytest.approx(exact.values(tables)[0], abs=2 * found.values[0].ci95)


def test_the_best_hand_so_far_is_not_the_best_in_the_end():
    games = {settle: cut_game(settle, num_rounds=1, rules=PokerGame("leduc2").rules) for settle in SETTLEMENTS}
    tables = random_tables(games["check"], seed=1)
    values = {settle: ExactSubgame(game).values(tables)[0] for settle, game in games.items()}
    assert len({round(value, 6) for value in values.values()}) == 3


def test_beyond_its_rounds_a_model_calls_on(tmp_path):
    game = cut_game("bet", num_rounds=1)
    AbstractStrategy(game, random_tables(game)).save(tmp_path / "first.safetensors")
    strategy = load_abstract_strategy(tmp_path / "first.safetensors")
    assert strategy.game.tree.truncation == Truncation(1, "bet")
    state = RULES.root().act(0).act(0).deal(RULES.deck[:1])
    for _ in range(2):
        [policy] = strategy.policies([state])
        assert policy.moves == (0,)
        state = state.act(state.legal.max_raise_to) if state.legal.can_raise else state


def test_a_round_alone_is_a_prefix_and_a_truncation():
    game = cut_game("check", num_rounds=2, prefix="cc")
    assert np.diff(game.tree.round_start).tolist()[0] == 0 and np.diff(game.tree.round_start).tolist()[2] == 0
    assert sum(ExactSubgame(game).values(random_tables(game))) == pytest.approx(0.0, abs=1e-12)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ConfigError, match="num_rounds = 3; three has 3 rounds, so that it must be 1 to 2"):
        cut_game("check", num_rounds=3)
    with pytest.raises(ConfigError, match="settle = 'guess'; it must be one of check, bet, best"):
        Truncation(1, "guess")
    with pytest.raises(ConfigError, match="is for limit games"):
        build_betting_tree(sized_rules(), parse_betting_abstraction("1,a"), (), Truncation(1, "bet"))
    with pytest.raises(ConfigError, match="must be external or chance"):
        PokerMCCFR(cut_game("best"), PUBLIC_CHANCE_SAMPLING)
    table = {"title": "a", "game": "lhe2", "betting": "full", "cards": "percentile(ehs2, 2/2/2/2)", "minutes": 1}
    with pytest.raises(ConfigError, match="a: rounds: settle needs rounds"):
        parse_recipe({**table, "settle": "check"}, "a", "a")
    with pytest.raises(ConfigError, match="a: rounds: num_rounds = 4; lhe2 has 4 rounds"):
        parse_recipe({**table, "rounds": 4}, "a", "a")
    assert load_recipe("psopti-preflop-3").truncation == Truncation(3, "bet")
    assert load_rules("lhe2").num_rounds == 4
