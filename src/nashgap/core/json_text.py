"""JSON that somebody else may have written: its numbers are finite, or it is refused.

Python reads `NaN` and takes `1e999` for infinity, which no document of ours has, and none that we write may have.
"""

from __future__ import annotations

import json
import math
from typing import Any

__all__ = ["read_json"]

MAX_DIGITS = 300  # of a whole number: all that have no more are finite as floats, too


def read_json(text: str | bytes) -> Any:
    """What the text says; ValueError, or RecursionError where it is nested too deep."""
    return json.loads(text, parse_constant=_refused, parse_float=_finite, parse_int=_whole)


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _refused(text)


def _whole(text: str) -> int:
    return int(text) if len(text) <= MAX_DIGITS else _refused(text)


def _refused(text: str) -> Any:
    shown = text if len(text) <= 20 else f"{text[:20]}..."
    raise ValueError(f"{shown} is no finite number")
