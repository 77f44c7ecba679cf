"""`measure --by abr`: which kind of game it is, and what its job is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nashgap.catalogue import POKER_GAMES
from nashgap.core.game import Game
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError, GameSizeError, OptionError
from nashgap.games.simulated import is_simulated_spec, load_simulated_game
from nashgap.jobs.abr import AbrJob, TreeAbrJob, searches_usually
from nashgap.jobs.abr_bound import METHOD, AbrBound
from nashgap.jobs.abr_poker import PokerAbrJob, usual_table_options
from nashgap.jobs.abr_simulated import SimulatedAbrJob
from nashgap.jobs.perform import Keep, perform
from nashgap.measures.subject import one_bot, table_strategy
from nashgap.poker.rules import PokerRules, load_rules
from nashgap.runs.cluster import Cluster
from nashgap.runs.progress import Progressing
from nashgap.search.options import LEARNED, PRESETS, TreeLearning
from nashgap.strategies.bot import Bot
from nashgap.strategies.load import load, rules_of
from nashgap.strategies.simulated_policy import is_asked_about_states
from nashgap.strategies.table import TableStrategy

__all__ = ["measure_abr"]

_Asked = str | Game | GameTree | PokerRules | None


def measure_abr(
    bots: tuple[Bot, ...],
    game: _Asked,
    *,
    preset: str | None = None,
    simulations: int | None = None,
    rule: str | None = None,
    exploration: float | None = None,
    search: bool | None = None,
    simulated: bool | None = None,
    minutes: float | None = None,
    episodes: int | None = None,
    games: int | None = None,
    actors: int | Cluster | None = None,
    beliefs: str | None = None,
    belief_games: int | None = None,
    bets: str | None = None,
    cards: str | None = None,
    levels: int | None = None,
    abreast: int | None = None,
    seed: int | None = None,
    run: Keep = None,
    fresh: bool | None = None,
    progress: Progressing = None,
) -> AbrBound:
    """Approximate Best Response, in any game of two players and zero sum: a lower bound on NashConv.

    preset:      how responders learn: `tree`, `table`, `desk`, `paper`; in games that are never enumerated `rollouts`,
                 `large`; see `nashgap.search.options`.
    simulations, rule, exploration: of the search, where they are not the preset's.
    search:      whether responders search when they are evaluated.
    simulated:   whether a game of OpenSpiel's is played without being compiled; those too large to compile always are.
    minutes, episodes: of training, both seats together; a minute where nothing is said.
    games:       fresh ones of each seat, in which the frozen responders are evaluated.
    actors:      processes that play, or a cluster; with more than one no two trainings are alike.
    beliefs:     from which searches draw in compiled games: `exact`, or `learned` by a network (torch) from what the
                 strategy held in belief_games games of each seat, in which nobody is asked for its chances.
    bets, cards: at the poker table, what responders bet and which hands they tell apart, as recipes have them.
    levels:      and in how many steps their chance to win against what the strategy may hold by then.
    abreast:     there, games that are played side by side, so that a strategy of one's own is asked about all at once.
    """
    bot = one_bot(bots, METHOD)
    table_options: dict[str, Any] = {
        name: told for name, told in (("betting", bets), ("cards", cards), ("levels", levels)) if told is not None
    }
    kind, where = _place(bot, game, simulated, bool(table_options) or abreast is not None)
    belief_options: dict[str, Any] = {
        option: told for option, told in (("beliefs", beliefs), ("belief_games", belief_games)) if told is not None
    }
    if belief_options and kind is not TreeAbrJob:
        raise OptionError("`beliefs` and `belief_games` of abr are for compiled games")
    if belief_games is not None and beliefs != LEARNED:
        raise OptionError(f"`belief_games` is for `beliefs` = {LEARNED}")
    if (table_options or abreast is not None) and kind is not PokerAbrJob:
        raise OptionError("`bets`, `cards`, `levels` and `abreast` of abr are for the poker table")
    name = kind.usual_preset if preset is None else preset
    if name not in PRESETS:
        raise ConfigError(f"preset = {name!r}; it must be one of {', '.join(PRESETS)}")
    told: dict[str, Any] = {
        "simulations": simulations, "rule": rule, "exploration": exploration, "abreast": abreast
    }  # fmt: skip
    usual_games = kind.usual_games
    if kind is PokerAbrJob:
        player = load(bot, where["rules"])
        usual = usual_table_options(player, where["rules"], has_cards=cards is not None)
        table_options = {"levels": usual.levels, "cards": usual.cards, "given": player, **table_options}
        usual_games = usual.games or usual_games
        told["abreast"] = usual.abreast if abreast is None else abreast
        if exploration is None and isinstance(PRESETS[name].learning, TreeLearning):
            told["exploration"] = usual.exploration
    searches = searches_usually(name) if search is None else search
    job = kind(
        strategy=bot,
        preset=name,
        search=replace(PRESETS[name].search, **{key: value for key, value in told.items() if value is not None}),
        searches=searches,
        seed=seed or 0,
        episodes=episodes,
        minutes=minutes,
        games=usual_games[searches] if games is None else games,
        actors=1 if actors is None else actors,
        **where,
        **table_options,
        **belief_options,
    )
    found: AbrBound = perform(job, run=run, fresh=bool(fresh), progress=progress)
    return found


def _place(
    bot: Bot, game: _Asked, simulated: bool | None, has_table_options: bool
) -> tuple[type[AbrJob], dict[str, Any]]:
    """The kind of job, and what it is told of the game: compiled where it is small enough, else at the poker table, or
    simulated."""
    if simulated and not is_simulated_spec(game):
        raise OptionError(f"`simulated` is for games of OpenSpiel's, openspiel:NAME(parameters), not for {game}")
    if simulated or (simulated is None and _must_be_simulated(bot, game)):
        return SimulatedAbrJob, {"game": load_simulated_game(str(game)).spec}
    rules = _poker_rules(bot, game)
    if rules is not None and has_table_options:
        return PokerAbrJob, {"rules": rules}
    try:
        table: TableStrategy = table_strategy(bot, game)
    except GameSizeError:
        if rules is not None:
            return PokerAbrJob, {"rules": rules}
        if simulated is None and is_simulated_spec(game):
            return SimulatedAbrJob, {"game": load_simulated_game(str(game)).spec}
        raise
    return TreeAbrJob, {"game": table.tree.definition, "given": table}


def _poker_rules(bot: Bot, game: _Asked) -> PokerRules | None:
    """Of the table at which the game is played; None where it is not poker's."""
    if game is None:
        return rules_of(bot)
    if isinstance(game, str):
        return load_rules(game) if game in POKER_GAMES.entries or game.endswith(".game") else None
    return game if isinstance(game, PokerRules) else None


def _must_be_simulated(bot: Bot, game: object) -> bool:
    """Whether the strategy answers for states of OpenSpiel's alone, or the game has no information states."""
    if not isinstance(game, str) or not is_simulated_spec(game):
        return False
    return is_asked_about_states(bot) or not load_simulated_game(game).gives_information_states
