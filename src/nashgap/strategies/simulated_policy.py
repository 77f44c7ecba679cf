"""Strategies of games that are never enumerated: each is asked about states of OpenSpiel's, many at once.

    uniform                 every action alike
    python:module:Class     a class of somebody's own or of OpenSpiel's; it is called with the `pyspiel.Game` if it
                            wants an argument
    an object               a policy of OpenSpiel's, a bot of OpenSpiel's that has a policy, or anything that is alike

Objects answer by one of these methods, the first that they have, and must be pure: the same state, the same answer.

    many_action_probabilities(states)   a list of mappings from actions to probabilities, which a network gives at once
    action_probabilities(state)         one of them, as policies of OpenSpiel's do
    get_policy(state)                   pairs of action and probability, as bots of OpenSpiel's do
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, Protocol

from nashgap.core.python_class import load_class, told
from nashgap.errors import AgentError, ConfigError, NashGapError
from nashgap.games.simulated import SimulatedGame
from nashgap.strategies.bot import Bot, GivenBot, NamedBot, PythonBot

__all__ = [
    "ASKED_METHODS",
    "AskedPolicy",
    "Moves",
    "SeatedBots",
    "SimulatedPolicy",
    "UniformPolicy",
    "is_asked_about_states",
    "load_simulated_policy",
]

ASKED_METHODS = {"many_action_probabilities": "states", "action_probabilities": "state", "get_policy": "state"}
UNIFORM = "uniform"
TOLERANCE = 1e-3  # of the sum of probabilities: networks add up in float32

Moves = tuple[list[int], list[float]]
"""Actions of probability above 0, and their probabilities, which add up to 1."""


class SimulatedPolicy(Protocol):
    """What acts in a game that is never enumerated."""

    @property
    def name(self) -> str: ...

    def moves(self, states: Sequence[Any]) -> list[Moves]:
        """What it does in each of the states, in which it is somebody's turn."""
        ...

    def draw(self, states: Sequence[Any], randoms: Sequence[Random]) -> list[int]:
        """An action for each of the states, each with a generator of its own."""
        ...


@dataclass(frozen=True)
class UniformPolicy:
    """Every action alike."""

    name: str = UNIFORM

    def moves(self, states: Sequence[Any]) -> list[Moves]:
        return [(legal, [1.0 / len(legal)] * len(legal)) for legal in (state.legal_actions() for state in states)]

    def draw(self, states: Sequence[Any], randoms: Sequence[Random]) -> list[int]:
        drawn = []
        for state, random in zip(states, randoms, strict=True):
            legal = state.legal_actions()
            drawn.append(legal[int(random.random() * len(legal))])
        return drawn


