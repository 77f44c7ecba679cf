"""Table 3: chumps in limit hold'em for two, by ABR, by LBR, and by the exact best response.

The exact side is there because chumps ignore their cards. The paper's unit is the big blind, which is one small bet,
and its NashConv adds up both seats. That gives its numbers for always-fold and always-call, and not for uniform random
play, for which several readings are held against the print.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nashgap.core.estimate import Estimate
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.statements import Statement, is_positive, num_true, statement_table
from nashgap.papers.timbers_2020.published import TABLE_3
from nashgap.papers.timbers_2020.responders import respond, respond_locally, share_text
from nashgap.reports.report import Report, Table, Text
from nashgap.runs import package_version

__all__ = ["READINGS", "Row", "check_chumps", "matching_readings", "table_3"]

GAME, PRESET = "lhe2", "tree"
FOLD, CALL, RANDOM = TABLE_3

# What NashConv might have been meant to be: of what is won in the big blind and on the button.
READINGS: dict[str, Callable[[float, float], float]] = {
    "both seats, big blinds": lambda blind, button: blind + button,
    "mean of the seats, big blinds": lambda blind, button: (blind + button) / 2,
    "both seats, small blinds": lambda blind, button: 2 * (blind + button),
    "mean of the seats, big bets": lambda blind, button: (blind + button) / 4,
    "twice the big blind": lambda blind, button: 2 * blind,
    "twice the button": lambda blind, button: 2 * button,
}


@dataclass(frozen=True)
class Row:
    """seats: exact best responses, in the big blind and on the button. abr, lbr: both seats together."""

    seats: tuple[float, float]
    abr: Estimate
    lbr: Estimate

    @property
    def nash_conv(self) -> float:
        """Both seats: a chump wins 0 from itself over both."""
        return sum(self.seats)


def table_3(request: Request) -> Report:
    """Printed and ours by all three measures, and which reading gives the printed NashConv."""
    request.note("exact best responses to three chumps, over all flops, take some minutes")
    rows = {chump: _row(chump, request) for chump in TABLE_3}
    statements = check_chumps(rows)
    fits = {chump: matching_readings(chump, row.seats) for chump, row in rows.items()}
    odd = [chump for chump, readings in fits.items() if next(iter(READINGS)) not in readings]
    return Report(
        title="Chumps in limit hold'em by ABR, LBR and best response (Timbers et al. 2020, Table 3)",
        summary=(
            f"{num_true(statements)} of {len(statements)} statements hold. Big blinds and both seats give the printed"
            f" NashConv of {' and '.join(chump for chump in rows if chump not in odd)}"
            + (f", and not of {' and '.join(odd)}." if odd else ".")
        ),
        sections=(
            _main(rows),
            _readings(rows, fits),
            statement_table("What the table says", statements),
            Text("What is measured", _NOTES),
        ),
        command=command_of("abr-table-3", request),
        facts={"game": GAME, "unit": "big blinds a game", "seed": request.seed, "version": package_version()},
    )


def _row(chump: str, request: Request) -> Row:
    bound = respond(chump, GAME, PRESET, request)
    assert bound.exact is not None, "what ignores its cards is answered exactly"
    blind, button = bound.exact.best_values
    return Row((blind, button), bound.estimate, respond_locally(chump, GAME, request))


def matching_readings(chump: str, seats: tuple[float, float]) -> tuple[str, ...]:
    """Those that give the printed NashConv, to all its digits."""
    printed = TABLE_3[chump].nash_conv
    return tuple(name for name, read in READINGS.items() if round(read(*seats), 2) == printed)


def check_chumps(rows: Mapping[str, Row]) -> tuple[Statement, ...]:
    """What is printed of each chump and measure, by intervals."""

    def nash_conv(chump: str) -> Statement:
        row, printed = rows[chump], TABLE_3[chump].nash_conv
        others = " and ".join(matching_readings(chump, row.seats)) or "no reading"
        return Statement(
            f"{chump}: NashConv {printed:.2f}, of both seats in big blinds",
            round(row.nash_conv, 2) == printed,
            f"{row.nash_conv:.4f}: {row.seats[0]:.4f} in the big blind and {row.seats[1]:.4f} on the button;"
            f" {printed:.2f} is {others}",
        )

    def compared(text: str, first: Estimate, second: Estimate) -> Statement:
        ahead = is_positive(first.mean - second.mean, first.ci95 + second.ci95)
        return Statement(text, ahead, f"{_shown(first)} against {_shown(second)}")

    random, call = rows[RANDOM], rows[CALL]
    local = {chump: (TABLE_3[chump].lbr / TABLE_3[chump].nash_conv, row) for chump, row in rows.items()}
    return (
        *(nash_conv(chump) for chump in rows),
        compared("ABR wins more from random play than LBR does", random.abr, random.lbr),
        compared("LBR wins more from always-call than ABR does", call.lbr, call.abr),
        *(
            Statement(
                f"{chump}: LBR finds {share:.1%} of NashConv",
                abs(row.lbr.mean / row.nash_conv - share) <= row.lbr.ci95 / row.nash_conv + 0.005,
                share_text(row.lbr, row.nash_conv),
            )
            for chump, (share, row) in local.items()
        ),
    )


def _main(rows: Mapping[str, Row]) -> Table:
    cells = tuple(
        (
            chump,
            f"{TABLE_3[chump].nash_conv:.2f}",
            f"{row.nash_conv:.4f}",
            f"{TABLE_3[chump].abr:.2f}",
            f"{_shown(row.abr)} ({share_text(row.abr, row.nash_conv)})",
            f"{TABLE_3[chump].lbr:g}",
            f"{_shown(row.lbr)} ({share_text(row.lbr, row.nash_conv)})",
        )
        for chump, row in rows.items()
    )
    columns = ("chump", "NashConv: printed", "exact", "ABR: printed", "ours", "LBR: printed", "ours")
    note = "Big blinds a game, both seats added up; in brackets the share of the exact NashConv."
    return Table("Table 3", columns, cells, note)


def _readings(rows: Mapping[str, Row], fits: Mapping[str, tuple[str, ...]]) -> Table:
    cells = tuple(
        (name, *(f"{read(*row.seats):.4f}{' agrees' if name in fits[chump] else ''}" for chump, row in rows.items()))
        for name, read in READINGS.items()
    )
    printed = ("printed", *(f"{TABLE_3[chump].nash_conv:.2f}" for chump in rows))
    return Table("Readings of the printed NashConv", ("reading", *rows), (printed, *cells))


def _shown(estimate: Estimate) -> str:
    return f"{estimate.mean:.3f} ± {estimate.ci95:.3f}"


_NOTES = (
    "Chumps play as `nashgap` knows them: random takes each legal action equally often, and nobody folds for free.",
    "Other readings of random play were counted once and give no 8.80 over both seats either: fold, call and raise a"
    " third each, what is not legal being a call, 6.267; four raises before the flop, 6.965; three in all rounds,"
    " 6.411. Twice the button is 7.517, 8.802 and 7.566 there.",
    "Twice the button is what random play loses where it is in the big blind, counted for both seats. So read, the"
    " printed ABR of 8.71 is possible, too: over both seats nobody can win more than 6.933.",
    "Responders of ABR tell hands apart by buckets; what they win is won at the real table, from seats of their own.",
)
