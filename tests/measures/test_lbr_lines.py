"""LBR by all lines of the betting: exact on small decks, with the mean of dealt hands, the same however it is cut."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy, sized_rules
from plain_lbr import plain_value
from seeded_strategy import Seeded
from short_decks import short_deck

import nashgap as ng
from nashgap import _native
from nashgap.core.estimate import half_width_95
from nashgap.errors import ConfigError, OptionError
from nashgap.jobs.lbr import LbrJob
from nashgap.jobs.perform import perform
from nashgap.measures import lbr_lines
from nashgap.measures.lbr_lines import all_boards, follow_lines, num_boards
from nashgap.measures.local_best_response import ALL_LINES, LbrOptions, play_lbr
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.hands import hands_of
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.strategies.chumps import always_call, always_fold, always_raise, half_call_half_raise, random
from nashgap.strategies.spec import as_bot

LINES = LbrOptions("full", lines=ALL_LINES, stake=0.0)
LEDUC = load_rules("leduc2")
TWO_CARDS = short_deck(rounds=2, suits=2, ranks=3, hole=2, board="0 1")
NO_LIMIT = parse_rules(
    """GAMEDEF
nolimit
numPlayers = 2
numRounds = 3
stack = 30 30
blind = 2 1
firstPlayer = 2 1 1
numSuits = 2
numRanks = 3
numHoleCards = 2
numBoardCards = 0 1 1
END GAMEDEF""",
    "short-no-limit",
)


# Cards lie before the first action.
SHOWN = short_deck(rounds=2, suits=2, ranks=3, hole=1, board="1 1")
SIZED = abstract_game(sized_rules(stacks=[2000, 2000]), "fcpa")


class AsAsked:
    """A strategy of the engine that is asked like somebody's own."""

    name, is_sampled = "asked", False

    def __init__(self, strategy):
        self.strategy = strategy

    def policies(self, states):
        return self.strategy.policies(states)


def followed(rules, strategy, options, boards=None, **settings):
    boards = all_boards(rules) if boards is None else boards
    return follow_lines(rules, strategy, options, list(enumerate(boards)), **settings)


def dealt_boards(rules, seed, num_deals, first=0):
    seen = rules.num_seats * rules.num_hole_cards
    return [_native.deal_cards(rules.native, seed, first + deal, ())[seen:] for deal in range(num_deals)]


def expectation(rules, strategy, options):
    bets, rounds = parse_betting_abstraction(options.bets), options.active_rounds(rules)
    return plain_value(rules, strategy, bets, rounds)


@pytest.mark.parametrize("rounds", ["", "2"])
@pytest.mark.parametrize(
    ("rules", "bets"),
    [(LEDUC, "full"), (TWO_CARDS, "full"), (SHOWN, "full"), (NO_LIMIT, "1,a"), (NO_LIMIT, "min,0.5,2")],
)
def test_over_all_boards_it_is_the_expectation(rules, bets, rounds):
    """The plain twin walks every deal of cards and every action by itself."""
    options = replace(LINES, bets=bets, rounds=rounds)
    strategy = Kept(Seeded())
    found = followed(rules, strategy, options)
    exact = expectation(rules, strategy, options)
    assert found.chips.sum(axis=2).mean(axis=0) == pytest.approx(exact, abs=1e-9)
    assert found.mass.sum(axis=2).mean(axis=0) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("chump", [always_call(), always_raise(), always_fold(), half_call_half_raise()])
def test_chumps_of_the_engine_lose_what_they_lose_when_they_are_asked(chump):
    known, asked = (followed(NO_LIMIT, each, replace(LINES, bets="1,a")) for each in (chump, AsAsked(chump)))
    assert (known.chips == asked.chips).all()
    assert known.queries == asked.queries


@pytest.mark.parametrize("translation", ["hard", "soft", "pseudo-harmonic"])
def test_a_translated_strategy_loses_what_it_loses_when_it_is_asked(translation):
    strategy = random_abstract_strategy(SIZED, translation=translation)
    rules = SIZED.rules
    for options in (replace(LINES, bets="min,0.3,0.8,1,2,a"), replace(LINES, bets="0.7,a", lookahead=2)):
        known, asked = (followed(rules, each, options).chips for each in (strategy, AsAsked(strategy)))
        assert known == pytest.approx(asked, abs=1e-7)
        hands = play_lbr(rules, [strategy], options, num_deals=6_000, seed=4).chips.mean(axis=1)
        error = half_width_95(float(hands.var(ddof=1)), len(hands))
        assert abs(hands.mean() - known.sum(axis=2).mean()) < 1.5 * error


