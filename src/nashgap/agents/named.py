"""Agents as text: what the command line calls AGENT; see `nashgap.strategies.spec` for its forms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from nashgap.agents.agent import Agent
from nashgap.catalogue import AGENTS
from nashgap.errors import ConfigError
from nashgap.poker.rules import PokerRules
from nashgap.strategies.spec import file_and_options, is_file_spec, named_object, spec_digest

__all__ = ["agent_digest", "distinct_names", "is_agent_file", "load_agent"]

FORMS = "a strategy file, python:module:Class, exec:COMMAND or acpc:COMMAND"
SLOW_DEALS = 25  # in a batch of an agent that may be slow: what is finished is kept, and tells the time left


def load_agent(spec: str, rules: PokerRules) -> Agent:
    """The agent that `spec` names, sure to play this game."""
    agent = _made(spec.strip(), rules)
    check_game = getattr(agent, "check_game", None)
    if check_game is not None:
        check_game(rules)
    return agent


def distinct_names(agents: Sequence[str]) -> tuple[str, ...]:
    """The names; copies of one agent are numbered."""
    return tuple(
        f"{agent} #{agents[: place + 1].count(agent)}" if agents.count(agent) > 1 else agent
        for place, agent in enumerate(agents)
    )


def is_agent_file(spec: str) -> bool:
    """Whether the spec is the path of a file; a name of the catalogue never is."""
    return is_file_spec(spec)


def agent_digest(spec: str) -> str | None:
    """Of the files that an agent is made of, so that a changed bot is another bot; None for names of the catalogue."""
    return spec_digest(spec)


def _made(spec: str, rules: PokerRules) -> Agent:
    if spec.startswith("python:"):
        return _python_agent(spec)
    if spec.startswith("acpc:"):
        from nashgap.agents.external import AcpcAgent

        return AcpcAgent(spec.removeprefix("acpc:"))
    if spec.startswith(("exec:", "exec(")):
        from nashgap.agents.strategy_agent import StrategyAgent
        from nashgap.strategies.external import load_external_strategy

        return StrategyAgent(load_external_strategy(spec, rules), deals_per_batch=SLOW_DEALS)
    if spec == "human":
        raise ConfigError("agent 'human' plays in the terminal only: nashgap play --against AGENT")
    if found := file_and_options(spec):
        return _file_agent(spec, *found, rules)
    return cast(Agent, named_object(spec, AGENTS, FORMS))


def _python_agent(spec: str) -> Agent:
    """A class that plays; or one that only tells what it would do with every hand."""
    from nashgap.strategies.python_class import load_class
    from nashgap.strategies.python_strategy import STRATEGY_METHODS, load_python_strategy

    found = load_class(spec, "agent", {"act": "view"} | STRATEGY_METHODS)
    if hasattr(found, "act"):
        from nashgap.agents.python_agent import PythonAgent

        return PythonAgent(spec, found)
    from nashgap.agents.strategy_agent import StrategyAgent

    return StrategyAgent(load_python_strategy(spec), deals_per_batch=SLOW_DEALS)


def _file_agent(spec: str, path: str, options: str, rules: PokerRules) -> Agent:
    from nashgap.core.array_file import open_arrays
    from nashgap.strategies.abstract import ABSTRACT_KIND

    if open_arrays(Path(path)).metadata.get("kind") == ABSTRACT_KIND:
        from nashgap.agents.table_agent import load_table_agent

        return load_table_agent(spec, path, options, rules)
    if options.strip():
        raise ConfigError(f"agent {spec!r}: only a strategy of an abstract game has options")
    from nashgap.agents.strategy_agent import StrategyAgent
    from nashgap.strategies.poker_table import load_poker_table

    return StrategyAgent(load_poker_table(path, path, rules))
