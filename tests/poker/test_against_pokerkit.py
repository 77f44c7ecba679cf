"""The casino conventions held to pokerkit: the same hands side by side, action by action."""

from collections import Counter
from dataclasses import dataclass
from functools import partial, total_ordering
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nashgap.cards.card import format_cards, parse_cards
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import CALL, FOLD

pokerkit = pytest.importorskip("pokerkit")
phevaluator = pytest.importorskip("phevaluator")

STRUCTURES = {
    "limit": pokerkit.BettingStructure.FIXED_LIMIT,
    "nolimit": pokerkit.BettingStructure.NO_LIMIT,
    "potlimit": pokerkit.BettingStructure.POT_LIMIT,
}
AUTOMATIONS = (
    pokerkit.Automation.ANTE_POSTING,
    pokerkit.Automation.BET_COLLECTION,
    pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
    pokerkit.Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    pokerkit.Automation.CHIPS_PUSHING,
    pokerkit.Automation.CHIPS_PULLING,
)
BOARD = (0, 3, 1, 1)
CARDS = tuple(pokerkit.Deck.STANDARD)  # in our order: by rank, then clubs to spades
NUMBER_OF = {card: number for number, card in enumerate(CARDS)}
NO_CAP = 255
RAISE = 1  # of any size

# The only differences allowed.
# Who has acted may raise again when, and only when, he faces at least a full bet or raise (Tournament Directors
# Association, rule 47); pokerkit reads this differently in two places.
# Who is alone with nothing to call has nothing to decide; pokerkit has him check.
# Each side pot is split on its own (rule 21); pokerkit first takes the losers out of all pots, and with them the line
# between two pots that the same players share.
IN_SEVERAL_STEPS = "faces a full raise, of which the last short all-ins alone are less: pokerkit refuses a raise"
SHORT_OPENING = "has acted and faces an all-in of less than a bet: pokerkit allows a raise"
FORCED_CHECK = "owes nothing, and all others are all in or gone: pokerkit asks for a check"
ODD_CHIPS = "two pots have the same winners and odd chips: pokerkit splits them as one"


@total_ordering
@dataclass(frozen=True)
class Strength:
    """A kind of hand for pokerkit, whose own takes ten times as long as all the rest of a hand."""

    low = False
    rank: int

    @classmethod
    def from_game(cls, hole_cards, board_cards=()):
        cards = [NUMBER_OF[card] for card in (*hole_cards, *board_cards)]
        if len(cards) < 5:
            raise ValueError("too few cards")
        return cls(-phevaluator.evaluate_cards(*cards))

    def __lt__(self, other):
        return self.rank < other.rank


@dataclass(frozen=True)
class Table:
    """One hand to play: its stakes, and the order of its deck."""

    betting: str
    ante: int
    blinds: tuple[int, ...]
    stacks: tuple[int, ...]
    bets: tuple[int, int]
    max_raises: int
    deck: tuple[int, ...]

    @property
    def rules(self):
        """A seat that cannot pay its ante and blind puts in what it has."""
        posted = tuple(min(self.ante + blind, stack) for blind, stack in zip(self.blinds, self.stacks, strict=True))
        seats, num_blinds = len(self.stacks), sum(blind > 0 for blind in self.blinds)
        first = (1 if seats == 2 else num_blinds % seats) if num_blinds else 0
        small, big = self.bets
        return PokerRules(
            betting=self.betting,
            blinds=posted,
            stacks=self.stacks,
            raise_sizes=(small, small, big, big) if self.betting == "limit" else (0,) * 4,
            first_seats=(first, 0, 0, 0),
            max_raises=(self.max_raises,) * 4,
            num_suits=4,
            num_ranks=13,
            num_hole_cards=2,
            num_board_cards=BOARD,
            conventions="casino",
        )

    def pokerkit_state(self):
        small, big = self.bets if self.betting == "limit" else (self.rules.big_blind,) * 2
        cap = None if self.max_raises == NO_CAP else self.max_raises
        streets = tuple(
            pokerkit.Street(
                False, (False, False) if number == 0 else (), BOARD[number], False, pokerkit.Opening.POSITION, bet, cap
            )
            for number, bet in enumerate((small, small, big, big))
        )
        # With two at the table pokerkit turns the blinds around by itself.
        blinds = self.blinds[::-1] if len(self.blinds) == 2 else self.blinds
        state = pokerkit.State(
            AUTOMATIONS,
            tuple(CARDS[card] for card in self.deck),
            (Strength,),
            streets,
            STRUCTURES[self.betting],
            True,
            self.ante,
            blinds,
            0,
            self.stacks,
            len(self.stacks),
        )
        for seat in range(len(self.stacks)):
            state.deal_hole(tuple(CARDS[card] for card in self.hole_cards(seat)))
        return state

    def hole_cards(self, seat):
        return self.deck[2 * seat : 2 * seat + 2]

    def board_cards(self, dealt, number):
        start = 2 * len(self.stacks) + dealt
        return self.deck[start : start + number]


