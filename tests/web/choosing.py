"""Answers of a scripted player: the same for the same hand and step, so that any engine can be asked the same."""

from __future__ import annotations

import hashlib


def answer_for(hand: int, step: int, can_fold: bool, raise_sizes: tuple[int, int] | None, has_sizes: bool) -> str:
    """f, c or r with a size; sizes are chips of the round."""
    drawn = int.from_bytes(hashlib.sha256(f"{hand}:{step}".encode()).digest()[:4], "big")
    kind = drawn % 10
    if kind == 0 and can_fold:
        return "f"
    if kind < 6 or raise_sizes is None:
        return "c"
    least, most = raise_sizes
    return f"r {least + (drawn // 10) % (min(most, 4 * least) - least + 1)}" if has_sizes else "r"
