"""`nashgap compare` from the command line."""

from abstract_games import abstract_game, random_abstract_strategy

COMPARE = ("compare", "always-call", "random", "--game", "hunl", "--deals", "60", "--quiet")


def test_two_versions_are_told_with_their_difference(nashgap, tmp_path):
    told = nashgap(*COMPARE, "--report", "versions.html")
    assert told.status == 0
    assert "LBR against each" in told.out and "less than from the first" in told.out.replace("\n", " ")
    assert "Leaks gained and lost" in told.out
    assert max(map(len, told.out.splitlines())) <= 80 or "/runs/" in told.out
    assert "Leaks gained and lost" in (tmp_path / "versions.html").read_text(encoding="utf-8")


def test_a_bot_and_itself_differ_by_nothing(nashgap):
    document = nashgap("compare", "random", "random", "--game", "hunl", "--deals", "60", "--json", "--quiet").json
    assert (document["difference"]["mean"], document["difference"]["ci95"]) == (0, 0)
    assert document["deals_to_settle"] is None
    assert document["versions"] == ["random #1", "random #2"]


def test_a_finished_comparison_is_found_again(nashgap):
    first, again = nashgap(*COMPARE, "--json").json, nashgap(*COMPARE, "--json").json
    assert first == again
    resumed = nashgap("runs", "resume", first["run"].rpartition("/")[2], "--quiet")
    assert resumed.status == 0 and "LBR against each" in resumed.out


def test_a_match_against_others(nashgap):
    words = ("compare", "poki", "random", "--game", "lhe2", "--by", "match", "--deals", "60", "--quiet")
    assert nashgap(*words, "--against", "probe", "--json").json["opponents"] == ["probe"]
    assert "poki against random" in nashgap(*words).out


def test_a_match_without_luck_tells_both_differences(nashgap, tmp_path):
    words = ("compare", "random", "always-raise", "--game", "leduc2", "--by", "match", "--against", "probe")
    words += ("--deals", "60", "--variance", "aivat", "--quiet")
    told = nashgap(*words, "--report", "versions.html")
    assert told.status == 0
    assert max(map(len, told.out.splitlines())) <= 80 or "/runs/" in told.out
    assert "without luck (aivat)" in told.out and "more deals to settle it" in told.out
    page = (tmp_path / "versions.html").read_text(encoding="utf-8")
    assert "without luck (aivat)" in page and "--variance aivat" in page
    document = nashgap(*words, "--json").json
    assert document["variance"] == document["corrected"]["difference"]["method"] == "aivat"
    assert document["corrected"]["difference"]["ci95"] < document["difference"]["ci95"]
    assert {"deals_to_settle"} <= set(document) & set(document["corrected"])
    resumed = nashgap("runs", "resume", document["run"].rpartition("/")[2], "--quiet", "--json").json
    assert resumed["corrected"] == document["corrected"]


SAMPLED = """
from nashgap.strategies.load import load


class Sampled:
    def sample_policies(self, states, seed):
        return load("random", states[0].rules).policies(states)
"""


def test_luck_that_cannot_be_taken_off_is_one_line(nashgap, tmp_path):
    (tmp_path / "drawn_bot.py").write_text(SAMPLED, encoding="utf-8")
    sampled = "python:drawn_bot:Sampled"
    match = ("--by", "match", "--variance")
    for words, reason in {
        ("poki", "poki", "--game", "lhe2", "--against", "poki", *match, "aivat"): "poki, poki only play",
        ("poki", "poki", "--game", "lhe2", *match, "aivat"): "variance chance needs none",
        (sampled, sampled, "--game", "leduc2", *match, "aivat"): "aivat needs one agent that tells what it does",
        ("probe", sampled, "--game", "leduc2", "--against", sampled, *match, "aivat"): "only play",
        ("probe", "random", "--game", "leduc2", *match, "mivat"): "it must be one of none, chance, aivat",
        ("probe", "random", "--game", "leduc2", "--variance", "aivat"): "--variance is no option of lbr",
    }.items():
        refused = nashgap("compare", *words, "--deals", "60", "--quiet")
        assert refused.status == 2
        assert reason in refused.err
        assert refused.err.count("\n") == 1


def test_bad_input_is_one_line(nashgap, tmp_path):
    for game in ("leduc2", "kuhn2"):
        random_abstract_strategy(abstract_game(game), seed=1).save(tmp_path / f"{game}.safetensors")
    for words, reason in {
        ("leduc2.safetensors", "kuhn2.safetensors"): "two versions of a bot play the same game",
        ("always-call", "random"): "name the game too (--game)",
        ("always-call", "random", "--game", "hunl", "--by", "guess"): "unknown comparison 'guess'",
        ("always-call", "random", "--game", "hunl", "--against", "poki"): "--against is no option of lbr",
        ("always-call", "patched(sofa = no raise):random", "--game", "hunl"): "it must be POSITION STREET",
    }.items():
        refused = nashgap("compare", *words, "--quiet")
        assert refused.status == 2
        assert reason in refused.err
        assert refused.err.count("\n") == 1
