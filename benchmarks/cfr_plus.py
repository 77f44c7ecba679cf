"""CFR+ iterations a second, against OpenSpiel's C++ solver and LiteEFG."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from comparison import NUM_TURNS, Row, rates_in_turn
from peers import LITEEFG, OPENSPIEL, LiteEFGCFRPlus, OpenSpielCFRPlus, is_installed

from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import exploitability
from nashgap.solvers.named import make_solver

__all__ = ["rows"]

NUM_CHECKED = 20  # iterations after which both must have the same NashConv
TOLERANCE = 1e-9
SOLVERS: dict[str, type[OpenSpielCFRPlus] | type[LiteEFGCFRPlus]] = {
    OPENSPIEL: OpenSpielCFRPlus,
    LITEEFG: LiteEFGCFRPlus,
}
GENERAL = "battleship(board_width=2,board_height=2,ship_sizes=[2],ship_values=[1],num_shots=2)"


@dataclass(frozen=True)
class Match:
    """One game against one peer. label: of the row; game: ours; theirs: in OpenSpiel's words."""

    label: str
    game: str
    theirs: str
    peer: str
    aim: float | None
    is_slow: bool = False


MATCHES = (
    Match("leduc", "leduc", "leduc_poker", OPENSPIEL, 100),
    Match("liars_dice", "liars_dice", "liars_dice", OPENSPIEL, 100),
    Match("kuhn", "kuhn", "kuhn_poker", LITEEFG, 10),
    Match("kuhn(players=3)", "kuhn(players=3)", "kuhn_poker(players=3)", LITEEFG, 10),
    Match("kuhn(players=4)", "kuhn(players=4)", "kuhn_poker(players=4)", LITEEFG, 10),
    Match("leduc", "leduc", "leduc_poker", LITEEFG, 10),
    Match("liars_dice", "liars_dice", "liars_dice", LITEEFG, 10),
    Match("leduc(players=3)", "leduc(players=3)", "leduc_poker(players=3)", LITEEFG, 10, is_slow=True),
    # No poker, no lanes to gain by: what any imported game gets.
    Match("openspiel:battleship", f"openspiel:{GENERAL}", GENERAL, LITEEFG, 10),
    Match("openspiel:battleship", f"openspiel:{GENERAL}", GENERAL, OPENSPIEL, None),
)


def rows(is_quick: bool) -> Iterator[Row]:
    for match in MATCHES:
        work = f"CFR+ {match.label}"
        if not is_installed(match.peer):
            yield Row(work, match.peer, None, None, match.aim, note=f"{match.peer} is not installed")
        elif match.is_slow and is_quick:
            yield Row(work, match.peer, None, None, match.aim, note="left out by --quick")
        else:
            yield _measure(work, match)


def _measure(work: str, match: Match) -> Row:
    tree = load_tree(match.game)
    ours, peer = make_solver("cfr+", tree), SOLVERS[match.peer](match.theirs)
    num_checked = 2 if match.is_slow else NUM_CHECKED
    ours.run(num_checked)
    peer.run(num_checked)
    our_gap, peer_gap = exploitability(tree, ours.average_strategy()).nash_conv, peer.nash_conv()
    num_infosets = peer.num_infosets()
    is_same = num_infosets == tree.num_infosets and abs(our_gap - peer_gap) < TOLERANCE
    our_rate, peer_rate = rates_in_turn(ours.run, peer.run, num_turns=1 if match.is_slow else NUM_TURNS)
    note = (
        f"infosets {tree.num_infosets:,} and {num_infosets:,}; NashConv after {num_checked} iterations"
        f" {our_gap:.9f}\n  and {peer_gap:.9f}"
    )
    return Row(work, match.peer, peer_rate, our_rate, match.aim, note=note, is_same=is_same)
