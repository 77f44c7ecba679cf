"""Tournaments: the same cards for all, each matchup as a match of its own would be; strict files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nashgap.arena import tournament_result
from nashgap.arena.ranking import bankroll
from nashgap.arena.tournament import Entrant, TournamentConfig, load_tournament
from nashgap.arena.tournament_result import TournamentResult
from nashgap.errors import ConfigError, FileFormatError
from nashgap.jobs.match import MatchJob
from nashgap.jobs.tournament import TournamentJob
from nashgap.poker.rules import load_rules
from nashgap.strategies.spec import parse_bot

CHUMPS = ("always-call", "always-raise", "probe", "triple(0.1,0.4,0.5)")


def entrant(agent: Entrant | str, spec: str = "", team: str = "") -> Entrant:
    return agent if isinstance(agent, Entrant) else Entrant(agent, parse_bot(spec or agent), team)


def tournament(*agents: Entrant | str, game: str = "lhe3", deals: int = 200, **settings: int) -> TournamentJob:
    entrants = tuple(map(entrant, agents))
    return TournamentJob(load_rules(game), TournamentConfig("t", game, deals, entrants, **settings))


def played(job: TournamentJob) -> TournamentResult:
    return job.combine([job.run_batch(index) for index in range(job.num_batches)])


def names_of(job: TournamentJob) -> list[tuple[str, ...]]:
    return [tuple(entrant.name for entrant in members) for members in job.matchups]


def write(folder: Path, text: str) -> Path:
    path = folder / "cup.toml"
    path.write_text(text)
    return path


def test_members_of_a_team_do_not_meet() -> None:
    teams = {"a": "red", "b": "red", "c": "blue", "d": "blue", "e": ""}
    job = tournament(*(entrant(name, "probe", team) for name, team in teams.items()))
    assert names_of(job) == [("a", "c", "e"), ("a", "d", "e"), ("b", "c", "e"), ("b", "d", "e")]
    table = played(job).cross_table
    assert table.teams == {"a": "red", "b": "red", "c": "blue", "d": "blue"}
    assert {matchup.winrates for matchup in table.matchups} == {table.matchups[0].winrates}, "the cards are the same"


def test_each_matchup_is_the_match_that_its_agents_would_play_alone() -> None:
    job = tournament(*CHUMPS, deals=10_500, seed=5)
    assert (job.batch_deals, job.batches_per_matchup, job.num_batches) == (10_000, 2, 8)
    result = played(job)
    members = names_of(job)[2]
    alone = MatchJob(rules=load_rules("lhe3"), agents=tuple(map(parse_bot, members)), deals=10_500, seed=5)
    expected = alone.combine([alone.run_batch(index) for index in range(alone.num_batches)])
    assert result.matches[2].as_dict() == expected.as_dict()
    assert result.cross_table.find(members).winrates == tuple(expected.winrates)
    assert result.cross_table.find(members).ci95 == tuple(expected.ci95)


@pytest.mark.parametrize("most_blocks", [1000, 7])
def test_blocks_add_up_to_the_winrates(monkeypatch: pytest.MonkeyPatch, most_blocks: int) -> None:
    seen: dict[str, Any] = {}

    def note(matchups: Any, sums: Any, deals: Any, **settings: Any) -> Any:
        seen.update(matchups=matchups, sums=sums, deals=deals)
        return rank_confidence(matchups, sums, deals, **settings)

    rank_confidence = tournament_result.rank_confidence
    monkeypatch.setattr(tournament_result, "rank_confidence", note)
    monkeypatch.setattr(tournament_result, "MOST_BLOCKS", most_blocks)
    result = played(tournament(*CHUMPS, deals=400, match_hands=10))
    assert seen["deals"].sum() == 400
    assert len(seen["deals"]) == min(most_blocks, 20)
    winrates = [matchup.winrates for matchup in result.cross_table.matchups]
    np.testing.assert_allclose(seen["sums"].sum(axis=1) / 400, winrates, atol=1e-12)
    np.testing.assert_allclose(result.confidence.bankroll.sum(axis=1), 1)


def test_copies_of_a_deterministic_agent_tie_exactly() -> None:
    job = tournament(entrant("one", "always-call"), entrant("two", "always-call"), "always-fold")
    ranking = bankroll(played(job).cross_table)
    assert ranking.winrate("one") == ranking.winrate("two") > 0
    assert ranking.ties == (("one", "two"),)


def test_behaviour_is_over_all_matchups() -> None:
    result = played(tournament(*CHUMPS))
    assert result.behaviour["always-raise"].hands == 3 * 200 * 6
    assert result.behaviour["always-call"].pfr == 0


@pytest.mark.parametrize(("game", "agents", "seatings"), [("lhe2", 3, 2), ("lhe6", 6, 6)])
def test_any_number_of_seats(game: str, agents: int, seatings: int) -> None:
    job = tournament(*(entrant(f"p{number}", "random") for number in range(agents)), game=game, deals=40)
    result = played(job)
    assert job.num_seatings == seatings == result.matches[0].seatings
    assert abs(result.cross_table.largest_residual) < 1e-9


def test_a_file_says_it_all(tmp_path: Path) -> None:
    (tmp_path / "three.game").write_text(load_rules("lhe3").to_text())
    tables = "".join(f'[[agent]]\nspec = "{spec}"\nteam = "{spec}s"\n' for spec in CHUMPS[:2])
    head = 'name = "cup"\ngame = "three.game"\ndeals = 40\nseed = 7\nmatch_hands = 20\n'
    rules, config = load_tournament(write(tmp_path, head + tables + '[[agent]]\nname = "p"\nspec = "probe"\n'))
    assert config == TournamentConfig(
        "cup",
        "three.game",
        40,
        (
            entrant("always-call", "always-call", "always-calls"),
            entrant("always-raise", "always-raise", "always-raises"),
            entrant("p", "probe"),
        ),
        seed=7,
        match_hands=20,
    )
    assert rules == load_rules("lhe3")
    assert TournamentJob(rules, config).name == "tournament-cup"
    assert load_tournament(tmp_path / "cup.toml", seed=8)[1].seed == 8


def test_what_a_file_need_not_say(tmp_path: Path) -> None:
    _, config = load_tournament(write(tmp_path, 'game = "lhe2"\ndeals = 40\nagents = ["probe", "random"]'))
    assert (config.name, config.seed, config.match_hands) == ("cup", 0, 1)


def test_a_bad_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"none.toml: cannot be read"):
        load_tournament(tmp_path / "none.toml")
    with pytest.raises(FileFormatError, match=r"cup.toml: not a TOML file: .*line 1"):
        load_tournament(write(tmp_path, "game = lhe3"))
    with pytest.raises(ConfigError, match=r"cup.toml: seed = -1"):
        load_tournament(write(tmp_path, 'game = "lhe2"\ndeals = 9\nagents = ["probe", "random"]'), seed=-1)


def test_the_old_word_for_deals_is_told_the_new_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cup.toml: unknown key 'hands'; the deals of a matchup are called 'deals'"):
        load_tournament(write(tmp_path, 'game = "lhe2"\nhands = 40\nagents = ["probe", "random"]'))
