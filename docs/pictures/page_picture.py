"""Takes a picture of a report's page as a browser shows it, with the sections that are named; needs chromium.

python docs/pictures/page_picture.py leak-report.png leaks.html "The most expensive situations" \\
  "By the street on which the hand ended" "By size of LBR's last bet or raise"
"""

import re
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

WIDTH = 1000  # pixels
BROWSER = ("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=9000")
DARK = "--blink-settings=preferredColorScheme=0"  # beside pictures of terminals
TIGHT = "<style>main { padding: 1.4rem 1.6rem !important; } h2 { margin-top: 1.5rem !important; }</style>"
MEASURE = "<script>onload = () => document.title = document.body.scrollHeight</script>"


def cut(page: str, titles: list[str]) -> str:
    """The page with its title, its summary and these sections."""
    sections = re.findall(r"<section[ >].*?</section>", page, re.DOTALL)
    heads = [f"<h2>{escape(title)}</h2>" for title in titles]
    if missing := [head for head in heads if not any(head in section for section in sections)]:
        sys.exit(f"the page has no {missing[0]}")
    for section in sections:
        if not any(head in section for head in heads):
            page = page.replace(section, "")
    return page.replace("</head>", f"{TIGHT}{MEASURE}</head>")


def take(picture: Path, page: Path, titles: list[str]) -> None:
    """As high as the sections are."""
    with tempfile.NamedTemporaryFile("w", suffix=".html", dir=page.resolve().parent, encoding="utf-8") as file:
        file.write(
            cut(page.read_text(encoding="utf-8"), titles)
        )  # beside the page: the script of its charts lies there
        file.flush()
        shown = _browse(f"--window-size={WIDTH},400", "--dump-dom", f"file://{file.name}")
        height = re.findall(r"<title>(\d+)</title>", shown)[0]
        _browse(f"--window-size={WIDTH},{height}", f"--screenshot={picture.resolve()}", f"file://{file.name}")


def _browse(*words: str) -> str:
    return subprocess.run([*BROWSER, DARK, *words], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    take(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
