"""Makes the plain twins in `tests/plain` importable by name."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "plain"))


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="run the tests marked long, which take minutes")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--long"):
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="takes minutes; --long runs it"))


def pytest_sessionfinish():
    """Let the remembered trees go before the interpreter does: at its exit nanobind takes them for leaks."""
    if "plain_games" in sys.modules:
        sys.modules["plain_games"].random_tree.cache_clear()
