"""The agents of section 3.4 and the experts of chapter 4, trained by their recipes.

The thesis trained for weeks and months and counts iterations; here the clock is the limit. IR16_20M is what IR16 was at
half time, as in the thesis (20 of 43 million iterations).

Multi2's two buckets a round are halves of all hands, by the letter of section 2.2.3, or halves within the bucket
history. Trained alike, the latter fit the print: betting before the flop (Table 4.2), the deviation of a hand (5.02 sb
beside the printed 4.98; plain halves 6.76) and the matchups with IR16 (Figure 3.2). So they are called Multi2 here, and
the others plain; the experts have such buckets, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from nashgap.jobs.reproduction import Request
from nashgap.jobs.training import LINE
from nashgap.papers.training import TrainedAgent, train
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.reports.report import Curve, Plot
from nashgap.solvers.recipe import Recipe, load_recipe
from nashgap.strategies.bot import Bot, FileBot, MasterBot

__all__ = [
    "IR16_END",
    "IR16_HALF",
    "MULTI2",
    "MULTI2_PLAIN",
    "curve_section",
    "master_of",
    "trained_agent",
    "trained_experts",
    "trained_recipe",
]

MULTI2, MULTI2_PLAIN, IR16_HALF, IR16_END = "Multi2", "Multi2, plain", "IR16_20M", "IR16_43M"
# The recipe of each agent, and the share of the training after which it is taken.
RECIPES = {
    MULTI2: ("multi2-nested", 1.0),
    MULTI2_PLAIN: ("multi2", 1.0),
    IR16_HALF: ("ir16", 0.5),
    IR16_END: ("ir16", 1.0),
}

QUICK_SHARE = 0.05  # of the time of training
QUICK_BETTING = "full caps=3/1/1/1"


def trained_agent(name: str, request: Request) -> TrainedAgent:
    """One of the thesis's agents; trained now where no earlier reproduction did."""
    recipe_name, share = RECIPES[name]
    if name == IR16_END:
        trained_agent(IR16_HALF, request)  # on the way there; a run does not go back
    return trained_recipe(recipe_name, request, share)


def trained_recipe(recipe_name: str, request: Request, share: float = 1.0) -> TrainedAgent:
    """The recipe's agent after this share of its training."""
    recipe = _sized(load_recipe(recipe_name), request)
    return train(recipe, share * recipe.minutes, request)


def trained_experts(recipe_name: str, request: Request, base: Bot | None = None) -> tuple[TrainedAgent, ...]:
    """The experts of a recipe, one for each betting. base: whose play they take, where they do."""
    recipe = _sized(load_recipe(recipe_name), request)
    return tuple(train(expert, recipe.minutes, request, base) for expert in recipe.experts())


def _sized(recipe: Recipe, request: Request) -> Recipe:
    """As the request wants it: with its minutes, or quick, with fewer bets where the whole betting tree is large."""
    minutes = request.minutes or recipe.minutes * (QUICK_SHARE if request.is_quick else 1.0)
    if not request.is_quick:
        return replace(recipe, minutes=minutes)
    is_large = recipe.rules.num_seats > 2 and not recipe.rules.has_sizes
    betting = parse_betting_abstraction(QUICK_BETTING) if is_large else recipe.betting
    return replace(recipe, name=f"{recipe.name}-quick", betting=betting, minutes=minutes)


def master_of(base: Bot, experts: Sequence[TrainedAgent]) -> MasterBot:
    """The base that summons the experts."""
    return MasterBot(base, tuple(FileBot(str(expert.file.resolve())) for expert in experts))


def curve_section(title: str, agent: TrainedAgent, printed: Mapping[str, float]) -> Plot:
    """How often hands of self-play are heads-up after each betting before the flop, over the time of training.

    printed: percent, drawn as horizontal lines.
    """
    minutes = [point["seconds"] / 60 for point in agent.points]
    keys = [key for key in (agent.points[0] if agent.points else {}) if key.startswith(LINE)]
    return Plot(
        title,
        "minutes",
        "hands, two players left, by the first fold (%)",
        tuple(Curve(key.removeprefix(LINE), minutes, [100 * point[key] for point in agent.points]) for key in keys),
        lines=tuple((f"{text}, printed", share) for text, share in printed.items()),
    )
