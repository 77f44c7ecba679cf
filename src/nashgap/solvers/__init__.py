"""Algorithms that compute strategies."""
