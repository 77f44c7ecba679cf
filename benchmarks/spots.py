"""Spots of hold'em, solved on one thread until so much of the pot is left to exploit, in processor seconds.

The peer, postflop-solver, is written in Rust and on no registry: its figures were measured once on the machine that the
aims were set on, with the same trees and the same measure. Everything counts on our side: building, solving, looking at
the gap. A yardstick tells how fast this machine is: one plain loop of Python.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from comparison import NO_PEER, Row

from nashgap.api.spot import make_spot
from nashgap.jobs.perform import perform
from nashgap.jobs.spot import SpotJob, SpotSolution

__all__ = ["rows"]

PEER, AIM = "postflop(ref)", 2.0
OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
PLAIN = "0.5,1,a > 1,a"
RELATIVE = "60%,e,a > 2.5x donk=-/-/50% add-all-in=1.5 force-all-in=0.15 merge=0.1"
RIVER, TURN = "QsJh2h8c4d", "QsJh2h8c"
LOOPS = 10_000_000
NUM_TURNS = 3


@dataclass(frozen=True)
class Reference:
    """What the peer took: seconds, iterations; action_nodes say whether both have the same tree."""

    name: str
    board: str
    ranges: tuple[str, str]
    betting: str
    until: float
    seconds: float
    iterations: int
    action_nodes: int


EVERY_HAND = ("all", "all")
REFERENCES = (
    Reference("river, all hands, 0.5%", RIVER, EVERY_HAND, PLAIN, 0.5, 0.035, 80, 20),
    Reference("river, all hands, 0.1%", RIVER, EVERY_HAND, PLAIN, 0.1, 0.124, 290, 20),
    Reference("river, ranges, 0.1%", RIVER, (OOP, IP), PLAIN, 0.1, 0.020, 240, 20),
    Reference("turn, ranges, 0.5%", TURN, (OOP, IP), PLAIN, 0.5, 2.45, 100, 4052),
    Reference("turn, ranges, 0.1%", TURN, (OOP, IP), PLAIN, 0.1, 7.8, 310, 4052),
    Reference("turn, all hands, 0.5%", TURN, EVERY_HAND, PLAIN, 0.5, 11.5, 110, 4052),
)
LONG = (Reference("flop, ranges, 0.5%", "Td9d6h", (OOP, IP), RELATIVE, 0.5, 98.0, 90, 163287),)


def rows(is_quick: bool) -> Iterator[Row]:
    yield _yardstick()
    for reference in (*REFERENCES, *(() if is_quick else LONG)):
        yield _row(reference)


def _yardstick() -> Row:
    begin = time.process_time()
    total = 0
    for number in range(LOOPS):
        total += number
    seconds = time.process_time() - begin
    note = f"`total += number` for {LOOPS:,} numbers, in Python: how fast this machine is"
    return Row("yardstick: a plain loop", NO_PEER, None, 1 / seconds, is_duration=True, note=note)


def _row(reference: Reference) -> Row:
    spot = make_spot(reference.board, *reference.ranges, pot=200, stack=900, betting=reference.betting)
    best, found = float("inf"), None
    for _ in range(NUM_TURNS if reference.seconds < 20 else 1):
        begin = time.process_time()
        found = perform(SpotJob(spot, until=reference.until))
        best = min(best, time.process_time() - begin)
    assert isinstance(found, SpotSolution), "at least one turn is taken"
    nodes = found.strategy.ranges.num_action_nodes
    note = (
        f"{found.iterations} iterations to {found.exploitability_percent:.3f}% of the pot, {nodes:,} action nodes,"
        f" {found.strategy.ranges.num_bytes / 1e6:.0f} MB; theirs {reference.iterations} iterations, a reference figure"
    )
    return Row(
        f"spot: {reference.name}", PEER, 1 / reference.seconds, 1 / best, AIM, is_duration=True, note=note,
        is_same=nodes == reference.action_nodes,
    )  # fmt: skip
