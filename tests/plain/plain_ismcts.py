"""Information-state MCTS against a fixed strategy, written as the paper has it: dictionaries, one history at a time.

The twin of native/search: the same draws in the same order, so that both must tell the same games.
"""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

CHANCE, TERMINAL = -1, -2
GAME, SIMULATIONS = 1, 2


class Draws:
    """A stream of the package's generator, from numpy's."""

    def __init__(self, seed, purpose, iteration, lane):
        self._bits = np.random.Philox(key=[seed, purpose], counter=[0, iteration, lane, 0])

    def raw(self):
        return int(self._bits.random_raw())

    def uniform(self):
        return (self.raw() >> 11) * 2.0**-53

    def below(self, bound):
        return self.raw() * bound >> 64


class PlainSearch:
    """One responder in a `GameTree`, with a new tree for each game, or one for all."""

    def __init__(self, tree, player, probabilities):
        self.tree, self.player, self.probabilities = tree, player, probabilities
        self.weight, self.bounds = self._weights(), {}
        self.histories = defaultdict(list)
        for block in np.flatnonzero(tree.block_player == player):
            for node in range(tree.block_start[block], tree.block_start[block + 1]):
                self.histories[int(tree.node_row[node])].append((int(block), node - int(tree.block_start[block])))

    def play(self, seed, number, *, simulations, exploration, exploring=0, values=None, counts_best=False):
        """What one game paid, and (infoset, shares) of its decisions."""
        draws = Draws(seed, GAME, number, 0)
        self.visits, self.total = {}, {}
        real, told = self._move_on((0, 0), draws), []
        while (infoset := self._infoset(real)) is not None:
            thinking = Draws(seed, SIMULATIONS, number, len(told))
            self._simulate(infoset, thinking, simulations, exploration, values, counts_best)
            visits = self.visits[infoset]
            told.append((infoset, [count / sum(visits) for count in visits]))
            if len(told) <= exploring:
                left, action = draws.uniform() * sum(visits), 0
                while (left := left - visits[action]) >= 0:
                    action += 1
            else:
                action = self._most_visited(infoset)
            real = self._act(real, action, draws)
        return self._payoff(real), told

    def play_kept(self, seed, number, *, abreast, simulations, exploration, counts_best=False):
        """What games in one kept tree paid, and the visits and totals in it: so many side by side, each of which
        simulates once before any of them counts."""
        self.visits, self.total = {}, {}
        paid, next_game, lanes = {}, iter(range(number)), [None] * abreast
        while True:
            moved = True
            while moved:  # ended games make room for the next, until every lane has a decision or nothing left
                moved = False
                for place, lane in enumerate(lanes):
                    if lane is None or self._infoset(lane["real"]) is None:
                        if lane is not None:
                            paid[lane["game"]] = self._payoff(lane["real"])
                        game = next(next_game, None)
                        lanes[place] = None if game is None else self._begun(seed, game)
                        moved = moved or game is not None
            if not any(lanes):
                return [paid[game] for game in range(number)], self.visits, self.total
            playing = [lane for lane in lanes if lane is not None]
            for lane in playing:
                lane["infoset"] = self._infoset(lane["real"])
                self._enter(lane["infoset"])
                if not lane["simulated"]:
                    lane["thinking"] = Draws(seed, SIMULATIONS, lane["game"], lane["decisions"])
            thoughts = [self._think(lane["infoset"], lane["thinking"], exploration, None) for lane in playing]
            for lane, thought in zip(playing, thoughts, strict=True):
                self._count(*thought, counts_best)
                lane["simulated"] += 1
                if lane["simulated"] == simulations:
                    lane["action"] = self._most_visited(lane["infoset"])
            for lane in playing:
                if lane["simulated"] == simulations:
                    lane["real"] = self._act(lane["real"], lane["action"], lane["draws"])
                    lane["simulated"] = 0
                    lane["decisions"] += 1

    def _begun(self, seed, game):
        draws = Draws(seed, GAME, game, 0)
        return {"game": game, "draws": draws, "real": self._move_on((0, 0), draws), "decisions": 0, "simulated": 0}

    def _most_visited(self, infoset):
        visits = self.visits[infoset]
        return max(range(len(visits)), key=lambda a: (visits[a], self.total[infoset][a]))

    def _simulate(self, root, draws, simulations, exploration, values, counts_best):
        self._enter(root)
        for _ in range(simulations):
            self._count(*self._think(root, draws, exploration, values), counts_best)

    def _think(self, root, draws, exploration, values):
        """The decisions of a simulation, the information set that is new to the tree, if any, and what was won."""
        if root not in self.bounds:
            self.bounds[root] = self._bounds(root)
        least, most = self.bounds[root]
        history, path = self._draw(root, draws), []
        while (infoset := self._infoset(history)) is not None:
            if infoset not in self.visits:
                won = self._at_random(history, draws) if values is None else float(values[infoset])
                return path, infoset, won
            action = self._select(infoset, exploration, least, most)
            path.append((infoset, action))
            history = self._act(history, action, draws)
        return path, None, self._payoff(history)

    def _count(self, path, leaf, won, counts_best):
        if leaf is not None:
            self._enter(leaf)
        for infoset, action in reversed(path):
            self.visits[infoset][action] += 1
            self.total[infoset][action] += won
            if counts_best:
                means = [t / n for n, t in zip(self.visits[infoset], self.total[infoset], strict=True) if n > 0]
                if max(means) > self.total[infoset][action] / self.visits[infoset][action]:
                    won = max(means)

    def _select(self, infoset, exploration, least, most):
        visits, total = self.visits[infoset], self.total[infoset]
        if 0 in visits:
            return visits.index(0)
        bonus = exploration * math.sqrt(math.log(max(sum(visits), 1)))
        middle, scale = 0.5 * (least + most), 2.0 / (most - least) if most > least else 0.0
        scores = [(t / n - middle) * scale + bonus * (1.0 / math.sqrt(n)) for n, t in zip(visits, total, strict=True)]
        return scores.index(max(scores))

    def _enter(self, infoset):
        if infoset not in self.visits:
            self.visits[infoset] = [0] * int(self.tree.infoset_size[infoset])
            self.total[infoset] = [0.0] * int(self.tree.infoset_size[infoset])

    def _at_random(self, history, draws):
        while (infoset := self._infoset(history)) is not None:
            history = self._act(history, draws.below(int(self.tree.infoset_size[infoset])), draws)
        return self._payoff(history)

    def _draw(self, infoset, draws):
        histories = self.histories[infoset]
        sums = np.cumsum([self.weight[self._node(each)] for each in histories])
        return histories[min(int(np.searchsorted(sums, draws.uniform() * sums[-1], "right")), len(sums) - 1)]

    def _act(self, history, action, draws):
        return self._move_on((int(self.tree.edge_block[self.tree.block_edge[history[0]] + action]), history[1]), draws)

    def _move_on(self, history, draws):
        tree = self.tree
        while (acting := tree.block_player[history[0]]) not in (self.player, TERMINAL):
            here = tree.node_row[self._node(history)]
            if acting == CHANCE:
                edges = range(tree.chance_start[here], tree.chance_start[here + 1])
                sums = np.cumsum(tree.chance_prob[edges.start : edges.stop])[:-1]
                edge = edges.start + int(np.searchsorted(sums, draws.uniform(), "right"))
                history = (int(tree.chance_block[edge]), int(tree.chance_lane[edge]))
                continue
            chances = self.probabilities[tree.slots(int(here))]
            left, action = draws.uniform(), 0
            while action < len(chances) - 1 and (left := left - chances[action]) >= 0.0:
                action += 1
            history = (int(tree.edge_block[tree.block_edge[history[0]] + action]), history[1])
        return history

    def _infoset(self, history):
        is_end = self.tree.block_player[history[0]] == TERMINAL
        return None if is_end else int(self.tree.node_row[self._node(history)])

    def _payoff(self, history):
        return float(self.tree.returns[self.tree.node_row[self._node(history)], self.player])

    def _node(self, history):
        return int(self.tree.block_start[history[0]]) + history[1]

    def _bounds(self, infoset):
        paid = [won for history in self.histories[infoset] for won in self._endings(history)]
        return min(paid), max(paid)

    def _endings(self, history):
        tree, (block, lane) = self.tree, history
        acting = tree.block_player[block]
        if acting == TERMINAL:
            return [self._payoff(history)]
        here = tree.node_row[self._node(history)]
        if acting == CHANCE:
            edges = range(tree.chance_start[here], tree.chance_start[here + 1])
            children = [(int(tree.chance_block[edge]), int(tree.chance_lane[edge])) for edge in edges]
        else:
            edges = range(tree.block_edge[block], tree.block_edge[block + 1])
            children = [(int(tree.edge_block[edge]), lane) for edge in edges]
        return [won for child in children for won in self._endings(child)]

    def _weights(self):
        tree = self.tree
        weight = np.zeros(tree.num_nodes)
        weight[0] = 1.0
        for block in range(len(tree.block_player)):
            acting = tree.block_player[block]
            for node in range(tree.block_start[block], tree.block_start[block + 1]):
                lane, here = node - tree.block_start[block], tree.node_row[node]
                if acting == CHANCE:
                    for edge in range(tree.chance_start[here], tree.chance_start[here + 1]):
                        child = tree.block_start[tree.chance_block[edge]] + tree.chance_lane[edge]
                        weight[child] = weight[node] * tree.chance_prob[edge]
                elif acting >= 0:
                    chances = self.probabilities[tree.slots(int(here))] if acting != self.player else None
                    for action, edge in enumerate(range(tree.block_edge[block], tree.block_edge[block + 1])):
                        chance = 1.0 if chances is None else chances[action]
                        weight[tree.block_start[tree.edge_block[edge]] + lane] = weight[node] * chance
        return weight
