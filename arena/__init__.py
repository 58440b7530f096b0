"""The arena: mancala bots against each other, under exact rules, with ratings everyone can recompute."""

__version__ = "0.1.0"
