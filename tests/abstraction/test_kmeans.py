"""k-means on histograms of final strength: better than percentiles by its own measure, the same on any machine."""

import numpy as np
import pytest

from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.abstraction.kmeans import load_kmeans_table
from nashgap.abstraction.strength import board_strengths, canonical_boards, load_strength_tables
from nashgap.poker.rules import load_rules

pytestmark = [pytest.mark.slow, pytest.mark.long]
NUM_CENTRES = 20


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("cache")
    load_strength_tables("ehs", folder=place)
    return place


def build(text, folder):
    return build_abstraction(parse_card_abstraction(text), load_rules("lhe2"), folder=folder)


def cumulative_shares(board, num_bins=30):
    """`[1326, bins]` over the river cards, by going through them."""
    rivers = np.array([board_strengths("ehs", [*board, card]) for card in range(52) if card not in board])
    bins = np.minimum(rivers * num_bins, num_bins - 1)
    counts = np.array([np.sum(np.floor(bins) <= edge, axis=0) for edge in range(num_bins)]).T
    return counts / 46


def test_hands_lie_nearer_to_their_buckets_mean_than_with_percentiles(folder):
    boards = canonical_boards(4)[0][::200].tolist()
    shares = np.array([cumulative_shares(board) for board in boards])

    def mean_distance(text):
        abstraction = build(text, folder)
        buckets = np.array([abstraction.all_buckets(board, 2) for board in boards])
        distances = []
        for bucket in range(NUM_CENTRES):
            members = shares[buckets == bucket]
            distances.append(np.abs(members - members.mean(axis=0)).sum())
        return sum(distances) / np.count_nonzero(buckets >= 0)

    kmeans = mean_distance(f"kmeans(lossless/{NUM_CENTRES}/{NUM_CENTRES}/2)")
    percentiles = mean_distance(f"percentile(ehs, lossless/{NUM_CENTRES}/{NUM_CENTRES}/2)")
    assert kmeans < 0.8 * percentiles


def test_buckets_go_from_weak_to_strong_and_all_are_used(folder):
    abstraction = build(f"kmeans(lossless/{NUM_CENTRES}/{NUM_CENTRES}/2)", folder)
    tables = load_strength_tables("ehs", folder=folder)
    for street in (1, 2):
        buckets = np.array([abstraction.all_buckets(b, street) for b in canonical_boards(street + 2)[0].tolist()])
        values = tables.values(street, tables.levels[street])
        means = [values[buckets == bucket].mean() for bucket in range(NUM_CENTRES)]
        assert np.corrcoef(means, np.arange(NUM_CENTRES))[0, 1] > 0.95
    quality = abstraction.quality(num_deals=100_000)
    assert quality[2].within_variance < 0.05 * quality[2].variance


def test_threads_do_not_matter_and_damage_is_repaired(folder, tmp_path):
    river = load_strength_tables("ehs", folder=folder).levels[3]
    tables = [
        load_kmeans_table(1, 5, num_bins=10, seed=1, river=river, folder=tmp_path / str(threads), num_threads=threads)
        for threads in (1, 2)
    ]
    np.testing.assert_array_equal(tables[0], tables[1])
    expected = np.array(tables[0])
    del tables
    path = next((tmp_path / "1").rglob("flop-5-*.bin"))
    content = bytearray(path.read_bytes())
    content[500] ^= 1
    path.write_bytes(content)
    again = load_kmeans_table(1, 5, num_bins=10, seed=1, river=river, folder=tmp_path / "1", num_threads=2)
    np.testing.assert_array_equal(again, expected)
