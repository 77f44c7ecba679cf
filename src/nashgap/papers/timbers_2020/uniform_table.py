"""Table 4: ABR with function approximation against uniform play in Liar's dice, Leduc and Kuhn.

Beside it the tabular responder; and LBR in the two games of poker, of which the paper says that it does poorly in small
ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nashgap.core.estimate import Estimate
from nashgap.jobs.abr_bound import AbrBound
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.statements import Statement, all_true, is_positive, num_true, statement_table
from nashgap.papers.timbers_2020.published import KUHN, LEDUC, LIARS_DICE, TABLE_4
from nashgap.papers.timbers_2020.responders import (
    NETWORKS,
    PRESET_TEXTS,
    networks_missing,
    respond_by,
    respond_locally,
    share_text,
)
from nashgap.reports.report import Cell, Report, Table, Text
from nashgap.runs import package_version

__all__ = ["Row", "check_table", "table_4"]

PRESETS = ("tree", *NETWORKS)
POKER_RULES = {LEDUC: "leduc2", KUHN: "kuhn2"}  # the same games at the poker table
NAMES = {LIARS_DICE: "Liar's dice", LEDUC: "Leduc", KUHN: "Kuhn"}
LEAST_PRINTED = min(row.abr / row.nash_conv for row in TABLE_4.values())


@dataclass(frozen=True)
class Row:
    """exact: NashConv of uniform play. found: by preset. lbr: of both seats together; None where it cannot play."""

    exact: float
    found: Mapping[str, Estimate]
    lbr: Estimate | None = None

    @property
    def best(self) -> tuple[str, Estimate]:
        """The responders that win most, networks where there are any: the table is of these."""
        networks = {preset: each for preset, each in self.found.items() if preset in NETWORKS}
        known = networks or self.found
        preset = max(known, key=lambda name: known[name].mean)
        return preset, known[preset]


def table_4(request: Request) -> Report:
    """Printed and ours by preset, with LBR where it can play."""
    rows = {game: _row(game, request) for game in TABLE_4}
    statements = check_table(rows)
    told = ", ".join(f"{NAMES[game]} {share_text(row.best[1], row.exact)}" for game, row in rows.items())
    return Report(
        title="ABR against uniform play (Timbers et al. 2020, Table 4)",
        summary=f"{num_true(statements)} of {len(statements)} statements hold. Of the exact NashConv: {told}.",
        sections=(
            _main(rows),
            _presets(rows),
            statement_table("What the paper says of it", statements),
            Text("What is measured", _notes()),
        ),
        command=command_of("abr-table-4", request),
        facts={"opponent": "uniform", "seed": request.seed, "version": package_version()},
    )


def _row(game: str, request: Request) -> Row:
    bounds: dict[str, AbrBound] = respond_by(PRESETS, "uniform", game, request)
    exact = next(iter(bounds.values())).exact_nash_conv
    assert exact is not None, "small games are known exactly"
    lbr = respond_locally("random", POKER_RULES[game], request) if game in POKER_RULES else None
    return Row(exact, {preset: bound.estimate for preset, bound in bounds.items()}, lbr)


def check_table(rows: Mapping[str, Row]) -> tuple[Statement, ...]:
    """What is said of the table, and of LBR in small games."""
    close = {game: is_positive(*_above(row.best[1], LEAST_PRINTED, row.exact)) for game, row in rows.items()}
    kuhn = rows[KUHN]
    local = {game: (row.lbr, row) for game, row in rows.items() if row.lbr is not None}
    poor = [is_positive(*_above(lbr, LEAST_PRINTED, row.exact)) for lbr, row in local.values()]
    over = [is_positive(lbr.mean - row.best[1].mean, lbr.ci95 + row.best[1].ci95) for lbr, row in local.values()]
    shown = "; ".join(
        f"{NAMES[game]}: LBR {share_text(lbr, row.exact)}, ABR {share_text(row.best[1], row.exact)}"
        for game, (lbr, row) in local.items()
    )
    return (
        Statement(
            "the exact NashConv of uniform play is 1.561490, 4.747222 and 0.916667",
            all(abs(row.exact - TABLE_4[game].nash_conv) < 2e-6 for game, row in rows.items()),
            ", ".join(f"{row.exact:.7f}" for row in rows.values()),
        ),
        Statement(
            f"ABR comes reasonably close to it, at least {LEAST_PRINTED:.1%} of it",
            all_true(close.values()),
            "; ".join(
                f"{NAMES[game]} {row.best[0]} {share_text(row.best[1], row.exact)}" for game, row in rows.items()
            ),
        ),
        Statement(
            "what is above the exact value, as printed of Kuhn, is the luck of the games that were counted",
            not any(is_positive(*_above(each, 1.0, row.exact)) for row in rows.values() for each in row.found.values()),
            "responders are frozen first, and none is above it beyond the interval of its fresh games; Kuhn"
            f" {kuhn.best[1].mean:.4f} ± {kuhn.best[1].ci95:.4f} against {kuhn.exact:.4f}",
        ),
        Statement(
            f"LBR does a poor job in small games of poker, below {LEAST_PRINTED:.1%}",
            all_true(None if above is None else not above for above in poor),
            shown,
        ),
        Statement(
            "ABR finds more there than LBR", all_true(None if each is None else not each for each in over), shown
        ),
    )


def _above(estimate: Estimate, share: float, exact: float) -> tuple[float, float]:
    """How far an estimate is above a share of the exact value, and the half-width of that."""
    return estimate.mean - share * exact, estimate.ci95


def _main(rows: Mapping[str, Row]) -> Table:
    cells: list[tuple[Cell, ...]] = []
    for game, row in rows.items():
        printed, (preset, ours) = TABLE_4[game], row.best
        cells.append(
            (
                NAMES[game],
                f"{printed.nash_conv:.6f}",
                f"{row.exact:.6f}",
                f"{printed.abr:g} ({printed.abr / printed.nash_conv:.1%})",
                f"{ours.mean:.4f} ± {ours.ci95:.4f} ({share_text(ours, row.exact)}), {preset}",
                "-"
                if row.lbr is None
                else f"{row.lbr.mean:.4f} ± {row.lbr.ci95:.4f} ({share_text(row.lbr, row.exact)})",
            )
        )
    columns = ("game", "NashConv: printed", "ours", "ABR: printed", "ours", "LBR: ours")
    note = "Both seats added up; in brackets the share of NashConv. LBR plays poker only, by the same rules."
    return Table("Table 4", columns, tuple(cells), note)


def _presets(rows: Mapping[str, Row]) -> Table:
    presets = [preset for preset in PRESETS if all(preset in row.found for row in rows.values())]
    cells = tuple(
        (NAMES[game], *(share_text(row.found[preset], row.exact) for preset in presets)) for game, row in rows.items()
    )
    note = "; ".join(f"{preset}: {PRESET_TEXTS[preset]}" for preset in presets)
    return Table("Share of NashConv by what learns", ("game", *presets), cells, f"{note}.")


def _notes() -> tuple[str, ...]:
    best = (
        "The column of ours has the network that wins most; where two were tried, the better one is a little flattered."
    )
    return tuple(filter(None, (best, networks_missing())))
