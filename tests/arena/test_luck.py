"""Winnings without luck: of matches, and of stored logs as far as their cards are known."""

from dataclasses import replace

import numpy as np
import pytest

import nashgap as ng
from nashgap.agents.named import load_agent
from nashgap.arena.log_winnings import correct_log
from nashgap.arena.luck import LearnedValues, known_strategy
from nashgap.arena.match import Match, play_matches
from nashgap.arena.phh import read_hands, read_log_hands, write_phh
from nashgap.errors import ConfigError, FileFormatError, MismatchError, OptionError
from nashgap.poker.rules import load_rules

LEDUC = load_rules("leduc2")


def match_of(*agents, rules=LEDUC, **options):
    return Match(rules, tuple(load_agent(agent, rules) for agent in agents), tuple(map(str, agents)), **options)


def test_winnings_are_told_in_both_ways():
    result = ng.match("probe", "triple(0.2,0.4,0.4)", game="leduc2", deals=400, variance="aivat")
    plain = ng.match("probe", "triple(0.2,0.4,0.4)", game="leduc2", deals=400)
    assert (plain.variance, plain.corrected) == ("none", None)
    np.testing.assert_array_equal(result.winrates, plain.winrates)
    np.testing.assert_array_equal(result.ci95, plain.ci95)
    won = result.corrected
    assert won.stdev[0] < 0.7 * result.stdev[0]
    assert won.winrates.sum() == pytest.approx(0.0, abs=1e-9)
    assert abs(won.winrates[0] - result.winrates[0]) < 2 * (won.ci95[0] + result.ci95[0])
    assert result.corrected_estimate(0).method == "aivat"
    assert plain.corrected_estimate(0).mean == plain.estimate(0).mean
    assert result.difference(0, 1, corrected=True).mean == pytest.approx(2 * won.winrates[0])
    assert result.as_dict()["corrected"]["ci95"] == won.ci95.tolist()
    assert "corrected" not in plain.as_dict()
    assert {"aivat_winrate", "aivat_ci95"} <= set(result.to_frame().columns)


def test_blocks_add_up_to_the_winrate():
    won = ng.match("probe", "random", game="leduc2", deals=300, variance="chance").corrected
    assert won.blocks[:, 0].sum() == 300
    np.testing.assert_allclose(won.blocks[:, 1:].sum(axis=0) / 300, won.winrates, atol=1e-12)


def test_cut_into_batches_the_same_hands_come_out():
    whole = play_matches(match_of("probe", "random", variance="aivat"), 0, 40)["corrected"]
    first, second = (play_matches(match_of("probe", "random", variance="aivat"), start, 20) for start in (0, 20))
    together = np.add(first["corrected"]["payoffs"], second["corrected"]["payoffs"])
    np.testing.assert_allclose(together, whole["payoffs"], atol=1e-9)


def test_hands_of_python_and_of_the_engine_lose_the_same_luck():
    class Copy:
        """Answers as the chump does, and is asked in Python."""

        name, is_sampled = "copy", False

        def policies(self, states):
            return known_strategy(load_agent("probe", LEDUC)).policies(states)

    asked = ng.match(Copy(), "always-raise", game="leduc2", deals=60, variance="aivat")
    assert asked.corrected is not None
    assert asked.corrected.stdev[0] < asked.stdev[0]


def test_against_a_player_that_only_plays_one_known_side_is_enough():
    result = ng.match("poki", "probe", game="lhe2", deals=150, variance="aivat")
    assert result.corrected.stdev[0] < 0.8 * result.stdev[0]


def test_three_seats():
    result = ng.match("probe", "poki", "always-call", game="lhe3", deals=30, variance="aivat")
    assert (result.corrected.stdev < result.stdev).all()


def test_nobody_known_is_refused_with_what_would_do():
    with pytest.raises(ConfigError, match=r"aivat needs one agent that tells .* variance chance needs none"):
        ng.match("poki", "poki", game="lhe2", deals=20, variance="aivat")


def test_an_unknown_kind_is_refused():
    with pytest.raises(ConfigError, match="variance 'mivat'; it must be one of none, chance, aivat"):
        ng.match("probe", "probe", game="leduc2", deals=20, variance="mivat")


def test_bots_of_different_games_are_refused(tmp_path):
    ng.solve("leduc", iterations=5).save(tmp_path / "leduc.safetensors")
    with pytest.raises(MismatchError, match="leduc"):
        ng.match(tmp_path / "leduc.safetensors", "probe", game="hunl", deals=20, variance="aivat")


def log_of(folder, *agents, game="leduc2", deals=60):
    """Of the first seating; its players are called as the agents."""
    return ng.match(*agents, game=game, deals=deals, log=folder).log_paths[0]


