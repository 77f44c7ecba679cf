"""Ganzfried & Yusuf, Computing human-understandable strategies (2017).

Strategies of a game with one bet, learned from many solved games. Reproduced: the printed equilibria of section 1,
Figures 1 to 6 and 8 to 10.
"""

from nashgap.papers.ganzfried_yusuf_2017.bet_tree import figure_8
from nashgap.papers.ganzfried_yusuf_2017.figures_1_3 import figures_1_to_3
from nashgap.papers.ganzfried_yusuf_2017.figures_9_10 import figure_9, figure_10
from nashgap.papers.ganzfried_yusuf_2017.printed_equilibria import equilibria
from nashgap.papers.ganzfried_yusuf_2017.shapes import figures_4_to_6

__all__ = ["equilibria", "figure_8", "figure_9", "figure_10", "figures_1_to_3", "figures_4_to_6"]
