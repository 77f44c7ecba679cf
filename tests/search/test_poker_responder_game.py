"""Responders at the poker table: what they believe, what they learn, and that both tables pay the same."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from abstract_games import PAIRS, abstract_game, random_abstract_strategy, sized_rules
from seeded_strategy import Seeded

from nashgap import _native
from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.errors import ConfigError, UnsupportedGameError
from nashgap.measures.best_response import expected_values, exploitability
from nashgap.measures.opponents import opponent_of
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.hands import hands_of, possible_hands
from nashgap.poker.rules import load_rules
from nashgap.poker.state import View
from nashgap.search import poker_responder_game
from nashgap.search.options import PRESETS, SearchOptions, TreeLearning
from nashgap.search.poker_responder_game import (
    PokerResponderGame,
    build_responder_abstraction,
    evaluate_responders,
)
from nashgap.search.responder_game import TreeResponderGame, Values, play_games
from nashgap.search.tree_learner import TreeLearner
from nashgap.strategies.chumps import always_call, always_fold, always_raise, half_call_half_raise, random
from nashgap.strategies.poker_table import card_game
from nashgap.strategies.table import TableStrategy
from nashgap.strategies.tabulate import tabulate_poker, tree_of_rules

KUHN, LEDUC = load_rules("kuhn2"), load_rules("leduc2")
TREE = PRESETS["tree"]


def decisions(state):
    """Every public state in which a seat acts."""
    if state.num_missing_cards:
        left = [card for card in state.rules.deck if card not in state.board]
        for card in left:
            yield from decisions(state.deal([card]))
    elif not state.is_over:
        yield state
        for action in state.legal:
            yield from decisions(state.act(action))


def past_states(state):
    """The states before each action of the history, and that action."""
    board, before = list(state.board), state.rules.root()
    for actions in state.history:
        for action in actions:
            if before.num_missing_cards:
                before = before.deal([board.pop(0) for _ in range(before.num_missing_cards)])
            yield before, action
            before = before.act(action)


def posterior(strategy, state, hole_cards):
    """By Bayes' rule, one policy for each past action of the other seat."""
    hands = hands_of(state.rules)
    weights = possible_hands(state) * np.array([not {*hand} & {*hole_cards} for hand in hands], float)
    for before, action in past_states(state):
        if before.seat != state.seat:
            (policy,) = strategy.policies([before])
            weights = weights * policy.chance_of(action)
    return weights / weights.sum()


def learned(game, num_games, seed=1, batch=256, **search):
    learner = TreeLearner(game, TreeLearning())
    options = replace(TREE.search, **search)
    for first in range(0, num_games, batch):
        learner.learn(game.play(options, learner.values(), seed=seed, first=first, number=batch))
    return learner.values()


def nothing(game):
    return Values(
        np.zeros(game.num_infosets, np.float32),
        np.zeros(game.num_slots, np.float32),
        np.zeros(game.num_infosets, np.uint8),
    )


@pytest.mark.parametrize("rules", [KUHN, LEDUC, PAIRS], ids=lambda rules: rules.name)
def test_belief_is_the_posterior_of_the_strategys_actions(rules):
    game = abstract_game(rules)
    states = list(decisions(rules.root()))
    rng = np.random.default_rng(0)
    for seed in range(20):
        strategy = random_abstract_strategy(game, seed)
        for number in rng.choice(len(states), 10):
            state = states[number]
            hands = np.flatnonzero(possible_hands(state))
            hole_cards = hands_of(rules)[rng.choice(hands)]
            native = PokerResponderGame(strategy, game, state.seat).native
            belief = native.belief(state.native, hole_cards)
            np.testing.assert_allclose(belief / belief.sum(), posterior(strategy, state, hole_cards), atol=1e-7)


@pytest.mark.parametrize("rules", [KUHN, LEDUC], ids=lambda rules: rules.name)
def test_belief_is_that_of_the_compiled_game(rules):
    """Which tells the same hands apart; weights agree but for their order, which is that of its histories."""
    strategy = random_abstract_strategy(abstract_game(rules), 3)
    tree = tree_of_rules(rules)
    table = tabulate_poker(strategy, tree)
    cards = card_game(tree, "")
    for seat in (0, 1):
        native = PokerResponderGame(strategy, strategy.game, seat).native
        compiled = TreeResponderGame(table, seat).native
        for state in decisions(rules.root()):
            if state.seat != seat:
                continue
            for place in np.flatnonzero(possible_hands(state))[::2]:
                hand = hands_of(rules)[place]
                infoset = tree.infoset_index[f"{seat}:{cards.infoset_of(View(state, seat, hand))}"]
                ours, theirs = native.belief(state.native, hand), compiled.belief(infoset)[1]
                np.testing.assert_allclose(shares(ours), shares(theirs), atol=1e-6)


def shares(weights):
    return np.sort(weights[weights > 0] / weights.sum())


