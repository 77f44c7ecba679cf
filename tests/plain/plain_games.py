"""Small games for tests: any game history by history, random games, and games in which players forget."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from nashgap.core.compile import compile_tree
from nashgap.core.game import CHANCE, TERMINAL


@dataclass(frozen=True)
class HistoryGame:
    """A game without its public structure, so that it is compiled history by history."""

    game: object

    @property
    def num_players(self):
        return self.game.num_players

    @property
    def unit(self):
        return self.game.unit

    def root(self):
        return self.game.root()


@dataclass(frozen=True)
class RandomGame:
    """A random tree with chance, hidden moves and perfect recall: a player's key is all that it saw and did.

    Everything is drawn from a stream named by the seed and by what it may depend on: who moves by the history, the
    number of actions by the infoset, who sees how much of a move by its depth. Some outcomes have probability 0, some
    infosets have one action, and histories of different length may share an infoset.
    """

    seed: int
    num_players: int = 2
    depth: int = 5
    is_zero_sum: bool = True
    unit: str = "points"

    def root(self):
        return RandomState(self, (), ((),) * self.num_players)

    def stream(self, *about):
        return random.Random(f"{self.seed}/{about}")


@lru_cache(maxsize=64)
def random_tree(game):
    return compile_tree(game, f"random game {game.seed}")


@dataclass(frozen=True)
class RandomState:
    game: RandomGame
    history: tuple[int, ...]
    seen: tuple[tuple[str, ...], ...]

    @cached_property
    def player(self):
        stream = self.game.stream("mover", self.history)
        if len(self.history) == self.game.depth or (len(self.history) > 1 and stream.random() < 0.15):
            return TERMINAL
        return stream.choice([CHANCE, *range(self.game.num_players), *range(self.game.num_players)])

    @cached_property
    def num_moves(self):
        if self.player == TERMINAL:
            return 0
        if self.player == CHANCE:
            return self.game.stream("outcomes", self.history).choice([1, 2, 2, 2, 3])
        return self.game.stream("actions", self.player, self.seen[self.player]).choice([1, 2, 2, 2, 3])

    @property
    def actions(self):
        return tuple(f"m{move}" for move in range(self.num_moves))

    @cached_property
    def chance_probabilities(self):
        stream = self.game.stream("chance", self.history)
        weights = [stream.choice([0, 1, 1, 2, 5]) for _ in self.actions]
        weights[stream.randrange(len(weights))] += 1
        return tuple(weight / sum(weights) for weight in weights)

    @property
    def infoset(self):
        return " ".join(self.seen[self.player])

    @cached_property
    def returns(self):
        stream = self.game.stream("returns", self.history)
        payoffs = [stream.randint(-6, 6) / 2 for _ in range(self.game.num_players)]
        if self.game.is_zero_sum:
            payoffs[-1] = -sum(payoffs[:-1])
        return tuple(payoffs)

    def child(self, move):
        assert 0 <= move < self.num_moves
        seen = tuple((*self.seen[p], *self._signal(p, move)) for p in range(self.game.num_players))
        return replace(self, history=(*self.history, move), seen=seen)

    def _signal(self, observer, move):
        """What a player learns of the move: its own move always, otherwise all, part or nothing."""
        if observer == self.player:
            return (f"I{move}",)
        kind = self.game.stream("signal", len(self.history), self.player, observer).choice(["all", "part", "none"])
        return {"all": (f"{self.player}:{move}",), "part": (f"{move == 0}",), "none": ()}[kind]


@dataclass(frozen=True)
class TableGame:
    """A game written as a nested literal.

    A subtree is ("player", number, infoset, {action: subtree}), ("chance", {outcome: (probability, subtree)}) or a
    tuple of returns.
    """

    tree: object
    num_players: int = 2
    unit: str = "points"

    def root(self):
        return TableState(self.tree)


@dataclass(frozen=True)
class TableState:
    tree: object

    @property
    def player(self):
        return {"player": lambda: self.tree[1], "chance": lambda: CHANCE}.get(self.tree[0], lambda: TERMINAL)()

    @property
    def actions(self):
        return () if self.player == TERMINAL else tuple(self.tree[-1])

    @property
    def chance_probabilities(self):
        return tuple(probability for probability, _ in self.tree[-1].values())

    @property
    def infoset(self):
        return self.tree[2]

    @property
    def returns(self):
        return self.tree

    def child(self, move):
        below = self.tree[-1][self.actions[move]]
        return TableState(below[1] if self.player == CHANCE else below)


def _second_guess(first):
    returns = {True: (1.0, -1.0), False: (-1.0, 1.0)}
    return ("player", 0, "later", {guess: returns[guess == first] for guess in ("left", "right")})


# Player 1 chooses twice and has forgotten the first choice when it comes to the second.
FORGETFUL = TableGame(("player", 0, "first", {side: _second_guess(side) for side in ("left", "right")}))

# Piccione & Rubinstein (1997): the driver cannot tell the two crossings apart; leaving at the second one pays 4.
SECOND_CROSSING = ("player", 0, "crossing", {"leave": (4.0,), "go on": (1.0,)})
ABSENT_MINDED = TableGame(("player", 0, "crossing", {"leave": (0.0,), "go on": SECOND_CROSSING}), num_players=1)
