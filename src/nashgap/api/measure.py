"""How exploitable is a strategy? By one of the methods of the catalogue, each with options of its own."""

from __future__ import annotations

import inspect
from typing import Any

from nashgap.api.subjects import Subject, bots_of
from nashgap.catalogue import MEASURES
from nashgap.errors import OptionError

__all__ = ["measure", "measure_options"]


def measure(strategy: Subject | list[Subject], *, game: Any = None, by: str = "br", **options: Any) -> Any:
    """Measure how far a strategy is from equilibrium.

    strategy: a name, a file, `python:module:Class`, `exec:COMMAND`, or any object that has `policies`; a list of them,
              one for each other seat, where the method takes several.
    game:     needed for what may be for many games; checked against a file.
    by:       `br`, exact best response, in small games, or over all hands of a betting tree; `lbr`, Local Best
              Response, a lower bound for poker of any size; `abstract-br` and `bucket-br`, within an abstract game.
    options:  of the method: for `br` in a betting tree, tree, flops, seed, run, fresh, workers, progress; for `lbr`
              bets, rounds, deals, samples, lookahead, duplicate, imaginary, all_in, leaks, by_hand, split, flops, seed,
              run, fresh, workers, progress; for `abstract-br` iterations, sampling, deals,
              threads, seed, progress; for `bucket-br` deals, seed. One that the method does not have is refused.
    """
    evaluate = MEASURES.load(by)
    own = measure_options(by)
    for option in options:
        if option not in own:
            others = [name for name in MEASURES.entries if option in measure_options(name)]
            belongs = f"; it is one of {_listed(others)}" if others else ""
            known = f"; {by} has {', '.join(own) or 'none'}"
            raise OptionError(f"`{option}` is no option of {by}{belongs or known}")
    return evaluate(bots_of(strategy, kind="strategy"), game, **options)


def measure_options(by: str) -> tuple[str, ...]:
    """The names of the options that a method has."""
    parameters = inspect.signature(MEASURES.load(by)).parameters.values()
    return tuple(each.name for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY)


def _listed(names: list[str]) -> str:
    """`lbr, abstract-br and bucket-br`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
