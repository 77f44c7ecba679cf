"""The reports of a training by a recipe, and of what it takes."""

from __future__ import annotations

from dataclasses import replace

from nashgap.jobs.train_forecast import TrainForecast
from nashgap.jobs.training import LINE, Training, preflop_lines
from nashgap.poker.streets import STREETS, first_round
from nashgap.reports.report import Cell, Curve, Figure, FigureTable, Plot, Report, Section, Table, Text
from nashgap.reports.solution import UNKNOWN
from nashgap.reports.strategy import first_decisions
from nashgap.runs.config import package_version
from nashgap.runs.progress import human_bytes, human_seconds

__all__ = ["train_forecast_report", "training_report"]

MOST_LINES = 12


def training_report(training: Training) -> Report:
    """How far the training has come, how the strategy bets against itself, and the curves on the way."""
    recipe, unit = training.recipe, training.recipe.rules.unit
    figures = (
        Figure("average regret", training.average_regret, unit, note="positive, an iteration, all seats"),
        Figure("deviation of a hand", training.stdev, unit, note="standard, of a seat in self-play"),
        Figure("unvisited", f"{training.self_play.unvisited_share:.2%}", note="of the decisions in self-play"),
    )
    work = (
        Figure("iterations", training.iterations),
        Figure("node visits", training.visits),
        Figure("time", training.seconds, "seconds", note="of training, over all resumes"),
    )
    sections: list[Section] = [
        FigureTable("", figures),
        *_lines(training),
        Text("Notes", training.notes),
        *(replace(section, is_detail=True) for section in first_decisions(training.strategy)),
        *_curves(training),
        FigureTable("Work", work, is_detail=True),
    ]
    return Report(
        title=f"{recipe.name}: {recipe.title}".removesuffix(": "),
        summary=f"{training.iterations:,} iterations; {training.distance}.",
        sections=tuple(sections),
        command=training.provenance.command,
        facts=_facts(training),
    )


def train_forecast_report(expected: TrainForecast) -> Report:
    """Sizes of the abstract game, memory, disk and time."""
    rate, iterations, seconds = expected.iterations_per_second, expected.iterations, expected.expected_seconds
    parts = {"entries": expected.entry_bytes, "tree": expected.tree_bytes, "card tables": expected.table_bytes}
    if expected.node_bytes:
        parts["other nodes"] = expected.node_bytes
    told = ", ".join(f"{name} {human_bytes(count)}" for name, count in parts.items())
    figures = {
        "information sets": f"{expected.information_sets:,}",
        "memory": f"{human_bytes(expected.bytes)}: {told}",
        "strategy file": f"{human_bytes(expected.file_bytes)}; {human_bytes(expected.quantised_bytes)} quantised",
        "checkpoints": f"{human_bytes(expected.checkpoint_bytes)} each, up to {human_bytes(expected.disk_bytes)}",
        "rate": UNKNOWN if rate is None else f"about {rate:,.0f} iterations a second, as once measured elsewhere",
        "iterations": UNKNOWN if iterations is None else f"about {iterations:,}",
        "time": UNKNOWN if seconds is None else f"about {human_seconds(seconds)}",
    }
    return Report(
        title=f"What it takes to train {expected.recipe}",
        summary=". ".join(filter(None, (expected.title.rstrip("."), f"In {expected.game}"))) + ".",
        sections=(
            _rounds(expected),
            FigureTable("", tuple(Figure(name, text) for name, text in figures.items())),
        ),
        command=expected.provenance.command,
        facts={
            "recipe": expected.recipe,
            "game": expected.game,
            "seed": expected.seed,
            "threads": expected.threads,
            "version": package_version(),
        },
    )


def _rounds(expected: TrainForecast) -> Table:
    names = STREETS if len(expected.buckets) == len(STREETS) else range(1, len(expected.buckets) + 1)
    counts = zip(names, expected.nodes_by_round, expected.buckets, expected.entries_by_round, strict=True)
    rows: list[tuple[Cell, ...]] = [(str(name), *numbers) for name, *numbers in counts]
    rows.append(("all", sum(expected.nodes_by_round), "", expected.entries))
    return Table("", ("round", "decision nodes", "buckets", "entries"), tuple(rows))


def _lines(training: Training) -> list[Table]:
    """Two players: the first actions, the most frequent betting. More: lines to the first fold, counted both ways."""
    played, rules = training.self_play, training.recipe.rules
    if played.num_players == 2:
        first = tuple((text, _percent(share)) for text, share in preflop_lines(played).items())
        most = list(played.sequences.items())[:MOST_LINES]
        shares = tuple((text, _percent(count / played.num_hands)) for text, count in most)
        note = "Percent of hands of self-play."
        return [
            Table(f"Betting {first_round(rules)} begins", ("betting", "%"), first, note),
            Table(f"The most frequent betting {first_round(rules)}", ("betting", "%"), shares, note, is_detail=True),
        ]
    literal, heads_up = played.first_folds(), played.first_folds(2)
    rows: list[tuple[Cell, ...]] = [
        (text, _percent(heads_up.get(text, 0.0)), _percent(share)) for text, share in list(literal.items())[:MOST_LINES]
    ]
    rows.append(("total", _percent(sum(heads_up.values())), _percent(sum(literal.values()))))
    note = "Of the hands of self-play, by the betting up to its first fold."
    return [Table(f"Folds {first_round(rules)}", ("betting", "two left, %", "all, %"), tuple(rows), note)]


def _curves(training: Training) -> list[Plot]:
    points, rules = training.points, training.recipe.rules
    if len(points) < 2:
        return []
    minutes = [point["seconds"] / 60 for point in points]

    def curve(name: str, key: str, factor: float = 1.0) -> Curve:
        return Curve(name, minutes, [factor * point[key] for point in points])

    def plot(title: str, y_title: str, *curves: Curve, is_log: bool = False) -> Plot:
        return Plot(title, "minutes", y_title, curves, log_x=is_log, log_y=is_log, is_detail=True)

    lines = [curve(key.removeprefix(LINE), key, 100.0) for key in points[0] if key.startswith(LINE)]
    what = (
        "hands that begin so" if training.self_play.num_players == 2 else "hands, two players left, by the first fold"
    )
    gaps = [point for point in points if "gap" in point]
    times, means, halves = ([point[key] for point in gaps] for key in ("seconds", "gap", "gap_ci95"))
    gap = Curve("gap, at least", [seconds / 60 for seconds in times], means, halves)
    return [
        *([plot("Gap in the abstract game", f"NashConv, at least ({rules.unit})", gap)] if len(gaps) > 1 else []),
        plot(f"Betting {first_round(rules)} in self-play", f"{what} (%)", *lines),
        plot(
            "Average regret",
            f"average regret ({rules.unit})",
            curve("average regret", "average_regret"),
            is_log=True,
        ),
        plot(
            "Unvisited information sets",
            "decisions of self-play in them (%)",
            curve("unvisited", "unvisited_share", 100.0),
        ),
        plot("Speed", "million node visits a second", curve("visits", "visits_per_second", 1e-6)),
    ]


def _facts(training: Training) -> dict[str, object]:
    told, recipe, content = training.as_dict(), training.recipe, training.recipe.content()
    facts: dict[str, object] = {key: told[key] for key in ("game", "unit", "seed", "threads", "entries", "version")}
    facts |= {key: content[key] for key in ("betting", "off_tree", "cards")}
    facts |= {"information sets": told["information_sets"], "paper": recipe.paper, **recipe.solver.as_dict()}
    return {key: fact for key, fact in facts.items() if fact != ""}


def _percent(share: float) -> float:
    return round(100 * share, 2)
