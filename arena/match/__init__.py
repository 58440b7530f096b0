"""One match between two bots: games, clocks, scoring, verdicts, and the record that proves it.  Pure, no I/O."""

from arena.compiling import prefer_compiled

prefer_compiled(__path__)           # before any of its modules is imported
