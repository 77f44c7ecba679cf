"""The examples run as they stand, and the notebook as it is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
WRITTEN = {
    "student": ("leduc.safetensors", "leduc.html"),
    "bot_builder": ("leaks.html", "leaks.json"),
    "organiser": ("tournament.html", "logs"),
    "teacher": ("rules.html",),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_example_runs(name, tmp_path):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py", tmp_path / "out"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") >= 3
    assert all((tmp_path / "out" / file).exists() for file in WRITTEN[name])


def test_every_script_is_tested():
    scripts = {path.stem for path in EXAMPLES.glob("*.py")} - {"exec_bot"}
    assert scripts == set(WRITTEN)