@pytest.mark.parametrize("lookahead", [1, 2])
@pytest.mark.parametrize("stake", [0.0, 2.0])
def test_hands_that_are_dealt_have_the_same_mean(lookahead, stake):
    options = replace(LINES, bets="1,a", lookahead=lookahead, stake=stake)
    found = followed(NO_LIMIT, Seeded(), options, dealt_boards(NO_LIMIT, 7, 400), seed=7).chips.sum(axis=2)
    dealt = play_lbr(NO_LIMIT, [Seeded()], options, num_deals=8_000, seed=2).chips
    lines, hands = found.mean(axis=1), dealt.mean(axis=1)
    error = np.hypot(*(half_width_95(float(each.var(ddof=1)), len(each)) for each in (lines, hands)))
    assert abs(lines.mean() - hands.mean()) < 1.5 * error
    assert lines.std() < 0.5 * hands.std()


@pytest.mark.parametrize("stake", [1.0, 5.0])
def test_drawn_lines_keep_the_mean_at_two_budgets(stake):
    """A bias would show as a distance that does not fall with the error, at ten times the boards."""
    options = replace(LINES, bets="1,a", stake=stake)
    strategy = Kept(Seeded())
    exact = np.mean(expectation(NO_LIMIT, strategy, options))
    boards = all_boards(NO_LIMIT)
    for repeats in (2, 20):
        deals = [(number, boards[number % len(boards)]) for number in range(repeats * len(boards))]
        found = follow_lines(NO_LIMIT, strategy, options, deals, seed=repeats)
        # Each board as often as any other: what is left is the luck of the draws.
        each = found.chips.sum(axis=2).mean(axis=1).reshape(repeats, len(boards)).mean(axis=1)
        luck = found.chips.sum(axis=2).mean(axis=1).reshape(repeats, len(boards)).std(axis=0, ddof=1)
        error = np.sqrt((luck**2).sum()) / len(boards) / np.sqrt(repeats)
        assert luck.max() > 0, "some lines were drawn"
        assert abs(each.mean() - exact) < 3 * error


@pytest.mark.parametrize(("rules", "bets"), [(LEDUC, "full"), (TWO_CARDS, "full"), (SHOWN, "full"), (NO_LIMIT, "1,a")])
def test_the_luck_of_cards_is_nothing_over_all_boards(rules, bets):
    found = followed(rules, Kept(Seeded()), replace(LINES, bets=bets), finds_luck=True).luck
    dealt = [number > 0 and cards > 0 for number, cards in enumerate(rules.num_board_cards)]  # first all are alike
    assert (np.abs(found).max(axis=(0, 1)) > 0.01).tolist() == dealt
    assert found.mean(axis=0) == pytest.approx(0.0, abs=1e-12)


def test_the_luck_of_cards_is_nothing_where_lines_are_drawn():
    boards = all_boards(NO_LIMIT)
    deals = [(number, boards[number % len(boards)]) for number in range(40 * len(boards))]
    options = replace(LINES, bets="1,a", stake=2.0)
    luck = follow_lines(NO_LIMIT, Kept(Seeded()), options, deals, seed=9, finds_luck=True).luck
    found = luck.sum(axis=2).mean(axis=1).reshape(40, len(boards)).mean(axis=1)
    assert found.std() > 1e-3, "some lines were drawn"
    assert abs(found.mean()) < 3 * found.std(ddof=1) / np.sqrt(40)


def test_luck_is_not_found_of_cards_that_were_chosen():
    """They do not come from the whole deck, so that what they bring is not 0 as a mean."""
    boards = all_boards(NO_LIMIT)
    boards = [board for board in boards if board[0] == boards[0][0]]
    found = followed(NO_LIMIT, Kept(Seeded()), replace(LINES, bets="1,a"), boards, finds_luck=True, num_chosen_cards=1)
    assert not found.luck[..., :2].any() and found.luck[..., 2].any()
    assert found.luck.mean(axis=0) == pytest.approx(0.0, abs=1e-12)


def test_bots_that_are_asked_are_measured_without_the_luck_of_cards():
    """The same chips as of the bot that is known; a smaller interval, and seats that fit. Luck that is 0 stays."""

    class Asked(AsAsked):
        digest = "asked"

    settings = {"game": "hunl", "by": "lbr", "rounds": "3-4", "deals": 80, "stake": 5.0, "leaks": False}
    chump = half_call_half_raise()
    known, asked = (ng.measure(each, **settings) for each in ("half-call-half-raise", Asked(chump)))
    assert (known.batch_chips == asked.batch_chips).all()
    assert abs(asked.luck) > 1.0 and known.luck == 0.0
    assert abs(asked.luck) < known.estimate.ci95
    assert asked.estimate.mean == pytest.approx(np.mean([seat.mean for seat in asked.by_seat]))
    assert "luck of the cards" in asked.report().facts and "luck of the cards" not in known.report().facts
    # Ranges that no bet changes before the river are alike on all boards.
    settings["rounds"] = "4"
    known, asked = (ng.measure(each, **settings) for each in ("always-call", Asked(always_call())))
    assert asked.estimate.mean == pytest.approx(known.estimate.mean, rel=1e-12) and asked.luck == 0.0


