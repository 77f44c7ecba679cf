"""`nashgap demo`: a bot from nothing, measured."""

import json
from pathlib import Path

WORDS = ["demo", "--minutes", "0.02", "--deals", "60", "--quiet"]


def test_the_demo_trains_measures_and_reports(nashgap):
    outcome = nashgap(*WORDS)
    assert outcome.status == 0
    assert max(map(len, outcome.out.splitlines())) <= 80
    assert "hunl-fcpa-small" in outcome.out
    assert Path("demo/hunl-fcpa-small.safetensors").is_file()
    assert "Local Best Response" in Path("demo/leaks.html").read_text(encoding="utf-8")
    assert outcome.err.endswith("nashgap serve --open demo/hunl-fcpa-small.safetensors\n"), "where to go from here"
    again = nashgap(*WORDS, "--json")
    told = json.loads(again.out)
    by_name = {row["strategy"]: row for row in told["measured"]}
    assert by_name["always-fold"]["mean"] == 750.0
    assert by_name["always-call"]["mean"] > 10_000
