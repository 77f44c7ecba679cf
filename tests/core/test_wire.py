"""Lines over a connection."""

import contextlib
import socket
import threading
import time

import pytest

from nashgap.core import wire as wire_module
from nashgap.core.wire import Wire
from nashgap.errors import WireClosedError, WireError, WireTimeoutError


@pytest.fixture(params=[True, False], ids=["waits in the kernel", "asks first"])
def ends(request, monkeypatch):
    """Both ways to wait, whichever this system uses."""
    monkeypatch.setattr(wire_module, "WAITS_IN_KERNEL", request.param)
    with socket.create_server(("127.0.0.1", 0)) as door:
        theirs = socket.create_connection(door.getsockname())
        ours = door.accept()[0]
    yield ours, theirs
    theirs.close()


def test_who_does_not_read_is_not_waited_for(ends):
    wire, refused = Wire(ends[0]), []

    def tell():
        try:
            for _ in range(100):
                wire.queue("x" * 100_000)
                wire.flush()
        except WireError as error:
            refused.append(str(error))

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    thread.join(10)
    assert refused == ["does not read what it is sent"]


def test_lines_come_as_they_were_sent(ends):
    ours, theirs = map(Wire, ends)
    theirs.queue("a first line")
    theirs.send("x" * 50_000, time.monotonic() + 10)
    assert ours.receive(time.monotonic() + 10) == "a first line"
    assert ours.receive(time.monotonic() + 10) == "x" * 50_000


def test_who_is_silent_is_waited_for_until_the_deadline(ends):
    wire, start = Wire(ends[0]), time.monotonic()
    with pytest.raises(WireTimeoutError, match="is silent"):
        wire.receive(start + 0.1)
    assert 0.1 <= time.monotonic() - start < 5


def test_a_line_that_comes_late_is_received_when_it_comes(ends):
    """And not at the deadline."""
    wire, start = Wire(ends[0]), time.monotonic()
    late = threading.Timer(0.2, ends[1].sendall, [b"late\n"])
    late.start()
    assert wire.receive(start + 60) == "late"
    assert time.monotonic() - start < 30
    late.join()


def test_who_hangs_up_is_told_apart_from_who_is_silent(ends):
    ends[1].close()
    with pytest.raises(WireClosedError, match="hung up"):
        Wire(ends[0]).receive(time.monotonic() + 10)


def test_who_does_not_read_a_whole_line_is_waited_for_until_the_deadline(ends):
    wire, start = Wire(ends[0]), time.monotonic()
    wire.queue("x" * 100_000_000)
    with pytest.raises(WireError, match="does not read what it is sent"):
        wire.flush_whole(start + 0.1)
    assert time.monotonic() - start < 10


def drip(connection):
    """Send a byte every moment, until the other end is closed."""
    with contextlib.suppress(OSError):
        while True:
            connection.sendall(b"x")
            time.sleep(0.002)


def test_who_sends_a_byte_at_a_time_is_waited_for_until_the_deadline(ends):
    wire, start = Wire(ends[0]), time.monotonic()
    threading.Thread(target=drip, args=[ends[1]], daemon=True).start()
    with pytest.raises(WireTimeoutError, match="is silent"):
        wire.receive(start + 0.2)
    assert time.monotonic() - start < 5
    wire.close()


def test_who_never_stops_sending_is_left_at_the_deadline(ends):
    wire = Wire(ends[0])
    threading.Thread(target=drip, args=[ends[1]], daemon=True).start()
    leaving = threading.Thread(target=wire.finish, args=[time.monotonic() + 0.2], daemon=True)
    leaving.start()
    leaving.join(5)
    assert not leaving.is_alive()
