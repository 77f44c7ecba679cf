"""The quiz: what an answer costs, the score, and the best score on disk."""

from itertools import islice

import numpy as np
import pytest

from nashgap.errors import ConfigError, OutputError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.dataset import solve_games
from nashgap.explanations.distributions import games_of
from nashgap.explanations.known_rules import EIGHT_RULES
from nashgap.explanations.quiz import Question, Score, ask, filed_games, parse_bet, random_games, the_same_game
from nashgap.explanations.quiz_record import Record, keep_score, load_record, record_path
from nashgap.explanations.rule_words import rule_sentence

STAKES = Stakes(deck=5, step=0.5)


@pytest.fixture
def figure_2():
    """Ganzfried & Yusuf (2017): the best or the worst card against a middle one."""
    return next(the_same_game(games_of((0.5, 0, 0, 0, 0.5), (0, 0, 1, 0, 0), STAKES)))


def test_costs_of_figure_2_by_hand(figure_2):
    """All-in is called by the middle card with probability 1/4, so a 5 wins 1/4 * 3.5 + 3/4 * 0.5 = 1.25."""
    best = Question(figure_2, 4)
    assert best.value == pytest.approx(1.25)
    assert best.answer(0).cost == pytest.approx(0.75)
    all_in = best.answer(STAKES.num_bets - 1)
    assert (all_in.cost, all_in.is_in_equilibrium, all_in.is_off_path) == (0.0, True, False)
    assert all_in.callers == {2: pytest.approx(0.25)}
    assert all_in.called == pytest.approx(0.25)
    assert best.equilibrium == {6: pytest.approx(1.0)}


def test_a_bluff_is_worth_as_much_as_giving_up(figure_2):
    worst = Question(figure_2, 0)
    assert worst.equilibrium == {0: pytest.approx(0.25), 6: pytest.approx(0.75)}
    for bet in (0, 6):
        answer = worst.answer(bet)
        assert (answer.cost, answer.is_in_equilibrium) == (0.0, True)
        assert answer.value == pytest.approx(-0.5)


def test_a_bet_that_no_hand_makes_is_told_from_the_others(figure_2):
    assert Question(figure_2, 4).answer(2).is_off_path
    assert not Question(figure_2, 4).answer(2).is_in_equilibrium


def test_in_equilibrium_nothing_is_lost_and_costs_add_up_to_the_value():
    """Over all hands, the equilibrium's own bets earn the value of the game; no bet of any hand earns more."""
    for game in islice(random_games(STAKES, 3), 10):
        questions = [Question(game, card) for card in range(STAKES.deck)]
        dealt = game.games.pdf[0, 0]
        value = float(game.games.earned(game.bets["solver"][None], game.calls[None])[0])
        assert sum(p * q.value for p, q in zip(dealt, questions, strict=True)) == pytest.approx(value, abs=1e-9)
        for question in questions:
            answers = [question.answer(bet) for bet in range(STAKES.num_bets)]
            assert all(answer.cost >= 0 for answer in answers)
            assert all(answer.cost == 0 for answer in answers if answer.is_in_equilibrium)
            assert any(answer.is_in_equilibrium for answer in answers)
            assert sum(question.equilibrium.values()) == pytest.approx(1.0)


def test_the_rule_that_decides_is_told_with_what_the_rules_cost(figure_2):
    best = Question(figure_2, 4)
    rule = EIGHT_RULES.rule_for(figure_2.games, 0, 4)
    assert rule is not None
    assert best.rule == rule_sentence(rule, STAKES)
    chances = EIGHT_RULES.bets(figure_2.games)[0, 4]
    costs = [best.answer(bet).cost for bet in range(STAKES.num_bets)]
    assert best.rule_cost == pytest.approx(float(chances @ costs))
    middle = next(the_same_game(games_of((0, 0, 1, 0, 0), (0.5, 0, 0, 0, 0.5), STAKES)))
    assert Question(middle, 2).rule == "No rule applies: check."
    assert Question(middle, 2).rule_cost == 0.0


def test_every_question_has_a_rule_in_words():
    for number, game in enumerate(islice(random_games(STAKES, 3), 5)):
        assert ask(game, 3, number).rule.endswith(".")


