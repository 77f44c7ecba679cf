"""Local Best Response: exact on small games, by hand on simple cases, the same however it is cut."""

import math
from dataclasses import replace

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy, sized_rules
from plain_lbr import chance_of, first_range, plain_decision, plain_value, without
from random_strategies import random_strategy

from nashgap.cards.card import hand_cards
from nashgap.core.estimate import half_width_95
from nashgap.core.game import CHANCE
from nashgap.errors import AgentError, ConfigError, MismatchError
from nashgap.games.compiled import load_tree
from nashgap.jobs.lbr import LbrJob
from nashgap.jobs.perform import perform
from nashgap.measures import opponents
from nashgap.measures.best_response import exploitability
from nashgap.measures.local_best_response import LbrOptions, lbr_decision, play_lbr
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.rules import load_rules
from nashgap.strategies.chumps import always_call, always_fold, half_call_half_raise, random, triple
from nashgap.strategies.poker_table import PokerTableStrategy
from nashgap.strategies.spec import as_bot

FULL = LbrOptions(bets="full")


def table_strategy(game, seed):
    return PokerTableStrategy(f"random {seed}", random_strategy(load_tree(game), seed))


def bound(rules, strategies, options, num_deals, seed=0):
    bots = tuple(map(as_bot, strategies))
    return perform(LbrJob(rules=rules, strategies=bots, deals=num_deals, options=options, seed=seed))


class AsAsked:
    """A strategy of the engine that is asked like somebody's own."""

    is_sampled = False

    def __init__(self, strategy):
        self.name = f"asked {strategy.name}"
        self.strategy = strategy

    def policies(self, states):
        return self.strategy.policies(states)


def native_decision(state, hole_cards, weights, strategy, bets, rounds):
    return lbr_decision(state, hole_cards, [strategy], FULL)


@pytest.mark.parametrize(("game", "num_strategies"), [("kuhn2", 50), ("leduc2", 2)])
def test_the_expectation_never_exceeds_the_best_response(game, num_strategies):
    rules = load_rules(game)
    bets = parse_betting_abstraction("full")
    num_below = 0
    for seed in range(num_strategies):
        strategy = table_strategy(game, seed)
        lbr = plain_value(rules, strategy, bets, range(rules.num_rounds), native_decision)
        best = exploitability(strategy.strategy.tree, strategy.strategy).best_values
        for seat in range(2):
            assert lbr[seat] <= best[seat] + 1e-12
            num_below += lbr[seat] < best[seat] - 1e-6
    assert num_below > 0  # it is not the best response


@pytest.mark.long
def test_the_expectation_never_exceeds_the_best_response_in_many_leducs():
    test_the_expectation_never_exceeds_the_best_response("leduc2", 50)


@pytest.mark.parametrize("options", [FULL, replace(FULL, imaginary=False), replace(FULL, duplicate=False)])
@pytest.mark.parametrize("game", ["kuhn2", "leduc2"])
def test_the_sampler_finds_the_expectation(game, options):
    rules = load_rules(game)
    strategy = table_strategy(game, 3)
    exact = np.mean(plain_value(rules, strategy, parse_betting_abstraction("full"), range(rules.num_rounds)))
    found = bound(rules, [strategy], options, 4000, seed=1)
    assert abs(found.estimate.mean - exact / rules.unit_chips) < 1.5 * found.estimate.ci95
    assert found.estimate.ci95 < 0.3
    if not options.duplicate:  # each seat has its own deals
        by_seat = [estimate.ci95 for estimate in found.by_seat]
        assert found.estimate.ci95 == pytest.approx(math.hypot(*by_seat) / len(by_seat), rel=0.01)


