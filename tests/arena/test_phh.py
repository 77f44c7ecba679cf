"""Written hands are read and replayed by pokerkit, which comes to our payoffs."""

import dataclasses
import sys
from random import Random

import pytest

from nashgap.arena.phh import check_phh_game, read_hands, read_log_hands, write_phh
from nashgap.arena.table import deal_cards
from nashgap.core.game import CHANCE
from nashgap.errors import ConfigError, FileFormatError, MissingExtraError, UnsupportedGameError
from nashgap.poker.notation import HandRecord, format_hand, parse_hand
from nashgap.poker.rules import load_rules
from nashgap.poker.state import CALL, FOLD

SHORT = dataclasses.replace(load_rules("nlhe3"), stacks=(700, 1500, 4000), name="short")


def random_hand(rules, number, seed=0):
    """Often raised to the least and the most, so that all-ins on every street occur."""
    rng = Random(f"{seed} {number}")
    deal, state = deal_cards(rules, seed, number), rules.root()
    while not state.is_over:
        if state.seat == CHANCE:
            start = len(state.board)
            state = state.deal(deal.board[start : start + state.num_missing_cards])
            continue
        legal, chance = state.legal, rng.random()
        sizes = (legal.min_raise_to, rng.randint(legal.min_raise_to, legal.max_raise_to), legal.max_raise_to)
        raising = rng.choices(sizes, (6, 2, 1))[0]
        state = state.act(FOLD if chance < 0.2 and legal.can_fold else raising if chance > 0.6 else CALL)
    names = tuple(f"player {seat}" for seat in range(rules.num_seats))
    return HandRecord(number, state, deal.hole_cards, state.payoffs(deal.hole_cards), names)


def replayed_payoffs(history):
    """pokerkit's payoffs; it had to add nothing to what is written."""
    steps = list(history.state_actions)
    assert [action for _, action in steps[1:]] == history.actions
    return [float(chips) for chips in steps[-1][0].payoffs]


def written(hands, path):
    notation = pytest.importorskip("pokerkit.notation")
    write_phh(hands, path)
    with path.open("rb") as file:
        return list(notation.HandHistory.load_all(file))


@pytest.mark.parametrize("rules", ["lhe2", "lhe3", "hunl", "nlhe3"])
def test_pokerkit_comes_to_our_payoffs(rules, tmp_path):
    hands = [random_hand(load_rules(rules), number) for number in range(50)]
    histories = written(hands, tmp_path / "hands.phhs")
    assert len(histories) == len(hands)
    for hand, history in zip(hands, histories, strict=True):
        assert replayed_payoffs(history) == list(hand.payoffs)
        assert history.players == list(hand.players)
        assert history.hand == hand.hand_number
    num_folded = sum(hand.state.has_folded.count(False) == 1 for hand in hands)
    assert 5 < num_folded < 45, "both ends of a hand are needed"


@pytest.mark.parametrize(
    ("name", "found"), [("O'Neil", "O'Neil"), ("'a''", "'a''"), ("'''], x = ['''", "''], x = [''"), ('"\\', '"\\')]
)
def test_a_name_with_quotes_is_a_name(name, found, tmp_path):
    """People choose their own, and others export the hands."""
    hand = random_hand(load_rules("lhe2"), 1)
    (history,) = written([dataclasses.replace(hand, players=(name, "b"))], tmp_path / "named.phhs")
    assert history.players == [found, "b"]


def test_odd_chips_split_exactly_when_replayed(tmp_path):
    """Blinds 5, 10: the small blind folds, and 45 chips are split in two on a board that everybody plays."""
    hand = parse_hand("STATE:7:rfc/cc/cc/cc:2c7d|2d3h|2h3c/TsJsQs/Ks/As:-5|2.5|2.5:a|b|c", load_rules("lhe3"))
    (history,) = written([hand], tmp_path / "odd.phhs")
    assert "blinds_or_straddles = [5.0, 10.0, 0.0]" in (tmp_path / "odd.phhs").read_text()
    assert replayed_payoffs(history) == [-5, 2.5, 2.5]
    casino = dataclasses.replace(history, blinds_or_straddles=[5, 10, 0])
    assert sorted(replayed_payoffs(casino)) == [-5, 2, 3]


def test_a_pot_split_in_three_is_replayed_to_the_last_digit(tmp_path):
    line = "STATE:0:cffcfc/ccc/ccc/ccc:2c7d|2d3h|2h3c|4c4d|5c5d|6c6d/TsJsQs/Ks/As:0|0|0|0|0|0:a|b|c|d|e|f"
    hand = parse_hand(line, load_rules("lhe6"))
    payoffs = hand.state.payoffs(hand.hole_cards)
    assert payoffs[1] == pytest.approx(5 / 3)
    (history,) = written([dataclasses.replace(hand, payoffs=payoffs)], tmp_path / "three.phhs")
    assert replayed_payoffs(history) == pytest.approx(payoffs, abs=1e-9)


