"""Best responses on given boards, to strategies that are asked, in given trees: held to deals one by one."""

from functools import partial
from itertools import permutations

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy
from plain_response import plain_best_value
from short_decks import short_deck

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.cards.card import format_cards, parse_cards
from nashgap.core.strategy import Policy
from nashgap.errors import ConfigError, GameSizeError, MismatchError
from nashgap.jobs.full_response import measure_br
from nashgap.jobs.lbr import measure_lbr
from nashgap.measures.full_response import TreeResponse
from nashgap.measures.played_tree import played_tree
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.hands import hand_names
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.strategies import chumps
from nashgap.strategies.abstract import graft
from nashgap.strategies.spec import as_bot

CLOSE = 1e-5  # chips; float32 vectors beside doubles

short_rules = partial(short_deck, blinds="1 2", first=2)

THREE_ROUNDS = short_rules(rounds=3, suits=2, ranks=4, hole=1, board="0 1 1")
FOUR_ROUNDS = short_rules(rounds=4, suits=2, ranks=3, hole=1, board="0 1 1 1")
TWO_CARDS = short_rules(rounds=3, suits=2, ranks=4, hole=2, board="0 1 1")
NO_LIMIT = parse_rules(
    """GAMEDEF
nolimit
numPlayers = 2
numRounds = 2
stack = 30 30
blind = 2 1
firstPlayer = 2 1
numSuits = 2
numRanks = 4
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF""",
    "short-no-limit",
)


class BySuit:
    """Does something else with every hand on every board after every betting; the suits of a card matter."""

    name, is_sampled = "by suit", False

    def __init__(self, actions_at):
        self.actions_at, self.num_asked = actions_at, 0

    def policies(self, states):
        self.num_asked += len(states)
        return [self.policy(state) for state in states]

    def policy(self, state):
        names, moves = hand_names(state.rules), tuple(self.actions_at(state))
        words = f"{state.betting} {format_cards(state.board)}".encode()
        random = np.random.default_rng(list(words))
        rows = random.uniform(size=(len(names), len(moves))) * (random.uniform(size=(len(names), len(moves))) < 0.7)
        rows[rows.sum(axis=1) == 0, 0] = 1.0
        return Policy(names, (), rows / rows.sum(axis=1, keepdims=True), moves)


def by_suit(rules, bets="full"):
    return BySuit(parse_betting_abstraction(bets).actions), played_tree(bets, rules)


def random_strategy(rules, bets, seed=0, prefix=(), **options):
    tree = build_betting_tree(rules, parse_betting_abstraction(bets), prefix)
    game = AbstractGame(tree, build_abstraction(parse_card_abstraction("lossless"), rules))
    return random_abstract_strategy(game, seed, 0.1, **options)


def actions_of(tree):
    known = {state.betting: actions for state, actions in zip(tree.states, tree.actions, strict=True)}
    return lambda state: known[state.betting]


def on_boards(response, boards):
    """What best responses of both seats win in the game of these boards, and the first seat's value, in chips."""
    found = [response.at_board(board) for board in boards]
    payoffs = [np.array([each.payoffs[seat] for each in found]) / len(boards) for seat in range(2)]
    best = [trunk.best_value(boards, rows) for trunk, rows in zip(response.trunks(boards[0]), payoffs, strict=True)]
    return best, float(np.mean([each.value for each in found]))


def assert_as_by_deals(response, strategy, tree, boards):
    plain = partial(plain_best_value, strategy, tree.rules, actions_of(tree), boards)
    best, value = on_boards(response, boards)
    assert best == pytest.approx([plain(0), plain(1)], abs=CLOSE)
    assert value == pytest.approx(plain(0, is_best=False), abs=CLOSE)


def ways(rules, number):
    return list(permutations(rules.deck, number))


