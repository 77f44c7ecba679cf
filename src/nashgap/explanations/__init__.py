"""Strategies that a person can remember: learned from solved games, with their price."""
