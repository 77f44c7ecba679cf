"""Strength tables, which take seconds to build, once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from nashgap.abstraction.strength import load_strength_tables


@pytest.fixture(scope="session")
def tables_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the tables of E[HS²]; others may be added, none may be changed."""
    place = tmp_path_factory.mktemp("cache")
    load_strength_tables("ehs2", folder=place)
    return place
