"""Where work is done: versions and the machine. Kept with each session of a run, and never part of what it is."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from importlib import metadata
from typing import Any

from nashgap.runs.config import package_version

__all__ = ["environment"]

_PACKAGES = ("numpy", "scipy", "highspy", "scikit-learn", "torch", "ray", "open_spiel")


def environment() -> dict[str, Any]:
    """Python, NashGap, system, processor, cores that may be used, and the versions of packages that find numbers."""
    packages = {}
    for name in _PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            packages[name] = metadata.version(name)
    has_affinity = hasattr(os, "sched_getaffinity")
    return {
        "nashgap": package_version(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpu": _processor(),
        "cores": len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1,
        "packages": packages,
    }


def _processor() -> str:
    """By name where the system tells it, else its kind."""
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
