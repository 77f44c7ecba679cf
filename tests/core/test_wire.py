"""Lines over a connection."""

import socket
import threading

import pytest

from nashgap.core.wire import Wire
from nashgap.errors import WireError


@pytest.fixture
def ends():
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
