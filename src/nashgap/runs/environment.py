"""Where work is done: versions and the machine. Kept with each session of a run, and never part of what it is."""

from __future__ import annotations

import os
import platform
import sys
from contextlib import suppress
from importlib import metadata
from typing import Any

from nashgap.runs.config import package_version

__all__ = ["environment", "num_cores"]

_PACKAGES = ("numpy", "scipy", "highspy", "scikit-learn", "torch", "ray", "open_spiel")


def environment() -> dict[str, Any]:
    """Python, NashGap, system, processor, cores that may be used, and the versions of packages that find numbers."""
    packages = {}
    for name in _PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            packages[name] = metadata.version(name)
    return {
        "nashgap": package_version(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpu": _processor(),
        "cores": num_cores(),
        "packages": packages,
    }


def num_cores() -> int:
    """Those that this process may use, where the system tells that."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _processor() -> str:
    """By name where the system tells it, else its kind."""
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
