"""What to change in a bot, and what that wins back: changes are tried where LBR wins most, chosen, and measured.

Three sets of deals. The leaks were found on the first; on the second all changes are tried, and of each decision one is
chosen; on the third the chosen ones are measured, so that what is promised is no luck of the choice. A change that does
not clearly win there is withheld. Every set has a seed of its own, and is a run that can be stopped and continued.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nashgap.core.estimate import Estimate
from nashgap.core.job import LARGEST_SEED
from nashgap.errors import ConfigError, OutputError
from nashgap.jobs.lbr import LbrJob
from nashgap.jobs.lbr_bound import LbrBound
from nashgap.jobs.lbr_compare import LbrCompareJob, LbrComparison, own_bets
from nashgap.jobs.perform import Keep, perform
from nashgap.measures.advice import Candidate, Decision, candidates, decisions_of, look_at
from nashgap.measures.local_best_response import ON_TREE
from nashgap.runs.progress import Progressing, shown
from nashgap.runs.workers import Workers
from nashgap.strategies.bot import Bot, PatchedBot
from nashgap.strategies.patch import Patch

__all__ = ["Advice", "LeakAdvice", "perform_advice", "require_advice"]

DEALS_PER_TRIAL = 4  # each change is tried on so many times fewer deals than it is measured on
NEARLY = 0.8  # of the best gain is good enough for a change of fewer hands
FEWEST_DEALS = 40


@dataclass(frozen=True)
class Advice:
    """What to change in one decision.

    numbers:   of the situations that end with it, from 1, as the list of leaks has them; `situation` is the dearest.
    decision:  the one that is changed, or where nothing is the last before the leak.
    tried:     changes; `patch` is the one that was chosen, None where none won anything.
    moved:     how much of the range there does something else then.
    hands:     that do, of each change of the patch, as a range is written; none behind the flop, where boards differ.
    gain:      what LBR wins less, on deals that neither found the leak nor chose the change; None without a patch.
    """

    numbers: tuple[int, ...]
    situation: str
    decision: Decision
    tried: int
    patch: Patch | None = None
    moved: float = 0.0
    hands: tuple[str, ...] = ()
    gain: Estimate | None = None

    @property
    def is_given(self) -> bool:
        """Whether the change clearly helps; else it is withheld."""
        return self.gain is not None and self.gain.lower_bound_975 > 0

    def as_dict(self) -> dict[str, Any]:
        return {
            "situations": list(self.numbers),
            "situation": self.situation,
            "is_given": self.is_given,
            "patch": str(self.patch) if self.is_given else None,
            "moved": self.moved if self.is_given else None,
            "hands": list(self.hands) if self.is_given else [],
            "gain": None if self.gain is None else self.gain.as_dict(),
            "tried": self.tried,
            "decision": self.decision.told(),
        }


@dataclass(frozen=True)
class LeakAdvice:
    """Of the dearest leaks that have decisions of their own, dearest first.

    together:    what all that is advised wins back at once, on the same deals; None where less than two changes are.
    patched:     the bot with all of them, as it can be typed; empty where nothing is advised.
    trial_deals: on which changes were chosen; `deals`: on which they were measured, with the `seed`.
    """

    items: tuple[Advice, ...]
    together: Estimate | None
    patched: str
    trial_deals: int
    deals: int
    seed: int

    @property
    def given(self) -> tuple[Advice, ...]:
        return tuple(item for item in self.items if item.is_given)

    def as_dict(self) -> dict[str, Any]:
        return {
            "items": [item.as_dict() for item in self.items],
            "together": None if self.together is None else self.together.as_dict(),
            "patched": self.patched or None,
            "trial_deals": self.trial_deals,
            "deals": self.deals,
            "seed": self.seed,
        }


@dataclass(frozen=True)
class _Leaky:
    """A decision with the leaks that end with it, and the changes of it and of earlier ones on its street."""

    numbers: tuple[int, ...]
    situation: str
    decisions: tuple[Decision, ...]

    @property
    def candidates(self) -> list[tuple[Decision, Candidate]]:
        return [(decision, each) for decision in self.decisions for each in candidates(decision)]


def require_advice(job: LbrJob, number: int) -> None:
    """Refuse beforehand what cannot be advised."""
    if number < 1:
        raise ConfigError(f"advice = {number}; it must be 1 or more decisions")
    if job.rules.num_seats != 2:
        raise ConfigError(f"advice is for games of two seats; {job.rules.name or 'the game'} has {job.rules.num_seats}")
    if any(player.is_sampled for player in job.players):
        raise ConfigError(
            f"advice: {job.strategies[0].text} is known by samples only; what it does with its range is not known"
        )
    if not job.has_leaks:
        raise ConfigError("advice needs the leaks; do not switch them off")
    if job.is_exact:
        raise ConfigError("advice is for boards that are drawn, and all are followed here; lines dealt draws them")
    if job.deals < FEWEST_DEALS:
        raise ConfigError(f"deals = {job.deals}; advice needs at least {FEWEST_DEALS}")


def perform_advice(
    bound: LbrBound, number: int, *, run: Keep, workers: Workers, fresh: bool = False, progress: Progressing
) -> LbrBound:
    """The bound with advice for so many decisions; changes are tried and measured as runs of their own.

    None where LBR does not clearly win: an equilibrium has situations, too, in which it loses to LBR.
    """
    leaky = _leaky_decisions(bound, number) if bound.estimate.lower_bound_975 > 0 else []
    job = bound.job
    bot, deals = job.strategies[0], job.deals
    trial_deals = max(FEWEST_DEALS // 2, deals // DEALS_PER_TRIAL)

    def played(patches: Sequence[tuple[Patch, ...]], deals: int, later: int) -> LbrComparison:
        versions = (bot, *(PatchedBot(bot, each) for each in patches))
        comparison = _comparison(bound, versions, deals, (job.seed + later) % LARGEST_SEED)
        found: LbrComparison = perform(comparison, run=run, workers=workers, fresh=fresh, progress=progress)
        seconds.append(found.provenance.seconds)
        return found

    seconds = [bound.provenance.seconds]

    tried = list(dict.fromkeys(each.patch for item in leaky for _, each in item.candidates))
    with shown(progress) as show:  # who asked for advice waits longer for it than for the bound
        show.note(_found_so_far(bound, len(tried), len(leaky), trial_deals))
    trial = played([(patch,) for patch in tried], trial_deals, 1) if tried else None
    chosen = [None if trial is None else _choice(item, tried, trial) for item in leaky]
    patches = list(dict.fromkeys(choice[1].patch for choice in chosen if choice is not None))
    measured = _measured(patches, played, deals)
    items = _one_of_each([_advice(item, choice, measured) for item, choice in zip(leaky, chosen, strict=True)])
    given = _given_together(items)
    together = played([given], deals, 2).gain(1) if len(given) > 1 else None
    advice = LeakAdvice(
        items=items,
        together=together,
        patched=PatchedBot(bot, given).text if given else "",
        trial_deals=trial_deals,
        deals=deals,
        seed=(job.seed + 2) % LARGEST_SEED,
    )
    command = bound.provenance.command
    provenance = replace(
        bound.provenance,
        command=f"{command} --advice {number}" if command.startswith("nashgap measure") else command,
        seconds=sum(seconds),
    )
    advised = replace(bound, advice=advice, provenance=provenance)
    if provenance.run is not None:
        _rewrite_page(advised, provenance.run / "report.html")
    return advised


def _rewrite_page(advised: LbrBound, path: Path) -> None:
    """The page of the bound's run tells the advice, too; where it cannot be written, warn: the result is worth more."""
    try:
        advised.write_page(path)
    except OutputError as error:
        warnings.warn(f"the report is missing: {error}", stacklevel=2)


