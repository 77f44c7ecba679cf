"""People who play at tables of a server, from a process of their own: `python benchmarks/visitors.py ADDRESS ...`.

Each keeps its connection open, reads the table's stream of events beside it, as a browser does, and acts after a pause
when it is its turn. Prints the seconds of each action as JSON: from the request to the whole answer.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from http.client import HTTPConnection
from threading import Barrier, Thread
from typing import Any

__all__: list[str] = []

CALLS, RAISES = 0.6, 0.3  # of the decisions; the others are folds


class Person:
    """Somebody at a table of their own."""

    def __init__(self, address: str, number: int, opponents: list[str], game: str) -> None:
        self._host = address.removeprefix("http://").rstrip("/")
        self._headers = {"origin": f"http://{self._host}", "content-type": "application/json"}
        self._line = HTTPConnection(self._host, timeout=120)
        self._choices = random.Random(number)
        self.seconds: list[float] = []
        table = self._ask("POST", "/api/tables", {"game": game, "opponents": opponents})["table"]
        self._path = f"/api/tables/{table}"

    def play(self, until: float, least_pause: float, most_pause: float) -> None:
        """Act, and go on to the next hand, until the time has come."""
        self._line.close()  # the server may have closed it while others sat down; the next request opens it
        hand = self._ask("GET", self._path)["hand"]
        while time.monotonic() < until:
            time.sleep(self._choices.uniform(least_pause, most_pause))
            start = time.perf_counter()
            if hand["is_over"]:
                view = self._ask("POST", f"{self._path}/next", {"hand": hand["number"]})
            else:
                told = {"hand": hand["number"], "step": hand["step"], "answer": self._answer(hand["choices"])}
                view = self._ask("POST", f"{self._path}/act", told)
            self.seconds.append(time.perf_counter() - start)
            hand = view["hand"]

    def listen(self) -> None:
        """Read the stream of events until the server ends it, or this process ends."""
        line = HTTPConnection(self._host, timeout=120)
        line.request("GET", f"{self._path}/events", headers=self._headers)
        stream = line.getresponse()
        while stream.read1(65536):
            pass

    def _answer(self, choices: dict[str, Any]) -> str:
        drawn = self._choices.random()
        if drawn < CALLS or (choices["raise"] is None and not choices["can_fold"]):
            return "c"
        if drawn < CALLS + RAISES and choices["raise"] is not None:
            return f"r {choices['raise']['least']}" if choices["has_sizes"] else "r"
        return "f" if choices["can_fold"] else "c"

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        self._line.request(method, path, json.dumps(body) if body is not None else None, self._headers)
        answer = self._line.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:200]!r}")
        if cookie := answer.getheader("set-cookie"):
            self._headers["cookie"] = cookie.partition(";")[0]
        return json.loads(content)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address")
    parser.add_argument("--table", action="append", required=True, help="GAME:OPPONENT[:OPPONENT...]; taken in turn")
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--pause", type=float, nargs=2, default=(0.25, 1.0), help="seconds before an action")
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    seats = [table.split(":") for table in options.table]
    people = []
    for number in range(options.people):
        game, *opponents = seats[number % len(seats)]
        people.append(Person(options.address, number, opponents, game))
    begin = Barrier(len(people))

    def sit(person: Person) -> None:
        begin.wait()
        person.play(time.monotonic() + options.seconds, *options.pause)

    for person in people:
        Thread(target=person.listen, daemon=True).start()
    players = [Thread(target=sit, args=(person,)) for person in people]
    for player in players:
        player.start()
    for player in players:
        player.join()
    print(json.dumps([seconds for person in people for seconds in person.seconds]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
