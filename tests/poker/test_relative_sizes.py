"""Geometric sizes, multiples of the bet, donks, and all-ins by shares of the pot: numbers by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nashgap.cards.card import parse_cards
from nashgap.cards.ranges import parse_range
from nashgap.errors import UnsupportedGameError
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree, count_betting_tree
from nashgap.poker.rules import load_rules
from nashgap.poker.spot import Spot
from nashgap.poker.state import CALL, FOLD

BOARD = parse_cards("Td9d6hQc2s")
EXAMPLE = "60%,e,a > 2.5x donk=-/-/50% add-all-in=1.5 force-all-in=0.15 merge=0.1"
"""Of b-inary/postflop-solver, examples/basic.rs, from the flop on."""


def spot_rules(num_rounds, pot=200, stacks=(900, 900)):
    """Out of position first; as rules, half of the pot is what each has put in."""
    ranges = (parse_range("AA"), parse_range("KK"))
    return Spot(BOARD[: 6 - num_rounds], ranges, pot, stacks, parse_betting_abstraction("fc")).rules


def state_after(rules, *actions):
    """Beginning with the cards of the first round; then those of BOARD come."""
    state = rules.root()
    for action in (None, *actions):
        if action is not None:
            state = state.act(action)
        if state.seat < 0 and not state.is_over:
            known = len(state.board)
            state = state.deal(BOARD[known : known + state.num_missing_cards])
    return state


def raises(text, rules, *actions):
    """Chips beyond half of the pot at the start, so that the numbers are those of the table."""
    state = state_after(rules, *[action + rules.blinds[0] if action > 0 else action for action in actions])
    kept = parse_betting_abstraction(text).actions(state)
    assert all(action in state.legal for action in kept)
    return tuple(action - rules.blinds[0] for action in kept if action not in (FOLD, CALL))


@pytest.mark.parametrize(
    ("text", "num_rounds", "played", "kept"),
    [
        # Pot 200, 900 behind: in one round the pot grows by 1 + 2 * 900 / 200 = 10.
        ("e", 1, (), (900,)),
        ("e", 2, (), (216,)),  # 10 ** (1/2) = 3.1623, a half of 2.1623 pots
        ("e", 3, (), (115,)),  # 10 ** (1/3) = 2.1544, a half of 1.1544 pots
        ("2e", 3, (), (216,)),
        ("1e,2e,3e", 1, (), (115, 216, 900)),
        # After a bet of 100 and its call the pot is 400, with 800 behind: it grows by 5.
        ("e", 2, (100,), (347,)),  # 5 ** (1/2) = 2.2361, a half of 1.2361 pots is 247 more than the bet
        # The raise to 300 and its call make 800, with 600 behind. A raise of a raise takes the place of a round.
        ("e", 2, (100, 300), (900,)),
        ("e", 3, (100, 300), (532,)),  # 2.5 ** (1/2) = 1.5811, a half of 0.5811 pots is 232 more
        # On the turn after a bet of 115 was called: 430 in the pot, 785 behind, two rounds left.
        ("e", 3, (115, CALL), (364,)),  # (2000 / 430) ** (1/2) = 2.1567, a half of 1.1567 pots is 249 more
        ("0.5 > 2.5x", 2, (120,), (300,)),
        ("0.5 > 2.5x", 2, (115,), (288,)),  # 287.5 is rounded up
        ("0.5 > 2.5x,3x", 2, (100, 250), (625, 750)),
        ("0.5 > 1.5x", 2, (100,), (200,)),  # clipped to the smallest raise
        ("0.5 > 10x", 2, (100,), (900,)),
        ("0.5 > 3x", 2, (100, CALL), (300,)),  # a new round: half of 400 more than the 100 of the turn
        ("0.5 > 3x", 2, (100, CALL, 300), (700,)),  # 3 times the river's 200, beyond the 100 of the turn
    ],
)
def test_sizes_by_rounds_left_and_by_the_bet(text, num_rounds, played, kept):
    assert raises(text, spot_rules(num_rounds), *played) == kept


@pytest.mark.parametrize(
    ("text", "stack", "played", "kept"),
    [
        # On the river, with 200 in the pot.
        ("0.5 add-all-in=1.5", 300, (), (100, 300)),
        ("0.5 add-all-in=1.5", 301, (), (100,)),
        ("0.5 add-all-in=0.333", 67, (), (67,)),  # 66.6 chips are 67, and the bet is all of them
        ("fc add-all-in=1.5", 300, (), ()),
        # After a bet of 100 the pot is 400 once it is called: 600 more than the bet.
        ("0.5 > 2x add-all-in=1.5", 700, (100,), (200, 700)),
        ("0.5 > 2x add-all-in=1.5", 701, (100,), (200,)),
        # A bet of 120 that is called makes 440, of which 0.15 are 66.
        ("0.6 force-all-in=0.15", 186, (), (186,)),
        ("0.6 force-all-in=0.15", 187, (), (120,)),
        ("0.6 force-all-in=0.15", 100, (), (100,)),
        ("0.6,a force-all-in=0.15", 186, (), (186,)),
        # A raise to 300 over 120 makes 800, of which 0.15 are 120.
        ("0.6 > 2.5x force-all-in=0.15", 420, (120,), (420,)),
        ("0.6 > 2.5x force-all-in=0.15", 421, (120,), (300,)),
        # 200 + 120 beside 200 + 91 is 1.0997 as much, beside 200 + 90 it is 1.1034.
        ("0.455,0.6 merge=0.1", 900, (), (120,)),
        ("0.45,0.6 merge=0.1", 900, (), (90, 120)),
        ("0.5,0.65 merge=0.1", 900, (), (130,)),  # 330 to 300 is just 1.1
        # 460 drops 440 and keeps 400, which drops 380 in turn; 380 is not compared with 460.
        ("0.9,1,1.2,1.3 merge=0.1", 900, (), (200, 260)),
        # Over a bet of 100 shares are of the 400 after calling: 400 + 200 beside 400 + 160 is 1.07 as much.
        ("0.5 > 0.4,0.5 merge=0.1", 900, (100,), (300,)),
        ("0.5 > 0.3,0.5 merge=0.1", 900, (100,), (220, 300)),
    ],
)
def test_all_ins_and_merged_sizes(text, stack, played, kept):
    assert raises(text, spot_rules(1, stacks=(stack, stack)), *played) == kept


def test_the_example_of_the_turn():
    """What examples/basic.rs of b-inary/postflop-solver prints: bets 120, 216 and 900, then a raise to 300."""
    rules, text = spot_rules(2), EXAMPLE.replace("-/-/", "-/")
    assert raises(text, rules) == (120, 216, 900)
    assert raises(text, rules, 120) == (300,)


def test_a_shorter_stack_is_what_counts():
    """Nobody can lose more than the other has: both stacks of 900 and 400 are as 400."""
    rules = replace(spot_rules(2), stacks=(1000, 500))  # 100 of each are in the pot
    assert raises("e", rules) == raises("e", rules, CALL) == raises("e", spot_rules(2, stacks=(400, 400)))
    assert raises("0.5 add-all-in=2", rules) == (100, 900)  # all-in is still the largest raise
    assert raises("0.5 add-all-in=2", rules, CALL) == (100, 400)


def test_before_the_flop_the_blind_is_the_bet():
    rules = load_rules("hunl")  # blinds 50 and 100
    kept = parse_betting_abstraction("2.5x > 3x / 0.5 / 0.5 / 0.5")
    assert kept.actions(rules.root()) == (FOLD, CALL, 250)
    assert kept.actions(state_after(rules, CALL)) == (CALL, 250)
    assert kept.actions(state_after(rules, 250)) == (FOLD, CALL, 750)


@pytest.mark.parametrize(
    ("played", "kept"),
    [
        ((CALL, CALL), (200,)),  # nobody raised
        ((CALL, 100, CALL), (140,)),  # the other did: a tenth of 400 more than the 100 of the turn
        ((100, 300, CALL), (380,)),
        ((100, CALL), (500,)),  # the seat itself did: 400 more
        ((100, 300, 500, CALL), (900,)),  # so too; a pot of 1200 is more than is left
        ((CALL, 100, CALL, CALL), (500,)),  # the other bets, after a check
        ((CALL, 100, CALL, 140), (620,)),  # and raises: by the 480 after calling
    ],
)
def test_a_donk_is_a_bet_into_the_last_raiser_of_the_round_before(played, kept):
    """Pot 200, a pot-sized bet on the river of a turn spot, or a tenth as a donk."""
    assert raises("1 donk=0.1", spot_rules(2), *played) == kept


def test_the_third_seat_has_not_acted_yet():
    """The last seat raised before the flop: both before it bet into it, and nobody does once it has checked."""
    rules = replace(load_rules("nlhe3"), conventions="acpc")
    betting = parse_betting_abstraction("1 donk=0.2")
    state = rules.root()
    raiser = state.seat
    for action in (300, CALL, CALL):
        state = state.act(action)
    state = state.deal(BOARD[: state.num_missing_cards])
    sizes = {}
    while not state.num_missing_cards:
        sizes[state.seat] = betting.actions(state)[-1] - max(state.spent)
        state = state.act(CALL)
    assert sizes == {seat: 900 if seat == raiser else 180 for seat in range(3)}


def test_seats_may_have_sizes_of_their_own():
    rules, text = spot_rules(2), "0.5 > 3x | 1 > 2x / fc"
    assert raises(text, rules) == (100,)
    assert raises(text, rules, CALL) == (200,)
    assert raises(text, rules, 100) == (200,)
    assert raises(text, rules, CALL, 200) == (600,)
    assert raises(text, rules, CALL, CALL) == (100,)
    assert raises(text, rules, CALL, CALL, CALL) == ()
    with pytest.raises(UnsupportedGameError, match="sizes of 2 seats"):
        parse_betting_abstraction("0.5 | 1").native(load_rules("nlhe3"))


@given(st.integers(1, 5000), st.integers(1, 50_000), st.integers(1, 8))
def test_geometric_sizes_are_the_nearest_chip(half, stack, num_rounds):
    """With a chips the pot grows to (pot + 2a) / pot; so often as there are rounds, to (pot + 2 * stack) / pot."""
    rules, pot = spot_rules(1, 2 * half, (stack, stack)), 2 * half
    (chips,) = raises(f"{num_rounds}e", rules)
    power = (pot + 2 * stack) * pot ** (num_rounds - 1)
    assert (pot + 2 * chips - 1) ** num_rounds <= power or chips == 1  # the smallest bet is one chip
    assert (pot + 2 * chips + 1) ** num_rounds >= power


@given(
    st.lists(st.integers(1, 400), min_size=1, max_size=6, unique=True),
    st.integers(0, 100),
    st.integers(0, 100),
    st.integers(0, 300),
)
def test_shares_of_the_pot_against_their_definitions(percents, merge, force, add):
    """A pot of 200 and 500 behind, in whole chips; the three options one after the other, as they are written."""
    text = ",".join(f"{percent}%" for percent in percents) + f" add-all-in={add}% force-all-in={force}% merge={merge}%"
    amounts = [min(2 * percent, 500) for percent in percents]
    if add and 2 * add >= 500:
        amounts.append(500)
    if force:
        amounts = [500 if 500 - chips <= (force * (200 + 2 * chips) + 50) // 100 else chips for chips in amounts]
    kept = []
    for chips in sorted(set(amounts), reverse=True):
        if not merge or not kept or Fraction(200 + kept[-1], 200 + chips) > 1 + Fraction(merge, 100):
            kept.append(chips)
    assert raises(text, spot_rules(1, stacks=(500, 500))) == tuple(reversed(kept))


@pytest.mark.parametrize("text", ["2x", "0.5 > 2x / 2x", "0.5,2x", "0.5 | 2x"])
def test_a_multiple_of_no_bet_is_refused(text):
    with pytest.raises(UnsupportedGameError, match="there is no bet yet for 2x"):
        parse_betting_abstraction(text).native(spot_rules(2))


def test_limit_games_have_no_shares_of_the_pot():
    for option in ("add-all-in", "force-all-in", "merge"):
        with pytest.raises(UnsupportedGameError, match="limit game"):
            parse_betting_abstraction(f"full {option}=0.5").native(load_rules("lhe2"))


@pytest.mark.parametrize(
    "text", [EXAMPLE, "0.5 > 2x", "1,e donk=-/0.1/-", "0.5 > 3x,2e donk=fc merge=0.2", "1 > 2x | e > a"]
)
def test_the_count_is_the_size_of_the_tree(text):
    """States are counted once, but for what the sizes depend on."""
    rules, betting = spot_rules(3), parse_betting_abstraction(text)
    assert count_betting_tree(rules, betting) == build_betting_tree(rules, betting).size


def test_the_tree_of_the_example():
    size = count_betting_tree(spot_rules(3), parse_betting_abstraction(EXAMPLE))
    assert size.nodes_by_round == (10, 50, 113)
