"""Two ranges on a public tree, held to the same games compiled hand by hand and deal by deal."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest
from short_decks import short_deck

from nashgap.cards.card import parse_cards
from nashgap.cards.evaluator import hand_ranks
from nashgap.cards.ranges import parse_range
from nashgap.core.compile import compile_tree
from nashgap.core.game import Deals
from nashgap.errors import ConfigError, MismatchError, UnsupportedGameError
from nashgap.measures.best_response import exploitability
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.game import DealtPokerState, PokerGame
from nashgap.poker.hands import hand_place, hands_of
from nashgap.poker.rules import load_rules
from nashgap.poker.spot import Spot
from nashgap.poker.state import View
from nashgap.solvers.cfr import CFR
from nashgap.solvers.range_cfr import RangeCFR
from nashgap.solvers.schedules import DCFR, PCFR_PLUS, PDCFR_PLUS, SCHEDULES
from nashgap.strategies.range_strategy import STORAGES, RangeLock, RangeStrategy, count_range_game
from nashgap.strategies.table import TableStrategy

TOLERANCE = 1e-5  # chips; float32 vectors beside doubles


@dataclass(frozen=True)
class RangedGame(PokerGame):
    """A game on a given board, in which hands come by weights."""

    board: tuple[int, ...] = ()
    weights: tuple[tuple[float, ...], ...] = ()

    @cached_property
    def _deals(self) -> Deals:
        plain = PokerGame(self.definition).deals()
        places = np.array([hand_place(self.rules, cards) for cards in self.hands.tolist()])
        first, second = (np.array(row)[places[plain.hands[:, seat]]] for seat, row in enumerate(self.weights))
        chance = first * second
        lying = np.uint64(sum(1 << card for card in self.board))
        chance *= ((self.hand_bits[plain.hands] & lying) == 0).all(axis=1)
        kept = chance > 0
        return Deals(plain.hands[kept], chance[kept] / chance.sum())

    @property
    def num_deals(self) -> int:
        return len(self._deals.hands)

    def public_root(self):
        root = self.rules.root()
        return DealtPokerState(self, root.deal(self.board) if self.board else root)


def full_tree(rules):
    return build_betting_tree(rules, parse_betting_abstraction("full"))


def ran(strategy, schedule=DCFR, iterations=60):
    """The strategy after so many iterations."""
    RangeCFR(strategy, schedule).run(iterations)
    return strategy


def solved(rules, board=(), ranges=None, schedule=DCFR, iterations=60):
    """The strategy, and the weights of its hands as they are counted."""
    ranges = np.ones((2, len(hands_of(rules)))) if ranges is None else ranges
    return ran(RangeStrategy(full_tree(rules), board, ranges), schedule, iterations), ranges.astype(np.float32)


def compiled_game(strategy, ranges):
    rules = strategy.tree.rules
    game = RangedGame(tuple(rules.to_text().splitlines()), strategy.board, tuple(map(tuple, ranges.tolist())))
    return game, compile_tree(game, "ranged")


def slots_of(strategy, game, compiled):
    """What the strategy does in each slot of the compiled game."""
    rules = strategy.tree.rules
    probabilities = np.zeros(compiled.num_slots)
    hands = hands_of(rules)
    for state in decisions(game.public_root()):
        rows = strategy.view([action for part in state.history for action in part], state.board).strategy
        for place, cards in enumerate(hands):
            infoset = compiled.infoset_index.get(f"{state.seat}:{game.infoset_of(View(state, state.seat, cards))}")
            if infoset is not None:
                probabilities[compiled.slots(infoset)] = rows[place]
    return probabilities


def exact_gap(strategy, ranges):
    """NashConv of what was found, in chips: its strategy in the compiled game, where best responses are exact."""
    game, compiled = compiled_game(strategy, ranges)
    table = TableStrategy(compiled, slots_of(strategy, game, compiled))
    return exploitability(compiled, table).nash_conv * strategy.tree.rules.unit_chips


def decisions(dealt):
    if dealt.player >= 0:
        yield dealt.state
    for move in range(len(dealt.actions)):
        yield from decisions(dealt.child(move))


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("game", ["kuhn2", "leduc2"])
def test_small_games_are_solved_as_their_trees_are(game, schedule):
    rules = load_rules(game)
    strategy, ranges = solved(rules, schedule=SCHEDULES[schedule])
    assert strategy.nash_conv() == pytest.approx(exact_gap(strategy, ranges), abs=TOLERANCE)
    assert sum(strategy.values()) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(("game", "tolerance"), [("kuhn2", 1e-5), ("leduc2", 1e-3)])
@pytest.mark.parametrize("schedule", ["cfr+", "pcfr+", "pdcfr+"])
def test_it_goes_the_way_of_cfr_on_the_compiled_game(game, tolerance, schedule):
    """Hands of uneven weights, so that no two actions are worth the same, where rounding would decide."""
    rules = load_rules(game)
    ranges = np.random.default_rng(7).uniform(0.5, 1.0, size=(2, len(hands_of(rules)))).astype(np.float32)
    strategy, _ = solved(rules, ranges=ranges, schedule=SCHEDULES[schedule], iterations=20)
    plain = CFR(compiled_game(strategy, ranges)[1], SCHEDULES[schedule])
    plain.run(20)
    found = slots_of(strategy, *compiled_game(strategy, ranges))
    np.testing.assert_allclose(found, plain.average_strategy().probabilities, atol=tolerance)


@pytest.mark.parametrize("schedule", [PCFR_PLUS, PDCFR_PLUS])
def test_predictions_go_through_boards_to_come(schedule):
    rules = short_deck(suits=2, ranks=3)
    ranges = np.random.default_rng(2).uniform(size=(2, 1326))
    (early, weights), (late, _) = (solved(rules, (), ranges, schedule, iterations) for iterations in (20, 200))
    assert early.nash_conv() == pytest.approx(exact_gap(early, weights), abs=TOLERANCE)
    assert late.nash_conv() < early.nash_conv() / 10


@pytest.mark.parametrize("suits", [2, 3, 4])
def test_boards_that_suits_alone_tell_apart_are_one(suits):
    rules = short_deck(suits=suits, ranks=3)
    strategy, ranges = solved(rules)
    assert strategy.nash_conv() == pytest.approx(exact_gap(strategy, ranges), abs=TOLERANCE)
    assert strategy.num_boards == 1 + 3  # one for each rank


@pytest.mark.parametrize("text", ["As", "AsKs", "AsAh"])
def test_ranges_on_a_given_board(text):
    """Monotone and paired boards among them, and ranges that tell suits apart or do not."""
    board = parse_cards(text)
    rules = short_deck(board=f"{len(board)} 1", suits=3, ranks=3)
    by_rank = np.array([1.0 / (1 + sum(card // 4 for card in cards)) for cards in hands_of(rules)])
    apart = np.random.default_rng(1).uniform(size=len(by_rank))
    for ranges in (np.stack([by_rank, by_rank**2]), np.stack([by_rank, apart]), np.stack([apart, apart[::-1]])):
        strategy, weights = solved(rules, board, ranges)
        assert strategy.nash_conv() == pytest.approx(exact_gap(strategy, weights), abs=TOLERANCE)
        assert strategy.nash_conv() < 0.05


def test_two_rounds_to_come_and_hands_that_are_not_there():
    rules = short_deck(rounds=3, board="0 1 1", suits=2, ranks=3)
    ranges = np.random.default_rng(2).uniform(size=(2, 1326)) * (np.random.default_rng(3).uniform(size=(2, 1326)) < 0.7)
    strategy, ranges = solved(rules, (), ranges)
    assert strategy.nash_conv() == pytest.approx(exact_gap(strategy, ranges), abs=TOLERANCE)


def test_the_size_is_told_before_memory_is_taken():
    """By hand: kuhn2 has one board, four decisions of two actions; three hands of each seat are a block of sixteen."""
    tree = build_betting_tree(load_rules("kuhn2"), parse_betting_abstraction("full"))
    size = count_range_game(tree, (), np.ones((2, 3)))
    assert (size.num_boards, size.num_action_nodes) == (1, 4)
    assert size.num_bytes == 4 * 2 * 16 * 2 * 4  # decisions, actions, hands, sums, bytes of a float
    assert size == RangeStrategy(tree, (), np.ones((2, 3))).size


def test_a_predictive_schedule_takes_one_table_more():
    tree = full_tree(load_rules("kuhn2"))
    strategy = RangeStrategy(tree, (), np.ones((2, 3)))
    plain = strategy.num_bytes
    RangeCFR(strategy, PCFR_PLUS)
    assert strategy.num_bytes == 3 * plain // 2
    assert strategy.size == count_range_game(tree, (), np.ones((2, 3)), is_predictive=True)
    RangeCFR(strategy, DCFR)
    assert strategy.num_bytes == plain


def test_16_bits_take_half_the_memory_and_an_exponent_for_sixteen_hands():
    tree = full_tree(load_rules("kuhn2"))
    strategy = RangeStrategy(tree, (), np.ones((2, 3)), storage="int16")
    assert strategy.num_bytes == 4 * 2 * 2 * (2 * 16 + 1)  # decisions, actions, sums, bytes of a block
    assert strategy.size == count_range_game(tree, (), np.ones((2, 3)), storage="int16")
    RangeCFR(strategy, PCFR_PLUS)
    assert strategy.size == count_range_game(tree, (), np.ones((2, 3)), storage="int16", is_predictive=True)
    arrays = [array for player in (0, 1) for array in strategy.native.arrays(player).values()]
    assert strategy.num_bytes == sum(array.nbytes for array in arrays)


@pytest.mark.parametrize("schedule", [DCFR, PCFR_PLUS])
def test_the_gap_keeps_falling_in_16_bits(schedule):
    """Ten times the iterations, by when increments are below a step of many sums."""
    tree = full_tree(short_deck(suits=2, ranks=3))
    ranges = np.random.default_rng(2).uniform(size=(2, 1326)).astype(np.float32)
    early, late = (
        ran(RangeStrategy(tree, (), ranges, storage="int16"), schedule, iterations) for iterations in (60, 600)
    )
    assert early.nash_conv() == pytest.approx(exact_gap(early, ranges), abs=TOLERANCE)
    assert late.nash_conv() < early.nash_conv() / 10


def test_numbers_that_16_bits_hold_exactly_stay_as_they_are():
    """Between two looks nothing is learned at locked decisions, although all of a row is written."""
    rules = short_deck(board="1 1", suits=3, ranks=3)
    rows = np.tile(np.array([[0.25, 0.75]], np.float32), (1326, 1))
    locks = [RangeLock((), rows)]
    strategy = RangeStrategy(full_tree(rules), parse_cards("As"), np.ones((2, 1326)), locks=locks, storage="int16")
    for _ in range(3):
        ran(strategy, iterations=50)
        held = strategy.view([], parse_cards("As"))
        np.testing.assert_array_equal(held.strategy[held.reach[0] > 0], rows[held.reach[0] > 0])


def test_tables_of_16_bits_are_the_weights_that_views_are_made_of():
    rules = load_rules("leduc2")
    strategy = ran(RangeStrategy(full_tree(rules), (), np.ones((2, 6)), storage="int16"))
    weights = strategy.weights(0).reshape(-1, 16)[:2, :6].T  # the first decision has the first slots
    np.testing.assert_allclose(strategy.view([], ()).strategy, weights / weights.sum(axis=1, keepdims=True), atol=1e-6)


def test_a_state_of_another_storage_is_refused():
    solvers = [
        RangeCFR(RangeStrategy(full_tree(load_rules("kuhn2")), (), np.ones((2, 3)), storage=storage))
        for storage in STORAGES
    ]
    with pytest.raises(MismatchError, match=r"'regret_sum_0' is int16, this solver keeps float32"):
        solvers[0].restore(solvers[1].state())
    with pytest.raises(MismatchError, match="has no 'regret_sum_exponent_0'"):
        solvers[1].restore(solvers[0].state())
    with pytest.raises(ConfigError, match="storage 'int8'; it must be one of float32, int16"):
        RangeStrategy(full_tree(load_rules("kuhn2")), (), np.ones((2, 3)), storage="int8")


def test_the_flop_spot_of_postflop_solver_has_as_many_action_nodes():
    """Its examples/basic.rs from the flop on, in the same ranges; counted there: 163,287."""
    betting = parse_betting_abstraction("60%,e,a > 2.5x donk=-/-/50% add-all-in=1.5 force-all-in=0.15 merge=0.1")
    ranges = (
        parse_range("66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"),
        parse_range("QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"),
    )
    spot = Spot(parse_cards("Td9d6h"), ranges, 200, (900, 900), betting)
    assert tuple((spot.weights > 0).sum(axis=1)) == (180, 265)
    size = count_range_game(spot.tree, spot.board, spot.weights)
    # Clubs and spades are alike on this flop: 36 turns, of which 13 are clubs with 48 rivers, 23 others with 35.
    assert size.num_boards == 1 + 36 + 13 * 48 + 23 * 35
    assert spot.tree.size.nodes_by_round == (10, 50, 113)
    assert size.num_action_nodes == 10 + 50 * 36 + 113 * 1_429 == 163_287


def test_what_the_house_takes_is_no_gain_of_a_response():
    tree = build_betting_tree(load_rules("leduc2"), parse_betting_abstraction("full"))
    strategy = RangeStrategy(tree, (), np.ones((2, 6)), rake=(0.05, 0.5))
    RangeCFR(strategy).run(200)
    assert sum(strategy.values()) < -0.1
    assert strategy.nash_conv() == pytest.approx(sum(strategy.response_values()) - sum(strategy.values()))
    assert -1e-6 < strategy.nash_conv() < 0.05


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("schedule", [DCFR, PCFR_PLUS])
def test_threads_change_nothing(schedule, storage):
    rules = short_deck(rounds=3, board="0 1 1")
    tree = full_tree(rules)
    found = []
    for threads in (1, 2, 5):
        strategy = ran(RangeStrategy(tree, (), np.ones((2, 1326)), storage=storage, threads=threads), schedule, 7)
        found.append((strategy.values(), strategy.response_values()))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("schedule", [DCFR, PCFR_PLUS])
def test_a_state_goes_on_exactly(schedule, storage):
    def begun(iterations):
        solver = RangeCFR(RangeStrategy(full_tree(short_deck()), (), np.ones((2, 1326)), storage=storage), schedule)
        solver.run(iterations)
        return solver

    whole, part, other = begun(20), begun(8), begun(1)
    other.restore(part.state())
    assert other.iteration == 8
    other.run(12)
    assert other.average_strategy().response_values() == whole.average_strategy().response_values()


def test_a_view_tells_what_hands_are_worth():
    """Values, weighted by what is held and met, are the value of the game; at the end of the board equity is exact."""
    rules = short_deck(rounds=2, board="1 1", suits=3, ranks=3)
    board = parse_cards("As")
    ranges = np.random.default_rng(4).uniform(size=(2, 1326))
    strategy, _ = solved(rules, board, ranges)
    view = strategy.view([], board)
    assert view.player == 0
    weight = view.reach[0] * view.met
    mean = (weight * (view.strategy * view.values).sum(axis=1)).sum() / weight.sum()
    assert mean == pytest.approx(strategy.values()[0], abs=1e-5)
    later = strategy.view([0, 0], (*board, *parse_cards("Kd")))
    hands, lying = hands_of(rules), {*board, *parse_cards("Kd")}
    held = [place for place, cards in enumerate(hands) if set(cards) <= set(rules.deck) - lying]
    ranks = {place: hand_ranks(np.array([[*hands[place], *sorted(lying)]], np.uint8))[0] for place in held}
    for place in held[::7]:
        others = [other for other in held if not set(hands[other]) & set(hands[place])]
        reach = later.reach[1][others]
        won = [0.5 * (1 + np.sign(int(ranks[place]) - int(ranks[other]))) for other in others]
        assert later.met[place] == pytest.approx(reach.sum(), rel=1e-4)
        assert later.equity[place] == pytest.approx((reach * won).sum() / reach.sum(), abs=1e-5)


def test_what_it_does_not_do_is_refused():
    with pytest.raises(UnsupportedGameError, match="leduc3 has 3 seats; two ranges meet here"):
        RangeStrategy(full_tree(load_rules("leduc3")), (), np.ones((2, 8)))
    tree = full_tree(load_rules("leduc2"))
    with pytest.raises(ConfigError, match=r"of shape \(2, 5\); 2 x 6 weights are needed"):
        RangeStrategy(tree, (), np.ones((2, 5)))


def everything_locked(strategy, seat):
    """Locks of all decisions of a seat to what the strategy does there."""
    rules = strategy.tree.rules
    game = RangedGame(tuple(rules.to_text().splitlines()), strategy.board, ((1.0,) * 1326,) * 2)
    for state in decisions(game.public_root()):
        if state.seat == seat:
            actions = tuple(action for part in state.history for action in part)
            rows = strategy.probabilities(actions, state.board).copy()
            rows[rows.sum(axis=1) == 0, 0] = 1.0  # hands that cannot be held do something, too
            yield RangeLock(actions, rows, state.board)


@pytest.mark.parametrize("schedule", [DCFR, PCFR_PLUS])
@pytest.mark.parametrize("seat", [0, 1])
def test_locking_an_equilibrium_leaves_the_values_within_its_exploitability(seat, schedule):
    rules = short_deck(board="1 1", suits=3, ranks=3)
    board, ranges = parse_cards("As"), np.random.default_rng(5).uniform(size=(2, 1326))
    free = ran(RangeStrategy(full_tree(rules), board, ranges), schedule, iterations=300)
    locks = list(everything_locked(free, seat))
    locked = ran(RangeStrategy(full_tree(rules), board, ranges, locks=locks), schedule, iterations=300)
    assert locked.values()[seat] == pytest.approx(free.values()[seat], abs=free.nash_conv() + 1e-4)
    # The locked side keeps what it does, so the other's values are those of a best response, exactly.
    assert locked.response_values()[1 - seat] == pytest.approx(free.response_values()[1 - seat], abs=TOLERANCE)
    assert locked.values()[1 - seat] == pytest.approx(free.response_values()[1 - seat], abs=1e-3)
    assert locked.response_values()[seat] == pytest.approx(locked.values()[seat], abs=TOLERANCE)


def test_a_locked_decision_stays_as_it_is_given_and_counts_no_gain():
    """One decision that throws chips away: what it could gain is no part of the gap, which goes to 0 all the same."""
    rules = short_deck(board="1 1", suits=3, ranks=3)
    board = parse_cards("As")
    rows = np.tile(np.array([[0.25, 0.75]], np.float32), (1326, 1))
    tree = full_tree(rules)
    free = ran(RangeStrategy(tree, board, np.ones((2, 1326))), iterations=300)
    locked = ran(RangeStrategy(tree, board, np.ones((2, 1326)), locks=[RangeLock((), rows)]), iterations=300)
    held = locked.view([], board)
    assert np.allclose(held.strategy[held.reach[0] > 0], rows[0])
    assert locked.nash_conv() < 0.01
    assert locked.values()[0] < free.values()[0] - 0.01
    assert locked.values()[1] == pytest.approx(-locked.values()[0], abs=1e-5)


def test_locks_that_tell_suits_apart_keep_boards_apart():
    rules = short_deck(suits=3, ranks=3)
    rows = np.tile(np.array([[1.0, 0.0]], np.float32), (1326, 1))
    rows[hand_place(rules, parse_cards("AsKs"))] = [0.0, 1.0]
    alike = RangeStrategy(full_tree(rules), (), np.ones((2, 1326)))
    apart = ran(RangeStrategy(full_tree(rules), (), np.ones((2, 1326)), locks=[RangeLock((), rows)]))
    assert alike.num_boards == 1 + 3
    assert apart.num_boards == 1 + 3 * 2  # spades, and hearts or diamonds
    assert np.allclose(apart.probabilities([], ())[hand_place(rules, parse_cards("AsKs"))], [0.0, 1.0])


def test_locks_that_do_not_fit_are_refused():
    tree = full_tree(short_deck(board="1 1", suits=3, ranks=3))
    board, rows = parse_cards("As"), np.full((1326, 2), 0.5)

    def locked(*locks):
        return RangeStrategy(tree, board, np.ones((2, 1326)), locks=locks)

    with pytest.raises(ConfigError, match="nobody decides after"):
        locked(RangeLock((0, 0, 0, 0), rows))
    with pytest.raises(ConfigError, match=r"a lock of shape \(1326, 3\); 1326 hands and 2 actions are there"):
        locked(RangeLock((), np.full((1326, 3), 1 / 3)))
    with pytest.raises(ConfigError, match="do not add up to 1"):
        locked(RangeLock((), 2 * rows))
    with pytest.raises(ConfigError, match="no such board lies there"):
        locked(RangeLock((0, 0), rows, parse_cards("AhKh")))
