"""Every agent of the catalogue keeps the contract of agents, in every game that it plays."""

import numpy as np
import pytest

from nashgap.agents.named import load_agent
from nashgap.arena.table import deal_cards, play_hand, seat_generator
from nashgap.catalogue import AGENTS, POKER_GAMES, POKER_STRATEGIES
from nashgap.errors import UnsupportedGameError
from nashgap.poker.rules import load_rules

SPECS = {"triple": "triple(0.2,0.4,0.4)", "poki-sim": "poki-sim(trials=10)"}
HANDS = {"poki-sim": 2}


@pytest.mark.parametrize("game", POKER_GAMES.entries)
@pytest.mark.parametrize("name", [*POKER_STRATEGIES.entries, *AGENTS.entries])
def test_every_agent_plays_legally_and_repeats_itself(name, game):
    rules = load_rules(game)
    spec = SPECS.get(name, name)
    try:
        agents = [load_agent(spec, rules) for _ in range(rules.num_seats)]
    except UnsupportedGameError as error:
        assert "\n" not in str(error)
        return
    assert agents[0].name == spec
    for number in range(HANDS.get(name, 8)):
        deal = deal_cards(rules, 5, number)
        hands = []
        for _ in range(2):
            for seat, agent in enumerate(agents):
                agent.start_match(rules)
                agent.start_hand(seat, seat_generator(5, number, 0, seat))
            hands.append(play_hand(rules, agents, deal, number))  # refuses what is not legal
        assert hands[0].state.betting == hands[1].state.betting
        assert np.isclose(sum(hands[0].payoffs), 0)