@pytest.mark.parametrize(
    ("rules", "number", "every"),
    [(THREE_ROUNDS, 1, 3), (THREE_ROUNDS, 2, 5), (FOUR_ROUNDS, 2, 7), (FOUR_ROUNDS, 3, 11), (TWO_CARDS, 2, 9)],
)
def test_a_strategy_that_tells_suits_apart_is_answered_as_deal_by_deal(rules, number, every):
    """On some boards of each round; those that begin alike are answered alike until they differ."""
    strategy, tree = by_suit(rules)
    assert_as_by_deals(TreeResponse(strategy, tree), strategy, tree, ways(rules, number)[::every])


@pytest.mark.parametrize(("rules", "number"), [(THREE_ROUNDS, 2), (FOUR_ROUNDS, 2), (FOUR_ROUNDS, 3)])
def test_a_known_strategy_on_turn_boards_is_answered_as_deal_by_deal(rules, number):
    strategy, tree = random_strategy(rules, "full"), played_tree("full", rules)
    assert_as_by_deals(TreeResponse(strategy), strategy, tree, ways(rules, number)[::5])


@pytest.mark.parametrize("rules", [THREE_ROUNDS, TWO_CARDS])
def test_all_turns_of_all_flops_are_the_whole_game(rules):
    strategy, tree = by_suit(rules)
    response = TreeResponse(strategy, tree)
    whole, value = on_boards(response, ways(rules, 1))
    by_turns, own = on_boards(response, ways(rules, 2))
    assert by_turns == pytest.approx(whole, abs=CLOSE)
    assert own == pytest.approx(value, abs=CLOSE)


def test_every_question_is_asked_once():
    strategy, tree = by_suit(FOUR_ROUNDS)
    response = TreeResponse(strategy, tree)
    for number in (1, 2, 3):
        strategy.num_asked = 0
        board = ways(FOUR_ROUNDS, number)[0]
        response.at_board(board)
        assert strategy.num_asked == response.asked.num_questions(board)


def test_a_strategy_of_an_abstract_game_is_answered_alike_where_it_is_asked():
    strategy, tree = random_strategy(TWO_CARDS, "full"), played_tree("full", TWO_CARDS)
    boards = ways(TWO_CARDS, 2)[::6]
    wanted, value = on_boards(TreeResponse(strategy), boards)
    for response in (TreeResponse(strategy, tree), TreeResponse(strategy, tree, is_general=True)):
        best, own = on_boards(response, boards)
        assert best == pytest.approx(wanted, abs=CLOSE)
        assert own == pytest.approx(value, abs=CLOSE)


@pytest.mark.parametrize("translation", ["hard", "soft", "pseudo-harmonic"])
@pytest.mark.parametrize("text", ["own+0.5,1,2", "own+min", "1,a"])
def test_a_translated_strategy_is_answered_as_deal_by_deal(text, translation):
    strategy = random_strategy(NO_LIMIT, "fcpa", translation=translation)
    tree = played_tree(text, NO_LIMIT, strategy)
    boards = ways(NO_LIMIT, 1)
    assert_as_by_deals(TreeResponse(strategy, tree), strategy, tree, boards)
    best, _ = on_boards(TreeResponse(strategy, tree), boards)
    asked, _ = on_boards(TreeResponse(strategy, tree, is_general=True), boards)
    own, _ = on_boards(TreeResponse(strategy), boards)
    assert asked == pytest.approx(best, abs=CLOSE)
    assert all(more >= less - CLOSE for more, less in zip(best, own, strict=True))
    if text == "1,a":
        assert best == pytest.approx(own, abs=CLOSE)


@pytest.mark.parametrize("text", ["own", "own+0.5"])
def test_grafted_strategies_are_answered_as_deal_by_deal(text):
    """Behind a raise another tree is played; one raise more is taken for it where the tree has such a one."""
    raised = played_tree("fcpa", NO_LIMIT).states[0].act(6)
    base = random_strategy(NO_LIMIT, "fcpa", translation="soft")
    strategy = graft(base, random_strategy(NO_LIMIT, "fcpa", seed=1, prefix=raised.history[0]))
    tree, boards = played_tree(text, NO_LIMIT, strategy), ways(NO_LIMIT, 1)
    assert_as_by_deals(TreeResponse(strategy, tree), strategy, tree, boards)
    best, _ = on_boards(TreeResponse(strategy, tree), boards)
    asked, _ = on_boards(TreeResponse(strategy, tree, is_general=True), boards)
    assert asked == pytest.approx(best, abs=CLOSE)


