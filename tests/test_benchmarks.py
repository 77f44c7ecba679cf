"""Benchmarks and the scripts of docs/ are run by hand: what they import of the package is there all the same."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = [*(ROOT / "benchmarks").glob("*.py"), *(ROOT / "docs").rglob("*.py")]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_what_a_script_imports_of_the_package_is_there(script):
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "nashgap":
            module = import_module(node.module)
            for alias in node.names:
                assert hasattr(module, alias.name) or import_module(f"{node.module}.{alias.name}")
