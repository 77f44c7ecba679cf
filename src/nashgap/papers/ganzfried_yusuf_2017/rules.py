"""The two "fundamental rules of poker strategy" of section 4, tested on unseen games, and eight rules that cost less.

What the paper leaves open is read in every way. "Beats a share of the opponent's distribution": given your card, or of
all hands, or the value of a cdf as in the tree that the rules are read from. The All-in Rule asks that the opponent
hold "a weak or mediocre hand no more than 90% of the time", while the tree splits at 0.9154 of card 6, and the text
says of the far right leaf both that it bets 2.3597 and that it bets 2.9314. "An extremely small bet" is read as one of
up to 0.1, or 0.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nashgap.core.estimate import Estimate
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.known_rules import ALL_IN_RULE, EIGHTY_TWENTY_RULE, TWO_RULES
from nashgap.explanations.rule_moves import fixed_bluff
from nashgap.explanations.rule_prices import agreement, part_price, rule_row
from nashgap.explanations.rule_search import SHAKES, search_rules
from nashgap.explanations.rule_study import ALWAYS_CHECK, PAPER_TREE, SEARCHED, TWO, RulesResult, find_rules
from nashgap.explanations.rules import Condition, Rule, RuleList
from nashgap.explanations.scores import score
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.ganzfried_yusuf_2017.games import NUM_TEST, NUM_TRAIN, solved_games
from nashgap.reports.report import Report, Table, Text
from nashgap.reports.rules import rules_sections, tree_sections
from nashgap.runs import package_version

__all__ = ["rules"]

MAX_RULES, QUICK_MAX_RULES = 8, 4
QUICK_TRAIN, QUICK_TEST = 100, 100
CHOICE = "solver"
SMALL_BETS = (0.0, 0.1, 0.2)
LARGE_SHARE = 5 / 6  # of the stack: bets of 2.5 of 3 and more

BEATS = {
    "beats": "given your card",
    "beats-all-hands": "of all their hands",
    "their-cdf": "their cdf at your card",
    "own-cdf": "your own cdf",
}
TREE_SPLIT = 0.9154
STRONG_HANDS: dict[str, tuple[Condition, ...]] = {
    "10% or more are better than 6": (Condition("their-top", low=0.1),),
    f"cdf of 6 at most {TREE_SPLIT}": (Condition("their-top", low=1 - TREE_SPLIT),),
    f"cdf of 6 above {TREE_SPLIT}": (Condition("their-top", high=1 - TREE_SPLIT),),
    "10% or more beat 80% of yours": (Condition("their-strong", low=0.1),),
    "not asked for": (),
}
"""What the All-in Rule may ask of the opponent's hands."""


def rules(request: Request) -> Report:
    """Both rules with coverage, agreement and price in each reading, and a strategy of a few rules beside others."""
    num_train, num_test = (QUICK_TRAIN, QUICK_TEST) if request.is_quick else (NUM_TRAIN, NUM_TEST)
    train, test = solved_games(request, num_train + num_test).split(num_train, num_test)
    max_rules, shakes = (QUICK_MAX_RULES, 0) if request.is_quick else (MAX_RULES, SHAKES)
    request.note(f"at most {max_rules} rules are searched{'' if request.is_quick else ', for some minutes'}")
    found = find_rules(train, test, max_rules, CHOICE, shakes, request.on_note)
    fixed = search_rules(train[:SEARCHED], max_rules, bluff=fixed_bluff, shakes=shakes, on_note=request.on_note)
    fixed_price = score(test, fixed.bets(test.games), CHOICE).exploitability
    return Report(
        title="The fundamental rules of poker strategy (Ganzfried & Yusuf 2017, section 4)",
        summary=_summary(found),
        sections=(
            _stated_table(test),
            Text("What was found", tuple(_findings(found, fixed, fixed_price))),
            *rules_sections(found),
            _eighty_twenty_table(test),
            _all_in_table(test),
            *tree_sections(found),
        ),
        command=command_of("human-rules", request),
        facts={
            "learned from": num_train,
            "tested on": num_test,
            "searched": found.num_searched,
            "most rules": max_rules,
            "seed": request.seed,
            "version": package_version(),
        },
    )


def _summary(found: RulesResult) -> str:
    assert found.ratio is not None, "in the paper's game the two rules cost something"
    best, two = found.compared[0][1].exploitability, found.scores(TWO).exploitability
    check = found.scores(ALWAYS_CHECK).exploitability
    return (
        f"Played as stated, all other hands checked, the two rules lose {two.mean:.4f} ± {two.ci95:.4f} dollars a hand"
        f" to a best response; always checking loses {check.mean:.4f} ± {check.ci95:.4f}. {len(found.rules)} rules"
        f" found here lose {best.mean:.4f} ± {best.ci95:.4f}, {100 * found.ratio:.0f}% of the two."
    )


