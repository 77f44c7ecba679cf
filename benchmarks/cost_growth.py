"""How cost grows with hands, bets, buckets and players: the table of docs/running-on-a-cluster.md.

Run by hand: `python benchmarks/cost_growth.py`. Processor time of one core is counted, which other work changes little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

from lbr import trained_bot

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.measures.local_best_response import LbrOptions, play_lbr
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.rules import load_rules
from nashgap.solvers.poker_mccfr import PokerMCCFR
from nashgap.solvers.samplings import SAMPLINGS
from nashgap.solvers.schedules import SCHEDULES
from nashgap.strategies.chumps import always_call
from nashgap.strategies.poker_strategy import PokerStrategy

DEALS, ITERATIONS = 400, 100_000


def main() -> None:
    print("| work | what grows | processor time | memory |\n|---|---|---|---|")
    for row in _rows():
        print(f"| {' | '.join(row)} |", flush=True)


def _rows() -> Iterator[tuple[str, ...]]:
    bot = trained_bot()
    for deals in (DEALS, 10 * DEALS):
        yield "LBR, `hunl-fcpa`, fcpa, rounds 3-4", f"{2 * deals:,} hands", _lbr("hunl", bot, "fcpa", "3-4", deals), ""
    for bets in ("fc", "fcpa", "56"):
        yield "LBR, `hunl-fcpa`, rounds 3-4", f"bets {bets}", _lbr("hunl", bot, bets, "3-4", DEALS), ""
    for game in ("lhe2", "lhe3"):
        yield "LBR, limit, always-call", game, _lbr(game, always_call(), "fcpa", "", DEALS), ""
    for buckets in (5, 50, 500):
        cards = f"percentile(ehs2, lossless/{buckets}/{buckets}/{buckets}, recall=none)"
        yield "training, hunl, fcpa", f"{buckets} buckets a round", *_training("hunl", "fcpa", cards)
    for game in ("lhe2", "lhe3"):
        yield (
            "training, limit, 5 buckets a round",
            game,
            *_training(game, "full", "percentile(ehs2, 5/5/5/5, recall=none)"),
        )


def _lbr(game: str, bot: PokerStrategy, bets: str, rounds: str, deals: int) -> str:
    rules = load_rules(game)
    others, options = (bot,) * (rules.num_seats - 1), LbrOptions(bets, rounds)
    played = play_lbr(rules, others, options, seed=0, first_deal=0, num_deals=deals)
    seconds = _seconds(partial(play_lbr, rules, others, options, seed=0, first_deal=deals, num_deals=deals))
    return f"{1e6 * seconds / played.chips.size:,.0f} µs a hand"


def _training(game: str, bets: str, cards: str) -> tuple[str, str]:
    rules = load_rules(game)
    tree = build_betting_tree(rules, parse_betting_abstraction(bets))
    abstract = AbstractGame(tree, build_abstraction(parse_card_abstraction(cards), rules))
    solver = PokerMCCFR(abstract, SAMPLINGS["external-sampling"], SCHEDULES["lcfr"])
    solver.run(ITERATIONS // 10)
    seconds = _seconds(partial(solver.run, ITERATIONS))
    memory = sum(array.nbytes for array in solver.state().values())
    return f"{1e6 * seconds / ITERATIONS:,.0f} µs an iteration", f"{memory / 2**20:,.1f} MiB"


def _seconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


if __name__ == "__main__":
    main()
