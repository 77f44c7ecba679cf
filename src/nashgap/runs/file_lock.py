"""A lock on an open file; the system lets go of it when the file is closed or the process dies, however it dies."""

from __future__ import annotations

import errno
import os
import sys

__all__ = ["try_lock"]


if sys.platform == "win32":
    import msvcrt

    def try_lock(descriptor: int, *, is_shared: bool = False) -> bool:
        """Whether the lock was free, and is ours now; OSError where the file system has none.

        is_shared: with others who ask so. Here nobody shares, so that two who look at the same moment may each take the
        other for a holder.
        """
        os.lseek(descriptor, 0, os.SEEK_SET)  # the byte that is locked; it need not be there
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EDEADLK):
                return False
            raise
        return True

else:
    import fcntl

    def try_lock(descriptor: int, *, is_shared: bool = False) -> bool:
        """Whether the lock was free, and is ours now; OSError where the file system has none.

        is_shared: with others who ask so.
        """
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            if not is_shared:
                fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # which SQLite needs; without it it waits
        except (BlockingIOError, PermissionError):  # either is what a lock in the way is called
            return False
        return True
