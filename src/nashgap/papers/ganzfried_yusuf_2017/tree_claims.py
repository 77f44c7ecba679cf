"""What the paper says of its trees, decided by our curves, each at its best depth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from nashgap.core.estimate import Estimate
from nashgap.explanations.representations import REPRESENTATIONS, CardInput
from nashgap.explanations.scores import Scores
from nashgap.papers.ganzfried_yusuf_2017.trees_job import CutTree, TreeCurves
from nashgap.papers.statements import Statement

__all__ = [
    "Read",
    "best_cut",
    "check_claims",
    "error_of",
    "exploitability_of",
    "listed_depths",
    "numbered",
    "rising_depths",
    "value_lost_of",
]

Read = Callable[[Scores], Estimate]
"""One of the scores."""

CLAIMED_BEST = "pdf+card-cdf"


def error_of(scores: Scores) -> Estimate:
    return scores.output_distance


def exploitability_of(scores: Scores) -> Estimate:
    return scores.exploitability


def value_lost_of(scores: Scores) -> Estimate:
    return scores.value_lost


def best_cut(cuts: Sequence[CutTree], read: Read) -> CutTree:
    """The least deep of those with the lowest score."""
    return min(cuts, key=lambda cut: read(cut.scores).mean)


def rising_depths(cuts: Sequence[CutTree]) -> list[int]:
    """Depths whose error is above that of the depth before, on the same test games."""
    return [
        later.depth for sooner, later in pairwise(cuts) if error_of(later.scores).mean > error_of(sooner.scores).mean
    ]


def listed_depths(depths: Sequence[int]) -> str:
    """Such as `5, 9-20`."""
    runs: list[list[int]] = []
    for depth in depths:
        if runs and depth == runs[-1][-1] + 1:
            runs[-1].append(depth)
        else:
            runs.append([depth])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def numbered(name: str) -> str:
    """The representation with its number in the paper."""
    return f"{REPRESENTATIONS[name].number} {name}"


def check_claims(curves: TreeCurves, choice: str) -> tuple[Statement, ...]:
    """The claims of section 4, for trees fitted to that choice of equilibrium."""
    by_name = {name: curves[choice, name] for name in REPRESENTATIONS}
    errors = {name: error_of(best_cut(cuts, error_of).scores).mean for name, cuts in by_name.items()}
    prices = {name: exploitability_of(best_cut(cuts, exploitability_of).scores).mean for name, cuts in by_name.items()}
    best = min(errors, key=lambda name: errors[name])
    return (
        _monotone_statement(by_name),
        Statement(
            f"{CLAIMED_BEST} has the lowest error (the paper calls it its fourth; it is the sixth of its list)",
            best == CLAIMED_BEST,
            f"{numbered(best)} has {errors[best]:.4f}, {CLAIMED_BEST} {errors[CLAIMED_BEST]:.4f}",
        ),
        _features_statement(errors),
        _outputs_statement("outputs for each card have lower errors than all bets at once", errors, False),
        _outputs_statement("all bets at once would be less exploitable", prices, True),
    )


def _monotone_statement(by_name: Mapping[str, Sequence[CutTree]]) -> Statement:
    rising = {name: rising_depths(cuts) for name, cuts in by_name.items()}
    told = "; ".join(f"{name} rises at {listed_depths(depths)}" for name, depths in rising.items() if depths)
    is_true = not any(rising.values())
    return Statement("the error decreases monotonically with depth", is_true, told or "none of the ten curves rises")


def _features_statement(errors: Mapping[str, float]) -> Statement:
    pairs = [(name, name.replace("cdf", "pdf", 1)) for name in REPRESENTATIONS if REPRESENTATIONS[name].is_cumulative]
    better = sum(errors[plain] < errors[cumulative] for cumulative, plain in pairs)
    told = "; ".join(
        f"{plain} {errors[plain]:.4f}, {cumulative} {errors[cumulative]:.4f}" for cumulative, plain in pairs
    )
    return Statement(
        "pdf features generally outperform cdf features",
        2 * better > len(pairs),
        f"in {better} of {len(pairs)} pairs: {told}",
    )


def _outputs_statement(text: str, found: Mapping[str, float], is_all_better: bool) -> Statement:
    """Rows by card, with probabilities as outputs, against rows by game with the same distributions as inputs."""
    pairs = [
        (whole.name, each.name)
        for whole in REPRESENTATIONS.values()
        if whole.card is CardInput.ALL
        for each in REPRESENTATIONS.values()
        if each.is_per_card and not each.is_single_bet and each.is_cumulative == whole.is_cumulative
    ]
    names = dict.fromkeys(name for pair in pairs for name in pair)
    is_true = all((found[whole] < found[each]) == is_all_better for whole, each in pairs)
    return Statement(text, is_true, "; ".join(f"{name} {found[name]:.4f}" for name in names))
