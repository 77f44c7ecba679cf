"""Two ranges on a public tree, held to the same games compiled hand by hand and deal by deal."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest

from nashgap.cards.card import parse_cards
from nashgap.cards.evaluator import hand_ranks
from nashgap.cards.ranges import parse_range
from nashgap.core.compile import compile_tree
from nashgap.core.game import Deals
from nashgap.errors import ConfigError, UnsupportedGameError
from nashgap.measures.best_response import exploitability
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.game import DealtPokerState, PokerGame
from nashgap.poker.hands import hand_place, hands_of
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.poker.spot import Spot
from nashgap.poker.state import View
from nashgap.solvers.range_cfr import RangeCFR, count_range_game
from nashgap.solvers.schedules import CFR_PLUS, DCFR, LCFR, PCFR_PLUS
from nashgap.strategies.table import TableStrategy

TOLERANCE = 1e-5  # chips; float32 vectors beside doubles

SMALL = """GAMEDEF
limit
numPlayers = 2
numRounds = {rounds}
blind = 1 1
raiseSize = 2 4 4
firstPlayer = 1 1 1
maxRaises = 2 1 1
numSuits = {suits}
numRanks = {ranks}
numHoleCards = {hole}
numBoardCards = {board}
END GAMEDEF"""


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


def small_rules(rounds=2, suits=3, ranks=4, hole=2, board="0 1"):
    return parse_rules(SMALL.format(rounds=rounds, suits=suits, ranks=ranks, hole=hole, board=board), "small")


def solved(rules, board=(), ranges=None, schedule=DCFR, iterations=60, threads=1):
    ranges = np.ones((2, len(hands_of(rules)))) if ranges is None else ranges
    tree = build_betting_tree(rules, parse_betting_abstraction("full"))
    solver = RangeCFR(tree, board, ranges, schedule, threads=threads)
    solver.run(iterations)
    return solver, ranges.astype(np.float32)


def exact_gap(solver, ranges):
    """NashConv of what was found, in chips: its strategy in the compiled game, where best responses are exact."""
    rules = solver.tree.rules
    game = RangedGame(tuple(rules.to_text().splitlines()), solver.board, tuple(map(tuple, ranges.tolist())))
    compiled = compile_tree(game, "ranged")
    probabilities = np.zeros(compiled.num_slots)
    hands = hands_of(rules)
    for state in decisions(game.public_root()):
        rows = solver.view([action for part in state.history for action in part], state.board).strategy
        for place, cards in enumerate(hands):
            infoset = compiled.infoset_index.get(f"{state.seat}:{game.infoset_of(View(state, state.seat, cards))}")
            if infoset is not None:
                probabilities[compiled.slots(infoset)] = rows[place]
    return exploitability(compiled, TableStrategy(compiled, probabilities)).nash_conv * rules.unit_chips


def decisions(dealt):
    if dealt.player >= 0:
        yield dealt.state
    for move in range(len(dealt.actions)):
        yield from decisions(dealt.child(move))


@pytest.mark.parametrize("schedule", [CFR_PLUS, LCFR, DCFR])
@pytest.mark.parametrize("game", ["kuhn2", "leduc2"])
def test_small_games_are_solved_as_their_trees_are(game, schedule):
    rules = load_rules(game)
    solver, ranges = solved(rules, schedule=schedule)
    assert solver.nash_conv() == pytest.approx(exact_gap(solver, ranges), abs=TOLERANCE)
    assert sum(solver.values()) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("suits", [2, 3, 4])
def test_boards_that_suits_alone_tell_apart_are_one(suits):
    rules = small_rules(suits=suits, ranks=3)
    solver, ranges = solved(rules)
    assert solver.nash_conv() == pytest.approx(exact_gap(solver, ranges), abs=TOLERANCE)
    assert solver.num_boards == 1 + 3  # one for each rank


@pytest.mark.parametrize("text", ["As", "AsKs", "AsAh"])
def test_ranges_on_a_given_board(text):
    """Monotone and paired boards among them, and ranges that tell suits apart or do not."""
    board = parse_cards(text)
    rules = small_rules(board=f"{len(board)} 1", suits=3, ranks=4)
    by_rank = np.array([1.0 / (1 + sum(card // 4 for card in cards)) for cards in hands_of(rules)])
    apart = np.random.default_rng(1).uniform(size=len(by_rank))
    for ranges in (np.stack([by_rank, by_rank**2]), np.stack([by_rank, apart]), np.stack([apart, apart[::-1]])):
        solver, weights = solved(rules, board, ranges)
        assert solver.nash_conv() == pytest.approx(exact_gap(solver, weights), abs=TOLERANCE)
        assert solver.nash_conv() < 0.05


def test_two_rounds_to_come_and_hands_that_are_not_there():
    rules = small_rules(rounds=3, board="0 1 1", suits=2, ranks=4)
    ranges = np.random.default_rng(2).uniform(size=(2, 1326)) * (np.random.default_rng(3).uniform(size=(2, 1326)) < 0.7)
    solver, ranges = solved(rules, (), ranges)
    assert solver.nash_conv() == pytest.approx(exact_gap(solver, ranges), abs=TOLERANCE)


def test_the_size_is_told_before_memory_is_taken():
    """By hand: kuhn2 has one board, four decisions of two actions; three hands of each seat are a block of sixteen."""
    tree = build_betting_tree(load_rules("kuhn2"), parse_betting_abstraction("full"))
    size = count_range_game(tree, (), np.ones((2, 3)))
    assert (size.num_boards, size.num_action_nodes) == (1, 4)
    assert size.num_bytes == 4 * 2 * 16 * 2 * 4  # decisions, actions, hands, sums, bytes of a float
    assert size == RangeCFR(tree, (), np.ones((2, 3))).size


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
    solver = RangeCFR(tree, (), np.ones((2, 6)), rake=(0.05, 0.5))
    solver.run(200)
    assert sum(solver.values()) < -0.1
    assert solver.nash_conv() == pytest.approx(sum(solver.response_values()) - sum(solver.values()))
    assert -1e-6 < solver.nash_conv() < 0.05


def test_threads_change_nothing():
    rules = small_rules(rounds=3, board="0 1 1")
    tree = build_betting_tree(rules, parse_betting_abstraction("full"))
    found = []
    for threads in (1, 2, 5):
        solver = RangeCFR(tree, (), np.ones((2, 1326)), threads=threads)
        solver.run(7)
        found.append((solver.values(), solver.response_values()))
    assert found[0] == found[1] == found[2]


def test_a_state_goes_on_exactly():
    rules = small_rules()
    whole, _ = solved(rules, iterations=20)
    part, _ = solved(rules, iterations=8)
    other, _ = solved(rules, iterations=1)
    other.restore(part.state())
    assert other.iteration == 8
    other.run(12)
    assert other.response_values() == whole.response_values()


def test_a_view_tells_what_hands_are_worth():
    """Values, weighted by what is held and met, are the value of the game; at the end of the board equity is exact."""
    rules = small_rules(rounds=2, board="1 1", suits=3, ranks=3)
    board = parse_cards("As")
    ranges = np.random.default_rng(4).uniform(size=(2, 1326))
    solver, _ = solved(rules, board, ranges)
    view = solver.view([], board)
    assert view.player == 0
    weight = view.reach[0] * view.met
    mean = (weight * (view.strategy * view.values).sum(axis=1)).sum() / weight.sum()
    assert mean == pytest.approx(solver.values()[0], abs=1e-5)
    later = solver.view([0, 0], (*board, *parse_cards("Kd")))
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
    tree = build_betting_tree(load_rules("leduc3"), parse_betting_abstraction("full"))
    with pytest.raises(UnsupportedGameError, match="leduc3 has 3 seats; two ranges meet here"):
        RangeCFR(tree, (), np.ones((2, 8)))
    tree = build_betting_tree(load_rules("leduc2"), parse_betting_abstraction("full"))
    with pytest.raises(ConfigError, match="predictive schedules are not for ranges"):
        RangeCFR(tree, (), np.ones((2, 6)), PCFR_PLUS)
    with pytest.raises(ConfigError, match=r"of shape \(2, 5\); 2 x 6 weights are needed"):
        RangeCFR(tree, (), np.ones((2, 5)))
