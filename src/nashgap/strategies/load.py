"""One `load` for all that `nashgap.strategies.spec` can name, and one `save`.

Without a game: the strategy in a file, of either kind, or one that is given. For a compiled game: a `TableStrategy` of
it; in one that is also played at the poker table, of whatever answers there. For poker rules: a strategy at the real
table, which answers for every private hand at once.
"""

from __future__ import annotations

from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any, cast, overload

from nashgap.catalogue import AGENTS, POKER_STRATEGIES, POKER_STRATEGY_FORMS, POLICIES, RESIDENTS, unknown_name
from nashgap.core.array_file import open_arrays
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError, FileFormatError, MismatchError, NashGapError, OptionError
from nashgap.games.compiled import rebuild_game, rebuild_tree
from nashgap.poker.game import CardGame
from nashgap.poker.rules import PokerRules, parse_rules
from nashgap.strategies.abstract import AbstractStrategy, graft
from nashgap.strategies.abstract_file import ABSTRACT_KIND, load_abstract_strategy, read_abstract
from nashgap.strategies.bot import (
    AcpcBot,
    Bot,
    ExecBot,
    FileBot,
    GivenBot,
    HandByHand,
    MasterBot,
    NamedBot,
    PatchedBot,
    PythonBot,
)
from nashgap.strategies.master import master_strategy
from nashgap.strategies.patched import PatchedStrategy
from nashgap.strategies.play_options import PlayOptions
from nashgap.strategies.poker_strategy import PokerStrategy
from nashgap.strategies.poker_table import PokerTableStrategy
from nashgap.strategies.spec import HUMAN, as_bot, named_object
from nashgap.strategies.spot_strategy import SPOT_KIND, SpotStrategy, load_spot_strategy, read_spot
from nashgap.strategies.table import TableStrategy, load_table, read_table

__all__ = ["is_spot", "load", "load_experts", "rules_of", "save"]


@overload
def load(bot: str | Path | Bot | Any, game: None = None) -> TableStrategy | AbstractStrategy | SpotStrategy: ...
@overload
def load(bot: str | Path | Bot | Any, game: GameTree) -> TableStrategy: ...
@overload
def load(bot: str | Path | Bot | Any, game: PokerRules) -> PokerStrategy: ...
def load(
    bot: str | Path | Bot | Any, game: GameTree | PokerRules | None = None
) -> TableStrategy | AbstractStrategy | SpotStrategy | PokerStrategy:
    """The strategy that `bot` is: a text, the path of a file, or any object that has `policies`; sure to be for `game`.

    Names, classes and programs exist for many games and need one; a file knows its own.
    """
    parsed = as_bot(bot, kind="strategy")
    if game is None:
        return _of_its_own_game(parsed)
    return _in_tree(parsed, game) if isinstance(game, GameTree) else _at_the_table(parsed, game)


def is_spot(bot: Bot) -> bool:
    """Whether it is a strategy of a spot, in a file or given."""
    if isinstance(bot, FileBot):
        return _kind(bot) == SPOT_KIND
    return isinstance(bot, GivenBot) and isinstance(bot.given, SpotStrategy)


def load_experts(bot: MasterBot, rules: PokerRules) -> AbstractStrategy:
    """All experts of a master, a segment each, played with one set of options.

    They are the base's where it is a strategy of an abstract game, as in a file that they are grafted into; else those
    of the experts, which must agree.
    """
    found = [_expert(expert, rules) for expert in bot.experts]
    options = _abstract_options(bot.base, rules)
    if options is not None and (told := [expert.text for expert in bot.experts if expert.options]):
        raise ConfigError(f"expert {told[0]!r}: experts are played with the options of their base; give them there")
    if options is None:
        options = found[0].options
        if any(expert.options != options for expert in found):
            raise ConfigError(f"agent {bot.text!r}: its experts have different options; one set is played")
    first, *others = (expert.with_options(**options.as_dict()) for expert in found)
    return graft(first, *others)


def _expert(bot: FileBot, rules: PokerRules) -> AbstractStrategy:
    strategy = load(bot, rules)
    if not isinstance(strategy, AbstractStrategy):
        raise ConfigError(f"expert {bot.text!r} is a strategy of a small game; experts are of abstract games")
    strategy.require_expert(bot.text)
    return strategy


def _abstract_options(bot: Bot, rules: PokerRules) -> PlayOptions | None:
    """How a strategy of an abstract game is played; None of all others."""
    if not isinstance(bot, FileBot | GivenBot) or (isinstance(bot, FileBot) and not _is_abstract(bot)):
        return None
    strategy = load(bot, rules) if isinstance(bot, FileBot) else bot.given
    return strategy.options if isinstance(strategy, AbstractStrategy) else None


