"""Tables 3.1 and 3.2: the nine steps of section 3.3.3 in 3-player Kuhn and Leduc, and what the printed numbers can be.

The thesis ran chance-sampled CFR for 10^8 iterations. Here full-width CFR runs until its epsilon is far below every
difference of interest, and chance sampling as far as minutes allow; the reports say how far.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from nashgap.papers.abou_risk_2009.published import TABLE_3_1, TABLE_3_2
from nashgap.papers.abou_risk_2009.sections import (
    epsilon_section,
    expected_value_section,
    sameness_section,
    start_sections,
)
from nashgap.papers.abou_risk_2009.security import security_level
from nashgap.papers.abou_risk_2009.starts import Outcome, Start, StartsJob, compiled
from nashgap.papers.reproduction import Request, command_of, run_batches
from nashgap.runs import Report, Table, Text

__all__ = ["table_3_1", "table_3_2"]

KUHN = "kuhn(players=3)"
LEDUC = "leduc(players=3)"
CHANCE_SAMPLING = "chance sampling"
SHORT_SAMPLING = "the same, shorter"
# Starts whose largest gain is below this count as converged when their values are compared.
CONVERGED = 0.002


def table_3_1(request: Request) -> Report:
    """3-player Kuhn: printed, halved, and ours from several starts."""
    name = "thesis-table-3.1"
    starts = _kuhn_starts(request.is_quick)
    outcomes = _run(name, starts, request)
    sampled = _named(starts, outcomes, CHANCE_SAMPLING)
    levels = tuple(security_level(player) for player in range(3))
    halved, _, _ = TABLE_3_1.scaled(0.5)
    first = [outcome.values[0] for outcome in outcomes]
    second = [outcome.values[1] for outcome in outcomes]
    return Report(
        title="CFR and best responses in 3-player Kuhn (thesis, Table 3.1)",
        summary=(
            "The printed values are twice what the printed rules give: in antes they are impossible, because a best"
            " response in position 1 or 2 always earns more than the printed one; halved they are an ordinary"
            " near-equilibrium. CFR finds equilibria from every start, but not always the same one."
        ),
        sections=(
            expected_value_section("Table 3.1", TABLE_3_1, 0.5, "/ 2", sampled),
            epsilon_section(TABLE_3_1, sampled),
            *start_sections(starts, outcomes),
            sameness_section(compiled(KUHN), outcomes),
            _security_section(levels),
            Text(
                "What is true of the printed numbers",
                (
                    "In antes they cannot be right. Whatever two players do, agreed beforehand or not, a best response"
                    f" earns at least {_fraction(levels[0])} = {levels[0]:.6f} in position 1 and {_fraction(levels[1])}"
                    f" = {levels[1]:.6f} in position 2; the printed best responses earn {TABLE_3_1.best[0]} and"
                    f" {TABLE_3_1.best[1]}. That holds for any profile, converged or not; only a response that stopped"
                    " a hundredth of an ante short of the best one could earn so little.",
                    f"Halved they can. In every equilibrium found here position 2 earns -1/48 = {-1 / 48:.7f} (here"
                    f" {min(second):.7f} to {max(second):.7f}; halved {halved[1]:.7f}). Position 1 earns between"
                    f" {min(first):.6f} and {max(first):.6f}, depending on the start (halved {halved[0]:.6f}): there is"
                    " a continuous family of equilibria, in which value moves between positions 1 and 3"
                    " (Szafron, Gibson & Sturtevant 2013).",
                    "A unit of half an ante explains the factor: the same game with an ante of 2 chips and a bet of 2"
                    " chips, counted in chips.",
                    f"The printed epsilon {TABLE_3_1.epsilon} is not the mean of the printed improvements, which is"
                    f" {TABLE_3_1.mean_improvement:.7f}; the improvements are the printed differences. By the"
                    f" definition of an epsilon-equilibrium it would be the largest, {max(TABLE_3_1.improvement)}.",
                ),
            ),
        ),
        command=command_of(name, request),
        facts=_facts(KUHN, request),
    )


def table_3_2(request: Request) -> Report:
    """3-player Leduc: printed, ours from several starts, and the same game with other rules."""
    name = "thesis-table-3.2"
    starts, variants = _leduc_starts(request.is_quick), _leduc_variants(request.is_quick)
    every = _run(name, (*variants, *starts), request)
    changed, outcomes = every[: len(variants)], every[len(variants) :]
    sampled = _named(starts, outcomes, CHANCE_SAMPLING)
    best = min(outcomes, key=lambda outcome: outcome.max_gain)
    nearest, factor, distance = _nearest(variants, changed)
    return Report(
        title="CFR and best responses in 3-player Leduc (thesis, Table 3.2)",
        summary=(
            "The printed values follow neither from the printed rules, in any unit tried, nor from any of the changed"
            f" rules tried. CFR comes to an epsilon of {best.max_gain:.2g} here, not 0.13: that CFR fails in 3-player"
            " Leduc is not confirmed."
        ),
        sections=(
            expected_value_section("Table 3.2", TABLE_3_2, 0.5, "/ 2", sampled),
            epsilon_section(TABLE_3_2, sampled),
            *start_sections(starts, outcomes),
            sameness_section(compiled(LEDUC), outcomes),
            _variant_values(variants, changed),
            _variant_distances(variants, changed),
            Text(
                "What is true of the printed numbers",
                (
                    f"By the printed rules positions 1 to 3 earn {_row(best.values)} where CFR has converged best"
                    f" (largest gain {best.max_gain:.2g}); printed are {_row(TABLE_3_2.cfr)}. From no start does"
                    " position 2 lose anything like that. Halving or doubling does not help.",
                    f"Nearest of the changed rules: {nearest}, {distance:.3f} away from the printed values times"
                    f" {factor:g}. That is no match.",
                    f"The printed gains of 0.11 to 0.13 are no property of CFR in this game: here it gets to"
                    f" {best.max_gain:.2g}.",
                    *_short_sampling(starts, outcomes),
                    *_value_spread(outcomes),
                    "The printed rows agree with each other: the improvements are the differences, and the values of"
                    " the three positions add up to 0.",
                    "Caps of 4 bets and more were not tried: the tree would pass the limit of 30 million histories.",
                ),
            ),
        ),
        command=command_of(name, request),
        facts=_facts(LEDUC, request),
    )


def _kuhn_starts(is_quick: bool) -> tuple[Start, ...]:
    profile, response, sampled = (20_000, 2_000, 200_000) if is_quick else (1_000_000, 100_000, 10_000_000)
    return (
        Start("cfr", KUHN, "cfr", profile, response),
        Start("cfr, all at once", KUHN, "cfr", profile, response, is_alternating=False),
        Start("cfr+", KUHN, "cfr+", profile, response),
        Start("dcfr", KUHN, "dcfr", profile, response),
        Start("pcfr+", KUHN, "pcfr+", profile, response),
        *(Start(f"cfr, random {n}", KUHN, "cfr", profile, response, first_strategy=n) for n in (1, 2, 3)),
        Start(CHANCE_SAMPLING, KUHN, "chance-sampling", sampled, response),
    )


def _leduc_starts(is_quick: bool) -> tuple[Start, ...]:
    if is_quick:
        return (
            Start("cfr", LEDUC, "cfr", 100, 20),
            Start("cfr+", LEDUC, "cfr+", 100, 20),
            Start(CHANCE_SAMPLING, LEDUC, "chance-sampling", 2_000, 20),
        )
    profile, response = 5_000, 1_000
    return (
        Start("cfr", LEDUC, "cfr", profile, response),
        Start("cfr, all at once", LEDUC, "cfr", profile, response, is_alternating=False),
        Start("cfr+", LEDUC, "cfr+", profile, response),
        Start("dcfr", LEDUC, "dcfr", profile, response),
        *(Start(f"dcfr, random {n}", LEDUC, "dcfr", profile, response, first_strategy=n) for n in (1, 2)),
        Start(CHANCE_SAMPLING, LEDUC, "chance-sampling", 1_000_000, response),
        Start(SHORT_SAMPLING, LEDUC, "chance-sampling", 100_000, response),
    )


def _leduc_variants(is_quick: bool) -> tuple[Start, ...]:
    """The printed rules with one thing changed, or two."""
    changes = {
        "1 bet a round": "raises=1",
        "3 ranks": "ranks=3",
        "3 ranks, 1 bet": "ranks=3,raises=1",
        "as printed": "",
        "5 ranks": "ranks=5",
        "3 bets a round": "raises=3",
        "bets 1 and 2": "bet1=1,bet2=2",
        "bets 2 and 2": "bet1=2,bet2=2",
        "bets 4 and 8": "bet1=4,bet2=8",
        "bets 4 and 2": "bet1=4,bet2=2",
        "3 ranks, bets 4, 8": "ranks=3,bet1=4,bet2=8",
    }
    iterations = 100 if is_quick else 1_000
    chosen = list(changes.items())[:3] if is_quick else list(changes.items())
    return tuple(
        Start(name, f"leduc(players=3,{change})" if change else LEDUC, "cfr+", iterations) for name, change in chosen
    )


def _run(name: str, starts: tuple[Start, ...], request: Request) -> list[Outcome]:
    results = run_batches(StartsJob(name, starts, request.seed), request)
    return [Outcome.from_batch(result) for result in results]


def _named(starts: tuple[Start, ...], outcomes: list[Outcome], name: str) -> Outcome:
    return next(outcome for start, outcome in zip(starts, outcomes, strict=True) if start.name == name)


def _security_section(levels: tuple[float, ...]) -> Table:
    _, halved, _ = TABLE_3_1.scaled(0.5)
    return Table(
        "Least that any best response is worth, and the printed ones",
        ("antes_per_hand", "exact", "at least", "printed", "printed / 2"),
        tuple(
            (f"P{player + 1}", _fraction(level), level, TABLE_3_1.best[player], halved[player])
            for player, level in enumerate(levels)
        ),
        note="By a linear program over all that two opponents can agree on; a printed value below the level cannot be.",
    )


def _variant_values(variants: tuple[Start, ...], outcomes: list[Outcome]) -> Table:
    rows: tuple[tuple[str | float, ...], ...] = tuple(
        (variant.name, *(round(number, 4) for number in (*outcome.values, *outcome.gains)))
        for variant, outcome in zip(variants, outcomes, strict=True)
    )
    columns = ("changed rules", "P1", "P2", "P3", "gain 1", "gain 2", "gain 3")
    printed: tuple[str | float, ...] = (
        "printed",
        *(round(number, 4) for number in (*TABLE_3_2.cfr, *TABLE_3_2.improvement)),
    )
    note = f"CFR+, {variants[0].iterations:,} iterations; exact gains; antes per hand."
    return Table("The same game with other rules", columns, (printed, *rows), note=note)


def _variant_distances(variants: tuple[Start, ...], outcomes: list[Outcome]) -> Table:
    rows: tuple[tuple[str | float, ...], ...] = tuple(
        (variant.name, *(round(_distance(outcome, factor), 4) for factor in FACTORS))
        for variant, outcome in zip(variants, outcomes, strict=True)
    )
    columns = ("changed rules", "printed", "printed / 2", "printed x 2")
    note = "Of the position that is furthest."
    return Table("Distance of the values from the printed ones", columns, rows, note)


FACTORS = (1.0, 0.5, 2.0)


def _distance(outcome: Outcome, factor: float) -> float:
    return float(np.abs(np.subtract(outcome.values, np.multiply(factor, TABLE_3_2.cfr))).max())


def _nearest(variants: tuple[Start, ...], outcomes: list[Outcome]) -> tuple[str, float, float]:
    """The variant and factor that come nearest to the printed values, and how near."""
    distance, name, factor = min(
        (_distance(outcome, factor), variant.name, factor)
        for variant, outcome in zip(variants, outcomes, strict=True)
        for factor in FACTORS
    )
    return name, factor, distance


def _short_sampling(starts: tuple[Start, ...], outcomes: list[Outcome]) -> tuple[str, ...]:
    """What chance sampling has when it is stopped early; nothing where that was not run."""
    return tuple(
        f"Chance sampling stopped after {start.iterations:,} iterations leaves gains of {_row(outcome.gains)}, like the"
        f" printed ones, but with the values {_row(outcome.values)}; and the thesis ran 10^8 iterations."
        for start, outcome in zip(starts, outcomes, strict=True)
        if start.name == SHORT_SAMPLING
    )


def _value_spread(outcomes: list[Outcome]) -> tuple[str, ...]:
    """How far the values of converged starts are apart; nothing where fewer than two have converged."""
    converged = [outcome for outcome in outcomes if outcome.max_gain < CONVERGED]
    if len(converged) < 2:
        return ()
    spread = np.ptp([outcome.values for outcome in converged], axis=0)
    gain = max(outcome.max_gain for outcome in converged)
    return (
        f"The values are not the same from every start: the {len(converged)} starts in which nobody can gain more than"
        f" {gain:.2g} differ by {_row(tuple(spread.tolist()))} in the three positions. Different starts lead to"
        " different near-equilibria, as in Kuhn.",
    )


def _fraction(value: float) -> str:
    return str(Fraction(value).limit_denominator(1000))


def _row(values: tuple[float, ...]) -> str:
    return ", ".join(f"{value:.4f}" for value in values)


def _facts(game: str, request: Request) -> dict[str, object]:
    return {"game": game, "unit": "antes_per_hand", "seed": request.seed, "quick": request.is_quick}
