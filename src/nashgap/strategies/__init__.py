"""Strategies and the files they are kept in."""
