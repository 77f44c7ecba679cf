"""One small result of every kind, made in a moment: what the contract of results and the tests of reports look at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nashgap as ng
from nashgap.api.demo import Demo
from nashgap.api.reproduce import Reproduction
from nashgap.arena.acpc.dealer import DealerResult, PlayerResult
from nashgap.arena.acpc.log import LogCheck, Mismatch
from nashgap.arena.acpc.player import PlayerScore
from nashgap.arena.log_winnings import LogWinnings
from nashgap.arena.match_result import MatchResult
from nashgap.arena.spot_match import SpotMatch
from nashgap.arena.standings import Standings
from nashgap.arena.tournament_result import TournamentResult
from nashgap.core.result import Result
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.dataset import SolvedGames, solve_games
from nashgap.explanations.fit import FitResult, fit
from nashgap.explanations.learners import TreeLearner
from nashgap.explanations.prototype_prices import PricedPrototypes, price_prototypes
from nashgap.explanations.rule_study import RulesResult, find_rules
from nashgap.explanations.strategy_distance import StrategyDistance
from nashgap.jobs.abr_bound import AbrBound
from nashgap.jobs.dataset import Dataset
from nashgap.jobs.experts import ExpertSet, ExpertsForecast
from nashgap.jobs.full_response import FullGap
from nashgap.jobs.lbr_bound import LbrBound
from nashgap.jobs.lbr_compare import LbrComparison
from nashgap.jobs.match_compare import MatchComparison
from nashgap.jobs.rivers import RiverStudy
from nashgap.jobs.run_compare import RunComparison, compare_documents
from nashgap.jobs.side_by_side import SideBySide
from nashgap.jobs.solve import Solution, SolveForecast
from nashgap.jobs.spot import SpotForecast, SpotSolution
from nashgap.jobs.spot_boards import SpotBoards
from nashgap.jobs.train_forecast import TrainForecast
from nashgap.jobs.training import Training
from nashgap.measures.abstract_response import AbstractGap
from nashgap.measures.best_response import Exploitability
from nashgap.measures.bucket_response import BucketGap
from nashgap.poker.game import PokerGame
from nashgap.reports.report import Curve, Plot, Report, Text
from nashgap.solvers.recipe import Recipe, parse_recipe
from nashgap.strategies.check_bot import BotCheck
from nashgap.strategies.check_file import FileCheck
from nashgap.strategies.spot_view import SpotView
from nashgap.strategies.strategy_view import StrategyView

CHUMPS = """
game = "lhe3"
deals = 60
agents = ["always-call", "always-raise", "probe", "random"]
"""


SPOT = {"oop": "AA, KQs, 76s", "ip": "KK, AQs, 54s", "pot": 100, "stack": 300, "iterations": 10}


def sample_spot(**options: Any) -> SpotSolution:
    return ng.solve_spot("Qs Jh 2h 8c 4d", **SPOT, **options)


def small_games() -> tuple[SolvedGames, SolvedGames]:
    """To learn from, and to test on."""
    return solve_games(Stakes(deck=4, stack=1.0, step=0.25), 3, 0, 90).split(60, 30)


def sample_solution(folder: Path) -> Solution:
    return ng.solve("kuhn", iterations=30, run=folder)


def sample_training(_: Path) -> Training:
    return ng.solve("leduc-small", iterations=3_000)


def sample_bound(folder: Path) -> LbrBound:
    return ng.measure("always-call", game="hunl", by="lbr", rounds="3-4", deals=1_500, leaks=True, run=folder)


def sample_advice(folder: Path) -> LbrBound:
    return ng.measure("always-call", game="hunl", by="lbr", rounds="3-4", deals=160, advice=2, run=folder)


def sample_match(_: Path) -> MatchResult:
    return ng.match("always-call", "always-raise", "random", game="lhe3", deals=200)


def sample_tournament(folder: Path) -> TournamentResult:
    file = folder / "chumps.toml"
    file.write_text(CHUMPS)
    return ng.tournament(file)


def _demo(folder: Path) -> Demo:
    bound = ng.measure("always-call", game="leduc2", by="lbr", deals=20)
    return Demo((("always-call", bound),), folder / "bot.safetensors", folder / "leaks.html")


def sample_distance(folder: Path) -> StrategyDistance:
    for iterations in (1, 50):
        ng.solve("kuhn", iterations=iterations).save(folder / f"{iterations}.safetensors")
    return ng.explain.distance(folder / "1.safetensors", folder / "50.safetensors")


def _checked_file(folder: Path) -> Result:
    ng.solve("kuhn", iterations=1).save(folder / "kuhn.safetensors")
    return ng.check(folder / "kuhn.safetensors")


def _dealt(_: Path) -> DealerResult:
    players = (
        PlayerResult("ann", 100.0, 0.5, 0, 0, 0.1, None),
        PlayerResult("bob", -100.0, -0.5, 2, 0, 0.1, "too slow"),
    )
    return DealerResult(players, "bb_per_hand", 20, 0, 1.5)


def sample_log(folder: Path) -> LogWinnings:
    log = ng.match("probe", "random", game="kuhn2", deals=30, log=folder).log_paths[0]
    return ng.acpc.aivat(log, "kuhn2", known={"probe": "probe"})


def _checked_log(_: Path) -> LogCheck:
    return LogCheck(20, 1, (Mismatch(3, 1, ("ann", "bob"), (1.0, -1.0), (2.0, -2.0)),), True, False)


SMALL_EXPERTS = {
    "title": "two experts of 3-player Leduc",
    "game": "leduc3",
    "after": ["rf", "crf"],
    "betting": "full",
    "cards": "lossless",
    "minutes": 0.01,
    "solver": {"schedule": "lcfr"},
}


def small_experts() -> Recipe:
    return parse_recipe(SMALL_EXPERTS, "small-experts", "small-experts", PokerGame("leduc3").rules)


def sample_prototypes(_: Path) -> PricedPrototypes:
    return price_prototypes(*small_games(), (2, 3), seed=0, num_candidates=10, num_judged=30, num_draws=3)


def _reproduced(_: Path) -> Reproduction:
    plot = Plot("Curve", "x", "y", (Curve("ours", [1.0, 2.0], [3.0, 4.0]),))
    return Reproduction("a-table", Report("A table", "As published.", (plot, Text("Notes", ("One.",)))), True, 0)


def sample_run_comparison() -> RunComparison:
    """Of two results with an estimate and an exact number, and one that only the first has."""
    told = {"mean": 1.5, "ci95": 0.5, "samples": 100, "unit": "mbb_per_hand", "nash_conv": 0.25, "only": 1}
    return compare_documents(("first-run", "second-run"), told, {**told, "mean": 3.0, "nash_conv": 0.5, "only": "x"})


SAMPLES: dict[str, tuple[type[Result], Callable[[Path], Result]]] = {
    "run-comparison": (RunComparison, lambda folder: sample_run_comparison()),
    "solution": (Solution, sample_solution),
    "solution by lp": (Solution, lambda _: ng.solve("kuhn", solver="lp")),
    "solution of three": (Solution, lambda _: ng.solve("kuhn(players=3)", iterations=10)),
    "solve forecast": (SolveForecast, lambda _: ng.forecast("kuhn")),
    "spot": (SpotSolution, lambda _: sample_spot()),
    "spot forecast": (SpotForecast, lambda _: ng.forecast_spot("Qs Jh 2h 8c 4d", **SPOT)),
    "spot with a lock": (SpotSolution, lambda _: sample_spot(locks=["x = x"])),
    "spot on boards": (SpotBoards, lambda _: ng.solve_boards(["Qs Jh 2h 8c 4d", "As Kh 2h 8c 4d"], **SPOT)),
    "decision of a spot": (SpotView, lambda _: sample_spot().at("x b50", "AsAc")),
    "strategies of a spot": (SpotMatch, lambda _: ng.match(sample_spot().strategy, sample_spot().strategy)),
    "training": (Training, sample_training),
    "training of three": (Training, lambda _: ng.solve("kuhn3-small", iterations=3_000)),
    "train forecast": (TrainForecast, lambda _: ng.forecast("ir16")),
    "experts": (ExpertSet, lambda _: ng.solve(small_experts(), iterations=300)),
    "experts forecast": (ExpertsForecast, lambda _: ng.forecast(small_experts())),
    "exploitability": (Exploitability, lambda _: ng.measure("uniform", game="leduc")),
    "full gap": (FullGap, lambda _: ng.measure("random", game="leduc2", tree="full")),
    "full gap of drawn flops": (FullGap, lambda _: ng.measure("random", game="leduc2", tree="full", flops=4)),
    "bound": (LbrBound, sample_bound),
    "abr": (AbrBound, lambda _: ng.measure("uniform", game="kuhn", by="abr", episodes=2048, games=500)),
    "side by side": (
        SideBySide,
        lambda _: ng.measure("always-call", game="kuhn2", by="br,lbr,abr", deals=30, episodes=600, games=100),
    ),
    "bound with advice": (LbrBound, sample_advice),
    "versions by lbr": (LbrComparison, lambda _: ng.compare("always-call", "random", game="hunl", deals=100)),
    "versions by match": (MatchComparison, lambda _: ng.compare("poki", "random", game="lhe2", by="match", deals=60)),
    "versions against others": (
        MatchComparison,
        lambda _: ng.compare("poki", "random", game="lhe2", by="match", against=["probe"], deals=60),
    ),
    "versions without luck": (
        MatchComparison,
        lambda _: ng.compare(
            "random", "always-raise", game="kuhn2", by="match", against=["probe"], deals=60, variance="aivat"
        ),
    ),
    "bound without leaks": (LbrBound, lambda _: ng.measure("random", game="kuhn3", by="lbr", deals=30)),
    "abstract gap": (
        AbstractGap,
        lambda folder: ng.measure(sample_training(folder), by="abstract-br", iterations=20, deals=200),
    ),
    "bucket gap": (BucketGap, lambda folder: ng.measure(sample_training(folder), by="bucket-br", deals=2_000)),
    "match": (MatchResult, sample_match),
    "match without luck": (
        MatchResult,
        lambda _: ng.match("probe", "random", game="kuhn2", deals=200, variance="aivat"),
    ),
    "tournament": (TournamentResult, sample_tournament),
    "standings": (Standings, lambda folder: ng.rank(sample_tournament(folder).cross_table)),
    "dataset": (Dataset, lambda _: ng.explain.dataset(20, deck=4, stack=1.0, step=0.25)),
    "fit": (FitResult, lambda _: fit(TreeLearner("pdf+card-cdf", depth=3), *small_games())),
    "rules": (RulesResult, lambda _: find_rules(*small_games(), 2, shakes=0)),
    "rivers": (RiverStudy, lambda _: ng.explain.rivers(20)),
    "prototypes": (PricedPrototypes, sample_prototypes),
    "distance": (StrategyDistance, sample_distance),
    "view": (StrategyView, lambda _: ng.show("always-call", game="hunl")),
    "view of a small game": (StrategyView, lambda _: ng.show("uniform", game="kuhn")),
    "file check": (FileCheck, _checked_file),
    "bot check": (BotCheck, lambda _: ng.check_bot("always-call", "leduc2", states=20)),
    "log check": (LogCheck, _checked_log),
    "log without luck": (LogWinnings, sample_log),
    "dealer": (DealerResult, _dealt),
    "score": (PlayerScore, lambda _: PlayerScore(20, 100.0, 0.5, "bb_per_hand", "ann")),
    "demo": (Demo, _demo),
    "reproduction": (Reproduction, _reproduced),
}
"""Kind and maker, which may write to a folder of its own."""
