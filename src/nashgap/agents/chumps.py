"""Chumps at the table, played by the engine; what they do is defined in `nashgap.strategies.chumps`."""

from __future__ import annotations

from nashgap.agents.agent import NativeAgent
from nashgap.strategies import chumps

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
    return _seated(chumps.always_fold())


def always_call() -> NativeAgent:
    return _seated(chumps.always_call())


def always_raise() -> NativeAgent:
    return _seated(chumps.always_raise())


def probe() -> NativeAgent:
    return _seated(chumps.probe())


def half_call_half_raise() -> NativeAgent:
    return _seated(chumps.half_call_half_raise())


def random() -> NativeAgent:
    return _seated(chumps.random())


def triple(fold: float, call: float, raising: float) -> NativeAgent:
    return _seated(chumps.triple(fold, call, raising))


def _seated(chump: chumps.Chump) -> NativeAgent:
    return NativeAgent(chump.name, chump.native)
