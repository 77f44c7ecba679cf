"""What solvers save and put back: an iteration count and arrays."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping

import numpy as np

from nashgap.errors import ConfigError, MismatchError

__all__ = ["copy_state", "portions", "restore_state"]

PORTION = 1000


def portions(num_iterations: int, size: int = PORTION) -> Iterator[int]:
    """The iterations in portions, between which Ctrl-C is heard."""
    rest = operator.index(num_iterations)
    if rest < 0:
        raise ConfigError(f"num_iterations = {num_iterations}; it must be 0 or more")
    while rest:
        count = min(rest, size)
        yield count
        rest -= count


def copy_state(iteration: int, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """A state that does not move when the solver goes on."""
    return {"iteration": np.array([iteration]), **{name: array.copy() for name, array in arrays.items()}}


def restore_state(arrays: Mapping[str, np.ndarray], state: Mapping[str, np.ndarray]) -> int:
    """Put the state's numbers into the solver's arrays: the iteration it was saved at. Refused whole or done whole."""
    for name in ("iteration", *arrays):
        if name not in state:
            raise MismatchError(f"the saved state has no {name!r}; it belongs to another solver")
    for name, array in arrays.items():
        if state[name].shape != array.shape:
            raise MismatchError(f"the saved {name!r} has {state[name].size} numbers, this game has {array.size}")
        if state[name].dtype != array.dtype:
            raise MismatchError(f"the saved {name!r} is {state[name].dtype}, this solver keeps {array.dtype}")
    for name, array in arrays.items():
        array[:] = state[name]
    return int(state["iteration"][0])
