"""`nashgap measure --by lbr --report`: the leak report from the command line."""

import json
from pathlib import Path

LBR = ("measure", "always-call", "--game", "hunl", "--by", "lbr", "--rounds", "3-4", "--deals", "60", "--quiet")


def test_the_report_is_written_and_the_situations_are_printed(nashgap, tmp_path):
    told = nashgap(*LBR, "--report", "leaks.html")
    assert told.status == 0
    assert "The most expensive situations" in told.out
    assert "LBR goes" in told.out
    assert "leaks.html" in told.out
    assert max(map(len, told.out.splitlines())) <= 80
    assert "The most expensive situations" in (tmp_path / "leaks.html").read_text(encoding="utf-8")
    document = json.loads((tmp_path / "leaks.json").read_text(encoding="utf-8"))
    assert document["situations"][0]["example"]["line"]


def test_the_report_changes_no_number(nashgap):
    plain = nashgap(*LBR, "--json").json
    told = nashgap(*LBR, "--json", "--report", "leaks.html").json
    assert told.pop("situations")
    for changes in ("seconds", "run", "report"):
        assert told.pop(changes) != plain.pop(changes)
    assert told == plain


def test_a_run_that_counts_leaks_is_resumed_with_them(nashgap):
    run = Path(nashgap(*LBR, "--json", "--report", "leaks.html").json["run"]).name
    assert "The most expensive situations" in nashgap("runs", "resume", run, "--quiet").out


def test_where_no_page_can_be_written_is_told_before_the_run(nashgap, tmp_path):
    for name, reason in (("leaks.txt", "must end in .html"), ("no/leaks.html", "there is no folder no")):
        refused = nashgap(*LBR, "--report", name)
        assert refused.status == 2
        assert reason in refused.err
    assert not (tmp_path / "runs").exists()
    refused = nashgap("measure", "uniform", "--game", "kuhn", "--report", "leaks.html")
    assert refused.status == 2
    assert refused.err == "nashgap: --report is no option of br; it is one of lbr\n"
