"""Tables 4.1 to 4.4: how often hands of self-play are heads-up before the flop, and after which betting.

Two counts. The literal one takes all hands by their betting before the flop up to the first fold. The other takes those
of them only in which two players see the flop, that is with exactly one fold before it; "Total" is then how often the
hand goes on heads-up, which is what section 4.1 is about. That the printed tables count so is inferred: nothing in the
thesis says it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nashgap.agents.rule_based import OPENINGS, POSITIONS, preflop_plays
from nashgap.arena.match_result import MatchResult
from nashgap.cards.matrix import HandMatrix, strategy_matrix
from nashgap.core.strategy import Policy
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.abou_risk_2009.self_play import TABLE_3_3, play_copies, self_play_facts
from nashgap.papers.abou_risk_2009.trained import (
    IR16_END,
    IR16_HALF,
    MULTI2,
    MULTI2_PLAIN,
    curve_section,
    trained_agent,
)
from nashgap.papers.training import TrainedAgent
from nashgap.poker.prefix import parse_prefix
from nashgap.poker.rules import load_rules
from nashgap.poker.state import CALL, FOLD
from nashgap.reports.report import Report, Section, Table, Text
from nashgap.runs import package_version
from nashgap.solvers.seeding import ranges_behind
from nashgap.strategies.spec import parse_bot

__all__ = [
    "TABLE_4_1",
    "TABLE_4_2",
    "TABLE_4_3",
    "TABLE_4_4",
    "Counts",
    "PrintedFrequencies",
    "button_matrix",
    "figures_4_2_to_4_4",
    "tables_4_1_to_4_4",
]

HEADS_UP, ALL = "two play on", "all"


@dataclass(frozen=True)
class PrintedFrequencies:
    """Percent of hands by the betting before the flop up to its first fold."""

    name: str
    shares: Mapping[str, float]
    total: float


TABLE_4_1 = PrintedFrequencies(
    "4.1",
    {
        "f": 20.67, "cf": 16.43, "rf": 9.55, "crf": 3.35, "rcf": 1.52, "rrf": 0.54, "crcf": 0.00, "ccrf": 0.00,
        "crrf": 0.00,
    },
    52.05,
)  # fmt: skip
TABLE_4_2 = PrintedFrequencies(
    "4.2", {"f": 29.27, "rf": 25.60, "rcf": 9.96, "rrf": 1.51, "cf": 0.02, "crf": 0.01, "rcrcrf": 0.00}, 66.38
)
TABLE_4_3 = PrintedFrequencies(
    "4.3",
    {
        "f": 36.03, "rf": 26.40, "rrf": 6.64, "rcf": 0.66, "cf": 0.09, "crf": 0.04, "rrrf": 0.01, "ccrcf": 0.00,
        "crrf": 0.00, "ccrrf": 0.00, "rcrrf": 0.00, "rcrf": 0.00,
    },
    69.88,
)  # fmt: skip
TABLE_4_4 = PrintedFrequencies(
    "4.4",
    {
        "f": 36.14, "rf": 26.37, "rrf": 6.61, "rcf": 0.65, "cf": 0.04, "crf": 0.02, "rrrf": 0.01, "crrf": 0.00,
        "ccrrf": 0.00, "ccrcf": 0.00, "rcrrf": 0.00, "rcrf": 0.00,
    },
    69.85,
)  # fmt: skip

POKI = "poki"
TRAINED = (MULTI2, MULTI2_PLAIN, IR16_HALF, IR16_END)
PRINTED = {
    POKI: TABLE_4_1,
    MULTI2: TABLE_4_2,
    MULTI2_PLAIN: TABLE_4_2,
    IR16_HALF: TABLE_4_3,
    IR16_END: TABLE_4_4,
}
ACTIONS = ("raise", "call", "fold")  # as the matrices show them

# How far from the print a line may be and still be near, in points; two lines that trade hands are taken together.
NEAR_IR16 = {("f",): 2.0, ("rf",): 2.0, ("rrf",): 1.0, ("rcf",): 0.5}
NEAR_MULTI2 = {("f",): 2.5, ("rf",): 2.0, ("rcf", "rrf"): 2.5}
NEAR_TOTAL, NEAR_DEVIATION = 2.0, 0.2


@dataclass(frozen=True)
class Counts:
    """Percent of hands by the betting up to the first fold, most frequent first: all, and those that go on heads-up."""

    all: Mapping[str, float]
    heads_up: Mapping[str, float]

    @classmethod
    def of(cls, result: MatchResult) -> Counts:
        with_fold = {text: 100 * share for text, share in result.sequences.items() if text.endswith("f")}
        return cls(with_fold, {text: 100 * share for text, share in result.heads_up_sequences.items()})

    def distance(self, printed: PrintedFrequencies, count: str) -> float:
        """Points that are in another line than printed, or in none, added up."""
        ours = self.heads_up if count == HEADS_UP else self.all
        return sum(abs(ours.get(text, 0.0) - printed.shares.get(text, 0.0)) for text in {*ours, *printed.shares})

    def nearer(self, printed: PrintedFrequencies) -> str:
        """The count that fits the print better."""
        return min((HEADS_UP, ALL), key=lambda count: self.distance(printed, count))


def tables_4_1_to_4_4(request: Request) -> Report:
    """How often hands between three copies of an agent are heads-up before the flop, and after which betting."""
    trained = {name: trained_agent(name, request) for name in TRAINED}
    bots = {POKI: parse_bot("poki"), **{name: agent.bot() for name, agent in trained.items()}}
    results = {name: play_copies(bot, request) for name, bot in bots.items()}
    counts = {name: Counts.of(result) for name, result in results.items()}
    agreement = _agreement(counts, {name: float(result.stdev.mean()) for name, result in results.items()})
    num_near = sum(row[-1] == "yes" for row in agreement)
    return Report(
        title="Betting before the flop between three copies of an agent (thesis, Tables 4.1 to 4.4)",
        summary=(
            f"Of the agents trained by CFR {num_near} of {len(agreement)} figures are as near to the print as one may"
            f" ask. {_nearer_halves(counts)}"
        ),
        sections=(
            _frequency_section(TABLE_4_1, {POKI: counts[POKI]}),
            _frequency_section(TABLE_4_2, {name: counts[name] for name in (MULTI2, MULTI2_PLAIN)}),
            _frequency_section(TABLE_4_3, {IR16_HALF: counts[IR16_HALF]}),
            _frequency_section(TABLE_4_4, {IR16_END: counts[IR16_END]}),
            Table(
                "How near",
                ("agent", "figure", "printed", "ours", "difference", "allowed", "near"),
                agreement,
                "Percent of hands of which two players see the flop; deviations of a hand in small bets.",
            ),
            _count_text(counts),
            Text("Buckets of Multi2", (_nearer_halves(counts),)),
            _poki_text(results[POKI]),
            *_training_sections(trained),
        ),
        command=command_of("thesis-tables-4.1-4.4", request),
        facts=self_play_facts(request, poki_deals=results[POKI].deals),
    )


def figures_4_2_to_4_4(request: Request) -> Report:
    """What is done first on the button, as pictures: poki tight and loose, the book's advice, and our agents."""
    trained = {name: trained_agent(name, request) for name in (MULTI2, IR16_END)}
    root = load_rules("lhe3").root()
    matrices = {
        "Figure 4.2: poki-tight": button_matrix("Figure 4.2: our tight poki", is_tight=True),
        "Figure 4.3: poki": button_matrix("Figure 4.3: our loose poki", is_tight=False),
        "Figure 4.4: stoxtrader": _book_matrix("Figure 4.4: stoxtrader, by five buckets"),
        **{name: _policy_matrix(name, agent.load().policies([root])[0]) for name, agent in trained.items()},
    }
    rows: tuple[tuple[str | float, ...], ...] = tuple(
        (name, *(round(100 * matrix.overall().get(action, 0.0), 1) for action in ACTIONS))
        for name, matrix in matrices.items()
    )
    return Report(
        title="First to act on the button (thesis, Figures 4.2 to 4.4)",
        summary="; ".join(f"{name} raises {row[1]}%" for name, row in zip(matrices, rows, strict=True)) + ".",
        sections=(
            Table("Of all hands", ("who", *(f"{action} %" for action in ACTIONS)), rows),
            *matrices.values(),
            Text(
                "What is printed",
                (
                    "The colours of the printed matrices are lost. The thesis says that both pokis raise the same hands"
                    " and that the loose one calls with some that the tight one folds; and that the book raises 40% of"
                    " the hands on the button and folds the others, which is here the upper two of five buckets.",
                    *(agent.told(name) for name, agent in trained.items()),
                ),
            ),
        ),
        command=command_of("thesis-figures-4.2-4.4", request),
        facts={"game": "lhe3", "seed": request.seed, "version": package_version()},
    )


