"""Strategies that come with the package, so that there is someone to play at once; see docs/residents.md.

They are strategy files like all others, called by their names in the catalogue.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["HUNL", "LHE2", "LHE3"]

_FOLDER = Path(__file__).parent / "data"
HUNL = _FOLDER / "resident-hunl.safetensors"
LHE2 = _FOLDER / "resident-lhe2.safetensors"
LHE3 = _FOLDER / "resident-lhe3.safetensors"
