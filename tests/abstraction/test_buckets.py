"""Card abstractions: equal shares, recall, suits, lookups, text; lossless small decks."""

import functools
import math

import numpy as np
import pytest

from nashgap.abstraction.buckets import CardAbstractionSpec, build_abstraction, parse_card_abstraction
from nashgap.abstraction.strength import canonical_boards, load_strength_tables
from nashgap.cards.evaluator import hand_ranks
from nashgap.cards.isomorphism import SuitIsomorphism
from nashgap.errors import ConfigError, UnsupportedGameError
from nashgap.poker.rules import load_rules

HOLD_EM = "lhe3"


@pytest.fixture(scope="module")
def folder(tables_folder):
    """A cache with the tables of E[HS²], whose checksums take half a second: they are read once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nashgap.abstraction.buckets.load_strength_tables", functools.cache(load_strength_tables))
        yield tables_folder


def build(text, folder, game=HOLD_EM):
    return build_abstraction(parse_card_abstraction(text), load_rules(game), folder=folder)


def deals(seed, number):
    rng = np.random.default_rng(seed)
    cards = np.array([rng.permutation(52)[:7] for _ in range(number)], dtype=np.uint8)
    return cards[:, :2], cards[:, 2:]


TEXTS = [
    "percentile(ehs2, 16/16/16/16, recall=none)",
    "percentile(ehs, lossless/200/200/200, recall=preflop)",
    "percentile(ehs-3p, 2/2/2/2, recall=all)",
    "percentile(ehs2-3p, 16/16/16/16, recall=none)",
    "percentile(ehs2, 5/5/5/5, recall=all, cuts=nested, deals=1000, seed=7)",
    "uniform(ehs2, 10/20/20/10, recall=preflop+turn)",
    "uniform(ehs^2, 16/16/16/16, recall=none)",
    "percentile(ehs, lossless/lossless/20000/ranks, recall=none)",
    "grid(lossless/lossless/50x80x50/500x400)",
    "grid(8/2x3x4/2x3x1/ranks, recall=preflop)",
    "kmeans(lossless/200/200/200)",
    "kmeans(lossless/50/60/70, recall=all, bins=20, seed=3)",
    "lossless",
]


def test_the_former_name_of_a_metric_is_understood():
    spec = parse_card_abstraction("percentile(ehs3p, 2/2/2/2, recall=all)")
    assert spec == parse_card_abstraction("percentile(ehs-3p, 2/2/2/2, recall=all)")
    assert "ehs-3p" in spec.to_text()


@pytest.mark.parametrize("text", TEXTS)
def test_text_comes_back_as_it_was(text):
    assert parse_card_abstraction(text).to_text() == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "percentile",
        "percentile(ehs2)",
        "percentile(hs, 2/2)",
        "median(ehs2, 2/2)",
        "percentile(ehs2, 0/2)",
        "percentile(ehs2, 2/-2)",
        "percentile(ehs2, 2/ranks)",
        "percentile(ehs2, 2/2x2)",
        "percentile(ehs2, 2/65535)",
        "percentile(ehs2, 2/2, bins=5)",
        "percentile(ehs^1, 2/2)",
        "percentile(ehs2^2, 2/2)",
        "grid(2/2/2/2)",
        "grid(2/2x2x2/2x2x2/2x2x2)",
        "grid(2/0x2x2)",
        "grid(ehs, 2/2x2x2)",
        "kmeans(2/6000)",
        "kmeans(2/2, bins=1)",
        "kmeans(2/2, cuts=nested, recall=all)",
        "percentile(ehs2, 2/2/2/2/2)",
        "percentile(ehs2, 2/2, recall=river)",
        "percentile(ehs2, 2/2, recall=none, recall=all)",
        "percentile(ehs2, 2/2, memory=all)",
        "percentile(ehs2, 2/2, cuts=nested)",
        "uniform(ehs2, 2/2, recall=all, cuts=nested)",
        "percentile(ehs2, 2/2, recall=all, deals=5)",
        "percentile(ehs2, 2/2/2, recall=flop+preflop)",
        "lossless(ehs2, 2/2)",
    ],
)
def test_what_is_no_abstraction_is_refused(text):
    with pytest.raises(ConfigError):
        parse_card_abstraction(text)


@pytest.mark.slow
def test_percentiles_hold_equal_shares_of_all_deals(folder):
    """Counted over every hand on every flop, each canonical flop as often as it is dealt."""
    abstraction = build("percentile(ehs2, 8/16/16/16)", folder)
    boards, num_renamings = canonical_boards(3)
    counts = np.zeros(16)
    for board, weight in zip(boards, num_renamings, strict=True):
        buckets = abstraction.all_buckets(board.tolist(), 1)
        counts += weight * np.bincount(buckets[buckets >= 0], minlength=16)
    assert counts.sum() == math.comb(52, 3) * math.comb(49, 2)
    np.testing.assert_allclose(counts / counts.sum(), 1 / 16, atol=0.001)
    for quality in abstraction.quality(num_deals=200_000)[1:]:
        np.testing.assert_allclose(quality.sizes, 1 / 16, atol=0.01)
        assert quality.within_variance < 0.02 * quality.variance


@pytest.mark.slow
def test_nested_cuts_halve_every_remembered_bucket(folder):
    nested = build("percentile(ehs2, 2/2/2/2, recall=all, cuts=nested, deals=200000)", folder)
    plain = build("percentile(ehs2, 2/2/2/2, recall=all)", folder)
    assert nested.num_buckets == plain.num_buckets == (2, 4, 8, 16)
    preflop, *later = nested.quality(num_deals=200_000, seed=1)
    for quality in later:
        pairs = quality.sizes.reshape(-1, 2)
        # One river level (213 of 1980) holds 5.75% of the weakest parent's deals and lies across its middle: the best
        # cut leaves 47.8%. The rest is the noise of 25,000 deals in a parent.
        np.testing.assert_allclose(pairs[:, 0] / pairs.sum(axis=1), 0.5, atol=0.03)
    assert preflop.sizes.sum() == pytest.approx(1)
    assert np.ptp(plain.quality(num_deals=200_000)[3].sizes) > 0.1


@pytest.mark.slow
def test_remembered_buckets_are_the_leading_digits(folder):
    alone = build("percentile(ehs2, lossless/5/4/3, recall=none)", folder)
    remembering = build("percentile(ehs2, lossless/5/4/3, recall=preflop+turn)", folder)
    assert remembering.num_buckets == (169, 169 * 5, 169 * 4, 169 * 4 * 3)
    own = alone.hand_buckets(*deals(2, 500)).astype(int)
    found = remembering.hand_buckets(*deals(2, 500))
    np.testing.assert_array_equal(found[:, 1], own[:, 0] * 5 + own[:, 1])
    np.testing.assert_array_equal(found[:, 2], own[:, 0] * 4 + own[:, 2])
    np.testing.assert_array_equal(found[:, 3], (own[:, 0] * 4 + own[:, 2]) * 3 + own[:, 3])
    assert len(np.unique(own[:, 0])) > 100


@pytest.mark.slow
@pytest.mark.parametrize("options", ["recall=none", "recall=all, cuts=nested, deals=20000", "recall=turn"])
def test_names_of_suits_and_single_lookups_do_not_matter(options, folder):
    abstraction = build(f"percentile(ehs2, 6/6/6/6, {options})", folder)
    holes, boards = deals(3, 200)
    expected = abstraction.hand_buckets(holes, boards)
    for suits in ([1, 0, 3, 2], [3, 0, 1, 2]):
        renamed = [cards // 4 * 4 + np.array(suits, dtype=np.uint8)[cards % 4] for cards in (holes, boards)]
        np.testing.assert_array_equal(abstraction.hand_buckets(renamed[0][:, ::-1], renamed[1]), expected)
    first, second = np.tril_indices(52, -1)
    for number, num_cards in enumerate((0, 3, 4, 5)):
        board = boards[0, :num_cards]
        buckets = abstraction.all_buckets(board.tolist(), number)
        is_free = ~(np.isin(first, board) | np.isin(second, board))
        assert np.array_equal(buckets >= 0, is_free)
        hands = np.stack([first, second], axis=1)[is_free].astype(np.uint8)
        single = abstraction.hand_buckets(hands, np.tile(board, (len(hands), 1)))
        np.testing.assert_array_equal(buckets[is_free], single[:, number])


@pytest.mark.slow
def test_uniform_cuts_are_steps_of_strength(folder):
    abstraction, tables = build("uniform(ehs2, 10/10/10/10)", folder), load_strength_tables("ehs2", folder=folder)
    for number, num_cards in enumerate((0, 3, 4, 5)):
        for board in deals(5, 20)[1][:, :num_cards]:
            strengths = tables.strengths(board.tolist())
            is_free = ~np.isnan(strengths)
            # A river strength is a square of a fraction, which floating point may put just below a step.
            expected = np.minimum(np.floor(strengths[is_free] * 10 + 1e-9), 9)
            np.testing.assert_array_equal(abstraction.all_buckets(board.tolist(), number)[is_free], expected)


@pytest.mark.slow
def test_lossless_rounds_forget_only_suits_and_the_order_of_the_board(folder):
    spec = parse_card_abstraction("percentile(ehs2, lossless/lossless/lossless/lossless)")
    assert spec.bucket_counts(load_rules(HOLD_EM)) == tuple(
        SuitIsomorphism(cards).size for cards in [(2,), (2, 3), (2, 4), (2, 5)]
    )
    abstraction = build_abstraction(spec, load_rules(HOLD_EM), folder=folder)
    holes, boards = deals(6, 300)
    buckets = abstraction.hand_buckets(holes, boards)
    np.testing.assert_array_equal(abstraction.hand_buckets(holes[:, ::-1], boards[:, [2, 0, 1, 3, 4]]), buckets)
    for number, num_cards in enumerate((0, 3, 4, 5)):
        classes = SuitIsomorphism((2, num_cards) if num_cards else (2,))
        expected = classes.index_batch(np.concatenate([holes, boards[:, :num_cards]], axis=1))
        np.testing.assert_array_equal(buckets[:, number], expected)


@pytest.mark.slow
def test_rank_buckets_are_the_ranks_on_each_board(folder):
    abstraction = build("percentile(ehs2, 2/2/2/ranks)", folder)
    assert abstraction.num_buckets[3] == abstraction.spec.bucket_counts(abstraction.rules)[3]
    hands, seen = np.stack(np.tril_indices(52, -1), axis=1), set()
    for board in canonical_boards(5)[0][::20_000]:
        buckets = abstraction.all_buckets(board.tolist(), 3)
        is_free = buckets >= 0
        cards = np.concatenate([hands[is_free], np.tile(board, (np.count_nonzero(is_free), 1))], axis=1)
        ranks = hand_ranks(cards.astype(np.uint8))
        # In the same order, and without holes.
        _, places = np.unique(ranks, return_inverse=True)
        np.testing.assert_array_equal(buckets[is_free] - buckets[is_free].min(), places)
        assert not seen & set(buckets[is_free].tolist())
        seen |= set(buckets[is_free].tolist())


@pytest.mark.slow
def test_equal_fingerprints_mean_equal_buckets(folder):
    texts = ["2/2/2/2", "2/2/2/3"]
    prints = [build(f"percentile(ehs2, {text})", folder).fingerprint for text in texts]
    assert len(set(prints)) == len(texts)
    assert all(len(told) == 32 and int(told, 16) for told in prints)
    again = build("percentile(ehs2, 2/2/2/2, recall=none)", folder, game="lhe2")
    assert again.fingerprint == prints[0]  # the number of seats is no matter of the cards


def test_fingerprints_of_small_decks_tell_the_decks_apart():
    games = ["kuhn2", "kuhn3", "leduc2"]
    prints = [build_abstraction(CardAbstractionSpec("lossless"), load_rules(game)).fingerprint for game in games]
    assert len(set(prints)) == 3


@pytest.mark.parametrize("game", ["kuhn2", "kuhn3", "leduc2"])
def test_counts_are_known_before_anything_is_built(game):
    spec = CardAbstractionSpec("lossless")
    assert spec.bucket_counts(load_rules(game)) == build_abstraction(spec, load_rules(game)).num_buckets


def test_counts_multiply_over_remembered_rounds():
    rules = load_rules(HOLD_EM)
    for text, counts in [
        ("grid(lossless/lossless/50x80x50/500x400)", (169, 1_286_792, 200_000, 200_000)),
        ("kmeans(lossless/20/30/40, recall=flop)", (169, 20, 600, 800)),
        ("percentile(ehs, lossless/5/5/5, recall=all)", (169, 845, 4_225, 21_125)),
    ]:
        assert parse_card_abstraction(text).bucket_counts(rules) == counts
    with pytest.raises(ConfigError, match="at most 2147483647"):
        parse_card_abstraction("percentile(ehs, lossless/lossless/100/100, recall=all)").bucket_counts(rules)


@pytest.mark.parametrize(("game", "num_buckets"), [("kuhn3", (4,)), ("leduc2", (6, 30))])
def test_lossless_tells_all_hands_of_a_small_deck_apart(game, num_buckets):
    abstraction = build_abstraction(CardAbstractionSpec("lossless"), load_rules(game))
    assert abstraction.num_buckets == num_buckets
    deck, last = abstraction.rules.deck, len(num_buckets) - 1
    boards = [[card] for card in deck] if last else [[]]
    seen = [bucket for board in boards for bucket in abstraction.all_buckets(board, last).tolist() if bucket >= 0]
    assert sorted(seen) == list(range(num_buckets[-1]))
    for board in boards:
        for place, card in enumerate(deck):
            if card not in board:
                found = abstraction.hand_buckets(np.array([[card]]), np.array([board], dtype=np.uint8).reshape(1, -1))
                assert found[0, last] == abstraction.all_buckets(board, last)[place]
    assert [quality.within_variance for quality in abstraction.quality()] == [0.0] * len(num_buckets)


def test_games_that_do_not_fit_are_refused():
    with pytest.raises(UnsupportedGameError, match="too many hands"):
        build_abstraction(CardAbstractionSpec("lossless"), load_rules(HOLD_EM))
    with pytest.raises(UnsupportedGameError, match="not hold'em"):
        build_abstraction(parse_card_abstraction("percentile(ehs2, 2/2)"), load_rules("leduc2"))
    with pytest.raises(ConfigError, match="has 2 rounds, the game 4"):
        build_abstraction(parse_card_abstraction("percentile(ehs2, 2/2)"), load_rules(HOLD_EM))
    leduc = build_abstraction(CardAbstractionSpec("lossless"), load_rules("leduc2"))
    with pytest.raises(ConfigError, match="not in the deck"):
        leduc.all_buckets([0], 1)
