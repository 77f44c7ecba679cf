"""A dictionary of bounded size, for what can be found again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, MutableMapping
from typing import TypeVar

__all__ = ["Recent"]

_K = TypeVar("_K")
_V = TypeVar("_V")


class Recent(MutableMapping[_K, _V]):
    """At most so many entries: beyond that the one goes that was neither set nor asked for the longest."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: OrderedDict[_K, _V] = OrderedDict()

    def __getitem__(self, key: _K) -> _V:
        value = self._entries[key]
        self._entries.move_to_end(key)
        return value

    def __setitem__(self, key: _K, value: _V) -> None:
        self._entries[key] = value
        self._entries.move_to_end(key)
        while len(self._entries) > self._most:
            self._entries.popitem(last=False)

    def __delitem__(self, key: _K) -> None:
        del self._entries[key]

    def __iter__(self) -> Iterator[_K]:
        return iter(tuple(self._entries))  # to look at all of them changes their order

    def __len__(self) -> int:
        return len(self._entries)
