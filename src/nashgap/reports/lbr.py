"""The report of a measurement by Local Best Response."""

from __future__ import annotations

from collections.abc import Sequence

from nashgap.core.estimate import Estimate, significant
from nashgap.jobs.lbr_bound import LbrBound
from nashgap.reports.advice import advice_sections
from nashgap.reports.leaks import leak_sections
from nashgap.reports.report import Cell, Curve, Figure, FigureTable, Plot, Report, Section, Table
from nashgap.runs.config import package_version

__all__ = ["course_plot", "ends_table", "lbr_report", "seats_table"]


def lbr_report(result: LbrBound) -> Report:
    """The bound, where it comes from if that was counted, how it settled over the deals, and where the hands ended."""
    bound, rounds = result.estimate, ", ".join(str(number + 1) for number in result.rounds)
    has_all = len(result.rounds) == result.job.rules.num_rounds
    sections: list[Section] = [
        *_gains(result),
        *_split(result),
        *_leaks(result),
        ends_table(result.by_round, result.estimate.unit, has_luck=bool(result.luck)),
        seats_table(result.by_seat),
        *course_plot(result.course),
    ]
    return Report(
        title=f"Local Best Response against {' and '.join(result.strategies)} in {_game_text(result)}",
        summary=(
            f"LBR wins {bound}; {result.meaning}. {_played(result)}, with bets {result.options.bets} in"
            f" {'all rounds' if has_all else f'rounds {rounds}' if ',' in rounds else f'round {rounds}'}."
            + _folding(result)
        ),
        sections=tuple(sections),
        command=result.provenance.command,
        facts={
            "game": result.game,
            "unit": bound.unit,
            "bets that LBR considers": result.options.bets,
            "rounds in which it chooses": rounds,
            **({"flops of the game": result.job.flops_text} if result.job.flops_text else {}),
            "deals": result.deals,
            **_hands_fact(result),
            "states that the strategy was asked about": result.queries,
            "seed": result.job.seed,
            "version": package_version(),
        },
    )


def _played(result: LbrBound) -> str:
    """What was played, as the beginning of a sentence."""
    if not result.job.follows_lines:
        return f"Over {result.deals:,} deals, {result.hands:,} hands"
    return f"All hands and lines on {'all' if result.job.is_exact else f'{result.deals:,} dealt'} boards"


def _folding(result: LbrBound) -> str:
    """What to hold the bound against: who folds whenever asked loses the blinds."""
    rules = result.job.rules
    if rules.num_seats != 2 or not any(rules.blinds):
        return ""
    return f" Who folds every hand loses {sum(rules.blinds) / 2 / rules.unit_chips:g}."


def _hands_fact(result: LbrBound) -> dict[str, Cell]:
    """How the hands were played."""
    options = result.options
    if not result.job.follows_lines:
        return {"hands played": result.hands}
    drawn = f"; drawn where less than {options.stake:g} bb are at stake" if options.stake else ""
    played = f"all of both on a board, in all lines of the betting{drawn}"
    if not result.luck:
        return {"hands played": played}
    luck = f"{significant(result.luck)} {result.estimate.unit} taken off the bound, not off its parts"
    return {"hands played": played, "luck of the cards": luck}


def _game_text(result: LbrBound) -> str:
    """With what sets the game apart, where it has some flops only."""
    job = result.job
    drawn = f" with {job.drawn:,} drawn flops only" if job.drawn else ""
    given = f" with the flops {', '.join(job.flops)} only" if job.flops else ""
    return (result.game or "a game of its own") + drawn + given


def _leaks(result: LbrBound) -> tuple[Section, ...]:
    if result.leaks is None:
        return ()
    advised = () if result.advice is None else advice_sections(result.advice)
    return leak_sections(result.leaks, result.job.rules.num_seats, advised)


def _gains(result: LbrBound) -> list[Table]:
    if not result.gains:
        return []
    seats = [f"at seat {seat}" for seat in range(1, len(result.by_seat) + 1)]
    named = [("LBR wins", result.estimate, result.by_seat)]
    named += [(f"more than {gain.strategy}", gain.estimate, gain.by_seat) for gain in result.gains]
    note = (
        "Against different strategies what LBR wins is not what anybody gains by playing like it: that is what it wins"
        f" more than the strategy does in its place, with the same cards. In {result.estimate.unit}."
    )
    return [
        Table(
            "What playing like LBR gains",
            ("", "mean", *seats),
            tuple((name, mean, *by_seat) for name, mean, by_seat in named),
            note,
        )
    ]


def _split(result: LbrBound) -> list[FigureTable]:
    if result.split is None:
        return []
    on_tree, off_tree = result.split.on_tree, result.split.off_tree
    return [
        FigureTable(
            "On and off the strategy's own tree",
            (
                _figure("by bets on its tree", on_tree, "what its cards and play there lose"),
                _figure("other bets add", off_tree, "or take, where LBR is greedy"),
            ),
        )
    ]


def _figure(name: str, estimate: Estimate, note: str) -> Figure:
    return Figure(name, estimate.mean, estimate.unit, estimate.ci95, note=note)


def ends_table(by_round: Sequence[tuple[float, float]], unit: str, *, has_luck: bool) -> Table:
    """Where the hands ended. by_round: share of all hands, and mean of such a hand."""
    rows = tuple(
        (str(number), f"{share:.1%}", significant(mean), significant(share * mean))
        for number, (share, mean) in enumerate(by_round, 1)
    )
    luck = " and the luck that was taken off it" if has_luck else ""
    note = f"In {unit}. The last column adds up to the bound{luck}."
    return Table("Where the hands ended", ("round", "hands", "LBR wins in them", "of the bound"), rows, note)


def seats_table(by_seat: Sequence[Estimate]) -> Table:
    """Where LBR sat."""
    rows = tuple((str(seat), estimate) for seat, estimate in enumerate(by_seat, 1))
    note = "Seat 1 is the first left of the button."
    return Table("Where LBR sat", ("seat", "LBR won there"), rows, note, is_detail=True)


def course_plot(course: Sequence[Estimate]) -> list[Plot]:
    """How the bound settled; nothing where it has one step only."""
    if len(course) < 2:
        return []
    means, widths = [step.mean for step in course], [step.ci95 for step in course]
    curve = Curve("LBR wins", [step.samples for step in course], means, widths)
    axes = ("deals", course[0].unit)
    return [Plot("The bound with its 95% interval", *axes, (curve,), lines=(("even", 0.0),), is_detail=True)]
