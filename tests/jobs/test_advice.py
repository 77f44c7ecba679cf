"""Advice: a leak that was planted is found, mended, and wins back what is promised; what does not help is withheld."""

import math

import pytest

import nashgap as ng
from nashgap.errors import ConfigError
from nashgap.runs import list_runs

PLACE = "seat-2 round-1 b"


@pytest.fixture(scope="module")
def leaky(tmp_path_factory):
    """Near the equilibrium of Leduc, but that it folds everything to the first bet."""
    path = tmp_path_factory.mktemp("bots") / "leduc.safetensors"
    ng.solve("leduc", iterations=500).save(path)
    return f"patched({PLACE} = fold below 1):{path}"


@pytest.fixture(scope="module")
def advised(leaky):
    return ng.measure(leaky, by="lbr", game="leduc", deals=2_000, advice=4)


def test_the_planted_leak_is_the_first_advice(advised, leaky):
    first = advised.advice.items[0]
    assert first.is_given
    assert str(first.patch.place) == PLACE
    assert first.decision.defends == 0.0
    assert first.decision.minimum_defence == pytest.approx(2 / 4)  # a bet of 2 into antes of 1 each
    assert first.gain.lower_bound_975 > 0
    assert leaky in advised.advice.patched
    assert 1 in first.numbers


def test_on_a_third_set_of_deals_the_bound_falls_by_what_was_promised(advised, leaky):
    first = advised.advice.items[0]
    again = ng.compare(leaky, f"patched({first.patch}):{leaky}", game="leduc", deals=2_000, seed=77).difference
    assert abs(again.mean - first.gain.mean) <= math.hypot(again.ci95, first.gain.ci95)


def test_an_equilibrium_is_given_no_advice(tmp_path):
    """It, too, has situations in which it loses; but LBR does not win, and a change would only be one against LBR."""
    ng.solve("leduc", iterations=3_000).save(tmp_path / "leduc.safetensors")
    found = ng.measure(tmp_path / "leduc.safetensors", by="lbr", game="leduc", deals=1_000, advice=3)
    assert found.leaks.situations
    assert found.advice.items == () and found.advice.patched == "" and found.advice.together is None
    assert "Nothing is advised" in str(found.report().sections)


def test_what_does_not_help_is_withheld(advised):
    """Near the equilibrium there is little else to win."""
    withheld = [item for item in advised.advice.items if not item.is_given]
    assert withheld
    for item in withheld:
        assert item.gain is None or item.gain.lower_bound_975 <= 0
        assert item.as_dict()["patch"] is None
        assert str(item.patch) not in advised.advice.patched


def test_no_change_is_advised_twice():
    """Not to bet first is best here for two decisions that come after that bet: one advice, for the leaks of both."""
    asked = {"by": "lbr", "game": "leduc", "deals": 400, "lines": "dealt"}
    items = ng.measure("triple(0.5,0.2,0.3)", **asked, advice=6).advice.items
    patches = [str(item.patch) for item in items if item.patch is not None]
    assert len(patches) == len(set(patches))
    numbers = [number for item in items for number in item.numbers]
    assert len(numbers) == len(set(numbers))
    assert len(items) == 5 and "seat-1 round-2 = no raise" in patches


def test_the_bound_is_told_before_changes_are_tried(leaky, capsys):
    bound = ng.measure(leaky, by="lbr", game="leduc", deals=200, advice=1, progress=True)
    told = capsys.readouterr().err
    assert f"LBR wins {bound.estimate}; now what to change: " in told
    assert told.index("now what to change") < told.index("versions on the same 50 deals")
    assert "of 1 decision, tried on 50 deals each; the best are measured on 200" in told


def test_it_is_kept_as_runs_and_found_again(tmp_path, leaky):
    ask = {"by": "lbr", "game": "leduc", "deals": 200, "advice": 1, "run": tmp_path}
    first = ng.measure(leaky, **ask)
    kinds = sorted(run.config.kind for run in list_runs(tmp_path))
    assert kinds in (["lbr", "lbr-compare"], ["lbr", "lbr-compare", "lbr-compare"])
    assert ng.measure(leaky, **ask).advice.as_dict() == first.advice.as_dict()
    assert len(list_runs(tmp_path)) == len(kinds)
    assert ng.measure(leaky, **{**ask, "run": None, "workers": 1}).advice.as_dict() == first.advice.as_dict()


class Sampled:
    name = "sampled"

    def sample_policies(self, states, seed):
        raise AssertionError("nothing is asked")


@pytest.mark.parametrize(
    ("bot", "options", "reason"),
    [
        ("always-call", {"advice": 0}, "advice = 0; it must be 1 or more"),
        ("always-call", {"advice": 1, "leaks": False}, "advice needs the leaks"),
        ("always-call", {"advice": 1, "deals": 30}, "advice needs at least 40"),
        ("always-call", {"advice": 1, "game": "lhe3"}, "advice is for games of two seats; lhe3 has 3"),
        (Sampled(), {"advice": 1}, "known by samples only"),
    ],
)
def test_what_cannot_be_advised_is_refused(bot, options, reason):
    with pytest.raises(ConfigError, match=reason):
        ng.measure(bot, by="lbr", **{"game": "hunl", "deals": 100, **options})
