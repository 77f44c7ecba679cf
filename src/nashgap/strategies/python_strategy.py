"""Somebody's own class as a strategy: `python:module:Class`.

It has `policies(states)` or `sample_policies(states, seed)`, see `nashgap.core.strategy`.
Its answers are checked; what goes wrong in it is told in one line with the place in its file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nashgap.core.python_class import load_class, made, told
from nashgap.core.strategy import Policy
from nashgap.errors import AgentError, ConfigError
from nashgap.poker.state import PublicState
from nashgap.strategies.check_policy import check_policies, place_text

__all__ = ["STRATEGY_METHODS", "PythonStrategy", "load_python_strategy"]

STRATEGY_METHODS = {"policies": "states", "sample_policies": "states, seed"}


class PythonStrategy:
    """One object of the class answers all; it must be pure: the same state, the same answer."""

    is_checked = True

    def __init__(self, name: str, answering: Any) -> None:
        self.name = name
        self.is_sampled, self._has_samples = (not hasattr(answering, "policies"), hasattr(answering, "sample_policies"))
        self._answering = answering

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        if self.is_sampled:
            raise ConfigError(f"{self.name} has no policies(states) but samples: sample_policies(states, seed)")
        return self._checked("policies", states, (list(states),))

    def sample_policies(self, states: Sequence[PublicState], seed: int) -> list[Policy]:
        """One sample for each state; of a class without samples, what it always does."""
        if not self._has_samples:
            return self.policies(states)
        return self._checked("sample_policies", states, (list(states), seed))

    def _checked(self, method: str, states: Sequence[PublicState], arguments: tuple[object, ...]) -> list[Policy]:
        try:
            answers = getattr(self._answering, method)(*arguments)
        except BaseException as error:
            first = f" of {len(states)} states, the first {place_text(states[0])}" if states else ""
            raise AgentError(f"{self.name} fails in {method}{first}: {told(error)}") from error
        return check_policies(answers, states, self.name)


def load_python_strategy(spec: str) -> PythonStrategy:
    """The strategy that an object of the class `python:module:Class` is."""
    answering = load_class(spec, "strategy", STRATEGY_METHODS)
    strategy: PythonStrategy = made(spec, "strategy", lambda: PythonStrategy(spec, answering()))
    return strategy
