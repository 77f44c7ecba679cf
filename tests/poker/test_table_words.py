import pytest

from nashgap.poker.table_words import shown_chips


@pytest.mark.parametrize(
    ("chips", "text"),
    [(0, "0"), (300, "300"), (20_000, "20,000"), (-1234567, "-1,234,567"), (-0.5, "-0.5"), (1500.25, "1,500.25")],
)
def test_chips_are_grouped_by_thousands(chips: float, text: str) -> None:
    assert shown_chips(chips) == text


def test_what_rounding_leaves_of_nothing_is_nothing() -> None:
    assert shown_chips(-1e-9) == "0"