@pytest.mark.parametrize("game", ["kuhn2", "leduc2"])
def test_decisions_are_those_of_the_figure(game):
    rules = load_rules(game)
    strategy = table_strategy(game, 11)
    checked = set()

    def decide(state, hole_cards, weights, strategy, bets, rounds):
        action = plain_decision(state, hole_cards, weights, strategy, bets, rounds)
        key = state.betting, state.board, hole_cards
        if key not in checked and len(checked) < 150:
            checked.add(key)
            assert lbr_decision(state, hole_cards, [strategy], FULL) == action, key
        return action

    plain_value(rules, strategy, parse_betting_abstraction("full"), range(rules.num_rounds), decide)
    assert len(checked) >= 9


class HandReader:
    """Folds, calls and raises by a fixed random number for each hand and state: a strategy of its own for hold'em."""

    name = "hand reader"
    is_sampled = False

    def __init__(self, rules):
        self.bets = parse_betting_abstraction("0.5,1,a")
        self.hands = always_call().policies([rules.root()])[0].hands

    def policies(self, states):
        return [self._policy(state) for state in states]

    def _policy(self, state):
        moves = self.bets.actions(state)
        rng = np.random.default_rng([len(state.board), *state.betting.encode()])
        table = rng.random((len(self.hands), len(moves))) ** 3
        taken = np.array([bool({*hand_cards(i)} & set(state.board)) for i in range(len(self.hands))])
        table[taken] = 0.0
        table[~taken] /= table[~taken].sum(axis=1, keepdims=True)
        policy = always_call().policies([state])[0]
        return replace(policy, actions=tuple(map(str, moves)), probabilities=table, moves=tuple(moves))


def test_decisions_in_no_limit_are_those_of_the_figure():
    rules = load_rules("hunl")
    strategy = HandReader(rules)
    options = LbrOptions(bets="0.25,1,3,a")
    bets = parse_betting_abstraction(options.bets)
    rng = np.random.default_rng(4)
    num_checked = 0
    actions = set()
    while num_checked < 60:
        cards = rng.permutation(52)[:9].tolist()
        hole_cards, board, me = cards[:2], cards[4:], int(rng.integers(2))
        state, weights = rules.root(), first_range(rules, hole_cards)
        while not state.is_over:
            if state.seat == CHANCE:
                new = board[len(state.board) :][: state.num_missing_cards]
                state, weights = state.deal(new), without(rules, weights, new)
                continue
            if state.seat == me:
                action = plain_decision(state, hole_cards, weights, strategy, bets, range(4))
                assert lbr_decision(state, hole_cards, [strategy], options) == action, (state.betting, hole_cards)
                num_checked += 1
                actions.add(action if action <= 0 else 1)
                action = action if action and rng.random() < 0.3 else 0
            else:
                policy = strategy.policies([state])[0]
                action = policy.moves[int(rng.integers(len(policy.moves)))]
                action = 0 if action == -1 else action
                weights = weights * chance_of(policy, action)
            state = state.act(action)
    assert actions == {-1, 0, 1}


@pytest.mark.parametrize("chump", [always_call(), always_fold(), triple(0.2, 0.5, 0.3), half_call_half_raise()])
def test_asked_strategies_are_played_like_those_of_the_engine(chump):
    rules = load_rules("hunl")
    for options in (LbrOptions("fcpa", "3-4"), LbrOptions("0.5,a")):
        native = play_lbr(rules, [chump], options, seed=3, num_deals=40, has_lines=True)
        asked = play_lbr(rules, [AsAsked(chump)], options, seed=3, num_deals=40, has_lines=True)
        assert native.lines == asked.lines
        assert native.queries == asked.queries
        np.testing.assert_allclose(native.chips, asked.chips, atol=1e-9)


def test_asked_and_native_random_players_lose_the_same():
    """Their draws differ, their distribution does not."""
    rules, options = load_rules("hunl"), LbrOptions("fcpa", "3-4")
    native, asked = (bound(rules, [player], options, 600) for player in (random(), AsAsked(random())))
    assert abs(native.estimate.mean - asked.estimate.mean) < math.hypot(native.estimate.ci95, asked.estimate.ci95) * 1.5


def test_always_fold_loses_exactly_750():
    found = bound(load_rules("hunl"), [always_fold()], LbrOptions("fcpa"), 100)
    assert found.estimate.mean == 750.0
    assert found.estimate.ci95 == 0.0


