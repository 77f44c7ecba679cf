"""Hands a second of matches over TCP: our dealer with our players, every process on the same core.

The competition's dealer with its example players is no package: its rates, measured the same way on the target machine,
stand as reference figures. Our players choose as its example players do in limit games.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from statistics import median

from comparison import NUM_TURNS, Row

from nashgap.agents.named import load_agent
from nashgap.arena.acpc.config import DealerConfig
from nashgap.arena.acpc.dealer import Dealer, DealerResult
from nashgap.arena.acpc.player import AcpcPlayer
from nashgap.poker.rules import load_rules

__all__ = ["rows"]

REFERENCES = {"lhe2": 2000.0, "lhe3": 800.0}
AIM = 0.25
NUM_HANDS = 1000
PLAYER = "triple(0.06,0.47,0.47)"
SEED = 1


def rows() -> Iterator[Row]:
    for game, reference in REFERENCES.items():
        results = [_play(game) for _ in range(NUM_TURNS)]
        rate = median(result.num_hands / result.seconds for result in results)
        is_sound = all(
            sum(player.chips for player in result.players) == 0 and not any(player.fault for player in result.players)
            for result in results
        )
        note = "hands a second; theirs is a reference figure, not of this run; payoffs sum to zero"
        yield Row(f"TCP match {game}", "ACPC (ref.)", reference, rate, AIM, note=note, is_same=is_sound)


def _play(game: str) -> DealerResult:
    cores = os.sched_getaffinity(0)
    core = min(cores)
    rules = load_rules(game)
    dealer = Dealer(DealerConfig(rules, NUM_HANDS, seed=SEED))
    processes = multiprocessing.get_context("spawn")
    players = [processes.Process(target=_play_one, args=(game, port, core)) for port in dealer.listen()]
    for player in players:
        player.start()
    os.sched_setaffinity(0, {core})
    try:
        return dealer.run()
    finally:
        os.sched_setaffinity(0, cores)
        for player in players:
            player.join()


def _play_one(game: str, port: int, core: int) -> None:
    os.sched_setaffinity(0, {core})
    rules = load_rules(game)
    AcpcPlayer(load_agent(PLAYER, rules), rules, seed=SEED).play("127.0.0.1", port)
