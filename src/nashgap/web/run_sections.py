"""The sections of a run's page: those of its report, made of what its ledger and its result tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from nashgap.cards.hand_rows import share_text
from nashgap.core.estimate import Estimate, significant
from nashgap.errors import ConfigError, NashGapError
from nashgap.jobs.dealing import curve_steps
from nashgap.jobs.lbr_bound import METHOD, bound_of
from nashgap.jobs.lbr_compare import LeakChange
from nashgap.measures.leaks import combine_leaks
from nashgap.poker.rules import PokerRules
from nashgap.poker.spot import Spot
from nashgap.reports.abr import learning_plot
from nashgap.reports.compare import PAIRED, leak_changes_section, to_settle
from nashgap.reports.lbr import course_plot, ends_table, seats_table
from nashgap.reports.leaks import leak_sections
from nashgap.reports.report import Cell, Curve, Figure, FigureTable, Plot, Section, Table, Text
from nashgap.reports.rivers import rivers_sections
from nashgap.reports.solution import convergence_plot
from nashgap.reports.spot_tables import sides_table, spot_convergence_plot
from nashgap.runs.folder import Run
from nashgap.runs.ledger import Ledger
from nashgap.runs.progress import human_bytes, human_seconds

__all__ = ["finished_sections", "rules_of_run", "sections_so_far"]

MOST_CURVES = 6
_STEPS = ("iteration", "iterations", "episodes", "step")
_UNDRAWN = ("seconds", *_STEPS)
_NOT_UNDERSTOOD = (NashGapError, LookupError, TypeError, ValueError, AttributeError)
Document = Mapping[str, Any]


def rules_of_run(run: Run) -> PokerRules:
    """Of the poker game that the run is about; ConfigError where it is about none."""
    told = run.config.identity.get("rules")
    if not isinstance(told, Mapping) or not {"name", "definition"} <= told.keys():
        raise ConfigError(f"run {run.name} is about no poker game")
    return PokerRules.from_config(told, {})


def finished_sections(run: Run, ledger: Ledger, document: Document) -> tuple[Section, ...]:
    """What a finished run found, with intervals; a result that is not understood shows its plain numbers."""
    for make in (_KINDS.get(run.config.kind, _other), _other, _plain_numbers):
        with suppress(*_NOT_UNDERSTOOD):
            return tuple(make(run, ledger, document))
    return ()


def sections_so_far(run: Run, ledger: Ledger) -> tuple[Section, ...]:
    """What can be said before a run is finished: the bound of the deals that were played, the curve up to now."""
    try:
        if run.config.kind == "lbr":
            course = _course(run, _batches(run, ledger), is_exact=False)
            note = "Of the deals played by now. The interval is 95%, as if this were the end."
            return () if not course else (_figures(("LBR wins", course[-1], note)), *course_plot(course))
        return tuple(_curves(run, ledger.points(), {}))
    except _NOT_UNDERSTOOD:
        return ()


def _lbr(run: Run, ledger: Ledger, document: Document) -> list[Section]:
    rules, seed = rules_of_run(run), int(document["seed"])
    bound, unit = _estimate(document), str(document["unit"])
    is_exact = bound.ci95 == 0 and document["options"]["lines"] == "all"
    least = significant(float(document["lower_bound_975"]))
    lower = Figure("a best response wins at least", least, unit, note=_meaning(document, is_exact=is_exact))
    sections: list[Section] = [FigureTable("", (*_figures(("LBR wins", bound, "a lower bound")).figures, lower))]
    sections += _gains(document)
    batches = _batches(run, ledger, document["deals"])
    if batches and "leaks" in batches[0]:
        leaks = combine_leaks(rules, (batch["leaks"] for batch in batches), seed=seed, method=METHOD, is_exact=is_exact)
        sections += leak_sections(leaks, rules.num_seats)
    by_round = [(each["share"], each["mean"]) for each in document["by_round"]]
    return [
        *sections,
        ends_table(by_round, unit, has_luck=bool(document.get("luck"))),
        seats_table([_estimate(each) for each in document["by_seat"]]),
        *course_plot(_course(run, batches, is_exact=is_exact)),
    ]


def _meaning(document: Document, *, is_exact: bool) -> str:
    """How sure the lower bound is, as the report says."""
    if document["lower_bound_975"] < 0 and not document.get("gains"):
        return "which says nothing: a best response never loses"
    return "over all boards" if is_exact else "with 97.5% confidence"


def _gains(document: Document) -> list[Section]:
    if not document.get("gains"):
        return []
    rows = tuple((str(gain["strategy"]), _estimate(gain)) for gain in document["gains"])
    note = "What LBR wins more than the strategy does in its place, with the same cards."
    return [Table("What playing like LBR gains", ("in the place of", "gain"), rows, note)]


def _lbr_compare(run: Run, ledger: Ledger, document: Document) -> list[Section]:
    names, bounds = document["versions"], [_estimate(each) for each in document["bounds"]]
    rows = tuple(zip(map(str, names), bounds, strict=True))
    changes = [_leak_change(each) for each in document["leak_changes"]]
    less = ("LBR wins less from the second by", _estimate(document["difference"]), str(document["verdict"]))
    return [
        _figures(less),
        Table("LBR against each", ("version", "LBR wins"), rows, f"LBR, Local Best Response, knows the bot. {PAIRED}"),
        *([leak_changes_section(changes)] if len(bounds) == 2 else []),
    ]


def _leak_change(told: Document) -> LeakChange:
    before, after = (None if told[side] is None else _estimate(told[side]) for side in ("before", "after"))
    return LeakChange(str(told["situation"]), before, after, str(told["kind"]))


def _match_compare(run: Run, ledger: Ledger, document: Document) -> list[Section]:
    others = " and ".join(map(str, document["opponents"]))
    wins = f"the second wins more against {others} by" if others else "the second wins"
    rows: list[tuple[Cell, ...]] = [
        ("as played", _estimate(document["difference"]), to_settle(document["deals_to_settle"]))
    ]
    if corrected := document.get("corrected"):
        told = _estimate(corrected["difference"]), to_settle(corrected["deals_to_settle"])
        rows.append((f"without luck ({document['variance']})", *told))
    head = _figures((wins, _estimate(document["difference"]), str(document["verdict"])))
    difference = Table("The difference", ("", wins, "more deals to settle it"), tuple(rows), PAIRED)
    matches = [_winnings(match, "") for match in document["matches"]]
    return [head, difference, *matches]


def _match(run: Run, ledger: Ledger, document: Document) -> list[Section]:
    return [_winnings(document, "What each wins")]


def _winnings(match: Document, title: str) -> Table:
    rows = tuple(
        (str(agent), Estimate(mean, ci95, match["samples"], match["unit"], "match", match["seed"]))
        for agent, mean, ci95 in zip(match["agents"], match["winrates"], match["ci95"], strict=True)
    )
    return Table(
        title, ("agent", "wins"), rows, f"Over {match['deals']:,} deals, each in {match['seatings']} seatings."
    )


def _abr(run: Run, ledger: Ledger, document: Document) -> list[Section]:
    both = Estimate(document["mean"], document["ci95"], document["games"], document["unit"], "abr", document["seed"])
    seats = [_estimate(each) for each in document["per_player"]]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, estimate) for name, estimate in zip(("as player 1", "as player 2", "both"), (*seats, both), strict=True)
    )
    note = "Lower bounds: the responders were frozen before these games. A best response wins more."
    figures = list(_figures(("responders win, both seats", both, "a lower bound on nash_conv")).figures)
    if document["exact_nash_conv"] is not None:
        figures.append(Figure("a best response wins", document["exact_nash_conv"], both.unit, note="exactly"))
    found: list[Section] = [FigureTable("", tuple(figures)), Table("By seat", ("", "responder wins"), rows, note)]
    return [*found, *_curves(run, document["curve"], document)]


def _solve(run: Run, ledger: Ledger, document: Document) -> list[Section]:
    unit = str(document["unit"])
    gaps = [("nash_conv", "sum of what all players could gain"), ("exploitability", "mean gain a player")]
    figures = tuple(Figure(name, document[name], unit, note=note) for name, note in gaps if document[name] is not None)
    gains: Sequence[Cell] = document["gains"] or ["-"] * len(document["values"])
    rows = tuple((str(number), *row) for number, row in enumerate(zip(document["values"], gains, strict=True), 1))
    return [
        *([FigureTable("", figures)] if figures else []),
        Table("By player", ("player", "value", "best response gains"), rows, f"In {unit}; exact."),
        *([Text("Notes", tuple(map(str, document["notes"])))] if document["notes"] else []),
        *_curves(run, ledger.points(), document),
    ]


def _train(run: Run, ledger: Ledger, document: Document) -> list[Section]:
    unit, gap = str(document["unit"]), document["gap"]
    gaps = [] if gap is None else [("gap in its abstract game", _estimate(gap), "a lower bound on its NashConv")]
    figures = (
        *_figures(*gaps).figures,
        Figure(
            "average regret", significant(document["average_regret"]), unit, note="positive, an iteration, all seats"
        ),
        Figure("deviation of a hand", significant(document["stdev"]), unit, note="standard, of a seat in self-play"),
        Figure("unvisited", f"{document['unvisited_share']:.2%}", note="of the decisions in self-play"),
        Figure("iterations", document["iterations"]),
        Figure("time", human_seconds(document["seconds"]), note="of training, over all resumes"),
    )
    return [
        FigureTable("", figures),
        *([Text("Notes", tuple(map(str, document["notes"])))] if document["notes"] else []),
        *_curves(run, ledger.points(), document),
    ]


def _other(run: Run, ledger: Ledger, document: Document) -> list[Section]:
    """The plain numbers of the result, and whatever curves were measured."""
    return [*_plain_numbers(run, ledger, document), *_curves(run, ledger.points(), document)]


def _plain_numbers(run: Run, ledger: Ledger, document: Document) -> list[Section]:
    unit = str(document.get("unit", ""))
    figures = tuple(
        Figure(str(name).replace("_", " "), value, unit if name in ("nash_conv", "exploitability") else "")
        for name, value in document.items()
        if isinstance(value, float | int) and not isinstance(value, bool)
    )
    return [FigureTable("", figures)] if figures else []


def _rivers(run: Run, ledger: Ledger, document: Document) -> list[Section]:
    priced = [(str(each["name"]), _estimate(each["price"]), _estimate(each["lost"])) for each in document["compared"]]
    return list(rivers_sections(list(map(str, document["rules"])), priced))


def _spot(run: Run, ledger: Ledger, document: Document) -> list[Section]:
    spot, pot = Spot.from_config(run.config.identity["spot"], {}), document["pot"]
    figures = (
        Figure("exploitability", f"{document['exploitability_percent']:.3g}", "% of the pot"),
        Figure("iterations", document["iterations"]),
        Figure("time", human_seconds(document["seconds"])),
        Figure("decisions", document["action_nodes"], note=f"{human_bytes(document['bytes'])} of memory"),
    )
    rows = tuple(
        (action, _share(share), "-" if (value := document["root_values"][action]) is None else f"{value:.2f}")
        for action, share in document["root"].items()
    )
    note = f"Chips from here on, of a pot of {pot}; a fold is worth 0."
    return [
        FigureTable("", figures),
        replace(sides_table(spot, document["values"], document["equity"]), title="What both get"),
        Table("The first decision", ("action", "of its range", "value, chips"), rows, note),
        *_curves(run, ledger.points(), document),
    ]


def _share(share: float) -> str:
    return "0%" if (text := share_text(share)) == "." else text


def _curves(run: Run, points: Sequence[Mapping[str, float]], document: Document) -> list[Section]:
    """How it went: as reports draw it, or one small chart for each number that was measured."""
    if len(points) < 2:
        return []
    kind, unit = run.config.kind, str(document.get("unit", "the game's unit"))
    if kind == "solve":
        return [convergence_plot(points, str(document.get("solver", "solver")), unit)]
    if kind == "spot":
        return [spot_convergence_plot(points, run.config.budget.get("until")), _spot_points(points)]
    if "reward_1" in points[0]:
        return [learning_plot(points, unit, document.get("exact_nash_conv"))]
    steps = next((name for name in _STEPS if name in points[0]), None)
    if steps is None:
        return []
    names = [name for name in points[0] if name not in _UNDRAWN and all(name in point for point in points)]
    return [
        Plot(
            name.replace("_", " "),
            steps,
            name.replace("_", " "),
            (Curve(name, [point[steps] for point in points], [point[name] for point in points]),),
            log_x=True,
        )
        for name in names[:MOST_CURVES]
    ]


def _spot_points(points: Sequence[Mapping[str, float]]) -> Table:
    rows = tuple(
        (f"{point['iteration']:,.0f}", f"{point['seconds']:.3g}", f"{point['exploitability_percent']:.3g}")
        for point in points
    )
    return Table("", ("iterations", "seconds", "% of the pot"), rows)


def _course(run: Run, batches: Sequence[Document], *, is_exact: bool) -> list[Estimate]:
    """The bound after more and more of the batches."""
    if not batches:
        return []
    rules, options, seed = rules_of_run(run), run.config.identity["options"], int(run.config.identity["seed"])
    told = {"is_duplicate": bool(options["duplicate"]), "is_exact": is_exact}
    return [bound_of(batches[:step], rules, seed, **told) for step in curve_steps(len(batches))]


def _batches(run: Run, ledger: Ledger, deals: int | None = None) -> list[dict[str, Any]]:
    """Those that follow each other from the first; deals: of so many, where the run has gone further before."""
    found = ledger.batches()
    most = len(found) if deals is None else -(-deals // int(run.config.identity["batch_deals"]))
    batches: list[dict[str, Any]] = []
    while len(batches) in found and len(batches) < most:
        batches.append(found[len(batches)])
    return batches


def _estimate(told: Document) -> Estimate:
    return Estimate(
        float(told["mean"]), float(told["ci95"]), int(told["samples"]), str(told["unit"]), str(told["method"]),
        int(told["seed"]),
    )  # fmt: skip


def _figures(*told: tuple[str, Estimate, str]) -> FigureTable:
    return FigureTable("", tuple(Figure(name, each.mean, each.unit, each.ci95, note=note) for name, each, note in told))


_KINDS: Mapping[str, Callable[[Run, Ledger, Document], list[Section]]] = {
    "lbr": _lbr,
    "lbr-compare": _lbr_compare,
    "match-compare": _match_compare,
    "match": _match,
    "abr": _abr,
    "abr-poker": _abr,
    "abr-simulated": _abr,
    "solve": _solve,
    "train": _train,
    "spot": _spot,
    "rivers": _rivers,
}
