"""Waiting for what becomes so, for as long as it takes on a machine that others use."""

import time
from collections.abc import Callable
from typing import Any

__all__ = ["wait_until"]


def wait_until(is_so: Callable[[], Any], what: str = "it", seconds: float = 60.0) -> Any:
    """What is so, once it is; AssertionError after these seconds, with what was waited for."""
    end = time.monotonic() + seconds
    while not (found := is_so()):
        assert time.monotonic() < end, f"{what} was not so within {seconds:g} seconds"
        time.sleep(0.01)
    return found