@pytest.mark.parametrize("chump", [chumps.random(), chumps.probe()])
def test_a_chump_on_turn_boards_is_answered_as_deal_by_deal(chump):
    tree = build_betting_tree(FOUR_ROUNDS, parse_betting_abstraction("full"))
    known = played_tree("full", FOUR_ROUNDS)
    assert_as_by_deals(TreeResponse(chump, tree), chump, known, ways(FOUR_ROUNDS, 2)[::4])


@pytest.mark.parametrize("turn", ["QsQh2c2d", "AsKsQsJs", "7h7d2c7s", "AsKhQdQc"])
def test_suits_are_renamed_only_where_flop_and_turn_stay_as_they_are(turn):
    """Where a renaming leaves the four cards but not the flop, hands that it swaps may be of other buckets there."""
    rules = load_rules("lhe2")
    game = abstract_game(rules, "full caps=1", "percentile(ehs2, 5/5/5/5, recall=all)")
    strategy = random_abstract_strategy(game, 3)
    once, apart = (TreeResponse(strategy, is_by_suit=each).at_board(parse_cards(turn)) for each in (False, True))
    for seat in range(2):
        np.testing.assert_allclose(once.payoffs[seat], apart.payoffs[seat], atol=1e-6)
    assert once.value == pytest.approx(apart.value, abs=1e-6)


@pytest.mark.parametrize("bets", ["full", "fcpa"])
def test_local_best_response_wins_no_more_on_the_same_boards(bets):
    """On some flops with their turns; where bets have sizes, with those of the tree."""
    if bets == "full":
        rules, flops, strategy = TWO_CARDS, "AsKs, AsQh, AhKs", by_suit(TWO_CARDS)[0]
    else:
        rules, flops, strategy = NO_LIMIT, "As, Kh", by_suit(NO_LIMIT, "fcpa")[0]
    bots = (as_bot(strategy, digest=bets),)
    best = measure_br(bots, rules, tree=bets, flops=flops)
    bound = measure_lbr(bots, rules, bets=bets, deals=2_000, flops=flops)
    assert bound.estimate.lower_bound_975 <= best.exploitability
    assert bound.estimate.mean > 0.2 * best.exploitability  # it is the same game


def test_local_best_response_wins_no_more_from_a_translated_strategy():
    bots = (as_bot(random_strategy(NO_LIMIT, "fcpa"), digest="some"),)
    best = measure_br(bots, NO_LIMIT, tree="own+0.4,0.7", flops="As, Kh")
    bound = measure_lbr(bots, NO_LIMIT, bets="0.4,0.7", deals=4_000, flops="As, Kh")
    assert bound.estimate.lower_bound_975 <= best.exploitability
    assert bound.estimate.mean > 0.2 * best.exploitability


def test_moves_outside_a_tree_are_refused_by_name():
    strategy, _ = by_suit(NO_LIMIT, "fcpa")
    with pytest.raises(MismatchError, match=r"by suit after '', on the button: r6 is not in the betting tree 0.5,a"):
        TreeResponse(strategy, played_tree("0.5,a", NO_LIMIT)).at_board(ways(NO_LIMIT, 1)[0])
    with pytest.raises(MismatchError, match=r"such as own\+0.5,a"):
        TreeResponse(random_strategy(NO_LIMIT, "fcpa"), played_tree("0.5,a", NO_LIMIT))


def test_what_is_known_by_samples_is_refused():
    strategy = random_strategy(NO_LIMIT, "fcpa", translation="sampled")
    with pytest.raises(ConfigError, match="translation=soft has their mean"):
        TreeResponse(strategy, played_tree("own+0.5", NO_LIMIT, strategy))


def test_a_tree_that_is_too_large_is_refused_at_once():
    with pytest.raises(GameSizeError, match="too many"):
        played_tree("full", load_rules("hunl"))
