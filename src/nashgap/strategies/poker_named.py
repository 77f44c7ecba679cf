"""Strategies at the real table as text: what `measure --by lbr` and `check-bot` call BOT.

They answer for every private hand at once. `always-call`, `triple(0.1,0.4,0.5)` are names of the catalogue;
`ir16.safetensors(fallback=call)` is a strategy file of an abstract game with options, `leduc.safetensors` one of a
small game; `python:module:Class` a class of somebody's own; `exec:COMMAND` a program, see
`nashgap.strategies.external`; `probe:PLAYER` a deterministic player that only plays, asked hand by hand, see
`nashgap.agents.probed`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast

from nashgap.catalogue import AGENTS, POKER_STRATEGIES, POKER_STRATEGY_FORMS
from nashgap.core.strategy import Policy
from nashgap.errors import ConfigError
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState
from nashgap.strategies.spec import file_and_options, named_object, spec_digest

__all__ = ["PROBE_PREFIX", "PokerStrategy", "load_poker_strategy", "probe_spec", "strategy_digest"]

PROBE_PREFIX = "probe:"
"""Before the spec of a player that is to be asked hand by hand."""
FORMS = "a strategy file, python:module:Class or exec:COMMAND"


class PokerStrategy(Protocol):
    """What a seat does with every hand at once, in any public state of a game. Pure.

    is_sampled: known by samples only; then `policies` is refused, and it has `sample_policies`, see `SampledStrategy`.
    """

    @property
    def name(self) -> str: ...

    @property
    def is_sampled(self) -> bool: ...

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        """One policy for each state, in which a seat is to act; hands in the order of `nashgap.poker.hands`."""
        ...


def load_poker_strategy(spec: str, rules: PokerRules) -> PokerStrategy:
    """The strategy that `spec` names, sure to be for this game."""
    spec = spec.strip()
    if spec.startswith(PROBE_PREFIX):  # agents lie above strategies: only the catalogue knows of them
        return cast(PokerStrategy, POKER_STRATEGY_FORMS.load("probe")(spec, rules))
    _refuse_players(spec)
    if spec.startswith("python:"):
        from nashgap.strategies.python_strategy import load_python_strategy

        return load_python_strategy(spec)
    if spec.startswith(("exec:", "exec(")):
        from nashgap.strategies.external import load_external_strategy

        return load_external_strategy(spec, rules)
    if found := file_and_options(spec):
        return _of_file(spec, *found, rules)
    return cast(PokerStrategy, named_object(spec, POKER_STRATEGIES, FORMS))


def strategy_digest(spec: str) -> str | None:
    """Of the files that a strategy is made of, so that a changed bot is another bot; None for names."""
    return spec_digest(spec.strip().removeprefix(PROBE_PREFIX).strip())


def probe_spec(spec: str) -> str:
    """The same player, asked hand by hand."""
    spec = spec.strip()
    return spec if spec.startswith(PROBE_PREFIX) else f"{PROBE_PREFIX}{spec}"


def _refuse_players(spec: str) -> None:
    """What only plays the hand that it holds cannot be asked."""
    if spec == "human" or _only_plays(spec):
        quoted = spec if " " not in spec else repr(spec)
        probed = "" if spec == "human" else "; if it is deterministic, it can be asked hand by hand: --probe"
        raise ConfigError(
            f"strategy {spec!r}: a player that only plays cannot be asked what it would do with other hands;"
            f" let it play instead: nashgap match {quoted} AGENT --game GAME{probed}"
        )


def _only_plays(spec: str) -> bool:
    if spec.startswith("python:"):
        from nashgap.strategies.python_class import load_class
        from nashgap.strategies.python_strategy import STRATEGY_METHODS

        found = load_class(spec, "strategy", STRATEGY_METHODS | {"act": "view"})
        return not any(hasattr(found, method) for method in STRATEGY_METHODS)
    name = spec.partition("(")[0]
    return spec.startswith("acpc:") or (name in AGENTS.entries and name not in POKER_STRATEGIES.entries)


def _of_file(spec: str, path: str, options: str, rules: PokerRules) -> PokerStrategy:
    from nashgap.core.array_file import open_arrays
    from nashgap.strategies.abstract import ABSTRACT_KIND, load_abstract_strategy
    from nashgap.strategies.play_options import parse_play_options

    if open_arrays(Path(path)).metadata.get("kind") == ABSTRACT_KIND:
        strategy = load_abstract_strategy(path, rules)
        try:
            changed = strategy.options.changed(parse_play_options(options))
        except ConfigError as error:
            raise ConfigError(f"strategy {spec!r}: {error}") from None
        return dataclasses.replace(strategy, options=changed, name=spec)
    if options.strip():
        raise ConfigError(f"strategy {spec!r}: only a strategy of an abstract game has options")
    from nashgap.strategies.poker_table import load_poker_table

    return load_poker_table(spec, path, rules)
