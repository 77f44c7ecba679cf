"""What the README shows of Python, line by line: it runs as it stands, and every value has a short `repr`."""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import nashgap
from nashgap.api.solve import solve

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.slow
def test_the_block_of_the_readme_runs_and_shows_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for the minute of training, which is a second here; tests/test_examples.py trains for all of it."""
    (tmp_path / "examples").mkdir()
    shutil.copy(ROOT / "examples" / "chumps.toml", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(nashgap, "solve", lambda spec, *, minutes: solve(spec, minutes=minutes / 60))
    block = re.findall(r"```python\n(import nashgap as ng\n.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[0]

    names: dict[str, Any] = {}
    shown: list[object] = []
    for statement in ast.parse(block).body:
        if isinstance(statement, ast.Expr):
            shown.append(eval(compile(ast.Expression(statement.value), "README.md", "eval"), names))
            continue
        exec(compile(ast.Module([statement], []), "README.md", "exec"), names)
        if isinstance(statement, ast.Assign):
            shown.append(names[ast.unparse(statement.targets[0])])

    results = [each for each in shown if each is not None and not isinstance(each, pd.DataFrame)]
    assert [type(each).__name__ for each in results] == [
        "Training", "LbrBound", "Exploitability", "MatchResult", "dict"
    ]  # fmt: skip
    assert all(len(repr(each)) < 400 for each in results)
    leaks, cross_table = (each for each in shown if isinstance(each, pd.DataFrame))
    assert "situation" in leaks and "winrate" in cross_table
    assert all((tmp_path / file).exists() for file in ("bot.safetensors", "leaks.html", "leaks.json"))
    assert sum(results[-1].values()) == pytest.approx(1.0)
