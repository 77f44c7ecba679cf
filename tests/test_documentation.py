"""The Python in the README and the how-to pages runs as it stands, and what the pages refer to exists."""

import json
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer

from nashgap.cli.main import app

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "docs" / "looking-at-strategies.md", *sorted((ROOT / "docs").glob("*your-*.md"))]


# It trains for a minute; tests/api/test_front_door.py runs it, tests/test_examples.py as a notebook.
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


NASHGAP = typer.main.get_command(app)


def commands(page):
    """As they would be typed: those in blocks, and those in the text."""
    text = page.read_text()
    blocks = re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    typed = [line for line in lines if line.startswith("nashgap ")] + re.findall(r"(?<!`)`(nashgap\s[^`]*)`", text)
    return [shlex.split(each, comments=True) for each in typed]


def unknown_words(words):
    """What no command has of the command's name and its options."""
    command, rest = NASHGAP, words[1:]
    while hasattr(command, "commands") and rest and not rest[0].startswith("-"):
        if rest[0] not in command.commands:
            return rest[:1]
        command, rest = command.commands[rest[0]], rest[1:]
    known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)} | {"--help"}
    return [word for word in rest if re.match("--?[a-z]", word) and word.partition("=")[0] not in known]


PAGES_WITH_COMMANDS = [page for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")) if commands(page)]


@pytest.mark.parametrize("page", sorted(PAGES_WITH_COMMANDS), ids=lambda page: page.name)
def test_the_commands_on_a_page_have_their_options(page):
    assert {" ".join(words): unknown for words in commands(page) if (unknown := unknown_words(words))} == {}


def test_a_command_or_an_option_that_is_unknown_is_noticed():
    assert unknown_words(["nashgap", "runs", "resum", "x"]) == ["resum"]
    assert unknown_words(["nashgap", "solve", "leduc", "--solvr", "lp"]) == ["--solvr"]
    assert len(PAGES_WITH_COMMANDS) > 20


LINKING_PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
PICTURES = ROOT / "docs" / "pictures"


def linked(page):
    """What a page of ours refers to within the project, pictures too; not in what it shows as typed."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", text)
    places = [(first or second).partition("#")[0] for first, second in links]
    return {page.parent / place for place in places if place and "://" not in place}


@pytest.mark.parametrize("page", LINKING_PAGES, ids=lambda page: page.name)
def test_what_a_page_refers_to_exists(page):
    missing = [str(place.relative_to(ROOT)) for place in linked(page) if not place.exists()]
    assert not missing


def test_the_readme_refers_to_pages_and_pictures():
    suffixes = {place.suffix for place in linked(ROOT / "README.md")}
    assert {".md", ".svg", ".png", ".py"} <= suffixes


def test_every_picture_is_on_a_page():
    shown = set().union(*map(linked, LINKING_PAGES))
    assert {path for path in PICTURES.iterdir() if path.suffix in (".svg", ".png")} <= shown


def test_pictures_are_small_and_need_nothing_from_elsewhere():
    for path in PICTURES.iterdir():
        assert path.stat().st_size < 200_000, path.name
        if path.suffix == ".svg":
            text = path.read_text(encoding="utf-8")
            assert "<script" not in text
            assert not re.search(r"(?:href=\"|url\(\"?)https?:|@import", text), path.name


def test_the_front_door_stands_in_the_notebook():
    """Line by line, whatever the comments."""
    notebook = json.loads((ROOT / "examples" / "front-door.ipynb").read_text())
    cells = "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")
    (block,) = re.findall(
        rf"```python\n([^`]*{re.escape(IN_NOTEBOOK)}.*?)```", (ROOT / "README.md").read_text(), re.DOTALL
    )
    for line in filter(None, block.splitlines()):
        assert line.partition("  #")[0].rstrip().replace("examples/", "") in cells