def test_always_fold_against_an_lbr_that_waits():
    """Before the turn LBR only calls; from there a bet wins the pot of two big blinds at once."""
    found = bound(load_rules("hunl"), [always_fold()], LbrOptions("fcpa", "3-4"), 400)
    assert found.by_seat[0].mean == 500.0  # the small blind folds at once
    assert found.by_seat[1].mean == 1000.0


def test_a_batch_is_a_pure_function_of_its_deals():
    rules, options = load_rules("hunl"), LbrOptions("fcpa", "3-4")
    whole = play_lbr(rules, [random()], options, seed=9, num_deals=60)
    parts = [play_lbr(rules, [random()], options, seed=9, first_deal=first, num_deals=20) for first in (0, 20, 40)]
    np.testing.assert_array_equal(whole.chips, np.vstack([part.chips for part in parts]))
    assert whole.queries == sum(part.queries for part in parts)


def test_variance_reduction_leaves_the_mean():
    rules = load_rules("hunl")
    found = {}
    for changes in ({}, {"imaginary": False}, {"all_in": False}, {"duplicate": False}):
        options = replace(LbrOptions("fcpa", "3-4"), **changes)
        found[tuple(changes)] = bound(rules, [always_call()], options, 3000, seed=2).estimate
    whole = found.pop(())
    for changes, other in found.items():
        assert abs(other.mean - whole.mean) < 1.5 * math.hypot(other.ci95, whole.ci95)
        if changes != ("duplicate",):  # which has half the hands
            assert other.ci95 > whole.ci95