def test_a_larger_stake_asks_less():
    boards = dealt_boards(NO_LIMIT, 1, 20)
    numbers = [followed(NO_LIMIT, Seeded(), replace(LINES, bets="1,a", stake=s), boards).queries for s in (0, 1, 5, 25)]
    assert numbers == sorted(numbers, reverse=True) and numbers[0] > 2 * numbers[-1]


@pytest.mark.slow
def test_intervals_cover_the_expectation():
    """Of 2,000 seeds 95% should; 93.5 to 96.5% are three standard errors around that.

    Where more is drawn, forty boards are too few: of a big blind, two thirds of the pot here, they cover 88%
    and a hundred boards 93%, since what is drawn seldom counts much.
    """
    options = replace(LINES, bets="1,a", stake=0.25)
    strategy = Kept(Seeded())
    exact = np.mean(expectation(NO_LIMIT, strategy, options))
    deals, covered = 40, 0
    for seed in range(2_000):
        boards = [(deal, board) for deal, board in enumerate(dealt_boards(NO_LIMIT, seed, deals))]
        samples = follow_lines(NO_LIMIT, strategy, options, boards, seed=seed).chips.sum(axis=2).mean(axis=1)
        covered += abs(samples.mean() - exact) <= half_width_95(float(samples.var(ddof=1)), deals)
    assert 0.935 <= covered / 2_000 <= 0.965


class Kept:
    """Remembers what it was asked: a seeded row takes its time."""

    name, is_sampled = "kept", False

    def __init__(self, strategy):
        self.strategy, self.answers = strategy, {}

    def policies(self, states):
        for state in states:
            key = state.betting, state.board
            if key not in self.answers:
                self.answers[key] = self.strategy.policies([state])[0]
        return [self.answers[state.betting, state.board] for state in states]


def test_how_boards_are_cut_into_calls_changes_nothing():
    options = replace(LINES, bets="1,a", stake=1.0)
    deals = list(enumerate(dealt_boards(NO_LIMIT, 5, 12)))
    found = [(0, 12), (0, 5), (5, 10), (10, 12)]
    whole, *parts = (
        follow_lines(NO_LIMIT, Seeded(), options, deals[first:last], seed=5, finds_luck=True) for first, last in found
    )
    assert (whole.chips == np.concatenate([part.chips for part in parts])).all()
    assert (whole.luck == np.concatenate([part.luck for part in parts])).all()


def test_sizes_of_a_range_are_drawn():
    """Against raises by any size nothing is enumerated, and the mean is that of dealt hands."""
    rules = load_rules("hunl")
    options = LbrOptions("fcpa", "4", lines=ALL_LINES, stake=2.0)
    found = followed(rules, random(), options, dealt_boards(rules, 3, 150), seed=3).chips.sum(axis=2).mean(axis=1)
    dealt = play_lbr(rules, [random()], options, num_deals=20_000, seed=4).chips.mean(axis=1)
    error = np.hypot(*(half_width_95(float(each.var(ddof=1)), len(each)) for each in (found, dealt)))
    assert abs(found.mean() - dealt.mean()) < 1.5 * error


def test_folding_loses_what_it_must():
    found = ng.measure("always-fold", game="hunl", by="lbr", deals=20)
    assert found.estimate.mean == pytest.approx(750, abs=1e-9) and found.estimate.ci95 == pytest.approx(0, abs=1e-9)


def test_a_small_game_is_measured_exactly():
    found = ng.measure("always-call", game="leduc2", by="lbr")
    options = LbrOptions("fcpa")
    exact = np.mean(expectation(LEDUC, always_call(), options)) / LEDUC.unit_chips
    assert found.estimate.mean == pytest.approx(exact, abs=1e-12)
    assert found.estimate.ci95 == 0.0 and found.deals == num_boards(LEDUC) == 6
    assert "over all boards" in found.summary
    assert sum(part.contribution.mean for part in found.leaks.parts["street"]) == pytest.approx(exact, abs=1e-12)


def test_boards_are_counted_and_listed():
    assert num_boards(load_rules("hunl")) == 22_100 * 49 * 48
    boards = all_boards(TWO_CARDS)
    assert len(boards) == num_boards(TWO_CARDS) == len({*boards}) == 6


