"""Makes the plain twins in `tests/plain` importable by name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "plain"))


def pytest_sessionfinish():
    """Let the remembered trees go before the interpreter does: at its exit nanobind takes them for leaks."""
    if "plain_games" in sys.modules:
        sys.modules["plain_games"].random_tree.cache_clear()
