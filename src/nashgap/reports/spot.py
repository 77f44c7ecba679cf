"""The reports of a solved spot, and of one of its decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from nashgap.arena.spot_match import SpotMatch
from nashgap.cards.hand_rows import HandRow, HandRows, share_text
from nashgap.jobs.spot import SpotForecast, SpotSolution
from nashgap.jobs.spot_boards import SpotBoards
from nashgap.poker.spot import POSITIONS, Spot
from nashgap.reports.report import Cell, Figure, FigureTable, Report, Section, Table
from nashgap.reports.spot_tables import locks_table, sides_table, spot_convergence_plot
from nashgap.runs.config import package_version
from nashgap.runs.progress import human_bytes, human_seconds
from nashgap.strategies.spot_view import SpotView

__all__ = [
    "spot_boards_report",
    "spot_forecast_report",
    "spot_match_report",
    "spot_report",
    "spot_view_report",
]

_MOST_ANSWERS = 4  # decisions behind the first that the page shows


def spot_report(solution: SpotSolution) -> Report:
    """Values and equities, the first decision as a grid and by kinds of hands; the page has the answers to it, too."""
    spot, root = solution.spot, solution.root
    sections: list[Section] = [_sides(solution)]
    if solution.costs is not None:
        sections.append(_locks(solution))
    sections += _decision(root)
    sections += [each for view in _answers(solution) for each in _decision(view, is_detail=True)]
    sections += [spot_convergence_plot(solution.points), _work(solution)]
    return Report(
        title=f"{spot.street.capitalize()} {spot.board_text}: pot {spot.pot}, stacks {_stacks(spot)}",
        summary=solution.summary,
        sections=tuple(sections),
        command=solution.provenance.command,
        facts=_facts(spot) | {"iterations": solution.iterations, "version": package_version()},
    )


def spot_forecast_report(expected: SpotForecast) -> Report:
    """Sizes, memory and time."""
    figures = (
        Figure("decisions", expected.size.num_action_nodes, note="boards that suits alone tell apart counted once"),
        Figure("boards", expected.size.num_boards),
        Figure("memory", human_bytes(expected.size.num_bytes)),
        Figure(
            "an iteration", expected.seconds_per_iteration, "seconds", note=f"on {expected.threads} thread(s), tried"
        ),
        Figure("iterations", expected.iterations, note="usual until 0.5% of the pot, unless told"),
        Figure("time", human_seconds(expected.expected_seconds)),
    )
    return Report(
        title=f"What it takes to solve the {expected.spot.street} {expected.spot.board_text}",
        summary=expected.summary,
        sections=(FigureTable("", figures),),
        command=expected.provenance.command,
        facts=_facts(expected.spot) | {"version": package_version()},
    )


def spot_view_report(view: SpotView) -> Report:
    """The page of one decision."""
    chosen = [_one_hand(view)] if view.chosen else []
    return Report(
        title=view.title,
        summary=f"{view.situation} It gets {view.value:.2f} chips from here on; its equity is {view.range_equity:.1%}.",
        sections=(*chosen, *_decision(view)),
        command=view.provenance.command,
        facts={"version": package_version()},
    )


def spot_boards_report(found: SpotBoards) -> Report:
    """A row for each board, and their mean."""
    means = found.means
    columns = ("board", "oop value", "oop equity", *found.actions, "exploitable, % of pot")

    def cells(board: str, numbers: Mapping[str, float]) -> tuple[Cell, ...]:
        return (
            board,
            f"{numbers['oop_value']:.2f}",
            f"{numbers['oop_equity']:.1%}",
            *(share_text(numbers[action]) for action in found.actions),
            f"{numbers['exploitability_percent']:.3f}",
        )

    rows = [cells(row["board"], row) for row in found.flat_rows()]
    return Report(
        title=f"{len(found.rows)} boards: pot {found.spot.pot}, stacks {_stacks(found.spot)}",
        summary=found.summary,
        sections=(Table("By board", columns, (*rows, cells("mean", means)), "Values are chips out of position."),),
        command=found.provenance.command,
        facts=_facts(found.spot)
        | {"locks": "; ".join(lock.words for lock in found.locks) or "none", "version": package_version()},
    )


def spot_match_report(found: SpotMatch) -> Report:
    """Both seatings."""
    (first, second), (oop, ip), (other_ip, other_oop) = found.names, found.values, found.others
    rows = ((first, f"{oop:.4f}", second, f"{other_ip:.4f}"), (second, f"{other_oop:.4f}", first, f"{ip:.4f}"))
    columns = (POSITIONS[0], "value, chips", POSITIONS[1], "value, chips")
    return Report(
        title=f"{first} against {second}: {found.spot.street} {found.spot.board_text}, pot {found.spot.pot}",
        summary=found.summary,
        sections=(Table("Both seatings", columns, rows, "Exact: over all hands of the ranges and all boards."),),
        command=found.provenance.command,
        facts=_facts(found.spot) | {"version": package_version()},
    )


def _facts(spot: Spot) -> dict[str, object]:
    rake = {"rake": f"{100 * spot.rake[0]:g}% up to {spot.rake[1]:g} chips"} if spot.rake[0] > 0 else {}
    ranges = {who: hands.text for who, hands in zip(POSITIONS, spot.ranges, strict=True)}
    return {**ranges, "betting": str(spot.betting), **rake}


def _stacks(spot: Spot) -> str:
    first, second = spot.stacks
    return str(first) if first == second else f"{first} and {second}"


def _sides(solution: SpotSolution) -> Table:
    equity = solution.root.range_equity
    return sides_table(solution.spot, solution.values, (equity, 1 - equity))


def _locks(solution: SpotSolution) -> Table:
    assert solution.free is not None, "locks have their price"
    free, accuracy = solution.free, solution.exploitability + solution.free.exploitability
    return locks_table(
        "; ".join(lock.words for lock in solution.strategy.locks), free.values, solution.values, accuracy
    )


def _decision(view: SpotView, *, is_detail: bool = False) -> list[Section]:
    grid = view.grid
    sections: list[Section] = [] if grid is None else [replace(grid, title=view.title, is_detail=is_detail)]
    return [*sections, _actions(view, is_detail), _kinds(view, is_detail)]


def _actions(view: SpotView, is_detail: bool) -> Table:
    often = view.range_frequencies or view.frequencies
    rows = tuple(
        (
            words,
            share_text(often[action]),
            "-" if (value := view.action_values[action]) is None else f"{value:.2f}",
            onward.texts[0] + (" CARD" if onward.num_board_cards else "") if onward.texts else "-",
        )
        for action, words, onward in zip(view.actions, view.words, view.onward, strict=True)
    )
    columns = ("action", "of its range", "value, chips", "where to go on")
    return Table("How often" if not is_detail else "", columns, rows, view.range_note, is_detail=is_detail)


def _kinds(view: SpotView, is_detail: bool) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            kind.name,
            share_text(kind.share),
            f"{kind.equity:.1%}",
            f"{kind.value:.2f}",
            *(share_text(share) for share in kind.shares.values()),
        )
        for kind in view.kinds
        if kind.share > 0
    ]
    columns = ("holding", "of its range", "equity", "value, chips", *view.words)
    return Table("By kind of hand" if not is_detail else "", columns, tuple(rows), is_detail=is_detail)


def _one_hand(view: SpotView) -> HandRows:
    place = view.place(view.chosen)
    name = view.hands[place]
    shares = dict(zip(view.words, view.probabilities[place].clip(0, 1).tolist(), strict=True))
    values = ", ".join(
        f"{words} {value:.2f}" for words, value in zip(view.words, view.values[place].tolist(), strict=True)
    )
    note = f"Equity {view.equity[place]:.1%}, value {view.hand_values[place]:.2f} chips: {values}."
    return HandRows(f"With {name}", (HandRow(name, shares),), view.words, note=note)


def _answers(solution: SpotSolution) -> list[SpotView]:
    """What the other does after each of the first actions that is taken at all."""
    often = solution.root.range_frequencies or {}
    taken = [
        onward.texts[0]
        for action, onward in zip(solution.root.actions, solution.root.onward, strict=True)
        if onward.texts and not onward.num_board_cards and often.get(action, 0) > 0.005
    ]
    return [solution.at(line) for line in taken[:_MOST_ANSWERS]]


def _work(solution: SpotSolution) -> FigureTable:
    ranges = solution.strategy.ranges
    figures = (
        Figure(
            "exploitability", solution.exploitability, "chips", note=f"{solution.exploitability_percent:.3g}% of pot"
        ),
        Figure("iterations", solution.iterations),
        Figure("time", solution.seconds, "seconds"),
        Figure("decisions", ranges.num_action_nodes, note="boards that suits alone tell apart counted once"),
        Figure("memory", human_bytes(ranges.num_bytes)),
    )
    return FigureTable("Work", figures, is_detail=True)
