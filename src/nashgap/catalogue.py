"""Everything that has a name: games, solvers, measures, policies, reproductions, kinds of jobs.

Literal tables of lazy `module:attribute` targets: nothing is imported before it is asked for. Recipes and definitions
of poker games are files, found when they are first asked for, and tell their own titles. What `load` gives is said
above each table and is the same for all of its names. `checked` names the test that proves the entry.
`docs/algorithms.md` is made from these tables (`make docs`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from nashgap.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    from nashgap.abstraction.buckets import CardAbstractionSpec
    from nashgap.agents.agent import Agent
    from nashgap.core.tree import GameTree
    from nashgap.jobs.reproduction import Request
    from nashgap.measures.aivat import LuckTerms
    from nashgap.poker.betting_abstraction import BettingAbstraction
    from nashgap.poker.rules import PokerRules
    from nashgap.reports.report import Report
    from nashgap.solvers.named import UpperVariant
    from nashgap.solvers.recipe import Recipe
    from nashgap.solvers.samplings import Sampling
    from nashgap.solvers.schedules import Schedule
    from nashgap.solvers.seeding import TableSeeding
    from nashgap.strategies.poker_strategy import PokerStrategy
    from nashgap.strategies.table import TableStrategy

__all__ = [
    "ABSTRACTIONS",
    "AGENTS",
    "COMPARISONS",
    "GAMES",
    "JOBS",
    "KINDS",
    "MEASURES",
    "POKER_GAMES",
    "POKER_STRATEGIES",
    "POKER_STRATEGY_FORMS",
    "POLICIES",
    "RECIPES",
    "RECIPE_SOLVERS",
    "REPRODUCTIONS",
    "RESIDENTS",
    "SEEDINGS",
    "SOLVERS",
    "VARIANCES",
    "Entry",
    "FileRegistry",
    "Registry",
    "describe",
    "num_names",
    "unknown_name",
]

T = TypeVar("T")


@dataclass(frozen=True)
class Entry:
    """One name: where it lives, what it is, where it comes from, which test proves it."""

    target: str
    summary: str
    paper: str
    checked: str


def unknown_name(kind: str, name: str, known: Iterable[str]) -> ConfigError:
    """The error for a name that is none of these; it suggests the one that is nearly written so."""
    names = sorted(known)
    by_spelling = {_spelling(each): each for each in names}
    close = get_close_matches(_spelling(name), by_spelling, n=1)
    hint = f" (did you mean {by_spelling[close[0]]!r}?)" if close else ""
    return ConfigError(f"unknown {kind} {name!r}{hint}; known: {', '.join(names)}")


def _spelling(name: str) -> str:
    """The same for ways to write a name between which nobody should have to choose: `CFR_plus` and `cfr+`."""
    return re.sub(r"[-_ ]", "", name.lower()).replace("plus", "+")


class Registry(Generic[T]):
    """The entries of one kind. A wrong name is answered with the right ones."""

    def __init__(self, kind: str, entries: Mapping[str, Entry]) -> None:
        self.kind, self.entries = kind, entries

    def entry(self, name: str) -> Entry:
        if name not in self.entries:
            raise unknown_name(self.kind, name, self.entries)
        return self.entries[name]

    def load(self, name: str) -> T:
        """What the entry stands for: its target."""
        return cast(T, _attribute(self.entry(name).target))


class FileRegistry(Registry[T]):
    """Files of the package, each an entry by its name; what it stands for is what `loader` makes of the name."""

    def __init__(self, kind: str, pattern: str, loader: str, checked: str) -> None:
        super().__init__(kind, _FileEntries(pattern, loader, checked))

    def load(self, name: str) -> T:
        return cast(T, _attribute(self.entry(name).target)(name))


@dataclass(frozen=True, eq=False)
class _FileEntries(Mapping[str, Entry]):
    """Entries of the files that match a pattern such as `recipes/*.toml`; nothing is read before one is asked for.

    A file has a line `title = "..."` and perhaps a line `paper = "..."`, after `# ` where these are no keys of its own.
    """

    pattern: str
    loader: str
    checked: str

    @cached_property
    def _found(self) -> dict[str, Entry]:
        from importlib import resources

        folder, _, suffix = self.pattern.partition("*")
        found = {}
        for file in (resources.files("nashgap") / folder).iterdir():
            if file.name.endswith(suffix):
                told = dict(_HEADING.findall(file.read_text(encoding="utf-8")))
                name = file.name.removesuffix(suffix)
                found[name] = Entry(self.loader, told["title"], told.get("paper", ""), self.checked)
        return dict(sorted(found.items()))

    def __getitem__(self, name: str) -> Entry:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


_HEADING = re.compile(r'^(?:# )?(title|paper) = "(.*)"$', re.MULTILINE)


def _attribute(target: str) -> Any:
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


# load: the class, a frozen dataclass that is a `Game`; its fields are the parameters.
GAMES: Registry[type[Any]] = Registry(
    "game",
    {
        "kuhn": Entry(
            "nashgap.games.kuhn:Kuhn",
            "one card each, one bet; 2 to 4 players",
            "Kuhn 1950; 3 players: Abou Risk 2009, section 3.3.1",
            "tests/theory/test_published_values.py::test_kuhn_is_worth_minus_one_eighteenth",
        ),
        "leduc": Entry(
            "nashgap.games.leduc:Leduc",
            "one card each, one on the board, two rounds; 2 to 4 players",
            "Southey et al. 2005; 3 players: Abou Risk 2009, section 3.3.2",
            "tests/theory/test_published_values.py::test_leduc_value",
        ),
        "liars_dice": Entry(
            "nashgap.games.liars_dice:LiarsDice",
            "one die each, rising bids until someone calls liar",
            "OpenSpiel's liars_dice",
            "tests/theory/test_published_values.py::test_uniform_nash_conv",
        ),
        "matching_pennies": Entry(
            "nashgap.games.matching_pennies:MatchingPennies",
            "three pennies, the odd one pays the other two",
            "Abou Risk 2009, section 3.1.1",
            "tests/papers/test_abou_risk_2009.py::test_matching_pennies_equilibria",
        ),
        "rock_paper_scissors": Entry(
            "nashgap.games.rock_paper_scissors:RockPaperScissors",
            "the first move is hidden from the second player",
            "folklore",
            "tests/contracts/test_games.py::test_every_game_keeps_the_contract",
        ),
        "bet_size": Entry(
            "nashgap.games.bet_size:BetSize",
            "one bet of any size, call or fold, with raises=1 a raise too; any joint distribution of the hands",
            "Ganzfried & Yusuf 2017",
            "tests/papers/test_ganzfried_yusuf_2017.py::test_uniform_value_by_two_formulations",
        ),
        "river_limit": Entry(
            "nashgap.games.river_limit:RiverLimit",
            "limit poker on the river, bets and raises of one size up to a cap; any joint distribution of the hands",
            "Ganzfried & Sandholm 2010",
            "tests/games/test_river_limit.py",
        ),
        "poker": Entry(
            "nashgap.poker.game:PokerGame",
            "any small poker game with real cards: kuhn2, kuhn3, leduc2, or a game definition file",
            "ACPC",
            "tests/poker/test_game.py",
        ),
        "openspiel": Entry(
            "nashgap.games.openspiel:OpenSpielGame",
            "openspiel:NAME(params), any finite OpenSpiel game whose tree fits",
            "Lanctot et al. 2019",
            "tests/games/test_openspiel.py",
        ),
    },
)

# load: the rules.
POKER_GAMES: Registry[PokerRules] = FileRegistry(
    "poker game", "poker/gamedefs/*.game", "nashgap.poker.rules:load_rules", "tests/poker/test_rules.py"
)

# load: what makes the agent; its parameters are the numbers in parentheses: `triple(0.1,0.4,0.5)`.
AGENTS: Registry[Callable[..., Agent]] = Registry(
    "agent",
    {
        "poki": Entry(
            "nashgap.agents.rule_based:poki",
            "expert rules before the flop, effective hand strength after it; loose",
            "Abou Risk 2009, sections 2.5.2 and 4.3; Billings et al. 1998",
            "tests/agents/test_rule_based.py",
        ),
        "poki-tight": Entry(
            "nashgap.agents.rule_based:poki_tight",
            "poki that folds more hands before the flop",
            "Abou Risk 2009, section 4.3",
            "tests/agents/test_rule_based.py",
        ),
        "poki-sim": Entry(
            "nashgap.agents.rule_based:poki_sim",
            "poki that simulates against a model of its opponents",
            "Abou Risk 2009, section 2.5.2; Billings et al. 2002",
            "tests/agents/test_rule_based.py",
        ),
    },
)

# load: the value that makes the variant, a `Schedule` for `CFR`, a `Sampling` for `MCCFR` or an `Oracle` for `PSRO`; of
# `poker-mccfr`, `range-cfr` and `lp`, which have no variants, the solver itself.
SOLVERS: Registry[Schedule | Sampling | UpperVariant | Callable[..., Any]] = Registry(
    "solver",
    {
        "cfr": Entry(
            "nashgap.solvers.schedules:CFR",
            "counterfactual regret minimisation, full width",
            "Zinkevich et al. 2007",
            "tests/solvers/test_against_openspiel.py",
        ),
        "cfr+": Entry(
            "nashgap.solvers.schedules:CFR_PLUS",
            "CFR that forgets negative regret; linear averaging",
            "Tammelin 2014",
            "tests/solvers/test_against_openspiel.py",
        ),
        "lcfr": Entry(
            "nashgap.solvers.schedules:LCFR",
            "linear CFR: iteration t weighs t",
            "Brown & Sandholm 2019",
            "tests/solvers/test_cfr.py",
        ),
        "dcfr": Entry(
            "nashgap.solvers.schedules:DCFR",
            "discounted CFR (1.5, 0, 2)",
            "Brown & Sandholm 2019",
            "tests/solvers/test_cfr.py",
        ),
        "pcfr+": Entry(
            "nashgap.solvers.schedules:PCFR_PLUS",
            "predictive CFR+; quadratic averaging",
            "Farina, Kroer & Sandholm 2021",
            "tests/solvers/test_cfr.py",
        ),
        "pdcfr+": Entry(
            "nashgap.solvers.schedules:PDCFR_PLUS",
            "predictive discounted CFR+ (2.3, 5)",
            "Xu et al. 2024",
            "tests/solvers/test_cfr.py",
        ),
        "chance-sampling": Entry(
            "nashgap.solvers.samplings:CHANCE_SAMPLING",
            "MCCFR: one outcome of chance, all actions",
            "Zinkevich et al. 2007",
            "tests/solvers/test_mccfr.py",
        ),
        "external-sampling": Entry(
            "nashgap.solvers.samplings:EXTERNAL_SAMPLING",
            "MCCFR: one outcome of chance and of the others, all own actions",
            "Lanctot et al. 2009",
            "tests/solvers/test_mccfr.py",
        ),
        "outcome-sampling": Entry(
            "nashgap.solvers.samplings:OUTCOME_SAMPLING",
            "MCCFR: one path at a time",
            "Lanctot et al. 2009",
            "tests/solvers/test_mccfr.py",
        ),
        "psro": Entry(
            "nashgap.search.psro:ABR_ORACLE",
            "mixtures of a population that grows by responders that learn, two players and zero sum",
            "Lanctot et al. 2017; Timbers et al. 2020",
            "tests/search/test_psro.py",
        ),
        "public-chance-sampling": Entry(
            "nashgap.solvers.samplings:PUBLIC_CHANCE_SAMPLING",
            'for recipes (sampling = "public"): MCCFR, one board, all hands and actions',
            "Johanson et al. 2012",
            "tests/solvers/test_public_chance.py",
        ),
        "poker-mccfr": Entry(
            "nashgap.solvers.poker_mccfr:PokerMCCFR",
            "for recipes, what they train with: MCCFR of an abstract poker game",
            "Lanctot et al. 2009",
            "tests/solvers/test_poker_mccfr.py",
        ),
        "range-cfr": Entry(
            "nashgap.solvers.range_cfr:RangeCFR",
            "for spots (solve-spot): CFR of two ranges on a public tree, full width, vectors over hands",
            "Johanson et al. 2012",
            "tests/solvers/test_range_cfr.py",
        ),
        "lp": Entry(
            "nashgap.solvers.sequence_lp:solve_sequence_lp",
            "exact equilibrium of a two-player zero-sum game by linear programming",
            "Koller, Megiddo & von Stengel 1996",
            "tests/solvers/test_sequence_lp.py",
        ),
    },
)

# Those of them that recipes use, in abstract poker games, and spots; all others solve small games.
RECIPE_SOLVERS = ("public-chance-sampling", "poker-mccfr", "range-cfr")

# load: which luck is taken off.
VARIANCES: Registry[LuckTerms] = Registry(
    "variance",
    {
        "chance": Entry(
            "nashgap.measures.aivat:CHANCE_ALONE",
            "the luck of the cards is taken off what was won, by values that were learned on other deals",
            "White & Bowling 2009",
            "tests/measures/test_aivat.py",
        ),
        "aivat": Entry(
            "nashgap.measures.aivat:AIVAT",
            "also the luck of the hands and actions of agents that tell what they do with every hand; one is enough",
            "Burch et al. 2018",
            "tests/measures/test_aivat.py",
        ),
    },
)

# load: a function of two bots and a game, with the options of the method as keywords.
COMPARISONS: Registry[Callable[..., Any]] = Registry(
    "comparison",
    {
        "lbr": Entry(
            "nashgap.jobs.lbr_compare:compare_lbr",
            "what Local Best Response wins from each of two versions on the same deals, and the leaks gained and lost",
            "",
            "tests/jobs/test_compare.py",
        ),
        "match": Entry(
            "nashgap.jobs.match_compare:compare_match",
            "what one version wins from the other, or more than it against the same opponents, on the same cards",
            "",
            "tests/jobs/test_compare.py",
        ),
    },
)

# load: the function that measures; what it is given differs.
MEASURES: Registry[Callable[..., Any]] = Registry(
    "measure",
    {
        "br": Entry(
            "nashgap.jobs.full_response:measure_br",
            "exact best response of every player, NashConv: in small games, and in a betting tree over all hands",
            "Johanson et al. 2011 (public-tree form)",
            "tests/measures/test_best_response.py",
        ),
        "lbr": Entry(
            "nashgap.jobs.lbr:measure_lbr",
            "what a greedy, legal opponent that knows the strategy wins: a lower bound, for poker of any size",
            "Lisý & Bowling 2016",
            "tests/measures/test_local_best_response.py",
        ),
        "abr": Entry(
            "nashgap.jobs.abr_measure:measure_abr",
            "what responders win that search and learn against the strategy: a lower bound, for any two-player game",
            "Timbers et al. 2020",
            "tests/jobs/test_abr.py",
        ),
        "abstract-br": Entry(
            "nashgap.measures.abstract_response:measure_abstract_br",
            "response found by CFR within the abstract game, a lower bound",
            "Johanson 2007; Abou Risk 2009, section 2.4; Johanson et al. 2012 (public chance sampling)",
            "tests/measures/test_abstract_response.py",
        ),
        "bucket-br": Entry(
            "nashgap.measures.bucket_response:measure_bucket_br",
            "best response of a heads-up abstract game whose buckets are remembered, exact but for sampled deals",
            "Johanson et al. 2011 (public-tree form)",
            "tests/measures/test_bucket_response.py",
        ),
    },
)

# load: the function that makes the strategy of a compiled game.
POLICIES: Registry[Callable[[GameTree], TableStrategy]] = Registry(
    "strategy",
    {
        "uniform": Entry(
            "nashgap.strategies.named:uniform",
            "every action equally often",
            "",
            "tests/theory/test_published_values.py::test_uniform_nash_conv",
        ),
        "always-fold": Entry(
            "nashgap.strategies.named:always_fold",
            "folds; checks where checking is free",
            "Abou Risk 2009, section 2.5.2",
            "tests/strategies/test_named.py",
        ),
        "always-call": Entry(
            "nashgap.strategies.named:always_call",
            "calls or checks",
            "Abou Risk 2009, section 2.5.2",
            "tests/strategies/test_named.py",
        ),
        "always-raise": Entry(
            "nashgap.strategies.named:always_raise",
            "raises or bets; calls where it cannot",
            "Abou Risk 2009, section 2.5.2",
            "tests/strategies/test_named.py",
        ),
    },
)

# load: what makes the strategy; parameters as those of agents.
POKER_STRATEGIES: Registry[Callable[..., PokerStrategy]] = Registry(
    "strategy",
    {
        "always-fold": Entry(
            "nashgap.strategies.chumps:always_fold",
            "folds; checks where checking is free",
            "Abou Risk 2009, section 2.5.2",
            "tests/strategies/test_chumps.py",
        ),
        "always-call": Entry(
            "nashgap.strategies.chumps:always_call",
            "checks or calls",
            "Abou Risk 2009, section 2.5.2",
            "tests/strategies/test_chumps.py",
        ),
        "always-raise": Entry(
            "nashgap.strategies.chumps:always_raise",
            "bets or raises (by the pot in no-limit); calls where it may not",
            "Abou Risk 2009, section 2.5.2",
            "tests/strategies/test_chumps.py",
        ),
        "probe": Entry(
            "nashgap.strategies.chumps:probe",
            "calls or raises equally often",
            "Abou Risk 2009, section 2.5.2",
            "tests/strategies/test_chumps.py",
        ),
        "half-call-half-raise": Entry(
            "nashgap.strategies.chumps:half_call_half_raise",
            "calls or raises equally often, by a random size",
            "Lisý & Bowling 2016, Table 2",
            "tests/strategies/test_chumps.py",
        ),
        "random": Entry(
            "nashgap.strategies.chumps:random",
            "every legal action equally often, each size its own",
            "Lisý & Bowling 2016, Table 2",
            "tests/strategies/test_chumps.py",
        ),
        "triple": Entry(
            "nashgap.strategies.chumps:triple",
            "triple(f,c,r): folds, calls and raises with these probabilities",
            "Abou Risk 2009, section 2.5.2",
            "tests/strategies/test_chumps.py",
        ),
    },
)

# load: the path of the strategy file, which comes with the package.
RESIDENTS: Registry[Path] = Registry(
    "resident",
    {
        "resident-hunl": Entry(
            "nashgap.strategies.residents:HUNL",
            "hunl: trained by the recipe of its name; the file comes with the package",
            "",
            "tests/strategies/test_residents.py",
        ),
        "resident-lhe2": Entry(
            "nashgap.strategies.residents:LHE2",
            "lhe2: trained by the recipe of its name; the file comes with the package",
            "",
            "tests/strategies/test_residents.py",
        ),
        "resident-lhe3": Entry(
            "nashgap.strategies.residents:LHE3",
            "lhe3: trained by the recipe of its name; the file comes with the package",
            "",
            "tests/strategies/test_residents.py",
        ),
    },
)

# load: the function that makes the strategy of a bot and the rules.
POKER_STRATEGY_FORMS: Registry[Callable[[Any, PokerRules], Any]] = Registry(
    "form of a strategy",
    {
        "by-hand": Entry(
            "nashgap.agents.by_hand:load_by_hand",
            "by-hand:PLAYER, a deterministic player that only plays, asked hand by hand",
            "",
            "tests/agents/test_by_hand.py",
        ),
    },
)

# load: the function that makes the report.
REPRODUCTIONS: Registry[Callable[[Request], Report]] = Registry(
    "reproduction",
    {
        "thesis-figure-3.1": Entry(
            "nashgap.papers.abou_risk_2009:figure_3_1",
            "the betting tree of 3-player Kuhn with its pots",
            "Abou Risk 2009, Figure 3.1",
            "tests/papers/test_abou_risk_2009.py",
        ),
        "thesis-table-3.1": Entry(
            "nashgap.papers.abou_risk_2009:table_3_1",
            "CFR and best responses in 3-player Kuhn",
            "Abou Risk 2009, Table 3.1",
            "tests/papers/test_abou_risk_2009.py",
        ),
        "thesis-table-3.2": Entry(
            "nashgap.papers.abou_risk_2009:table_3_2",
            "CFR and best responses in 3-player Leduc",
            "Abou Risk 2009, Table 3.2",
            "tests/papers/test_abou_risk_2009.py",
        ),
        "thesis-table-3.3": Entry(
            "nashgap.papers.abou_risk_2009:table_3_3",
            "standard deviations of three copies of an agent in duplicate; trains two for 20 minutes each",
            "Abou Risk 2009, Table 3.3",
            "tests/papers/test_abou_risk_2009_self_play.py",
        ),
        "thesis-tables-4.1-4.4": Entry(
            "nashgap.papers.abou_risk_2009:tables_4_1_to_4_4",
            "how often agents are heads-up before the flop; trains three for 20 minutes each",
            "Abou Risk 2009, Tables 4.1 to 4.4",
            "tests/papers/test_abou_risk_2009_trained.py",
        ),
        "thesis-figures-4.2-4.4": Entry(
            "nashgap.papers.abou_risk_2009:figures_4_2_to_4_4",
            "what poki, a book and agents trained by CFR do first on the button; trains two for 20 minutes each",
            "Abou Risk 2009, Figures 4.2 to 4.4",
            "tests/papers/test_abou_risk_2009_trained.py",
        ),
        "thesis-figures-4.5-4.9": Entry(
            "nashgap.papers.abou_risk_2009:figures_4_5_to_4_9",
            "the tournament of masters and their bases; trains two for 20 minutes each and twelve experts for 4",
            "Abou Risk 2009, Figures 4.5 to 4.9",
            "tests/papers/test_abou_risk_2009_trained.py",
        ),
        "thesis-masters-lbr": Entry(
            "nashgap.papers.abou_risk_2009:chapter_4_lbr",
            "what LBR wins from masters and their bases, seat by seat; trains as thesis-figures-4.5-4.9 does",
            "Abou Risk 2009, chapter 4",
            "tests/papers/test_abou_risk_2009_trained.py",
        ),
        "thesis-future-work": Entry(
            "nashgap.papers.abou_risk_2009:section_6_1",
            "do better seeds, finer experts and other buckets help, as is expected? Trains for hours",
            "Abou Risk 2009, sections 4.6 and 6.1",
            "tests/papers/test_abou_risk_2009_future_work.py",
        ),
        "thesis-figures-3.2-3.6": Entry(
            "nashgap.papers.abou_risk_2009:figures_3_2_to_3_6",
            "the tournament of seven agents played anew; trains two for 20 minutes each",
            "Abou Risk 2009, Figures 3.2 to 3.6",
            "tests/papers/test_abou_risk_2009_trained.py",
        ),
        "thesis-section-2.2.2": Entry(
            "nashgap.papers.abou_risk_2009:section_2_2_2",
            "what fewer bets a round cost heads-up; trains three agents for 10 minutes each",
            "Abou Risk 2009, section 2.2.2",
            "tests/papers/test_abou_risk_2009_trained.py",
        ),
        "thesis-section-2.3": Entry(
            "nashgap.papers.abou_risk_2009:section_2_3",
            "PsOpti0, 1 and 2, strategies of rounds solved apart, against each other; trains for 40 minutes",
            "Abou Risk 2009, section 2.3",
            "tests/papers/test_abou_risk_2009_knitting.py",
        ),
        "thesis-matching-pennies": Entry(
            "nashgap.papers.abou_risk_2009:matching_pennies",
            "an equilibrium strategy that loses to two others",
            "Abou Risk 2009, section 3.1.1",
            "tests/papers/test_abou_risk_2009.py",
        ),
        "thesis-figures-3.2-3.6-rankings": Entry(
            "nashgap.papers.abou_risk_2009:figures_3_2_to_3_6_rankings",
            "bankroll and run-off of seven agents, chumps among them, from the printed cells",
            "Abou Risk 2009, Figures 3.2 to 3.6",
            "tests/papers/test_abou_risk_2009_rankings.py",
        ),
        "thesis-figures-4.5-4.9-rankings": Entry(
            "nashgap.papers.abou_risk_2009:figures_4_5_to_4_9_rankings",
            "bankroll and run-off of the heads-up experts, from the printed cells",
            "Abou Risk 2009, Figures 4.5 to 4.9",
            "tests/papers/test_abou_risk_2009_rankings.py",
        ),
        "thesis-figures-5.1-5.9-rankings": Entry(
            "nashgap.papers.abou_risk_2009:figures_5_1_to_5_9_rankings",
            "bankroll and run-off of the competitions of 2008 and 2009, from the printed cells",
            "Abou Risk 2009, Figures 5.1 to 5.9",
            "tests/papers/test_abou_risk_2009_rankings.py",
        ),
        "lbr-table-2": Entry(
            "nashgap.papers.lisy_bowling_2016:table_2",
            "LBR against chumps, for every reading of what they do, and exact values for always-call",
            "Lisý & Bowling 2016, Table 2",
            "tests/papers/test_lisy_bowling_2016.py",
        ),
        "lbr-table-3": Entry(
            "nashgap.papers.lisy_bowling_2016:table_3",
            "LBR against bots trained here, for hours, and the paper's findings one by one",
            "Lisý & Bowling 2016, Table 3",
            "tests/papers/test_lisy_bowling_2016.py",
        ),
        "abr-table-2": Entry(
            "nashgap.papers.timbers_2020:table_2",
            "CFR+ and A2C head to head in Leduc and Liar's dice, exactly and in 1024 games; trains A2C",
            "Timbers et al. 2020, Table 2",
            "tests/papers/test_timbers_2020_opponents.py",
        ),
        "abr-table-3": Entry(
            "nashgap.papers.timbers_2020:table_3",
            "chumps in limit hold'em by ABR, LBR and exact best response, for every reading of its unit",
            "Timbers et al. 2020, Table 3",
            "tests/papers/test_timbers_2020.py",
        ),
        "abr-table-4": Entry(
            "nashgap.papers.timbers_2020:table_4",
            "ABR with networks against uniform play in Liar's dice, Leduc and Kuhn, with LBR beside it",
            "Timbers et al. 2020, Table 4",
            "tests/papers/test_timbers_2020.py",
        ),
        "abr-figure-1": Entry(
            "nashgap.papers.timbers_2020:figure_1",
            "how ABR learns against uniform play in Leduc, by tables and by networks",
            "Timbers et al. 2020, Figure 1",
            "tests/papers/test_timbers_2020.py",
        ),
        "abr-figure-2": Entry(
            "nashgap.papers.timbers_2020:figure_2",
            "how ABR learns against uniform play in Liar's dice, by tables and by networks",
            "Timbers et al. 2020, Figure 2",
            "tests/papers/test_timbers_2020.py",
        ),
        "abr-figure-3": Entry(
            "nashgap.papers.timbers_2020:figure_3",
            "ABR against A2C in Leduc, Liar's dice, Kuhn, Hex, Go, Backgammon and Chess; trains for an hour",
            "Timbers et al. 2020, Figure 3",
            "tests/papers/test_timbers_2020_opponents.py",
        ),
        "abr-ablations": Entry(
            "nashgap.papers.timbers_2020:ablations",
            "batches of 1, 2 and more games, UCT and PUCT",
            "Timbers et al. 2020, section 3.2",
            "tests/papers/test_timbers_2020.py",
        ),
        "abr-cost": Entry(
            "nashgap.papers.timbers_2020:cost",
            "the time of an exact best response, and of ABR",
            "Timbers et al. 2020, section 4.2",
            "tests/papers/test_timbers_2020.py",
        ),
        "human-equilibria": Entry(
            "nashgap.papers.ganzfried_yusuf_2017:equilibria",
            "the three printed equilibria of the bet-size game, measured",
            "Ganzfried & Yusuf 2017, section 1",
            "tests/papers/test_ganzfried_yusuf_2017.py",
        ),
        "human-rules": Entry(
            "nashgap.papers.ganzfried_yusuf_2017.rules:rules",
            "the two fundamental rules in every reading, and eight rules that cost less",
            "Ganzfried & Yusuf 2017, section 4",
            "tests/papers/test_ganzfried_yusuf_2017_rules.py",
        ),
        "human-similar-games": Entry(
            "nashgap.papers.ganzfried_yusuf_2017.similar_games:similar_games",
            "new games played like similar ones: by distance, number and games",
            "Ganzfried & Yusuf 2017, section 3",
            "tests/papers/test_ganzfried_yusuf_2017_similar.py",
        ),
        "human-figures-1-3": Entry(
            "nashgap.papers.ganzfried_yusuf_2017:figures_1_to_3",
            "the three example games as bars, with the printed equilibria and ours",
            "Ganzfried & Yusuf 2017, Figures 1 to 3",
            "tests/papers/test_ganzfried_yusuf_2017_trees.py::test_example_games_have_the_printed_equilibria",
        ),
        "human-figures-4-6": Entry(
            "nashgap.papers.ganzfried_yusuf_2017:figures_4_to_6",
            "how many qualitative models the equilibria of random limit river endgames need",
            "Ganzfried & Yusuf 2017, Figures 4 to 6; Ganzfried & Sandholm 2010",
            "tests/papers/test_ganzfried_yusuf_2017_shapes.py",
        ),
        "human-figure-8": Entry(
            "nashgap.papers.ganzfried_yusuf_2017:figure_8",
            "the decision tree of depth 4 in every reading of its inputs; solves 64,000 games",
            "Ganzfried & Yusuf 2017, Figure 8",
            "tests/papers/test_ganzfried_yusuf_2017_trees.py",
        ),
        "human-figure-9": Entry(
            "nashgap.papers.ganzfried_yusuf_2017:figure_9",
            "error and price of decision trees by depth on ten representations; solves 80,000 games",
            "Ganzfried & Yusuf 2017, Figure 9",
            "tests/papers/test_ganzfried_yusuf_2017_trees.py",
        ),
        "human-figure-10": Entry(
            "nashgap.papers.ganzfried_yusuf_2017:figure_10",
            "error of decision trees by size; the trees of human-figure-9",
            "Ganzfried & Yusuf 2017, Figure 10",
            "tests/papers/test_ganzfried_yusuf_2017_trees.py",
        ),
    },
)

# load: the recipe, read and checked.
RECIPES: Registry[Recipe] = FileRegistry(
    "recipe", "recipes/*.toml", "nashgap.solvers.recipe:load_recipe", "tests/solvers/test_recipe.py"
)

SEEDINGS: Registry[TableSeeding] = FileRegistry(
    "seeding", "seedings/*.toml", "nashgap.solvers.seeding:load_seeding", "tests/solvers/test_seeding.py"
)

# load: the function that reads the text of a recipe.
ABSTRACTIONS: Registry[Callable[[str], CardAbstractionSpec | BettingAbstraction]] = Registry(
    "abstraction",
    {
        "percentile": Entry(
            "nashgap.abstraction.buckets:parse_card_abstraction",
            "cards: equal shares of the deals by strength, such as percentile(ehs2, 16/16/16/16, recall=none)",
            "Abou Risk 2009, section 2.2.3",
            "tests/abstraction/test_buckets.py",
        ),
        "uniform": Entry(
            "nashgap.abstraction.buckets:parse_card_abstraction",
            "cards: equal steps of strength, such as uniform(ehs, 10/10/10/10, recall=all)",
            "Abou Risk 2009, section 2.2.3",
            "tests/abstraction/test_buckets.py",
        ),
        "grid": Entry(
            "nashgap.abstraction.buckets:parse_card_abstraction",
            "cards: very many buckets by board, strength and variance, such as grid(169/60x50x25/60x50x25/200x170)",
            "",
            "tests/abstraction/test_buckets.py",
        ),
        "kmeans": Entry(
            "nashgap.abstraction.buckets:parse_card_abstraction",
            "cards: k-means by earth mover's distance of strength histograms, such as kmeans(lossless/200/200/200)",
            "Johanson et al. 2013",
            "tests/abstraction/test_buckets.py",
        ),
        "lossless": Entry(
            "nashgap.abstraction.buckets:parse_card_abstraction",
            "cards: all hands and boards told apart: of a small deck, or of one round: grid(lossless/lossless/...)",
            "",
            "tests/abstraction/test_buckets.py",
        ),
        "full": Entry(
            "nashgap.poker.betting_abstraction:parse_betting_abstraction",
            "betting: every legal raise; with caps on a round's raises: full caps=3/4/4/3",
            "Abou Risk 2009, section 2.2.2",
            "tests/poker/test_betting_abstraction.py",
        ),
        "fcpa": Entry(
            "nashgap.poker.betting_abstraction:parse_betting_abstraction",
            "betting: fold, call, pot, all-in; or fractions of the pot by round and raise: 0.5,1 > 1,a / fcpa / 1 / a",
            "Lisý & Bowling 2016",
            "tests/poker/test_betting_abstraction.py",
        ),
        "e": Entry(
            "nashgap.poker.betting_abstraction:parse_betting_abstraction",
            "betting: geometric sizes; with raises by the bet, donks and more: 0.6,e,a > 2.5x donk=-/-/0.5 merge=0.1",
            "",
            "tests/poker/test_relative_sizes.py",
        ),
        "push-fold": Entry(
            "nashgap.poker.betting_abstraction:parse_betting_abstraction",
            "betting: fold or all-in",
            "",
            "tests/poker/test_betting_abstraction.py",
        ),
    },
)

# load: the class, a `Job`.
JOBS: Registry[type[Any]] = Registry(
    "kind of job",
    {
        "solve": Entry(
            "nashgap.jobs.solve:SolveJob",
            "solve a game, with checkpoints and a convergence curve",
            "",
            "tests/jobs/test_solve.py",
        ),
        "spot": Entry(
            "nashgap.jobs.spot:SpotJob",
            "solve a spot of hold'em, two ranges on a board, with checkpoints and a convergence curve",
            "Johanson et al. 2012",
            "tests/jobs/test_spot.py",
        ),
        "spot-boards": Entry(
            "nashgap.jobs.spot_boards:SpotBoardsJob",
            "solve a spot on many boards, into one table",
            "",
            "tests/jobs/test_spot.py",
        ),
        "train": Entry(
            "nashgap.jobs.train:TrainJob",
            "train a strategy by a recipe, with checkpoints and curves",
            "Lanctot et al. 2009",
            "tests/jobs/test_train.py",
        ),
        "match": Entry(
            "nashgap.jobs.match:MatchJob",
            "a duplicate match, batch by batch",
            "Abou Risk 2009, section 3.5.1",
            "tests/jobs/test_match.py",
        ),
        "lbr": Entry(
            "nashgap.jobs.lbr:LbrJob",
            "Local Best Response against strategies, batch by batch",
            "Lisý & Bowling 2016",
            "tests/jobs/test_lbr.py",
        ),
        "lbr-compare": Entry(
            "nashgap.jobs.lbr_compare:LbrCompareJob",
            "Local Best Response against versions of a bot on the same deals",
            "Lisý & Bowling 2016",
            "tests/jobs/test_compare.py",
        ),
        "match-compare": Entry(
            "nashgap.jobs.match_compare:MatchCompareJob",
            "duplicate matches of two versions of a bot on the same cards",
            "",
            "tests/jobs/test_compare.py",
        ),
        "abr": Entry(
            "nashgap.jobs.abr:TreeAbrJob",
            "Approximate Best Response in a compiled game: responders learn, are frozen, and play fresh games",
            "Timbers et al. 2020",
            "tests/jobs/test_abr.py",
        ),
        "abr-poker": Entry(
            "nashgap.jobs.abr_poker:PokerAbrJob",
            "the same at the poker table, by responders whose information sets are those of an abstract game",
            "Timbers et al. 2020",
            "tests/jobs/test_abr_poker.py",
        ),
        "abr-simulated": Entry(
            "nashgap.jobs.abr_simulated:SimulatedAbrJob",
            "responders that learn in games of OpenSpiel's that are never enumerated",
            "Timbers et al. 2020",
            "tests/jobs/test_abr_simulated.py",
        ),
        "br": Entry(
            "nashgap.jobs.full_response:FullResponseJob",
            "best responses in a betting tree over all hands and boards, flop by flop",
            "Johanson et al. 2011",
            "tests/jobs/test_full_response.py",
        ),
        "tournament": Entry(
            "nashgap.jobs.tournament:TournamentJob",
            "a duplicate match of every set of agents, with the same cards",
            "Abou Risk 2009, sections 3.5.1 and 3.5.2",
            "tests/jobs/test_tournament.py",
        ),
        "rivers": Entry(
            "nashgap.jobs.rivers:RiversJob",
            "random rivers with one bet left, solved; rules for them with their price on unseen boards",
            "",
            "tests/jobs/test_rivers.py",
        ),
        "dataset": Entry(
            "nashgap.jobs.dataset:DatasetJob",
            "random games of one bet, solved exactly, batch by batch",
            "Ganzfried & Yusuf 2017, Algorithms 3 and 4",
            "tests/jobs/test_dataset.py",
        ),
        "abr-ablations": Entry(
            "nashgap.papers.timbers_2020.choices:AblationJob",
            "variants of ABR that learn against uniform play, each with several seeds",
            "Timbers et al. 2020, section 3.2",
            "tests/papers/test_timbers_2020.py",
        ),
        "self-play": Entry(
            "nashgap.papers.timbers_2020.self_play:SelfPlayJob",
            "OpenSpiel's A2C, trained against itself",
            "Timbers et al. 2020, section 4.1; Lanctot et al. 2019",
            "tests/papers/test_timbers_2020_opponents.py",
        ),
        "lbr-chumps": Entry(
            "nashgap.papers.lisy_bowling_2016.readings:ChumpsJob",
            "Local Best Response against all readings of the chumps of a paper",
            "Lisý & Bowling 2016, Table 2",
            "tests/papers/test_lisy_bowling_2016.py",
        ),
        "human-shapes": Entry(
            "nashgap.papers.ganzfried_yusuf_2017.shapes_job:ShapesJob",
            "random limit river endgames and the shapes of their equilibria",
            "Ganzfried & Yusuf 2017, Figures 4 to 6",
            "tests/papers/test_ganzfried_yusuf_2017_shapes.py",
        ),
        "human-trees": Entry(
            "nashgap.papers.ganzfried_yusuf_2017.trees_job:TreesJob",
            "decision trees on every representation of the solved games, scored at every depth",
            "Ganzfried & Yusuf 2017, Figures 9 and 10",
            "tests/papers/test_ganzfried_yusuf_2017_trees.py",
        ),
        "thesis-changes": Entry(
            "nashgap.papers.abou_risk_2009.changes:ChangesJob",
            "what agents win more than others in their place, deal by deal",
            "Abou Risk 2009, section 6.1",
            "tests/papers/test_abou_risk_2009_future_work.py",
        ),
        "thesis-gaps": Entry(
            "nashgap.papers.abou_risk_2009.round_reduction:GapsJob",
            "best responses to trained strategies within abstract games",
            "Abou Risk 2009, section 2.2.2",
            "tests/papers/test_abou_risk_2009_trained.py",
        ),
        "thesis-starts": Entry(
            "nashgap.papers.abou_risk_2009.starts:StartsJob",
            "CFR and its best responses from several starts",
            "Abou Risk 2009, section 3.3.3",
            "tests/papers/test_abou_risk_2009.py",
        ),
    },
)

# What can be listed, by the word for it. Where several tables have a name, it is that of the first.
KINDS: dict[str, tuple[Registry[Any], ...]] = {
    "games": (GAMES, POKER_GAMES),
    "agents": (RESIDENTS, POKER_STRATEGIES, AGENTS),
    "solvers": (SOLVERS,),
    "measures": (MEASURES,),
    "strategies": (POLICIES, POKER_STRATEGIES, RESIDENTS),
    "recipes": (RECIPES,),
    "seedings": (SEEDINGS,),
    "abstractions": (ABSTRACTIONS,),
    "reproductions": (REPRODUCTIONS,),
}


def num_names(kind: str) -> int:
    return len({name for registry in KINDS[kind] for name in registry.entries})


def describe(kind: str) -> list[dict[str, Any]]:
    """The entries of a kind, each name once: name, summary and paper; of games also their form and parameters."""
    described: dict[str, dict[str, Any]] = {}
    for registry in KINDS[kind]:
        for name, entry in registry.entries.items():
            record = {"name": name, "summary": entry.summary, "paper": entry.paper}
            described.setdefault(name, record | (_about_game(registry, name) if kind == "games" else {}))
    return list(described.values())


def _about_game(registry: Registry[Any], name: str) -> dict[str, Any]:
    """form: `tree`, a game that is compiled, or `poker`. parameters: with their defaults; None where there is none."""
    if registry is POKER_GAMES:
        return {"form": "poker", "parameters": {}}
    is_foreign = name == "openspiel"  # whose games have parameters of their own
    defaults = {} if is_foreign else {field.name: field.default for field in fields(registry.load(name))}
    return {"form": "tree", "parameters": {key: None if value is MISSING else value for key, value in defaults.items()}}
