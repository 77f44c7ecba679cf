"""Best responses to strategies that ignore their cards, a second way: by counting deals of hold'em, in doubles.

An opponent that ignores its cards tells nothing by its bets: every hand that is left stays equally likely. So a board
of five cards is worth to a hand, for each chip at stake, the hands that it beats less those that beat it, and the
betting is answered backwards from there. All numbers are sums over deals of the opponent's hand and of the cards to
come, and only the total is divided, by the number of all deals: no chance of a card is written down. Of the package
this takes the rules, the strategies' own words and the ranks of seven cards; nothing of `native/measure`.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
import pytest

import nashgap as ng
from nashgap.cards.card import parse_cards
from nashgap.cards.evaluator import hand_ranks
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.poker.state import CHANCE
from nashgap.strategies.load import load

CHUMPS = ["always-fold", "always-call", "always-raise", "probe", "random"]
TWO_FLOPS = "QsJh2h, Td9d6h"
DECK = range(52)
CLOSE = 3e-7  # of the number itself: ours adds up in float32, and among equal answers takes the one rounded up

ONE_BET = """GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 1 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF"""


@dataclass(frozen=True)
class Fold:
    payoffs: tuple[float, ...]


@dataclass(frozen=True)
class Showdown:
    stake: int


@dataclass(frozen=True)
class Deal:
    after: int


@dataclass(frozen=True)
class Decision:
    seat: int
    chances: tuple[float, ...]
    children: tuple[int, ...]


class Betting:
    """All betting of a game with what the strategy does there; places that go on alike are one.

    nodes:   with the round of each; what follows a node stands before it.
    entries: by round, the nodes at which it may begin.
    """

    def __init__(self, rules, strategy):
        self.rules, self.strategy = rules, strategy
        self._number = {}
        self.entries = [set() for _ in range(rules.num_rounds)]
        self._enter(rules.root(), 0)
        self.nodes = [[] for _ in self.entries]
        for (number, node), place in self._number.items():
            self.nodes[number].append((place, node))

    def _enter(self, state, number):
        place = self._place(state, number)
        self.entries[number].add(place)
        return place

    def _place(self, state, number):
        return self._number.setdefault((number, self._node(state, number)), len(self._number))

    def _node(self, state, number):
        if state.is_over:
            if any(state.has_folded):
                return Fold(state.payoffs([None, None]))
            assert state.spent[0] == state.spent[1]
            assert len(state.board) == 5
            return Showdown(state.spent[0])
        if state.seat == CHANCE:
            free = [card for card in DECK if card not in state.board]
            return Deal(self._enter(state.deal(free[: state.num_missing_cards]), number + 1))
        policy = self.strategy.policies([state])[0]
        assert policy.ignores_hands
        chances = tuple(float(policy.chance_of(action)[0]) for action in state.legal)
        assert sum(chances) == pytest.approx(1, abs=1e-12)
        return Decision(state.seat, chances, tuple(self._place(state.act(action), number) for action in state.legal))

    def answer(self, number, seat, deals, balance, after, is_best):
        """What the seat wins over all deals from each entry of a round on, by its best answers or by the strategy's.

        deals, balance: arrays of one shape: how many deals there are, and how many more of them are won than lost at a
                        showdown; there is none before the last round.
        after:          by node, what is won from the next round's entries on.
        """
        won = {}
        for place, node in self.nodes[number]:
            match node:
                case Fold(payoffs):
                    won[place] = payoffs[seat] * deals
                case Showdown(stake):
                    won[place] = stake * balance
                case Deal(entry):
                    won[place] = after[entry]
                case Decision(who, _, children) if who == seat and is_best:
                    won[place] = np.maximum.reduce([won[child] for child in children])
                case Decision(_, chances, children):
                    parts = [share * won[child] for share, child in zip(chances, children, strict=True) if share]
                    won[place] = sum(parts[1:], parts[0])
        return {place: won[place] for place in self.entries[number]}


def hands_beside(flop):
    return np.array([hand for hand in combinations(DECK, 2) if not set(hand) & set(flop)])


def ranks_by_cards(board):
    """`[52, 52]` of the hands that may be held beside the board; nan, neither above nor below any, elsewhere."""
    first, second = np.array([hand for hand in combinations(DECK, 2) if not set(hand) & set(board)]).T
    cards = np.column_stack([np.tile(board, (len(first), 1)), first, second])
    ranks = np.full((52, 52), np.nan, np.float32)  # they are below 2^16
    ranks[first, second] = ranks[second, first] = hand_ranks(cards.astype(np.uint8))
    return ranks


def against_all(board):
    """`[52, 52]` by a hand's cards: how many hands it meets, and of these how many more it beats than beat it.

    Counted over all hands; those that share its first card or its second, and itself with both, are taken off again.
    """
    ranks = ranks_by_cards(board)
    is_held = ~np.isnan(ranks)
    ordered = np.sort(ranks[is_held])[::2]  # each hand stands there twice
    below, up_to = (np.searchsorted(ordered, ranks, side) for side in ("left", "right"))
    beats = (ranks[:, :, None] > ranks[:, None, :]).astype(np.float32)  # of the hands with the same first card
    with_first = beats.sum(axis=2) - beats.sum(axis=1)
    balance = below - (len(ordered) - up_to) - with_first - with_first.T
    with_card = is_held.sum(axis=1)
    met = len(ordered) - with_card[:, None] - with_card[None, :] + 1
    return np.where(is_held, met, 0), np.where(is_held, balance, 0)


@cache
def showdowns(flop):
    """`[52, 52, hands]` by turn, river and hand: how many hands it meets, and how many more it beats than beat it."""
    first, second = hands_beside(flop).T
    deals, balance = np.zeros((2, 52, 52, len(first)), np.int16)
    for turn, river in combinations(sorted(set(DECK) - set(flop)), 2):
        met, more = against_all((*flop, turn, river))
        deals[turn, river] = deals[river, turn] = met[first, second]
        balance[turn, river] = balance[river, turn] = more[first, second]
    return deals, balance


def from_flop(betting, flop, seat, is_best):
    """`[52, 52]` by the hand's cards: in how many deals it is held, and what it wins in them from each entry on."""

    def by_cards(row):
        whole = np.zeros((52, 52))
        whole[tuple(hands_beside(flop).T)] = row
        return whole

    def add(sums, won):
        for place, row in won.items():
            sums[place] = sums.get(place, 0.0) + row

    held, balance = showdowns(flop)
    all_deals, on_flop = 0.0, {}
    for turn in sorted(set(DECK) - set(flop)):
        deals = held[turn].astype(np.float64)
        river = betting.answer(3, seat, deals, balance[turn].astype(np.float64), {}, is_best)
        after = {place: row.sum(axis=0) for place, row in river.items()}
        add(on_flop, betting.answer(2, seat, deals.sum(axis=0), None, after, is_best))
        all_deals = all_deals + deals.sum(axis=0)
    won = betting.answer(1, seat, all_deals, None, on_flop, is_best)
    return by_cards(all_deals), {place: by_cards(row) for place, row in won.items()}


