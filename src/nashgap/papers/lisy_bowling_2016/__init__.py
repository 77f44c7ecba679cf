"""Lisý & Bowling, Equilibrium approximation quality of current no-limit poker bots (2016).

Local Best Response. Reproduced: Table 2, LBR against chumps, and Table 3 with bots that are trained here.
"""

from nashgap.papers.lisy_bowling_2016.bot_table import table_3
from nashgap.papers.lisy_bowling_2016.chump_table import table_2

__all__ = ["table_2", "table_3"]
