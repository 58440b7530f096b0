"""The HTTP API: one blueprint per noun; each call parses, calls one service and serialises."""
