"""Tables 3.1 and 3.2: the nine steps of section 3.3.3 in 3-player Kuhn and Leduc, and what the printed numbers can be.

The thesis ran chance-sampled CFR for 10^8 iterations. Here full-width CFR runs from several starts, and chance sampling
as far as minutes allow; the reports say how near to an equilibrium each one came.
"""

from __future__ import annotations

from collections.abc import Sequence

from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.abou_risk_2009.published import TABLE_3_1, TABLE_3_2
from nashgap.papers.abou_risk_2009.sections import (
    epsilon_section,
    expected_value_section,
    sameness_section,
    sampling_section,
    start_sections,
)
from nashgap.papers.abou_risk_2009.security import security_level
from nashgap.papers.abou_risk_2009.starts import Outcome, Start, StartsJob, compiled
from nashgap.papers.abou_risk_2009.verdicts import (
    FACTORS,
    as_fraction,
    kuhn_summary,
    kuhn_values,
    leduc_gains,
    leduc_summary,
    leduc_values,
    sampled_values,
    sampling_gains,
    unit_verdict,
    value_distance,
    value_spread,
)
from nashgap.reports.report import Report, Table, Text
from nashgap.runs import package_version

__all__ = ["table_3_1", "table_3_2"]

KUHN = "kuhn(players=3)"
LEDUC = "leduc(players=3)"
# Starts whose largest gain is below this count as converged when their values are compared.
KUHN_CONVERGED, KUHN_CONVERGED_QUICK = 1e-5, 1e-4
LEDUC_CONVERGED = 0.002


