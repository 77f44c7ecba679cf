from __future__ import annotations

import json
from pathlib import Path

import pytest
from nashgap.cli.phh import to_phh

from nashgap.errors import FileFormatError, OutputError, UnsupportedGameError

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


def test_a_log_becomes_a_collection(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notation = pytest.importorskip("pokerkit.notation")
    output = log.with_suffix(".phhs")
    to_phh(log, "lhe3", output)
    assert capsys.readouterr().out == f"2 hands of {log} written to {output}\n"
    with output.open("rb") as file:
        histories = list(notation.HandHistory.load_all(file))
    assert [list(last.payoffs) for *_, last in histories] == [[-70, 140, -70], [-5, -10, 15]]
    assert histories[1].actions[3:] == ["p3 cbr 20", "p1 f", "p2 f"]
    to_phh(log, "lhe3", output, json=True)
    assert json.loads(capsys.readouterr().out)["hands"] == 2


def test_what_cannot_be_done_leaves_no_file(log: Path) -> None:
    output = log.with_suffix(".phhs")
    with pytest.raises(UnsupportedGameError, match="kuhn3"):
        to_phh(log, "kuhn3", output)
    with pytest.raises(FileFormatError, match=r"match.log: line 2: .*the game has 2"):
        to_phh(log, "lhe2", output)
    with pytest.raises(OutputError, match="there is no folder"):
        to_phh(log, "lhe3", log.parent / "none" / "match.phhs")
    assert list(log.parent.iterdir()) == [log]
