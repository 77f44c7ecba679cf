"""A Ray cluster: what names it, and how this process is connected to it."""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from nashgap.errors import ConfigError

__all__ = ["AUTO", "Cluster", "connect", "place_of"]

AUTO = "auto"
CONNECT_SECONDS = 10.0
_ADDRESS = re.compile(r"[^\s/]+:[0-9]{1,5}")


@dataclass(frozen=True)
class Cluster:
    """A Ray cluster, whose workers play batches in the place of processes of this machine.

    address: `host:port` of its head, given on one of its nodes; or `auto`: one that is started on this machine and ends
             with the work.
    """

    address: str = AUTO

    def __post_init__(self) -> None:
        if self.address != AUTO and not (
            isinstance(self.address, str) and _ADDRESS.fullmatch(self.address) and 0 < self.place[1] < 2**16
        ):
            raise ConfigError(
                f"cluster {self.address!r} must be {AUTO}, or host:port of the cluster's head, such as 10.0.0.1:6379"
            )

    @property
    def place(self) -> tuple[str, int]:
        """Host and port of the head; `auto` has none."""
        return place_of(self.address)


def place_of(address: str) -> tuple[str, int]:
    """Host and port."""
    host, _, port = address.rpartition(":")
    return host, int(port)


def connect(cluster: Cluster) -> tuple[Any, bool, str | None]:
    """Ray, connected; whether that was done here; and the folder of a cluster that was started, which Ray leaves."""
    import ray
    import ray.util.scheduling_strategies

    if ray.is_initialized():
        _require_same(cluster, ray.get_runtime_context().gcs_address)
        return ray, False, None
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
    start: Any = partial(ray.init, log_to_driver=False, logging_level=logging.ERROR)
    session_folder = None
    with _sigterm_kept():
        if cluster.address == AUTO:
            session_folder = start(address="local", include_dashboard=False).address_info["session_dir"]
        else:
            _require_listener(cluster)
            try:
                start(address=cluster.address)
            except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
                raise _unreachable(cluster, error) from error
    # Of a node that is lost Ray tells pages, on standard output, where results go.
    if hasattr(ray._private.worker, "print_to_stdstream"):
        ray._private.worker.print_to_stdstream = lambda *_, **__: None
    return ray, True, session_folder


def _require_same(cluster: Cluster, connected: str) -> None:
    """A process is connected to one cluster at a time; hosts have many names, and ports one."""
    if cluster.address != AUTO and not connected.endswith(f":{cluster.place[1]}"):
        raise ConfigError(f"cluster {cluster.address}: this process is connected to {connected}; disconnect it first")


def _require_listener(cluster: Cluster) -> None:
    """Ray itself would try for minutes."""
    try:
        socket.create_connection(cluster.place, timeout=CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise _unreachable(cluster, error) from error


def _unreachable(cluster: Cluster, error: BaseException) -> ConfigError:
    """With the first of its causes, such as that a token is missing."""
    while error.__cause__ is not None:
        error = error.__cause__
    return ConfigError(f"cluster {cluster.address} cannot be reached: {' '.join(str(error).split())}")


@contextmanager
def _sigterm_kept() -> Iterator[None]:
    """Ray has a handler of its own, which would end the process before what is finished is kept."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, usual)
