"""A game that is never enumerated: histories are states of OpenSpiel's that are played, copied and thrown away.

For two players and zero sum, with chance that is listed. Games with simultaneous moves are turned into sequential ones
with hidden moves, as for compiled games (`games/openspiel.py`); games of perfect information need give no information
states: what everyone sees is what there is.

Lanctot et al., OpenSpiel: a framework for reinforcement learning in games (2019).
"""

from __future__ import annotations

import hashlib
from array import array
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from nashgap.errors import ConfigError, MismatchError, UnsupportedGameError
from nashgap.games.openspiel import import_pyspiel, load_openspiel, openspiel_parameters
from nashgap.games.spec import parse_spec

__all__ = ["SimulatedGame", "is_simulated_spec", "load_simulated_game"]

PREFIX = "openspiel:"


@dataclass(frozen=True)
class SimulatedGame:
    """A game of OpenSpiel's.

    name, parameters: as of `OpenSpielGame`.
    """

    name: str
    parameters: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", openspiel_parameters(self._loaded))
        pyspiel = import_pyspiel(self.spec)
        kind = self._loaded.get_type()
        if self.num_players != 2 or kind.utility != pyspiel.GameType.Utility.ZERO_SUM:
            why = f"{self.num_players} players" if self.num_players != 2 else "payoffs that do not add up to 0"
            raise UnsupportedGameError(f"{self.spec} has {why}; abr is for two players and zero sum")
        if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
            raise ConfigError(f"{self.spec} only samples its chance events; games that list them are allowed")
        if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
            raise ConfigError(f"{self.spec} is a mean-field game; sequential and simultaneous games are allowed")
        if not self.is_perfect_information and not self.gives_information_states:
            raise ConfigError(f"{self.spec} gives no information states; it is one of imperfect information")

    @property
    def spec(self) -> str:
        """The text that names this game everywhere."""
        return f"{PREFIX}{self.name}({self.parameters})" if self.parameters else f"{PREFIX}{self.name}"

    @property
    def unit(self) -> str:
        return "utility_per_game"

    @cached_property
    def _loaded(self) -> Any:
        spec = f"{PREFIX}{self.name}"
        return load_openspiel(import_pyspiel(spec), self.name, self.parameters)

    @cached_property
    def _game(self) -> Any:
        """The `pyspiel.Game`, sequential."""
        pyspiel = import_pyspiel(self.spec)
        is_simultaneous = self._loaded.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        return pyspiel.convert_to_turn_based(self._loaded) if is_simultaneous else self._loaded

    @property
    def openspiel(self) -> Any:
        """The `pyspiel.Game`, for policies that want to be told."""
        return self._game

    @property
    def num_players(self) -> int:
        return int(self._loaded.num_players())

    @property
    def num_actions(self) -> int:
        """Different actions in all of the game."""
        return int(self._game.num_distinct_actions())

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The least and the most that a player can win."""
        return float(self._game.min_utility()), float(self._game.max_utility())

    @property
    def scale(self) -> float:
        """The most that can be won or lost."""
        return max(map(abs, self.bounds)) or 1.0

    @property
    def is_win_or_loss(self) -> bool:
        """Whether a game is won by 1 or lost by 1, or perhaps drawn."""
        return self.bounds == (-1.0, 1.0)

    @cached_property
    def is_perfect_information(self) -> bool:
        perfect = import_pyspiel(self.spec).GameType.Information.PERFECT_INFORMATION
        return bool(self._game.get_type().information == perfect)

    @property
    def gives_information_states(self) -> bool:
        """Without which a game cannot be compiled."""
        return bool(self._game.get_type().provides_information_state_string)

    def root(self) -> Any:
        """The `pyspiel.State` at the beginning."""
        return self._game.new_initial_state()

    def key(self, state: Any, player: int, actions: list[int] | None = None) -> int:
        """A number that stands for what the player, whose turn it is, knows: 63 bits of a hash.

        Where all is seen that is the position, however it was come to, and the moves, because in a few games the way
        there forbids some.

        actions: the legal ones, where they are at hand.
        """
        if self.is_perfect_information:
            known = str(state).encode() + array("i", state.legal_actions() if actions is None else actions).tobytes()
        else:
            known = state.information_state_string(player).encode()
        return int.from_bytes(hashlib.blake2b(known, digest_size=8).digest(), "little") >> 1

    @cached_property
    def num_features(self) -> int:
        """Numbers in a row of features; 0 where the game gives none."""
        kind = self._game.get_type()
        if not (kind.provides_information_state_tensor or kind.provides_observation_tensor):
            return 0
        return int(self._observer.tensor.size)

    def features(self, state: Any, player: int) -> np.ndarray:
        """`[num_features]` float32: the information state as OpenSpiel tells it, or else the observation."""
        if not self.num_features:
            raise UnsupportedGameError(f"{self.spec} gives no tensors, which a network needs; learn by a table instead")
        self._observer.set_from(state, player)
        row: np.ndarray = self._observer.tensor.copy()
        return row

    @cached_property
    def _observer(self) -> Any:
        from open_spiel.python.observation import make_observation

        pyspiel = import_pyspiel(self.spec)
        if not self._game.get_type().provides_information_state_tensor:
            return make_observation(self._game)
        recalls = pyspiel.IIGObservationType(
            perfect_recall=True, public_info=True, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER
        )
        return make_observation(self._game, recalls)

    def __getstate__(self) -> dict[str, Any]:
        """Without what is OpenSpiel's: another process makes it for itself."""
        return {"name": self.name, "parameters": self.parameters}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def is_simulated_spec(game: object) -> bool:
    """Whether the text names a game that can be simulated."""
    return isinstance(game, str) and game.strip().startswith(PREFIX)


def load_simulated_game(spec: str) -> SimulatedGame:
    """The game that `openspiel:NAME(parameters)` names."""
    if not is_simulated_spec(spec):
        raise MismatchError(f"game {spec!r} cannot be simulated; games of OpenSpiel's can: {PREFIX}NAME(parameters)")
    _, parameters = parse_spec(spec)
    return SimulatedGame(str(parameters["name"]), str(parameters["parameters"]))
