"""Reading of TOML files, with errors that name the file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from nashgap.core.regular_file import read_text
from nashgap.errors import FileFormatError

__all__ = ["read_toml"]

MAX_BYTES = 1 << 24
MAX_KEY_PARTS = 64  # of one key, for which the parser takes time by the square of them
MAX_NUMBER_BITS = 14_000  # of a whole number: Python writes none that are much longer as text
_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*(?:{_PART}[ \t]*\.[ \t]*){{{MAX_KEY_PARTS}}}", re.MULTILINE)


def read_toml(path: Path, kind: str = "TOML", max_bytes: int = MAX_BYTES) -> dict[str, Any]:
    """The tables of the file; FileFormatError if it has none. kind: of file, for messages."""
    try:
        text = read_text(path, max_bytes=max_bytes)
        if _LONG_KEY.search(text):
            raise FileFormatError(f"{path}: not a {kind} file: a key has more than {MAX_KEY_PARTS} parts")
        tables = tomllib.loads(text)
        if _has_long_number(tables):
            raise FileFormatError(f"{path}: not a {kind} file: a whole number has more than {MAX_NUMBER_BITS:,} bits")
        return tables
    except OSError as error:
        raise FileFormatError(f"{path}: cannot be read: {error.strerror}") from error
    except RecursionError:
        raise FileFormatError(f"{path}: not a {kind} file: its lists or tables are nested too deep") from None
    except FileFormatError:
        raise
    except ValueError as error:  # of TOML, of UTF-8, of a number that Python does not read
        raise FileFormatError(f"{path}: not a {kind} file: {error}") from error


def _has_long_number(tables: dict[str, Any]) -> bool:
    values: list[Any] = [tables]
    while values:
        match values.pop():
            case int() as number if number.bit_length() > MAX_NUMBER_BITS:
                return True
            case dict() as table:
                values += table.values()
            case list() as items:
                values += items
    return False
