"""Runs examples/front-door.ipynb anew, in a folder of its own, and stores it with what its cells show.

`python docs/run_notebook.py`; it takes two minutes.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

EXAMPLES = Path(__file__).parent.parent / "examples"
NOTEBOOK = EXAMPLES / "front-door.ipynb"


def run() -> None:
    """Store the notebook with what it shows now; results only, without what told of progress."""
    notebook = nbformat.read(NOTEBOOK, as_version=nbformat.NO_CONVERT)
    metadata = dict(notebook.metadata)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(EXAMPLES / "chumps.toml", folder)
        NotebookClient(notebook, timeout=600, record_timing=False, resources={"metadata": {"path": folder}}).execute()
    notebook.metadata = metadata  # as it was: which Python ran it does not matter
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.output_type == "execute_result"]
    nbformat.write(notebook, NOTEBOOK)


if __name__ == "__main__":
    run()
