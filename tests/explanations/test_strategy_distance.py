"""How far strategies are apart: information set by information set in plain loops, and by scipy."""

import json

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy, sized_rules, table_rows
from scipy.stats import wasserstein_distance

from nashgap.cli.main import main
from nashgap.core.game import CHANCE, TERMINAL
from nashgap.errors import MismatchError
from nashgap.explanations.strategy_distance import compare_abstract, compare_files, compare_tables
from nashgap.games.compiled import load_tree
from nashgap.strategies.abstract import AbstractStrategy, quantised
from nashgap.strategies.load import save
from nashgap.strategies.table import TableStrategy, normalised, uniform

SIZED = abstract_game(sized_rules(stacks=[600, 600]), "fcpa")


def random_table(tree, seed):
    return normalised(tree, np.random.default_rng(seed).random(tree.num_slots) ** 4)


def plain_distances(first, second):
    """Of two rows of probabilities, by name."""
    scale = np.arange(len(first))
    return {
        "emd": wasserstein_distance(scale, scale, first, second) / max(len(first) - 1, 1),
        "l1": np.abs(np.subtract(first, second)).sum() / 2,
        "l2": np.sqrt(np.square(np.subtract(first, second)).sum() / 2),
    }


@pytest.mark.parametrize("game", ["kuhn(players=3)", "bet_size(deck=4,stack=1,step=0.25)"])
def test_tables_are_compared_in_every_information_set(game):
    tree = load_tree(game)
    first, second = random_table(tree, 1), random_table(tree, 2)
    rows = [plain_distances(first.probabilities[tree.slots(i)], second.probabilities[tree.slots(i)])
            for i in range(tree.num_infosets)]  # fmt: skip
    found = compare_tables(first, second)
    assert (found.game, found.num_compared, found.num_neither) == (tree.game, tree.num_infosets, 0)
    for metric in ("emd", "l1", "l2"):
        assert found.mean[metric] == pytest.approx(np.mean([row[metric] for row in rows]))
    assert [each.emd for each in found.largest] == pytest.approx(
        sorted((row["emd"] for row in rows), reverse=True)[:10]
    )
    for each in found.largest:
        index = tree.infoset_index[f"{each.player}:{each.infoset}"]
        assert each.first == pytest.approx(first.probabilities[tree.slots(index)])
        assert each.actions == tree.actions(index)


def plain_reach(strategy, block=0, lane=0, chance=1.0, found=None):
    """How likely play comes to each information set, by walking every history."""
    tree = strategy.tree
    found = np.zeros(tree.num_infosets) if found is None else found
    row = tree.node_row[tree.block_start[block] + lane]
    if tree.block_player[block] == CHANCE:
        for edge in range(tree.chance_start[row], tree.chance_start[row + 1]):
            target = tree.chance_block[edge], tree.chance_lane[edge]
            plain_reach(strategy, *target, chance * tree.chance_prob[edge], found)
    elif tree.block_player[block] != TERMINAL:
        found[row] += chance
        edges = range(tree.block_edge[block], tree.block_edge[block + 1])
        for edge, share in zip(edges, strategy.probabilities[tree.slots(row)], strict=True):
            plain_reach(strategy, tree.edge_block[edge], lane, chance * share, found)
    return found


@pytest.mark.parametrize("game", ["kuhn(players=3)", "leduc(ranks=2)"])
def test_means_can_be_weighted_by_how_often_play_comes_there(game):
    tree = load_tree(game)
    first, second = random_table(tree, 3), random_table(tree, 4)
    weights = (plain_reach(first) + plain_reach(second)) / 2
    rows = [plain_distances(first.probabilities[tree.slots(i)], second.probabilities[tree.slots(i)])
            for i in range(tree.num_infosets)]  # fmt: skip
    found = compare_tables(first, second)
    for metric in ("emd", "l1", "l2"):
        assert found.reached_mean[metric] == pytest.approx(np.average([row[metric] for row in rows], weights=weights))


def test_a_strategy_is_not_apart_from_itself_and_pure_opposites_are_1_apart():
    tree = load_tree("kuhn")
    assert set(compare_tables(uniform(tree), uniform(tree)).mean.values()) == {0.0}
    pure = np.zeros(tree.num_slots)
    for infoset in range(tree.num_infosets):
        pure[tree.slots(infoset)] = [1.0, 0.0]
    found = compare_tables(TableStrategy(tree, pure), TableStrategy(tree, 1.0 - pure))
    assert list(found.mean.values()) == pytest.approx([1.0, 1.0, 1.0])