def by_enumeration(name, rules, flops, seat, *, is_best=True):
    """Chips that a seat wins of the strategy in the game of these flops, all deals being alike."""
    betting = Betting(rules, load(name, rules))
    found = [from_flop(betting, parse_cards(flop), seat, is_best) for flop in flops.split(", ")]
    deals = sum(each for each, _ in found)
    after = {place: sum(won[place] for _, won in found) for place in betting.entries[1]}
    (won,) = betting.answer(0, seat, deals, None, after, is_best).values()
    return won.sum() / deals.sum()


def assert_both_ways_agree(name, game, flops):
    rules = load_rules(game) if isinstance(game, str) else game
    ours = ng.measure(name, game=game, tree="full", flops=flops)
    best = [by_enumeration(name, rules, flops, seat) / rules.unit_chips for seat in range(2)]
    value = by_enumeration(name, rules, flops, 0, is_best=False) / rules.unit_chips
    assert ours.best_values == pytest.approx(best, rel=CLOSE)
    assert ours.values == pytest.approx((value, -value), rel=CLOSE, abs=1e-9)
    assert ours.exploitability == pytest.approx(sum(best) / 2, rel=CLOSE)


def test_counts_less_those_that_share_a_card_are_those_of_hands_one_by_one():
    board = parse_cards("QsJh2hTd9d")
    ranks, (met, balance) = ranks_by_cards(board), against_all(board)
    others = hands_beside(board)
    for hand in others[::7]:
        their = ranks[tuple(others[~np.isin(others, hand).any(axis=1)].T)]
        assert met[tuple(hand)] == len(their) == 990
        assert balance[tuple(hand)] == np.sign(ranks[tuple(hand)] - their).sum()


@pytest.mark.parametrize("name", CHUMPS)
def test_holdem_with_one_bet_a_round_is_answered_as_by_counting_deals(name):
    assert_both_ways_agree(name, parse_rules(ONE_BET, "one-bet"), "AsKsQs")


@pytest.mark.slow
@pytest.mark.parametrize("name", CHUMPS)
def test_limit_holdem_is_answered_as_by_counting_deals(name):
    assert_both_ways_agree(name, "lhe2", TWO_FLOPS)


@pytest.mark.slow
def test_flops_that_share_cards_are_answered_as_by_counting_deals():
    """Three of one suit, three of one rank, and no two of either: hands go with one, two or all of them."""
    assert_both_ways_agree("random", "lhe2", "AsKsQs, AsAhAd, Ks7h2c")
