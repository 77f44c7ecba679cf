"""Best responses as a job: kept, stopped, continued, refused, shown."""

import json

import numpy as np
import pytest

import nashgap as ng
from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.cli.main import main
from nashgap.errors import ConfigError, OptionError
from nashgap.jobs.full_response import FullResponseJob
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.rules import load_rules
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.spec import as_bot


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
        (["--tree", "other"], "measured in its own tree"),
        (["--tree", "own", "--flops", "KsQs"], "1 cards of the deck"),
        (["--tree", "own", "--flops", "2s"], "1 cards of the deck"),
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