def save(path: Path | str, strategy: TableStrategy | AbstractStrategy | SpotStrategy) -> None:
    """Write a strategy file; whole, or not at all."""
    if not isinstance(strategy, TableStrategy | AbstractStrategy | SpotStrategy):
        raise ConfigError(
            f"a {type(strategy).__name__} cannot be saved; strategies of games, abstract games and spots can"
        )
    strategy.save(path)


def rules_of(bot: Bot) -> PokerRules | None:
    """The poker game that a strategy, in a file or given, was made for; None where it may be for many, or for none."""
    if isinstance(bot, FileBot) and _is_abstract(bot):
        metadata = read_abstract(bot.path).metadata
        return parse_rules(str(metadata["game_definition"]), str(metadata["game"]))
    if isinstance(bot, FileBot) and is_spot(bot):
        return read_spot(bot.path).rules
    if isinstance(bot, FileBot):
        return _rules_of_definition(read_table(bot.path).metadata["game_definition"])
    if isinstance(bot, MasterBot):
        return rules_of(bot.experts[0])
    if isinstance(bot, PatchedBot):
        return rules_of(bot.base)
    if isinstance(bot, GivenBot) and isinstance(bot.given, TableStrategy):
        return _rules_of_definition(bot.given.tree.definition)
    own = getattr(bot.given, "rules", None) if isinstance(bot, GivenBot) else None
    return own if isinstance(own, PokerRules) else None


def _of_its_own_game(bot: Bot) -> TableStrategy | AbstractStrategy | SpotStrategy:
    if isinstance(bot, FileBot) and is_spot(bot):
        return _spot(bot)
    if isinstance(bot, FileBot):
        return _with_options(bot, None) if _is_abstract(bot) else _table(bot)
    if isinstance(bot, GivenBot) and isinstance(bot.given, TableStrategy | AbstractStrategy | SpotStrategy):
        return bot.given
    if isinstance(bot, NamedBot) and bot.name not in {*POLICIES.entries, *POKER_STRATEGIES.entries}:
        raise unknown_name("strategy", bot.name, [*POLICIES.entries, *POKER_STRATEGIES.entries, *RESIDENTS.entries])
    raise OptionError(f"strategy {bot.text!r} exists for many games; name the game too (`game`)")


def _in_tree(bot: Bot, tree: GameTree) -> TableStrategy:
    if isinstance(bot, NamedBot) and bot.name in POLICIES.entries:
        return POLICIES.load(bot.name)(tree)
    if isinstance(bot, NamedBot) and bot.name not in POKER_STRATEGIES.entries:
        raise unknown_name("strategy", bot.name, [*POLICIES.entries, *POKER_STRATEGIES.entries])
    rules = _rules_of_definition(tree.definition)
    made_for = _fingerprint_of(bot)
    if made_for is not None and (made_for == tree.fingerprint or rules is None or rules_of(bot) != rules):
        return _table(bot, tree)
    if rules is None:
        raise ConfigError(f"strategy {bot.text!r} is one for the poker table, at which {tree.game} is not played")
    from nashgap.strategies.tabulate import tabulate_poker

    strategy = _at_the_table(bot, rules)
    with closing(strategy) if hasattr(strategy, "close") else nullcontext():  # type: ignore[type-var]
        return tabulate_poker(strategy, tree)


def _at_the_table(bot: Bot, rules: PokerRules) -> PokerStrategy:
    match bot:
        case NamedBot():
            return _named(bot)
        case FileBot() if is_spot(bot):
            return _for_rules(_spot(bot), rules)
        case FileBot():
            return _with_options(bot, rules) if _is_abstract(bot) else _seated(bot.text, _table(bot), rules)
        case PythonBot():
            return _of_class(bot)
        case ExecBot():
            from nashgap.strategies.exec_program import ExecStrategy

            return ExecStrategy(bot.command, rules, bot.limits, bot.text)
        case HandByHand():  # agents lie above strategies: only the catalogue knows of them
            return cast(PokerStrategy, POKER_STRATEGY_FORMS.load("by-hand")(bot.player, rules))
        case AcpcBot():
            raise _only_plays(bot)
        case MasterBot():
            return master_strategy(bot.text, load(bot.base, rules), load_experts(bot, rules))
        case PatchedBot():
            return _patched(bot, rules)
        case GivenBot():
            return _given(bot, rules)
        case _:
            raise AssertionError(f"no kind of bot: {bot!r}")


def _named(bot: NamedBot) -> PokerStrategy:
    if bot.name == HUMAN or (bot.name in AGENTS.entries and bot.name not in POKER_STRATEGIES.entries):
        raise _only_plays(bot)
    return cast(PokerStrategy, named_object(bot, POKER_STRATEGIES, "strategy"))


