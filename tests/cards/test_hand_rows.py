"""Rows of shares: bars as wide as their shares, numbers that do not lie, names that cannot break the page."""

import re

import pytest

from nashgap.cards.hand_rows import HandRow, HandRows, draw_rows, largest_shares, share_text
from nashgap.errors import ConfigError

ROWS = HandRows(
    "First",
    (HandRow("Js", {"check": 0.75, "bet": 0.25}, 0.6), HandRow("<Ks>", {"bet": 1.0}, 0.4)),
    ("check", "bet"),
)


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "."), (1e-9, "."), (1e-5, "0.1%"), (0.375, "37.5%"), (0.9999, "99.9%"), (1 - 1e-9, "100%"), (1, "100%")],
)
def test_what_is_not_quite_none_or_all_does_not_look_so(share, text):
    assert share_text(share) == text


def test_bars_are_as_wide_as_their_shares():
    drawn = draw_rows(ROWS)
    assert re.findall(r"width: ([\d.]+)%", drawn) == ["75", "25", "100"]
    assert "<td>75.0%</td><td>25.0%</td>" in drawn
    assert "&lt;Ks&gt;" in drawn and "<Ks>" not in drawn
    assert "of its range" in drawn and "<td>60.0%</td>" in drawn


def test_too_many_actions_are_named_by_their_shares():
    actions = tuple(f"{quantity}-{face}" for quantity in (1, 2) for face in range(1, 7))
    shares = dict(zip(actions, [0.5, 0.2, 0.1, 0.1, 0.05, 0.05, 0, 0, 0, 0, 0, 0], strict=True))
    rows = HandRows("Dice", (HandRow("3", shares),), actions)
    assert not rows.has_columns and not rows.has_weights
    assert largest_shares(rows.rows[0]) == "1-1 50.0%, 1-2 20.0%, 1-3 10.0%, 1-4 10.0%, others 10.0%"
    assert "1-1 50.0%, 1-2" in draw_rows(rows)


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({"raise": 1.0}, "rows 'r': unknown action 'raise'; allowed: check, bet"),
        ({"bet": 0.7, "check": 0.5}, "rows 'r': shares of Js: bet 0.7, check 0.5; allowed: 0 to 1 in all"),
        ({"bet": float("nan")}, "rows 'r': shares of Js: bet nan; allowed: 0 to 1 in all"),
    ],
)
def test_what_is_no_share_is_refused(shares, message):
    with pytest.raises(ConfigError) as caught:
        HandRows("r", (HandRow("Js", shares),), ("check", "bet"))
    assert message in str(caught.value)
