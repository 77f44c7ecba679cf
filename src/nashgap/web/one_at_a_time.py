"""What takes seconds is done for each visitor one at a time: all others wait for the interpreter meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from nashgap.errors import IllegalActionError

__all__ = ["MOST_AT_ONCE", "OneAtATime"]

MOST_AT_ONCE = 12  # visitors; of the server's threads there are forty


class OneAtATime:
    """Work of one kind. refusal: what a visitor is told who asks for more before it is done."""

    def __init__(self, refusal: str) -> None:
        self._refusal = refusal
        self._busy: set[str] = set()
        self._lock = Lock()

    @contextmanager
    def of(self, visitor: str) -> Iterator[None]:
        """The visitor's turn; IllegalActionError while another one of theirs goes on, or those of many others."""
        with self._lock:
            if visitor in self._busy:
                raise IllegalActionError(self._refusal)
            if len(self._busy) >= MOST_AT_ONCE:
                raise IllegalActionError("many others ask for that now; try again in a moment")
            self._busy.add(visitor)
        try:
            yield
        finally:
            with self._lock:
                self._busy.discard(visitor)
