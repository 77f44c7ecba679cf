"""What two players win behind a prefix, and could win: all deals and all betting of an abstract game of few cards."""

import itertools

import numpy as np

from nashgap.cards.evaluator import hand_ranks


class ExactSubgame:
    """All deals of the game with their chances, D of them."""

    def __init__(self, game):
        rules = self.rules = game.rules
        self.game, self.players = game, game.players
        num_cards = rules.num_seats + sum(rules.num_board_cards)
        assert rules.num_hole_cards == 1
        cards = np.array(list(itertools.permutations(rules.deck, num_cards)), np.uint8)
        place = np.zeros(64, int)
        place[list(rules.deck)] = np.arange(len(rules.deck))
        ranges = np.ones((rules.num_seats, len(rules.deck))) if game.ranges is None else game.ranges
        chance = np.prod([ranges[seat][place[cards[:, seat]]] for seat in range(rules.num_seats)], axis=0)
        self.chance = chance / chance.sum()
        board = cards[:, rules.num_seats :]
        holes = [np.ascontiguousarray(cards[:, [seat]]) for seat in range(rules.num_seats)]
        board = np.ascontiguousarray(board)
        self.buckets = {seat: game.cards[seat][2].hand_buckets(holes[seat], board) for seat in self.players}
        cut = game.tree.truncation
        shown = board if cut is None else np.ascontiguousarray(board[:, : cut.num_board_cards(rules)])
        self.ranks = [hand_ranks(np.hstack([hole, shown])).astype(int) for hole in holes]

    def values(self, tables):
        """What each player wins, in chips, by the tables; rows of zeros play uniformly."""
        rows = self._rows(tables)
        return [self._walk(self.game.tree.root, seat, None, rows, self.chance).sum() for seat in self.players]

    def gains(self, tables):
        """What each could win more."""
        rows = self._rows(tables)
        best = [self._walk(self.game.tree.root, seat, seat, rows, self.chance).sum() for seat in self.players]
        return np.subtract(best, self.values(tables))

    def _rows(self, tables):
        entries = np.concatenate(tables).astype(float)
        found = {}
        for node in range(self.game.tree.num_nodes):
            row = entries[self.game.entries(node)]
            total = row.sum(axis=1, keepdims=True)
            found[node] = np.where(total > 0, row / np.where(total > 0, total, 1), 1 / row.shape[1])
        return found

    def _walk(self, target, seat, responder, rows, reach):
        """`[D]` chips of the seat, times chance and what the others do."""
        tree = self.game.tree
        if target < 0:
            return reach * self._payoff(-1 - target, seat)
        number = np.searchsorted(tree.round_start, target, "right") - 1
        actor = int(tree.seat[target])
        bucket = self.buckets[actor][:, number]
        children = tree.child[tree.first_edge[target] : tree.first_edge[target + 1]].tolist()
        if actor != responder:
            played = rows[target][bucket].T
            return sum(
                self._walk(child, seat, responder, rows, reach * p) for child, p in zip(children, played, strict=True)
            )
        behind = np.array([self._walk(child, seat, responder, rows, reach) for child in children])
        by_bucket = np.array([np.bincount(bucket, each) for each in behind])
        return np.take_along_axis(behind, by_bucket.argmax(axis=0)[bucket][None], axis=0)[0]

    def _payoff(self, ending, seat):
        spent, folded = self.game.tree.ending_spent[ending], int(self.game.tree.ending_folded[ending])
        inside = [other for other in range(self.rules.num_seats) if not folded >> other & 1]
        best = np.max([self.ranks[other] for other in inside], axis=0)
        winners = np.sum([self.ranks[other] == best for other in inside], axis=0)
        share = (self.ranks[seat] == best) / winners if seat in inside else 0.0
        return spent.sum() * share - spent[seat]
