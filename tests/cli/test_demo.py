"""`nashgap demo`: a bot from nothing, measured."""

import json
from pathlib import Path

import pytest

WORDS = ["demo", "--minutes", "0.02", "--hands", "60", "--quiet"]


@pytest.mark.slow
def test_the_demo_trains_measures_and_reports(nashgap):
    outcome = nashgap(*WORDS)
    assert outcome.status == 0
    assert max(map(len, outcome.out.splitlines())) <= 80
    assert "hunl-fcpa-small" in outcome.out
    assert Path("demo/hunl-fcpa-small.safetensors").is_file()
    assert "Local Best Response" in Path("demo/leaks.html").read_text(encoding="utf-8")
    again = nashgap(*WORDS, "--json")
    told = json.loads(again.out)
    by_name = {row["strategy"]: row for row in told["measured"]}
    assert by_name["always-fold"]["mean"] == 750.0
    assert by_name["always-call"]["mean"] > 10_000
