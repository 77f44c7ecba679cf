"""NashGap: how far is a strategy from equilibrium?"""