def table_3_1(request: Request) -> Report:
    """3-player Kuhn: printed, halved, and ours from several starts."""
    name = "thesis-table-3.1"
    limit = KUHN_CONVERGED_QUICK if request.is_quick else KUHN_CONVERGED
    shorter, starts = _kuhn_shorter(request.is_quick), _kuhn_starts(request.is_quick)
    short, outcomes = _run(name, shorter, starts, request=request)
    sampling, sampled = (*shorter, starts[-1]), [*short, outcomes[-1]]
    levels = tuple(security_level(player) for player in range(3))
    _, _, halved_gains = TABLE_3_1.scaled(0.5)
    return Report(
        title="CFR and best responses in 3-player Kuhn (thesis, Table 3.1)",
        summary=kuhn_summary(levels, starts, outcomes, limit),
        sections=(
            expected_value_section("Table 3.1", TABLE_3_1, 0.5, "/ 2", outcomes[-1]),
            epsilon_section(TABLE_3_1, outcomes[-1]),
            *start_sections(starts, outcomes),
            sampling_section(sampling, sampled, halved_gains, "printed / 2"),
            sameness_section(compiled(KUHN), outcomes),
            _security_section(levels),
            Text(
                "What is true of the printed numbers",
                (
                    unit_verdict(levels),
                    kuhn_values(outcomes, limit),
                    sampled_values(outcomes[-1]),
                    *sampling_gains(sampling, sampled, halved_gains, "printed gains halved"),
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
    variants = _leduc_variants(request.is_quick)
    shorter, starts = _leduc_shorter(request.is_quick), _leduc_starts(request.is_quick)
    changed, short, outcomes = _run(name, variants, shorter, starts, request=request)
    sampling, sampled = (*shorter, starts[-1]), [*short, outcomes[-1]]
    return Report(
        title="CFR and best responses in 3-player Leduc (thesis, Table 3.2)",
        summary=leduc_summary(outcomes, variants, changed),
        sections=(
            expected_value_section("Table 3.2", TABLE_3_2, 0.5, "/ 2", outcomes[-1]),
            epsilon_section(TABLE_3_2, outcomes[-1]),
            *start_sections(starts, outcomes),
            sampling_section(sampling, sampled, TABLE_3_2.improvement, "printed"),
            sameness_section(compiled(LEDUC), outcomes),
            _variant_values(variants, changed),
            _variant_distances(variants, changed),
            Text(
                "What is true of the printed numbers",
                (
                    *leduc_values(outcomes, variants, changed),
                    leduc_gains(outcomes),
                    *sampling_gains(sampling, sampled, TABLE_3_2.improvement, "printed gains"),
                    *value_spread(outcomes, LEDUC_CONVERGED),
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
    """The last one samples chance, as the thesis did."""
    profile, response, sampled = (20_000, 2_000, 200_000) if is_quick else (1_000_000, 100_000, 10_000_000)
    return (
        Start("cfr", KUHN, "cfr", profile, response),
        Start("cfr, all at once", KUHN, "cfr", profile, response, is_alternating=False),
        Start("cfr+", KUHN, "cfr+", profile, response),
        Start("dcfr", KUHN, "dcfr", profile, response),
        Start("pcfr+", KUHN, "pcfr+", profile, response),
        *(Start(f"cfr, random {n}", KUHN, "cfr", profile, response, first_strategy=n) for n in (1, 2, 3)),
        _sampling(KUHN, sampled, response),
    )


def _kuhn_shorter(is_quick: bool) -> tuple[Start, ...]:
    """Chance sampling, stopped earlier."""
    return tuple(_sampling(KUHN, iterations) for iterations in ((20_000,) if is_quick else (100_000, 1_000_000)))


def _leduc_starts(is_quick: bool) -> tuple[Start, ...]:
    """The last one samples chance, as the thesis did."""
    if is_quick:
        return (
            Start("cfr", LEDUC, "cfr", 100, 20),
            Start("cfr+", LEDUC, "cfr+", 100, 20),
            _sampling(LEDUC, 2_000, 20),
        )
    profile, response = 5_000, 1_000
    return (
        Start("cfr", LEDUC, "cfr", profile, response),
        Start("cfr, all at once", LEDUC, "cfr", profile, response, is_alternating=False),
        Start("cfr+", LEDUC, "cfr+", profile, response),
        Start("dcfr", LEDUC, "dcfr", profile, response),
        *(Start(f"dcfr, random {n}", LEDUC, "dcfr", profile, response, first_strategy=n) for n in (1, 2)),
        _sampling(LEDUC, 1_000_000, response),
    )


def _leduc_shorter(is_quick: bool) -> tuple[Start, ...]:
    """Chance sampling, stopped earlier."""
    return (_sampling(LEDUC, 200 if is_quick else 100_000),)


def _sampling(game: str, iterations: int, response_iterations: int = 0) -> Start:
    name = "chance sampling" if response_iterations else f"chance sampling, {iterations:,}"
    return Start(name, game, "chance-sampling", iterations, response_iterations)


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


def _run(name: str, *groups: tuple[Start, ...], request: Request) -> list[list[Outcome]]:
    """The outcomes of each group; all are batches of one run."""
    starts = tuple(start for group in groups for start in group)
    outcomes = iter(request.perform_own(StartsJob(name, starts, request.seed)))
    return [[next(outcomes) for _ in group] for group in groups]


def _security_section(levels: tuple[float, ...]) -> Table:
    _, halved, _ = TABLE_3_1.scaled(0.5)
    return Table(
        "Least that any best response is worth, and the printed ones",
        ("antes_per_hand", "as a fraction", "at least", "printed", "printed / 2"),
        tuple(
            (f"P{player + 1}", as_fraction(level), level, TABLE_3_1.best[player], halved[player])
            for player, level in enumerate(levels)
        ),
        note="By a linear program over all that two opponents can agree on; a printed value below the level cannot be.",
    )


def _variant_values(variants: Sequence[Start], outcomes: Sequence[Outcome]) -> Table:
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


def _variant_distances(variants: Sequence[Start], outcomes: Sequence[Outcome]) -> Table:
    rows: tuple[tuple[str | float, ...], ...] = tuple(
        (variant.name, *(round(value_distance(outcome, factor), 4) for factor in FACTORS))
        for variant, outcome in zip(variants, outcomes, strict=True)
    )
    columns = ("changed rules", "printed", "printed / 2", "printed x 2")
    note = "Of the position that is furthest."
    return Table("Distance of the values from the printed ones", columns, rows, note)


def _facts(game: str, request: Request) -> dict[str, object]:
    told = {"game": game, "unit": "antes_per_hand", "seed": request.seed, "quick": request.is_quick}
    return {**told, "version": package_version()}
