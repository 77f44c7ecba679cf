"""NashGap: how far is a strategy from equilibrium?

The public names, imported when they are first asked for: `import nashgap` itself costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nashgap.abstraction.abstract_game import AbstractGame
    from nashgap.abstraction.buckets import CardAbstraction, build_abstraction, parse_card_abstraction
    from nashgap.agents.agent import Agent
    from nashgap.agents.named import load_agent
    from nashgap.arena.match_result import MatchResult, play_match
    from nashgap.cards.card import format_cards, parse_cards
    from nashgap.cards.evaluator import hand_rank, hand_ranks
    from nashgap.cards.ranges import Range, parse_range
    from nashgap.core.compile import compile_tree
    from nashgap.core.estimate import Estimate
    from nashgap.core.game import CHANCE, TERMINAL, Deals, DealtGame, Game, PublicState, State
    from nashgap.core.strategy import Policy, RaiseRange, Strategy
    from nashgap.core.tree import GameTree
    from nashgap.errors import NashGapError
    from nashgap.games.compiled import load_tree, tree_of
    from nashgap.games.spec import load_game
    from nashgap.measures.abstract_response import AbstractGap, abstract_gap
    from nashgap.measures.best_response import Exploitability, best_response, expected_values, exploitability
    from nashgap.poker.betting_abstraction import parse_betting_abstraction
    from nashgap.poker.betting_tree import build_betting_tree
    from nashgap.poker.rules import PokerRules, load_rules
    from nashgap.poker.state import CALL, FOLD, View
    from nashgap.solvers.cfr import CFR
    from nashgap.solvers.given import GivenStrategy
    from nashgap.solvers.mccfr import MCCFR, SAMPLINGS, Sampling
    from nashgap.solvers.named import make_solver
    from nashgap.solvers.poker_mccfr import PokerMCCFR
    from nashgap.solvers.recipe import load_recipe
    from nashgap.solvers.schedules import SCHEDULES, Schedule
    from nashgap.solvers.sequence_lp import solve_sequence_lp
    from nashgap.strategies.abstract import AbstractStrategy
    from nashgap.strategies.batched import BatchedStrategy
    from nashgap.strategies.load import load, save
    from nashgap.strategies.spec import as_bot
    from nashgap.strategies.table import TableStrategy, tabulated, uniform

__all__ = [
    "CALL",
    "CFR",
    "CHANCE",
    "FOLD",
    "MCCFR",
    "SAMPLINGS",
    "SCHEDULES",
    "TERMINAL",
    "AbstractGame",
    "AbstractGap",
    "AbstractStrategy",
    "Agent",
    "BatchedStrategy",
    "CardAbstraction",
    "Deals",
    "DealtGame",
    "Estimate",
    "Exploitability",
    "Game",
    "GameTree",
    "GivenStrategy",
    "MatchResult",
    "NashGapError",
    "PokerMCCFR",
    "PokerRules",
    "Policy",
    "PublicState",
    "RaiseRange",
    "Range",
    "Sampling",
    "Schedule",
    "State",
    "Strategy",
    "TableStrategy",
    "View",
    "abstract_gap",
    "as_bot",
    "best_response",
    "build_abstraction",
    "build_betting_tree",
    "compile_tree",
    "expected_values",
    "exploitability",
    "format_cards",
    "hand_rank",
    "hand_ranks",
    "load",
    "load_agent",
    "load_game",
    "load_recipe",
    "load_rules",
    "load_tree",
    "make_solver",
    "parse_betting_abstraction",
    "parse_card_abstraction",
    "parse_cards",
    "parse_range",
    "play_match",
    "save",
    "solve_sequence_lp",
    "tabulated",
    "tree_of",
    "uniform",
]

_HOME = {
    "nashgap.abstraction.abstract_game": ("AbstractGame",),
    "nashgap.abstraction.buckets": ("CardAbstraction", "build_abstraction", "parse_card_abstraction"),
    "nashgap.agents.agent": ("Agent",),
    "nashgap.agents.named": ("load_agent",),
    "nashgap.arena.match_result": ("MatchResult", "play_match"),
    "nashgap.cards.card": ("format_cards", "parse_cards"),
    "nashgap.cards.evaluator": ("hand_rank", "hand_ranks"),
    "nashgap.cards.ranges": ("Range", "parse_range"),
    "nashgap.core.compile": ("compile_tree",),
    "nashgap.core.estimate": ("Estimate",),
    "nashgap.core.game": ("CHANCE", "TERMINAL", "DealtGame", "Deals", "Game", "PublicState", "State"),
    "nashgap.core.strategy": ("Policy", "RaiseRange", "Strategy"),
    "nashgap.core.tree": ("GameTree",),
    "nashgap.errors": ("NashGapError",),
    "nashgap.games.compiled": ("load_tree", "tree_of"),
    "nashgap.games.spec": ("load_game",),
    "nashgap.measures.abstract_response": ("AbstractGap", "abstract_gap"),
    "nashgap.measures.best_response": ("Exploitability", "best_response", "expected_values", "exploitability"),
    "nashgap.poker.betting_abstraction": ("parse_betting_abstraction",),
    "nashgap.poker.betting_tree": ("build_betting_tree",),
    "nashgap.poker.rules": ("PokerRules", "load_rules"),
    "nashgap.poker.state": ("CALL", "FOLD", "View"),
    "nashgap.solvers.cfr": ("CFR",),
    "nashgap.solvers.given": ("GivenStrategy",),
    "nashgap.solvers.mccfr": ("MCCFR", "SAMPLINGS", "Sampling"),
    "nashgap.solvers.named": ("make_solver",),
    "nashgap.solvers.poker_mccfr": ("PokerMCCFR",),
    "nashgap.solvers.recipe": ("load_recipe",),
    "nashgap.solvers.schedules": ("SCHEDULES", "Schedule"),
    "nashgap.solvers.sequence_lp": ("solve_sequence_lp",),
    "nashgap.strategies.abstract": ("AbstractStrategy",),
    "nashgap.strategies.batched": ("BatchedStrategy",),
    "nashgap.strategies.load": ("load", "save"),
    "nashgap.strategies.spec": ("as_bot",),
    "nashgap.strategies.table": ("TableStrategy", "tabulated", "uniform"),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOME.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'nashgap' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
