"""Time for the exact NashConv of the uniform strategy, against OpenSpiel's C++."""

from __future__ import annotations

from collections.abc import Iterator

from comparison import NUM_TURNS, Row, rates_in_turn
from peers import OPENSPIEL, is_installed

from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import exploitability
from nashgap.strategies.table import uniform

__all__ = ["rows"]

# ours, OpenSpiel's name, aim, whether one call of the peer takes a minute
GAMES = (
    ("leduc", "leduc_poker", None, False),
    ("liars_dice", "liars_dice", 500, False),
    ("leduc(players=3)", "leduc_poker(players=3)", 1000, True),
)
TOLERANCE = 1e-9


def rows(is_quick: bool) -> Iterator[Row]:
    for game, theirs, aim, is_slow in GAMES:
        work = f"NashConv {game}"
        if not is_installed(OPENSPIEL):
            yield Row(work, OPENSPIEL, None, None, aim, True, f"{OPENSPIEL} is not installed")
        elif is_slow and is_quick:
            yield Row(work, OPENSPIEL, None, None, aim, True, "left out by --quick")
        else:
            yield _measure(work, game, theirs, aim, 1 if is_slow else NUM_TURNS)


def _measure(work: str, game: str, theirs: str, aim: float | None, num_turns: int) -> Row:
    import pyspiel

    tree, loaded = load_tree(game), pyspiel.load_game(theirs)
    strategy, policy = uniform(tree), pyspiel.UniformPolicy()
    gaps: dict[str, float] = {}

    def ours(count: int) -> None:
        for _ in range(count):
            gaps["ours"] = exploitability(tree, strategy).nash_conv

    def peer(count: int) -> None:
        for _ in range(count):
            # Asked by state, the policy needs no table of strings: OpenSpiel's fastest way.
            gaps["peer"] = pyspiel.nash_conv(loaded, policy, True)

    our_rate, peer_rate = rates_in_turn(ours, peer, num_turns=num_turns)
    is_same = abs(gaps["ours"] - gaps["peer"]) < TOLERANCE
    note = f"NashConv of uniform {gaps['ours']:.9f} and {gaps['peer']:.9f}"
    return Row(work, OPENSPIEL, peer_rate, our_rate, aim, True, note, is_same)
