"""Figures 4 to 6: how many qualitative models do the equilibria of limit river endgames need?

The paper (section 2) says of Ganzfried & Sandholm (2010) that three models sufficed for all distributions, and that all
three were needed. Their pictures are lost. Here random endgames are solved and the shapes of their equilibria counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nashgap.explanations.river_equilibria import RIVER_CHOICES
from nashgap.explanations.river_plans import SITUATIONS
from nashgap.explanations.shapes import LEVELS, Model, num_needed
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.ganzfried_yusuf_2017.shape_drawings import model_bars, shape_bars
from nashgap.papers.ganzfried_yusuf_2017.shapes_job import (
    CAPS,
    DECK,
    POT,
    ShapesJob,
    Solved,
    cap_words,
    models_of_some_equilibrium,
)
from nashgap.reports.report import Drawing, Report, Table, Text
from nashgap.runs import package_version

__all__ = ["figures_4_to_6"]

MAIN_CAP = 2
"""A bet and one raise: the plans are those that the paper's words name."""
FULL_GAMES, QUICK_GAMES = 1000, 50
SHARES = (0.5, 0.9, 0.99, 1.0)
PUBLISHED_MODELS = 3
MOST_DRAWN = 8
SIMPLEST = RIVER_CHOICES[-1]
BOTH = 3
WHOLE_PLANS = (2, BOTH)
"""Places of the levels that tell all plans apart: player 1's, both players'."""

SolvedShapes = Mapping[tuple[int, str, int], Solved]
"""By cap, choice of equilibrium and place of the level."""


def figures_4_to_6(request: Request) -> Report:
    """The shapes of equilibria in random river endgames, counted."""
    job = ShapesJob(seed=request.seed, games=QUICK_GAMES if request.is_quick else FULL_GAMES)
    batches = request.perform_own(job)
    solved = {
        (cap, choice, place): Solved.of(
            [game[place] for batch in batches if batch["cap"] == cap for game in batch["intervals"][choice]]
        )
        for cap in CAPS
        for choice in RIVER_CHOICES
        for place in range(len(LEVELS))
    }
    request.note("which games have an equilibrium that conforms to a model: some minutes")
    models = {
        (cap, place): models_of_some_equilibrium(solved[cap, SIMPLEST, place], cap, request.seed)
        for cap in CAPS
        for place in WHOLE_PLANS
    }
    player_1, both = (solved[MAIN_CAP, SIMPLEST, place] for place in WHOLE_PLANS)
    unproven = {cap: sum(not p for b in batches if b["cap"] == cap for p in b["is_proven"]) for cap in CAPS}
    return Report(
        title="Qualitative models of limit river endgames (Ganzfried & Yusuf 2017, Figures 4 to 6)",
        summary=(
            f"{job.games:,} random endgames, each with whichever of its equilibria fits: with {cap_words(MAIN_CAP)}"
            f" {_counted(models[MAIN_CAP, BOTH])} of both players' plans will do, with {cap_words(CAPS[-1])} three"
            f" cover {_share(models[CAPS[-1], BOTH], PUBLISHED_MODELS):.1%}. The paper: three for all, and all three"
            f" are needed. The simplest equilibria have {len(both.counts)} shapes with {cap_words(MAIN_CAP)}, the"
            f" solver's own {len(solved[MAIN_CAP, RIVER_CHOICES[0], BOTH].counts)}."
        ),
        sections=(
            _cover_table(solved, models),
            Drawing(
                f"The first models for both players, {cap_words(MAIN_CAP)}",
                model_bars(both, models[MAIN_CAP, BOTH][:PUBLISHED_MODELS]),
            ),
            *(_model_table(cap, models[cap, BOTH]) for cap in CAPS),
            Drawing(f"Player 1's most frequent shapes, {cap_words(MAIN_CAP)}", shape_bars(player_1, MOST_DRAWN)),
            *(_count_table(cap, solved) for cap in CAPS),
            Text("How shapes were found", _method(unproven, max(batch["loss"] for batch in batches))),
            Text("What is true of the paper's claim", tuple(_verdict(cap, models[cap, BOTH]) for cap in CAPS)),
        ),
        command=command_of("human-figures-4-6", request),
        facts={
            "game": f"river_limit(deck={DECK},pot={POT:g})",
            "games": job.games,
            "seed": request.seed,
            "version": package_version(),
        },
    )


