"""Betting and payoffs by the competition's conventions, slow and simple: the twin of the native engine.

Written from what the competition's dealer is known to do, with no regard to how the engine does it: the round's actions
are kept and looked through again at each step, and the pot is handed out chip by chip.
"""

from __future__ import annotations

from fractions import Fraction

FOLD, CALL = -1, 0


class PlainHand:
    """One hand; changes as it is played."""

    def __init__(self, rules):
        self.rules = rules
        self.seats = range(rules.num_seats)
        self.spent = list(rules.blinds)
        self.folded = set()
        self.round = 0
        self.actions = []  # (seat, action) of this round
        self.smallest_raise_to = max(2 * max(rules.blinds), 1)
        self.is_over = not self.able
        if self.is_over:  # all in by their blinds; the board is dealt
            self.round = rules.num_rounds - 1
        self.seat = None if self.is_over else self.next_able(rules.first_seats[0])

    @property
    def able(self):
        """Seats that can still act: neither folded nor all in."""
        return [s for s in self.seats if s not in self.folded and self.spent[s] < self.rules.stacks[s]]

    @property
    def contenders(self):
        return [s for s in self.seats if s not in self.folded]

    def next_able(self, seat):
        while seat not in self.able:
            seat = (seat + 1) % self.rules.num_seats
        return seat

    @property
    def num_raises(self):
        return sum(action > 0 for _, action in self.actions)

    def legal(self):
        """(can fold, smallest raise-to, largest raise-to); both 0 where no raise is legal."""
        highest, own, stack = max(self.spent), self.spent[self.seat], self.rules.stacks[self.seat]
        can_fold = own < highest
        if self.num_raises == self.rules.max_raises[self.round] or len(self.able) < 2 or stack < highest:
            return can_fold, 0, 0
        if len(self.actions) + self.rules.num_seats > 64:  # all could not act once more
            return can_fold, 0, 0
        if stack == highest and self.rules.betting != "limit":
            return can_fold, 0, 0
        if self.rules.betting == "limit":
            raise_to = min(highest + self.rules.raise_sizes[self.round], stack)
            return can_fold, raise_to, raise_to
        smallest, largest = min(self.smallest_raise_to, stack), stack
        if self.rules.betting == "potlimit":  # call, then at most as much as is in the pot
            largest = min(stack, max(smallest, highest + sum(self.spent) + highest - own))
        return can_fold, smallest, largest

    def act(self, action):
        highest = max(self.spent)
        if action == FOLD:
            self.folded.add(self.seat)
        elif action == CALL:
            self.spent[self.seat] = min(highest, self.rules.stacks[self.seat])
        else:
            self.spent[self.seat] = action
            self.smallest_raise_to = max(self.smallest_raise_to, action + action - highest)
        self.actions.append((self.seat, action))
        if len(self.contenders) == 1:
            self.is_over = True
        elif self.have_all_answered():
            self.end_round()
        else:
            self.seat = self.next_able((self.seat + 1) % self.rules.num_seats)

    def have_all_answered(self):
        """Whether every seat that can act has called the last raise, made it, or checked where there is none."""
        answered = set()
        for seat, action in reversed(self.actions):
            answered.add(seat)
            if action > 0:
                break
        return answered.issuperset(self.able)

    def end_round(self):
        if len(self.able) < 2:
            self.round = self.rules.num_rounds - 1
            self.is_over = True
        elif self.round == self.rules.num_rounds - 1:
            self.is_over = True
        else:
            self.round += 1
            self.actions = []
            self.smallest_raise_to = max(self.spent) + max(*self.rules.blinds, 1)
            self.seat = self.next_able(self.rules.first_seats[self.round])

    def payoffs(self, strength):
        """Each layer of one chip from everybody who put in so many goes to the best of those who did not fold."""
        won = [Fraction(-spent) for spent in self.spent]
        for chip in range(1, max(self.spent) + 1):
            paid = [s for s in self.seats if self.spent[s] >= chip]
            best = max(strength[s] for s in paid if s not in self.folded)
            winners = [s for s in paid if s not in self.folded and strength[s] == best]
            for seat in winners:
                won[seat] += Fraction(len(paid), len(winners))
        return won
