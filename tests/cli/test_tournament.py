from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from nashgap.jobs.match import MatchJob

FIGURES = files("nashgap.papers.abou_risk_2009").joinpath("figures")
# Means: a 7/3, c 4/3, b 0, d -11/3; without d first a leaves, then c beats b.
CHUMP = "player,opponent1,winrate\n" + "".join(
    f"{first},{second},{won}\n{second},{first},{-won}\n"
    for first, second, won in (
        ("a", "b", -1),
        ("a", "c", -1),
        ("a", "d", 9),
        ("b", "c", -2),
        ("b", "d", 1),
        ("c", "d", 1),
    )
)


@pytest.fixture
def chump(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(CHUMP)
    return path


@pytest.fixture
def competition(tmp_path: Path) -> Path:
    """The matchups of the competition of 2009, without the column of teams."""
    lines = FIGURES.joinpath("figures-5.2-5.6.csv").read_text().splitlines()
    path = tmp_path / "competition.csv"
    path.write_text("".join(line.rpartition(",")[0] + "\n" for line in lines))
    return path


def test_json_has_both_rankings_best_first(nashgap: Callable[..., Any], chump: Path) -> None:
    found = nashgap("tournament", "rank", str(chump), "--unit", "sb_per_hand", "--json").json
    assert found["bankroll"] == ["a", "c", "b", "d"]
    assert found["runoff"] == ["c", "b", "a", "d"]
    assert found["elimination_order"] == ["d", "a"]
    assert found["total_wins"] == {"a": 1, "b": 2, "c": 3, "d": 0}
    assert found["winrates"] == pytest.approx({"a": 7 / 3, "b": 0, "c": 4 / 3, "d": -11 / 3})
    assert (found["unit"], found["largest_residual"], found["unbalanced"]) == ("sb_per_hand", 0, [])
    assert found["ties"] == {"bankroll": [], "runoff": []}


def test_published_tables_rank_as_published(nashgap: Callable[..., Any], competition: Path) -> None:
    """Figures 5.7 to 5.9 of Abou Risk (2009): team-mates did not meet, with teams named or not."""
    teams = ("--team", "alberta=H-Eqm,H-BR", "--team", "darmstadt=dpp,akuma")
    for words in ((), teams):
        found = nashgap("tournament", "rank", str(competition), *words, "--json").json
        assert found["runoff"] == ["H-Eqm", "H-BR", "akuma", "dpp", "CMU", "dcu", "Blue"]
        assert found["elimination_order"] == ["Blue", "dcu"]
        assert found["matchups"] == 25
        assert found["unit"] is None
    assert found["teams"]["akuma"] == "darmstadt"


def test_matchups_of_team_mates_do_not_count(nashgap: Callable[..., Any], chump: Path) -> None:
    """Without a against d the means are a -1, d -1: b 0, c 4/3."""
    found = nashgap("tournament", "rank", str(chump), "--team", "x=a,d", "--json").json
    assert found["bankroll"] == ["c", "b", "a", "d"]
    assert found["ties"]["bankroll"] == [["a", "d"]]


def test_narrow_screens_get_a_table_of_two_and_lists_of_three(
    nashgap: Callable[..., Any], chump: Path, competition: Path
) -> None:
    two = nashgap("tournament", "rank", chump.name).out
    assert "a            -1.000   -1.000   +9.000    +2.333" in two
    three = nashgap("tournament", "rank", competition.name).out
    assert "H-Eqm +0.319" in three
    assert "akuma, Blue +0.374" in three
    for text in (two, three):
        assert max(map(len, text.splitlines())) <= 80


def test_report_is_written_where_it_is_wanted(nashgap: Callable[..., Any], chump: Path, tmp_path: Path) -> None:
    outcome = nashgap("tournament", "rank", str(chump), "--report", "ranks.html")
    assert outcome.status == 0
    assert "report: ranks.html" in outcome.out
    page = (tmp_path / "ranks.html").read_text()
    assert '<td class="win"' in page
    assert f"nashgap tournament rank {chump}" in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("missing.csv",), "missing.csv: cannot be read: No such file or directory"),
        (("bad.csv",), "bad.csv, line 3: winrate must be a number, not 'much'"),
        (("table.csv", "--team", "red"), "--team 'red'; it must be a name, = and players with commas between"),
        (("table.csv", "--team", "red=a,"), "--team 'red=a,'"),
        (("table.csv", "--team", "red=a,z"), "no player is called 'z'; players: a, b, c, d"),
        (("table.csv", "--team", "red=a,b", "--team", "blue=b,c"), "b is in two teams"),
        (("table.csv", "--team", "red=a,b,c,d"), "no matchup is left without those of team-mates"),
        (("table.csv", "--report", "nowhere/ranks.html"), "nowhere/ranks.html"),
    ],
)
def test_bad_input_is_answered_in_one_line(
    nashgap: Callable[..., Any], chump: Path, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    (tmp_path / "bad.csv").write_text("player,opponent1,winrate\na,b,1\nb,a,much\n")
    outcome = nashgap("tournament", "rank", *words, "--json")
    assert outcome.status == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert outcome.out == ""


CUP = 'game = "lhe3"\ndeals = 300\nagents = ["always-call", "always-raise", "probe", "random"]\n'
EXAMPLE = Path(__file__).parents[2] / "examples" / "chumps.toml"


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    return path


def test_a_tournament_is_played_and_ranked(nashgap: Callable[..., Any], cup: Path) -> None:
    outcome = nashgap("tournament", "run", "cup.toml", "--json")
    found = outcome.json
    assert outcome.err == "cup: 4 matchups, each of 300 deals in 6 seatings: 7,200 hands, less than a second\n"
    assert found["agents"] == ["always-call", "always-raise", "probe", "random"]
    assert (found["unit"], found["deals"], found["seed"], found["seatings"]) == ("sb_per_hand", 300, 0, 6)
    assert [len(each["players"]) for each in found["matchups"]] == [3, 3, 3, 3]
    for matchup in found["matchups"]:
        assert sum(matchup["winrates"]) == pytest.approx(0, abs=1e-9)
        assert len(matchup["ci95"]) == len(matchup["behaviour"]) == 3
    won = [dict(zip(each["players"], each["winrates"], strict=True)).get("random") for each in found["matchups"]]
    assert found["winrates"]["random"] == pytest.approx(sum(rate for rate in won if rate is not None) / 3)
    assert found["bankroll"][-1] == found["runoff"][-1] == "random"
    assert found["elimination_order"] == ["random"]
    assert found["rank_confidence"]["bankroll"]["random"] == [0, 0, 0, 1]
    assert set(found["total_wins"]) == set(found["agents"])

    again = nashgap("tournament", "rank", found["cross_table"], "--unit", "sb_per_hand", "--json").json
    for key in ("bankroll", "runoff", "elimination_order", "winrates", "total_wins", "unit"):
        assert again[key] == found[key]


def test_an_interrupted_tournament_continues_by_the_same_command_or_by_resume(
    nashgap: Callable[..., Any], cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = nashgap("tournament", "run", "cup.toml", "--json", "--runs", "whole").json
    play, batches = MatchJob.run_batch, []

    def interrupted(match: MatchJob, index: int) -> dict[str, Any]:
        batches.append((match, index))
        if len(batches) == 2:
            raise KeyboardInterrupt
        return play(match, index)

    monkeypatch.setattr(MatchJob, "run_batch", interrupted)
    outcome = nashgap("tournament", "run", "cup.toml", "--json", "--quiet")
    assert outcome.status == 130
    assert "what is finished is kept; continue with: nashgap runs resume tournament-cup-" in outcome.err
    found = nashgap("runs", "resume", "tournament-cup", "--json").json
    assert len(batches) == 5, "the first matchup is not played again"
    for document in (found, nashgap("tournament", "run", "cup.toml", "--json").json):
        moved = {key for key in expected if document[key] != expected[key]}
        assert moved == {"run", "report", "cross_table"}
    assert len(batches) == 5


def test_teams_and_a_seed_of_ones_own(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    teams = {"a": "red", "b": "red", "c": "blue", "d": "blue", "e": ""}
    tables = "".join(f'[[agent]]\nname = "{name}"\nspec = "probe"\nteam = "{teams[name]}"\n' for name in teams)
    (tmp_path / "teams.toml").write_text(f'game = "lhe3"\ndeals = 50\n{tables}')
    found = nashgap("tournament", "run", "teams.toml", "--seed", "4", "--json").json
    assert ["".join(each["players"]) for each in found["matchups"]] == ["ace", "ade", "bce", "bde"]
    assert found["seed"] == 4
    assert found["teams"] == {"a": "red", "b": "red", "c": "blue", "d": "blue"}
    ranked = nashgap("tournament", "rank", found["cross_table"], "--json").json
    assert (ranked["runoff"], ranked["teams"]) == (found["runoff"], found["teams"])


def test_the_example_is_played(nashgap: Callable[..., Any]) -> None:
    outcome = nashgap("tournament", "run", str(EXAMPLE), "--quiet")
    assert outcome.status == 0
    assert outcome.err == ""
    for text in ("Tournament chumps", "Run-off", "How they played", "report: runs/tournament-chumps-"):
        assert text in outcome.out
    assert max(len(line) for line in outcome.out.splitlines()) <= 80
    shown = nashgap("runs", "show", "tournament-chumps").out
    assert "agents always-call, always-raise, probe, triple" in " ".join(shown.split()), "by their names alone"
    assert max(len(line) for line in shown.splitlines()) <= 80


def test_a_large_cross_table_is_left_to_the_report(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    tables = "".join(f'[[agent]]\nname = "p{number}"\nspec = "always-call"\n' for number in range(8))
    (tmp_path / "large.toml").write_text(f'game = "kuhn2"\ndeals = 10\n{tables}')
    out = nashgap("tournament", "run", "large.toml", "--quiet").out
    assert "28 matchups" in out
    assert "Cross-table" not in out
    (page,) = tmp_path.glob("runs/*/report.html")
    assert "Cross-table" in page.read_text(encoding="utf-8")
    assert max(len(line) for line in out.splitlines()) <= 80


AGENTS = 'agents = ["always-call", "probe", "random"]\n'
HEAD = 'game = "lhe3"\ndeals = 30\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game = ", "not a TOML file"),
        (
            HEAD + AGENTS + "rounds = 3",
            "unknown key 'rounds'; known: name, game, deals, agents, seed, match_hands, agent",
        ),
        (HEAD + AGENTS + "hands = 3", "unknown key 'hands'; the deals of a matchup are called 'deals'"),
        (AGENTS, "the key 'game' is missing"),
        ('game = "lhe3"\n' + AGENTS, "the key 'deals' is missing"),
        (HEAD, "either the key 'agents'"),
        (HEAD + AGENTS + '[[agent]]\nspec = "probe"', "either the key 'agents'"),
        (HEAD + "agents = 3", "agents = 3; a list of agents needed"),
        (HEAD + "agents = [3]", "agent 1: 3; the name of an agent is needed"),
        (HEAD + "agent = [3]", "agent 1: 3; a table is needed"),
        (HEAD + '[[agent]]\nname = "a"', "agent 1: the key 'spec' is missing"),
        (HEAD + '[[agent]]\nspec = "probe"\nside = 1', "agent 1: unknown key 'side'; known: name, spec, team"),
        (HEAD + '[[agent]]\nspec = "probe"\nteam = 1', "agent 1: team = 1; it must be text"),
        (HEAD + '[[agent]]\nspec = "probe"\nname = " x"', "agent 1: name = ' x'"),
        (HEAD + '[[agent]]\nspec = ""\nname = "x"', "agent 1: spec = ''; it must not be empty"),
        (HEAD + 'agents = ["probe", "random"]', "2 agents; lhe3 has 3 seats, so at least 3 are needed"),
        (HEAD + 'agents = ["probe", "random", "probe"]', "two agents are called 'probe'"),
        (HEAD + 'agents = ["probe", "random", "prove"]', "unknown agent 'prove' (did you mean 'probe'?); known:"),
        (HEAD + 'agents = ["probe", "random", "none.safetensors"]', "none.safetensors"),
        (HEAD + 'agents = ["probe", "random", "triple(1,1,1)"]', "three probabilities that add up to 1"),
        (
            HEAD + "".join(f'[[agent]]\nname = "{i}"\nspec = "probe"\nteam = "{i // 2}"\n' for i in range(4)),
            "no matchup is left: lhe3 has 3 seats, and the teams leave 2 sides",
        ),
        ('game = "lhe9"\ndeals = 30\n' + AGENTS, "unknown poker game 'lhe9'"),
        ('game = "none.game"\ndeals = 30\n' + AGENTS, "none.game: cannot be read"),
        ("game = 3\ndeals = 30\n" + AGENTS, "game = 3; it must be text"),
        ('game = "lhe3"\ndeals = "many"\n' + AGENTS, "deals = 'many'; it must be a whole number from 1"),
        ('game = "lhe3"\ndeals = true\n' + AGENTS, "deals = True; it must be a whole number"),
        ('game = "lhe3"\ndeals = 1\n' + AGENTS, "deals = 1; an interval needs at least 2"),
        (HEAD + AGENTS + "seed = -1", "seed = -1; it must be a whole number from 0"),
        (HEAD + AGENTS + "seed = 9223372036854775808", "seed = 9223372036854775808; it must be"),
        (HEAD + AGENTS + "match_hands = 0", "match_hands = 0; it must be"),
        (HEAD + AGENTS + "match_hands = 7", "deals = 30; a multiple of the 7 hands of a match is needed"),
        (HEAD + AGENTS + 'name = ""', "name = ''; it must be text"),
    ],
)
def test_a_bad_tournament_is_answered_in_one_line(
    nashgap: Callable[..., Any], tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "bad.toml").write_text(text)
    outcome = nashgap("tournament", "run", "bad.toml", "--json")
    assert outcome.status == 2
    assert outcome.err.startswith("nashgap: bad.toml: ")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert outcome.out == ""
    assert not (tmp_path / "runs").exists()


def test_bad_words_are_answered_in_one_line(nashgap: Callable[..., Any], cup: Path) -> None:
    for words, message in (
        (("none.toml",), "none.toml: cannot be read: No such file or directory"),
        (("cup.toml", "--workers", "0"), "workers = 0; at least 1 is needed"),
        (("cup.toml", "--seed", "-1"), "seed = -1"),
    ):
        outcome = nashgap("tournament", "run", *words)
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert message in outcome.err


@pytest.mark.parametrize("command", [("tournament",), ("tournament", "rank"), ("tournament", "run")])
def test_help_fits_80_columns(nashgap: Callable[..., Any], command: tuple[str, ...]) -> None:
    outcome = nashgap(*command, "--help")
    assert outcome.status == 0
    assert max(map(len, outcome.out.splitlines())) <= 80
    assert outcome.out.count("nashgap ") >= len(command)
