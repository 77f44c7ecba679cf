"""Everything that has a name: games, solvers, measures, policies, reproductions, kinds of jobs.

Literal tables of lazy `module:attribute` targets: nothing is imported before it is asked for. `checked` names the test
that proves the entry. `docs/algorithms.md` is made from these tables (`make docs`).
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from nashgap.errors import ConfigError

__all__ = ["GAMES", "JOBS", "MEASURES", "POLICIES", "REPRODUCTIONS", "SOLVERS", "Entry", "Registry"]


@dataclass(frozen=True)
class Entry:
    """One name: where it lives, what it is, where it comes from, which test proves it."""

    target: str
    summary: str
    paper: str
    checked: str
    status: str = "works"


@dataclass(frozen=True)
class Registry:
    """The entries of one kind. A wrong name is answered with the right ones."""

    kind: str
    entries: dict[str, Entry]

    def entry(self, name: str) -> Entry:
        if name not in self.entries:
            close = get_close_matches(name, self.entries, n=1)
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            raise ConfigError(f"unknown {self.kind} {name!r}{hint}; known: {', '.join(sorted(self.entries))}")
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
            "one bet of any size, call or fold; any joint distribution of the hands",
            "Ganzfried & Yusuf 2017",
            "tests/papers/test_ganzfried_yusuf_2017.py::test_uniform_value_by_two_formulations",
        ),
        "openspiel": Entry(
            "nashgap.games.openspiel:OpenSpielGame",
            "openspiel:NAME(params), any finite OpenSpiel game whose tree fits",
            "Lanctot et al. 2019",
            "tests/games/test_openspiel.py",
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
            "nashgap.measure.best_response:exploitability",
            "exact best response of every player, NashConv",
            "Johanson et al. 2011 (public-tree form)",
            "tests/measure/test_best_response.py",
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
        "thesis-matching-pennies": Entry(
            "nashgap.papers.abou_risk_2009:matching_pennies",
            "an equilibrium strategy that loses to two others",
            "Abou Risk 2009, section 3.1.1",
            "tests/papers/test_abou_risk_2009.py",
        ),
        "human-equilibria": Entry(
            "nashgap.papers.ganzfried_yusuf_2017:equilibria",
            "the three printed equilibria of the bet-size game, measured",
            "Ganzfried & Yusuf 2017, section 1",
            "tests/papers/test_ganzfried_yusuf_2017.py",
        ),
    },
)

JOBS = Registry(
    "kind of job",
    {
        "solve": Entry(
            "nashgap.runs.solve_job:SolveJob",
            "solve a game, with checkpoints and a convergence curve",
            "",
            "tests/runs/test_solve.py",
        ),
        "thesis-starts": Entry(
            "nashgap.papers.abou_risk_2009.starts:StartsJob",
            "CFR and its best responses from several starts",
            "Abou Risk 2009, section 3.3.3",
            "tests/papers/test_abou_risk_2009.py",
        ),
    },
)
