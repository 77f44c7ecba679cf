"""External-sampling MCCFR iterations a second on Leduc, against OpenSpiel's C++ solver."""

from __future__ import annotations

from collections.abc import Iterator

from comparison import Row, rates_in_turn
from peers import OPENSPIEL, OpenSpielExternalSampling, is_installed

from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import exploitability
from nashgap.solvers.named import make_solver

__all__ = ["rows"]

NUM_COMPARED = 20_000  # iterations after which both gaps are shown; random, so alike and not equal


def rows() -> Iterator[Row]:
    work = "external-sampling leduc"
    if not is_installed(OPENSPIEL):
        yield Row(work, OPENSPIEL, None, None, note=f"{OPENSPIEL} is not installed")
        return
    tree = load_tree("leduc")
    ours, peer = make_solver("external-sampling", tree, seed=1), OpenSpielExternalSampling("leduc_poker", seed=1)
    ours.run(NUM_COMPARED)
    peer.run(NUM_COMPARED)
    our_gap, peer_gap = exploitability(tree, ours.average_strategy()).nash_conv, peer.nash_conv()
    our_rate, peer_rate = rates_in_turn(ours.run, peer.run)
    note = f"NashConv after {NUM_COMPARED:,} iterations {our_gap:.3f} and {peer_gap:.3f} (random: alike, not equal)"
    yield Row(work, OPENSPIEL, peer_rate, our_rate, note=note)
