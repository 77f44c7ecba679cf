"""Approximate Best Response: search with a learned value for one player, against an opponent whose strategy is known.

`responder_game.py` is a game as the responder meets it, `options.py` how it searches and learns, `table_learner.py` and
`network_learner.py` what it learns, `actors.py` who plays, `training.py` how all this goes on. `psro.py` solves
a game by such responders; `belief_network.py` learns the beliefs that searches have exactly.
"""
