"""Game definitions: the shipped ones, what is refused, and writing them down again."""

import pickle
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nashgap.cards.card import format_cards
from nashgap.catalogue import POKER_GAMES
from nashgap.errors import ConfigError, FileFormatError
from nashgap.poker.rules import UNLIMITED, PokerRules, load_rules, parse_rules

LIMIT = """GAMEDEF
limit
numPlayers = 3
numRounds = 2
blind = 5 10 0
raiseSize = 10 20
firstPlayer = 3 1
maxRaises = 3 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3
END GAMEDEF
"""
NO_LIMIT = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 2
stack = 400 300
blind = 10 5
firstPlayer = 2 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3
END GAMEDEF
"""

UNITS = {
    "lhe2": ("sb_per_hand", 10.0),
    "lhe3": ("sb_per_hand", 10.0),
    "lhe6": ("sb_per_hand", 10.0),
    "hunl": ("mbb_per_hand", 0.1),
    "hunl100": ("mbb_per_hand", 0.1),
    "nlhe3": ("mbb_per_hand", 0.1),
    "kuhn2": ("antes_per_hand", 1.0),
    "kuhn3": ("antes_per_hand", 1.0),
    "leduc2": ("antes_per_hand", 1.0),
    "leduc3": ("antes_per_hand", 1.0),
}


def test_every_shipped_game_tells_its_title_in_lines_that_no_other_program_reads():
    for name, entry in POKER_GAMES.entries.items():
        text = resources.files("nashgap.poker").joinpath("gamedefs", f"{name}.game").read_text(encoding="utf-8")
        assert text.startswith(f'# title = "{entry.summary}"\n')
        assert entry.summary
        rules = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))
        assert POKER_GAMES.load(name) == load_rules(name) == parse_rules(rules)
        assert load_rules(name).to_text() == rules


def test_every_shipped_game_has_its_unit():
    assert UNITS.keys() == POKER_GAMES.entries.keys()
    for name, (unit, chips) in UNITS.items():
        rules = load_rules(name)
        assert (rules.unit, rules.unit_chips) == (unit, chips)


@pytest.mark.parametrize("name", POKER_GAMES.entries)
def test_every_shipped_game_is_written_and_read_back(name, tmp_path):
    rules = load_rules(name)
    assert parse_rules(rules.to_text()) == rules
    assert parse_rules(rules.to_text()).to_text() == rules.to_text()
    path = tmp_path / "copy.game"
    path.write_text("# a comment\n\n" + rules.to_text().upper() + "what follows is not looked at\n")
    copy = load_rules(str(path))
    assert (copy, copy.name, rules.name) == (rules, "copy", name)
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_the_competitions_games_are_what_they_are():
    hunl, lhe3 = load_rules("hunl"), load_rules("lhe3")
    assert (hunl.blinds, hunl.stacks, hunl.first_seats) == ((100, 50), (20000, 20000), (1, 0, 0, 0))
    assert load_rules("hunl100").stacks == (10000, 10000)
    assert (lhe3.blinds, lhe3.raise_sizes, lhe3.max_raises) == ((5, 10, 0), (10, 10, 20, 20), (3, 4, 4, 4))
    assert lhe3.stacks == (UNLIMITED,) * 3
    assert format_cards(load_rules("kuhn3").deck) == "JsQsKsAs"
    assert format_cards(load_rules("leduc2").deck) == "QhQsKhKsAhAs"


def test_without_blinds_a_no_limit_game_is_counted_in_chips():
    rules = parse_rules(NO_LIMIT.replace("blind = 10 5\n", ""))
    assert (rules.unit, rules.unit_chips) == ("chips_per_hand", 1.0)


def test_the_conventions_are_part_of_the_game():
    casino = parse_rules(NO_LIMIT.replace("END", "conventions = Casino\nEND"))
    assert casino.conventions == "casino"
    assert "conventions = casino" in casino.to_text()
    assert parse_rules(casino.to_text()) == casino != parse_rules(NO_LIMIT)


def test_more_values_than_needed_are_allowed_as_in_the_competitions_files():
    assert parse_rules(LIMIT.replace("firstPlayer = 3 1", "firstPlayer = 3 1 1 1")) == parse_rules(LIMIT)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("GAMEDEF\nlimit", "limit", "line 1: 'limit'; a game definition starts with GAMEDEF"),
        ("END GAMEDEF\n", "", "the line END GAMEDEF is missing"),
        (LIMIT, "", "the line GAMEDEF is missing"),
        ("limit\n", "", "the kind of betting is missing; it is a line limit, nolimit or potlimit"),
        ("limit\n", "limit\nnolimit\n", "line 3: nolimit after limit; one kind of betting is allowed"),
        ("limit\n", "spreadlimit\n", "line 2: 'spreadlimit' is not known; allowed: limit, nolimit, potlimit, numPl"),
        ("numSuits = 4", "suits = 4", "line 9: 'suits = 4' is not known; allowed: .*numSuits"),
        ("numSuits = 4", "numSuits 4", "line 9: 'numSuits 4' is not known"),
        ("numSuits = 4\n", "", "numSuits is missing"),
        ("numSuits = 4", "numSuits = 4\nnumSuits = 4", "line 10: numSuits is given twice"),
        ("numSuits = 4", "numSuits = four", "line 9: numSuits = 'four'; whole numbers of at most 10 digits"),
        ("numSuits = 4", "numSuits =", "line 9: numSuits = ''; whole numbers"),
        ("numSuits = 4", "numSuits = 5", "numSuits = 5; 1 to 4 are allowed"),
        ("numRanks = 13", "numRanks = 0", "numRanks = 0; 1 to 13 are allowed"),
        ("numPlayers = 3", "numPlayers = 1", "numPlayers = 1; 2 to 10 are allowed"),
        ("numPlayers = 3", "numPlayers = 11", "numPlayers = 11; 2 to 10 are allowed"),
        ("numPlayers = 3", "numPlayers = 4", "line 5: blind has 3 values; 4 are needed"),
        ("numRounds = 2", "numRounds = 9", "numRounds = 9; 1 to 8 are allowed"),
        ("numRounds = 2", "numRounds = 3", "line 6: raiseSize has 2 values; 3 are needed"),
        ("raiseSize = 10 20\n", "", "raiseSize is missing"),
        ("raiseSize = 10 20", "raiseSize = 10 0", "raiseSize = 0; 1 to 1000000000 are allowed"),
        ("raiseSize = 10 20", "raiseSize = 10 -2", "line 6: raiseSize = '10 -2'; whole numbers"),
        ("raiseSize = 10 20", "raiseSize = 10 999999999", "a hand could cost 4000000036 chips; at most 1000000000"),
        ("firstPlayer = 3 1", "firstPlayer = 4 1", "firstPlayer = 4; 1 to 3 are allowed"),
        ("firstPlayer = 3 1", "firstPlayer = 3 0", "firstPlayer = 0; 1 to 3 are allowed"),
        ("maxRaises = 3 4", "maxRaises = 3 256", "maxRaises = 256; 0 to 255 are allowed"),
        ("blind = 5 10 0", "blind = 5 10 0\nstack = 9 9 9", "blind 10 of player 2 is more than the stack 9"),
        ("blind = 5 10 0", "blind = 5 10 0\nstack = 99 99 0", "stack = 0; 1 to 1000000000 are allowed"),
        ("numHoleCards = 2", "numHoleCards = 0", "numHoleCards = 0; 1 to 10 are allowed"),
        ("numHoleCards = 2", "numHoleCards = 8", "a hand would have 11 hole and board cards; at most 10"),
        ("numRanks = 13", "numRanks = 2", "3 players need 9 cards; the deck has 8"),
        ("END", "conventions = house\nEND", "conventions = 'house'; allowed: acpc, casino"),
    ],
)
def test_an_illegal_definition_is_refused_with_its_place(old, new, message):
    assert old in LIMIT
    with pytest.raises(ConfigError, match=message) as refusal:
        parse_rules(LIMIT.replace(old, new, 1))
    assert "\n" not in str(refusal.value)


def test_a_no_limit_game_needs_stacks():
    with pytest.raises(ConfigError, match="stack is missing"):
        parse_rules(NO_LIMIT.replace("stack = 400 300\n", ""))


def test_files_that_cannot_be_read_are_refused_by_name(tmp_path):
    with pytest.raises(ConfigError, match=r"unknown poker game 'lhe4' \(did you mean 'lhe\d'\?\); known: hunl"):
        load_rules("lhe4")
    with pytest.raises(FileFormatError, match=r"none\.game: cannot be read: No such file"):
        load_rules(str(tmp_path / "none.game"))
    (tmp_path / "noise.game").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileFormatError, match=r"noise\.game: not a game definition: it is not text"):
        load_rules(str(tmp_path / "noise.game"))
    (tmp_path / "bad.game").write_text(LIMIT.replace("blind = 5 10 0", "blind = 5"))
    with pytest.raises(ConfigError, match=r"bad\.game: line 5: blind has 1 values; 3 are needed"):
        load_rules(str(tmp_path / "bad.game"))


@st.composite
def all_rules(draw):
    seats, rounds = draw(st.integers(2, 10)), draw(st.integers(1, 5))
    betting = draw(st.sampled_from(["limit", "nolimit", "potlimit"]))
    is_unlimited = betting == "limit" and draw(st.booleans())
    stacks = draw(st.lists(st.integers(1, 10**6), min_size=seats, max_size=seats))
    board = draw(st.lists(st.integers(0, 2), min_size=rounds, max_size=rounds).filter(lambda cards: sum(cards) <= 8))
    raise_sizes = draw(st.lists(st.integers(1, 1000), min_size=rounds, max_size=rounds))
    return PokerRules(
        betting=betting,
        blinds=tuple(draw(st.integers(0, min(stack, 1000))) for stack in stacks),
        stacks=(UNLIMITED,) * seats if is_unlimited else tuple(stacks),
        raise_sizes=tuple(raise_sizes) if betting == "limit" else (0,) * rounds,
        first_seats=tuple(draw(st.integers(0, seats - 1)) for _ in range(rounds)),
        max_raises=tuple(draw(st.sampled_from([0, 1, 4, 255])) for _ in range(rounds)),
        num_suits=4,
        num_ranks=draw(st.integers(7, 13)),
        num_hole_cards=draw(st.integers(1, 2)),
        num_board_cards=tuple(board),
        conventions=draw(st.sampled_from(["acpc", "casino"])),
    )


@settings(max_examples=200, derandomize=True, deadline=None, database=None)
@given(all_rules())
def test_rules_go_through_text_and_back(rules):
    assert parse_rules(rules.to_text()) == rules
    assert rules.root().rules == rules


@pytest.mark.parametrize("name", POKER_GAMES.entries)
def test_the_competition_s_reader_finds_a_stack_for_every_seat(name):
    """It takes four for given and refuses a game of more players that names none."""
    text = resources.files("nashgap.poker").joinpath("gamedefs", f"{name}.game").read_text(encoding="utf-8")
    rules = load_rules(name)
    named = [line.split("=")[1].split() for line in text.splitlines() if line.startswith("stack")]
    assert (len(named[0]) if named else 4) >= rules.num_seats
    if not rules.has_sizes:
        assert set(rules.stacks) == {UNLIMITED}
