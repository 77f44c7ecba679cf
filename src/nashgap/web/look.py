"""What strategies do at a place of their game, one or two side by side, for the page `/look`: no HTTP here.

Strategies are known by names that the server hands out itself: those of the catalogue, those given to the server, and
strategy files in the folder of runs. No path ever comes from a page.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Any, NamedTuple

from nashgap.catalogue import POKER_GAMES, POKER_STRATEGIES, RESIDENTS
from nashgap.errors import ConfigError, MismatchError, NashGapError
from nashgap.poker.rules import PokerRules, load_rules
from nashgap.strategies.bot import AcpcBot, Bot, FileBot, NamedBot
from nashgap.strategies.load import is_spot, load, rules_of
from nashgap.strategies.poker_table import PokerTableStrategy
from nashgap.strategies.spec import named_object, parse_bot
from nashgap.strategies.spot_strategy import SpotStrategy
from nashgap.strategies.table import TableStrategy
from nashgap.web.answering import MOST_WAITING_IN_ALL, Answering
from nashgap.web.api import CardRoom, NotFoundError
from nashgap.web.beside import nearest_line, require_one_spot
from nashgap.web.look_difference import all_words, difference
from nashgap.web.look_place import Looked, MissingCards, look_at
from nashgap.web.look_view import recolour
from nashgap.web.strategy_files import StrategyFiles, names_of

__all__ = ["MAX_BOARD", "MAX_LINE", "MAX_NAME", "Shelf"]

MAX_LINE = 400
"""Letters of betting."""
MAX_BOARD = 20
"""Letters of a board."""
MAX_NAME = 2000
"""Letters of a strategy's name."""
MAX_OPEN = 8  # that stay open: maps of files cost address space alone
MAX_SPOT_BYTES = 1 << 30  # of their files, where more than two of these are open: their tables are in memory


@dataclass(frozen=True)
class _Subject:
    """A strategy that is opened when it is first asked. rules: in which it is asked; None where it knows its own."""

    name: str
    rules: PokerRules | None
    answering: Answering

    def look(self, after: str, board: str) -> Looked | MissingCards:
        return self.answering.ask(lambda strategy: look_at(strategy, _rules(strategy, self), self.name, after, board))

    def strategy(self) -> Any:
        return self.answering.ask(lambda strategy: strategy)


class _Open(NamedTuple):
    """spot_bytes: of its file; 0 of what is no spot."""

    answering: Answering
    spot_bytes: int