def test_histories_are_drawn_from_the_belief():
    """Chi-square at 4 deviations; boards to come are uniform over what is left."""
    strategy = random_abstract_strategy(abstract_game(LEDUC), 5)
    game = PokerResponderGame(strategy, strategy.game, 0)
    state = next(state for state in decisions(LEDUC.root()) if state.betting == "cr" and state.seat == 0)
    hole_cards, number = (LEDUC.deck[2],), 50_000
    cards = game.native.draw(state.native, hole_cards, 1, number)
    assert (cards[:, 0] == hole_cards[0]).all()
    assert all(len(set(row)) == 3 for row in cards[:100].tolist())
    expected = posterior(strategy, state, hole_cards) * number
    held = np.bincount(cards[:, 1], minlength=52)[list(LEDUC.deck)]
    seen = expected > 0
    chi_square = ((held - expected)[seen] ** 2 / expected[seen]).sum()
    freedom = seen.sum() - 1
    assert held[~seen].sum() == 0
    assert chi_square < freedom + 4 * np.sqrt(2 * freedom)
    left = [card for card in LEDUC.deck if card not in (hole_cards[0], LEDUC.deck[0])]
    boards = np.bincount(cards[cards[:, 1] == LEDUC.deck[0], 2], minlength=52)[left]
    chi_square = ((boards - boards.mean()) ** 2 / boards.mean()).sum()
    assert chi_square < len(left) - 1 + 4 * np.sqrt(2 * (len(left) - 1))


@pytest.mark.parametrize("rules", [KUHN, LEDUC], ids=lambda rules: rules.name)
@pytest.mark.parametrize("seed", [0, 1])
def test_learned_responders_come_near_the_best_response_and_never_above(rules, seed):
    strategy = random_abstract_strategy(abstract_game(rules), seed)
    tree = tree_of_rules(rules)
    table = tabulate_poker(strategy, tree)
    best = exploitability(tree, table).best_values
    won = []
    for seat in (0, 1):
        game = PokerResponderGame(strategy, build_responder_abstraction(rules), seat)
        responder = tabulate_poker(game.responder(learned(game, 8192)), tree)
        both = np.where(tree.slot_player == seat, responder.probabilities, table.probabilities)
        won.append(expected_values(tree, TableStrategy(tree, both))[seat])
        assert won[seat] <= best[seat] + 1e-6  # float32 tables
    assert sum(won) >= 0.98 * sum(best)


def test_the_same_seed_gives_the_same_games_also_after_pickling():
    strategy = random_abstract_strategy(abstract_game(LEDUC), 2)
    game = PokerResponderGame(strategy, build_responder_abstraction(LEDUC), 1)
    again = pickle.loads(pickle.dumps(game))
    first, second = (each.play(TREE.search, nothing(each), seed=7, first=3, number=50) for each in (game, again))
    np.testing.assert_array_equal(first.payoff, second.payoff)
    np.testing.assert_array_equal(first.infoset, second.infoset)
    np.testing.assert_array_equal(first.counted_total, second.counted_total)


@pytest.mark.parametrize("betting", ["fcpa", "a", "fc"])
@pytest.mark.parametrize("strategy", [random(), half_call_half_raise()], ids=lambda strategy: strategy.name)
def test_off_the_tree_the_engine_wins_what_its_strategy_wins_at_the_table(betting, strategy):
    """Any size is bet at a responder that knows few: its games and those of `play_lbr` have the same mean.

    Within four standard errors; in thousandths of a big blind, of stacks of twenty.
    """
    rules = sized_rules(stacks=[2_000, 2_000])
    for seat in (0, 1):
        game = PokerResponderGame(strategy, build_responder_abstraction(rules, betting=betting), seat)
        values = learned(game, 512)
        frozen = SearchOptions(simulations=0, exploring=0)
        known = replace(values, prior=values.prior + _calls(game))  # the engine has no fallback
        games = game.play(frozen, known, seed=1, first=0, number=20_000).payoff
        hands = game.evaluate(frozen, known, seed=2, first=0, number=20_000)
        error = np.sqrt((games.var() + hands.var()) / 20_000)
        assert abs(games.mean() - hands.mean()) < 4 * error
        assert np.abs(games).max() <= 20_000


def _calls(game):
    """`[S]` a little for calling, so that it is done where nothing was learned."""
    prior = np.zeros(game.num_slots, np.float32)
    calls = np.where((game.slots >= 0).sum(axis=1) > 1, 1, 0)
    prior[game.slots[np.arange(len(calls)), calls]] = 1e-3
    return prior


def test_a_responder_is_counted_in_its_own_seat():
    """Always-fold leaves its small blind to a seat that has not acted, and its big blind to one that raises."""
    won = evaluate_responders(always_fold(), (always_call(), always_raise()), load_rules("lhe2"), num_deals=50)
    np.testing.assert_array_equal(won, np.repeat([[0.5], [1.0]], 50, axis=1))