def asked(seed):
    questions = (ask(game, seed, number) for number, game in enumerate(islice(random_games(STAKES, seed), 4)))
    return [(question.card, question.beaten) for question in questions]


def test_the_same_seed_asks_the_same_questions():
    assert asked(7) == asked(7) != asked(8)


def test_hands_are_dealt_as_in_the_game():
    game = next(the_same_game(games_of((0.8, 0.2, 0, 0, 0), (0, 0, 0, 0, 1), STAKES)))
    cards = [ask(game, 0, number).card for number in range(400)]
    assert set(cards) == {0, 1}
    assert np.mean(cards) == pytest.approx(0.2, abs=0.08)  # four standard errors


def test_a_file_is_asked_once_through_and_gives_the_same_costs():
    solved = solve_games(STAKES, 3, 0, 6)
    filed = list(filed_games(solved, seed=1))
    assert len(filed) == 6
    fresh = list(islice(random_games(STAKES, 3), 6))
    costs = {round(float(Question(game, 2).values.sum()), 9) for game in filed}
    assert costs == {round(float(Question(game, 2).values.sum()), 9) for game in fresh}


@pytest.mark.parametrize(
    ("text", "bet"),
    [
        ("check", 0), ("0", 0), ("c", 0), ("0.5", 1), ("$1.5", 3), (" bet 1 ", 2), ("1,5", 3), ("3", 6), ("A", 6),
        ("all-in", 6), ("All In", 6),
    ],
)  # fmt: skip
def test_bets_can_be_typed_in_many_ways(text, bet):
    assert parse_bet(text, STAKES) == bet


@pytest.mark.parametrize("text", ["", "0.3", "3.5", "-0.5", "nan", "inf", "fold", "1e400", "0x1"])
def test_what_is_no_bet_is_refused_with_what_is_allowed(text):
    with pytest.raises(ConfigError, match=r"allowed: check, a multiple of 0.5 up to 3, or all-in$"):
        parse_bet(text, STAKES)


def test_a_streak_ends_with_a_bet_that_equilibrium_does_not_make(figure_2):
    question = Question(figure_2, 4)
    score = Score()
    for bet in (6, 6, 0, 6):
        score = score.after(question.answer(bet))
    assert (score.num_answers, score.num_in_equilibrium, score.streak, score.longest_streak) == (4, 3, 1, 2)
    assert score.mean_cost == pytest.approx(0.75 / 4)
    assert score.share_in_equilibrium == 0.75


def scored(num_answers, mean_cost, streak=0):
    return Score(num_answers, num_answers * mean_cost, 0, 0, streak)


@pytest.fixture
def data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("NASHGAP_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.mark.usefixtures("data_folder")
def test_the_lowest_mean_cost_of_enough_answers_is_kept_for_each_stakes():
    assert load_record(STAKES) == Record()
    assert keep_score(STAKES, scored(9, 0.0, 4)) == Record(None, 0, 4)
    assert keep_score(STAKES, scored(10, 0.02, 2)).mean_cost == pytest.approx(0.02)
    assert keep_score(STAKES, scored(50, 0.03)).num_answers == 10
    assert keep_score(STAKES, scored(20, 0.01)) == Record(pytest.approx(0.01), 20, 4)
    assert load_record(STAKES) == Record(pytest.approx(0.01), 20, 4)
    assert load_record(Stakes()) == Record()


@pytest.mark.parametrize("text", ["", "[]", "{", '{"deck=5,stack=3,step=0.5,ante=0.5": {"best": 1}}', "\xff"])
def test_a_damaged_record_counts_as_none(data_folder, text):
    data_folder.mkdir()
    record_path().write_text(text, encoding="latin-1")
    assert load_record(STAKES) == Record()
    assert keep_score(STAKES, scored(10, 0.5)).mean_cost == 0.5


def test_a_record_that_cannot_be_written_is_an_error_of_ours(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NASHGAP_DATA", str(tmp_path / "file"))
    with pytest.raises(OutputError, match="cannot be written"):
        keep_score(STAKES, scored(10, 0.5))