def _found_so_far(bound: LbrBound, changes: int, decisions: int, trial_deals: int) -> str:
    """The bound, and what is still to be played."""
    found = f"LBR wins {bound.estimate}"
    if not changes:
        return f"{found}; there is nothing to change"
    counted = f"{changes} change{'s' if changes > 1 else ''} of {decisions} decision{'s' if decisions > 1 else ''}"
    return (
        f"{found}; now what to change: {counted}, tried on {trial_deals:,} deals each; the best are measured on"
        f" {bound.job.deals:,}"
    )


def _leaky_decisions(bound: LbrBound, number: int) -> list[_Leaky]:
    """Of the dearest leaks, those that end with the same decision as one."""
    assert bound.leaks is not None, "they were asked for"
    rules, strategy = bound.job.rules, bound.job.players[0]
    found: dict[str, _Leaky] = {}
    for place, leak in enumerate(bound.leaks.situations, 1):
        bettings = decisions_of(rules, leak)
        if leak.example is None or not bettings:
            continue
        looked = [look_at(rules, strategy, each, leak.example.board, seed=bound.job.seed) for each in bettings]
        decisions = tuple(each for each in looked if each is not None)
        if not decisions:
            continue
        key = str(decisions[0].place)
        if key in found:
            found[key] = replace(found[key], numbers=(*found[key].numbers, place))
        elif len(found) < number:
            found[key] = _Leaky((place,), leak.situation, decisions)
    return list(found.values())


