"""Tournaments: the right matchups, all with the same cards, each as a match of its own would be; strict files."""

from __future__ import annotations

import pickle
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nashgap.agents.python_agent import PythonAgent
from nashgap.arena import tournament_result
from nashgap.arena.match import MatchJob
from nashgap.arena.match_result import combine
from nashgap.arena.ranking import bankroll
from nashgap.arena.tournament import Entrant, TournamentConfig, TournamentJob, load_tournament
from nashgap.arena.tournament_result import TournamentResult, combine_tournament
from nashgap.errors import ConfigError, FileFormatError, NashGapError
from nashgap.games.compiled import load_tree
from nashgap.poker.rules import load_rules
from nashgap.runs import RunConfig
from nashgap.strategies.load import save
from nashgap.strategies.named import always_call
from nashgap.strategies.table import uniform

CHUMPS = ("always-call", "always-raise", "probe", "triple(0.1,0.4,0.5)")


def tournament(*agents: Entrant | str, game: str = "lhe3", hands: int = 200, **settings: int) -> TournamentJob:
    entrants = tuple(Entrant(agent, agent) if isinstance(agent, str) else agent for agent in agents)
    return TournamentJob(load_rules(game), TournamentConfig("t", game, hands, entrants, **settings))


def played(job: TournamentJob) -> TournamentResult:
    return combine_tournament(job, [job.run_batch(index) for index in range(job.num_batches)])


def names_of(job: TournamentJob) -> list[tuple[str, ...]]:
    return [tuple(entrant.name for entrant in members) for members in job.matchups]


def write(folder: Path, text: str) -> Path:
    path = folder / "cup.toml"
    path.write_text(text)
    return path


def test_every_set_of_agents_meets_once() -> None:
    job = tournament(*CHUMPS, "random")
    assert names_of(job) == list(combinations((*CHUMPS, "random"), 3))
    assert (job.num_seatings, job.num_hands) == (6, 10 * 200 * 6)


def test_members_of_a_team_do_not_meet() -> None:
    teams = {"a": "red", "b": "red", "c": "blue", "d": "blue", "e": ""}
    job = tournament(*(Entrant(name, "probe", team) for name, team in teams.items()))
    assert names_of(job) == [("a", "c", "e"), ("a", "d", "e"), ("b", "c", "e"), ("b", "d", "e")]
    table = played(job).table
    assert table.teams == {"a": "red", "b": "red", "c": "blue", "d": "blue"}
    assert {matchup.winrates for matchup in table.matchups} == {table.matchups[0].winrates}, "the cards are the same"


def test_each_matchup_is_the_match_that_its_agents_would_play_alone() -> None:
    job = tournament(*CHUMPS, hands=10_500, seed=5)
    assert (job.deals_per_batch, job.batches_per_matchup, job.num_batches) == (10_000, 2, 8)
    result = played(job)
    members = names_of(job)[2]
    alone = MatchJob(load_rules("lhe3"), members, 10_500, 5)
    expected = combine(alone, [alone.run_batch(index) for index in range(alone.num_batches)])
    assert result.matches[2].as_dict() == expected.as_dict()
    assert result.table.find(members).winrates == tuple(expected.winrates)
    assert result.table.find(members).ci95 == tuple(expected.ci95)


