"""`nashgap measure --by lbr`."""

import json

import pytest


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("always-call --by lbr", "name the game too (--game)"),
        ("always-call --by lbr --game hunl --rounds 9", "rounds '9': '9' is none of the 4 rounds of hunl"),
        ("always-call --by lbr --game hunl --bets big", "betting abstraction 'big'"),
        ("always-call --by lbr --game hunl --bets on-tree", "only a strategy of an abstract game"),
        ("always-call --by lbr --game hunl --deals 3", "deals = 3; an interval needs at least 4"),
        ("always-call --by lbr --game hunl --samples 0", "samples = 0; at least 1 is needed"),
        ("poki --by lbr --game lhe2", "cannot be asked what it would do with other hands"),
        ("acpc:./bot --by lbr --game lhe2", "nashgap match"),
        ("acpc:./bot --by lbr --game lhe2", "if it is deterministic, it can be asked hand by hand: --by-hand"),
        ("acpc:./bot --by lbr --game lhe2 --by-hand", "there is no program './bot'"),
        ("always-call --by br --game leduc --by-hand", "--by-hand is no option of br; it is one of lbr"),
        ("always-call probe random --by lbr --game lhe3", "3 strategies; in lhe3 LBR needs one for each of the 2"),
        ("always-call probe --by br --game leduc", "2 strategies; br measures one"),
        ("nope.safetensors --by lbr", "strategy 'nope.safetensors': there is no such strategy file"),
        ("always-call --game leduc --bets 56", "--bets is no option of br; it is one of lbr"),
        ("never-heard-of --by lbr --game hunl", "never-heard-of"),
    ],
)
def test_bad_input_is_one_line(nashgap, arguments, message, tmp_path):
    outcome = nashgap("measure", *arguments.split())
    assert outcome.status == 2
    assert message in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_three_players_in_limit_holdem(nashgap):
    words = "measure always-call probe --by lbr --game lhe3 --deals 60 --json --quiet"
    outcome = nashgap(*words.split())
    assert outcome.status == 0
    told = json.loads(outcome.out)
    assert told["unit"] == "sb_per_hand"
    assert told["strategy"] == ["always-call", "probe"]
    assert len(told["by_seat"]) == 3
    assert told["mean"] > 0


def test_every_option_reaches_lbr(nashgap):
    words = "measure always-call --by lbr --game kuhn2 --deals 40 --seed 3 --json --quiet --bets fc --rounds 1"
    flags = "--samples 5 --no-duplicate --no-imaginary --no-all-in --lookahead 2"
    told = nashgap(*words.split(), *flags.split()).json
    assert (told["seed"], told["deals"], told["rounds"]) == (3, 40, [1])
    assert told["options"] == {
        "bets": "fc",
        "rounds": "1",
        "samples": 5,
        "duplicate": False,
        "imaginary": False,
        "all_in": False,
        "lookahead": 2,
        "lines": "dealt",
        "stake": 1.0,
    }
    told = nashgap(*words.split(), "--lines", "all", "--stake", "2").json
    assert (told["options"]["lines"], told["options"]["stake"], told["deals"]) == ("all", 2.0, 40)


FOUR_CARDS = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 2
stack = 100 100
blind = 1 2
numSuits = 4
numRanks = 13
numHoleCards = 4
numBoardCards = 0 3
END GAMEDEF
"""


@pytest.mark.parametrize("lines", ["all", "dealt", None])
def test_a_game_of_more_hole_cards_is_refused_in_one_line(nashgap, tmp_path, lines):
    (tmp_path / "four.game").write_text(FOUR_CARDS)
    words = ["always-call", "--game", "four.game", "--by", "lbr", "--deals", "10"]
    outcome = nashgap("measure", *words, *(["--lines", lines] if lines else []))
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == "nashgap: four deals 4 hole cards; LBR plays games with one or two\n"
