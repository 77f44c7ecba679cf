"""Everything that has a name: games, solvers, measures, policies, reproductions, kinds of jobs.

Literal tables of lazy `module:attribute` targets: nothing is imported before it is asked for. `checked` names the test
that proves the entry. `docs/algorithms.md` is made from these tables (`make docs`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from nashgap.errors import ConfigError

__all__ = [
    "ABSTRACTIONS",
    "AGENTS",
    "GAMES",
    "JOBS",
    "MEASURES",
    "POKER_GAMES",
    "POKER_STRATEGIES",
    "POKER_STRATEGY_FORMS",
    "POLICIES",
    "RECIPES",
    "REPRODUCTIONS",
    "SOLVERS",
    "Entry",
    "Registry",
    "unknown_name",
]


@dataclass(frozen=True)
class Entry:
    """One name: where it lives, what it is, where it comes from, which test proves it."""

    target: str
    summary: str
    paper: str
    checked: str
    status: str = "works"


def unknown_name(kind: str, name: str, known: Iterable[str]) -> ConfigError:
    """The error for a name that is none of these."""
    names = sorted(known)
    close = get_close_matches(name, names, n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    return ConfigError(f"unknown {kind} {name!r}{hint}; known: {', '.join(names)}")


@dataclass(frozen=True)
class Registry:
    """The entries of one kind. A wrong name is answered with the right ones."""

    kind: str
    entries: dict[str, Entry]

    def entry(self, name: str) -> Entry:
        if name not in self.entries:
            raise unknown_name(self.kind, name, self.entries)
        return self.entries[name]

    def load(self, name: str) -> Any:
        module, _, attribute = self.entry(name).target.partition(":")
        return getattr(import_module(module), attribute)


GAMES = Registry(
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

POKER_GAMES = Registry(
    "poker game",
    {
        name: Entry("nashgap.poker.rules:load_rules", summary, source, "tests/poker/test_rules.py")
        for name, summary, source in (
            ("lhe2", "heads-up limit hold'em, blinds 5/10, bets 10 and 20", "ACPC"),
            ("lhe3", "3-player limit hold'em, blinds 5/10, bets 10 and 20", "ACPC; Abou Risk 2009"),
            ("lhe6", "6-player limit hold'em, blinds 5/10, bets 10 and 20", "ACPC 2008; Abou Risk 2009, section 5.1"),
            ("hunl", "heads-up no-limit hold'em, blinds 50/100, stacks 20,000", "ACPC; Lisý & Bowling 2016"),
            ("hunl100", "heads-up no-limit hold'em, blinds 50/100, stacks 10,000", ""),
            ("nlhe3", "3-player no-limit hold'em, blinds 50/100, stacks 20,000", "ACPC"),
            ("kuhn2", "Kuhn poker for 2, dealt with real cards", "Kuhn 1950"),
            ("kuhn3", "Kuhn poker for 3, dealt with real cards", "ACPC; Abou Risk 2009, section 3.3.1"),
            ("leduc2", "Leduc poker for 2, dealt with real cards", "Southey et al. 2005"),
        )
    },
)

AGENTS = Registry(
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

SOLVERS = Registry(
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
            "nashgap.solvers.mccfr:CHANCE_SAMPLING",
            "MCCFR: one outcome of chance, all actions",
            "Zinkevich et al. 2007",
            "tests/solvers/test_mccfr.py",
        ),
        "external-sampling": Entry(
            "nashgap.solvers.mccfr:EXTERNAL_SAMPLING",
            "MCCFR: one outcome of chance and of the others, all own actions",
            "Lanctot et al. 2009",
            "tests/solvers/test_mccfr.py",
        ),
        "outcome-sampling": Entry(
            "nashgap.solvers.mccfr:OUTCOME_SAMPLING",
            "MCCFR: one path at a time",
            "Lanctot et al. 2009",
            "tests/solvers/test_mccfr.py",
        ),
        "lp": Entry(
            "nashgap.solvers.sequence_lp:solve_sequence_lp",
            "exact equilibrium of a two-player zero-sum game by linear programming",
            "Koller, Megiddo & von Stengel 1996",
            "tests/solvers/test_sequence_lp.py",
        ),
    },
)

MEASURES = Registry(
    "measure",
    {
        "br": Entry(
            "nashgap.measures.best_response:exploitability",
            "exact best response of every player, NashConv",
            "Johanson et al. 2011 (public-tree form)",
            "tests/measures/test_best_response.py",
        ),
        "lbr": Entry(
            "nashgap.measures.local_best_response:play_lbr",
            "what a greedy, legal opponent that knows the strategy wins: a lower bound, for poker of any size",
            "Lisý & Bowling 2016",
            "tests/measures/test_local_best_response.py",
        ),
        "abstract-br": Entry(
            "nashgap.measures.abstract_response:abstract_gap",
            "response found by CFR within the abstract game, a lower bound",
            "Johanson 2007; Abou Risk 2009, section 2.4; Johanson et al. 2012 (public chance sampling)",
            "tests/measures/test_abstract_response.py",
        ),
        "bucket-br": Entry(
            "nashgap.measures.bucket_response:bucket_gap",
            "best response of a heads-up abstract game whose buckets are remembered, exact but for sampled deals",
            "Johanson et al. 2011 (public-tree form)",
            "tests/measures/test_bucket_response.py",
        ),
    },
)

POLICIES = Registry(
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

POKER_STRATEGIES = Registry(
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

POKER_STRATEGY_FORMS = Registry(
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

REPRODUCTIONS = Registry(
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
        "thesis-table-4.1": Entry(
            "nashgap.papers.abou_risk_2009:table_4_1",
            "how often three pokis are heads-up before the flop",
            "Abou Risk 2009, Table 4.1",
            "tests/papers/test_abou_risk_2009_self_play.py",
        ),
        "thesis-tables-4.2-4.4": Entry(
            "nashgap.papers.abou_risk_2009:tables_4_2_to_4_4",
            "how often agents trained by CFR are heads-up before the flop; trains three for 20 minutes each",
            "Abou Risk 2009, Tables 4.2 to 4.4",
            "tests/papers/test_abou_risk_2009_trained.py",
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

RECIPES = Registry(
    "recipe",
    {
        name: Entry("nashgap.solvers.recipe:load_recipe", title, paper, "tests/solvers/test_recipe.py")
        for name, title, paper in (
            (
                "multi2",
                "3-player limit hold'em, 2 buckets a round remembered, 3-bet cap on the river",
                "Abou Risk 2009, section 3.4",
            ),
            ("multi2-nested", "multi2 with medians within the bucket history", "Abou Risk 2009, section 3.4"),
            (
                "ir16",
                "3-player limit hold'em, 16 buckets of the current round, all betting",
                "Abou Risk 2009, section 3.4",
            ),
            (
                "ir16-3p",
                "ir16 with strength against two hands while three players are in",
                "Abou Risk 2009, section 6.1.3",
            ),
            ("ir16-ehs-n", "ir16 with E[HS]^N in place of E[HS²]", "Abou Risk 2009, section 6.1.3"),
            ("ir64", "3-player limit hold'em, 64 buckets of the current round, all betting", ""),
            (
                "hulh-5",
                "heads-up limit hold'em, 5 buckets a round remembered",
                "Zinkevich et al. 2007; Abou Risk 2009, section 2.2.3",
            ),
            (
                "hulh-5-capped",
                "hulh-5 with betting round reduction: 2 raises preflop, 3 after it",
                "Abou Risk 2009, section 2.2.2",
            ),
            (
                "hunl-fcpa",
                "heads-up no-limit hold'em, 200 big blinds: fold, call, pot, all-in; 200 buckets a round",
                "Lisý & Bowling 2016",
            ),
            (
                "hunl-rich",
                "heads-up no-limit hold'em, 200 big blinds, up to five sizes of a raise; 300 buckets a round",
                "Lisý & Bowling 2016",
            ),
            (
                "hunl100-fine",
                "heads-up no-limit hold'em, 100 big blinds: fold, call, pot, all-in; lossless to the flop; 4 GiB",
                "Lisý & Bowling 2016",
            ),
            (
                "hunl100-fine-20g",
                "heads-up no-limit hold'em, 100 big blinds: fold, call, pot, all-in; lossless to the flop; 20 GiB",
                "Lisý & Bowling 2016",
            ),
            ("leduc-small", "Leduc poker, lossless: near equilibrium within seconds", "Southey et al. 2005"),
            ("kuhn3-small", "3-player Kuhn poker, lossless: trained within seconds", "Abou Risk 2009, section 3.3.1"),
            ("ir16-small", "ir16 with one bet a round after the flop: trained in a minute", ""),
            (
                "hunl-fcpa-small",
                "heads-up no-limit hold'em, fold, call, pot, all-in; 10 buckets a round: trained in a minute",
                "",
            ),
        )
    },
)

ABSTRACTIONS = Registry(
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
        "push-fold": Entry(
            "nashgap.poker.betting_abstraction:parse_betting_abstraction",
            "betting: fold or all-in",
            "",
            "tests/poker/test_betting_abstraction.py",
        ),
    },
)

JOBS = Registry(
    "kind of job",
    {
        "solve": Entry(
            "nashgap.jobs.solve_job:SolveJob",
            "solve a game, with checkpoints and a convergence curve",
            "",
            "tests/jobs/test_solve.py",
        ),
        "recipe": Entry(
            "nashgap.jobs.recipe_job:RecipeJob",
            "train a strategy by a recipe, with checkpoints and curves",
            "Lanctot et al. 2009",
            "tests/jobs/test_recipe_job.py",
        ),
        "match": Entry(
            "nashgap.arena.match:MatchJob",
            "a duplicate match, batch by batch",
            "Abou Risk 2009, section 3.5.1",
            "tests/arena/test_match.py",
        ),
        "lbr": Entry(
            "nashgap.measures.lbr_job:LbrJob",
            "Local Best Response against strategies, batch by batch",
            "Lisý & Bowling 2016",
            "tests/jobs/test_lbr_run.py",
        ),
        "tournament": Entry(
            "nashgap.arena.tournament:TournamentJob",
            "a duplicate match of every set of agents, with the same cards",
            "Abou Risk 2009, sections 3.5.1 and 3.5.2",
            "tests/arena/test_tournament.py",
        ),
        "dataset": Entry(
            "nashgap.explanations.dataset_job:DatasetJob",
            "random games of one bet, solved exactly, batch by batch",
            "Ganzfried & Yusuf 2017, Algorithms 3 and 4",
            "tests/explanations/test_dataset.py",
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
