"""The shape of native/: includes point one way like the package's imports, and Python is known in bind/ only."""

import re
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[2] / "native"
FILES = sorted(path.relative_to(NATIVE) for kind in ("*.h", "*.cpp") for path in NATIVE.rglob(kind))

# From the bottom up; a folder includes from its own layer or from those below.
LAYERS = [
    {"random", "memory", "cards"},
    {"poker", "tree"},
    {"abstraction"},
    {"ranges", "explain", "strategies"},
    {"solvers", "agents"},
    {"arena"},
    {"measure"},
    {"search"},
    {"bind"},
]


def rank(folder):
    return next(number for number, layer in enumerate(LAYERS) if folder in layer)


def includes(file, pattern):
    return re.findall(rf"^\s*#\s*include\s*{pattern}", (NATIVE / file).read_text(encoding="utf-8"), re.MULTILINE)


def test_every_folder_has_a_layer():
    assert {path.name for path in NATIVE.iterdir()} == set().union(*LAYERS)


@pytest.mark.parametrize("file", FILES, ids=str)
def test_includes_point_one_way(file):
    for included in includes(file, '"([^"]+)"'):
        assert (NATIVE / included).is_file(), f"{file} includes {included}; own headers are named from native/ on"
        assert rank(Path(included).parts[0]) <= rank(file.parts[0]), f"{file} includes {included}, which lies above it"


@pytest.mark.parametrize("file", [file for file in FILES if file.parts[0] != "bind"], ids=str)
def test_only_bind_knows_python(file):
    assert not [name for name in includes(file, "<([^>]+)>") if name.startswith("nanobind") or name == "Python.h"]
    assert "nanobind" not in (NATIVE / file).read_text(encoding="utf-8")


def test_folders_of_one_layer_do_not_include_each_other_in_a_circle():
    """Within a layer the order is free, but there is one."""
    below = {folder: set() for layer in LAYERS for folder in layer}
    for file in FILES:
        below[file.parts[0]] |= {Path(name).parts[0] for name in includes(file, '"([^"]+)"')} - {file.parts[0]}
    while below:
        free = {folder for folder, needed in below.items() if not needed & below.keys()}
        assert free, f"a circle among {sorted(below)}"
        below = {folder: needed for folder, needed in below.items() if folder not in free}


def test_no_two_types_have_one_name():
    """Two of them would be one to the linker, which takes the functions of either for both."""
    found = {}
    for file in FILES:
        text = (NATIVE / file).read_text(encoding="utf-8") if file.suffix == ".h" else ""
        for name in re.findall(r"^(?:class|struct|enum class) (?!alignas)(\w+)\b(?!;)", text, re.MULTILINE):
            found.setdefault(name, set()).add(str(file))
    assert {name: sorted(files) for name, files in found.items() if len(files) > 1} == {}
