"""Hands a second of matches over TCP: our dealer with our players, every process on the same core.

Somebody always works, so on an idle core the time that passes is the processor time of all processes; that is what
counts here, because what else runs on the machine does not change it much. The competition's dealer with its example
players is no package: its rates, measured on one idle core of the target machine, stand as reference figures. Our
players choose as its example players do in limit games.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator
from multiprocessing.queues import SimpleQueue
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
        matches = [_play(game) for _ in range(NUM_TURNS)]
        rate = median(NUM_HANDS / seconds for _, seconds in matches)
        is_sound = all(
            sum(player.chips for player in result.players) == 0 and not any(player.fault for player in result.players)
            for result, _ in matches
        )
        note = "hands a second of one core; theirs is a reference figure, not of this run; payoffs sum to zero"
        yield Row(f"TCP match {game}", "ACPC (ref.)", reference, rate, AIM, note=note, is_same=is_sound)


def _play(game: str) -> tuple[DealerResult, float]:
    """The match, and the processor seconds that dealer and players spent on it."""
    cores = os.sched_getaffinity(0)
    core = min(cores)
    dealer = Dealer(DealerConfig(load_rules(game), NUM_HANDS, seed=SEED))
    processes = multiprocessing.get_context("spawn")
    spent = processes.SimpleQueue()
    players = [processes.Process(target=_play_one, args=(game, port, core, spent)) for port in dealer.listen()]
    for player in players:
        player.start()
    os.sched_setaffinity(0, {core})
    start = time.process_time()
    try:
        result = dealer.run()
    finally:
        os.sched_setaffinity(0, cores)
        for player in players:
            player.join()
    return result, time.process_time() - start + sum(spent.get() for _ in players)


def _play_one(game: str, port: int, core: int, spent: SimpleQueue[float]) -> None:
    os.sched_setaffinity(0, {core})
    rules = load_rules(game)
    player = AcpcPlayer(load_agent(PLAYER, rules), rules, seed=SEED)
    start = time.process_time()
    player.play("127.0.0.1", port)
    spent.put(time.process_time() - start)
