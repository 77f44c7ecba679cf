"""What the rounds of a game are called, and which games are hold'em."""

import pytest

from nashgap.poker.rules import load_rules, parse_rules
from nashgap.poker.streets import STREETS, street_name, street_names


def changed(**numbers):
    """Heads-up limit hold'em with other values of these keys."""
    lines = load_rules("lhe2").to_text().splitlines()
    return parse_rules(
        "\n".join(f"{key} = {numbers.get(key, value)}" if value else key for key, value in map(_parts, lines))
    )


def _parts(line):
    key, _, value = line.partition(" = ")
    return key, value


def test_only_texas_holdem_is_holdem():
    assert [name for name in ("lhe2", "lhe6", "hunl", "nlhe3", "kuhn2", "leduc2") if load_rules(name).is_holdem] == [
        "lhe2",
        "lhe6",
        "hunl",
        "nlhe3",
    ]
    assert not changed(numRanks=12).is_holdem
    assert not changed(numHoleCards=3).is_holdem
    assert not changed(numBoardCards="0 3 2 0").is_holdem
    cut = changed(numRounds=2)
    assert cut.num_board_cards == (0, 3)
    assert cut.has_holdem_hands and not cut.is_holdem


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        (load_rules("hunl"), STREETS),
        (changed(numRounds=3), ("preflop", "flop", "turn")),
        (changed(numRanks=9), STREETS),
        (changed(numBoardCards="0 1 3 1"), ("round 1", "round 2", "round 3", "round 4")),
        (load_rules("leduc2"), ("round 1", "round 2")),
        (load_rules("kuhn2"), ("round 1",)),
    ],
)
def test_rounds_have_the_names_of_streets_where_the_board_comes_so(rules, names):
    assert street_names(rules) == names
    assert street_name(rules, 0) == names[0]
