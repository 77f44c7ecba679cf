"""Translation: where real betting leads in the betting tree of a smaller game, and what its actions are at the table.

A raise that the tree has is followed. Another is measured as a fraction x of the real pot after calling, as are the
tree's raises there (its fractions of the real pot, clipped to what is legal; all-in is all-in), and goes to the nearest
smaller one A or the nearest larger one B; beyond the smallest or largest, to that one. The share of A is

`hard`             1 if A/x > x/B, else 0: the geometrically nearest (Gilpin, Sandholm & Sorensen 2008)
`soft`             A(B-x) / (A(B-x) + x(x-A)): geometric similarities (Schnizlein, Bowling & Szafron 2009)
`sampled`          as `soft`, but one path is drawn for each decision
`pseudo-harmonic`  (B-x)(1+A) / ((B-A)(1+x)) (Ganzfried & Sandholm 2013)

A call is a raise by 0. A raise below the smallest may be taken for it, which only `pseudo-harmonic` ever does, and only
where everybody else still acts in the round of the tree: so it never closes a round that really goes on.

A policy is the mean over all paths by their shares, drawn anew at each decision: what the player itself did before does
not tell which path it is on. (At most 256 paths are followed; the lightest are given up.) Own raises are translated as
everybody's; they are what the tree's raises come to at the table, so they are found again.

What the tree says is done at the table like this: a raise by the same fraction of the real pot, clipped to what is
legal; all-in is all-in; where a fold would be free, or no raise is legal, check or call.

Where table and tree disagree on whose turn it is:

- The hand or the round is over in the tree, or the seat is all-in there, and really it is to act: it checks or calls.
- It is somebody's turn in the tree only: he checks or calls there, or folds if he has really folded.
- A raise really comes when the tree has none left (its cap): it is a call there. Until the round is over, `off_tree`
  says what is done; the next round goes on in the tree as if it had been a call.
- A fold where folding is free in the tree: a check. A call where the tree has none (push-fold): its smallest raise.
"""

from __future__ import annotations

from dataclasses import dataclass

from nashgap import _native
from nashgap.errors import ConfigError
from nashgap.poker.state import Action

__all__ = ["CALL_ON", "OFF_TREE", "TRANSLATIONS", "TreePlace", "smaller_share", "translation_code"]

TRANSLATIONS = ("hard", "soft", "sampled", "pseudo-harmonic")
CALL_ON = _native.CALL_ON
OFF_TREE = _native.OFF_TREE
_CODES = {"hard": 0, "soft": 1, "sampled": 1, "pseudo-harmonic": 2}


@dataclass(frozen=True)
class TreePlace:
    """A decision as one path through the tree shows it.

    weight:  share of the path; the weights of all paths add up to 1.
    node:    of the tree; or CALL_ON, where it checks or calls; or OFF_TREE, where the option of that name decides.
    actions: the real action of each edge of the node.
    """

    weight: float
    node: int
    actions: tuple[Action, ...]


def translation_code(translation: str) -> int:
    """The engine's number of a translation."""
    if translation not in _CODES:
        raise ConfigError(f"unknown translation {translation!r}; known: {', '.join(TRANSLATIONS)}")
    return _CODES[translation]


def smaller_share(translation: str, smaller: float, larger: float, size: float) -> float:
    """How much of a raise goes to the smaller of its neighbours; fractions of the pot."""
    code = translation_code(translation)
    if not 0 <= smaller < size < larger:
        raise ConfigError(f"a raise of {size} does not lie between {smaller} and {larger}")
    return _native.smaller_share(code, smaller, larger, size)