def button_matrix(title: str, *, is_tight: bool) -> HandMatrix:
    """What poki does with each hand when it is first to act on the button."""
    spot = POSITIONS.index("button") * len(OPENINGS) + OPENINGS.index("unopened")
    plays = preflop_plays(is_tight)[spot]
    return strategy_matrix(title, ACTIONS, np.equal.outer(plays, (2, 1, 0)))


def _book_matrix(title: str) -> HandMatrix:
    """The button of the seeding `stoxtrader`: what does not raise folds."""
    rules = load_rules("lhe3")
    raises = ranges_behind(rules, parse_prefix(rules, "rf"), "stoxtrader")[rules.root().seat]
    return strategy_matrix(title, ACTIONS, np.stack([raises, np.zeros_like(raises), 1 - raises], axis=1))


def _policy_matrix(name: str, policy: Policy) -> HandMatrix:
    [raise_to] = (move for move in policy.moves if isinstance(move, int) and move > CALL)
    chances = [np.broadcast_to(policy.chance_of(move), len(policy.hands)) for move in (raise_to, CALL, FOLD)]
    return strategy_matrix(f"{name}, trained here", ACTIONS, np.stack(chances, axis=1))


def _frequency_section(printed: PrintedFrequencies, counts: Mapping[str, Counts]) -> Table:
    """The printed lines, what is in none of them, and the total; two columns for each agent."""
    columns = [ours for each in counts.values() for ours in (each.heads_up, each.all)]
    lines: list[tuple[str, float | str, list[float]]] = [
        (text, share, [ours.get(text, 0.0) for ours in columns]) for text, share in printed.shares.items()
    ]
    others = [sum(share for text, share in ours.items() if text not in printed.shares) for ours in columns]
    lines += [("others", "not printed", others), ("Total", printed.total, [sum(ours.values()) for ours in columns])]
    names = [f"{name}, {count} %" for name in counts for count in (HEADS_UP, ALL)]
    rows = tuple((text, share, *(round(value, 2) for value in values)) for text, share, values in lines)
    note = "Percent of hands by the betting before the flop up to its first fold."
    return Table(f"Table {printed.name}", ("betting", "printed %", *names), rows, note)