def random_table(rng):
    """Stakes that make short stacks, side pots and odd chips common."""
    seats = rng.randint(2, 6)
    big = rng.randint(2, 20)
    small = rng.randint(1, big - (seats == 2))  # of two equal blinds heads-up, pokerkit lets the wrong one open
    kind = rng.choice(["blinds", "blinds", "straddle", "antes", "both"])
    ante = rng.randint(1, 5) if kind in ("antes", "both") else 0
    blinds = {"antes": ()}.get(kind, (big, small) if seats == 2 else (small, big))
    if kind == "straddle" and seats > 2:
        blinds = (small, big, 2 * big)
    deepest = rng.choice([2, 5, 20, 100]) * big
    return Table(
        betting=rng.choice(["limit", "nolimit", "potlimit"]),
        ante=ante,
        blinds=blinds + (0,) * (seats - len(blinds)),
        stacks=tuple(rng.randint(1, deepest) for _ in range(seats)),
        bets=(big, rng.randint(big, 2 * big)),
        max_raises=rng.choice([NO_CAP, NO_CAP, 1, 3, 4]),
        deck=tuple(rng.sample(range(52), 2 * seats + sum(BOARD))),
    )


def play_side_by_side(table, choose, exceptions):
    """One hand; every difference fails, but for the named ones, which are counted.

    choose: (legal actions, whether both allow a raise) to an action.
    """
    ours, theirs = table.rules.root(), table.pokerkit_state()
    acted = set()  # by round and seat
    pots = None
    while theirs.status:
        if theirs.can_kill_hand():
            pots = pots or [(pot.amount, pot.player_indices) for pot in theirs.pots]
            theirs.kill_hand()
        elif theirs.actor_index is None:
            cards = table.board_cards(len(theirs.board_cards), theirs.board_dealing_count)
            theirs.deal_board(tuple(CARDS[card] for card in cards))
        elif (ours := with_board(table, ours)).is_over:
            require_forced_check(theirs)
            exceptions[FORCED_CHECK] += 1
            theirs.check_or_call()
        else:
            require_same_public_state(ours, theirs)
            can_raise = theirs.min_completion_betting_or_raising_to_amount is not None
            if can_raise and ours.legal.can_raise:
                require_same_raises(ours, theirs)
            elif can_raise or ours.legal.can_raise:
                exceptions[exception(ours, theirs, (ours.round, ours.seat) in acted)] += 1
            acted.add((ours.round, ours.seat))
            ours = act_in_both(choose(ours.legal, can_raise and ours.legal.can_raise), ours, theirs)
    ours = with_board(table, ours)
    assert ours.is_over
    payoffs = ours.payoffs([table.hole_cards(seat) for seat in range(len(table.stacks))])
    if payoffs != tuple(theirs.payoffs):
        assert payoffs == split_one_by_one(pots, table, ours)
        exceptions[ODD_CHIPS] += 1


def play_at_random(rng, exceptions):
    play_side_by_side(random_table(rng), partial(random_action, rng), exceptions)


def with_board(table, state):
    """After the board cards that are missing, if any are."""
    number = state.num_missing_cards
    return state.deal(table.board_cards(len(state.board), number)) if number else state


def require_same_public_state(ours, theirs):
    assert ours.seat == theirs.actor_index
    assert ours.round == theirs.street_index
    assert [CARDS[card] for card in ours.board] == [card for (card,) in theirs.board_cards]
    assert ours.pot == theirs.total_pot_amount
    assert ours.to_call == theirs.checking_or_calling_amount
    assert ours.legal.can_fold == theirs.can_fold()


def require_same_raises(ours, theirs):
    before = spent_before(ours, theirs)
    assert ours.legal.min_raise_to == before + theirs.min_completion_betting_or_raising_to_amount
    assert ours.legal.max_raise_to == before + theirs.max_completion_betting_or_raising_to_amount


def spent_before(ours, theirs):
    """By the seat to act, before this street: ours counts chips over the whole hand, pokerkit those of the street."""
    return ours.spent[ours.seat] - theirs.bets[ours.seat]


def require_forced_check(theirs):
    assert len(theirs.actor_indices) == 1
    assert theirs.checking_or_calling_amount == 0
    assert not theirs.can_fold() and not theirs.can_complete_bet_or_raise_to()


