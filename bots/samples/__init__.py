"""Bots to learn from: each is one file, plays every game, and would pass as a submission."""
