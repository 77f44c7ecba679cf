"""Local Best Response, in hands a second: against a chump, and against a no-limit bot with 200 buckets a round."""

from __future__ import annotations

from collections.abc import Iterator

from comparison import Row, rates_in_turn

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction
from nashgap.measures.local_best_response import LbrOptions, play_lbr
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.rules import PokerRules, load_rules
from nashgap.solvers.recipe import load_recipe
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.chumps import always_call
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["RECIPE", "rows", "trained_bot"]

RECIPE, ITERATIONS = "hunl-fcpa", 2_000_000  # how well it plays hardly changes the work of a hand
DEALS = 200
# Bets, rounds, hands a second of a sketch in C++ on the machine that the aims were set on, and the aim.
AGAINST_BOT = (
    ("56", "3-4", 29_000.0, 10_000.0),
    ("56", "1-4", 17_000.0, 6_000.0),
    ("fcpa", "1-4", 5_250.0, 2_500.0),
)
PAPER_HANDS = 0.035  # Lisý & Bowling 2016: up to 8 hours for 1000 hands with 56 bets
NOTE = "hands a second; theirs is a reference figure, not of this run"


def rows() -> Iterator[Row]:
    rules = load_rules("hunl")
    rate = _rate(rules, always_call(), LbrOptions("fcpa", "3-4"))
    yield Row("LBR always-call, fcpa 3-4", "sketch (ref.)", 24_000.0, rate, 12_000.0 / 24_000.0, note=NOTE)
    bot = trained_bot()
    for bets, rounds, sketch, aim in AGAINST_BOT:
        rate = _rate(rules, bot, LbrOptions(bets, rounds))
        yield Row(f"LBR {RECIPE}, {bets} {rounds}", "sketch (ref.)", sketch, rate, aim / sketch, note=NOTE)
        if bets == "56" and rounds == "3-4":
            yield Row(f"LBR {RECIPE}, {bets} {rounds}", "paper (ref.)", PAPER_HANDS, rate, note=NOTE)


def trained_bot() -> AbstractStrategy:
    recipe = load_recipe(RECIPE)
    (cards,) = recipe.card_specs
    tree = build_betting_tree(recipe.rules, recipe.betting)
    game = AbstractGame(tree, build_abstraction(cards, recipe.rules))
    solver = recipe.solver.solver(game)
    solver.run(ITERATIONS)
    return solver.average_strategy()


def _rate(rules: PokerRules, strategy: PokerStrategy, options: LbrOptions) -> float:
    """Other deals each time, as in a measurement: nothing is known beforehand."""
    first_deal = 0

    def play(count: int) -> None:
        nonlocal first_deal
        for _ in range(count):
            play_lbr(rules, [strategy], options, first_deal=first_deal, num_deals=DEALS)
            first_deal += DEALS

    (batches,) = rates_in_turn(play)
    return batches * DEALS * rules.num_seats
