"""`nashgap explain prototypes`: the best few games to memorise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nashgap.cli.explain_fit import ChoiceOption, GamesArgument, TestOption, TrainOption, load_split
from nashgap.cli.options import JsonOption, QuietOption, SeedOption
from nashgap.cli.output import print_json, print_table, say

if TYPE_CHECKING:
    from nashgap.core.estimate import Estimate
    from nashgap.explanations.dataset import SolvedGames
    from nashgap.explanations.prototype_prices import PricedMemory

__all__ = ["prototypes"]

SHOWN_BETS = 3  # of a card's mixture
LEAST_SHOWN = 0.005


def prototypes(
    games: GamesArgument,
    counts: Annotated[str, typer.Option(metavar="N,N,...", help="How many games to memorise.")] = "5,10,20",
    metric: Annotated[str, typer.Option(metavar="NAME", help="How similar games are: emd, l1 or l2.")] = "emd",
    candidates: Annotated[int, typer.Option(metavar="N", help="Games that are tried.")] = 800,
    judged: Annotated[int, typer.Option(metavar="N", help="Games that they are judged by.")] = 1600,
    choice: ChoiceOption = "solver",
    train: TrainOption = None,
    test: TestOption = None,
    seed: SeedOption = 0,
    threads: Annotated[int, typer.Option(metavar="N", help="For the search of similar games.")] = 1,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Find the best few games to memorise: a new game is played as the most similar of them.

    Chosen for their price, which is what a best response takes on average in
    games that they were not chosen by. Beside them: as many random games, all
    games, and never betting.

    Examples: [bold]nashgap explain prototypes games.safetensors[/bold],
    [bold]nashgap explain prototypes games.safetensors --counts 3 --json[/bold]
    """
    from nashgap.core.job import require_seed
    from nashgap.explanations.distances import distance_named
    from nashgap.explanations.prototype_prices import price_prototypes
    from nashgap.explanations.scores import VALUE_LOST_NOTE

    require_seed(seed)
    wanted = _counts(counts)
    distance_named(metric)
    learned, unseen = load_split(games, train, test, choice)
    if not quiet:
        say(f"{candidates:,} games are tried on {judged:,} others; prices are measured in {len(unseen):,} unseen ones")
    priced = price_prototypes(
        learned,
        unseen,
        wanted,
        seed=seed,
        choice=choice,
        metric=metric,
        num_candidates=candidates,
        num_judged=judged,
        threads=threads,
    )
    if json:
        unit = priced[0].scores.exploitability.unit
        print_json({"unit": unit, "seed": seed, "test": len(unseen), "memories": [each.as_dict() for each in priced]})
        return
    rows = [(_words(each), _amount(each.scores.exploitability), _amount(each.scores.value_lost)) for each in priced]
    print_table(("memory", "exploitability", "value lost"), rows, right=(1, 2))
    print("Dollars a hand in unseen games, with 95% intervals over games; of random games, over ten draws of them.")
    print(VALUE_LOST_NOTE)
    fewest = min((each for each in priced if each.chosen is not None), key=lambda each: each.games)
    _print_games(learned, fewest, choice)


def _counts(text: str) -> list[int]:
    from nashgap.errors import ConfigError

    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdecimal() and int(word) > 0 for word in words):
        raise ConfigError(f"--counts {text}: it must be whole numbers above 0, by commas, such as 5,10,20")
    return list(dict.fromkeys(map(int, words)))


def _words(each: PricedMemory) -> str:
    match each.how:
        case "best":
            return f"the best {each.games} games"
        case "random":
            return f"{each.games} random games"
        case "all":
            return f"all {each.games:,} games"
    return "none: never bet"


def _amount(estimate: Estimate) -> str:
    return f"{estimate.mean:.4f} ± {estimate.ci95:.4f}"


def _print_games(learned: SolvedGames, memory: PricedMemory, choice: str) -> None:
    """Each game to memorise: both players' cards, and the bets."""
    assert memory.chosen is not None, "only chosen games are shown"
    remembered = learned[memory.chosen.indices]
    games, bets = remembered.games, remembered.bets(choice)
    amounts = learned.stakes.amounts
    for number, share in enumerate(memory.chosen.shares):
        print(f"\nGame {number + 1} of {memory.games}, the most similar one {share:.0%} of the time")
        rows = []
        for card in reversed(range(learned.stakes.deck)):
            own, theirs = (f"{games.pdf[number, player, card]:.0%}" for player in range(2))
            order = bets[number, card].argsort()[::-1][:SHOWN_BETS]
            made = [(amounts[bet], bets[number, card, bet]) for bet in order if bets[number, card, bet] > LEAST_SHOWN]
            words = ", ".join(_bet_words(float(amount), float(chance)) for amount, chance in made)
            rows.append((str(card + 1), own, theirs, words))
        print_table(("card", "you", "they", "your bets"), rows, right=(0, 1, 2))


def _bet_words(amount: float, chance: float) -> str:
    name = f"bet {amount:.10g}" if amount else "check"
    return name if chance > 1 - LEAST_SHOWN else f"{name} {chance:.0%}"
