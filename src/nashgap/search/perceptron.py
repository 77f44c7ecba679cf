"""A plain network of rectified layers in float32 and its Adam (Kingma & Ba 2015), with all that it knows as arrays.

torch is imported when one is made, computes on one thread, and none of its global state is touched: what is drawn comes
from numpy, so that a network is a function of its seed and of what it is taught.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np

from nashgap.errors import MismatchError, MissingExtraError

__all__ = ["Perceptron", "import_torch", "one_thread"]


def import_torch(needed_by: str) -> Any:
    """The library, or an error that says how to install it."""
    try:
        return import_module("torch")
    except ImportError:
        raise MissingExtraError(f"{needed_by} needs torch; install it with: pip install 'nashgap[abr]'") from None


@contextmanager
def one_thread(torch: Any) -> Iterator[None]:
    """Sums in one order, whatever the machine; small layers gain nothing by more."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class Perceptron:
    """Layers of the given sizes, inputs first, outputs last; tensors in, tensors out.

    learning_rate: of Adam.
    l2:            weight of the squared parameters in what is descended.
    """

    def __init__(self, sizes: Sequence[int], *, learning_rate: float, l2: float, seed: int) -> None:
        self._torch = torch = import_torch("a network")
        generator = np.random.default_rng([seed, 0])
        self._parameters: list[Any] = []
        for layer, (inputs, outputs) in enumerate(pairwise(sizes), start=1):
            # He et al. (2015) for what is rectified; answers begin near 0.
            width = np.sqrt((6.0 if layer < len(sizes) - 1 else 0.06) / inputs)
            for start in (generator.uniform(-width, width, (inputs, outputs)), np.zeros(outputs)):
                self._parameters.append(torch.tensor(start, dtype=torch.float32, requires_grad=True))
        # The gradient of l2 * |parameters|^2 is 2 * l2 * parameters.
        self._adam = torch.optim.Adam(self._parameters, lr=learning_rate, weight_decay=2.0 * l2, fused=True)
        self.num_steps = 0

    def __call__(self, inputs: Any) -> Any:
        """`[N, inputs] -> [N, outputs]`."""
        weight, bias = self._parameters[-2:]
        return self._torch.addmm(bias, self._hidden(inputs), weight)

    def some_outputs(self, inputs: Any, columns: Any) -> Any:
        """`[N, inputs], [N, C] -> [N, C]`: of each row the outputs of these numbers; quicker where many are nobody's.

        columns: int64.
        """
        weight, bias = self._parameters[-2:]
        asked, place = self._torch.unique(columns, return_inverse=True)
        outputs = self._torch.addmm(bias[asked], self._hidden(inputs), weight.index_select(1, asked))
        return outputs.gather(1, place)

    def _hidden(self, inputs: Any) -> Any:
        """The last layer that is rectified."""
        weights, biases = self._parameters[:-2:2], self._parameters[1:-2:2]
        for weight, bias in zip(weights, biases, strict=True):
            inputs = self._torch.addmm(bias, inputs, weight).relu()
        return inputs

    def descend(self, loss: Any) -> None:
        """One step of Adam."""
        self._adam.zero_grad()
        loss.backward()
        self._adam.step()
        self.num_steps += 1

    def one_thread(self) -> AbstractContextManager[None]:
        return one_thread(self._torch)

    def parameters(self) -> tuple[np.ndarray, ...]:
        """Weights and biases in turn, in arrays of their own."""
        return tuple(parameter.detach().numpy().copy() for parameter in self._parameters)

    def state(self) -> dict[str, np.ndarray]:
        """Parameters, both moments of Adam, and how many steps were made."""
        state = {"num_steps": np.array(self.num_steps)}
        for number, parameter in enumerate(self._parameters):
            moments = self._adam.state[parameter]
            nothing = self._torch.zeros_like(parameter)
            state[f"parameter_{number}"] = parameter.detach().numpy().copy()
            state[f"mean_{number}"] = moments.get("exp_avg", nothing).detach().numpy().copy()
            state[f"square_{number}"] = moments.get("exp_avg_sq", nothing).detach().numpy().copy()
        return state

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        torch = self._torch
        self.num_steps = int(state["num_steps"])
        for number, parameter in enumerate(self._parameters):
            stored = state[f"parameter_{number}"]
            if stored.shape != tuple(parameter.shape):
                raise MismatchError(
                    f"a layer of {stored.shape} parameters; this network's has {tuple(parameter.shape)}"
                )
            with torch.no_grad():
                parameter.copy_(torch.tensor(stored))
            self._adam.state[parameter] = {
                "step": torch.tensor(float(self.num_steps)),
                "exp_avg": torch.tensor(state[f"mean_{number}"]),
                "exp_avg_sq": torch.tensor(state[f"square_{number}"]),
            }
