"""Draws what a command prints in a terminal of 80 columns, as an SVG that needs nothing from outside.

python docs/pictures/terminal_picture.py show-leduc.svg show leduc.safetensors --after crc/Kh:r
"""

import io
import re
import shlex
import sys
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import TerminalTheme

from nashgap.cli.main import main
from nashgap.reports import terminal

FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
RAINBOW = [(30, 34, 40), (248, 81, 73), (34, 197, 94), (244, 191, 79), (108, 176, 255), (204, 121, 167), (86, 180, 233)]
THEME = TerminalTheme((21, 24, 28), (227, 231, 236), [*RAINBOW, (200, 206, 212)], [(110, 118, 129)] * 8)
LONGEST_TITLE, TITLE_SIZE = 79, 20  # letters, pixels


def draw(words: list[str], name: str) -> str:
    """The picture of `nashgap WORDS`."""
    console = Console(
        record=True, width=80, force_terminal=True, color_system="truecolor", highlight=False, markup=False,
        file=io.StringIO(),
    )  # fmt: skip
    terminal.screen = lambda: console
    if main(words) != 0:
        sys.exit("the command failed")
    title = f"$ {shlex.join(['nashgap', *words])}"
    size = min(TITLE_SIZE, TITLE_SIZE * LONGEST_TITLE // len(title))
    page = re.sub(r"\s*@font-face \{\{.*?\}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)  # fonts from elsewhere
    page = page.replace("Fira Code, monospace", FONTS).replace("arial", FONTS).replace("bold", "normal", 1)
    page = page.replace("font-size: 18px", f"font-size: {size}px")
    svg = console.export_svg(title=title, theme=THEME, code_format=page, unique_id=name)
    svg = re.sub(r'<g transform="translate\(26,22\)">.*?</g>', "", svg, flags=re.DOTALL)  # a window's buttons
    svg = re.sub(r'text-anchor="middle" x="[\d.]+"', 'opacity="0.7" x="10"', svg, count=1)
    # Fonts leave hairlines between blocks; terminals do not.
    block = r'<text class="(\S+)" x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)" clip-path="\S+">▇+</text>'
    svg = re.sub(
        block, lambda m: f'<rect class="{m[1]}" x="{m[2]}" y="{float(m[3]) - 17:g}" width="{m[4]}" height="20"/>', svg
    )
    # Without a size of its own a picture gets next to no room beside others in a table.
    svg = re.sub(
        r'viewBox="0 0 ([\d.]+) ([\d.]+)"', lambda m: f'width="{m[1]}" height="{float(m[2]):g}" {m[0]}', svg, count=1
    )
    return re.sub(r"\n\s+", "\n", svg)


if __name__ == "__main__":
    picture = Path(sys.argv[1])
    picture.write_text(draw(sys.argv[2:], picture.stem), encoding="utf-8")
