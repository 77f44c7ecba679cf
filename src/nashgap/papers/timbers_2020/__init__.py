"""Timbers et al., Approximate exploitability: learning a best response in large games (2020).

Approximate Best Response. Reproduced: Tables 2 to 4, Figures 1 to 3, what the text says of batches, of the rule of the
search, and of the time it takes.
"""

from nashgap.papers.timbers_2020.choices import ablations
from nashgap.papers.timbers_2020.chump_table import table_3
from nashgap.papers.timbers_2020.games_figure import figure_3
from nashgap.papers.timbers_2020.head_to_head import table_2
from nashgap.papers.timbers_2020.learning_curves import figure_1, figure_2
from nashgap.papers.timbers_2020.times import cost
from nashgap.papers.timbers_2020.uniform_table import table_4

__all__ = ["ablations", "cost", "figure_1", "figure_2", "figure_3", "table_2", "table_3", "table_4"]
