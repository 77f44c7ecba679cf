"""Matches over loopback: a dealer in this thread, its clients in others."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from nashgap.agents.named import load_agent
from nashgap.arena.acpc.config import DealerConfig
from nashgap.arena.acpc.dealer import Dealer, DealerResult
from nashgap.arena.acpc.player import AcpcPlayer
from nashgap.poker.rules import load_rules

Client = Callable[[int], Any]
"""Given its port, does what it likes; what it returns is kept."""


@dataclass(frozen=True)
class Played:
    result: DealerResult
    log: list[str]
    outcomes: list[Any]

    @property
    def hands(self) -> list[str]:
        return [line for line in self.log if line.startswith("STATE:")]

    @property
    def remarks(self) -> str:
        return "\n".join(line for line in self.log if line.startswith("# "))


@pytest.fixture
def play_match(tmp_path: Path) -> Callable[..., Played]:
    """Play a match between these clients; errors of a client are its outcome."""

    def play(game: str, clients: Sequence[Client], *, num_hands: int = 20, **settings: Any) -> Played:
        log_path = tmp_path / "match.log"
        settings = {"seed": 7, "startup_seconds": 20.0, "log_path": log_path} | settings
        dealer = Dealer(DealerConfig(load_rules(game), num_hands, **settings))
        outcomes: list[Any] = [None] * len(clients)

        def run(number: int, client: Client, port: int) -> None:
            try:
                outcomes[number] = client(port)
            except Exception as error:
                outcomes[number] = error

        threads = [
            threading.Thread(target=run, args=(number, client, port), daemon=True)
            for number, (client, port) in enumerate(zip(clients, dealer.listen(), strict=True))
        ]
        for thread in threads:
            thread.start()
        result = dealer.run()
        for thread in threads:
            thread.join(20)
            assert not thread.is_alive(), "a client hangs"
        return Played(result, log_path.read_text().splitlines(), outcomes)

    return play


@pytest.fixture
def agent_client() -> Callable[..., Client]:
    """A client that plays an agent as our player does."""

    def make(spec: str, game: str, seed: int = 7) -> Client:
        rules = load_rules(game)
        player = AcpcPlayer(load_agent(spec, rules), rules, seed=seed, silence_seconds=20.0)
        return lambda port: player.play("127.0.0.1", port)

    return make


class RawClient:
    """A connection that a test can misuse."""

    def __init__(self, port: int, greeting: bytes = b"VERSION:2.0.0\r\n") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")
        self.socket.sendall(greeting)

    def lines(self):
        """Every line until the dealer hangs up, without its end."""
        try:
            for line in self.file:
                yield line.rstrip(b"\r\n").decode()
        except OSError:
            return

    def send(self, data: bytes | str) -> bool:
        """Whether it could be sent."""
        try:
            self.socket.sendall(data if isinstance(data, bytes) else data.encode())
        except OSError:
            return False
        return True

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@pytest.fixture
def raw_client() -> type[RawClient]:
    return RawClient
