"""Table 2: LBR against chumps, every cell, for each reading of the words that describe them.

The paper's statements on chumps are checked as well, and always-call against its exact values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nashgap.core.estimate import Estimate
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.lisy_bowling_2016.agreement import (
    RULE,
    agrees,
    distance,
    ours_text,
    printed_text,
)
from nashgap.papers.lisy_bowling_2016.always_call import ALWAYS_CALL_VALUES, STACK
from nashgap.papers.lisy_bowling_2016.published import BEST_RESPONSE_TO_CALLING, FOLDING, TABLE_2, Printed
from nashgap.papers.lisy_bowling_2016.readings import (
    CALL,
    HALF,
    RANDOM,
    READINGS,
    ROWS,
    Cell,
    ChumpsJob,
)
from nashgap.papers.statements import Statement, statement_table
from nashgap.reports.report import Report, Section, Table, Text
from nashgap.runs import package_version

__all__ = ["check_statements", "matching_reading", "odd_cells", "pair_distances", "printed_cell", "table_2"]

DEALS, QUICK_DEALS = 50_000, 2_500
SECONDS_PER_BLOCK = 24  # about, of all cells in one process; for the forecast
COLUMNS = (CALL, HALF, RANDOM)
BETS, ROUNDS = ("fc", "fcpa"), ("1-4", "3-4")

Cells = Mapping[Cell, Estimate]


def table_2(request: Request) -> Report:
    """Table 2 beside ours, the readings of its columns, and exact values for always-call."""
    job = ChumpsJob(seed=request.seed, deals=QUICK_DEALS if request.is_quick else DEALS)
    minutes = job.deals / job.block_deals * SECONDS_PER_BLOCK / request.num_processes / 60
    request.note(f"{len(job.cells)} cells of {job.deals:,} deals, about {max(1, round(minutes))} minutes")
    cells: Cells = request.perform_own(job)
    chosen = {column: matching_reading(column, cells) for column in COLUMNS}
    agreeing = sum(agrees(printed_cell(*cell), cells[cell]) for cell in _printed_cells(chosen))
    odd = {column: odd_cells(column, cells) for column in COLUMNS}
    told = "; ".join(
        f"{' and '.join(f'{bets} {rounds}' for bets, rounds in where)} against {column}"
        for column, where in odd.items()
        if where
    )
    return Report(
        title="LBR against chumps (Lisý & Bowling 2016, Table 2)",
        summary=(
            f"{agreeing} of 12 cells agree with the print in the readings that fit best. {_readings_told(chosen)}."
            f" {f'No reading gives what is printed for {told}.' if told else 'Every cell fits some reading.'}"
        ),
        sections=(
            _cells_section(cells, chosen),
            _readings_section(HALF, cells),
            _readings_section(RANDOM, cells),
            _exact_section(cells),
            statement_table("What the paper says of chumps", check_statements(cells, chosen)),
            *_exchange_section(cells, chosen),
            _notes(),
        ),
        command=command_of("lbr-table-2", request),
        facts={
            "game": "hunl",
            "unit": "BB/h",
            "deals of a cell": job.deals,
            "seatings of each deal": 2,
            "seed": request.seed,
            "version": package_version(),
        },
    )


def printed_cell(key: str, bets: str, rounds: str) -> Printed:
    return TABLE_2[bets, rounds][COLUMNS.index(READINGS[key].column)]


def matching_reading(column: str, cells: Cells) -> str:
    """The reading that agrees with most printed cells, then the nearest; two cells of a kind of bets may be exchanged.

    Else a mistake in print would decide.
    """

    def fit(key: str) -> tuple[int, float]:
        apart = [each for bets in BETS for each in min(pair_distances(key, bets, cells), key=_square)]
        return -sum(each <= 1 for each in apart), _square(apart)

    return min(_keys(column), key=fit)


def pair_distances(key: str, bets: str, cells: Cells) -> tuple[list[float], list[float]]:
    """How far both printed cells with these bets, rounds 1-4 and 3-4, are from ours; as printed, and exchanged."""
    printed = [printed_cell(key, bets, rounds) for rounds in ROUNDS]
    ours = [cells[key, bets, rounds] for rounds in ROUNDS]
    return list(map(distance, printed, ours)), list(map(distance, printed, reversed(ours)))


def odd_cells(column: str, cells: Cells) -> list[tuple[str, str]]:
    """Bets and rounds of the printed cells that agree with no reading of their column."""
    return [
        row for row in TABLE_2 if not any(agrees(printed_cell(key, *row), cells[(key, *row)]) for key in _keys(column))
    ]


def check_statements(cells: Cells, chosen: Mapping[str, str]) -> tuple[Statement, ...]:
    """The section on chumps, sentence by sentence, for the readings chosen."""
    best = ALWAYS_CALL_VALUES["4"]
    half, rand = chosen[HALF], chosen[RANDOM]

    def shown(*cell: str) -> str:
        key, bets, rounds = cell
        return f"{bets} {rounds}: {ours_text(cells[key, bets, rounds])}"

    later = [(cells[half, bets, "1-4"], cells[half, bets, "3-4"]) for bets in ("fc", "fcpa")]
    most = {key: max(cells[(key, *row)].mean for row in ROWS) for key in (*chosen.values(), "fold")}
    folding = {row: cells[("fold", *row)] for row in ROWS}
    return (
        Statement(
            "a best response to always-call wins about a quarter of the stack, 50 BB/h",
            abs(float(best) / BEST_RESPONSE_TO_CALLING - 1) < 0.05,
            f"exactly {float(best):.4f} BB/h, {float(best) / STACK:.2%} of the stack",
        ),
        Statement(
            "LBR that waits for the last round wins all of that",
            agrees(Printed(float(best)), cells["call", "fcpa", "4"]),
            f"{shown('call', 'fcpa', '4')}; it plays the best response",
        ),
        Statement(
            "LBR in all rounds wins 33 BB/h of it (text; 34.0 in the table), in rounds 3-4 almost all",
            round(float(ALWAYS_CALL_VALUES["1-4"])) in (33, 34) and ALWAYS_CALL_VALUES["3-4"] > 0.95 * best,
            f"exactly {float(ALWAYS_CALL_VALUES['1-4']):.4f} and {float(ALWAYS_CALL_VALUES['3-4']):.4f}",
        ),
        Statement(
            "against half call half raise, waiting for more public cards wins more",
            all(early.mean + early.ci95 < late.mean - late.ci95 for early, late in later),
            "; ".join(shown(half, *row) for row in TABLE_2),
        ),
        Statement(
            "half call half raise loses less than always-call",
            most[half] < most["call"],
            f"at most {most[half]:.1f} against {most['call']:.1f}",
        ),
        Statement(
            "random play loses most",
            most[rand] == max(most.values()),
            ", ".join(f"{READINGS[key].column} at most {value:.1f}" for key, value in most.items()),
        ),
        Statement(
            "folding every hand loses 750 mBB/h",
            all(1000 * folding[row].mean == FOLDING and folding[row].ci95 == 0 for row in ROWS if row[0] == "fcpa"),
            f"LBR wins {1000 * folding['fcpa', '1-4'].mean:g} in every deal if it may bet in any round: the small blind"
            " is folded to it, the big blind folds to its first bet. With fold and call only it never bets, the big"
            f" blind checks for free to an even showdown, and it wins {1000 * folding['fc', '1-4'].mean:.0f} (250 in"
            " expectation)",
        ),
    )


def _keys(column: str) -> list[str]:
    return [key for key, reading in READINGS.items() if reading.column == column]


def _printed_cells(chosen: Mapping[str, str]) -> list[Cell]:
    return [(chosen[column], *row) for column in COLUMNS for row in TABLE_2]


def _readings_told(chosen: Mapping[str, str]) -> str:
    return "; ".join(
        f"{column}, of {len(_keys(column))} readings: {READINGS[key].text}"
        for column, key in chosen.items()
        if READINGS[key].text
    )


def _cells_section(cells: Cells, chosen: Mapping[str, str]) -> Table:
    rows = []
    for column, key in chosen.items():
        for row in ROWS:
            printed = printed_cell(key, *row) if row in TABLE_2 else None
            verdict = "" if printed is None else _verdict(key, row, cells)
            rows.append((column, *row, printed_text(printed), ours_text(cells[(key, *row)]), verdict))
    return Table("Table 2", ("against", "bets", "rounds", "printed", "ours", "verdict"), tuple(rows), f"BB/h. {RULE}")


def _verdict(key: str, row: tuple[str, str], cells: Cells) -> str:
    straight, crossed = (each[ROUNDS.index(row[1])] for each in pair_distances(key, row[0], cells))
    return "agrees" if straight <= 1 else "agrees if exchanged" if crossed <= 1 else "differs"


def _square(values: Iterable[float]) -> float:
    return sum(value * value for value in values)


def _readings_section(column: str, cells: Cells) -> Table:
    keys = _keys(column)
    rows: list[tuple[str, ...]] = [
        (*row, printed_text(printed_cell(keys[0], *row)), *(ours_text(cells[(key, *row)]) for key in keys))
        for row in TABLE_2
    ]
    fits = [[agrees(printed_cell(key, *row), cells[(key, *row)]) for row in TABLE_2] for key in keys]
    rows.append(("", "", "agree", *(f"{sum(fit)} of {len(fit)}" for fit in fits)))
    texts = "; ".join(f"{READINGS[key].name}: {READINGS[key].text}" for key in keys)
    names = (READINGS[key].name for key in keys)
    return Table(f"Readings of {column}", ("bets", "rounds", "printed", *names), tuple(rows), f"BB/h. {texts}.")


def _exact_section(cells: Cells) -> Table:
    rows = tuple(
        (
            rounds,
            f"{float(value):.4f}",
            ours_text(cells["call", "fcpa", rounds]),
            "yes" if agrees(Printed(float(value)), cells["call", "fcpa", rounds]) else "no",
            printed_text(TABLE_2["fcpa", rounds][0] if ("fcpa", rounds) in TABLE_2 else None),
        )
        for rounds, value in ALWAYS_CALL_VALUES.items()
    )
    return Table(
        "LBR against always-call, counted exactly",
        ("rounds", "exact", "sampled", "within its interval", "printed"),
        rows,
        "BB/h, bets fcpa. Counted over all hands and boards; the value of the last round is that of the best response.",
    )


def _exchange_section(cells: Cells, chosen: Mapping[str, str]) -> tuple[Section, ...]:
    """Printed cells that would be nearer to ours if they stood in each other's place."""
    found = []
    for column, key in chosen.items():
        for bets in BETS:
            straight, crossed = pair_distances(key, bets, cells)
            if min(straight) <= 1 or max(crossed) >= max(straight):
                continue
            printed = " and ".join(printed_text(printed_cell(key, bets, rounds)) for rounds in ROUNDS)
            ours = " and ".join(ours_text(cells[key, bets, rounds]) for rounds in ROUNDS)
            words = "agree" if max(crossed) <= 1 else "are nearer, but do not agree"
            found.append(
                f"{column}, {bets}: printed are {printed} for rounds 1-4 and 3-4; ours are {ours}. Exchanged, the"
                f" printed ones {words}: at most {max(crossed):.1f} in place of {max(straight):.1f} half-widths of a"
                " difference away. They may be exchanged in print, and the sentence on waiting taken from there: a"
                " chump that raises makes LBR call large raises with any hand while it waits. The paper's text agrees"
                " with its table, so this is a guess."
            )
    return (Text("Cells that look exchanged", tuple(found)),) if found else ()


def _notes() -> Text:
    return Text(
        "What is measured",
        (
            "Every deal is played in both seatings; showdowns count as the mean over all hands that the chump may hold,"
            " all-ins as the mean over the boards to come.",
            "The chump does not look at its cards, so that LBR's range stays uniform over the hands that its own cards"
            " and the board leave.",
            f"The words on {HALF} are read in {len(_keys(HALF))} ways here and held against the print, two cells"
            " exchanged if need be; the reading that fits best is shown. So the cells of that column that agree prove"
            " less than those of the others. Nothing in the paper asks for the reading that fits: legal sizes are what"
            " its words say most plainly.",
        ),
    )