@dataclass(frozen=True)
class AskedPolicy:
    """An object that is asked; its answers are checked, and what goes wrong in it is told in one line.

    bot:  a `PythonBot`, or a `GivenBot`.
    game: in which it acts.
    """

    bot: Bot
    game: SimulatedGame

    @property
    def name(self) -> str:
        return self.bot.text

    @cached_property
    def answering(self) -> Any:
        """The object; another process makes it for itself."""
        return self.bot.given if isinstance(self.bot, GivenBot) else _made(self.bot, self.game)

    def moves(self, states: Sequence[Any]) -> list[Moves]:
        return [self._checked(state, answer) for state, answer in zip(states, self._answers(states), strict=True)]

    def draw(self, states: Sequence[Any], randoms: Sequence[Random]) -> list[int]:
        return [_draw_move(moves, random) for moves, random in zip(self.moves(states), randoms, strict=True)]

    def _answers(self, states: Sequence[Any]) -> Sequence[Any]:
        method = next(each for each in ASKED_METHODS if callable(getattr(self.answering, each, None)))
        ask = getattr(self.answering, method)
        try:
            answers = ask(list(states)) if method == "many_action_probabilities" else [ask(state) for state in states]
        except NashGapError:
            raise
        except BaseException as error:
            raise AgentError(f"{self.name} fails in {method}: {told(error)}") from error
        if len(answers) != len(states):
            raise AgentError(f"{self.name}: {method} gave {len(answers)} answers to {len(states)} states")
        return answers

    def _checked(self, state: Any, answer: Mapping[int, float] | Iterable[tuple[int, float]]) -> Moves:
        try:
            given = answer.items() if isinstance(answer, Mapping) else answer
            pairs = [(int(action), float(chance)) for action, chance in given]
        except (TypeError, ValueError):
            raise AgentError(f"{self.name} {_place(state)}: {answer!r} is no mapping from actions to numbers") from None
        except BaseException as error:
            raise AgentError(f"{self.name} {_place(state)}: its answer cannot be read: {told(error)}") from error
        legal = set(state.legal_actions())
        for action, chance in pairs:
            if not 0.0 <= chance <= 1.0 + TOLERANCE:
                raise AgentError(f"{self.name} {_place(state)}: action {action} has the probability {chance}")
            if chance > 0.0 and action not in legal:
                raise AgentError(f"{self.name} {_place(state)}: action {action} is not legal")
        total = sum(chance for _, chance in pairs)
        if abs(total - 1.0) > TOLERANCE:
            raise AgentError(f"{self.name} {_place(state)}: its probabilities add up to {total:.6g}, not to 1")
        likely = [(action, chance / total) for action, chance in pairs if chance > 0.0]
        return [action for action, _ in likely], [chance for _, chance in likely]

    def __getstate__(self) -> dict[str, Any]:
        return {"bot": self.bot, "game": self.game}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


class SeatedBots:
    """Two bots of OpenSpiel's, one for each seat, as one policy. Each must provide its policy."""

    def __init__(self, first: Any, second: Any, name: str = "bots") -> None:
        self.name = name
        self._bots = (first, second)
        for seat, bot in enumerate(self._bots):
            if not bot.provides_policy():
                raise ConfigError(f"the bot of player {seat + 1} only plays; abr asks for probabilities, get_policy")

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        return list(self._bots[state.current_player()].get_policy(state))


def load_simulated_policy(bot: Bot, game: SimulatedGame) -> SimulatedPolicy:
    """The strategy that `bot` is in the game."""
    if bot == NamedBot(UNIFORM):
        return UniformPolicy()
    if isinstance(bot, PythonBot) or is_asked_about_states(bot):
        policy = AskedPolicy(bot, game)
        _ = policy.answering  # refuses what cannot be made
        return policy
    raise ConfigError(
        f"strategy {bot.text!r} is none of {game.spec}, which is too large for a table; it must be {UNIFORM},"
        " python:module:Class with action_probabilities(state), or an object that has it"
    )


def is_asked_about_states(bot: Bot) -> bool:
    """Whether it answers for states of OpenSpiel's."""
    if isinstance(bot, GivenBot):
        return _answers_states(bot.given)
    return isinstance(bot, PythonBot) and _answers_states(load_class(bot.text, "strategy", _ANY_METHOD))


def _draw_move(moves: Moves, random: Random) -> int:
    """One of the actions, by its probability."""
    actions, chances = moves
    left = random.random()
    for action, chance in zip(actions, chances, strict=True):
        left -= chance
        if left < 0.0:
            return action
    return actions[-1]


_ANY_METHOD = ASKED_METHODS | {"policies": "states", "sample_policies": "states, seed", "act": "view"}


def _answers_states(answering: Any) -> bool:
    return any(callable(getattr(answering, method, None)) for method in ASKED_METHODS)


def _made(bot: Bot, game: SimulatedGame) -> Any:
    found = load_class(bot.text, "strategy", ASKED_METHODS)
    try:
        return found(game.openspiel) if _wants_game(found) else found()
    except NashGapError:
        raise
    except BaseException as error:
        raise ConfigError(f"strategy {bot.text!r}: the class cannot be called: {told(error)}") from error


def _wants_game(found: type[Any]) -> bool:
    """Whether it cannot be called without an argument."""
    try:
        inspect.signature(found).bind()
    except TypeError:
        return True
    return False


def _place(state: Any) -> str:
    return f"after {state.history_str()!r}"
