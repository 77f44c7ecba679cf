"""Duplicate matches between agents of the engine, on one thread."""

from __future__ import annotations

from collections.abc import Iterator

from comparison import Row, rates_in_turn

from nashgap.jobs.match import MatchJob
from nashgap.poker.rules import load_rules
from nashgap.strategies.spec import parse_bot

__all__ = ["rows"]

DEALS, SLOW_DEALS = 10_000, 500  # of one batch
# Hands a second of the competition's dealer with its example players over loopback, everything on one core: measured
# once on the machine that the aims were set on. Its players choose at random, ours do what the row says.
REFERENCES = {"lhe3": 800.0, "hunl": 2_000.0}
AIM_HANDS = {"poki": 5_000.0, "always-call": 300_000.0, "always-raise": 300_000.0, "probe": 300_000.0}

MATCHES = {
    "match lhe3: always-call": ("lhe3", ("always-call",) * 3),
    "match lhe3: always-raise": ("lhe3", ("always-raise",) * 3),
    "match lhe3: probe": ("lhe3", ("probe",) * 3),
    "match lhe3: poki": ("lhe3", ("poki",) * 3),
    "match lhe3: mixed": ("lhe3", ("always-call", "probe", "random")),
    "match hunl: random": ("hunl", ("random",) * 2),
}


def rows() -> Iterator[Row]:
    for work, (game, agents) in MATCHES.items():
        deals = SLOW_DEALS if "poki" in agents else DEALS
        job = MatchJob(rules=load_rules(game), agents=tuple(map(parse_bot, agents)), deals=deals, batch_deals=deals)
        (batches,) = rates_in_turn(lambda count, job=job: [job.run_batch(0) for _ in range(count)])
        batch = job.run_batch(0)
        rate = batches * sum(batch["sequences"].values())
        reference = REFERENCES[game]
        is_sound = sum(batch["payoffs"]) == 0
        note = "hands a second; theirs is a reference figure, not of this run; payoffs sum to zero"
        aim = AIM_HANDS[agents[0]] / reference if game == "lhe3" else None
        yield Row(work, "ACPC (ref.)", reference, rate, aim, note=note, is_same=is_sound)
