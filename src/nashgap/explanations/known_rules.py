"""Rules that are known: the two of Ganzfried & Yusuf (2017), section 4, and eight of our own."""

from __future__ import annotations

from nashgap.explanations.rules import ALL_IN, CHECK, Bluff, Condition, Mix, Rule, RuleList

__all__ = ["ALL_IN_RULE", "EIGHTY_TWENTY_RULE", "EIGHT_RULES", "KNOWN_SEED", "TWO_RULES"]

EIGHTY_TWENTY_RULE = Rule((Condition("beats", 0.2, 0.8),), Mix(CHECK))
"""If your hand beats between 20% and 80% of the opponent's distribution of hands, then you should always check (or make
an extremely small bet)."""

ALL_IN_RULE = Rule((Condition("beats", low=0.95), Condition("their-top", low=0.1)), Mix(ALL_IN))
"""If your hand beats 95% of the opponent's distribution of hands, and furthermore the opponent's distribution contains
a weak or mediocre hand no more than 90% of the time (i.e., it contains at least 10% strong hands), then you should go
all-in. Strong: better than card 6 of 10, at which the tree behind the rule splits."""

TWO_RULES = RuleList((EIGHTY_TWENTY_RULE, ALL_IN_RULE))
"""The paper's rules; hands that they leave open are checked."""

KNOWN_SEED = 1
"""Of the games that `EIGHT_RULES` were searched in."""

EIGHT_RULES = RuleList(
    (
        Rule((Condition("beats", low=0.95), Condition("their-very-strong", low=0.1)), Mix(1.0)),
        Rule((Condition("beats", low=1.0),), Mix(2.0)),
        Rule((Condition("beats", low=0.9),), Mix(0.8)),
        Rule((Condition("beats", low=0.75),), Mix(0.3)),
        Rule((), Bluff(1.0, 1 / 2)),
        Rule((), Bluff(0.8, 2 / 5)),
        Rule((), Bluff(2.0, 3 / 5)),
        Rule((), Bluff(0.3, 1 / 4)),
    )
)
"""Found by `search_rules` with round numbers in the first 2,000 games of seed 1, at the paper's stakes.

In 16,000 unseen games (seed 0, from game 64,000) they lose 0.0151 ± 0.0002 dollars a hand to a best response and 0.0063
± 0.0001 to the opponent's equilibrium; the paper's two rules lose 0.0750 ± 0.0008 and 0.0331 ± 0.0005, always checking
0.0722 ± 0.0008. `nashgap reproduce human-rules` measures them again.
"""