@pytest.mark.parametrize("game", [SIZED, abstract_game("leduc2")], ids=["sized", "leduc2"])
def test_abstract_strategies_are_compared_where_both_were_trained(game):
    first, second = (random_abstract_strategy(game, seed, unreached=0.2) for seed in (1, 2))
    rows, counts = [], np.zeros(3, int)
    for node in range(game.tree.num_nodes):
        for one, other in zip(table_rows(first, node), table_rows(second, node), strict=True):
            counts[int(one.any()) + int(other.any())] += 1
            if one.any() and other.any():
                rows.append(plain_distances(one / one.sum(), other / other.sum()))
    found = compare_abstract(first, second)
    assert [found.num_neither, found.num_one_only, found.num_compared] == counts.tolist()
    assert min(counts) > 0
    for metric in ("emd", "l1", "l2"):
        assert found.mean[metric] == pytest.approx(np.mean([row[metric] for row in rows]), abs=1e-6)
    assert [each.emd for each in found.largest] == pytest.approx(
        sorted((row["emd"] for row in rows), reverse=True)[:10], abs=1e-6
    )


def test_differences_of_an_abstract_game_are_named_by_betting_and_bucket():
    first = random_abstract_strategy(SIZED, 0)
    node = int(SIZED.tree.find_node([300, 0, 0]).target)
    bucket, entries = 2, SIZED.entries(node)[2]
    tables = np.concatenate(first.tables)
    tables[entries] = np.eye(len(entries))[0]
    one = AbstractStrategy(SIZED, tuple(np.split(tables, SIZED.entry_start[1:-1])))
    tables = tables.copy()
    tables[entries] = np.eye(len(entries))[-1]
    other = AbstractStrategy(SIZED, tuple(np.split(tables, SIZED.entry_start[1:-1])))
    found = compare_abstract(one, other).largest[0]
    assert found.infoset == f"bucket {bucket} after 'r300c/c'"
    assert found.player == SIZED.tree.seat[node]
    assert (found.actions[0], found.actions[-1]) == ("c", "r600")
    assert found.emd == 1.0
    assert found.reach is None


def test_a_quantised_table_is_near_to_its_own():
    first = random_abstract_strategy(SIZED, 5)
    small = AbstractStrategy(SIZED, tuple(quantised(SIZED, number, table) for number, table in enumerate(first.tables)))
    assert 0.0 < compare_abstract(first, small).mean["l1"] < 1 / 255


@pytest.fixture
def files(tmp_path):
    kuhn, leduc = load_tree("kuhn"), load_tree("leduc")
    names = {name: tmp_path / f"{name}.safetensors" for name in ("one", "two", "leduc", "sized", "abstract-leduc")}
    save(names["one"], random_table(kuhn, 1))
    save(names["two"], random_table(kuhn, 2))
    save(names["leduc"], uniform(leduc))
    save(names["sized"], random_abstract_strategy(SIZED))
    save(names["abstract-leduc"], random_abstract_strategy(abstract_game("leduc2")))
    return names


def test_different_games_are_refused(files):
    with pytest.raises(MismatchError, match="different games, kuhn and leduc, cannot be compared"):
        compare_files(files["one"], files["leduc"])
    with pytest.raises(MismatchError, match="different abstract games, sized2 and leduc2, cannot be compared"):
        compare_files(files["sized"], files["abstract-leduc"])
    with pytest.raises(MismatchError, match=r"sized\S+ is a strategy of an abstract game and \S+one\S+ is not"):
        compare_files(files["one"], files["sized"])


def test_the_command_prints_a_table_or_json(files, capsys):
    def shown(*words):
        assert main(["explain", "distance", *map(str, words)]) == 0
        return capsys.readouterr().out

    told = shown(files["one"], files["two"])
    assert "earth mover's distance" in told
    assert "weighted by reach" in told
    told = json.loads(shown(files["one"], files["two"], "--json"))
    assert told["mean"] == compare_files(files["one"], files["two"]).mean
    assert len(told["largest"]) == 10
    assert "differ most" not in shown(files["sized"], files["sized"])
