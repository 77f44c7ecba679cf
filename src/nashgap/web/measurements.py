"""Measurements that are started and watched from a page: who may be measured, by what, and what is under way.

It is the same work as that of the commands `measure` and `compare`, kept as the same runs: a run that was stopped, or
whose server was killed, goes on from a page or from the command line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nashgap.catalogue import AGENTS, GAMES, POKER_GAMES, POKER_STRATEGIES, POLICIES, RESIDENTS
from nashgap.errors import ConfigError, NashGapError
from nashgap.jobs.perform import programs_of
from nashgap.runs.folder import Run
from nashgap.strategies.bot import Bot, FileBot
from nashgap.strategies.load import rules_of
from nashgap.strategies.spec import parse_bot
from nashgap.web.api import CardRoom
from nashgap.web.run_pages import RunPages
from nashgap.web.strategy_files import StrategyFiles, given_files, names_of
from nashgap.web.worker import Measuring, Resuming
from nashgap.web.workshop import UNFINISHED, Workshop

__all__ = [
    "BETS",
    "LARGEST_SEED_ASKED",
    "MAX_DEALS",
    "MAX_EPISODES",
    "METHODS",
    "Measurements",
    "Method",
    "Offer",
    "Wanted",
]

MAX_DEALS, MAX_EPISODES = 100_000, 1_000_000
MOST = {"deals": MAX_DEALS, "episodes": MAX_EPISODES, "games": 1_000_000}
"""Of a run that a page goes on with."""
LARGEST_SEED_ASKED = 2**53 - 1  # what a browser's numbers hold
RESUMED = ("lbr", "lbr-compare", "match-compare", "abr")
"""Kinds of runs that a page begins, and goes on with."""
BETS = ("fcpa", "fc", "56")
SMALL_GAMES = ("kuhn", "leduc", "liars_dice", "rock_paper_scissors", "bet_size", "river_limit")
_PARAMETERS_NEEDED = ("triple",)
_GIVEN, _FILES, _NAMED = "given to this server", "files among the runs", "by name"  # groups of offers


@dataclass(frozen=True)
class Method:
    """A way to measure one strategy, or to compare two. options: those that a page may set, of the front door's."""

    name: str
    by: str
    title: str
    num_strategies: int
    options: tuple[str, ...]


