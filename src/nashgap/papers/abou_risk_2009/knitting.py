"""Section 2.3: strategies for the first round and for the others, solved apart and knitted together, heads-up.

PsOpti0, PsOpti1 and PsOpti2 of Billings et al. (2003), as the thesis tells them: always calling before the flop; a
model of the first round alone; a model of three rounds, whose distributions on the flop are what the rest is solved
for. The reported matches had PsOpti1 before PsOpti2 before PsOpti0, with bugs in PsOpti2, which without them "should"
be the strongest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.arena.match_result import MatchResult
from nashgap.core.estimate import format_interval
from nashgap.jobs.match import MatchJob
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.abou_risk_2009.trained import master_of, trained_experts, trained_recipe
from nashgap.papers.statements import Statement, all_true, is_positive, statement_table
from nashgap.papers.training import TrainedAgent
from nashgap.poker.betting_tree import SETTLEMENTS, build_betting_tree
from nashgap.poker.prefix import parse_prefix
from nashgap.reports.report import Report, Table, Text
from nashgap.runs import package_version
from nashgap.solvers.recipe import load_recipe
from nashgap.strategies.abstract import AbstractStrategy, Segment, graft
from nashgap.strategies.abstract_file import load_abstract_strategy
from nashgap.strategies.bot import Bot, FileBot, MasterBot
from nashgap.strategies.spec import parse_bot

__all__ = ["also_behind", "check_statements", "section_2_3"]

# Behind these a model for the other betting plays: the pot and who acts are the same.
SAME_POT = {"crc": "rc", "crrc": "rrc", "crrrc": "rrrc"}
DEALS, QUICK_DEALS = 500_000, 20_000


def section_2_3(request: Request) -> Report:
    """The three PsOptis, with three ways to settle the first round's model, against each other."""
    postflop = _uniform_models(request)
    bots: dict[str, Bot] = {"PsOpti0": MasterBot(parse_bot("always-call"), (FileBot(str(postflop)),))}
    models: dict[str, TrainedAgent] = {}
    for settle in SETTLEMENTS:
        models[f"first round, {settle}"] = preflop = trained_recipe(f"psopti-preflop-1-{settle}", request)
        bots[f"PsOpti1, {settle}"] = MasterBot(preflop.bot(), (FileBot(str(postflop)),))
    models["three rounds"] = three = trained_recipe("psopti-preflop-3", request)
    base = three.bot()
    seeded = trained_experts("psopti-postflop-base", request, base)
    bots["PsOpti2"] = master_of(base, seeded)
    held = [load_abstract_strategy(path) for bot in bots.values() for path in bot.inputs().values()]
    matches = {pair: _match(bots, pair, request) for pair in combinations(bots, 2)}
    del held  # kept their abstract games from being built anew for every match
    statements = check_statements(matches)
    return Report(
        title="Knitted strategies in heads-up limit hold'em (thesis, section 2.3)",
        summary="; ".join(f"{each.text}: {each.verdict}" for each in statements) + ".",
        sections=(
            statement_table("What is reported", statements, "sb_per_hand, with 95% intervals."),
            Table(
                "Matches",
                ("first", "second", "first wins, sb_per_hand"),
                tuple((*pair, _shown(result)) for pair, result in matches.items()),
                "Duplicate: every deal in both seatings; 95% intervals over deals.",
            ),
            Text(
                "What they are",
                (
                    "PsOpti0 calls before the flop; PsOpti1 plays a model of the first round alone, whose missing"
                    " rounds are settled by checking to the end, by one bet of each in every round, or by the best"
                    " hand now, which before the flop is the higher pair or card. Both go on with models that bypass"
                    " the first round, one for each of the four pots, to which every hand comes.",
                    "PsOpti2 plays a model without betting on the river, settled by one bet of each, and goes on with"
                    " seven models, one for each betting before the flop, to which hands come as that model plays.",
                    "All have 5 buckets a round, remembered; the thesis does not say how many the PsOptis had.",
                    *(agent.told(name) for name, agent in models.items()),
                ),
            ),
        ),
        command=command_of("thesis-section-2.3", request),
        facts={
            "game": "lhe2",
            "unit": "sb_per_hand",
            "deals": QUICK_DEALS if request.is_quick else DEALS,
            "seed": request.seed,
            "version": package_version(),
        },
    )


def check_statements(matches: Mapping[tuple[str, str], MatchResult]) -> tuple[Statement, ...]:
    """The reported order, and the claim about PsOpti2; each of all ways to settle PsOpti1's first round."""
    ones = [f"PsOpti1, {settle}" for settle in SETTLEMENTS]

    def all_win(text: str, pairs: list[tuple[str, str]], sign: int) -> Statement:
        told = "; ".join(f"{first} against {second} {_shown(matches[first, second])}" for first, second in pairs)
        verdicts = (is_positive(sign * matches[pair].winrates[0], matches[pair].ci95[0]) for pair in pairs)
        return Statement(text, all_true(verdicts), told)

    return (
        all_win("PsOpti1 beats PsOpti2", [(one, "PsOpti2") for one in ones], 1),
        all_win("PsOpti2 beats PsOpti0", [("PsOpti0", "PsOpti2")], -1),
        all_win("PsOpti1 beats PsOpti0", [("PsOpti0", one) for one in ones], -1),
        all_win("PsOpti2 without bugs is the strongest", [(bot, "PsOpti2") for bot in ("PsOpti0", *ones)], -1),
    )


def also_behind(strategy: AbstractStrategy, text: str, other: str) -> AbstractStrategy:
    """The segment behind `other`, played behind `text`: betting after which pot and seats are the same."""
    [own] = (segment for segment in strategy.segments if segment.prefix_text == other)
    tree, rules = own.game.tree, strategy.rules
    moved = build_betting_tree(rules, tree.abstraction, parse_prefix(rules, text), tree.truncation)
    segment = Segment(AbstractGame(moved, own.game.cards, own.game.ranges), own.tables)
    return replace(strategy, grafts=(*strategy.grafts, segment))


def _uniform_models(request: Request) -> Path:
    """One file of the four models, each behind all betting that leads to its pot."""
    trained = trained_experts("psopti-postflop", request)
    first, *others = (expert.load() for expert in trained)
    models = graft(first, *others)
    for text, other in SAME_POT.items():
        models = also_behind(models, text, other)
    path = trained[0].file.with_name("all-pots.safetensors").resolve()
    models.save(path)
    return path


def _match(bots: Mapping[str, Bot], pair: tuple[str, str], request: Request) -> MatchResult:
    deals = QUICK_DEALS if request.is_quick else DEALS
    rules = load_recipe("psopti-preflop-3").rules
    job = MatchJob(rules=rules, agents=tuple(bots[name] for name in pair), deals=deals, seed=request.seed)
    played: MatchResult = request.perform(job)
    return played


def _shown(result: MatchResult) -> str:
    return format_interval(float(result.winrates[0]), float(result.ci95[0]))
