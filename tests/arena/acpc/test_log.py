import time
from pathlib import Path

import pytest

from nashgap.arena.acpc.log import MatchLog, check_log
from nashgap.errors import FileFormatError, OutputError
from nashgap.poker.rules import load_rules

DATA = Path(__file__).parent / "data"
GAMES = ("kuhn3", "lhe2", "lhe3", "hunl")


@pytest.mark.parametrize("game", GAMES)
def test_the_competition_s_logs_have_no_mismatch(game):
    """Hands that the competition's dealer dealt and paid: splits, half chips, all-ins, folds on every street."""
    path = DATA / f"{game}.log"
    found = check_log(path, load_rules(game))
    assert found.num_mismatches == 0
    assert found.num_hands == sum(line.startswith("STATE") for line in path.read_text().splitlines()) >= 12


def test_a_wrong_payoff_is_found_with_its_line(tmp_path):
    path = tmp_path / "m.log"
    text = (DATA / "lhe2.log").read_text()
    lines = text.splitlines()
    fields = lines[8].split(":")
    chips = fields[4]
    fields[4] = "7|-7"
    lines[8] = ":".join(fields)
    path.write_text("\n".join(lines))
    (wrong,) = check_log(path, load_rules("lhe2")).mismatches
    assert (wrong.line, wrong.hand_number) == (9, int(fields[1]))
    assert wrong.logged == (7.0, -7.0)
    assert wrong.recomputed == tuple(map(float, chips.split("|")))


@pytest.mark.parametrize(("score", "num_mismatches"), [("40|-40", 0), ("40.5|-40.5", 1), ("-40|40", 1)])
def test_the_score_is_recomputed_by_player(tmp_path, score, num_mismatches):
    path = tmp_path / "m.log"
    hands = [
        "STATE:0:crf:AsAh|KsKh:10|-10:a|b",
        "STATE:1:rf:AsAh|KsKh:-10|10:b|a",
        "STATE:2:rrf:AsAh|KsKh:20|-20:a|b",
    ]
    rules = load_rules("lhe2")
    path.write_text("\n".join([*hands, f"SCORE:{score}:a|b"]))
    found = check_log(path, rules)
    assert found.has_score
    assert found.num_mismatches == num_mismatches
    assert all(wrong.hand_number is None for wrong in found.mismatches)


def test_cards_of_players_who_folded_need_not_be_known(tmp_path):
    path = tmp_path / "m.log"
    path.write_text("STATE:0:fcc/cc/cc/cc:AsAh|KsKh|/2c3d4h/9c/Tc:10|-10|0:a|b|c\n")
    assert check_log(path, load_rules("lhe3")).num_mismatches == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("STATE:0:f:AsAh|AsKh:5|-5:a|b", "line 3: .*As is there twice"),
        ("STATE:0:r30f:AsAh|KsKh:5|-5:a|b", "line 3: betting 'r30f', character 2"),
        ("STATE:0:f:AsAh|KsKh:5:a|b", "line 3: 1 payoffs, 2 players; the game has 2 seats"),
        ("STATE:0:f:AsAh|KsKh:nan|-5:a|b", "line 3: payoffs 'nan|-5'; numbers are needed"),
        ("STATE:0:rc/:AsAh|KsKh/2c3c4c:5|-5:a|b", "line 3: .*the hand is not over"),
        ("STATE:0:cc/cc/cc/cc:AsAh|/2c3c4c/5d/9h:10|-10:a|b", "line 3: .*no hole cards of seat 2 at the showdown"),
        ("hello", "line 3: 'hello' is not STATE:"),
        ("SCORE:1|-1:a|c", "line 3: player 'c' of the SCORE line is in no hand"),
        ("SCORE:1:a|b", "line 3: 'SCORE:1:a|b' is not SCORE:chips:players for 2 players"),
        ("SCORE", "line 3: 'SCORE' is not"),
        ("SCORE:inf|-1:a|b", "line 3: score 'inf|-1'; finite numbers are needed"),
        ("STATE:0:f:\x00AsAh|KsKh:5|-5:a|b", "line 3"),
    ],
)
def test_a_line_that_is_no_hand_is_named(tmp_path, line, message):
    path = tmp_path / "m.log"
    path.write_text(f"# log\nSTATE:0:f:AsAh|KsKh:5|-5:a|b\n{line}\n")
    with pytest.raises(FileFormatError, match=message):
        check_log(path, load_rules("lhe2"))


