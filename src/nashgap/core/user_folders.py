"""Where this user's machine keeps what is not a run: what can be made again, and what is remembered."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["cache_folder", "state_folder"]


def cache_folder() -> Path:
    """Of what can be made or sent again: `$NASHGAP_CACHE`, or else the platform's cache folder of `nashgap`."""
    if chosen := os.environ.get("NASHGAP_CACHE"):
        return Path(chosen)
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("nashgap", appauthor=False))


def state_folder() -> Path:
    """Of what is remembered: `$NASHGAP_STATE`, or else the platform's state folder of `nashgap`."""
    if chosen := os.environ.get("NASHGAP_STATE"):
        return Path(chosen)
    from platformdirs import user_state_dir

    return Path(user_state_dir("nashgap", appauthor=False))
