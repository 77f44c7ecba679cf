"""Sizes of games: against enumeration of every betting sequence through the engine, and against published counts."""

import math
from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest

from nashgap.cards.isomorphism import ORDERED_STREETS, SuitIsomorphism
from nashgap.catalogue import POKER_GAMES
from nashgap.errors import GameSizeError, UnsupportedGameError
from nashgap.games.compiled import load_tree
from nashgap.poker.rules import PokerRules, load_rules
from nashgap.poker.sizes import PUBLISHED, GameSize, canonical_hands, game_size


def small_game(betting="nolimit", blinds=(1, 2), stack=8, first_seats=(0, 0), max_raises=None, **other):
    num_rounds = len(first_seats)
    is_limit = betting == "limit"
    settings = {
        "betting": betting,
        "blinds": blinds,
        "stacks": (stack,) * len(blinds),
        "raise_sizes": (2,) * num_rounds if is_limit else (0,) * num_rounds,
        "first_seats": first_seats,
        "max_raises": max_raises or (255,) * num_rounds,
        "num_suits": 2,
        "num_ranks": 4,
        "num_hole_cards": 1,
        "num_board_cards": (0,) + (1,) * (num_rounds - 1),
    }
    return PokerRules(**settings | other)


def enumerated(rules):
    """`{round: counts}` of every betting sequence, played through the engine."""
    counts = [Counter() for _ in range(rules.num_rounds)]

    def visit(state, entered):
        """entered: the last round that was counted as started."""
        if state.num_missing_cards:
            unused = [card for card in rules.deck if card not in state.board]
            return visit(state.deal(unused[: state.num_missing_cards]), entered)
        if state.seat < 0:
            return None
        here = counts[state.round]
        here["starts"] += state.round > entered
        here["decisions"] += 1
        for action in state.legal:
            child = state.act(action)
            here["actions"] += 1
            num_in = child.has_folded.count(False)
            has_ended = child.native.seat < 0
            if num_in == 1:
                here["folds"] += 1
            elif has_ended or child.round > state.round:
                here["calls"] += 1
                here["all_in_calls"] += has_ended and max(child.spent) == max(rules.stacks)
            visit(child, state.round)
        return None

    visit(rules.root(), -1)
    return counts


def assert_equals_enumeration(rules):
    names = ("starts", "decisions", "actions", "folds", "calls", "all_in_calls")
    ours = [tuple(getattr(each, name) for name in names) for each in game_size(rules).rounds]
    assert ours == [tuple(each[name] for name in names) for each in enumerated(rules)]


@pytest.mark.parametrize("name", ["kuhn2", "kuhn3", "leduc2", "lhe2"])
def test_shipped_games_equal_their_enumeration(name):
    assert_equals_enumeration(load_rules(name))


@pytest.mark.parametrize("stack", range(3, 13))
@pytest.mark.parametrize(("blinds", "first_seats"), [((2, 1), (1, 0)), ((1, 2), (1, 1)), ((2, 2), (0, 0))])
def test_heads_up_no_limit_equals_its_enumeration(stack, blinds, first_seats):
    assert_equals_enumeration(small_game(blinds=blinds, stack=stack, first_seats=first_seats))


OTHER_GAMES = {
    "no blinds": small_game(blinds=(0, 0), stack=5),
    "two big blinds of four seats": small_game(blinds=(0, 1, 2, 2), stack=5, first_seats=(0,)),
    "three rounds": small_game(blinds=(2, 1), stack=9, first_seats=(1, 0, 0)),
    "capped raises": small_game(blinds=(2, 1), stack=12, max_raises=(1, 2)),
    "no raises, then one": small_game(blinds=(2, 1), stack=8, max_raises=(0, 1)),
    "casino": small_game(blinds=(2, 1), stack=11, conventions="casino"),
    "three seats": small_game(blinds=(1, 2, 0), stack=9, first_seats=(2, 0)),
    "three seats, one round": small_game(blinds=(1, 2, 0), stack=14, first_seats=(2,)),
    "three seats, capped raises": small_game(blinds=(1, 2, 0), stack=9, first_seats=(2, 0), max_raises=(2, 1)),
    "three seats, casino": small_game(blinds=(1, 2, 0), stack=8, first_seats=(2, 1), conventions="casino"),
    "limit, three seats": small_game("limit", (1, 2, 0), stack=99, first_seats=(2, 0), max_raises=(1, 2)),
    "limit, three antes": small_game("limit", (1, 1, 1), stack=99, first_seats=(0, 1), max_raises=(2, 1)),
    "limit, four seats, casino": small_game(
        "limit", (1, 2, 0, 0), stack=99, first_seats=(2,), max_raises=(3,), conventions="casino"
    ),
}


@pytest.mark.parametrize("name", OTHER_GAMES)
def test_other_games_equal_their_enumeration(name):
    assert_equals_enumeration(OTHER_GAMES[name])


def test_cards_are_counted_as_dealt():
    """Every deal of Leduc through the engine: states by all cards, information sets by what the seat to act sees."""
    rules = load_rules("leduc2")
    states, infosets = set(), set()

    def visit(state, hole_cards):
        if state.num_missing_cards:
            for card in set(rules.deck) - set(hole_cards):
                visit(state.deal([card]), hole_cards)
        elif state.seat >= 0:
            states.add((hole_cards, state.board, state.betting))
            infosets.add((hole_cards[state.seat], state.board, state.betting))
            for action in state.legal:
                visit(state.act(action), hole_cards)

    for hole_cards in permutations(rules.deck, 2):
        visit(rules.root(), hole_cards)
    size = game_size(rules)
    assert (size.game_states, size.information_sets) == (len(states), len(infosets))


