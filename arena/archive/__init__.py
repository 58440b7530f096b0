"""A tournament, or all that was ever played under a ruleset, as one file that anybody can check.  Pure.

lines.py: how a line is written and chained.  entries.py: what the lines say.  verify.py: the proof.
The format to the field: docs/verify.md.
"""