def _agreement(counts: Mapping[str, Counts], deviations: Mapping[str, float]) -> tuple[tuple[str | float, ...], ...]:
    """One row a figure that should come near."""
    rows: list[tuple[str | float, ...]] = []

    def add(name: str, what: str, printed: float, ours: float, allowed: float) -> None:
        difference = ours - printed
        is_near = "yes" if abs(difference) <= allowed else "no"
        rows.append((name, what, round(printed, 2), round(ours, 2), round(difference, 2), allowed, is_near))

    for name in TRAINED:
        printed, ours = PRINTED[name], counts[name].heads_up
        near = NEAR_IR16 if name in (IR16_HALF, IR16_END) else NEAR_MULTI2
        for lines, allowed in near.items():
            expected, found = (sum(shares.get(text, 0.0) for text in lines) for shares in (printed.shares, ours))
            add(name, " + ".join(lines), expected, found, allowed)
        if near is NEAR_IR16:
            add(name, "Total", printed.total, sum(ours.values()), NEAR_TOTAL)
        add(name, "deviation", TABLE_3_3[MULTI2 if name == MULTI2_PLAIN else name], deviations[name], NEAR_DEVIATION)
    return tuple(rows)


def _count_text(counts: Mapping[str, Counts]) -> Text:
    """What the two counts are, and which of them fits."""

    def sentence(name: str, printed: PrintedFrequencies, counts: Counts) -> str:
        return (
            f"{name}: the print fits {counts.nearer(printed)!r} better: {counts.distance(printed, HEADS_UP):.1f} points"
            f" are elsewhere than in Table {printed.name} when only hands in which two play on are counted,"
            f" {counts.distance(printed, ALL):.1f} when all are."
        )

    return Text(
        "What is counted",
        (
            'The captions say "bet sequences observed with a preflop fold action", the text that about 50% to 70% of'
            " the hands result in heads-up play, as if the totals counted these. Counted are here all hands by the"
            " betting up to the first fold, and those of them in which exactly one player folds before the flop. That"
            " the printed tables show the latter is inferred; the thesis does not define it.",
            *(sentence(name, PRINTED[name], each) for name, each in counts.items()),
            "Our poki's hand groups were chosen by the count of all hands, so it cannot tell what was counted.",
        ),
    )


