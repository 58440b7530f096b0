"""Where bots run: one process each, behind layers that hold whatever it does, and the host's end of its pipes."""

from arena.compiling import prefer_compiled

prefer_compiled(__path__)           # before any of its modules is imported