class Shelf:
    """The strategies that can be looked at; they stay open once they were."""

    def __init__(self, room: CardRoom) -> None:
        self._room = room
        self._open: OrderedDict[tuple[Any, ...], _Open] = OrderedDict()
        self._files = StrategyFiles(room.root, room.given)
        self._named: dict[str, Bot] = {}
        self._lock, self._places = Lock(), BoundedSemaphore(MOST_WAITING_IN_ALL)

    def strategies(self) -> list[dict[str, Any]]:
        """Those offered: name, and whether it knows its game itself."""
        return [{"name": name, "has_game": _knows_game(bot)} for name, bot in self._bots().items()]

    def games(self) -> list[dict[str, str]]:
        return [{"name": name, "title": POKER_GAMES.entries[name].summary} for name in self._room.games()]

    def view(self, strategy: str, game: str, after: str, board: str, beside: str = "") -> dict[str, Any]:
        """All that the page shows of one decision, or how many cards it needs; the numbers are those of `nashgap show`.

        beside: a second strategy, looked at in the same place, with where they differ.
        """
        subject = self._subject(strategy, game)
        found = subject.look(after, board)
        if isinstance(found, MissingCards):
            return found.told()
        told = found.told()
        if beside:
            self._put_beside(told, subject, found, beside)
        return told

    def close(self) -> None:
        """Let go of all that is open: programs end."""
        with self._lock:
            for each in self._open.values():
                each.answering.end()
            self._open.clear()

    def _put_beside(self, told: dict[str, Any], subject: _Subject, found: Looked, name: str) -> None:
        """Add the second strategy and the difference; what goes wrong in it alone is told in its place."""
        second = self._second(subject, name)
        view = found.view
        try:
            line, notes = view.after, list[str]()
            if isinstance(own := second.strategy(), SpotStrategy):
                line, notes = nearest_line(own.spot, subject.strategy().spot, view.after)
            other = second.look(line, view.board)
        except NashGapError as error:
            told["beside"] = {"strategy": name, "error": str(error)}
            return
        assert isinstance(other, Looked), "it has the board of the first"
        its = other.told()
        words = all_words(view, other.view)
        for each in (told, its):
            recolour(each, words)
        onward = dict(zip(view.actions, view.onward, strict=True))
        for action in its["actions"]:  # both walk together: by what the first can follow
            action["is_over"] = not action["onward"]
            if isinstance(own, SpotStrategy) or action["action"] in onward:  # elsewhere any legal bet is followed
                leads = onward.get(action["action"])
                action["onward"] = list(leads.texts) if leads is not None else []
        its |= {"translated": [*notes, *other.notes], "difference": difference(view, other.view)}
        told["beside"] = its

    def _second(self, first: _Subject, name: str) -> _Subject:
        """Refused where it is for another game than the first."""
        strategy = first.strategy()
        rules = _rules(strategy, first)
        second = self._subject(name, rules)
        other = second.strategy()
        if isinstance(strategy, SpotStrategy) and isinstance(other, SpotStrategy):
            require_one_spot((first.name, strategy.spot), (name, other.spot))
        elif _game(strategy, rules) != _game(other, _rules(other, second)):
            own, its = _game_name(strategy, rules), _game_name(other, _rules(other, second))
            raise MismatchError(
                f"{second.name} is for {its}, {first.name} is looked at in {own}; side by side both are of one game"
            )
        return second

    def _subject(self, name: str, game: str | PokerRules | None) -> _Subject:
        """game: for those that do not know their own."""
        bot = self._bots().get(name)
        if bot is None:
            raise NotFoundError(f"strategy {name[:60]!r} is not offered here; choose one that is listed")
        if _knows_game(bot):
            return _Subject(name, None, self._opened(name, bot, None))
        if isinstance(game, str):
            if game not in self._room.games():
                raise ConfigError(f"game {game[:60]!r} is not known here; allowed: {', '.join(self._room.games())}")
            game = load_rules(game)
        if game is None:
            raise MismatchError(f"{name} plays games of poker from their start; side by side both are of one game")
        return _Subject(name, game, self._opened(name, bot, game))

    def _opened(self, name: str, bot: Bot, rules: PokerRules | None) -> Answering:
        try:
            file = Path(bot.path).stat() if isinstance(bot, FileBot) else None
        except OSError as error:
            raise NotFoundError("the strategy file is gone") from error
        key = bot.text, rules, 0 if file is None else file.st_mtime_ns
        with self._lock:
            if key not in self._open:
                num_bytes = file.st_size if file is not None and is_spot(bot) else 0
                self._open[key] = _Open(Answering(name, lambda: _loaded(name, bot, rules), self._places), num_bytes)
                while len(self._open) > MAX_OPEN or self._are_large():
                    self._open.popitem(last=False)[1].answering.end()
            self._open.move_to_end(key)
            return self._open[key].answering

    def _are_large(self) -> bool:
        sizes = [each.spot_bytes for each in self._open.values() if each.spot_bytes]
        return len(sizes) > 2 and sum(sizes) > MAX_SPOT_BYTES

    def _bots(self) -> dict[str, Bot]:
        given = [bot for bot in self._room.given if not isinstance(bot, AcpcBot)]
        found: dict[str, Bot] = dict(zip(names_of(given), given, strict=True))
        files = {name: FileBot(str(path)) for name, path in self._files.newest().items()}
        return found | self._catalogued() | files

    def _catalogued(self) -> dict[str, Bot]:
        """Those that come with the package, and names that need no arguments."""
        if not self._named:
            bots = {name: NamedBot(name) for name in POKER_STRATEGIES.entries}
            named = {name: bot for name, bot in bots.items() if _needs_nothing(bot)}
            self._named = {name: parse_bot(name) for name in RESIDENTS.entries} | named
        return self._named


def _needs_nothing(bot: NamedBot) -> bool:
    try:
        named_object(bot, POKER_STRATEGIES, "strategy")
    except NashGapError:
        return False
    return True


def _loaded(name: str, bot: Bot, rules: PokerRules | None) -> Any:
    """As `look_at` takes it: small games of poker at the table."""
    if rules is None and not isinstance(bot, FileBot):
        rules = rules_of(bot)
    strategy = load(bot) if rules is None else load(bot, rules)
    if isinstance(strategy, TableStrategy) and strategy.tree.definition.get("name") == "poker":
        return PokerTableStrategy(name, strategy)
    return strategy


def _knows_game(bot: Bot) -> bool:
    return isinstance(bot, FileBot) or rules_of(bot) is not None


def _rules(strategy: Any, subject: _Subject) -> PokerRules | None:
    """In which it is asked; None of a small game that is no poker game, and of spots."""
    if isinstance(strategy, SpotStrategy | TableStrategy):
        return None
    return subject.rules or strategy.rules


def _game(strategy: Any, rules: PokerRules | None) -> Any:
    if isinstance(strategy, TableStrategy):
        return strategy.tree.fingerprint
    return strategy.spot.fingerprint if isinstance(strategy, SpotStrategy) else rules


def _game_name(strategy: Any, rules: PokerRules | None) -> str:
    if isinstance(strategy, TableStrategy):
        return str(strategy.tree.game)
    if isinstance(strategy, SpotStrategy):
        return f"the {strategy.spot.street} {strategy.spot.board_text}"
    return rules.name or "a game" if rules is not None else "a game"
