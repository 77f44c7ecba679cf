"""Reading of TOML files, with errors that name the file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from nashgap.errors import FileFormatError

__all__ = ["read_toml"]


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileFormatError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileFormatError(f"{path}: not a TOML file: {error}") from error