METHODS = {
    method.name: method
    for method in (
        Method("lbr", "lbr", "Local Best Response: a lower bound, in any poker game", 1,
               ("bets", "rounds", "deals", "seed")),
        Method("abr", "abr", "Approximate Best Response: a lower bound, in small games", 1,
               ("episodes", "seed")),
        Method("br", "br", "Best response: exact, in small games", 1, ()),
        Method("compare-lbr", "lbr", "Two versions: what LBR wins from each", 2,
               ("bets", "rounds", "deals", "seed")),
        Method("compare-match", "match", "Two versions: one against the other", 2, ("deals", "seed")),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Offer:
    """A strategy that a page may name by its value. has_game: whether it knows its game itself."""

    value: str
    label: str
    group: str
    has_game: bool


@dataclass(frozen=True)
class Wanted:
    """What a page asks for. game: empty for the strategy's own. Options that are None are the method's usual ones."""

    method: str
    strategies: Sequence[str]
    game: str = ""
    bets: str | None = None
    rounds: str | None = None
    deals: int | None = None
    episodes: int | None = None
    seed: int | None = None


class Measurements:
    """What is measured for the visitors of a server."""

    def __init__(self, room: CardRoom, pages: RunPages, workshop: Workshop) -> None:
        self._room = room
        self._pages = pages
        self._workshop = workshop
        self._files = StrategyFiles(room.root, room.given)

    def games(self, method: str) -> list[dict[str, str]]:
        """Those that can be measured by the method."""
        of_poker = METHODS[method].by in ("lbr", "match")
        known = POKER_GAMES.entries if of_poker else {name: GAMES.entries[name] for name in SMALL_GAMES}
        usual = ["hunl", "lhe2", "lhe3"] if of_poker else []
        names = [*usual, *(name for name in known if name not in usual)]
        return [{"name": name, "title": known[name].summary} for name in names]

    def offers(self, method: str) -> list[Offer]:
        """Strategies that may be measured by it: those given to the server, files among the runs, names."""
        return [offer for offer, _ in self._offered(method)]

    def groups(self, method: str) -> dict[str, list[Offer]]:
        """The same by their groups."""
        found: dict[str, list[Offer]] = {}
        for offer in self.offers(method):
            found.setdefault(offer.group, []).append(offer)
        return found

    def start(self, visitor: str, wanted: Wanted) -> dict[str, Any]:
        """Begin; the name of the run, or what was found where there is none. Refusals of the work are raised."""
        return self._workshop.begin(visitor, self._asked(wanted))

    def resume(self, visitor: str, name: str) -> dict[str, Any]:
        """Go on with a run; a run of programs that this server was not given is refused."""
        run = self._pages.run(name)
        self._require_resumable(run)
        return self._workshop.begin(visitor, Resuming(run))

    def stop(self, visitor: str, name: str) -> None:
        """Stop what the visitor has begun; what is finished is kept."""
        self._workshop.stop(visitor, name)

    def status(self, name: str, visitor: str) -> dict[str, Any]:
        """How far a run is, for the page that watches it."""
        told = self._workshop.status(name, visitor)
        return told | {"can_resume": told["status"] in UNFINISHED and self._may_resume(name)}

    def _asked(self, wanted: Wanted) -> Measuring:
        method = METHODS.get(wanted.method)
        if method is None:
            raise ConfigError(f"method {wanted.method[:40]!r}; it must be one of {', '.join(METHODS)}")
        if len(wanted.strategies) != method.num_strategies:
            raise ConfigError(f"{len(wanted.strategies)} strategies; {method.name} takes {method.num_strategies}")
        offered = {offer.value: bot for offer, bot in self._offered(method.name)}
        for text in wanted.strategies:
            if text not in offered:
                raise ConfigError(f"strategy {text[:60]!r} is not offered for {method.name}; allowed: a name listed")
        games = [game["name"] for game in self.games(method.name)]
        if wanted.game and wanted.game not in games:
            raise ConfigError(f"game {wanted.game[:40]!r} is not measured here; allowed: {', '.join(games)}")
        options = {name: told for name in _OPTIONS if (told := getattr(wanted, name)) is not None}
        if unknown := [name for name in options if name not in method.options]:
            raise ConfigError(
                f"{unknown[0]} is no option of {method.name}; it has {', '.join(method.options) or 'none'}"
            )
        _require_bounds(wanted)
        first, *others = (offered[text] for text in wanted.strategies)
        return Measuring((first, others[0]) if others else (first,), wanted.game or None, method.by, options)

    def _offered(self, method: str) -> list[tuple[Offer, Bot]]:
        by = METHODS[method].by
        of_poker = (*RESIDENTS.entries, *POKER_STRATEGIES.entries)
        names: list[str] = [*(of_poker if by in ("lbr", "match") else POLICIES.entries)]
        names += AGENTS.entries if by == "match" else ()
        given = self._room.given
        found = [(_offer(bot, name, _GIVEN), bot) for bot, name in zip(given, names_of(given), strict=True)]
        files = self._files.newest(has_loose=True, has_spots=by == "br")
        found += [
            (Offer(f"runs/{name}", name, _FILES, has_game=True), FileBot(str(path))) for name, path in files.items()
        ]
        named = [parse_bot(name) for name in names if name not in _PARAMETERS_NEEDED]
        known = {offer.value for offer, _ in found}
        return found + [(_offer(bot, bot.text, _NAMED), bot) for bot in named if bot.text not in known]

    def _require_resumable(self, run: Run) -> None:
        """Refuse work that a page could not have begun, and programs and files that this server was not given."""
        elsewhere = "go on with it in a terminal: nashgap runs resume"
        budget = run.config.budget
        is_bounded = all(_amount(budget, name) <= most for name, most in MOST.items())
        if run.config.kind not in RESUMED or not is_bounded or budget.get("minutes"):
            raise ConfigError(f"run {run.name} is none that a page begins; {elsewhere}")
        if set(programs_of(run)) - self._files.trusted:
            raise ConfigError(f"run {run.name} starts programs that this server was not given; {elsewhere}")
        root = self._room.root.resolve()
        known = {Path(path).resolve() for path in given_files(self._room.given)}
        known |= {RESIDENTS.load(name).resolve() for name in RESIDENTS.entries}
        for file in run.config.inputs.values():
            path = Path(file).resolve()
            if path not in known and not path.is_relative_to(root):
                raise ConfigError(f"run {run.name} needs {path.name}, which this server was not given; {elsewhere}")

    def _may_resume(self, name: str) -> bool:
        try:
            self._require_resumable(self._pages.run(name))
        except NashGapError:
            return False
        return True


def _offer(bot: Bot, name: str, group: str) -> Offer:
    return Offer(bot.text, name, group, has_game=isinstance(bot, FileBot) or rules_of(bot) is not None)


_OPTIONS = ("bets", "rounds", "deals", "episodes", "seed")


def _amount(budget: Mapping[str, Any], name: str) -> float:
    """How far a run goes; without bound where what stands there is no number."""
    amount = budget.get(name) or 0
    return amount if isinstance(amount, int | float) else float("inf")


def _require_bounds(wanted: Wanted) -> None:
    """What costs is bounded; all else is refused by the work itself."""
    if wanted.bets is not None and wanted.bets not in BETS:
        raise ConfigError(f"bets {wanted.bets[:20]!r}; it must be one of {', '.join(BETS)}")
    for name, most in (("deals", MAX_DEALS), ("episodes", MAX_EPISODES), ("seed", LARGEST_SEED_ASKED)):
        number = getattr(wanted, name)
        least = 0 if name == "seed" else 1
        if number is not None and not least <= number <= most:
            raise ConfigError(f"{name} = {number}; from a page {least} to {most:,} are allowed")