@pytest.mark.slow
def test_always_fold_is_beaten_as_much_as_can_be_in_limit_holdem():
    """`measure always-fold --game lhe2 --by br`: 0.75 small bets a hand, the mean of 0.5 and 1."""
    abstraction = build_responder_abstraction(load_rules("lhe2"), cards="percentile(ehs2, 5/5/5/5, recall=none)")
    games = [PokerResponderGame(always_fold(), abstraction, seat) for seat in (0, 1)]
    responders = [game.responder(learned(game, 2048)) for game in games]
    won = evaluate_responders(always_fold(), responders, abstraction.rules, num_deals=1000)
    np.testing.assert_array_equal(won.mean(axis=1), [0.5, 1.0])


def test_features_tell_information_sets_apart():
    game = PokerResponderGame(always_fold(), build_responder_abstraction(LEDUC), 0)
    features = game.features
    assert features.shape[0] == game.num_infosets == len(game.slots)
    assert features.dtype == np.float32
    assert np.isfinite(features).all()
    assert len(np.unique(features, axis=0)) == game.num_infosets


def test_what_cannot_be_answered_is_refused():
    sampled = Seeded()
    sampled.is_sampled = True
    with pytest.raises(ConfigError, match="seeded is known by samples only"):
        PokerResponderGame(sampled, build_responder_abstraction(LEDUC), 0)
    rules = load_rules("leduc3")
    tree = build_betting_tree(rules, parse_betting_abstraction("full"))
    abstraction = AbstractGame(tree, build_abstraction(parse_card_abstraction("lossless"), rules))
    with pytest.raises(UnsupportedGameError, match=r"leduc3.* has 3 seats"):
        PokerResponderGame(always_fold(), abstraction, 0)


def test_a_game_of_three_is_refused_before_its_tree_is_built(monkeypatch):
    monkeypatch.setattr(poker_responder_game, "build_betting_tree", None)
    with pytest.raises(UnsupportedGameError, match="lhe3 has 3 seats"):
        build_responder_abstraction(load_rules("lhe3"))


def test_levels_are_the_chance_to_win_against_what_is_believed():
    """In Kuhn poker against a strategy that ignores its cards: the king wins, the queen half of the time, the jack
    never. Lossless buckets are the cards in their order."""
    abstraction = build_responder_abstraction(KUHN)
    for seat in (0, 1):
        game = PokerResponderGame(always_call(), abstraction, seat, levels=3)
        num_buckets, num_infosets = 3, game.num_infosets // 3
        assert num_infosets == num_buckets * len(game.nodes)
        told = game.play(SearchOptions(simulations=3), nothing(game), seed=1, first=0, number=200)
        levels, inner = np.divmod(told.infoset, num_infosets)
        assert set(levels) == {0, 1, 2}
        np.testing.assert_array_equal(levels, inner % num_buckets)


@pytest.mark.parametrize("rules", [LEDUC, PAIRS], ids=lambda rules: rules.name)
def test_showdowns_that_count_by_belief_keep_the_mean_and_vary_less(rules):
    """The same games, once by what was dealt: differences of a million and of a hundred thousand games are noise."""
    game = abstract_game(rules)
    strategy = random_abstract_strategy(game, 5)
    responder = PokerResponderGame(strategy, game, 0, levels=4)
    dealt = _native.PokerSearch(
        game.native, 0, opponent_of(rules, strategy, 10).native, None, rules.unit_chips, 4, False
    )  # fmt: skip
    prior = np.random.default_rng(2).random(responder.num_slots, np.float32)
    values = replace(nothing(responder), prior=prior)
    options = SearchOptions(simulations=0, exploring=0)
    for number in (10_000, 100_000):
        by_belief = play_games(responder.native, options, values, seed=3, first=0, number=number).payoff
        by_cards = play_games(dealt, options, values, seed=3, first=0, number=number).payoff
        apart = by_belief - by_cards
        assert abs(apart.mean()) < 4 * apart.std() / np.sqrt(number)
        assert by_belief.std() < 0.95 * by_cards.std()


def test_levels_learn_to_beat_a_strategy_and_never_win_more_than_a_best_response():
    strategy = random_abstract_strategy(abstract_game(LEDUC), 3)
    exact = exploitability(tree_of_rules(LEDUC), tabulate_poker(strategy, tree_of_rules(LEDUC)))
    for seat in (0, 1):
        game = PokerResponderGame(strategy, build_responder_abstraction(LEDUC), seat, levels=5)
        values = learned(game, 4096)
        won = game.evaluate(SearchOptions(simulations=0, exploring=0), values, seed=9, first=0, number=40_000)
        best = exact.best_values[seat]
        interval = 3 * won.std() / np.sqrt(len(won))
        assert best * 0.9 - interval < won.mean() < best + interval


def test_nonsense_levels_are_refused():
    for levels in (0, 1.5, 100_000):
        with pytest.raises(ConfigError, match="levels"):
            PokerResponderGame(always_call(), build_responder_abstraction(KUHN), 0, levels=levels)