def _comparison(bound: LbrBound, versions: tuple[Bot, ...], deals: int, seed: int) -> LbrCompareJob:
    """LBR against the versions, as it played for the bound."""
    job = bound.job
    options = job.options
    if options.bets == ON_TREE:
        options = replace(options, bets=own_bets(job.strategies, job.rules))
    return LbrCompareJob(
        rules=job.rules,
        versions=versions,
        options=options,
        flops=job.flops,
        drawn=job.drawn,
        seed=seed,
        deals=deals,
        may_ask=True,
    )


def _choice(item: _Leaky, tried: Sequence[Patch], trial: LbrComparison) -> tuple[Decision, Candidate] | None:
    """The change that wins most for sure, or one that clearly wins nearly as much and moves fewer hands.

    None where none wins. For sure: by the lower end of its interval, since the largest of many means is large by luck.
    """
    gains = {patch: trial.gain(1 + place) for place, patch in enumerate(tried)}
    winning = [each for each in item.candidates if gains[each[1].patch].mean > 0]
    if not winning:
        return None
    surest = max(winning, key=lambda each: gains[each[1].patch].lower_bound_975)
    enough = NEARLY * gains[surest[1].patch].mean
    good = [
        each for each in winning if gains[each[1].patch].mean >= enough and gains[each[1].patch].lower_bound_975 > 0
    ]
    return min(good or [surest], key=lambda each: each[1].moved)


def _measured(patches: Sequence[Patch], played: Any, deals: int) -> dict[Patch, Estimate]:
    if not patches:
        return {}
    found: LbrComparison = played([(patch,) for patch in patches], deals, 2)
    return {patch: found.gain(1 + place) for place, patch in enumerate(patches)}


def _advice(item: _Leaky, choice: tuple[Decision, Candidate] | None, measured: dict[Patch, Estimate]) -> Advice:
    tried = len(item.candidates)
    if choice is None:
        return Advice(item.numbers, item.situation, item.decisions[0], tried)
    decision, candidate = choice
    return Advice(
        item.numbers,
        item.situation,
        decision,
        tried,
        patch=candidate.patch,
        moved=candidate.moved,
        hands=candidate.hands,
        gain=measured[candidate.patch],
    )


def _one_of_each(items: Sequence[Advice]) -> tuple[Advice, ...]:
    """Leaks that the same change of an earlier decision mends are one advice."""
    found: dict[Any, Advice] = {}
    for place, item in enumerate(items):
        key = place if item.patch is None else str(item.patch)
        known = found.get(key, item)
        numbers = tuple(sorted({*known.numbers, *item.numbers}))
        found[key] = replace(known, numbers=numbers, tried=max(known.tried, item.tried))
    return tuple(found.values())


def _given_together(items: Sequence[Advice]) -> tuple[Patch, ...]:
    """Of each place the change that wins most."""
    best: dict[str, Advice] = {}
    for item in items:
        if item.is_given and item.patch is not None and item.gain is not None:
            known = best.get(str(item.patch.place))
            if known is None or known.gain is None or item.gain.mean > known.gain.mean:
                best[str(item.patch.place)] = item
    return tuple(item.patch for item in best.values() if item.patch is not None)
