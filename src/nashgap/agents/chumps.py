"""Chumps: players that do not look at their cards (Abou Risk 2009, section 2.5.2; Lisý & Bowling 2016, "Chumps").

Most are a probability triple (f, c, r). A part that is not legal goes to check or call: nobody folds for free, and who
may not raise any more calls. In games with sizes a raise is by the pot, but for `random` and `half-call-half-raise`,
which take every size equally often.
"""

from __future__ import annotations

import math

from nashgap import _native
from nashgap.agents.agent import NativeAgent
from nashgap.errors import ConfigError

__all__ = [
    "always_call",
    "always_fold",
    "always_raise",
    "half_call_half_raise",
    "probe",
    "random",
    "triple",
]


def always_fold() -> NativeAgent:
    """(1, 0, 0): folds; checks where checking is free."""
    return NativeAgent("always-fold", _native.TripleAgent(1.0, 0.0, False))


def always_call() -> NativeAgent:
    """(0, 1, 0): checks or calls."""
    return NativeAgent("always-call", _native.TripleAgent(0.0, 1.0, False))


def always_raise() -> NativeAgent:
    """(0, 0, 1): bets or raises; calls where it may not."""
    return NativeAgent("always-raise", _native.TripleAgent(0.0, 0.0, False))


def probe() -> NativeAgent:
    """(0, 0.5, 0.5): calls or raises equally often."""
    return NativeAgent("probe", _native.TripleAgent(0.0, 0.5, False))


def half_call_half_raise() -> NativeAgent:
    """Calls half of the time, else raises by a random size."""
    return NativeAgent("half-call-half-raise", _native.TripleAgent(0.0, 0.5, True))


def random() -> NativeAgent:
    """Every legal action equally often, each size of a raise being an action of its own."""
    return NativeAgent("random", _native.RandomAgent())


def triple(fold: float, call: float, raising: float) -> NativeAgent:
    """Folds, calls and raises with these probabilities, which add up to 1."""
    parts = (fold, call, raising)
    if not all(0 <= part <= 1 for part in parts) or not math.isclose(sum(parts), 1, abs_tol=1e-9):
        raise ConfigError(f"triple({fold},{call},{raising}): three probabilities that add up to 1 are needed")
    return NativeAgent(f"triple({fold:g},{call:g},{raising:g})", _native.TripleAgent(float(fold), float(call), False))
