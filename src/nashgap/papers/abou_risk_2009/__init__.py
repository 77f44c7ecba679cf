"""Abou Risk, Using counterfactual regret minimization to create a competitive multiplayer poker agent (2009).

Master's thesis, University of Alberta; "the thesis" in this package. Reproduced: the game of section 3.1.1, Figure 3.1
and Tables 3.1 and 3.2.
"""

from nashgap.papers.abou_risk_2009.betting_tree import figure_3_1
from nashgap.papers.abou_risk_2009.pennies import matching_pennies
from nashgap.papers.abou_risk_2009.tables import table_3_1, table_3_2

__all__ = ["figure_3_1", "matching_pennies", "table_3_1", "table_3_2"]