def test_three_players_keep_the_bound():
    """LBR in 3-player Kuhn wins no more than a best response does."""
    rules = load_rules("kuhn3")
    for seed in range(5):
        strategy = table_strategy("kuhn3", seed)
        found = bound(rules, [strategy, strategy], FULL, 3000, seed=seed)
        best = exploitability(strategy.strategy.tree, strategy.strategy).best_values
        assert found.estimate.lower_bound_975 <= np.mean(best)
        assert found.estimate.mean > np.mean(exploitability(strategy.strategy.tree, strategy.strategy).values)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (LbrOptions(rounds="5"), "rounds '5': '5' is none of the 4 rounds of hunl"),
        (LbrOptions(rounds="4-3"), "rounds '4-3'"),
        (LbrOptions(bets="on-tree"), "only a strategy of an abstract game"),
        (LbrOptions(bets="fcpb"), "betting abstraction"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(ConfigError, match=message):
        bound(load_rules("hunl"), [always_call()], options, 10)


def test_fifty_six_bets():
    state = load_rules("hunl").root()
    bets = LbrOptions("56").abstraction([always_call()])
    assert len(bets.sizes[0][0]) == 56
    raises = [action for action in bets.actions(state) if action > 0]
    assert raises[0] == 200 and raises[-1] == 20_000 and len(raises) == len(set(raises))


def test_fifty_six_bets_are_whole_chips_of_exact_fractions():
    """0.05 times 1.15 to the k, half chips up, in every pot that two stacks of 20,000 can make."""
    *sizes, _ = LbrOptions("56").abstraction([always_call()]).sizes[0][0]
    for k, size in enumerate(sizes):
        exact, (part, whole) = (23**k, 20 ** (k + 1)), size.as_integer_ratio()
        for pot in range(1, 40_001):
            assert (2 * pot * part + whole) // (2 * whole) == (2 * pot * exact[0] + exact[1]) // (2 * exact[1])


SIZED = abstract_game(sized_rules(stacks=[2000, 2000]), "fcpa")
BETS_OFF_TREE = LbrOptions(bets="min,0.3,0.8,1,2,a")


@pytest.mark.parametrize("options", [{}, {"fallback": "call"}, {"threshold": 0.2}, {"purify": True}], ids=str)
def test_a_table_is_played_like_one_that_is_asked(options):
    """With hard translation there is one path, and both draw alike."""
    strategy = random_abstract_strategy(SIZED, seed=5, unreached=0.1, translation="hard", **options)
    for lbr in (BETS_OFF_TREE, LbrOptions("on-tree", "2")):
        table, asked = (
            play_lbr(SIZED.rules, [player], replace(lbr, bets=bets), seed=8, num_deals=200, has_lines=True)
            for player, bets in ((strategy, lbr.bets), (AsAsked(strategy), lbr.bets.replace("on-tree", "fcpa")))
        )
        assert table.lines == asked.lines
        np.testing.assert_allclose(table.chips, asked.chips, atol=1e-6)
        assert table.queries == asked.queries


@pytest.mark.parametrize("translation", ["soft", "pseudo-harmonic"])
def test_translated_paths_are_added_up_as_in_policies(translation):
    """Decisions need no draws: they are the same for the table and for its policies."""
    strategy = random_abstract_strategy(SIZED, seed=6, translation=translation)
    rng = np.random.default_rng(1)
    num_checked, num_spread = 0, 0
    while num_checked < 150:
        deck = rng.permutation(SIZED.rules.deck).tolist()
        state = SIZED.rules.root()
        while not state.is_over:
            if state.seat == CHANCE:
                state = state.deal([deck[2]])
                continue
            if len(strategy.places(state)) > 1:
                num_spread += 1
            own = lbr_decision(state, deck[:1], [strategy], BETS_OFF_TREE)
            assert own == lbr_decision(state, deck[:1], [AsAsked(strategy)], BETS_OFF_TREE)
            num_checked += 1
            legal = state.legal
            sizes = [legal.min_raise_to, (legal.min_raise_to + legal.max_raise_to) // 2] if legal.can_raise else []
            choices = [0, *(size for size in sizes if size in legal)]
            state = state.act(choices[int(rng.integers(len(choices)))])
    assert num_spread > 20


def test_sampled_translation_has_the_mean_of_soft_translation():
    """Samples change what LBR believes, not what a legal opponent may win: the soft bound is met within noise."""
    soft = random_abstract_strategy(SIZED, seed=7, translation="soft")
    sampled = soft.with_options(translation="sampled")
    found = {}
    for strategy, samples, deals in (
        (soft, 1, 3000),
        (sampled, 2, 3000),
        (sampled, 200, 3000),
        (AsAskedSamples(sampled), 10, 60),
    ):
        options = replace(BETS_OFF_TREE, samples=samples)
        found[strategy.name, samples] = bound(SIZED.rules, [strategy], options, deals, seed=4).estimate
    exact, few, many, asked = found.values()
    assert few.mean != many.mean, "the number of samples counts"
    assert abs(many.mean - exact.mean) < 1.5 * math.hypot(many.ci95, exact.ci95)
    assert abs(asked.mean - exact.mean) < 1.5 * math.hypot(asked.ci95, exact.ci95)
    assert few.mean < exact.mean + math.hypot(few.ci95, exact.ci95)


class DrawsOnce:
    """Folds or calls, by one draw for all states that it is asked about: half of the time each."""

    name = "draws once"
    is_sampled = True

    def sample_policies(self, states, seed):
        action = int(np.random.default_rng(seed).integers(2))
        return [self._policy(state, action) for state in states]

    def _policy(self, state, action):
        folds = action == 0 and state.legal.can_fold
        policy = always_call().policies([state])[0]
        return replace(policy, actions=("f" if folds else "c",), moves=(-1 if folds else 0,))


def test_samples_of_one_hand_tell_nothing_about_another():
    """A best response wins half an ante: bets win the pot half of the time, and lose nothing else on average."""
    rules = load_rules("kuhn2")
    means = []
    for seed in range(4):
        found = bound(rules, [DrawsOnce()], replace(FULL, samples=3), 100, seed=seed).estimate
        assert found.mean - 2 * found.ci95 <= 0.5
        means.append(found.mean)
    assert np.std(means) < 0.2
    whole = play_lbr(rules, [DrawsOnce()], FULL, seed=3, num_deals=30)
    parts = [play_lbr(rules, [DrawsOnce()], FULL, seed=3, first_deal=first, num_deals=10) for first in (0, 10, 20)]
    np.testing.assert_array_equal(whole.chips, np.vstack([part.chips for part in parts]))


def test_what_is_no_strategy_for_the_game_is_refused():
    strategy = random_abstract_strategy(SIZED)
    with pytest.raises(MismatchError, match="not for hunl"):
        play_lbr(load_rules("hunl"), [strategy], LbrOptions(), num_deals=2)
    with pytest.raises(ConfigError, match="with 3 seats it must be 1"):
        play_lbr(load_rules("lhe3"), [always_call()] * 2, LbrOptions(lookahead=2), num_deals=2)
    state = load_rules("hunl").root()
    for cards in ((3, 3), (200, 201), (1,)):
        with pytest.raises(ConfigError, match="of the deck"):
            lbr_decision(state, cards, [always_call()], LbrOptions())


class Nonsense(AsAsked):
    def policies(self, states):
        return [replace(policy, probabilities=policy.probabilities * 0) for policy in super().policies(states)]


def test_nonsense_of_an_object_is_refused():
    with pytest.raises(AgentError, match="add up"):
        play_lbr(load_rules("hunl"), [Nonsense(always_call())], LbrOptions(), num_deals=2)


class AsAskedSamples:
    is_sampled = True

    def __init__(self, strategy):
        self.name = "asked for samples"
        self.strategy = strategy

    def sample_policies(self, states, seed):
        return self.strategy.sample_policies(states, seed)

    def policies(self, states):
        raise AssertionError("it is known by samples only")


@pytest.mark.parametrize("game", ["kuhn2", "leduc2"])
def test_a_longer_lookahead_keeps_the_bound(game):
    rules = load_rules(game)
    options = replace(FULL, lookahead=2)
    is_other = False
    for seed in range(4):
        strategy = table_strategy(game, seed)

        def decide(state, hole_cards, weights, strategy, bets, rounds):
            action = lbr_decision(state, hole_cards, [strategy], options)
            nonlocal is_other
            is_other |= action != lbr_decision(state, hole_cards, [strategy], FULL)
            return action

        if game == "leduc2" and seed > 0:
            break
        found = plain_value(rules, strategy, parse_betting_abstraction("full"), range(rules.num_rounds), decide)
        best = exploitability(strategy.strategy.tree, strategy.strategy).best_values
        assert all(value <= most + 1e-12 for value, most in zip(found, best, strict=True))
    assert is_other == (game == "leduc2")  # nobody raises a bet in Kuhn poker
    near, far = (play_lbr(rules, [table_strategy(game, 0)], each, num_deals=200).chips for each in (FULL, options))
    assert (near != far).any() == is_other, "hands are played by it too"


def test_intervals_cover_the_expectation():
    """Of 500 runs, 95% should; 93 to 97% are two standard errors around that."""
    rules = load_rules("kuhn2")
    strategy = table_strategy("kuhn2", 3)
    exact = np.mean(plain_value(rules, strategy, parse_betting_abstraction("full"), range(1))) / rules.unit_chips
    covered = 0
    for seed in range(500):
        found = play_lbr(rules, [strategy], FULL, seed=seed, num_deals=100).chips.mean(axis=1) / rules.unit_chips
        covered += abs(found.mean() - exact) <= half_width_95(float(found.var(ddof=1)), 100)
    assert 0.93 <= covered / 500 <= 0.97


def test_what_is_played_is_not_among_what_is_believed():
    state = load_rules("kuhn2").root().act(2)
    fold, call = (DrawsOnce()._policy(state, action) for action in (0, 1))
    moves, believed, played = opponents._mean_and_last([fold, fold, call])
    assert moves == [(-1, -1), (0, 0)]
    assert (believed == [1.0, 0.0]).all() and (played == [0.0, 1.0]).all()
