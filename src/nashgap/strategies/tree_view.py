"""Look at a strategy of a compiled game that is no poker game: a table of hands and actions after a public label.

Where hands are dealt (Kuhn, Leduc, Liar's dice) the label is what follows the hand in the names of information sets:
`kb`, `crc/Kh:r`, `1-3 2-5`; board cards may also stand apart, `crc/r` with the board `Kh`. Where the game does not tell
hands from history, the label is the names of the players' actions so far, apart by spaces, whatever chance did; or the
whole name of one information set.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nashgap.core.game import CHANCE
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError
from nashgap.strategies.strategy_view import Onward, StrategyView
from nashgap.strategies.table import TableStrategy

__all__ = ["view_table"]

_MOST_KNOWN = 8  # labels in a message
_CARDS_INSIDE = re.compile(r"(?:^|(?<=/))([^/:]*):")


@dataclass(frozen=True)
class _Place:
    """A public label, the blocks of the tree that have it, and the information sets in them."""

    label: str
    blocks: tuple[int, ...]
    infosets: tuple[int, ...]


def view_table(strategy: TableStrategy, after: str = "", board: str = "", *, name: str = "") -> StrategyView:
    """What the strategy does after this label; empty: the first decision."""
    tree = strategy.tree
    labels = _labels(tree)
    place = _labelled(tree, labels, after, board) if labels else _after_history(tree, after, board)
    actions = tree.actions(place.infosets[0])
    return StrategyView(
        strategy=name or str(strategy.facts.get("name", "")) or "strategy",
        game=tree.game,
        after=place.label,
        board="".join(_CARDS_INSIDE.findall(place.label)),
        seat=int(tree.infoset_player[place.infosets[0]]),
        street="",
        pot=None,
        to_call=None,
        story=(),
        actions=actions,
        words=actions,
        hands=tuple(" ".join(tree.infoset_hand[infoset].split()) for infoset in place.infosets),
        probabilities=np.array([strategy.probabilities[tree.slots(infoset)] for infoset in place.infosets]),
        reach=np.array([_reach(strategy, infoset) for infoset in place.infosets]),
        onward=_onward(tree, place, {block: label for label, block in labels.items()}),
    )


def _labels(tree: GameTree) -> dict[str, int]:
    """The block of each public label; empty where the game does not tell hands from history."""
    if tree.infoset_name == tree.infoset_hand:
        return {}
    blocks = np.flatnonzero(tree.block_player >= 0)
    infosets = tree.node_row[tree.block_start[blocks]]
    names = (tree.infoset_name[i].removeprefix(tree.infoset_hand[i]).strip() for i in infosets)
    return dict(zip(names, blocks.tolist(), strict=True))


def _labelled(tree: GameTree, labels: dict[str, int], after: str, board: str) -> _Place:
    typed, cards = _plain(after), _plain(board).replace(" ", "")
    by_name = {_plain(label): label for label in labels}
    if typed in by_name and not cards:
        return _place(tree, by_name[typed], [labels[by_name[typed]]])
    inside = "".join(_CARDS_INSIDE.findall(typed)) or cards
    betting = _without_cards(typed)
    similar = [label for plain, label in by_name.items() if _without_cards(plain) == betting]
    found = [label for label in similar if "".join(_CARDS_INSIDE.findall(_plain(label))) == inside]
    if len(found) == 1:
        return _place(tree, found[0], [labels[found[0]]])
    known = similar or _nearest(by_name, typed)
    shown = ", ".join(map(repr, known[:_MOST_KNOWN])) + (", ..." if len(known) > _MOST_KNOWN else "")
    where = f"{after!r} on the board {board}" if cards else repr(after)
    raise ConfigError(f"{tree.game}: nobody acts after {where}; labels are {shown}")


def _nearest(by_name: Mapping[str, str], typed: str) -> list[str]:
    """The labels that begin as the typed one for as long as any does, the shortest first."""
    for size in range(len(typed), -1, -1):
        if found := [label for plain, label in by_name.items() if plain.startswith(typed[:size])]:
            return sorted(found, key=len)
    return []


def _after_history(tree: GameTree, after: str, board: str) -> _Place:
    if board.strip():
        raise ConfigError(f"{tree.game}: board {board!r}; the game has none of its own")
    blocks, label, rest = _acting(tree, [0]), "", _plain(after)
    while rest:
        names = {_plain(name): name for block in blocks for name in _edge_names(tree, block)}
        word = max((name for name in names if f"{rest} ".startswith(f"{name} ")), key=len, default=None)
        if word is None:
            return _named_infoset(tree, after, label, list(names.values()))
        blocks = [behind for block in blocks for behind in _behind(tree, block, names[word])]
        label, rest = f"{label} {names[word]}".strip(), rest[len(word) :].strip()
        if not blocks:
            raise ConfigError(f"{tree.game}: the game is over after {label!r}; nobody is to act")
    return _place(tree, label, blocks)


def _named_infoset(tree: GameTree, after: str, label: str, actions: Sequence[str]) -> _Place:
    found = [number for number, name in enumerate(tree.infoset_name) if _plain(name) == _plain(after)]
    if len(found) != 1:
        where = f"after {label!r}" if label else "at the start"
        raise ConfigError(f"{tree.game}: no {after!r}; actions {where} are {', '.join(actions)}")
    return _Place(after.strip(), (int(tree.infoset_block[found[0]]),), (found[0],))


def _place(tree: GameTree, label: str, blocks: Sequence[int]) -> _Place:
    lanes = [tree.node_row[tree.block_start[block] : tree.block_start[block + 1]] for block in blocks]
    infosets = np.unique(np.concatenate(lanes)).tolist()
    if len({(tree.infoset_player[infoset], tree.actions(infoset)) for infoset in infosets}) > 1:
        known = ", ".join(repr(tree.infoset_name[infoset]) for infoset in infosets[:_MOST_KNOWN])
        raise ConfigError(f"{tree.game}: after {label!r} chance decides who acts; name one information set: {known}")
    return _Place(label, tuple(blocks), tuple(infosets))


def _onward(tree: GameTree, place: _Place, label_of: dict[int, str]) -> tuple[Onward, ...]:
    onward = []
    for name in tree.actions(place.infosets[0]):
        behind = [block for start in place.blocks for block in _behind(tree, start, name)]
        texts = [label_of[block] for block in behind] if label_of else [f"{place.label} {name}".strip()] * bool(behind)
        seats = {int(tree.block_player[block]) for block in behind}
        onward.append(Onward(name, tuple(dict.fromkeys(texts)), seats.pop() if len(seats) == 1 else None))
    return tuple(onward)


def _behind(tree: GameTree, block: int, action: str) -> list[int]:
    """The decisions that an action leads to; several where chance moves first, none where the game is over."""
    names = _edge_names(tree, block)
    return _acting(
        tree, [int(tree.edge_block[tree.block_edge[block] + names.index(action)])] if action in names else []
    )


def _acting(tree: GameTree, blocks: Sequence[int]) -> list[int]:
    """Blocks in which a player acts: these, or those behind chance."""
    found: list[int] = []
    for block in blocks:
        if tree.block_player[block] == CHANCE:
            nodes = tree.node_row[tree.block_start[block] : tree.block_start[block + 1]]
            edges = [np.arange(tree.chance_start[node], tree.chance_start[node + 1]) for node in nodes]
            found += _acting(tree, np.unique(tree.chance_block[np.concatenate(edges)]).tolist())
        elif tree.block_player[block] >= 0:
            found.append(block)
    return found


def _edge_names(tree: GameTree, block: int) -> tuple[str, ...]:
    return tree.edge_name[tree.block_edge[block] : tree.block_edge[block + 1]]


def _reach(strategy: TableStrategy, infoset: int) -> float:
    """The product of the player's own earlier probabilities; 1 where the game lets it forget them."""
    tree, reach = strategy.tree, 1.0
    player = int(tree.infoset_player[infoset])
    while True:
        slot = int(tree.infoset_parent[infoset]) - player - 1
        if slot < 0 or tree.slot_player[slot] != player:
            return reach
        reach *= float(strategy.probabilities[slot])
        infoset = int(tree.slot_infoset[slot])


def _without_cards(label: str) -> str:
    return _CARDS_INSIDE.sub("", label).rstrip("/")


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
