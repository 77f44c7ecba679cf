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
