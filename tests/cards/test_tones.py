"""Colours of actions: told apart by everybody, and one for each kind of action."""

from itertools import combinations

import numpy as np
import pytest

from nashgap.cards.tones import MAX_TONES, action_codes, action_colours

# Machado, Oliveira & Fernandes 2009: how colours look to those who lack one kind of cone; linear RGB.
SIGHT = {
    "usual": np.eye(3),
    "protanopia": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "deuteranopia": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "tritanopia": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.089])


def lab(colour, sight):
    channels = np.array([int(colour[start : start + 2], 16) for start in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(XYZ @ np.clip(sight @ linear, 0.001, 1) / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("sight", SIGHT)
def test_actions_stay_apart_for_colour_blind_readers(sight):
    """A distance of 10 in CIELAB is seen at a glance, side by side; 2.3 is just noticed."""
    tones = action_colours(["fold", "call", "raise to 300", "raise to 900", "all-in"]).values()
    assert min(np.linalg.norm(lab(a, SIGHT[sight]) - lab(b, SIGHT[sight])) for a, b in combinations(tones, 2)) > 12


def test_every_kind_has_its_tone():
    heads_up = action_colours(["fold", "call", "raise to 300", "all-in"])
    later = action_colours(["check", "bet 600", "all-in"])
    assert heads_up["call"] == later["check"]
    assert heads_up["all-in"] == later["all-in"]
    assert heads_up["raise to 300"] == later["bet 600"]
    assert len(set(heads_up.values())) == 4


def test_larger_raises_are_redder():
    colours = list(action_colours([f"raise to {size}" for size in range(100, 800, 100)]).values())
    greens = [int(colour[3:5], 16) for colour in colours]
    assert greens == sorted(greens, reverse=True) and len(set(colours)) == 7


def test_a_chosen_colour_comes_first():
    assert action_colours(["fold", "x"], {"fold": "#123456"})["fold"] == "#123456"


def test_other_actions_take_what_is_left():
    colours = action_colours([f"{number}" for number in range(MAX_TONES)])
    assert len(set(colours.values())) == MAX_TONES
    assert list(action_colours(["liar", "1-3"])) == ["liar", "1-3"]


def test_letters_stand_for_actions():
    assert action_codes(["fold", "call", "raise to 2", "raise to 3"]) == {
        "fold": "F", "call": "C", "raise to 2": "Ra", "raise to 3": "Rb",
    }  # fmt: skip
    assert action_codes(["in range"]) == {"in range": ""}
