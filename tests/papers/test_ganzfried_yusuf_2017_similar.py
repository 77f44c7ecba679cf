"""Similar games: what is reported follows from plain neighbours."""

import numpy as np

from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.dataset import solve_games
from nashgap.explanations.distances import input_distance
from nashgap.explanations.scores import score
from nashgap.jobs.reproduction import Request
from nashgap.papers.ganzfried_yusuf_2017 import similar_games as module


def test_copying_by_card_takes_the_bets_of_the_nearest_card():
    train, test = solve_games(Stakes(deck=4, stack=1.0, step=0.25), 1, 0, 40).split(30, 10)
    found = module._copied_by_card(train, test, 1, (1,))[1]
    bets = np.empty((10, 4, 5))
    for game in range(10):
        for card in range(4):
            apart = input_distance(train.games.cdf, test.games.cdf[game])[:, None]
            apart = apart + np.abs(train.games.beaten - test.games.beaten[game, card])
            near, its_card = np.unravel_index(np.argmin(apart), apart.shape)
            bets[game, card] = train.bets()[near, its_card]
    assert found == score(test, bets)


def test_the_report_has_every_statement_with_its_figures(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "QUICK_TRAIN", 200)
    monkeypatch.setattr(module, "QUICK_TEST", 50)
    report = module.similar_games(Request(is_quick=True, runs_root=tmp_path))
    statements = report.sections[0]
    assert len(statements.rows) == 3
    natural = {row[0]: row[1].mean for row in report.sections[2].rows}
    prices = {row[0]: row[2].mean for row in report.sections[2].rows}
    is_best = all(min(found, key=found.get) == "emd" for found in (natural, prices))
    assert statements.rows[0][1] == ("true" if is_best else "false")
    assert [section.title for section in report.sections][2] == "By distance, nearest game"
    neighbours = {row[0]: row[2].mean for row in report.sections[1].rows}
    assert neighbours["1 nearest"] > neighbours["20 nearest"], "an average of games is less exploitable than one"
