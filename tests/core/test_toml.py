import time
from pathlib import Path

import pytest

from nashgap.core.toml import read_toml
from nashgap.errors import FileFormatError


def read(folder: Path, text: str) -> dict:
    path = folder / "some.toml"
    path.write_text(text)
    return read_toml(path)


def test_tables_are_read(tmp_path):
    assert read(tmp_path, "a.b = [1, 2]\n[c]\nd = 9223372036854775807\n") == {"a": {"b": [1, 2]}, "c": {"d": 2**63 - 1}}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a = " + "9" * 5000, "Exceeds the limit"),
        ("a = 0x" + "f" * 5000, "more than 14,000 bits"),
        ("[a]\nb = [1, {c = 0b1" + "0" * 14_000 + "}]", "more than 14,000 bits"),
        ("a = " + "[" * 100_000, "nested too deep"),
        ("a = " + "{a=" * 100_000, "nested too deep"),
        ("a" + ".a" * 500_000 + " = 1", "a key has more than 64 parts"),
        ("[a" + ' . "a"' * 500_000 + "]", "a key has more than 64 parts"),
        ("a = {b" + ".'c'" * 500_000 + " = 1}", "a key has more than 64 parts"),
        ("a = ", "Invalid value"),
    ],
)
def test_what_cannot_be_read_is_refused_at_once_and_names_the_file(tmp_path, text, problem):
    begin = time.perf_counter()
    with pytest.raises(FileFormatError, match=rf"some.toml: not a TOML file: .*{problem}"):
        read(tmp_path, text)
    assert time.perf_counter() - begin < 5.0  # keys of half a million parts took minutes


def test_dots_in_text_are_no_key(tmp_path):
    dots = "x." * 1000
    assert read(tmp_path, f'a = "{dots}"\n') == {"a": dots}
