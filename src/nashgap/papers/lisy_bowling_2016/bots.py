"""The bots of our Table 3: recipes and variations of them, trained in the folder of runs.

In the place of the competition's bots, which are not public. `full-cards` is as near to real cards as its recipe comes:
nothing is lost before the turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from nashgap.abstraction.buckets import parse_card_abstraction
from nashgap.errors import ConfigError
from nashgap.jobs.reproduction import Request
from nashgap.papers.training import TrainedAgent, train
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.rules import load_rules
from nashgap.solvers.recipe import Recipe, load_recipe

__all__ = [
    "AGAIN",
    "BOT_NAMES",
    "COARSE",
    "EXPLORED",
    "FCPA",
    "FULL_CARDS",
    "RICH",
    "BotRecipe",
    "chosen_bots",
    "trained_bots",
]

FCPA, AGAIN, EXPLORED, COARSE, RICH, FULL_CARDS = (
    "fcpa",
    "fcpa-again",
    "fcpa-explored",
    "coarse",
    "rich",
    "full-cards",
)
BOT_NAMES = (FCPA, AGAIN, EXPLORED, COARSE, RICH, FULL_CARDS)

EXPLORATION = 0.05
COARSE_BUCKETS, QUICK_COARSE_BUCKETS = 20, 5
QUICK_RECIPE, QUICK_RICH_BETTING = "hunl-fcpa-small", "0.5,1,a > 1,a"
QUICK_MINUTES = 0.1


@dataclass(frozen=True)
class BotRecipe:
    """How a bot is trained.

    about: what sets it apart, in few words.
    seed:  of its training, added to that of the request.
    """

    about: str
    recipe: Recipe
    seed: int = 0


def chosen_bots(request: Request) -> dict[str, BotRecipe]:
    """The bots that the request asks for, all if it names none."""
    if unknown := [name for name in request.agents if name not in BOT_NAMES]:
        raise ConfigError(f"agents: there is no {unknown[0]!r}; choose from {', '.join(BOT_NAMES)}")
    bots = _quick_bots() if request.is_quick else _bots()
    return {name: bots[name] for name in BOT_NAMES if not request.agents or name in request.agents}


def trained_bots(bots: Mapping[str, BotRecipe], request: Request) -> dict[str, TrainedAgent]:
    """Each trained, for the minutes of the request or else of its recipe."""
    return {
        name: train(bot.recipe, request.minutes or bot.recipe.minutes, replace(request, seed=request.seed + bot.seed))
        for name, bot in bots.items()
    }


def _bots() -> dict[str, BotRecipe]:
    fcpa = load_recipe("hunl-fcpa")
    return {
        **_variations(fcpa, COARSE_BUCKETS),
        FCPA: BotRecipe("fold, call, pot, all-in; 200 buckets a round", fcpa),
        RICH: BotRecipe("up to five sizes of a raise; 300 buckets a round", load_recipe("hunl-rich")),
        FULL_CARDS: BotRecipe("fold, call, pot, all-in; real cards to the flop; 100 BB", load_recipe("hunl100-fine")),
    }


def _quick_bots() -> dict[str, BotRecipe]:
    """The same kinds in small."""
    fcpa = replace(load_recipe(QUICK_RECIPE), minutes=QUICK_MINUTES)
    rich = replace(fcpa, name=f"{QUICK_RECIPE}-rich", betting=parse_betting_abstraction(QUICK_RICH_BETTING))
    full = replace(fcpa, name=f"{QUICK_RECIPE}-100", rules=load_rules("hunl100"))
    return {
        **_variations(fcpa, QUICK_COARSE_BUCKETS),
        FCPA: BotRecipe("fold, call, pot, all-in; 10 buckets a round", fcpa),
        RICH: BotRecipe("one size of a raise more", rich),
        FULL_CARDS: BotRecipe("in truth 10 buckets a round; 100 BB", full),
    }


def _variations(recipe: Recipe, num_buckets: int) -> dict[str, BotRecipe]:
    """The recipe with another seed, with other cards, and with exploration."""
    buckets = "/".join([str(num_buckets)] * 4)
    coarse = parse_card_abstraction(f"kmeans({buckets})")
    cards = tuple(dict.fromkeys(of_seat, coarse) for of_seat in recipe.cards)
    return {
        AGAIN: BotRecipe("fcpa trained with another seed", recipe, seed=1),
        EXPLORED: BotRecipe(
            "fcpa that also learned answers to bets that nobody makes",
            replace(recipe, name=f"{recipe.name}-explored", solver=replace(recipe.solver, exploration=EXPLORATION)),
        ),
        COARSE: BotRecipe(
            f"fold, call, pot, all-in; {num_buckets} buckets a round",
            replace(recipe, name=f"{recipe.name}-{num_buckets}", cards=cards),
        ),
    }
