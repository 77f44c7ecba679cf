"""The system's Chromium, and what is asked of every page in it; loudly missed where there is none."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Callable
from typing import Any

import pytest

__all__ = ["CHROMIUM", "CONTRAST", "DESK", "OPTIONS", "PHONE", "SECONDS", "needs_chromium", "wait_for"]

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--disable-sync",
]
MISSING = "NO CHROMIUM: the pages were not tried in a browser; on Debian: apt-get install chromium"
DESK, PHONE = (1280, 800), (390, 844)
SECONDS = 20_000  # milliseconds that an answer may take on a busy machine

# What is written too faintly on its ground.
CONTRAST = """() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, place) => sum + v * [0.2126, 0.7152, 0.0722][place], 0);
  const ground = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const found = channels(getComputedStyle(each).backgroundColor);
      if (found.length < 4 || found[3] > 0.99) return found;
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.checkVisibility() || element.closest("svg, .unseen, .skip")) continue;
    const [one, other] = [luminance(channels(getComputedStyle(element).color)), luminance(ground(element))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) faint.push(`${element.className} ${element.textContent.trim().slice(0, 20)}: ${ratio.toFixed(2)}`);
  }
  return faint;
}"""

if CHROMIUM is None:
    warnings.warn(MISSING, stacklevel=1)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason=MISSING)


def wait_for(page: Any, is_so: Callable[[], bool]) -> None:
    """Wait until it is so; asked from outside, for pages forbid code that was not delivered with them."""
    for _ in range(SECONDS // 20):
        if is_so():
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"{page.url}: {page.locator('main').inner_text()[:400]}")
