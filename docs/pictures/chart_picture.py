"""Draws how `nashgap solve GAME` converges, as its report does, as an SVG that needs nothing from outside.

python docs/pictures/chart_picture.py convergence.svg leduc
"""

import re
import sys
from pathlib import Path

import nashgap as ng
from nashgap.reports.report import Plot
from nashgap.reports.static_charts import draw_plot

PAPER, INK = "#15181c", "#e3e7ec"  # of the pictures of terminals
WIDTH, MARGIN = 994, 16  # pixels: as wide as those


def draw(game: str) -> str:
    """The curve, with ground and ink of its own: a picture takes none from the page around it."""
    (plot,) = (section for section in ng.solve(game).report().sections if isinstance(section, Plot))
    head, _, body = draw_plot(plot).partition("\n")
    width, height = (int(size) + 2 * MARGIN for size in re.findall(r'viewBox="0 0 (\d+) (\d+)"', head)[0])
    size = f'width="{WIDTH}" height="{WIDTH * height / width:.0f}" viewBox="{-MARGIN} {-MARGIN} {width} {height}"'
    head = re.sub(r'width="\d+" height="\d+" viewBox="[^"]+"', f'{size} color="{INK}"', head)
    ground = f'<rect x="{-MARGIN}" y="{-MARGIN}" width="{width}" height="{height}" rx="6" fill="{PAPER}"/>'
    return f"{head}\n{ground}\n{body}\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(draw(sys.argv[2]), encoding="utf-8")