def _stated_table(test: SolvedGames) -> Table:
    """Both rules, in the reading of their words, against each choice of equilibrium."""
    stack = test.stakes.stack
    rows: list[tuple[str | float | int | Estimate, ...]] = []
    for name, rule, low, high in (
        ("80-20 Rule", EIGHTY_TWENTY_RULE, 0.0, SMALL_BETS[1]),
        ("All-in Rule", ALL_IN_RULE, stack, stack),
    ):
        share = RuleList((rule,)).decide(test.games).shares[0]
        for choice in test.chosen:
            part = part_price(test, share, rule_row(rule, test.stakes), choice)
            follows = agreement(test, share, low, high, choice)
            rows.append((name, choice, part.coverage, follows or "-", part.error or "-", part.price))
    return Table(
        "The two rules as stated",
        ("rule", "equilibrium", "coverage", "agreement", "error", "price"),
        tuple(rows),
        note=(
            "Coverage: share of the hands dealt. Agreement: how much of the equilibrium's probability with those hands"
            f" follows the rule: a check or a bet of {SMALL_BETS[1]}; all-in. Error: distance of the bets, 1 = check"
            " against all-in. Price: exploitability if only these hands follow the rule and all others the equilibrium,"
            " dollars a hand. Equilibria: as the solver finds them, and two choices among them."
        ),
    )


def _eighty_twenty_table(test: SolvedGames) -> Table:
    """The 80-20 Rule for each meaning of "beats" and each size of a small bet."""
    rows: list[tuple[str | float | int | Estimate, ...]] = []
    for feature, words in BEATS.items():
        rule = replace(EIGHTY_TWENTY_RULE, conditions=(Condition(feature, 0.2, 0.8),))
        share = RuleList((rule,)).decide(test.games).shares[0]
        for choice in test.chosen:
            follows = (agreement(test, share, 0.0, most, choice) or "-" for most in SMALL_BETS)
            part = part_price(test, share, rule_row(rule, test.stakes), choice)
            rows.append((f"{words}; {choice}", part.coverage, *follows, part.price))
    return Table(
        "80-20 Rule: readings of the share that a hand beats",
        ("beats; equilibrium", "coverage", "checks", *(f"bets ≤ {most:g}" for most in SMALL_BETS[1:]), "price"),
        tuple(rows),
    )


def _all_in_table(test: SolvedGames) -> Table:
    """The All-in Rule for each meaning of "beats" and of the opponent's strong hands."""
    rows: list[tuple[str | float | int | Estimate, ...]] = []
    stack = test.stakes.stack
    for beats, strong, rule in _all_in_readings():
        share = RuleList((rule,)).decide(test.games).shares[0]
        part = part_price(test, share, rule_row(rule, test.stakes), CHOICE)
        exact, large = (agreement(test, share, low, stack, CHOICE) for low in (stack, LARGE_SHARE * stack))
        both = RuleList((EIGHTY_TWENTY_RULE, rule))
        price = score(test, both.bets(test.games), CHOICE).exploitability
        rows.append((beats, strong, part.coverage, exact or "-", large or "-", part.price, price))
    return Table(
        "All-in Rule: readings of both conditions",
        (
            "beats 95%",
            "their strong hands",
            "coverage",
            "all-in",
            f"bets ≥ {LARGE_SHARE * stack:g}",
            "price",
            "both rules",
        ),
        tuple(rows),
        note=(
            f"Equilibria: {CHOICE}. Both rules: exploitability of the 80-20 Rule and this one, all other hands checked."
            f" The words ask for at least 10% strong hands; a cdf of card 6 above {TREE_SPLIT} is what the text says of"
            " the far right leaf, and the opposite."
        ),
    )


def _all_in_readings() -> Iterator[tuple[str, str, Rule]]:
    for feature, beats in BEATS.items():
        for strong, conditions in STRONG_HANDS.items():
            yield beats, strong, replace(ALL_IN_RULE, conditions=(Condition(feature, low=0.95), *conditions))


def _findings(found: RulesResult, fixed: RuleList, fixed_price: Estimate) -> Iterator[str]:
    two, best = found.scores(TWO).exploitability, found.compared[0][1].exploitability
    tree, check = found.scores(PAPER_TREE.name).exploitability, found.scores(ALWAYS_CHECK).exploitability
    assert found.ratio is not None, "in the paper's game the two rules cost something"
    verdict = "at most half" if found.ratio <= 0.5 else "more than half"
    yield (
        f"The {len(found.rules)} rules lose {found.ratio:.2f} of what the two lose, {verdict} of it. What makes the"
        f" difference is the bluff: {len(TWO_RULES)} rules without one let the opponent fold whenever we bet."
    )
    yield (
        f"A bluff has to be in proportion to the bets it hides behind. {len(fixed)} rules whose bluffs are a fixed"
        f" share of the hands, found by the same search, lose {fixed_price.mean:.4f} ± {fixed_price.ci95:.4f}; those"
        f" with balanced bluffs {best.mean:.4f} ± {best.ci95:.4f}."
    )
    yield (
        f"The tree that the rules are read from loses {tree.mean:.4f} ± {tree.ci95:.4f}, always checking"
        f" {check.mean:.4f} ± {check.ci95:.4f}: each of its bets tells which hands make it."
    )
    yield (
        f"Compared with always checking the two rules cost {two.mean - check.mean:+.4f}: the first only says check, and"
        " going all-in with nothing but the best hands earns no call."
    )
