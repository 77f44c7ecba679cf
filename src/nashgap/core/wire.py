"""A connection that speaks in lines, and that nobody at its other end can make wait or grow without limit."""

from __future__ import annotations

import selectors
import socket
import struct
import sys
import time

from nashgap.errors import WireClosedError, WireError, WireTimeoutError

__all__ = ["MAX_LINE_BYTES", "Wire"]

MAX_LINE_BYTES = 1 << 16
"""More than the longest state of any game."""
MAX_PENDING_BYTES = 1 << 20
READ_BYTES = 1 << 16
READ_MICROSECONDS = 5_000  # how far past its deadline a read may end
WAITS_IN_KERNEL = sys.platform != "win32"  # where calls that may wait and calls that may not can be mixed
MAX_WAIT_SECONDS = 1e6  # more than the system takes would overflow


class Wire:
    """Lines over a socket, which it owns. Lines end with CR LF; LF alone is accepted. Never blocks past a deadline, but
    for a few milliseconds.

    Deadlines are times of `time.monotonic`.
    """

    def __init__(self, connection: socket.socket) -> None:
        # Reading waits in the kernel, a moment at a time: to ask before each read would take twice the calls.
        self._waits_in_kernel = WAITS_IN_KERNEL
        connection.setblocking(self._waits_in_kernel)
        if self._waits_in_kernel:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, READ_MICROSECONDS))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = connection
        self._input = bytearray()
        self._output = bytearray()
        self._at_once = getattr(socket, "MSG_DONTWAIT", 0) if self._waits_in_kernel else 0

    def fileno(self) -> int:
        return self._socket.fileno()

    @property
    def num_pending(self) -> int:
        """Bytes that are queued and not sent yet."""
        return len(self._output)

    def queue(self, line: str) -> int:
        """Have the line sent by the next `flush`; how many bytes are to be sent by now."""
        self._output += f"{line}\r\n".encode("ascii", "replace")
        return len(self._output)

    def queue_bytes(self, data: bytes) -> None:
        """Have lines sent that have their ends already."""
        self._output += data

    def flush(self) -> None:
        """Send as much as goes without waiting."""
        try:
            del self._output[: self._socket.send(self._output, self._at_once)]
        except BlockingIOError:
            pass
        except OSError as error:
            raise WireClosedError("hung up") from error
        if len(self._output) > MAX_PENDING_BYTES:
            raise WireError("does not read what it is sent")

    def send(self, line: str, deadline: float) -> None:
        """Send the line, whole."""
        self.queue(line)
        self.flush_whole(deadline)

    def flush_whole(self, deadline: float) -> None:
        """Send all that is queued."""
        self.flush()
        while self._output:
            if not self._is_ready(selectors.EVENT_WRITE, min(max(deadline - time.monotonic(), 0.0), MAX_WAIT_SECONDS)):
                raise WireTimeoutError("does not read what it is sent")
            self.flush()

    def receive(self, deadline: float) -> str:
        """The next line, without its end; what is not ASCII is escaped."""
        while (end := self._input.find(b"\n", 0, MAX_LINE_BYTES)) < 0:
            if len(self._input) >= MAX_LINE_BYTES:
                raise WireError(f"sent {MAX_LINE_BYTES} bytes without a line end")
            try:
                self._input += self.read(deadline)
            except WireClosedError:
                if self._input:
                    raise WireError("hung up in the middle of a line") from None
                raise
        line = self._input[:end]
        del self._input[: end + 1]
        return line.removesuffix(b"\r").decode("ascii", "backslashreplace")

    def read(self, deadline: float) -> bytes:
        """What has come, a byte or more; past the deadline only what is there."""
        while True:
            is_late = time.monotonic() >= deadline
            try:
                data = self._socket.recv(READ_BYTES, self._at_once if is_late else 0)
            except BlockingIOError:  # nothing has come for a moment
                if is_late:
                    raise WireTimeoutError("is silent") from None
                if not self._waits_in_kernel:
                    self._is_ready(selectors.EVENT_READ, READ_MICROSECONDS / 1e6)
                continue
            except OSError as error:
                raise WireClosedError("hung up") from error
            if not data:
                raise WireClosedError("hung up")
            return data

    def finish(self, deadline: float) -> None:
        """Send what is pending, say that there will be no more, and close when the other end has read it."""
        try:
            self.flush_whole(deadline)
            self._socket.shutdown(socket.SHUT_WR)
            # Closing with unread input would make the kernel take back what the other end has not read yet.
            while time.monotonic() < deadline:
                self.read(deadline)
        except (WireError, OSError):
            pass
        finally:
            self.close()

    def close(self) -> None:
        self._socket.close()

    def _is_ready(self, event: int, seconds: float) -> bool:
        """Whether it can be read or written within so many seconds."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, event)
            return bool(selector.select(seconds))
