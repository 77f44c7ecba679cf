"""Best responses as a job: kept, stopped, continued, refused, shown."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy

import nashgap as ng
from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.cli.main import main
from nashgap.core.strategy import Policy
from nashgap.errors import ConfigError, OptionError
from nashgap.jobs.full_response import FullResponseJob
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.hands import hand_names
from nashgap.poker.rules import load_rules
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.spec import as_bot

PYTHON_BOT = f"exec:{sys.executable} {Path(__file__).parents[2] / 'examples' / 'exec_bot.py'}"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A strategy of Leduc in the tree of all its bets."""
    rules = load_rules("leduc2")
    tree = build_betting_tree(rules, parse_betting_abstraction("full"))
    game = AbstractGame(tree, build_abstraction(parse_card_abstraction("lossless"), rules))
    random = np.random.default_rng(1)
    tables = tuple(random.uniform(size=size).astype(np.float32) for size in np.diff(game.entry_start))
    path = tmp_path_factory.mktemp("strategies") / "some.safetensors"
    AbstractStrategy(game, tables).save(path)
    return path


def test_the_gap_of_a_file_is_that_of_its_compiled_game(file):
    exact, found = ng.measure(file, by="br"), ng.measure(file, by="br", tree="own")
    assert found.gains == pytest.approx(exact.gains, abs=1e-5)
    assert found.values == pytest.approx(exact.values, abs=1e-5)
    assert found.nash_conv == pytest.approx(exact.nash_conv, abs=1e-5)
    assert "exactly" in found.summary
    assert list(found.to_frame()["seat"]) == [1, 2]


def test_a_stopped_run_goes_on_with_the_same_numbers(file, tmp_path, monkeypatch):
    whole = ng.measure(file, by="br", tree="own", flops=6, seed=2)
    run_batch, done = FullResponseJob.run_batch, []

    def until_the_fourth(job, index):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(index)
        return run_batch(job, index)

    monkeypatch.setattr(FullResponseJob, "run_batch", until_the_fourth)
    with pytest.raises(KeyboardInterrupt):
        ng.measure(file, by="br", tree="own", flops=6, seed=2, run=tmp_path)
    monkeypatch.setattr(FullResponseJob, "run_batch", run_batch)
    [folder] = [path for path in tmp_path.iterdir() if path.name.startswith("br-")]
    resumed = ng.resume(folder.name, root=tmp_path)
    told, wanted = resumed.as_dict(), whole.as_dict()
    for key in ("gains", "values", "on_fresh_flops", "num_flops"):
        assert told[key] == wanted[key]
    assert (folder / "report.html").exists()


def test_more_drawn_flops_are_the_same_job(file):
    bot, rules = as_bot(file), load_rules("leduc2")
    few, many = (FullResponseJob(rules=rules, strategy=bot, which="drawn", drawn=number) for number in (4, 9))
    assert few.identity() == many.identity()
    assert many.boards[:4] == few.boards


def test_the_command_says_what_is_exact(file, tmp_path, capsys):
    assert main(["measure", str(file), "--tree", "own", "--json", "-q", "--runs", str(tmp_path)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["is_exact"] is True
    assert told["tree"] == "own"
    assert told["nash_conv"] == pytest.approx(sum(told["gains"]))
    given = ["measure", str(file), "--tree", "own", "--flops", "Ks, Qh", "-q", "--runs", str(tmp_path)]
    assert main(given) == 0
    assert "the game whose flops are these 2" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--tree", "other"], "'other' is not a size"),
        (["--tree", "own+"], "own+fcpa"),
        (["--tree", "fc"], "r is not in the betting tree fc; name one"),
        (["--tree", "own", "--flops", "KsQs"], "1 cards of the deck"),
        (["--tree", "own", "--flops", "2s"], "1 cards of the deck"),
        (["--tree", "own", "--flops", "KsKs"], "Ks is there twice"),
        (["--tree", "own", "--flops", "0"], "2 to 1,000,000 are drawn"),
        (["--tree", "own", "--seed", "-1", "--flops", "3"], "seed"),
        (["--flops", "3"], "goes with --tree"),
        (["--tree", "own", "--deals", "30"], "no option of br"),
        (["--by", "bucket-br", "--tree", "own"], "no option of bucket-br"),
    ],
)
def test_bad_options_are_one_line(file, options, problem, capsys, tmp_path):
    runs = ["--runs", str(tmp_path)] if "--tree" in options and "bucket-br" not in options else []
    assert main(["measure", str(file), *options, *runs, "-q"]) == 2
    error = capsys.readouterr().err
    assert problem in " ".join(error.split())
    assert "Traceback" not in error


def test_what_has_no_tree_is_refused():
    with pytest.raises(ConfigError, match="no tree of its own"):
        ng.measure("always-call", game="leduc2", by="br", tree="own")
    with pytest.raises(OptionError, match="name the game"):
        ng.measure("always-call", by="br", tree="full")


