"""What is measured: one strategy of a small game as its table, or one of an abstract game."""

from __future__ import annotations

from nashgap.core.game import Game
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError, GameSizeError, MismatchError
from nashgap.games.compiled import load_tree
from nashgap.poker.rules import PokerRules, load_rules
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.bot import Bot, FileBot, GivenBot
from nashgap.strategies.load import load
from nashgap.strategies.table import TableStrategy
from nashgap.strategies.tabulate import tabulate_poker, tree_of_rules

__all__ = ["abstract_strategy", "one_bot", "table_strategy"]


def one_bot(bots: tuple[Bot, ...], method: str) -> Bot:
    """The only one; `method` measures no more, for messages."""
    if len(bots) != 1:
        raise ConfigError(f"{len(bots)} strategies; {method} measures one")
    return bots[0]


def table_strategy(bot: Bot, game: str | Game | GameTree | PokerRules | None) -> TableStrategy:
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


def abstract_strategy(bot: Bot, game: str | PokerRules | None, method: str) -> AbstractStrategy:
    """The strategy of an abstract game that the bot is; `method` is for messages."""
    strategy = load(bot) if isinstance(bot, FileBot | GivenBot) else None
    if not isinstance(strategy, AbstractStrategy):
        raise ConfigError(
            f"{bot.text} is a strategy of no abstract game, within which {method} measures; use br, or lbr in poker"
        )
    wanted = load_rules(game) if isinstance(game, str) else game
    if wanted is not None and wanted.to_text() != strategy.rules.to_text():
        raise MismatchError(f"{bot.text} is a strategy for {strategy.rules.name}, not for {wanted.name}")
    strategy.require_one_game(bot.text, method)
    return strategy


def _of_tree(bot: Bot, game: str | Game | GameTree) -> TableStrategy:
    try:
        tree = game if isinstance(game, GameTree) else load_tree(game)
    except GameSizeError as error:
        raise _too_large(bot, str(game), error) from None
    return load(bot, tree)


def _too_large(bot: Bot, game: str, error: GameSizeError) -> GameSizeError:
    within = ""
    if isinstance(bot, FileBot | GivenBot):
        within = "; within its abstract game it is measured by abstract-br, in its own tree by br with --tree own"
    return GameSizeError(
        f"{bot.text} in {game}: {error}; in poker of any size it is measured by lbr (nashgap measure {bot.text} --by"
        f" lbr){within}"
    )
