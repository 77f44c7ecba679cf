"""`nashgap acpc to-phh`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# The first hand is of the competition's dealer.
LOG = """# name/game/hands/seed two lhe3 2 1
STATE:0:rcc/rcc/ccc/rrcc:8s2h|Kd5c|7hAd/Td4sKc/Kh/8h:-70|140|-70:p1|p2|p3
STATE:1:rff:8s2h|Kd5c|7hAd:-5|-10|15:p1|p2|p3
SCORE:-75|130|-55:p1|p2|p3
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "match.log"
    path.write_text(LOG)
    return path


def test_a_log_becomes_a_collection(nashgap: Callable[..., Any], log: Path) -> None:
    notation = pytest.importorskip("pokerkit.notation")
    output = log.with_suffix(".phhs")
    command = ("acpc", "to-phh", str(log), "--game", "lhe3", "-o", str(output))
    assert nashgap(*command).out == f"2 hands of {log} written to {output}\n"
    with output.open("rb") as file:
        histories = list(notation.HandHistory.load_all(file))
    assert [list(last.payoffs) for *_, last in histories] == [[-70, 140, -70], [-5, -10, 15]]
    assert histories[1].actions[3:] == ["p3 cbr 20", "p1 f", "p2 f"]
    told = nashgap(*command, "--json").json
    assert told == {"log": str(log), "game": "lhe3", "hands": 2, "output": str(output)}


@pytest.mark.parametrize(
    ("game", "output", "message"),
    [
        ("kuhn3", "match.phhs", "kuhn3"),
        ("lhe2", "match.phhs", "match.log: line 2: "),
        ("lhe3", "none/match.phhs", "there is no folder"),
    ],
)
def test_what_cannot_be_done_leaves_no_file(
    nashgap: Callable[..., Any], log: Path, game: str, output: str, message: str
) -> None:
    outcome = nashgap("acpc", "to-phh", log.name, "--game", game, "-o", output)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert list(log.parent.iterdir()) == [log]
