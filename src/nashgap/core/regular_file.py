"""Reading of files that somebody named: regular ones of a bounded size, since others may never begin or never end.

Whatever is wrong with a file is an OSError whose `strerror` says it, as where the system itself refuses one.
"""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

__all__ = ["MAX_TEXT_BYTES", "NotRegularError", "open_at_once", "open_regular", "read_text"]

MAX_TEXT_BYTES = 1 << 26
"""Several times the largest text that anything here reads whole."""


class NotRegularError(OSError):
    """A pipe, a device or a folder."""


def open_regular(path: Path | str) -> BufferedReader:
    """The file, open for reading; NotRegularError, or what the system says."""
    try:
        file = open(path, "rb", opener=open_at_once)  # noqa: SIM115  (the caller closes it)
    except IsADirectoryError:
        raise NotRegularError(errno.EISDIR, "it is a folder", str(path)) from None
    except ValueError as error:  # a name with a null byte
        raise OSError(errno.EINVAL, str(error), str(path)) from error
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise NotRegularError(errno.EINVAL, "it is not a regular file", str(path))
    return file


def read_text(path: Path | str, *, encoding: str = "utf-8", max_bytes: int = MAX_TEXT_BYTES) -> str:
    """All of a text file; OSError, also for one that is too large, or UnicodeDecodeError."""
    with open_regular(path) as file:
        content = file.read(max_bytes + 1) or b""
    if len(content) > max_bytes:
        raise OSError(errno.EFBIG, f"it has more than {max_bytes:,} bytes", str(path))
    return content.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")


def open_at_once(path: str, flags: int) -> int:
    """For `open`: a pipe that nobody has opened at its other end would wait for who does."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