@pytest.fixture(scope="module")
def told_apart():
    """The same strategy, measured both ways with its leaks."""
    bots = (as_bot(half_call_half_raise()),)
    rules = load_rules("hunl")
    options = LbrOptions("fcpa", "3-4", lines=ALL_LINES)
    lines = perform(LbrJob(rules=rules, strategies=bots, deals=100, options=options, seed=1, has_leaks=True))
    options = LbrOptions("fcpa", "3-4")
    hands = perform(LbrJob(rules=rules, strategies=bots, deals=4_000, options=options, seed=2, has_leaks=True))
    return lines, hands


def test_leaks_of_lines_add_up_to_the_bound(told_apart):
    lines, _ = told_apart
    for parts in lines.leaks.parts.values():
        assert sum(part.contribution.mean for part in parts) == pytest.approx(lines.estimate.mean, rel=1e-9)


@pytest.mark.parametrize("category", ["street", "position", "bet_size", "hand_class"])
def test_leaks_of_lines_are_those_of_hands(told_apart, category):
    """For each key both intervals, three times as wide: some twenty are looked at."""
    lines, hands = (bound.leaks.parts[category] for bound in told_apart)
    by_key = {part.key: part for part in hands}
    for part in lines:
        other = by_key.get(part.key)
        if other is not None and other.hands > 200:
            error = np.hypot(part.contribution.ci95, other.contribution.ci95)
            assert abs(part.contribution.mean - other.contribution.mean) < 2 * error, part.key
            assert part.share == pytest.approx(other.share, abs=0.03)


def test_examples_are_hands_that_can_be(told_apart):
    lines, _ = told_apart
    for leak in lines.leaks.situations:
        example = leak.example
        cards = [example.lbr_cards, example.bot_cards, example.board]
        dealt = [text[i : i + 2] for text in cards for i in range(0, len(text), 2)]
        assert len({*dealt}) == len(dealt)
        assert leak.mean.ci95 < leak.mean.mean or not leak.is_clear


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"game": "lhe3", "lines": "all"}, "lhe3 has 3 seats, and lines are followed for two; dealt can be had"),
        ({"game": "hunl", "lines": "all", "imaginary": False}, "there is one hand at a time"),
        ({"game": "hunl", "lines": "some"}, "lines 'some'; known: all, dealt"),
        ({"game": "hunl", "stake": -1.0}, "stake = -1.0; it must be 0 or more big blinds"),
        ({"game": "hunl", "lines": "dealt", "stake": 1.0}, "hands that are dealt have no lines to draw"),
    ],
)
def test_what_cannot_be_followed_is_refused(words, message):
    with pytest.raises((ConfigError, OptionError), match=message):
        ng.measure("always-call", by="lbr", **words)


def test_a_betting_with_too_many_lines_is_refused(monkeypatch):
    monkeypatch.setattr(lbr_lines, "MOST_NODES", 20)
    with pytest.raises(ConfigError, match="stake = 0: the betting has more than 20 lines on a board with bets 1,a"):
        followed(NO_LIMIT, Seeded(), replace(LINES, bets="1,a"))


def test_a_strategy_known_by_samples_is_dealt_unless_lines_are_asked_for():
    class Sampled:
        name, is_sampled = "by samples", True

        def sample_policies(self, states, seed):
            return always_call().policies(states)

    assert ng.measure(Sampled(), game="kuhn2", by="lbr", deals=20).options.lines == "dealt"
    with pytest.raises(ConfigError, match="known by samples only, and lines need what it does exactly"):
        ng.measure(Sampled(), game="kuhn2", by="lbr", lines="all")


@pytest.mark.parametrize("rules", [LEDUC, TWO_CARDS, load_rules("hunl")])
def test_wide_and_narrow_sweeps_find_the_same_bits(rules):
    rng = np.random.default_rng(1)
    hands = hands_of(rules)
    for board in dealt_boards(rules, 2, 3):
        reach = np.ascontiguousarray(rng.random((len(hands), 4)) * (rng.random((len(hands), 1)) < 0.8))
        can_be = np.array([{*hand} <= {*rules.deck} - {*board} for hand in hands])
        reach[~can_be] = 0.0
        narrow, wide = (np.zeros_like(reach) for _ in range(2))
        _native.add_points(rules.native, list(board), reach, narrow, True)
        _native.add_points(rules.native, list(board), reach, wide, False)
        assert (narrow == wide).all()
        for own, other in itertools.islice(itertools.product(np.flatnonzero(can_be)[:20], [0]), 20):
            strength = _native.hand_rank(bytes([*hands[own], *board]))
            points = np.zeros(4)
            for other in np.flatnonzero(can_be):
                if {*hands[own]}.isdisjoint(hands[other]):
                    rank = _native.hand_rank(bytes([*hands[other], *board]))
                    points += reach[other] * ((strength > rank) + (strength >= rank))
            assert narrow[own] == pytest.approx(points, rel=1e-9, abs=1e-9)
