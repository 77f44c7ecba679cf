"""Any finite OpenSpiel game as one of ours: `openspiel:kuhn_poker(players=3)`.

Games with simultaneous moves are turned into sequential ones with hidden moves. Refused: chance that OpenSpiel only
samples, mean-field games, and games that give no information states. Payoffs are OpenSpiel's returns, and need not sum
to zero. OpenSpiel is an optional package, imported when the first such game is made.

Lanctot et al., OpenSpiel: a framework for reinforcement learning in games (2019).
"""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any

from nashgap.core.game import CHANCE, TERMINAL
from nashgap.errors import ConfigError, MissingExtraError
from nashgap.games.checks import check_move

__all__ = ["OpenSpielGame", "OpenSpielState", "import_pyspiel", "load_openspiel", "openspiel_parameters"]


@dataclass(frozen=True)
class OpenSpielGame:
    """A game of OpenSpiel's.

    name:       its short name: `kuhn_poker`.
    parameters: as OpenSpiel writes them between the parentheses: `players=3`; put into OpenSpiel's own order.
    """

    name: str
    parameters: str = ""

    def __post_init__(self) -> None:
        for field in ("name", "parameters"):
            if not isinstance(getattr(self, field), str):
                raise ConfigError(f"openspiel: {field} must be text, not {getattr(self, field)!r}")
        pyspiel = import_pyspiel(self.spec)
        loaded = load_openspiel(pyspiel, self.name, self.parameters)
        object.__setattr__(self, "parameters", openspiel_parameters(loaded))
        _check_kind(pyspiel, self.spec, self._game.get_type())

    @property
    def spec(self) -> str:
        """The text that names this game everywhere."""
        return f"openspiel:{self.name}({self.parameters})" if self.parameters else f"openspiel:{self.name}"

    @cached_property
    def _game(self) -> Any:
        """The `pyspiel.Game`, sequential."""
        pyspiel = import_pyspiel(self.spec)
        game = load_openspiel(pyspiel, self.name, self.parameters)
        is_simultaneous = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        return pyspiel.convert_to_turn_based(game) if is_simultaneous else game

    @property
    def num_players(self) -> int:
        return int(self._game.num_players())

    @property
    def unit(self) -> str:
        return "utility_per_game"

    def root(self) -> OpenSpielState:
        return OpenSpielState(self._game.new_initial_state())


@dataclass(frozen=True, eq=False)
class OpenSpielState:
    """One history of an OpenSpiel game.

    state: the `pyspiel.State`; never changed, a child is a copy.
    """

    state: Any

    @property
    def player(self) -> int:
        if self.state.is_terminal():
            return TERMINAL
        return CHANCE if self.state.is_chance_node() else int(self.state.current_player())

    @property
    def actions(self) -> tuple[str, ...]:
        mover = self.state.current_player()
        return tuple(self.state.action_to_string(mover, action) for action in self._moves)

    @property
    def _moves(self) -> list[int]:
        """OpenSpiel's number of each action or chance outcome."""
        if self.state.is_chance_node():
            return [outcome for outcome, _ in self.state.chance_outcomes()]
        return list(self.state.legal_actions())

    @property
    def chance_probabilities(self) -> tuple[float, ...]:
        return tuple(probability for _, probability in self.state.chance_outcomes())

    @property
    def infoset(self) -> str:
        assert self.player >= 0, "only a player state has an information set"
        return str(self.state.information_state_string(self.player))

    @property
    def returns(self) -> tuple[float, ...]:
        assert self.player == TERMINAL, "only a terminal state has returns"
        return tuple(self.state.returns())

    def child(self, move: int) -> OpenSpielState:
        moves = self._moves
        if not 0 <= move < len(moves):
            check_move(f"openspiel after {self.state.history_str()!r}", self.actions, move)
        return OpenSpielState(self.state.child(moves[move]))


def import_pyspiel(spec: str) -> ModuleType:
    """OpenSpiel, or an error that says how to install it. spec: what needs it."""
    try:
        return import_module("pyspiel")
    except ImportError:
        hint = "install it with: pip install 'nashgap[openspiel]'"
        raise MissingExtraError(f"{spec} needs OpenSpiel; {hint}") from None


def load_openspiel(pyspiel: ModuleType, name: str, parameters: str) -> Any:
    """The `pyspiel.Game` of this name, or an error of ours in one line."""
    text = f"{name}({parameters})"
    _check_names(pyspiel, name, _ask(pyspiel, pyspiel.game_parameters_from_string, text))
    return _ask(pyspiel, pyspiel.load_game, text)


def openspiel_parameters(game: Any) -> str:
    """Between the parentheses, in OpenSpiel's own order."""
    return str(game).partition("(")[2].removesuffix(")")


def _ask(pyspiel: ModuleType, function: Callable[[str], Any], text: str) -> Any:
    try:
        with _standard_error_closed():
            return function(text)
    # Not all refusals are OpenSpiel's own: a game that lacks a needed parameter ends in an error of the C++ library.
    except (pyspiel.SpielError, IndexError, RuntimeError, ValueError) as error:
        reason = "; ".join(str(error).splitlines()[:2])
        raise ConfigError(f"openspiel:{text}: OpenSpiel refuses it: {reason}") from None


@contextmanager
def _standard_error_closed() -> Iterator[None]:
    """Keep OpenSpiel from writing there: it tells of each refusal itself, beside the error that it raises."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _check_names(pyspiel: ModuleType, name: str, parameters: dict[str, Any]) -> None:
    # OpenSpiel would answer an unknown name with its whole catalogue.
    known = {kind.short_name: kind for kind in pyspiel.registered_games()}
    if name not in known:
        close = ", ".join(difflib.get_close_matches(name, known, n=3))
        hint = f"did you mean: {close}" if close else "pyspiel.registered_names() lists the known ones"
        raise ConfigError(f"unknown OpenSpiel game {name!r}; {hint}")
    allowed = known[name].parameter_specification
    for given in parameters:
        if given != "name" and given not in allowed:
            raise ConfigError(f"openspiel:{name} has no parameter {given!r}; allowed: {', '.join(allowed) or 'none'}")


def _check_kind(pyspiel: ModuleType, spec: str, kind: Any) -> None:
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise ConfigError(f"{spec} only samples its chance events; games that list them with probabilities are allowed")
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise ConfigError(f"{spec} is a mean-field game; sequential and simultaneous games are allowed")
    if not kind.provides_information_state_string:
        raise ConfigError(f"{spec} gives no information states; only games that give them are allowed")
