"""Poki: its hand strength, its tables, and its published behaviour in three-player limit hold'em."""

from itertools import combinations, pairwise

import numpy as np
import pytest

import nashgap as ng
from nashgap import _native
from nashgap.agents.named import agent_of
from nashgap.agents.rule_based import (
    HAND_GROUPS,
    OPENINGS,
    POSITIONS,
    PREFLOP_SPOTS,
    poki,
    poki_sim,
    poki_tight,
    preflop_plays,
    require_holdem,
)
from nashgap.arena.table import deal_cards, play_hand, seat_generator
from nashgap.cards.card import parse_cards
from nashgap.cards.ranges import parse_range
from nashgap.errors import ConfigError, UnsupportedGameError
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.poker.state import CALL, FOLD, View
from nashgap.strategies.chumps import always_call, always_raise, probe

FOLDED, CALLED, RAISED = range(3)


def potential(hole, board, num_opponents=1):
    return _native.hand_potential(bytes(parse_cards(hole)), bytes(parse_cards(board)), num_opponents)


def plain_potential(hole, board):
    """HS, PPot and NPot as Billings et al. (1998) define them, one card ahead, by counting every case."""
    hole, board = parse_cards(hole), parse_cards(board)
    rest = [card for card in range(52) if card not in hole + board]
    next_cards = rest if len(board) < 5 else []

    def sign(other, cards):
        ours, theirs = (_native.hand_rank(bytes(hand + cards)) for hand in (hole, other))
        return (ours > theirs) - (ours < theirs)

    now, moves = np.zeros(3), np.zeros((3, 3))  # by -1 behind, 0 tied, 1 ahead: counted from the middle
    for other in combinations(rest, 2):
        before = sign(other, board)
        now[1 + before] += 1
        for card in next_cards:
            if card not in other:
                moves[1 + before, 1 + sign(other, (*board, card))] += 1
    strength = (now[2] + now[1] / 2) / now.sum()
    if not next_cards:
        return strength, 0.0, 0.0
    total = moves.sum(axis=1)
    return (
        strength,
        (moves[0, 2] + moves[0, 1] / 2 + moves[1, 2] / 2) / (total[0] + total[1] / 2),
        (moves[2, 0] + moves[2, 1] / 2 + moves[1, 0] / 2) / (total[2] + total[1] / 2),
    )


@pytest.mark.parametrize(
    ("hole", "board"),
    [
        ("AdQc", "3h4cJh"),
        ("9h8h", "Th7h2c"),
        ("5s5d", "KcKdKh2s"),  # many ties
        ("2c3d", "AsKsQsJsTs"),  # everybody ties
        ("7c6d", "8h9cTd2s5d"),
    ],
)
def test_hand_strength_and_potential_equal_a_plain_enumeration(hole, board):
    assert potential(hole, board)[:3] == pytest.approx(plain_potential(hole, board), abs=1e-12)


def test_hand_strength_of_the_published_example():
    """Billings et al. (1998), section 4: ace-queen on this flop beats 628 of 1081 hands and ties 9."""
    assert potential("AdQc", "3h4cJh")[0] == pytest.approx((628 + 9 / 2) / 1081, abs=1e-12)


