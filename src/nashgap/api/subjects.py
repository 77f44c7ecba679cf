"""What the functions of the front door take: names, files and objects, whatever plays or can be asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nashgap.poker.rules import PokerRules, load_rules
from nashgap.strategies.bot import Bot
from nashgap.strategies.spec import as_bot

__all__ = ["Subject", "bot_of", "bots_of", "rules_for"]

Subject = str | Path | Bot | Any
"""A name, a strategy file, `python:module:Class`, `exec:COMMAND`, `acpc:COMMAND`, or any object that has `policies`."""


def bot_of(subject: Subject, *, kind: str = "bot") -> Bot:
    """The bot that the subject is; what was solved is the strategy in it."""
    from nashgap.jobs.solve import Solution  # here, so that who only shows strategies needs no solvers
    from nashgap.jobs.training import Training

    if isinstance(subject, Solution | Training):
        subject = subject.strategy
    return as_bot(subject, kind=kind)


def bots_of(subjects: Subject | Sequence[Subject], *, kind: str = "bot") -> tuple[Bot, ...]:
    """One or several."""
    several = subjects if isinstance(subjects, list | tuple) else [subjects]
    return tuple(bot_of(subject, kind=kind) for subject in several)


def rules_for(game: str | PokerRules) -> PokerRules:
    return game if isinstance(game, PokerRules) else load_rules(game)
