"""A real server on a free port, as a process of its own, and visitors that speak HTTP with it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

__all__ = ["Server", "Visitor", "chips_of"]


def chips_of(told: str) -> float:
    """Of an amount as pages tell it, `-1,893`."""
    return float(told.replace(",", ""))


class Server:
    """`nashgap serve` with a folder of runs; it can be killed, and started again on the same folder."""

    def __init__(self, runs: Path, *words: str) -> None:
        self.runs = runs
        self._words = words
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "nashgap", "serve", "--port", "0", "--runs", str(self.runs), *self._words]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + self.process.stderr.read()
        self.link = found[0]
        self.address = self.link.partition("/?")[0].rstrip("/")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
        self.end()

    def end(self) -> str:
        """What it has said on standard error."""
        self.process.terminate()
        _, said = self.process.communicate(timeout=30)
        return said

    def visitor(self, **headers: str) -> Visitor:
        return Visitor(self.address, headers)


class Visitor(httpx.Client):
    """Somebody with cookies of their own. heard: every byte that was ever sent to them."""

    def __init__(self, address: str, headers: dict[str, str]) -> None:
        self.heard: list[bytes] = []
        super().__init__(base_url=address, headers={"origin": address, **headers}, timeout=30)

    def request(self, *arguments: Any, **options: Any) -> httpx.Response:
        response = super().request(*arguments, **options)
        raw = b"\n".join(name + b": " + value for name, value in response.headers.raw)
        self.heard.append(raw + b"\n\n" + response.content)
        return response

    def json(self, method: str, path: str, body: Any = None) -> Any:
        response = self.request(method, path, json=body)
        assert response.status_code < 300, response.text
        return response.json()

    def sit_down(self, game: str, *opponents: str, **options: Any) -> str:
        return self.json("POST", "/api/tables", {"game": game, "opponents": list(opponents), **options})["table"]

    def view(self, table: str) -> dict[str, Any]:
        return self.json("GET", f"/api/tables/{table}")

    def act(self, table: str, hand: dict[str, Any], answer: str) -> dict[str, Any]:
        body = {"hand": hand["number"], "step": hand["step"], "answer": answer}
        return self.json("POST", f"/api/tables/{table}/act", body)

    def next_hand(self, table: str, hand: dict[str, Any]) -> dict[str, Any]:
        return self.json("POST", f"/api/tables/{table}/next", {"hand": hand["number"]})

    def play(self, table: str, num_hands: int, choose: Callable[[dict[str, Any]], str]) -> list[dict[str, Any]]:
        """The last views of so many hands, played by `choose` from where the table stands."""
        ended = []
        view = self.view(table)
        while True:
            hand = view["hand"]
            if not hand["is_over"]:
                view = self.act(table, hand, choose(hand))
                continue
            ended.append(hand)
            if len(ended) == num_hands:
                return ended
            view = self.next_hand(table, hand)