@pytest.mark.parametrize(("poker", "tree"), [("kuhn2", "kuhn"), ("kuhn3", "kuhn(players=3)"), ("leduc2", "leduc")])
def test_both_forms_of_a_game_have_the_same_information_sets(poker, tree):
    size, compiled = game_size(load_rules(poker)), load_tree(tree)
    assert size.information_sets == compiled.num_infosets
    assert size.infoset_actions == compiled.num_slots
    assert size.game_states == sum(
        end - start
        for player, start, end in zip(
            compiled.block_player, compiled.block_start[:-1], compiled.block_start[1:], strict=True
        )
        if player >= 0
    )


@pytest.mark.parametrize(("street", "groups"), ORDERED_STREETS.items())
def test_canonical_hands_are_as_many_as_the_index_has(street, groups):
    known = {"preflop": 169, "flop": 1_286_792, "turn": 55_190_538, "river": 2_428_287_420}
    assert canonical_hands(13, 4, groups) == known[street] == SuitIsomorphism.of_street(street, is_ordered=True).size


def test_canonical_hands_of_a_small_deck():
    """Leduc: three ranks; the board pairs the card, or is one of two ranks in the same or the other suit."""
    assert canonical_hands(3, 2, (1,)) == 3
    assert canonical_hands(3, 2, (1, 1)) == 3 * (1 + 2 * 2)


def test_the_royal_game_has_its_published_size():
    """Johanson (2013), Table 7: no-limit royal hold'em, two rounds, blinds 1 and 2, stacks of 20."""
    royal = replace(
        load_rules("hunl"),
        blinds=(2, 1),
        stacks=(20, 20),
        num_ranks=5,
        first_seats=(1, 0),
        num_board_cards=(0, 3),
        raise_sizes=(0, 0),
        max_raises=(255, 255),
    )
    preflop, flop = game_size(royal).rounds
    assert (preflop.decisions, preflop.actions, preflop.folds, preflop.calls) == (1188, 3561, 1187, 1187)
    assert (flop.decisions, flop.actions) == (19_996, 57_616)
    # The paper puts the showdowns of those who are all in before the flop with the flop's.
    assert flop.folds + flop.calls + preflop.all_in_calls == 38_807
    assert flop.decisions * flop.canonical_hands == 155_168_960
    assert flop.actions * flop.canonical_hands == 447_100_160


def test_the_competition_of_2009_has_its_published_size():
    """Johanson (2013): heads-up no-limit, blinds 1 and 2, stacks of 400."""
    size = game_size(replace(load_rules("hunl"), blinds=(2, 1), stacks=(400, 400)))
    assert f"{size.game_states:.2e}" == "1.38e+51"


def assert_agrees(ours, published):
    """Printed figures are rounded or cut to their last digit; rough ones say the power of ten."""
    if published.is_rough:
        assert round(math.log10(ours)) == math.log10(published.value)
    else:
        last_digit = 10 ** (math.floor(math.log10(published.value)) - 2)
        assert abs(ours - int(published.value)) < last_digit


@pytest.mark.parametrize("name", ["lhe2", "lhe3"])
def test_published_sizes_of_limit_games_are_ours(name):
    size = game_size(load_rules(name))
    for count, published in PUBLISHED[name].items():
        assert_agrees(getattr(size, count), published)


@pytest.mark.slow
def test_published_sizes_of_heads_up_no_limit_are_ours():
    """Six digits of the last three are printed by the program that comes with Johanson (2013)."""
    size = game_size(load_rules("hunl"))
    for count, published in PUBLISHED["hunl"].items():
        assert_agrees(getattr(size, count), published)
    assert f"{size.game_state_actions:.5e}" == "1.89343e+165"
    assert f"{size.terminal_states:.5e}" == "1.26229e+165"
    assert f"{size.rounds[0].decisions:.5e}" == "2.05342e+95"


def test_every_published_size_is_of_a_shipped_game_and_a_count():
    for name, counts in PUBLISHED.items():
        assert name in POKER_GAMES.entries
        assert all(isinstance(getattr(GameSize, count), property) for count in counts)


def test_a_third_player_multiplies_the_betting_sequences_by_1500():
    """Abou Risk (2009), section 2.2: over 1500 times the betting sequences, over a million times the states."""
    two, three = game_size(load_rules("lhe2")), game_size(load_rules("lhe3"))
    assert 1500 < three.betting_sequences / two.betting_sequences < 1600
    assert three.game_states > 1_000_000 * two.game_states


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"betting": "potlimit"}, UnsupportedGameError, "not counted, the size of a pot-limit raise depends"),
        ({"stacks": (200, 300)}, UnsupportedGameError, r"stacks \(200, 300\) differ; no-limit games need equal ones"),
        ({"stacks": (100, 100)}, UnsupportedGameError, "the blind 100 is the whole stack"),
        (
            {"stacks": (60_000, 60_000)},
            GameSizeError,
            "stacks of 60000 chips would take too long; at most 50000 with 2",
        ),
    ],
)
def test_what_is_not_counted_says_why(change, error, message):
    with pytest.raises(error, match=message):
        game_size(replace(load_rules("hunl"), **change))


def test_a_limit_game_in_which_a_stack_may_run_out_is_not_counted():
    with pytest.raises(UnsupportedGameError, match="a stack of 40 can be all in; limit games need more than 240"):
        game_size(replace(load_rules("lhe2"), stacks=(40, 1000)))
