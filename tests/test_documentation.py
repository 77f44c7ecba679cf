"""The Python in the README and the how-to pages runs as it stands."""

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "docs" / "looking-at-strategies.md", *sorted((ROOT / "docs").glob("*your-*.md"))]


# It trains for a minute; tests/test_examples.py runs it, as a notebook.
IN_NOTEBOOK = 'ng.solve("hunl-fcpa-small", minutes=1)'


def python_blocks(page):
    """Those that need an optional package only where it is installed."""
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    is_left_out = [IN_NOTEBOOK] + [name for name in ("torch", "open_spiel") if not find_spec(name)]
    return [block for block in blocks if not any(text in block for text in is_left_out)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_run(page, tmp_path):
    blocks = python_blocks(page)
    assert blocks
    for block in blocks:
        done = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout


def test_readme_names_the_pages_that_exist():
    links = re.findall(r"\]\((docs/[^)]+)\)", (ROOT / "README.md").read_text())
    assert links
    assert all((ROOT / link).is_file() for link in links)


def test_the_front_door_stands_in_the_notebook():
    """Line by line, whatever the comments."""
    notebook = json.loads((ROOT / "examples" / "front-door.ipynb").read_text())
    cells = "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")
    (block,) = re.findall(
        rf"```python\n([^`]*{re.escape(IN_NOTEBOOK)}.*?)```", (ROOT / "README.md").read_text(), re.DOTALL
    )
    for line in filter(None, block.splitlines()):
        assert line.partition("  #")[0].rstrip().replace("examples/", "") in cells
