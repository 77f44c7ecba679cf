"""Open, check and look at strategies."""

from __future__ import annotations

import shlex
import time
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from nashgap.api.subjects import Subject, bot_of, rules_for
from nashgap.catalogue import POKER_GAMES, POKER_STRATEGIES, POLICIES, RESIDENTS
from nashgap.core.array_file import check_writable
from nashgap.core.game import Game
from nashgap.core.job import Progress
from nashgap.core.result import Provenance
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError
from nashgap.games.compiled import load_tree
from nashgap.poker.rules import PokerRules, load_rules
from nashgap.runs.executors import Pace
from nashgap.runs.progress import Progressing, shown
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.abstract import graft as grafted_strategy
from nashgap.strategies.bot import Bot, FileBot, GivenBot, NamedBot
from nashgap.strategies.check_bot import BotCheck
from nashgap.strategies.check_bot import check_bot as questioned
from nashgap.strategies.check_file import FileCheck, check_file
from nashgap.strategies.load import load as load_strategy
from nashgap.strategies.load import rules_of
from nashgap.strategies.strategy_view import StrategyView
from nashgap.strategies.table import TableStrategy
from nashgap.strategies.view import view_strategy

__all__ = ["check", "check_bot", "graft", "load", "show"]


def load(strategy: Subject, game: str | Game | GameTree | PokerRules | None = None) -> Any:
    """The strategy that a name, a file, `python:module:Class`, `exec:COMMAND` or an object is.

    game: needed for what may be for many games; checked against a file. Of a small game the strategy is a table, at the
          poker table it answers for every hand.
    """
    bot = bot_of(strategy, kind="strategy")
    return load_strategy(bot, None if game is None else _game_for(bot, game))


def check(file: Path | str) -> FileCheck:
    """Read all of a strategy file and hold it to its game: every checksum, its game, its probabilities.

    file: a path, or the name of one that comes with the package.
    """
    return check_file(RESIDENTS.load(str(file)) if str(file) in RESIDENTS.entries else Path(file))


def graft(base: Subject, *experts: Subject, output: Path | str) -> FileCheck:
    """Write a strategy file that plays as the base does, and behind the betting of each expert as the expert does.

    base:    a strategy of an abstract game, in a file or given; its options are those of the whole.
    experts: for the same game; behind the same betting the last one plays.
    """
    path = Path(output)
    check_writable(path)
    grafted = grafted_strategy(*(_abstract(each) for each in (base, *experts)))
    grafted.save(path)
    return check_file(path)


def _abstract(subject: Subject) -> AbstractStrategy:
    bot = bot_of(subject, kind="strategy")
    strategy = load_strategy(bot) if isinstance(bot, FileBot | GivenBot) else None
    if not isinstance(strategy, AbstractStrategy):
        raise ConfigError(
            f"strategy {bot.text!r} is of no abstract game and cannot be grafted; any agent can be the base of a master"
            f" that summons experts: master:{bot.text}+EXPERTS.safetensors"
        )
    return strategy


def check_bot(
    bot: Subject, game: str | PokerRules = "hunl", *, states: int = 300, seed: int = 0, progress: Progressing = None
) -> BotCheck:
    """Ask a bot about states of all rounds and seats, each twice: are its answers sound, and the same again?"""
    rules = rules_for(game)
    strategy = load_strategy(bot_of(bot, kind="strategy"), rules)
    begin = time.perf_counter()
    with shown(progress) as show_progress:

        def tell(step: Progress) -> None:
            if show_progress.on_progress is not None:
                show_progress.on_progress(Pace.since(begin, 0, step))

        with closing(strategy) if hasattr(strategy, "close") else nullcontext():  # type: ignore[type-var]
            return questioned(strategy, rules, num_states=states, seed=seed, on_progress=tell)


def show(
    strategy: Subject,
    *,
    game: str | Game | GameTree | PokerRules | None = None,
    after: str = "",
    board: str = "",
    hand: str = "",
) -> StrategyView:
    """What a strategy does after some betting on some board, with every hand.

    game:  needed for all but files; checked against a file.
    after: `r300c/cc/cc/`; in a small game that is no poker the label of its information sets. Empty: at the beginning.
    hand:  one that is told apart, such as `AsKs`.
    """
    bot = bot_of(strategy, kind="strategy")
    place = _game_for(bot, game) if game is not None else _own_rules(bot)
    loaded = load_strategy(bot, place)
    rules = place if isinstance(place, PokerRules) else None
    with closing(loaded) if hasattr(loaded, "close") else nullcontext():  # type: ignore[type-var]
        view = view_strategy(loaded, rules, after, board, name=_short_name(bot))
    words = ["nashgap", "show", bot.text]
    for option, value in (("--game", game if isinstance(game, str) else ""), ("--after", after), ("--board", board)):
        words += [option, value] if value else []
    words += ["--hand", hand] if hand else []
    return replace(view, chosen=hand, provenance=Provenance(shlex.join(words)))


def _own_rules(bot: Bot) -> PokerRules | None:
    """Those of a strategy that is asked at the poker table; None of a table, which has the names of its own game."""
    is_given = isinstance(bot, FileBot | GivenBot)
    return None if is_given and isinstance(load_strategy(bot), TableStrategy) else rules_of(bot)


def _game_for(bot: Bot, game: str | Game | GameTree | PokerRules) -> GameTree | PokerRules:
    """The compiled game or the poker rules in which the bot is asked."""
    if isinstance(game, GameTree | PokerRules):
        return game
    if isinstance(game, str):
        is_poker = game in POKER_GAMES.entries or game.endswith(".game")
        if isinstance(bot, NamedBot):
            is_table = not is_poker or (bot.name in POLICIES.entries and bot.name not in POKER_STRATEGIES.entries)
        else:
            is_file = isinstance(bot, FileBot | GivenBot)
            is_table = not is_poker and is_file and not isinstance(load_strategy(bot), AbstractStrategy)
        if not is_table:
            return load_rules(game)
    return load_tree(game)


def _short_name(bot: Bot) -> str:
    """Files without their folder."""
    return bot.text.replace(bot.path, Path(bot.path).name) if isinstance(bot, FileBot) else bot.text
