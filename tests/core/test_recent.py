"""A dictionary of bounded size."""

from nashgap.core.recent import Recent


def test_what_was_neither_set_nor_asked_for_the_longest_goes_first():
    known = Recent(3)
    for number, letter in enumerate("abc"):
        known[letter] = number
    assert known["a"] == 0 and known.get("b") == 1 and known.get("z") is None
    known["d"] = 3
    assert list(known) == ["a", "b", "d"]
    known["a"] = 4
    known["e"] = 5
    assert dict(known.items()) == {"d": 3, "a": 4, "e": 5}


def test_an_entry_can_be_taken_away():
    known = Recent(2)
    known["a"] = 1
    assert known.pop("a") == 1 and known.pop("a", None) is None
    known["b"] = 2
    known.clear()
    assert len(known) == 0