def exception(ours, theirs, has_acted):
    """The name of a difference in who may raise; fails if it is none of the known ones."""
    owed, full_raise = ours.to_call, theirs.completion_betting_or_raising_amount
    assert has_acted
    if ours.legal.can_raise:
        assert sum(theirs.consecutive_short_all_in_amounts) < full_raise <= owed
        return IN_SEVERAL_STEPS
    assert 0 < owed < theirs.street.min_completion_betting_or_raising_amount
    return SHORT_OPENING


def split_one_by_one(pots, table, state):
    """Payoffs when each of the pots that pokerkit saw before the showdown is split on its own."""
    strength = [
        Strength.from_game([CARDS[card] for card in (*table.hole_cards(seat), *state.board)])
        for seat in range(len(table.stacks))
    ]
    payoffs = [-min(spent, sorted(state.spent)[-2]) for spent in state.spent]  # an uncalled bet is in no pot
    split = Counter()
    for amount, contenders in pots:
        best = max(strength[seat] for seat in contenders)
        winners = tuple(seat for seat in contenders if strength[seat] == best)
        split[winners] += amount % len(winners) > 0
        for place, seat in enumerate(winners):
            payoffs[seat] += amount // len(winners) + (amount % len(winners) if place == 0 else 0)
    assert max(split.values()) > 1
    return tuple(payoffs)


def random_action(rng, legal, can_raise):
    """Often a raise, which is the smallest, the largest or anything between."""
    kind = rng.choice([CALL, CALL] + [FOLD] * legal.can_fold + [RAISE, RAISE] * can_raise)
    if kind != RAISE:
        return kind
    low, high = legal.min_raise_to, legal.max_raise_to
    return rng.choice([low, low, high, rng.randint(low, high), rng.randint(low, min(high, 3 * low))])


def act_in_both(action, ours, theirs):
    if action == FOLD:
        theirs.fold()
    elif action == CALL:
        theirs.check_or_call()
    else:
        theirs.complete_bet_or_raise_to(action - spent_before(ours, theirs))
    return ours.act(action)


def test_our_cards_are_theirs():
    assert "".join(map(repr, CARDS)) == format_cards(range(52))


@pytest.mark.slow
@settings(max_examples=2000, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 2**64))
def test_random_hands_are_the_same(seed):
    exceptions = Counter()
    play_at_random(Random(seed), exceptions)  # asserts after every action
    assert exceptions.keys() <= {SHORT_OPENING, FORCED_CHECK, ODD_CHIPS, IN_SEVERAL_STEPS}


@pytest.mark.slow
@pytest.mark.long
def test_100_000_random_hands_are_the_same():
    exceptions = Counter()
    for seed in range(100_000):
        play_at_random(Random(seed), exceptions)
    assert exceptions.keys() >= {SHORT_OPENING, FORCED_CHECK, ODD_CHIPS}


@pytest.mark.parametrize(
    ("stacks", "actions", "expected"),
    [
        # Raised to 110, by 100; all in to 160, 210, 250: who raised faces 140 and may raise again.
        ((250, 999, 999, 160, 210), [110, 160, 210, 250, CALL], {IN_SEVERAL_STEPS: 1}),
        # With one all-in less he faces 90, less than his raise, and both have him call or fold.
        ((200, 999, 999, 999, 150), [110, FOLD, 150, 200, CALL], {}),
        # Two have checked, the third is all in for 3 where a bet is 10.
        ((99, 99, 13), [CALL, CALL, CALL, CALL, CALL, 13], {SHORT_OPENING: 2}),
        # All in for less than the big blind, which could have been raised by the small blind, who folds.
        ((99, 99, 8), [CALL, FOLD], {FORCED_CHECK: 1}),
        # Seats 1 and 3 win 45 chips with seat 2 and 71 without: 23 + 36 and 22 + 35, not 58 each.
        ((99, 99, 10, 99, 99), [CALL, 21, CALL, FOLD, 40, CALL, FOLD], {ODD_CHIPS: 1}),
    ],
    ids=["several-steps", "one-step", "short-opening", "forced-check", "odd-chips"],
)
def test_the_differences_are_these(stacks, actions, expected):
    """No-limit, blinds 5 and 10; after the given actions everybody checks and calls."""
    hands, board = parse_cards("3c5d AcQd 9c8c AdQh 3d5h"), parse_cards("KsKh7d4c2h")
    blinds = (5, 10) + (0,) * (len(stacks) - 2)
    table = Table("nolimit", 0, blinds, stacks, (10, 10), NO_CAP, hands[: 2 * len(stacks)] + board)
    moves, met = iter(actions), Counter()
    play_side_by_side(table, lambda legal, can_raise: next(moves, CALL), met)
    assert met == expected
    assert next(moves, None) is None
