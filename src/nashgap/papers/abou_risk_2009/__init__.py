"""Abou Risk, Using counterfactual regret minimization to create a competitive multiplayer poker agent (2009).

Master's thesis, University of Alberta; "the thesis" in this package. Reproduced: betting round reduction (section
2.2.2), knitted strategies (section 2.3), the game of section 3.1.1, Figure 3.1, Tables 3.1 to 3.3 and 4.1 to 4.4,
Figures 4.2 to 4.4, the tournaments of Figures 3.2 to 3.6 and 4.5 to 4.9, what sections 4.6 and 6.1 expect of future
work, and the rankings of Figures 3.2 to 3.6, 4.5 to 4.9 and 5.1 to 5.9.
"""

from nashgap.papers.abou_risk_2009.betting_tree import figure_3_1
from nashgap.papers.abou_risk_2009.frequencies import figures_4_2_to_4_4, tables_4_1_to_4_4
from nashgap.papers.abou_risk_2009.future_work import section_6_1
from nashgap.papers.abou_risk_2009.knitting import section_2_3
from nashgap.papers.abou_risk_2009.master_tournament import figures_4_5_to_4_9
from nashgap.papers.abou_risk_2009.masters_lbr import chapter_4_lbr
from nashgap.papers.abou_risk_2009.pennies import matching_pennies
from nashgap.papers.abou_risk_2009.rankings import (
    figures_3_2_to_3_6_rankings,
    figures_4_5_to_4_9_rankings,
    figures_5_1_to_5_9_rankings,
)
from nashgap.papers.abou_risk_2009.round_reduction import section_2_2_2
from nashgap.papers.abou_risk_2009.self_play import table_3_3
from nashgap.papers.abou_risk_2009.tables import table_3_1, table_3_2
from nashgap.papers.abou_risk_2009.tournament import figures_3_2_to_3_6

__all__ = [
    "chapter_4_lbr",
    "figure_3_1",
    "figures_3_2_to_3_6",
    "figures_3_2_to_3_6_rankings",
    "figures_4_2_to_4_4",
    "figures_4_5_to_4_9",
    "figures_4_5_to_4_9_rankings",
    "figures_5_1_to_5_9_rankings",
    "matching_pennies",
    "section_2_2_2",
    "section_2_3",
    "section_6_1",
    "table_3_1",
    "table_3_2",
    "table_3_3",
    "tables_4_1_to_4_4",
]
