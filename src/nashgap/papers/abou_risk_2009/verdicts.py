"""What the reports on Tables 3.1 and 3.2 say in words; every sentence follows from what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from nashgap.papers.abou_risk_2009.published import TABLE_3_1, TABLE_3_2
from nashgap.papers.abou_risk_2009.starts import Outcome, Start

__all__ = [
    "FACTORS",
    "as_fraction",
    "kuhn_summary",
    "kuhn_values",
    "leduc_gains",
    "leduc_summary",
    "leduc_values",
    "nearest_variant",
    "sampled_values",
    "sampling_gains",
    "unit_verdict",
    "value_distance",
    "value_spread",
]

# What the printed values are multiplied with, in case they are in another unit.
FACTORS = (1.0, 0.5, 2.0)
# Gains are alike when none is more than so many times the other.
ONE_SIZE = 3.0
# Gains below are rounding.
NO_GAIN = 1e-12


# Table 3.1


def kuhn_summary(levels: Sequence[float], starts: Sequence[Start], outcomes: Sequence[Outcome], limit: float) -> str:
    """The finding on Table 3.1; the last start samples chance."""
    in_antes, halved = _below(levels, 1.0), _below(levels, 0.5)
    full_width, sampled = outcomes[:-1], outcomes[-1]
    found = _converged(full_width, limit)
    first = (
        f"In antes the printed best responses are impossible in {_positions(in_antes)}, where every best response"
        " earns more"
        if in_antes
        else "In antes the printed best responses are possible"
    )
    second = f"halved they are impossible in {_positions(halved)}" if halved else "halved they are possible"
    apart = f", with values up to {_widest(found):.4f} apart" if len(found) > 1 else ""
    return (
        f"{first}; {second}. From {len(found)} of {len(full_width)} starts full-width CFR comes to an epsilon below"
        f" {limit:g}{apart}; chance sampling, as in the thesis, leaves {sampled.max_gain:.2g} after"
        f" {starts[-1].iterations:,} iterations."
    )


def unit_verdict(levels: Sequence[float]) -> str:
    """Whether the printed best responses can be right in antes, and halved."""
    known = ", ".join(f"{as_fraction(level)} = {level:.6f}" for level in levels)
    printed = ", ".join(map(str, TABLE_3_1.best))
    told = f"Whatever two players do, a best response earns at least {known} in positions 1 to 3; printed are {printed}"
    in_antes, halved = _below(levels, 1.0), _below(levels, 0.5)
    if not in_antes:
        return f"{told}: possible in antes."
    return (
        f"{told}. In antes that cannot be right in {_positions(in_antes)}, for any profile, converged or not; only a"
        f" response that fell {max(levels[p] - TABLE_3_1.best[p] for p in in_antes):.4f} short of the best one could"
        f" earn so little. Halved it {f'cannot in {_positions(halved)}' if halved else 'can in every position'}. A"
        " unit of half an ante would explain a factor of 2: ante and bet of 2 chips each, counted in chips."
    )


def kuhn_values(outcomes: Sequence[Outcome], limit: float) -> str:
    """What the converged starts say about the halved values."""
    found = _converged(outcomes, limit)
    if not found:
        return f"No start came to a largest gain below {limit:g}, so none is compared with the halved values."
    halved, _, _ = TABLE_3_1.scaled(0.5)
    values = np.array([outcome.values for outcome in found])
    off = float(np.abs(values[:, 1] + 1 / 48).max())
    least, most = float(values[:, 0].min()), float(values[:, 0].max())
    # An epsilon-equilibrium need not lie nearer than its epsilon.
    slack = max(TABLE_3_1.improvement) / 2
    where = "within" if least - slack <= halved[0] <= most + slack else "outside"
    return (
        f"In the {len(found)} of {len(outcomes)} starts whose largest gain is below {limit:g}, position 2 earns -1/48 ="
        f" {-1 / 48:.7f} to within {off:.1g}; halved it is printed {abs(halved[1] + 1 / 48):.1g} from that. Position 1"
        f" earns from {least:.6f} to {most:.6f}; the halved value {halved[0]:.6f} is {where} this range, give or take"
        f" the halved epsilon {slack:.4f}. Szafron, Gibson & Sturtevant (2013) describe a continuous family of"
        " equilibria in which value moves between positions 1 and 3."
    )


def sampled_values(sampled: Outcome) -> str:
    """How near chance sampling comes to the halved values."""
    halved, _, _ = TABLE_3_1.scaled(0.5)
    distance = float(np.abs(np.subtract(sampled.values, halved)).max())
    return (
        f"Chance sampling ends at the values {_row(sampled.values)}; the halved ones are {_row(halved)}, up to"
        f" {distance:.2g} away, {'less' if distance < sampled.max_gain else 'more'} than somebody can still gain there."
    )


def sampling_gains(
    starts: Sequence[Start], outcomes: Sequence[Outcome], printed: Sequence[float], label: str
) -> tuple[str, ...]:
    """How chance sampling goes on, shortest first, and whether its gains look like the printed ones."""
    told = ", ".join(
        f"{outcome.max_gain:.2g} after {start.iterations:,}" for start, outcome in zip(starts, outcomes, strict=True)
    )
    before, last = outcomes[-2:]
    fell = last.max_gain / max(before.max_gain, NO_GAIN)
    root = (starts[-2].iterations / starts[-1].iterations) ** 0.5
    if fell >= 1:
        pace = "It did not fall over the last step"
    elif fell > 2 * root:
        pace = "Over the last step it fell less than one over the root of the iterations"
    else:
        pace = "Over the last step it fell like one over the root of the iterations, or faster"
    return (
        f"Chance sampling, the thesis's kind of CFR, has a largest gain of {told} iterations. {pace}. For more than two"
        " players nothing promises that it falls to 0.",
        _likeness(starts, outcomes, printed, label),
    )


def _likeness(starts: Sequence[Start], outcomes: Sequence[Outcome], printed: Sequence[float], label: str) -> str:
    """At which length all three gains are most like the printed ones, and whether that explains those."""
    factors = [_factor_apart(outcome.gains, printed) for outcome in outcomes]
    place = int(np.argmin(factors))
    start, outcome = starts[place], outcomes[place]
    if factors[place] > ONE_SIZE:
        verdict = "Chance sampling does not explain them."
    elif start is starts[-1]:
        verdict = "So chance sampling can explain them, if it stays there until the 10^8 iterations of the thesis."
    else:
        verdict = f"But after {starts[-1].iterations:,} they are {_gains(outcomes[-1].gains)}, and the thesis ran 10^8."
    return (
        f"Its gains are most like the {label} ({_gains(printed)}) after {start.iterations:,} iterations:"
        f" {_gains(outcome.gains)}, each within a factor of {factors[place]:.2g}, with the values"
        f" {_row(outcome.values)}. {verdict}"
    )


def _factor_apart(gains: Sequence[float], printed: Sequence[float]) -> float:
    ratios = np.maximum(gains, NO_GAIN) / np.array(printed)
    return float(np.maximum(ratios, 1 / ratios).max())


def _below(levels: Sequence[float], factor: float) -> list[int]:
    """Positions, 0-based, whose printed best response times the factor is less than any can be."""
    return [player for player, level in enumerate(levels) if factor * TABLE_3_1.best[player] < level]


def _widest(found: Sequence[Outcome]) -> float:
    return float(np.ptp([outcome.values for outcome in found], axis=0).max())


# Table 3.2


def leduc_summary(outcomes: Sequence[Outcome], variants: Sequence[Start], changed: Sequence[Outcome]) -> str:
    """The finding on Table 3.2."""
    best = min(outcomes, key=lambda outcome: outcome.max_gain)
    name, factor, distance, gain = nearest_variant(variants, changed)
    nearest = f"the nearest, {name}, is {distance:.3f} from them times {factor:g}"
    if distance > gain:
        first = f"None of the {len(variants)} sets of rules tried gives the printed values, in three units: {nearest}"
    else:
        first = f"Of the {len(variants)} sets of rules tried {nearest}, no more than its own largest gain"
    failed = max(TABLE_3_2.improvement)
    if best.max_gain < min(TABLE_3_2.improvement):
        second = f"not {failed:.2f}: that CFR fails in 3-player Leduc is not confirmed"
    else:
        second = f"against the {failed:.2f} printed"
    return f"{first}. CFR comes to an epsilon of {best.max_gain:.2g} here, {second}."


def leduc_values(outcomes: Sequence[Outcome], variants: Sequence[Start], changed: Sequence[Outcome]) -> tuple[str, ...]:
    """How far the values of the printed rules, and of changed ones, are from the printed values."""
    best = min(outcomes, key=lambda outcome: outcome.max_gain)
    nearest = min(value_distance(outcome, factor) for outcome in outcomes for factor in FACTORS)
    name, factor, distance, gain = nearest_variant(variants, changed)
    verdict = "more than that profile's largest gain" if distance > gain else "within that profile's largest gain,"
    epsilon = factor * max(TABLE_3_2.improvement)
    caveat = (
        f" Two profiles in which somebody still gains {epsilon:.3f}, as is printed, may differ by as much, so this"
        " alone does not rule these rules out."
        if distance <= epsilon
        else f" It is also more than the printed epsilon in that unit, {epsilon:.3f}."
    )
    return (
        f"By the printed rules positions 1 to 3 earn {_row(best.values)} where CFR has converged best (largest gain"
        f" {best.max_gain:.2g}); printed are {_row(TABLE_3_2.cfr)}. Position 2 loses at most"
        f" {-min(outcome.values[1] for outcome in outcomes):.4f} from any start. As printed, halved or doubled, the"
        f" printed values are at least {nearest:.3f} from those of every start.",
        f"Nearest of the rules tried: {name}, {distance:.3f} from the printed values times {factor:g}, {verdict}"
        f" {gain:.2g}.{caveat}",
    )


def leduc_gains(outcomes: Sequence[Outcome]) -> str:
    """Whether CFR here gets below the printed gains."""
    below = [outcome for outcome in outcomes if outcome.max_gain < min(TABLE_3_2.improvement)]
    best = min(outcome.max_gain for outcome in outcomes)
    return (
        f"From {len(below)} of {len(outcomes)} starts CFR comes below the least printed gain,"
        f" {min(TABLE_3_2.improvement):.2f}, and at best to {best:.2g}."
    )


def value_spread(outcomes: Sequence[Outcome], limit: float) -> tuple[str, ...]:
    """How far the values of converged starts are apart; nothing where fewer than two have converged."""
    found = _converged(outcomes, limit)
    if len(found) < 2:
        return ()
    spread = np.ptp([outcome.values for outcome in found], axis=0)
    gain = max(outcome.max_gain for outcome in found)
    verdict = (
        "more than their gains: different starts lead to different near-equilibria"
        if spread.max() > 2 * gain
        else "which their gains can explain"
    )
    return (
        f"The {len(found)} of {len(outcomes)} starts in which nobody can gain more than {gain:.2g} differ by"
        f" {_row(spread.tolist())} in the values of the three positions, {verdict}.",
    )


def nearest_variant(variants: Sequence[Start], outcomes: Sequence[Outcome]) -> tuple[str, float, float, float]:
    """The variant and factor that come nearest to the printed values, how near, and the variant's largest gain."""
    distance, name, factor, gain = min(
        (value_distance(outcome, factor), variant.name, factor, outcome.max_gain)
        for variant, outcome in zip(variants, outcomes, strict=True)
        for factor in FACTORS
    )
    return name, factor, distance, gain


def value_distance(outcome: Outcome, factor: float) -> float:
    """How far the values are from the printed ones times the factor, in the position that is furthest."""
    return float(np.abs(np.subtract(outcome.values, np.multiply(factor, TABLE_3_2.cfr))).max())


def as_fraction(value: float) -> str:
    return str(Fraction(value).limit_denominator(1000))


def _converged(outcomes: Sequence[Outcome], limit: float) -> list[Outcome]:
    return [outcome for outcome in outcomes if outcome.max_gain < limit]


def _positions(players: Sequence[int]) -> str:
    return f"position{'s' if len(players) > 1 else ''} {' and '.join(str(player + 1) for player in players)}"


def _row(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.4f}" for value in values)


def _gains(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.2g}" for value in values)
