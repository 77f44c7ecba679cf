"""What takes seconds is done for each visitor one at a time: all others wait for the interpreter meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from nashgap.errors import IllegalActionError

__all__ = ["OneAtATime"]


class OneAtATime:
    """Work of one kind. refusal: what a visitor is told who asks for more before it is done."""

    def __init__(self, refusal: str) -> None:
        self._refusal = refusal
        self._busy: set[str] = set()
        self._lock = Lock()

    @contextmanager
    def of(self, visitor: str) -> Iterator[None]:
        """The visitor's turn; IllegalActionError while another one of theirs goes on."""
        with self._lock:
            if visitor in self._busy:
                raise IllegalActionError(self._refusal)
            self._busy.add(visitor)
        try:
            yield
        finally:
            with self._lock:
                self._busy.discard(visitor)
