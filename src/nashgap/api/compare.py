"""Which of two versions of a bot is better, and where? On the same deals, by one of the methods of the catalogue."""

from __future__ import annotations

import inspect
from typing import Any

from nashgap.api.subjects import Subject, bot_of, bots_of
from nashgap.catalogue import COMPARISONS
from nashgap.errors import OptionError
from nashgap.jobs.versions import Comparison

__all__ = ["compare", "comparison_options"]


def compare(first: Subject, second: Subject, *, game: Any = None, by: str = "lbr", **options: Any) -> Comparison:
    """Compare two versions of a bot on the same deals, so that what they have in common cancels.

    first, second: a name, a file, `python:module:Class`, `exec:COMMAND`, or any object that has `policies`.
    game:          needed for what may be for many games; checked against files.
    by:            `lbr`: what Local Best Response wins from each, and which leaks were gained and lost; `match`: what
                   the one wins from the other in a duplicate match, or more than it against the same opponents.
    options:       of the method: for `lbr` bets, rounds, deals, samples, lookahead, seed, workers, run, fresh,
                   progress; for `match` against, variance, deals, seed, workers, run, fresh, progress.
    """
    known = comparison_options(by)
    if unknown := [option for option in options if option not in known]:
        others = [name for name in COMPARISONS.entries if unknown[0] in comparison_options(name)]
        belongs = f"it is one of {' and '.join(others)}" if others else f"{by} has {', '.join(known)}"
        raise OptionError(f"`{unknown[0]}` is no option of {by}; {belongs}")
    if "against" in options:
        options["against"] = bots_of(options["against"], kind="agent")
    kind = "strategy" if by == "lbr" else "agent"
    found: Comparison = COMPARISONS.load(by)((bot_of(first, kind=kind), bot_of(second, kind=kind)), game, **options)
    return found


def comparison_options(by: str) -> tuple[str, ...]:
    """The names of the options that a method has."""
    parameters = inspect.signature(COMPARISONS.load(by)).parameters.values()
    return tuple(each.name for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY)
