"""Tournaments as jobs and runs: the right matchups; the same result for any number of workers and after a kill."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from nashgap.agents.python_agent import PythonAgent
from nashgap.arena.cross_table import read_cross_table
from nashgap.arena.ranking import bankroll, runoff
from nashgap.arena.tournament import Entrant, TournamentConfig, load_tournament
from nashgap.arena.tournament_result import TournamentResult
from nashgap.errors import ConfigError, NashGapError
from nashgap.games.compiled import load_tree
from nashgap.jobs.perform import perform
from nashgap.jobs.tournament import TournamentJob
from nashgap.poker.rules import load_rules
from nashgap.runs import Pace, RunConfig, find_run, list_runs
from nashgap.strategies.load import save
from nashgap.strategies.named import always_call
from nashgap.strategies.spec import parse_bot
from nashgap.strategies.table import uniform

CHUMPS = ("always-call", "always-raise", "probe", "triple(0.1,0.4,0.5)")
# Two parts for each of the four matchups.
CUP = """
game = "lhe3"
deals = 10_400
seed = 2
agents = ["always-call", "always-raise", "probe", "triple(0.1,0.4,0.5)"]
"""
KILLED_AFTER = 3
KILLED = f"""
import os, signal, sys
import nashgap as ng

def die(pace):
    if pace.progress.done == {KILLED_AFTER}:
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    ng.tournament(sys.argv[1], run=sys.argv[2], progress=die)
"""


def entrant(agent: Entrant | str, spec: str = "", team: str = "") -> Entrant:
    return agent if isinstance(agent, Entrant) else Entrant(agent, parse_bot(spec or agent), team)


def tournament(*agents: Entrant | str, game: str = "lhe3", deals: int = 200, **settings: int) -> TournamentJob:
    entrants = tuple(map(entrant, agents))
    return TournamentJob(load_rules(game), TournamentConfig("t", game, deals, entrants, **settings))


def names_of(job: TournamentJob) -> list[tuple[str, ...]]:
    return [tuple(entrant.name for entrant in members) for members in job.matchups]


def test_every_set_of_agents_meets_once() -> None:
    job = tournament(*CHUMPS, "random")
    assert names_of(job) == list(combinations((*CHUMPS, "random"), 3))
    assert job.num_seatings == 6
    assert job.size_text == "t: 10 matchups, each of 200 deals in 6 seatings: 12,000 hands"


def test_matchups_share_their_deals_whatever_their_agents_speed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A Python agent has small batches; so have the matchups without it, or deals could not be drawn jointly."""
    (tmp_path / "slowly.py").write_text("class Caller:\n    def act(self, view):\n        return 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    job = tournament(*CHUMPS[:2], "probe", "python:slowly:Caller", deals=150)
    assert job.batch_deals == PythonAgent.deals_per_batch
    sizes = {tuple(block[0] for block in job.run_batch(index)["blocks"]) for index in range(0, job.num_batches, 2)}
    (shared,) = sizes
    assert sum(shared) == PythonAgent.deals_per_batch


def test_a_job_comes_back_from_its_config_and_from_a_pickle() -> None:
    job = tournament(*CHUMPS[:3], entrant("d", "random", "red"), deals=200, seed=3, match_hands=10)
    config = RunConfig.of(job)
    again = TournamentJob.from_config(config.identity, config.budget)
    assert again == job
    sent = pickle.loads(pickle.dumps(job))
    assert sent.run_batch(1) == job.run_batch(1)
    with pytest.raises(ConfigError, match="the config of a tournament run: missing keys \\['rules'\\]"):
        TournamentJob.from_config({"config": {"agents": [{}]}}, {})
    with pytest.raises(ConfigError, match="the config of a tournament run: unknown keys"):
        TournamentJob.from_config({"agents": [{}]}, {})


def test_a_changed_bot_makes_another_tournament(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    bot = tmp_path / "changing.py"
    bot.write_text("class Caller:\n    def act(self, view):\n        return 0\n")
    before = tournament(*CHUMPS[:2], "python:changing:Caller", deals=20).identity()
    bot.write_text(bot.read_text() + "# better now\n")
    assert tournament(*CHUMPS[:2], "python:changing:Caller", deals=20).identity() != before


def test_agents_from_files_are_known_by_content(tmp_path: Path) -> None:
    tree = load_tree("kuhn2")
    text = 'game = "kuhn2"\ndeals = 20\nagents = ["bot.safetensors", "probe"]'
    jobs = []
    for place in ("here", "there"):
        folder = tmp_path / place
        folder.mkdir()
        save(folder / "bot.safetensors", uniform(tree))
        (folder / "cup.toml").write_text(text)
        jobs.append(TournamentJob(*load_tournament(folder / "cup.toml")))
    first, second = jobs
    assert first.identity() == second.identity()
    assert str(tmp_path) not in str(first.identity())
    assert first.config.agents[0].name == "bot.safetensors"
    assert list(first.inputs().values()) == [str(tmp_path / "here" / "bot.safetensors")]
    batch = first.run_batch(0)
    again = TournamentJob.from_config(first.identity(), first.budget(), first.inputs())
    assert again == first
    assert again.run_batch(0) == batch

    save(tmp_path / "here" / "bot.safetensors", always_call(tree))
    changed = TournamentJob(*load_tournament(tmp_path / "here" / "cup.toml"))
    assert changed.identity() != first.identity()
    assert changed.run_batch(0) != batch
    with pytest.raises(ConfigError, match=r"here/bot\.safetensors has changed"):
        TournamentJob.from_config(first.identity(), first.budget(), first.inputs())
    (tmp_path / "there" / "bot.safetensors").unlink()
    with pytest.raises(ConfigError, match=r"there/bot\.safetensors is gone"):
        TournamentJob.from_config(second.identity(), second.budget(), second.inputs())
    with pytest.raises(NashGapError, match=r"there/cup.toml: .*there/bot.safetensors"):
        load_tournament(tmp_path / "there" / "cup.toml")


def test_too_many_matchups_are_refused_at_once() -> None:
    with pytest.raises(ConfigError, match="60 agents make 50,063,860 matchups of 6; at most 100,000"):
        tournament(*(entrant(f"p{number}", "probe") for number in range(60)), game="lhe6")


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> TournamentJob:
    path = tmp_path_factory.mktemp("cup") / "chumps.toml"
    path.write_text(CUP)
    return TournamentJob(*load_tournament(path))


@pytest.fixture(scope="module")
def finished(job: TournamentJob, tmp_path_factory: pytest.TempPathFactory) -> TournamentResult:
    """Of a run that was never stopped."""
    result: TournamentResult = perform(job, run=tmp_path_factory.mktemp("runs"))
    return result


def folder_of(result: TournamentResult) -> Path:
    assert result.provenance.run is not None
    return result.provenance.run


def test_neither_a_run_nor_the_number_of_workers_changes_anything(
    job: TournamentJob, finished: TournamentResult, tmp_path: Path
) -> None:
    assert perform(job, run=tmp_path, workers=2).as_dict() == finished.as_dict()
    assert perform(job).as_dict() == finished.as_dict()


def test_a_killed_tournament_continues_with_the_same_result(
    job: TournamentJob, finished: TournamentResult, tmp_path: Path
) -> None:
    (tmp_path / "chumps.toml").write_text(CUP)
    (tmp_path / "killed.py").write_text(KILLED)
    root = tmp_path / "runs"
    command = [sys.executable, str(tmp_path / "killed.py"), str(tmp_path / "chumps.toml"), str(root)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run(command, env=environment, check=False).returncode == -signal.SIGKILL
    (left,) = list_runs(root)
    assert left.status == "interrupted"
    seen: list[Pace] = []
    result = perform(job, run=root, progress=seen.append)
    assert result.as_dict() == finished.as_dict()
    assert [pace.progress.done for pace in seen] == [4, 5, 6, 7, 8], "what was finished is not played again"
    assert seen[-1].progress.message == "matchup 4 of 4, part 2 of 2"


def test_a_finished_tournament_answers_without_playing(job: TournamentJob, finished: TournamentResult) -> None:
    root = folder_of(finished).parent
    seen: list[Pace] = []
    again = perform(job, run=root, progress=seen.append)
    assert again.as_dict() == finished.as_dict()
    assert find_run(root, "tournament").load_result() == {**finished.as_dict(), "summary": finished.summary}
    assert not seen


def test_the_cross_table_in_the_folder_ranks_the_same(finished: TournamentResult) -> None:
    expected = finished.as_dict()
    assert finished.cross_table_path is not None
    table = read_cross_table(finished.cross_table_path)
    assert list(bankroll(table).players) == expected["bankroll"]
    assert list(runoff(table).players) == expected["runoff"]
    assert [list(matchup.winrates) for matchup in table.matchups] == [each["winrates"] for each in expected["matchups"]]
    assert all(matchup.ci95 is not None for matchup in table.matchups)


def test_the_report_has_standings_confidence_and_behaviour(finished: TournamentResult) -> None:
    page = (folder_of(finished) / "report.html").read_text(encoding="utf-8")
    for text in ("Rankings", "each run-off rank is reached", "How they played", '<td class="win"', '<td class="loss"'):
        assert text in page
    assert "4 matchups in lhe3, each of 10,400 deals in 6 seatings" in page
    assert "nashgap runs resume tournament-chumps-" in page
