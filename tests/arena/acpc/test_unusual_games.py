"""Games that no competition played, held to what its dealer did with them when it was run."""

from pathlib import Path

import pytest

from nashgap.arena.acpc.hand import DealtHand
from nashgap.arena.acpc.log import check_log
from nashgap.arena.table import Deal
from nashgap.errors import NashGapError
from nashgap.poker.notation import format_match_state, parse_hand, parse_match_state
from nashgap.poker.rules import load_rules

DATA = Path(__file__).parent / "data"
RAISE_WAR = (DATA / "raise-war.log").read_text().splitlines()[4]


def unusual(name):
    return load_rules(str(DATA / f"{name}.game"))


@pytest.mark.parametrize(("name", "num_hands"), [("silent-round", 60), ("short-stacks", 200)])
def test_the_competition_s_logs_of_unusual_games_have_no_mismatch(name, num_hands):
    found = check_log(DATA / f"{name}.log", unusual(name))
    assert (found.num_hands, found.num_mismatches) == (num_hands, 0)


def test_a_round_without_board_cards_has_its_slash():
    """`numBoardCards = 0 1 0`: every state that the competition's dealer sent is read, and written as it was."""
    rules = unusual("silent-round")
    messages = (DATA / "silent-round.messages.txt").read_text().splitlines()
    told = [line.split(" ", 4)[4] for line in messages if line.startswith("TO ")]
    assert any(line.endswith("/") for line in told)
    for line in told:
        assert format_match_state(parse_match_state(line, rules)) == line


def test_a_dealt_hand_with_a_silent_round_is_told_as_by_the_competition_s_dealer():
    rules = unusual("silent-round")
    line = next(line for line in (DATA / "silent-round.log").read_text().splitlines() if line.startswith("STATE:0:"))
    recorded = parse_hand(line, rules)
    hand = DealtHand(rules, 0, Deal(recorded.hole_cards, recorded.state.board))
    for action in (action for actions in recorded.state.history for action in actions):
        hand.act(action)
    assert hand.log_line(recorded.players) == line


def test_who_has_just_the_bet_may_raise_in_a_limit_game():
    """The competition's dealer lets it: a raise that costs what a call costs, after which the others act again."""
    rules = unusual("short-stacks")
    lines = [line for line in (DATA / "short-stacks.log").read_text().splitlines() if line.startswith("STATE")]
    costless = 0
    for line in lines:
        recorded = parse_hand(line, rules).state
        replayed = rules.root()
        for action in (action for actions in recorded.history for action in actions):
            if replayed.num_missing_cards:
                replayed = replayed.deal(recorded.board[len(replayed.board) :][: replayed.num_missing_cards])
            costless += action > 0 and action <= max(replayed.spent)
            replayed = replayed.act(action)
    assert costless > 5


def test_a_round_ends_before_it_has_more_than_64_actions():
    """The competition's dealer takes no raise where each seat could not act once more within 64 actions."""
    rules = load_rules("hunl")
    recorded = parse_hand(RAISE_WAR, rules).state
    assert len(recorded.history[0]) == 64
    state = rules.root()
    for action in recorded.history[0][:-1]:
        assert state.legal.can_raise
        state = state.act(action)
    assert not state.legal.can_raise
    three = load_rules("nlhe3").root()
    while three.legal.can_raise:
        three = three.act(three.legal.min_raise_to)
    assert len(three.history[0]) == 62


def test_two_that_raise_without_end_play_the_hand_of_the_competition_s_dealer(play_match, raw_client):
    def client(port):
        raw = raw_client(port)
        for line in raw.lines():
            raw.send(f"{line}:r1\r\n")
        raw.close()

    played = play_match("hunl", [client, client], num_hands=1)
    assert played.hands[0].split(":")[2] == RAISE_WAR.split(":")[2]


def test_a_match_that_everybody_has_left_is_an_error(play_match, raw_client, tmp_path):
    def client(port):
        raw_client(port).close()

    with pytest.raises(NashGapError, match=r"no player is left: p1 at hand \d+: hung up; p2 at hand \d+: hung up"):
        play_match("lhe2", [client, client], num_hands=1000)
    assert (tmp_path / "match.log").read_text().count("is out at hand") == 2
