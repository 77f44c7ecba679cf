"""Seedings: how likely each hand is to have done what a prefix of the betting says (Abou Risk 2009, section 4.4.2).

    uniform   every hand does it
    base      what a strategy does there, such as the one that the expert is for
    expert    a table of the catalogue, or a TOML file of one's own, by buckets:

    title = "the button raises two buckets of five, the small blind folds the rest"
    paper = "..."                                     # may be missing
    cards = "percentile(ehs2, 5/5/5/5, recall=all)"   # whose buckets of the first round are meant

    [after]                                           # by the prefix: for each of its actions in turn, how often each
    rf = [[0, 0, 0, 1, 1], [1, 1, 1, 1, 0]]           # bucket takes it, the weakest first

What a seeding says is per hand of each seat, folded ones included: a range, see `nashgap.abstraction.abstract_game`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from nashgap import _native
from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import CardAbstractionSpec, build_abstraction, parse_card_abstraction
from nashgap.catalogue import SEEDINGS
from nashgap.core.toml import read_toml
from nashgap.errors import ConfigError, NashGapError
from nashgap.poker.betting_tree import BettingTree
from nashgap.poker.hands import hand_names, possible_hands
from nashgap.poker.prefix import parse_prefix, prefix_end, prefix_steps, prefix_text
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, PublicState, action_words
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = [
    "BASE",
    "SUFFIX",
    "UNIFORM",
    "TableSeeding",
    "first_round_of",
    "load_seeding",
    "parse_seeding",
    "ranges_behind",
]

UNIFORM, BASE = "uniform", "base"
SUFFIX = ".toml"
_KEYS = ("title", "cards", "after", "paper")


@dataclass(frozen=True)
class TableSeeding:
    """How often hands take the actions of prefixes, by their buckets of the first round.

    rows: by prefix, for each of its actions `[buckets]` chances.
    """

    name: str
    title: str
    cards: CardAbstractionSpec
    rows: Mapping[str, tuple[tuple[float, ...], ...]]
    paper: str = ""

    def content(self) -> dict[str, Any]:
        """All that it says."""
        after = {key: [[*row] for row in rows] for key, rows in self.rows.items()}
        return {"title": self.name, "cards": self.cards.to_text(), "after": after}

    def chances(self, rules: PokerRules, prefix: Sequence[Action]) -> list[np.ndarray]:
        """Of each action in turn, `[hands]`."""
        text = prefix_text(rules, prefix)
        try:
            known = {prefix_text(rules, parse_prefix(rules, key)): key for key in self.rows}
            cards = build_abstraction(self.cards, rules)
        except NashGapError as error:
            raise ConfigError(f"seeding {self.name!r}: {error}") from error
        if text not in known:
            raise ConfigError(f"seeding {self.name!r} says nothing about {text!r}; known: {', '.join(self.rows)}")
        rows, buckets = self.rows[known[text]], cards.all_buckets((), 0)
        if len(rows) != len(prefix) or any(len(row) != cards.num_buckets[0] for row in rows):
            raise ConfigError(
                f"seeding {self.name!r}, {text}: {len(prefix)} rows of {cards.num_buckets[0]} numbers are needed"
            )
        return [np.where(buckets < 0, 0.0, np.array(row)[buckets]) for row in rows]


def load_seeding(text: str) -> TableSeeding:
    """A table of the catalogue or in a TOML file; an error names the file, the key and what is allowed."""
    if text.endswith(SUFFIX):
        path = Path(text)
        return parse_seeding(read_toml(path), path.name.removesuffix(SUFFIX), text)
    SEEDINGS.entry(text)
    with resources.as_file(resources.files("nashgap") / "seedings" / f"{text}{SUFFIX}") as path:
        return parse_seeding(read_toml(path), text, path.name)


def ranges_behind(
    rules: PokerRules,
    prefix: Sequence[Action],
    seeding: str | TableSeeding = UNIFORM,
    base: PokerStrategy | None = None,
) -> np.ndarray:
    """`[seats, hands]` how likely each hand is to have done what the prefix says.

    base: whose play the seeding `base` is. Refuses a seeding with which nobody comes there.
    """
    name = seeding if isinstance(seeding, str) else seeding.name
    steps = list(prefix_steps(rules, prefix))
    if seeding == UNIFORM:
        chances = [np.ones(len(hand_names(rules))) for _ in steps]
    elif steps and steps[-1][0].round > 0:
        raise ConfigError(
            f"seeding {name!r}: {prefix_text(rules, prefix)!r} goes on after the first round, where what hands do"
            f" depends on the board; there it must be {UNIFORM}"
        )
    elif seeding == BASE:
        chances = _chances_of(base, steps)
    else:
        chances = (load_seeding(seeding) if isinstance(seeding, str) else seeding).chances(rules, prefix)
    ranges = np.tile(possible_hands(rules.root()).astype(float), (rules.num_seats, 1))
    for (state, action), chance in zip(steps, chances, strict=True):
        ranges[state.seat] *= chance
        if not ranges[state.seat].any():
            raise ConfigError(
                f"seeding {name!r} makes {prefix_text(rules, prefix)!r} impossible: with no hand does player"
                f" {state.seat + 1} {action_words(action)} after {state.betting!r}"
            )
    try:
        _native.check_ranges(rules.native, ranges.tolist())
    except ValueError as error:
        raise ConfigError(f"seeding {name!r} makes {prefix_text(rules, prefix)!r} impossible: {error}") from None
    return ranges


def _chances_of(base: PokerStrategy | None, steps: Sequence[tuple[PublicState, Action]]) -> list[np.ndarray]:
    if base is None:
        raise ConfigError(f"seeding {BASE!r} is the play of a base; name its strategy")
    policies = base.policies([state for state, _ in steps])
    return [policy.chance_of(action) for policy, (_, action) in zip(policies, steps, strict=True)]


def first_round_of(base: PokerStrategy, game: AbstractGame) -> AbstractStrategy:
    """What the base plays in the first round of an abstract game, by the mean of the hands in each bucket.

    Hands count as often as they come there. Later rounds have zeros, and so have actions that the base does not know.
    """
    rules, tree = game.rules, game.tree
    ranges = np.ones((rules.num_seats, len(hand_names(rules)))) if game.ranges is None else game.ranges
    table = np.zeros(game.entry_start[1], np.float32)
    states = [(prefix_end(rules, tree.prefix), tree.root, ranges)]
    for state, node, reach in states:  # grows
        actions = tree.abstraction.actions(state)
        [policy] = base.policies([state])
        buckets = game.cards[state.seat][int(tree.num_active[node])].all_buckets((), 0)
        held = np.flatnonzero(buckets >= 0)
        entries = game.entries(node)
        taken = np.zeros(entries.shape)
        for place, (action, child) in enumerate(zip(actions, _children(tree, node), strict=True)):
            after = reach.copy()
            after[state.seat] *= policy.chance_of(action)
            taken[:, place] = np.bincount(buckets[held], after[state.seat][held], len(entries))
            if child >= 0 and child < tree.round_start[1]:
                states.append((state.act(action), child, after))
        total = taken.sum(axis=1, keepdims=True)
        table[entries] = np.divide(taken, total, out=np.zeros_like(taken), where=total > 0)
    later = [np.zeros(size, np.float32) for size in np.diff(game.entry_start)[1:].tolist()]
    return AbstractStrategy(game, (table, *later))


def parse_seeding(table: Mapping[str, Any], name: str, where: str) -> TableSeeding:
    """The seeding that a table of TOML describes. where: for errors."""
    if unknown := sorted(set(table) - set(_KEYS)):
        raise ConfigError(f"{where}: unknown keys {unknown}; known: {list(_KEYS)}")
    if missing := [key for key in ("title", "cards", "after") if key not in table]:
        raise ConfigError(f"{where}: missing keys {missing}")
    try:
        cards = parse_card_abstraction(str(table["cards"]))
    except NashGapError as error:
        raise ConfigError(f"{where}: cards: {error}") from error
    after = table["after"]
    if not isinstance(after, Mapping):
        raise ConfigError(f"{where}: after: {after!r} is not a table")
    rows = {key: _rows(value, f"{where}: after: {key}") for key, value in after.items()}
    return TableSeeding(name, str(table["title"]), cards, rows, str(table.get("paper", "")))


def _children(tree: BettingTree, node: int) -> list[int]:
    children: list[int] = tree.child[tree.first_edge[node] : tree.first_edge[node + 1]].tolist()
    return children


def _rows(value: object, where: str) -> tuple[tuple[float, ...], ...]:
    def is_chance(number: object) -> bool:
        return isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number <= 1

    if not isinstance(value, list) or not all(isinstance(row, list) and all(map(is_chance, row)) for row in value):
        raise ConfigError(f"{where}: for each action a list of numbers from 0 to 1 is needed")
    return tuple(tuple(float(number) for number in row) for row in value)