def test_a_log_of_a_match_has_its_winnings(tmp_path):
    file = log_of(tmp_path, "probe", "triple(0.2,0.4,0.4)", deals=200)
    found = ng.acpc.aivat(file, "leduc2", known={"probe": "probe", "triple(0.2,0.4,0.4)": "triple(0.2,0.4,0.4)"})
    assert found.players == ("probe", "triple(0.2,0.4,0.4)")
    assert found.hands.tolist() == [200, 200]
    assert found.corrected_stdev[0] < 0.7 * found.stdev[0]
    chips = [hand.payoffs[0] for hand in read_log_hands(file, LEDUC)]
    assert found.winrates[0] == pytest.approx(np.mean(chips) / LEDUC.unit_chips)
    assert abs(found.corrected_winrates[0] - found.winrates[0]) < 2 * (found.ci95[0] + found.corrected_ci95[0])
    assert "acpc aivat" in found.provenance.command


def test_the_luck_of_the_cards_needs_no_strategy(tmp_path):
    found = ng.acpc.aivat(log_of(tmp_path, "probe", "random"), "leduc2", variance="chance")
    assert found.known == {}
    assert found.terms == "of the cards"


def hidden(hands, who):
    """The same hands with the cards of some players not shown, unless at a showdown."""
    for hand in hands:
        is_shown = hand.state.has_folded.count(False) > 1
        yield replace(
            hand,
            hole_cards=tuple(
                None if player in who and not is_shown else cards
                for player, cards in zip(hand.players, hand.hole_cards, strict=True)
            ),
        )


def test_cards_that_were_not_shown_leave_the_terms_of_the_known_player(tmp_path):
    hands = list(read_log_hands(log_of(tmp_path, "probe", "random", deals=100), LEDUC))
    known = {"probe": load_agent("probe", LEDUC)}
    found = correct_log(hidden(hands, {"random"}), LEDUC, known)
    assert found.terms.startswith("of the hands and actions of given players alone: cards of random")
    assert correct_log(hidden(hands, {"probe"}), LEDUC, known).terms == correct_log(hands, LEDUC, known).terms
    with pytest.raises(ConfigError, match="cards of probe are not known in all hands; with those of others hidden"):
        correct_log(hidden(hands, {"probe", "random"}), LEDUC, known)
    with pytest.raises(ConfigError, match="cards of random are not known in all hands; variance chance needs them"):
        correct_log(hidden(hands, {"random"}), LEDUC, {}, variance="chance")


def test_what_a_log_does_not_allow_is_refused(tmp_path):
    file = log_of(tmp_path, "probe", "random")
    with pytest.raises(MismatchError, match=r"hand \d+: after .* always-call never does r; it cannot have played"):
        ng.acpc.aivat(file, "leduc2", known={"probe": "always-call"})
    with pytest.raises(ConfigError, match=r"no player 'ann' in .*; it has probe, random"):
        ng.acpc.aivat(file, "leduc2", known={"ann": "probe"})
    with pytest.raises(OptionError, match="known is missing: aivat needs the strategy of a player"):
        ng.acpc.aivat(file, "leduc2")
    with pytest.raises(ConfigError, match="variance 'none'; of a stored log"):
        ng.acpc.aivat(file, "leduc2", variance="none")


@pytest.mark.parametrize("game", ["lhe2", "hunl", "nlhe3"])
def test_phh_files_are_read_as_they_were_written(game, tmp_path):
    pytest.importorskip("pokerkit")
    rules = load_rules(game)
    agents = ["random", "probe", "always-call"][: rules.num_seats]
    hands = list(read_log_hands(log_of(tmp_path, *agents, game=game, deals=30), rules))
    write_phh(hands, tmp_path / "hands.phhs")
    for hand, again in zip(hands, read_hands(tmp_path / "hands.phhs", rules), strict=True):
        assert (again.state.betting, again.state.board) == (hand.state.betting, hand.state.board)
        assert (again.hole_cards, again.players) == (hand.hole_cards, hand.players)
        assert again.payoffs == pytest.approx(hand.payoffs)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]\nvariant = 'FT'\nblinds_or_straddles = [50, 100]\n", "FT with blinds .*; hunl is NT"),
        ("[1]\nvariant = 'NT'\nblinds_or_straddles = [50, 100]\nactions = ['p1 cc']\n", "player p2 is to act"),
        ("[1]\nvariant = 'NT'\nblinds_or_straddles = [50, 100]\nactions = ['p2 cc']\n", "the hand is not over"),
        ("[1]\nvariant = 'NT'\n", "hand 1: KeyError"),
        ("=", "not a PHH file"),
        ("", "no hand"),
    ],
)
def test_phh_files_that_make_no_sense_are_refused(text, message, tmp_path):
    file = tmp_path / "hands.phhs"
    file.write_text(text)
    with pytest.raises(FileFormatError, match=message):
        list(read_hands(file, load_rules("hunl")))


def test_values_are_learned_on_other_deals_than_are_played():
    learned = LearnedValues(LEDUC, [[load_agent("probe", LEDUC)] * 2], 0)
    assert learned.values.native.num_nodes > 10
    assert learned.values is learned.values