def test_matchups_share_their_deals_whatever_their_agents_speed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A Python agent has small batches; so have the matchups without it, or deals could not be drawn jointly."""
    (tmp_path / "slowly.py").write_text("class Caller:\n    def act(self, view):\n        return 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    job = tournament(*CHUMPS[:2], "probe", "python:slowly:Caller", hands=150)
    assert job.deals_per_batch == PythonAgent.deals_per_batch
    sizes = {tuple(block[0] for block in job.run_batch(index)["blocks"]) for index in range(0, job.num_batches, 2)}
    (shared,) = sizes
    assert sum(shared) == PythonAgent.deals_per_batch


@pytest.mark.parametrize("most_blocks", [1000, 7])
def test_blocks_add_up_to_the_winrates(monkeypatch: pytest.MonkeyPatch, most_blocks: int) -> None:
    seen: dict[str, Any] = {}

    def note(matchups: Any, sums: Any, deals: Any, **settings: Any) -> Any:
        seen.update(matchups=matchups, sums=sums, deals=deals)
        return rank_confidence(matchups, sums, deals, **settings)

    rank_confidence = tournament_result.rank_confidence
    monkeypatch.setattr(tournament_result, "rank_confidence", note)
    monkeypatch.setattr(tournament_result, "MOST_BLOCKS", most_blocks)
    result = played(tournament(*CHUMPS, hands=400, match_hands=10))
    assert seen["deals"].sum() == 400
    assert len(seen["deals"]) == min(most_blocks, 20)
    winrates = [matchup.winrates for matchup in result.table.matchups]
    np.testing.assert_allclose(seen["sums"].sum(axis=1) / 400, winrates, atol=1e-12)
    np.testing.assert_allclose(result.confidence.bankroll.sum(axis=1), 1)


def test_copies_of_a_deterministic_agent_tie_exactly() -> None:
    job = tournament(Entrant("one", "always-call"), Entrant("two", "always-call"), "always-fold")
    ranking = bankroll(played(job).table)
    assert ranking.winrate("one") == ranking.winrate("two") > 0
    assert ranking.ties == (("one", "two"),)


def test_behaviour_is_over_all_matchups() -> None:
    result = played(tournament(*CHUMPS))
    assert result.behaviour["always-raise"].hands == 3 * 200 * 6
    assert result.behaviour["always-call"].pfr == 0


@pytest.mark.parametrize(("game", "agents", "seatings"), [("lhe2", 3, 2), ("lhe6", 6, 6)])
def test_any_number_of_seats(game: str, agents: int, seatings: int) -> None:
    job = tournament(*(Entrant(f"p{number}", "random") for number in range(agents)), game=game, hands=40)
    result = played(job)
    assert job.num_seatings == seatings == result.matches[0].seatings
    assert abs(result.table.largest_residual) < 1e-9


def test_a_job_comes_back_from_its_config_and_from_a_pickle() -> None:
    job = tournament(*CHUMPS[:3], Entrant("d", "random", "red"), hands=200, seed=3, match_hands=10)
    config = RunConfig.of(job)
    again = TournamentJob.from_config(config.identity, config.budget)
    assert again.config == job.config
    assert again.identity() == job.identity()
    sent = pickle.loads(pickle.dumps(job))
    assert sent.run_batch(1) == job.run_batch(1)
    with pytest.raises(ConfigError, match="not the config of a tournament: KeyError"):
        TournamentJob.from_config({"agents": [{}]}, {})


def test_a_changed_bot_makes_another_tournament(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    bot = tmp_path / "changing.py"
    bot.write_text("class Caller:\n    def act(self, view):\n        return 0\n")
    job = tournament(*CHUMPS[:2], "python:changing:Caller", hands=20)
    before = job.identity()
    bot.write_text(bot.read_text() + "# better now\n")
    assert job.identity() != before


def test_agents_from_files_are_known_by_content_and_kept(tmp_path: Path) -> None:
    tree = load_tree("kuhn2")
    text = 'game = "kuhn2"\nhands = 20\nagents = ["bot.safetensors", "probe"]'
    jobs = []
    for place in ("here", "there"):
        folder = tmp_path / place
        folder.mkdir()
        save(folder / "bot.safetensors", uniform(tree))
        jobs.append(load_tournament(write(folder, text)))
    first, second = jobs
    assert first.identity() == second.identity()
    assert str(tmp_path) not in str(first.identity())
    assert first.config.agents[0].name == "bot.safetensors"
    run = tmp_path / "run"
    run.mkdir()
    first.keep_inputs(run)
    batch = first.run_batch(0)
    save(tmp_path / "here" / "bot.safetensors", always_call(tree))
    (tmp_path / "there" / "bot.safetensors").unlink()
    config = RunConfig.of(first)
    kept = TournamentJob.from_config(config.identity, config.budget, run)
    assert kept.identity() == first.identity()
    assert kept.run_batch(0) == batch
    changed = load_tournament(tmp_path / "here" / "cup.toml")
    assert changed.identity() != first.identity()
    assert changed.run_batch(0) != batch
    with pytest.raises(NashGapError, match=r"there/cup.toml: .*there/bot.safetensors"):
        load_tournament(tmp_path / "there" / "cup.toml")


def test_a_file_says_it_all(tmp_path: Path) -> None:
    (tmp_path / "three.game").write_text(load_rules("lhe3").to_text())
    tables = "".join(f'[[agent]]\nspec = "{spec}"\nteam = "{spec}s"\n' for spec in CHUMPS[:2])
    head = 'name = "cup"\ngame = "three.game"\nhands = 40\nseed = 7\nmatch_hands = 20\n'
    job = load_tournament(write(tmp_path, head + tables + '[[agent]]\nname = "p"\nspec = "probe"\n'))
    assert job.config == TournamentConfig(
        "cup",
        "three.game",
        40,
        (
            Entrant("always-call", "always-call", "always-calls"),
            Entrant("always-raise", "always-raise", "always-raises"),
            Entrant("p", "probe"),
        ),
        seed=7,
        match_hands=20,
    )
    assert job.rules == load_rules("lhe3")
    assert job.name == "tournament-cup"
    assert load_tournament(tmp_path / "cup.toml", seed=8).config.seed == 8


def test_what_a_file_need_not_say(tmp_path: Path) -> None:
    job = load_tournament(write(tmp_path, 'game = "lhe2"\nhands = 40\nagents = ["probe", "random"]'))
    assert (job.config.name, job.config.seed, job.config.match_hands) == ("cup", 0, 1)


def test_a_bad_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"none.toml: cannot be read"):
        load_tournament(tmp_path / "none.toml")
    with pytest.raises(FileFormatError, match=r"cup.toml: not a TOML file: .*line 1"):
        load_tournament(write(tmp_path, "game = lhe3"))
    with pytest.raises(ConfigError, match=r"cup.toml: seed = -1"):
        load_tournament(write(tmp_path, 'game = "lhe2"\nhands = 9\nagents = ["probe", "random"]'), seed=-1)


def test_too_many_matchups_are_refused_at_once() -> None:
    with pytest.raises(ConfigError, match="60 agents make 50,063,860 matchups of 6; at most 100,000"):
        tournament(*(Entrant(f"p{number}", "probe") for number in range(60)), game="lhe6")
