"""How exploitable is a strategy? By one of the methods of the catalogue, each with options of its own."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from nashgap.api.subjects import Subject, bots_of
from nashgap.catalogue import MEASURES
from nashgap.errors import OptionError
from nashgap.jobs.side_by_side import SideBySide
from nashgap.strategies.bot import Bot

__all__ = ["measure", "measure_options"]

COMPARED = ("br", "lbr", "abr")  # tell what a nemesis wins in the real game


def measure(strategy: Subject | list[Subject], *, game: Any = None, by: str = "br", **options: Any) -> Any:
    """Measure how far a strategy is from equilibrium.

    strategy: a name, a file, `python:module:Class`, `exec:COMMAND`, or any object that has `policies`; a list of them,
              one for each other seat, where the method takes several.
    game:     needed for what may be for many games; checked against a file.
    by:       `br`, exact best response, in small games, or over all hands of a betting tree; `lbr`, Local Best
              Response, a lower bound for poker of any size; `abr`, Approximate Best Response, a lower bound for any
              game of two players and zero sum; `abstract-br` and `bucket-br`, within an abstract game. Several, as
              `lbr,abr`: one after the other and in one table, each with those of the options that it has.
    options:  of the method: for `br` in a betting tree, tree, flops, seed, run, fresh, workers, progress; for `lbr`
              bets, rounds, deals, lines, stake, samples, lookahead, duplicate, imaginary, all_in, leaks, by_hand,
              split, advice, flops, seed, run, fresh, workers, progress; for `abr` preset, simulations, rule,
              exploration, search, simulated, minutes, episodes, games, actors, beliefs, belief_games, bets, cards,
              levels, abreast, seed, run, fresh, progress; for `abstract-br` iterations, sampling, deals, threads, seed,
              progress; for `bucket-br` deals, seed. One that the method does not have is refused.
    """
    methods = [method.strip() for method in by.split(",")]
    known = {method: measure_options(method) for method in methods}
    for option in options:
        if not any(option in own for own in known.values()):
            others = [name for name in MEASURES.entries if option in measure_options(name)]
            belongs = f"; it is one of {_listed(others)}" if others else ""
            own = known[methods[0]]
            has = f"; {by} has {', '.join(own) or 'none'}" if len(methods) == 1 else ""
            raise OptionError(f"`{option}` is no option of {_listed(methods)}{belongs or has}")
    bots = bots_of(strategy, kind="strategy")
    if len(methods) == 1:
        return MEASURES.load(by)(bots, game, **options)
    if len({*methods}) < len(methods):
        raise OptionError(f"`by` = {by}; each method once")
    return _side_by_side(bots, game, {method: _own(method, known[method], options) for method in methods})


def _side_by_side(bots: tuple[Bot, ...], game: Any, asked: Mapping[str, Mapping[str, Any]]) -> SideBySide:
    if unfit := [method for method in asked if method not in COMPARED]:
        raise OptionError(f"`by`: {unfit[0]} cannot stand beside others; {_listed(list(COMPARED))} can")
    found = {method: MEASURES.load(method)(bots, game, **options) for method, options in asked.items()}
    return SideBySide(strategy=", ".join(bot.text for bot in bots), found=found)


def _own(method: str, known: tuple[str, ...], options: Mapping[str, Any]) -> dict[str, Any]:
    """Those that the method has; in small games br has none, and says so where any are given."""
    if method == "br" and "tree" not in options:
        return {}
    return {name: value for name, value in options.items() if name in known}


def measure_options(by: str) -> tuple[str, ...]:
    """The names of the options that a method has."""
    parameters = inspect.signature(MEASURES.load(by)).parameters.values()
    return tuple(each.name for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY)


def _listed(names: list[str]) -> str:
    """`lbr, abstract-br and bucket-br`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