def _cover_table(solved: SolvedShapes, models: Mapping[tuple[int, int], Sequence[Model]]) -> Table:
    rows: list[tuple[str | int, ...]] = []
    for cap, place in models:
        simplest = solved[cap, SIMPLEST, place].models
        for kind, found in (("simplest", simplest), ("any", models[cap, place])):
            shares = (f"{_share(found, number):.1%}" for number in range(1, PUBLISHED_MODELS + 1))
            rows.append((cap, LEVELS[place].name.partition(",")[0], kind, *shares, len(found)))
    return Table(
        "Games that conform to the first models",
        ("bets", "plans of", "equilibrium", "1 model", "2 models", "3 models", "for all"),
        tuple(rows),
        note="The paper: three models for all, and all three are needed. Bets: most bets and raises. Simplest: the"
        " equilibrium with the fewest intervals conforms. Any: some equilibrium of the game does.",
    )


def _count_table(cap: int, solved: SolvedShapes) -> Table:
    rows = []
    for choice in RIVER_CHOICES:
        for place, level in enumerate(LEVELS):
            one = solved[cap, choice, place]
            counts = list(one.counts.values()), [model.count for model in one.models]
            rows.append((choice, level.name, *(_needed(each) for each in counts)))
    shares = "/".join(f"{100 * share:g}" for share in SHARES)
    return Table(
        f"How many shapes and models are needed, {cap_words(cap)}",
        ("equilibrium", "level", f"shapes for {shares}%", f"models for {shares}%"),
        tuple(rows),
        note="Shapes: the most frequent ones that make up the share of games. Models: shapes to which that share"
        " conforms, where intervals may be empty.",
    )


def _needed(counts: Sequence[int]) -> str:
    return " / ".join(str(num_needed(counts, share)) for share in SHARES)


def _model_table(cap: int, models: Sequence[Model]) -> Table:
    return Table(
        f"Models for both players, {cap_words(cap)}",
        ("model", "games", *SITUATIONS),
        tuple(
            (number, model.count, *(", ".join(part) for part in model.shape))
            for number, model in enumerate(models[:MOST_DRAWN], start=1)
        ),
        note="Games: those that have an equilibrium that conforms to the model, and none that conforms to one before"
        " it. Plans from the worst hand to the best.",
    )


def _method(unproven: Mapping[int, int], loss: float) -> tuple[str, ...]:
    left_open = ", ".join(f"{number} with {cap_words(cap)}" for cap, number in unproven.items() if number)
    return (
        f"Endgames have {DECK} hands, both players' distributions drawn by Algorithms 3 and 4, and a pot of {POT:g}"
        " bets: that of heads-up limit hold'em after one raise before the flop and one bet on flop and turn.",
        "The pictures of the models are lost, so shapes are read off the equilibria: from the worst hand to the best"
        " the plans that are followed, equal neighbours merged. A mixed hand lies across a border and is divided"
        " between its plans in the order that gives the fewest intervals. Plans include answers to raises that are"
        " never made in equilibrium, because those answers are why they are not made.",
        f"Equilibria are not unique. 'solver' is the vertex that the linear program ends in; '{SIMPLEST}' is an"
        " equilibrium with the fewest intervals, found by a mixed-integer program over all equilibria. Both are"
        f" equilibria to {loss:.1g} bets a hand."
        + (f" The search was cut short, so that fewer intervals may exist, in: {left_open}." if left_open else ""),
        "A model is a shape that occurs; a strategy conforms to it if it has the model's intervals in order, some of"
        " them empty. Whether any equilibrium of a game conforms to a model is a mixed-integer program too, as in"
        " Ganzfried & Sandholm (2010). Models are chosen greedily, so that fewer may do. What the authors count as one"
        " model, and how many raises their models have, cannot be told without the pictures.",
    )


def _verdict(cap: int, models: Sequence[Model]) -> str:
    """Whether three models suffice and are needed, where any equilibrium may be taken."""
    number = len(models)
    if number <= PUBLISHED_MODELS:
        needed = "" if number == PUBLISHED_MODELS else f", and not all are needed: {_counted(models)} will do"
        return f"{cap_words(cap).capitalize()}: three models suffice for both players{needed}."
    return (
        f"{cap_words(cap).capitalize()}: three models do not suffice; they cover"
        f" {_share(models, PUBLISHED_MODELS):.1%} of the games, and {number} were needed here."
    )


def _share(models: Sequence[Model], number: int) -> float:
    """Of the games that the first models cover."""
    return sum(model.count for model in models[:number]) / sum(model.count for model in models)


def _counted(models: Sequence[Model]) -> str:
    return f"{len(models)} model{'' if len(models) == 1 else 's'}"
