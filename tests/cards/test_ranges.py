"""Ranges: the notation means what players mean by it, prints back exactly, and refuses the rest with its place."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nashgap.cards.card import format_cards, parse_cards
from nashgap.cards.ranges import CLASS_OF_HAND, HAND_CLASSES, Range, class_weights, parse_range
from nashgap.errors import ConfigError

# Every hand with its number, written out the plain way.
HANDS = {a * (a - 1) // 2 + b: (a, b) for a in range(52) for b in range(a)}


def classes_in(text):
    """The classes that are in the range with any weight."""
    return [name for name, weight in zip(HAND_CLASSES, class_weights(parse_range(text)), strict=True) if weight > 0]


def weight_of(hands, cards):
    b, a = sorted(parse_cards(cards))
    return hands.weights[a * (a - 1) // 2 + b]


@pytest.mark.parametrize(
    ("text", "combos"),
    [
        ("", 0),
        ("99", 6),
        ("AKs", 4),
        ("AKo", 12),
        ("AK", 16),
        ("AhKh", 1),
        ("99+", 36),
        ("22+", 78),
        ("A2s+", 48),
        ("A2o+", 144),
        ("A2+", 192),
        ("KTs+", 12),
        ("99-66", 24),
        ("A5s-A2s", 16),
        ("76s-54s", 12),
        ("JT-87", 64),
        ("any", 1326),
        ("*", 1326),
        ("random", 1326),
        ("AKs, 99+, 76s-54s:0.5", 46),
        ("any:0.25", 331.5),
        ("22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32", 1326),
    ],
)
def test_combos_known_by_heart(text, combos):
    hands = parse_range(text)
    assert hands.num_combos == combos
    assert hands.share == combos / 1326


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("QQ+", ["AA", "KK", "QQ"]),
        ("KTs+", ["KQs", "KJs", "KTs"]),
        ("K9o-K7o", ["K9o", "K8o", "K7o"]),
        ("76s-54s", ["76s", "65s", "54s"]),
        ("J9o-97o", ["J9o", "T8o", "97o"]),
        ("AK-QJ", ["AKs", "AKo", "KQs", "KQo", "QJs", "QJo"]),
        ("88-99", ["99", "88"]),
    ],
)
def test_which_classes_an_item_names(text, classes):
    assert sorted(classes_in(text)) == sorted(classes)


def test_plus_stops_just_below_the_higher_card():
    assert classes_in("T9s+") == ["T9s"]
    assert classes_in("AK+") == ["AKs", "AKo"]


def test_an_exact_hand_has_the_agreed_number():
    assert np.flatnonzero(parse_range("3c2c").weights).tolist() == [4 * 3 // 2 + 0]
    assert np.flatnonzero(parse_range("AsAh").weights).tolist() == [1325]
    assert np.flatnonzero(parse_range("2d2c").weights).tolist() == [0]


def test_a_later_item_sets_the_weight_again():
    hands = parse_range("any:0.2, 99+, AK:0.7, AhKh:0")
    assert weight_of(hands, "7c2d") == 0.2
    assert weight_of(hands, "TcTd") == 1.0
    assert weight_of(hands, "AcKh") == 0.7
    assert weight_of(hands, "AhKh") == 0.0
    assert parse_range("AhKh:0, AK") == parse_range("AK")


@pytest.mark.parametrize(
    "text",
    [
        "99+,AKs,76s-54s:0.5",
        "  99+ ,\n AKs\t76s - 54s : 0.5 ,",
        "76s-54s:.5 AKs 99+",
        "aKS, 99+, 67S-45s:5e-1",
        "99+\nKAs\n54s\u201376s:0.50",
    ],
)
def test_spaces_order_and_capitals_do_not_matter(text):
    assert parse_range(text) == parse_range("AKs, 99+, 76s-54s:0.5")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("AKs, 99+, 76s-54s:0.5", "99+, AKs, 76s-54s:0.5"),
        ("AKs, AKo", "AK"),
        ("A2s+, AKo", "A2s+, AKo"),
        ("ATs+, ATo+", "AT+"),
        ("66-99, A2s-A5s", "99-66, A5s-A2s"),
        ("T9s, 98s, 87s, KQs", "KQs, T9s-87s"),
        ("22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32", "any"),
        ("any:0.5", "any:0.5"),
        ("KhAh, AcAd:0.25", "AhKh, AdAc:0.25"),
        ("AKs, AhKh:0.5", "AsKs, AdKd, AcKc, AhKh:0.5"),
        ("AA:0", ""),
    ],
)
def test_the_printed_form_is_compact(text, canonical):
    assert parse_range(text).text == canonical
    assert str(parse_range(text)) == canonical
    assert repr(parse_range(text)) == f"parse_range({canonical!r})"


weights = st.sampled_from([0.0, 1.0, 0.5, 1 / 3]) | st.floats(0.0, 1.0)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([0.0, 0.5, 1.0]),
    st.dictionaries(st.integers(0, 168), weights, max_size=20),
    st.dictionaries(st.integers(0, 1325), weights, max_size=8),
)
def test_printing_and_parsing_give_the_same_weights(everywhere, by_class, by_hand):
    values = np.full(1326, everywhere)
    for index, weight in by_class.items():
        values[index == CLASS_OF_HAND] = weight
    for hand, weight in by_hand.items():
        values[hand] = weight
    hands = Range(values)
    assert np.array_equal(parse_range(hands.text).weights, values)
    assert parse_range(hands.text).text == hands.text


@settings(max_examples=100, deadline=None)
@given(st.sets(st.sampled_from(HAND_CLASSES)))
def test_any_set_of_classes_prints_back(names):
    hands = parse_range(" ".join(names))
    assert set(classes_in(hands.text)) == names
    assert parse_range(hands.text) == hands


def test_printed_items_do_not_overlap():
    """So the text means the same to a tool that adds weights instead of setting them again."""
    values = np.random.default_rng(5).choice([0.0, 0.5, 1.0], size=169)[CLASS_OF_HAND]
    values[::97] = 0.25
    hands = Range(values)
    items = [parse_range(item).weights > 0 for item in hands.text.split(",")]
    assert np.array_equal(np.sum(items, axis=0), (values > 0).astype(int))


def test_without_takes_out_exactly_the_hands_that_collide():
    board = parse_cards("AhKd2c")
    masked = parse_range("any").without(board)
    for hand, cards in HANDS.items():
        assert masked.weights[hand] == float(not set(cards) & set(board)), format_cards(cards)
    assert masked.num_combos == 49 * 48 / 2
    assert parse_range("AA").without(board).num_combos == 3
    assert parse_range("AK").without(board).num_combos == 9
    assert parse_range("AA, AKs:0.5").without([]) == parse_range("AA, AKs:0.5")
    assert parse_range(masked.text) == masked


def test_without_refuses_what_is_no_card():
    with pytest.raises(ConfigError, match="no card 52; cards are 0 to 51"):
        parse_range("AA").without([3, 52])


def test_classes_lie_in_the_matrix_as_players_know_it():
    assert len(HAND_CLASSES) == len(set(HAND_CLASSES)) == 169
    assert HAND_CLASSES[:3] == ("AA", "AKs", "AQs")
    assert HAND_CLASSES[13:15] == ("AKo", "KK")
    assert HAND_CLASSES[12] == "A2s"
    assert HAND_CLASSES[12 * 13] == "A2o"
    assert HAND_CLASSES[-1] == "22"


def test_every_hand_is_in_its_class():
    for hand, (a, b) in HANDS.items():
        text = format_cards((a, b))
        kind = "" if text[0] == text[2] else "s" if text[1] == text[3] else "o"
        assert HAND_CLASSES[CLASS_OF_HAND[hand]] == text[0] + text[2] + kind
    with pytest.raises(ValueError, match="read-only"):
        CLASS_OF_HAND[0] = 1


def test_class_weights_are_means_over_all_hands_of_the_class():
    found = dict(zip(HAND_CLASSES, class_weights(parse_range("AKs:0.5, AA, AhAd:0")), strict=True))
    assert found["AKs"] == 0.5
    assert found["AA"] == pytest.approx(5 / 6)
    assert found["AKo"] == 0.0


def test_a_range_cannot_be_changed():
    given_weights = np.zeros(1326)
    hands = Range(given_weights)
    given_weights[0] = 1.0
    assert hands.num_combos == 0
    with pytest.raises(ValueError, match="read-only"):
        hands.weights[0] = 1.0


def test_equal_ranges_are_equal():
    assert parse_range("AK") == parse_range("AKo, AKs")
    assert hash(parse_range("AK")) == hash(parse_range("AKo, AKs"))
    assert parse_range("AK") != parse_range("AK:0.5")
    assert parse_range("AK") != "AK"
    assert hash(Range(np.zeros(1326))) == hash(Range(-np.zeros(1326)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AKs, AXs", "range item 'AXs' at character 6: allowed: AKs, AKo"),
        ("AKs,\n 1010", "range item '1010' at character 7: allowed: AKs"),
        ("99s", "range item '99s' at character 1: a pair is neither suited nor offsuit"),
        ("AhAh", "range item 'AhAh' at character 1: a hand has two different cards"),
        ("AhKh+", "range item 'AhKh+' at character 1: allowed:"),
        ("AK:1.5", "range item 'AK:1.5' at character 1: weight '1.5'; allowed: a number from 0 to 1"),
        ("AK:-1", "weight '-1'; allowed"),
        ("AK:nan", "weight 'nan'; allowed"),
        ("AK:", "weight ''; allowed"),
        ("AK:1_0", "weight '1_0'; allowed"),
        ("AK:0.5:0.5", "weight '0.5:0.5'; allowed"),
        (":0.5", "range item ':0.5' at character 1: allowed"),
        ("AKs-", "range item 'AKs-' at character 1: allowed"),
        ("QQ -JJ-TT", "range item 'QQ -JJ-TT' at character 1: allowed"),
        ("99+-66", "a plus and a dash do not go together"),
        ("AKs-ATo", "both ends must be suited, both offsuit or both neither"),
        ("AKs-AT", "both ends must be suited"),
        ("76s-53s", "the ends must share the higher card"),
        ("AA-AK", "the ends must share the higher card"),
        ("any-AK", "range item 'any-AK' at character 1: allowed"),
        ("AK\u017f", "range item 'AK\u017f' at character 1: allowed"),
        ("A\u212a", "range item 'A\u212a' at character 1: allowed"),
        ("50%", "range item '50%' at character 1: allowed"),
        ("A" * 100_000, f"range item '{'A' * 40}...' at character 1: allowed"),
    ],
)
def test_bad_items_are_refused_with_their_place(text, message):
    with pytest.raises(ConfigError) as caught:
        parse_range(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_bad_weights_are_refused():
    with pytest.raises(ConfigError, match=r"a range has 1326 weights, not an array of shape \(169,\)"):
        Range(np.ones(169))
    bad = np.zeros(1326)
    bad[1325] = np.nan
    with pytest.raises(ConfigError, match=r"weight nan of AsAh; allowed: 0 to 1"):
        Range(bad)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="AKQT92so+-:,. \n\u2013hd01*", max_size=30))
def test_any_text_is_a_range_or_a_clear_refusal(text):
    try:
        hands = parse_range(text)
    except ConfigError as error:
        assert str(error).startswith("range item ")
    else:
        assert parse_range(hands.text) == hands
