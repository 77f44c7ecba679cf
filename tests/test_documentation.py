"""The Python in the README and the how-to pages runs as it stands."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "docs" / "looking-at-strategies.md", *sorted((ROOT / "docs").glob("*your-*.md"))]


def python_blocks(page):
    """Those that need an optional package only where it is installed."""
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    return [block for block in blocks if all(name not in block or find_spec(name) for name in ("torch", "open_spiel"))]


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