def test_what_is_no_log_is_refused(tmp_path):
    rules = load_rules("lhe2")
    with pytest.raises(FileFormatError, match="cannot be read"):
        check_log(tmp_path / "none.log", rules)
    with pytest.raises(FileFormatError, match="cannot be read"):
        check_log(tmp_path, rules)
    (tmp_path / "empty.log").write_text("# nothing\n")
    with pytest.raises(FileFormatError, match="no STATE line"):
        check_log(tmp_path / "empty.log", rules)
    (tmp_path / "binary.log").write_bytes(b"\xff\xfe" * 10)
    with pytest.raises(FileFormatError, match="line 1 is not text"):
        check_log(tmp_path / "binary.log", rules)
    (tmp_path / "long.log").write_bytes(b"S" * 10**6)
    with pytest.raises(FileFormatError, match="line 1 has more than"):
        check_log(tmp_path / "long.log", rules)
    (tmp_path / "more.log").write_text("STATE:0:f:AsAh|KsKh:5|-5:a|b\nSCORE:5|-5:a|b\nSTATE:1:f:AsAh|KsKh:5|-5:b|a\n")
    with pytest.raises(FileFormatError, match="line 3: there is more after the SCORE line"):
        check_log(tmp_path / "more.log", rules)


def test_only_the_first_mismatches_are_kept_but_all_are_counted(tmp_path):
    path = tmp_path / "m.log"
    path.write_text("STATE:0:f:AsAh|KsKh:6|-6:a|b\n" * 50)
    found = check_log(path, load_rules("lhe2"))
    assert found.num_mismatches == 50
    assert len(found.mismatches) == 10


def test_a_log_that_cannot_be_written_is_an_error_at_once(tmp_path):
    with pytest.raises(OutputError, match="cannot be written"):
        MatchLog(tmp_path / "no" / "m.log")


def test_every_line_is_on_disk_as_soon_as_it_is_written(tmp_path):
    log = MatchLog(tmp_path / "m.log")
    log.header("m", "lhe2", 3, 1, {"t_response": 1000.0})
    log.score((1.5, -1.5), ("a", "b"))
    assert (
        tmp_path / "m.log"
    ).read_text() == "# name/game/hands/seed m lhe2 3 1\n#--t_response 1000\nSCORE:1.5|-1.5:a|b\n"


def test_checking_is_quick_enough_for_a_competition(tmp_path):
    """100,000 hands a minute are wanted; a tenth of that already means that something is badly wrong."""
    path = tmp_path / "m.log"
    hands = [line for line in (DATA / "lhe3.log").read_text().splitlines() if line.startswith("STATE")]
    path.write_text("\n".join(hands * 50))
    start = time.process_time()
    num_hands = check_log(path, load_rules("lhe3")).num_hands
    assert num_hands / (time.process_time() - start) > 100_000 / 60 / 10


def test_a_last_line_that_is_cut_short_does_not_count(tmp_path):
    path = tmp_path / "m.log"
    lines = (DATA / "lhe2.log").read_text().splitlines(keepends=True)
    path.write_text("".join(lines)[:-9])
    found = check_log(path, load_rules("lhe2"))
    whole = check_log(DATA / "lhe2.log", load_rules("lhe2"))
    assert (found.num_hands, found.is_cut_short) == (whole.num_hands - 1, True)
    assert not whole.is_cut_short
