"""What a strategy does at a place of its game, for the page `/look`: no HTTP here.

Strategies are known by names that the server hands out itself: those of the catalogue, those given to the server, and
strategy files in the folder of runs. No path ever comes from a page.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

from nashgap.api.files import load, show
from nashgap.cards.hand_rows import HandRows
from nashgap.cards.ranges import CLASS_OF_HAND, HAND_CLASSES
from nashgap.cards.tones import action_colours
from nashgap.catalogue import POKER_GAMES, POKER_STRATEGIES, RESIDENTS
from nashgap.core.array_file import open_arrays
from nashgap.errors import ConfigError, NashGapError
from nashgap.poker.typed_state import typed_cards
from nashgap.strategies.abstract import ABSTRACT_KIND
from nashgap.strategies.spec import Bot, FileBot, parse_bot
from nashgap.strategies.spot_strategy import SPOT_KIND, SpotStrategy
from nashgap.strategies.spot_view import SpotView
from nashgap.strategies.strategy_view import StrategyView
from nashgap.strategies.table import TABLE_KIND
from nashgap.web.api import CardRoom, NotFoundError

__all__ = ["MAX_BOARD", "MAX_LINE", "Shelf"]

MAX_LINE = 400
"""Letters of betting."""
MAX_BOARD = 20
"""Letters of a board."""
MAX_FILES = 200  # of the folder of runs that are offered
MAX_OPEN = 3  # files that stay open: their maps cost address space alone


class Shelf:
    """The strategies that can be looked at; files stay open once they were."""

    def __init__(self, room: CardRoom) -> None:
        self._room = room
        self._open: OrderedDict[tuple[str, int], Any] = OrderedDict()
        self._lock, self._asking = Lock(), Lock()

    def strategies(self) -> list[dict[str, Any]]:
        """Those offered: name, and whether it knows its game itself."""
        return [{"name": name, "has_game": isinstance(bot, FileBot)} for name, bot in self._bots().items()]

    def games(self) -> list[dict[str, str]]:
        return [{"name": name, "title": POKER_GAMES.entries[name].summary} for name in self._room.games()]

    def view(self, strategy: str, game: str, after: str, board: str) -> dict[str, Any]:
        """All that the page shows of one decision; the numbers are those of `nashgap show`."""
        bot = self._bots().get(strategy)
        if bot is None:
            raise NotFoundError(f"strategy {strategy[:60]!r} is not offered here; choose one that is listed")
        if isinstance(bot, FileBot):
            found = self._of_file(bot, after, board)
        else:
            if game not in self._room.games():
                raise ConfigError(f"game {game[:60]!r} is not known here; allowed: {', '.join(self._room.games())}")
            with self._asking:  # it may be a program, which is started for this: one at a time
                found = show(bot, game=game, after=after, board=board)
        return _told(replace(found, strategy=strategy))

    def _bots(self) -> dict[str, Bot]:
        found: dict[str, Bot] = {_name_of(bot): bot for bot in self._room.given}
        found |= {name: parse_bot(name) for name in (*RESIDENTS.entries, *POKER_STRATEGIES.entries)}
        return found | {f"{path.parent.name}/{path.name}": FileBot(str(path)) for path in self._files()}

    def _files(self) -> list[Path]:
        paths = sorted(self._room.root.glob("*/*.safetensors"))[:MAX_FILES]
        return [path for path in paths if path.is_file() and not path.is_symlink() and _is_strategy(path)]

    def _of_file(self, bot: FileBot, after: str, board: str) -> StrategyView:
        loaded = self._opened(bot)
        if isinstance(loaded, SpotStrategy):
            return loaded.at(_spot_line(loaded, after, board))
        return show(loaded, after=after, board=board)

    def _opened(self, bot: FileBot) -> Any:
        try:
            key = bot.text, Path(bot.path).stat().st_mtime_ns
        except OSError as error:
            raise NotFoundError("the strategy file is gone") from error
        with self._lock:
            if key not in self._open:
                self._open[key] = load(bot)
                while len(self._open) > MAX_OPEN:
                    self._open.popitem(last=False)
            self._open.move_to_end(key)
            return self._open[key]


def _spot_line(strategy: SpotStrategy, after: str, board: str) -> str:
    """The line with those cards of the board at its end that it does not have yet."""
    words = after.split()
    lying = {*strategy.spot.board, *(typed_cards(word)[0] for word in words if len(word) == 2 and word[1] in "shdc")}
    cards = "".join(board.split())
    later = [cards[place : place + 2] for place in range(0, len(cards), 2)]
    return " ".join([*words, *(card for card in later if typed_cards(card)[0] not in lying)])


def _is_strategy(path: Path) -> bool:
    """Whether it is no checkpoint or other file of ours."""
    try:
        kind = str(open_arrays(path).metadata.get("kind", ""))
    except NashGapError:
        return False
    return kind in (ABSTRACT_KIND, SPOT_KIND, TABLE_KIND)


def _name_of(bot: Bot) -> str:
    """A file without its folder, which is nobody's business."""
    return bot.text.replace(bot.path, Path(bot.path).name) if isinstance(bot, FileBot) else bot.text


def _told(view: StrategyView) -> dict[str, Any]:
    told = view.as_dict()
    told.pop("hands", None)
    told.pop("classes", None)
    colours = action_colours(view.words)
    for action, words in zip(told["actions"], view.words, strict=True):
        action["colour"] = colours[words]
    grid = view.grid
    told |= {
        "title": view.title,
        "situation": view.situation,
        "story": list(view.story),
        "note": view.range_note,
        "has_range": view.has_own_range,
        "raise_sizes": view.raise_sizes,
        "rows": _rows(view.rows),
        "hands": _hands(view),
        "grid": None,
    }
    if grid is not None:
        cells = zip(HAND_CLASSES, grid.cells, strict=True)
        told["drawn"] = [{"words": word, "colour": tone} for word, tone in action_colours(grid.actions).items()]
        told["grid"] = [
            {"name": name, "shares": [cell.shares.get(word, 0.0) for word in grid.actions], "weight": cell.weight}
            if cell.shares
            else {"name": name, "shares": None, "weight": 0.0}
            for name, cell in cells
        ]
    return told


def _rows(rows: HandRows) -> list[dict[str, Any]]:
    colours = action_colours(rows.actions)
    return [
        {
            "name": row.name,
            "weight": row.weight,
            "shares": [[word, colours[word], row.shares.get(word, 0.0)] for word in rows.actions],
        }
        for row in rows.rows
    ]


def _hands(view: StrategyView) -> list[list[Any]]:
    """Hand, class, reach, probabilities; of a spot value and equity too."""
    if view.numbers is None:
        return []
    classes = [HAND_CLASSES[number] for number in CLASS_OF_HAND[view.numbers]]
    rows: list[list[Any]] = [
        [hand, name, reach, chances]
        for hand, name, reach, chances in zip(
            view.hands, classes, view.reach.tolist(), view.probabilities.tolist(), strict=True
        )
    ]
    if isinstance(view, SpotView):
        for row, value, equity in zip(rows, view.hand_values.tolist(), view.equity.tolist(), strict=True):
            row += [value, equity]
    return rows
