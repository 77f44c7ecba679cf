"""`nashgap measure --by lbr --by-hand`."""

import sys

import pytest

# Calls; needs nothing of ours.
PROGRAM = """
import socket, sys
connection = socket.create_connection((sys.argv[1], int(sys.argv[2])))
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
connection.sendall(b"VERSION:2.0.0\\r\\n")
for line in connection.makefile("r"):
    connection.sendall((line.rstrip() + ":c\\r\\n").encode())
"""


@pytest.mark.slow
def test_a_program_that_only_plays_is_measured(nashgap, tmp_path):
    (tmp_path / "caller.py").write_text(PROGRAM)
    spec = f"acpc:{sys.executable} caller.py"
    words = ("--by", "lbr", "--game", "leduc2", "--lines", "dealt", "--deals", "1000", "--json")
    known = nashgap("measure", "always-call", *words).json
    asked = nashgap("measure", spec, *words, "--by-hand")
    assert asked.status == 0
    assert "1,000 deals in 2 seatings: 2,000 hands, slowly: asked by hand, a player answers up to 6 times" in asked.err
    assert asked.json["strategy"] == f"by-hand:{spec}"
    assert (asked.json["mean"], asked.json["ci95"]) == pytest.approx((known["mean"], known["ci95"]), rel=1e-12)

    workers = nashgap("measure", f"by-hand:{spec}", *words, "--workers", "2", "--runs", "others").json
    for key in ("mean", "ci95", "queries", "by_seat", "by_round"):
        assert workers[key] == asked.json[key]


def test_a_player_that_draws_lots_is_refused_in_one_line(nashgap):
    outcome = nashgap("measure", "poki", "--by", "lbr", "--game", "lhe2", "--deals", "10", "--by-hand", "--quiet")
    assert outcome.status == 2
    assert "only a deterministic player that remembers nothing from hand to hand can be asked by hand" in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1