def test_a_hand_that_cannot_be_caught_has_no_potential_and_full_strength():
    assert potential("AsKs", "QsJsTs") == (1.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize("num_opponents", [1, 2, 5])
def test_effective_strength_follows_its_formula(num_opponents):
    strength, positive, negative, effective = potential("9h8h", "Th7h2c", num_opponents)
    ahead = strength**num_opponents
    assert effective == pytest.approx(ahead * (1 - negative) + (1 - ahead) * positive, abs=1e-12)


def test_hand_potential_refuses_cards_that_do_not_fit():
    with pytest.raises(ValueError, match="differ"):
        potential("AsKs", "AsJsTs")
    with pytest.raises(ValueError, match="3 to 5 board cards"):
        potential("AsKs", "JsTs")


def test_hand_groups_are_nested_and_end_with_every_hand():
    ranges = [parse_range(text) for text in HAND_GROUPS.values()]
    for better, wider in pairwise(ranges):
        assert (better.weights <= wider.weights).all() and better.share < wider.share
    assert ranges[-1].share == 1


def test_every_spot_before_the_flop_has_its_table():
    assert set(PREFLOP_SPOTS) == {(position, opening) for position in POSITIONS for opening in OPENINGS}
    assert preflop_plays(is_tight=False).shape == (_native.NUM_SPOTS, 1326)


def test_tight_and_loose_raise_the_same_hands_and_loose_plays_more():
    """Abou Risk (2009), section 4.3: the loose setting turns some of the folding hands into calling hands."""
    tight, loose = preflop_plays(is_tight=True), preflop_plays(is_tight=False)
    assert ((tight == RAISED) == (loose == RAISED)).all()
    assert (tight <= loose).all()
    assert (tight < loose).any(axis=1).sum() >= 15


def game(num_seats, betting):
    """Hold'em with so many seats."""
    blinds = (10, 5) if num_seats == 2 else (5, 10) + (0,) * (num_seats - 2)
    sizes = "raiseSize = 10 10 20 20\nmaxRaises = 3 4 4 4" if betting == "limit" else f"stack = {'1000 ' * num_seats}"
    first = "2 1 1 1" if num_seats == 2 else "3 1 1 1"
    return parse_rules(
        f"GAMEDEF\n{betting}\nnumPlayers = {num_seats}\nnumRounds = 4\n{sizes}\nblind = {' '.join(map(str, blinds))}\n"
        f"firstPlayer = {first}\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n",
        f"{betting}{num_seats}",
    )


@pytest.mark.parametrize(
    ("num_seats", "betting", "position", "opening"),
    [
        (2, "", "small blind", "unopened"),
        (2, "c", "big blind", "limped"),
        (2, "r", "big blind", "raised"),
        (3, "", "button", "unopened"),
        (3, "c", "small blind", "limped"),
        (3, "r", "small blind", "raised"),
        (3, "f", "small blind", "unopened"),
        (3, "cc", "big blind", "limped"),
        (3, "fr", "big blind", "raised"),
        (3, "cr", "big blind", "raised and called"),
        (3, "rc", "big blind", "raised and called"),
        (3, "rr", "big blind", "reraised"),
        (6, "", "early", "unopened"),
        (6, "c", "early", "limped"),
        (6, "fr", "early", "raised"),
        (6, "ffrr", "small blind", "reraised"),
        (6, "frc", "button", "raised and called"),
    ],
)
def test_the_engine_plays_the_table_of_the_spot(num_seats, betting, position, opening):
    rules = game(num_seats, "limit")
    state = rules.root()
    for letter in betting:
        state = state.act({"f": FOLD, "c": CALL, "r": state.legal.max_raise_to}[letter])
    row = preflop_plays(is_tight=False)[POSITIONS.index(position) * len(OPENINGS) + OPENINGS.index(opening)]
    agent = poki()
    agent.start_match(rules)
    agent.start_hand(state.seat, seat_generator(0, 0, 0, state.seat))
    for first in range(1, 52, 3):
        for second in range(first):
            action = agent.act(View(state, state.seat, (second, first)))
            play = FOLDED if action == FOLD else CALLED if action == CALL else RAISED
            assert play == row[first * (first - 1) // 2 + second]


def test_who_is_in_already_does_not_fold_before_the_flop():
    """Abou Risk (2009), Table 4.1: sequences such as crcf and ccrf hardly ever happen."""
    state = load_rules("lhe3").root().act(CALL).act(20).act(30)  # the button called, both blinds raised
    agent = poki()
    agent.start_match(state.rules)
    agent.start_hand(2, seat_generator(0, 0, 0, 2))
    assert agent.act(View(state, 2, parse_cards("7c2d"))) == CALL


@pytest.mark.parametrize(
    ("hole", "board", "expected"),
    [("AsKs", "QsJsTs2d3c", 50), ("3h2h", "AsKdQs9d8c", FOLD)],
)
def test_the_formula_raises_the_best_hand_and_folds_the_worst(hole, board, expected):
    """Behind a bet of 20 on the last card."""
    state = load_rules("lhe2").root().act(CALL).act(CALL)
    cards = parse_cards(board)
    for dealt in (cards[:3], cards[3:4]):
        state = state.deal(dealt).act(CALL).act(CALL)
    state = state.deal(cards[4:]).act(30)
    agent = poki()
    agent.start_match(state.rules)
    for hand in range(50):
        agent.start_hand(state.seat, seat_generator(0, hand, 0, state.seat))
        assert agent.act(View(state, state.seat, parse_cards(hole))) == expected


@pytest.mark.parametrize("betting", ["limit", "nolimit", "potlimit"])
@pytest.mark.parametrize("num_seats", [2, 3, 4, 5, 6])
def test_every_action_is_legal(num_seats, betting):
    """`play_hand` refuses any other."""
    rules = game(num_seats, betting)
    makers = [
        poki,
        poki_tight,
        lambda: poki_sim(trials=5),
        lambda: agent_of(probe()),
        lambda: agent_of(always_raise()),
        poki,
    ]
    agents = [make() for make in makers[:num_seats]]
    for agent in agents:
        agent.start_match(rules)
    for deal in range(12):
        seated = agents[deal % num_seats :] + agents[: deal % num_seats]
        for seat, agent in enumerate(seated):
            agent.start_hand(seat, seat_generator(3, deal, 0, seat))
        hand = play_hand(rules, seated, deal_cards(rules, 3, deal))
        assert sum(hand.payoffs) == pytest.approx(0, abs=1e-9)


class Disguised:
    """An agent of the engine that the arena does not recognise as one."""

    def __init__(self, agent):
        self.name = agent.name
        self.start_match, self.start_hand = agent.start_match, agent.start_hand
        self.act, self.end_hand = agent.act, agent.end_hand


@pytest.mark.parametrize("hands_per_match", [1, 10])
def test_the_engine_and_python_play_the_same_match(hands_per_match):
    agents = poki(), poki_tight(), poki_sim(trials=10)
    options = {"deals": 20, "seed": 5, "match_hands": hands_per_match}
    native = ng.match(*agents, game="lhe3", **options)
    plain = ng.match(*map(Disguised, agents), game="lhe3", **options)
    assert native.winrates.tolist() == plain.winrates.tolist()
    assert native.behaviour == plain.behaviour and native.sequences == plain.sequences


# Percent of hands, three of the same agent: Abou Risk (2009), Table 4.1.
TABLE_4_1 = {"f": 20.67, "cf": 16.43, "rf": 9.55, "crf": 3.35, "rcf": 1.52, "rrf": 0.54}


def test_three_pokis_bet_before_the_flop_as_published():
    """Tolerances: what the tables themselves give is within 0.2 (see below); 1000 deals add up to 3 for 20%."""
    result = ng.match(poki(), poki(), poki(), game="lhe3", deals=1000, seed=1)
    folded = {text: 100 * share for text, share in result.sequences.items() if "f" in text}
    assert set(folded) == set(TABLE_4_1)
    for text, published in TABLE_4_1.items():
        assert folded[text] == pytest.approx(published, abs=0.3 + 0.65 * published**0.5)
    assert sum(folded.values()) == pytest.approx(52.05, abs=5)
    assert result.stdev.mean() == pytest.approx(3.36, abs=0.3)  # Table 3.3


def test_the_tables_give_the_published_frequencies():
    """The same frequencies from 200,000 deals of cards alone, to 0.3 of a percent of all hands."""
    rng = np.random.default_rng(7)
    cards = np.argsort(rng.random((25_000, 52)), axis=1)[:, :48].reshape(-1, 3, 2)  # eight deals of each shuffle
    high, low = cards.max(axis=2), cards.min(axis=2)
    button, small, big = (high * (high - 1) // 2 + low).T
    plays = preflop_plays(is_tight=False)

    def play(position, opening, hands):
        return plays[POSITIONS.index(position) * len(OPENINGS) + OPENINGS.index(opening)][hands]

    first = play("button", "unopened", button)
    after_call, after_raise = play("small blind", "limped", small), play("small blind", "raised", small)
    last, last_reraised = play("big blind", "raised and called", big), play("big blind", "reraised", big)
    shares = {
        "f": first == FOLDED,
        "cf": (first == CALLED) & (after_call == FOLDED),
        "rf": (first == RAISED) & (after_raise == FOLDED),
        "crf": (first == CALLED) & (after_call == RAISED) & (last == FOLDED),
        "rcf": (first == RAISED) & (after_raise == CALLED) & (last == FOLDED),
        "rrf": (first == RAISED) & (after_raise == RAISED) & (last_reraised == FOLDED),
    }
    for text, published in TABLE_4_1.items():
        assert 100 * shares[text].mean() == pytest.approx(published, abs=0.3)


@pytest.mark.parametrize("opponent", [always_raise, probe])
def test_poki_beats_always_call_with_a_raiser(opponent):
    """By more than half a small bet a hand; Abou Risk (2009), Figure 3.2, has 1.197 and 0.936."""
    estimate = ng.match(poki(), always_call(), opponent(), game="lhe3", deals=1500, seed=2).estimate(0)
    assert estimate.mean - estimate.ci95 > 0.5


def test_simulation_beats_the_formula():
    estimate = ng.match(poki_sim(trials=60), poki(), poki(), game="lhe3", deals=120, seed=3).estimate(0)
    assert estimate.mean - estimate.ci95 > 0


def test_simulation_learns_who_always_raises():
    """Within a match the raises of always-raise stop to frighten it."""
    table = [poki_sim(trials=40), always_call(), always_raise()]
    forgetful = ng.match(*table, game="lhe3", deals=80, seed=4)
    learning = ng.match(*table, game="lhe3", deals=80, seed=4, match_hands=40)
    assert learning.winrates[0] > forgetful.winrates[0] + 0.5


def test_agents_for_holdem_refuse_other_games():
    for name, problem in (("leduc2", "a deck of 6 cards"), ("kuhn3", "a deck of 4 cards")):
        with pytest.raises(UnsupportedGameError, match=f"poki-tight cannot play {name}: it has {problem}; allowed: "):
            poki_tight().check_game(load_rules(name))
    text = load_rules("lhe3").to_text()
    for before, after, problem in (
        ("numHoleCards = 2", "numHoleCards = 4", "4 hole cards"),
        ("numBoardCards = 0 3 1 1", "numBoardCards = 0 3 1 0", "board cards 0 3 1 0"),
    ):
        with pytest.raises(UnsupportedGameError, match=problem):
            require_holdem(parse_rules(text.replace(before, after), "other"), "poki")
    with pytest.raises(UnsupportedGameError, match="7 seats"):
        poki().start_match(game(7, "limit"))


@pytest.mark.parametrize("make", [poki, poki_sim])
def test_the_engine_refuses_other_games_by_itself(make):
    state = load_rules("leduc2").root()
    with pytest.raises(ValueError, match="hold'em"):
        make().native.act(state.native, (51,), _native.Stream(0, 0, 0, 0))


@pytest.mark.parametrize("cards", [(200, 51), (51, 51), (51,)])
def test_the_engine_refuses_cards_that_cannot_be_held(cards):
    """It looks them up in tables, beyond whose end these are."""
    with pytest.raises(ValueError, match="with its own hole cards"):
        poki().native.act(load_rules("lhe2").root().native, cards, _native.Stream(0, 0, 0, 0))


@pytest.mark.parametrize("trials", [0, -1, 2.5, 10**9, True])
def test_a_number_of_trials_out_of_range_is_refused(trials):
    with pytest.raises(ConfigError, match="allowed: whole numbers from 1 to"):
        poki_sim(trials=trials)
