"""AIVAT: the expectation stays exactly what it is, whatever is known and however poor the values; variance falls."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from every_hand import every_hand
from seeded_strategy import Seeded
from short_decks import short_deck

from nashgap import _native
from nashgap.agents.named import agent_of, load_agent
from nashgap.arena.luck import LearnedValues, Luck
from nashgap.errors import MismatchError, UnsupportedGameError
from nashgap.measures.aivat import AIVAT, CHANCE_ALONE, DECISIONS_ALONE, PlayedHands, correct_hands
from nashgap.measures.hand_values import HandValues
from nashgap.poker.rules import load_rules
from nashgap.strategies.chumps import always_call, half_call_half_raise, triple

GAMES = ("kuhn2", "leduc2", "kuhn3")
EVERY_KNOWN = {
    2: [(1, 1), (1, 0), (0, 1)],
    3: [(1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
}


@cache
def hands_of(game):
    rules = load_rules(game)
    return rules, *every_hand(rules, [Seeded()] * rules.num_seats)


@cache
def learned_values(game):
    """From chumps: poor, and fixed beforehand."""
    rules = load_rules(game)
    chump = agent_of(triple(0.1, 0.5, 0.4))
    return LearnedValues(rules, [[chump] * rules.num_seats], 7).values


def known_of(pattern):
    return [Seeded() if is_known else None for is_known in pattern]


@pytest.mark.parametrize(
    ("game", "pattern"), [(game, pattern) for game in GAMES for pattern in EVERY_KNOWN[load_rules(game).num_seats]]
)
@pytest.mark.parametrize("terms", [AIVAT, DECISIONS_ALONE], ids=["aivat", "decisions"])
@pytest.mark.parametrize("has_learned", [True, False])
def test_the_expectation_stays_over_all_deals_and_actions(game, pattern, terms, has_learned):
    rules, chances, hands = hands_of(game)
    assert chances.sum() == pytest.approx(1.0, abs=1e-12)
    values = learned_values(game) if has_learned else HandValues.empty(rules)
    corrected = correct_hands(rules, known_of(pattern), values, hands, terms=terms)
    np.testing.assert_allclose(chances @ corrected, chances @ hands.payoffs, atol=1e-12)
    np.testing.assert_allclose(corrected.sum(axis=1), 0.0, atol=1e-9)


@pytest.mark.parametrize("game", GAMES)
def test_without_any_strategy_the_luck_of_the_cards_has_no_expectation(game):
    rules, chances, hands = hands_of(game)
    corrected = correct_hands(
        rules, [None] * rules.num_seats, learned_values(game), hands, terms=CHANCE_ALONE
    )  # fmt: skip
    np.testing.assert_allclose(chances @ corrected, chances @ hands.payoffs, atol=1e-12)
    assert np.abs(corrected - hands.payoffs).max() > 0.1


def deviation(chances, chips):
    return np.sqrt(chances @ chips**2 - (chances @ chips) ** 2)


def test_more_that_is_known_leaves_less_variance_in_leduc():
    rules, chances, hands = hands_of("leduc2")
    plain, one, both = (
        deviation(chances, chips)[0]
        for chips in (
            hands.payoffs,
            correct_hands(rules, known_of((1, 0)), learned_values("leduc2"), hands),
            correct_hands(rules, known_of((1, 1)), learned_values("leduc2"), hands),
        )
    )
    assert both < 0.5 * plain
    assert both < one < 0.85 * plain


def test_where_nobody_chooses_and_both_are_known_no_luck_is_left():
    """Two that always call hold any hand at the end: the mean over all of them is 0."""
    rules, _, hands = hands_of("kuhn2")
    values = HandValues.empty(rules)
    corrected = correct_hands(rules, [always_call(), always_call()], values, one_line(hands, "cc"))
    np.testing.assert_allclose(corrected, 0.0, atol=1e-9)


def one_line(hands, betting):
    chosen = [number for number, line in enumerate(hands.betting) if line == betting]
    return PlayedHands(
        hands.cards[chosen],
        [betting] * len(chosen),
        hands.agents[chosen],
        hands.payoffs[chosen],
        hands.names[chosen],
    )


def played(rules, agents, num_deals, seed=0):
    """Hands between agents of the engine, every deal in one seating."""
    size = rules.num_seats
    payoffs = np.zeros((num_deals, 1, 1, size), np.int64)
    seatings = np.arange(size, dtype=np.int8).reshape(1, 1, size)
    _, betting = _native.play_matches(
        rules.native,
        [agent.native for agent in agents],
        seed,
        0,
        1,
        seatings,
        np.zeros((num_deals, size), np.int64),
        np.zeros(size),
        np.zeros((size, _native.NUM_COUNTS), np.int64),
        payoffs,
    )
    cards = np.array([_native.deal_cards(rules.native, seed, deal) for deal in range(num_deals)], np.uint8)
    names = np.array([(deal, 0) for deal in range(num_deals)])
    agents_at = np.tile(seatings[0], (num_deals, 1))
    return PlayedHands(cards, betting, agents_at, payoffs.reshape(-1, size) / _native.CHIP_SHARES, names)


@pytest.mark.parametrize("pattern", [(1, 1), (1, 0), (0, 0)])
def test_drawn_boards_and_run_outs_change_no_expectation(pattern):
    """Two cards at once, of which a few boards are drawn, and all-ins: by the differences of many hands."""
    rules = replace(short_deck(2, 4, 6, 2, "0 2", blinds="1 2", first=2), betting="nolimit", stacks=(12, 12))
    chumps = [half_call_half_raise(), triple(0.1, 0.5, 0.4)]
    agents = [agent_of(chump) for chump in chumps]
    hands = played(rules, agents, 4000)
    terms = replace(AIVAT if any(pattern) else CHANCE_ALONE, boards=2, runouts=2)
    values = LearnedValues(rules, [agents], 3).values
    strategies = [chump if is_known else None for chump, is_known in zip(chumps, pattern, strict=True)]
    corrected = correct_hands(rules, strategies, values, hands, terms=terms)
    gaps = (corrected - hands.payoffs)[:, 0]
    assert gaps.std() > 1
    assert abs(gaps.mean()) < 3.5 * gaps.std() / np.sqrt(len(gaps))
    assert corrected[:, 0].std() < hands.payoffs[:, 0].std()


def test_what_is_drawn_depends_on_the_hand_alone():
    rules = load_rules("lhe2")
    agents = [load_agent("probe", rules), load_agent("triple(0.2,0.4,0.4)", rules)]
    hands = played(rules, agents, 40)
    learned = LearnedValues(rules, [agents], 0)
    learned.__dict__["values"] = HandValues.empty(rules)
    luck = Luck(rules, agents, AIVAT, 0, learned)
    whole = luck.correct(hands)
    last = PlayedHands(hands.cards[30:], hands.betting[30:], hands.agents[30:], hands.payoffs[30:], hands.names[30:])
    np.testing.assert_array_equal(luck.correct(last), whole[30:])


def test_an_action_that_the_strategy_never_takes_is_refused():
    rules, _, hands = hands_of("leduc2")
    with pytest.raises(MismatchError, match=r"hand \d+: after '.*' always-call never does [fr]; it cannot have played"):
        correct_hands(rules, [always_call(), None], HandValues.empty(rules), hands)


def test_games_with_more_hole_cards_are_refused():
    with pytest.raises(UnsupportedGameError, match="deals 3 hole cards; luck is taken off in games with one or two"):
        HandValues.empty(short_deck(hole=3))
