"""The player that a bot is, whatever names it: what the command line calls AGENT; see `nashgap.strategies.spec`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from nashgap.agents.agent import Agent, NativeAgent
from nashgap.catalogue import AGENTS, POKER_STRATEGIES, RESIDENTS, unknown_name
from nashgap.errors import ConfigError
from nashgap.poker.rules import PokerRules
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.bot import (
    AcpcBot,
    Bot,
    ExecBot,
    FileBot,
    GivenBot,
    HandByHand,
    MasterBot,
    NamedBot,
    PatchedBot,
    PythonBot,
)
from nashgap.strategies.chumps import Chump
from nashgap.strategies.load import load, load_experts
from nashgap.strategies.poker_strategy import PokerStrategy
from nashgap.strategies.spec import HUMAN, as_bot, named_object

__all__ = ["agent_of", "distinct_names", "load_agent"]

SLOW_DEALS = 25  # in a batch of an agent that may be slow: what is finished is kept, and tells the time left
DEALS = 100


def load_agent(bot: str | Path | Bot | Any, rules: PokerRules) -> Agent:
    """The agent that `bot` is: a text, the path of a file, an agent, or any object that has `act` or `policies`.

    Sure to play this game.
    """
    agent = _made(as_bot(bot, kind="agent"), rules)
    check_game = getattr(agent, "check_game", None)
    if check_game is not None:
        check_game(rules)
    return agent


def agent_of(strategy: PokerStrategy, name: str = "", *, deals_per_batch: int = DEALS) -> Agent:
    """Who plays what the strategy says; by the engine, where it can."""
    from nashgap.agents.strategy_agent import StrategyAgent
    from nashgap.agents.table_agent import TableAgent

    if isinstance(strategy, Chump):
        return NativeAgent(name or strategy.name, strategy.native, strategy=strategy)
    if isinstance(strategy, AbstractStrategy):
        strategy.require_complete(name or strategy.name)
        return TableAgent(name or strategy.name, strategy)
    return StrategyAgent(strategy, deals_per_batch=deals_per_batch)


def distinct_names(agents: Sequence[str]) -> tuple[str, ...]:
    """The names; copies of one agent are numbered."""
    return tuple(
        f"{agent} #{agents[: place + 1].count(agent)}" if agents.count(agent) > 1 else agent
        for place, agent in enumerate(agents)
    )


def _made(bot: Bot, rules: PokerRules) -> Agent:
    match bot:
        case NamedBot():
            return _named(bot)
        case FileBot():
            return agent_of(load(bot, rules))
        case ExecBot() | PatchedBot():
            return agent_of(load(bot, rules), deals_per_batch=SLOW_DEALS)
        case PythonBot():
            return _of_class(bot, rules)
        case AcpcBot():
            from nashgap.agents.acpc_program import AcpcAgent

            return AcpcAgent(bot.command)
        case MasterBot():
            from nashgap.agents.master import master_agent

            return master_agent(bot.text, load_agent(bot.base, rules), load_experts(bot, rules))
        case HandByHand():
            raise ConfigError(f"agent {bot.text!r}: at the table it plays by itself: {bot.player.text}")
        case GivenBot():
            return _given(bot, rules)
        case _:
            raise AssertionError(f"no kind of bot: {bot!r}")


def _named(bot: NamedBot) -> Agent:
    if bot.name == HUMAN:
        raise ConfigError(f"agent {HUMAN!r} plays in the terminal only: nashgap play --against AGENT")
    if bot.name in POKER_STRATEGIES.entries:
        return agent_of(cast(PokerStrategy, named_object(bot, POKER_STRATEGIES, "agent")))
    if bot.name not in AGENTS.entries:
        raise unknown_name("agent", bot.name, [*AGENTS.entries, *POKER_STRATEGIES.entries, *RESIDENTS.entries])
    return cast(Agent, named_object(bot, AGENTS, "agent"))


def _of_class(bot: PythonBot, rules: PokerRules) -> Agent:
    """A class that plays; or one that only tells what it would do with every hand."""
    from nashgap.agents.python_agent import PythonAgent
    from nashgap.core.python_class import load_class
    from nashgap.strategies.python_strategy import STRATEGY_METHODS

    found = load_class(bot.text, "agent", {"act": "view"} | STRATEGY_METHODS)
    if hasattr(found, "act"):
        return PythonAgent(bot.text, found)
    return agent_of(load(bot, rules), deals_per_batch=SLOW_DEALS)


def _given(bot: GivenBot, rules: PokerRules) -> Agent:
    from nashgap.agents.python_agent import PythonAgent

    given = bot.given
    if isinstance(given, NativeAgent):
        return given
    if callable(getattr(given, "act", None)):
        return PythonAgent(bot.text, lambda: given)
    return agent_of(load(bot, rules), bot.text, deals_per_batch=SLOW_DEALS)
