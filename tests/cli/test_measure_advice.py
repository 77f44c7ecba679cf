"""`nashgap measure --by lbr --advice N`: what to change, from the command line."""

LBR = ("measure", "always-call", "--game", "hunl", "--by", "lbr", "--rounds", "3-4", "--deals", "80", "--quiet")


def test_advice_is_printed_and_stands_in_the_page_and_the_document(nashgap, tmp_path):
    told = nashgap(*LBR, "--advice", "1", "--report", "leaks.html")
    assert told.status == 0
    for part in ("What to change", "What the bot does there with its range", "pot / (pot + bet)", "wins back"):
        assert part in " ".join(told.out.split())
    assert "The strength of a hand is" in (tmp_path / "leaks.html").read_text(encoding="utf-8")
    document = nashgap(*LBR, "--advice", "1", "--json").json
    (item,) = document["advice"]["items"]
    assert item["decision"]["minimum_defence"] < 0.5
    assert item["is_given"] == (item["patch"] is not None)


def test_the_run_of_the_bound_has_the_advice_in_its_page(nashgap, tmp_path):
    document = nashgap(*LBR, "--advice", "1", "--json").json
    assert "What to change" in (tmp_path / document["report"]).read_text(encoding="utf-8")


def test_without_lbr_there_is_no_advice(nashgap):
    refused = nashgap("measure", "uniform", "--game", "kuhn", "--advice", "2")
    assert refused.status == 2
    assert refused.err == "nashgap: --advice is no option of br; it is one of lbr\n"