def _of_class(bot: PythonBot) -> PokerStrategy:
    from nashgap.core.python_class import load_class
    from nashgap.strategies.python_strategy import STRATEGY_METHODS, load_python_strategy

    found = load_class(bot.text, "strategy", STRATEGY_METHODS | {"act": "view"})
    if not any(hasattr(found, method) for method in STRATEGY_METHODS):
        raise _only_plays(bot)
    return load_python_strategy(bot.text)


def _given(bot: GivenBot, rules: PokerRules) -> PokerStrategy:
    from nashgap.strategies.python_strategy import STRATEGY_METHODS, PythonStrategy

    given = bot.given
    if isinstance(given, TableStrategy):
        return _seated(bot.text, given, rules)
    if isinstance(given, AbstractStrategy | SpotStrategy):
        return _for_rules(given, rules)
    if isinstance(given, PokerStrategy):
        return given
    if not any(hasattr(given, method) for method in STRATEGY_METHODS):
        raise _only_plays(bot)
    return PythonStrategy(bot.text, given)


def _for_rules(strategy: AbstractStrategy | SpotStrategy, rules: PokerRules) -> PokerStrategy:
    if strategy.rules != rules:
        raise MismatchError(
            f"the strategy is for {strategy.rules.name or 'a game'}, not for {rules.name or 'this game'}"
            + (", whose rules differ" if strategy.rules.name == rules.name else "")
        )
    return strategy


def _patched(bot: PatchedBot, rules: PokerRules) -> PatchedStrategy:
    base = load(bot.base, rules)
    if isinstance(base, AbstractStrategy):
        base.require_complete(bot.base.text)
    return PatchedStrategy(bot.text, base, bot.patches, rules)


def _only_plays(bot: Bot) -> OptionError:
    """For what plays the hand that it holds and cannot be asked about others."""
    quoted = bot.text if " " not in bot.text else repr(bot.text)
    asked = "" if bot == NamedBot(HUMAN) else "; if it is deterministic, it can be asked hand by hand: `by_hand`"
    return OptionError(
        f"strategy {bot.text!r}: a player that only plays cannot be asked what it would do with other hands;"
        f" let it play instead: nashgap match {quoted} AGENT --game GAME{asked}"
    )


def _kind(bot: FileBot) -> object:
    return open_arrays(Path(bot.path)).metadata.get("kind")


def _is_abstract(bot: FileBot) -> bool:
    return _kind(bot) == ABSTRACT_KIND


def _spot(bot: FileBot) -> SpotStrategy:
    if bot.options:
        raise ConfigError(f"strategy {bot.text!r}: only a strategy of an abstract game has options")
    return load_spot_strategy(bot.path)


def _with_options(bot: FileBot, rules: PokerRules | None) -> AbstractStrategy:
    return load_abstract_strategy(bot.path, rules).with_options(name=bot.text, **dict(bot.options))


def _table(bot: Bot, tree: GameTree | None = None) -> TableStrategy:
    """The table in a file, or that is given, for this game if one is told, else for its own."""
    if isinstance(bot, GivenBot):
        strategy: TableStrategy = bot.given
        strategy.require_tree(tree or strategy.tree)
        return strategy
    assert isinstance(bot, FileBot), "nothing else has a table"
    if bot.options:
        raise ConfigError(f"strategy {bot.text!r}: only a strategy of an abstract game has options")
    if tree is None:
        tree = _own_tree(bot)
    return load_table(bot.path, tree)


def _own_tree(bot: FileBot) -> GameTree:
    definition = read_table(bot.path).metadata["game_definition"]
    if not definition:
        raise FileFormatError(f"{bot.path} does not say which game it is for: name the game too")
    try:  # the file's hash is right, but another program may have written it
        return rebuild_tree(definition)
    except (KeyError, TypeError, AttributeError) as error:
        raise FileFormatError(f"{bot.path} does not say which game it is for: {error!r}") from error
    except NashGapError as error:
        raise type(error)(f"{bot.path}: {error}") from error


def _fingerprint_of(bot: Bot) -> str | None:
    """Of the compiled game that a table, in a file or given, was made for; None where the bot is no table."""
    if isinstance(bot, FileBot) and _kind(bot) not in (ABSTRACT_KIND, SPOT_KIND):
        return str(read_table(bot.path).metadata["fingerprint"])
    if isinstance(bot, GivenBot) and isinstance(bot.given, TableStrategy):
        return bot.given.tree.fingerprint
    return None


def _rules_of_definition(definition: Any) -> PokerRules | None:
    """Of a small game that is also played at the poker table."""
    try:
        game = rebuild_game(definition)
    except (NashGapError, KeyError, TypeError, AttributeError):  # told when the game itself is asked for
        return None
    return game.rules if isinstance(game, CardGame) else None


def _seated(name: str, strategy: TableStrategy, rules: PokerRules) -> PokerTableStrategy:
    seated = PokerTableStrategy(name, strategy)
    seated.check_game(rules)
    return seated
