"""Figures 9 and 10: the error of decision trees against their depth and size, on ten representations of the games.

The paper tests on 16,000 games after training on 64,000; the curves are drawn, but no number of them is printed. Beside
the error, which is Algorithm 2's distance to the solver's equilibrium, stands what it does not show: the same under
other choices among the equilibria of a game, and what playing by the tree costs, exactly.
"""

from __future__ import annotations

from dataclasses import replace

from nashgap.explanations.bet_size_lp import CHOICES
from nashgap.explanations.representations import REPRESENTATIONS, CardCdf, CardInput
from nashgap.explanations.trees import CRITERION
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.ganzfried_yusuf_2017.games import NUM_TEST, NUM_TRAIN, solved_games
from nashgap.papers.ganzfried_yusuf_2017.tree_claims import (
    best_cut,
    check_claims,
    error_of,
    exploitability_of,
    numbered,
    rising_depths,
)
from nashgap.papers.ganzfried_yusuf_2017.tree_tables import (
    DEPTH_TITLE,
    ERROR_TITLE,
    SOLVER,
    choice_tables,
    depth_plot,
    error_table,
    price_sections,
    reading_table,
    shown_cuts,
    single_bet_table,
)
from nashgap.papers.ganzfried_yusuf_2017.trees_job import FIRST_DEPTH, TreeCurves, TreesJob
from nashgap.papers.statements import Statement, statement_table
from nashgap.reports.report import Curve, Plot, Report, Table, Text
from nashgap.runs import package_version

__all__ = ["figure_9", "figure_10"]

DEPTH = 20
QUICK_TRAIN, QUICK_TEST, QUICK_DEPTH = 800, 200, 8


def figure_9(request: Request) -> Report:
    """The ten curves, under each choice of equilibrium, with the price of each tree."""
    readings = _other_readings(request)
    job = _ready_job(request)
    curves: TreeCurves = request.perform_own(job)
    readings = {str(job.card_cdf): curves, **readings}
    ours = {name: curves[SOLVER, name] for name in REPRESENTATIONS}
    errors = {name: best_cut(cuts, error_of) for name, cuts in ours.items()}
    prices = {name: best_cut(cuts, exploitability_of) for name, cuts in ours.items()}
    best = min(errors, key=lambda name: error_of(errors[name].scores).mean)
    cheapest = min(prices, key=lambda name: exploitability_of(prices[name].scores).mean)
    return Report(
        title="Error of decision trees against depth (Ganzfried & Yusuf 2017, Figure 9)",
        summary=(
            f"The best of the ten representations is {numbered(best)}, with an error of"
            f" {error_of(errors[best].scores).mean:.4f} at depth {errors[best].depth};"
            f" {sum(not rising_depths(cuts) for cuts in ours.values())} of the ten curves fall at every depth. Least"
            f" exploitable is {numbered(cheapest)} at depth {prices[cheapest].depth}, by"
            f" {exploitability_of(prices[cheapest].scores).mean:.4f} dollars a hand."
        ),
        sections=(
            depth_plot(f"Figure 9: error against depth, {SOLVER}'s equilibria", curves, SOLVER, error_of, ERROR_TITLE),
            error_table(curves),
            statement_table(
                "What the paper says of its trees", check_claims(curves, SOLVER), "Each curve at its best depth."
            ),
            *choice_tables(curves),
            *(
                depth_plot(f"Error against depth, equilibria chosen by {choice}", curves, choice, error_of, ERROR_TITLE)
                for choice in CHOICES[1:]
            ),
            *price_sections(curves),
            reading_table(readings),
            single_bet_table(curves),
            _notes(),
        ),
        command=command_of("human-figure-9", request),
        facts=_facts(job),
    )


