"""The examples run as they stand, and the notebook as it is."""

import json
import os
import re
import shutil
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


@pytest.mark.slow
def test_the_notebook_runs(tmp_path):
    """All of it, anew: every cell of the front door, without an error and with what it shows."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(EXAMPLES / "front-door.ipynb", as_version=4)
    kept = [shown(cell) for cell in notebook.cells]
    shutil.copy(EXAMPLES / "chumps.toml", tmp_path)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert [shown(cell) for cell in notebook.cells] == kept
    for text in (text for cell in notebook.cells for text in plain_texts(cell)):
        assert text.startswith(("  ", "{")) or len(text) < 400
    assert (tmp_path / "leaks.html").exists()


def test_the_notebook_is_stored_with_its_results_alone():
    """Without progress, warnings, or a script that draws charts, and without a trace of the machine that ran it."""
    path = EXAMPLES / "front-door.ipynb"
    assert path.stat().st_size < 400_000
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    silent = ["".join(cell["source"]) for cell in cells if not cell["outputs"]]
    assert silent == ['bound.save_report("leaks.html")']
    for cell in cells:
        assert all(output["output_type"] == "execute_result" for output in cell["outputs"])
        for text in ("".join(lines) for output in cell["outputs"] for lines in output["data"].values()):
            assert not re.search(r"<script|/(?:home|Users|root|tmp|var)/|object at 0x", text)


def shown(cell):
    """The kinds of what the cell shows."""
    return [
        sorted(output.get("data", {})) for output in cell.get("outputs", []) if output.output_type == "execute_result"
    ]


def plain_texts(cell):
    return [output.data["text/plain"] for output in cell.get("outputs", []) if output.output_type == "execute_result"]
