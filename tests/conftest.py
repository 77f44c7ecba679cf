"""What all tests share: modules beside them, options, and settings that let them run in parallel on a busy machine."""

import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import hypothesis
import pytest

# Importable by name, in tests and in processes that they start: plain twins, sample jobs, sound calls of native code, a
# scripted player.
sys.path[:0] = [str(Path(__file__).parent / folder) for folder in ("plain", "runs", "native", "web")]

# How long an example takes says nothing while another process has the core.
hypothesis.settings.register_profile("tests", deadline=None)
hypothesis.settings.load_profile("tests")


def pytest_configure():
    """No test finds the developer's own runs, or what they trust; those that look for some make them.

    A shell that starts the tests in the background has them ignore Ctrl-C, and so would all that they start.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.pop("NASHGAP_RUNS", None)
    os.environ["NASHGAP_STATE"] = tempfile.mkdtemp(prefix="nashgap-state-")


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
    shutil.rmtree(os.environ["NASHGAP_STATE"], ignore_errors=True)
    if "plain_games" in sys.modules:
        sys.modules["plain_games"].random_tree.cache_clear()
