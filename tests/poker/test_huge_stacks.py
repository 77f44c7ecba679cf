"""Games that are far too large are refused by their numbers of actions, of which none is looked at."""

import resource
import subprocess
import sys
import time

import pytest

from nashgap.core.compile import compile_tree, estimate_num_nodes
from nashgap.errors import GameSizeError
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import count_betting_tree
from nashgap.poker.game import PokerGame
from nashgap.poker.rules import parse_rules

DEFINITION = """GAMEDEF
nolimit
numPlayers = 2
numRounds = {rounds}
stack = {stack} {stack}
blind = 1 1
firstPlayer = 1 1
numSuits = 1
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
"""
GIGABYTE = 10**9


def game(stack: int, rounds: int = 1) -> PokerGame:
    return PokerGame(tuple(DEFINITION.format(stack=stack, rounds=rounds).splitlines()))


@pytest.mark.parametrize("stack", [100, 1000, 20_000, 10**9])
def test_a_game_that_is_too_large_is_refused_in_a_moment(stack):
    def seconds() -> float:
        begin = time.process_time()
        with pytest.raises(GameSizeError, match=r"has more than \S+ histories; games of up to 30,000,000"):
            compile_tree(game(stack), "large")
        return time.process_time() - begin

    # A stack of 20,000 took 23 seconds and 2 GB. Tried again where another process may have had the cache.
    assert any(seconds() < 3.0 for _ in range(3))


@pytest.mark.parametrize("words", [["solve", "large.game"], ["solve", "large.game", "--dry-run"]])
def test_stacks_of_a_billion_are_refused_in_little_memory(tmp_path, words):
    (tmp_path / "large.game").write_text(DEFINITION.format(stack=10**9, rounds=1))
    limit = (4 * GIGABYTE, 4 * GIGABYTE)
    done = subprocess.run(
        [sys.executable, "-m", "nashgap", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit),
    )
    assert done.returncode == 2
    assert "has more than 6e+09 histories" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("stack", "rounds"), [(3, 1), (6, 1), (9, 1), (5, 2)])
def test_the_least_number_of_nodes_is_never_more_than_there_are(stack, rounds):
    """Before board cards it is the number itself."""
    small = game(stack, rounds)
    least, whole = small.least_public_nodes(1e9), estimate_num_nodes(small).num_nodes
    assert least * small.num_deals < whole
    if rounds == 1:
        assert whole == 1 + least * small.num_deals


def test_every_size_of_a_raise_is_for_stacks_that_have_not_too_many():
    rules = parse_rules(DEFINITION.format(stack=10**9, rounds=1))
    with pytest.raises(GameSizeError, match=r"full is for up to 1,000,000, fractions of the pot for any"):
        count_betting_tree(rules, parse_betting_abstraction("full"))
    assert count_betting_tree(rules, parse_betting_abstraction("fcpa")).num_nodes > 10