def test_a_chump_in_a_tree_that_is_named():
    found = ng.measure("random", game="leduc2", by="br", tree="full")
    exact = ng.measure("random", game="leduc2", by="br")
    assert found.gains == pytest.approx(exact.gains, abs=1e-5)


def test_a_chump_in_holdem_on_some_flops_needs_no_tree():
    found = ng.measure("always-fold", game="lhe2", by="br", flops="QsJh2h, Td9d6h")
    assert found.exploitability == pytest.approx(0.75, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "lost"), [("always-fold", 0.75), ("always-call", 1.163476), ("always-raise", 3.697693)]
)
def test_what_chumps_lose_in_holdem_over_all_flops(name, lost):
    assert ng.measure(name, game="lhe2", by="br", workers=2).exploitability == pytest.approx(lost, abs=1e-6)


class HighCard:
    """Raises and calls with a king, else checks and folds; no suit matters, but nobody says so."""

    digest = "high card"

    def policies(self, states):
        names = hand_names(load_rules("leduc2"))
        has_king = np.array([name[0] == "K" for name in names], float)
        rows = np.column_stack([1 - has_king, has_king])
        moves = [("f", "c") if state.legal.can_fold else ("c", "r") for state in states]
        return [Policy(names, each, rows) for each in moves]


def test_an_object_is_asked_and_answered_exactly():
    exact = ng.measure(HighCard(), game="leduc2", by="br")
    found = ng.measure(HighCard(), game="leduc2", by="br", tree="full")
    assert found.gains == pytest.approx(exact.gains, abs=1e-5)
    assert found.values == pytest.approx(exact.values, abs=1e-5)
    first, second = build_betting_tree(load_rules("leduc2"), parse_betting_abstraction("full")).size.nodes_by_round
    assert found.queries == found.as_dict()["queries"] == 6 * (first + second)  # each of six boards alone
    assert f"It was asked {found.queries:,} questions." in found.summary
    assert found.job.expected_seconds() > 0


def test_a_program_is_asked_and_says_how_many_questions_beforehand(tmp_path, capsys):
    given = [PYTHON_BOT, "--game", "leduc2", "--tree", "full", "--flops", "Ks, Qh", "--runs", str(tmp_path)]
    assert main(["measure", *given]) == 0
    told = capsys.readouterr()
    assert "best responses on 2 flops, 72 questions" in " ".join(told.err.split())
    assert "the game whose flops are these 2" in " ".join(told.out.split())


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (["exec:false", "--game", "leduc2", "--tree", "full"], "exec:false ends its output"),
        ([PYTHON_BOT, "--game", "leduc2", "--tree", "fc"], "r is not in the betting tree fc"),
        ([PYTHON_BOT, "--game", "leduc2", "--tree", "own"], "has no tree of its own"),
        ([PYTHON_BOT, "--game", "leduc3", "--tree", "full"], "3 seats"),
        (["always-call", "--game", "lhe3", "--tree", "full"], "3 seats"),
        (["random", "--game", "hunl", "--tree", "fcpa"], "r200 is not in the betting tree fcpa"),
        (["always-call", "--game", "hunl", "--tree", "fcpa", "--flops", "QsJh2h, QsJh2h8c"], "of different rounds"),
        (["always-call", "--game", "hunl", "--tree", "fcpa", "--flops", "QsJh2h8cQs"], "Qs is there twice"),
    ],
)
def test_what_cannot_be_answered_is_one_line(given, problem, tmp_path, capsys):
    assert main(["measure", *given, "-q", "--runs", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert problem in " ".join(error.split())
    assert len(error) < 300


def test_the_tree_of_a_file_by_its_bets_is_its_own(file):
    own = ng.measure(file, by="br", tree="own")
    for tree in ("full", "own+full", "own+fc"):
        found = ng.measure(file, by="br", tree=tree)
        assert found.gains == pytest.approx(own.gains, abs=1e-6)
        assert found.as_dict()["tree"] == tree


@pytest.mark.slow
def test_a_turn_of_holdem_takes_seconds_and_is_no_less_with_more_bets(tmp_path):
    rules = load_rules("hunl")
    game = abstract_game(rules, "fcpa caps=1", "percentile(ehs2, 10/10/10/10, recall=none)")
    strategy = random_abstract_strategy(game, 1)
    own, same, more = (
        ng.measure(strategy, by="br", tree=tree, flops="QsJh2h8c") for tree in ("own", "fcpa caps=1", "own+0.5 caps=1")
    )
    assert same.gains == pytest.approx(own.gains, rel=1e-5)
    assert more.exploitability >= own.exploitability
    assert "the game of this one board" in more.summary