def _poki_text(result: MatchResult) -> Text:
    behaviour = result.behaviour[0]
    return Text(
        "How poki plays",
        (
            f"It puts chips in voluntarily in {100 * (behaviour.vpip or 0):.1f}% of its hands and raises before the"
            f" flop in {100 * (behaviour.pfr or 0):.1f}%; a hand deviates by {float(result.stdev.mean()):.2f} sb"
            f" (printed: {TABLE_3_3['poki']}).",
            "Its hand groups were never published, and the colours of Figures 4.2 and 4.3 are lost; the groups here are"
            " chosen so that the frequencies of Table 4.1 come near. They are drawn by thesis-figures-4.2-4.4.",
        ),
    )


def _nearer_halves(counts: Mapping[str, Counts]) -> str:
    """Which reading of two buckets with history bucketing fits Table 4.2."""
    distances = {name: counts[name].distance(TABLE_4_2, HEADS_UP) for name in (MULTI2, MULTI2_PLAIN)}
    words = {MULTI2: "halves within the bucket history", MULTI2_PLAIN: "halves of all hands"}
    best = min(distances, key=lambda name: distances[name])
    told = " and ".join(f"{distances[name]:.1f} for {words[name]}" for name in distances)
    return (
        f"The thesis does not say whether Multi2's halves are nested; {words[best]} fit Table 4.2 better"
        f" ({told}, in points that are elsewhere)."
    )


def _training_sections(agents: Mapping[str, TrainedAgent]) -> tuple[Section, ...]:
    """What the training was, and its curves."""
    rows = tuple(
        (
            name,
            agent.recipe,
            agent.facts["iterations"],
            round(agent.facts["seconds"] / 60, 2),
            round(100 * agent.facts["unvisited_share"], 3),
        )
        for name, agent in agents.items()
    )
    drawn = [name for name in agents if name != IR16_HALF]  # its curve is the first half of the other
    return (
        Table(
            "Training",
            ("agent", "recipe", "iterations", "minutes", "unvisited %"),
            rows,
            "Unvisited: decisions of self-play in information sets that training never reached; played uniformly.",
        ),
        *(
            curve_section(
                f"{agents[name].recipe} while it was trained",
                agents[name],
                {text: share for text, share in PRINTED[name].shares.items() if share >= 1},
            )
            for name in drawn
        ),
    )