def figure_10(request: Request) -> Report:
    """The same curves against the number of nodes."""
    job = _ready_job(request)
    curves: TreeCurves = request.perform(job)  # the report of its run is that of Figure 9
    ours = {name: curves[SOLVER, name] for name in REPRESENTATIONS}
    levels = job.depth - FIRST_DEPTH
    growths = [(cuts[-1].num_nodes / cuts[0].num_nodes) ** (1 / levels) for cuts in ours.values()]
    growth = f"{min(growths):.2f} to {max(growths):.2f}"
    largest = [cuts[-1].num_nodes for cuts in ours.values()]
    plots = (
        Plot(
            "Figure 10: error against the number of nodes",
            "nodes of the tree",
            ERROR_TITLE,
            tuple(
                Curve(numbered(name), [cut.num_nodes for cut in cuts], [error_of(cut.scores).mean for cut in cuts])
                for name, cuts in ours.items()
            ),
            log_x=True,
        ),
        Plot(
            "Nodes against depth",
            DEPTH_TITLE,
            "nodes of the tree",
            tuple(
                Curve(numbered(name), [cut.depth for cut in cuts], [cut.num_nodes for cut in cuts])
                for name, cuts in ours.items()
            ),
            log_y=True,
        ),
    )
    shown = {name: shown_cuts(curves, SOLVER, name) for name in ours}
    heads = (f"depth {cut.depth}" for cut in shown[next(iter(shown))])
    rows: list[tuple[str | int, ...]] = [
        (numbered(name), *(cut.num_nodes for cut in cuts)) for name, cuts in shown.items()
    ]
    return Report(
        title="Error of decision trees against their size (Ganzfried & Yusuf 2017, Figure 10)",
        summary=(
            f"Each level from depth {FIRST_DEPTH} to {job.depth} multiplies the nodes by {growth} on average; the"
            f" deepest trees have {min(largest):,} to {max(largest):,} nodes."
        ),
        sections=(
            *plots,
            Table("Nodes by depth", ("representation", *heads), tuple(rows)),
            statement_table(
                "What the paper says of sizes", (_growth_statement(job, curves), *check_claims(curves, SOLVER)[:1])
            ),
            _notes(),
        ),
        command=command_of("human-figure-10", request),
        facts=_facts(job),
    )


def _ready_job(request: Request) -> TreesJob:
    """The job of both figures, its games solved."""
    job = _job(request)
    solved_games(request, job.num_games)
    request.note(f"{job.num_batches} trees of depth {job.depth}, each on {job.num_train:,} games")
    return job


def _other_readings(request: Request) -> dict[str, TreeCurves]:
    """The trees on a card's cdf in the readings that the curves are not drawn for."""
    usual = _job(request)
    solved_games(request, usual.num_games)
    names = tuple(name for name, each in REPRESENTATIONS.items() if each.card is CardInput.CDF)
    found = {}
    for reading in CardCdf:
        if reading is not usual.card_cdf:
            job = replace(usual, card_cdf=reading, choices=(SOLVER,), names=names)
            request.note(f"{job.num_batches} trees with the card's cdf read as {reading}")
            found[str(reading)] = request.perform(job)
    return found


def _job(request: Request) -> TreesJob:
    full = NUM_TRAIN, NUM_TEST, DEPTH
    sizes = (QUICK_TRAIN, QUICK_TEST, QUICK_DEPTH) if request.is_quick else full
    return TreesJob(*sizes, request.seed)


def _growth_statement(job: TreesJob, curves: TreeCurves) -> Statement:
    """Exponential growth multiplies by the same at every level; it is held against the first and the last one."""
    nodes = [[cut.num_nodes for cut in curves[SOLVER, name]] for name in REPRESENTATIONS]
    first = [each[1] / each[0] for each in nodes]
    last = [each[-1] / each[-2] for each in nodes]
    return Statement(
        "increasing the depth leads to an exponential increase in the number of nodes",
        min(last) > 1.5,
        f"from depth {FIRST_DEPTH} to {FIRST_DEPTH + 1} they are multiplied by {min(first):.2f} to {max(first):.2f},"
        f" from {job.depth - 1} to {job.depth} by {min(last):.2f} to {max(last):.2f}; a full tree doubles them",
    )


def _notes() -> Text:
    return Text(
        "How the trees are made and measured",
        (
            f"scikit-learn's DecisionTreeRegressor with its criterion {CRITERION}; one fit at the largest depth serves"
            " all smaller ones, because a greedy tree of depth d is a deeper one cut at depth d. The paper says that it"
            " integrated its distances with the function, which takes none: here they measure the trees, and do not"
            " choose the splits. Optimal trees are optimal at each split only.",
            "Means of probabilities are probabilities, so that predictions are strategies as they stand. A single bet"
            " is drawn for each card from the equilibrium, and the multiple of the step that is nearest to the"
            " predicted mean is played with certainty.",
            "The card's cdf is the share of player 2's hands that are worse, whatever player 1 holds: the reading under"
            " which the tree of Figure 8 comes nearest to the printed one.",
            "Where a curve's best depth is named, it was found on the test games that also give the number there.",
        ),
    )


def _facts(job: TreesJob) -> dict[str, object]:
    return {
        "games to learn from": job.num_train,
        "games to test on": job.num_test,
        "criterion": CRITERION,
        "reading of the card's cdf": str(job.card_cdf),
        "seed": job.seed,
        "version": package_version(),
    }