def test_a_raise_that_only_the_competition_allows_is_refused(tmp_path):
    """p3 raises to 500, p1 is all in with 700, which is no full raise, and p2 calls: p3 may not raise again."""
    hand = parse_hand("STATE:3:r500r700cr1500c///:2c7d|8dTh|Ah3c/TsJsQs/Ks/2s:0|0|0:a|b|c", SHORT)
    with pytest.raises(UnsupportedGameError, match=r"hand 3: after 'r500r700c' the casino's .* only: fold, call$"):
        written([hand], tmp_path / "reopened.phhs")
    assert not list(tmp_path.iterdir())


def test_unequal_stacks_and_side_pots_are_replayed(tmp_path):
    casino = dataclasses.replace(SHORT, conventions="casino")
    hands = [random_hand(casino, number) for number in range(40)]
    for hand, history in zip(hands, written(hands, tmp_path / "hands.phhs"), strict=True):
        *_, last = history  # pokerkit may add the check of a seat that is alone with chips
        assert list(last.payoffs) == list(hand.payoffs)


def test_one_hand_makes_a_phh_file(tmp_path):
    notation = pytest.importorskip("pokerkit.notation")
    hand = random_hand(load_rules("lhe2"), 3)
    path = tmp_path / "hand.phh"
    assert write_phh([hand], path) == 1
    with path.open("rb") as file:
        history = notation.HandHistory.load(file)
    assert history.user_defined_fields["_results"] == list(hand.payoffs)
    assert replayed_payoffs(history) == list(hand.payoffs)
    with pytest.raises(ConfigError, match=r"a .phh file holds one hand, not 2"):
        write_phh([hand, hand], path)
    with pytest.raises(ConfigError, match=r"must end in .phh \(one hand\) or .phhs"):
        write_phh([hand], tmp_path / "hand.txt")


def test_cards_that_were_not_shown_stay_unknown(tmp_path):
    hand = parse_hand("STATE:0:f:|AsAd:5|-5:a|b", load_rules("lhe2"))
    (history,) = written([hand], tmp_path / "unknown.phhs")
    assert history.actions == ["d dh p1 ????", "d dh p2 AsAd", "p2 f"]
    assert replayed_payoffs(history) == [5, -5]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (load_rules("kuhn2"), r"^kuhn2: its cards .*; PHH describes limit and no-limit Texas hold'em with two blinds$"),
        (load_rules("leduc2"), r"^leduc2: its cards"),
        (dataclasses.replace(load_rules("hunl"), betting="potlimit"), r"^hunl: pot-limit hold'em has no name in PHH"),
        (dataclasses.replace(load_rules("lhe3"), blinds=(5, 10, 20)), r"blinds \(5, 10, 20\) or who acts first"),
        (dataclasses.replace(load_rules("lhe2"), max_raises=(5, 5, 5, 5)), r"5 raises .* at most 4"),
        (dataclasses.replace(load_rules("lhe2"), raise_sizes=(10, 20, 30, 40)), r"bets \(10, 20, 30, 40\) are not"),
    ],
)
def test_other_games_are_refused(rules, message):
    with pytest.raises(UnsupportedGameError, match=message):
        check_phh_game(rules)


def test_without_pokerkit_the_message_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pokerkit.notation", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'nashgap\[phh\]'"):
        write_phh([random_hand(load_rules("lhe2"), 0)], tmp_path / "hand.phh")


@pytest.mark.parametrize("blinds", ["[1e999, 100]", "[1" + "0" * 400 + ", 100]", "[[], 100]", "5"])
def test_what_is_no_hand_is_refused(tmp_path, blinds):
    path = tmp_path / "hand.phh"
    path.write_text(f"variant = 'NT'\nblinds_or_straddles = {blinds}\nactions = []\n")
    with pytest.raises(FileFormatError, match=r"hand\.phh: "):
        list(read_hands(path, load_rules("hunl")))


def test_logs_are_read_and_wrong_lines_named(tmp_path):
    rules, path = load_rules("lhe2"), tmp_path / "match.log"
    hands = [random_hand(rules, number) for number in range(3)]
    path.write_text("# a remark\n" + "".join(f"{format_hand(hand)}\n" for hand in hands) + "SCORE:0|0:a|b\n")
    assert [format_hand(hand) for hand in read_log_hands(path, rules)] == [format_hand(hand) for hand in hands]
    path.write_text("# a remark\nSTATE:0:rz:2c3c|4c5c:0|0:a|b\n")
    with pytest.raises(FileFormatError, match=r"match.log: line 2: "):
        list(read_log_hands(path, rules))
    path.write_text("# nothing was played\n")
    with pytest.raises(FileFormatError, match=r"no STATE line; is this a match log"):
        list(read_log_hands(path, rules))
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(FileFormatError, match=r"line 1 is not text"):
        list(read_log_hands(path, rules))
    with pytest.raises(FileFormatError, match=r"cannot be read"):
        list(read_log_hands(tmp_path / "missing.log", rules))
