"""The methods of `measure` that take a moment or a few minutes, as functions of bots and a game.

Local Best Response is a long piece of work, and lives in `nashgap.jobs.lbr`. The keyword-only parameters of a method
are its options; `nashgap.catalogue.MEASURES` lists them all.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from nashgap.core.game import Game
from nashgap.core.job import Progress
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError, GameSizeError, MismatchError
from nashgap.games.compiled import load_tree
from nashgap.measures.abstract_response import AbstractGap, abstract_gap
from nashgap.measures.best_response import Exploitability, exploitability
from nashgap.measures.bucket_response import BucketGap, bucket_gap
from nashgap.poker.rules import PokerRules, load_rules
from nashgap.runs.executors import Pace
from nashgap.runs.progress import Progressing, shown
from nashgap.solvers.samplings import Sampling
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.load import load
from nashgap.strategies.spec import Bot, FileBot, GivenBot
from nashgap.strategies.table import TableStrategy
from nashgap.strategies.tabulate import tabulate_poker, tree_of_rules

__all__ = ["measure_abstract_br", "measure_br", "measure_bucket_br"]


def measure_br(bots: tuple[Bot, ...], game: str | Game | GameTree | PokerRules | None) -> Exploitability:
    """Exact best responses, in a small game: of tables, and of whatever answers for all hands of a small poker game."""
    bot = _one(bots, "br")
    strategy = _tabulated(bot, game)
    return replace(exploitability(strategy.tree, strategy), strategy=bot.text)


def measure_abstract_br(
    bots: tuple[Bot, ...],
    game: str | PokerRules | None,
    *,
    iterations: int | None = None,
    sampling: str | None = None,
    deals: int = 100_000,
    threads: int = 1,
    seed: int = 0,
    progress: Progressing = None,
) -> AbstractGap:
    """What CFR finds against a strategy within its own abstract game; see `nashgap.measures.abstract_response`."""
    strategy = _abstract(_one(bots, "abstract-br"), game, "abstract-br")
    num_seats = strategy.rules.num_seats
    with shown(progress) as show:
        gap = abstract_gap(
            strategy.game,
            strategy.tables,
            iterations=iterations,
            sampling=None if sampling is None else Sampling(sampling),
            num_deals=deals,
            threads=threads,
            seed=seed,
            on_progress=_by_seat(show.on_progress, num_seats),
        )
    return replace(gap, strategy=bots[0].text, game=strategy.rules.name)


def measure_bucket_br(
    bots: tuple[Bot, ...], game: str | PokerRules | None, *, deals: int = 4_000_000, seed: int = 0
) -> BucketGap:
    """The best response within a heads-up abstract game; see `nashgap.measures.bucket_response`."""
    strategy = _abstract(_one(bots, "bucket-br"), game, "bucket-br")
    gap = bucket_gap(strategy.game, strategy.tables, num_deals=deals, seed=seed)
    return replace(gap, strategy=bots[0].text, game=strategy.rules.name)


def _one(bots: tuple[Bot, ...], method: str) -> Bot:
    if len(bots) != 1:
        raise ConfigError(f"{len(bots)} strategies; {method} measures one")
    return bots[0]


def _tabulated(bot: Bot, game: str | Game | GameTree | PokerRules | None) -> TableStrategy:
    """The strategy as a table of the small game that it is for."""
    if game is None:
        strategy = load(bot)
        if isinstance(strategy, TableStrategy):
            return strategy
        rules: PokerRules = strategy.rules
    elif isinstance(game, PokerRules):
        rules = game
    else:
        return _of_tree(bot, game)
    try:
        return tabulate_poker(load(bot, rules), tree_of_rules(rules))
    except GameSizeError as error:
        raise _too_large(bot, rules.name, error) from None


def _of_tree(bot: Bot, game: str | Game | GameTree) -> TableStrategy:
    try:
        tree = game if isinstance(game, GameTree) else load_tree(game)
    except GameSizeError as error:
        raise _too_large(bot, str(game), error) from None
    return load(bot, tree)


def _too_large(bot: Bot, game: str, error: GameSizeError) -> GameSizeError:
    within = ""
    if isinstance(bot, FileBot | GivenBot):
        within = "; within its abstract game it is measured by abstract-br"
    return GameSizeError(
        f"{bot.text} in {game}: {error}; in poker of any size it is measured by lbr (nashgap measure {bot.text} --by"
        f" lbr){within}"
    )


def _abstract(bot: Bot, game: str | PokerRules | None, method: str) -> AbstractStrategy:
    strategy = load(bot) if isinstance(bot, FileBot | GivenBot) else None
    if not isinstance(strategy, AbstractStrategy):
        raise ConfigError(
            f"{bot.text} is a strategy of no abstract game, within which {method} measures; use br, or lbr in poker"
        )
    wanted = load_rules(game) if isinstance(game, str) else game
    if wanted is not None and wanted.to_text() != strategy.rules.to_text():
        raise MismatchError(f"{bot.text} is a strategy for {strategy.rules.name}, not for {wanted.name}")
    return strategy


def _by_seat(on_progress: Callable[[Pace], None] | None, num_seats: int) -> Callable[[int, int, int], None] | None:
    """What is called with (seat, iterations done, of how many), as the progress of one row of iterations."""
    if on_progress is None:
        return None
    begin = time.perf_counter()

    def tell(seat: int, done: int, iterations: int) -> None:
        message = f"response of seat {seat + 1} of {num_seats}"
        progress = Progress(seat * iterations + done, num_seats * iterations, "iterations", message=message)
        on_progress(Pace.since(begin, 0.0, progress))

    return tell
